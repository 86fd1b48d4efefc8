"""General statements of a page, which can be counted over seeds and drawn world by world."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lessons.record.knob import Values


@dataclass(frozen=True)
class Limit:
    """A limit that a claim's number has to lie below, or above: `Claim.holds` in a form that can be drawn."""

    at: float
    above: bool = False

    def __call__(self, number: float) -> bool:
        return number > self.at if self.above else number < self.at


@dataclass(frozen=True)
class Claim:
    """A general statement of a title, a headline or a bet's reason, as something that can be counted over seeds.

    Attributes:
        says: the claim with its threshold, in one clause.
        seed: knob whose value is the seed, or the first of a block of seeds.
        number: returns what decides it, from knob values, by the model that the scene draws.
        holds: returns whether the claim holds at that number.
    """

    says: str
    seed: str
    number: Callable[[Values], float]
    holds: Callable[[float], bool]


@dataclass(frozen=True)
class Strip:
    """A claim in a hundred fresh worlds: a dot for each, on the axis of the number that decides it.

    Attributes:
        line: in how many worlds the claim holds, in words (markdown).   counted: what a dot is, in the plural.
        knob: key of the knob that chooses a world.   worlds: its values, one a dot.   world: its value now.
        numbers: what decides the claim, one a dot.   limit: what the claim asks of them.
        here: the number of the world on screen, None while it is not known.
        number_text: returns a number as the screen writes it.
    """

    line: str
    counted: str
    knob: str
    worlds: Sequence[int]
    numbers: Sequence[float]
    limit: Limit
    here: float | None
    world: int
    number_text: Callable[[float], str]
