"""The lesson's base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.game.code_knob import FIRST, WorldCode

OWN = {
    k.key: k
    for k in (
        WorldCode("world", "World", "A short code for a hidden world: the same code is the same world, for a whole "
                  "class.", FIRST, options=(FIRST,), widget="select"),
    )
}  # fmt: skip


END = 999  # the last round, however many there are


GAME_SHOWN = ("challenge", "rounds", "noise")


GAME_MORE = ("algos", "m")
