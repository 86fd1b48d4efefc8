"""Coverage of eq. 9 by R-PERP in repeated worlds, a row a width and an order. Workers import this module."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from common.cache import shared
from lessons.rperp.model import PairedRuns
from lessons.rperp.order_adversary import tuned
from lessons.rperp.setting import DRIFT, RPERPSetting, rule
from tvbo_core import Problem, policies
from tvbo_core.bands.coverage import wilson
from tvbo_core.designs import play_rng
from tvbo_core.policies import RPERP
from tvbo_core.policies.width import THEORY
from tvbo_core.threads import one_thread
from tvbo_core.worlds import make_problem

FEW_WORLDS, MANY_WORLDS = 12, 200  # measured at once, and when asked for


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


CoverageRows = Mapping[tuple[str, bool], Eq9Score]  # (width, whether the order is shuffled) -> how runs kept eq. 9


def rows(runs: PairedRuns, worlds: int, scored: Callable[..., Eq9Score] | None = None) -> CoverageRows:
    """Return the coverage with the chosen width in both orders, and with the proved widths.

    Args:
        scored: `score`, or a function that has it computed elsewhere.
    """
    setting = replace(runs.setting, shuffle=0)  # each world has orders of its own, whichever the stage shows
    wanted = [(setting.width, True), (setting.width, False)]
    if runs.problem.norm_bound is not None:
        wanted += [(width, True) for width in (THEORY, DRIFT) if width != setting.width]
    scored = scored or score
    return {(w, s): scored(replace(setting, width=w), s, runs.H, worlds) for w, s in wanted}


def seconds(runs: PairedRuns, worlds: int) -> float:
    """Return about how long the score of one row takes."""
    return worlds * policies.ALL["rperp"].seconds(*runs.problem.f.shape)


@shared(256)
def score(setting: RPERPSetting, shuffled: bool, H: int, worlds: int) -> Eq9Score:
    """Return how often every band covered its batch average, over so many worlds from the setting's seed upwards."""
    problems = (_few_worlds if worlds <= FEW_WORLDS else _many_worlds)(replace(setting.world_only, restart=H), worlds)
    step = max(float(p.steps.max(initial=0.0)) for p in problems)  # one bound for all: no step of any world is longer
    made = rule(setting, H, step, problems[0].noise_sd, shuffled)
    return eq9_score(problems, made, lambda i: play_rng(setting.world.seed + i))


def eq9_score(problems: Iterable[Problem], rule: RPERP, chance: Callable[[int], np.random.Generator]) -> Eq9Score:
    """Run a rule once in each problem and count; `chance` makes the chance of a run from the number of its problem.

    Source: Iwazaki & Takeno, Theorem 4, eq. 9.
    """
    held, kept = [], 0  # of each run, one row of arms a band
    for number, problem in enumerate(problems):
        batches = [batch for batch in rule.batches(problem, chance(number)) if not batch.last]
        truths = [batch.average(problem.f) for batch in batches]
        both = list(zip(batches, truths, strict=True))
        held.append([(batch.band.lower <= truth) & (truth <= batch.band.upper) for batch, truth in both])
        kept += all(batch.survivors[np.where(batch.alive, truth, -np.inf).argmax()] for batch, truth in both)
    covered, every = sum(bool(np.all(rows)) for rows in held), [row for rows in held for row in rows]
    low, high = wilson(covered, len(held))
    inside = float(np.mean(every)) if every else 1.0
    return Eq9Score(len(held), covered, low, high, kept, inside, len(every), 1.0 - rule.delta)


def repeated_worlds(setting: RPERPSetting, worlds: int) -> tuple[Problem, ...]:
    """Return the world with as many seeds, from its own upwards.

    Where the world follows, it follows the restart of the setting.
    """
    seeds = range(setting.world.seed, setting.world.seed + worlds)
    bases = [make_problem(replace(setting.world, seed=seed)) for seed in seeds]
    if not setting.follows:
        return tuple(bases)
    followed = rule(replace(setting, width="2"), setting.restart, 0.0, bases[0].noise_sd)
    with one_thread():
        return tuple(tuned(base, followed, setting.swing, float(setting.world.budget or 0.0))[0] for base in bases)


# 200 worlds can take 100 MB, and every row of the panel uses the same ones; of few worlds, some settings have room.
_few_worlds, _many_worlds = lru_cache(maxsize=4)(repeated_worlds), lru_cache(maxsize=1)(repeated_worlds)
