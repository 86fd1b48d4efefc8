"""The race: every play once, and one table whatever computes it and in whatever order."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.standins import (
    Asker,
    Optimist,
    Picks,
    Uniform,
    problem,
    same,
)
from tests.strategies import LAW
from tvbo_core.designs import play_rng
from tvbo_core.play import play
from tvbo_core.race import race
from tvbo_core.records import LearnerInfo, World
from tvbo_core.worlds import make_problem

WORLDS = [World(kind="still", horizon=25, arms=9), World(kind="jumps", horizon=30, arms=11)]
ENTRANTS = {"uniform": Uniform(), "optimist": Optimist(), "asker": Asker()}
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
    here = race(WORLDS, traced(tmp_path), SEEDS)
    assert processes(tmp_path) == {os.getpid()}
    assert same(here, raced())
    assert same(here, race(WORLDS, traced(tmp_path), SEEDS, n_jobs=2))
    assert len(processes(tmp_path)) > 1
    assert not same(here, race(WORLDS, ENTRANTS, (3, 1, 7)))


@pytest.mark.wide
def test_race_is_the_same_on_a_cluster(tmp_path):
    from distributed import Client, LocalCluster

    seen = []
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=2, host="127.0.0.1", dashboard_address=None, silence_logs=50
        ) as cluster,
        Client(cluster) as client,
        joblib.parallel_config(backend="dask"),
    ):
        workers = set(client.run(os.getpid).values())
        table = race(WORLDS, traced(tmp_path), SEEDS, progress=seen.append)
    assert workers <= processes(tmp_path) and os.getpid() not in workers
    assert same(table, raced())
    assert len(seen) == 18


def test_problems_keep_their_rewards_and_seeds_play():
    p = problem()
    table = race(p, {"optimist": Optimist()}, (0, 1))
    for s in (0, 1):
        np.testing.assert_array_equal(table.regret[0, 0, s], play(p, Optimist(), play_rng(s)).regret)
    assert not np.array_equal(table.arms[0, 0, 0], table.arms[0, 0, 1])


def test_race_on_a_table_ends_with_it():
    world = World(kind="data", dataset="stocks", horizon=100_000)
    table = race(world, {"uniform": Uniform()}, (0,))
    rows = make_problem(world).horizon
    assert table.horizons == (rows,) and rows < 100_000
    assert table.curves("uniform").shape == (1, rows)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_hears_every_run_once(n_jobs):
    heard = []
    table = raced(n_jobs=n_jobs, progress=heard.append)
    assert [run.done for run in heard] == list(range(1, 19))
    assert {run.total for run in heard} == {18}
    assert len({(run.name, run.problem, run.seed) for run in heard}) == 18
    for run in heard:
        at = table.names.index(run.name), run.problem, table.seeds.index(run.seed)
        np.testing.assert_array_equal(table.regret[at][: len(run.regret)], run.regret)


@given(st.integers(0, 20))
@LAW
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


@dataclass(frozen=True)
class Gated(Uniform):
    """In any other process it does not begin before a file is there."""

    gate: str
    home: int = field(default_factory=os.getpid)

    def init(self, known: LearnerInfo) -> int:
        for _ in range(200):  # 10 s: a gate that never opens fails the test instead of hanging it
            if os.getpid() == self.home or Path(self.gate).exists():
                break
            time.sleep(0.05)
        return super().init(known)


def test_race_goes_on_while_workers_sleep(tmp_path):
    gate, heard = tmp_path / "open", []

    def cancelled() -> bool:
        if len(heard) < 3:
            return False
        threading.Timer(0.3, gate.touch).start()  # long after the race has heard of it
        return True

    policies = {"gated": Gated(str(gate))}
    table = race(problem(), policies, range(9), n_jobs=2, progress=heard.append, cancelled=cancelled)
    # Seeds 1 and 2 were handed to the workers at the start, and nothing after that.
    assert [run.seed for run in heard[:3]] == [0, 3, 4]
    assert {run.seed for run in heard[3:]} == {1, 2}
    assert [seed for _, _, seed in table.missing] == [5, 6, 7, 8]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_errors_of_progress_end_the_race_alone(n_jobs):
    def stop(run: Any) -> None:
        if run.done == 3:
            raise KeyError("stopped by the reader")

    with pytest.raises(KeyError, match="stopped by the reader"):
        raced(n_jobs=n_jobs, progress=stop)
    assert same(raced(n_jobs=n_jobs), raced())


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_refusals_name_their_policy(n_jobs):
    with pytest.raises(ValueError, match=r"bad one, problem [01], seed 5: Picks chose arm 99"):
        race(WORLDS, {"good": Uniform(), "bad one": Picks(arm=99)}, [5], n_jobs=n_jobs)
