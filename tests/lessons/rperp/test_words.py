"""Every sentence of the R-PERP page is true of the runs that it is about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lessons.rperp import facts, growth_words, words
from lessons.rperp.lesson import LESSON
from lessons.rperp.model import chosen, questions, walkthrough
from lessons.rperp.setting import Setting
from tests.lessons.rperp.test_model import FOLLOWS, GLIDES, shown
from tvbo_core import World
from tvbo_core.policies.elimination.order_adversary import largest_swing
from tvbo_core.worlds import make_problem

OPENING = chosen(LESSON.defaults)
JUMPS = World(kind="jumps", budget=16.0, horizon=200, switches=5)
LOSES = Setting(replace(JUMPS, seed=3), False, restart=100, width="5")  # the band misses the batch average
ALLOWED = Setting(replace(JUMPS, seed=1), False, restart=50)  # it covers, and the best action of tomorrow is out


def sentences(setting: Setting, grain: str = "line", order: str = "shuffled") -> list[tuple[object, str]]:
    walk = walkthrough(shown(setting), grain, 1)
    return list(zip(walk.steps, words.finding(walk, order), strict=True))


def test_restarts_of_the_table_are_the_runs() -> None:
    """H does not divide the horizon: 200 = 90 + 90 + 20."""
    runs = shown(replace(ALLOWED, restart=90))
    row = words.restarts(runs).splitlines()[2]
    assert row.startswith(f"| on screen | 90 | {runs.batches[-1].interval} |") and runs.batches[-1].interval == 3


@pytest.mark.parametrize("setting", [OPENING, GLIDES])
def test_page_says_how_reward_moves_and_errors(setting: Setting) -> None:
    walk = questions(shown(setting), 1)
    runs, found = walk.runs, walk.runs.pulls(0)
    paths = [found.path(pulls) for pulls in (found.known, found.shuffled)]
    for k, said in list(enumerate(growth_words.finding(walk)))[1:]:
        numbers = facts.of_question(walk, k)
        assert [numbers[name] for name in ("known order", "one shuffle")] == [float(path[k]) for path in paths]
        assert numbers["x"] == runs.problem.x[found.arm, 0]
        if k < len(walk.steps) - 1:
            away = float((runs.problem.f[runs.batches[0].start + k - 1] - runs.batches[0].truth).mean())
            assert ("lifted" if away > 1e-9 else "lowered" if away < -1e-9 else "stays") in said
    if setting == OPENING:
        assert growth_words.odds(walk).startswith(f"**{found.less} of 400** shuffles")


def test_batch_in_which_nothing_moves_is_said() -> None:
    still = Setting(World(kind="still", horizon=60, arms=20, seed=1), False, restart=50)
    spent = replace(OPENING, restart=50, world=replace(OPENING.world, budget=1.0))  # before the second restart
    for setting, interval in ((still, 1), (spent, 4)):
        assert growth_words.finding(questions(shown(setting), interval))[-1].startswith("Nothing moves")


def test_averages_are_said_only_where_asked_for() -> None:
    walk = questions(shown(OPENING), 1)
    found = walk.runs.pulls(0)
    mean = abs(float(found.error(found.others).mean()))
    assert f"many, averaged: <b>{mean:.2f}</b>." in growth_words.finding(walk, True)[-1]
    assert "averaged" not in growth_words.finding(walk)[-1]


def test_edges_are_said_in_words() -> None:
    def every(setting: Setting, order: str = "shuffled", grain: str = "batch") -> str:
        return " ".join([*(text for _, text in sentences(setting, grain, order)), *words.notes(shown(setting), order)])

    assert "Nothing is eliminated: the band, " in (theory := every(replace(GLIDES, width="theory"), grain="line"))
    demonstration = "chosen for demonstration"
    assert demonstration in every(FOLLOWS, grain="line") and demonstration not in theory
    assert "A single step is left over" in every(replace(GLIDES, restart=100), grain="line")
    whole = every(replace(GLIDES, restart=400), "fixed", "line")
    assert "this is plain PE" in whole and "No restart" in whole
    assert "One candidate is left" in every(replace(GLIDES, width="0.5"))
    small = replace(FOLLOWS, world=replace(FOLLOWS.world, norm_bound=1.0), swing=2.0)
    assert "does not fit into norm B = 1" in every(small)
    assert words.cut_swing(shown(small)) and not words.cut_swing(shown(FOLLOWS))
    assert shown(small).swing == pytest.approx(largest_swing(make_problem(small.world)))


def test_lost_best_is_allowed_only_where_covered() -> None:
    found = set()
    for setting in (FOLLOWS, LOSES, ALLOWED):
        for step, said in sentences(setting, "batch"):
            b = shown(setting).batches[step.batch]
            if step.line == 20 and b.lost:
                covers = bool(((b.band.lower <= b.truth) & (b.truth <= b.band.upper)).all())
                assert ("allowed, for the band covers" in said) == covers
                found.add(covers)
    assert found == {False, True}
