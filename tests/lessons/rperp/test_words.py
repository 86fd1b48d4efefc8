"""Every sentence of the R-PERP page is true of the runs that it is about."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from lessons.rperp import words
from lessons.rperp.model import PairedRuns, paired_runs, walkthrough
from lessons.rperp.setting import Setting
from tvbo_core import World
from tvbo_core.policies.elimination.order_adversary import largest_swing
from tvbo_core.worlds import make_problem

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


def test_the_opening_shows_a_fixed_order_that_is_wrong_every_time_and_shuffles_that_cancel() -> None:
    runs = shown(FOLLOWS)
    spread = runs.spreads[0]
    j = spread.place
    said = next(text for step, text in sentences(FOLLOWS) if step.line == 20)
    numbers = [float(n.replace("−", "-")) for n in re.findall(r"by ([+−]?\d\.\d\d)", said)]
    assert numbers == [round(spread.fixed[:, j].mean(), 2), round(spread.shuffled[:, j].mean(), 2)]
    assert abs(numbers[0]) > 0.6 and abs(numbers[1]) < 0.05
    assert "400 of 400 times the same way" in said and np.ptp(np.sign(spread.fixed[:, j])) == 0


def test_in_the_first_moment_only_the_fixed_order_loses_the_best_action() -> None:
    runs = shown(FOLLOWS)
    said = next(text for step, text in sentences(FOLLOWS, order="both") if step.line == 20)
    assert runs.runs["PE"][0].lost and not runs.runs["R-PERP"][0].lost
    assert "<b>loses the best action</b>" in said
    # In how many repeats: the estimate of each is the batch average and its error.
    b, spread, today = runs.batches[0], runs.spreads[0], int(runs.problem.f[5].argmax())
    counts = []
    for errors in (spread.fixed, spread.shuffled):
        out = 0
        for row in errors:
            upper, lower = b.truth + row + spread.half, b.truth + row - spread.half  # all actions are candidates
            out += upper[today] < lower.max()
        counts.append(int(out))
    note = words.notes(runs, "both")[0]
    assert f"the best action {counts[0]} times, a shuffled one {counts[1]} times" in note and counts[0] > 2 * counts[1]


def test_while_it_is_asked_the_page_says_how_the_reward_moves_and_what_each_order_asks() -> None:
    runs = shown(FOLLOWS)
    for step, said in sentences(FOLLOWS, order="both"):
        if step.line == 13:
            b, mixed = runs.runs["PE"][step.batch], runs.batches[step.batch]
            t = b.start + step.heard - 1
            away = float((runs.problem.f[t] - b.truth).mean())
            word = "lifted" if away > 1e-9 else "lowered" if away < -1e-9 else "stays"
            places = [f"x = {runs.problem.x[one.asked[step.heard - 1], 0]:.2f}" for one in (b, mixed)]
            assert word in said and said.index(places[0]) < said.rindex(places[1])


def test_where_nobody_moves_against_the_order_the_sentence_counts_what_the_questions_ruled_out() -> None:
    runs = shown(GLIDES)
    for step, said in sentences(GLIDES, "batch"):
        b = runs.batches[step.batch]
        if step.line == 20 and b.survivors.sum() < b.alive.sum():
            asked = b.start + len(b.picks) - 50 * (b.interval - 1)
            assert f"{asked} questions have ruled out <b>{40 - int(b.survivors.sum())} of 40</b>" in said
            assert ("is among those left" in said) == (not b.lost and b.survivors[runs.problem.f[b.end].argmax()])


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
