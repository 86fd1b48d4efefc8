r"""Many runs of policies on one problem: index policies in stacks, in which a round of all runs costs little more than
one's, the others one after the other.

A stacked run is that of `tv.play` with the same policy and seed: the same noise, the same posterior up to rounding, so
the same arms unless two indices tie to rounding. Stacks are worth it for many runs with few arms, where `play` spends
its time between small array operations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from time import perf_counter
from typing import TypeGuard

import numpy as np

from lessons.real_data.stacks import SUMMED_MEMORIES, stack_of
from tvbo_core.designs import noise_of, play_rng
from tvbo_core.gp.memory import Memory
from tvbo_core.play import play
from tvbo_core.policies.index import GPUCB, RGPUCB, SWGPUCB, TVGPUCB, WGPUCB, IndexPolicy
from tvbo_core.policies.width import NOISELESS_RIDGE, THEORY, Width, largest_prior, resolve, resolve_ridge
from tvbo_core.records import History, Policy, Problem
from tvbo_core.threads import one_thread

STACKED = (GPUCB, RGPUCB, SWGPUCB, WGPUCB, TVGPUCB)
MAX_ARMS = 40  # with more, `play` and its rank-one updates are as fast (measured)
MAX_STACK_NUMBERS = 60_000  # in a stack's covariances: more runs go in several stacks, to stay in the processor's cache
STACKED_MS, ALONE_MS = 2.0, 20.0  # of a run of 500 rounds with next to no arms
Runs = Sequence[tuple[IndexPolicy, int]]


def seconds(runs: int, rounds: int, arms: int) -> float:
    """Return about how many seconds so many runs of index policies take on one core."""
    ms = STACKED_MS * (1 + arms / 12) if arms <= MAX_ARMS else ALONE_MS * (1 + arms / 150)
    return 1e-3 * runs * ms * (rounds / 500) ** 1.15


def play_many(problem: Problem, runs: Sequence[tuple[Policy, int]]) -> list[History]:
    """Return the history that `tv.play(problem, policy, play_rng(seed))` makes for each of these (policy, seed).

    The seconds of a round are shared equally among the runs of a stack.
    """
    fast = {policy: takes(problem, policy) for policy, _ in runs}
    found: dict[int, History] = {}
    with one_thread():  # matrices are small: more threads wait for each other
        for which in _stacks(problem, [(i, policy) for i, (policy, _) in enumerate(runs) if fast[policy]]):
            found |= zip(which, _in_step(problem, [runs[i] for i in which]), strict=True)  # type: ignore[arg-type]
    return [found[i] if i in found else play(problem, policy, play_rng(seed)) for i, (policy, seed) in enumerate(runs)]


def takes(problem: Problem, policy: Policy) -> TypeGuard[IndexPolicy]:
    """Return True where runs of this policy are stacked.

    They are those of GP-UCB, R-, SW-, WGP- and TV-GP-UCB with a number or a `LogWidth` as width, on at most `MAX_ARMS`
    fixed arms, and with a ridge of at least a millionth of the largest prior variance (None always is).
    """
    known = problem.known
    return (
        isinstance(policy, STACKED)
        and type(policy) in STACKED
        and policy.width != THEORY
        and not (policy.dense or getattr(policy, "tight", False))
        and known.x.ndim == 2
        and len(known.x) <= MAX_ARMS
        and resolve_ridge(policy.ridge, known) >= NOISELESS_RIDGE * largest_prior(known)
    )


def _stacks(problem: Problem, policies: Sequence[tuple[int, IndexPolicy]]) -> list[list[int]]:
    """Return the numbers of the runs that go in one stack."""
    most = max(1, MAX_STACK_NUMBERS // problem.f.shape[1] ** 2)
    sums = {i: isinstance(policy.memory(problem.known), SUMMED_MEMORIES) for i, policy in policies}
    kinds = [[i for i, summed in sums.items() if summed is kind] for kind in (False, True)]
    return [which[i : i + most] for which in kinds for i in range(0, len(which), most)]


def _in_step(problem: Problem, runs: Runs) -> Iterator[History]:
    T, policies, f, known = problem.horizon, [policy for policy, _ in runs], problem.f, problem.known
    memories: list[Memory] = [policy.memory(known) for policy in policies]
    resolved = {r: resolve_ridge(r, known) for r in {p.ridge for p in policies}}
    ridge = np.array([resolved[p.ridge] for p in policies])
    stack = stack_of(memories, known.kernel(known.x, known.x), ridge, T)
    width, noise = _widths(policies, T), _noise(problem, [seed for _, seed in runs])
    arms, y, seconds = np.empty((T, len(runs)), dtype=int), np.empty((T, len(runs))), np.empty(T)
    start = perf_counter()
    for t in range(T):
        mean, sd = stack.curves()
        arms[t] = (mean + width[t, :, None] * sd).argmax(axis=1)
        y[t] = f[t].take(arms[t]) + noise[t]
        stack.learn(arms[t], y[t])
        now = perf_counter()
        seconds[t], start = now - start, now
    for pulled, heard in zip(arms.T.copy(), y.T.copy(), strict=True):
        yield History(problem, pulled, heard, np.zeros(T, dtype=int), seconds / len(runs))


def _widths(policies: Sequence[IndexPolicy], T: int) -> np.ndarray:
    """(T, R) the width of every round in every run."""
    made = {w: _grown(w, T) for w in {p.width for p in policies}}
    return np.array([made[p.width] for p in policies]).T


@lru_cache(maxsize=8)  # a table is raced on again and again, with the same width
def _grown(width: Width, T: int) -> np.ndarray:
    """(T,) this width in every round."""
    return np.array([resolve(width, t, float) for t in range(T)])


def _noise(problem: Problem, seeds: Sequence[int]) -> np.ndarray:
    """(T, R) the noise of every round in every run; runs of one seed hear the same."""
    by_seed = {seed: noise_of(problem, play_rng(seed)) for seed in set(seeds)}
    return np.array([by_seed[seed] for seed in seeds]).T
