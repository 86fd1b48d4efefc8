"""Two learners on one moving landscape in the plane, and what the lesson claims about them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

import tvbo_core as tv
from common.cache import shared
from lessons.record import Claim, Limit, Values
from lessons.shared import problems, worlds
from tvbo_core import History, World
from tvbo_core.play import WatchedHistory

SIDE = 30
PLANE_WORLD = World(
    kind="travel",
    budget=2.0,
    dimension=2,
    arms=(SIDE, SIDE),
    nu=math.inf,
    lengthscale=0.25,
    norm_bound=2.0,
    epsilon=0.001,
)
WIDTH = 2.0  # of the bands, standard deviations
SLACK = 1e-9  # reward units, by which a reward may leave a band for rounding
KEEPS, FORGETS = NAMES = ("keeps all", "forgets")
SAME = 1.1  # totals whose ratio is smaller are about the same
FOLLOWS_AT, LAST = 160, PLANE_WORLD.horizon  # the travelling hill has arrived; the film ends
MEMORY = 30  # rounds m that the page opens with
GLIDING = {"kind": "glide", "budget": 1.0}  # the world of the slow glide


@dataclass(frozen=True)
class PlaneSetting:
    """The reader's choice: a world, and past steps m that count for the learner that forgets."""

    world: World
    m: int

    @property
    def discount(self) -> float:
        """Factor of a weight in a round, of the learner that forgets."""
        return 1.0 - 1.0 / self.m

    @property
    def policies(self) -> tuple[tv.GPUCB, tv.WGPUCB]:
        return tv.GPUCB(width=WIDTH), tv.WGPUCB(self.discount, width=WIDTH)


@dataclass(frozen=True, eq=False)
class PlaneLearner:
    """One learner's rounds.

    Attributes:
        name: of `NAMES`.   keeps: factor of a weight in a round.   history: its queries and observations.
        mean, half: (T, m) middle and half-width of the band that each round is decided with, in single precision: a
            film has 900 places.
        outside: (T, m) whether the reward leaves the band.
    """

    name: str
    keeps: float
    history: History
    mean: np.ndarray
    half: np.ndarray
    outside: np.ndarray

    @property
    def role(self) -> str:
        return self.name.split()[0]

    @cached_property
    def regret(self) -> np.ndarray:
        """(T,) regret so far after each round."""
        return np.cumsum(self.history.regret)

    def until(self, rounds: int) -> PlaneLearner:
        """Return the first rounds, as if no later one had been played."""
        bands = {key: getattr(self, key)[:rounds] for key in ("mean", "half", "outside")}
        return replace(self, history=problems.first_rounds(self.history, rounds), **bands)


@dataclass(frozen=True, eq=False)
class Plane:
    """A whole film: what it was made from, the landscape of each round, and the learner that keeps all first."""

    setting: PlaneSetting
    problem: tv.Problem
    learners: tuple[PlaneLearner, ...]

    def until(self, rounds: int) -> Plane:
        """Return the first rounds, as if no later one had been played."""
        learners = tuple(one.until(rounds) for one in self.learners)
        return Plane(self.setting, learners[0].history.problem, learners)


def setting_from(values: Values) -> PlaneSetting:
    """Return what these values of the page's knobs describe."""
    return PlaneSetting(worlds.build(values, PLANE_WORLD), int(values["m"]))


@shared(12)
def plane(setting: PlaneSetting) -> Plane:
    """Play both learners.

    Raises:
        ValueError: a world that cannot be.
    """
    problem, learners = problems.problem(setting.world), []
    for name, policy in zip(NAMES, setting.policies, strict=True):
        played = tv.play(problem, policy, tv.observe.play_rng(setting.world.seed), bands=True)
        assert isinstance(played, WatchedHistory)  # `bands=True` asks for it
        film, f = played.film, problem.f
        outside = (f > film.upper + SLACK) | (f < film.lower - SLACK)
        bands = film.mean.astype(np.float32), (film.upper - film.mean).astype(np.float32), outside
        keeps = 1.0 if name == KEEPS else setting.discount
        learners.append(PlaneLearner(name, keeps, History(problem, played.arms, played.y), *bands))
    return Plane(setting, problem, tuple(learners))


def facts(film: Plane, row: int) -> dict[str, float | None]:
    """Return the numbers of a round: `Scene.facts`."""
    peak = film.problem.x[film.problem.best[row]]
    found: dict[str, float | None] = {"t": row + 1, "peak x1": float(peak[0]), "peak x2": float(peak[1])}
    for one in film.learners:
        found[f"{one.name}: regret"] = float(one.regret[row])
        found[f"{one.name}: outside the band"] = float(one.outside[row].mean())
    return found


def _ratio(rounds: int) -> Callable[[Values], float]:
    """Return the claim's number: regret of the one that forgets after some rounds over that of the other one."""

    def number(values: Values) -> float:
        keeps, forgets = plane(setting_from(values)).learners
        return float(forgets.regret[rounds - 1] / keeps.regret[rounds - 1])

    return number


def _misses(values: Values) -> float:
    """Return how much more of the plane the band of keeping all misses, in shares, once the hill has arrived."""
    keeps, forgets = (one.outside[FOLLOWS_AT - 1].mean() for one in plane(setting_from(values)).learners)
    return float(keeps - forgets)


FOLLOWS = Claim(
    f"by t = {FOLLOWS_AT} forgetting has less than 80 % of the regret of keeping everything",
    "seed",
    _ratio(FOLLOWS_AT),
    Limit(0.8),
)
MISSES = Claim(
    f"at t = {FOLLOWS_AT} the band of keeping everything misses more of the plane",
    "seed",
    _misses,
    Limit(0.0, above=True),
)
COSTS = Claim(
    f"in a slow glide, with drift 1 in all, forgetting has over {SAME:g} times the regret of keeping everything after "
    f"{LAST} rounds",
    "seed",
    _ratio(LAST),
    Limit(SAME, above=True),
)
