"""How long runs take, and how that is said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from time import monotonic

from ui.jobs import Job, Ticket
from ui.knobs import METHODS


def seconds(runs: Iterable[Job], cost: Mapping[str, float]) -> float:
    """About how long these runs take on one core.

    Args:
        cost: word of a method -> milliseconds of a run of 300 rounds with 100 arms.
    """
    by_name = {METHODS[m]: c for m, c in cost.items()}
    return sum(by_name[j.name] * 1e-3 * (j.world.horizon / 300) ** 1.2 * (j.world.arms / 100) for j in runs)


def corrected(expected: float, played: float, ticket: Ticket) -> float:
    """The expected seconds of what is left, corrected by the pace since the first result.

    Args:
        played: expected seconds of the order's runs that are finished.
    """
    if ticket.began is None or played < 0.5:
        return expected
    return expected * (monotonic() - ticket.began) / played


def said(value: float) -> str:
    """ "about 5 s", "about 3 min"."""
    return f"about {max(round(value), 1)} s" if value < 90 else f"about {round(value / 60)} min"


def queued(place: int, start: float) -> str:
    """ "You are 3rd in the queue; about 12 s."; empty for place 0, which has begun."""
    if place < 1:
        return ""
    ending = "th" if 10 <= place % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"You are {place}{ending} in the queue; {said(start)}"
