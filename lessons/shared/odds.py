"""In how many of a hundred seeds a claim holds, as `python -m lessons.odds` counted it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from lessons.record import Claim, Knob, Limit, Strip, Values

FILE = Path(__file__).resolve().parents[2] / "assets" / "odds.json"
LEAST = 80  # a claim that holds in fewer of a hundred seeds says in how many


def block(values: Values) -> Values:
    """Return the values with their seed as the number of a block of seeds; two blocks have no seed in common."""
    return {**values, "seed": int(values["seeds"]) * int(values["seed"])}


@cache
def shipped() -> dict[str, Any]:
    """Return the file: the engine's version, the seeds, and name of a claim -> what it says, numbers, share."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def share(name: str) -> int:
    """Return in how many of a hundred seeds the claim of this name holds.

    Raises:
        KeyError: nobody has counted it yet.
    """
    return int(shipped()["claims"][name]["share"])


def seeds() -> str:
    """Return the seeds over which every claim was counted, in words."""
    first, end = shipped()["seeds"]
    return f"seeds {first} to {end - 1}"


def line(name: str | None, worlds: str = "worlds", more: str = "") -> str:
    """Return in how many worlds the claim of this name holds, "" for None (markdown).

    Args:
        worlds: what was counted.   more: what is said besides.
    """
    if name is None:
        return ""
    return f"In **{share(name)} of 100** {worlds}: {shipped()['claims'][name]['says']}{more}."


def strip(
    name: str,
    claim: Claim,
    knob: Knob,
    world: int,
    here: float | None,
    shown: Callable[[float], str],
    first: Callable[[int], int] = int,
) -> Strip:
    """Return the claim's hundred worlds one by one.

    Args:
        name: of the claim in the file.   knob: that chooses a world.   world: the one on screen.
        here: its number, None while it is not known.   shown: returns a number as the screen writes it.
        first: returns the knob's value of a counted seed.
    """
    assert isinstance(claim.holds, Limit)
    seeds = range(*shipped()["seeds"])
    return Strip(
        knob, [first(seed) for seed in seeds], shipped()["claims"][name]["numbers"], claim.holds, here, world, shown
    )
