"""Figures and sentences of the theorems say what was measured and proved."""

from __future__ import annotations

import base64
from dataclasses import replace

import numpy as np
import pytest

from figures.film import Film
from lessons.theorems.knobs import RUNS_WORLD
from lessons.theorems.rates import words
from lessons.theorems.rates.model import OPENING_FRAMES, SweepSetting, sweep
from lessons.theorems.runs.model import BoundVsRegret, Proved, RunSetting
from lessons.theorems.runs.slopes import slopes
from tvbo_core.theory.finite import FiniteBound


def numbers(packed: object) -> np.ndarray:
    if isinstance(packed, dict):
        return np.frombuffer(base64.b64decode(packed["bdata"]), dtype=packed["dtype"]).astype(float)
    return np.array([np.nan if v is None else v for v in packed], dtype=float)


def data(of: Film) -> list[dict]:
    return of.figure.to_dict()["data"]


def found(floor: bool = True, measured: bool = True, case: str = "rperp") -> BoundVsRegret:
    setting = RunSetting(case, "adversary", replace(RUNS_WORLD, horizon=200), 2)
    assert setting.horizons == (50, 100, 200)
    bounds = tuple(
        FiniteBound((("drift", 10.0 * T), ("confidence", 1e3 * T), ("nothing", 0.0)), 0.9, "a source")
        for T in setting.horizons
    )
    proved = Proved(
        bounds,
        np.array([3.0, 5.0, 8.0]) if floor else None,
        np.array([300.0, 600.0, 1200.0]),
        np.array([20.0, 40.0, 90.0]),
        np.array([15.0, 30.0, 70.0]),
    )
    regret = {T: np.array([0.2, 0.3]) * T for T in setting.horizons} if measured else {}
    return BoundVsRegret(setting, proved, regret, 6 if measured else 0, 6, ())


def test_slopes_are_the_records_powers():
    setting = found().setting  # d = 1, Matérn 5/2
    rates = {rate.name: rate for rate in slopes(setting)}
    floor = (2 * 2.5 + 1) / (3 * 2.5 + 1)
    assert all(rates[name].power == pytest.approx(floor) for name in ("lower bound", "R-PERP", "restarted OPKB"))
    assert rates["ADA-OPKB"].power == pytest.approx(13 / 18) and not rates["ADA-OPKB"].told and rates["R-PERP"].told
    assert rates["R-PERP"].factor == pytest.approx(10**floor) and all(rate.speaks for rate in rates.values())
    little = replace(setting, world=replace(setting.world, budget=0.5))
    silent = [rate.name for rate in slopes(little) if not rate.speaks]
    assert "R-, SW-, WGP-UCB" in silent and "lower bound" not in silent
    se = {rate.name for rate in slopes(replace(setting, case="wgp"))}
    assert "restarted OPKB" not in se and {rate.name for rate in slopes(replace(setting, case="kernelucb"))} == {
        "lower bound",
        "KernelUCB",
    }


def test_a_covered_answer_is_in_no_words():
    at = OPENING_FRAMES["budget"]
    covered, placed = sweep(SweepSetting("budget", bet="cover")), sweep(SweepSetting("budget", bet="0.9"))
    assert "R-, SW-, WGP-UCB" not in covered.by_name and "Place your bet" in words.finding(covered)[at]
    assert "Your bet: 0.9. The power is 1" in words.notes(placed, at)[0]
