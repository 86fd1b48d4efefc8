"""Watching: the same noise for everybody, designs that pick what they say."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core.designs import clustered_design, observe, play_rng, random_design, ucb_design
from tvbo_core.gp import posterior
from tvbo_core.kernels import Matern, SquaredExponential
from tvbo_core.records import Problem, World
from tvbo_core.worlds import make_problem

DESIGNS = (random_design, clustered_design, ucb_design)


def problem(T: int = 60, m: int = 21, **fields: object) -> Problem:
    return make_problem(World(horizon=T, arms=m, **fields))


def noise_of(history) -> np.ndarray:
    n = len(history.arms)
    return history.y - history.problem.f[np.arange(n), history.arms]


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 1000))
@LAW
def test_all_designs_hear_the_same_noise(n, k, seed):
    p = problem()
    heard = [noise_of(design(p, n, play_rng(seed))) for design in DESIGNS]
    heard.append(noise_of(observe(p, np.zeros(k, dtype=int), play_rng(seed))))
    longest = max(heard, key=len)
    for one in heard:
        # f + noise - f loses the last digit or two of the noise.
        np.testing.assert_allclose(one, longest[: len(one)], rtol=0, atol=1e-14)


def test_noise_is_gaussian_of_the_stated_size():
    p = replace(problem(T=20_000, m=1, kind="still"), noise_sd=0.5)
    z = noise_of(observe(p, np.zeros(20_000, dtype=int), play_rng(0))) / 0.5
    # Standard errors of the first, second and fourth moments of N normals: 1, sqrt 2, sqrt 96 over sqrt N.
    for power, moment, variance in ((1, 0, 1), (2, 1, 2), (4, 3, 96)):
        assert (z**power).mean() == pytest.approx(moment, abs=4.5 * math.sqrt(variance / 20_000))


def test_play_and_world_draw_apart():
    p = problem(kind="markov", epsilon=1.0, m=1, T=500)
    world = p.f[:, 0]
    noise = play_rng(3).standard_normal(500)
    assert abs(np.corrcoef(world, noise)[0, 1]) < 4.5 / math.sqrt(500)  # standard error of a zero correlation
    assert not np.array_equal(play_rng(3).standard_normal(5), play_rng(4).standard_normal(5))


def test_round_t_hears_row_t():
    p = replace(problem(T=3, m=2), f=np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), noise_sd=0.0)
    assert observe(p, [1, 0, 1], play_rng(0)).y.tolist() == [2.0, 3.0, 6.0]
    assert observe(p, [1, 0], play_rng(0)).regret.tolist() == [0.0, 1.0]


def test_clustered_design_fills_its_intervals_alone():
    p = problem(T=2000, m=101)
    x = clustered_design(p, 2000, play_rng(1)).X[:, 0]
    inside = [(0.1, 0.4), (0.6, 0.9)]
    assert all(any(low - 1e-9 <= v <= high + 1e-9 for low, high in inside) for v in x)
    assert len(np.unique(x)) == 62  # 31 grid points in each, both ends included
    assert clustered_design(p, 5, play_rng(1), intervals=((0.5, 0.5),)).X[:, 0].tolist() == [0.5] * 5


@pytest.mark.parametrize("kernel", [SquaredExponential(0.2), Matern(1.5, 0.3)])
def test_ucb_design_follows_the_textbook_posterior(kernel):
    p = replace(problem(), kernel=kernel)
    history = ucb_design(p, 25, play_rng(2), width=1.5)
    for t in range(25):
        mean, sd = posterior(kernel, history.X[:t], history.y[:t], p.x, p.noise_sd**2)
        index = mean + 1.5 * sd
        # 1e-8: two ways to the same posterior; the arm asked is best up to that.
        assert index[history.arms[t]] >= index.max() - 1e-8


def test_fresh_arms_are_for_random_designs():
    x = np.random.default_rng(0).uniform(size=(4, 3, 2))
    p = Problem(x=x, f=np.zeros((4, 3)), noise_sd=0.1, kernel=SquaredExponential(), norm_bound=None)
    history = random_design(p, 4, play_rng(0))
    assert np.array_equal(history.X, x[np.arange(4), history.arms])
    for design in (clustered_design, ucb_design):
        with pytest.raises(ValueError, match="needs the same arms in every round"):
            design(p, 4, play_rng(0))
