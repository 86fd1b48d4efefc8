r"""A band whose width follows its own misses: what holds for any sequence of rewards, moving or not.

Round t adds a reward $y_t$ at a place $x_t$ to what a band has seen. With the band's centre $\mu_{t-1}$ and scale
$s_{t-1}$ before that round, the score of the round is $r_t=|y_t-\mu_{t-1}(x_t)|/s_{t-1}(x_t)$, and the interval
$\mu_{t-1}\pm q_ts_{t-1}$ misses where $r_t>q_t$. After a miss the multiplier q grows, after a hit it shrinks:
$q_{t+1}=q_t+\eta(\mathbb 1\{r_t>q_t\}-\delta)$.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tvbo_core.records import BandFilm
from tvbo_core.validation import as_floats, check_amount, check_delta, is_positive, short_repr


@dataclass(frozen=True, eq=False)
class OnlineWidths:
    """Multipliers of an online band and its misses.

    Attributes:
        q: (n+1,) multiplier of each round, and of the round that comes next.
        scores: (n,) scores of the rewards.   missed: (n,) bool, the rewards outside their interval.
    """

    q: np.ndarray
    scores: np.ndarray
    missed: np.ndarray

    @property
    def share_inside(self) -> np.ndarray:
        """(n+1,) share of the first t rewards that fell inside; 1 before the first."""
        rounds = np.arange(len(self.missed) + 1)
        return 1.0 - np.concatenate([[0], self.missed.cumsum()]) / np.maximum(rounds, 1)


@dataclass(frozen=True)
class OnlineBand:
    r"""Quantile tracking around any band: an interval for the next reward.

    For **any** sequence of scores in $[0,b]$, however the rewards move and however the places are chosen,
    $\big|\tfrac1T\sum_{t\le T}\mathbb 1\{r_t>q_t\}-\delta\big|\le\frac{b+\eta}{\eta T}$, provided $0\le q_1\le b$.
    The proof is a telescoping sum: $q_{T+1}-q_1=\eta\sum_t(\mathbb 1\{r_t>q_t\}-\delta)$, and q never leaves
    $[-\eta\delta,\,b+\eta(1-\delta)]$. It needs neither $V_T$ nor a kernel. It says nothing of the curve between the
    queries, and nothing of a single round: misses may come one after the other.

    Attributes:
        delta: $\delta$, the share of misses that is aimed at.   eta: $\eta>0$, the step.   start: $q_1\ge0$.
        sigma: noise sd: the scale is $\sqrt{h^2+\sigma^2}$, h half the width of the band that it goes around.
    Raises:
        ValueError: a field is out of its range.
    Source: quantile tracking of Angelopoulos, Candès & Tibshirani (2023, arXiv 2307.16895), Proposition 1; adaptive
        conformal inference of Gibbs & Candès (2021) moves delta in place of q; with Gaussian processes Xu, Lu &
        Giannakis (arXiv 2410.05444). The scale is the lab's.

    >>> k, X, y = tv.Matern(1.5), np.array([[0.2], [0.7]]), np.array([1.0, -0.5])
    >>> film = tv.band_film(tv.AMM(B=3.0, sigma=0.1, delta=0.01, c=1.0), k, X, y, X)
    >>> np.round(tv.OnlineBand(eta=0.2, sigma=0.1).film(film, [0, 1], y)[0].half_width, 2).tolist()
    [4.27, 2.57, 0.51]
    """

    delta: float = 0.1
    eta: float = 0.1
    start: float = 1.0
    sigma: float = 0.0

    def __post_init__(self) -> None:
        check_delta(self.delta)
        check_amount("start", self.start)
        check_amount("sigma", self.sigma)
        if not is_positive(self.eta):
            raise ValueError(f"eta must be finite and above 0, got {self.eta!r}")

    def widths(self, scores: Sequence[float] | np.ndarray) -> OnlineWidths:
        """Return the multipliers and the misses of these scores (n,), which are at least 0; inf always misses.

        Raises:
            ValueError: a score is below 0 or NaN.
        """
        r = np.asarray(scores, dtype=float)
        if r.ndim != 1 or not (r >= 0).all():
            raise ValueError(f"scores must be one row of numbers of at least 0, got {short_repr(scores)}")
        q, missed = np.empty(len(r) + 1), np.empty(len(r), dtype=bool)
        q[0] = self.start
        for t, score in enumerate(r):
            missed[t] = score > q[t]
            q[t + 1] = q[t] + self.eta * (missed[t] - self.delta)
        return OnlineWidths(q, r, missed)

    def miss_bound(self, b: float, T: int) -> float:
        r"""Return $\frac{\max(b,q_1)+\eta}{\eta T}$: so far the misses may be from delta, T scores in [0, b]."""
        return (max(b, self.start) + self.eta) / (self.eta * T)

    def film(self, film: BandFilm, arms: Sequence[int] | np.ndarray, y: np.ndarray) -> tuple[BandFilm, OnlineWidths]:
        """Return the online band around a band, and its multipliers.

        Args:
            film: frames 0 to n of m arms; frame t has seen the first t rewards.
            arms: (n,) arm of each reward.   y: (n,) rewards.
        Raises:
            ValueError: shapes disagree, an arm is none, or a frame was not computed.
        """
        y, rows = as_floats("y", y), np.arange(len(film.mean) - 1)
        places = np.asarray(arms)
        if places.shape != rows.shape or y.shape != rows.shape or not film.computed.all():
            raise ValueError(f"arms and y must have shape {rows.shape}, one a frame but the first, all computed")
        if places.size and (places.dtype.kind not in "iu" or places.min() < 0 or places.max() >= film.mean.shape[1]):
            raise ValueError(f"arms must be whole numbers from 0 to {film.mean.shape[1] - 1}, got {short_repr(arms)}")
        scale = np.sqrt((0.5 * (film.upper - film.lower)) ** 2 + self.sigma**2)
        away, at = np.abs(y - film.mean[rows, places]), scale[rows, places]
        scores = np.divide(away, at, out=np.where(away > 0, np.inf, 0.0), where=at > 0)
        widths = self.widths(scores)
        half = np.maximum(widths.q, 0.0)[:, None] * scale
        name = f"online {film.name}".strip()
        return BandFilm(name, film.mean, film.mean - half, film.mean + half, widths.q < 0), widths
