r"""Deng et al. (WGP-UCB): a width that holds at each fixed time, and what discounting does to old points."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
from scipy.linalg.lapack import dtbtrs

from common.formats import number, percent
from lessons.microscope.statements.record import (
    Axes,
    MicroscopeResult,
    MicroscopeSetting,
    Statement,
    SweepLine,
    nearest,
    on_sweep,
    up_to,
)
from tvbo_core.bands.drift_aware import drift_aware_bands
from tvbo_core.gp.dense import posterior, weighted_sd
from tvbo_core.gp.information_gain import weighted_information_gain
from tvbo_core.kernels import SquaredExponential

RUNS, LONGEST, RIDGE = 300, 10_000, 0.1
RUNS_AT_ONCE = 20  # runs, a divisor of all


def statistic(noise: np.ndarray, gamma: float, ridge: float) -> tuple[np.ndarray, np.ndarray]:
    r"""Both sides of Lemma 10 for one arm with $k=1$, $R=1$, without the $2\ln\frac1\delta$ on the right.

    $\|S_t\|^2_{\tilde V_t^{-1}}=\frac{(\sum_s\gamma^{t-s}\epsilon_s)^2}{\sum_s\gamma^{2(t-s)}+\lambda}$ and
    $\ln\det(\cdot)=\ln(1+\frac1\lambda\sum_s\gamma^{2(t-s)})$.

    Args:
        noise: (runs, T) standard normal.   gamma: discount in (0, 1].   ridge: $\lambda>0$.
    Returns:
        (runs, T) and (T,).
    Source: Deng et al., Lemma 10, with weights normalised by $w_t$.
    """
    sums, squares = _discounted_sums(noise, gamma), _discounted_sums(np.ones(noise.shape[1]), gamma**2)
    return sums**2 / (squares + ridge), np.log1p(squares / ridge)


@dataclass(frozen=True, eq=False)
class _Runs:
    r"""Statistics of the runs of one seed and discount that do not depend on the failure probability.

    Attributes:
        stops: (F,) rounds.   here, most: (runs, F) use of the width squared, less $\ln\det$, at a stop and up to it.
        starts: state of the chance before each handful of runs, so that one of them can be drawn again.
    """

    stops: np.ndarray
    here: np.ndarray
    most: np.ndarray
    starts: tuple[Mapping[str, Any], ...]


@lru_cache(maxsize=16)  # a reader moves delta and comes back to a discount
def _runs(seed: int, gamma: float) -> _Runs:
    """A handful at a time: what stays in the processor's memory is several times as fast."""
    stops = np.unique(np.geomspace(1, LONGEST, 41).round().astype(int))
    rng, starts, here, most = MicroscopeSetting(seed=seed).rng(1), [], [], []
    for _ in range(0, RUNS, RUNS_AT_ONCE):
        starts.append(rng.bit_generator.state)
        left, log_det = statistic(rng.standard_normal((RUNS_AT_ONCE, LONGEST)), gamma, RIDGE)
        excess = np.subtract(left, log_det, out=left)  # left when above 2 ln(1/delta)
        here.append(excess[:, stops - 1])
        most.append(np.maximum.reduceat(excess, np.append(0, stops[:-1]), axis=1))
    return _Runs(stops, np.concatenate(here), np.maximum.accumulate(np.concatenate(most), axis=1), tuple(starts))


