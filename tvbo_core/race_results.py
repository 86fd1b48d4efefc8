r"""Results of a race: every run in one table, and how far two policies are apart over the same seeds.

Regret is cumulative, $R_t=\sum_{s\le t}f_s(x_s^*)-f_s(x_s)$; a race that was cancelled has the runs that finished.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, eq=False)
class RaceTable:
    """All runs of a race; axes are policies P, problems W, seeds S and rounds T (the longest horizon).

    Entries of a run that did not finish, and of rounds beyond its problem's own horizon, are 0 (arms: -1):
    ask `finished` and `horizons`, or use `curves`, which does.

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
        if not 0 <= problem < len(self.horizons):
            raise ValueError(f"problem must be an index 0..{len(self.horizons) - 1}, got {problem}")
        p = self.names.index(name)
        return self.regret[p, problem, self.finished[p, problem], : self.horizons[problem]].cumsum(axis=-1)


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
