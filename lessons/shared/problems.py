"""Worlds as tables, shared by all lessons and visitors."""

from __future__ import annotations

import tvbo_core as tv
from common.cache import shared
from tvbo_core import Problem, World


@shared(16)
def problem(world: World) -> Problem:
    """The world as a table."""
    return tv.make_problem(world)


def place_name(p: Problem, arm: int) -> str:
    """An arm as a reader would say it."""
    return p.arm_names[arm] if p.arm_names else f"{p.x[arm, 0]:.2f}"
