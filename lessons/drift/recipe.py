"""The settings of the lesson's script."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.drift import words
from lessons.drift.knobs import DRIFT_WORLD
from lessons.shared import script as code
from lessons.shared import worlds
from tvbo_core.worlds import ALL

# Kinds whose RKHS drift B_T is known.
KNOWN_NORM = {kind.name for kind in ALL.values() if kind.path}


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return a script for the drift so far, the best action and its hop, in each world."""
    pair = worlds.pair(value, DRIFT_WORLD)
    t = code.within(t, 1, pair[0])
    names = [short for _, short in words.titles(pair)]
    return code.script(
        __file__,
        f"Drifting rewards, t = {t} of {pair[0].horizon}",
        [f"{name}: {worlds.caption(world)}" for name, world in zip(names, pair, strict=True)],
        settings=[
            code.named_worlds(names, pair),
            f"now, before = {t - 1}, {max(t - 2, 0)}  # rows count from 0",
        ],
        norm=all(world.kind in KNOWN_NORM for world in pair),
    )
