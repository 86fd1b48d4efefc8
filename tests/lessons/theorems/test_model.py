"""Powers, limits and horizons of the theorems page are those of the records."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lessons.theorems.lesson import LESSON
from lessons.theorems.rates import words
from lessons.theorems.rates.model import ALPHAS, NUS, OPENING_FRAMES, SweepSetting, facts, sweep
from lessons.theorems.runs import model
from lessons.theorems.runs.model import RunSetting, gather, jobs
from tvbo_core import World
from tvbo_core.theory import THEOREMS
from tvbo_core.worlds import make_problem


def test_dots_are_the_records_exponents():
    shown = sweep(SweepSetting("budget", d=2))
    for i, nu in enumerate(NUS):
        weak = THEOREMS["zhou-r"].exponent(nu=nu, d=2).T
        assert shown.by_name["R-, SW-, WGP-UCB"].power[i] == pytest.approx(float(weak), rel=1e-12)
    at = OPENING_FRAMES["budget"]
    known = {"lower bound": 14 / 19, "R-, SW-, WGP-UCB": 1.0, "ADA-OPKB": 16 / 21, "R-PERP": 14 / 19}
    power = {name: rung.power[at] for name, rung in shown.by_name.items()}
    assert power == pytest.approx(known | {"restarted OPKB": 14 / 19})
    assert np.isnan(shown.by_name["restarted OPKB"].power[0])  # Theorem 3 is about Matérn kernels
    informed = {name for name, law in shown.by_name.items() if law.needs_drift}
    assert informed == {"R-, SW-, WGP-UCB", "R-PERP", "restarted OPKB"}


def test_theorems_hold_where_records_say():
    # v = -1/2 at nu = 5/2: V_T is below every threshold of Theorem 5, and a static world's rate is the larger.
    shown = sweep(SweepSetting("budget", d=2, v=-0.5))
    assert not facts(shown, OPENING_FRAMES["budget"])["R-PERP holds"]
    # The floor of a static world stands under every drift, and the regimes join: none is drawn below it.
    assert {r.power[OPENING_FRAMES["budget"]] for n, r in shown.by_name.items() if n != "R-, SW-, WGP-UCB"} == {9 / 14}
    every = [facts(shown, frame) for frame in range(shown.frames)]
    assert not any(found["R-, SW-, WGP-UCB holds"] for found in every)  # a budget below a constant
    said = words.finding(shown)[OPENING_FRAMES["budget"]]
    assert said.startswith("<b>Theorem 5 does not apply at T = 10⁴</b>") and "The lower bound is" in said
    assert facts(sweep(SweepSetting("budget", d=2, v=0.5)), OPENING_FRAMES["budget"])["R-PERP holds"]
    assert not sweep(SweepSetting("budget")).by_name["R-PERP"].ok[NUS.index(0.5)]


def test_at_v_one_the_floor_is_linear():
    fast = sweep(SweepSetting("budget", v=1.0))
    said = words.finding(fast)
    assert all("No algorithm has sublinear regret" in s for s in said[1:])
    # For the squared exponential Theorem 1 asks for V_T <= C T^c with c < 1.
    assert "does not apply here" in said[0] and not facts(fast, 0)["lower bound holds"]
    for v in (0.8, 0.95):  # below 1 the theorem asks for a long horizon only, and R-PERP has a power below 1
        said = words.finding(sweep(SweepSetting("budget", v=v)))[0]
        assert f"reach the lower bound T<sup>{(2 + v) / 3:.3f}</sup>" in said
    shown = sweep(SweepSetting("alpha"))
    assert shown.by_name["UI-GP-UCB, no side queries"].power[ALPHAS.index(1 / 3)] == pytest.approx(1.0, abs=1e-4)


def information(L: float, T: float, alpha: float) -> float:
    """Information of side queries in the round that ends a quiet window of length L (Mauduit et al., Thm 5.3)."""
    return L**-alpha + 4.0 * L / T


def test_too_few_has_the_power_of_its_proof() -> None:
    """N queries tell at most N F(L*), so they are worth a fresh observation from N = 1 / F(L*) on: a power of T."""
    too_few = sweep(SweepSetting("alpha")).borders[0]
    for alpha in (1.2, 1.5, 2.0):
        worth = [1 / information((alpha * T / 4.0) ** (1.0 / (alpha + 1.0)), T, alpha) for T in (1e6, 1e9)]
        slope = math.log(worth[1] / worth[0]) / math.log(1e3)
        # The border bends between its points.
        assert np.interp(alpha, too_few.x, too_few.y[0]) == pytest.approx(slope, rel=1e-3)


def test_markov_runs_lie_above_their_floor():
    base = World(kernel="matern", nu=2.5, horizon=100, epsilon=0.03, arms=40, seed=3)
    setting = RunSetting("tv", base, 8)
    found = gather(setting, {job: job.perform() for _, job in jobs(setting)})
    assert (found.mean > found.proved.floor).all()
    first, last = found.proved.floor
    # One round with nothing known costs E max f, every later one its share 1 - sqrt(1 - epsilon).
    share = 1.0 - math.sqrt(1.0 - 0.03)
    assert last / first == pytest.approx((1.0 + 99 * share) / (1.0 + 49 * share), rel=1e-12)


def test_ladder_marks_random_play():
    """By playing it in the very worlds of the runs."""
    setting = model.setting_from(LESSON.defaults | {"seeds": 2, "T": 400})
    found = model.proved(setting)
    for i, T in enumerate(setting.horizons):
        worlds = [make_problem(setting.stage(T, seed)).f for seed in (3, 4)]
        rng = np.random.default_rng(0)
        lost = [
            f.max(axis=1)[:, None] - f[np.arange(T)[:, None], rng.integers(f.shape[1], size=(T, 500))] for f in worlds
        ]
        totals = np.mean([each.sum(axis=0) for each in lost], axis=0)
        # 5 standard errors of 500 plays
        assert found.chance[i] == pytest.approx(totals.mean(), abs=5 * totals.std() / 500**0.5)
        assert found.floor[i] < found.chance[i] < found.trivial[i] == 6 * T
