"""The lecturer's line over a moment without chance, against the core or stored runs; the others: test_odds.py."""

from __future__ import annotations

import numpy as np
import pytest

from lessons import BY_KEY
from lessons.record import Lesson
from lessons.reproductions import model as reproductions
from lessons.theorems.rates import model as theorems_model

THEOREMS, REPRODUCED = BY_KEY["theorems"], BY_KEY["reproductions"]


def state(lesson: Lesson, key: str) -> dict[str, object]:
    """The values of all knobs in a moment."""
    return lesson.defaults | dict(lesson.moment(key).values)


def test_one_dot_on_the_ceiling_two_at_floor() -> None:
    def exponents(key: str) -> dict[str, float]:
        sweep = theorems_model.sweep(theorems_model.setting_from(state(THEOREMS, key)))
        return {n: float(r.power[THEOREMS.moment(key).t]) for n, r in sweep.by_name.items()}

    power = exponents("dots")
    floor = power.pop("lower bound")
    assert [n for n, p in power.items() if p == 1.0] == ["R-, SW-, WGP-UCB"]
    assert sum(p < 0.8 for p in power.values()) == 3
    assert [n for n, p in power.items() if p == pytest.approx(floor, abs=1e-12)] == ["R-PERP", "restarted OPKB"]
    assert exponents("too_fast")["lower bound"] == pytest.approx(1.0)
    power = exponents("asking")
    assert power["lower bound, no side queries"] == pytest.approx(1.0) and power["W-SparQ"] < 1


def test_half_of_thirty_miss_one_error() -> None:
    b = reproductions.stored(str(state(REPRODUCED, "entries")["shown"]))
    assert (len(b.panels), len(b.rows), b.paper.size) == (6, 5, 30) and b.printed
    missed = float((np.abs(b.z[-1]) > 1).mean())
    assert 0.4 <= missed <= 0.6  # "half"; a normal difference misses with probability 0.32, "a third"


def test_without_the_constant_three_panels_are_better() -> None:
    b = reproductions.stored(str(state(REPRODUCED, "constant")["shown"]))
    at = {name: b.mean[-1][:, b.rows.index(name)] for name in ("Random", "R-PERP", "R-PERP, C = 0")}
    assert len(b.panels) == 4 and (at["R-PERP"] >= at["Random"]).all()
    assert int((at["R-PERP, C = 0"] < at["Random"]).sum()) == 3
    clear = [f for f in b.report["findings"] if f["claim"].endswith("R-PERP, C = 0 is below Random") and f["decided"]]
    assert len(clear) == 1 and clear[0]["holds"]  # "in one of them beyond chance"
