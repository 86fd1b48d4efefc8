"""Tables of rates: the exponents of `tvbo_core.theory` against the printed ones, exactly, at many places."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from lessons.reproductions.experiments.record import Experiment, Finding, PartOutcome, Results, Said
from tvbo_core.theory import THEOREMS

Power = Callable[..., Fraction]  # a function of the keywords of a place: nu and d, or alpha and d


@dataclass(frozen=True)
class RateRow:
    """One printed rate.

    Attributes:
        part: its name.   printed: as the paper prints it.   key: of `THEOREMS`.
        time, drift: printed powers of T and of the drift.
        places: keyword arguments of `Theorem.exponent` and of the printed powers, one a place.
        of: "regret" or "queries", whose power of T is compared (queries have no drift).
    """

    part: str
    printed: str
    key: str
    time: Power
    drift: Power
    places: tuple[dict, ...]
    of: str = "regret"


MATERN = tuple({"nu": Fraction(n, 2), "d": d} for n in (3, 5, 7, 9) for d in (1, 2, 3))
SE = tuple({"nu": math.inf, "d": d} for d in (1, 2, 3))


def constant(value: Fraction | int) -> Power:
    return lambda **place: Fraction(value)


def run(seed: int, horizon: int, row: RateRow) -> PartOutcome:
    """Count the places that agree exactly."""
    equal = sum(ours(row, place) == (row.time(**place), row.drift(**place)) for place in row.places)
    return PartOutcome({"places": len(row.places), "equal": equal})


def ours(row: RateRow, place: dict) -> tuple[Fraction, Fraction]:
    theorem = THEOREMS[row.key]
    if row.of == "queries":
        asked = theorem.query_exponent(**place)
        assert asked is not None, f"{row.key} asks no side queries"
        return asked, Fraction(0)
    T, drift = theorem.exponent(**place)
    return T, drift


def findings(rows: Sequence[RateRow], place: str, results: Results) -> list[Finding]:
    found = []
    for row in rows:
        equal, places = (int(results.values(row.part, what)[0]) for what in ("equal", "places"))
        example = ours(row, row.places[0])
        parts = ", ".join(f"{k} = {v}" for k, v in row.places[0].items())
        drift = f" drift^{example[1]}" if example[1] else ""
        counted = f"equal at {equal} of {places} places; the theorem has T^{example[0]}{drift} at {parts}"
        said = Said(place, f"the table lists this rate for {row.part}")
        found.append(Finding(f"{row.part}: {row.printed}", equal == places, counted, said=said))
    return found


def table(name: str, source: str, question: str, rows: Sequence[RateRow], left_out: tuple[str, ...]) -> Experiment:
    """An experiment without chance: one repetition."""
    setup = {"rows": {row.part: row.printed for row in rows}, "places": [str(p) for p in rows[0].places]}
    return Experiment(
        name,
        source,
        question,
        {row.part: (row,) for row in rows},
        1,
        0,
        run,
        setup,
        (),
        partial(findings, rows, source.rpartition(", ")[2]),
        left_out=left_out,
    )
