"""Events of the stage: the time of a pause, a click on a place, a knob that was dragged."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress

import streamlit as st

from lessons.record import BadValue, Code, Lesson
from shell.session import session


def remember_time(t: int) -> None:
    """Keep the time of the last pause, and whether it is another one than the page opened with."""
    session().t, session().timed = t, session().timed or t != session().t


def move_place(span: Sequence[float]) -> None:
    """Move the page's "place" knob to a click on the stage."""
    x = st.session_state["player"].get("x")
    if isinstance(x, int | float) and math.isfinite(x) and span[1] > span[0]:
        share = (float(x) - span[0]) / (span[1] - span[0])
        st.session_state["place"] = round(min(max(share, 0.0), 1.0), 2)


def turn_knob(lesson: Lesson) -> None:
    """Set a knob to where its mark was dragged on a chart, or a code as one of its handles was."""
    event = st.session_state["player"].get("knob")
    codes = [key for key, knob in lesson.knobs.items() if isinstance(knob, Code)]
    if isinstance(event, Mapping) and event.get("key") in (*lesson.follows, *codes):
        with suppress(BadValue):
            st.session_state[event["key"]] = lesson.knobs[event["key"]].read(str(event.get("text")))
