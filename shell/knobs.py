"""Widgets of knobs, bound to the link."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from lessons.record import Knob
from shell.glossary.marks import marked_alone
from shell.links import pending, permalink
from shell.notation import translate as symbols


def draw(knob: Knob, *, disabled: bool = False, bound: bool = True) -> float | int | str | bool | tuple:
    """Draw the widget of a knob and return its value on the knob's grid; a link may hide the widget.

    Args:
        bound: whether Streamlit itself reads the value from the link and writes it there.
    """
    if permalink.hidden(knob.key):
        return keep(knob)
    pending.mark_drawn(knob.key)
    put_right((knob,))
    letters = symbols.paper()
    label, tooltip = (symbols.translate(one, letters, "markdown") for one in (knob.words, marked_alone(knob.help)))
    common = {"key": knob.key, "help": tooltip, "disabled": disabled}
    if bound and knob.linked:
        common["bind"] = "query-params"
    if knob.widget == "pills":
        return _draw_pills(knob, label, tooltip, disabled)
    if knob.widget == "toggle":
        return st.toggle(label, **common)
    if knob.widget in ("segmented", "select", "stops"):
        kind = {"segmented": st.segmented_control, "select": st.selectbox, "stops": st.select_slider}
        more = {"required": True} if knob.widget == "segmented" else {}
        value = kind[knob.widget](label, knob.options, format_func=knob.shown, **more, **common)
        return knob.default if value is None else value
    if knob.widget == "number":
        value = st.number_input(label, knob.low, knob.high, step=knob.step, **common)
    else:
        value = st.slider(label, knob.low, knob.high, step=knob.step, **common)
    return knob.snap(value)


def put_right(knobs: Iterable[Knob]) -> None:
    """Set a knob whose value is none of its own to its default: a browser can be made to send anything."""
    for knob in knobs:
        try:
            value = st.session_state.get(knob.key)
        except (TypeError, ValueError, OverflowError):  # Streamlit cannot read it as this control's
            value = None
        if not knob.has(value):
            st.session_state[knob.key] = knob.default


def _draw_pills(knob: Knob, label: str, tooltip: str, disabled: bool) -> tuple:
    """Draw a choice of several options; the link holds them in one parameter, which Streamlit's binding repeats."""
    st.session_state[knob.key] = list(st.session_state[knob.key])
    chosen = st.pills(label, knob.options, selection_mode="multi", key=knob.key, wrap=True,
                      format_func=knob.shown, help=tooltip, disabled=disabled)  # fmt: skip
    value = tuple(option for option in knob.options if option in chosen) or knob.default
    write(knob, value)
    return value


def keep(knob: Knob) -> float | int | str | bool | tuple:
    """Return the value of a knob that is not drawn, and keep it in the session and in the link."""
    value = st.session_state[knob.key] = st.session_state.get(knob.key, knob.default)
    if knob.widget == "pills":
        value = tuple(option for option in knob.options if option in value) or knob.default
    write(knob, value)
    return value


def write(knob: Knob, value: object) -> None:
    """Write the value into the link, or leave it out if it is the default, as Streamlit does for bound widgets."""
    text = knob.text(value) if knob.widget == "pills" else knob.shown(value)
    permalink.write(knob.key, None if value == knob.default or not knob.linked else text)
