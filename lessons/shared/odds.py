"""In how many of a hundred seeds a claim holds, as `python -m lessons.odds` counted it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lessons.record import Claim, Limit, Strip, Values

FILE = Path(__file__).resolve().parents[2] / "assets" / "odds.json"
# A sentence without a share holds in more than FLAT of a hundred seeds; one that says its share in at least LEAST.
FLAT, LEAST = 95, 80


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


@dataclass(frozen=True)
class Odds:
    """A claim with the hundred worlds in which it was counted.

    Attributes:
        name: of its place in the file.   worlds: what was counted, in words.
        seeds: of one of these, where they are blocks of seeds.
    """

    name: str
    claim: Claim
    worlds: str = "worlds"
    seeds: int = 1

    def line(self, more: str = "") -> str:
        """Return in how many worlds the claim holds, and what is said besides (markdown)."""
        return f"In **{share(self.name)} of 100** {self.worlds}: {self.claim.says}{more}."

    def strip(self, world: int, here: float | None, number_text: Callable[[float], str]) -> Strip:
        """Return the claim's hundred worlds one by one.

        Args:
            world: the one on screen.   here: its number, None while it is not known.
            number_text: returns a number as the screen writes it.
        """
        assert isinstance(self.claim.holds, Limit)
        worlds = [self.seeds * seed for seed in range(*shipped()["seeds"])]
        numbers = shipped()["claims"][self.name]["numbers"]
        return Strip(
            self.line(), self.worlds, self.claim.seed, worlds, numbers, self.claim.holds, here, world, number_text
        )
