"""GP-UCB, its forgetful relatives and KernelUCB: fast against dense, and each against its paper's formula."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core.bands import ALL
from tvbo_core.gp import posterior
from tvbo_core.kernels import Matern, Tabulated
from tvbo_core.policies import GPUCB, RGPUCB, SWGPUCB, TVGPUCB, UIGPUCB, WGPUCB
from tvbo_core.policies.kernel_ucb import KernelUCB
from tvbo_core.policies.width import LogWidth
from tvbo_core.records import LearnerInfo, Problem, World
from tvbo_core.worlds import make_problem

FEW = settings(LAW, max_examples=40)  # each case plays up to 90 rounds twice
GRID = np.linspace(0, 1, 15)[:, None]
CONSTANT = Tabulated(np.ones((1, 1)))  # one arm with k = 1


def learner_info(kernel=None, x=GRID, T=120, noise_sd=0.3, B=2.0) -> LearnerInfo:
    return LearnerInfo(x, T, noise_sd, kernel or Matern(2.5, 0.3), B, 3.0, None)


def one_arm(T=100_000, noise_sd=1.0, B=0.0) -> LearnerInfo:
    return learner_info(CONSTANT, np.zeros((1, 1)), T, noise_sd, B)


def state_after(policy, known, arms, y):
    """The state of a policy after these arms and rewards."""
    state = policy.init(known)
    for t, (arm, reward) in enumerate(zip(arms, y, strict=True)):
        state = policy.update(state, t, int(arm), float(reward))
    return state


def index(policy, known, arms, y):
    """Mean, sd and width that a policy would use next."""
    return policy.index(state_after(policy, known, arms, y), len(arms))


def walk(policy, problem: Problem, seed=0) -> np.ndarray:
    """The arms a policy pulls, with the noise of a round the same for every policy."""
    noise = problem.noise_sd * np.random.default_rng(seed).standard_normal(problem.horizon)
    state, rng, arms = policy.init(problem.known), np.random.default_rng(1), []
    for t in range(problem.horizon):
        arms.append(policy.select(state, t, rng))
        state = policy.update(state, t, arms[-1], problem.f[t, arms[-1]] + noise[t])
    return np.array(arms)


def history(seed: int, n: int, m: int = 15):
    rng = np.random.default_rng(seed)
    return rng.integers(0, m, n), rng.normal(size=n)


policies = st.one_of(
    st.just(GPUCB()),
    st.builds(RGPUCB, st.integers(1, 100)),
    st.builds(SWGPUCB, st.integers(1, 100)),
    st.builds(WGPUCB, st.floats(0, 1), tight=st.booleans()),
    st.builds(TVGPUCB, st.floats(0, 1)),
    st.builds(UIGPUCB, st.floats(0, 3), printed=st.booleans()),
)


@FEW
@given(policies, st.integers(0, 90), st.integers(0, 2**32 - 1), st.sampled_from(["theory", 2.0, LogWidth(1.0)]))
def test_fast_policies_equal_dense_ones(policy, n, seed, width):
    policy = replace(policy, width=width)
    arms, y = history(seed, n)
    fast, dense = (index(replace(policy, dense=form), learner_info(), arms, y) for form in (False, True))
    for ours, reference in zip(fast, dense, strict=True):
        assert ours == pytest.approx(reference, abs=1e-9)


# ---- the papers' formulas


@pytest.mark.parametrize("gamma", [0.9, 0.5])
def test_wgp_is_the_printed_regression(gamma):
    known, (arms, y), ridge = learner_info(), history(2, 25), 0.3**2
    n = len(y)
    s = np.arange(1, n + 1)
    K, k = known.kernel(GRID[arms], GRID[arms]), known.kernel(GRID[arms], GRID)
    # Deng et al., eq. 2-3 as printed: weights w_s = gamma^-s, lambda_t = lambda w_t.
    w = gamma ** -s.astype(float)
    W = np.diag(np.sqrt(w))
    inverse = np.linalg.inv(W @ K @ W + ridge * w[-1] * np.eye(n))
    mean = (W @ k).T @ inverse @ (W @ y)
    variance = 1.0 - np.einsum("nm,nk,km->m", W @ k, inverse, W @ k)
    ours = index(WGPUCB(gamma), known, arms, y)
    # 1e-7: the printed weights reach 2^25, which costs the reference eight digits.
    assert ours[0] == pytest.approx(mean, abs=1e-7) and ours[1] ** 2 == pytest.approx(variance, abs=1e-7)
    mean, sd = posterior(known.kernel, GRID[arms], y, GRID, ridge * gamma ** -(n - s).astype(float))
    assert ours[0] == pytest.approx(mean, abs=1e-9) and ours[1] == pytest.approx(sd, abs=1e-9)


@pytest.mark.parametrize("every_round", [False, True])
def test_wgp_width_has_the_double_weighted_gain(every_round):
    # Constant kernel: gain bar = 1/2 ln(1 + (1 - g^(2t)) / (lambda (1 - g^2))) (MATH oracle 38).
    known, g, ridge, n, T = one_arm(T=50, noise_sd=0.7, B=3.0), 0.8, 0.3, 12, 50
    policy = WGPUCB(g, ridge=ridge, width="theory", delta=0.2, every_round=every_round)
    delta = 0.2 / T if every_round else 0.2
    gain = 0.5 * math.log(1 + (1 - g ** (2 * n)) / (ridge * (1 - g * g)))
    expected = 3.0 + 0.7 / math.sqrt(ridge) * math.sqrt(2 * math.log(1 / delta) + 2 * gain)
    assert index(policy, known, np.zeros(n, dtype=int), np.ones(n))[2] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.0, 0.05, 0.7, 1.0])
def test_tv_is_the_printed_faded_posterior(epsilon):
    known, (arms, y), s2 = learner_info(), history(3, 40), 0.09
    n = len(y)
    i = np.arange(1, n + 1)
    D = (1 - epsilon) ** (np.abs(i[:, None] - i[None, :]) / 2)
    d = (1 - epsilon) ** ((n + 1 - i) / 2)
    K, k = known.kernel(GRID[arms], GRID[arms]) * D, known.kernel(GRID[arms], GRID) * d[:, None]
    inverse = np.linalg.inv(K + s2 * np.eye(n))
    for policy in (TVGPUCB(epsilon), TVGPUCB(epsilon, dense=True)):
        mean, sd, _ = index(policy, known, arms, y)
        assert mean == pytest.approx(k.T @ inverse @ y, abs=1e-9)
        assert sd**2 == pytest.approx(1 - np.einsum("nm,nk,km->m", k, inverse, k), abs=1e-9)
    log_likelihood = -0.5 * (y @ inverse @ y + np.linalg.slogdet(K + s2 * np.eye(n))[1] + n * math.log(2 * math.pi))
    engine = state_after(TVGPUCB(epsilon), known, arms, y).past.engine
    ours = -0.5 * (engine.misfit + engine.log_det + n * math.log(2 * math.pi * s2))
    assert ours == pytest.approx(log_likelihood, abs=1e-9)


def test_tv_width_is_the_union_bound():
    policy = TVGPUCB(0.1, width="theory", delta=0.3)
    # beta_t = 2 ln(3 m pi_t / delta), pi_t = pi^2 t^2 / 6, at m = 15 arms in the paper's round t = 8.
    expected = math.sqrt(2 * math.log(3 * 15 * math.pi**2 * 64 / 6 / 0.3))
    assert policy.index(policy.init(learner_info(B=None)), 7)[2] == pytest.approx(expected, rel=1e-12)


def test_ui_injects_by_the_predicted_lag():
    known, (arms, y) = learner_info(), history(5, 30)
    lag = len(y) - np.arange(len(y))
    mean, sd = posterior(known.kernel, GRID[arms], y, GRID, 0.09 * (1 + lag**0.7))
    ours = index(UIGPUCB(0.7), known, arms, y)
    assert ours[0] == pytest.approx(mean, abs=1e-9) and ours[1] == pytest.approx(sd, abs=1e-9)


def test_ui_width_is_that_of_mauduit():
    known, (arms, y) = learner_info(), history(6, 30)
    noise = 0.09 * (1 + (len(y) - np.arange(len(y))) ** 1.0)
    K = known.kernel(GRID[arms], GRID[arms])
    ratio = np.linalg.slogdet(np.diag(noise) + K)[1] - np.log(noise).sum()
    expected = math.sqrt(2 * math.log(2 / 0.1) + ratio) + 2.0
    assert index(UIGPUCB(1.0, width="theory"), known, arms, y)[2] == pytest.approx(expected, rel=1e-10)


# ---- trajectories


@pytest.mark.parametrize("width", [2.0, "theory", LogWidth(1.0)])
def test_memories_beyond_the_horizon_play_gpucb(width):
    problem = make_problem(World(kind="jumps", horizon=80, arms=30))
    gp = walk(GPUCB(width=width), problem)
    for policy in (RGPUCB(80), RGPUCB(10**9), SWGPUCB(80), SWGPUCB(10**9)):
        assert np.array_equal(walk(replace(policy, width=width), problem), gp)
    if width == 2.0:
        assert np.array_equal(walk(WGPUCB(1.0), problem), gp)
        assert np.array_equal(walk(TVGPUCB(0.0), problem), gp)


# --- kernelucb ------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
@FEW
@given(n=st.integers(0, 80), seed=st.integers(0, 2**32 - 1), size=st.sampled_from([0.3, 3.0]))
def test_fast_bands_equal_dense_bands(name, n, seed, size):
    rng = np.random.default_rng(seed)
    arms, y = rng.integers(0, 15, n), size * rng.normal(size=n)  # large rewards leave some bands empty
    fast, dense = (state_after(KernelUCB(name, dense=form), learner_info(), arms, y).band() for form in (False, True))
    assert fast.empty == dense.empty
    for curve in ("mean", "lower", "upper"):
        assert getattr(fast, curve) == pytest.approx(getattr(dense, curve), abs=1e-9)


def test_ay_kernelucb_is_gpucb_with_theory_width():
    problem = make_problem(World(kind="still", horizon=60))
    assert np.array_equal(walk(KernelUCB("AY"), problem), walk(GPUCB(width="theory"), problem))
