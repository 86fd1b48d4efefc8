"""The game's door to the core: which world is played, what a player has asked and heard, and the finished duel.

Until the last round nothing of the truth leaves this module: `Game.rewards` is all that a screen may show.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from lessons.race import model as racing
from lessons.shared import cache, problems
from lessons.shared.knobs import METHODS
from tvbo_core import World
from tvbo_core.policies.human import NEAR_DISTANCE, YOU, Duel, Field, duel, heard, line_up
from tvbo_core.records import Problem
from tvbo_core.worlds import codes as riddle
from tvbo_core.worlds import events

WIDTH = "2"  # every bandit's index is mean + 2 sd
KEPT = 12  # games that a session remembers


@dataclass(frozen=True)
class Setting:
    """What is played: a code, the number of rounds and the noise."""

    code: str
    rounds: int
    noise: float

    @property
    def world(self) -> World:
        return riddle.hidden_world(self.code, self.rounds, self.noise)


@dataclass(frozen=True)
class Game:
    """One player's game.

    Attributes:
        arms: the questions asked so far.   tries: which try at this world it is.
        guess: after the last round, how the player says that it moved; "" for no guess, None before they said.
    """

    setting: Setting
    arms: tuple[int, ...] = ()
    tries: int = 1
    guess: str | None = None

    @property
    def over(self) -> bool:
        return len(self.arms) >= self.setting.rounds

    def revealed(self, challenge: str) -> bool:
        """Whether the truth may be seen: after the last round, and after a guess where nobody told how it moves."""
        return self.over and (challenge != "secret" or self.guess is not None)

    @property
    def name(self) -> str:
        """Tells this try from every other one."""
        s = self.setting
        return f"{s.code}-{s.rounds}-{s.noise:g}-{self.tries}"

    def ask(self, n: object, arm: object) -> Game:
        """The game after question n (from 0); whatever is not the next question of the game changes nothing."""
        whole = all(isinstance(v, int) and not isinstance(v, bool) for v in (n, arm))
        if self.over or not whole or n != len(self.arms) or not 0 <= arm < riddle.ARMS:
            return self
        return replace(self, arms=(*self.arms, arm))

    def rewards(self) -> list[float]:
        """What was heard so far."""
        return heard(problem(self.setting), self.arms, self.setting.world.seed).tolist()


def problem(setting: Setting) -> Problem:
    """The hidden world as a table."""
    return problems.problem(setting.world)


def chosen(values: Mapping[str, object]) -> Setting:
    """The game that the page's knobs describe."""
    return Setting(str(st.session_state["world"]), int(values["rounds"]), float(values["noise"]))


def games() -> dict[Setting, Game]:
    """The games of this session, the latest last."""
    return st.session_state.setdefault("_games", {})


def sit(setting: Setting) -> Game:
    """The session's game in this setting, where it was left; a new one otherwise.

    Who has asked this world before, with other noise or more rounds, is at another try.
    """
    table = games()
    game = table.pop(setting, None)
    if game is None:
        game = Game(setting, tries=1 + sum(g.tries for s, g in table.items() if s.code == setting.code and g.arms))
    table[setting] = game
    while len(table) > KEPT:
        del table[next(iter(table))]
    return game


def again(setting: Setting) -> None:
    """The same world from the first round; it counts as another try."""
    game = sit(setting)
    games()[setting] = Game(setting, tries=game.tries + bool(game.arms))


def guess(setting: Setting, kind: str) -> None:
    """How the player says that it moved; only the first word counts."""
    game = sit(setting)
    if game.over and game.guess is None:
        games()[setting] = replace(game, guess=kind)


def fresh(challenge: str) -> str:
    """The code of a new world that moves as asked; "secret" draws how."""
    kinds = sorted({v.kind for v in riddle.VARIANTS}) if challenge == "secret" else [challenge]
    kind = secrets.choice(kinds)
    return riddle.encode(
        secrets.choice([i for i, v in enumerate(riddle.VARIANTS) if v.kind == kind]), secrets.randbelow(riddle.SEEDS)
    )


@dataclass(frozen=True, eq=False)
class Show:
    """A finished game with everybody's: what the reveal draws.

    Attributes:
        game: the player's.   duel: everybody in the hidden world.   field: the bandits.   versus: whose path is shown.
    """

    game: Game
    duel: Duel
    field: Field
    versus: str

    @property
    def asked(self) -> dict[str, int]:
        """Name -> questions asked again, of those who do that."""
        runs = self.duel.rivals.items()
        return {name: int(n) for name, run in runs if (n := np.sum(run.extra_queries))}

    @property
    def coloured(self) -> tuple[str, ...]:
        """You, whose path is shown, and one bandit of each family: the lines in colour."""
        return (YOU, *racing.coloured(tuple(self.duel.rivals), (self.versus,), most=5))


def field(setting: Setting, methods: Sequence[str], memory: int) -> Field:
    """The bandits of a world: the same for everybody who plays it."""
    key = ("field", repr(setting), tuple(methods), memory)
    policies = {METHODS[m]: racing.policy(m, memory, WIDTH) for m in methods}
    return cache.kept(key, lambda: line_up(problem(setting), policies, setting.world.seed))


def show(game: Game, methods: Sequence[str], memory: int, versus: str) -> Show:
    """The finished game. `versus`: a word of `METHODS`, or "best".

    Raises:
        ValueError: the game is not over.
    """
    rivals = field(game.setting, methods, memory)
    found = duel(problem(game.setting), game.arms, rivals, game.setting.world.seed)
    wished = METHODS.get(versus)
    return Show(game, found, rivals, wished if wished in found.rivals else found.best_rival)


def table(show: Show) -> list[dict]:
    """The ranking, a row a player."""
    d, asked = show.duel, show.asked
    return [
        {
            "place": int(d.place[name][-1]),
            "player": name,
            "regret": round(float(d.total[name][-1]), 3),
            f"rounds within σ = {show.game.setting.noise:g} of the best": d.close(name),
            "re-asks": asked.get(name, 0),
        }
        for name in d.order
    ]


def notes(game: Game) -> list[dict]:
    """What the player has asked and heard so far, a row a round."""
    return [
        {"round": t, "x": arm / (riddle.ARMS - 1), "reward heard": round(y, 3)}
        for t, (arm, y) in enumerate(zip(game.arms, game.rewards(), strict=True), start=1)
    ]


def stops(show: Show) -> list[int]:
    """Frames worth stopping at: jumps and hops of the best action, and the changes of the lead."""
    d = show.duel
    found = events(d.problem, least_hop=NEAR_DISTANCE)
    lead = np.array(list(d.total.values())).argmin(axis=0)
    changes = np.flatnonzero(np.diff(lead)) + 1
    return sorted({e.t for e in (*found.hops, *found.jumps)} | {int(t) for t in changes[-6:]})
