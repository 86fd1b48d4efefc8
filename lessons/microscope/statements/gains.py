r"""Deng et al.'s bounds on the information gain of weighted observations, from the eigenvalues of the kernel.

`GAINS["deng-7"](spectrum, mass)` is in nats. The mass is the sum of the weights: T without forgetting,
$1/(1-\gamma^2)$ for the double weights of $\bar\gamma_T$, $1/(1-\gamma)$ for the single ones of $\tilde\gamma_T$.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

import numpy as np

RATES = tuple(np.geomspace(0.2, 5.0, 25).tolist())  # the C_e2 that are tried; a bound holds for each
RESOLVED = 1e-13  # share of the largest eigenvalue below which the others are rounding


@dataclass(frozen=True, eq=False)
class MercerSpectrum:
    r"""Mercer's expansion of a kernel, as far as the bounds need it.

    Attributes:
        eigenvalues: (n,) $c_1\ge c_2\ge\dots\ge0$.   peak: $\psi$, largest value of an eigenfunction.
        kappa: largest $k(x,x)$.   ridge: $\lambda>0$.
    """

    eigenvalues: np.ndarray
    peak: float
    kappa: float
    ridge: float

    @property
    def resolved(self) -> np.ndarray:
        """(r,) eigenvalues that are more than rounding."""
        return self.eigenvalues[self.eigenvalues > RESOLVED * self.eigenvalues[0]]


def mercer(gram: np.ndarray, ridge: float) -> MercerSpectrum:
    """Return the expansion on a grid of m points, each of weight 1/m; gram is its covariance (m, m)."""
    values, vectors = np.linalg.eigh(gram)
    values = np.maximum(values[::-1], 0.0) / len(gram)
    kept = values > RESOLVED * values[0]
    peak = float(np.abs(vectors[:, ::-1][:, kept]).max()) * math.sqrt(len(gram))
    return MercerSpectrum(np.where(kept, values, 0.0), peak, float(gram.diagonal().max()), ridge)


def by_eigenvalues(spectrum: MercerSpectrum, mass: float) -> float:
    r"""$\min_N\frac N2\ln(1+\frac{\bar km}{\lambda N})+\frac m{2\lambda}\delta_N$ (Deng et al., Theorems 6 and 7)."""
    s, N = spectrum, np.arange(1, len(spectrum.eigenvalues) + 1)
    tail = s.peak**2 * np.append(np.cumsum(s.eigenvalues[::-1])[::-1][1:], 0.0)
    bounds = 0.5 * N * np.log1p(s.kappa * mass / (s.ridge * N)) + 0.5 * mass / s.ridge * tail
    return float(bounds.min())


def polynomial_constant(eigenvalues: np.ndarray, power: float) -> float:
    r"""Least $C_p$ with $c_m\le C_pm^{-\beta_p}$ for every eigenvalue (n,) in falling order; power is $\beta_p$."""
    return float((eigenvalues * np.arange(1.0, len(eigenvalues) + 1) ** power).max())


def exponential_constant(eigenvalues: np.ndarray, rate: float) -> float:
    r"""Least $C_{e,1}$ with $c_m\le C_{e,1}e^{-C_{e,2}m}$ for every eigenvalue (n,) in falling order."""
    return float((eigenvalues * np.exp(rate * np.arange(1.0, len(eigenvalues) + 1))).max())


def polynomial_gain(spectrum: MercerSpectrum, mass: float, power: float) -> float:
    r"""Bound for $c_m\le C_pm^{-\beta_p}$: $(N_0+1)L\max\{1,\frac{\beta_p}{2(\beta_p-1)}\}$.

    $L=\ln(1+\frac{\bar km}\lambda)$, $N_0=(\frac{C_p\psi^2m}{\lambda L})^{1/\beta_p}$. The last factor is 1 from
    $\beta_p=2$ on; below, the tail of the sum needs it (derived here).

    Raises:
        ValueError: the power is at most 1, so that the eigenvalues need not have a sum.
    Source: Deng et al., Corollary 8.1.
    """
    if not power > 1:
        raise ValueError(f"the power of a decay must be above 1, got {power}")
    s, share = spectrum, mass / spectrum.ridge
    log = math.log1p(s.kappa * share)
    least = (polynomial_constant(s.resolved, power) * s.peak**2 * share / log) ** (1.0 / power)
    return (least + 1.0) * log * max(1.0, power / (2.0 * (power - 1.0)))


def exponential_gain(spectrum: MercerSpectrum, mass: float, rate: float) -> float:
    r"""Bound for $c_m\le C_{e,1}e^{-C_{e,2}m}$: $\big(\frac{\ln m+C_\beta}{C_{e,2}}+1\big)L$.

    $L=\ln(1+\frac{\bar km}\lambda)$, $C_\beta=\ln\frac{C_{e,1}\psi^2}{\lambda C_{e,2}}$; counted as at least L, where
    the first term is negative (derived here: where L < 1, no gain is above $\frac{\bar km}{2\lambda}\le L$).

    Source: Deng et al., Corollary 8.2.
    """
    s, log = spectrum, math.log1p(spectrum.kappa * mass / spectrum.ridge)
    constant = exponential_constant(s.resolved, rate) * s.peak**2 / (s.ridge * rate)
    return (max(math.log(mass * constant) / rate, 0.0) + 1.0) * log


def best_exponential(spectrum: MercerSpectrum, mass: float) -> float:
    """Least of the bounds for an exponential decay over the rates that are tried."""
    return min(exponential_gain(spectrum, mass, rate) for rate in RATES)


# Each bounds the largest weighted gain in nats, from a spectrum and a mass. The mass of the first is T; the others are
# about exponential weights, whose mass does not grow with T.
GAINS: Mapping[str, Callable[[MercerSpectrum, float], float]] = MappingProxyType(
    {
        "deng-6": by_eigenvalues,  # any increasing weights
        "deng-7": by_eigenvalues,
        "deng-8-polynomial": partial(polynomial_gain, power=6.0),  # eigenvalues like m^-6, as for Matern 5/2 on a line
        "deng-8-exponential": best_exponential,  # eigenvalues like exp(-C m), as for SE on a line
    }
)
