"""Colours, dashes, markers and short names of the methods in the figures of the theorems."""

from __future__ import annotations

from figures.theme import METHODS, Theme

SHORT_NAMES = {"R-, SW-, WGP-UCB": "R/SW/WGP", "lower bound": "floor", "GP-UCB, no re-asks": "GP-UCB",
               "floor, no re-asks": "floor"}  # fmt: skip


def colour(theme: Theme, method: str) -> str:
    """Return a method's own colour; the lower bound is ink."""
    return theme.ink if method == "floor" else theme.method(method)


def dash(method: str) -> str:
    """Return a method's own dash; the lower bound is solid."""
    return METHODS[method].dash if method in METHODS else "solid"


def symbol(method: str) -> str:
    """Return a method's own marker; the lower bound is a bar."""
    return METHODS[method].symbol if method in METHODS else "line-ew-open"
