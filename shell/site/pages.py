"""Pages of a site: the front page, one a lesson, the glossary, the courses."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from lessons.record import GROUPS, Lesson, label_of, number_of
from shell.export import animation, captions, offline_page
from shell.export.lecture_pack import TITLE
from shell.glossary import notes
from shell.hall.bets.page import ASKED_ALT, TOLD_ALT
from shell.hall.course.courses import COURSES
from shell.page.pictures import thumbnail
from shell.server.scripts import plain_script, plotly_script
from shell.site.films import ASKED, TOLD, Slider, View, Written, plain, stops, views

HALL = '<label class="st-key-lecture"><input type="checkbox" role="switch">Lecture type</label>'
WELCOME = "A learner asks one place a round and hears a noisy answer, and the truth moves on: what must it forget?"
PLOTLY, FONT, STYLE, SCRIPT, WORKER = offline_page.PLOTLY, offline_page.FONT, "site.css", "site.js", "worker.js"
EXPORTS = "exports.js"
ENCODERS = {kind: PurePosixPath(name).name for kind, name in animation.ENCODERS.items()}  # beside the pages
INDEX, GLOSSARY = "index.html", "glossary.html"
POLICY = (
    "default-src 'none'; script-src 'self' file:; style-src 'self' 'unsafe-inline' file:; img-src data: blob:; "
    "font-src data:; worker-src 'self'"
)
FROZEN = (
    "This site is plain files: films that were computed once, at the marked stops of a slider; at the others stands "
    "one picture. Everything else (other settings, your own table, asking by hand, other worlds of the game) needs the "
    "live lab"
)


@dataclass(frozen=True)
class Site:
    """Settings of all pages of a site: `folder` of the films, address of a `live` lab ("" for none), `paper` of the
    letters."""

    folder: str
    live: str
    paper: str

    def words(self, markdown: str) -> str:
        """Return a text of the lab as HTML, in the letters."""
        return html.escape(plain(markdown, self.paper))


def files(lessons: Sequence[Lesson], site: Site, written: Written) -> dict[str, bytes]:
    """Return name -> file of everything but the films and the courses.

    Args:
        written: the files of films that are there.
    """
    played = {lesson.key: played_files(lesson, site) for lesson in lessons}
    made = {f"{one.key}.html": lesson_page(one, lessons, site, written, list(played[one.key])) for one in lessons}
    made |= {INDEX: front_page(lessons, site), GLOSSARY: glossary_page(site)}
    for found in played.values():
        made |= found
    first = [*made, SCRIPT, STYLE, PLOTLY, *([FONT] if offline_page.font() else [])]
    worker = offline_page.fill(_asset(WORKER), {"RELEASE": site.folder, "FIRST": " ".join(first)})
    made |= {
        STYLE: offline_page.style("") + offline_page.asset("export/export.css") + _asset(STYLE),
        SCRIPT: plain_script(f"site/{SCRIPT}"),
        EXPORTS: plain_script(f"site/{EXPORTS}"),
        WORKER: worker,
        PLOTLY: plotly_script(),
    }
    made |= {ENCODERS[kind]: offline_page.asset(name) for kind, name in animation.ENCODERS.items()}
    found = {name: text.encode() for name, text in made.items()}
    return found | ({FONT: offline_page.typeface().encode()} if offline_page.font() else {})


def lesson_page(lesson: Lesson, lessons: Sequence[Lesson], site: Site, written: Written, played: Sequence[str]) -> str:
    """Return the page of a lesson.

    Args:
        written: the files of films that are there.   played: names of its `played_files`.
    """
    number = number_of(lesson, lessons)
    found = [view for view in views(lesson, number) if written.has(view.own)]
    beside = {"‹ ": lessons[number - 1 : number] if number else (), "› ": lessons[number + 1 : number + 2]}
    nav = {f"{one.key}.html": sign + label_of(one, lessons) for sign, some in beside.items() for one in some}
    bet = lesson.bet
    contents = {
        "lesson": lesson.key,
        "films": site.folder,
        "encoders": ENCODERS,
        "question": plain(lesson.question, site.paper),
        "views": [_view(view, site, written) for view in found],
        "bet": bet
        and {
            "question": plain(bet.question, site.paper),
            "options": dict(bet.options),
            "ranks": bet.ranks,
            "alts": {ASKED: ASKED_ALT, TOLD: TOLD_ALT},
        },
    }
    sources = "; ".join(site.words(source) for source in lesson.sources())
    more = f'<p class="settings quiet"></p><p class="quiet">Rests on: {sources}.</p>'
    if played:
        scripts = "".join(f'<script defer src="{name}"></script>' for name in played if name.endswith(".js"))
        parts = {
            "STYLE": f"{lesson.key}.css",
            "PLAYER": offline_page.asset("player/player.html"),
            "SCRIPTS": scripts,
        }
        body = offline_page.fill(offline_page.asset(f"{lesson.key}/site.html"), parts)
        return page(lesson.title, site.words(lesson.question), nav, body, _live(site, lesson), {}, more)
    if not found:
        words = f"{site.words(lesson.question)} Its films are not here; the live lab has them{_live(site, lesson)}."
        return page(lesson.title, html.escape(lesson.title), nav, f"<p>{words}</p></header>", _live(site), {})
    parts = {"PLAYER": offline_page.asset("player/player.html"), "EXPORT": offline_page.asset("export/export.html")}
    return page(
        lesson.title,
        site.words(lesson.question),
        nav,
        offline_page.fill(_asset("lesson.html"), parts),
        _live(site, lesson),
        contents,
        more,
        (lesson.phone_screens, lesson.first_screen),
    )


def played_files(lesson: Lesson, site: Site) -> dict[str, str]:
    """Return name -> text of what the page of a lesson that is played loads: its worlds, its script and its style."""
    if not lesson.offline_worlds:
        return {}
    key, made = lesson.key, {}
    for world in lesson.offline_worlds():
        told = {name: plain(said, site.paper) if isinstance(said, str) else said for name, said in world.items()}
        made[f"{key}-{told['key']}.js"] = f"lab.site.worlds.push({json.dumps(told)});\n"
    return made | {
        f"{key}.js": plain_script(f"{key}/site.js"),
        f"{key}.css": offline_page.asset(f"{key}/site.css"),
    }


def _view(view: View, site: Site, written: Written) -> dict[str, object]:
    """Return what the page's script reads of a view; of a bet nothing that tells."""
    return {
        "key": view.key,
        "title": view.title,
        "line": plain(view.line, site.paper),
        "file": view.own.name,
        "t": view.t,
        "sliders": [_slider(view, one, site, written) for one in view.sliders],
    }


