"""Worlds that drift: how one is drawn from its settings, adversaries, the lower bound's functions.

`ALL` lists the kinds of worlds (kinds.py).

>>> sorted(tv.worlds.ALL)[:3]
['adversary', 'cyclic', 'data']
>>> tv.make_problem(tv.World(kind="cyclic", horizon=40)).f.shape
(40, 100)
"""

from tvbo_core.records import World
from tvbo_core.worlds import mauduit
from tvbo_core.worlds.kinds import ALL, WorldKind
from tvbo_core.worlds.make import (
    Events,
    Hop,
    Jump,
    check_world,
    events,
    make_problem,
    moved_most,
    reachable_budget,
    ties,
)

__all__ = [
    "ALL",
    "Events",
    "Hop",
    "Jump",
    "World",
    "WorldKind",
    "check_world",
    "events",
    "make_problem",
    "mauduit",
    "moved_most",
    "reachable_budget",
    "ties",
]
