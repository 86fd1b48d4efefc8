"""The race page plays the core's race, shows whole seeds, and ships what its methods play today."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
from scipy.stats import ttest_1samp

from figures.theme import Theme
from lessons import BY_KEY
from lessons.race import model as racing
from lessons.race.model import RaceSetting
from lessons.race.scene import scene_of
from lessons.shared.knobs import METHODS
from lessons.shared.policies import policy
from shell.runs.jobs import Failure, outcome
from tvbo_core.race import race as core_race
from tvbo_core.records import World

STILL = World(kind="still", horizon=60, arms=20, switches=1, seed=3)
JUMPS = replace(STILL, kind="jumps")
QUICK = ("rnd", "gp", "sw", "wgp", "tv", "pe")
SETTING = RaceSetting((STILL, JUMPS), QUICK, 20, "2", 3)


@cache
def results(setting: RaceSetting = SETTING) -> dict:
    return {job: outcome(job) for job in racing.jobs(setting)}


@cache
def raced(setting: RaceSetting = SETTING) -> racing.Race:
    return racing.gather(setting, results(setting))


def test_page_gathers_the_cores_race() -> None:
    oracle = core_race([STILL, JUMPS], {METHODS[m]: policy(m, 20, "2") for m in QUICK}, range(3, 6))
    table = raced().table
    assert table.names == oracle.names and table.seeds == oracle.seeds
    for column in ("finished", "regret", "arms", "extra_queries"):
        np.testing.assert_array_equal(getattr(table, column), getattr(oracle, column))


def test_runs_come_seed_by_seed_and_once() -> None:
    runs = racing.jobs(SETTING)
    seeds = [job.world.seed for job in runs]
    assert seeds == sorted(seeds) and len(set(runs)) == len(runs) == 3 * 6 * 2
    twins = replace(SETTING, worlds=(JUMPS, JUMPS))
    assert len(racing.jobs(twins)) == 3 * 6
    one, other = racing.gather(twins, results()).lanes
    for name in one.names:
        np.testing.assert_array_equal(one.total[name], other.total[name])


def test_only_whole_seeds_are_shown() -> None:
    runs = racing.jobs(SETTING)
    shown = racing.gather(SETTING, {job: results()[job] for job in runs[: 2 * 12 + 5]})
    assert (shown.seeds, shown.complete) == (2, False)
    assert all(len(rows) == 2 for lane in shown.lanes for rows in lane.total.values())
    begun = racing.gather(SETTING, {job: results()[job] for job in runs[:7]})
    assert begun.seeds == 1
    assert Counter(n for lane in begun.lanes for n in lane.names) == Counter(2 * begun.table.names)
    assert racing.gather(SETTING, {}) is None


def test_seconds_of_a_short_world_are_its_own() -> None:
    short = replace(SETTING, worlds=(STILL, replace(JUMPS, horizon=20)))
    timed = {job: replace(outcome(job), seconds=np.full(job.world.horizon, 0.5)) for job in racing.jobs(short)}
    assert [set(lane.seconds.values()) for lane in racing.gather(short, timed).lanes] == [{0.5}, {0.5}]


def refusing(*names: str) -> racing.Race:
    """Return the race in which these methods refuse to play, each for its own reason."""
    some = {
        job: Failure(f"no {job.name}", refused=True) if job.name in names else run for job, run in results().items()
    }
    return racing.gather(SETTING, some)


def test_a_refusal_leaves_the_others_racing() -> None:
    race = refusing("PE", "WGP-UCB")
    assert set(race.lanes[0].names) == {"Random", "GP-UCB", "SW-GP-UCB", "TV-GP-UCB"} and race.seeds == 3


def test_stage_names_all_who_are_left_out() -> None:
    out = ("GP-UCB", "SW-GP-UCB", "WGP-UCB", "TV-GP-UCB", "PE")
    values = BY_KEY["race"].settings({"T": 60})
    notes = scene_of(values, refusing(*out), Theme(), "all").notes(0)
    assert sorted(note.split(". ")[0] for note in notes) == sorted(f"Left out: {name}" for name in out)


def test_ranks_follow_medians() -> None:
    for lane in raced().lanes:
        for row in (0, 10, 59):
            order = sorted(lane.names, key=lambda n: lane.rank[n][row])
            medians = [np.median(lane.total[n][:, row]) for n in order]
            assert medians == sorted(medians) and [lane.at_place(k + 1, row) for k in range(len(order))] == order


def test_contenders_are_those_the_t_test_keeps() -> None:
    seen = set()
    for lane in raced().lanes:
        for row in (10, 30, 59):
            first, *others = sorted(lane.names, key=lambda n: lane.rank[n][row])
            for name in others:
                gaps = lane.total[name][:, row] - lane.total[first][:, row]
                behind = gaps.mean() > 0 and ttest_1samp(gaps, 0).pvalue < 0.05
                assert (name not in lane.contenders(row)) == behind
                seen.add(behind)
            assert first not in lane.contenders(row)
            numbers = racing.facts(raced(), ["a", "b"], row)
            at = "ab"[raced().lanes.index(lane)]
            near = (numbers[f"{at}, about equal with the leader"], numbers[f"{at}, undecided beside the leader"])
            assert sum(near) == len(lane.contenders(row))
    assert seen == {True, False}


def test_race_until_then_knows_no_later_lead() -> None:
    for lane in raced().lanes:
        for row, *_ in lane.lead:  # it happens in round row + 1, so the first `row` rounds do not know of it
            assert not any(change[0] == row for change in lane.until(row).lead)
            assert [change for change in lane.lead if change[0] <= row] == list(lane.until(row + 1).lead)
    assert any(lane.lead for lane in raced().lanes)
