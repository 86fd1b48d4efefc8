"""Tables of rates: the exponents of `tvbo_core.theory` against the printed ones, exactly, at many places."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from lessons.reproductions.experiments.record import Experiment, Finding, PartOutcome, Results
from tvbo_core.theory import THEOREMS

Power = Callable[[Fraction, int], Fraction]  # of smoothness and dimension, or of alpha (then d is 1)


@dataclass(frozen=True)
class RateRow:
    """One printed rate.

    Attributes:
        part: its name.   printed: as the paper prints it.   key: of `THEOREMS`.
        time, drift: printed powers of T and of the drift.
        places: keyword arguments of `Theorem.exponent`, one a place; `at`: the same for the printed powers.
        of: "regret" or "queries", whose power of T is compared (queries have no drift).
    """

    part: str
    printed: str
    key: str
    time: Power
    drift: Power
    places: tuple[dict, ...]
    at: tuple[tuple[Fraction, int], ...]
    of: str = "regret"


SMOOTH = tuple((Fraction(n, 2), d) for n in (3, 5, 7, 9) for d in (1, 2, 3))
MATERN = tuple({"nu": nu, "d": d} for nu, d in SMOOTH)
SE_AT = tuple((Fraction(0), d) for d in (1, 2, 3))
SE = tuple({"nu": math.inf, "d": d} for _, d in SE_AT)


def constant(value: Fraction | int) -> Power:
    return lambda nu, d: Fraction(value)


def play(rows: Sequence[RateRow], part: str, seed: int, horizon: int) -> PartOutcome:
    """Count the places that agree exactly."""
    row = next(row for row in rows if row.part == part)
    equal = sum(ours(row, place) == printed(row, at) for place, at in zip(row.places, row.at, strict=True))
    return PartOutcome({"places": len(row.places), "equal": equal})


def ours(row: RateRow, place: dict) -> tuple[Fraction, Fraction]:
    theorem = THEOREMS[row.key]
    if row.of == "queries":
        asked = theorem.query_exponent(**place)
        assert asked is not None, f"{row.key} asks no side queries"
        return asked, Fraction(0)
    T, drift = theorem.exponent(**place)
    return T, drift


def printed(row: RateRow, at: tuple[Fraction, int]) -> tuple[Fraction, Fraction]:
    return row.time(*at), row.drift(*at)


def findings(rows: Sequence[RateRow], results: Results) -> list[Finding]:
    found = []
    for row in rows:
        equal, places = (int(results.values(row.part, what)[0]) for what in ("equal", "places"))
        example = ours(row, row.places[0])
        parts = ", ".join(f"{k} = {v}" for k, v in row.places[0].items())
        drift = f" drift^{example[1]}" if example[1] else ""
        counted = f"equal at {equal} of {places} places; the theorem has T^{example[0]}{drift} at {parts}"
        found.append(Finding(f"{row.part}: {row.printed}", equal == places, counted))
    return found


def table(name: str, source: str, question: str, rows: Sequence[RateRow], left_out: tuple[str, ...]) -> Experiment:
    """An experiment without chance: one repetition."""
    rows = tuple(rows)
    setup = {"rows": {row.part: row.printed for row in rows}, "places": [str(p) for p in rows[0].places]}
    return Experiment(
        name,
        source,
        question,
        tuple(row.part for row in rows),
        1,
        0,
        partial(play, rows),
        setup,
        findings=partial(findings, rows),
        left_out=left_out,
    )
