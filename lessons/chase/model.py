"""One or two learners that chase the peak of the hill: every number that the stage draws."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

import numpy as np

import tvbo_core as tv
from common.cache import shared
from lessons.chase.setting import NOISE, ChaseSetting, discount, hill, policy
from lessons.shared.problems import first_rounds
from lessons.shared.queries import Guided, Queries
from lessons.shared.reshaped import HANDLES
from tvbo_core.play import WatchedHistory

PLACES = HANDLES[:, 0]  # of the handles, on the axis of actions
STEPS = ("believe", "choose", "ask", "pay")
SLACK = 1e-9  # reward units, by which a hill may leave a band for rounding
FIRST_TURN, TURNS = 18, 12  # rounds in which the reader asks, from that in which the hill leaves; then the score
LEAST_PAID = 45.0  # regret at the top of the towers, at least: moments are compared
USUAL = f"regret so far with noise {NOISE:g}"  # a fact beside a play with less noise
LEAST = 2.3  # the axis of rewards ends here, or beyond the largest height


@dataclass(frozen=True, eq=False)
class ChaseLearner:
    """One learner's rounds.

    Attributes:
        memory: key of `HALF_LIFE`.   history: its queries, its answers and the band of each round.
        yours: the reader chose in every round of a game; the band is what the learner believes from these answers.
    """

    memory: str
    history: WatchedHistory
    yours: bool = False

    @property
    def mean(self) -> np.ndarray:
        """(T, m) middle of the band that each round is decided with."""
        return self.history.film.mean

    @property
    def lower(self) -> np.ndarray:
        """(T, m) its lower edge."""
        return self.history.film.lower

    @property
    def upper(self) -> np.ndarray:
        """(T, m) its upper edge."""
        return self.history.film.upper

    @cached_property
    def choice(self) -> np.ndarray:
        """(T,) arm at the highest point of the upper edge."""
        return self.upper.argmax(axis=1)

    @cached_property
    def weight(self) -> np.ndarray:
        """(T, T) weight of observation i in round t; 0 before it is observed."""
        t, i = np.indices((len(self.history.y),) * 2)
        return np.where(i < t, discount(self.memory) ** np.maximum(t - 1 - i, 0), 0.0)

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
    learners = tuple(replace(one, history=first_rounds(one.history, rounds)) for one in film.learners)
    problem = learners[0].history.problem
    return replace(film, problem=problem, shapes=problem.f[[0, -1]], way=film.way[:rounds], learners=learners)


def learner(
    problem: tv.Problem, memory: str, setting: ChaseSetting, queries: Queries, yours: bool = False
) -> ChaseLearner:
    """Play the rounds with one learner, in whose place the reader queries in some of them."""
    guided = Guided(policy(memory, setting.width), queries)
    played = tv.play(problem, guided, tv.observe.play_rng(setting.world.seed), bands=True)
    assert isinstance(played, WatchedHistory)  # `bands=True` asks for it
    return ChaseLearner(memory, played, yours)


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


def extent(film: Chase) -> tuple[float, float]:
    """Return how far the axis of rewards reaches below and above 0: beyond every hill, shape and mean."""
    shapes = film.shapes if film.moves else film.shapes[:1]
    curves = [film.problem.f, shapes, *(one.mean for one in film.learners)]
    lowest, highest = min(float(one.min()) for one in curves), max(float(np.abs(one).max()) for one in curves)
    return max(1.0, ceil(-11.5 * lowest) / 10), max(LEAST, ceil(11 * highest) / 10)


def role(one: ChaseLearner) -> str:
    """Return the role of a learner's memory (`figures.theme.Theme.role`)."""
    return "keeps" if one.memory == "all" else "forgets"


def short_name(one: ChaseLearner) -> str:
    """Return a learner's name beside another one."""
    return "you" if one.yours else "keeps all" if one.memory == "all" else "forgets"


def before_facts(film: Chase, one: ChaseLearner) -> str:
    """Return what stands before the names of a learner's facts: its name, where there are two."""
    return f"{short_name(one)} " if len(film.learners) > 1 else ""


def compares_noise(setting: ChaseSetting) -> bool:
    """Return whether a learner alone plays with less noise than the page opens with."""
    return setting.game is None and not setting.beside and setting.noise < NOISE


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
            "queried x": float(x[arm]),
            "observation y": y,
            "its reward": float(f[arm]),
            "noise": y - float(f[arm]),
            "regret": float(one.gap[t]),
            "regret so far": float(one.paid[t]) if STEPS[step] == "pay" else float(one.paid[t - 1]) if t else 0.0,
        }
        found |= {before_facts(film, one) + fact: number for fact, number in numbers.items()}
    if compares_noise(film.setting):
        usual = chase(replace(film.setting, noise=NOISE)).learners[0].paid
        now = t + (STEPS[step] == "pay")
        found[USUAL] = float(usual[now - 1]) if now else 0.0
    if last_turn(film.setting.queries, t):
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
            "memory": f"{one.memory}, your query" if one.yours else one.memory,
            "the peak is at": float(x[film.problem.best[t]]),
            "queried x": float(x[one.history.arms[t]]),
            "its reward": float(f[t, one.history.arms[t]]),
            "observation y": float(one.history.y[t]),
            "regret": float(one.gap[t]),
            "regret so far": float(one.paid[t]),
        }
        for t in range(film.rounds)
        for one in film.learners
    ]


def turns(queries: Queries) -> int:
    """Return in how many rounds, from the first of the reader's turns without a gap, the reader has queried."""
    return next((n for n, (row, _) in enumerate(queries) if row != n + FIRST_TURN - 1), len(queries))


def last_turn(queries: Queries, row: int) -> bool:
    """Return whether the reader has queried in all turns, and this row is that of the last."""
    return turns(queries) >= TURNS and row == FIRST_TURN + TURNS - 2
