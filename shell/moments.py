"""The row of prepared moments under the live sentence, with the button of the bet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from lessons.record import BET_KNOBS
from shell import speaker
from shell.bets import bet
from shell.links import permalink
from shell.links.pending import prepare
from shell.notation import translate as symbols

if TYPE_CHECKING:
    from lessons.record import Lesson

CIRCLED = "①②③④⑤⑥⑦⑧⑨"


def choose_moment(lesson: Lesson, lessons: Sequence[Lesson], *, hall: bool) -> int | None:
    """Draw the row and return the number of the chosen moment, None without one.

    A choice sets every knob but those of the bet, and the time. The line to say stands beside the moments; in lecture
    type it is for the speaker window.

    Args:
        lessons: all of them, in the order of the menu.   hall: lecture type.
    """

    def choose() -> None:
        chosen = st.session_state.get("moment")
        moment = lesson.moments[chosen - 1] if chosen else None
        values = moment.values if moment else {}
        prepare({k: values.get(k, knob.default) for k, knob in lesson.knobs.items() if k not in BET_KNOBS},
                moment.t if moment else lesson.t)  # fmt: skip

    def label(i: int) -> str:
        return f"{CIRCLED[i - 1]} {lesson.moments[i - 1].title}"

    if permalink.hidden("moments"):
        st.session_state["moment"] = st.session_state.get("moment")  # Streamlit forgets a widget that is not drawn
        if not permalink.hidden("bet"):
            bet.button(lesson)
        speaker.button(lesson, lessons, st.session_state["moment"], hall)
        return st.session_state["moment"]
    with st.container(key="moments", horizontal=True, vertical_alignment="center", gap="small"):
        chosen = st.segmented_control(
            "Lecture moments", range(1, len(lesson.moments) + 1), format_func=label, key="moment",
            on_change=choose, label_visibility="collapsed",
        )  # fmt: skip
        if not permalink.hidden("bet"):
            bet.button(lesson)
        if chosen and not hall:
            symbols.caption(f"“{lesson.moments[chosen - 1].script}”")
        speaker.button(lesson, lessons, chosen, hall)
    return chosen
