"""Colours, dashes and markers of all figures, by meaning.

A method has the colour of its role (it keeps everything, forgets, asks again, or shuffles), and a dash and a marker of
its own; the mixture bands are a ramp from tight to wide; a kind of world keeps its colour. Red is a promise that broke,
and nothing else is near it. A line's label has its colour, so every colour has the contrast of text, 4.5:1 or more,
with its background and can be told from the others by colour-blind readers (tests/figures/test_theme.py measures all
of this): change them together.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from common.roles import role_of


@dataclass(frozen=True)
class Method:
    """Style of a method: its family's colour on light and on dark ground, its own dash and marker."""

    light: str
    dark: str
    dash: str
    symbol: str


class Styles(dict):
    """Styles by name: a name that is not listed gets one of the spare styles, the same on every page and server."""

    def __init__(self, known: Mapping[str, Any], spare: Sequence[object]) -> None:
        super().__init__(known)
        self._spare = tuple(spare)

    def __missing__(self, name: str) -> object:
        return self._spare[zlib.crc32(name.encode()) % len(self._spare)]


# What a colour means in the whole lab; ink and grey mean nothing of their own.
ROLES_LIGHT = {
    "keeps": "#5E09F2", "forgets": "#007F8A", "asks": "#802975", "shuffles": "#0C6D4F", "drift": "#1F6FB2",
    "broken": "#C4170C",
}  # fmt: skip
ROLES_DARK = {
    "keeps": "#B98CFF", "forgets": "#5CECEC", "asks": "#E98CB8", "shuffles": "#30CE7F", "drift": "#6FB6F5",
    "broken": "#FF5C49",
}  # fmt: skip

# Hues that no role has, told apart from them in light, dark and greyscale by dash and marker.
SPARE_METHODS = (
    Method("#D900A9", "#F261D2", "longdash", "hourglass"),
    Method("#00777A", "#4FD1D1", "longdashdot", "bowtie"),
    Method("#4D731D", "#B7CC3A", "longdash", "hexagon"),
)


# Dash and marker of each method that has a role.
_MARKS = {
    "GP-UCB": ("solid", "circle"),
    "KernelUCB": ("dash", "hourglass"),
    "R-GP-UCB": ("solid", "square"),
    "SW-GP-UCB": ("dash", "diamond"),
    "WGP-UCB": ("dot", "triangle-up"),
    "TV-GP-UCB": ("longdash", "triangle-down"),
    "Kernel DMM-UCB": ("dashdot", "square-open"),
    "Kernel AMM-UCB": ("dot", "diamond-open"),
    "AY-GP-UCB": ("longdash", "triangle-up-open"),
    "IGP-UCB": ("longdashdot", "x-open"),
    "PE": ("dash", "x"),
    "R-PERP": ("solid", "cross"),
    "SparQ": ("dash", "star-open"),
    "W-SparQ": ("solid", "star"),
    "UI-GP-UCB": ("dashdot", "hexagram"),
}
METHODS = Styles(
    {name: Method(ROLES_LIGHT[role_of(name)], ROLES_DARK[role_of(name)], *mark) for name, mark in _MARKS.items()}
    | {
        "Random": Method("#737373", "#8A8A8A", "dot", "line-ew-open"),
        "R-OPKB": Method("#857028", "#F9DD2C", "solid", "square-cross"),
        "R-OPKB, y/1": Method("#857028", "#F9DD2C", "dot", "square-x"),
        "ADA-OPKB": Method("#857028", "#F9DD2C", "dash", "diamond-cross"),
        "ADA-OPKB, y/1": Method("#857028", "#F9DD2C", "longdash", "diamond-x"),
        "OPKB": Method("#857028", "#F9DD2C", "dashdot", "pentagon"),
    },
    SPARE_METHODS,
)

BANDS_LIGHT = Styles(
    {"CMM": "#08306B", "DMM": "#2171B5", "AMM": "#6274A3", "AY": "#A6427E", "IGP": "#8F6D2B"},
    ("#00777A", "#8C5A2B", "#4D731D"),
)
BANDS_DARK = Styles(
    {"CMM": "#9CC3FF", "DMM": "#5C93E8", "AMM": "#617CC2", "AY": "#D957A5", "IGP": "#ECC011"},
    ("#4FD1D1", "#D9A066", "#B7CC3A"),
)
BAND_DASH = Styles({"CMM": "solid", "DMM": "solid", "AMM": "solid", "AY": "dash", "IGP": "dot"}, ("longdash",))
BAND_SYMBOL = Styles(
    {"CMM": "circle", "DMM": "square", "AMM": "diamond", "AY": "triangle-up", "IGP": "x"},
    ("hourglass", "bowtie", "hexagon"),
)

WORLDS_LIGHT = Styles(
    {
        "still": "#666C76",
        "glide": "#1B8552",
        "jumps": "#5B1E82",
        "markov": "#0076CC",
        "cyclic": "#8F6D2B",
        "rough": "#73310B",
        "adversary": "#E01683",
        "data": "#245659",
        "travel": "#04335A",
    },
    ("#553322",),
)
WORLDS_DARK = Styles(
    {
        "still": "#9AA0AA",
        "glide": "#19FF68",
        "jumps": "#C25CFF",
        "markov": "#6880AD",
        "cyclic": "#F2B518",
        "rough": "#BF7969",
        "adversary": "#CC527E",
        "data": "#57D1D9",
        "travel": "#439CE1",
    },
    ("#FFDDBB",),
)

ORDERS_LIGHT = {"fixed": "#111111", "shuffled": ROLES_LIGHT["shuffles"]}
ORDERS_DARK = {"fixed": "#FFFFFF", "shuffled": ROLES_DARK["shuffles"]}

# Of rewards: a ramp that is monotone in lightness, so that it can be read in greyscale.
HEAT = "Cividis"  # as Plotly calls it; its colours at even steps are
HEAT_COLOURS = [
    "#00224E",
    "#123570",
    "#3B496C",
    "#575D6D",
    "#707173",
    "#8A8678",
    "#A59C74",
    "#C3B369",
    "#E1CC55",
    "#FEE838",
]
RAMP_STOPS = 9  # of the ramp between which a heat map mixes its colours


def heat_colours(count: int) -> np.ndarray:
    """Return so many colours of the reward ramp at even steps, from dark to bright: (count, 3) from 0 to 255."""
    stops = np.array([[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in HEAT_COLOURS]) / 255
    at, places = np.linspace(0.0, 1.0, count), np.linspace(0.0, 1.0, len(stops))
    return 255 * np.stack([np.interp(at, places, channel) for channel in stops.T], axis=1)


@cache
def heat_ramp() -> list[list]:
    """Return the reward ramp as Plotly takes it and the stage reads it, as [share, colour] from dark to bright."""
    colours = heat_colours(RAMP_STOPS).round().astype(int)
    return [
        [float(share), f"rgb({r}, {g}, {b})"]
        for share, (r, g, b) in zip(np.linspace(0.0, 1.0, RAMP_STOPS), colours, strict=True)
    ]
