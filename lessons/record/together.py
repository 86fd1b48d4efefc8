"""A game that a whole hall plays on phones, each at its own pace, in one hidden world."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Together:
    """A lesson's game for a hall. What it returns before the reveal tells a phone its own rewards and nothing else.

    Attributes:
        rounds, places: of a phone's game, and evenly spaced actions from 0 to 1 of which each round tries one.
        about: what a phone is told before its first round.
        draw: returns the code of a new hidden world.
        rewards: returns the rewards of a phone's queries so far in a world, as many as these.
        result: returns in a sentence how a phone's queries did; it tells of the hidden world.
    """

    rounds: int
    places: int
    about: str
    draw: Callable[[], str]
    rewards: Callable[[str, Sequence[int]], list[float]]
    result: Callable[[str, Sequence[int]], str]
