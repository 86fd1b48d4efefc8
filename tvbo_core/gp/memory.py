r"""Weights of past observations: keep, restart, window, discount, injected uncertainty, a changing prior.

All say it in one language: an observation of age $a\ge1$ rounds enters today's posterior with a noise
variance $n(a)$ (inf: forgotten). Only the Markov memory changes the prior covariance instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import ClassVar

import numpy as np

from tvbo_core.kernels import Kernel
from tvbo_core.validation import check_rounds, check_share


@dataclass(frozen=True)
class SpaceTime:
    r"""The covariance of a reward that forgets: $k(x,x')(1-\epsilon)^{|t-t'|/2}$ at points (x, t).

    Attributes:
        kernel: $k$, of the (n, d) points.   epsilon: $\epsilon$ in [0, 1]. Points are (n, d+1), time last.
    Source: Bogunovic et al., eq. 5-8 with $\tilde K=K\circ D$, $\tilde k=k\circ d$.
    """

    kernel: Kernel
    epsilon: float

    def __call__(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        lag = np.abs(X[:, -1][:, None] - Z[:, -1][None, :])
        return self.kernel(X[:, :-1], Z[:, :-1]) * (1.0 - self.epsilon) ** (0.5 * lag)

    def diag(self, X: np.ndarray) -> np.ndarray:
        return self.kernel.diag(X[:, :-1])


@dataclass(frozen=True)
class Memory:
    """The interface of all memories; by itself it keeps everything."""

    name: ClassVar[str] = "keep"

    def weight(self, ages: np.ndarray, t: int | np.ndarray | None = None) -> np.ndarray:
        """Weight of a past observation against its age, 1 being "as good as new"; arguments as `noise`."""
        return np.ones(np.shape(ages))

    def noise(self, ages: np.ndarray, ridge: float, t: int | np.ndarray | None = None) -> np.ndarray:
        r"""Effective noise variances $\lambda/\text{weight}$ of observations of these ages; inf is forgotten.

        Args:
            ages: rounds since, at least 1 (today is round t, an observation of round i has age t - i).
            ridge: $\lambda>0$, reward^2.
            t: today's round 0, 1, ...; only `Restart` looks at it.
        """
        with np.errstate(divide="ignore", over="ignore"):
            return ridge / self.weight(ages, t)


@dataclass(frozen=True)
class Keep(Memory):
    """Never forgets: $n=\\lambda$ (GP-UCB)."""


@dataclass(frozen=True)
class Restart(Memory):
    r"""Forgets everything in rounds t with t mod H = 0: $n=\lambda$ for ages up to $t\bmod H$, else inf.

    Without a `t` the weights are those of the round before a restart, when the memory is fullest.

    Attributes:
        interval: $H\ge1$ rounds.
    Source: Zhou & Shroff (2021); Bogunovic et al., Algorithm 1 with the reset at (t-1) mod N = 0.
    """

    interval: int

    name: ClassVar[str] = "restart"

    def __post_init__(self) -> None:
        check_rounds("interval", self.interval)

    def weight(self, ages: np.ndarray, t: int | np.ndarray | None = None) -> np.ndarray:
        since = self.interval - 1 if t is None else t % self.interval
        return np.where(np.asarray(ages) <= since, 1.0, 0.0)


@dataclass(frozen=True)
class Window(Memory):
    r"""Keeps the last W observations: $n=\lambda$ for ages up to W, else inf.

    Attributes:
        length: $W\ge1$ rounds.
    Source: Zhou & Shroff (2021).
    """

    length: int

    name: ClassVar[str] = "window"

    def __post_init__(self) -> None:
        check_rounds("length", self.length)

    def weight(self, ages: np.ndarray, t: int | np.ndarray | None = None) -> np.ndarray:
        return np.where(np.asarray(ages) <= self.length, 1.0, 0.0)


@dataclass(frozen=True)
class Discount(Memory):
    r"""Discounts: $n=\lambda\gamma^{-(a-1)}$, so that the newest observation counts in full.

    Attributes:
        gamma: $\gamma$ in [0, 1]; 1 keeps everything, 0 only the newest observation.
    Source: Deng et al., eq. 2-3 in the normalised weights $w_s/w_t$, $w_s=\gamma^{-s}$.
    """

    gamma: float

    name: ClassVar[str] = "discount"

    def __post_init__(self) -> None:
        check_share("gamma", self.gamma)

    def weight(self, ages: np.ndarray, t: int | np.ndarray | None = None) -> np.ndarray:
        return self.gamma ** (np.asarray(ages, float) - 1.0)


@dataclass(frozen=True)
class Injected(Memory):
    r"""Injects uncertainty: $n=\lambda(1+a^\alpha)$.

    $\alpha=0$ is not the still problem: every past observation then has $n=2\lambda$.

    Attributes:
        alpha: drift exponent, at least 0.
        printed: use the paper's index, which describes the round before: $n=\lambda(1+(a-1)^\alpha)$, with
            $0^\alpha=0$ also for $\alpha=0$.
    Source: Mauduit et al., eq. 7-8, at the lag t - i of Lemma 2.3 (`printed`: of eq. 9-11).
    """

    alpha: float
    printed: bool = False

    name: ClassVar[str] = "injected"

    def __post_init__(self) -> None:
        if not (isinstance(self.alpha, Real) and np.isfinite(self.alpha) and self.alpha >= 0):
            raise ValueError(f"alpha must be finite and at least 0, got {self.alpha!r}")

    def weight(self, ages: np.ndarray, t: int | np.ndarray | None = None) -> np.ndarray:
        lag = np.asarray(ages, float) - (1.0 if self.printed else 0.0)
        with np.errstate(over="ignore"):
            return 1.0 / (1.0 + np.where(lag > 0, np.maximum(lag, 1.0) ** self.alpha, 0.0))


@dataclass(frozen=True)
class Markov(Memory):
    r"""Drift in the prior: the covariance of then and now fades as $(1-\epsilon)^{a/2}$, not the noise.

    Attributes:
        epsilon: per-round change in [0, 1]; 0 keeps everything, 1 nothing.
    Source: Bogunovic et al., sec. 2 and eq. 5-8.
    """

    epsilon: float

    name: ClassVar[str] = "markov"

    def __post_init__(self) -> None:
        check_share("epsilon", self.epsilon)

    def weight(self, ages: np.ndarray, t: int | np.ndarray | None = None) -> np.ndarray:
        return (1.0 - self.epsilon) ** (0.5 * np.asarray(ages, float))

    def noise(self, ages: np.ndarray, ridge: float, t: int | np.ndarray | None = None) -> np.ndarray:
        return np.full(np.shape(ages), float(ridge))


@dataclass(frozen=True)
class MemoryLengths:
    r"""Length of each method's memory.

    Attributes:
        epsilon: of TV-GP-UCB.   restart: $H$ of R-GP-UCB and R-PERP.   window: $W$ of SW-GP-UCB.
        discount: $\gamma$ of WGP-UCB.
    """

    epsilon: float
    restart: int
    window: int
    discount: float


def matched(m: float) -> MemoryLengths:
    r"""Settings of five methods of memory m: $W=m$, $H=2m$, $\gamma=1-1/m$ (half-life 0.69 m), $\epsilon=2/m$.

    Lengths are rounded to at least one round; $\epsilon$ is cut at 1.

    Raises:
        ValueError: m is below 1 or not finite.
    """
    if not (isinstance(m, Real) and np.isfinite(m) and m >= 1):
        raise ValueError(f"a memory must be a number of rounds of at least 1, got {m!r}")
    return MemoryLengths(epsilon=min(1.0, 2.0 / m), restart=round(2 * m), window=round(m), discount=1.0 - 1.0 / m)
