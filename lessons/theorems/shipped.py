"""Mean regret of the runs that ship with the lesson."""

from __future__ import annotations

import numpy as np

from lessons.shared import stored_runs
from lessons.theorems.runs import model
from tvbo_core import World


def mean_regret(case: str, world: World, seeds: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Return horizons and mean regrets of a case's runs in the adversary's world; None where not all are shipped.

    Args:
        case: key of the theorem with constants.   world: with the longest horizon.   seeds: runs a horizon.
    """
    played = model.RunSetting(case, "adversary", world, seeds)
    every = model.jobs(played)
    jobs = [job for _, job in every]
    results = stored_runs.runs(jobs, model.FILE)
    if len(results) < len(set(jobs)):
        return None
    mean = [np.mean([results[job].regret.sum() for T, job in every if t == T]) for t in played.horizons]
    return np.array(played.horizons, dtype=float), np.array(mean)
