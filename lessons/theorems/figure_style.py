"""What the figures of the theorems share: what they are told, colours, short names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from figures.theme import METHODS, Theme

SUPER = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
SHORT = {"R-, SW-, WGP-UCB": "R/SW/WGP", "lower bound": "floor", "GP-UCB, no re-asks": "GP-UCB",
         "floor, no re-asks": "floor"}  # fmt: skip


class Rung(Protocol):
    """A line: see lessons/theorems/model.py."""

    name: str
    method: str
    power: np.ndarray
    ok: np.ndarray
    rate: np.ndarray
    inside: np.ndarray


class Border(Protocol):
    """A line of the map."""

    name: str
    method: str
    x: np.ndarray
    y: np.ndarray


class Asked(Protocol):
    measure: str
    logs: bool
    bet: str


class Sweep(Protocol):
    """What the film shows: see lessons/theorems/model.py."""

    asked: Asked
    across: np.ndarray
    rungs: Sequence[Rung]
    x: np.ndarray
    holds: tuple[np.ndarray, np.ndarray, np.ndarray]
    borders: Sequence[Border]
    here: tuple[float, float] | None


def colour(theme: Theme, method: str) -> str:
    """A method's own colour; the floor is ink."""
    return theme.ink if method == "floor" else theme.method(method)


def power_of_ten(exponent: float) -> str:
    """10⁴."""
    return f"10{str(int(exponent)).translate(SUPER)}"


def dash(method: str) -> str:
    """A method's own dash; the floor is solid."""
    return METHODS[method].dash if method in METHODS else "solid"


def symbol(method: str) -> str:
    """A method's own marker; the floor is a bar."""
    return METHODS[method].symbol if method in METHODS else "line-ew-open"
