"""Widgets of knobs."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from answers.controls import label_and_help
from answers.letters import translate
from common.markup import in_words
from lessons.record import Knob
from shell.links import pending, permalink
from shell.notation import translate as symbols
from shell.session import session

A_NUMBER = "number"  # among the words beside a slider: what the slider says
THIS_VALUE = "this value"  # how that is called while the slider stands above


def draw(knob: Knob, *, disabled: bool = False) -> float | int | str | bool | tuple:
    """Draw the widget of a knob and return its value on the knob's grid; a link may hide the widget."""
    if permalink.hidden(knob.key):
        return value(knob)
    pending.settle(knob.key)
    reset_invalid((knob,))
    letters = symbols.paper()
    words, tooltip = (
        translate(one, letters, "markdown") for one in label_and_help(knob, disabled, st.session_state[knob.key])
    )
    if (name := in_words(words)) == words:
        return _draw(knob, {"label": words, "help": tooltip}, disabled)
    # A screen reader reads a widget's label as it is written: the formula stands above, the widget has a spoken name.
    with st.container(key=f"named_{knob.key}", gap="xxsmall"):
        st.markdown(words, help=tooltip)
        return _draw(knob, {"label": name, "label_visibility": "collapsed"}, disabled)


def _draw(knob: Knob, named: dict, disabled: bool) -> float | int | str | bool | tuple:
    """Draw the widget with this name; see `draw`."""
    common = {**named, "key": knob.key, "disabled": disabled, "persist_state": "session"}
    if knob.widget == "pills":
        return _draw_pills(knob, named, disabled)
    if knob.spelled:
        return _draw_number_or_word(knob, named, disabled)
    if knob.widget == "toggle":
        return st.toggle(**common)
    if knob.widget in ("segmented", "select", "stops"):
        kind = {"segmented": st.segmented_control, "select": st.selectbox, "stops": st.select_slider}
        more = {"required": True} if knob.widget == "segmented" else {}
        value = kind[knob.widget](options=knob.options, format_func=knob.screen_text, **more, **common)
        return knob.default if value is None else value
    place = {"min_value": knob.low, "max_value": knob.high, "step": knob.step}
    return knob.snap(st.number_input(**place, **common) if knob.widget == "number" else st.slider(**place, **common))


def reset_invalid(knobs: Iterable[Knob]) -> None:
    """Set a knob whose value is none of its own to its default: a browser can be made to send anything."""
    for knob in knobs:
        try:
            value = st.session_state.get(knob.key)
        except (TypeError, ValueError, OverflowError):  # Streamlit cannot read it as this control's
            value = None
        if not knob.has(value):
            st.session_state[knob.key] = knob.default


def _draw_pills(knob: Knob, named: dict, disabled: bool) -> tuple:
    """Draw a choice of several options; none chosen means the default."""
    st.session_state[knob.key] = list(st.session_state[knob.key])
    options = st.pills(
        options=_listed(knob),
        selection_mode="multi",
        key=knob.key,
        persist_state="session",
        wrap=True,
        format_func=knob.screen_text,
        disabled=disabled,
        **named,
    )
    return knob.tidy(options)


def _listed(knob: Knob) -> tuple:
    """Return the options, those first that were chosen when the scene began: under the reader's hand none moves."""
    scene, listed = pending.scene_name(), session().listed
    if listed.get(knob.key, ("", ()))[0] != scene:
        chosen = st.session_state[knob.key]
        listed[knob.key] = scene, tuple(sorted(knob.options, key=lambda one: one not in chosen))
    return listed[knob.key][1]


def _draw_number_or_word(knob: Knob, named: dict, disabled: bool) -> float | int | str:
    """Draw a slider over the numbers, and below it the choice between a number and the words."""
    state, place, sort, last = st.session_state, f"{knob.key}_number", f"{knob.key}_sort", session().numbers
    value, numbers = state[knob.key], [one for one in knob.options if one not in knob.spelled]
    if value in numbers:
        last[knob.key] = value
    elif last.get(knob.key) not in numbers:
        last[knob.key] = numbers[len(numbers) // 2]

    def slide() -> None:
        state[knob.key] = state[place]

    def choose() -> None:
        state[knob.key] = last[knob.key] if state[sort] == A_NUMBER else state[sort]

    with st.container(key=knob.key, gap="xxsmall"):
        if value in numbers:
            state[place] = value
            st.select_slider(
                options=numbers, key=place, format_func=knob.screen_text, disabled=disabled, on_change=slide, **named
            )
        state[sort] = A_NUMBER if value in numbers else value
        st.segmented_control(
            options=(A_NUMBER, *knob.spelled),
            key=sort,
            format_func=lambda one: THIS_VALUE if one == A_NUMBER and value in numbers else knob.screen_text(one),
            on_change=choose,
            required=True,
            disabled=disabled,
            **({"label": named["label"], "label_visibility": "collapsed"} if value in numbers else named),
        )
    return value


def value(knob: Knob) -> float | int | str | bool | tuple:
    """Return the value that a knob has now, drawn or not; Streamlit keeps it while it is not drawn."""
    return knob.tidy(st.session_state.get(knob.key, knob.default))
