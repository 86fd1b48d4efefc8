"""A hall in one hidden world: its setting, what a phone hears there, and the finished crowd beside all bandits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from common.cache import keyed, shared
from lessons.game.duel import Ranking, rewards_of
from lessons.game.knobs import BANDITS, MEMORY
from lessons.game.model import WIDTH, GameSetting, problem
from lessons.game.together import memory
from lessons.game.together.memory import MemoryFit
from lessons.shared import codes, sealed
from lessons.shared.knobs import METHODS
from lessons.shared.policies import policy
from tvbo_core.designs import play_rng
from tvbo_core.play import play
from tvbo_core.policies import ALL
from tvbo_core.records import History, Problem
from tvbo_core.threads import one_thread

ROUNDS, NOISE, KIND = 20, 0.2, "glide"  # of every game: the peak moves all the time, so that a memory matters
PLACES = codes.ARMS
HALL = "This hall"
# A guest may never end, and phones wait for its number; so guests do not play here.
RIVALS = tuple(word for word in BANDITS if not ALL[word].own)

_kept = keyed(20)  # crowds by their game: everybody in the room sees the same one


def setting(world: str) -> GameSetting:
    """Return the game in the world behind a code."""
    return GameSetting(world, ROUNDS, NOISE)


def draw() -> str:
    """Return the code of a new hidden world."""
    return sealed.new(KIND)


def rewards(world: str, arms: Sequence[int]) -> list[float]:
    """Return what a phone has heard: as in the game, the noise of a round is the same for everybody."""
    s = setting(world)
    return [round(float(y), 3) for y in rewards_of(problem(s), arms, s.world.seed)]


@shared(20)
def bandits(world: str) -> dict[str, History]:
    """Return name -> run of each bandit in the world behind a code."""
    s = setting(world)
    p = problem(s)
    return {METHODS[word]: play(p, policy(word, MEMORY, WIDTH), play_rng(s.world.seed)) for word in RIVALS}


@dataclass(frozen=True, eq=False)
class Crowd(Ranking):
    """Everybody who has played a whole game in a hidden world, beside the bandits.

    Attributes:
        arms, heard: (n, T) queries of the phones, and their rewards with noise.
        left: phones that have not come to the last round.
        rivals: name -> what a bandit did.   fit: which memory explains the queries best, None for too few phones.
    """

    setting: GameSetting
    arms: np.ndarray
    heard: np.ndarray
    left: int
    rivals: Mapping[str, History]
    fit: MemoryFit | None
    name: ClassVar[str] = HALL

    @property
    def problem(self) -> Problem:  # type: ignore[override]
        return problem(self.setting)

    @cached_property
    def regret(self) -> np.ndarray:
        """(n, T) regret so far of each phone."""
        p = self.problem
        here = p.f[np.arange(p.horizon), self.arms]
        return np.cumsum(p.f.max(axis=1) - here, axis=1)

    @cached_property
    def total(self) -> dict[str, np.ndarray]:  # type: ignore[override]
        """Name -> (T,) regret so far, of the hall its phones' median."""
        return {HALL: np.median(self.regret, axis=0), **{name: np.cumsum(r.regret) for name, r in self.rivals.items()}}

    @property
    def cloud(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Round, action and number of phones of every query that was made."""
        rounds = np.broadcast_to(np.arange(self.arms.shape[1]), self.arms.shape)
        pairs, counts = np.unique(np.stack([rounds.ravel(), self.arms.ravel()]), axis=1, return_counts=True)
        return pairs[0], pairs[1], counts


def crowd(game: int, world: str, queries: Sequence[Sequence[int]]) -> Crowd | None:
    """Return the crowd of a game that is over, computed once; None where no phone has come to the last round.

    Args:
        game: its number.   queries: of each phone.
    """
    whole = [one for one in queries if len(one) == ROUNDS]
    if not whole:
        return None

    def made() -> Crowd:
        s, arms = setting(world), np.array(whole)
        p = problem(s)
        heard = np.array([rewards_of(p, one, s.world.seed) for one in arms])
        with one_thread():
            fit = memory.fit(p.known.kernel, p.x, p.noise_sd, arms, heard)
        return Crowd(s, arms, heard, len(queries) - len(whole), bandits(world), fit)

    return _kept((game, world, len(queries), len(whole)), made)


def result(world: str, arms: Sequence[int]) -> tuple[float, dict[str, float]]:
    """Return the regret of a phone's queries, and name -> regret of each bandit in as many rounds."""
    p, n = problem(setting(world)), len(arms)
    mine = float((p.f[:n].max(axis=1) - p.f[np.arange(n), list(arms)]).sum())
    return mine, {name: float(run.regret[:n].sum()) for name, run in bandits(world).items()}


def facts(found: Crowd, row: int) -> dict[str, float]:
    """Return the numbers of a round: `Scene.facts`."""
    here = {
        "round": row + 1,
        "phones": len(found.arms),
        "players": len(found.total),
        **{f"{name}: place": int(place[row]) for name, place in found.place.items()},
        **{f"{name}: regret": float(total[row]) for name, total in found.total.items()},
    }
    if row < found.problem.horizon - 1 or found.fit is None:
        return here
    return here | {"m": found.fit.best, "m from": found.fit.low, "m to": found.fit.high}


def table(found: Crowd) -> list[dict]:
    """Return the ranking, a row a player."""
    return [
        {"place": int(found.place[name][-1]), "player": name, "regret": round(float(found.total[name][-1]), 3)}
        for name in found.order
    ]


def memories(found: Crowd) -> list[dict]:
    """Return how well each memory explains the queries, a row a memory."""
    fit = found.fit
    if fit is None:
        return []
    return [
        {"memory m, rounds": "all" if np.isinf(m) else str(m), "log-likelihood, below the best": round(float(lost), 1)}
        for m, lost in zip(memory.MEMORIES, fit.likelihood, strict=True)
    ]


def notes(found: Crowd) -> list[dict]:
    """Return every query of the phones that played to the end, a row each; phones are numbered by chance."""
    x, regret = found.problem.x[:, 0], np.diff(found.regret, axis=1, prepend=0)
    return [
        {
            "phone": i + 1,
            "round": t + 1,
            "x": round(float(x[arm]), 2),
            "reward": round(float(found.heard[i, t]), 3),
            "regret": round(float(regret[i, t]), 3),
        }
        for i, arms in enumerate(found.arms)
        for t, arm in enumerate(arms)
    ]
