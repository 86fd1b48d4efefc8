"""The two engines against the one dense posterior, on random kernels, histories and noises."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import LAW, kernels
from tvbo_core.gp import log_det, posterior, weighted_sd
from tvbo_core.gp.grid import BLOCK_ROWS, MergedArms, RankOne
from tvbo_core.kernels import Matern, SquaredExponential

GRID = np.linspace(-1, 1, 24)[:, None]
seeds = st.integers(0, 2**32 - 1)
LAW = settings(LAW, max_examples=30)  # each case holds up to 148 rounds


@st.composite
def histories(draw, least=0):
    """Arms heard, from none to beyond two foldings of the rows; few arms or all, so that some repeat."""
    n, some = draw(st.integers(least, 2 * BLOCK_ROWS + 20)), draw(st.integers(1, len(GRID)))
    return np.random.default_rng(draw(seeds)).integers(0, some, n).tolist()


def assert_same(engine, kernel, arms, y, noise):
    """Mean, variance and log det of the dense formula, to 1e-9 of the rewards' and variances' scale."""
    X = GRID[arms].reshape(len(arms), 1)
    mean, sd = posterior(kernel, X, y, GRID, noise)
    scale = 1e-9 * max(1.0, float(kernel.diag(GRID).max()))
    assert engine.mean == pytest.approx(mean, abs=scale)
    assert engine.variance == pytest.approx(sd**2, abs=scale)
    assert engine.log_det == pytest.approx(log_det(kernel(X, X), noise), rel=1e-9, abs=1e-9)


@LAW
@given(kernels(), histories(), seeds)
def test_carried_posterior_equals_the_dense_one(kernel, arms, seed):
    rng = np.random.default_rng(seed)
    y, noise = rng.normal(size=len(arms)), np.exp(rng.uniform(-3, 3, len(arms)))
    engine = RankOne(kernel(GRID, GRID))
    for arm, reward, variance in zip(arms, y, noise, strict=True):
        engine.learn(arm, reward, variance)
    assert_same(engine, kernel, arms, y, noise)
    X = GRID[arms].reshape(len(arms), 1)
    quadratic = y @ np.linalg.solve(kernel(X, X) + np.diag(noise), y) if arms else 0.0
    assert engine.misfit == pytest.approx(quadratic, rel=1e-9, abs=1e-9)


@LAW
@given(kernels(), histories(1), seeds, st.data())
def test_taking_back_equals_never_hearing(kernel, arms, seed, data):
    rng = np.random.default_rng(seed)
    y, noise = rng.normal(size=len(arms)), np.exp(rng.uniform(-1, 3, len(arms)))
    engine = RankOne(kernel(GRID, GRID))
    for arm, reward, variance in zip(arms, y, noise, strict=True):
        engine.learn(arm, reward, variance)
    gone = data.draw(st.integers(0, len(arms) - 1))
    growth = engine.take_back(arms[gone], y[gone], noise[gone], patience=1e5)
    kept = np.delete(np.arange(len(arms)), gone) if growth <= 1e5 else np.arange(len(arms))
    # 1e-9: one step lets an error of 1e-16 grow at most 1e5 times.
    assert_same(engine, kernel, np.array(arms)[kept], y[kept], noise[kept])


@LAW
@given(kernels(), histories(1), seeds, st.data())
def test_exchanged_rewards_replace_the_old_ones(kernel, arms, seed, data):
    y, engine = np.random.default_rng(seed).normal(size=len(arms)), RankOne(kernel(GRID, GRID))
    for arm, reward in zip(arms, y, strict=True):
        engine.learn(arm, reward, 0.3)
    i = data.draw(st.integers(0, len(arms) - 1))
    engine.exchange(arms[i], y[i], 7.0, 0.3)
    y[i] = 7.0
    assert_same(engine, kernel, arms, y, 0.3)


def test_impatient_engine_keeps_its_only_observation():
    engine = RankOne(SquaredExponential(0.2)(GRID, GRID))
    engine.learn(3, 1.0, 1e-4)
    before = engine.mean.copy(), engine.variance.copy(), engine.log_det
    # c_a = n / (1 + n), so n - c_a = n^2 / (1 + n) and the growth is (1 + 1 / n)^2 = 1e8.
    assert engine.take_back(3, 1.0, 1e-4, patience=1e7) == pytest.approx(1e8, rel=1e-3)
    assert np.array_equal(engine.mean, before[0]) and np.array_equal(engine.variance, before[1])
    assert engine.log_det == before[2]


@LAW
@given(kernels(), histories(), st.one_of(st.floats(0, 0.03), st.floats(0, 1)), seeds)
def test_fading_equals_the_kalman_filter(kernel, arms, epsilon, seed):
    rng = np.random.default_rng(seed)
    K = kernel(GRID, GRID)
    engine, mean, P = RankOne(K), np.zeros(len(K)), K.copy()
    log_likelihood, ridge = 0.0, 0.1
    for arm in arms:
        y = rng.normal()
        total = P[arm, arm] + ridge
        log_likelihood -= 0.5 * (np.log(2 * np.pi * total) + (y - mean[arm]) ** 2 / total)
        gain = P[:, arm] / total
        mean, P = mean + gain * (y - mean[arm]), P - np.outer(gain, P[arm])
        mean, P = np.sqrt(1 - epsilon) * mean, (1 - epsilon) * P + epsilon * K
        engine.learn(arm, y, ridge)
        engine.fade(epsilon)
    scale = 1e-9 * max(1.0, K[0, 0])
    assert engine.mean == pytest.approx(mean, abs=scale)
    assert engine.variance == pytest.approx(P.diagonal(), abs=scale)
    ours = -0.5 * (engine.misfit + engine.log_det + len(arms) * np.log(2 * np.pi * ridge))
    assert ours == pytest.approx(log_likelihood, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("epsilon", [0.0, 1e-12, 0.9, 1 - 1e-15, 1.0])
def test_faded_rounds_keep_a_finite_variance(epsilon):
    K = Matern(1.5, 0.3)(GRID, GRID)
    engine = RankOne(K)
    for t in range(3000):
        engine.learn(t % len(K), 1.0, 0.01)
        engine.fade(epsilon)
    assert np.isfinite(engine.mean).all() and (engine.variance >= 0).all()
    assert (engine.variance <= K[0, 0] * (1 + 1e-12)).all()
    if epsilon == 1.0:
        assert np.array_equal(engine.mean, np.zeros(len(K))) and engine.variance == pytest.approx(K[0, 0])


def test_returned_arrays_do_not_change_later():
    engine = RankOne(SquaredExponential(0.2)(GRID, GRID))
    engine.learn(3, 1.0, 0.1)
    mean, sd = engine.mean, engine.sd
    copies = mean.copy(), sd.copy()
    engine.learn(9, -1.0, 0.1)
    engine.fade(0.3)
    engine.reset()
    assert np.array_equal(mean, copies[0]) and np.array_equal(sd, copies[1])


@LAW
@given(kernels(), histories(), st.floats(0, 1), seeds)
def test_merged_sums_equal_the_weighted_posterior(kernel, arms, gamma, seed):
    rng = np.random.default_rng(seed)
    y, ridge, n = rng.normal(size=len(arms)), 0.1, len(arms)
    merged = MergedArms(kernel(GRID, GRID), ridge)
    for arm, reward in zip(arms, y, strict=True):
        merged.decay(gamma)
        merged.observe(arm, reward)
    weights = gamma ** np.arange(n - 1.0, -1.0, -1.0)
    kept = weights > 1e-30
    arms, y, weights = np.array(arms, dtype=int)[kept], y[kept], weights[kept]
    fitted = merged.fit()
    assert_same(fitted, kernel, arms, y, ridge / weights)
    X = GRID[arms].reshape(len(arms), 1)
    assert merged.log_det(merged.squared) == pytest.approx(
        log_det(kernel(X, X), ridge / weights**2), rel=1e-9, abs=1e-9
    )
    tight = weighted_sd(kernel, X, GRID, ridge / weights, ridge)
    assert fitted.tight_variance() == pytest.approx(tight**2, abs=1e-9 * max(1.0, kernel.variance))


@LAW
@given(kernels(), histories(1), seeds)
def test_adopted_posteriors_go_on_as_if_carried(kernel, arms, seed):
    y = np.random.default_rng(seed).normal(size=len(arms))
    gram = kernel(GRID, GRID)
    engine, fitted = RankOne(gram), MergedArms.of(gram, 0.2, np.array(arms), y).fit()
    engine.learn(0, 99.0, 0.2)  # to be forgotten
    engine.adopt(fitted.half, fitted.mean, fitted.variance, fitted.log_det)
    engine.learn(5, 1.5, 0.2)
    assert_same(engine, kernel, [*arms, 5], np.append(y, 1.5), 0.2)


def test_faded_arms_give_their_place_away():
    merged = MergedArms(SquaredExponential(0.1)(GRID, GRID), 0.1)
    for arm in range(10):
        merged.observe(arm, 1.0)
    for _ in range(100):
        merged.decay(0.5)
        merged.observe(20, 2.0)
    assert merged.arms.tolist() == [20]
    assert merged.fit().mean[20] == pytest.approx(4.0 / 2.1, rel=1e-12)  # q = 2, r = 4: r / (q + ridge)
