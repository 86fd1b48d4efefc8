"""The lesson's base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.shared.knobs import METHODS

SIX = ("rnd", "gp", "r", "sw", "wgp", "tv")


NAMES = {key: METHODS[key] for key in SIX}


REAL_SHOWN = ("algos", "share", "m", "noise_share")


REAL_MORE = ("changes", "y", "mixed", "pin1", "pin2", "seeds", "seed")


REAL_OWN = ("lower", "std", "fill", "thin")  # shown in the wizard only


REAL_LINK = ("file", "timecol", "armcols")  # of an own table; never drawn
