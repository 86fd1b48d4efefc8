"""Posterior and gains at fifty digits on ill-conditioned cases; the fast engines after very many rounds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mpmath import mp, mpf

from lessons.real_data.stacks import stack_of
from tests import extended
from tests.extended import EPS
from tvbo_core.gp import grid_posterior, posterior
from tvbo_core.gp.learner_state import make_state
from tvbo_core.gp.memory import Discount, Keep, Markov, Restart, SpaceTime, Window
from tvbo_core.gp.merged_arms import MergedArms
from tvbo_core.gp.rank_one import RankOne
from tvbo_core.kernels import Kernel, Matern, SquaredExponential
from tvbo_core.records import LearnerInfo

# Numerically singular: a lengthscale a thousand times the interval, and one at which SE loses rank after a dozen
# points; the two Matérn kernels are singular through repeated points only.
HARD = {
    "SE 1000": SquaredExponential(1e3),
    "SE 1": SquaredExponential(1.0),
    "SE 0.2": SquaredExponential(0.2, variance=25.0),
    "Matérn 0.2": Matern(1.5, 0.2),
    "Matérn 10000": Matern(1.5, 1e4),
}
on_hard_kernels = pytest.mark.parametrize("kernel", HARD.values(), ids=HARD)


def regression_data(n: int, height: float = 1.0, noise: float = 0.1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points X with five repeats, rewards y, and query points: two observed, one between, one far outside."""
    rng = np.random.default_rng(0)
    X = rng.uniform(0, 1, (n, 1))
    X[6:10] = X[5]
    y = height * np.sin(6 * X[:, 0]) + noise * rng.normal(size=n)
    return X, y, np.vstack([X[[0, 5]], [[0.37]], [[3.0]]])


@on_hard_kernels
@pytest.mark.parametrize("noise", [1e-8, 1e-4, 1e3])
def test_posterior_is_as_good_as_stable_solves(kernel: Kernel, noise: float) -> None:
    X, y, Z = regression_data(18)
    exact = extended.PreciseData(kernel, X, y, noise)
    arms = np.unique(np.vstack([X, Z]), axis=0)
    where = {float(x): i for i, x in enumerate(arms[:, 0])}
    heard, wanted = np.array([where[x] for x in X[:, 0]]), np.array([where[z] for z in Z[:, 0]])
    gram = kernel(arms, arms)
    fitted = MergedArms.of(gram, noise, heard, y).fit()
    answers = {
        "posterior": posterior(kernel, X, y, Z, noise),
        "grid_posterior": tuple(v[wanted] for v in grid_posterior(gram, heard, y, noise)),
        "Merged": (fitted.mean[wanted], np.sqrt(fitted.variance[wanted])),
    }
    for j, z in enumerate(Z):
        true = exact.at(z)
        for name, (mean, sd) in answers.items():
            assert abs(mpf(float(mean[j])) - true.mean) <= true.mean_error, (name, j)
            assert abs(mpf(float(sd[j])) ** 2 - true.variance) <= true.variance_error, (name, j)


@on_hard_kernels
def test_carried_posterior_rounds_once_a_step(kernel: Kernel) -> None:
    X, y, _ = regression_data(18)
    exact = extended.PreciseData(kernel, X, y, 1e-4)
    engine = RankOne(kernel(X, X))
    for arm, reward in enumerate(y):
        engine.learn(arm, float(reward), 1e-4)
    for j in (0, 5, 17):
        true = exact.at(X[j])
        # Each of the 18 gains is a covariance (right to eps v) over at least the noise: eps v / 1e-4 a step, of
        # surprises of the rewards' size; 16 for the few operations of a step.
        share = 16 * exact.n * EPS * kernel.variance / mpf(1e-4)
        assert abs(mpf(float(engine.mean[j])) - true.mean) <= share * mp.norm(exact.y, mp.inf)
        assert abs(mpf(float(engine.variance[j])) - true.variance) <= share * kernel.variance


MEMORIES = (Keep(), Restart(900), Window(200), Markov(0.05), Discount(0.98))


def test_fast_engines_hold_after_many_rounds() -> None:
    """Alone and in lockstep, beside one fresh dense solve; of what forgets only rounds that still weigh count."""
    noise, rounds, x, kernel = (
        1e-6,
        2_000,
        np.linspace(0, 1, 60)[:, None],
        SquaredExponential(0.2),
    )  # in floats of rank about 20
    rng = np.random.default_rng(1)
    arms = rng.integers(0, 60, rounds)
    y = np.sin(7 * x[arms, 0] + 1e-3 * np.arange(rounds)) + math.sqrt(noise) * rng.normal(size=rounds)
    known = LearnerInfo(x, rounds, math.sqrt(noise), kernel, None, 0.0, None)
    for memory in MEMORIES:
        past, stack = make_state(known, memory, noise), stack_of([memory], kernel(x, x), np.array([noise]), rounds)
        for arm, reward in zip(arms, y, strict=True):
            past.learn(int(arm), float(reward))
            stack.learn(arm[None], reward[None])
        variances = memory.noise(rounds - np.arange(rounds), noise, rounds)
        kept = variances < noise * 1e18
        if isinstance(memory, Markov):
            kept &= rounds - np.arange(rounds) < 2 * math.log(1e-18) / math.log(1 - memory.epsilon)
        there = SpaceTime(kernel, memory.epsilon if isinstance(memory, Markov) else 0.0)
        then = np.column_stack([x[arms], np.arange(rounds)])[kept]
        mean, sd = posterior(there, then, y[kept], np.column_stack([x, np.full(60, rounds)]), variances[kept])
        # A round puts an error of eps times the prior variance (1) over the noise into a gain, and they add up.
        share = np.finfo(float).eps * rounds / noise
        for found in (past.curves(), [curve[0] for curve in stack.curves()]):
            assert np.abs(found[0] - mean).max() <= share * np.abs(y).max(), memory
            assert np.abs(found[1] / sd - 1).max() <= 10 * share, memory  # in units of an sd below 1
