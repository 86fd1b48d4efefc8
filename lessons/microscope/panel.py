"""The microscope's page in the session: where its sweep opens, another seed, and the check by a conic solver."""

from __future__ import annotations

import streamlit as st

from lessons.microscope import model
from lessons.microscope.model import MicroscopeResult, MicroscopeSetting
from lessons.microscope.statements import STATEMENTS
from lessons.record import CLOSED
from shell.page.page import LessonPage
from shell.stage.player import film_before


def start(found: MicroscopeResult, t: int, reset: str) -> int:
    """Return the frame at which the sweep opens: another statement begins where it says most, else at t."""
    if before := film_before(found.key, reset):
        return t if before == found.key else found.tells
    # A moment and a bet know their time; a link to a statement alone begins where that says most.
    knows = st.session_state.get("moment") or st.session_state.get("guess", CLOSED) != CLOSED
    return t if knows or "t" in st.query_params else found.tells


def run_again(page: LessonPage) -> None:
    """Draw a button for the next seed, where the statement has one."""
    if "seed" in page.lesson.controls(page.values)[0]:
        st.button("Run it again", on_click=_next_seed, icon=":material/casino:", width="stretch")


def _next_seed() -> None:
    st.session_state["seed"] = (int(st.session_state["seed"]) + 1) % 100


def check(found: MicroscopeResult, setting: MicroscopeSetting, frame: int) -> None:
    """Draw a button that solves the conic program at this frame, where the statement has one."""
    has_conic = STATEMENTS[found.key].conic is not None
    if has_conic and st.button("Check with a conic solver", icon=":material/verified:"):
        st.markdown(model.conic(found.key, setting, frame))
