"""What the page on side queries says is what was played, and what ships with it is what it opens with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ttest_rel

from lessons.shared import stored_runs
from lessons.side_queries import model, pickers, words
from lessons.side_queries.lesson import LESSON
from lessons.side_queries.model import RegretVsQueries, SideQueriesSetting
from tvbo_core.gp import grid_posterior
from tvbo_core.jobs import Failure, PlayJob, outcome
from tvbo_core.worlds.mauduit import Stale

SMALL = SideQueriesSetting(Stale(horizon=100, arms=30, seed=4), 1.0, 0.25, 1.0, "exact", "2", "own", 2)
FIRST = {key: knob.default for key, knob in LESSON.knobs.items()}


def test_the_opening_lands_its_point() -> None:
    setting = model.setting_from(FIRST)
    first = model.first_seed(setting)
    sums = {n: int(h.extra_queries.sum()) for n, h in first.plays.items()}
    assert sums == {"SparQ": 2865, "W-SparQ": 677}  # MATH.md: 2872 and 677; 7 would follow the last round
    runs = model.first_runs(setting, first) | stored_runs.runs(model.jobs(setting)[4:], model.FILE)
    costs = model.regret_vs_queries(setting, runs)
    assert costs.done == 8
    assert costs.median("W-SparQ") < costs.median("SparQ") < 0.5 * costs.median("GP-UCB")
    gaps = costs.regret["W-SparQ"][:, -1] - costs.regret["SparQ"][:, -1]
    assert gaps.mean() < -2.37 * gaps.std(ddof=1) / 8**0.5  # Student's quantile at 7 degrees of freedom: 2.365
    assert words.chance(first, costs, None)[1] == words.KEPT


def test_what_moments_need_ships_as_played() -> None:
    for moment in LESSON.moments:
        wanted = model.jobs(model.setting_from({**FIRST, **moment.values}))[4:]
        assert set(stored_runs.runs(wanted, model.FILE)) == set(wanted)
    job = model.jobs(model.setting_from({**FIRST, **LESSON.moment("k_dpp").values}))[7]
    stored, played = stored_runs.runs([job], model.FILE)[job], outcome(job)
    assert stored.arms.tolist() == played.arms.tolist()
    assert stored.extra_queries.tolist() == played.extra_queries.tolist()


def test_the_board_waits_for_whole_seeds() -> None:
    runs = model.jobs(SMALL)
    results = {job: outcome(job) for job in runs[:6]}
    costs = model.regret_vs_queries(SMALL, results)
    assert (costs.done, costs.total) == (1, 2)
    assert costs.regret["SparQ"].shape == (1, 100)
    assert model.regret_vs_queries(SMALL, results | dict.fromkeys(runs[4:], Failure("refused", refused=True))).done == 1


def test_the_estimate_drawn_is_that_played() -> None:
    first = model.first_seed(SMALL)
    (mean, sd), width = model.estimate(first, range(100))
    index = mean + width[:, None] * sd
    chosen = index[np.arange(100), first.plays["W-SparQ"].arms]
    assert (chosen >= index.max(axis=1) - 1e-9).all()  # rounding of two computations of one posterior


def made_up(fewer: float, more: float, nothing: float, seeds: int = 6) -> RegretVsQueries:
    """Regret at the end: W-SparQ, SparQ and those that ask nothing differ by these means, and by a little chance."""
    chance = np.random.default_rng(1).normal(size=(4, seeds, 1)).repeat(100, axis=2)
    ends = dict(
        zip(model.COMPARED, np.array([nothing, nothing + 50, more, fewer])[:, None, None] + chance, strict=True)
    )
    return RegretVsQueries(ends, {name: np.ones((seeds, 100)) for name in ends}, seeds, seeds)


def test_differences_are_told_from_noise_in_pairs() -> None:
    first = model.first_seed(SMALL)
    for fewer, more, nothing, said in (
        (10, 30, 60, ("fewer questions are not worse here, beyond noise", "re-asking pays here")),
        (30, 10, 60, ("here fewer questions cost regret, beyond noise", "re-asking pays here")),
        (20, 20, 5, ("0 lies inside, so the difference may be noise", "re-asking does not pay here")),
        (20, 20, 20, ("the difference may be noise", "whether re-asking pays here cannot be told")),
    ):
        costs = made_up(fewer, more, nothing)
        notes = [note for note in words.chance(first, costs, None) if note != words.KEPT]
        assert len(notes) == 2 and all(text in note for text, note in zip(said, notes, strict=True))
        found = ttest_rel(costs.regret["W-SparQ"][:, -1], costs.regret["SparQ"][:, -1])
        assert ("may be noise" in notes[0]) == (found.pvalue > 0.05)
        headline, worse = words.finding(first, costs, [99])[0], costs.median("W-SparQ") > costs.median("SparQ")
        assert ("does not lose more" in headline) == (not worse)
        assert ("but loses more" in headline) == (worse and found.pvalue < 0.05)
    assert words.chance(first, made_up(1, 2, 3, seeds=1), None)[0].startswith("One seed cannot tell")


def test_two_pickers_differ_in_picks_alone() -> None:
    setting = replace(SMALL, view="picks")
    first = model.first_seed(setting)
    pair = pickers.first_seeds(first)
    assert list(pair) == ["exact", "random"] and pickers.rival("random") == "exact"
    own, other = (one.plays["W-SparQ"] for one in pair.values())
    assert pair["exact"] is first and own.extra_queries.tolist() == other.extra_queries.tolist()
    jobs = [*model.jobs(setting), *pickers.jobs(setting)]
    results = {job: outcome(job) for job in jobs}
    assert all(results[j].arms.tolist() == r.arms.tolist() for j, r in pickers.first_runs(setting, pair).items())
    found = pickers.two_pickers(setting, pair, results)
    for picker, regret in found.regret.items():
        policy = replace(setting, picker=picker).policies["W-SparQ"] if picker in pair else setting.policies["GP-UCB"]
        runs = [outcome(PlayJob("W-SparQ", policy, replace(setting.world, seed=seed))) for seed in setting.numbers]
        np.testing.assert_array_equal(regret, [run.regret.cumsum() for run in runs])
    half = {job: run for job, run in results.items() if job.world.seed == 4}
    assert len(pickers.two_pickers(setting, pair, half).regret["random"]) == 1


def test_answers_leave_a_noiseless_variance_open() -> None:
    first = model.first_seed(SMALL)
    shares, prior = pickers.left_open(first), first.gram.trace()
    assert len(shares) == len(first.starts) and ((shares >= 0) & (shares <= 1)).all()
    for at in (0, 9, len(shares) - 1):
        arms = first.plays["W-SparQ"].asked_before(first.starts[at])[0]
        _, sd = grid_posterior(first.gram, arms, np.zeros(len(arms)), np.full(len(arms), 1e-12))
        assert shares[at] == pytest.approx((sd**2).sum() / prior, abs=1e-5)  # the jitter of 1e-12 is not nothing
