"""The speaker window: the line to say, the next moment, clock and timer in a second window of the same browser.

The button (or key S) opens a page that the server gives to everybody alike; it shows what the lab's window tells it,
in the browser and without the server, and the keys pressed there drive the lab's window.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from lessons.record import beside, label_of
from shell.hall.course import bar
from shell.hall.course.walk import walk
from shell.hall.room import room
from shell.links import permalink
from shell.notation import translate as symbols
from shell.server.headers import below
from shell.server.modules import component
from shell.server.scripts import asset

if TYPE_CHECKING:
    from lessons.record import Lesson
    from shell.hall.course.courses import Course

NAME = "speaker"  # of the page, beside the lessons


@cache
def page() -> str:
    """Return the speaker window as HTML, the same for every lesson and visitor."""
    html, css, script = (asset(f"speaker/window.{part}") for part in ("html", "css", "js"))
    return html.replace("STYLE", css).replace("SCRIPT", script)


async def _answer(_: Request) -> HTMLResponse:
    return HTMLResponse(page(), headers={"Cache-Control": "no-cache"})


def routes(base: str = "") -> list[Route]:
    """Return the route of the speaker window.

    Args:
        base: path that the pages lie under.
    """
    return [Route(below(base, NAME), _answer)]


def button(lesson: Lesson, lessons: Sequence[Lesson], moment: str | None, hall: bool, *, asks: bool = False) -> None:
    """Draw the button, which is seen in lecture type; key S opens the window in every type.

    Args:
        lessons: all of them, in the order of the menu.   moment: key of the moment, None without one.
        hall: lecture type.   asks: a bet is open, whose answer the moments would tell.
    """
    _, after = beside(lesson, lessons)
    shown = () if asks or permalink.hidden("moments") else lesson.moments
    bet = [lesson.bet.question, *lesson.bet.options.values()] if asks else []
    said = {
        "page": lesson.key,
        "lesson": label_of(lesson, lessons),
        "question": lesson.question,
        "moments": [(symbols.to_plain(one.title), symbols.to_plain(one.script)) for one in shown],
        "chosen": 1 + [one.key for one in lesson.moments].index(moment) if moment else 0,
        "after": label_of(after[0], lessons) if after else "",
        "asks": list(map(symbols.to_plain, bet)),
    }
    _draw(said, lessons, hall)


def button_of_course(course: Course, lessons: Sequence[Lesson], hall: bool) -> None:
    """Draw the button on the title and the last page of a course.

    Args:
        lessons: all of them, in the order of the menu.   hall: lecture type.
    """
    said = {"page": "course", "lesson": course.title, "question": course.promise}
    _draw(said | {"moments": [], "chosen": 0, "after": "", "asks": []}, lessons, hall)


def _draw(said: dict, lessons: Sequence[Lesson], hall: bool) -> None:
    course = bar.course_view(here, lessons) if (here := walk(lessons)) else None
    data = {**said, "course": course, "hall": hall, "path": NAME, "room": room.path()}
    component("tvbo_speaker", "speaker/button")(key=NAME, data=data, width="content")
