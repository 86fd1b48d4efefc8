r"""A hill that travels and one or two learners that chase its peak: every number that the stage draws.

The hill is $f_t=B\,k(\cdot,c_t)+(1-s_t)b_0+s_tb_1$: the travelling world of the core, which rests, travels and rests
($s_t$ is the share of its way), and what the reader has bent by hand before and after. A handle at $z_j$ adds
$\Phi_j(x)=\sum_ik(x,z_i)(K^{-1})_{ij}$ a unit, the smoothest function of the space that is 1 at its own handle and 0 at
the others. So a bent hill is still a kernel sum.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np

import tvbo_core as tv
from common.cache import shared
from lessons.shared import clicks, hills, problems
from lessons.shared.clicks import Clicks
from tvbo_core.play import WatchedHistory
from tvbo_core.policies.index import IndexPolicy
from tvbo_core.records import Band, LearnerInfo
from tvbo_core.worlds import Reshaped, draws
from tvbo_core.worlds.reshaped import FLAT, HANDLES

ROUNDS, ARMS = 56, 101
LENGTHSCALE, HEIGHT = 0.25, 2.0  # of the hill; its norm in every round is its height B
PLACES = HANDLES[:, 0]  # of the handles, on the axis of actions
STEPS = ("believe", "choose", "ask", "pay")
SLACK = 1e-9  # reward units, by which a hill may leave a band for rounding
FIRST_TURN, TURNS = 18, 12  # rounds in which the reader asks, from that in which the hill leaves; then the score
LEAST_PAID = 45.0  # regret at the top of the towers, at least: moments are compared
WIDTH = 3.0  # of the band, standard deviations
GAME_WIDTH = 2.0  # and of the bandits of the game
LEAST = 2.3  # the axis of rewards ends here, or beyond the largest height
HALF_LIFE = {"1": 1, "3": 3, "5": 5, "10": 10, "20": 20, "all": None}  # rounds after which an answer counts half


@dataclass(frozen=True)
class ChaseSetting:
    """The reader's choice.

    Attributes:
        drift: V_T of the hill before it is bent, reward units.   memory: a key of `HALF_LIFE`.
        noise: its standard deviation, reward units.
        seed: of the world and of the play.   beside: a second learner, which keeps everything, plays the same rounds.
        start, end: bends of the two shapes at the handles, in multiples of `UNIT`.
        queries: (row, arm) of the rounds in which the reader queried in place of the learner.
        game: a finished game of the reader's, in whose world the learner plays; nothing but `memory` counts then.
    """

    drift: float = 2.2
    memory: str = "10"
    noise: float = 0.1
    seed: int = 49
    beside: bool = False
    start: tuple[int, ...] = FLAT
    end: tuple[int, ...] = FLAT
    queries: tuple[tuple[int, int], ...] = ()
    game: Clicks | None = None

    @property
    def bent(self) -> bool:
        """Return whether a shape of the hill is not as it was drawn; what stands still has no end."""
        return any(self.start + (self.end if self.drift else ()))

    @property
    def width(self) -> float:
        """Half the width of every band, standard deviations."""
        return WIDTH if self.game is None else GAME_WIDTH

    @property
    def world(self) -> tv.World:
        """The world, bent by hand where the reader has."""
        if self.game is not None:
            return self.game.world
        if self.bent:
            return Reshaped(
                horizon=ROUNDS,
                noise_sd=self.noise,
                seed=self.seed,
                hill=self.seed,
                drift=self.drift,
                start=self.start,
                end=self.end,
            )
        return tv.World(
            "travel",
            self.drift,
            ROUNDS,
            lengthscale=LENGTHSCALE,
            norm_bound=HEIGHT,
            arms=ARMS,
            noise_sd=self.noise,
            seed=self.seed,
        )


@dataclass(frozen=True)
class Guided:
    """A policy in whose place the reader chooses in some rounds; it learns from these answers as well.

    Attributes:
        policy: chooses in all other rounds.   queries: (row, arm) of these rounds.
    """

    policy: IndexPolicy
    queries: tuple[tuple[int, int], ...]

    def init(self, known: LearnerInfo) -> Any:
        return self.policy.init(known)

    def select(self, state: Any, t: int, rng: np.random.Generator) -> int:
        """Return the reader's arm of this round, or else the policy's own choice."""
        own = self.policy.select(state, t, rng)
        return dict(self.queries).get(t, own)

    def update(self, state: Any, t: int, arm: int, y: float) -> Any:
        return self.policy.update(state, t, arm, y)

    def band(self, state: Any, t: int) -> Band:
        return self.policy.band(state, t)


@dataclass(frozen=True, eq=False)
class ChaseLearner:
    """One learner's rounds.

    Attributes:
        memory: key of `HALF_LIFE`.   history: its queries and answers.
        mean, lower, upper: (T, m) the band that each round is decided with.
        choice: (T,) arm at the highest point of the upper edge.
        weight: (T, T) weight of observation i in round t; 0 before it is observed.
        yours: the reader chose in every round of a game; the band is what the learner believes from these answers.
    """

    memory: str
    history: tv.History
    mean: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    choice: np.ndarray
    weight: np.ndarray
    yours: bool = False

    @cached_property
    def gap(self) -> np.ndarray:
        """(T,) regret of each round."""
        return self.history.regret

    @cached_property
    def paid(self) -> np.ndarray:
        """(T,) regret so far after each round."""
        return np.cumsum(self.gap)

    @cached_property
    def missed(self) -> np.ndarray:
        """(T,) share of the places at which the hill leaves the band."""
        f = self.history.problem.f
        return ((f > self.upper + SLACK) | (f < self.lower - SLACK)).mean(axis=1)


@dataclass(frozen=True, eq=False)
class Chase:
    """A whole film.

    Attributes:
        setting: what it was made from.   problem: the hill of each round.
        shapes: (2, m) the hill before and after its way.   way: (T,) share of the way that it has covered.
        learners: the one with the memory of the setting, then one that keeps all, or the reader of a game.
    """

    setting: ChaseSetting
    problem: tv.Problem
    shapes: np.ndarray
    way: np.ndarray
    learners: tuple[ChaseLearner, ...]

    @property
    def rounds(self) -> int:
        return len(self.way)

    @property
    def frames(self) -> int:
        """Steps of all its rounds."""
        return self.rounds * len(STEPS)

    @property
    def moves(self) -> bool:
        """Return whether the hill moves in these rounds."""
        return bool(self.way.any())

    def heights(self, which: int) -> np.ndarray:
        """Return the heights of a shape at the handles."""
        at = np.rint(PLACES * (len(self.problem.x) - 1)).astype(int)
        return self.shapes[which][at]


def until(film: Chase, rounds: int) -> Chase:
    """Return the first rounds of a film, as if no later one had been played."""
    problem = film.problem.head(rounds)

    def cut(one: ChaseLearner) -> ChaseLearner:
        history = replace(one.history, problem=problem, arms=one.history.arms[:rounds], y=one.history.y[:rounds])
        edges = {name: getattr(one, name)[:rounds] for name in ("mean", "lower", "upper", "choice")}
        return replace(one, history=history, weight=one.weight[:rounds, :rounds], **edges)

    learners = tuple(cut(one) for one in film.learners)
    return replace(film, problem=problem, shapes=problem.f[[0, -1]], way=film.way[:rounds], learners=learners)


def discount(memory: str) -> float:
    """Return the factor by which an answer's weight falls in a round."""
    half = HALF_LIFE[memory]
    return 1.0 if half is None else 0.5 ** (1.0 / half)


