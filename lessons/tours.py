"""Where to start with five, fifteen and forty-five minutes: prepared moments in the order of a lecture."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stop:
    """One prepared moment of a tour: key of the lesson, key of the moment, minutes to spend there."""

    lesson: str
    moment: str
    minutes: int


@dataclass(frozen=True)
class Tour:
    """A way through the lessons: what it is for, and its stops."""

    promise: str
    stops: tuple[Stop, ...]

    @property
    def minutes(self) -> int:
        return sum(stop.minutes for stop in self.stops)


def _tour(promise: str, *stops: tuple[str, str, int]) -> Tour:
    return Tour(promise, tuple(Stop(*stop) for stop in stops))


TOURS = (
    _tour(
        "Why drift is hard, in three pictures.",
        ("drift", "budget", 1),
        ("race", "jumps", 2),
        ("bands", "missed", 2),
    ),
    _tour(
        "What drift costs, how to forget, and how well it can be done at all.",
        ("drift", "budget", 2),
        ("forgetting", "bowl", 3),
        ("race", "jumps", 3),
        ("bands", "missed", 3),
        ("theorems", "dots", 4),
    ),
    _tour(
        "A whole lecture: every lesson, its moments in order, with the line to say over each.",
        ("drift", "budget", 2),
        ("drift", "bogunovic", 1),
        ("drift", "deng", 1),
        ("forgetting", "bowl", 3),
        ("forgetting", "sawtooth", 2),
        ("race", "jumps", 3),
        ("race", "theory", 2),
        ("bands", "tight", 2),
        ("bands", "missed", 3),
        ("bands", "empty", 2),
        ("theorems", "dots", 3),
        ("theorems", "vacuous", 2),
        ("theorems", "too_fast", 2),
        ("rperp", "batches", 3),
        ("rperp", "lines", 4),
        ("side_queries", "fewer", 3),
        ("side_queries", "k_dpp", 2),
        ("real_data", "stale", 2),
        ("real_data", "break_it", 1),
        ("reproductions", "entries", 2),
    ),
)
