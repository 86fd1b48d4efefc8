"""Pending values of widgets, which a link, a moment, a bet or the reset button has set.

A rerun can stop a run before every widget is drawn; Streamlit then takes the old value of such a widget from the
browser again. So pending values are set at the start of each run until their widget was drawn or a run was completed.
A pause that the browser sends before it knows the new scene carries the old values of all widgets: the name of its
scene tells, and all values of the new scene are set again.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from lessons.record import BET_KNOBS, Lesson
from shell.session import session


def prepare(values: Mapping[str, object], t: int, moment: str | None = None) -> None:
    """Set these knobs, the time and the chosen moment, and begin a new scene, at whose time the player starts."""
    kept, whole = session(), {**values, "moment": moment}
    kept.pending.values, kept.pending.opened_with, kept.pending.pause = dict(whole), (whole, t), _last_pause()
    restore()
    kept.t, kept.timed = t, False
    kept.scene += 1


def set_moment(lesson: Lesson) -> None:
    """Set every knob but those of the bet, and the time, as the moment has them that was chosen on a lesson's page.

    A moment of another page is left alone: where a run was cut short by a turn of the page, Streamlit still calls what
    the page before had told it to.
    """
    key = st.session_state.get("moment")
    moment = next((one for one in lesson.moments if one.key == key), None)
    if key and moment is None:
        return
    values = lesson.settings(moment.values if moment else {})
    prepare({k: v for k, v in values.items() if k not in BET_KNOBS}, moment.t if moment else lesson.t, key)


def restore() -> None:
    """Set the pending values again, at the start of a run."""
    state, kept = st.session_state, session()
    for key, value in kept.pending.values.items():
        state[key] = value
    values, t = kept.pending.opened_with
    if not values:
        return
    pause = _last_pause()
    new = pause is not None and pause != kept.pending.pause
    if new and str(pause.get("reset", "")).split(":")[:3] != scene_name().split(":"):
        for key, value in values.items():
            state[key] = value
        kept.t = t
    else:  # values that the reader has changed since are no longer set again
        kept.pending.opened_with = {k: v for k, v in values.items() if state.get(k) == v}, t
    kept.pending.pause = pause


def scene_name() -> str:
    """Return page, visit and scene that a time belongs to, as "page:visit:scene"."""
    kept = session()
    return f"{kept.page or 0}:{kept.visit}:{kept.scene}"


def _last_pause() -> Mapping | None:
    """Return the last pause that the browser sent: its time and its scene."""
    player = st.session_state.get("player")
    pause = player.get("t") if isinstance(player, Mapping) else None
    return pause if isinstance(pause, Mapping) else None


def settle(key: str) -> None:
    """Drop the pending value of a widget that is drawn with it, or has got another one since."""
    session().pending.values.pop(key, None)


def discard() -> None:
    """Drop the pending values, at the end of a run."""
    session().pending.values = {}


def forget() -> None:
    """Drop everything that is pending, when another page begins."""
    discard()
    session().pending.opened_with = ({}, 0)
