"""Every sentence of the R-PERP page is true of the runs that it is about."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.formats import signed
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


def test_note_says_largest_errors_and_noise() -> None:
    walk = questions(shown(OPENING), 1)
    runs, found = walk.runs, walk.runs.pulls(0)
    (said,) = growth_words.notes(walk)
    assert all(f"{size:.2f}" in said for size in found.largest)
    for b in (runs.runs["PE"][0], runs.batches[0]):
        assert signed(float((b.band.mean - b.truth)[found.arm])) in said
    lost = runs.lost_best(0)
    assert f"known order {lost[0]}, shuffled {lost[1]} of 400" in said


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
    lines, spread = walkthrough(shown(FOLLOWS), "line", 1), shown(FOLLOWS).spreads[0]
    at = next(i for i, step in enumerate(lines.steps) if step.line == 20)
    numbers = facts.of_step(lines, at, "shuffled", True)
    assert numbers["fixed order errs by"] == spread.fixed[:, spread.place].mean()
    assert numbers["shuffles err by"] == spread.shuffled[:, spread.place].mean()
    assert np.ptp(np.sign(spread.fixed[:, spread.place])) == 0
    assert "400 of 400 times the same way" in words.finding(lines, "shuffled", True)[at]
    assert "400" not in words.finding(lines, "shuffled")[at]


def test_sentence_counts_what_questions_ruled_out() -> None:
    runs, seen = shown(GLIDES), 0
    for step, said in sentences(GLIDES, "batch"):
        b = runs.batches[step.batch]
        if step.line == 20 and b.survivors.sum() < b.alive.sum() and not b.lost:
            asked, seen = b.start + len(b.picks) - 50 * (b.interval - 1), seen + 1
            assert f"{asked} questions have ruled out <b>{40 - int(b.survivors.sum())} of 40</b>" in said
            assert ("is among those left" in said) == b.survivors[runs.problem.f[b.end].argmax()]
    assert seen


def test_sentences_of_a_restart_name_its_batches() -> None:
    runs = shown(FOLLOWS)
    for step, said in sentences(FOLLOWS):
        b = runs.batches[step.batch]
        if step.line == 5 and not b.last:
            before = b.sizes[b.number - 2] if b.number > 1 else 1
            assert f"⌈√(25 · {before})⌉ = <b>{len(b.picks)}</b>" in said
        if step.line == 8:
            assert f"Pick {step.picked} of {len(b.picks)}" in said and f"(s = {b.sds[step.picked - 1]:.2f})" in said
        if step.line == 13:
            asked = int(np.flatnonzero(b.permutation == step.heard - 1)[0])
            assert f"answers {b.rewards[asked]:.2f}" in said and f"t = {b.times[asked] + 1}" in said


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


def test_theorem_five_stands_beside_the_set_restart() -> None:
    runs = shown(GLIDES)
    said = words.restarts(runs)
    assert "| on screen | 50 | 2 | 8, 20, 22 |" in said and f"= {runs.least_drift:.3g}" in said
    rough = replace(GLIDES, world=replace(GLIDES.world, kernel="matern", nu=0.5))
    assert "needs ν > 1/2" in words.restarts(shown(rough)) and shown(rough).theorem_rounds is None
    assert "no smoothness" in words.restarts(shown(Setting(World(kind="data", horizon=60), False)))
