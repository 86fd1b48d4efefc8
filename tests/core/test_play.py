"""The loop and the designs: one noise for everybody, the reward for nobody, a history of what happened."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info, threadpool_limits

from tests.standins import Asker, Spy, Uniform, problem
from tests.strategies import LAW
from tvbo_core.designs import clustered_design, observe, play_rng, random_design, ucb_design
from tvbo_core.gp import posterior
from tvbo_core.kernels import Matern, SquaredExponential
from tvbo_core.play import play
from tvbo_core.records import Problem, World
from tvbo_core.worlds import make_problem


def test_side_queries_are_answered_before_the_pull():
    p = replace(problem(), noise_sd=0.0)
    spy = Spy(Asker())
    history = play(p, spy, play_rng(0))
    np.testing.assert_array_equal(history.extra_queries, np.arange(p.horizon) % 3)
    log = spy.handed[-4]  # the state that the last update was given, and completed
    expected = []
    for t in range(p.horizon):
        expected.append(("answer", t, tuple(range(t % 3)), tuple(p.f[t, : t % 3])))
        expected.append(("pull", t, t % 2, p.f[t, t % 2]))
    assert log == expected


class Curious(Uniform):
    """Any arm, after three questions whose answers it forgets."""

    def questions(self, arms: int, t: int, rng: np.random.Generator) -> range:
        return range(3)

    def answered(self, arms: int, t: int, asked: np.ndarray, ys: np.ndarray) -> int:
        return arms


def test_asking_changes_neither_noise_nor_choice():
    quiet, curious = (play(problem(), policy, play_rng(5)) for policy in (Uniform(), Curious()))
    assert curious.extra_queries.sum() == 3 * 40 and quiet.extra_queries.sum() == 0
    np.testing.assert_array_equal(quiet.arms, curious.arms)
    np.testing.assert_array_equal(quiet.y, curious.y)


def test_play_uses_one_blas_thread():
    seen = []

    class Counting(Uniform):
        def select(self, arms: int, t: int, rng: np.random.Generator) -> int:
            seen.extend(lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas")
            return 0

    with threadpool_limits(limits=2, user_api="blas"):
        before = threadpool_info()
        play(problem(T=2), Counting(), play_rng(0))
        assert threadpool_info() == before
    assert set(seen) == {1}


# --- observe ------------------------------------------------------------

DESIGNS = (random_design, clustered_design, ucb_design)


def watched(T: int = 60, m: int = 21, **fields: object) -> Problem:
    return make_problem(World(horizon=T, arms=m, **fields))


def noise_of(history) -> np.ndarray:
    n = len(history.arms)
    return history.y - history.problem.f[np.arange(n), history.arms]


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 1000))
@LAW
def test_all_designs_hear_the_same_noise(n, k, seed):
    p = watched()
    heard = [noise_of(design(p, n, play_rng(seed))) for design in DESIGNS]
    heard.append(noise_of(observe(p, np.zeros(k, dtype=int), play_rng(seed))))
    longest = max(heard, key=len)
    for one in heard:
        # f + noise - f loses the last digit or two of the noise.
        np.testing.assert_allclose(one, longest[: len(one)], rtol=0, atol=1e-14)


def test_noise_is_gaussian_of_the_stated_size():
    p = replace(watched(T=20_000, m=1, kind="still"), noise_sd=0.5)
    z = noise_of(observe(p, np.zeros(20_000, dtype=int), play_rng(0))) / 0.5
    # Standard errors of the first, second and fourth moments of N normals: 1, sqrt 2, sqrt 96 over sqrt N.
    for power, moment, variance in ((1, 0, 1), (2, 1, 2), (4, 3, 96)):
        assert (z**power).mean() == pytest.approx(moment, abs=4.5 * math.sqrt(variance / 20_000))


def test_clustered_design_fills_its_intervals_alone():
    p = watched(T=2000, m=101)
    x = clustered_design(p, 2000, play_rng(1)).X[:, 0]
    inside = [(0.1, 0.4), (0.6, 0.9)]
    assert all(any(low - 1e-9 <= v <= high + 1e-9 for low, high in inside) for v in x)
    assert len(np.unique(x)) == 62  # 31 grid points in each, both ends included
    assert clustered_design(p, 5, play_rng(1), intervals=((0.5, 0.5),)).X[:, 0].tolist() == [0.5] * 5


@pytest.mark.parametrize("kernel", [SquaredExponential(0.2), Matern(1.5, 0.3)])
def test_ucb_design_follows_the_textbook_posterior(kernel):
    p = replace(watched(), kernel=kernel)
    history = ucb_design(p, 25, play_rng(2), width=1.5)
    for t in range(25):
        mean, sd = posterior(kernel, history.X[:t], history.y[:t], p.x, p.noise_sd**2)
        index = mean + 1.5 * sd
        # 1e-8: two ways to the same posterior; the arm asked is best up to that.
        assert index[history.arms[t]] >= index.max() - 1e-8
