"""The strip of a hundred worlds: a dot for each on the axis of what decides a claim, a click on it opens the world."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path

import streamlit as st

from lessons.record import Strip
from shell.modules import loader

ASSETS = Path(__file__).resolve().parents[1] / "assets" / "strip"
COLUMNS, ROWS = 100, 6  # of dots: so many fit beside each other, and on each other


@cache
def _component() -> object:
    html, css = ((ASSETS / f"strip.{part}").read_text(encoding="utf-8") for part in ("html", "css"))
    return st.components.v2.component("tvbo_strip", html=html, css=css, js=loader("strip/strip.js", "default"))


def draw(says: str, strip: Strip, hall: bool) -> None:
    """Draw a line of words with its dots; a click on one chooses its world.

    Args:
        says: with its count between two pairs of stars.   hall: whether type is for a hall.
    """
    data = {"says": says, "strip": dots(strip), "hall": hall}
    _component()(key="strip", data=data, on_world_change=partial(choose, strip.knob.key, "strip"))


def choose(knob: str, component: str) -> None:
    """Open the world that a component's dot stands for."""
    world = st.session_state[component].get("world")
    if type(world) is int and st.session_state[knob] != world:
        st.session_state[knob] = world


def dots(strip: Strip) -> Mapping[str, object]:
    """Return what assets/strip/strip.js draws: places from 0 to 1 along the axis, rows from the bottom."""
    worlds = list(zip(strip.numbers, strip.worlds, strict=True))
    if strip.here is not None and strip.world not in strip.worlds:
        worlds.append((strip.here, strip.world))
    worlds.sort()
    low, high = min(worlds[0][0], strip.limit.at), max(worlds[-1][0], strip.limit.at)
    along = [(number - low) / (high - low) for number, _ in worlds]
    counted = set(strip.worlds)
    return {
        "ends": [strip.shown(low), strip.shown(high)],
        "label": f"{len(counted)} worlds, in the order of what decides the claim",
        "limit": (strip.limit.at - low) / (high - low),
        "dots": [
            {
                "x": column / (COLUMNS - 1),
                "row": row,
                "world": world,
                "title": f"world {world}: {strip.shown(number)}" + ("" if world in counted else ", on screen"),
                "holds": strip.limit(number),
                "here": world == strip.world,
            }
            for (column, row), (number, world) in zip(stacked(along), worlds, strict=True)
        ],
    }


def stacked(along: list[float]) -> list[tuple[int, float]]:
    """Return column and row of each dot: on those of its column, which lie closer where more than `ROWS` share one.

    Args:
        along: (n,) places from 0 to 1.
    """
    columns = [round(place * (COLUMNS - 1)) for place in along]
    rows = [columns[:i].count(column) for i, column in enumerate(columns)]
    closer = min(1.0, (ROWS - 1) / max(rows)) if any(rows) else 1.0
    return [(column, row * closer) for column, row in zip(columns, rows, strict=True)]
