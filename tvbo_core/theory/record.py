r"""Record of a theorem: its statement, its source, its budget, and its bound in numbers.

Heights are arbitrary: constants that a paper leaves open count as 1, so only powers, and where the theorem holds,
are the theorem's. Powers are exact fractions of $\nu$ and d.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

UPPER, LOWER = "upper", "lower"
# What a bound measures drift by: its symbol and what it is.
BUDGETS = {
    "V_T": "sup norm: $V_T=\\sum_t\\max_x|f_{t+1}(x)-f_t(x)|$",
    "B_T": "RKHS norm: $B_T=\\sum_t\\|f_{t+1}-f_t\\|_{\\mathcal H}$; $V_T\\le\\sqrt\\kappa\\,B_T$, not conversely",
    "epsilon": "share $\\varepsilon$ of a Gaussian-process reward that is drawn anew in every round",
    "alpha": "exponent $\\alpha$: an answer that is n rounds old has variance $\\sigma^2(1+n^\\alpha)$",
    "none": "none: the reward stands still",
}


class Powers(NamedTuple):
    """Powers in $T^a\\cdot\\text{drift}^b$; drift is the record's budget (0 where it does not enter)."""

    T: Fraction
    drift: Fraction


@dataclass(frozen=True)
class Ratio:
    r"""$\frac{a\nu+bd}{c\nu+ed}$, exact for rational $\nu$; its limit as $\nu\to\infty$ is a/c."""

    a: int
    b: int
    c: int
    e: int

    def at(self, nu: float | Fraction, d: int) -> Fraction:
        return _ratio(self.a, self.b, self.c, self.e, nu, d)


@lru_cache(maxsize=16_384)  # a sweep asks the same few ratios at the same few places for every theorem
def _ratio(a: int, b: int, c: int, e: int, nu: float | Fraction, d: int) -> Fraction:
    if nu == math.inf:
        return Fraction(a, c)
    n = as_fraction(nu)
    return (a * n + b * d) / (c * n + e * d)


@lru_cache(maxsize=4096)
def as_fraction(value: float | Fraction) -> Fraction:
    """The rational number that a decimal was meant to be."""
    return value if isinstance(value, Fraction) else Fraction(value).limit_denominator(10_000)


@dataclass(frozen=True)
class Place:
    r"""Arguments of a theorem: horizon, amount of drift (in the theorem's own budget), kernel, dimension.

    Attributes:
        T: at least 2.   drift: $V_T$, $B_T$ or $\varepsilon$.   nu: inf for the squared exponential.   d: >= 1.
        alpha, window_exponent: $\alpha$ and $\tilde\alpha$ of the papers on uncertainty injection.
    """

    T: float = 1e4
    drift: float = 1.0
    nu: float | Fraction = math.inf
    d: int = 1
    alpha: float | Fraction = 1
    window_exponent: float | Fraction = Fraction(1, 4)


@lru_cache(maxsize=16_384)  # a sweep asks for the same fractions at many places
def _exact(rule: Callable[[Place], Any], place: Place) -> Any:
    return rule(place)


PowersAt = Callable[[Place], Powers]
LogsAt = Callable[[Place], Fraction]
RegionAt = Callable[[Place], tuple[float, float]]


def everywhere(place: Place) -> tuple[float, float]:
    """Return every amount of drift from 0 on: no condition."""
    return 0.0, math.inf


def from_one_on(place: Place) -> tuple[float, float]:
    """Return from 1 on: a budget of at least a constant, which counts as 1."""
    return 1.0, math.inf


def no_logs(place: Place) -> Fraction:
    return Fraction(0)


