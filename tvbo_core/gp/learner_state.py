"""The posterior that a learner carries from round to round: mean, sd and joint draws of all arms today.

`DenseState` recomputes the papers' formula every round, for any memory and for arms that are new every round; the other
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

# Largest rounding error that a window may collect, as a share of the rewards' scale, before its posterior is
# recomputed. It is well below the 1e-9 to which the fast and the dense forms agree.
MAX_ROUNDING_ERROR = 1e-10
# Each round adds a rounding error to a window's mean, so that the posterior is recomputed at least this often.
RECOMPUTE_ROUNDS = 256


class PosteriorState(ABC):
    """Today's posterior of all arms, as a learner carries it: `learn` and `skip` move from round t to round t + 1."""

    def copy(self) -> Self:
        """Return a copy, which is updated apart from this state."""
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
        r"""$\ln\det(I+\lambda^{-1}WKW)$, like `log_det` with W for $W^{1/2}$; only where observations have weights."""
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
    """Posterior from all observations by the papers' formula: the reference for the other states."""

    def __init__(self, known: LearnerInfo, memory: Memory, ridge: float) -> None:
        self.known, self.memory, self.ridge = known, memory, ridge
        self.t = 0
        self._points: list[np.ndarray] = []  # (d+1,) each: place and round of an observation
        self._y: list[float] = []
        self._kernel = SpaceTime(known.kernel, memory.epsilon if isinstance(memory, Markov) else 0.0)

    @property
    def arms(self) -> np.ndarray:
        """(m, d) arms of this round; after the horizon those of the last one."""
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

    def _observations(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(n, d+1) points and times, (n,) rewards and (n,) noise variances of the observations that count today."""
        points = np.array(self._points).reshape(len(self._y), self.known.x.shape[-1] + 1)
        noise = self.memory.noise(self.t - points[:, -1].astype(int), self.ridge, self.t)
        finite = np.isfinite(noise)
        return points[finite], np.array(self._y)[finite], noise[finite]

    @property
    def _points_today(self) -> np.ndarray:
        """(m, d+1) arms of this round, each with the time."""
        return np.column_stack([self.arms, np.full(len(self.arms), float(self.t))])

    def curves(self) -> tuple[np.ndarray, np.ndarray]:
        X, y, noise = self._observations()
        return posterior(self._kernel, X, y, self._points_today, noise)

    def covariance(self) -> np.ndarray:
        X, _, noise = self._observations()
        return posterior_covariance(self._kernel, X, self._points_today, noise)

    @property
    def log_det(self) -> float:
        X, _, noise = self._observations()
        return log_det(self._kernel(X, X), noise)

    @property
    def double_log_det(self) -> float:
        r"""$\ln\det(I+\lambda^{-1}WKW)$ with the weights W = diag(lambda / noise variance)."""
        X, _, noise = self._observations()
        with np.errstate(over="ignore"):
            twice = noise * (noise / self.ridge)
        finite = np.isfinite(twice)
        return log_det(self._kernel(X[finite], X[finite]), twice[finite])

    @property
    def tight_sd(self) -> np.ndarray:
        r"""(m,) $\tilde\sigma$ of `gp.weighted_sd`."""
        X, _, noise = self._observations()
        return weighted_sd(self._kernel, X, self._points_today, noise, self.ridge)


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

    Each removal makes the rounding errors grow. The posterior is recomputed from the window's observations when the
    bound on these errors is too large, and after `RECOMPUTE_ROUNDS` rounds at the latest.
    """

    def __init__(self, gram: np.ndarray, ridge: float, window: int) -> None:
        self.engine, self.ridge, self.window, self.t = RankOne(gram), ridge, window, 0
        # Round t stands at index t mod W; arm -1 is a round without an observation.
        self._arms, self._y = np.full(window, -1, dtype=np.intp), np.zeros(window)
        # A bound on the rounding error of the covariance, as a share of the largest prior variance.
        self._error = np.finfo(float).eps
        # An error of the covariance enters the mean multiplied by 1 / ridge.
        share = min(1.0, ridge / max(float(gram.diagonal().max()), np.finfo(float).tiny))
        self._max_error = MAX_ROUNDING_ERROR * share

    def curves(self) -> tuple[np.ndarray, np.ndarray]:
        return self.engine.mean, self.engine.sd

    def covariance(self) -> np.ndarray:
        return self.engine.covariance()

    @property
    def log_det(self) -> float:
        return self.engine.log_det

    def learn(self, arm: int, y: float) -> None:
        old_arm, old_y = self._replace_oldest(arm, y)
        if old_arm == arm:
            self.engine.exchange(arm, old_y, y, self.ridge)
            old_arm = -1  # its observation is out of the posterior already
        else:
            self.engine.learn(arm, y, self.ridge)
        self._remove(old_arm, old_y)

    def skip(self) -> None:
        self._remove(*self._replace_oldest(-1, 0.0))

    def copy(self) -> WindowState:
        new = super().copy()
        new.engine, new._arms, new._y = self.engine.copy(), self._arms.copy(), self._y.copy()
        return new

    def _replace_oldest(self, arm: int, y: float) -> tuple[int, float]:
        """Store this round, arm -1 if it has no observation; return arm and reward of the round that leaves."""
        index = self.t % self.window
        old_arm, old_y = int(self._arms[index]), float(self._y[index])
        self._arms[index], self._y[index] = arm, y
        self.t += 1
        return old_arm, old_y

    def _remove(self, arm: int, y: float) -> None:
        """Remove an observation from the posterior, none for arm -1, and recompute where the errors are too large."""
        if arm >= 0:
            growth = self.engine.take_back(arm, y, self.ridge, self._max_error / self._error)
            self._error = self._error * growth + np.finfo(float).eps
        if self.t > self.window and (self._error > self._max_error or self.t % RECOMPUTE_ROUNDS == 0):
            self._recompute()

    def _recompute(self) -> None:
        observed = self._arms >= 0
        if not observed.any():
            self.engine.reset()
        else:
            fitted = MergedArms.of(self.engine.gram, self.ridge, self._arms[observed], self._y[observed]).fit()
            self.engine.adopt(fitted.half, fitted.mean, fitted.variance, fitted.log_det)
        self._error = np.finfo(float).eps


class WeightedState(PosteriorState):
    """Posterior of observations whose weights change every round, from sums of each arm.

    A discount multiplies the sums by one factor. Uncertainty injection has no such factor: it adds all up again.
    """

    def __init__(self, gram: np.ndarray, ridge: float, memory: Discount | Injected, horizon: int) -> None:
        self.merged, self.memory, self.t = MergedArms(gram, ridge), memory, 0
        if isinstance(memory, Injected):
            # One entry a round: slot of its arm, reward, and 1.0, or three times 0 where nothing was observed.
            self._slots = np.zeros(horizon, dtype=np.intp)
            self._rewards, self._observed = np.zeros(horizon), np.zeros(horizon)
            self._skipped = False
            self._age_weights = memory.weight(np.arange(horizon, 0, -1))  # of the ages horizon, ..., 2, 1

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
            new._slots, new._rewards = self._slots.copy(), self._rewards.copy()
            new._observed = self._observed.copy()
        return new

    def _add_up(self, slot: int, y: float, observed: float) -> None:
        """Store this round, and set the sums of each arm to the weights that its observations have next round.

        Without a discount an arm never loses its slot, so that the stored slots stay valid.
        """
        n, merged = self.t + 1, self.merged
        self._slots[self.t], self._rewards[self.t], self._observed[self.t] = slot, y, observed
        if not merged.count:
            return
        slots, weights = self._slots[:n], self._age_weights[len(self._age_weights) - n :]
        if self._skipped:
            weights = weights * self._observed[:n]
        merged.weight[:] = np.bincount(slots, weights)
        merged.squared[:] = np.bincount(slots, weights * weights)
        merged.weighted_y[:] = np.bincount(slots, weights * self._rewards[:n])


def make_state(known: LearnerInfo, memory: Memory, ridge: float, dense: bool = False) -> PosteriorState:
    """Return the state of a learner that observed nothing yet: a fast one on fixed arms, else or if asked a dense one.

    Raises:
        TypeError: there is no fast form for this memory.
    """
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
