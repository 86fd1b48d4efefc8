r"""Many runs of index policies on one problem, batched: a round of all of them costs little more than one's.

The runs are those of `tv.play` with the same policy and seed: the same noise, the same posterior up to
rounding, so the same arms unless two indices tie to rounding. Worth it for many runs with few arms, where
`play` spends its time between small array operations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from time import perf_counter
from typing import TypeGuard, cast

import numpy as np

from tvbo_core.designs import noise_of, play_rng
from tvbo_core.fast.posteriors import SUMMED_MEMORIES, stack_of
from tvbo_core.gp.memory import Memory
from tvbo_core.policies.index import GPUCB, RGPUCB, SWGPUCB, TVGPUCB, WGPUCB, IndexPolicy
from tvbo_core.policies.width import NOISELESS_RIDGE, THEORY, Width, largest_prior, resolve, resolve_ridge
from tvbo_core.records import History, LearnerInfo, Policy, Problem
from tvbo_core.threads import one_thread

POLICIES = (GPUCB, RGPUCB, SWGPUCB, WGPUCB, TVGPUCB)
MAX_ARMS = 40  # with more, `play` and its rank-one updates are as fast (measured)
MAX_STACK_NUMBERS = 60_000  # in a stack's covariances: more runs go in handfuls, to stay in the processor's cache
Runs = Sequence[tuple[IndexPolicy, int]]


def takes(problem: Problem, policy: Policy) -> TypeGuard[IndexPolicy]:
    """Return True when `play_together` plays this policy here; `tv.play` plays every one.

    It takes GP-UCB, R-, SW-, WGP- and TV-GP-UCB with a number or a `LogWidth` as width, on at most `MAX_ARMS`
    fixed arms, and with a ridge of at least a millionth of the largest prior variance (None always is).
    """
    return _takes(problem.known, policy)


def play_together(problem: Problem, runs: Sequence[tuple[Policy, int]]) -> list[History]:
    """Return the history that `tv.play(problem, policy, play_rng(seed))` makes for each of these (policy, seed).

    The seconds of a round are shared equally among the runs of a stack.

    Raises:
        ValueError: a policy that is not taken (`takes`).
    """
    known = problem.known
    for policy in {policy for policy, _ in runs}:
        if not _takes(known, policy):
            raise ValueError(f"{type(policy).__name__} cannot be batched here: play it with tv.play")
    found: dict[int, History] = {}
    with one_thread():  # matrices are small: more threads wait for each other
        checked = cast(Runs, runs)  # each of their policies was just taken
        memories = [policy.memory(known) for policy, _ in checked]
        for which in _handfuls(memories, problem.f.shape[1]):
            some, remembered = [checked[i] for i in which], [memories[i] for i in which]
            found |= zip(which, _in_step(problem, known, some, remembered), strict=True)
    return [found[i] for i in range(len(runs))]


def _takes(known: LearnerInfo, policy: Policy) -> TypeGuard[IndexPolicy]:
    return (
        isinstance(policy, POLICIES)
        and type(policy) in POLICIES
        and policy.width != THEORY
        and not (policy.dense or getattr(policy, "tight", False))
        and known.x.ndim == 2
        and len(known.x) <= MAX_ARMS
        and resolve_ridge(policy.ridge, known) >= NOISELESS_RIDGE * largest_prior(known)
    )


def _handfuls(memories: Sequence[Memory], m: int) -> list[list[int]]:
    """The numbers of the runs that go in one stack."""
    most = max(1, MAX_STACK_NUMBERS // m**2)
    kinds = [
        [i for i, a in enumerate(memories) if isinstance(a, SUMMED_MEMORIES) is summed] for summed in (False, True)
    ]
    return [which[i : i + most] for which in kinds for i in range(0, len(which), most)]


def _in_step(problem: Problem, known: LearnerInfo, runs: Runs, memories: Sequence[Memory]) -> Iterator[History]:
    T, policies, f = problem.horizon, [policy for policy, _ in runs], problem.f
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
