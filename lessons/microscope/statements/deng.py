r"""Deng et al. (WGP-UCB): a width that holds at each fixed time, and a band for the reward of today."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from scipy.linalg.lapack import dtbtrs

from common.formats import number, percent
from lessons.microscope.statements.record import Axes, MicroscopeResult, MicroscopeSetting, Statement, lines, up_to
from tvbo_core.bands.drift_aware import drift_aware_band
from tvbo_core.kernels import SquaredExponential

RUNS, LONGEST, RIDGE = 300, 10_000, 0.1
RUNS_AT_ONCE = 20  # It divides RUNS.
STOPS = np.unique(np.geomspace(1, LONGEST, 41).round().astype(int))  # (F,) rounds


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
    sums, squares = discounted_sums(noise, gamma), discounted_sums(np.ones(noise.shape[1]), gamma**2)
    return sums**2 / (squares + ridge), np.log1p(squares / ridge)


def discounted_sums(values: np.ndarray, gamma: float) -> np.ndarray:
    r"""Return $\sum_{s\le t}\gamma^{t-s}v_s$ along the last axis."""
    T = values.shape[-1]  # s_t - gamma s_{t-1} = v_t: a triangular system with two diagonals
    diagonals = np.stack([np.ones(T), np.full(T, -gamma)])
    sums, _ = dtbtrs(diagonals, np.atleast_2d(values).T, uplo="L", diag="U")
    return sums.T.reshape(values.shape)


@lru_cache(maxsize=16)  # A reader moves delta and comes back to a discount.
def _runs(seed: int, gamma: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    r"""Return what in the runs of one seed and discount does not depend on the failure probability.

    The parts are the use of the width squared, less $\ln\det$, at each of `STOPS` and up to it (runs, F); that of the
    first runs at every time (`RUNS_AT_ONCE`, T); and $\ln\det$ (T,). So many runs at once fit the processor's cache,
    which is several times as fast.
    """
    rng = MicroscopeSetting(seed=seed).rng(1)
    here: list[np.ndarray] = []
    most: list[np.ndarray] = []
    for _ in range(0, RUNS, RUNS_AT_ONCE):
        left, log_det = statistic(rng.standard_normal((RUNS_AT_ONCE, LONGEST)), gamma, RIDGE)
        excess = np.subtract(left, log_det, out=left)  # The interval is missed where this is above 2 ln(1/delta).
        if not here:
            first = excess
        here.append(excess[:, STOPS - 1])
        most.append(np.maximum.reduceat(excess, np.append(0, STOPS[:-1]), axis=1))
    return np.concatenate(here), np.maximum.accumulate(np.concatenate(most), axis=1), first, log_det


def all_times(setting: MicroscopeSetting) -> MicroscopeResult:
    """Share of runs that leave the width at any time up to T, beside the share at T itself; one arm."""
    here, most, first, log_det = _runs(setting.seed, setting.gamma)
    limit = 2.0 * math.log(1.0 / setting.delta)
    ever = (most > limit).mean(axis=0)
    fixed = (here > limit).mean(axis=0)
    union = (most > limit + 2.0 * np.log(STOPS)).mean(axis=0)
    score = most[: len(first), STOPS.searchsorted(1000)]
    run = _typical(score > limit, score)
    # The path of one run is its largest use of the width in each of 200 stretches of time.
    cuts = np.unique(np.geomspace(1, LONGEST, 200).round().astype(int))
    use = np.sqrt((first[run] + log_det) / (log_det + limit))
    path = np.maximum.reduceat(use, np.append(0, cuts[:-1]))
    over = {
        ("missed at least once", "measured"): ever,
        ("same, with δ/T", "read"): union,
        ("missed at T", "other"): fixed,
        ("stated δ", "printed"): setting.delta,
    }
    seen = up_to(path, np.searchsorted(cuts, STOPS, side="right"))
    return MicroscopeResult(
        STOPS.astype(float),
        lines(STOPS, over),
        lines(cuts, {("one run", "measured"): seen, ("edge of the interval", "printed"): 1.0}),
        f"one arm with reward 0, k = 1, γ = {setting.gamma:g}, λ = {RIDGE:g}, δ = {setting.delta:g}, noise N(0, 1), "
        f"{RUNS} runs",
        tells_at=1000.0,
    )


ALL_TIMES = Statement(
    experiment=all_times,
    key="deng-times",
    name="Deng: all times",
    where="Deng et al., Lemmas 10 and 11",
    printed=r"With probability $1-\delta$ “simultaneously over all $t>0$”: $\lVert S_t\rVert_{\tilde V_t^{-1}}\le "
    r"R\sqrt{2\ln\frac1\delta+\ln\det(\cdot)}$",
    read=r"The width is valid at each fixed time; for all $t\le T$ at once use $\delta/T$.",
    reason=r"Because the regulariser is rescaled with time, it is not valid for all times at once when $\gamma<1$; "
    r"dividing $\delta$ by $T$ restores that and changes the rate only by logarithms. The lemma's interval has the "
    r"tighter $\tilde\sigma_t$; WGP-UCB plays with the larger $\hat\sigma_t$.",
    symbol="T =",
    sentence=lambda f: (
        f"By T = {number(f['sweep at'])} the lemma's interval missed at least once in "
        f"<b>{percent(f['missed at least once'])}</b> of runs. Stated: at most {percent(f['stated δ'])}."
    ),
    over=Axes("How often the interval misses the truth", "horizon T", "share of runs", log_x=True, span=(-0.03, 1.03)),
    here=Axes("One run", "round t", "error / half-width", log_x=True),
    uses=("fade", "delta", "seed"),
    slow=True,
)


def _typical(left: np.ndarray, score: np.ndarray) -> int:
    """A run to show: the middle one among those that left the width, or among all when none did."""
    among = np.flatnonzero(left) if left.any() else np.arange(len(score))
    return int(among[np.argsort(score[among])[len(among) // 2]])


def _covers(share: float) -> str:
    return "covers today's reward" if share <= 1 else "misses today's reward"


def _today_sentence(f: Mapping[str, float]) -> str:
    static, aware = f["surrogate's band"], f["drift-aware band"]
    return (
        f"In round {f['sweep at']:.0f} the surrogate's band {_covers(static)} (largest error <b>{number(static)}</b> "
        f"half-widths); the drift-aware band {_covers(aware)} ({number(aware)})."
    )


def today(setting: MicroscopeSetting) -> MicroscopeResult:
    """A gliding reward, the band of the weighted surrogate and the drift-aware band, over the rounds."""
    kernel, x, T, B = SquaredExponential(lengthscale=0.2), np.linspace(0.0, 1.0, 61), 120, 3.0
    rng, gamma, ridge = setting.rng(14), min(setting.gamma, 0.99), 0.1
    centres, weights = rng.uniform(0.0, 1.0, (2, 10, 1)), rng.standard_normal((2, 10))
    ends = []
    for c, w in zip(centres, weights, strict=True):
        ends.append(kernel(x[:, None], c) @ (w * B / math.sqrt(w @ kernel(c, c) @ w)))
    legs = np.linspace(0.0, 3.0, T)  # The reward goes there, back and there again.
    share = np.where(legs < 2.0, 1.0 - np.abs(1.0 - legs), legs - 2.0)[:, None]
    f = (1.0 - share) * ends[0] + share * ends[1]  # Between two functions of norm B the norm is at most B.
    step = 3.0 * float(np.abs(ends[1] - ends[0]).max()) / (T - 1)
    arms = rng.integers(0, len(x), T)
    y = f[np.arange(T), arms] + setting.sigma * rng.standard_normal(T)
    stops = np.arange(4, T + 1, 4)
    mean, wide, narrow = np.empty((3, len(stops), len(x)))
    for i, t in enumerate(stops):
        known = (kernel, x[arms[:t], None], y[:t], x[:, None], B, setting.sigma, setting.delta, ridge, gamma)
        since = step * np.arange(t - 1.0, -1.0, -1.0)
        band, static = (drift_aware_band(*known, moved) for moved in (since, 0.0 * since))
        mean[i], wide[i], narrow[i] = band.mean, band.upper - band.mean, static.upper - static.mean
    error = np.abs(mean - f[stops - 1])
    over = {
        ("surrogate's band", "other"): (error / narrow).max(axis=1),
        ("drift-aware band", "read"): (error / wide).max(axis=1),
        ("edge of the band", "level"): 1.0,
    }
    here = {
        ("drift-aware band", "read"): mean + wide,
        ("", "read"): mean - wide,
        ("surrogate's band", "other"): mean + narrow,
        ("", "other"): mean - narrow,
        ("today's reward", "measured"): f[stops - 1],
    }
    return MicroscopeResult(
        stops.astype(float),
        lines(stops, over),
        lines(x, here),
        f"a gliding reward, SE kernel with ℓ = 0.2, B = {B:g}, σ = {setting.sigma:g}, δ = {setting.delta:g}, "
        f"λ = {ridge:g}, γ = {gamma:g}; the drift-aware band is given the change of at most {step:.3f} a round",
        tells_at=float(T),
    )


TODAY = Statement(
    experiment=today,
    key="deng-today",
    name="Deng: band for today",
    where="Deng et al., Theorem 3",
    printed=r"A band for the weighted surrogate $m_t$",
    read=r"A band for $f_t$ itself (derived here)",
    reason="The band is for the weighted surrogate, not for $f_t$. For each fixed time, any adaptive choice of "
    "points, weights fixed in advance, and a given bound on the movement since each observation, the drift-aware band "
    r"covers today's function with probability at least $1-\delta$.",
    symbol="t =",
    sentence=_today_sentence,
    over=Axes("Largest error, in half-widths", "round t", "error / half-width"),
    here=Axes("The band now", "action x", "reward", span=(-5.0, 5.0)),
    uses=("fade", "sigma", "delta", "seed"),
)
