"""Where to start with five, fifteen and forty-five minutes: prepared moments in the order of a lecture."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stop:
    """One prepared moment of a tour: number of the lesson, number of the moment, minutes to spend there."""

    lesson: int
    moment: int
    minutes: int


@dataclass(frozen=True)
class Tour:
    """A way through the lessons: what it is for, and its stops."""

    promise: str
    stops: tuple[Stop, ...]

    @property
    def minutes(self) -> int:
        return sum(stop.minutes for stop in self.stops)


def _tour(promise: str, *stops: tuple[int, int, int]) -> Tour:
    return Tour(promise, tuple(Stop(*stop) for stop in stops))


TOURS = (
    _tour("Why drift is hard, in three pictures.", (1, 1, 1), (2, 2, 2), (4, 1, 2)),
    _tour("What drift costs, how to forget, and how well it can be done at all.",
          (1, 1, 2), (2, 2, 3), (6, 1, 3), (4, 1, 3), (5, 1, 4)),
    _tour("A whole lecture: every lesson, its moments in order, with the line to say over each.",
          (1, 1, 2), (1, 2, 1), (1, 3, 1), (2, 1, 2), (2, 2, 3), (2, 3, 2), (3, 2, 3), (3, 3, 4), (4, 1, 3),
          (4, 3, 2), (5, 1, 3), (5, 2, 2), (5, 3, 2), (6, 1, 3), (6, 2, 2), (7, 1, 3), (7, 3, 2), (8, 1, 2),
          (8, 3, 1), (9, 1, 2)),
)  # fmt: skip
