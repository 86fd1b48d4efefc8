r"""Bogunovic et al. (TV-GP-UCB): the gain about a Markov reward beside its bounds, and widths for all of an interval.

With a constant kernel the reward is one number that forgets, whose covariance over T rounds is the matrix
$(1-\epsilon)^{|i-j|/2}$: the gain is exact, for all queries.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from scipy.linalg import cholesky, toeplitz

from common.formats import number
from lessons.microscope.statements.record import Axes, MicroscopeResult, MicroscopeSetting, Statement, lines
from tvbo_core.gp.information_gain import markov_block_gain
from tvbo_core.gp.rank_one import RankOne
from tvbo_core.kernels import SquaredExponential
from tvbo_core.policies.width import LogWidth

T = 600
PRINTED_21, WITH_NOISE, SHARPER = "(21) as printed", "with 1/σ²", "Mandl & Kekkonen"


def _covariance(epsilon: float, rounds: int) -> np.ndarray:
    """(rounds, rounds) D."""
    return toeplitz((1.0 - epsilon) ** (0.5 * np.arange(rounds)))


def _gains(covariance: np.ndarray, noise: float) -> np.ndarray:
    scaled = covariance / noise
    scaled.flat[:: len(scaled) + 1] += 1.0
    L = cholesky(
        scaled.T, lower=True, overwrite_a=True, check_finite=False
    )  # The matrix is symmetric; transposed it is in LAPACK's order.
    return np.cumsum(np.log(L.diagonal()))


def static_gain(N: np.ndarray, noise: np.ndarray | float) -> np.ndarray:
    r"""$\gamma_N=\frac12\ln(1+N/\sigma^2)$ of a constant kernel."""
    return 0.5 * np.log1p(N / noise)


def printed_block(N: np.ndarray, noise: np.ndarray | float, epsilon: float) -> np.ndarray:
    r"""$\gamma_N+N^3\epsilon$ (Bogunovic et al., eq. 21)."""
    return static_gain(N, noise) + N**3.0 * epsilon


def noisy_block(N: np.ndarray, noise: np.ndarray | float, epsilon: float) -> np.ndarray:
    r"""$\gamma_N+\frac{N^{5/2}\epsilon}{2\sqrt6\,\sigma^2}$: the same steps, the noise variance kept (derived here)."""
    return static_gain(N, noise) + N**2.5 * epsilon / (2.0 * math.sqrt(6.0) * noise)


def _small_noise_sentence(f: Mapping[str, float]) -> str:
    exact, printed, noisy = f["exact"], f["(21) as printed"], f["with 1/σ²"]
    below = f", too low; with σ⁻²: {number(noisy)}" if printed < exact else ""
    return f"The information gain is {number(exact)} nats. The printed bound is <b>{number(printed)}</b>{below}."


def markov_width(
    T: int, delta: float, a: float, b: float, dimension: int = 1, side: float = 1.0, restarts: bool = False
) -> float:
    r"""$\sqrt{\beta_T}$ of TV-GP-UCB, or with `restarts` of R-GP-UCB, on all of $[0,r]^d$ and not only on a grid.

    $\beta_T=2\ln\frac{e\pi_T}\delta+2d\ln\Big(rdbT^2\sqrt{\ln\frac{eda\pi_T}\delta}\Big)$, $\pi_T=\pi^2T^2/6$, with
    e = 3 events (TV) or 4 (R). It is the width of a finite domain with as many points as the proof's grid in round T,
    between whose points the reward moves by at most $1/T^2$.

    Args:
        T: horizon, at least 1.   dimension: d.   side: r.
        a, b: the largest slope of a reward exceeds L with probability at most $a\,e^{-(L/b)^2}$ in each direction.
    Source: Bogunovic et al., eq. 16 (R-GP-UCB) and 19 (TV-GP-UCB).
    """
    events, pi = 4 if restarts else 3, (math.pi * T) ** 2 / 6.0
    cells = side * dimension * b * T**2 * math.sqrt(math.log(events * dimension * a * pi / delta))
    return math.sqrt(2.0 * math.log(events * pi / delta) + 2.0 * dimension * math.log(cells))


def slope_tail(lengthscale: float, side: float = 1.0) -> tuple[float, float]:
    r"""(a, b) with $P(\sup_{[0,r]}|f'|>L)\le a\,e^{-(L/b)^2}$ for a path of the squared exponential kernel on a line.

    $b=\sqrt2/\ell$, $a=1+\frac{\sqrt3\,r}{\pi\ell}$: the slope is above L at the start, or crosses L upwards, which
    Rice's formula counts; twice for both signs (derived here).
    """
    return 1.0 + math.sqrt(3.0) * side / (math.pi * lengthscale), math.sqrt(2.0) / lengthscale


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
    roles = dict(zip(by_length, ("printed", "read", "other"), strict=True))
    over = {("exact", "measured"): exact} | {(n, roles[n]): v.min(axis=1) for n, v in by_length.items()}
    shown = np.unique(np.concatenate([np.arange(1, 31), np.geomspace(31, T, 30).round()])).astype(int) - 1
    here = {("exact", "measured"): exact[:, None]} | {(n, roles[n]): v[:, shown] for n, v in by_length.items()}
    return MicroscopeResult(
        noises,
        lines(noises, over),
        lines(N[shown], here),
        f"constant kernel, T = {T}, ε = {epsilon:g}; each bound has its best block length",
        tells_at=1e-3,
    )


SMALL_NOISE = Statement(
    experiment=small_noise,
    key="bogunovic-21",
    name="Bogunovic: (21)",
    where="Bogunovic et al., eq. 21 (the step from 20)",
    printed=r"$\tilde\gamma_T\le\big(\frac T{\tilde N}+1\big)\big(\gamma_{\tilde N}+\tilde N^3\epsilon\big)$",
    read=r"$\tilde\gamma_T\le\big(\frac T{\tilde N}+1\big)\big(\gamma_{\tilde N}+\frac{\tilde "
    r"N^{5/2}\epsilon}{2\sqrt6\,\sigma^2}\big)$ (derived here)",
    reason=r"For small noise variances the bound on the time-varying information gain needs an extra factor of order "
    r"$1/\sigma^2$; the published rates, stated for fixed $\sigma^2$, are not affected.",
    symbol="σ² =",
    sentence=_small_noise_sentence,
    over=Axes("Information in 600 rounds", "noise variance σ²", "nats", log_x=True, log_y=True),
    here=Axes("For each block length", "block length N", "nats", log_x=True, log_y=True, span=(10.0, 1e5)),
    uses=("eps",),
)


def _sharper(N: np.ndarray, noise: np.ndarray, epsilon: float) -> np.ndarray:
    gains = static_gain(N, noise)
    return gains + epsilon * N * np.sqrt(N * N - 1.0) * np.sqrt(gains) / (2.0 * math.sqrt(3.0) * noise)


def everywhere_at_once(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""Widths that hold on all of [0, 1], over the horizon, and the band that each gives after 40 observations."""
    horizons = np.unique(np.geomspace(10, 1e5, 33).round())
    found = widths(horizons, setting.delta)
    x, rng = np.linspace(0.0, 1.0, 101), setting.rng(21)
    gram = SquaredExponential(LENGTHSCALE)(x[:, None], x[:, None])
    root = np.linalg.cholesky(gram + 1e-9 * np.eye(len(x)))  # Smooth paths leave eigenvalues below 1e-9.
    engine = RankOne(gram)
    f = root @ rng.standard_normal(len(x))
    for arm in rng.integers(0, len(x), OBSERVATIONS).tolist():
        engine.learn(arm, float(f[arm] + setting.sigma * rng.standard_normal()), setting.sigma**2)
        engine.fade(setting.epsilon)
        step = root @ rng.standard_normal(len(x))
        f = math.sqrt(1.0 - setting.epsilon) * f + math.sqrt(setting.epsilon) * step
    mean, sd = engine.mean, engine.sd
    roles = ("printed", "read", "other", "measured")
    over = dict(zip(zip(WIDTHS, roles, strict=True), found, strict=True))
    wide, used = found[1][:, None] * sd, found[3][:, None] * sd
    here = {
        ("eq. 19", "read"): mean + wide,
        ("", "read"): mean - wide,
        ("their experiments", "other"): mean + used,
        ("", "other"): mean - used,
        ("reward", "measured"): f,
    }
    errors = np.abs(f - mean)
    return MicroscopeResult(
        horizons,
        lines(horizons, over),
        lines(x, here),
        f"actions on [0, 1], SE kernel with ℓ = {LENGTHSCALE:g}, δ = {setting.delta:g}; right panel: after "
        f"{OBSERVATIONS} observations, ε = {setting.epsilon:g}, σ = {setting.sigma:g}",
        {"used up, theirs": (errors / used).max(axis=1)},
        tells_at=200.0,
    )


EVERYWHERE_AT_ONCE = Statement(
    experiment=everywhere_at_once,
    key="bogunovic-16",
    name="Bogunovic: (16), (19)",
    where="Bogunovic et al., eq. 16 and 19",
    printed=r"(16), R-GP-UCB: $\beta_T=2\ln\frac{2\pi^2T^2}{3\delta}+2d"
    r"\ln\big(rdbT^2\sqrt{\ln\frac{2da\pi^2T^2}{3\delta}}\big)$",
    read=r"Both as printed. (19), TV-GP-UCB: $\beta_T=2\ln\frac{\pi^2T^2}{2\delta}+2d"
    r"\ln\big(rdbT^2\sqrt{\ln\frac{da\pi^2T^2}{2\delta}}\big)$",
    reason=r"For every action of $[0,r]^d$ and not only those of a grid. On $[0,1]$ with the squared exponential "
    r"kernel $b=\sqrt2/\ell$ and $a=1+\sqrt3/(\pi\ell)$ will do (derived here).",
    symbol="T =",
    sentence=lambda f: (
        f"The proved width is <b>{number(f['eq. 19, TV-GP-UCB'])}</b>, that of the paper's experiments "
        f"{number(f['their experiments'])}; the largest error is {number(f['used up, theirs'])} of their half-width."
    ),
    over=Axes("Widths for a whole interval", "horizon T", "width √β<sub>T</sub>", log_x=True, span=(0.0, 12.0)),
    here=Axes("The band at this T", "action x", "reward", span=(-8.0, 8.0)),
    uses=("eps", "sigma", "delta", "seed"),
)


LENGTHSCALE, OBSERVATIONS = 0.2, 40
PRACTICE = LogWidth(math.sqrt(0.8), 4.0)  # the width in the paper's own experiments
WIDTHS = "eq. 16, R-GP-UCB", "eq. 19, TV-GP-UCB", "100 actions, TV", "their experiments"


def widths(horizons: np.ndarray, delta: float) -> np.ndarray:
    r"""(4, F) $\sqrt{\beta_T}$ of `WIDTHS` on [0, 1], SE, over the horizons (F,)."""
    a, b = slope_tail(LENGTHSCALE)
    whole = [[markov_width(int(t), delta, a, b, restarts=r) for t in horizons] for r in (True, False)]
    finite = np.sqrt(2.0 * np.log(3.0 * 100 * (math.pi * horizons) ** 2 / 6.0 / delta))
    return np.array([*whole, finite, [PRACTICE.at(int(t) - 1) for t in horizons]])


def one_block(setting: MicroscopeSetting) -> MicroscopeResult:
    """The gain of one block against its two bounds, over its length."""
    noise, epsilon = setting.sigma**2, setting.epsilon
    N = np.unique(np.geomspace(1, T, 41).round()).astype(int)
    noises = np.geomspace(1e-4, 1.0, 17)
    covariance = _covariance(epsilon, T)
    at = _gains(covariance, noise)[N - 1]
    sharp = np.array(
        [markov_block_gain(float(g), int(n), noise, epsilon) for g, n in zip(static_gain(N, noise), N, strict=True)]
    )
    over = {
        ("exact", "measured"): at,
        (SHARPER, "read"): sharp,
        (WITH_NOISE, "other"): noisy_block(N, noise, epsilon),
    }
    exact = np.stack([_gains(covariance, float(v))[N - 1] for v in noises], axis=1)
    sweep = N.astype(float)
    length = sweep[:, None]
    here = {
        ("exact", "measured"): exact,
        (SHARPER, "read"): _sharper(length, noises, epsilon),
        (WITH_NOISE, "other"): noisy_block(length, noises, epsilon),
    }
    return MicroscopeResult(
        sweep,
        lines(sweep, over),
        lines(noises, here),
        f"constant kernel, σ² = {noise:g}, ε = {epsilon:g}",
        tells_at=20.0,
    )


ONE_BLOCK = Statement(
    experiment=one_block,
    key="bogunovic-block",
    name="Bogunovic: one block",
    where="Bogunovic et al., step to eq. 21",
    printed=r"A block of $N$ rounds inside (21)",
    read=r"$\tilde\gamma_N\le\gamma_N+\frac{\epsilon N\sqrt{N^2-1}}{2\sqrt3\,\sigma^2}\sqrt{\gamma_N}$",
    reason=r"A sharper bound, valid for every $\sigma^2$ (Mandl & Kekkonen, B.3; derived again here). For blocks of "
    r"a few rounds at small $\sigma^2$ the other one is smaller.",
    symbol="N =",
    sentence=lambda f: (
        f"Information gain of a block: {number(f['exact'])} nats. The bound of Mandl & Kekkonen is "
        f"<b>{number(f[SHARPER])}</b>, that with 1/σ² {number(f[WITH_NOISE])}."
    ),
    over=Axes("Information in one block", "block length N", "nats", log_x=True, log_y=True),
    here=Axes("At this length", "noise variance σ²", "nats", log_x=True, log_y=True),
    uses=("eps", "sigma"),
)


STATEMENTS = (SMALL_NOISE, EVERYWHERE_AT_ONCE, ONE_BLOCK)
