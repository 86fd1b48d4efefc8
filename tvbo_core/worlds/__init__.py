"""Worlds that drift: how one is drawn from its settings, adversaries, the lower bound's functions, codes."""

from tvbo_core.records import World
from tvbo_core.worlds.make import (
    Events,
    Hop,
    Jump,
    budget_note,
    check_world,
    events,
    make_problem,
    moved_most,
    reachable_budget,
    ties,
)

__all__ = [
    "Events", "Hop", "Jump", "World", "budget_note", "check_world", "events", "make_problem", "moved_most",
    "reachable_budget", "ties",
]  # fmt: skip
