"""W-DBO's removal of observations, against two posteriors: one with an observation, one without it."""

from __future__ import annotations

import numpy as np
import pytest

import tvbo_core as tv
from tvbo_core.gp import posterior
from tvbo_core.gp.memory import SpaceTime

EPSILON = 0.08
FUTURE = 400  # rounds, of which the last counts (1 - 0.08)^400 < 1e-14 of the first


def _played(policy: tv.WDBO, rounds: int, arms: int = 12):
    """Return a problem, its observations at random arms and the policy's state after them."""
    problem = tv.make_problem(tv.World(kind="jumps", horizon=rounds + 1, arms=arms, noise_sd=0.3))
    history = tv.observe.random_design(problem, rounds, tv.observe.play_rng(3))
    state = policy.init(problem.known)
    for t, (arm, y) in enumerate(zip(history.arms, history.y, strict=True)):
        state = policy.update(state, t, int(arm), float(y))
    return problem, history, state


def test_relevancy_compares_predictions_of_all_future_rounds() -> None:
    rounds = 9
    problem, history, state = _played(tv.WDBO(epsilon=EPSILON, alpha=0.0), rounds)
    kernel = SpaceTime(problem.kernel, EPSILON)
    points = np.column_stack([history.X, np.arange(rounds)])
    later = np.arange(rounds, rounds + FUTURE)
    here = np.column_stack([np.tile(problem.x[:, 0], FUTURE), np.repeat(later, len(problem.x))])

    def predicted(kept: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        mean, sd = posterior(kernel, points[kept], history.y[kept], here, np.full(int(kept.sum()), 0.09))
        return mean, sd**2

    everything = np.ones(rounds, dtype=bool)
    mean, variance = predicted(everything)
    moved = float((mean**2 + kernel.diag(here) - variance).sum())
    for i in range(rounds):
        without, wider = predicted(np.arange(rounds) != i)
        distance = float(((mean - without) ** 2 + wider - variance).sum())
        # Differences of two variances near 1 keep about twelve digits of terms of 1e-2.
        assert state.past.relevancy()[i] == pytest.approx(np.sqrt(distance / moved), rel=1e-8)


def test_without_a_budget_nothing_is_removed() -> None:
    problem, history, state = _played(tv.WDBO(epsilon=EPSILON, alpha=0.0), 30)
    other = tv.TVGPUCB(epsilon=EPSILON)
    told = other.init(problem.known)
    for t, (arm, y) in enumerate(zip(history.arms, history.y, strict=True)):
        told = other.update(told, t, int(arm), float(y))
    assert state.past.kept.tolist() == list(range(30))
    mine, theirs = state.policy.band(state, 30), other.band(told, 30)
    np.testing.assert_allclose(mine.upper, theirs.upper, atol=1e-9)  # the dense and the fast form of one posterior


def test_removals_cost_what_the_budget_has_lost() -> None:
    policy = tv.WDBO(epsilon=EPSILON, alpha=0.5)
    problem, history, _ = _played(policy, 40)
    state, keep_all = policy.init(problem.known), tv.WDBO(epsilon=EPSILON, alpha=0.0)
    growth, spent, removed = np.log(1.5) * -0.5 * np.log(1 - EPSILON), 0.0, 0
    for t, (arm, y) in enumerate(zip(history.arms, history.y, strict=True)):
        before = keep_all.init(problem.known).past
        before.t, before._points, before._y = t, state.past._points.copy(), state.past._y.copy()
        before.learn(int(arm), float(y))
        state = policy.update(state, t, int(arm), float(y))
        while len(before._y) > len(state.past._y):
            relevancy = before.relevancy()
            least = int(relevancy.argmin())
            spent, removed = spent + np.log1p(relevancy[least]), removed + 1
            del before._points[least], before._y[least]
        assert before._y == state.past._y  # each time the least relevant one went
        assert len(before._y) <= 2 or np.log1p(before.relevancy().min()) >= state.past.budget
    assert removed > 10
    # Rounding of some hundred sums of terms below 1.
    assert state.past.budget == pytest.approx(40 * growth - spent, abs=1e-12)


def test_drift_that_ends_at_once_leaves_two() -> None:
    *_, state = _played(tv.WDBO(epsilon=1.0), 10)
    assert len(state.past.kept) == 2
    mean, sd = state.past.curves()
    assert not mean.any() and np.allclose(sd, sd[0])


def test_static_reward_keeps_everything() -> None:
    *_, state = _played(tv.WDBO(epsilon=0.0), 20)
    assert len(state.past.kept) == 20


@pytest.mark.parametrize("alpha", [-0.1, np.nan, np.inf, "much"])
def test_alpha_outside_its_range_is_refused(alpha: float) -> None:
    with pytest.raises(ValueError, match="alpha must be"):
        tv.WDBO(alpha=alpha)
