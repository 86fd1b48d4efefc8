"""Movement of the reward within a batch, and how often whole runs keep eq. 9."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from tvbo_core.bands.coverage import wilson
from tvbo_core.policies.elimination.batch import Batch
from tvbo_core.policies.elimination.policy import Elimination
from tvbo_core.policies.elimination.run import EliminationRun
from tvbo_core.records import Problem
from tvbo_core.threads import one_thread


def in_batch_drift(problem: Problem, batch: Batch) -> float:
    r"""$\max_{s,t}\|f_s-f_t\|_\infty$ over the rounds of a batch, reward units."""
    return float(np.ptp(problem.f[batch.start : batch.end], axis=0).max())


@dataclass(frozen=True)
class Eq9Score:
    r"""Counts of runs that keep eq. 9: every band that eliminates covers its $\bar f_j$ at every arm.

    Attributes:
        runs: runs made.   covered: runs in which eq. 9 held.   low, high: 95 % Wilson interval of their share.
        kept: runs in which no batch eliminated the arm that is best for its $\bar f_j$.
        inside: share of (band, arm) pairs that covered.   bands: bands that eliminated, in all runs.
        promised: $1-\delta$.
    """

    runs: int
    covered: int
    low: float
    high: float
    kept: int
    inside: float
    bands: int
    promised: float


def eq9_score(problems: Iterable[Problem], rule: Elimination, chance: Callable[[int], np.random.Generator]) -> Eq9Score:
    """Run a rule once in each problem and count.

    Args:
        problems: all with the same arms and kernel, so that what does not depend on rewards is found once.
        chance: number of the problem -> the chance of its run (its noise, then its orders, as `play` has it).
    Raises:
        ValueError: as the rule's `init`.
    Source: Iwazaki & Takeno, Theorem 4, eq. 9.
    """
    held, kept, seen = [], 0, None  # of each run, one row of arms a band
    with one_thread():
        for number, problem in enumerate(problems):
            run = rule.init(problem.known)
            if seen is not None:
                run.share(seen)
            seen, rows, best = run, [np.empty((0, problem.f.shape[1]), dtype=bool)], True
            for batch in _judged(run, problem, chance(number)):
                truth = batch.average(problem.f)
                rows.append(((batch.band.lower <= truth) & (truth <= batch.band.upper))[None])
                best &= bool(batch.survivors[np.where(batch.alive, truth, -np.inf).argmax()])
            held.append(np.concatenate(rows))
            kept += best
    covered, every = sum(bool(rows.all()) for rows in held), np.concatenate(held)
    low, high = wilson(covered, len(held))
    inside = float(every.mean()) if len(every) else 1.0
    return Eq9Score(len(held), covered, low, high, kept, inside, len(every), 1.0 - rule.delta)


def _judged(run: EliminationRun, problem: Problem, rng: np.random.Generator) -> Iterable[Batch]:
    """The batches of a run that eliminate; the same as `play` makes, without a loop over the policy's protocol."""
    noise = problem.noise_sd * rng.standard_normal(problem.horizon)
    t, last = 0, None
    while t < problem.horizon:
        queue = run.line_up(rng)
        rounds = np.arange(t, t + len(queue))
        for arm, y in zip(queue.tolist(), (problem.f[rounds, queue] + noise[rounds]).tolist(), strict=True):
            run.observe(arm, y)
        t += len(queue)
        if run.batch is not None and run.batch is not last:
            last = run.batch
            yield last
