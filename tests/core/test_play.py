"""The loop and the designs: one noise for everybody, the reward for nobody, a history of what happened."""

from __future__ import annotations

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


@pytest.mark.parametrize("kernel", [SquaredExponential(0.2), Matern(1.5, 0.3)])
def test_ucb_design_follows_the_textbook_posterior(kernel):
    p = replace(watched(), kernel=kernel)
    history = ucb_design(p, 25, play_rng(2), width=1.5)
    for t in range(25):
        mean, sd = posterior(kernel, history.X[:t], history.y[:t], p.x, p.noise_sd**2)
        index = mean + 1.5 * sd
        # 1e-8: two ways to the same posterior; the arm asked is best up to that.
        assert index[history.arms[t]] >= index.max() - 1e-8
