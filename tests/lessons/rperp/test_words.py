"""Every sentence of the R-PERP page is true of the runs that it is about."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from common.formats import signed
from lessons.rperp import facts, growth_words, words
from lessons.rperp.lesson import LESSON
from lessons.rperp.model import PairedRuns, chosen, paired_runs, questions, walkthrough
from lessons.rperp.setting import Setting
from tvbo_core import World
from tvbo_core.policies.elimination.order_adversary import largest_swing
from tvbo_core.worlds import make_problem

OPENING = chosen(LESSON.defaults)
FOLLOWS = Setting(World(kind="still", budget=16.0, horizon=200, seed=81), True)
JUMPS = World(kind="jumps", budget=16.0, horizon=200, switches=5)
LOSES = Setting(replace(JUMPS, seed=3), False, restart=100, width="5")  # the band misses the batch average
ALLOWED = Setting(replace(JUMPS, seed=1), False, restart=50)  # it covers, and the best action of tomorrow is out
GLIDES = Setting(World(kind="glide", horizon=100, arms=40, seed=0), False, restart=50)


@cache
def shown(setting: Setting) -> PairedRuns:
    return paired_runs.__wrapped__(setting)


def sentences(setting: Setting, grain: str = "line", order: str = "shuffled") -> list[tuple[object, str]]:
    walk = walkthrough(shown(setting), grain, 1)
    return list(zip(walk.steps, words.finding(walk, order), strict=True))


def test_the_opening_says_both_errors_of_one_batch_in_at_most_twenty_four_words() -> None:
    walk = questions(shown(OPENING), 1)
    found = walk.runs.pulls(0)
    said = growth_words.finding(walk)[-1]
    numbers = facts.of_question(walk, len(walk.steps) - 1)
    assert numbers["x"] == walk.runs.problem.x[found.arm, 0]
    for name, pulls in (("known order", found.known), ("one shuffle", found.shuffled)):
        assert numbers[name] == pytest.approx(float(found.error(pulls)), rel=1e-9)
    assert len(re.sub("<[^>]*>", "", said).split()) <= 24
    assert growth_words.odds(walk).startswith(f"**{found.less} of 400** shuffles")


def test_restarts_of_the_table_are_the_runs() -> None:
    """H does not divide the horizon: 200 = 90 + 90 + 20."""
    runs = shown(replace(ALLOWED, restart=90))
    row = words.restarts(runs).splitlines()[2]
    assert row.startswith(f"| on screen | 90 | {runs.batches[-1].interval} |") and runs.batches[-1].interval == 3


def test_question_by_question_the_page_says_how_the_reward_moves_and_both_errors_so_far() -> None:
    for setting in (OPENING, GLIDES):
        runs = shown(setting)
        walk = questions(runs, 1)
        found, b = runs.pulls(0), runs.batches[0]
        paths = [found.path(pulls) for pulls in (found.known, found.shuffled)]
        for k, said in list(enumerate(growth_words.finding(walk)))[1:-1]:
            away = float((runs.problem.f[b.start + k - 1] - b.truth).mean())
            assert ("lifted" if away > 1e-9 else "lowered" if away < -1e-9 else "stays") in said
            numbers = facts.of_question(walk, k)
            assert [numbers[name] for name in ("known order", "one shuffle")] == [float(path[k]) for path in paths]


def test_the_note_says_the_largest_error_anywhere_and_what_was_heard_with_noise() -> None:
    walk = questions(shown(OPENING), 1)
    runs, found = walk.runs, walk.runs.pulls(0)
    (said,) = growth_words.notes(walk)
    assert all(f"{size:.2f}" in said for size in found.largest)
    for b in (runs.runs["PE"][0], runs.batches[0]):
        assert signed(float((b.band.mean - b.truth)[found.arm])) in said
    lost = runs.lost_best(0)
    assert f"known order {lost[0]}, shuffled {lost[1]} of 400" in said


def test_of_a_batch_in_which_nothing_moves_the_page_says_so() -> None:
    still = Setting(World(kind="still", horizon=60, arms=20, seed=1), False, restart=50)
    assert growth_words.finding(questions(shown(still), 1))[-1].startswith("Nothing moves")
    spent = replace(OPENING, restart=50, world=replace(OPENING.world, budget=1.0))  # before the second restart
    assert growth_words.finding(questions(shown(spent), 4))[-1].startswith("Nothing moves")


def test_the_averages_are_said_only_where_they_are_asked_for() -> None:
    walk = questions(shown(OPENING), 1)
    found = walk.runs.pulls(0)
    mean = abs(float(found.error(found.others).mean()))
    assert f"many, averaged: <b>{mean:.2f}</b>." in growth_words.finding(walk, True)[-1]
    assert "averaged" not in growth_words.finding(walk)[-1]
    lines = walkthrough(shown(FOLLOWS), "line", 1)
    at = next(i for i, step in enumerate(lines.steps) if step.line == 20)
    spread = shown(FOLLOWS).spreads[0]
    said = words.finding(lines, "shuffled", True)[at]
    numbers = facts.of_step(lines, at, "shuffled", True)
    assert numbers["fixed order errs by"] == spread.fixed[:, spread.place].mean()
    assert numbers["shuffles err by"] == spread.shuffled[:, spread.place].mean()
    assert "400 of 400 times the same way" in said and np.ptp(np.sign(spread.fixed[:, spread.place])) == 0
    assert "400" not in words.finding(lines, "shuffled")[at]


def test_where_nobody_moves_against_the_order_the_sentence_counts_what_the_questions_ruled_out() -> None:
    runs = shown(GLIDES)
    for step, said in sentences(GLIDES, "batch"):
        b = runs.batches[step.batch]
        if step.line == 20 and b.survivors.sum() < b.alive.sum() and not b.lost:
            asked = b.start + len(b.picks) - 50 * (b.interval - 1)
            assert f"{asked} questions have ruled out <b>{40 - int(b.survivors.sum())} of 40</b>" in said
            assert ("is among those left" in said) == b.survivors[runs.problem.f[b.end].argmax()]


def test_the_sentences_of_a_restart_name_the_numbers_of_its_batches() -> None:
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
        if step.line == 16:
            assert f"its {len(b.picks)} rewards are never used" in said


def test_the_edges_are_said_in_words() -> None:
    def every(setting: Setting, order: str = "shuffled", grain: str = "batch") -> str:
        runs = shown(setting)
        notes = " ".join(words.notes(runs, order))
        return " ".join(text for _, text in sentences(setting, grain, order)) + " " + notes

    theory = every(replace(GLIDES, width="theory"))
    assert re.search(
        r"Nothing is eliminated: the band, ±[\d.]+, is wider than the rewards vary, ±\d.*are conservative", theory
    )
    assert "chosen for demonstration" in every(FOLLOWS, grain="line") and "chosen for demonstration" not in every(
        replace(GLIDES, width="theory"), grain="line"
    )
    assert "A single step is left over" in every(replace(GLIDES, restart=100), grain="line")
    whole = every(replace(GLIDES, restart=400), "fixed", "line")
    assert "this is plain PE" in whole and "No restart" in whole
    assert "One candidate is left" in every(replace(GLIDES, width="0.5"))
    lost = every(LOSES)
    assert re.search(r"eliminated</span>; .*It costs \d\.\d\d a step until the next restart", lost)
    small = replace(FOLLOWS, world=replace(FOLLOWS.world, norm_bound=1.0), swing=2.0)
    assert "does not fit into norm B = 1" in every(small)
    assert words.cut_swing(shown(small)) and not words.cut_swing(shown(FOLLOWS))
    assert shown(small).swing == pytest.approx(largest_swing(make_problem(small.world)))


def test_an_eliminated_best_action_is_called_allowed_only_where_the_band_covers() -> None:
    found = set()
    for setting in (FOLLOWS, LOSES, ALLOWED):
        for step, said in sentences(setting, "batch"):
            b = shown(setting).batches[step.batch]
            if step.line == 20 and b.lost:
                covers = bool(((b.band.lower <= b.truth) & (b.truth <= b.band.upper)).all())
                assert ("allowed, for the band covers" in said) == covers
                found.add(covers)
    assert found == {False, True}


def test_h_by_theorem_five_stands_beside_the_one_by_hand() -> None:
    runs = shown(GLIDES)
    said = words.restarts(runs)
    assert "| on screen | 50 | 2 | 8, 20, 22 |" in said and "Theorem 5" in said
    assert f"= {runs.least_drift:.3g}" in said
    rough = replace(GLIDES, world=replace(GLIDES.world, kernel="matern", nu=0.5))
    assert "needs ν > 1/2" in words.restarts(shown(rough)) and shown(rough).theorem_rounds is None
    assert "no smoothness" in words.restarts(shown(Setting(World(kind="data", horizon=60), False)))
