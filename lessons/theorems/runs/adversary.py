"""The adversary of the lower bound: the class of bumps in which it hides the best action, and where it hides."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from common.cache import shared
from lessons.theorems.runs.model import RunSetting
from tvbo_core import World, adversary
from tvbo_core.worlds import make_problem


@dataclass(frozen=True, eq=False)
class HiddenBump:
    """The adversary of the longest run.

    Attributes:
        x: (m,) actions.   bumps: (M, m) rewards.   start: (n,) first round of each interval, and the horizon last.
        place: (n,) hidden place of each interval.   peak, width: of a bump.   length: H.   moved: V_T of this draw.
    """

    world: World
    x: np.ndarray
    bumps: np.ndarray
    start: np.ndarray
    place: np.ndarray
    peak: float
    width: float
    length: int
    moved: float


@shared(64)
def hidden_bump(setting: RunSetting) -> HiddenBump:
    """Return the adversary with this kernel, norm, noise, budget and horizon; the runs need not meet it."""
    kernel = {"kernel": "se", "nu": math.inf} if setting.rule.se_only else {}
    world = replace(setting.world, kind="adversary", **kernel)
    if "still" in setting.rule.kinds:
        world = replace(world, budget=0.0)
    p = make_problem(world)
    plan = adversary.plan(world)
    seats = adversary.seats(plan.bumps, len(p.x))
    values = plan.bumps.values(p.x, p.x[seats])
    start = np.concatenate([[0], np.cumsum(plan.lengths)])
    place = p.x[p.f[start[:-1]].argmax(axis=1), 0]
    return HiddenBump(
        world, p.x[:, 0], values, start, place, 2.0 * plan.bumps.eps, plan.bumps.width, plan.length, p.sup_variation
    )