def policy(memory: str, width: float = WIDTH) -> IndexPolicy:
    """Return the learner with this memory: GP-UCB where it keeps everything, else WGP-UCB."""
    return tv.GPUCB(width=width) if memory == "all" else tv.WGPUCB(discount(memory), width=width)


def hill(setting: ChaseSetting) -> tuple[tv.Problem, np.ndarray]:
    """Return the world that the setting asks for, and the share of its way in each round (T,)."""
    problem = problems.problem(setting.world)
    if setting.game is not None:
        return problem, np.r_[0.0, np.cumsum(problem.steps)] / (problem.sup_variation or 1.0)
    return problem, draws.travelled(ROUNDS) if setting.drift else np.zeros(ROUNDS)


def learner(
    problem: tv.Problem, memory: str, setting: ChaseSetting, asked: tuple[tuple[int, int], ...], yours: bool = False
) -> ChaseLearner:
    """Play the rounds with one learner, in whose place the reader queries in some of them."""
    guided = Guided(policy(memory, setting.width), asked)
    played = tv.play(problem, guided, tv.observe.play_rng(setting.world.seed), bands=True)
    assert isinstance(played, WatchedHistory)  # `bands=True` asks for it
    mean, lower, upper = (np.array([getattr(b, edge) for b in played.bands]) for edge in ("mean", "lower", "upper"))
    t, i = np.indices((problem.horizon, problem.horizon))
    age = np.where(i < t, t - 1 - i, 0)
    weight = np.where(i < t, discount(memory) ** age, 0.0)
    return ChaseLearner(memory, played, mean, lower, upper, upper.argmax(axis=1), weight, yours)


