r"""Side queries by schedule, far beyond a run, and the regimes of the theory.

A schedule is closed form: windows by $(\alpha,\tilde\alpha)$ and $Q_t=\min(t,\lceil q\ln^d(1+t)\rceil)$ questions
in each. Exponents are those of the theorems, whose constants are not stated; only the counts are exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from common.cache import shared
from tvbo_core.policies.side_queries.schedule import (
    query_exponent,
    window_starts,
)

AXIS_ROUNDS = 100_000  # on the axis of the totals, far beyond the play
AXIS_POINTS = 160


def least_query_exponent(alpha: float) -> float:
    r"""Power of T up to which side queries are too few: $N_T=O(T^{\alpha/(\alpha+1)})$ has $R_T=\Omega(T)$.

    Proved for $\alpha>1$; in Table 2 also the left border of the slower regimes.

    Source: Mauduit et al., Thm 5.3.
    """
    return alpha / (alpha + 1.0)


def regime(alpha: float) -> str:
    r"""Slow, moderate or fast drift: the borders are 1/3 and 1 (Mauduit et al., sec. 1.2)."""
    return "slow" if alpha < 1 / 3 else "moderate" if alpha <= 1 else "fast"


def schedule(T: int, alpha: float, window_exponent: float) -> np.ndarray:
    """(W,) rounds s after which W-SparQ asks in T rounds: nothing is asked after the last round."""
    return np.array(window_starts(T - 1, alpha, window_exponent), dtype=np.int64)


def query_counts(starts: np.ndarray, q_const: float, dimension: int) -> np.ndarray:
    r"""(W,) questions after each of these rounds, $\min(t,\lceil q\ln^d(1+t)\rceil)$; see `planned_queries`."""
    t = np.asarray(starts, dtype=float)
    return np.ceil(np.minimum(t, q_const * np.log1p(t) ** dimension)).astype(np.int64)


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
