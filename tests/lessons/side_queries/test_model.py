"""Numbers of the page on side queries are those of its runs, and it opens with the shipped ones."""

from __future__ import annotations

import numpy as np
from scipy.stats import ttest_rel

from lessons.side_queries import model, words
from lessons.side_queries.model import MethodRegrets, SideQueriesSetting
from lessons.side_queries.pickers import AT_RANDOM, TwoPickers
from tvbo_core.worlds.mauduit import Stale

SMALL = SideQueriesSetting(Stale(horizon=100, arms=30, seed=4), 1.0, 0.25, 1.0, 2)


def test_the_estimate_drawn_is_that_played() -> None:
    first = model.first_seed(SMALL)
    (mean, sd), width = model.estimate(first, range(100))
    index = mean + width[:, None] * sd
    chosen = index[np.arange(100), first.plays["W-SparQ"].arms]
    assert (chosen >= index.max(axis=1) - 1e-9).all()  # rounding of two computations of one posterior


def made_up(fewer: float, more: float, seeds: int = 6) -> MethodRegrets:
    """Regret at the end: W-SparQ and SparQ differ by these means, and by a little chance."""
    chance = np.random.default_rng(1).normal(size=(4, seeds, 1)).repeat(100, axis=2)
    ends = dict(zip(model.COMPARED, np.array([60, 110, more, fewer])[:, None, None] + chance, strict=True))
    return MethodRegrets(ends, seeds, seeds)


def test_differences_are_told_from_noise_in_pairs() -> None:
    first = model.first_seed(SMALL)
    for fewer, more, said in (
        (10, 30, "the algorithm with fewer side queries has clearly less regret"),
        (30, 10, "the algorithm with fewer side queries has clearly more regret"),
        (20, 20, "the interval contains 0, so the difference is undecided"),
    ):
        costs = made_up(fewer, more)
        (note,) = words.notes(first, costs)
        assert said in note
        found = ttest_rel(costs.regret["W-SparQ"][:, -1], costs.regret["SparQ"][:, -1])
        assert ("is undecided" in note) == (found.pvalue > 0.05)
        headline, worse = words.finding(first, costs, [99])[0], found.statistic > 0
        assert ("undecided" in headline or "about equal" in headline) == (found.pvalue > 0.05)
        assert ("regret is lower" in headline) == (not worse and found.pvalue < 0.05)
        assert ("regret is higher" in headline) == (worse and found.pvalue < 0.05)
    assert words.notes(first, made_up(1, 2, seeds=1))[0].startswith("One seed cannot separate")


def test_worse_picks_are_called_worse() -> None:
    first = model.first_seed(SMALL)
    for diverse, random, said in ((10, 30, "clearly less regret"), (30, 10, "clearly more regret")):
        ends = made_up(diverse, random).regret
        regrets = MethodRegrets(dict(zip(model.PICKERS, (ends["W-SparQ"], ends["SparQ"]), strict=True)), 6, 6)
        picked = TwoPickers(dict.fromkeys(model.PICKERS, first), {}, regrets)
        assert f"here diverse picks have {said}" in words.notes(first, made_up(1, 2), picked)[0]


def test_one_side_query_is_singular() -> None:
    facts = {"t": 2, "W-SparQ: side queries": 1, "SparQ: side queries": 3} | {
        f"{name}: regret": 1.0 for name in ("W-SparQ", AT_RANDOM)
    }
    for said in (words.sentence(facts, ""), words.picks_sentence(facts, "t = 2", "")):
        assert "<b>1</b> side query" in said