@shared(64)
def chase(setting: ChaseSetting) -> Chase:
    """Return the film of a setting: the hill, and each learner's band, queries, answers and regret."""
    problem, way = hill(setting)
    if setting.game is not None:
        clicked = tuple(enumerate(setting.game.arms))
        own = learner(problem, setting.memory, setting, ())
        learners: tuple[ChaseLearner, ...] = (own, learner(problem, setting.memory, setting, clicked, yours=True))
    else:
        memories = [setting.memory, "all"] if setting.beside else [setting.memory]
        learners = tuple(learner(problem, memory, setting, setting.queries) for memory in memories)
    return Chase(setting, problem, problem.f[[0, -1]], way, learners)


def reach(film: Chase) -> float:
    """Return where the axis of rewards ends, above and below 0: beyond every hill, shape and mean."""
    shown = film.shapes if film.moves else film.shapes[:1]
    highest = max(float(np.abs(curve).max()) for curve in (film.problem.f, shown, *(one.mean for one in film.learners)))
    return max(LEAST, ceil(11 * highest) / 10)


def depth(film: Chase) -> float:
    """Return how far below 0 the axis of rewards reaches: a unit, or below every hill, shape and mean."""
    shown = film.shapes if film.moves else film.shapes[:1]
    lowest = min(float(curve.min()) for curve in (film.problem.f, shown, *(one.mean for one in film.learners)))
    return max(1.0, ceil(-11.5 * lowest) / 10)


def role(one: ChaseLearner) -> str:
    """Return the role of a learner's memory (`figures.theme.Theme.role`)."""
    return "keeps" if one.memory == "all" else "forgets"


def called(one: ChaseLearner) -> str:
    """Return a learner's name beside another one."""
    return "you" if one.yours else "keeps all" if one.memory == "all" else "forgets"


def before_facts(film: Chase, one: ChaseLearner) -> str:
    """Return what stands before the names of a learner's facts: its name, where there are two."""
    return f"{called(one)} " if len(film.learners) > 1 else ""


