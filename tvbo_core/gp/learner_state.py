"""The posterior that a learner carries from round to round: mean, sd and joint draws of all arms today.

`DenseState` is the papers' formula recomputed every round for any memory, and for fresh arms; the other
classes give the same numbers on fixed arms at a cost that does not grow with the round.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Self

import numpy as np

from tvbo_core.gp.dense import joint_draw, log_det, posterior, posterior_covariance, weighted_sd
from tvbo_core.gp.memory import Discount, Injected, Keep, Markov, Memory, Restart, SpaceTime, Window
from tvbo_core.gp.merged_arms import MergedArms, MergedFit
from tvbo_core.gp.rank_one import RankOne
from tvbo_core.records import LearnerInfo

# What rounding may come to in a window, as a share of the rewards' scale, before it is computed anew: well
# below the 1e-9 to which fast and dense forms agree.
MAX_DRIFT = 1e-10
RENEW_ROUNDS = 256  # and at the latest after so many rounds, as the mean adds up an error each round


class PosteriorState(ABC):
    """Today's posterior of all arms, as a learner carries it: `learn` and `skip` move from round t to round t + 1."""

    def copy(self) -> Self:
        """Return the same past, to be carried on apart from this one."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        return new

    @abstractmethod
    def curves(self) -> tuple[np.ndarray, np.ndarray]:
        """Mean and sd of all arms today, (m,) each; the caller does not change them."""

    @abstractmethod
    def covariance(self) -> np.ndarray:
        """(m, m) posterior covariance of all arms today, reward^2; a new array."""

    @property
    @abstractmethod
    def log_det(self) -> float:
        r"""$\ln\det(I+N^{-1/2}KN^{-1/2})$ of the observations that count today."""

    @property
    def double_log_det(self) -> float:
        r"""$\ln\det(I+\lambda^{-1}WKW)$ with the weights W squared; only where observations have weights."""
        raise NotImplementedError(f"{type(self).__name__} has no weights")

    @property
    def tight_sd(self) -> np.ndarray:
        """(m,) the tighter sd of weighted observations; only where observations have weights."""
        raise NotImplementedError(f"{type(self).__name__} has no weights")

    @abstractmethod
    def learn(self, arm: int, y: float) -> None:
        """Observe y from this arm and move to the next round."""

    @abstractmethod
    def skip(self) -> None:
        """Move to the next round without an observation."""

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """One joint draw (m,) of today's rewards of all arms from the posterior, reward units."""
        return joint_draw(self.curves()[0], self.covariance(), rng)


