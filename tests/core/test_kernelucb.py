"""KernelUCB: carried and merged bands against the band's own formula, and the edges."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core.bands import ALL, AMM, AY, CMM, DMM, IGP
from tvbo_core.gp.spectral import BoundError, spectrum
from tvbo_core.kernels import Matern, SquaredExponential, Tabulated
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
def test_fast_and_dense_bands_agree_on_random_histories(name, n, seed, size):
    rng = np.random.default_rng(seed)
    arms, y = rng.integers(0, 15, n), size * rng.normal(size=n)  # large rewards leave some bands empty
    fast, dense = (band_after(KernelUCB(name, dense=form), told(), arms, y) for form in (False, True))
    assert fast.empty == dense.empty
    for curve in ("mean", "lower", "upper"):
        assert getattr(fast, curve) == pytest.approx(getattr(dense, curve), abs=1e-9)


@LAW
@given(n=st.integers(1, 60), some=st.integers(1, 15), seed=st.integers(0, 2**32 - 1), alpha=st.floats(0.01, 100))
def test_a_merged_spectrum_gives_the_fit_of_all_observations(n, some, seed, alpha):
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


def test_without_repeats_the_merged_spectrum_is_the_plain_one_to_the_last_digits():
    kernel, y = SquaredExponential(0.5), np.cos(np.arange(15.0))
    merged = merged_spectrum(kernel(GRID, GRID), np.ones(15), y, 0.0)
    plain = spectrum(kernel, GRID, y, GRID)
    alpha = 2e-10 * plain.trace  # the smallest that a band may use: a digit lost in `cross` shows 1e8 times
    assert merged.fit(alpha).mean == pytest.approx(plain.fit(alpha).mean, abs=1e-11)
    assert merged.fit(alpha).sd == pytest.approx(plain.fit(alpha).sd, rel=1e-11)


def test_a_rotation_keeps_the_length_of_the_rewards():
    rng = np.random.default_rng(4)
    arms, y = rng.integers(0, 4, 50), rng.normal(size=50)
    state = KernelUCB("CMM").init(told())
    for arm, reward in zip(arms, y, strict=True):
        state.learn(int(arm), float(reward))
    assert state.spectrum.y_rot @ state.spectrum.y_rot == pytest.approx(y @ y, rel=1e-12)


@every_band
def test_fast_and_dense_bands_agree_when_the_noise_is_small(name):
    # The smallest regulariser is 1e-9 of the trace here: six digits are lost, in both forms.
    rng = np.random.default_rng(0)
    known = told(SquaredExponential(0.3), noise_sd=1e-3)
    arms = rng.integers(0, 15, 60)
    y = np.sin(5 * GRID[arms, 0]) + 1e-3 * rng.normal(size=60)
    fast, dense = (band_after(KernelUCB(name, dense=form), known, arms, y) for form in (False, True))
    for curve in ("mean", "lower", "upper"):
        assert getattr(fast, curve) == pytest.approx(getattr(dense, curve), abs=1e-6)


def test_a_regulariser_below_double_precision_is_refused_in_one_sentence():
    policy = KernelUCB(AY(1.0, 0.1, 0.1, ridge=1e-10))
    with pytest.raises(BoundError, match="too small for this kernel matrix"):
        band_after(policy, told(), [0, 3, 5], [1.0, 2.0, 3.0])


def test_cmm_on_one_arm_has_the_closed_form_bound():
    B, sigma, delta, c, y = 2.0, 0.5, 0.1, 1.3, np.array([0.4, 1.1, 0.2, 0.9, 0.7])
    known = told(Tabulated(np.ones((1, 1))), np.zeros((1, 1)))
    band = band_after(KernelUCB(CMM(B, sigma, delta, c)), known, np.zeros(5, dtype=int), y)
    n, mean = 5, y.mean()
    radius = (
        (y**2).sum()
        - c * y.sum() ** 2 / (sigma**2 + c * n)
        + sigma**2 * np.log(1 + c * n / sigma**2)
        + 2 * sigma**2 * np.log(1 / delta)
    )
    half = np.sqrt(radius / n - ((y**2).mean() - mean**2))
    # 1e-6 as in MATH's oracle: at one arm the minimum lies at alpha -> 0, which double precision cuts short.
    assert band.upper[0] == pytest.approx(min(B, mean + half), abs=1e-6)
    assert band.lower[0] == pytest.approx(max(-B, mean - half), abs=1e-6)


@every_band
def test_every_band_plays_the_same_arms_fast_and_dense(name):
    problem = make_problem(World(kind="still", horizon=30, arms=20, norm_bound=2.0))
    fast, dense = (walk(KernelUCB(name, dense=form), problem) for form in (False, True))
    assert np.array_equal(fast, dense)


def test_ay_gp_ucb_is_gp_ucb_with_its_theoretical_width():
    problem = make_problem(World(kind="still", horizon=60))
    assert np.array_equal(walk(KernelUCB("AY"), problem), walk(GPUCB(width="theory"), problem))


def test_a_name_takes_its_constants_from_the_problem():
    known = told(T=50)
    policy = KernelUCB("AY", delta=0.2, c=3.0)
    assert policy.resolved(known) == AY(2.0, 0.3, 0.2, ridge=0.3**2)
    assert replace(policy, band="IGP").resolved(known) == IGP(2.0, 0.3, 0.2, eta=2 / 50)
    assert replace(policy, band="AMM").resolved(known) == AMM(2.0, 0.3, 0.2, c=3.0)
    assert replace(policy, band="DMM").resolved(known) == DMM(2.0, 0.3, 0.2, c=3.0)
    own = CMM(9.0, 0.1, 0.01)
    assert KernelUCB(own).resolved(known) is own


@every_band
def test_in_a_still_world_that_obeys_the_band_the_best_arm_is_found(name):
    problem = make_problem(World(kind="still", horizon=150, arms=30, norm_bound=1.0, noise_sd=0.05))
    last = walk(KernelUCB(name), problem)[-20:]
    gap = problem.f[0].max() - problem.f[0, last]
    assert gap.mean() < 0.2 * np.ptp(problem.f[0])


@every_band
def test_fresh_arms_that_stay_the_same_are_fixed_arms(name):
    problem = make_problem(World(kind="still", horizon=12, arms=10))
    fresh = replace(problem, x=np.repeat(problem.x[None], 12, axis=0), centres=None, coefficients=None)
    assert np.array_equal(walk(KernelUCB(name), fresh), walk(KernelUCB(name), problem))


@every_band
def test_fresh_arms_are_judged_by_what_was_heard_at_other_places(name):
    rng = np.random.default_rng(0)
    known = told(x=rng.uniform(size=(20, 6, 2)), T=20)
    arms, y, policy = rng.integers(0, 6, 8), rng.normal(size=8), KernelUCB(name)
    ours = band_after(policy, known, arms, y)
    expected = policy.resolved(known).band(known.kernel, known.x[np.arange(8), arms], y, known.x[8])
    assert np.array_equal(ours.upper, expected.upper) and np.array_equal(ours.lower, expected.lower)


@every_band
def test_one_arm_and_no_noise_are_enough(name):
    problem = Problem(np.zeros((1, 1)), np.ones((25, 1)), 0.0, SquaredExponential(), 2.0)
    assert walk(KernelUCB(name), problem).tolist() == [0] * 25


def test_an_impossible_world_is_played_on_by_the_mean():
    # Rewards of 50 under B = 1: no function of the ball fits, and the band says so.
    known, policy = told(B=1.0, noise_sd=0.1), KernelUCB("CMM")
    arms, y = np.array([2, 2, 9, 9, 2, 9]), np.array([50.0, 50.0, 3.0, 3.0, 50.0, 3.0])
    state = policy.init(known)
    for t in range(6):
        state = policy.update(state, t, arms[t], y[t])
    band = state.band()
    assert band.empty and np.array_equal(band.upper, band.mean)
    assert policy.select(state, 6, np.random.default_rng(0)) == band.mean.argmax()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"band": "XYZ"}, "band must be a band or one of CMM, DMM, AMM, AY, IGP"),
        ({"band": 3}, "band must be"),
        ({"delta": 0}, "delta must be above 0"),
        ({"c": -1.0}, "c must be a positive finite number"),
    ],
)
def test_a_setting_out_of_range_is_refused_in_one_sentence(settings, words):
    with pytest.raises(ValueError, match=words):
        KernelUCB(**settings)


def test_a_named_band_needs_a_norm_bound():
    with pytest.raises(ValueError, match="needs a bound on the norm"):
        KernelUCB("AMM").init(told(B=None))
    assert KernelUCB(AMM(1.0, 0.1, 0.1)).init(told(B=None)).band().upper.shape == (15,)