def _again(runs: _Runs, seed: int, run: int) -> np.ndarray:
    """(1, T) the noise of one of these runs."""
    rng = MicroscopeSetting(seed=seed).rng(1)
    rng.bit_generator.state = runs.starts[run // RUNS_AT_ONCE]
    return rng.standard_normal((RUNS_AT_ONCE, LONGEST))[run % RUNS_AT_ONCE][None]


@partial(
    Statement,
    key="deng-times",
    name="Deng: all times",
    where="Deng et al., Lemmas 10 and 11",
    printed=r"With probability $1-\delta$ “simultaneously over all $t>0$”: $\lVert S_t\rVert_{\tilde V_t^{-1}}\le "
    r"R\sqrt{2\ln\frac1\delta+\ln\det(\cdot)}$",
    read=r"The width is valid at each fixed time; for all $t\le T$ at once use $\delta/T$.",
    reason=r"Because the regulariser is rescaled with time, it is not valid for all times at once when $\gamma<1$; "
    r"dividing $\delta$ by $T$ restores that and changes the rate only by logarithms.",
    symbol="T =",
    sentence=lambda f: (
        f"By T = {number(f['sweep at'])} the confidence interval has failed in "
        f"<b>{percent(f['ever outside, up to T'])}</b> of the runs. Stated: at most {percent(f['stated δ'])}."
    ),
    over=Axes("How often the interval fails", "horizon T", "share of runs", log_x=True, span=(-0.03, 1.03)),
    here=Axes("One run", "round t", "error, in half-widths", log_x=True),
    uses=("fade", "delta", "seed"),
    slow=True,
)
def all_times(setting: MicroscopeSetting) -> MicroscopeResult:
    """Share of runs that leave the width at any time up to T, beside the share at T itself; one arm."""
    runs = _runs(setting.seed, setting.gamma)
    stops, most = runs.stops, runs.most
    limit = 2.0 * math.log(1.0 / setting.delta)
    ever = (most > limit).mean(axis=0)
    fixed = (runs.here > limit).mean(axis=0)
    union = (most > limit + 2.0 * np.log(stops)).mean(axis=0)
    tells = nearest(stops.astype(float), 1000.0)
    run = _typical(most[:, tells] > limit, most[:, tells])
    # The path of one run: its largest use of the width in each of 200 stretches of time.
    cuts = np.unique(np.geomspace(1, LONGEST, 200).round().astype(int))
    left, log_det = statistic(_again(runs, setting.seed, run), setting.gamma, RIDGE)
    use = np.sqrt(left[0] / (log_det + limit))
    path = np.maximum.reduceat(use, np.append(0, cuts[:-1]))
    curves = {
        ("ever outside, up to T", "measured"): ever,
        ("ever outside, with δ/T", "read"): union,
        ("outside at T", "other"): fixed,
        ("stated δ", "printed"): setting.delta,
    }
    x = cuts.astype(float)
    return MicroscopeResult(
        stops.astype(float),
        on_sweep(stops.astype(float), curves),
        (
            SweepLine("one run", "measured", x, up_to(path, np.searchsorted(cuts, stops, side="right"))),
            SweepLine("edge of the interval", "printed", x, np.ones(len(x))),
        ),
        f"one arm, reward 0, k = 1, γ = {setting.gamma:g}, λ = {RIDGE:g}, δ = {setting.delta:g}, unit normal noise, "
        f"{RUNS} runs",
        tells=tells,
    )


def _typical(left: np.ndarray, score: np.ndarray) -> int:
    """A run to show: the middle one among those that left the width, or among all when none did."""
    among = np.flatnonzero(left) if left.any() else np.arange(len(score))
    return int(among[np.argsort(score[among])[len(among) // 2]])


def _today_sentence(f: Mapping[str, float]) -> str:
    still, aware = f["surrogate's band"], f["drift-aware band"]
    return (
        f"In round {f['sweep at']:.0f} the surrogate's band {_covers(still)} (largest error <b>{number(still)}</b> "
        f"half-widths); the drift-aware band {_covers(aware)} ({number(aware)})."
    )


@partial(
    Statement,
    key="deng-today",
    name="Deng: band for today",
    where="Deng et al., Theorem 3",
    printed=r"A band for the weighted surrogate $m_t$",
    read=r"A band for $f_t$ itself (derived here)",
    reason="The band is for the weighted surrogate, not for $f_t$. For each fixed time, any adaptive choice of "
    "points, weights fixed in advance, and a given bound on the movement since each observation, the drift-aware band "
    "covers today's function.",
    symbol="t =",
    sentence=_today_sentence,
    over=Axes("Largest error, in half-widths", "round t", "error / half-width"),
    here=Axes("The band now", "action x", "reward", span=(-5.0, 5.0)),
    uses=("fade", "sigma", "delta", "seed"),
)
def today(setting: MicroscopeSetting) -> MicroscopeResult:
    """A gliding reward, the band of the weighted surrogate and the drift-aware band, over the rounds."""
    kernel, x, T, B = SquaredExponential(lengthscale=0.2), np.linspace(0.0, 1.0, 61), 120, 3.0
    rng, gamma, ridge = setting.rng(14), min(setting.gamma, 0.99), 0.1
    centres, weights = rng.uniform(0.0, 1.0, (2, 10, 1)), rng.standard_normal((2, 10))
    ends = []
    for c, w in zip(centres, weights, strict=True):
        ends.append(kernel(x[:, None], c) @ (w * B / math.sqrt(w @ kernel(c, c) @ w)))
    legs = np.linspace(0.0, 3.0, T)  # there, back and there again
    share = np.where(legs < 2.0, 1.0 - np.abs(1.0 - legs), legs - 2.0)[:, None]
    f = (1.0 - share) * ends[0] + share * ends[1]  # between two functions of norm B: the norm is at most B
    step = 3.0 * float(np.abs(ends[1] - ends[0]).max()) / (T - 1)
    arms = rng.integers(0, len(x), T)
    y = f[np.arange(T), arms] + setting.sigma * rng.standard_normal(T)
    stops = np.arange(4, T + 1, 4)
    mean, wide, narrow = np.empty((3, len(stops), len(x)))
    for i, t in enumerate(stops):
        known = (kernel, x[arms[:t], None], y[:t], x[:, None], B, setting.sigma, setting.delta, ridge, gamma)
        since = step * np.arange(t - 1.0, -1.0, -1.0)
        band, still = drift_aware_bands(*known, [since, 0.0 * since])
        mean[i], wide[i], narrow[i] = band.mean, band.upper - band.mean, still.upper - still.mean
    error = np.abs(mean - f[stops - 1])
    sweep = stops.astype(float)
    still_name, aware = "surrogate's band", "drift-aware band"
    over = {
        (still_name, "other"): (error / narrow).max(axis=1),
        (aware, "read"): (error / wide).max(axis=1),
        ("edge of the band", "level"): 1.0,
    }
    drawn = [
        (aware, "read", mean + wide),
        ("", "read", mean - wide),
        (still_name, "other", mean + narrow),
        ("", "other", mean - narrow),
        ("today's reward", "measured", f[stops - 1]),
    ]
    return MicroscopeResult(
        sweep,
        on_sweep(sweep, over),
        tuple(SweepLine(n, role, x, v) for n, role, v in drawn),
        f"a glide, SE ℓ = 0.2, B = {B:g}, σ = {setting.sigma:g}, δ = {setting.delta:g}, λ = {ridge:g}, γ = {gamma:g}, "
        f"movement {step:.3f} a round, given to the band",
        tells=len(stops) - 1,
    )


def _old_points_sentence(f: Mapping[str, float]) -> str:
    now, then = f["first arm, today"], f["then"]
    rises = f"<b>{number(now)}</b>, up from {number(then)} at its last query" if now > then else f"{number(now)}"
    side = "below" if f["sum"] <= f["bound"] else "above"
    return f"The first arm's standard deviation is {rises}. With the discount kept, the sum is {side} its bound."


@partial(
    Statement,
    key="deng-old",
    name="Deng: old points",
    where="Deng et al., Lemma 18",
    printed=r"$\sum_{s=t-c}^t\check\sigma_{t-1}(x_s)\le\sqrt{4\lambda c\check\gamma_t+2\lambda mc^2\ln(1/\gamma)}$",
    read=r"$\sum_{s\le t}\gamma^{t-s}\hat\sigma_t(x_s)\le\sqrt{2\lambda\tilde\gamma_t/(1-\gamma)}$ (derived here)",
    reason="With forgetting, an old point can become uncertain again. Keeping the discount factor that the proof "
    "drops repairs the step at the same rate.",
    symbol="t =",
    sentence=_old_points_sentence,
    over=Axes("How uncertain the first arm is", "round t", "standard deviation σ̂", span=(0.0, 1.05)),
    here=Axes("The sum of Lemma 18, γ kept", "round t", "sum of weighted sds"),
    uses=("fade",),
)
def old_points(setting: MicroscopeSetting) -> MicroscopeResult:
    """Two independent arms: the first queried 20 times, then only the second."""
    gamma, ridge, turn, T = min(setting.gamma, 0.99), RIDGE, 20, 120
    first, second = _counts(gamma, T, turn)
    sds = np.sqrt(ridge / (ridge + np.stack([first, second])))
    arms = np.where(np.arange(T) < turn, 0, 1)
    weights = gamma ** np.abs(np.subtract.outer(np.arange(T), np.arange(T)))
    used = np.tril(weights * sds[arms].T)  # (t, s): weight of round s at t, times sd at t of the arm of s
    sums = used.sum(axis=1)
    gain = 0.5 * (np.log1p(first / ridge) + np.log1p(second / ridge))
    bound = np.sqrt(2.0 * ridge * gain / (1.0 - gamma))
    t = np.arange(1, T + 1).astype(float)
    then = np.where(t > turn, sds[0, turn - 1], np.nan)
    curves = {
        ("first arm, today", "measured"): sds[0],
        ("second arm, today", "other"): sds[1],
        ("first arm, last query", "level"): then,
    }
    return MicroscopeResult(
        t,
        on_sweep(t, curves),
        (
            SweepLine("sum of sds", "measured", t, up_to(sums, np.arange(1, T + 1))),
            SweepLine("bound with the discount", "read", t, bound),
        ),
        f"two independent arms, the first queried {turn} times, γ = {gamma:g}, λ = {ridge:g}",
        {"sum": sums, "bound": bound, "then": np.full(T, sds[0, turn - 1])},
        tells=59,
    )


@partial(
    Statement,
    key="deng-gain",
    name="Deng: remark, Cor. 8",
    where="Deng et al., remark after Corollary 8",
    printed=r"$\frac1{1-\gamma}$ is replaced by $\frac1{1-\gamma^2}$",
    read=r"$\frac1{1-\gamma^2}$ is replaced by $\frac1{1-\gamma}$",
    reason="As in the paper's Appendix D.2; a constant kernel shows it.",
    symbol="1/(1−γ) =",
    sentence=lambda f: (
        f"The information gain is {f['gain, exact']:.3f} nats; the formula as printed gives {f['with 1/(1−γ²)']:.3f}, "
        f"as read here <b>{f['with 1/(1−γ)']:.3f}</b>."
    ),
    over=Axes("Information with weights γ<sup>age</sup>", "memory 1/(1−γ)", "nats", log_x=True),
    here=Axes("At this γ", "round t", "nats"),
    uses=(),
)
def weighted_gains(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""The gain with single weights for a constant kernel beside both readings of the remark."""
    t, ridge = 400, RIDGE
    memory = np.geomspace(2.0, 50.0, 29)
    gammas, K = 1.0 - 1.0 / memory, np.ones((t, t))
    exact = np.array([weighted_information_gain(K, ridge, g) for g in gammas])
    single, double = (0.5 * np.log1p(1.0 / (ridge * (1.0 - gammas**p))) for p in (1, 2))
    steps = np.arange(1, 201, 4)
    grown = 0.5 * np.log1p((1.0 - gammas[:, None] ** steps) / (ridge * (1.0 - gammas[:, None])))
    curves = {
        ("gain, exact", "measured"): exact,
        ("with 1/(1−γ)", "read"): single,
        ("with 1/(1−γ²)", "printed"): double,
    }
    x = steps.astype(float)
    flat = np.ones(len(steps))
    return MicroscopeResult(
        memory,
        on_sweep(memory, curves),
        (
            SweepLine("gain so far", "measured", x, grown),
            SweepLine("with 1/(1−γ)", "read", x, single[:, None] * flat),
            SweepLine("with 1/(1−γ²)", "printed", x, double[:, None] * flat),
        ),
        f"constant kernel, {t} observations, λ = {ridge:g}",
        tells=nearest(memory, 10.0),
    )


def _discounted_sums(values: np.ndarray, gamma: float) -> np.ndarray:
    r"""Return $\sum_{s\le t}\gamma^{t-s}v_s$ along the last axis."""
    T = values.shape[-1]  # s_t - gamma s_{t-1} = v_t: a triangular system with two diagonals
    diagonals = np.stack([np.ones(T), np.full(T, -gamma)])
    sums, _ = dtbtrs(diagonals, np.atleast_2d(values).T, uplo="L", diag="U")
    return sums.T.reshape(values.shape)


def _counts(gamma: float, T: int, turn: int) -> tuple[np.ndarray, np.ndarray]:
    r"""(T,) discounted number of observations of each of the two arms."""
    first = np.arange(T) < turn
    return _discounted_sums(first * 1.0, gamma), _discounted_sums(~first * 1.0, gamma)


@partial(
    Statement,
    key="deng-sd",
    name="Deng: tighter sd",
    where="Deng et al., Theorem 2",
    printed=r"$\tilde\sigma_t$ needs the feature map; the paper goes on with the larger $\hat\sigma_t$",
    read=r"$\tilde\sigma^2=\lambda\lVert a\rVert^2+k-2a^\top k_t+a^\top K_ta$, $a=(K+N)^{-1}k_t$ (derived here)",
    reason="The tighter sd of Theorem 2 can be computed with kernels only; offered as an option.",
    symbol="1/(1−γ) =",
    sentence=lambda f: (
        f"On average the tighter standard deviation is <b>{f['mean over x']:.2f}</b> times the other one; the smallest "
        f"ratio is {f['smallest over x']:.2f}."
    ),
    over=Axes("σ̃ as a share of σ̂", "memory 1/(1−γ)", "σ̃ / σ̂", log_x=True, span=(0.0, 1.05)),
    here=Axes("At this γ", "action x", "standard deviation"),
    uses=("sigma", "seed"),
)
def two_sds(setting: MicroscopeSetting) -> MicroscopeResult:
    r"""The tighter $\tilde\sigma$ by kernels alone, as a share of $\hat\sigma$, over the discount."""
    kernel, x = SquaredExponential(lengthscale=0.2), np.linspace(0.0, 1.0, 61)[:, None]
    X = setting.rng(2).uniform(0.0, 1.0, (60, 1))
    ridge = setting.sigma**2
    memory = np.geomspace(2.0, 50.0, 29)
    gammas = 1.0 - 1.0 / memory
    ages = np.arange(len(X))[::-1]
    loose, tight = np.empty((2, len(gammas), len(x)))
    for i, gamma in enumerate(gammas):
        noise = ridge * gamma ** -ages.astype(float)
        _, loose[i] = posterior(kernel, X, np.zeros(len(X)), x, noise)
        tight[i] = weighted_sd(kernel, X, x, noise, ridge)
    ratio = tight / loose
    curves = {
        ("mean over x", "measured"): ratio.mean(axis=1),
        ("smallest over x", "read"): ratio.min(axis=1),
        ("equal", "level"): 1.0,
    }
    return MicroscopeResult(
        memory,
        on_sweep(memory, curves),
        (SweepLine("σ̂", "other", x[:, 0], loose), SweepLine("σ̃", "read", x[:, 0], tight)),
        f"60 random points of [0, 1], SE ℓ = 0.2, λ = σ² = {ridge:g}",
        tells=nearest(memory, 10.0),
    )


def _covers(share: float) -> str:
    return "covers today's reward" if share <= 1 else "misses today's reward"
