r"""Effect of the shuffle: the error of one batch's estimate over many orders, and how often whole runs keep eq. 9.

With $w_m(x)$ the weights of a batch, $\mu(x)=\sum_mw_m(x)\,(f_{\psi(m)}(\tilde x_m)+\xi_m)$: only the times
$\psi$ and the noise change from shuffle to shuffle. Averaged over both, the estimate is the posterior mean fed
with the batch-average rewards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tvbo_core.bands.coverage import wilson
from tvbo_core.gp.dense import posterior_weights
from tvbo_core.policies.elimination.batch import Batch
from tvbo_core.policies.elimination.policy import Elimination
from tvbo_core.policies.elimination.run import EliminationRun
from tvbo_core.records import Problem
from tvbo_core.threads import one_thread


@dataclass(frozen=True, eq=False)
class ShuffleSpread:
    r"""The error $\mu(x)-\bar f_j(x)$ of one batch's estimate over many orders of its questions.

    Attributes:
        shuffled, fixed: (k, a) errors at the a candidates of the batch, one row a repeat: in a random order with
            fresh noise, and in the order of the picks with the same noise; reward units.
        arms: (a,) which arms these are.
        bias: (a,) the error of the posterior mean fed with the batch-average rewards, $\mu(\cdot;\bar f)-\bar f_j$.
        half: (a,) half-width of the batch's band.
    """

    shuffled: np.ndarray
    fixed: np.ndarray
    arms: np.ndarray
    bias: np.ndarray
    half: np.ndarray

    @property
    def place(self) -> int:
        """Position among `arms` where the fixed order is most wrong on average."""
        return int(np.abs(self.fixed.mean(axis=0)).argmax())

    def worst(self, fixed: bool = False) -> float:
        """Median over the repeats of the largest error among the candidates."""
        return float(np.median(np.abs(self.fixed if fixed else self.shuffled).max(axis=1)))

    def averaged(self, fixed: bool = False) -> float:
        """Largest error among the candidates of the average of all repeats."""
        return float(np.abs((self.fixed if fixed else self.shuffled).mean(axis=0)).max())

    def inside(self, fixed: bool = False) -> float:
        """Share of candidates and repeats where the band covers the batch average."""
        return float((np.abs(self.fixed if fixed else self.shuffled) <= self.half).mean())


def shuffle_spread(problem: Problem, batch: Batch, ridge: float, draws: int, rng: np.random.Generator) -> ShuffleSpread:
    """Ask one batch again many times: same questions, same rewards, other orders and other noise.

    Args:
        batch: with its truth, as `batches` yields it.   ridge: of the run.   draws: repeats.
    Raises:
        ValueError: the batch does not know the truth.
    """
    if batch.truth is None:
        raise ValueError("this batch does not know the true rewards; take it from `batches(problem, rng)`")
    n, arms = len(batch.picks), np.flatnonzero(batch.alive)
    weights = posterior_weights(problem.kernel, problem.x[batch.picks], problem.x[arms], ridge)
    heard = problem.f[batch.start : batch.end][:, batch.picks]  # (time, pick): each pick at every time of the batch
    times = rng.permuted(np.tile(np.arange(n), (draws, 1)), axis=1)
    noise = problem.noise_sd * rng.standard_normal((draws, n))
    truth = batch.truth[arms]
    return ShuffleSpread(
        shuffled=(heard[times, np.arange(n)] + noise) @ weights - truth,
        fixed=(heard.diagonal() + noise) @ weights - truth,
        arms=arms,
        bias=heard.mean(axis=0) @ weights - truth,
        half=batch.band.upper[arms] - batch.band.mean[arms],
    )


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
    return counted(held, kept, 1.0 - rule.delta)


def counted(held: Sequence[np.ndarray], kept: int, promised: float) -> Eq9Score:
    """The score of runs from the bands (bands, m) of each that covered, and the number that kept their best arm."""
    covered, every = sum(bool(rows.all()) for rows in held), np.concatenate(held)
    low, high = wilson(covered, len(held))
    inside = float(every.mean()) if len(every) else 1.0
    return Eq9Score(len(held), covered, low, high, kept, inside, len(every), promised)


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
