"""The views of drift and of worlds show what plain plays come to, and the theorem's terms as it states them."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.stats import ttest_rel

import tvbo_core as tv
from lessons.forgetting import best_memory, experiment, model, pays, view_words
from lessons.forgetting.experiment import ForgettingSetting
from lessons.forgetting.knobs import BUDGETED, BUDGETS, DRIFT, MEMORY_STEPS, PAYS, WORLDS
from lessons.forgetting.lesson import LESSON
from lessons.forgetting.scene import RUNS
from lessons.shared.stored_runs import played
from tvbo_core import World
from tvbo_core.designs import play_rng

SMALL = World(kind="travel", budget=4.0, horizon=60, arms=15, seed=5)
ROUND = 1e-9  # sums of at most 60 gaps of size 1


@cache
def sweep(*worlds: World, memories: tuple[int, ...] = MEMORY_STEPS) -> model.MemorySweep:
    setting = ForgettingSetting(worlds, "r", 4, ("gp",), memories)
    return model.gather(setting, played(experiment.jobs(setting), experiment.FILE))


def paid(world: World, rule: object, seed: int) -> float:
    return float(tv.play(tv.make_problem(replace(world, seed=seed)), rule, play_rng(seed)).regret.sum())


def test_lowest_point_is_the_least_of_plain_plays() -> None:
    worlds = tuple(replace(SMALL, budget=V) for V in (1.0, 4.0))
    numbers = best_memory.facts(best_memory.best_memory(sweep(*worlds), worlds[1]), 59)
    for world in worlds:
        medians = [
            np.median([paid(world, tv.RGPUCB(restart=min(2 * m, 60), width=2.0), seed) for seed in range(5, 9)])
            for m in MEMORY_STEPS
        ]
        name = best_memory.of_budget(world.budget)
        assert numbers[f"{name}: least regret"] == pytest.approx(min(medians), abs=ROUND)
        assert numbers[f"{name}: best m"] == MEMORY_STEPS[int(np.argmin(medians))]


def test_equal_memories_are_not_ranked() -> None:
    """Before its first restart a memory has the regret of every longer one."""
    worlds, told = tuple(replace(SMALL, budget=V) for V in (1.0, 4.0)), set()
    found = best_memory.best_memory(sweep(*worlds), worlds[1])
    for row in (4, 14, 30, 59):
        said = re.sub("<.*?>", "", view_words.drift(found, best_memory.facts(found, row), row == 59))
        for curve, whose in zip(found.curves, ("the least drift", "V_T = 4"), strict=True):
            pays = curve.median[:, row]
            low = [m for m, paid_ in zip(MEMORY_STEPS, pays, strict=True) if paid_ <= pays.min() + ROUND]
            longer = len(low) > 1 and low[-1] == MEMORY_STEPS[-1]
            many = "every m" if low == [*MEMORY_STEPS] else f"m {'≥' if longer else '='} {low[0]}"
            assert f"at {many} for {whose.replace('_', '')}" in said
            told.add(longer)
    assert told == {False, True}


def test_theorem_5_never_restarts_without_drift() -> None:
    still = replace(SMALL, kind="still", budget=0.0)
    found = best_memory.best_memory(sweep(still), still)
    assert view_words.example(found, best_memory.facts(found, 59)).endswith("Theorem 5, for R-PERP, never restarts.")


def test_terms_are_those_of_theorem_5() -> None:
    found = best_memory.best_memory(sweep(SMALL), SMALL)
    p = tv.make_problem(SMALL)
    assert (
        math.ceil((60 / 4.0) ** (2 / 3) * math.log(60)) == found.H == best_memory.facts(found, 0)[best_memory.PAPER_H]
    )
    for k, m in enumerate(MEMORY_STEPS):
        H = min(2 * m, 60)
        low, high = tv.max_information_gain(p.kernel, p.x, T=H, ridge=p.noise_sd**2)
        assert found.stale[k] == pytest.approx(4.0 * H)
        assert 60 * math.sqrt(low / H) - ROUND <= found.noise[k] <= 60 * math.sqrt(high / H)
    np.testing.assert_array_equal(found.terms, found.stale + found.noise)


def test_difference_is_the_paired_t_interval() -> None:
    worlds = (SMALL, replace(SMALL, kind="still"))
    by_name = {one.name: one for one in pays.comparisons(sweep(*worlds, memories=(10,)))}
    for world in worlds:
        forgets, keeps = (
            [paid(world, rule, seed) for seed in range(5, 9)]
            for rule in (tv.RGPUCB(restart=20, width=2.0), tv.GPUCB(width=2.0))
        )
        interval = ttest_rel(forgets, keeps).confidence_interval(0.95)
        one = by_name[pays.name(world)].difference
        assert (one.low[-1], one.high[-1]) == pytest.approx((interval.low, interval.high))


def test_peaks_are_compared_a_memory_apart() -> None:
    (one,) = pays.comparisons(sweep(SMALL, memories=(10,)))
    apart = []
    for seed in range(5, 9):
        p = tv.make_problem(replace(SMALL, seed=seed))
        peak = [p.x[f.argmax(), 0] for f in p.f]
        apart += [abs(peak[t + 10] - peak[t]) for t in range(50)]
    assert one.moves == pytest.approx(np.mean(apart)) and one.moves > 0


def test_views_ask_for_no_more_runs_than_they_show() -> None:
    best = experiment.settings_from(LESSON.settings(LESSON.moment("best").values))[1]
    assert [world.budget for world in best.worlds] == [*BUDGETS] and best.beside == ("gp",)
    compared = experiment.settings_from(LESSON.settings(LESSON.moment("pays").values))[1]
    assert [(world.kind, world.budget) for world in compared.worlds] == [*WORLDS] and compared.memories == (40,)
    other = experiment.settings_from(LESSON.settings({"view": DRIFT, "V": 3.0}))[1]
    assert 3.0 in [world.budget for world in other.worlds]


def test_page_waits_for_no_run_of_a_moment() -> None:
    for key in ("best", "pays"):
        assert RUNS.is_instant(LESSON.settings(LESSON.moment(key).values))


def test_a_world_without_a_budget_stands_alone() -> None:
    kinds = [kind for kind in LESSON.knobs["kind"].options if kind not in BUDGETED]
    assert {"still", "markov"} <= {*kinds}
    for kind in kinds:
        past, setting = experiment.settings_from(LESSON.settings({"view": DRIFT, "kind": kind}))
        assert setting.worlds == (past.world,)
    compared = experiment.settings_from(LESSON.settings({"view": PAYS, "kind": "rough"}))[1]
    assert compared.worlds[0].kind == "still"
