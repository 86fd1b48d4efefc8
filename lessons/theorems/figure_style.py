"""Colours, dashes, markers and distances of names of the methods in the figures of the theorems."""

from __future__ import annotations

import numpy as np

from figures.palette import METHODS
from figures.theme import Theme

CLEAR = "rgba(0,0,0,0)"  # of a hatched area between its strokes
APART = 1.5  # lines of text from name to name: a phone on its side and a site's lecture type have low stages


def colour(theme: Theme, method: str) -> str:
    """Return a method's own colour; the lower bound is ink."""
    return theme.ink if method == "floor" else theme.method(method)


def dash(method: str, name: str = "") -> str:
    """Return a method's own dash; the lower bound is solid, and the restarted form of a method has longer dashes."""
    if name.startswith("restarted"):
        return "longdash"
    return METHODS[method].dash if method in METHODS else "solid"


def symbol(method: str, needs_drift: bool = True) -> str:
    """Return a method's own marker, open where it does not need the drift; the lower bound is a bar."""
    if method == "floor":
        return "line-ew-open"
    own = METHODS[method].symbol.removesuffix("-open") if method in METHODS else "circle"
    return own if needs_drift else f"{own}-open"


def method_colour(theme: Theme, name: str) -> str:
    """Return the colour of a bound and its runs: the method's own, where it has none that of a band; "" is a rate's."""
    if name in METHODS or name == "floor":
        return colour(theme, name)
    return theme.band("AMM") if name else theme.covered


def log_span(values: np.ndarray, pad: float = 0.06) -> tuple[float, float]:
    """Return log10 of the least and of the largest of the positive values, padded by a share of their distance."""
    logs = np.log10(values[np.isfinite(values) & (values > 0)])
    low, high = float(logs.min()), float(logs.max())
    return low - pad * max(high - low, 1.0), high + pad * max(high - low, 1.0)
