"""The world that moves against the fixed order stays in its ball and budget; eq. 9 holds at its width."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.rperp.order_adversary import follower, largest_swing, plateau
from tests.strategies import LAW
from tvbo_core.designs import play_rng
from tvbo_core.kernels import SquaredExponential
from tvbo_core.policies.elimination.policy import RPERP
from tvbo_core.records import Problem, World
from tvbo_core.worlds import make_problem

SMOOTH = SquaredExponential(0.2)


def hostile(seed: int) -> Problem:
    """A small random world: one in ten follows the fixed order, the others are drawn anew in every round."""
    draw, x = np.random.default_rng(seed), np.linspace(0, 1, 12)[:, None]
    z, still = draw.uniform(size=(5, 1)), seed % 10 == 0
    c = np.tile(draw.normal(size=5), (16, 1)) if still else draw.normal(size=(16, 5))
    c /= np.sqrt(np.einsum("ti,ij,tj->t", c, SMOOTH(z, z), c))[:, None]
    problem = Problem(x, c @ SMOOTH(z, x), 0.05, SMOOTH, 1.0, centres=z, coefficients=c)
    return follower(problem, RPERP(restart=16), 0.4) if still else problem


def failures(problems: list[Problem], rule: RPERP) -> tuple[int, int]:
    """In how many runs a band that eliminates misses its batch average (eq. 9), and an elimination the best of it."""
    missed, lost = 0, 0
    for seed, problem in enumerate(problems):
        batches = [batch for batch in rule.batches(problem, play_rng(seed)) if not batch.last]
        pairs = [(batch, batch.average(problem.f)) for batch in batches]
        missed += any(((truth < b.band.lower) | (b.band.upper < truth)).any() for b, truth in pairs)
        lost += any(not b.survivors[np.where(b.alive, truth, -np.inf).argmax()] for b, truth in pairs)
    return missed, lost


def test_theory_width_keeps_the_best_arm() -> None:
    problems, delta = [hostile(seed) for seed in range(150)], 0.1
    missed, lost = failures(problems, RPERP(restart=16, width="theory", delta=delta))
    assert missed <= delta * 150 and lost <= delta * 150
    # It is the width that does it: with one standard deviation the best is lost far more often.
    assert failures(problems[:100], RPERP(restart=16, width=1.0))[1] > 2 * delta * 100


SOME = settings(LAW, max_examples=25)


def still(seed: int = 3, T: int = 50, **more: object) -> Problem:
    return make_problem(World(kind="still", horizon=T, arms=40, seed=seed, **more))


@SOME
@given(st.integers(0, 99), st.floats(0, 1), st.sampled_from(["se", "matern"]), st.floats(1, 10), st.integers(2, 60))
def test_follower_stays_in_the_ball_and_drifts(seed: int, share: float, kernel: str, B: float, H: int) -> None:
    base = still(seed, kernel=kernel, norm_bound=B)
    swing = share * largest_swing(base)
    world = follower(base, RPERP(restart=H), swing)
    # 1e-6: norms of sums of some sixty kernels whose Gram matrix has condition 1e16.
    assert world.norms.max() <= B * (1 + 1e-6)
    _, _, g = plateau(base.kernel, base.x)
    assert np.abs(g).max() == 1.0
    np.testing.assert_allclose(world.coefficients @ world.kernel(world.centres, world.x), world.f, atol=1e-9 * B)
    # The plateau is the only part that moves, so the largest change of a step is half a swing times its change of sign.
    top = int(g.argmax())
    moves = np.abs(np.diff(world.f[:, top]))
    assert world.sup_variation == pytest.approx(moves.sum(), abs=1e-9)
    if swing > 1e-9:  # rewards of up to 10 are rounded to 1e-15 of that, so a smaller swing is lost among them
        np.testing.assert_allclose(moves / (0.5 * swing), np.round(moves / (0.5 * swing)), atol=1e-6 + 1e-13 / swing)


@SOME
@given(st.integers(0, 99), st.floats(0, 30), st.integers(2, 60), st.floats(0.05, 1))
def test_follower_never_exceeds_its_budget(seed: int, budget: float, H: int, swing: float) -> None:
    base = still(seed)
    full = follower(base, RPERP(restart=H), swing).sup_variation
    world = follower(base, RPERP(restart=H), swing, budget)
    # 1e-9: sums of fifty steps of size 1.
    assert world.sup_variation <= min(budget, full) + 1e-9
    at_rest = np.flatnonzero(np.abs(np.diff(world.f, axis=0)).max(axis=1) > 0)
    if len(at_rest) and at_rest[-1] < 40 and budget < full:  # it came to rest with time left: it was spent
        assert world.sup_variation == pytest.approx(budget, abs=1e-6)
