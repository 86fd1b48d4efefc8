"""Games that are played in tests, and the words that would tell how a world moves."""

from __future__ import annotations

import re

import numpy as np
from streamlit.testing.v1 import AppTest

from answers.film import film as message
from figures.theme import Theme
from lessons.game import board, model
from lessons.game.knobs import FIRST_CODE
from lessons.game.model import Game, GameSetting
from lessons.game.panel import GameSession
from lessons.game.scene import scene_of
from lessons.record import Scene, Values
from lessons.shared.codes import ARMS, encode
from tests.lessons.shown import decode, film, opened, unmarked
from tests.shared import session_of

PAGE = "pages/You_against_the_bandits.py"

SETTING = GameSetting(FIRST_CODE, 10, 0.2)
STILL, JUMPS = GameSetting(encode(0, 33), 10, 0.2), GameSetting(encode(4, 2), 30, 0.2)
QUICK = ("rnd", "gp", "tv")
TELLING = re.compile(r"still|glid|jump|markov|wander|travel|drift|budget|V_T|V<sub>|switch|epsilon|kind|seed", re.I)


def finished(setting: GameSetting = SETTING, seed: int = 0) -> Game:
    rng = np.random.default_rng(seed)
    return Game(setting, tuple(int(a) for a in rng.integers(0, ARMS, setting.rounds)), guess="")


def played_scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of a game in this world that is over."""
    done = model.finished(finished(model.setting_from(values)), QUICK)
    return scene_of(done, theme)


def board_of(film: dict) -> dict:
    """Return what the film of a game that is not over says, in the words of the game."""
    (chart,) = film["charts"]
    (dots,), ask = chart["figure"]["data"], chart["pick"]["ask"]
    return {
        "asked": [round(x * (ARMS - 1)) for x in dots["x"]],
        "heard": list(dots["y"]),
        "reach": chart["figure"]["layout"]["yaxis"]["range"][1],
        "arms": ask["places"],
        "left": ask["left"],
        "status": unmarked(film["sentences"][0]),
    }


def whole(played: Game, rivals: int = 11, challenge: str = "secret") -> dict:
    """Return the film of a game that is not over as the browser reads it."""
    return decode(message(board.scene(played, rivals, challenge, Theme()), 0, "ours"))


def stage_data(at: AppTest) -> dict:
    """Return what the stage of a game that is not over was given."""
    found = film(at)
    return {**board_of(found), "game": found["reset"].split(":")[-1]}


def seated(at: AppTest, played: Game) -> AppTest:
    """Return the page with a game as its session remembers it."""
    session_of(at).parts.setdefault(GameSession, GameSession()).games = {played.setting: played}
    return at.run()


def over(played: Game, **link: str) -> AppTest:
    s = played.setting
    return seated(opened(PAGE, world=s.code, rounds=str(s.rounds), noise=f"{s.noise:g}", **link), played)
