"""Pages of a site or a pack: the front page, one a lesson, the glossary, title and last page of each course; and a page
in one file."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from answers import captions
from answers.ask import DRAWER, ask
from answers.bets import ASKED_ALT, TOLD_ALT
from answers.drawers import help_texts
from answers.page import plain
from answers.state import State
from lessons.record import GROUPS, Lesson, Scene, beside, label_of, lesson_of, number_of
from shell.glossary import notes
from shell.hall.course.courses import Course, Stop
from shell.page.pictures import thumbnail
from shell.server.scripts import asset, plain_script, plotly_script, without_comments
from shell.static.template import (
    BESIDE,
    ENCODERS,
    ENGINE,
    EXPORTS,
    FONT,
    GLOSSARY,
    INDEX,
    KEYS,
    MANIFEST,
    PLOTLY,
    POLICY,
    SCORM,
    SCRIPT,
    SHEET,
    STYLE,
    WALKS,
    WORKER,
    Site,
    fill,
    filled,
    font,
    json_text,
    live_link,
    page,
    style,
    typeface,
    version,
)
from shell.static.view import ASKED, TOLD, View, view_keys

if TYPE_CHECKING:
    from shell.static.build import Written


OWN = ("algos",)  # knobs that choose who races: a policy of the reader's own can join


def files(site: Site, written: Written, missing: Sequence[str] = ()) -> dict[str, bytes]:
    """Return name -> file of everything but the films.

    Args:
        written: the files of films that are there.   missing: sentences on views that a pack should have had.
    """
    played = {lesson.key: played_files(lesson, site) for lesson in site.lessons}
    found = {key: {k: one for k, one in some.items() if written.has(one)} for key, some in site.views.items()}
    walks = {key: steps(course, site, found) for key, course in site.courses.items()}
    made = {
        f"{one.key}.html": lesson_page(one, site, found[one.key], walks, list(played[one.key]))
        for one in site.lessons
        if site.pack is None or found[one.key] or played[one.key]
    }
    made |= {} if site.pack else {INDEX: front_page(site)}
    made |= {GLOSSARY: glossary_page(site)}
    for key, course in site.courses.items():
        made |= course_pages(key, course, site, walks, missing)
    for some in played.values():
        made |= some
    first = [*made, SCRIPT, STYLE, PLOTLY, *([FONT] if font() else []), *([] if site.pack else [ENGINE])]
    places = [site.pyodide.core, site.pyodide.packages] if site.pyodide else []
    named = {"PYTHON": site.pyodide.name if site.pyodide else "", "PLACES": " ".join(dict.fromkeys(places))}
    worker = fill(asset(f"site/{WORKER}"), {"RELEASE": site.folder, "FIRST": " ".join(first), **named})
    made |= {
        STYLE: style(""),
        SCRIPT: plain_script(f"site/{SCRIPT}") + plain_script("site/fingers.js"),
        EXPORTS: plain_script(f"site/{EXPORTS}"),
        SHEET: plain_script(f"site/{SHEET}"),
        WORKER: worker,
        PLOTLY: plotly_script(),
    }
    if not site.pack:
        made |= {BESIDE[kind]: asset(name) for kind, name in ENCODERS.items()}
        made |= {ENGINE: plain_script("engine/worker.js")}
    if site.scorm:
        made |= {SCORM: plain_script(f"site/{SCORM}"), MANIFEST: manifest(site)}
    return {name: text.encode() for name, text in made.items()} | ({FONT: typeface().encode()} if font() else {})


def manifest(site: Site) -> str:
    """Return the manifest of a SCORM 1.2 package: the site as one object that begins at a course."""
    title, _ = _ends(site.scorm)
    values = {"KEY": site.scorm, "TITLE": html.escape(site.courses[site.scorm].title), "FILE": title}
    return fill(asset(f"site/{MANIFEST}"), values)


# Lessons -------------------------------------------------------------------------------------------------------------


def lesson_page(
    lesson: Lesson,
    site: Site,
    found: Mapping[str, View],
    walks: Mapping[str, list[dict]],
    played: Sequence[str],
) -> str:
    """Return the page of a lesson.

    Args:
        found: its views whose films are there.   walks: `steps` of the courses.   played: names of its `played_files`.
    """
    contents: dict[str, object] = {"file": f"{lesson.key}.html", "walks": walks, "hall": bool(site.pack)}
    name, heading, live = lesson.title, site.words(lesson.question), live_link(site, lesson)
    nav = {} if site.pack else _beside(lesson, site.lessons)
    sources = "; ".join(site.words(source) for source in lesson.sources())
    more = f'<p class="settings quiet"></p><p class="quiet">Rests on: {sources}.</p>'
    if played:
        scripts = "".join(f'<script defer src="{name}"></script>' for name in played if name.endswith(".js"))
        parts = {
            "STYLE": f"{lesson.key}.css",
            "PLAYER": asset("player/player.html"),
            "SCRIPTS": scripts,
        }
        return page(site, name, heading, nav, fill(asset(f"{lesson.key}/site.html"), parts), contents, more, live)
    if not found:
        words = f"<p>{heading} Its films are not here; the live lab has them{live}.</p></header>"
        return page(site, name, html.escape(name), nav, words, contents)
    contents |= view_contents(lesson, list(found.values()), site.paper)
    contents |= {"films": site.folder, "encoders": None if site.pack else BESIDE}
    if site.pyodide:
        number = number_of(lesson, site.lessons)
        contents |= {"engine": site.pyodide.said(lesson.key, number), "help": helps(lesson, site.paper)}
        contents |= {"own": next((key for key in OWN if key in lesson.knobs), None)}
    return page(site, name, heading, nav, _stage(), contents, more, live)


def view_contents(lesson: Lesson, some: Sequence[View], paper: str) -> dict[str, object]:
    """Return the part of a lesson's views that the script of a page reads, without the answers of bets."""
    bet = lesson.bet if any(view.key == ASKED for view in some) else None
    return {
        "lesson": lesson.key,
        "words": ["moment", "t", "symbols", *lesson.knobs],  # of its addresses
        "question": plain(lesson.question, paper),  # of a frame's title
        "views": [
            {
                "key": view.key,
                "title": view.title,
                "line": view.text(view.line),
                "file": view.file,
                "t": view.t,
            }
            for view in some
        ],
        "bet": bet
        and {
            "question": some[0].text(bet.question),
            "options": {word: some[0].text(said) for word, said in bet.options.items()},
            "ranks": bet.ranks,
            "alts": {ASKED: ASKED_ALT, TOLD: TOLD_ALT},
        },
    }


