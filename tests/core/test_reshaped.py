"""A hill reshaped by hand is a kernel sum with a norm and a drift; unbent it travels as ever; its seed is noise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tvbo_core as tv
from tests.strategies import LAW
from tvbo_core.worlds.reshaped import FLAT, HANDLES, MOST, UNIT, Reshaped

BENDS = st.tuples(*[st.integers(-MOST, MOST)] * len(HANDLES))


@given(start=BENDS, end=BENDS, drift=st.sampled_from([0.0, 0.2, 4.0]), horizon=st.sampled_from([1, 2, 56, 300]))
@LAW
def test_reshaped_world_is_a_kernel_sum(start, end, drift: float, horizon: int) -> None:
    problem = tv.make_problem(Reshaped(horizon=horizon, drift=drift, start=start, end=end))
    sums = problem.coefficients @ problem.kernel(problem.centres, problem.x)
    np.testing.assert_allclose(sums, problem.f, atol=1e-6)
    assert problem.norm_bound == pytest.approx(problem.norms.max())
    steps = np.abs(np.diff(problem.f, axis=0)).max(axis=1, initial=0.0)
    assert problem.sup_variation == pytest.approx(steps.sum())


@pytest.mark.parametrize("drift", [0.0, 2.2])
def test_unbent_world_is_the_travelling_hill(drift: float) -> None:
    world = Reshaped(hill=7, drift=drift, horizon=80, noise_sd=0.2, seed=5)
    plain = tv.World("travel", drift, 80, lengthscale=0.25, norm_bound=2.0, arms=101, noise_sd=0.2, seed=7)
    made, drawn = tv.make_problem(world), tv.make_problem(plain)
    np.testing.assert_allclose(made.f, drawn.f, atol=1e-12)
    assert made.noise_sd == drawn.noise_sd == 0.2 and made.norm_bound == pytest.approx(drawn.norm_bound)


def test_handles_lift_their_own_place() -> None:
    start, end = (0, 0, 20, 0, 0, 0), (0, -9, 0, 0, 0, 31)
    bent, plain = (tv.make_problem(Reshaped(horizon=56, start=a, end=b)) for a, b in ((start, end), (FLAT, FLAT)))
    at = np.round(HANDLES[:, 0] * 100).astype(int)
    np.testing.assert_allclose((bent.f - plain.f)[0, at], UNIT * np.array(start), atol=1e-9)
    np.testing.assert_allclose((bent.f - plain.f)[-1, at], UNIT * np.array(end), atol=1e-9)


def test_seed_of_a_reshaped_world_is_noise() -> None:
    world = Reshaped(end=(0, 0, 0, 9, 0, 0), horizon=40)
    np.testing.assert_array_equal(tv.make_problem(world).f, tv.make_problem(replace(world, seed=99)).f)
    still = tv.make_problem(replace(world, drift=0.0))
    assert not still.sup_variation
    np.testing.assert_array_equal(still.f, tv.make_problem(Reshaped(drift=0.0, horizon=40)).f)


@pytest.mark.parametrize("more", [{"low": -1.0, "high": 3.0, "lengthscale": 1.0}, {"kernel": "matern", "nu": 1.5}])
def test_other_intervals_and_kernels_are_reshaped(more: dict) -> None:
    world = Reshaped(end=(0, 0, 0, 9, 0, 0), horizon=40, **more)
    bent, plain = tv.make_problem(world), tv.make_problem(replace(world, end=FLAT))
    arm = int(np.abs(bent.x[:, 0] - np.linspace(world.low, world.high, 6)[3]).argmin())
    assert (bent.f - plain.f)[-1, arm] == pytest.approx(9 * UNIT, abs=1e-9)
