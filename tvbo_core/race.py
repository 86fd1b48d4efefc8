r"""Races: worlds x policies x seeds, each run played by the one loop (play.py)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from functools import lru_cache
from numbers import Integral
from threading import Event

from tvbo_core.ask_tell import check_policy
from tvbo_core.designs import play_rng
from tvbo_core.play import play
from tvbo_core.race_results import RaceTable, Run, run_of, tabulate
from tvbo_core.records import Policy, Problem, World
from tvbo_core.validation import short_repr
from tvbo_core.worlds.make import check_world, make_problem


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
    if not isinstance(policies, Mapping):
        raise ValueError(f"policies must be a dict of names and policies, got {short_repr(policies)}")
    for name, policy in policies.items():
        check_policy(policy, f"the policy {name!r}")
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
    try:
        from joblib import Parallel, delayed
    except ImportError:  # a Python without processes: all runs are played here
        for job in jobs:
            if cancelled():
                return
            yield _run(*job)
        return
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
        problem = entry if isinstance(entry, Problem) else _problem_of(replace(entry, seed=seed))
        history = play(problem, policy, play_rng(seed))
    except ValueError as error:
        raise ValueError(f"{name}, problem {w}, seed {seed}: {error}") from error
    return run_of(name, w, seed, history)


_problem_of = lru_cache(maxsize=2)(make_problem)  # a worker is sent the policies of one world one after the other


def _entries(problems: Problem | World | Iterable[Problem | World]) -> list[Problem | World]:
    if not isinstance(problems, Problem | World | Iterable):
        raise ValueError(f"a race is run in Problems and Worlds, got {short_repr(problems)}")
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
    numbers = list(seeds) if isinstance(seeds, Iterable) else [seeds]
    whole = all(isinstance(seed, Integral) and not isinstance(seed, bool) and seed >= 0 for seed in numbers)
    if not (numbers and whole and len(set(numbers)) == len(numbers)):
        raise ValueError(f"seeds must be distinct whole numbers from 0, at least one, got {numbers}")
    return [int(seed) for seed in numbers]
