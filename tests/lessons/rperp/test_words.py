"""Every sentence of the R-PERP page is true of the runs that it is about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lessons.rperp import facts, growth_words, words
from lessons.rperp.lesson import LESSON
from lessons.rperp.model import questions, setting_from, walkthrough
from lessons.rperp.setting import RPERPSetting
from tests.lessons.rperp.test_model import FOLLOWS, GLIDES, fresh_runs
from tvbo_core import World

OPENING = setting_from(LESSON.defaults)
JUMPS = World(kind="jumps", budget=16.0, horizon=200, switches=5)
LOSES = RPERPSetting(replace(JUMPS, seed=3), False, restart=100, width="5")  # the band misses the batch average
ALLOWED = RPERPSetting(replace(JUMPS, seed=1), False, restart=50)  # it covers, and the best action of tomorrow is out


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
            b = fresh_runs(setting).batches[step.batch]
            if step.line == 20 and b.lost:
                covers = bool(((b.band.lower <= b.truth) & (b.truth <= b.band.upper)).all())
                assert ("allows this, because the band covers" in said) == covers
                found.add(covers)
    assert found == {False, True}
