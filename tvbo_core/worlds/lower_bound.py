r"""The functions of the lower bound: a bump in a hidden place, and a world that hides it again and again.

The bump is $g(x)=\frac{2\varepsilon}{h(0)}h(\zeta x/w)$, h the Fourier transform of $H(u)=e^{-1/(1-\|u\|^2)}$ on the
unit ball: its peak is $2\varepsilon$ and it is below $\varepsilon$ from a distance of w on, so an action is good for
one place, or for two that are next to each other. With norm at most B there is room for
$M=\lfloor1/w\rfloor^d$ places. Finite-horizon constants are derived here; the class is that of Scarlett et al.
(2017), the switching that of Iwazaki & Takeno, Theorem 1.

>>> hard = tv.bumps.switching(T=1000, budget=4.0, B=3.0, sigma=0.1, nu=1.5, lengthscale=0.2)
>>> len(hard.lengths), hard.bumps.count, round(hard.lower_bound(sigma=0.1), 1)
(35, 90, 60.8)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import gammaln, hyp0f1, logsumexp

from tvbo_core.validation import as_floats, check_count, is_number, is_positive

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(160)
_U, _DU = 0.5 * (_NODES + 1.0), 0.5 * _WEIGHTS  # quadrature on (0, 1); the integrands are smooth and flat at 1
_LOG_H = -1.0 / (1.0 - _U**2)
_H = np.exp(_LOG_H)
MAX_PLACES = {1: 400, 2: 40}  # places along one side that are tried; more have never been the best choice here
_FAR = {1: 60, 2: 14}  # widths after which what a bump adds to the sums is below their last digit


@dataclass(frozen=True)
class Shape:
    """The bump of a dimension: everything that does not depend on kernel, noise or horizon.

    Attributes:
        d: dimension, 1 or 2.
    Raises:
        ValueError: another dimension.
    """

    d: int = 1

    def __post_init__(self) -> None:
        if self.d not in MAX_PLACES:
            raise ValueError(f"the bumps of the lower bound are worked out for dimension 1 and 2, got {self.d}")

    def h(self, r: np.ndarray | float) -> np.ndarray:
        r"""$h(r)=s_d\int_0^1u^{d-1}H(u)\,{}_0F_1(\frac d2;-\pi^2r^2u^2)\,du$, the last factor the mean of a cosine."""
        r = np.abs(np.asarray(r, dtype=float))[..., None]
        wave = np.cos(2 * np.pi * r * _U) if self.d == 1 else hyp0f1(self.d / 2, -((np.pi * r * _U) ** 2))
        return wave @ (self._surface * _DU * _H)

    @property
    def _surface(self) -> np.ndarray:
        r"""$s_du^{d-1}$, $s_d=d\pi^{d/2}/\Gamma(\frac d2+1)$."""
        unit = math.exp(0.5 * self.d * math.log(math.pi) - math.lgamma(0.5 * self.d + 1.0))
        return self.d * unit * _U ** (self.d - 1)

    @cached_property
    def top(self) -> float:
        """h(0)."""
        return float(self.h(0.0))

    @cached_property
    def zeta(self) -> float:
        r"""$\zeta$ with $h(\zeta)=h(0)/2$."""
        from scipy.optimize import brentq  # It is slow to import, and few need it.

        return brentq(lambda r: float(self.h(r)) / self.top - 0.5, 0.1, 1.0, xtol=1e-14)

    def in_widths(self, r: np.ndarray) -> np.ndarray:
        r"""$g/\varepsilon$ at r widths from its centre."""
        return 2.0 * self.h(self.zeta * np.asarray(r)) / self.top

    @cached_property
    def omega(self) -> float:
        r"""Range of g, and largest distance of two bumps, in $\varepsilon$: 2.1968 (d = 1), 2.1273 (d = 2)."""
        return 2.0 - float(self.in_widths(np.linspace(0.0, 20.0, 20_001)).min())

    @cached_property
    def sums(self) -> tuple[float, float]:
        r"""$S_1'=\sup_x\sum_mf_m^+/\varepsilon$ and $S_3'=\sup_x\sum_mf_m^2/\varepsilon^2$ over a whole lattice."""
        far = _FAR[self.d]
        lattice, cell = np.arange(-far, far + 1.0), np.linspace(0.0, 1.0, 201 if self.d == 1 else 9)
        if self.d == 1:
            r = np.abs(cell[:, None] + lattice)
        else:
            offsets = np.stack(np.meshgrid(cell, cell), axis=-1).reshape(-1, 2)
            r = np.stack([np.hypot.outer(a + lattice, b + lattice).ravel() for a, b in offsets])
        table = np.linspace(0.0, r.max(), 20_001)  # h costs a quadrature a point: read it off a fine table
        values = np.interp(r, table, self.in_widths(table))
        return float(np.maximum(values, 0.0).sum(axis=1).max()), float((values**2).sum(axis=1).max())

    def log_norm(self, w: float, nu: float, lengthscale: float) -> float:
        r"""$\ln\|g\|_{\mathcal H}$ at $\varepsilon=1$, exactly, of the unit-variance kernel (nu = inf: SE).

        $\|g\|^2=a_0^2w_0^d\int_0^1s_du^{d-1}\frac{H(u)^2}{\hat k(u/w_0)}du$, $w_0=w/\zeta$, $a_0=2/h(0)$.
        """
        w0, d = w / self.zeta, self.d
        terms = np.log(self._surface * _DU) + 2.0 * _LOG_H - log_spectrum(_U / w0, nu, lengthscale, d)
        return math.log(2.0 / self.top) + 0.5 * (d * math.log(w0) + float(logsumexp(terms)))


@lru_cache(maxsize=4)
def shape(d: int) -> Shape:
    """The shape of a dimension, whose constants are computed once."""
    return Shape(d)


def log_spectrum(xi: np.ndarray, nu: float, lengthscale: float, d: int) -> np.ndarray:
    r"""$\ln\hat k(\xi)$ with the convention $\hat k(\xi)=\int k(x)e^{-2\pi i\xi x}dx$; nu = inf is the SE kernel."""
    if math.isinf(nu):
        return 0.5 * d * math.log(2 * math.pi * lengthscale**2) - 2 * (math.pi * lengthscale * xi) ** 2
    rate = 2.0 * nu / lengthscale**2
    constant = d * math.log(2.0) + 0.5 * d * math.log(math.pi) + float(gammaln(nu + 0.5 * d) - gammaln(nu))
    return constant + nu * math.log(rate) - (nu + 0.5 * d) * np.log(rate + (2.0 * math.pi * xi) ** 2)


@dataclass(frozen=True)
class Bumps:
    r"""Amplitude, width and M possible places of the hidden bump; a learner may know all of them.

    Attributes:
        eps: $\varepsilon$, half the peak, reward units.   width: w.   side: places along one side, $M=\text{side}^d$.
        d: dimension.
    """

    eps: float
    width: float
    side: int
    d: int = 1

    @property
    def count(self) -> int:
        """M."""
        return self.side**self.d

    @property
    def jump(self) -> float:
        r"""$\sup\|f_m-f_{m'}\|_\infty\le\omega\varepsilon$, reward units."""
        return shape(self.d).omega * self.eps

    def values(self, x: np.ndarray, centres: np.ndarray) -> np.ndarray:
        """(p, n) rewards of the bumps at p centres (p, d), at the points x (n, d)."""
        r = cdist(np.asarray(centres), np.asarray(x)) / self.width
        # A quadrature a distance, and on a grid few distances differ (by more than 1e-12 widths).
        distances, where = np.unique(np.round(r, 12), return_inverse=True)
        return self.eps * shape(self.d).in_widths(distances)[where].reshape(r.shape)

    def lower_bound(self, T: int, sigma: float) -> float:
        r"""Lower bound of the expected regret of any algorithm in T rounds, averaged over the hidden place; at least 0.

        $E[R_T]\ge T\varepsilon\big[2-\frac{S_1'}M-\frac{\omega\sqrt{S_3'}}2\frac\varepsilon\sigma\sqrt{T/M}\big]$ for
        noise $N(0,\sigma^2)$, even if the class and the prior are known.

        Source: derived here (constants of Scarlett et al. (2017) made explicit, Pinsker on the whole reward).
        """
        one, M = shape(self.d), self.count
        information = 0.5 * one.omega * math.sqrt(one.sums[1] * T / M) * self.eps / sigma
        return max(T * self.eps * (2.0 - one.sums[0] / M - information), 0.0)


@lru_cache(maxsize=256)
def _norms(nu: float, lengthscale: float, d: int) -> np.ndarray:
    r"""Norm at $\varepsilon=1$ of the bump that fits k times along a side, k = 2, 3, ..."""
    one = shape(d)
    return np.exp([min(one.log_norm(1.0 / k, nu, lengthscale), 700.0) for k in range(2, MAX_PLACES[d] + 1)])


def hardest(T: int, B: float, sigma: float, nu: float, lengthscale: float, d: int = 1) -> Bumps:
    r"""The bumps with the largest lower bound for T rounds: for each M a parabola in $\varepsilon$, cut at norm B.

    Raises:
        ValueError: a value is not positive, or the dimension is above 2.
    """
    _check(T=T, B=B, sigma=sigma, lengthscale=lengthscale, nu=nu if math.isfinite(nu) else 1.0)
    one, k = shape(d), np.arange(2, MAX_PLACES[d] + 1)
    M = k.astype(float) ** d
    room = np.maximum(2.0 - one.sums[0] / M, 0.0)
    slope = 0.5 * one.omega * np.sqrt(one.sums[1] * T / M) / sigma
    eps = np.minimum(0.5 * room / slope, B / _norms(float(nu), float(lengthscale), d))
    best = int((eps * (room - slope * eps)).argmax())
    return Bumps(float(eps[best]), 1.0 / int(k[best]), int(k[best]), d)


@dataclass(frozen=True)
class Switching:
    r"""A bump that hides anew every `length` rounds: the world of the lower bound in $V_T$.

    Attributes:
        bumps: the class of every interval.   length: H.   horizon: T.
    """

    bumps: Bumps
    length: int
    horizon: int

    @property
    def lengths(self) -> list[int]:
        """Rounds of each interval; the last one may be shorter."""
        return [min(self.length, self.horizon - start) for start in range(0, self.horizon, self.length)]

    @property
    def budget(self) -> float:
        r"""Largest drift of any draw of the places: $\omega\varepsilon(\lceil T/H\rceil-1)$, reward units."""
        return self.bumps.jump * (-(-self.horizon // self.length) - 1)

    def lower_bound(self, sigma: float) -> float:
        """Unavoidable regret summed over the intervals (derived here; places drawn independently)."""
        whole, rest = divmod(self.horizon, self.length)
        last = self.bumps.lower_bound(rest, sigma) if rest else 0.0
        return whole * self.bumps.lower_bound(self.length, sigma) + last


def switching(T: int, budget: float, B: float, sigma: float, nu: float, lengthscale: float, d: int = 1) -> Switching:
    r"""The smallest interval H whose jumps stay within the budget $V_T$, with the hardest bumps for H rounds.

    Args:
        budget: $V_T\ge0$, reward units; 0 hides the bump once.   Others as `hardest`.
    Source: Iwazaki & Takeno, proof of Theorem 1, with $\omega\varepsilon$ in place of $4\varepsilon$.
    """
    if not (is_number(budget) and budget >= 0):
        raise ValueError(f"the budget must be at least 0, got {budget!r}")
    check_count("T", T, 1)
    _check(B=B, sigma=sigma, lengthscale=lengthscale, nu=1.0 if nu == math.inf else nu)
    return _switching(int(T), budget, B, sigma, nu, lengthscale, d)


@lru_cache(maxsize=512)
def _switching(T: int, budget: float, B: float, sigma: float, nu: float, lengthscale: float, d: int) -> Switching:
    def of(H: int) -> Switching:
        return Switching(hardest(H, B, sigma, nu, lengthscale, d), H, T)

    low, high = 1, T  # the budget that an interval length needs falls as the intervals get longer
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if of(middle).budget <= budget else (middle + 1, high)
    return of(low)


def hidden_function_bound(F: np.ndarray, T: int | np.ndarray, sigma: float) -> np.ndarray:
    r"""The same bound for any table of M functions on n arms, one of them hidden uniformly; at least 0.

    $E[R_T]\ge T\big[\overline{\max_xf_m}-\max_x\bar f(x)-\frac r{2\sigma}\sqrt{T\max_x\overline{f^2}(x)}\big]$, a bar
    the mean over m and r the largest range of one function.

    Args:
        F: (M, n) rewards.   T: rounds, one or many.   sigma: sd of the Gaussian noise, above 0.
    Returns:
        of the shape of T.
    Source: derived here, as `Bumps.lower_bound`.
    """
    F, T = as_floats("F", F), as_floats("T", T)
    if F.ndim != 2 or F.size == 0 or not np.isfinite(F).all() or not (np.isfinite(T) & (T > 0)).all():
        raise ValueError(f"F must be finite of shape (M, n) and T finite and above 0, got F of shape {F.shape}")
    _check(sigma=sigma)
    reach = float((F.max(axis=1) - F.min(axis=1)).max())
    information = reach / (2.0 * sigma) * np.sqrt(T * float((F**2).mean(axis=0).max()))
    return np.maximum(T * (float(F.max(axis=1).mean() - F.mean(axis=0).max()) - information), 0.0)


def _check(**values: float) -> None:
    for name, value in values.items():
        if not is_positive(value):
            raise ValueError(f"{name} must be positive and finite, got {value!r}")
