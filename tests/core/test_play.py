"""The loop: the same noise for everybody, f for nobody, and a history that is what happened."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from tests.standins import (
    Asker,
    Optimist,
    Picks,
    Spy,
    Uniform,
    problem,
    sees,
)
from tvbo_core.designs import play_rng
from tvbo_core.play import play
from tvbo_core.records import LearnerInfo


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
    [
        (12, "arms are numbered 0 to 11"),
        (-1, "arms are numbered 0 to 11"),
        (1.0, "not an arm"),
        (None, "not an"),
    ],
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
