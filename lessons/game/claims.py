"""A general statement of the game, as a number that is counted over worlds."""

from __future__ import annotations

from dataclasses import replace

from lessons.game.knobs import MEMORY, OWN
from lessons.game.model import WIDTH, GameSetting, problem
from lessons.record import Claim, Limit, Values
from lessons.shared import codes
from lessons.shared.odds import Odds
from lessons.shared.policies import policy
from tvbo_core.designs import play_rng
from tvbo_core.play import play

OPENS = GameSetting(str(OWN["world"].default), int(OWN["rounds"].default), float(OWN["noise"].default))


def _fading(values: Values) -> float:
    """Return the larger regret of two that let observations fade over that of GP-UCB, by code or seed of a world."""
    world = values["world"]
    setting = replace(OPENS, code=codes.encode(codes.TRAVELS, world) if isinstance(world, int) else str(world))
    keeps, *fade = (
        float(play(problem(setting), policy(word, MEMORY, WIDTH), play_rng(setting.world.seed)).regret.sum())
        for word in ("gp", "wgp", "tv")
    )
    return max(fade) / keeps


FADING = Claim(
    f"after {OPENS.rounds} rounds WGP-UCB and TV-GP-UCB, which let observations fade, both have less regret than "
    "GP-UCB, which keeps all",
    "world",
    _fading,
    Limit(1.0),
)
ODDS = Odds("game/travel", FADING, "other hills that travel")


def odds_line(setting: GameSetting) -> str:
    """Return in how many worlds like that of this game forgetting pays; "" where nobody has counted."""
    like = replace(setting.world, seed=OPENS.world.seed) == OPENS.world
    return ODDS.line() if like else ""
