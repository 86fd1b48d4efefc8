"""A static curve, a learner with a guess of its lengthscale, and what the lesson claims about them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

import tvbo_core as tv
from common.cache import shared
from lessons.record import Claim, Limit, Values
from lessons.shared import problems, queries
from lessons.shared.queries import Guided, Queries
from tvbo_core import World
from tvbo_core.play import WatchedHistory

LAST = 10  # observations; one more round is played for the band after them
ARMS = 101
CURVE = World(kind="still", horizon=LAST + 1, lengthscale=0.15, norm_bound=2.0, arms=ARMS)
FIRST = (0, 30)  # before any observation the band is level: the first query is at x = 0.3
WIDTH = 2.0  # standard deviations, half that of the band where the page opens
SLACK = 1e-9  # reward units, by which a reward may leave a band for rounding
SMOOTH, LOUD = {"guessed": 0.5}, {"noise": 0.5}  # settings of moments


@dataclass(frozen=True)
class PointsSetting:
    """The reader's choice.

    Attributes:
        guessed: lengthscale that the learner assumes, in units of x.   noise: its standard deviation, reward units.
        width: half that of the band, standard deviations.   seed: of the curve and of its noise.
        queries: (row, arm) of the rounds in which the reader queried in place of the learner.
    """

    guessed: float
    noise: float
    width: float
    seed: int
    queries: Queries

    @property
    def world(self) -> World:
        return replace(CURVE, noise_sd=self.noise, seed=self.seed)

    @property
    def shown(self) -> World:
        """The world as the page names it, with its ten observed rounds."""
        return replace(self.world, horizon=LAST)


@dataclass(frozen=True, eq=False)
class Points:
    """The observations one by one, and the band before each and after the last; row t is after t observations."""

    setting: PointsSetting
    history: WatchedHistory

    @property
    def frames(self) -> int:
        return len(self.history.y)

    @property
    def x(self) -> np.ndarray:
        """(m,) the actions."""
        return self.history.problem.x[:, 0]

    @property
    def f(self) -> np.ndarray:
        """(m,) the reward of each."""
        return self.history.problem.f[0]

    @property
    def mean(self) -> np.ndarray:
        """(F, m) estimate."""
        return self.history.film.mean

    @cached_property
    def half(self) -> np.ndarray:
        """(F, m) half the width of the band."""
        return self.history.film.upper - self.mean

    @cached_property
    def choice(self) -> np.ndarray:
        """(F,) arm at which the band is highest; without observations that of the first query."""
        return np.r_[FIRST[1], (self.mean + self.half)[1:].argmax(axis=1)]

    @cached_property
    def outside(self) -> np.ndarray:
        """(F, m) whether the reward leaves the band."""
        return np.abs(self.f - self.mean) > self.half + SLACK

    @cached_property
    def asked(self) -> np.ndarray:
        """(F,) whether the reader chose the query of a round."""
        return np.isin(np.arange(self.frames), [row for row, _ in self.setting.queries])

    def until(self, t: int) -> Points:
        """Return the first t observations, as if no later one had been made."""
        return Points(self.setting, problems.first_rounds(self.history, t + 1))


def setting_from(values: Values) -> PointsSetting:
    """Return what these values of the page's knobs describe."""
    guessed, noise, width = (float(values[key]) for key in ("guessed", "noise", "width"))
    return PointsSetting(guessed, noise, width, int(values["curve"]), asked(str(values["asked"])))


def asked(code: str) -> Queries:
    """Return the reader's queries; one after the last observation takes the place of the last."""
    found = {min(row, LAST - 1): arm for row, arm in queries.read(code, LAST + 1, ARMS)}
    return tuple(found.items())


@shared(32)
def points(setting: PointsSetting) -> Points:
    """Query the curve round by round: where the band is highest, or where the reader did."""
    problem = problems.problem(setting.world)
    believed = replace(problem, kernel=tv.SquaredExponential(setting.guessed))
    policy = Guided(tv.GPUCB(width=setting.width), (FIRST, *setting.queries))
    played = tv.play(believed, policy, tv.observe.play_rng(setting.seed), bands=True)
    assert isinstance(played, WatchedHistory)  # `bands=True` asks for it
    return Points(setting, played)


def facts(film: Points, t: int) -> dict[str, float | None]:
    """Return the numbers after t observations: `Scene.facts`."""
    half, before = film.half[t], t - 1
    return {
        "observations": t,
        "narrowest": float(half.min()),
        "widest": float(half.max()),
        "mean half-width": float(half.mean()),
        "outside the band": float(film.outside[t].mean()),
        "highest at x": float(film.x[film.choice[t]]),
        "last queried at x": float(film.x[film.history.arms[before]]) if t else None,
        "it was highest at x": float(film.x[film.choice[before]]) if t else None,
        "regret of this round": float(film.history.regret[before]) if t else None,
    }


def _claim(says: str, fact: str, t: int, limit: Limit) -> Claim:
    """Return a claim about a fact after t observations."""

    def number(values: Values) -> float:
        found = facts(points(setting_from(values)), t)[fact]
        assert found is not None
        return found

    return Claim(says, "curve", number, limit)


COVERS = _claim("after two observations the band covers the whole reward", "outside the band", 2, Limit(SLACK))
MISSES = _claim("with a guessed lengthscale of 0.5, over 25 % of actions lie outside the band after ten observations",
                "outside the band", LAST, Limit(0.25, above=True))  # fmt: skip
STAYS = _claim("with noise 0.5 the band is over ±0.3 wide everywhere after ten observations", "narrowest", LAST,
               Limit(0.3, above=True))  # fmt: skip
FINDS = _claim("in round 10 the query of the learner has regret below 0.1", "regret of this round", LAST, Limit(0.1))