def _beside(lesson: Lesson, lessons: Sequence[Lesson]) -> dict[str, str]:
    """Return file -> words of the links to the lessons before and after this one."""
    signed = zip("‹›", beside(lesson, lessons), strict=True)
    return {f"{one.key}.html": f"{sign} {label_of(one, lessons)}" for sign, some in signed for one in some}


def _stage() -> str:
    return fill(
        asset("site/lesson.html"), {"PLAYER": asset("player/player.html"), "EXPORT": asset("export/export.html")}
    )


def played_files(lesson: Lesson, site: Site) -> dict[str, str]:
    """Return name -> text of what the page of a lesson that is played loads: its worlds, its script and its style."""
    if not lesson.offline_worlds:
        return {}
    key, made = lesson.key, {}
    for world in lesson.offline_worlds():
        world_text = {
            name: plain(value, site.paper) if isinstance(value, str) else value for name, value in world.items()
        }
        made[f"{key}-{world_text['key']}.js"] = f"lab.site.worlds.push({json.dumps(world_text)});\n"
    return made | {f"{key}.js": plain_script(f"{key}/site.js"), f"{key}.css": asset(f"{key}/site.css")}


def helps(lesson: Lesson, paper: str) -> dict[str, str]:
    """Return key -> help text of a lesson."""
    state = State(lesson, lesson.settings({}), lesson.t, paper=paper, html=True)
    return {key: ask(state, DRAWER, key)["text"] for key in help_texts(lesson)}


def one_file(view: View, plotly: bool = True) -> str:
    """Return a view as a page in one file, with its films, styles and scripts in it: it loads nothing.

    Args:
        plotly: whether plotly.js is in it, 1.5 MB. Without it the page has no hover and none of the charts that only
            Plotly draws (bars and heat maps of cells), and stands where its line breaks are lost.
    """
    if not plotly:
        view = replace(view, given=_drawn_on_canvas(view))
    look = "dark" if view.theme.dark else "light"
    contents = {"file": "", "look": look, "hall": view.theme.lecture, **view_contents(view.lesson, [view], view.paper)}
    films = "".join(
        f'<script type="application/json" id="{name}">{json_text(made)}</script>\n'
        for name, made in view.contents(look).items()
    )
    values = filled(view.lesson.title, view.text(view.lesson.question), contents)
    script = plain_script(f"site/{SCRIPT}")
    script = script if plotly else without_comments(script)
    values |= {
        "POLICY": POLICY.format("'unsafe-inline'", ""),
        "STYLE": f"<style>{style(None)}</style>",
        "NAV": "",
        "BODY": _stage(),
        "FOOT": f'<p class="settings quiet"></p><p class="quiet">{KEYS}.</p>{version(view.number)}',
        "SCRIPT": films + (f"<script>{plotly_script()}</script>" if plotly else "") + f"<script>{script}</script>",
    }
    return fill(asset("site/page.html"), values)


def _drawn_on_canvas(view: View) -> Scene:
    """Return the scene of a view with those of its charts that a canvas draws whole (assets/stage/picture.js)."""
    scene, kinds = view.scene, {"scatter", "contour"}
    traces = {key: view.figure_of(key).to_dict()["data"] for key in view.pictures}
    kept = {key for key, some in traces.items() if all(one.get("type", "scatter") in kinds for one in some)}
    stills = {key: one for key, one in scene.stills.items() if key in kept}
    return replace(scene.showing(kept), stills=stills)


