"""My sheet: what a student predicted and solved, with notes, in the browser alone (assets/sheet/sheet.js)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from answers.page import plain
from lessons.record import OPEN, Lesson
from lessons.task import Task
from shell.links import permalink
from shell.notation.translate import paper
from shell.server.modules import component
from shell.session import session


def button(key: str, entry: Mapping[str, str] | None = None) -> None:
    """Draw the button that opens the sheet; an entry is written onto it."""
    component("tvbo_sheet", "sheet/sheet")(key=key, data=dict(entry or {}), width="content")


def after_bet(lesson: Lesson, guess: str, right: Sequence[str]) -> None:
    """Draw the button, and write a bet beside what is measured; nothing where none was placed."""
    if not (bet := lesson.bet) or not (mine := bet.options_of(guess)):
        return
    said, true = (" then ".join(plain(bet.options[word], paper()) for word in words) for words in (mine, right))
    words = {"title": lesson.title, "question": plain(bet.question, paper()), "right": true, "mine": said}
    button("sheet_bet", {"kind": "bet", "key": lesson.key, **words, "link": permalink.link_with({"guess": OPEN})})


def after_task(lesson: Lesson, task: Task, measurement: str) -> None:
    """Draw the button, and write a task that was solved, with the link and the seed that solved it."""
    seed, key = st.session_state.get("seed"), f"{lesson.key}/{task.key}"
    words = {"goal": plain(task.goal, paper()), "measurement": plain(measurement, paper())}
    made = {"setup": "" if seed is None else f"seed {seed}", "link": permalink.link(lesson, t=session().t)}
    button("sheet_task", {"kind": "task", "key": key, "title": lesson.title, **words, **made})
