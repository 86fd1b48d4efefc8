r"""The one loop, and many of them: worlds x policies x seeds.

Chance has three streams. The noise of the whole horizon is drawn first (as in designs.py), so every policy
hears the same noise in the same round; then the same generator serves the policy's own choices; the noise of
side queries comes from a spawned generator, so that asking more does not change what the rounds sound like.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from numbers import Integral
from threading import Event
from time import perf_counter
from typing import Any

import numpy as np

from tvbo_core.designs import noise_of, play_rng
from tvbo_core.race_results import RaceTable, Run, run_of, tabulate
from tvbo_core.records import Band, History, Policy, Problem, World
from tvbo_core.threads import one_thread
from tvbo_core.worlds.make import check_world, make_problem


@dataclass(frozen=True, eq=False)
class WatchedHistory(History):
    """A History with the policy's band before each choice.

    Attributes:
        bands: T bands of m arms; `bands[t]` is what round t was decided with.
    """

    bands: tuple[Band, ...] = ()


def play(problem: Problem, policy: Policy, rng: np.random.Generator, bands: bool = False) -> History:
    r"""Play one policy in one problem: in round t it pulls $x_t$ and observes $y_t=f_t(x_t)+\xi_t$.

    The policy is told `problem.known` and what it hears, never f. One that has `questions(state, t, rng)`
    (arms to ask now, at $f_t$, each with fresh noise) and `answered(state, t, arms, ys)` is asked before
    `select` in every round. `seconds` is the policy's own time; round 0 includes `init`.

    Args:
        rng: chance of the play; equally seeded generators give every policy the same noise.
        bands: keep the policy's `band(state, t)` of every round; the result is then a `WatchedHistory`.
    Raises:
        ValueError: the policy chose an arm that does not exist, or has no band to show; or what it refuses.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> history = tv.play(problem, tv.GPUCB(), tv.observe.play_rng(0), bands=True)
    >>> len(history.bands), history.y.shape
    (60, (60,))
    """
    noise = noise_of(problem, rng)
    asked = _SideQueries(problem, rng.spawn(1)[0]) if hasattr(policy, "questions") else None
    band: Any = getattr(policy, "band", None)
    if bands and not callable(band):
        raise ValueError(f"{type(policy).__name__} has no band to show; play it with bands=False")
    f, known = problem.f, problem.known
    seen: list[Band] = []
    T, m = f.shape
    arms, y, seconds = np.empty(T, dtype=int), np.empty(T), np.empty(T)
    with one_thread():  # matrices are small: more threads wait for each other
        start = perf_counter()
        state = policy.init(known)
        for t in range(T):
            if asked is not None:
                state = asked.ask(policy, state, t, rng)
            if bands:
                seen.append(band(state, t))
            arm = _index(policy.select(state, t, rng), m, policy)
            arms[t], y[t] = arm, f[t, arm] + noise[t]
            state = policy.update(state, t, arm, float(y[t]))
            now = perf_counter()
            seconds[t], start = now - start, now
    heard: dict[str, Any] = {"problem": problem, "arms": arms, "y": y, "seconds": seconds}
    heard |= {"extra_queries": np.zeros(T, dtype=int)} if asked is None else asked.log()
    return WatchedHistory(**heard, bands=tuple(seen)) if bands else History(**heard)


class _SideQueries:
    """Answers and log of the side queries of one play."""

    def __init__(self, problem: Problem, rng: np.random.Generator) -> None:
        self.problem, self.rng = problem, rng
        self.counts = np.zeros(problem.horizon, dtype=int)
        self.arms: list[np.ndarray] = [np.empty(0, dtype=int)]
        self.answers: list[np.ndarray] = [np.empty(0)]

    def ask(self, policy: Any, state: Any, t: int, rng: np.random.Generator) -> Any:
        row = self.problem.f[t]
        asked = [_index(a, len(row), policy) for a in policy.questions(state, t, rng)]
        if not asked:
            return policy.answered(state, t, self.arms[0], self.answers[0])
        arms = np.array(asked, dtype=int)
        self.counts[t] = len(arms)
        ys = row[arms] + self.problem.noise_sd * self.rng.standard_normal(len(arms))
        self.arms.append(arms)
        self.answers.append(ys)
        return policy.answered(state, t, arms, ys)

    def log(self) -> dict[str, np.ndarray]:
        """Return the fields of a History that hold them."""
        return {"extra_queries": self.counts, "asked": np.concatenate(self.arms),
                "answers": np.concatenate(self.answers)}  # fmt: skip


def _index(arm: Any, m: int, policy: Any) -> int:
    try:
        arm = operator.index(arm)
    except TypeError:
        raise ValueError(f"{type(policy).__name__} chose {arm!r}, which is not an arm number") from None
    if not 0 <= arm < m:
        raise ValueError(f"{type(policy).__name__} chose arm {arm}; arms are numbered 0 to {m - 1}")
    return arm


def race(
    problems: Problem | World | Iterable[Problem | World],
    policies: Mapping[str, Policy],
    seeds: Iterable[int],
    n_jobs: int = 1,
    progress: Callable[[Run], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> RaceTable:
    """Race every policy in every problem with every seed.

    A Problem keeps its rewards and the seed sets the play; a World is drawn anew from each seed. Policies
    that share a seed hear the same noise per round. The table does not depend on the number of processes nor
    on the order in which runs finish. Work goes to joblib: `joblib.parallel_config(backend="dask")` sends it
    to a cluster. The first runs are played here, while the workers wake up.

    Args:
        policies: name -> policy; the order is that of the table.
        seeds: distinct whole numbers from 0.
        n_jobs: processes; 1 stays in this one, -1 takes all cores.
        progress: called here (never in a worker) with each run as it finishes.
        cancelled: asked between runs; once it says True the runs already handed out are awaited (fewer than
            two a process) and the table tells in `missing` what there was no time for. Runs are handed out
            seed by seed, so that whole seeds are there to be shown.
    Raises:
        ValueError: nothing to race, seeds that are not distinct whole numbers, an impossible world, or what a
            policy refuses (with the policy's name in front).

    >>> methods = {"GP-UCB": tv.GPUCB(), "R-PERP": tv.RPERP()}
    >>> table = tv.race([tv.World(horizon=40, arms=15)], methods, seeds=range(2))
    >>> np.round(table.final.mean(axis=(1, 2)), 1).tolist()
    [23.2, 30.8]
    """
    entries, seeds = _entries(problems), _seeds(seeds)
    if not policies:
        raise ValueError("a race needs at least one policy")
    jobs = [
        (name, policy, w, entry, seed)
        for seed in seeds
        for w, entry in enumerate(entries)
        for name, policy in policies.items()
    ]
    runs: list[Run] = []
    with closing(_finished(jobs, n_jobs, cancelled or (lambda: False))) as finished:
        for run in finished:
            runs.append(replace(run, done=len(runs) + 1, total=len(jobs)))
            if progress is not None:
                progress(runs[-1])
    horizons = [entry.horizon for entry in entries]
    for run in runs:  # a table of real rewards may be shorter than the horizon that its World asks for
        horizons[run.problem] = len(run.arms)
    return tabulate(runs, list(policies), horizons, seeds)


_Job = tuple[str, Policy, int, Problem | World, int]


def _finished(jobs: Sequence[_Job], n_jobs: int, cancelled: Callable[[], bool]) -> Generator[Run]:
    """The runs in the order in which they finish; they are played here until the first worker is awake."""
    from joblib import Parallel, delayed

    todo, halt, launched, awake = deque(jobs), Event(), Event(), Event()
    if cancelled():
        return

    def take() -> _Job | None:
        with suppress(IndexError):  # joblib takes jobs from a thread of its own
            return todo.popleft()
        return None

    def feed() -> Iterator[tuple]:
        while not halt.is_set() and (job := take()) is not None:
            yield delayed(_run)(*job)
            if launched.is_set():  # from now on more work is wanted only when some is done
                awake.set()

    here = take()
    # One run at a time and next to none waiting: "cancelled" then costs little more than the runs under way.
    results = Parallel(n_jobs, return_as="generator_unordered", batch_size=1, pre_dispatch="n_jobs")(feed())
    launched.set()
    try:
        while here is not None:
            yield _run(*here)
            if cancelled():
                halt.set()
            here = None if halt.is_set() or awake.is_set() else take()
        for run in results:
            yield run
            if cancelled():
                halt.set()
    finally:
        halt.set()
        with suppress(Exception):  # whatever ended the race early is the error to tell, not a second one
            for _ in results:  # await the runs under way: killed workers would have to wake up anew
                pass


def _run(name: str, policy: Policy, w: int, entry: Problem | World, seed: int) -> Run:
    try:
        problem = entry if isinstance(entry, Problem) else _drawn(replace(entry, seed=seed))
        history = play(problem, policy, play_rng(seed))
    except ValueError as error:
        raise ValueError(f"{name}, problem {w}, seed {seed}: {error}") from error
    return run_of(name, w, seed, history)


@lru_cache(maxsize=2)  # a worker is sent the policies of one world one after the other
def _drawn(world: World) -> Problem:
    return make_problem(world)


def _entries(problems: Problem | World | Iterable[Problem | World]) -> list[Problem | World]:
    entries = [problems] if isinstance(problems, Problem | World) else list(problems)
    if not entries:
        raise ValueError("a race needs at least one problem")
    for entry in entries:
        if isinstance(entry, World):
            check_world(entry)
        elif not isinstance(entry, Problem):
            raise ValueError(f"a race is run in Problems and Worlds, got {type(entry).__name__}")
    return entries


def _seeds(seeds: Iterable[int]) -> list[int]:
    numbers = list(seeds)
    whole = all(isinstance(seed, Integral) and not isinstance(seed, bool) and seed >= 0 for seed in numbers)
    if not (numbers and whole and len(set(numbers)) == len(numbers)):
        raise ValueError(f"seeds must be distinct whole numbers from 0, at least one, got {numbers}")
    return [int(seed) for seed in numbers]
