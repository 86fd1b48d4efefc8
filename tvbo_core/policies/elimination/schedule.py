r"""The schedule of phased elimination: how long an interval, how large its batches, how wide its bands."""

from __future__ import annotations

import math
from math import isqrt
from numbers import Integral

import numpy as np

from tvbo_core.policies import tuning
from tvbo_core.records import LearnerInfo

SHUFFLE_CONSTANT = 2.0 * math.sqrt(2.0)  # derived here: the paper leaves C an unspecified absolute constant


def batch_sizes(T: int) -> list[int]:
    r"""Sizes of the batches of one interval of T rounds.

    $N_j=\min\{\lceil\sqrt{TN_{j-1}}\rceil,T-\sum_{i<j}N_i\}$, $N_0=1$.
    At most $\lceil\log_2\log_2T\rceil+1$ of them, and their sum is T.

    Raises:
        ValueError: T is no whole number of rounds of at least 1.
    Source: Iwazaki & Takeno, Algorithm 1, lines 3 and 5.

    >>> tv.batch_sizes(100), sum(tv.batch_sizes(100))
    ([10, 32, 57, 1], 100)
    """
    if not (isinstance(T, Integral) and T >= 1):
        raise ValueError(f"an interval has a whole number of rounds of at least 1, got {T!r}")
    sizes, previous, rest = [], 1, int(T)
    while rest:
        previous = min(isqrt(int(T) * previous - 1) + 1, rest)  # the root rounded up, in whole numbers
        sizes.append(previous)
        rest -= previous
    return sizes


def restart_length(T: int, variation: float, nu: float, d: int) -> float:
    r"""The restart interval of R-PERP and of restarted OPKB before it is rounded up and kept within [2, T].

    $T^{2/3}V_T^{-2/3}\ln^{(d+2)/3}T$ (squared exponential, nu = inf),
    $(T/V_T)^{\frac{2\nu+d}{3\nu+d}}\ln^{\frac{4\nu+d}{6\nu+2d}}T$ (Matern). It is at most T exactly when
    $V_T\ge T^{-1/2}\ln^{(d+2)/2}T$, respectively $V_T\ge T^{-\frac\nu{2\nu+d}}\ln^{\frac{4\nu+d}{4\nu+2d}}T$.

    Args:
        variation: $V_T\ge0$, reward units; the answer is inf when it is 0.
    Source: Iwazaki & Takeno, Theorems 3 and 5; the two conditions are derived here.
    """
    if variation <= 0:
        return math.inf
    if math.isinf(nu):
        return (T / variation) ** (2 / 3) * math.log(T) ** ((d + 2) / 3)
    share, power = (2 * nu + d) / (3 * nu + d), (4 * nu + d) / (6 * nu + 2 * d)
    return (T / variation) ** share * math.log(T) ** power


def resolve_restart(setting: int | str | None, known: LearnerInfo) -> int:
    r"""Rounds until everything is forgotten: a number, "paper" (from $V_T$), "unknown" ($V_T=1$) or never.

    A kernel without a smoothness (a table of m arms) counts as linear in m features: the same balance of
    drift and regret, $V_TH\asymp\frac TH\sqrt{H\gamma\ln T}$, then gives $(T/V_T)^{2/3}(\gamma\ln T)^{1/3}$
    (derived here).
    """
    T = known.horizon
    if setting is None:
        return T
    if not isinstance(setting, str):
        return min(int(setting), T)
    variation = 1.0 if setting == tuning.UNKNOWN else known.sup_variation
    if hasattr(known.kernel, "lengthscale"):
        nu = float(getattr(known.kernel, "nu", math.inf))
        length = restart_length(T, variation, nu, known.x.shape[-1])
    else:
        gain = tuning.known_gain_rate(known)
        length = (T / variation) ** (2 / 3) * (gain * math.log(T)) ** (1 / 3) if variation > 0 else math.inf
    return T if length >= T else min(T, max(2, math.ceil(length)))


def shuffled_width(
    arms: int,
    horizon: int,
    restart: int,
    B: float,
    noise_sd: float,
    ridge: float,
    delta: float,
    C: float = SHUFFLE_CONSTANT,
    kappa: float = 1.0,
) -> float:
    r"""Width with which every band of R-PERP that eliminates covers its $\bar f_j$, w.p. $1-\delta$.

    $\beta_T^{1/2}=B\big(\frac{C\sqrt\kappa}{\sqrt\lambda}\sqrt L+1\big)+\frac\rho{\sqrt\lambda}\sqrt{2L}$,
    $L=\ln\frac{4|\mathcal X|Q}\delta$, $Q=\lceil T/H\rceil(1+\log_2\log_2H)$ with H counted as at least 2.

    Args:
        restart: H.   noise_sd: $\rho$.   ridge: $\lambda$.   kappa: largest prior variance, 1 in the paper.
    Source: Iwazaki & Takeno, Theorem 4, eq. 8; $C=2\sqrt2$ is derived here.
    """
    L = union_log(arms, horizon, restart, delta)
    return B * (C * math.sqrt(kappa * L / ridge) + 1.0) + noise_sd * math.sqrt(2.0 * L / ridge)


def union_log(arms: int, horizon: int, restart: int, delta: float) -> float:
    r"""$L=\ln\frac{4|\mathcal X|Q}\delta$ of Theorem 4, with $Q=\lceil T/H\rceil(1+\log_2\log_2H)$ bands in all."""
    return math.log(4 * arms * math.ceil(horizon / restart) * _batches_used(restart) / delta)


def drift_half_width(
    sd: np.ndarray, weights: np.ndarray, swing: float, L: float, B: float, noise_sd: float
) -> np.ndarray:
    r"""Half-width with which a shuffled band covers its $\bar f_j$, given how far the rewards of one batch lie apart.

    $B\sigma(x)+(D_j+\rho)\|w(x)\|\sqrt{2L}$: the proof of the explicit constant with $2B$ replaced by
    $D_j=\min\{2B\sqrt\kappa,\max_{s,t}\|f_s-f_t\|_\infty\}$ over the batch, and $\sigma(x)/\sqrt\lambda$ by the
    exact norm of the weights. Never above eq. 8 with $C=2\sqrt2$.

    Args:
        sd: (m,) $\sigma(x)$.   weights: (m,) $\|w(x)\|_2$ with $\mu(x)=w(x)^\top y$.   swing: $D_j$, reward units.
        L: of `union_log`.   noise_sd: $\rho$.
    Source: derived here.
    """
    return B * sd + (swing + noise_sd) * math.sqrt(2.0 * L) * weights


def still_width(arms: int, horizon: int, B: float, noise_sd: float, ridge: float, delta: float) -> float:
    r"""Width of phased elimination in a still world.

    $B+\frac\rho{\sqrt\lambda}\sqrt{2\ln\frac{2|\mathcal X|Q}\delta}$.

    Args:
        as `shuffled_width`; $Q=1+\log_2\log_2T$.
    Source: Vakili et al. (2021), Theorem 1, with a union over the batches as in Li & Scarlett (2022).
    """
    L = math.log(2 * arms * _batches_used(horizon) / delta)
    return B + noise_sd * math.sqrt(2.0 * L / ridge)


def _batches_used(length: int) -> float:
    """An upper bound on the number of batches of an interval whose band is used."""
    return 1.0 + math.log2(math.log2(max(length, 2)))
