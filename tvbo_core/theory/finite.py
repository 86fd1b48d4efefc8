r"""Bounds with every constant: a number for a horizon, split into the terms that make it up.

Where a paper's bound has the information gain in it, give `gain_bounds(...).upper`; a smaller value, such as
the gain of the data, would not be a bound.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tvbo_core.kernels import Kernel
from tvbo_core.policies.elimination.schedule import SHUFFLE_CONSTANT
from tvbo_core.worlds import draws

_MAXIMA = 4_096  # draws of the prior for the mean of its maximum: one percent


@dataclass(frozen=True)
class FiniteBound:
    """An upper bound of the regret at one horizon.

    Attributes:
        terms: (name, reward units), in the order of the formula; their sum is the bound.
        chance: the bound holds with at least this probability.
        source: paper and equation.
    """

    terms: tuple[tuple[str, float], ...]
    chance: float
    source: str

    @property
    def total(self) -> float:
        return sum(value for _, value in self.terms)


def rperp_bound(
    T: int,
    V: float,
    H: int,
    B: float,
    width: float,
    gain: float,
    ridge: float,
    delta: float,
    tight: bool = False,
    parts: Mapping[str, float] | None = None,
) -> FiniteBound:
    r"""R-PERP.

    $(7+\log_2\log_2H)V_TH+\lceil\frac TH\rceil\big[2B(\sqrt H+1)+4(\log_2\log_2H+1)(\sqrt H+1)
    \sqrt{C_1\gamma_H\beta_T}\big]$, $C_1=8/\ln(1+\lambda^{-1})$.

    Args:
        H: restart interval, counted as at least 2.   width: $\beta_T^{1/2}$ of Theorem 4.
        gain: upper bound of $\gamma_H$.   tight: 6 for 7 and 2 for 4, which the proof allows (derived here).
        parts: of the width (`rperp_width_terms`), by which the confidence term is split.
    Source: Iwazaki & Takeno, eq. 101.
    """
    loglog = math.log2(math.log2(max(H, 2)))
    root, intervals = math.sqrt(H) + 1.0, math.ceil(T / H)
    C1 = 8.0 / math.log1p(1.0 / ridge)
    scale = intervals * (2 if tight else 4) * (loglog + 1.0) * root * math.sqrt(C1 * gain)
    terms = (
        ("drift inside an interval", ((6 if tight else 7) + loglog) * V * H),
        ("first batches", intervals * 2.0 * B * root),
        *((name, scale * part) for name, part in (parts or {"confidence": width}).items()),
    )
    return FiniteBound(terms, 1.0 - delta, "Iwazaki & Takeno, eq. 101")


def rperp_width_terms(
    width: float, B: float, sigma: float, ridge: float, kappa: float = 1.0, C: float = SHUFFLE_CONSTANT
) -> dict[str, float]:
    r"""Parts of R-PERP's width: shuffle, noise, and the bias B.

    $\beta_T^{1/2}=BC\sqrt{\kappa L/\lambda}+\rho\sqrt{2L/\lambda}+B$, from which $\sqrt L$ is read off.

    Source: Iwazaki & Takeno, Theorem 4, eq. 8.
    """
    shuffle, noise = B * C * math.sqrt(kappa / ridge), sigma * math.sqrt(2.0 / ridge)
    root = max(width - B, 0.0) / (shuffle + noise)
    return {"confidence: shuffle": shuffle * root, "confidence: noise": noise * root, "confidence: bias": B}


def wgp_bound(
    T: int,
    drift: float,
    discount: float,
    B: float,
    width: float,
    gain: float,
    features: int,
    error: float,
    ridge: float,
    delta: float,
) -> FiniteBound:
    r"""WGP-UCB, with quadrature features for the squared exponential kernel.

    $2\beta_T\sqrt{2sT\check\gamma_T+smT^2\ln\frac1\gamma}+\frac2\lambda c^{3/2}B_T\sqrt{2s\check\gamma_T
    +smc\ln\frac1\gamma}+\frac{4B\gamma^cT}{\lambda(1-\gamma)}+\frac{2B_Tc^2\sqrt{\varepsilon_m}}{\lambda(1-\gamma)}
    +\frac{2\beta_TT\sqrt{\varepsilon_m}}{1-\gamma}$, $c=\lceil\ln T/(1-\gamma)\rceil$; $s=2\lambda$ as printed where
    that is at least $1/\ln(1+1/\lambda)$, else the latter.

    Args:
        drift: $B_T$.   discount: $\gamma$ in (0, 1).   width: $\beta_T$.   gain: upper bound of $\check\gamma_T$.
        features: m, their number.   error: $\varepsilon_m$.
    Raises:
        ValueError: the discount is not strictly between 0 and 1.
    Source: Deng et al., Appendix C.5.
    """
    if not 0 < discount < 1:
        raise ValueError(f"the bound needs a discount strictly between 0 and 1, got {discount}")
    forget, rate = 1.0 - discount, math.log(1.0 / discount)
    c = math.ceil(math.log(T) / forget)
    scale = max(2.0 * ridge, 1.0 / math.log1p(1.0 / ridge))
    terms = (
        ("confidence", 2.0 * width * math.sqrt(2.0 * scale * T * gain + scale * features * T * T * rate)),
        ("drift", 2.0 / ridge * c**1.5 * drift * math.sqrt(2.0 * scale * gain + scale * features * c * rate)),
        ("forgotten past", 4.0 * B * discount**c * T / (ridge * forget)),
        ("features", 2.0 * math.sqrt(error) / forget * (drift * c * c / ridge + width * T)),
    )
    return FiniteBound(terms, 1.0 - delta, "Deng et al., Appendix C.5")


def tvgp_bound(T: int, arms: int, gain: float, noise: float, delta: float) -> FiniteBound:
    r"""TV-GP-UCB on finitely many arms: $\sqrt{C_1T\beta_T\tilde\gamma_T}$, $C_1=8/\ln(1+\sigma^{-2})$.

    $\beta_T=2\ln\frac{3|D|\pi_T}\delta$, $\pi_T=\pi^2T^2/6$; the paper's "+ 2" pays for discretising.

    Args:
        gain: upper bound of $\tilde\gamma_T$ (`information_gain.best_blocks`).   noise: $\sigma^2$.
    Source: Bogunovic et al., eq. 20.
    """
    beta = 2.0 * math.log(3.0 * arms * (math.pi * T) ** 2 / 6.0 / delta)
    C1 = 8.0 / math.log1p(1.0 / noise)
    return FiniteBound((("confidence", math.sqrt(C1 * T * beta * gain)),), 1.0 - delta, "Bogunovic et al., eq. 20")


def rgp_bound(T: int, N: int, arms: int, epsilon: float, gain: float, noise: float, delta: float) -> FiniteBound:
    r"""R-GP-UCB on finitely many arms, started over every N rounds.

    $\sqrt{C_1T\beta_T(\frac TN+1)\gamma_N}+T\psi_T$, $\psi_T=\sqrt{\beta_T(3\sigma^{-2}+\sigma^{-4})N^3\epsilon}
    +(\sigma^{-2}+\sigma^{-4})N^3\epsilon(2+b_0)\sqrt{\ln\frac{2(1+a_0)\pi^2T^2}{3\delta}}$ with
    $\beta_T=2\ln\frac{4|D|\pi_T}\delta$; for unit variances $a_0=|D|$, $b_0=\sqrt2$ (derived here).

    Args:
        gain: upper bound of the still $\gamma_N$.   noise: $\sigma^2$, at most 2.
    Source: Bogunovic et al., eq. 17-18.
    """
    beta = 2.0 * math.log(4.0 * arms * (math.pi * T) ** 2 / 6.0 / delta)
    C1 = 8.0 / math.log1p(1.0 / noise)
    up = N**3 * epsilon
    tail = math.sqrt(math.log(2.0 * (1.0 + arms) * (math.pi * T) ** 2 / (3.0 * delta)))
    terms = (
        ("confidence", math.sqrt(C1 * T * beta * (T / N + 1.0) * gain)),
        ("drift, in the sd", T * math.sqrt(beta * (3.0 / noise + noise**-2) * up)),
        ("drift, in the mean", T * (1.0 / noise + noise**-2) * up * (2.0 + math.sqrt(2.0)) * tail),
    )
    return FiniteBound(terms, 1.0 - delta, "Bogunovic et al., eq. 17")


def kernelucb_bound(
    T: int, B: float, sigma: float, c: float, gain: float, delta: float, kappa: float = 1.0
) -> FiniteBound:
    r"""KernelUCB with the CMM, DMM or AMM band, in a still world.

    $\sqrt{12T\gamma_T\max\{C^2,\,2\sigma^2\gamma_T+\frac{\sigma^2B^2}c+2\sigma^2\ln\frac1\delta\}}$, $C=\sqrt\kappa B$.

    The terms are the bound's, each with its share of what stands under the root beside $12T\gamma_T$.

    Args:
        gain: upper bound of $\gamma_T(\sigma^2/c)$.
    Source: Flynn & Reeb, end of Appendix D.2.
    """
    inside = {
        "information": 2 * sigma**2 * gain,
        "norm": (sigma * B) ** 2 / c,
        "failure probability": -2 * sigma**2 * math.log(delta),
    }
    radius = sum(inside.values())
    total, source = math.sqrt(12.0 * T * gain * max(kappa * B * B, radius)), f"Flynn & Reeb, Appendix D.2 at c = {c:g}"
    if kappa * B * B >= radius:  # no step costs more than 2C, and the bound is made of that alone
        return FiniteBound((("size of the reward", total),), 1.0 - delta, source)
    terms = tuple((name, total * value / radius) for name, value in inside.items())
    return FiniteBound(terms, 1.0 - delta, source)


def markov_floor(kernel: Kernel, x: np.ndarray, T: int, epsilon: float) -> float:
    r"""Lower bound of the expected regret of any algorithm in T rounds of a Markov reward, reward units.

    $E[R_T]\ge\big(1+(T-1)(1-\sqrt{1-\epsilon})\big)\,E[\max_xf(x)]\ge\frac{T\epsilon}2E[\max_xf(x)]$: an arm is
    chosen before today's innovation, so that its mean is at most $\sqrt{1-\epsilon}$ times yesterday's maximum.
    It is met by whoever is shown yesterday's reward whole. The mean of the maximum is that of 4,096 draws of the prior.

    Args:
        x: (m, d) arms.   epsilon: in [0, 1].
    Source: derived here, for every kernel; the order is that of Bogunovic et al., Theorem 4.1.
    """
    paths = draws.markov(kernel, x, _MAXIMA, 1.0, np.random.default_rng(0))
    highest = 0.5 * float(np.ptp(paths, axis=1).mean())  # maximum and negative minimum have one law
    return highest * (1.0 + (T - 1) * (1.0 - math.sqrt(1.0 - epsilon)))