@dataclass(frozen=True)
class Theorem:
    r"""One statement of a paper.

    Attributes:
        key: its name in `THEOREMS`.   name: of the method (upper) or of the bound (lower).
        side: "upper" or "lower".   statement: LaTeX.   words: one plain sentence.
        source: paper and number.   budget: a key of `BUDGETS`.   knows: what the method must be told.
        model: "frequentist" (a fixed reward of norm at most B), "Bayesian" (drawn from a prior) or
            "idealised" (drift as independent noise).
        kernels: "se" ($\nu=\infty$), "matern" (every finite $\nu$) or "any".
        powers: exponents of T and of the drift.   logs: power of ln T on top.
        other: exponents of the other term, where the rate is a maximum of two; None elsewhere.
        region: (least, most) drift for which the theorem speaks at a place; constants count as 1.
        condition: the region in LaTeX, empty for none.
        smooth_above: the theorem asks for nu above this.
        plus_one: the rate carries (drift + 1) in place of drift.
        queries: exponent of T in the number of side queries, None where there are none.
        note: what to know besides, empty for nothing.

    >>> theorem = tv.THEOREMS["iwazaki-5-se"]
    >>> powers = theorem.exponent()
    >>> theorem.source, str(powers.T), str(powers.drift)
    ('Iwazaki & Takeno, Theorem 5', '2/3', '1/3')
    """

    key: str
    name: str
    side: str
    statement: str
    words: str
    source: str
    budget: str
    powers: PowersAt
    knows: str = ""
    model: str = "frequentist"
    kernels: str = "any"
    logs: LogsAt = no_logs
    other: PowersAt | None = None
    region: RegionAt = everywhere
    condition: str = ""
    smooth_above: float = 0.0
    plus_one: bool = False
    queries: Callable[[Place], Fraction] | None = None
    note: str = ""

    @property
    def stem(self) -> str:
        """Its key without the kernel: "iwazaki-5" for the records of SE and of Matern."""
        return self.key.removesuffix("-se").removesuffix("-matern")

    def exponent(self, **place: Any) -> Powers:
        r"""Exact powers of T and of the drift: (14/19, 5/19) for R-PERP at nu = 5/2, d = 2.

        Args:
            nu, d, alpha, window_exponent: see `Place`; what a theorem does not depend on may be left out.
        """
        return _exact(self.powers, self._place(place))

    def log_power(self, **place: Any) -> Fraction:
        r"""Power of $\ln T$ that the rate carries on top (0 where only $\tilde O$ is known)."""
        return _exact(self.logs, self._place(place))

    def query_exponent(self, **place: Any) -> Fraction | None:
        """Power of T in the number of side queries, None for a method without."""
        return None if self.queries is None else self.queries(self._place(place))

    def allows(self, nu: float | Fraction) -> bool:
        """Return whether the theorem is about rewards of this smoothness: its kernel, and smooth enough."""
        other = {"se": nu != math.inf, "matern": nu == math.inf, "any": False}[self.kernels]
        return not other and float(nu) > self.smooth_above

    def limits(self, **place: Any) -> tuple[float, float]:
        """(least, most) drift at which the theorem holds, in its own budget; (inf, -inf) where it never does."""
        at = self._place(place)
        return self.region(at) if self.allows(at.nu) else (math.inf, -math.inf)

    def drift_decides_from(self, **place: Any) -> float:
        """Return the drift from which on the term with the drift is the larger one of a rate with two terms."""
        if self.other is None:
            return 0.0
        at = self._place(place)
        (a, b), (other, _) = _exact(self.powers, at), _exact(self.other, at)
        return float(at.T) ** -float((a - other) / b)

    def leading(self, T: float, V: float, **place: Any) -> Powers:
        """Exact powers of the term that is the larger one at this horizon and drift."""
        if self.other is None or self.drift_decides_from(T=T, **place) <= V:
            return self.exponent(**place)
        return _exact(self.other, self._place(place))

    def valid(self, T: float, V: float = 1.0, **place: Any) -> bool:
        """Return True when the theorem holds at this horizon and this drift (in its own budget)."""
        least, most = self.limits(T=T, V=V, **place)
        return bool(least <= V <= most)

    def curve(self, T: float | np.ndarray, V: float | np.ndarray = 1.0, logs: bool = False, **place: Any):
        r"""The rate $T^a\,\text{drift}^b$ (times $\ln^cT$ with `logs`), constants counted as 1.

        Where the rate is a maximum of two terms, the larger one.

        Args:
            T: horizon(s).   V: drift, in the theorem's own budget, broadcast against T.
        Returns:
            a float for scalars, else an array.
        """
        at = self._place(place)
        a, b = _exact(self.powers, at)
        T, V = np.asarray(T, dtype=float), np.asarray(V, dtype=float)
        rate = T ** float(a) * (V + 1.0 if self.plus_one else V) ** float(b)
        if self.other is not None:
            a, b = _exact(self.other, at)
            rate = np.maximum(rate, T ** float(a) * V ** float(b))
        if logs:
            rate = rate * np.maximum(np.log(T), 1.0) ** float(_exact(self.logs, at))
        return float(rate) if rate.ndim == 0 else rate

    def _place(self, values: Mapping[str, Any]) -> Place:
        if "V" in values:
            values = {**{k: v for k, v in values.items() if k != "V"}, "drift": values["V"]}
        place = Place(**values)
        if not (float(place.T) >= 2 and place.d >= 1 and float(place.nu) > 0 and float(place.alpha) >= 0):
            raise ValueError(
                f"T must be at least 2, d at least 1, nu above 0 and alpha at least 0, got T = {place.T}, "
                f"d = {place.d}, nu = {place.nu}, alpha = {place.alpha}"
            )
        return place


def fixed(T: Fraction | int, drift: Fraction | int = 0) -> PowersAt:
    """Powers that depend on nothing."""
    powers = Powers(Fraction(T), Fraction(drift))
    return lambda place: powers


def by_smoothness(T: Ratio, drift: Ratio | Fraction | int = 0) -> PowersAt:
    """Powers that depend on smoothness and dimension."""
    return lambda at: Powers(T.at(at.nu, at.d), drift.at(at.nu, at.d) if isinstance(drift, Ratio) else Fraction(drift))


def log_of(power: Ratio | Fraction | int, times: Fraction = Fraction(1)) -> LogsAt:
    """A power of ln T, possibly of the smoothness."""
    return lambda at: times * (power.at(at.nu, at.d) if isinstance(power, Ratio) else Fraction(power))
