"""Every sentence of the R-PERP page is true of the runs that it is about."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from lessons.rperp import facts, growth_words, words
from lessons.rperp.lesson import LESSON
from lessons.rperp.model import PairedRuns, paired_runs, questions, setting_from, walkthrough
from lessons.rperp.setting import RPERPSetting
from tvbo_core import World

OPENING = setting_from(LESSON.defaults)
FOLLOWS = RPERPSetting(World(kind="still", budget=16.0, horizon=200, seed=81), True)
GLIDES = RPERPSetting(World(kind="glide", horizon=100, arms=40, seed=0), False, restart=50)
JUMPS = World(kind="jumps", budget=16.0, horizon=200, switches=5)
LOSES = RPERPSetting(replace(JUMPS, seed=3), False, restart=100, width="5")  # the band misses the batch average
ALLOWED = RPERPSetting(replace(JUMPS, seed=1), False, restart=50)  # it covers, and the best action of tomorrow is out


@cache
def fresh_runs(setting: RPERPSetting) -> PairedRuns:
    return paired_runs.__wrapped__(setting)


def test_theorem_five_fits_its_own_follower() -> None:
    runs = fresh_runs(replace(FOLLOWS, restart=0))
    assert runs.theorem_rounds == runs.H  # the drift of the follower of H asks for H again


def sentences(setting: RPERPSetting) -> list[tuple[object, str]]:
    walk = walkthrough(fresh_runs(setting))
    return list(zip(walk.steps, words.finding(walk, "shuffled"), strict=True))


@pytest.mark.parametrize("setting", [OPENING, GLIDES])
def test_page_says_how_reward_moves_and_errors(setting: RPERPSetting) -> None:
    walk = questions(fresh_runs(setting))
    runs, found = walk.runs, walk.runs.pulls(0)
    paths = [found.known.path, found.shuffled.path]
    for k, said in list(enumerate(growth_words.finding(walk)))[1:]:
        numbers = facts.of_question(walk, k)
        assert [numbers[name] for name in ("known order", "one shuffle")] == [float(path[k]) for path in paths]
        assert numbers["x, known order"] == runs.problem.x[found.known.arm, 0]
        if k < len(walk.steps) - 1:
            away = float((runs.problem.f[runs.batches[0].start + k - 1] - runs.batches[0].truth).mean())
            assert ("lifted" if away > 1e-9 else "lowered" if away < -1e-9 else "stays") in said
    if setting == OPENING:
        said = growth_words.finding(walk)[-1]
        assert all(f"<b>{number:.2f}</b>" in said for number in (abs(float(found.known.error)), found.median))
        assert "of 100** worlds: " in growth_words.odds(walk)


def test_lost_best_is_allowed_only_where_covered() -> None:
    found = set()
    for setting in (FOLLOWS, LOSES, ALLOWED):
        for step, said in sentences(setting):
            runs = fresh_runs(setting)
            b = runs.batches[step.batch]
            if step.line == 20 and b.lost:
                covers = bool(((b.band.lower <= b.truth) & (b.truth <= b.band.upper)).all())
                assert ("the band covers: another has the higher batch average" in said) == covers
                today = runs.problem.f[min(b.end, runs.problem.horizon - 1)].argmax()
                assert not covers or b.truth[today] < b.truth[b.survivors].max()
                found.add(covers)
    assert found == {False, True}


@pytest.mark.parametrize("restart", [50, 30])  # of 100 rounds: the second leaves a shorter interval
def test_said_restarts_are_those_of_the_run(restart: int) -> None:
    walk = walkthrough(fresh_runs(replace(GLIDES, restart=restart)))
    many = len({b.interval for b in walk.runs.batches})
    assert walk.steps[0].line == 2 and f"Restart 1 of {many}" in words.finding(walk, "shuffled")[0]


def test_no_restart_is_announced_after_the_last() -> None:
    found = set()
    for setting in (FOLLOWS, LOSES, ALLOWED):
        runs = fresh_runs(setting)
        for step, said in sentences(setting):
            last = runs.batches[step.batch].restart == runs.problem.horizon
            if "until the" in said:
                assert ("until the end" in said) == last
                found.add(last)
    assert found == {False, True}


def test_single_rounds_are_said_in_the_singular() -> None:
    single = replace(GLIDES, restart=100)  # 100 rounds make batches of 10, 32, 57 and 1
    said = " ".join(one for _, one in sentences(single))
    assert [len(b.picks) for b in fresh_runs(single).batches] == [10, 32, 57, 1]
    assert "1 round is left" in said and "1 observation is never used" in said
    assert re.findall(r"\b1 (?:picks|rounds|observations|rewards|queries)\b", re.sub(r"<.*?>", "", said)) == []


@pytest.mark.parametrize(
    ("values", "counted"),
    [
        ({}, True),
        ({"seed": 5, "shuffle": 7}, True),
        ({"ell": 0.1}, False),  # 15 queries, too, and nine tenths of the error are left
        ({"nu": "5/2"}, False),
        ({"sigma": 0.05}, False),
        ({"V": 2.5}, False),
        ({"H": 100}, False),
        ({"kind": "glide"}, False),
    ],
)
def test_odds_stand_where_they_were_counted(values: dict, counted: bool) -> None:
    setting = setting_from(LESSON.settings(values))
    assert bool(growth_words.odds(questions(fresh_runs(setting)))) == counted


def test_spent_adversary_moves_nothing() -> None:
    setting = setting_from(LESSON.settings({"V": 0.0}))
    assert "moves" not in growth_words.finding(questions(fresh_runs(setting)))[0]