def facts(film: Chase, frame: int) -> dict[str, float | None]:
    """Return the numbers of a frame, those of each of two learners after its name: `Scene.facts`."""
    t, step = divmod(frame, len(STEPS))
    x, f = film.problem.x[:, 0], film.problem.f[t]
    found: dict[str, float | None] = {
        "round": t + 1,
        "rewards so far": t,
        "width": film.setting.width,
        "the peak is at": float(x[film.problem.best[t]]),
    }
    for one in film.learners:
        arm, y = one.history.arms[t], float(one.history.y[t])
        numbers = {
            "outside the band": float(one.missed[t]),
            "highest point of the band": float(x[one.choice[t]]),
            "asked at x": float(x[arm]),
            "answer y": y,
            "its reward": float(f[arm]),
            "noise": y - float(f[arm]),
            "regret": float(one.gap[t]),
            "regret so far": float(one.paid[t]) if STEPS[step] == "pay" else float(one.paid[t - 1]) if t else 0.0,
        }
        found |= {before_facts(film, one) + fact: number for fact, number in numbers.items()}
    if last_turn(film, t):
        mine, own = film.learners[0], chase(replace(film.setting, queries=(), beside=False)).learners[0]
        since = slice(FIRST_TURN - 1, t + 1)
        found |= {"your regret in your turns": float(mine.gap[since].sum())}
        found |= {"the learner's regret in them": float(own.gap[since].sum())}
    return found


def table(film: Chase) -> list[dict]:
    """Return the numbers behind the stage, one row a round and learner."""
    x, f = film.problem.x[:, 0], film.problem.f
    return [
        {
            "round": t + 1,
            "memory": f"{one.memory}, you asked" if one.yours else one.memory,
            "the peak is at": float(x[film.problem.best[t]]),
            "asked at x": float(x[one.history.arms[t]]),
            "its reward": float(f[t, one.history.arms[t]]),
            "answer y": float(one.history.y[t]),
            "regret": float(one.gap[t]),
            "regret so far": float(one.paid[t]),
        }
        for t in range(film.rounds)
        for one in film.learners
    ]


def carried(values: Mapping[str, Any]) -> dict[str, str]:
    """Return what links to other pages take along: the hill, where it was reshaped."""
    world = setting_from(values).world
    return {"reshaped": hills.write(world)} if isinstance(world, Reshaped) else {}


def queries(code: str) -> tuple[tuple[int, int], ...]:
    """Return the (row, arm) pairs that a link's text stands for; of two for one round the last counts."""
    pairs = [] if code == "none" else [part.split("-") for part in code.split("_")]
    found = {int(row): int(arm) for row, arm in pairs}
    return tuple((row, arm) for row, arm in sorted(found.items()) if row < ROUNDS and arm < ARMS)


def query_code(asked: tuple[tuple[int, int], ...]) -> str:
    """Return queries as a link writes them."""
    return "_".join(f"{row}-{arm}" for row, arm in asked) or "none"


def turns(asked: tuple[tuple[int, int], ...]) -> int:
    """Return in how many rounds, from the first of the reader's turns without a gap, the reader has queried."""
    return next((n for n, (row, _) in enumerate(asked) if row != n + FIRST_TURN - 1), len(asked))


def last_turn(film: Chase, row: int) -> bool:
    """Return whether the reader has queried in all turns, and this row is that of the last."""
    return turns(film.setting.queries) >= TURNS and row == FIRST_TURN + TURNS - 2


def with_query(asked: tuple[tuple[int, int], ...], row: int, arm: int) -> tuple[tuple[int, int], ...]:
    """Return the queries with one more in this round: earlier ones stay, later ones are dropped."""
    return (*((r, a) for r, a in asked if r < row), (row, arm))


def setting_from(values: Mapping[str, Any]) -> ChaseSetting:
    """Return the setting that the knobs stand for."""
    if values["clicks"] != "none":
        return ChaseSetting(memory=str(values["memory"]), game=clicks.read(str(values["clicks"])))
    return ChaseSetting(
        float(values["drift"]),
        str(values["memory"]),
        float(values["noise"]),
        int(values["hill"]),
        bool(values["beside"]),
        hills.decode(str(values["start"])),
        hills.decode(str(values["end"])),
        queries(str(values["asked"])),
    )
