"""The memory of a crowd: its index is the core's, known memories are found again, and sentences say no more."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from math import inf

import numpy as np
import pytest

import tvbo_core as tv
from lessons.game import model as games
from lessons.game.duel import rewards_of
from lessons.game.together import memory, model, words
from lessons.game.together.model import ROUNDS, Crowd
from lessons.shared import codes
from tvbo_core.records import Problem

WORLDS = [codes.encode(2, seed) for seed in range(100, 110)]  # they glide by V_T = 4
TEMPERATURE = 0.2  # reward units; a choice is seldom far below the largest index


def simulated(p: Problem, seed: int, phones: int, m: float, chance: np.random.Generator) -> tuple:
    """Return queries and rewards of phones that choose as the model has it."""
    arms, heard = np.zeros((phones, ROUNDS), int), np.zeros((phones, ROUNDS))
    arms[:, 0] = chance.integers(0, codes.ARMS, phones)
    for t in range(ROUNDS):
        if t:
            now = memory.index(p.known.kernel, p.x, p.noise_sd, arms[:, : t + 1], heard[:, : t + 1], m)[:, -1]
            # The largest of an index with Gumbel noise is a draw of its softmax.
            arms[:, t] = (now / TEMPERATURE + chance.gumbel(size=now.shape)).argmax(axis=1)
        heard[:, t] = [rewards_of(p, one[: t + 1], seed)[t] for one in arms]
    return arms, heard


@pytest.mark.parametrize("m", [1, 5, inf])
def test_index_is_that_of_discounted_ucb(m: float) -> None:
    setting = model.setting(WORLDS[0])
    p = games.problem(setting)
    rule = tv.WGPUCB(width=memory.WIDTH, discount=1 - 1 / m)
    run = tv.play(p, rule, tv.observe.play_rng(setting.world.seed))
    found = memory.index(p.known.kernel, p.x, p.noise_sd, run.arms[None], run.y[None], m)[0]
    state = rule.init(p.known)
    for t in range(ROUNDS - 1):
        state = rule.update(state, t, int(run.arms[t]), float(run.y[t]))
        # Two factorisations of well-conditioned matrices of at most 20 rows.
        np.testing.assert_allclose(found[t], rule.band(state, t + 1).upper, atol=1e-8)


def test_known_memories_are_found_again() -> None:
    hits = []
    for seed, (world, m) in enumerate(zip(WORLDS, cycle((3, 14)), strict=False)):
        setting = model.setting(world)
        p = games.problem(setting)
        arms, heard = simulated(p, setting.world.seed, 30, m, np.random.default_rng(seed))
        fit = memory.fit(p.known.kernel, p.x, p.noise_sd, arms, heard)
        hits.append(fit.low <= m <= fit.high)
    # 95 % intervals: of ten such, fewer than eight hold the truth once in ninety times.
    assert sum(hits) >= 8


def test_interval_narrows_with_the_crowd() -> None:
    setting = model.setting(WORLDS[1])
    p = games.problem(setting)
    arms, heard = simulated(p, setting.world.seed, 160, 14, np.random.default_rng(0))
    few, many = (memory.fit(p.known.kernel, p.x, p.noise_sd, arms[:n], heard[:n]) for n in (10, 160))
    assert memory.MEMORIES.index(many.high) - memory.MEMORIES.index(many.low) < memory.MEMORIES.index(
        few.high
    ) - memory.MEMORIES.index(few.low)
    assert many.likelihood.max() == 0 == many.likelihood[memory.MEMORIES.index(many.best)]


@pytest.fixture(scope="module")
def crowd() -> Crowd:
    chance = np.random.default_rng(0)
    queries = [tuple(chance.integers(0, codes.ARMS, ROUNDS)) for _ in range(12)]
    return model.crowd(1, WORLDS[0], [*queries, (3, 4)])


def test_median_stands_among_the_bandits(crowd: Crowd) -> None:
    p = crowd.problem
    regret = (p.f.max(axis=1) - p.f[np.arange(ROUNDS), crowd.arms]).sum(axis=1)
    assert crowd.total[model.HALL][-1] == pytest.approx(np.median(regret))  # the same sum, added round by round
    assert len(crowd.order) == 1 + len(model.RIVALS) and crowd.left == 1
    mine, rivals = model.result(WORLDS[0], crowd.arms[0])
    assert mine == pytest.approx(regret[0])  # as above
    assert {name: crowd.total[name][-1] for name in rivals} == pytest.approx(rivals)  # as above
    rounds, arms, counts = crowd.cloud
    assert counts.sum() == 12 * ROUNDS and len(set(zip(rounds, arms, strict=True))) == len(counts)
    assert model.crowd(2, WORLDS[0], [(3, 4)]) is None


def test_sentence_says_no_more_than_the_fit(crowd: Crowd) -> None:
    fit = memory.MemoryFit(np.zeros(len(memory.MEMORIES)), 14, 10, 20, 0.2, 12)
    said = {
        fit: "This hall forgets like m = 14 (10 to 20)",
        replace(fit, best=inf, low=30, high=inf): "This hall forgets nothing (m = ∞, at least 30)",
        replace(fit, low=1, high=inf): "Every memory explains this hall's queries about equally well",
        None: "This hall needs 10 whole games to fit a memory, and has 12",
    }
    for one, words_of in said.items():
        assert words.forgets(replace(crowd, fit=one)) == words_of
    assert "softmax" in words.assumes(replace(crowd, fit=fit)) and len(words.notes(replace(crowd, fit=None))) == 1
    assert len(words.sentence(replace(crowd, fit=fit), ROUNDS - 1).split()) <= 24


def test_queries_are_saved_by_chance_number(crowd: Crowd) -> None:
    rows = model.notes(crowd)
    assert (
        len(rows) == 12 * ROUNDS
        and rows[0]["phone"] == 1
        and set(rows[0])
        == {
            "phone",
            "round",
            "x",
            "reward",
            "regret",
        }
    )
    assert sum(row["regret"] for row in rows if row["phone"] == 3) == pytest.approx(crowd.regret[2, -1], abs=0.01)
