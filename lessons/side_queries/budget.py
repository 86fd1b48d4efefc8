"""Numbers of side queries: how both schedules grow, and what a budget of questions can buy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.cache import keyed, shared
from lessons.side_queries import planner
from lessons.side_queries.model import FirstSeed
from lessons.side_queries.planner import WINDOW_EXPONENTS, QueryPlan, QueryTotals

AXIS_ROUNDS = 100_000  # on the axis of the totals
SHOWN_CONSTANTS = (0.5, 1.0, 2.0)  # beside the reader's
_kept_schedules = keyed(8)


def totals_of(first: FirstSeed) -> QueryTotals:
    """Return the totals of both schedules of this page."""
    s = first.setting
    return totals(first.horizon, s.alpha, s.window_exponent, s.q, first.problem.x.shape[1])


@shared(64)
def totals(T: int, alpha: float, window_exponent: float, q: float, dimension: int) -> QueryTotals:
    """Return the planned totals of both schedules, far beyond the play."""
    return planner.totals(max(T, AXIS_ROUNDS), alpha, window_exponent, q, dimension)


@shared(64)
def plan(T: int, alpha: float, dimension: int, budget: int) -> QueryPlan:
    """Return what a budget of questions can buy."""
    return planner.plan(T, alpha, dimension, budget, schedules=_schedules(T, alpha))


def _schedules(T: int, alpha: float) -> list[np.ndarray]:
    """Return the schedule of every window exponent that is tried: the plan and its prices ask for the same."""
    return _kept_schedules((T, alpha), lambda: [planner.schedule(T, alpha, w) for w in WINDOW_EXPONENTS])


@shared(64)
def costs(T: int, alpha: float, dimension: int, qs: Sequence[float]) -> np.ndarray:
    """Return (len(qs), E) total side queries of every window exponent that the planner tries."""
    starts = _schedules(T, alpha)
    return np.array([[planner.query_counts(s, q, dimension).sum() for s in starts] for q in qs], dtype=float)


def prices(found: QueryPlan, q: float) -> tuple[tuple[float, ...], np.ndarray, tuple[float, int] | None]:
    """Return constants, their totals by window exponent, and (exponent, total) of the schedule that is chosen."""
    qs = tuple(sorted({*SHOWN_CONSTANTS, q}))
    fit, priced_at = found.affordable(q), costs(found.T, found.alpha, found.dimension, qs)
    if fit is None:
        return qs, priced_at, None
    at = WINDOW_EXPONENTS.index(fit.window_exponent)
    return qs, priced_at, (fit.window_exponent, int(priced_at[qs.index(q), at]))
