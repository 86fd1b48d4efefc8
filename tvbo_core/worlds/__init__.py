"""Worlds that drift: how one is drawn from its settings, adversaries, the lower bound's functions, codes.

`ALL` lists the kinds of worlds (kinds.py).

>>> sorted(tv.worlds.ALL)[:3]
['adversary', 'cyclic', 'data']
>>> tv.make_problem(tv.World(kind="cyclic", horizon=40)).f.shape
(40, 100)
"""

from tvbo_core.records import World
from tvbo_core.worlds.kinds import ALL, WorldKind
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
from tvbo_core.worlds.reshaped import Reshaped

__all__ = [
    "ALL",
    "Events",
    "Hop",
    "Jump",
    "Reshaped",
    "World",
    "WorldKind",
    "budget_note",
    "check_world",
    "events",
    "make_problem",
    "moved_most",
    "reachable_budget",
    "ties",
]
