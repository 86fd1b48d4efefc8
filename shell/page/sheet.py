"""My sheet: what a student predicted and solved, with notes, in the browser alone (assets/sheet/sheet.js)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import streamlit as st

from answers.page import plain
from lessons.record import OPEN, Lesson
from lessons.task import Task
from shell.links import permalink
from shell.notation.translate import paper
from shell.server.modules import loader
from shell.server.scripts import asset
from shell.session import session


@cache
def _component() -> object:
    html, script = '<button type="button" class="sheet">My sheet</button>', loader("sheet/sheet.js", "default")
    return st.components.v2.component("tvbo_sheet", html=html, css=asset("sheet/button.css"), js=script)


def _plain(text: str) -> str:
    return plain(text, paper())


def button(key: str, entry: Mapping[str, str] | None = None) -> None:
    """Draw the button that opens the sheet; an entry is written onto it."""
    _component()(key=key, data=dict(entry or {}), width="content")


def after_bet(lesson: Lesson, guess: str, right: tuple[str, ...] | list[str]) -> None:
    """Write a bet that was placed, beside what is measured, and draw the button; nothing without an answer."""
    bet = lesson.bet
    assert bet is not None
    if not (mine := bet.options_of(guess)):
        return
    said, true = (" then ".join(_plain(bet.options[word]) for word in words) for words in (mine, right))
    link = permalink.link_with({"guess": OPEN})
    entry = {"title": lesson.title, "question": _plain(bet.question), "right": true, "link": link}
    button("sheet_bet", {"kind": "bet", "key": lesson.key, "mine": said, **entry})


def after_task(lesson: Lesson, task: Task, measurement: str) -> None:
    """Write a task that was solved, with the link and the seed that solved it, and draw the button."""
    seed = st.session_state.get("seed")
    entry = {
        "title": lesson.title,
        "goal": _plain(task.goal),
        "measurement": _plain(measurement),
        "setup": "" if seed is None else f"seed {seed}",
        "link": permalink.link(lesson, t=session().t),
    }
    button("sheet_task", {"kind": "task", "key": f"{lesson.key}/{task.key}", **entry})
