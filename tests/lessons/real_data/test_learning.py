"""A trial on a table: learnt on the first part only, raced on the second."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lessons.real_data import trial
from lessons.real_data.trial import Memories
from tests.strategies import LAW
from tvbo_core.designs import play_rng
from tvbo_core.play import play
from tvbo_core.worlds.tables import Table, training_problem


def table(rewards: np.ndarray, train: int) -> Table:
    rows, arms = rewards.shape
    names, times = tuple(map(str, range(arms))), tuple(map(str, range(rows)))
    return Table("own", "own", rewards, names, times, "", "", "", "", train)


def walk(rows: int, arms: int, seed: int = 0) -> np.ndarray:
    return np.cumsum(np.random.default_rng(seed).normal(size=(rows, arms)), axis=0)


def test_trials_learn_from_the_first_part_alone():
    rewards = walk(160, 5)
    other = rewards.copy()
    other[80:] = walk(80, 5, 9)
    one, two = (trial.learn(training_problem(table(r, 80)), 3) for r in (rewards, other))
    assert one.memories == two.memories
    np.testing.assert_array_equal(one.fit.curve, two.fit.curve)


def test_chosen_memories_win_their_training_races():
    problem = training_problem(table(walk(240, 4), 120))
    learnt, lengths = trial.learn(problem, 0), [m for m in trial.LENGTHS if m <= 120]
    for name, chosen in (("R-GP-UCB", learnt.memories.restart // 2), ("SW-GP-UCB", learnt.memories.window)):
        by_hand = [
            np.mean([play(problem, Memories.of(m).policy(name), play_rng(s)).regret.mean() for s in (0, 1)])
            for m in lengths
        ]
        assert chosen == lengths[int(np.argmin(by_hand))]


@given(st.integers(0, 1000))
@LAW
def test_shuffling_keeps_rows_in_their_part(seed):
    own = table(walk(30, 3), 18)
    mixed = trial.shuffled(own, seed)
    for part in (slice(0, 18), slice(18, 30)):
        assert sorted(map(tuple, mixed.rewards[part])) == sorted(map(tuple, own.rewards[part]))
        assert sorted(mixed.times[part], key=int) == list(own.times[part])
    for time, row in zip(mixed.times, mixed.rewards, strict=True):
        np.testing.assert_array_equal(row, own.rewards[int(time)])
    np.testing.assert_allclose(training_problem(mixed).kernel.matrix, training_problem(own).kernel.matrix, rtol=1e-9)