def _slider(view: View, slider: Slider, site: Site, written: Written) -> dict[str, object]:
    """Return what the script reads of a slider: of each stop its film, None where it has a picture alone."""
    knob, pictures = slider.knob, slider.pictures
    films = {stop: view.at(slider, stop) for stop in slider.films}
    names = {knob.shown(stop): file.name for stop, file in films.items() if written.has(file)}
    pictured = written.pictured(pictures) if pictures else []
    here = [shown for shown in map(knob.shown, stops(knob, view.values)) if shown in names or shown in pictured]
    return {
        "key": knob.key,
        "label": plain(knob.words, site.paper),
        "at": here.index(knob.shown(view.values[knob.key])),
        "stops": here,
        "files": [names.get(stop) for stop in here],
        "pictures": pictures.name if pictures and pictured else None,
    }


def front_page(lessons: Sequence[Lesson], site: Site) -> str:
    """Return the front page: the lessons by their groups, the courses, the glossary."""
    parts = [_cards([one for one in lessons if not one.group], lessons, site)]
    for group in GROUPS:
        parts.append(
            f"<h2>{html.escape(group)}</h2>{_cards([one for one in lessons if one.group == group], lessons, site)}"
        )
    courses = "".join(
        f'<p><a href="{key}/{INDEX}">{html.escape(course.title)}</a><br>{html.escape(course.promise)}</p>'
        for key, course in COURSES.items()
    )
    parts.append(f'<h2>Courses, for a lecture or alone</h2><div class="courses">{courses}</div>')
    body = f"<p>{html.escape(WELCOME)}</p></header><main>{''.join(parts)}</main>"
    return page(TITLE, TITLE, {GLOSSARY: "Glossary"}, body, _live(site), {})


def _cards(some: Sequence[Lesson], lessons: Sequence[Lesson], site: Site) -> str:
    found = []
    for one in some:
        picture, name = thumbnail(one.key, one.title), html.escape(label_of(one, lessons))
        question = site.words(one.question)
        found.append(f'<li>{picture}<a data-in href="{one.key}.html">{name}</a><br>{question}</li>')
    return f'<ul class="cards">{"".join(found)}</ul>'


def glossary_page(site: Site) -> str:
    """Return the glossary."""
    body = f"</header><main>{notes.entries(site.paper)}</main>"
    return page("Glossary", "What do the words mean?", {}, body, _live(site), {})


def page(
    title: str,
    heading: str,
    nav: Mapping[str, str],
    body: str,
    live: str,
    contents: Mapping[str, object],
    more: str = "",
    screens: tuple[int, int] = (1, 0),
) -> str:
    """Return a page.

    Args:
        heading, body, more: HTML.   nav: file -> words of its link.   live: words and link to the live lab (HTML).
        contents: what its script reads.   screens: how many of a phone its stage takes, and which comes first.
    """
    ways = {INDEX: "All lessons", **nav}
    anchors = "".join(f'<a data-in href="{file}">{html.escape(words)}</a>' for file, words in ways.items())
    foot = (
        f'{more}<p class="quiet">{html.escape(FROZEN)}{live}.</p><p class="quiet">{html.escape(captions.VERSION)}</p>'
    )
    filled = {
        "ABREAST": str(screens[0]),
        "POINT": str(screens[1]),
        "POLICY": POLICY,
        "TITLE": html.escape(title),
        "NAV": anchors,
        "HALL": HALL if "views" in contents else "",
        "HEADING": heading,
        "BODY": body,
        "FOOT": foot,
        "PAGE": offline_page.json_text(contents),
    }
    return offline_page.fill(_asset("page.html"), filled)


def _live(site: Site, lesson: Lesson | None = None) -> str:
    """Return the link to the live lab, empty where no address is known."""
    path = lesson.file.rsplit("/", 1)[-1].removesuffix(".py") if lesson and "/" in lesson.file else ""
    address = html.escape(site.live.rstrip("/"), quote=True)
    return f': <a href="{address}/{path}">open it there</a>' if address else ""


def _asset(name: str) -> str:
    return offline_page.asset(f"site/{name}")
