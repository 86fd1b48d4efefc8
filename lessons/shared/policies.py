"""The bandits as the pages tune them, and which of them get a coloured line."""

from __future__ import annotations

from collections.abc import Sequence

from tvbo_core import policies
from tvbo_core.policies.width import THEORY, LogWidth, Width
from tvbo_core.records import Policy

# One method of each family, in the order in which they get a colour before all others.
FAMILIES = ("GP-UCB", "TV-GP-UCB", "R-PERP", "W-SparQ", "SW-GP-UCB", "OPKB", "WGP-UCB")
MOST_COLOURED = 6  # lines of a picture that are told apart by their colour


def width_of(beta: str) -> Width:
    """Return the width that a knob's value says: a number as text, "log" or "theory"."""
    return {"log": LogWidth(2.0), "theory": THEORY}.get(beta) or float(beta)


def policy(method: str, memory: int, width: str) -> Policy:
    """Return a bandit with this memory.

    Args:
        method: a word of `policies.ALL`.   memory: m, past steps that count; 0 for its paper's own tuning.
        width: see `width_of`.
    """
    return policies.ALL[method].make(memory, width_of(width))


def guests(names: Sequence[str]) -> list[str]:
    """Return those of these methods that are guests."""
    return [name for name in names if name in policies.BY_NAME and policies.BY_NAME[name].own]


def coloured(names: Sequence[str], pins: Sequence[str]) -> tuple[str, ...]:
    """Return the names that get a coloured line: the pinned ones, guests, one of each family, in the given order."""
    listed = list(dict.fromkeys(n for n in (*pins, *guests(names), *FAMILIES, *names) if n in names))[:MOST_COLOURED]
    return tuple(n for n in names if n in listed)
