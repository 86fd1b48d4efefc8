"""Events of the stage: the time of a pause, a click on a place, a knob that was dragged."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress

import streamlit as st

from lessons.record import Ask, BadValue, Code, Lesson
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


def keep_query(lesson: Lesson, asks: Ask | None, frames: int, steps: int) -> None:
    """Write where the reader asked on the stage into its knob (`Ask.key`); what was asked in later rounds is dropped.

    Args:
        asks: what the stage takes; without a knob nothing is kept.   frames: of the film.   steps: frames of a round.
    """
    if asks is None or asks.key is None:
        return
    knob = lesson.knobs[asks.key]
    query, code = st.session_state["player"].get("ask"), str(st.session_state[knob.key])
    t, place = (query.get("t"), query.get("place")) if isinstance(query, Mapping) else (None, None)
    if type(t) is int and type(place) is int and 0 <= t < frames and 0 <= place < asks.places:
        earlier = [one for one in code.split("_") if code != knob.default and int(one.split("-")[0]) < t // steps]
        st.session_state[knob.key] = "_".join([*earlier, f"{t // steps}-{place}"])


def turn_knob(lesson: Lesson) -> None:
    """Set a knob to where its mark was dragged on a chart, or a code as one of its handles was."""
    event = st.session_state["player"].get("knob")
    codes = [key for key, knob in lesson.knobs.items() if isinstance(knob, Code)]
    if isinstance(event, Mapping) and event.get("key") in (*lesson.follows, *codes):
        with suppress(BadValue):
            st.session_state[event["key"]] = lesson.knobs[event["key"]].read(str(event.get("text")))
