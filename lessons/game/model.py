"""A game in a hidden world: its setting, the player's queries and rewards, and the finished duel with all bandits.

Until the last round `Game.rewards` is all of the truth that a screen may show.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from common.cache import keyed
from lessons.game.duel import NEAR_DISTANCE, YOU, Duel, Field, duel, rewards_of
from lessons.game.knobs import BANDITS, MEMORY
from lessons.record.runs import Compute
from lessons.shared import codes, problems, sealed
from lessons.shared.knobs import METHODS
from lessons.shared.policies import policy
from lessons.shared.stored_runs import in_place
from tvbo_core import World, policies
from tvbo_core.designs import play_rng
from tvbo_core.play import play
from tvbo_core.policies import BY_NAME
from tvbo_core.race_results import ABOUT_EQUAL, LESS, MORE, UNDECIDED, paired_difference
from tvbo_core.records import History, Problem
from tvbo_core.worlds import events

REPLAYS = 9  # of every bandit, with other noise
GUEST_SECONDS = 2.0  # assumed, so that a guest plays in a worker
WIDTH = "2"  # every bandit's index is mean + 2 sd


@dataclass(frozen=True)
class GameSetting:
    """The game that is played: a code, the number of rounds and the noise."""

    code: str
    rounds: int
    noise: float

    @property
    def world(self) -> World:
        return codes.hidden_world(sealed.plain(self.code), self.rounds, self.noise)


@dataclass(frozen=True)
class Game:
    """One player's game.

    Attributes:
        arms: the queries so far.   tries: which try at this world it is.
        guess: after the last round, how the player says that it moved; "" for no guess, None before they said.
    """

    setting: GameSetting
    arms: tuple[int, ...] = ()
    tries: int = 1
    guess: str | None = None

    @property
    def over(self) -> bool:
        return len(self.arms) >= self.setting.rounds

    def revealed(self, challenge: str) -> bool:
        """Return True if the truth may be seen: after the last round, in a secret world also after a guess."""
        return self.over and (challenge != "secret" or self.guess is not None)

    @property
    def name(self) -> str:
        """Name of this try, different from every other one's."""
        s = self.setting
        return f"{s.code}-{s.rounds}-{s.noise:g}-{self.tries}"

    def ask(self, n: Any, arm: Any) -> Game:
        """Return the game after question n (from 0); whatever is not the next question of the game changes nothing."""
        whole = all(isinstance(v, int) and not isinstance(v, bool) for v in (n, arm))
        if self.over or not whole or n != len(self.arms) or not 0 <= arm < codes.ARMS:
            return self
        return replace(self, arms=(*self.arms, arm))

    def rewards(self) -> list[float]:
        """Return the observations so far."""
        return rewards_of(problem(self.setting), self.arms, self.setting.world.seed).tolist()


def problem(setting: GameSetting) -> Problem:
    """Return the hidden world as a table."""
    return problems.problem(setting.world)


def setting_from(values: Mapping[str, Any]) -> GameSetting:
    """Return the game that these values of the page's knobs describe."""
    return GameSetting(str(values["world"]), int(values["rounds"]), float(values["noise"]))


@dataclass(frozen=True, eq=False)
class FinishedGame:
    """A finished game beside those of all bandits.

    Attributes:
        game: the player's.   duel: everybody in the hidden world.   field: the bandits.
        replays: name -> (`REPLAYS`,) regret of a bandit in the same world with other noise.
    """

    game: Game
    duel: Duel
    field: Field
    replays: Mapping[str, np.ndarray]

    @property
    def side_queries(self) -> dict[str, int]:
        """name -> side queries, of the algorithms that make some."""
        runs = self.duel.rivals.items()
        return {
            name: int(n) for name, run in runs if run.extra_queries is not None and (n := np.sum(run.extra_queries))
        }

    @property
    def does(self) -> dict[str, str]:
        """name -> what a bandit does, in a few plain words."""
        return what_they_do(self.duel.rivals)

    @property
    def standings(self) -> dict[str, list[str]]:
        """Verdict -> the bandits whose paired difference from your regret has it, over all draws of the noise.

        Your regret is that of your queries, whatever was observed.
        """
        mine = self.duel.total[YOU][-1]
        found: dict[str, list[str]] = {said: [] for said in (LESS, MORE, ABOUT_EQUAL, UNDECIDED)}
        for name in (one for one in self.duel.order if one != YOU):
            all_runs = np.append(self.replays[name], self.duel.total[name][-1])
            found[str(paired_difference(all_runs, np.full(len(all_runs), mine)).verdict)].append(name)
        return found


