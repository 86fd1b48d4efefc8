"""The race: every play once, one table however it is computed, and its summaries."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import ttest_rel

from lessons.shared.play_jobs import lean
from tests.standins import Asker, Picks, Uniform, same
from tests.strategies import LAW
from tvbo_core.designs import play_rng
from tvbo_core.play import play
from tvbo_core.policies import GPUCB
from tvbo_core.race import race
from tvbo_core.race_results import (
    ABOUT_EQUAL,
    LESS,
    MORE,
    UNDECIDED,
    RaceTable,
    Run,
    paired_difference,
    tabulate,
)
from tvbo_core.records import LearnerInfo, World
from tvbo_core.worlds import make_problem

WORLDS = [World(kind="still", horizon=25, arms=9), World(kind="jumps", horizon=30, arms=11)]
ENTRANTS = {"uniform": Uniform(), "optimist": GPUCB(), "asker": Asker()}
SEEDS = (3, 0, 7)


def raced(**how: Any):
    return race(WORLDS, ENTRANTS, SEEDS, **how)


def test_race_is_its_plays():
    table = raced()
    assert table.regret.shape == table.seconds.shape == (3, 2, 3, 30)
    for p, (name, policy) in enumerate(ENTRANTS.items()):
        for w, world in enumerate(WORLDS):
            for s, seed in enumerate(SEEDS):
                alone = play(make_problem(replace(world, seed=seed)), policy, play_rng(seed))
                n = world.horizon
                np.testing.assert_array_equal(table.regret[p, w, s, :n], alone.regret, err_msg=name)
                np.testing.assert_array_equal(table.arms[p, w, s, :n], alone.arms)
                np.testing.assert_array_equal(table.extra_queries[p, w, s, :n], alone.extra_queries)
                assert not table.regret[p, w, s, n:].any()
    assert table.missing == ()
    assert (table.seconds[:, 1] > 0).all()


@dataclass(frozen=True)
class Traced:
    """Does what another policy does and leaves the number of its process in a folder."""

    policy: Any
    folder: str

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "policy":  # while it is unpickled it has no policy yet
            raise AttributeError(name)
        return getattr(self.policy, name)

    def init(self, known: LearnerInfo) -> Any:
        (Path(self.folder) / str(os.getpid())).touch()
        return self.policy.init(known)


def traced(folder: Path) -> dict[str, Traced]:
    return {name: Traced(policy, str(folder)) for name, policy in ENTRANTS.items()}


def processes(folder: Path) -> set[int]:
    return {int(file.name) for file in folder.iterdir()}


def test_race_is_the_same_on_two_processes(tmp_path):
    heard: list[Run] = []
    here = race(WORLDS, traced(tmp_path), SEEDS)
    assert processes(tmp_path) == {os.getpid()}
    assert same(here, raced()) and not same(here, race(WORLDS, ENTRANTS, (3, 1, 7)))
    assert same(here, race(WORLDS, traced(tmp_path), SEEDS, n_jobs=2, progress=heard.append))
    assert len(processes(tmp_path)) > 1
    assert [(one.done, one.total) for one in heard] == [(i, 18) for i in range(1, 19)]  # of every run once
    assert len({(one.name, one.problem, one.seed) for one in heard}) == 18
    for one in heard:
        at = here.names.index(one.name), one.problem, here.seeds.index(one.seed)
        np.testing.assert_array_equal(here.regret[at][: len(one.regret)], one.regret)


@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_errors_end_one_race_alone(n_jobs):
    def stop(one: Run) -> None:
        if one.done == 3:
            raise KeyError("stopped by the reader")

    with pytest.raises(KeyError, match="stopped by the reader"):
        raced(n_jobs=n_jobs, progress=stop)
    with pytest.raises(ValueError, match=r"bad one, problem [01], seed 5: Picks chose arm 99"):
        race(WORLDS, {"good": Uniform(), "bad one": Picks(arm=99)}, [5], n_jobs=n_jobs)
    assert same(raced(n_jobs=n_jobs), raced())


@pytest.mark.parametrize("after", [0, 7])
def test_cancelled_race_keeps_what_finished(after):
    heard = []
    table = raced(progress=heard.append, cancelled=lambda: len(heard) >= after)
    done = min(after, 18)
    assert len(heard) == table.finished.sum() == done
    assert len(table.missing) == 18 - done
    full = raced()
    np.testing.assert_array_equal(table.regret[table.finished], full.regret[table.finished])
    assert not table.regret[~table.finished].any()
    # Whole seeds first: at most one seed is half done.
    assert (table.finished.any(axis=(0, 1)) & ~table.finished.all(axis=(0, 1))).sum() <= 1


# --- standings ------------------------------------------------------------


def run(name: str, regret: list[float], seed: int = 0, problem: int = 0, seconds: float = 1.0) -> Run:
    n = len(regret)
    zero = np.zeros(n, dtype=int)
    return Run(name, problem, seed, zero, np.array(regret, float), zero, np.full(n, seconds))


def table(rows: dict[str, list[list[float]]]) -> RaceTable:
    """One problem; each name with one list of regrets per seed."""
    runs = [run(name, r, seed) for name, several in rows.items() for seed, r in enumerate(several)]
    T, S = len(runs[0].regret), max(len(several) for several in rows.values())
    return tabulate(runs, list(rows), [T], list(range(S)))


def test_each_problem_has_its_own_horizon():
    runs = [run("a", [1, 1, 1], problem=0), run("a", [5], problem=1, seconds=0.5)]
    t = tabulate(runs, ["a"], [3, 1], [0])
    assert t.curves("a", 1).tolist() == [[5.0]]
    assert t.curves("a", 0).tolist() == [[1.0, 2.0, 3.0]]
    assert t.cumulative[0, 1, 0].tolist() == [5.0, 5.0, 5.0]
    assert t.final[0].tolist() == [[3.0], [5.0]]


def test_race_ends_with_the_rows_of_a_table():
    world = World(kind="data", dataset="stocks-weekly", horizon=100_000)
    rows = make_problem(world).horizon
    table = race([WORLDS[0], world], {"uniform": Uniform()}, [0])
    assert rows < world.horizon and table.horizons == (25, rows)
    assert table.curves("uniform", 1).shape == (1, rows)


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


def test_verdicts_of_three_seeds_by_hand() -> None:
    """Differences 1, 2, 3: mean 2, sd 1, t = 4.3027 with 2 degrees of freedom, so 2 +- 4.3027 / sqrt(3)."""
    found = paired_difference([11, 12, 13], [10, 10, 10])
    assert (found.mean, found.seeds) == (2, 3) and found.error == pytest.approx(1 / np.sqrt(3))
    assert (found.low, found.high) == pytest.approx((-0.48414, 4.48414), abs=1e-5)
    assert found.verdict == UNDECIDED  # the interval holds 0, and more than a tenth of 10
    assert paired_difference([51, 52, 53], [50, 50, 50]).verdict == ABOUT_EQUAL  # a tenth of 50 is beyond 4.48
    assert paired_difference([51, 52, 53], [44.8, 44.8, 44.8]).verdict == MORE  # 7.2 +- 2.48
    assert paired_difference([44.8, 44.8, 44.8], [51, 52, 53]).verdict == LESS
    assert paired_difference([51, 52, 53], [50, 50, 50], margin=0.08).verdict == UNDECIDED  # 4 is within 4.48


def test_verdicts_at_their_edges() -> None:
    assert paired_difference([1.0], [9.0]).verdict == UNDECIDED
    assert paired_difference([3, 5, 8], [3, 5, 8]).verdict == ABOUT_EQUAL
    assert paired_difference([0, 0], [0, 0]).verdict == ABOUT_EQUAL
    assert paired_difference([4, 6, 9], [3, 5, 8]).verdict == MORE  # all differences are equal: no spread at all
    rounds = paired_difference([[4, 3], [6, 5], [9, 8]], [[3, 3], [5, 5], [8, 8]])
    assert rounds.verdict.tolist() == [MORE, ABOUT_EQUAL]
    for spoiled in (np.nan, np.inf):
        with pytest.raises(ValueError, match="finite"):
            paired_difference([1, spoiled], [1, 2])
