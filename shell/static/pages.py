"""Pages without a server: for a site or a pack its front page, lessons and glossary, and the ends of each course;
and a view as a page in one file.
"""

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
    FONT,
    GLOSSARY,
    INDEX,
    KEYS,
    MANIFEST,
    PLOTLY,
    POLICY,
    SCORM,
    SCRIPT,
    STYLE,
    WALKS,
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


METHOD_KNOBS = ("algos",)  # The reader's own policy joins the methods that such a knob chooses.


def files(site: Site, written: Written, missing: Sequence[str] = ()) -> dict[str, bytes]:
    """Return name -> content of all files but the films.

    Args:
        written: the files of the films that were made.   missing: sentences that say which views a pack lacks, and why.
    """
    played = {lesson.key: played_files(lesson, site) for lesson in site.lessons}
    views = {
        lesson_key: {key: view for key, view in by_key.items() if written.has(view)}
        for lesson_key, by_key in site.views.items()
    }
    walks = {key: steps(course, site, views) for key, course in site.courses.items()}
    texts = {
        f"{lesson.key}.html": lesson_page(lesson, site, views[lesson.key], walks, list(played[lesson.key]))
        for lesson in site.lessons
        if site.pack is None or views[lesson.key] or played[lesson.key]
    }
    texts |= {} if site.pack else {INDEX: front_page(site)}
    texts |= {GLOSSARY: glossary_page(site)}
    for key, course in site.courses.items():
        texts |= course_pages(key, course, site, walks, missing)
    for of_lesson in played.values():
        texts |= of_lesson
    # The service worker stores these files as soon as the first page is open.
    stored_first = [*texts, SCRIPT, STYLE, PLOTLY, "exports.js", "sheet.js", *([FONT] if font() else [])]
    stored_first += [*([] if site.pack else ["engine.js"]), *([SCORM] if site.scorm else [])]
    places = [site.pyodide.core, site.pyodide.packages] if site.pyodide else []
    python = {"PYTHON": site.pyodide.name if site.pyodide else "", "PLACES": " ".join(dict.fromkeys(places))}
    worker = fill(asset("site/worker.js"), {"RELEASE": site.folder, "FIRST": " ".join(stored_first), **python})
    texts |= {
        STYLE: style(""),
        SCRIPT: plain_script(f"site/{SCRIPT}") + plain_script("site/fingers.js"),
        "exports.js": plain_script("site/exports.js"),
        "sheet.js": plain_script("site/sheet.js"),
        "worker.js": worker,
        PLOTLY: plotly_script(),
    }
    if not site.pack:
        texts |= {BESIDE[kind]: asset(name) for kind, name in ENCODERS.items()}
        texts |= {"engine.js": plain_script("engine/worker.js")}
    if site.scorm:
        texts |= {SCORM: plain_script(f"site/{SCORM}"), MANIFEST: manifest(site)}
    return {name: text.encode() for name, text in texts.items()} | ({FONT: typeface().encode()} if font() else {})


def manifest(site: Site) -> str:
    """Return the manifest of a SCORM 1.2 package: the whole site is one object, and a course's title its first page."""
    title, _ = _title_and_last(site.scorm)
    values = {"KEY": site.scorm, "TITLE": html.escape(site.courses[site.scorm].title), "FILE": title}
    return fill(asset(f"site/{MANIFEST}"), values)


# Lessons -------------------------------------------------------------------------------------------------------------


def lesson_page(
    lesson: Lesson,
    site: Site,
    views: Mapping[str, View],
    walks: Mapping[str, list[dict]],
    played: Sequence[str],
) -> str:
    """Return the page of a lesson.

    Args:
        views: key -> view whose films were made.   walks: see `steps`, by course.   played: names of `played_files`.
    """
    contents: dict[str, object] = {"file": f"{lesson.key}.html", "walks": walks, "hall": bool(site.pack)}
    name, heading, live = lesson.title, site.words(lesson.question), live_link(site, lesson)
    nav = {} if site.pack else _neighbours(lesson, site.lessons)
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
    if not views:
        words = f"<p>{heading} Its films are not here; the live lab has them{live}.</p></header>"
        return page(site, name, html.escape(name), nav, words, contents)
    contents |= view_contents(lesson, list(views.values()), site.paper)
    # Settings of other lessons' Worlds, which go through this page.
    contents["others"] = sorted({key for one in site.lessons for key in one.world} - set(lesson.knobs))
    contents |= {"films": site.folder, "encoders": None if site.pack else BESIDE}
    if site.pyodide:
        number = number_of(lesson, site.lessons)
        contents |= {"engine": site.pyodide.said(lesson.key, number), "help": help_texts_of(lesson, site.paper)}
        contents |= {"own": next((key for key in METHOD_KNOBS if key in lesson.knobs), None)}
    return page(site, name, heading, nav, _stage_html(), contents, more, live)


