"""The strip of a hundred worlds: a dot for each on the axis of what decides a claim, a click on it opens the world."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from shell.server.modules import component


def draw(line: str, dots: Mapping[str, Any]) -> None:
    """Draw a line of words, its count between two pairs of stars, with its dots; a click on one chooses its world.

    Args:
        dots: see `answers.strip.dots`.
    """
    data = {"says": line, "strip": dots}
    component("tvbo_strip", "strip/strip")(
        key="strip", data=data, on_world_change=partial(choose, dots["knob"], "strip")
    )


def choose(knob: str, component: str) -> None:
    """Open the world that a component's dot stands for."""
    world = st.session_state[component].get("world")
    if type(world) is int and st.session_state[knob] != world:
        st.session_state[knob] = world
