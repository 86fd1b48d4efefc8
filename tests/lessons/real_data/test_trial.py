"""The race on a table: what is counted and drawn, what is said of forgetting, and the same results in any steps."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from figures.film import Film
from figures.frames import choose_frames
from figures.theme import Theme
from lessons import BY_KEY
from lessons.real_data import figure, figure_details, figure_lines, model, panel, upload, words, worker_jobs
from lessons.real_data.model import Trial
from lessons.real_data.own_table import OwnTable
from tests.lessons.real_data.own_table import SETTING, checked, run


def seeded(rows: int, arms: int) -> np.ndarray:
    return np.cumsum(np.random.default_rng(6).normal(size=(rows, arms)), axis=0)


def test_changes_are_where_the_old_arm_is_worse() -> None:
    values = np.tile([1.0, 0.0], (60, 1)) + 0.01 * np.random.default_rng(0).normal(size=(60, 2))
    values[40:44] = [0.0, 1.0]
    values[50] = [2.0, 2.0]  # a tie is no change
    shown = run(values, methods=("gp",))
    assert [shown.table.train_rows + row for row in shown.switches] == [40, 44]


def test_opkb_races_on_small_tables_only() -> None:
    shown = run(seeded(60, 51), methods=("gp", "opkb"), seeds=1)
    assert list(shown.total) == ["GP-UCB"]
    assert "OPKB races on at most 50 arms, and this table has 51." in words.notes(shown)
    with pytest.raises(ValueError, match=r"OPKB races on at most 50 arms.*Choose another method"):
        run(seeded(60, 51), methods=("opkb",))


def test_choice_is_the_most_frequent_of_all_runs() -> None:
    runs = [np.array(arms) for arms in ([0, 1, 2, 3], [0, 2, 2, 1], [1, 1, 0, 2])]
    assert worker_jobs.most_chosen(runs).tolist() == [0, 1, 2, 1]  # of several the first in the table


def test_verdict_is_the_one_measured() -> None:
    rng = np.random.default_rng(3)
    still = run(np.array([0.0, 5.0, 10.0]) + 0.2 * rng.normal(size=(120, 3)))
    assert not still.switches and words.forgetting_helps(still) is False
    assert words.verdict(still).startswith("No gain from forgetting beyond chance")
    assert "much better than random play" in words.verdict(run(np.random.default_rng(4).normal(size=(300, 6))))
    f = [rng.normal(size=4)]
    for _ in range(599):
        f.append(np.sqrt(0.98) * f[-1] + np.sqrt(0.02) * rng.normal(size=4))
    drift = run(np.array(f))
    assert words.forgetting_helps(drift) is True and "the best of those that forget" in words.verdict(drift)
    total = {"GP-UCB": np.array([[20.0], [20.0], [9.0], [20.0]]), "SW-GP-UCB": np.array([[8.0], [9.0], [10.0], [21.0]])}
    average = {name: np.median(ends, axis=0) for name, ends in total.items()}
    half = SimpleNamespace(switches=[1], total=total, average=average, fixed=np.zeros((2, 1)))
    assert words.verdict(half) == (
        "SW-GP-UCB has 52 % less regret than GP-UCB in the median; over 4 seeds this is undecided."
    )
    ends = {"GP-UCB": np.array([[20.0], [21.0], [19.0], [20.0]]), "SW-GP-UCB": np.array([[8.0], [9.0], [10.0], [9.0]])}
    average = {name: np.median(one, axis=0) for name, one in ends.items()}
    near = SimpleNamespace(switches=[1], total=ends, average=average, fixed=(0, np.array([9.2])))
    said = "SW-GP-UCB has 55 % less regret than GP-UCB; that it has less than the best fixed arm is not shown."
    assert words.verdict(near) == said  # it has in the mean, within chance
    near.average |= {"GP-UCB": np.zeros(1)}
    assert words.verdict(near) == "GP-UCB has no regret in the median, so forgetting can gain nothing."


def test_trial_in_steps_is_the_one_in_place(monkeypatch):
    asked, session = [], OwnTable()

    def compute(function, *arguments, seconds, own):
        asked.append(function.__name__)
        return function(*arguments)

    monkeypatch.setattr(panel, "compute", compute)
    monkeypatch.setattr(upload, "own", lambda: session)
    walk = np.cumsum(np.random.default_rng(2).normal(size=(80, 3)), axis=0)
    own = checked(walk)
    stepped = panel.race(SETTING, own)
    assert asked == ["parts", "learn", *["runs"] * 6]
    panel.race(SETTING, own)
    assert len(asked) == 8  # all is kept
    fewer = panel.race(replace(SETTING, seeds=2), own)
    for name, curves in stepped.total.items():
        np.testing.assert_array_equal(curves[:2], fewer.total[name])
    other = panel.race(replace(SETTING, memory=10), own)
    assert asked[14:] == ["runs"] * 4 and other.learnt is stepped.learnt  # Random and GP-UCB have no memory
    in_place = run(walk)
    assert stepped.memories == in_place.memories
    for name, curves in stepped.total.items():
        np.testing.assert_array_equal(curves, in_place.total[name])
        np.testing.assert_array_equal(stepped.most_chosen[name], in_place.most_chosen[name])


PINS = ("GP-UCB", "TV-GP-UCB")


def walk(arms: int, rows: int = 120, **how: object) -> Trial:
    return run(np.cumsum(np.random.default_rng(arms).normal(size=(rows, arms)), axis=0), seeds=3, **how)


FOUR, MANY = walk(4), walk(12)
HOLES = np.random.default_rng(0).random(FOUR.table.rewards.shape) < 0.1
FILLED = replace(FOUR, table=replace(FOUR.table, filled=HOLES))


def wall(of: Trial = FOUR, theme: Theme | None = None) -> Film:
    return figure.wall(of, choose_frames(of.problem.horizon, of.switches, 20), theme or Theme(), 3)


def lines(of: Trial = FOUR, theme: Theme | None = None, names: tuple[str, ...] = PINS) -> Film:
    clock = choose_frames(of.problem.horizon, of.switches, 999)
    return figure_lines.stage(of, model.lanes(of, names, 6), "day", clock, theme or Theme(), 3)


def test_wall_calls_a_half_what_is_one() -> None:
    shipped = BY_KEY["real_data"]
    halves = shipped.bet.scene(shipped.settings({}), 1, Theme()).films["main"].draw(0)
    for film, size, other in ((wall(), "part", "half"), (halves, "half", "part")):
        drawn = str(film.figure.to_dict())
        assert f"of the best arm in the second {size}" in drawn and f"second {other}" not in drawn


def test_any_table_has_figures_on_fixed_axes() -> None:
    theme = Theme(lecture=True)
    odd = (FOUR, MANY, FILLED, walk(2, 40), walk(40, 60, methods=("tv", "gp")))
    films = [draw(of, theme) for draw in (wall, lines) for of in odd]
    for arms in (2, 30, 200):
        C = np.cov(np.random.default_rng(arms).normal(size=(400, arms)), rowvar=False)
        films.append(figure_details.correlations(C, [f"arm number {i}" for i in range(arms)], theme))
    for one in (*films, lines(FOUR, theme, PINS[:1])):
        assert len({len(track) for track in one.tracks}) <= 1
        assert not any(np.isinf(t.values).any() for t in one.tracks if isinstance(t.values, np.ndarray))
        shown = one.figure.checked()
        axes = [name for name in shown.to_dict()["layout"] if name.startswith(("xaxis", "yaxis"))]
        assert axes and all(len(shown.layout[name].range) == 2 for name in axes)