def view_contents(lesson: Lesson, views: Sequence[View], paper: str) -> dict[str, object]:
    """Return the part of a page's JSON that is about these views of a lesson, without the answer of the bet."""
    bet = lesson.bet if any(view.key == ASKED for view in views) else None
    return {
        "lesson": lesson.key,
        "words": ["moment", "t", "symbols", "v", *lesson.knobs],  # names of the page's settings in its address
        "question": plain(lesson.question, paper),  # title of an iframe that shows the page
        "views": [
            {
                "key": view.key,
                "title": view.title,
                "line": view.text(view.line),
                "file": view.file,
                "t": view.t,
            }
            for view in views
        ],
        "bet": bet
        and {
            "question": views[0].text(bet.question),
            "options": {word: views[0].text(text) for word, text in bet.options.items()},
            "ranks": bet.ranks,
            "alts": {ASKED: ASKED_ALT, TOLD: TOLD_ALT},
        },
    }


def _neighbours(lesson: Lesson, lessons: Sequence[Lesson]) -> dict[str, str]:
    """Return file -> label of the links to the lessons before and after this one."""
    sides = zip("‹›", beside(lesson, lessons), strict=True)
    return {f"{one.key}.html": f"{sign} {label_of(one, lessons)}" for sign, side in sides for one in side}


def _stage_html() -> str:
    return fill(
        asset("site/lesson.html"), {"PLAYER": asset("player/player.html"), "EXPORT": asset("export/export.html")}
    )


def played_files(lesson: Lesson, site: Site) -> dict[str, str]:
    """Return name -> text of the worlds, script and style of a lesson that is played by hand, empty for others."""
    if not lesson.offline_worlds:
        return {}
    key, texts = lesson.key, {}
    for world in lesson.offline_worlds():
        plain_world = {
            name: plain(value, site.paper) if isinstance(value, str) else value for name, value in world.items()
        }
        texts[f"{key}-{plain_world['key']}.js"] = f"lab.site.worlds.push({json.dumps(plain_world)});\n"
    return texts | {f"{key}.js": plain_script(f"{key}/site.js"), f"{key}.css": asset(f"{key}/site.css")}


def help_texts_of(lesson: Lesson, paper: str) -> dict[str, str]:
    """Return key -> HTML of a lesson's help texts."""
    state = State(lesson, lesson.settings({}), lesson.t, paper=paper, html=True)
    return {key: ask(state, DRAWER, key)["text"] for key in help_texts(lesson)}


def one_file(view: View, plotly: bool = True) -> str:
    """Return a view as a page in one file, which loads nothing: its films, styles and scripts are in it.

    Args:
        plotly: whether plotly.js is included, 1.5 MB. A page without it has no hover and no charts that only Plotly can
            draw, such as bars and heat maps. It still works after a tool has removed its line breaks.
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
        "BODY": _stage_html(),
        "FOOT": f'<p class="settings quiet"></p><p class="quiet">{KEYS}.</p>{version(view.number)}',
        "SCRIPT": films + (f"<script>{plotly_script()}</script>" if plotly else "") + f"<script>{script}</script>",
    }
    return fill(asset("site/page.html"), values)


def _drawn_on_canvas(view: View) -> Scene:
    """Return the scene of a view with only the charts that a canvas draws whole (assets/stage/picture.js)."""
    scene, kinds = view.scene, {"scatter", "contour"}
    traces = {key: view.figure_of(key).to_dict()["data"] for key in view.pictures}
    drawn = {key for key, of_chart in traces.items() if all(one.get("type", "scatter") in kinds for one in of_chart)}
    stills = {key: still for key, still in scene.stills.items() if key in drawn}
    return replace(scene.showing(drawn), stills=stills)


# Courses -------------------------------------------------------------------------------------------------------------


def can_show(stop: Stop, lesson: Lesson) -> bool:
    """Return whether a page without a server can show a stop, as a film or as a world that is played by hand."""
    played = {world["key"] for world in lesson.offline_worlds()} if lesson.offline_worlds else set()
    return lesson.scene is not None or stop.moment in played


def _title_and_last(key: str) -> tuple[str, str]:
    """Return the files of a course's title and last page. A pack has one course, without a key, and no other index."""
    return (f"{key}.html", f"{key}-seen.html") if key else (INDEX, "seen.html")


