"""KernelUCB: carried and merged bands against the band's own formula, and the edges."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core.bands import ALL, AMM, AY, CMM, DMM, IGP
from tvbo_core.gp.spectral import spectrum
from tvbo_core.kernels import Matern
from tvbo_core.policies import GPUCB
from tvbo_core.policies.kernel_ucb import KernelUCB, merged_spectrum
from tvbo_core.records import LearnerInfo, Problem, World
from tvbo_core.worlds import make_problem

LAW = settings(LAW, max_examples=25)
GRID = np.linspace(0, 1, 15)[:, None]
every_band = pytest.mark.parametrize("name", ALL)


def told(kernel=None, x=GRID, T=120, noise_sd=0.3, B=2.0) -> LearnerInfo:
    return LearnerInfo(x, T, noise_sd, kernel or Matern(2.5, 0.3), B, 3.0, None)


def band_after(policy, known, arms, y):
    state = policy.init(known)
    for t, (arm, reward) in enumerate(zip(arms, y, strict=True)):
        state = policy.update(state, t, int(arm), float(reward))
    return state.band()


def walk(policy, problem: Problem) -> np.ndarray:
    noise = problem.noise_sd * np.random.default_rng(0).standard_normal(problem.horizon)
    state, rng, arms = policy.init(problem.known), np.random.default_rng(1), []
    for t in range(problem.horizon):
        arms.append(policy.select(state, t, rng))
        state = policy.update(state, t, arms[-1], problem.f[t, arms[-1]] + noise[t])
    return np.array(arms)


@every_band
@LAW
@given(n=st.integers(0, 80), seed=st.integers(0, 2**32 - 1), size=st.sampled_from([0.3, 3.0]))
def test_fast_bands_equal_dense_bands(name, n, seed, size):
    rng = np.random.default_rng(seed)
    arms, y = rng.integers(0, 15, n), size * rng.normal(size=n)  # large rewards leave some bands empty
    fast, dense = (band_after(KernelUCB(name, dense=form), told(), arms, y) for form in (False, True))
    assert fast.empty == dense.empty
    for curve in ("mean", "lower", "upper"):
        assert getattr(fast, curve) == pytest.approx(getattr(dense, curve), abs=1e-9)


@LAW
@given(n=st.integers(1, 60), some=st.integers(1, 15), seed=st.integers(0, 2**32 - 1), alpha=st.floats(0.01, 100))
def test_merged_spectrum_fits_all_observations(n, some, seed, alpha):
    rng = np.random.default_rng(seed)
    arms, y, kernel = rng.integers(0, some, n), rng.normal(size=n), Matern(1.5, 0.3)
    counts, sums = np.bincount(arms, minlength=15), np.bincount(arms, y, 15)
    squares = float(((y - (sums / np.maximum(counts, 1))[arms]) ** 2).sum())
    merged = merged_spectrum(kernel(GRID, GRID), counts, sums, squares).fit(alpha)
    full = spectrum(kernel, GRID[arms], y, GRID).fit(alpha)
    for ours, reference in ((merged.mean, full.mean), (merged.sd, full.sd)):
        assert ours == pytest.approx(reference, abs=1e-9)
    assert merged.log_det == pytest.approx(full.log_det, rel=1e-9, abs=1e-9)
    assert merged.misfit == pytest.approx(full.misfit, rel=1e-9, abs=1e-9)
    assert merged.trace == pytest.approx(full.trace, rel=1e-12)


def test_ay_kernelucb_is_gpucb_with_theory_width():
    problem = make_problem(World(kind="still", horizon=60))
    assert np.array_equal(walk(KernelUCB("AY"), problem), walk(GPUCB(width="theory"), problem))


def test_named_bands_take_their_constants_from_the_problem():
    known = told(T=50)
    policy = KernelUCB("AY", delta=0.2, c=3.0)
    assert policy.resolved(known) == AY(2.0, 0.3, 0.2, ridge=0.3**2)
    assert replace(policy, band="IGP").resolved(known) == IGP(2.0, 0.3, 0.2, eta=2 / 50)
    assert replace(policy, band="AMM").resolved(known) == AMM(2.0, 0.3, 0.2, c=3.0)
    assert replace(policy, band="DMM").resolved(known) == DMM(2.0, 0.3, 0.2, c=3.0)
    own = CMM(9.0, 0.1, 0.01)
    assert KernelUCB(own).resolved(known) is own


@every_band
def test_fresh_arms_use_rewards_of_other_places(name):
    rng = np.random.default_rng(0)
    known = told(x=rng.uniform(size=(20, 6, 2)), T=20)
    arms, y, policy = rng.integers(0, 6, 8), rng.normal(size=8), KernelUCB(name)
    ours = band_after(policy, known, arms, y)
    expected = policy.resolved(known).band(known.kernel, known.x[np.arange(8), arms], y, known.x[8])
    assert np.array_equal(ours.upper, expected.upper) and np.array_equal(ours.lower, expected.lower)


def test_empty_bands_play_the_best_mean():
    # Rewards of 50 under B = 1: no function of the ball fits, and the band says so.
    known, policy = told(B=1.0, noise_sd=0.1), KernelUCB("CMM")
    arms, y = np.array([2, 2, 9, 9, 2, 9]), np.array([50.0, 50.0, 3.0, 3.0, 50.0, 3.0])
    state = policy.init(known)
    for t in range(6):
        state = policy.update(state, t, arms[t], y[t])
    band = state.band()
    assert band.empty and np.array_equal(band.upper, band.mean)
    assert policy.select(state, 6, np.random.default_rng(0)) == band.mean.argmax()
