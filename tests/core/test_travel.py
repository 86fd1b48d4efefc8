r"""The travelling hill: $f_t=B\,k(\cdot,c_t)$ at rest, on its way, and at rest again.

For a squared exponential the norm is B in every round, the peak is B at $c_t$, and a short step $\delta$ of the centre
changes the reward by at most $B\delta e^{-1/2}/\ell$ (the steepest slope of the hill), nearly attained.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tvbo_core as tv
from tests.strategies import LAW
from tvbo_core.worlds import budget_note, draws, make_problem, reachable_budget

HILL = tv.World("travel", None, 56, lengthscale=0.25, norm_bound=2.0, arms=101)


def places(problem: tv.Problem) -> np.ndarray:
    """The place of the peak in each round, to the spacing of the arms."""
    return problem.x[problem.best, 0]


def test_travelling_hill_rests_18_rounds_and_arrives():
    problem = make_problem(HILL)
    moving = np.flatnonzero(problem.steps > 0)  # row i is the step from round i + 1 to i + 2
    assert moving[0] == 17 and moving[-1] == 42 and len(moving) == 26
    assert np.all(problem.f[:18] == problem.f[0]) and np.all(problem.f[43:] == problem.f[43])


def test_drawn_ends_lie_near_their_places():
    ends = np.array([places(make_problem(replace(HILL, seed=seed)))[[0, -1]] for seed in range(60)])
    assert np.abs(ends - [0.275, 0.725]).max() <= 0.05 + 0.005 + 1e-12  # and half the spacing of the arms
    assert np.ptp(ends, axis=0).min() > 0.07  # seeds do differ


@LAW
@given(
    st.integers(0, 10**6),
    st.floats(0.05, 3.0),
    st.integers(3, 150),
    st.sampled_from(["se", "matern"]),
    st.floats(0.1, 0.5),
    st.integers(2, 120),
)
def test_norm_is_constant_and_budget_is_met(seed, share, horizon, kernel, lengthscale, arms):
    world = tv.World("travel", None, horizon, kernel=kernel, lengthscale=lengthscale, seed=seed, arms=arms)
    most = reachable_budget(world)
    asked = replace(world, budget=share * most)
    problem = make_problem(asked)
    norms = draws.norms(problem.kernel, problem.centres, problem.coefficients)
    np.testing.assert_allclose(norms, asked.norm_bound, rtol=1e-12)
    np.testing.assert_allclose(problem.coefficients @ problem.kernel(problem.centres, problem.x), problem.f, atol=1e-12)
    # The budget is a root of one equation; a part in 10^9 is what its solver is asked for.
    assert problem.sup_variation == pytest.approx(min(share, 1.0) * most, rel=1e-9, abs=1e-9)
    assert bool(budget_note(asked, problem)) == (share > 1.0 + 1e-9) or share == pytest.approx(1.0)


def test_searched_hill_has_its_numbers():
    # Length 0.45 in 26 steps at B = 2, l = 0.25: V_T = 2.182, largest step 0.084 (six digits by hand: 26 equal steps).
    x = np.linspace(0, 1, 101)[:, None]
    step = 0.45 / 26
    centres = 0.275 + step * np.arange(27)
    table = 2.0 * np.exp(-((x - centres) ** 2) / (2 * 0.25**2))
    by_hand = np.abs(np.diff(table, axis=1)).max(axis=0)
    assert by_hand.sum() == pytest.approx(2.182, abs=5e-4) and by_hand.max() == pytest.approx(0.084, abs=5e-4)
    problem = make_problem(replace(HILL, budget=2.182))
    assert problem.centres.max() - problem.centres.min() == pytest.approx(0.45, abs=1e-3)


def test_nothing_moves_without_budget_or_rounds():
    for world in (replace(HILL, budget=0.0), replace(HILL, horizon=1), replace(HILL, horizon=1, budget=3.0)):
        assert make_problem(world).sup_variation == 0.0
    assert reachable_budget(replace(HILL, horizon=1)) == 0.0
