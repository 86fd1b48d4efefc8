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


def made_up(fewer: float, more: float, nothing: float, seeds: int = 6) -> MethodRegrets:
    """Regret at the end: W-SparQ, SparQ and those that ask nothing differ by these means, and by a little chance."""
    chance = np.random.default_rng(1).normal(size=(4, seeds, 1)).repeat(100, axis=2)
    ends = dict(
        zip(model.COMPARED, np.array([nothing, nothing + 50, more, fewer])[:, None, None] + chance, strict=True)
    )
    return MethodRegrets(ends, seeds, seeds)


def test_differences_are_told_from_noise_in_pairs() -> None:
    first = model.first_seed(SMALL)
    for fewer, more, nothing, said in (
        (10, 30, 60, ("the algorithm with fewer side queries has clearly less regret", "side queries help here")),
        (30, 10, 60, ("the algorithm with fewer side queries has clearly more regret", "side queries help here")),
        (20, 20, 5, ("the interval contains 0, so the difference is undecided", "side queries do not help here")),
        (20, 20, 20, ("the difference is undecided", "these seeds do not show whether side queries help")),
    ):
        costs = made_up(fewer, more, nothing)
        notes = [note for note in words.chance(first, costs, None) if note != words.KEPT]
        assert len(notes) == 2 and all(text in note for text, note in zip(said, notes, strict=True))
        found = ttest_rel(costs.regret["W-SparQ"][:, -1], costs.regret["SparQ"][:, -1])
        assert ("is undecided" in notes[0]) == (found.pvalue > 0.05)
        headline, worse = words.finding(first, costs, [99])[0], found.statistic > 0
        assert ("undecided" in headline or "about equal" in headline) == (found.pvalue > 0.05)
        assert ("regret is lower" in headline) == (not worse and found.pvalue < 0.05)
        assert ("regret is higher" in headline) == (worse and found.pvalue < 0.05)
    assert words.chance(first, made_up(1, 2, 3, seeds=1), None)[0].startswith("One seed cannot separate")
