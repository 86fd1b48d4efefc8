"""The loop and the race: the same noise for everybody, f for nobody, one table however it is computed."""

from __future__ import annotations

import gc
import threading
import time
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_info

from tests.strategies import LAW, kernels
from tvbo_core.gp import grid_prior, grid_update
from tvbo_core.kernels import SquaredExponential
from tvbo_core.observe import observe, play_rng
from tvbo_core.race import play, race
from tvbo_core.records import Band, Known, Problem, World
from tvbo_core.worlds import make_problem


@dataclass(frozen=True)
class Uniform:
    """Any arm."""

    def init(self, known: Known) -> int:
        return known.x.shape[-2]

    def select(self, arms: int, t: int, rng: np.random.Generator) -> int:
        return rng.integers(arms)

    def update(self, arms: int, t: int, arm: int, y: float) -> int:
        return arms


@dataclass(frozen=True)
class Optimist:
    """A textbook GP-UCB that shows its band."""

    width: float = 2.0

    def init(self, known: Known):
        return grid_prior(known.kernel(known.x, known.x)), max(known.noise_sd**2, 1e-6)

    def select(self, state, t: int, rng: np.random.Generator) -> int:
        return self.band(state, t).upper.argmax()

    def update(self, state, t: int, arm: int, y: float):
        return grid_update(state[0], arm, y, state[1]), state[1]

    def band(self, state, t: int) -> Band:
        mean, half = state[0].mean, self.width * state[0].sd
        return Band(mean, mean - half, mean + half)


@dataclass(frozen=True)
class Asker(Uniform):
    """Pulls arm 0 or 1 and re-asks t mod 3 arms in round t; keeps every answer in its state."""

    def init(self, known: Known) -> list:
        return []

    def questions(self, state: list, t: int, rng: np.random.Generator) -> np.ndarray:
        return np.arange(t % 3)

    def answered(self, state: list, t: int, arms: np.ndarray, ys: np.ndarray) -> list:
        return [*state, ("answer", t, tuple(arms), tuple(ys))]

    def select(self, state: list, t: int, rng: np.random.Generator) -> int:
        return t % 2

    def update(self, state: list, t: int, arm: int, y: float) -> list:
        state.append(("pull", t, arm, y))
        return state


@dataclass(frozen=True)
class Spy:
    """Does what another policy does and keeps everything that it is handed."""

    policy: Any
    handed: list = field(default_factory=list)

    def __getattr__(self, name: str):
        method = getattr(self.policy, name)

        def watched(*given: Any):
            self.handed.extend(given)
            return method(*given)

        return watched


@dataclass(frozen=True)
class Picks(Uniform):
    """Pulls this, whatever it is."""

    arm: Any = 0

    def select(self, arms: int, t: int, rng: np.random.Generator) -> Any:
        return self.arm


def problem(T: int = 40, m: int = 12, **fields: object) -> Problem:
    return make_problem(World(horizon=T, arms=m, kind="jumps", **fields))


def fresh_arms(T: int = 20, m: int = 6) -> Problem:
    """New arms every round."""
    rng = np.random.default_rng(0)
    x = rng.uniform(size=(T, m, 2))
    return Problem(
        x=x, f=np.sin(3 * x.sum(axis=2)), noise_sd=0.1, kernel=SquaredExponential(0.5), norm_bound=3.0
    )