def what_they_do(names: Iterable[str]) -> dict[str, str]:
    """Return name -> what a bandit does, in a few plain words."""
    return {name: BY_NAME[name].does for name in names}


_kept = keyed(500)  # runs of one bandit in one world: the same for everybody who plays it


def run(setting: GameSetting, method: str) -> tuple[History, np.ndarray]:
    """Return a bandit's run in a world, and its (`REPLAYS`,) regret there with other noise than the player's.

    Raises:
        ValueError: it cannot play there.
    """
    one, p = policy(method, MEMORY, WIDTH), problem(setting)
    first, *others = (play(p, one, play_rng(setting.world.seed + i)) for i in range(1 + REPLAYS))
    return first, np.array([float(other.regret.sum()) for other in others])


def field(
    setting: GameSetting, methods: Sequence[str] = BANDITS, compute: Compute = in_place
) -> tuple[Field, Mapping[str, np.ndarray]]:
    """Return the runs of the bandits and their replays; guests play last, and in a worker, as they may never end."""
    histories, refused, replays = {}, {}, {}
    for method in sorted(methods, key=lambda word: policies.ALL[word].own):

        def played(method: str = method) -> tuple[History, np.ndarray] | str:
            try:
                if policies.ALL[method].own:
                    return compute(run, setting, method, seconds=GUEST_SECONDS, own=True)
                return run(setting, method)
            except ValueError as reason:
                return str(reason)

        found = _kept((setting, method), played)
        if isinstance(found, str):
            refused[METHODS[method]] = found
        else:
            histories[METHODS[method]], replays[METHODS[method]] = found
    return Field(histories, refused), replays


def finished(game: Game, methods: Sequence[str] = BANDITS, compute: Compute = in_place) -> FinishedGame:
    """Return the game beside those of these bandits.

    Raises:
        ValueError: the game is not over, or no bandit plays.
    """
    rivals, others = field(game.setting, methods, compute)
    found = duel(problem(game.setting), game.arms, rivals, game.setting.world.seed)
    if found.best_rival is None:
        raise ValueError(f"{' '.join(rivals.refused.values())}: no bandit plays.")
    return FinishedGame(game, found, rivals, others)


def facts(done: FinishedGame, row: int) -> dict[str, float]:
    """Return the numbers of a round, in the last one with what the world did: `Scene.facts`."""
    d, p = done.duel, done.duel.problem
    x = p.x[:, 0]
    found = {
        "round": row + 1,
        "players": len(d.total),
        "you queried x": float(x[d.you.arms[row]]),
        "best x": float(x[p.best[row]]),
        "you missed": float(d.you.regret[row]),
        **{f"{name}: place": int(place[row]) for name, place in d.place.items()},
        **{f"{name}: regret": float(total[row]) for name, total in d.total.items()},
    }
    if row < p.horizon - 1:
        return found
    return (
        found
        | {"V_T": p.sup_variation}
        | {f"jump {i}: in round": jump.t + 1 for i, jump in enumerate(events(p).jumps, start=1)}
        | {f"{name}: side queries": count for name, count in done.side_queries.items()}
    )


def table(done: FinishedGame) -> list[dict]:
    """Return the ranking, a row a player."""
    d, side = done.duel, done.side_queries
    return [
        {
            "place": int(d.place[name][-1]),
            "player": name,
            "regret": round(float(d.total[name][-1]), 3),
            f"rounds within σ = {done.game.setting.noise:g} of the best": d.close(name),
            "side queries": side.get(name, 0),
        }
        for name in d.order
    ]


def notes(game: Game) -> list[dict]:
    """Return the player's queries and observations so far, a row a round."""
    return [
        {"round": t, "x": arm / (codes.ARMS - 1), "observed reward": round(y, 3)}
        for t, (arm, y) in enumerate(zip(game.arms, game.rewards(), strict=True), start=1)
    ]


def stops(done: FinishedGame) -> list[int]:
    """Return frames worth a stop: jumps and hops of the best action, and the latest changes of the lead."""
    d = done.duel
    found = events(d.problem, least_hop=NEAR_DISTANCE)
    lead = np.array(list(d.total.values())).argmin(axis=0)
    changes = np.flatnonzero(np.diff(lead)) + 1
    return sorted({hop.t for hop in found.hops} | {jump.t for jump in found.jumps} | {int(t) for t in changes[-6:]})
