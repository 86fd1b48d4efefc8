"""Three intervals for the next observation, round by round, and what the lesson claims about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

import tvbo_core as tv
from common.cache import shared
from lessons.record import Claim, Limit, Values
from lessons.shared import problems, worlds
from tvbo_core import History, World
from tvbo_core.bands.online import OnlineWidths

ONLINE_WORLD = World(kind="jumps", budget=4.0, horizon=200, kernel="matern", nu=1.5, arms=50)
DELTA = 0.1
Z = 1.645  # nine in ten of a Gaussian lie within so many of its standard deviations
KEEPS, FORGETS, FOLLOWS = NAMES = ("keeps all", "forgets", "adapts to its misses")
MEMORY, STEP = 20, 0.5  # rounds m and the step eta that the page opens with
LAST = ONLINE_WORLD.horizon
STILL, TIMID = {"kind": "still"}, {"eta": 0.05}  # settings of moments
NEAR, LOST = 0.03, 0.85  # a share no farther from nine in ten keeps it; one below has lost it


@dataclass(frozen=True)
class OnlineSetting:
    """The reader's choice: a world, rounds m of memory, and the step eta with which the third width moves."""

    world: World
    m: int
    eta: float


@dataclass(frozen=True, eq=False)
class Interval:
    """One band as an interval for the next observation.

    Attributes:
        name: of `NAMES`.   mean, scale: (T+1, m) centre, and half-width before it is multiplied; row t knows t
            observations.
        widths: multipliers and misses.
    """

    name: str
    mean: np.ndarray
    scale: np.ndarray
    widths: OnlineWidths

    @cached_property
    def half(self) -> np.ndarray:
        """(T+1, m) half the width."""
        return np.maximum(self.widths.q, 0.0)[:, None] * self.scale

    @cached_property
    def half_so_far(self) -> np.ndarray:
        """(T,) mean half-width over the first observations, and over all actions."""
        return self.half[:-1].mean(axis=1).cumsum() / np.arange(1, len(self.half))


@dataclass(frozen=True, eq=False)
class Online:
    """The observations of random actions, and the three intervals for each of them."""

    setting: OnlineSetting
    history: History
    intervals: tuple[Interval, ...]

    @property
    def rounds(self) -> int:
        return len(self.history.y)

    def until(self, rounds: int) -> Online:
        """Return the first rounds, as if no later one had been played."""
        intervals = tuple(
            Interval(
                one.name,
                one.mean[: rounds + 1],
                one.scale[: rounds + 1],
                OnlineWidths(one.widths.q[: rounds + 1], one.widths.scores[:rounds], one.widths.missed[:rounds]),
            )
            for one in self.intervals
        )
        return Online(self.setting, problems.first_rounds(self.history, rounds), intervals)

    def slack(self, rounds: int) -> float:
        """Return how far the third share may be from nine in ten after some rounds, whatever the rewards do.

        The bound of `OnlineBand.miss_bound`, where b is the largest score of these rounds.
        """
        b = float(self.intervals[-1].widths.scores[:rounds].max(initial=0.0))
        return tv.OnlineBand(DELTA, self.setting.eta).miss_bound(b, rounds)


def setting_from(values: Values) -> OnlineSetting:
    """Return what these values of the page's knobs describe."""
    return OnlineSetting(worlds.build(values, ONLINE_WORLD), int(values["m"]), float(values["eta"]))


@shared(24)
def online(setting: OnlineSetting) -> Online:
    """Observe random actions, and predict each observation before it comes.

    Raises:
        ValueError: a world that cannot be.
    """
    problem = problems.problem(setting.world)
    history, noise = problems.observations(problem, "random", setting.world.seed), Z * problem.noise_sd
    rows, intervals = np.arange(len(history.y)), []
    for name, policy in zip(NAMES, policies(setting), strict=False):
        film = tv.watch(policy, history)
        scale = np.sqrt((film.upper - film.mean) ** 2 + noise**2)
        scores = np.abs(history.y - film.mean[rows, history.arms]) / scale[rows, history.arms]
        fixed = OnlineWidths(np.ones(len(scores) + 1), scores, scores > 1.0)
        intervals.append(Interval(name, film.mean, scale, fixed))
    forgets = intervals[-1]
    followed = tv.OnlineBand(DELTA, setting.eta).widths(forgets.widths.scores)
    intervals.append(Interval(FOLLOWS, forgets.mean, forgets.scale, followed))
    return Online(setting, history, tuple(intervals))


def policies(setting: OnlineSetting) -> tuple[tv.GPUCB, tv.WGPUCB]:
    """Return the learners whose bands are the first two intervals."""
    return tv.GPUCB(width=Z), tv.WGPUCB(1.0 - 1.0 / setting.m, width=Z)


def facts(film: Online, t: int) -> dict[str, float | None]:
    """Return the numbers after t observations: `Scene.facts`."""
    found: dict[str, float | None] = {"observations": t}
    for one in film.intervals:
        found[f"{one.name}: share inside"] = float(one.widths.share_inside[t]) if t else None
        found[f"{one.name}: mean half-width"] = float(one.half_so_far[t - 1]) if t else None
    found["share may be off by"] = film.slack(t) if t else None
    return found


def _claim(says: str, number: Callable[[Online], float], limit: Limit) -> Claim:
    return Claim(says, "seed", lambda values: number(online(setting_from(values))), limit)


def _wider(film: Online) -> float:
    """Return how many times as wide as the band that forgets the one that follows is, over all rounds."""
    _, forgets, follows = (float(one.half_so_far[-1]) for one in film.intervals)
    return follows / forgets


def _kept(film: Online) -> float:
    """Return the larger of two ratios: the third share's distance from 0.9 over 0.03, the best other share over 0.85.

    Both are at most 1 where the third band keeps its share and the others have lost it.
    """
    keeps, forgets, follows = (float(one.widths.share_inside[-1]) for one in film.intervals)
    return max(abs(follows - 0.9) / NEAR, max(keeps, forgets) / LOST)


HOLDS = _claim(
    f"after {LAST} observations the share inside the band that adapts to its misses is within {NEAR:g} of 0.9, both "
    f"others are below {LOST:g}",
    _kept,
    Limit(1.0),
)
COSTS = _claim(
    "in a static world the band that adapts to its misses is under 1.1 times as wide as the one that forgets",
    _wider,
    Limit(1.1),
)
SLOW = _claim(
    f"with a step of 0.05 the share inside the band that adapts to its misses is below {LOST:g}",
    lambda film: float(film.intervals[-1].widths.share_inside[-1]),
    Limit(LOST),
)
