"""The forgetting page's runs and words: the bowls are the core's own runs, and the sentences say their numbers."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import tvbo_core as tv
from lessons.forgetting import (
    memories as remembering,
)
from lessons.forgetting import (
    model as forgetting,
)
from lessons.forgetting import (
    panel as forgetting_desk,
)
from lessons.forgetting import (
    words as forgetting_words,
)
from lessons.forgetting.lesson import FORGETTING
from lessons.forgetting.memories import Look
from lessons.forgetting.model import FORGETFUL, GRID, Setting
from lessons.shared import problems
from lessons.shared import stored_runs as shipped
from lessons.shared.knobs import METHODS
from shell.jobs import outcome
from tvbo_core import World
from tvbo_core.designs import play_rng
from tvbo_core.gp.memory import Discount, Markov, Restart, Window
from tvbo_core.race import play

DEFAULTS = {key: knob.default for key, knob in FORGETTING.knobs.items()}
SMALL = World(kind="glide", budget=8.0, horizon=40, arms=12, seed=5)
SETTING = Setting(forgetting.worlds(SMALL), "sw", "2", 2)
ROWS = (0, 10, 39)


@cache
def results() -> dict:
    return {job: outcome(job) for job in forgetting.jobs(SETTING)}


@cache
def bowls() -> forgetting.Bowls:
    return forgetting.gather(SETTING, results(), ROWS)


@cache
def opened(number: int = 0) -> tuple:
    """(look, bowls, views, rows, names) of the page as it opens, or of a moment, from the runs that ship."""
    values = {**DEFAULTS, **(FORGETTING.moments[number - 1].values if number else {})}
    look, setting = forgetting.chosen(values)
    jumps, restarts, horizon = remembering.stops(look)
    rows = tuple(sorted({0, 20, horizon - 1, *jumps, *restarts}))
    runs = shipped.runs(forgetting.jobs(setting), forgetting.FILE)
    names = forgetting_words.called(look, setting)
    return look, forgetting.gather(setting, runs, rows), remembering.views(look, rows), rows, names


def test_a_bowl_is_the_regret_of_the_core_played_at_each_memory():
    for w, kind in enumerate(forgetting.FAMILY):
        for k in (0, 3, len(GRID) - 1):
            for s, seed in enumerate((5, 6)):
                problem = tv.make_problem(replace(SMALL, kind=kind, seed=seed))
                played = play(problem, tv.SWGPUCB(window=min(GRID[k], 40), width=2.0), play_rng(seed))
                np.testing.assert_array_equal(
                    bowls().bowls["sw", w].total[k, s], played.regret.cumsum()[list(ROWS)]
                )  # fmt: skip
    assert bowls().done == bowls().total == len(results())


def test_median_quartiles_and_lowest_point_are_those_of_the_seeds():
    bowl = bowls().bowls["sw", 0]
    np.testing.assert_allclose(bowl.median, bowl.total.mean(axis=1))  # of two seeds
    assert (bowl.quartiles[0] <= bowl.median).all() and (bowl.median <= bowl.quartiles[1]).all()
    assert bowl.median[bowl.best(), -1] == bowl.median[:, -1].min()
    assert bowls().endless(0) == np.median(bowls().never[0][:, -1])
    assert forgetting.gather(replace(SETTING, front="rperp"), results(), ROWS).endless(0) is None


def test_only_whole_seeds_are_shown_and_a_run_that_failed_takes_its_seed_along():
    one = forgetting.job(SETTING, "sw", 1, 20, 6)
    for some in ({job: r for job, r in results().items() if job != one}, results() | {one: "it broke"}):
        found = forgetting.gather(SETTING, some, ROWS)
        assert found.bowls["sw", 0].seeds == 1 and found.bowls["wgp", 0].seeds == 2
    nothing = forgetting.gather(SETTING, {}, ROWS)
    assert nothing.bowls == {} and nothing.methods == () and nothing.front(0) is None


def test_the_method_on_the_stage_is_played_first_and_nothing_twice():
    jobs = forgetting.jobs(SETTING)
    assert len(set(jobs)) == len(jobs)
    names = [job.name for job in jobs]
    last = max(i for i, n in enumerate(names) if n in ("SW-GP-UCB", "GP-UCB"))
    assert set(names[: last + 1]) == {"SW-GP-UCB", "GP-UCB"}
    # A restart or window beyond the horizon is one run: H = 2m >= 40 from m = 20 on, W = m >= 40 from m = 40 on.
    assert names.count("R-GP-UCB") == 3 * 2 * 3 and names.count("SW-GP-UCB") == 3 * 2 * 4


def test_m_sets_every_memory_as_the_core_matches_it_and_an_own_value_replaces_it():
    tuning = remembering.tuned({**DEFAULTS, "m": 20})
    kinds = tuning.memories
    assert kinds["R-GP-UCB"] == Restart(40) and kinds["SW-GP-UCB"] == Window(20)
    assert kinds["WGP-UCB"] == Discount(0.95) and kinds["TV-GP-UCB"] == Markov(0.1)
    known = tv.make_problem(SMALL).known
    for method in ("r", "sw", "wgp", "tv"):
        assert forgetting.policy(method, 20, 1000, "2").memory(known) == kinds[METHODS[method]]
        assert tuning.nominal(method) == 20
    own = remembering.tuned({**DEFAULTS, "own_r": 50, "own_sw": 10, "own_wgp": 0.9, "own_tv": 0.01})
    assert [own.nominal(m) for m in ("r", "sw", "wgp", "tv")] == [25, 10, 10, 200]
    assert replace(own, epsilon=0.0).nominal("tv") == math.inf


def test_worlds_without_a_family_stand_alone():
    assert [w.kind for w in forgetting.worlds(SMALL)] == ["glide", "jumps", "still"]
    assert forgetting.worlds(replace(SMALL, kind="markov")) == (replace(SMALL, kind="markov"),)


def test_the_papers_memory_is_the_papers_tuning_in_units_of_m():
    known = tv.make_problem(SMALL).known
    assert forgetting.papers_memory("r", known) == tv.RGPUCB().memory(known).interval / 2
    assert forgetting.papers_memory("wgp", known) == pytest.approx(1 / (1 - tv.WGPUCB().memory(known).gamma))
    assert forgetting.papers_memory("tv", tv.make_problem(replace(SMALL, kind="still")).known) == math.inf


def test_all_memories_of_a_view_have_heard_the_same_and_the_restarts_are_where_the_memory_is_empty():
    look, _, views, rows, _ = opened()
    assert set(views.recalls) == set(look.tuning.said)
    empty = [row for row, n in zip(rows, views.recalls["R-GP-UCB"].count, strict=True) if row and n == 0]
    assert empty == list(views.restarts) == [80, 160, 240]
    view = views.recalls["WGP-UCB"]
    omega = look.tuning.memories["WGP-UCB"].influence(
        views.problem.kernel, views.history.X[:299], 299 - np.arange(299), views.problem.x[views.arm], 0.01, 299
    )  # fmt: skip
    np.testing.assert_allclose(view.influence[-1, :299], omega, atol=1e-10)  # rounding after a solve
    for design in ("ucb", "clustered"):
        assert remembering.views(replace(look, design=design), (0, 5)).recalls["GP-UCB"].count.tolist() == [0, 5]


@pytest.mark.parametrize("place", [0.0, 0.5])
def test_the_first_place_is_a_place_like_any_other_also_where_each_is_looked_at_alone(monkeypatch, place: float):
    monkeypatch.setattr(remembering, "overview", lambda *told: None)  # as where arms are hardly related
    look = replace(opened()[0], world=SMALL, place=place)
    views = remembering.views(look, ROWS)
    assert set(views.recalls) == set(look.tuning.said)
    assert views.arm == round(place * (SMALL.arms - 1))


def test_every_run_of_the_opening_and_the_moments_ships_and_is_what_the_engine_plays():
    jobs = forgetting_desk.opened()
    found = shipped.runs(jobs, forgetting.FILE)
    assert list(found) == jobs
    for job in (jobs[0], jobs[len(jobs) // 2], jobs[-1]):
        played = outcome(job)
        np.testing.assert_array_equal(found[job].arms, played.arms)
        np.testing.assert_allclose(found[job].regret, played.regret)


def test_the_opening_shows_a_bowl_where_the_world_moves_and_none_where_it_is_still():
    _, found, *_ = opened()
    best = {w.kind: found.front(i).best() for i, w in enumerate(found.setting.worlds)}
    assert 0 < best["glide"] < len(GRID) - 1 and 0 < best["jumps"] < len(GRID) - 1
    still = found.front(2).median[:, -1]
    assert (np.diff(still) <= 1e-9).all() and still[-1] == found.endless(2)


def test_the_finding_says_the_numbers_of_the_bowl():
    look, found, views, rows, names = opened()
    said = forgetting_words.finding(views, found, look, rows, names)
    pays = found.front(0).median[:, -1]
    assert f"pays {pays[0]:.0f} at m = 5 (noise)" in said[-1]
    assert f"{pays.min():.1f} at m = {GRID[pays.argmin()]}" in said[-1]
    assert "gliding world" in said[-1] and "in the still world more is better" in said[-1]
    assert "no observations yet" in said[0]
    assert [i for i, text in enumerate(said) if "has just restarted" in text] == [rows.index(r) for r in (80, 160, 240)]


def test_the_still_world_is_told_that_forgetting_only_costs():
    look, setting = forgetting.chosen({**DEFAULTS, "kind": "still"})
    _, found, views, rows, _ = opened()
    names = forgetting_words.called(look, setting)
    said = forgetting_words.finding(views, found, look, rows, names)[-1]
    assert "no bowl" in said and "forgetting only costs" in said


def test_the_walk_of_figure_2c_loses_little_by_too_much_change_and_a_lot_by_none():
    _, found, *_ = opened(3)
    pays, never = found.front(0).median[:, -1], found.endless(0)
    assert found.setting.front == "tv" and len(found.setting.worlds) == 1
    assert pays[GRID.index(80)] < 1.5 * pays.min() < never  # epsilon 2.5 times too large; no change at all


def test_a_covered_bowl_asks_and_a_bet_is_compared_with_the_lowest_point():
    look, found, views, rows, _ = opened()
    covered = forgetting_words.called(look, found.setting, 0, True)
    said = forgetting_words.finding(views, found, look, rows, covered)
    assert len(set(said)) == 1 and said[0].startswith("At which memory m")
    best = GRID[found.front(0).best()]
    right = forgetting_words.notes(views, found, look, forgetting_words.called(look, found.setting, best))
    wrong = forgetting_words.notes(views, found, look, forgetting_words.called(look, found.setting, 320))
    assert "is the lowest point" in right[0] and f"The lowest is m = {best}" in wrong[0]
    hidden = forgetting_words.notes(views, found, look, covered)
    assert not any(str(best) in note for note in hidden if "m =" in note)


def test_a_memory_beyond_the_horizon_is_said_to_forget_nothing():
    look, setting = forgetting.chosen({**DEFAULTS, "m": 320})
    _, found, views, _, _ = opened()
    said = " ".join(forgetting_words.notes(views, found, look, forgetting_words.called(look, setting)))
    assert "R-GP-UCB and SW-GP-UCB never forget within T = 300: exactly GP-UCB" in said


def test_a_setting_off_the_grid_names_the_nearest_runs():
    look, setting = forgetting.chosen({**DEFAULTS, "own_r": 100})
    _, found, views, _, _ = opened()
    said = " ".join(forgetting_words.notes(views, found, look, forgetting_words.called(look, setting)))
    assert "nearest to your setting is m = 40" in said


def test_runs_that_failed_or_are_missing_leave_words_and_no_numbers():
    look, found, views, rows, names = opened()
    empty = forgetting.gather(found.setting, {}, rows)
    said = forgetting_words.finding(views, empty, look, rows, names)
    assert "on their way" in said[-1]
    assert forgetting_words.table(empty, names) == []
    assert all("nan" not in note for note in forgetting_words.notes(views, empty, look, names))
    assert "seed 3" in forgetting_words.caption(views, empty, look)


def test_progress_and_pause_name_the_runs():
    setting = SETTING
    assert re.fullmatch(
        r"Running 2 seeds × 5 methods × 9 memories × 3 worlds: 7/90 done, about 3 s",
        forgetting_words.progress(setting, 7, 90, 3.2),
    )
    assert "Cancelled" in forgetting_words.pause(bowls(), True)
    assert forgetting_words.start(12, 100.0, True) == "Run the rest: 12 runs, about 2 min"


def test_the_tables_hold_every_bowl_and_every_observation():
    look, found, views, rows, names = opened()
    table = forgetting_words.table(found, names)
    assert len(table) == len(FORGETFUL) * 3 * len(GRID) + 3
    weights = forgetting_words.weights(views, look, len(rows) - 1)
    assert len(weights) == 299 and weights[0]["age"] == 1 and weights[0]["SW-GP-UCB weight"] == 1.0
    assert forgetting_words.weights(views, look, 0) == [{"t heard": "no observations yet"}]


@pytest.mark.parametrize("kind", ["markov", "cyclic", "rough", "data"])
def test_other_worlds_can_be_looked_at(kind: str):
    world = replace(SMALL, kind=kind)
    look = Look(world, "random", remembering.tuned({**DEFAULTS, "m": 5}), 1.0)
    horizon = remembering.stops(look)[2]
    views = remembering.views(look, (0, 3, horizon - 1))
    assert views.arm == views.problem.f.shape[1] - 1 and horizon == problems.problem(world).horizon
    assert all(np.isfinite(v.mean).all() for v in views.recalls.values())
