"""The forgetting page's runs and words: the bowls are the core's own runs, and the sentences say their numbers."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import tvbo_core as tv
from lessons.forgetting import memories, model, scene, store, tables, words
from lessons.forgetting.knobs import MEMORY_STEPS, WITH_MEMORY
from lessons.forgetting.lesson import LESSON
from lessons.forgetting.memories import ViewSetting
from lessons.forgetting.model import Setting
from lessons.shared import problems, stored_runs
from lessons.shared.knobs import METHODS
from lessons.shared.odds import shipped
from tvbo_core import World
from tvbo_core.designs import play_rng
from tvbo_core.gp.memory import Discount, Markov, Restart, Window, matched
from tvbo_core.jobs import outcome
from tvbo_core.play import play

DEFAULTS = {key: knob.default for key, knob in LESSON.knobs.items()}
SMALL = World(kind="glide", budget=8.0, horizon=40, arms=12, seed=5)
SETTING = Setting(model.family(SMALL), "sw", "2", 2)
ROWS = (0, 10, 39)


def plain(said: str) -> str:
    return re.sub(r"<.*?>", "", said)


@cache
def results() -> dict:
    return {job: outcome(job) for job in model.jobs(SETTING)}


@cache
def sweep() -> model.MemorySweep:
    return model.gather(SETTING, results(), ROWS)


@cache
def opened(key: str = "") -> tuple:
    """(past, sweep, views, rows, names) of the page as it opens, or of a moment, from the runs that ship."""
    values = {**DEFAULTS, **(LESSON.moment(key).values if key else {})}
    past, setting = model.chosen(values)
    jumps, restarts, horizon = memories.stops(past)
    rows = tuple(sorted({0, 20, horizon - 1, *jumps, *restarts}))
    runs = stored_runs.runs(model.jobs(setting), model.FILE)
    names = words.legend(past, setting)
    return past, model.gather(setting, runs, rows), memories.views(past, rows), rows, names


def test_the_readers_own_hill_is_called_so_and_no_travelling_world():
    yours = DEFAULTS | {"kind": "yours", "reshaped": "49~2.2~drawn~0_0_-9_0_0_31", "covered": True}
    past, setting = model.chosen(yours)
    names = words.legend(past, setting, covered=True)
    assert names.worlds == ("Your hill",)
    assert "lose least in your hill?" in plain(words._question(names, past))
    past, setting = model.chosen(DEFAULTS | {"kind": "travel"})
    assert "in the travelling world?" in plain(words._question(words.legend(past, setting, covered=True), past))


def test_a_bowl_is_the_regret_of_the_core_played_at_each_memory():
    for w, kind in enumerate(model.FAMILY):
        for k in (0, 3, len(MEMORY_STEPS) - 1):
            for s, seed in enumerate((5, 6)):
                problem = tv.make_problem(replace(SMALL, kind=kind, seed=seed))
                played = play(problem, tv.SWGPUCB(window=min(MEMORY_STEPS[k], 40), width=2.0), play_rng(seed))
                np.testing.assert_array_equal(sweep().curves["sw", w].total[k, s], played.regret.cumsum()[list(ROWS)])
    assert sweep().done == sweep().total == len(results())


def test_median_quartiles_and_lowest_point_are_those_of_the_seeds():
    bowl = sweep().curves["sw", 0]
    np.testing.assert_allclose(bowl.median, bowl.total.mean(axis=1))  # of two seeds
    assert (bowl.quartiles[0] <= bowl.median).all() and (bowl.median <= bowl.quartiles[1]).all()
    assert bowl.median[bowl.best(), -1] == bowl.median[:, -1].min()
    assert sweep().limit(0) == np.median(sweep().gp_ucb[0][:, -1])
    assert model.gather(replace(SETTING, front="rperp"), results(), ROWS).limit(0) is None


def test_only_whole_seeds_of_a_world_are_shown_and_a_run_that_failed_takes_its_seed_there_along():
    one = model.job(SETTING, "sw", 1, 20, 6)
    for some in ({job: r for job, r in results().items() if job != one}, results() | {one: "it broke"}):
        found = model.gather(SETTING, some, ROWS)
        assert found.curves["sw", 1].seeds == 1 and found.curves["wgp", 1].seeds == 2
        assert found.curves["sw", 0].seeds == found.curves["sw", 2].seeds == 2  # as when no other world is played
    nothing = model.gather(SETTING, {}, ROWS)
    assert nothing.curves == {} and nothing.methods == () and nothing.front(0) is None


def test_the_method_on_the_stage_is_played_first_and_nothing_twice():
    jobs = model.jobs(SETTING)
    assert len(set(jobs)) == len(jobs)
    names = [job.name for job in jobs]
    last = max(i for i, n in enumerate(names) if n in ("SW-GP-UCB", "GP-UCB"))
    assert set(names[: last + 1]) == {"SW-GP-UCB", "GP-UCB"}
    # A restart or window beyond the horizon is one run: H = 2m >= 40 from m = 20 on, W = m >= 40 from m = 40 on.
    assert names.count("R-GP-UCB") == 3 * 2 * 3 and names.count("SW-GP-UCB") == 3 * 2 * 4


def test_the_bowl_alone_is_the_same_bowl_from_the_runs_of_one_method_in_one_world():
    for w, world in enumerate(SETTING.worlds):
        bowl = SETTING.bowl(world)
        jobs = model.jobs(bowl)
        assert {job.name for job in jobs} == {"SW-GP-UCB", "GP-UCB"} and {job.world.kind for job in jobs} == {
            world.kind
        }
        assert set(jobs) < set(model.jobs(SETTING))
        found = model.gather(bowl, {job: results()[job] for job in jobs}, ROWS)
        assert found.done == found.total == len(jobs) and found.methods == ("sw",)
        np.testing.assert_array_equal(found.front(0).total, sweep().front(w).total)
        np.testing.assert_array_equal(found.gp_ucb[0], sweep().gp_ucb[w])


def test_m_sets_every_memory_as_the_core_matches_it_and_an_own_value_replaces_it():
    tuning = memories.tuned({**DEFAULTS, "m": 20})
    kinds = tuning.memories
    assert kinds["R-GP-UCB"] == Restart(40) and kinds["SW-GP-UCB"] == Window(20)
    assert kinds["WGP-UCB"] == Discount(0.95) and kinds["TV-GP-UCB"] == Markov(0.1)
    known = tv.make_problem(SMALL).known
    for method in ("r", "sw", "wgp", "tv"):
        assert model.policy(method, 20, 1000, "2").memory(known) == kinds[METHODS[method]]
        assert tuning.nominal(method) == 20
    own = memories.tuned({**DEFAULTS, "own_r": 50, "own_sw": 10, "own_wgp": 0.9, "own_tv": 0.01})
    assert [own.nominal(m) for m in ("r", "sw", "wgp", "tv")] == [25, 10, 10, 200]
    assert replace(own, epsilon=0.0).nominal("tv") == math.inf


def test_worlds_without_a_family_stand_alone():
    assert [w.kind for w in model.family(SMALL)] == ["glide", "jumps", "still"]
    assert model.family(replace(SMALL, kind="markov")) == (replace(SMALL, kind="markov"),)


def test_the_papers_memory_is_the_papers_tuning_in_units_of_m():
    known = tv.make_problem(SMALL).known
    assert model.papers_memory("r", known) == tv.RGPUCB().memory(known).interval / 2
    assert model.papers_memory("wgp", known) == pytest.approx(1 / (1 - tv.WGPUCB().memory(known).gamma))
    assert model.papers_memory("tv", tv.make_problem(replace(SMALL, kind="still")).known) == math.inf


def test_all_memories_of_a_view_have_heard_the_same_and_the_restarts_are_where_the_memory_is_empty():
    past, _, views, rows, _ = opened()
    assert set(views.recalls) == set(past.tuning.said)
    empty = [row for row, n in zip(rows, views.held("R-GP-UCB"), strict=True) if row and n == 0]
    assert empty == list(views.restarts) == [80, 160, 240]
    view = views.recalls["WGP-UCB"]
    omega = past.tuning.memories["WGP-UCB"].influence(
        views.problem.kernel, views.history.X[:299], 299 - np.arange(299), views.problem.x[views.arm], 0.01, 299
    )
    np.testing.assert_allclose(view.influence[-1, :299], omega, atol=1e-10)  # rounding after a solve
    for design in ("ucb", "clustered"):
        never = memories.views(replace(past, design=design), (0, 5)).recalls["GP-UCB"]
        assert never.weight.sum(axis=1).tolist() == [0, 5]


def test_every_run_of_the_opening_and_the_moments_ships_and_is_what_the_engine_plays():
    jobs = store.opened()
    found = stored_runs.runs(jobs, model.FILE)
    assert list(found) == jobs
    for job in (jobs[0], jobs[len(jobs) // 2], jobs[-1]):
        played = outcome(job)
        np.testing.assert_array_equal(found[job].arms, played.arms)
        np.testing.assert_allclose(found[job].regret, played.regret)


def test_the_opening_shows_a_bowl_where_the_world_moves_and_none_where_it_is_still():
    _, found, *_ = opened()
    best = {w.kind: found.front(i).best() for i, w in enumerate(found.setting.worlds)}
    assert 0 < best["glide"] < len(MEMORY_STEPS) - 1 and 0 < best["jumps"] < len(MEMORY_STEPS) - 1
    still = found.front(2).median[:, -1]
    assert (np.diff(still) <= 1e-9).all() and still[-1] == found.limit(2)


def test_the_finding_says_the_numbers_of_the_bowl():
    past, found, views, rows, names = opened()
    said = words.finding(views, found, rows, names, past)
    pays = found.front(names.chosen).median[:, -1]
    assert plain(said[-1]) == (
        f"With 40 steps of memory you pay {pays.min():.1f}, the least; never forgetting costs {pays[-1]:.0f}. "
        "A shorter memory is noisy, a longer one stale."
    )
    assert MEMORY_STEPS[pays.argmin()] == 40
    assert "no observations yet" in said[0]
    assert [i for i, text in enumerate(said) if "has just restarted" in text] == [rows.index(r) for r in (80, 160, 240)]


def test_a_round_before_each_restart_the_finding_says_that_the_memory_is_full():
    past, found, *_ = opened()
    rows = tuple(range(past.world.horizon))
    views, runs = memories.views(past, rows), stored_runs.runs(model.jobs(found.setting), model.FILE)
    sweep = model.gather(found.setting, runs, rows)
    said = words.finding(views, sweep, rows, words.legend(past, found.setting), past)
    held = views.held("R-GP-UCB")
    full = [row for row, text in enumerate(said) if "is as full as it gets" in text]
    assert full == [79, 159, 239] == [row for row in rows if held[row] == max(held)]


@pytest.mark.parametrize("played", [1, 9])
def test_while_seeds_are_still_to_come_the_finding_says_how_many_and_judges_nothing(played: int):
    past, whole, views, rows, names = opened()
    setting = whole.setting
    some = stored_runs.runs(model.jobs(replace(setting, seeds=played)), model.FILE)
    sweep = model.gather(setting, some, rows)
    assert sweep.front(names.chosen).seeds == played < setting.seeds == 10
    pays = sweep.front(names.chosen).median[MEMORY_STEPS.index(40), -1]
    assert plain(words.finding(views, sweep, rows, names, past)[-1]) == (
        f"Only {played} of 10 worlds have been played: there 40 steps of memory pay {words.amount(pays)} so far."
    )
    labels = words.labels(views, sweep, rows, names)
    assert labels["you"][-1] == f"{words.amount(pays)} in {played} of 10 worlds"
    assert all(labels[at][-1] == "" for at in ("short", "long", "least"))


@pytest.mark.parametrize("m", MEMORY_STEPS)
def test_the_finding_follows_the_readers_memory(m: int):
    _, found, views, rows, _ = opened()
    past, setting = model.chosen({**DEFAULTS, "m": m})
    said = words.finding(views, found, rows, words.legend(past, setting), past)[-1]
    pays = found.front(1).median[:, -1]
    mine = pays[MEMORY_STEPS.index(m)]
    assert f"With {m} steps of memory you pay {words.amount(mine)}" in plain(said)
    assert ("the least" in said) == (m == 40) and (
        f"instead of\N{NO-BREAK SPACE}{words.amount(pays.min())}" in said
    ) == (m != 40)


def test_no_finding_has_more_than_three_numbers_or_24_words():
    for values in ({}, {"m": 5}, {"m": 3000}, {"kind": "still"}, {"bowl": "tv"}, {"bowl": "rperp"}, {"own_r": 100}):
        _, found, views, rows, _ = opened()
        past, setting = model.chosen({**DEFAULTS, **values})
        if setting.front != "r":
            found = model.gather(setting, stored_runs.runs(model.jobs(setting), model.FILE), rows)
        for said in map(plain, words.finding(views, found, rows, words.legend(past, setting), past)):
            assert len(said.split()) <= 24 and len(re.findall(r"\d[\d.,]*(?<=\d)", said)) <= 3, said


def test_memories_with_which_a_method_is_the_same_stand_together():
    setting = model.chosen(DEFAULTS)[1]
    assert model.places(setting) == (0, 1, 2, 3, 4, 5, 5, 5, 5)  # from m = 160 on a restart lies beyond T = 300
    assert model.places(replace(setting, front="sw")) == (0, 1, 2, 3, 4, 5, 6, 6, 6)
    assert model.places(replace(setting, front="tv")) == tuple(range(9))


def test_the_odds_stand_where_they_were_counted():
    past, setting = model.chosen(DEFAULTS)
    counted = round(100 * np.mean(np.array(shipped()["claims"]["forgetting/opening"]["numbers"]) > 1.25))
    assert f"**{counted} of 100**" in words.odds(past, setting)
    for values in ({"seeds": 5}, {"bowl": "tv"}, {"V": 4.0}, {"kind": "glide"}, {"beta": "1"}):
        assert words.odds(*model.chosen({**DEFAULTS, **values})) == ""


def strip_words(**values: object) -> tuple[memories.MemoryViews, words.Legend, list[str]]:
    past, setting = model.chosen({**DEFAULTS, **values})
    rows = tuple(range(past.world.horizon))
    views, names = memories.views(past, rows), words.legend(past, setting)
    none = model.gather(setting, {}, rows)
    return views, names, words.labels(views, none, rows, names)["strip"]


@pytest.mark.parametrize("m", [m for m in MEMORY_STEPS if 2 * m < 300])
def test_the_strip_says_every_round_what_it_holds_and_how_that_makes_m_on_average(m: int):
    _, names, said = strip_words(m=m)
    found = [re.match(r"restarts every (\d+): holds (\d+) \(mean (\d+)\)", one).groups() for one in said]
    every, holds, mean = (np.array(column, dtype=int) for column in zip(*found, strict=True))
    np.testing.assert_array_equal(holds, np.arange(300) % every)
    assert set(every) == {2 * m} == {matched(m).restart} and set(mean) == {m}
    assert math.floor(holds[: 2 * m].mean() + 0.5) == m == names.m  # over one whole cycle, rounded
    assert said[0].endswith(f"(mean {m})") and said[299].count("stale") == 1


@pytest.mark.parametrize("bowl", WITH_MEMORY)
def test_the_strip_of_every_method_says_how_it_forgets_as_the_core_does(bowl: str):
    views, names, said = strip_words(bowl=bowl, m=40)
    begins = {
        "sw": "keeps the last 40: holds ",
        "wgp": "fades with age: counts as ",
        "tv": "fades with age: counts as ",
    }
    weight = views.weight(names.strip)
    for row, one in enumerate(said):
        head = begins.get(bowl, "restarts every 80: holds ")
        assert one.startswith(f"{head}{weight[row].sum():.0f}"), one
        since = memories.last_jump(views.jumps, row)
        stale = f"{weight[row, :since].sum():.0f} stale"
        assert one.endswith("none stale" if stale == "0 stale" else stale) if since else "stale" not in one


def test_a_restart_beyond_the_horizon_is_none():
    assert strip_words(m=160)[2][-1].startswith("never restarts: holds 299, ")


def test_the_still_world_is_told_that_forgetting_only_costs():
    past, setting = model.chosen({**DEFAULTS, "kind": "still"})
    _, found, views, rows, _ = opened()
    names = words.legend(past, setting)
    said = words.finding(views, found, rows, names, past)[-1]
    assert "Where nothing moves, forgetting only costs." in said


def test_a_still_world_in_which_the_shortest_memory_wins_is_not_told_that_forgetting_costs():
    past, setting = model.chosen({**DEFAULTS, "kind": "still"})
    _, found, views, rows, _ = opened()
    front, never = found.front(2), {**found.gp_ucb, 2: found.gp_ucb[2] + 100.0}
    curve = replace(front, curves=model.Curves(front.curves.total[::-1]))
    upside_down = replace(found, curves={**found.curves, (setting.front, 2): curve}, gp_ucb=never)
    said = words.finding(views, upside_down, rows, words.legend(past, setting), past)[-1]
    assert "the less it remembers, the better" in said and "costs" not in said


def test_the_walk_of_figure_2c_loses_little_by_too_much_change_and_a_lot_by_none():
    _, found, *_ = opened("bogunovic")
    pays, never = found.front(0).median[:, -1], found.limit(0)
    assert found.setting.front == "tv" and len(found.setting.worlds) == 1
    assert pays[MEMORY_STEPS.index(80)] < 1.5 * pays.min() < never  # epsilon 2.5 times too large; no change at all


def test_a_covered_bowl_asks_and_a_bet_is_compared_with_the_lowest_point():
    past, found, views, rows, _ = opened()
    covered = words.legend(past, found.setting, 0, True)
    said = words.finding(views, found, rows, covered, past)
    assert len(set(said)) == 1 and said[0].startswith("At which memory m")
    curve = found.front(covered.chosen)
    best, near = MEMORY_STEPS[curve.best()], [MEMORY_STEPS[i] for i in curve.as_low()]
    right = words.notes(found, past, words.legend(past, found.setting, best))
    also = words.notes(found, past, words.legend(past, found.setting, near[0]))
    wrong = words.notes(found, past, words.legend(past, found.setting, 320))
    assert "is the lowest point" in right[0] and f"The lowest is m = {best}" in wrong[0]
    assert near == [20] and f"Your bet m = 20 ({curve.median[2, -1]:.1f}) may be the lowest" in also[0]
    hidden = words.notes(found, past, covered)
    assert not any(str(best) in note for note in hidden if "m =" in note)


def test_a_memory_beyond_the_horizon_is_said_to_forget_nothing():
    past, setting = model.chosen({**DEFAULTS, "m": 320})
    _, found, *_ = opened()
    said = " ".join(words.notes(found, past, words.legend(past, setting)))
    assert "R-GP-UCB and SW-GP-UCB never forget within T = 300: exactly GP-UCB" in said


def test_a_setting_off_the_grid_names_the_nearest_runs():
    past, setting = model.chosen({**DEFAULTS, "own_r": 100})
    _, found, *_ = opened()
    said = " ".join(words.notes(found, past, words.legend(past, setting)))
    assert "nearest to your setting is m = 40" in said


def test_runs_that_failed_or_are_missing_leave_words_and_no_numbers():
    past, found, views, rows, names = opened()
    empty = model.gather(found.setting, {}, rows)
    said = words.finding(views, empty, rows, names, past)
    assert "being played" in said[-1]
    assert tables.regret(empty, names) == []
    assert all("nan" not in note for note in words.notes(empty, past, names))
    assert "seed 3" in words.caption(views, empty, past)


def test_progress_and_pause_name_the_runs():
    setting = SETTING
    assert re.fullmatch(
        r"Running 2 seeds × 5 methods × 9 memories × 3 worlds: 7/90 done, about 3 s",
        words.progress(setting, 7, 90, 3.2),
    )
    assert "Cancelled" in words.pause(sweep(), True)
    assert words.start(12, 100.0, True) == "Run the rest: 12 runs, about 2 min"


def test_the_tables_hold_every_bowl_and_every_observation():
    _, found, views, rows, names = opened()
    table = tables.regret(found, names)
    assert len(table) == len(WITH_MEMORY) * 3 * len(MEMORY_STEPS) + 3
    weights = tables.weights(views, len(rows) - 1)
    assert len(weights) == 299 and weights[0]["age"] == 1 and weights[0]["SW-GP-UCB weight"] == 1.0
    assert tables.weights(views, 0) == [{"t heard": "no observations yet"}]


@pytest.mark.parametrize("kind", ["markov", "cyclic", "rough", "data"])
def test_other_worlds_can_be_looked_at(kind: str):
    world = replace(SMALL, kind=kind)
    past = ViewSetting(world, "random", memories.tuned({**DEFAULTS, "m": 5}), 1.0)
    horizon = memories.stops(past)[2]
    views = memories.views(past, (0, 3, horizon - 1))
    assert views.arm == views.problem.f.shape[1] - 1 and horizon == problems.problem(world).horizon
    assert all(np.isfinite(v.mean).all() for v in views.recalls.values())


def test_for_another_memory_of_the_readers_own_it_is_not_asked_again_whether_runs_are_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert scene.at_once(DEFAULTS)
    asked: list[object] = []
    monkeypatch.setattr(scene, "hold", lambda jobs, file: asked.append(jobs))
    other = next(m for m in LESSON.knobs["m"].stops if m != DEFAULTS["m"])
    assert scene.at_once({**DEFAULTS, "m": other}) and asked == []
    assert not scene.at_once({**DEFAULTS, "seeds": 1}) and len(asked) == 1  # another setting is asked for