@st.composite
def bounded_problems(draw: st.DrawFn) -> Problem:
    """Random kernel sums with their true norm bound."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    T, m, p = draw(st.integers(1, 12)), draw(st.integers(1, 6)), draw(st.integers(1, 5))
    kernel = draw(kernels())
    x, z, c = rng.uniform(size=(m, 1)), rng.uniform(size=(p, 1)), rng.normal(size=(T, p))
    moving = Problem(
        x=x, f=c @ kernel(z, x), noise_sd=0.3, kernel=kernel, norm_bound=None, centres=z, coefficients=c
    )
    return replace(moving, norm_bound=float(moving.norms.max()))


@given(bounded_problems(), st.integers(0, 1000), st.sampled_from([Uniform(), Optimist(), Asker()]))
@LAW
def test_regret_is_never_negative_and_never_above_twice_the_range(p, seed, policy):
    if isinstance(policy, Asker) and p.f.shape[1] < 2:
        policy = Uniform()
    regret = play(p, policy, play_rng(seed)).regret
    kappa = p.kernel.variance
    assert (regret >= 0).all()
    assert (np.diff(regret.cumsum()) >= 0).all()
    # |f| <= sqrt(kappa) B holds up to the rounding of one square root.
    assert regret.sum() <= 2 * np.sqrt(kappa) * p.norm_bound * p.horizon * (1 + 1e-9) + 1e-12


@given(st.integers(0, 1000), st.sampled_from([Uniform(), Optimist(), Asker()]))
@LAW
def test_a_play_hears_what_observing_its_arms_would_have_heard(seed, policy):
    p = problem()
    history = play(p, policy, play_rng(seed))
    np.testing.assert_array_equal(history.y, observe(p, history.arms, play_rng(seed)).y)


def test_the_regret_of_a_play_is_that_of_its_arms_by_hand():
    p = problem()
    history = play(p, Optimist(), play_rng(0))
    by_hand = [max(p.f[t]) - p.f[t, history.arms[t]] for t in range(p.horizon)]
    np.testing.assert_array_equal(history.regret, by_hand)


def test_a_play_of_fresh_arms_pulls_the_arms_of_its_round():
    p = fresh_arms()
    history = play(p, Uniform(), play_rng(0))
    np.testing.assert_array_equal(history.X, [p.x[t, arm] for t, arm in enumerate(history.arms)])
    assert (history.regret >= 0).all()


def test_side_queries_are_counted_and_answered_at_the_present_before_the_pull():
    p = replace(problem(), noise_sd=0.0)
    spy = Spy(Asker())
    history = play(p, spy, play_rng(0))
    np.testing.assert_array_equal(history.extra_queries, np.arange(p.horizon) % 3)
    log = spy.handed[-4]  # the state that the last update was given, and completed
    expected = []
    for t in range(p.horizon):
        expected.append(("answer", t, tuple(range(t % 3)), tuple(p.f[t, : t % 3])))
        expected.append(("pull", t, t % 2, p.f[t, t % 2]))
    assert log == expected


def test_every_side_query_hears_noise_of_its_own_and_none_of_the_rounds():
    p = replace(problem(T=3000, m=4), noise_sd=0.5)
    spy = Spy(Asker())
    history = play(p, spy, play_rng(0))
    answers = [entry for entry in spy.handed[-4] if entry[0] == "answer"]
    side = np.array([y - p.f[t, arm] for _, t, arms, ys in answers for arm, y in zip(arms, ys, strict=True)])
    rounds = history.y - p.f[np.arange(p.horizon), history.arms]
    n = len(side)
    assert n == 3000
    # 4.5 standard errors of a variance and of a zero correlation of n normal numbers.
    assert side.var() / 0.25 == pytest.approx(1, abs=4.5 * np.sqrt(2 / n))
    assert abs(np.corrcoef(side, rounds)[0, 1]) < 4.5 / np.sqrt(n)


def test_a_policy_that_asks_nothing_has_no_extra_queries_and_its_time_is_kept():
    history = play(problem(), Uniform(), play_rng(0))
    assert history.extra_queries.tolist() == [0] * 40
    assert (history.seconds > 0).all()


def test_the_bands_of_a_play_are_what_each_round_was_decided_with():
    p = problem()
    history = play(p, Optimist(), play_rng(1), bands=True)
    assert len(history.bands) == p.horizon
    assert [band.upper.argmax() for band in history.bands] == history.arms.tolist()
    np.testing.assert_array_equal(history.y, play(p, Optimist(), play_rng(1)).y)


def test_a_policy_without_a_band_says_so():
    with pytest.raises(ValueError, match="Uniform has no band to show"):
        play(problem(), Uniform(), play_rng(0), bands=True)


@pytest.mark.parametrize(
    ("arm", "words"),
    [
        (12, "arms are numbered 0 to 11"),
        (-1, "arms are numbered 0 to 11"),
        (1.0, "not an arm"),
        (None, "not an"),
    ],
)
def test_an_arm_that_does_not_exist_is_refused(arm, words):
    with pytest.raises(ValueError, match=f"Picks chose .*{words}"):
        play(problem(), Picks(arm=arm), play_rng(0))


def test_a_play_uses_one_blas_thread_and_gives_the_others_back():
    seen = []

    class Counting(Uniform):
        def select(self, arms: int, t: int, rng: np.random.Generator) -> int:
            seen.extend(lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas")
            return 0

    before = threadpool_info()
    play(problem(T=2), Counting(), play_rng(0))
    assert set(seen) == {1}
    assert threadpool_info() == before


def within_reach(start: Any) -> list[Any]:
    """Every object that can be got at from here: by attribute, item, closure or array base."""
    found, todo = {}, [start]
    while todo:
        thing = todo.pop()
        if id(thing) in found or isinstance(thing, type | ModuleType):
            continue
        found[id(thing)] = thing
        if isinstance(thing, FunctionType):  # not its globals: through them everything meets everything
            todo.extend([*(thing.__closure__ or ()), *(thing.__defaults__ or ())])
        elif isinstance(thing, np.ndarray):
            todo.append(thing.base)
        else:
            todo.extend(gc.get_referents(thing))
    return list(found.values())


def sees(f: np.ndarray, start: Any) -> bool:
    arrays = [thing for thing in within_reach(start) if isinstance(thing, np.ndarray)]
    return any(np.shares_memory(array, f) or np.array_equal(array, f) for array in arrays)


@pytest.mark.parametrize("policy", [Uniform(), Optimist(), Asker()], ids=lambda policy: type(policy).__name__)
def test_a_policy_never_sees_f(policy):
    p = problem()
    spy = Spy(policy)
    play(p, spy, play_rng(0))
    assert any(isinstance(thing, Known) for thing in spy.handed)
    assert not sees(p.f, spy.handed)
    # The same search finds f where it is: in the problem, however deep.
    for hidden in ([{"here": (p,)}], p.f[3:].T, lambda: p, partial(max, p), p.f.max):
        assert sees(p.f, hidden)


WORLDS = [World(kind="still", horizon=25, arms=9), World(kind="jumps", horizon=30, arms=11)]
ENTRANTS = {"uniform": Uniform(), "optimist": Optimist(), "asker": Asker()}
SEEDS = (3, 0, 7)


def raced(**how: Any):
    return race(WORLDS, ENTRANTS, SEEDS, **how)


def same(one, other) -> bool:
    """The same table but for the clock."""
    columns = ("finished", "regret", "arms", "extra_queries")
    labels = ("names", "seeds", "horizons")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in columns) and all(
        getattr(one, name) == getattr(other, name) for name in labels
    )


def test_a_race_is_its_plays():
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


def test_the_same_seed_gives_the_same_table_on_one_process_or_two():
    here = raced()
    assert same(here, raced())
    assert same(here, raced(n_jobs=2))
    assert not same(here, race(WORLDS, ENTRANTS, (3, 1, 7)))


def test_the_same_race_runs_on_a_dask_cluster():
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, silence_logs=50
        ) as cluster,
        Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        seen = []
        table = raced(progress=seen.append)
    assert same(table, raced())
    assert len(seen) == 18


def test_a_race_does_not_depend_on_the_order_of_policies_and_seeds():
    table = raced()
    other = race(WORLDS[::-1], dict(reversed(ENTRANTS.items())), SEEDS[::-1])
    np.testing.assert_array_equal(table.regret, other.regret[::-1, ::-1, ::-1])


def test_a_problem_keeps_its_rewards_and_the_seeds_set_the_play():
    p = problem()
    table = race(p, {"optimist": Optimist()}, (0, 1))
    for s in (0, 1):
        np.testing.assert_array_equal(table.regret[0, 0, s], play(p, Optimist(), play_rng(s)).regret)
    assert not np.array_equal(table.arms[0, 0, 0], table.arms[0, 0, 1])


def test_a_race_in_a_table_of_real_rewards_ends_with_the_table():
    world = World(kind="data", dataset="stocks", horizon=100_000)
    table = race(world, {"uniform": Uniform()}, (0,))
    rows = make_problem(world).horizon
    assert table.horizons == (rows,) and rows < 100_000
    assert table.curves("uniform").shape == (1, rows)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_hears_of_every_run_once_and_in_turn(n_jobs):
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
def test_a_cancelled_race_keeps_what_finished_and_says_what_is_missing(after):
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
    """Does not begin before a file is there."""

    gate: str = ""

    def init(self, known: Known) -> int:
        for _ in range(200):  # 10 s: a gate that never opens fails the test instead of hanging it
            if Path(self.gate).exists():
                break
            time.sleep(0.05)
        return super().init(known)


def test_cancelling_a_race_on_two_processes_awaits_what_was_handed_out_and_nothing_else(tmp_path):
    gate, heard = tmp_path / "open", []

    def cancelled() -> bool:
        if len(heard) < 2:
            return False
        threading.Timer(0.3, gate.touch).start()  # long after the race has heard of it
        return True

    policies = {"free": Uniform(), "gated": Gated(gate=str(gate))}
    table = race(problem(), policies, range(6), n_jobs=2, progress=heard.append, cancelled=cancelled)
    assert [(run.name, run.seed) for run in heard[:2]] == [("free", 0), ("free", 1)]
    # One worker stands before the gate; joblib may have handed out the next two runs, a pair at a time.
    awaited = {(run.name, run.seed) for run in heard[2:]}
    assert {("gated", 0)} <= awaited <= {("gated", 0), ("gated", 1), ("free", 2)}
    assert len(table.missing) == 12 - 2 - len(awaited)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_progress_raises_ends_the_race_and_leaves_the_next_one_whole(n_jobs):
    def stop(run: Any) -> None:
        if run.done == 3:
            raise KeyError("stopped by the reader")

    with pytest.raises(KeyError, match="stopped by the reader"):
        raced(n_jobs=n_jobs, progress=stop)
    assert same(raced(n_jobs=n_jobs), raced())


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_a_policy_refuses_is_told_with_its_name(n_jobs):
    with pytest.raises(ValueError, match="bad one, problem 0, seed 5: Picks chose arm 99"):
        race(WORLDS, {"good": Uniform(), "bad one": Picks(arm=99)}, [5], n_jobs=n_jobs)


@pytest.mark.parametrize(
    ("problems", "policies", "seeds", "words"),
    [
        ([], ENTRANTS, [0], "at least one problem"),
        (WORLDS, {}, [0], "at least one policy"),
        (WORLDS, ENTRANTS, [], "distinct whole numbers from 0, at least one"),
        (WORLDS, ENTRANTS, [1, 1], "distinct whole numbers"),
        (WORLDS, ENTRANTS, [-1], "distinct whole numbers"),
        (WORLDS, ENTRANTS, [0.5], "distinct whole numbers"),
        (["still"], ENTRANTS, [0], "Problems and Worlds, got str"),
        ([World(arms=0)], ENTRANTS, [0], "arms must be a whole number"),
    ],
)
def test_a_race_of_nothing_is_refused_in_a_sentence(problems, policies, seeds, words):
    with pytest.raises(ValueError, match=words):
        race(problems, policies, seeds)
