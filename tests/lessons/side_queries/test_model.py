"""Numbers of the page on side queries are those of its runs, and it opens with the shipped ones."""

from __future__ import annotations

import numpy as np
from scipy.stats import ttest_rel

from lessons.side_queries import model, words
from lessons.side_queries.model import MethodRegrets, SideQueriesSetting
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
