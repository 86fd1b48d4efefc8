"""The questions of a finished game as a link carries them: its world, its noise, and what was asked in each round.

Signs at the end show that a server with this salt wrote the rest, so nobody sees a hidden world before a game in it is
over by writing such a link, and one wrong sign is not another game.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass

from lessons.shared import codes, sealed
from tvbo_core import World

FORM = re.compile(r"([a-z2-9]{5,8})-(\d\.?\d{0,2})-(\d{1,3}(?:_\d{1,3}){9,49})-([a-z2-9]{6})", re.ASCII)
MEANS = "the code that the link of a finished game brings, whole and on the server where it was played"


@dataclass(frozen=True)
class Clicks:
    """A finished game: the code of its world, the standard deviation of its noise, and the action of each round."""

    code: str
    noise: float
    arms: tuple[int, ...]

    @property
    def world(self) -> World:
        return codes.hidden_world(sealed.plain(self.code), len(self.arms), self.noise)


def write(clicks: Clicks) -> str:
    """Return a finished game as a link carries it."""
    body = f"{clicks.code}-{clicks.noise:g}-{'_'.join(map(str, clicks.arms))}"
    return f"{body}-{sealed.stamp(body)}"


def read(text: str) -> Clicks:
    """Return the finished game that a link's text stands for.

    Raises:
        ValueError: this server has not written it.
    """
    found, (body, _, stamp) = FORM.fullmatch(text), text.rpartition("-")
    if found is None or not hmac.compare_digest(sealed.stamp(body), stamp):
        raise ValueError(f"it is not {MEANS}")
    return Clicks(found[1], float(found[2]), tuple(map(int, found[3].split("_"))))
