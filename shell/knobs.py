"""Controls on the page: a knob becomes a widget that is bound to the link."""

from __future__ import annotations

import streamlit as st

from lessons.record import Knob
from shell.links import pending as prepared
from shell.links import permalink
from shell.notation import translate as symbols


def draw(knob: Knob, *, disabled: bool = False, bound: bool = True) -> float | int | str | bool | tuple:
    """Draw the widget, bound to the link, and return its value on the grid; a link may hide it."""
    if permalink.hidden(knob.key):
        return keep(knob)
    prepared.drawn(knob.key)
    letters = symbols.paper()
    words, said = (symbols.translate(text, letters, "markdown") for text in (knob.words, knob.help))
    common = {"key": knob.key, "help": said, "disabled": disabled}
    if bound:
        common["bind"] = "query-params"
    st.session_state.setdefault(knob.key, knob.default)
    if knob.widget == "pills":
        return _draw_pills(knob, words, said, disabled)
    if knob.widget == "toggle":
        return st.toggle(words, **common)
    if knob.widget in ("segmented", "select", "stops"):
        kind = {"segmented": st.segmented_control, "select": st.selectbox, "stops": st.select_slider}
        more = {"required": True} if knob.widget == "segmented" else {}
        value = kind[knob.widget](words, knob.options, format_func=knob.shown, **more, **common)
        return knob.default if value is None else value
    if knob.widget == "number":
        value = st.number_input(words, knob.low, knob.high, step=knob.step, **common)
    else:
        value = st.slider(words, knob.low, knob.high, step=knob.step, **common)
    return knob.snap(value)


def _draw_pills(knob: Knob, words: str, said: str, disabled: bool) -> tuple:
    """Several at once; the link holds them in one parameter, which Streamlit's binding would repeat."""
    st.session_state[knob.key] = list(st.session_state[knob.key])
    chosen = st.pills(words, knob.options, selection_mode="multi", key=knob.key, wrap=True,
                      format_func=knob.shown, help=said, disabled=disabled)  # fmt: skip
    value = tuple(option for option in knob.options if option in chosen) or knob.default
    write(knob, value)
    return value


def keep(knob: Knob) -> float | int | str | bool | tuple:
    """The value of a knob that is not drawn, kept in the session and in the link."""
    value = st.session_state[knob.key] = st.session_state.get(knob.key, knob.default)
    if knob.widget == "pills":
        value = tuple(option for option in knob.options if option in value) or knob.default
    write(knob, value)
    return value


def write(knob: Knob, value: object) -> None:
    """Write the value into the link, where the default is left out, as Streamlit does for a bound control."""
    text = knob.text(value) if knob.widget == "pills" else knob.shown(value)
    permalink.write(knob.key, None if value == knob.default else text)
