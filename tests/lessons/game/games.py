"""Games that are played in tests, and the words that would tell how a world moves."""

from __future__ import annotations

import re

import numpy as np

from figures.theme import Theme
from lessons.game import model
from lessons.game.knobs import FIRST_CODE
from lessons.game.model import Game, Setting
from lessons.game.scene import drawn
from lessons.record import Scene, Values
from tvbo_core.worlds.codes import ARMS, encode

SETTING = Setting(FIRST_CODE, 10, 0.2)
STILL, JUMPS = Setting(encode(0, 33), 10, 0.2), Setting(encode(4, 2), 30, 0.2)
QUICK = ("rnd", "gp", "tv")
TELLING = re.compile(r"still|glid|jump|markov|wander|drift|budget|V_T|V<sub>|switch|epsilon|kind|seed", re.I)


def finished(setting: Setting = SETTING, seed: int = 0) -> Game:
    rng = np.random.default_rng(seed)
    return Game(setting, tuple(int(a) for a in rng.integers(0, ARMS, setting.rounds)), guess="")


def played_scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return the scene of a game in this world that is over, at round t."""
    done = model.finished(finished(model.chosen(values)), QUICK, 10, "best")
    return drawn(done, values, t, theme)