class DenseState(PosteriorState):
    """The whole past as a list, every posterior from the papers' formula: the reference for the others."""

    def __init__(self, known: LearnerInfo, memory: Memory, ridge: float) -> None:
        self.known, self.memory, self.ridge = known, memory, ridge
        self.t = 0
        self._points: list[np.ndarray] = []  # arm and round of each observation
        self._y: list[float] = []
        self._kernel = SpaceTime(known.kernel, memory.epsilon if isinstance(memory, Markov) else 0.0)

    @property
    def arms(self) -> np.ndarray:
        """(m, d) arms of today (of the last round when there is none)."""
        x = self.known.x
        return x if x.ndim == 2 else x[min(self.t, len(x) - 1)]

    def learn(self, arm: int, y: float) -> None:
        self._points.append(np.append(self.arms[arm], float(self.t)))
        self._y.append(float(y))
        self.t += 1

    def skip(self) -> None:
        self.t += 1

    def copy(self) -> DenseState:
        new = super().copy()
        new._points, new._y = self._points.copy(), self._y.copy()
        return new

    def _kept(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Points and times (n, d+1), rewards (n,) and noise variances (n,) of what is not forgotten."""
        points = np.array(self._points).reshape(len(self._y), self.known.x.shape[-1] + 1)
        noise = self.memory.noise(self.t - points[:, -1].astype(int), self.ridge, self.t)
        kept = np.isfinite(noise)
        return points[kept], np.array(self._y)[kept], noise[kept]

    @property
    def _here(self) -> np.ndarray:
        return np.column_stack([self.arms, np.full(len(self.arms), float(self.t))])

    def curves(self) -> tuple[np.ndarray, np.ndarray]:
        X, y, noise = self._kept()
        return posterior(self._kernel, X, y, self._here, noise)

    def covariance(self) -> np.ndarray:
        X, _, noise = self._kept()
        return posterior_covariance(self._kernel, X, self._here, noise)

    @property
    def log_det(self) -> float:
        X, _, noise = self._kept()
        return log_det(self._kernel(X, X), noise)

    @property
    def double_log_det(self) -> float:
        r"""$\ln\det(I+\lambda^{-1}WKW)$ with the weights W = diag(lambda / n) counted twice."""
        X, _, noise = self._kept()
        with np.errstate(over="ignore"):
            twice = noise * (noise / self.ridge)
        kept = np.isfinite(twice)
        return log_det(self._kernel(X[kept], X[kept]), twice[kept])

    @property
    def tight_sd(self) -> np.ndarray:
        r"""(m,) $\tilde\sigma$ of `gp.weighted_sd`."""
        X, _, noise = self._kept()
        return weighted_sd(self._kernel, X, self._here, noise, self.ridge)


class RankOneState(PosteriorState):
    """Posterior that keeps everything, restarts every H rounds, or fades by epsilon a round (rank-one updates)."""

    def __init__(self, gram: np.ndarray, ridge: float, restart: int | None = None, epsilon: float = 0.0) -> None:
        self.engine, self.ridge, self.restart, self.epsilon = RankOne(gram), ridge, restart, epsilon
        self.t = 0

    def curves(self) -> tuple[np.ndarray, np.ndarray]:
        return self.engine.mean, self.engine.sd

    def covariance(self) -> np.ndarray:
        return self.engine.covariance()

    @property
    def log_det(self) -> float:
        return self.engine.log_det

    def learn(self, arm: int, y: float) -> None:
        self.engine.learn(arm, y, self.ridge)
        self.skip()

    def copy(self) -> RankOneState:
        new = super().copy()
        new.engine = self.engine.copy()
        return new

    def skip(self) -> None:
        self.t += 1
        if self.epsilon:
            self.engine.fade(self.epsilon)
        if self.restart and self.t % self.restart == 0:
            self.engine.reset()


class WindowState(PosteriorState):
    """Posterior of the last W observations: each round adds one and removes the oldest, or replaces it.

    Removing lets rounding errors grow; where their bound would show, and now and then anyway, the
    posterior is computed anew from the window's observations.
    """

    def __init__(self, gram: np.ndarray, ridge: float, window: int) -> None:
        self.engine, self.ridge, self.window, self.t = RankOne(gram), ridge, window, 0
        self._arms, self._y = np.full(window, -1, dtype=np.intp), np.zeros(window)  # round t at t mod W; -1: none
        self._error = np.finfo(float).eps  # of the covariance, as a share of the largest prior variance
        # The mean feels an error of the covariance times 1 / ridge.
        self._allowed = MAX_DRIFT * min(1.0, ridge / max(float(gram.diagonal().max()), np.finfo(float).tiny))

    def curves(self) -> tuple[np.ndarray, np.ndarray]:
        return self.engine.mean, self.engine.sd

    def covariance(self) -> np.ndarray:
        return self.engine.covariance()

    @property
    def log_det(self) -> float:
        return self.engine.log_det

    def learn(self, arm: int, y: float) -> None:
        old, heard = self._turn(arm, y)
        if old == arm:
            self.engine.exchange(arm, heard, y, self.ridge)
        else:
            self.engine.learn(arm, y, self.ridge)
        self._forget(-1 if old == arm else old, heard)

    def skip(self) -> None:
        self._forget(*self._turn(-1, 0.0))

    def copy(self) -> WindowState:
        new = super().copy()
        new.engine, new._arms, new._y = self.engine.copy(), self._arms.copy(), self._y.copy()
        return new

    def _turn(self, arm: int, y: float) -> tuple[int, float]:
        """Move on by a round with this observation; return the one that leaves the window, arm -1 if there is none."""
        here = self.t % self.window
        old, heard = int(self._arms[here]), float(self._y[here])
        self._arms[here], self._y[here] = arm, y
        self.t += 1
        return old, heard

    def _forget(self, old: int, heard: float) -> None:
        if old >= 0:
            growth = self.engine.take_back(old, heard, self.ridge, self._allowed / self._error)
            self._error = self._error * growth + np.finfo(float).eps
        if self.t > self.window and (self._error > self._allowed or self.t % RENEW_ROUNDS == 0):
            self._renew()

    def _renew(self) -> None:
        there = self._arms >= 0
        if not there.any():
            self.engine.reset()
        else:
            fitted = MergedArms.of(self.engine.gram, self.ridge, self._arms[there], self._y[there]).fit()
            self.engine.adopt(fitted.half, fitted.mean, fitted.variance, fitted.log_det)
        self._error = np.finfo(float).eps


class WeightedState(PosteriorState):
    """Weights that change every round, one sum per arm: a discount decays it, injection adds it up anew."""

    def __init__(self, gram: np.ndarray, ridge: float, memory: Discount | Injected, horizon: int) -> None:
        self.merged, self.memory, self.t = MergedArms(gram, ridge), memory, 0
        if isinstance(memory, Injected):
            self._slots = np.zeros(horizon, dtype=np.intp)
            self._heard = np.zeros((2, horizon))  # reward and 1.0 of each round; both 0 where nothing was observed
            self._skipped = False
            self._by_age = memory.weight(np.arange(horizon, 0, -1))  # oldest first

    @cached_property
    def fitted(self) -> MergedFit:
        """Today's posterior, computed on first use."""
        return self.merged.fit()

    def curves(self) -> tuple[np.ndarray, np.ndarray]:
        return self.fitted.mean, np.sqrt(self.fitted.variance)

    def covariance(self) -> np.ndarray:
        return self.fitted.covariance()

    @property
    def log_det(self) -> float:
        return self.fitted.log_det

    @property
    def double_log_det(self) -> float:
        return self.merged.log_det(self.merged.squared)

    @property
    def tight_sd(self) -> np.ndarray:
        return np.sqrt(self.fitted.tight_variance())

    def learn(self, arm: int, y: float) -> None:
        self.__dict__.pop("fitted", None)
        if isinstance(self.memory, Discount):
            self.merged.decay(self.memory.gamma)
            self.merged.observe(arm, y)
        else:
            self._add_up(self.merged.slot(arm), y, 1.0)
        self.t += 1

    def skip(self) -> None:
        self.__dict__.pop("fitted", None)
        if isinstance(self.memory, Discount):
            self.merged.decay(self.memory.gamma)
        else:
            self._skipped = True
            self._add_up(0, 0.0, 0.0)
        self.t += 1

    def copy(self) -> WeightedState:
        new = super().copy()
        new.merged = self.merged.copy()
        if isinstance(self.memory, Injected):
            new._slots, new._heard = self._slots.copy(), self._heard.copy()
        return new

    def _add_up(self, slot: int, y: float, there: float) -> None:
        """The sums of all observations at tomorrow's ages (arms never lose their slots here)."""
        n, merged = self.t + 1, self.merged
        self._slots[self.t], self._heard[:, self.t] = slot, (y, there)
        if not merged.count:
            return
        (rewards, heard), slots, weights = self._heard[:, :n], self._slots[:n], self._by_age[len(self._by_age) - n :]
        if self._skipped:
            weights = weights * heard
        merged.weight[:] = np.bincount(slots, weights)
        merged.squared[:] = np.bincount(slots, weights * weights)
        merged.weighted_y[:] = np.bincount(slots, weights * rewards)


def make_state(known: LearnerInfo, memory: Memory, ridge: float, dense: bool = False) -> PosteriorState:
    """The past of a learner with this memory: fast on fixed arms, dense for fresh ones or when asked."""
    if dense or known.x.ndim == 3:
        return DenseState(known, memory, ridge)
    gram = known.kernel(known.x, known.x)
    match memory:
        case Keep():
            return RankOneState(gram, ridge)
        case Restart():
            return RankOneState(gram, ridge, restart=memory.interval)
        case Markov():
            return RankOneState(gram, ridge, epsilon=memory.epsilon)
        case Window():
            return WindowState(gram, ridge, min(memory.length, known.horizon))
        case Discount() | Injected():
            return WeightedState(gram, ridge, memory, known.horizon)
    raise TypeError(f"no fast past is written for {type(memory).__name__}; ask for a dense one")
