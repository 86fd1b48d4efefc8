r"""Results of a race: every run in one table, and who won, when the lead changed, and at what price.

Every summary compares cumulative regret $R_t=\sum_{s\le t}f_s(x_s^*)-f_s(x_s)$ over the runs that finished;
a race that was cancelled is summarised by what it has, and methods without a finished run are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from tvbo_core.records import History


@dataclass(frozen=True, eq=False)
class Run:
    """Run of one learner in one problem with one seed.

    Attributes:
        name: of the policy.   problem: index of the problem.   seed: of the play (and of the world).
        arms: (T,) index of the arm pulled each round.
        regret: (T,) regret of each round, reward units.
        extra_queries: (T,) side queries of each round.
        seconds: (T,) time the policy took in each round.
        done, total: runs of the race that have finished, this one included, and runs there are.
    """

    name: str
    problem: int
    seed: int
    arms: np.ndarray
    regret: np.ndarray
    extra_queries: np.ndarray
    seconds: np.ndarray
    done: int = 0
    total: int = 0


def run_of(name: str, problem: int, seed: int, history: History) -> Run:
    """Return what a table keeps of the history of a play (`tv.play` fills all of it)."""
    assert history.extra_queries is not None and history.seconds is not None
    return Run(name, problem, seed, history.arms, history.regret, history.extra_queries, history.seconds)


def lean(run: Run) -> Run:
    """Return the same run in less than half the memory: 14 bytes a round instead of 32 with at most 256 arms.

    Arms and side queries become the smallest unsigned integers that hold them, seconds are rounded to single
    precision (7 digits of a measured time); regret stays as it is, to the last bit.
    """

    def small(counts: np.ndarray) -> np.ndarray:
        return counts.astype(np.min_scalar_type(int(counts.max(initial=0))))

    return replace(
        run,
        arms=small(run.arms),
        extra_queries=small(run.extra_queries),
        seconds=run.seconds.astype(np.float32),
    )


@dataclass(frozen=True, eq=False)
class RaceTable:
    """All runs of a race; axes are policies P, problems W, seeds S and rounds T (the longest horizon).

    Entries of a run that did not finish, and of rounds beyond its problem's own horizon, are 0 (arms: -1):
    ask `finished` and `horizons`, or use `curves` and the summaries below, which do.

    Attributes:
        names: (P,) of the policies.   seeds: (S,).   horizons: (W,) own horizon of each problem.
        finished: (P, W, S) bool.
        regret: (P, W, S, T) regret of each round, reward units.
        arms: (P, W, S, T) arm pulled each round.
        extra_queries: (P, W, S, T) side queries of each round.
        seconds: (P, W, S, T) time the policy took in each round.

    >>> methods = {"GP-UCB": tv.GPUCB(), "Random": tv.Random()}
    >>> table = tv.race([tv.World(horizon=40, arms=15)], methods, seeds=range(2))
    >>> table.names, table.regret.shape, bool(table.finished.all())
    (('GP-UCB', 'Random'), (2, 1, 2, 40), True)
    """

    names: tuple[str, ...]
    seeds: tuple[int, ...]
    horizons: tuple[int, ...]
    finished: np.ndarray
    regret: np.ndarray
    arms: np.ndarray
    extra_queries: np.ndarray
    seconds: np.ndarray

    @property
    def cumulative(self) -> np.ndarray:
        """(P, W, S, T) cumulative regret $R_t$."""
        return self.regret.cumsum(axis=-1)

    @property
    def final(self) -> np.ndarray:
        """(P, W, S) cumulative regret at the horizon; 0 where the run did not finish."""
        return self.regret.sum(axis=-1)

    @property
    def missing(self) -> tuple[tuple[str, int, int], ...]:
        """(name, problem index, seed) of every run that did not finish."""
        absent = np.argwhere(~self.finished)
        return tuple((self.names[p], int(w), self.seeds[s]) for p, w, s in absent)

    def curves(self, name: str, problem: int = 0) -> np.ndarray:
        """(k, T) cumulative regret of one policy in one problem, a row per finished seed (k may be 0).

        Raises:
            ValueError: no such policy or problem.
        """
        if name not in self.names:
            raise ValueError(f"no policy of this race is called {name!r}; there are {', '.join(self.names)}")
        p, w = self.names.index(name), self._problem(problem)
        return self.regret[p, w, self.finished[p, w], : self.horizons[w]].cumsum(axis=-1)

    def _problem(self, problem: int) -> int:
        if not 0 <= problem < len(self.horizons):
            raise ValueError(f"problem must be an index 0..{len(self.horizons) - 1}, got {problem}")
        return problem


def tabulate(runs: Iterable[Run], names: Sequence[str], horizons: Sequence[int], seeds: Sequence[int]) -> RaceTable:
    """The table of these runs, in whatever order they come."""
    shape = (len(names), len(horizons), len(seeds))
    rounds = (*shape, max(horizons))
    table = RaceTable(
        names=tuple(names),
        seeds=tuple(seeds),
        horizons=tuple(horizons),
        finished=np.zeros(shape, dtype=bool),
        regret=np.zeros(rounds),
        arms=np.full(rounds, -1),
        extra_queries=np.zeros(rounds, dtype=int),
        seconds=np.zeros(rounds),
    )
    where, when = ({one: i for i, one in enumerate(axis)} for axis in (table.names, table.seeds))
    for run in runs:
        at, T = (where[run.name], run.problem, when[run.seed]), len(run.arms)
        table.finished[at] = True
        table.regret[at][:T] = run.regret
        table.arms[at][:T] = run.arms
        table.extra_queries[at][:T] = run.extra_queries
        table.seconds[at][:T] = run.seconds
    return table


def quantiles(table: RaceTable, problem: int = 0, q: Sequence[float] = (0.25, 0.5, 0.75)) -> dict[str, np.ndarray]:
    """Quantiles over the finished seeds of the cumulative regret: name -> (len(q), T), reward units.

    Raises:
        ValueError: no such problem, or a quantile outside [0, 1].
    """
    if not all(0 <= one <= 1 for one in q):
        raise ValueError(f"quantiles must lie in [0, 1], got {tuple(q)}")
    curves = {name: rows for name in table.names if len(rows := table.curves(name, problem))}
    if len({len(rows) for rows in curves.values()}) != 1:
        return {name: np.quantile(rows, q, axis=0) for name, rows in curves.items()}
    # As many seeds of each, the usual case: all at once, to the same last digit.
    found = np.quantile(np.stack(list(curves.values())), q, axis=1)
    return {name: found[:, p] for p, name in enumerate(curves)}


def median(table: RaceTable, problem: int = 0) -> dict[str, np.ndarray]:
    """Median over the finished seeds of the cumulative regret: name -> (T,), reward units."""
    return {name: rows[0] for name, rows in quantiles(table, problem, (0.5,)).items()}


@dataclass(frozen=True)
class LeadChange:
    """Change of the leader in row t (from 0): `leader` passes `passed`."""

    t: int
    leader: str
    passed: str


def lead_changes(table: RaceTable, problem: int = 0, lasting: int = 1) -> tuple[LeadChange, ...]:
    """Changes of the policy with the lowest median regret.

    The first leader is the lowest of round 0 (of several, the first in the table). Another takes the lead in
    the first round in which it is strictly below the leader and from which on no method is below it for
    `lasting` rounds, or until the end.

    Raises:
        ValueError: no such problem, or lasting is below 1.
    """
    if lasting < 1:
        raise ValueError(f"lasting must be at least 1 round, got {lasting}")
    medians = median(table, problem)
    if not medians:
        return ()
    names, rows = list(medians), np.array(list(medians.values()))
    lowest, bests, changes = rows.min(axis=0), rows.argmin(axis=0).tolist(), []
    leader = bests[0]
    for t, best in enumerate(bests):
        if not rows[best, t] < rows[leader, t]:
            continue
        if (rows[best, t : t + lasting] <= lowest[t : t + lasting]).all():  # it stays
            changes.append(LeadChange(t, names[best], names[leader]))
            leader = best
    return tuple(changes)


@dataclass(frozen=True, eq=False)
class Duels:
    """Pairwise wins at the horizon.

    Attributes:
        names: (P,).
        wins: (P, P) seeds in which the row's final regret is strictly below the column's.
        held: (P, P) seeds in which both finished; a tie is a win for neither.
    """

    names: tuple[str, ...]
    wins: np.ndarray
    held: np.ndarray


def who_beats_whom(table: RaceTable, problem: int = 0) -> Duels:
    """Counts over seeds, pair by pair: both faced the same rewards and heard the same noise."""
    w = table._problem(problem)
    done, final = table.finished[:, w], table.final[:, w]
    both = done[:, None] & done[None]
    wins = both & (final[:, None] < final[None])
    return Duels(table.names, wins.sum(axis=-1), both.sum(axis=-1))


LESS, MORE, ABOUT_EQUAL, UNDECIDED = "less", "more", "about equal", "undecided"
MARGIN = 0.1  # of the smaller mean: differences below it are called about equal


@dataclass(frozen=True, eq=False)
class PairedDifference:
    """Difference of two methods over the same seeds; of several rounds at once, every field but `seeds` is an array.

    Attributes:
        mean: of the differences.   error: standard error of the mean, infinite for one seed.
        low, high: ends of the 95 % Student interval of the mean.   seeds: how many.
        margin: largest difference that counts as about equal.
    """

    mean: float | np.ndarray
    error: float | np.ndarray
    low: float | np.ndarray
    high: float | np.ndarray
    seeds: int
    margin: float | np.ndarray

    @property
    def clear(self) -> bool | np.ndarray:
        """True where the interval leaves out 0: chance alone would do so in 5 % of such comparisons."""
        return (self.low > 0) | (self.high < 0)

    @property
    def verdict(self) -> str | np.ndarray:
        """Return "less" or "more", "about equal" or "undecided", of the first method beside the second.

        - "less": the whole interval is below 0.   "more": it is above 0.
        - "about equal": it holds 0 and lies within the margin on both sides.
        - "undecided": it holds 0 and reaches beyond the margin, as it always does for one seed.
        """
        within = np.maximum(np.abs(self.low), np.abs(self.high)) <= self.margin
        held = np.where(within, ABOUT_EQUAL, UNDECIDED)
        return np.where(self.high < 0, LESS, np.where(self.low > 0, MORE, held))[()]


def paired_difference(first: np.ndarray, second: np.ndarray, margin: float = MARGIN) -> PairedDifference:
    r"""Return how far the first lies above the second on average, seed by seed, with its 95 % Student interval.

    $\bar d\pm t_{0.975,n-1}\,s_d/\sqrt n$ with $d_i$ = first - second in seed i; it assumes that the $d_i$ are
    independent and about normal. World and noise of a seed are the same for both and cancel in $d_i$.

    Args:
        first, second: (n,) one number a seed, or (n, F) one a seed and round; the same seeds in the same order.
        margin: share of the smaller of the two means within which a difference counts as about equal.
    Raises:
        ValueError: their shapes differ, there is no seed, or a number is not finite.
    Source: Law, Simulation Modeling and Analysis, comparing two systems: the paired-t confidence interval, and
        common random numbers.
    """
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if first.shape != second.shape or not len(first):
        raise ValueError(f"a paired difference needs equal numbers of seeds, got {len(first)} and {len(second)}")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("a paired difference needs finite numbers, got NaN or infinity")
    gaps, n = first - second, len(first)
    mean = gaps.mean(axis=0)
    near = margin * np.minimum(np.abs(first.mean(axis=0)), np.abs(second.mean(axis=0)))
    if n == 1:
        never = np.full_like(mean, np.inf)[()]
        return PairedDifference(mean, never, -never, never, 1, near)
    error = gaps.std(axis=0, ddof=1) / np.sqrt(n)
    reach = stdtrit(n - 1, 0.975) * error
    return PairedDifference(mean, error, mean - reach, mean + reach, n, near)


def step_seconds(table: RaceTable, problem: int = 0) -> dict[str, float]:
    """Time a policy takes for one round (mean over rounds, median over finished seeds): name -> seconds."""
    w = table._problem(problem)
    means, finished = table.seconds[:, w].sum(axis=-1) / table.horizons[w], table.finished[:, w]
    if finished.size and finished.all():
        return dict(zip(table.names, np.median(means, axis=1).tolist(), strict=True))
    return {
        name: float(np.median(means[p][done]))
        for p, (name, done) in enumerate(zip(table.names, finished, strict=True))
        if done.any()
    }