# Courses -------------------------------------------------------------------------------------------------------------


def can_show(stop: Stop, lesson: Lesson) -> bool:
    """Return whether a page without a server can show a stop: its film, or the world that is played there."""
    played = {world["key"] for world in lesson.offline_worlds()} if lesson.offline_worlds else set()
    return lesson.scene is not None or stop.moment in played


def _ends(key: str) -> tuple[str, str]:
    """Return the files of a course's title and last page; a pack begins with its title."""
    return (f"{key}.html", f"{key}-seen.html") if key else (INDEX, "seen.html")


def steps(course: Course, site: Site, found: Mapping[str, Mapping[str, View]]) -> list[dict]:
    """Return what the button walks through: file and key of each view that is there, between title and last page."""
    title, last = _ends("" if site.pack else course.key)
    keys = [(stop, key) for stop in course.stops for key in view_keys(stop)]
    by_key = {lesson.key: lesson for lesson in site.lessons}
    there = [
        {"file": f"{stop.lesson}.html", "view": key, "plays": stop.plays, "begins": stop.begins}
        for stop, key in keys
        if key in found.get(stop.lesson, ())
        or (stop.lesson in by_key and not by_key[stop.lesson].scene and can_show(stop, by_key[stop.lesson]))
    ]
    return [{"file": title}, *there, {"file": last}]


def course_pages(
    key: str, course: Course, site: Site, walks: Mapping[str, list[dict]], missing: Sequence[str]
) -> dict[str, str]:
    """Return name -> title and last page of a course; a site's has an address of its own in a folder, too."""
    title, last = _ends(key)
    search = f"?course={key}" if key else ""
    listed, seen, walk = [], [], [(step["file"], step.get("view")) for step in walks[key]]
    for stop in course.stops:
        file, view = f"{stop.lesson}.html", stop.key
        if (file, view) not in walk:
            continue
        lesson = lesson_of(stop.lesson, site.lessons)
        name = f"{lesson.title}: {plain(stop.moment_of(lesson).title, site.paper)}"
        link = f'<a data-in="moment={view}" href="{file}{search}#moment={view}">{html.escape(name)}</a>'
        listed.append(f"<li>{link}</li>")
        seen.append(f"<li>{link}<br>{site.words(stop.finding(lesson))}</li>")
    gone = "".join(f'<p role="note">{html.escape(one)}</p>' for one in missing)
    promise = f"<p>{html.escape(course.promise)}</p>" if course.promise else ""
    bodies = {
        title: (course.title, f'{promise}<ol>{"".join(listed)}</ol>{gone}<p class="quiet">{WALKS}</p>'),
        last: ("What we have seen", f"<ol>{''.join(seen)}</ol>"),
    }
    made = {
        file: page(
            site,
            name,
            html.escape(name),
            {},
            f'</header><main class="course">{body}</main>',
            {"file": file, "walks": walks, "hall": bool(site.pack)},
        )
        for file, (name, body) in bodies.items()
    }
    if key:
        there = f'<meta http-equiv="refresh" content="0; url=../{title}{search}">'
        made[f"{key}/{INDEX}"] = f'<!doctype html><html lang="en" translate="no">{there}\n'
    return made


# Other pages ---------------------------------------------------------------------------------------------------------


def front_page(site: Site) -> str:
    """Return the front page: the lessons by their groups, the courses, the glossary."""
    parts = [_cards([one for one in site.lessons if not one.group], site)]
    for group in GROUPS:
        parts.append(
            f"<h2>{html.escape(group)}</h2>{_cards([one for one in site.lessons if one.group == group], site)}"
        )
    courses = "".join(
        f'<p><a data-in href="{key}.html?course={key}">{html.escape(course.title)}</a>'
        f"<br>{html.escape(course.promise)}</p>"
        for key, course in site.courses.items()
    )
    parts.append(f'<h2>Courses, for a lecture or alone</h2><div class="courses">{courses}</div>')
    body = f"</header><main>{''.join(parts)}</main>"
    return page(site, captions.LAB, site.words(captions.WELCOME), {GLOSSARY: "Glossary"}, body)


def _cards(some: Sequence[Lesson], site: Site) -> str:
    found = []
    for one in some:
        picture, name = thumbnail(one.key, one.title), html.escape(label_of(one, site.lessons))
        question = site.words(one.question)
        found.append(f'<li>{picture}<a data-in href="{one.key}.html">{name}</a><br>{question}</li>')
    return f'<ul class="cards">{"".join(found)}</ul>'


def glossary_page(site: Site) -> str:
    """Return the glossary."""
    links = notes.used_in(site.lessons, lambda one: f"{one.key}.html")
    body = f"</header><main>{notes.entries(site.paper, links)}</main>"
    return page(site, "Glossary", "What do the words mean?", {}, body)
