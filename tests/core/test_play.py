"""The loop and the designs: one noise for everybody, the reward for nobody, a history of what happened."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info, threadpool_limits

from tests.standins import Asker, Optimist, Picks, Spy, Uniform, problem, sees
from tests.strategies import LAW
from tvbo_core.designs import clustered_design, observe, play_rng, random_design, ucb_design
from tvbo_core.gp import posterior
from tvbo_core.kernels import Matern, SquaredExponential
from tvbo_core.play import play
from tvbo_core.records import LearnerInfo, Problem, World
from tvbo_core.worlds import make_problem


def test_regret_is_that_of_the_arms():
    p = problem()
    history = play(p, Optimist(), play_rng(0))
    by_hand = [max(p.f[t]) - p.f[t, history.arms[t]] for t in range(p.horizon)]
    np.testing.assert_array_equal(history.regret, by_hand)


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


def test_side_queries_hear_noise_of_their_own():
    p = replace(problem(T=3000, m=4), noise_sd=0.5)
    spy = Spy(Asker())
    history = play(p, spy, play_rng(0))
    answers = [entry for entry in spy.handed[-4] if entry[0] == "answer"]
    side = np.array([y - p.f[t, arm] for _, t, arms, ys in answers for arm, y in zip(arms, ys, strict=True)])
    rounds = history.y - p.f[np.arange(p.horizon), history.arms]
    n = len(side)
    assert n == 3000
    # 4.5 standard errors of a variance and of a zero correlation of n normal numbers.
    assert side.var() / 0.25 == pytest.approx(1, abs=4.5 * np.sqrt(2 / n))
    assert abs(np.corrcoef(side, rounds)[0, 1]) < 4.5 / np.sqrt(n)


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


def test_plays_without_questions_keep_their_time():
    history = play(problem(), Uniform(), play_rng(0))
    assert history.extra_queries.tolist() == [0] * 40
    assert (history.seconds > 0).all()


def test_bands_decide_their_round():
    p = problem()
    history = play(p, Optimist(), play_rng(1), bands=True)
    assert len(history.bands) == p.horizon
    assert [band.upper.argmax() for band in history.bands] == history.arms.tolist()
    np.testing.assert_array_equal(history.y, play(p, Optimist(), play_rng(1)).y)


@pytest.mark.parametrize(
    ("arm", "words"),
    [(12, "arms are numbered 0 to 11"), (-1, "arms are numbered 0 to 11"), (1.0, "not an arm"), (None, "not an")],
)
def test_choosing_no_arm_is_refused(arm, words):
    with pytest.raises(ValueError, match=f"Picks chose .*{words}"):
        play(problem(), Picks(arm=arm), play_rng(0))


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


@pytest.mark.parametrize("policy", [Uniform(), Optimist(), Asker()], ids=lambda policy: type(policy).__name__)
def test_policies_never_see_the_reward(policy):
    p = problem()
    spy = Spy(policy)
    play(p, spy, play_rng(0))
    assert any(isinstance(thing, LearnerInfo) for thing in spy.handed)
    assert not sees(p.f, spy.handed)
    # The same search finds f where it is: in the problem, however deep.
    for hidden in ([{"here": (p,)}], p.f[3:].T, lambda: p, partial(max, p), p.f.max):
        assert sees(p.f, hidden)


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


def test_play_and_world_draw_apart():
    p = watched(kind="markov", epsilon=1.0, m=1, T=500)
    world = p.f[:, 0]
    noise = play_rng(3).standard_normal(500)
    assert abs(np.corrcoef(world, noise)[0, 1]) < 4.5 / math.sqrt(500)  # standard error of a zero correlation
    assert not np.array_equal(play_rng(3).standard_normal(5), play_rng(4).standard_normal(5))


def test_round_t_hears_row_t():
    p = replace(watched(T=3, m=2), f=np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), noise_sd=0.0)
    assert observe(p, [1, 0, 1], play_rng(0)).y.tolist() == [2.0, 3.0, 6.0]
    assert observe(p, [1, 0], play_rng(0)).regret.tolist() == [0.0, 1.0]


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


def test_fresh_arms_are_for_random_designs():
    x = np.random.default_rng(0).uniform(size=(4, 3, 2))
    p = Problem(x=x, f=np.zeros((4, 3)), noise_sd=0.1, kernel=SquaredExponential(), norm_bound=None)
    history = random_design(p, 4, play_rng(0))
    assert np.array_equal(history.X, x[np.arange(4), history.arms])
    for design in (clustered_design, ucb_design):
        with pytest.raises(ValueError, match="needs the same arms in every round"):
            design(p, 4, play_rng(0))


def test_random_design_picks_arms_equally():
    p = watched(T=10_000, m=10, kind="still")
    counts = np.bincount(random_design(p, 10_000, play_rng(1)).arms, minlength=10)
    # Each count is binomial (10,000, 1/10): standard deviation 30.
    assert np.abs(counts - 1000).max() < 4.5 * 30
