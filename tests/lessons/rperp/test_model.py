"""The R-PERP page's runs share world and noise, and its tables and restarts are those of the batches."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from lessons.rperp.model import PairedRuns, batch_table, paired_runs, questions, walkthrough
from lessons.rperp.setting import Setting
from tvbo_core import World
from tvbo_core.designs import play_rng

FOLLOWS = Setting(World(kind="still", budget=16.0, horizon=200, seed=81), True)
GLIDES = Setting(World(kind="glide", horizon=100, arms=40, seed=0), False, restart=50)


@cache
def shown(setting: Setting) -> PairedRuns:
    return paired_runs.__wrapped__(setting)


def test_by_theorem_five_the_follower_and_its_restart_fit_each_other() -> None:
    runs = shown(replace(FOLLOWS, restart=0))
    assert runs.theorem_rounds == runs.H  # the drift of the follower of H asks for H again


def test_both_runs_hear_the_same_noise_and_another_shuffle_changes_only_the_order() -> None:
    one, other = shown(GLIDES), shown(replace(GLIDES, shuffle=4))
    assert all(a is not b for a, b in zip(one.batches, other.batches, strict=True))
    assert np.array_equal(one.runs["PE"][0].rewards, other.runs["PE"][0].rewards)
    assert not np.array_equal(one.batches[0].permutation, other.batches[0].permutation)
    noise = GLIDES.world.noise_sd * play_rng(0).standard_normal(100)
    for runs in (one, other):
        for b in (*runs.batches, *runs.runs["PE"]):
            np.testing.assert_allclose(b.rewards, runs.problem.f[b.times, b.picks] + noise[b.times], atol=1e-12)


def test_the_table_of_a_batch_has_a_row_a_question() -> None:
    runs = shown(FOLLOWS)
    walk = walkthrough(runs, "line", 1)
    rows = batch_table(walk, 15)
    assert [r["pick"] for r in rows] == [1, 2, 3, 4, 5] and sorted(r["asked at t"] for r in rows) == [1, 2, 3, 4, 5]


def test_the_table_of_both_orders_has_a_row_a_question_and_ends_at_both_errors() -> None:
    runs = shown(FOLLOWS)
    rows, found, b = batch_table(questions(runs, 2), 0), runs.pulls(3), runs.batches[3]
    assert b.interval == 2 and b.number == 1
    assert [r["t"] for r in rows] == list(range(b.start + 1, b.end + 1))
    assert rows[-1]["its error so far"] == pytest.approx(float(found.error(found.known)))
    assert rows[-1]["error of the shuffle so far"] == pytest.approx(float(found.error(found.shuffled)))
    assert sum(r["pull of the shuffle"] for r in rows) == pytest.approx(float(found.shuffled.sum()))
