"""General statements of the lesson, as numbers that are counted over blocks of seeds."""

from __future__ import annotations

import numpy as np

from lessons.record import Claim, Values
from lessons.shared.odds import block
from lessons.shared.stored_runs import played
from lessons.side_queries import model, pickers
from lessons.side_queries.knobs import ALPHA
from tvbo_core.race_results import Run


def _ratio(values: Values, one: str, other: str) -> float:
    """Return the median regret of one method over that of another."""
    jobs = [job for job in model.jobs(model.setting_from(block(values))) if job.name in (one, other)]
    ends: dict[str, list[float]] = {one: [], other: []}
    for job, run in played(jobs, model.FILE).items():
        assert isinstance(run, Run), run
        ends[job.name].append(float(run.regret.sum()))
    return float(np.median(ends[one]) / np.median(ends[other]))


def _no_more(values: Values) -> float:
    """Return the median regret of W-SparQ over that of SparQ."""
    return _ratio(values, "W-SparQ", "SparQ")


def _less_need(values: Values) -> float:
    """Return GP-UCB's regret over W-SparQ's here, over the same ratio in the page's own world."""
    return _ratio(values, "GP-UCB", "W-SparQ") / _ratio({**values, "alpha": ALPHA}, "GP-UCB", "W-SparQ")


def _spread(values: Values) -> float:
    """Return the span of the k-DPP's last points over that of as many random ones (first seed)."""
    runs = pickers.first_seeds(model.first_seed(model.setting_from(values), names=("W-SparQ",)))
    queries = {picker: one.plays["W-SparQ"].asked_before(int(one.starts[-1]))[0] for picker, one in runs.items()}
    span = {picker: float(np.ptp(one.x[queries[picker]])) for picker, one in runs.items()}
    return span["exact"] / span["random"]


NO_MORE = Claim(
    "with about a quarter of the side queries W-SparQ has no more regret after 500 rounds than SparQ, both medians of "
    "8 runs",
    "seed",
    _no_more,
    lambda ratio: ratio <= 1.0,
)
LESS_NEEDED = Claim(
    f"with slow drift, α = 0.34, GP-UCB has fewer times W-SparQ's regret after 500 rounds than with α = {ALPHA:g}",
    "seed",
    _less_need,
    lambda ratio: ratio < 1.0,
)
SPREADS = Claim(
    "in 200 rounds the k-DPP's last points lie further apart than as many at random",
    "seed",
    _spread,
    lambda ratio: ratio > 1.0,
)
