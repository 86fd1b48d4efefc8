"""The summaries of a race, against tables small enough to read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import ttest_rel

from tests.strategies import LAW
from tvbo_core.race_results import (
    Duels,
    LeadChange,
    RaceTable,
    Run,
    lead_changes,
    lean,
    median,
    paired_difference,
    quantiles,
    step_seconds,
    tabulate,
    who_beats_whom,
)


def run(name: str, regret: list[float], seed: int = 0, problem: int = 0, seconds: float = 1.0) -> Run:
    n = len(regret)
    zero = np.zeros(n, dtype=int)
    return Run(name, problem, seed, zero, np.array(regret, float), zero, np.full(n, seconds))


def table(rows: dict[str, list[list[float]]]) -> RaceTable:
    """One problem; each name with one list of regrets per seed."""
    runs = [run(name, r, seed) for name, several in rows.items() for seed, r in enumerate(several)]
    T, S = len(runs[0].regret), max(len(several) for several in rows.values())
    return tabulate(runs, list(rows), [T], list(range(S)))


@st.composite
def tables(draw: st.DrawFn) -> RaceTable:
    """Random regrets, some of them equal, with some runs missing."""
    P, S, T = draw(st.integers(1, 4)), draw(st.integers(1, 5)), draw(st.integers(1, 8))
    regret = draw(arrays(float, (P, S, T), elements=st.integers(0, 3).map(float)))
    done = draw(arrays(bool, (P, S)))
    runs = [run(str(p), list(regret[p, s]), s) for p in range(P) for s in range(S) if done[p, s]]
    return tabulate(runs, [str(p) for p in range(P)], [T], range(S))


def test_quantiles_are_over_seeds_of_cumulative_regret():
    t = table({"a": [[1, 1, 1], [0, 3, 0], [2, 0, 4]]})
    got = quantiles(t, q=(0.0, 0.5, 1.0))["a"]
    np.testing.assert_array_equal(got, [[0, 2, 3], [1, 2, 3], [2, 3, 6]])
    np.testing.assert_array_equal(median(t)["a"], [1, 2, 3])


def test_lead_changes_when_the_median_falls_below():
    t = table({"a": [[1, 1, 1, 1]], "b": [[2, 0, 0, 3]]})  # R: a = 1 2 3 4, b = 2 2 2 5
    assert lead_changes(t) == (LeadChange(2, "b", "a"), LeadChange(3, "a", "b"))


def test_leads_must_last():
    t = table({"a": [[1, 1, 1, 1, 1]], "b": [[2, 0, 0, 3, -4]]})  # b: 2 2 2 5 1
    assert lead_changes(t, lasting=2) == (LeadChange(4, "b", "a"),)  # one round, but the last one
    assert len(lead_changes(t, lasting=1)) == 3


@given(tables())
@LAW
def test_duels_rank_seed_by_seed(t):
    duels: Duels = who_beats_whom(t)
    assert (duels.wins + duels.wins.T <= duels.held).all()
    assert not duels.wins.diagonal().any()
    # Ranking by hand, seed by seed.
    for i, a in enumerate(t.names):
        for j, b in enumerate(t.names):
            final = [
                (t.final[i, 0, s], t.final[j, 0, s]) for s in range(len(t.seeds)) if t.finished[[i, j], 0, s].all()
            ]
            assert duels.wins[i, j] == sum(x < y for x, y in final), (a, b)


@given(tables(), st.integers(1, 3))
@LAW
def test_leaders_are_lowest_when_named(t, lasting):
    medians, leader = median(t), None
    for change in lead_changes(t, lasting=lasting):
        rows = [row[change.t] for row in medians.values()]
        assert medians[change.leader][change.t] == min(rows) < medians[change.passed][change.t]
        assert leader in (None, change.passed)  # who is passed is who led
        leader = change.leader
    if lasting == 1 and medians:
        last = min(row[-1] for row in medians.values())
        assert leader is None or medians[leader][-1] == last


@given(tables())
@LAW
def test_methods_without_runs_are_left_out(t):
    present = {name for p, name in enumerate(t.names) if t.finished[p].any()}
    assert set(median(t)) == set(quantiles(t)) == set(step_seconds(t)) == present
    assert {name for name, _, _ in t.missing} >= set(t.names) - present
    assert len(t.missing) == (~t.finished).sum()
    for name in t.names:
        assert len(t.curves(name)) == t.finished[t.names.index(name), 0].sum()


def test_each_problem_has_its_own_horizon():
    runs = [run("a", [1, 1, 1], problem=0), run("a", [5], problem=1, seconds=0.5)]
    t = tabulate(runs, ["a"], [3, 1], [0])
    assert t.curves("a", 1).tolist() == [[5.0]]
    assert t.curves("a", 0).tolist() == [[1.0, 2.0, 3.0]]
    assert step_seconds(t, 1) == {"a": 0.5}
    assert t.cumulative[0, 1, 0].tolist() == [5.0, 5.0, 5.0]
    assert t.final[0].tolist() == [[3.0], [5.0]]


def test_step_time_is_the_median_seeds_mean():
    runs = [run("a", [0, 0], seed, seconds=seconds) for seed, seconds in enumerate((1.0, 2.0, 9.0))]
    assert step_seconds(tabulate(runs, ["a"], [2], range(3))) == {"a": 2.0}


@LAW
@given(st.integers(1, 30), st.integers(0, 100_000), st.integers(0, 300), st.integers(0, 2**32 - 1))
def test_lean_runs_are_the_same_runs(T: int, most: int, asked: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    arms, queries = rng.integers(0, most, T, endpoint=True), rng.integers(0, asked, T, endpoint=True)
    full = Run("a", 2, 7, arms, rng.normal(size=T), queries, rng.uniform(0, 1, T), 3, 9)
    kept = lean(full)
    assert (kept.name, kept.problem, kept.seed, kept.done, kept.total) == ("a", 2, 7, 3, 9)
    assert kept.regret is full.regret
    assert (kept.arms == arms).all() and (kept.extra_queries == queries).all()
    np.testing.assert_allclose(kept.seconds, full.seconds, rtol=2.0**-24)  # half a unit in the last place of float32
    assert kept.arms.nbytes <= 4 * T


def test_lean_runs_take_14_bytes_a_round() -> None:
    for T in (300, 0):
        whole = np.arange(T) % 256
        kept = lean(Run("a", 0, 0, whole, np.ones(T), whole, np.ones(T)))
        assert sum(a.nbytes for a in (kept.arms, kept.regret, kept.extra_queries, kept.seconds)) == 14 * T


@LAW
@given(arrays(float, (2, 6), elements=st.floats(-1e3, 1e3, width=32)))
def test_paired_difference_is_the_t_test(both: np.ndarray) -> None:
    first, second = both
    found, gaps = paired_difference(first, second), first - second
    assert found.mean == pytest.approx(gaps.mean(), abs=1e-9) and found.seeds == 6
    if np.ptp(gaps) > 1e-6 * (1 + np.abs(gaps).max()):  # else SciPy's own test divides rounding by rounding
        oracle = ttest_rel(first, second)
        ends = oracle.confidence_interval(0.95)
        assert (found.low, found.high) == pytest.approx((ends.low, ends.high), rel=1e-9, abs=1e-9)
        assert found.clear == (oracle.pvalue < 0.05)


def test_one_seed_decides_nothing() -> None:
    one = paired_difference(np.array([3.0]), np.array([1.0]))
    assert (one.mean, one.low, one.high, one.clear) == (2.0, -np.inf, np.inf, False)
    assert paired_difference(np.ones(4), np.zeros(4)).clear  # the same difference in every seed
    for first, second in ((np.ones(2), np.ones(3)), (np.ones(0), np.ones(0))):
        with pytest.raises(ValueError, match="equal numbers of seeds"):
            paired_difference(first, second)
