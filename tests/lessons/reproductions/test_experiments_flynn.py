"""CMM beside DMM over the first 200 rounds and over all, as Flynn & Reeb compare them."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from lessons.reproductions import model
from lessons.reproductions.experiments import Outcome, Results, flynn
from lessons.reproductions.experiments.fresh import FreshKernelUCB
from lessons.reproductions.names import REPRODUCTIONS
from tvbo_core.policies.kernel_ucb import KernelUCB


def test_cmm_is_measured_early_and_over_all():
    clock = {"a step": 0.01, "a step at the end": 0.02}
    plays = {"CMM": (50.0, 80.0), "DMM": (60.0, 70.0), "AMM": (90.0, 99.0), "AY": (90.0, 99.0), "IGP": (90.0, 99.0)}
    outcomes = {
        m: {s: Outcome({"first 200": a + s, "regret": b + s}, (), clock) for s in range(4)}
        for m, (a, b) in plays.items()
    }
    early, whole, cost = flynn.clock_findings(Results(outcomes, 1000))
    assert (early.holds, early.decided, whole.holds) == (True, True, False) and not cost.holds
    assert "50" in early.measured or "51.5" in early.measured


@pytest.mark.wide
def test_cmm_is_below_dmm_early():
    early = {"CMM": [], "DMM": []}
    for method, seed in itertools.product(early, range(4)):
        problem = flynn.world(flynn.CLOCK, seed, flynn.T, 3)  # tuned to all 1000 rounds, played for 200
        problem = replace(problem, x=problem.x[: flynn.EARLY], f=problem.f[: flynn.EARLY])
        policy = flynn.policy_of(method, flynn.scale_of(flynn.CLOCK, flynn.T, 3), flynn.T)
        early[method].append(flynn.play(problem, policy, flynn.play_rng(seed)).regret.sum())
    assert np.mean(early["CMM"]) < np.mean(early["DMM"])


@pytest.mark.parametrize(("name", "norm"), [("Matern 3/2, 0.2", 10.0), ("Matern 5/2, 0.5", 0.3)])
def test_cmm_asks_what_the_whole_band_asks(name, norm):
    n = 60
    problem = flynn.world(name, 1, n, 3)
    band = flynn.band_of("CMM", flynn.scale_of(name, n, 3), n, norm)  # 0.3 is too little: the set empties
    ours, plain = FreshKernelUCB(band).init(problem.known), KernelUCB(band).init(problem.known)
    rng, empty = np.random.default_rng(0), 0
    for t in range(n):
        a, b = ours.band(), plain.band()
        assert int(a.upper.argmax()) == int(b.upper.argmax()) and a.empty == b.empty
        assert a.upper.max() == pytest.approx(b.upper.max(), abs=1e-10)  # of 10, the norm bound
        assert (a.upper >= b.upper - 1e-10).all()
        empty += b.empty
        arm = int(b.upper.argmax()) if t % 3 else int(rng.integers(flynn.ARMS))
        y = float(problem.f[t, arm] + 0.1 * rng.standard_normal())
        ours.learn(arm, y), plain.learn(arm, y)
    assert (empty > 0) == (norm < 1.0)


def test_dmm_beside_cmm_plays_table_1():
    part = "Matern 3/2, 0.2 | DMM"
    assert flynn.play_exact(3, part, 2, 40).numbers["regret"] == flynn.play_cell(3, part, 2, 40).numbers["regret"]
    for name in (name for name in REPRODUCTIONS if name.startswith("flynn-cmm")):
        board, table = model.board(name), model.board(f"flynn-table-1{'' if name[-1] == '3' else '-' + name[-2:]}")
        same = [table.values[: board.frames, table.panels.index(p), table.rows.index("DMM")] for p in board.panels]
        # Equal worlds and equal noise; rounding of another day's arithmetic is all that may differ.
        np.testing.assert_allclose(board.values[:, :, board.rows.index("DMM")].T, same, rtol=1e-6)


def test_thirty_seeds_judge_by_fresh_ones():
    printed = flynn.PRINTED[flynn.cell(flynn.FAR, "AMM")]
    far_off = {s: Outcome({"regret": 1e6 + s}) for s in range(10)}  # seeds of Table 1
    fresh = {s: Outcome({"regret": printed.mean + (s % 2) + 0.5}) for s in range(10, 30)}
    outcomes = {flynn.cell(flynn.FAR, method): far_off | fresh for method in flynn.METHODS}
    found = dict(zip(flynn.METHODS, flynn.far_findings(Results(outcomes, 1000)), strict=True))
    assert found["AMM"].holds and "z = 0.52, 20 seeds" in found["AMM"].measured  # 1/hypot(.513/sqrt(20), 6.1/sqrt(10))
    assert not found["Random"].holds and found["Random"].decided  # about 89 against 4282
    ten = flynn.far_findings(Results(dict.fromkeys(outcomes, far_off), 1000))
    assert not any(one.decided for one in ten)


def test_its_first_ten_seeds_are_table_1s():
    column, table = model.board("flynn-table-1-rbf"), model.board("flynn-table-1")
    at = table.panels.index(column.panels[0])
    assert column.frames == 30 and column.rows == table.rows
    # Equal worlds and equal noise; rounding of another day's arithmetic is all that may differ.
    np.testing.assert_allclose(column.values[:10, 0], table.values[:, at], rtol=1e-6)
