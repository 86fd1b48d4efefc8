"""The prepared moments of a page, in a row under its finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from lessons.record import BET_KNOBS
from shell.bets import bet as bets
from shell.links import permalink
from shell.links.pending import prepare
from shell.notation import translate as symbols

if TYPE_CHECKING:
    from lessons.record import Lesson

CIRCLED = "①②③④⑤⑥⑦⑧⑨"


def choose_moment(lesson: Lesson) -> int | None:
    """The prepared moments and the door to the bet; choosing a moment sets every knob but the bet's, and the time."""

    def choose() -> None:
        chosen = st.session_state.get("moment")
        scene = lesson.moments[chosen - 1] if chosen else None
        values = scene.values if scene else {}
        prepare({k: values.get(k, knob.default) for k, knob in lesson.knobs.items() if k not in BET_KNOBS},
                scene.t if scene else lesson.t)  # fmt: skip

    def label(i: int) -> str:
        return f"{CIRCLED[i - 1]} {lesson.moments[i - 1].title}"

    if permalink.hidden("moments"):
        st.session_state["moment"] = st.session_state.get("moment")  # a knob that is not drawn would be forgotten
        if not permalink.hidden("bet"):
            bets.button(lesson)
        return st.session_state["moment"]
    with st.container(key="moments", horizontal=True, vertical_alignment="center", gap="small"):
        chosen = st.segmented_control(
            "Lecture moments", range(1, len(lesson.moments) + 1), format_func=label, key="moment",
            on_change=choose, label_visibility="collapsed",
        )  # fmt: skip
        if not permalink.hidden("bet"):
            bets.button(lesson)
        if chosen:
            symbols.caption(f"“{lesson.moments[chosen - 1].script}”")
    return chosen