def steps(course: Course, site: Site, views: Mapping[str, Mapping[str, View]]) -> list[dict]:
    """Return the steps of a walk through a course: the title, each view that a page can show, and the last page.

    Args:
        views: key of a lesson -> its views whose films were made.
    """
    title, last = _title_and_last("" if site.pack else course.key)
    keys = [(stop, key) for stop in course.stops for key in view_keys(stop)]
    by_key = {lesson.key: lesson for lesson in site.lessons}
    shown = [
        {"file": f"{stop.lesson}.html", "view": key, "plays": stop.plays, "begins": stop.begins}
        for stop, key in keys
        if key in views.get(stop.lesson, ())
        or (stop.lesson in by_key and not by_key[stop.lesson].scene and can_show(stop, by_key[stop.lesson]))
    ]
    return [{"file": title}, *shown, {"file": last}]


def course_pages(
    key: str, course: Course, site: Site, walks: Mapping[str, list[dict]], missing: Sequence[str]
) -> dict[str, str]:
    """Return name -> title and last page of a course.

    On a site a course also has a short address, a folder of its key, which leads to the title.
    """
    title, last = _title_and_last(key)
    search = f"?course={key}" if key else ""
    titles, findings, walk = [], [], [(step["file"], step.get("view")) for step in walks[key]]
    for stop in course.stops:
        file, view = f"{stop.lesson}.html", stop.key
        if (file, view) not in walk:
            continue
        lesson = lesson_of(stop.lesson, site.lessons)
        name = f"{lesson.title}: {plain(stop.moment_of(lesson).title, site.paper)}"
        link = f'<a data-in="moment={view}" href="{file}{search}#moment={view}">{html.escape(name)}</a>'
        titles.append(f"<li>{link}</li>")
        findings.append(f"<li>{link}<br>{site.words(stop.finding(lesson))}</li>")
    notes_missing = "".join(f'<p role="note">{html.escape(sentence)}</p>' for sentence in missing)
    promise = f"<p>{html.escape(course.promise)}</p>" if course.promise else ""
    bodies = {
        title: (course.title, f'{promise}<ol>{"".join(titles)}</ol>{notes_missing}<p class="quiet">{WALKS}</p>'),
        last: ("What we have seen", f"<ol>{''.join(findings)}</ol>"),
    }
    pages = {
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
        redirect = f'<meta http-equiv="refresh" content="0; url=../{title}{search}">'
        pages[f"{key}/{INDEX}"] = f'<!doctype html><html lang="en" translate="no">{redirect}\n'
    return pages


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


def _cards(lessons: Sequence[Lesson], site: Site) -> str:
    cards = []
    for lesson in lessons:
        picture, name = thumbnail(lesson.key, lesson.title), html.escape(label_of(lesson, site.lessons))
        question = site.words(lesson.question)
        cards.append(f'<li>{picture}<a data-in href="{lesson.key}.html">{name}</a><br>{question}</li>')
    return f'<ul class="cards">{"".join(cards)}</ul>'


def glossary_page(site: Site) -> str:
    """Return the glossary."""
    links = notes.used_in(site.lessons, lambda one: f"{one.key}.html")
    body = f"</header><main>{notes.entries(site.paper, links)}</main>"
    return page(site, "Glossary", "What do the words mean?", {}, body)
