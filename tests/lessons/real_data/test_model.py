"""The race on a table: changes of the best arm, the table of its numbers, and how long it takes."""

from __future__ import annotations

import numpy as np
import pytest

from lessons.real_data import model, panel, words
from lessons.real_data.tables import Choice
from tests.lessons.real_data.own_table import checked, run


def test_changes_are_where_the_old_arm_is_worse():
    values = np.tile([1.0, 0.0], (60, 1)) + 0.01 * np.random.default_rng(0).normal(size=(60, 2))
    values[40:44] = [0.0, 1.0]
    values[50] = [2.0, 2.0]  # a tie is no change
    shown = run(values, methods=("gp",))
    assert [shown.train + row for row in shown.switches] == [40, 44]


def test_data_table_lists_the_best_first():
    shown = run(np.cumsum(np.random.default_rng(7).normal(size=(90, 3)), axis=0))
    rows = model.rows(shown)
    level = [r["regret per round, median"] for r in rows]
    assert level == sorted(level) and len(rows) == 7
    by_hand = {n: np.median(t[:, -1]) / shown.problem.horizon for n, t in shown.total.items()}
    assert {r["method"]: r["regret per round, median"] for r in rows if r["method"] in by_hand} == pytest.approx(
        by_hand
    )


def test_largest_table_is_announced_with_its_time():
    def walk(rows: int, arms: int) -> np.ndarray:
        return np.cumsum(np.random.default_rng(0).normal(size=(rows, arms)), axis=0)

    small, few, many = (checked(walk(rows, arms)) for rows, arms in ((60, 3), (5000, 3), (5000, 41)))
    assert model.seconds(small, 66 + 48) < 1.0
    assert model.seconds(few, 66 + 48) < 3.0 < panel.LONG_SECONDS < model.seconds(many, 66 + 48)
    assert words.run_button(14.2) == "Run it: about 14 s"
    assert Choice(0, (1, 2)) == Choice(time=0, arms=(1, 2))


def test_opkb_races_on_small_tables_only():
    walk = np.cumsum(np.random.default_rng(0).normal(size=(60, 51)), axis=0)
    shown = run(walk, methods=("gp", "opkb"), seeds=1)
    assert list(shown.total) == ["GP-UCB"]
    assert "OPKB races on at most 50 arms, and this table has 51." in words.notes(shown)
    with pytest.raises(ValueError, match=r"OPKB races on at most 50 arms.*Choose another method"):
        run(walk, methods=("opkb",))
