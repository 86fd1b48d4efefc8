"""Games that are played in tests, and the words that would tell how a world moves."""

from __future__ import annotations

import re

import numpy as np

from lessons.game.knobs import FIRST_CODE
from lessons.game.model import Game, Setting
from tvbo_core.worlds.codes import ARMS, encode

SETTING = Setting(FIRST_CODE, 10, 0.2)
STILL, JUMPS = Setting(encode(0, 33), 10, 0.2), Setting(encode(4, 2), 30, 0.2)
QUICK = ("rnd", "gp", "tv")
TELLING = re.compile(r"still|glid|jump|markov|wander|drift|budget|V_T|V<sub>|switch|epsilon|kind|seed", re.I)


def finished(setting: Setting = SETTING, seed: int = 0) -> Game:
    rng = np.random.default_rng(seed)
    return Game(setting, tuple(int(a) for a in rng.integers(0, ARMS, setting.rounds)), guess="")
