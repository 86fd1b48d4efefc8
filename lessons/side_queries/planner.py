r"""Plans for a budget of side queries: the windows and questions per window that fit, and the theory's claim.

A schedule is closed form: windows by $(\alpha,\tilde\alpha)$ and $Q_t=\min(t,\lceil q\ln^d(1+t)\rceil)$ questions
in each. Exponents are those of the theorems, whose constants are not stated; only the counts are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from common.cache import shared
from tvbo_core.policies.side_queries.schedule import (
    query_exponent,
    window_starts,
)

WINDOW_EXPONENTS = tuple(round(0.01 * i, 2) for i in range(5, 34))  # window exponents that are tried, all below 1/3
MAX_Q = 20.0  # the largest q that is tried
AXIS_ROUNDS = 100_000  # on the axis of the totals, far beyond the play
AXIS_POINTS = 160
SHOWN_CONSTANTS = (0.5, 1.0, 2.0)  # beside the reader's


@dataclass(frozen=True)
class AffordableSchedule:
    r"""One schedule that a budget can pay for.

    Attributes:
        window_exponent: $\tilde\alpha$.   q_const: the largest q (to 0.01) whose questions fit.
        windows: how many open before the last round.   longest: rounds of the last one.
        last: questions in the last window.   total: $N_T$.
    """

    window_exponent: float
    q_const: float
    windows: int
    longest: int
    last: int
    total: int

    @property
    def regret_exponent(self) -> float:
        r"""Power of T that W-SparQ's regret is claimed to have, $(3\tilde\alpha+1)/2$.

        Source: Mauduit et al., Thm 3.10, with the square root as in their Table 2.
        """
        return 0.5 * (3.0 * self.window_exponent + 1.0)


@dataclass(frozen=True)
class QueryPlan:
    r"""Plan that a budget of N side queries pays for in T rounds, with the theory's claim.

    Attributes:
        T, alpha, dimension, budget: as asked.
        fits: schedules that the budget pays for, shortest windows first; may be empty.
    """

    T: int
    alpha: float
    dimension: int
    budget: int
    fits: tuple[AffordableSchedule, ...]

    @property
    def floor_exponent(self) -> float:
        """Power of T of the proved minimum; fast regime only."""
        return least_query_exponent(self.alpha)

    @property
    def floor(self) -> float | None:
        r"""$T^{\alpha/(\alpha+1)}$ in the fast regime, else None: of this order the questions are too few."""
        return self.T**self.floor_exponent if self.alpha > 1 else None

    @property
    def quiet(self) -> float:
        """Rounds of the quietest window, $L^*$; fast regime only."""
        return quietest_length(self.T, self.alpha)

    @property
    def worth(self) -> float:
        r"""Fresh answers that N questions are worth in the last round of that window, $N\,F(L^*)$."""
        return self.budget * information_factor(self.quiet, self.T, self.alpha)

    def affordable(self, q_const: float) -> AffordableSchedule | None:
        r"""The shortest windows that can be paid for with at least this q: the smallest claimed regret."""
        return next((fit for fit in self.fits if fit.q_const >= q_const), None)


def least_query_exponent(alpha: float) -> float:
    r"""Power of T up to which side queries are too few: $N_T=O(T^{\alpha/(\alpha+1)})$ has $R_T=\Omega(T)$.

    Proved for $\alpha>1$; in Table 2 also the left border of the slower regimes.

    Source: Mauduit et al., Thm 5.3.
    """
    return alpha / (alpha + 1.0)


def information_factor(L: float, T: float, alpha: float) -> float:
    r"""Information of side queries in a round that ends a quiet window of length L, times $\sigma^2/N_T$.

    $F(L)=L^{-\alpha}+4L/T$: what questions before the window still tell, and what those inside it tell.

    Args:
        L: window length, positive.   T: horizon, positive.   alpha: drift exponent, positive.
    Source: Mauduit et al., proof of Thm 5.3.
    """
    return L**-alpha + 4.0 * L / T


def quietest_length(T: float, alpha: float) -> float:
    r"""Window length with the least information, $L^*=\arg\min F=(\alpha T/4)^{1/(\alpha+1)}$.

    Then $F(L^*)=(1+\alpha)L^{*-\alpha}$.

    Source: Mauduit et al., proof of Thm 5.3, with 4 in place of the printed 8 (orders unaffected).
    """
    return (alpha * T / 4.0) ** (1.0 / (alpha + 1.0))


def regime(alpha: float) -> str:
    r"""Slow, moderate or fast drift: the borders are 1/3 and 1 (Mauduit et al., sec. 1.2)."""
    return "slow" if alpha < 1 / 3 else "moderate" if alpha <= 1 else "fast"


@shared(250)  # the plan and its prices ask for the same
def schedule(T: int, alpha: float, window_exponent: float) -> np.ndarray:
    """(W,) rounds s after which W-SparQ asks in T rounds: nothing is asked after the last round."""
    return np.array(window_starts(T - 1, alpha, window_exponent), dtype=np.int64)


def query_counts(starts: np.ndarray, q_const: float, dimension: int) -> np.ndarray:
    r"""(W,) questions after each of these rounds, $\min(t,\lceil q\ln^d(1+t)\rceil)$; see `planned_queries`."""
    t = np.asarray(starts, dtype=float)
    return np.ceil(np.minimum(t, q_const * np.log1p(t) ** dimension)).astype(np.int64)


def largest_q(starts: np.ndarray, dimension: int, budget: int) -> float | None:
    """The largest q on the grid 0.01, 0.02, ..., `MAX_Q` whose questions the budget pays for; None: none does."""
    low, high = 0, round(MAX_Q / 0.01)
    if len(starts) > budget:  # one question a window is the least there is
        return None
    while low < high:  # total is non-decreasing in q
        middle = (low + high + 1) // 2
        if query_counts(starts, 0.01 * middle, dimension).sum() <= budget:
            low = middle
        else:
            high = middle - 1
    return round(0.01 * low, 2) if low else None


@shared(64)
def plan(T: int, alpha: float, dimension: int, budget: int) -> QueryPlan:
    """Every window exponent whose schedule fits the budget, with the largest q it leaves room for.

    Args:
        T: horizon.   alpha: drift exponent.   dimension: d.   budget: side queries in all.
    """
    tried = [_fit(T, dimension, budget, w, schedule(T, alpha, w)) for w in WINDOW_EXPONENTS]
    return QueryPlan(T, alpha, dimension, budget, tuple(fit for fit in tried if fit is not None))


def _fit(T: int, dimension: int, budget: int, window_exponent: float, starts: np.ndarray) -> AffordableSchedule | None:
    q = largest_q(starts, dimension, budget)
    if q is None:
        return None
    counts = query_counts(starts, q, dimension)
    return AffordableSchedule(
        window_exponent,
        q,
        len(starts),
        int(T - starts[-1]),
        int(counts[-1]),
        int(counts.sum()),
    )


@shared(64)
def costs(T: int, alpha: float, dimension: int, qs: Sequence[float]) -> np.ndarray:
    """(len(qs), E) total side queries of every window exponent that is tried."""
    starts = [schedule(T, alpha, w) for w in WINDOW_EXPONENTS]
    return np.array([[query_counts(s, q, dimension).sum() for s in starts] for q in qs], dtype=float)


def prices(found: QueryPlan, q: float) -> tuple[tuple[float, ...], np.ndarray, tuple[float, int] | None]:
    """Return constants, their totals by window exponent, and (exponent, total) of the schedule that is chosen."""
    qs = tuple(sorted({*SHOWN_CONSTANTS, q}))
    fit, priced_at = found.affordable(q), costs(found.T, found.alpha, found.dimension, qs)
    if fit is None:
        return qs, priced_at, None
    at = WINDOW_EXPONENTS.index(fit.window_exponent)
    return qs, priced_at, (fit.window_exponent, int(priced_at[qs.index(q), at]))


@dataclass(frozen=True, eq=False)
class QueryTotals:
    r"""Side queries so far against time, for the chart of totals.

    Attributes:
        t: (J,) rounds.   sparq, wsparq: (J,) planned totals after t rounds.
        floor: (J,) $t^{\alpha/(\alpha+1)}$.   slope: $1-\tilde\alpha/\alpha$ of W-SparQ, least 0.
    """

    t: np.ndarray
    sparq: np.ndarray
    wsparq: np.ndarray
    floor: np.ndarray
    slope: float


@shared(64)
def totals(T: int, alpha: float, window_exponent: float, q_const: float, dimension: int) -> QueryTotals:
    """Planned totals of both schedules at some rounds from 2 to T, evenly spread in log t."""
    t = np.unique(np.geomspace(2, T, AXIS_POINTS).round().astype(np.int64))
    starts = schedule(T, alpha, window_exponent)
    wsparq = np.concatenate([[0], np.cumsum(query_counts(starts, q_const, dimension))])
    sparq = np.cumsum(query_counts(np.arange(1, T), q_const, dimension))
    return QueryTotals(
        t=t,
        sparq=sparq[t - 2],
        wsparq=wsparq[np.searchsorted(starts, t - 1, side="right")],
        floor=t.astype(float) ** least_query_exponent(alpha),
        slope=query_exponent(alpha, window_exponent),
    )
