r"""Bogunovic et al. (TV-GP-UCB): the gain about a Markov reward beside its bounds, and widths for all of an interval.

With a constant kernel the reward is one number that forgets, whose covariance over T rounds is the matrix
$(1-\epsilon)^{|i-j|/2}$: the gain is exact, whatever was asked.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg import cholesky, toeplitz

from tvbo_core.gp.grid import RankOne
from tvbo_core.gp.information_gain import markov_block_gain
from tvbo_core.kernels import SquaredExponential
from tvbo_core.microscope.record import (
    MEASURED,
    OTHER,
    PRINTED,
    READ,
    Line,
    MicroscopeResult,
    MicroscopeSetting,
    nearest,
    on_sweep,
)
from tvbo_core.policies.width import LogWidth, markov_width, slope_tail

T = 600
PRINTED_21, WITH_NOISE, SHARPER = "(21) as printed", "with 1/σ²", "sharper block"


def exact_gains(noise: float, epsilon: float, rounds: int) -> np.ndarray:
    r"""(rounds,) $\tilde\gamma_N=\frac12\ln\det(I+\sigma^{-2}D_N)$, $D_{ij}=(1-\epsilon)^{|i-j|/2}$, for N = 1..rounds.

    One Cholesky factor holds every leading minor.

    Raises:
        ValueError: the noise variance is not positive and finite.
    """
    if not (np.isfinite(noise) and noise > 0):
        raise ValueError(f"a noise variance must be finite and above 0, got {noise}")
    return _gains(_covariance(epsilon, rounds), noise)


def _covariance(epsilon: float, rounds: int) -> np.ndarray:
    """(rounds, rounds) D."""
    return toeplitz((1.0 - epsilon) ** (0.5 * np.arange(rounds)))


def _gains(covariance: np.ndarray, noise: float) -> np.ndarray:
    scaled = covariance / noise
    scaled.flat[:: len(scaled) + 1] += 1.0
    L = cholesky(scaled.T, lower=True, overwrite_a=True, check_finite=False)  # symmetric, in LAPACK's order
    return np.cumsum(np.log(L.diagonal()))


def still_gain(N: np.ndarray, noise: np.ndarray | float) -> np.ndarray:
    r"""$\gamma_N=\frac12\ln(1+N/\sigma^2)$ of a constant kernel."""
    return 0.5 * np.log1p(N / noise)


def printed_block(N: np.ndarray, noise: np.ndarray | float, epsilon: float) -> np.ndarray:
    r"""$\gamma_N+N^3\epsilon$ (Bogunovic et al., eq. 21)."""
    return still_gain(N, noise) + N**3.0 * epsilon


def noisy_block(N: np.ndarray, noise: np.ndarray | float, epsilon: float) -> np.ndarray:
    r"""$\gamma_N+\frac{N^{5/2}\epsilon}{2\sqrt6\,\sigma^2}$: the same steps, the noise variance kept (derived here)."""
    return still_gain(N, noise) + N**2.5 * epsilon / (2.0 * math.sqrt(6.0) * noise)


def small_noise(setting: MicroscopeSetting) -> MicroscopeResult:
    """The gain of 600 rounds against three bounds, over the noise variance."""
    epsilon = setting.epsilon
    noises = np.geomspace(1e-4, 1.0, 41)
    eigenvalues = np.linalg.eigvalsh(_covariance(epsilon, T))
    exact = 0.5 * np.log1p(np.maximum(eigenvalues, 0.0) / noises[:, None]).sum(axis=1)
    N, one = np.arange(1.0, T + 1), noises[:, None]
    blocks = T / N + 1.0
    by_length = {
        PRINTED_21: blocks * printed_block(N, one, epsilon),
        WITH_NOISE: blocks * noisy_block(N, one, epsilon),
        SHARPER: np.ceil(T / N) * _sharper(N, one, epsilon),
    }
    roles = dict(zip(by_length, (PRINTED, READ, OTHER), strict=True))
    curves = {("exact", MEASURED): exact} | {(n, roles[n]): v.min(axis=1) for n, v in by_length.items()}
    shown = np.unique(np.concatenate([np.arange(1, 31), np.geomspace(31, T, 30).round()])).astype(int) - 1
    here = [Line("exact", MEASURED, N[shown], exact[:, None] * np.ones(len(shown)))]
    here += [Line(n, roles[n], N[shown], v[:, shown]) for n, v in by_length.items()]
    return MicroscopeResult(
        "bogunovic-21", noises, on_sweep(noises, curves), tuple(here),
        f"constant kernel, T = {T}, ε = {epsilon:g}; every bound at its best block length", tells=nearest(noises, 1e-3),
    )  # fmt: skip


def _sharper(N: np.ndarray, noise: np.ndarray, epsilon: float) -> np.ndarray:
    gains = still_gain(N, noise)
    return gains + epsilon * N * np.sqrt(N * N - 1.0) * np.sqrt(gains) / (2.0 * math.sqrt(3.0) * noise)


def one_block(setting: MicroscopeSetting) -> MicroscopeResult:
    """The gain of one block against its two bounds, over its length."""
    noise, epsilon = setting.sigma**2, setting.epsilon
    N = np.unique(np.geomspace(1, T, 41).round()).astype(int)
    noises = np.geomspace(1e-4, 1.0, 17)
    covariance = _covariance(epsilon, T)
    at = _gains(covariance, noise)[N - 1]
    sharp = np.array([markov_block_gain(float(g), int(n), noise, epsilon) for g, n in zip(still_gain(N, noise), N,
                                                                                        strict=True)])  # fmt: skip
    curves = {("exact", MEASURED): at, (SHARPER, READ): sharp, (WITH_NOISE, OTHER): noisy_block(N, noise, epsilon)}
    exact = np.stack([_gains(covariance, float(v))[N - 1] for v in noises], axis=1)
    length = N[:, None].astype(float)
    sweep = N.astype(float)
    return MicroscopeResult(
        "bogunovic-block", sweep, on_sweep(sweep, curves),
        (Line("exact", MEASURED, noises, exact), Line(SHARPER, READ, noises, _sharper(length, noises, epsilon)),
         Line(WITH_NOISE, OTHER, noises, noisy_block(length, noises, epsilon))),
        f"constant kernel, σ² = {noise:g}, ε = {epsilon:g}", tells=nearest(sweep, 20.0),
    )  # fmt: skip


LENGTHSCALE, ANSWERS = 0.2, 40
PRACTICE = LogWidth(math.sqrt(0.8), 4.0)  # of the paper's own experiments
WIDTHS = "eq. 16, R-GP-UCB", "eq. 19, TV-GP-UCB", "100 actions, TV", "their experiments"


def widths(horizons: np.ndarray, delta: float) -> np.ndarray:
    r"""(4, F) $\sqrt{\beta_T}$ of `WIDTHS` on [0, 1], SE, over the horizons (F,)."""
    a, b = slope_tail(LENGTHSCALE)
    whole = [[markov_width(int(t), delta, a, b, restarts=r) for t in horizons] for r in (True, False)]
    finite = np.sqrt(2.0 * np.log(3.0 * 100 * (math.pi * horizons) ** 2 / 6.0 / delta))
    return np.array([*whole, finite, [PRACTICE.at(int(t) - 1) for t in horizons]])


def everywhere_at_once(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""Widths that hold on all of [0, 1], over the horizon, and the band that each gives after 40 answers."""
    horizons = np.unique(np.geomspace(10, 1e5, 33).round())
    found = widths(horizons, setting.delta)
    x, rng = np.linspace(0.0, 1.0, 101), setting.rng(21)
    gram = SquaredExponential(LENGTHSCALE)(x[:, None], x[:, None])
    root = np.linalg.cholesky(gram + 1e-9 * np.eye(len(x)))  # 1e-9: smooth paths leave no more
    engine = RankOne(gram)
    f = root @ rng.standard_normal(len(x))
    for arm in rng.integers(0, len(x), ANSWERS).tolist():
        engine.learn(arm, float(f[arm] + setting.sigma * rng.standard_normal()), setting.sigma**2)
        engine.fade(setting.epsilon)
        step = root @ rng.standard_normal(len(x))
        f = math.sqrt(1.0 - setting.epsilon) * f + math.sqrt(setting.epsilon) * step
    mean, sd = engine.mean, engine.sd
    roles = (PRINTED, READ, OTHER, MEASURED)
    over = dict(zip(zip(WIDTHS, roles, strict=True), found, strict=True))
    wide, used = found[1][:, None] * sd, found[3][:, None] * sd
    here = [("eq. 19", READ, mean + wide), ("", READ, mean - wide), ("their experiments", OTHER, mean + used),
            ("", OTHER, mean - used), ("reward", MEASURED, f)]  # fmt: skip
    errors = np.abs(f - mean)
    return MicroscopeResult(
        "bogunovic-16",
        horizons,
        on_sweep(horizons, over),
        tuple(Line(n, role, x, v) for n, role, v in here),
        f"[0, 1], SE ℓ = {LENGTHSCALE:g}, δ = {setting.delta:g}; right: after {ANSWERS} answers, ε = "
        f"{setting.epsilon:g}, σ = {setting.sigma:g}",
        {"used up, eq. 19": (errors / wide).max(axis=1), "used up, theirs": (errors / used).max(axis=1)},
        tells=nearest(horizons, 200.0),
    )
