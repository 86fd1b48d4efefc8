"""The race on a table: what is counted on it, and what is said of forgetting."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from lessons.real_data import words
from tests.lessons.real_data.own_table import run

PINS = ("GP-UCB", "TV-GP-UCB")


def walk(rows: int, arms: int) -> np.ndarray:
    return np.cumsum(np.random.default_rng(6).normal(size=(rows, arms)), axis=0)


def test_changes_are_where_the_old_arm_is_worse() -> None:
    values = np.tile([1.0, 0.0], (60, 1)) + 0.01 * np.random.default_rng(0).normal(size=(60, 2))
    values[40:44] = [0.0, 1.0]
    values[50] = [2.0, 2.0]  # a tie is no change
    shown = run(values, methods=("gp",))
    assert [shown.train + row for row in shown.switches] == [40, 44]


def test_opkb_races_on_small_tables_only() -> None:
    shown = run(walk(60, 51), methods=("gp", "opkb"), seeds=1)
    assert list(shown.total) == ["GP-UCB"]
    assert "OPKB races on at most 50 arms, and this table has 51." in words.notes(shown)
    with pytest.raises(ValueError, match=r"OPKB races on at most 50 arms.*Choose another method"):
        run(walk(60, 51), methods=("opkb",))


def test_verdict_is_the_one_measured() -> None:
    rng = np.random.default_rng(3)
    still = run(np.array([0.0, 5.0, 10.0]) + 0.2 * rng.normal(size=(120, 3)))
    assert not still.switches and words.forgetting_helps(still) is False
    assert words.verdict(still).startswith("Forgetting does not help here")
    assert "close to Random" in words.verdict(run(np.random.default_rng(4).normal(size=(300, 6))))
    f = [rng.normal(size=4)]
    for _ in range(599):
        f.append(np.sqrt(0.98) * f[-1] + np.sqrt(0.02) * rng.normal(size=4))
    drift = run(np.array(f))
    assert words.forgetting_helps(drift) is True and "Forgetting saves" in words.verdict(drift)
    total = {"GP-UCB": np.array([[20.0], [20.0], [9.0], [20.0]]), "SW-GP-UCB": np.array([[8.0], [9.0], [10.0], [21.0]])}
    average = {name: np.median(ends, axis=0) for name, ends in total.items()}
    half = SimpleNamespace(switches=[1], total=total, average=average, fixed=np.zeros((2, 1)))
    assert words.verdict(half) == "SW-GP-UCB has 52% less regret than GP-UCB, but only in 2 of 4 seeds."


@pytest.mark.parametrize("changes", [1, 4, 21])
def test_changes_of_the_best_arm_are_counted(changes: int) -> None:
    values = np.stack([np.sin(np.arange(120)), np.cos(np.arange(120))], axis=1)  # so that the first part moves
    block = np.arange(48) * (changes + 1) // 48 % 2  # the second part: 48 rounds
    values[72:, 0], values[72:, 1] = block, 1 - block
    shown = run(values, methods=("gp",), seeds=1)
    assert len(shown.switches) == changes
    assert f"changes {changes} time{'s' * (changes > 1)} in 48 rounds" in words.notes(shown)[0]
