"""A learner that learns epsilon, by the dense likelihood; Thompson sampling, by draws from the dense posterior."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal

import tvbo_core as tv
from tvbo_core.gp import posterior, posterior_covariance
from tvbo_core.policies.learned import EPSILONS

ROUNDS = 40


def _played(policy: tv.LearnedTVGPUCB, kind: str = "markov", epsilon: float = 0.05, seed: int = 0, T: int = ROUNDS):
    """Return a run of a policy at random arms, and its state after the last round."""
    world = tv.World(
        kind=kind, budget=None if kind == "markov" else 0.0, epsilon=epsilon, horizon=T, arms=20, seed=seed
    )
    problem = tv.make_problem(world)
    history = tv.observe.random_design(problem, T, tv.observe.play_rng(seed))
    state = policy.init(problem.known)
    for t, (arm, y) in enumerate(zip(history.arms, history.y, strict=True)):
        state = policy.update(state, t, int(arm), float(y))
    return problem, history, state


@pytest.mark.parametrize("dense", [False, True])
def test_scores_are_the_dense_likelihoods(dense: bool) -> None:
    problem, history, state = _played(tv.LearnedTVGPUCB(dense=dense))
    gram, noise = problem.kernel(history.X, history.X), problem.noise_sd**2 * np.eye(ROUNDS)
    lag = np.abs(np.subtract.outer(np.arange(ROUNDS), np.arange(ROUNDS)))
    exact = [
        multivariate_normal.logpdf(history.y, cov=gram * (1 - epsilon) ** (lag / 2) + noise) for epsilon in EPSILONS
    ]
    # The chain rule and one decomposition agree to rounding; at epsilon = 0 the matrix is worst conditioned.
    np.testing.assert_allclose(state.past.score, exact, atol=1e-6)


def test_index_is_that_of_the_likeliest_epsilon() -> None:
    problem, history, state = _played(tv.LearnedTVGPUCB())
    told = tv.TVGPUCB(epsilon=EPSILONS[state.past.best])
    other = told.init(problem.known)
    for t, (arm, y) in enumerate(zip(history.arms, history.y, strict=True)):
        other = told.update(other, t, int(arm), float(y))
    learned = tv.LearnedTVGPUCB().band(state, ROUNDS)
    np.testing.assert_allclose(learned.upper, told.band(other, ROUNDS).upper, atol=1e-12)


@pytest.mark.slow
def test_epsilon_is_learnt_from_three_hundred_rounds() -> None:
    # By the likelihood ratio: an epsilon ten times too small or large is rejected at this length in each of ten worlds.
    for seed in range(10):
        *_, state = _played(tv.LearnedTVGPUCB(), epsilon=0.05, seed=seed, T=300)
        assert 0.005 < EPSILONS[state.past.best] < 0.5
        *_, still = _played(tv.LearnedTVGPUCB(), kind="still", seed=seed, T=300)
        assert EPSILONS[still.past.best] <= EPSILONS[1]


@pytest.mark.parametrize("forgets", ["discount", "window", "nothing"])
def test_arms_are_drawn_as_the_posterior_draws(forgets: str) -> None:
    problem = tv.make_problem(tv.World(kind="jumps", horizon=30, arms=8, noise_sd=0.5))
    history = tv.observe.random_design(problem, 12, tv.observe.play_rng(1))
    policy = tv.ThompsonSampling(forgets, discount=0.8, window=5)
    state = policy.init(problem.known)
    for t, (arm, y) in enumerate(zip(history.arms, history.y, strict=True)):
        state = policy.update(state, t, int(arm), float(y))
    age = np.arange(12, 0, -1)
    weight = {"discount": 0.8 ** (age - 1.0), "window": (age <= 5) * 1.0, "nothing": np.ones(12)}[forgets]
    kept = weight > 0
    told = problem.kernel, history.X[kept], history.y[kept], problem.x, 0.25 / weight[kept]
    mean, _ = posterior(*told)
    cov = posterior_covariance(told[0], told[1], told[3], told[4])
    rng, n = np.random.default_rng(0), 4000
    exact = np.bincount(rng.multivariate_normal(mean, cov, size=n, method="eigh").argmax(axis=1), minlength=8) / n
    found = np.bincount([policy.select(state, 12, rng) for _ in range(n)], minlength=8) / n
    assert np.abs(exact - found).max() < 0.05  # five standard errors of a difference of two shares of 4000
