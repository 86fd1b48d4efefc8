r"""Coverage of the bands by Monte Carlo: many still worlds, the whole curve, all times.

The fast way loses no digit: if the true f belongs to the confidence set of time t
($\|f\|\le B$ and $\sum_s(f(x_s)-y_s)^2\le R_t^2$), CMM contains it everywhere by definition, and with it
DMM, AMM and AY at the same regulariser; membership at $c=\sigma^2/(1+\eta)$ does the same for IGP. Both sides
of the inequality for all t come from one factor a world. Only where membership fails is a band
computed (see `containment`).

>>> bands = {"AMM": tv.AMM(B=3.0, sigma=0.1, delta=0.01, c=1.0)}
>>> x, rng = np.linspace(0, 1, 15)[:, None], np.random.default_rng(0)
>>> tv.coverage.still_coverage(bands, tv.Matern(1.5), x, 20, 40, 3.0, 0.1, rng).counts["AMM"].covered
40
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from tvbo_core.bands.base import Bound
from tvbo_core.bands.containment import INSIDE, OPEN, OUTSIDE, OneWorld, left_at_once, surely_near
from tvbo_core.gp.spectral import check_regulariser
from tvbo_core.threads import one_thread
from tvbo_core.validation import check_amount, check_count, check_kernel, check_rng, is_number

if TYPE_CHECKING:
    from tvbo_core.kernels import Kernel

NORM_TOLERANCE = 1e-12  # f is drawn with norm exactly `norm`, up to the rounding of one square root
WORLDS_AT_ONCE = 4  # worlds


@dataclass(frozen=True)
class CoverageCount:
    """One band's score.

    Attributes:
        covered: worlds whose whole curve stayed inside at all times.
        worlds: worlds decided (fewer than asked when the explicit checks ran out of frames).
        low, high: 95 % Wilson interval of the coverage.
        promised: 1 - delta; of a band that promises one time, what is left of it at all n + 1: 1 - (n + 1) delta.
    """

    covered: int
    worlds: int
    low: float
    high: float
    promised: float


@dataclass(frozen=True)
class Coverage:
    """The scores of all bands.

    Attributes:
        counts: name -> score.
        steps: observations in each world.
        frames: exact bands that had to be computed because membership failed.
    """

    counts: Mapping[str, CoverageCount]
    steps: int
    frames: int


@dataclass(frozen=True, eq=False)
class StillWorlds:
    """Repeated still worlds on a fixed pool of points.

    Attributes:
        gram: (m, m) kernel matrix of the pool.
        f: (worlds, m) true curves, each of RKHS norm `norm`.
        picks: (worlds, n) indices of the points observed.
        noise: (worlds, n) their noise.
        norm: RKHS norm of every curve.
    """

    gram: np.ndarray
    f: np.ndarray
    picks: np.ndarray
    noise: np.ndarray
    norm: float

    @cached_property
    def y(self) -> np.ndarray:
        """(worlds, n) rewards."""
        return np.take_along_axis(self.f, self.picks, axis=1) + self.noise

    @cached_property
    def residual(self) -> np.ndarray:
        """(worlds, n+1) sums of the first 0, ..., n squared noises."""
        return np.pad(np.cumsum(self.noise**2, axis=1), ((0, 0), (1, 0)))

    def matrices(self, w: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """K, y, k(X, pool) and k(pool, pool) of one world."""
        rows = self.picks[w]
        seen = self.gram.take(rows, axis=0)
        return seen.take(rows, axis=1), self.y[w], seen, np.diagonal(self.gram)


def wilson(successes: int, n: int, level: float = 0.95) -> tuple[float, float]:
    r"""Wilson's interval for a share: the p with $|\hat p-p|\le z\sqrt{p(1-p)/n}$; (0, 1) for n = 0.

    Raises:
        ValueError: not 0 <= successes <= n, or level outside (0, 1).
    Source: Wilson (1927).
    """
    from scipy.special import ndtri

    check_count("n", n)
    check_count("successes", successes)
    if successes > n:
        raise ValueError(f"successes must lie between 0 and n = {n}, got {successes}")
    if not (is_number(level) and 0 < level < 1):
        raise ValueError(f"level must lie strictly between 0 and 1, got {level}")
    if n == 0:
        return 0.0, 1.0
    z2, share = float(ndtri(0.5 + level / 2)) ** 2, successes / n
    centre, half = share + z2 / (2 * n), np.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n)))
    low, high = (centre - half) / (1 + z2 / n), (centre + half) / (1 + z2 / n)
    # at 0 and n successes one end is exactly 0 or 1, which the formula meets only up to rounding
    return (0.0 if successes == 0 else float(low)), (1.0 if successes == n else float(high))


def draw_still_worlds(
    kernel: Kernel,
    pool: np.ndarray,
    n: int,
    worlds: int,
    norm: float,
    noise_sd: float,
    rng: np.random.Generator,
    centres: int = 20,
) -> StillWorlds:
    r"""Curves $f=\sum_ia_ik(\cdot,z_i)$ of norm exactly `norm`: normal a, uniform centres and picks.

    Args:
        pool: (m, d) points.   n: observations a world.   norm: $\|f\|$.   noise_sd: sd of the normal noise.
    """
    check_kernel(kernel)
    check_rng(rng)
    check_amount("norm", norm)
    check_amount("noise_sd", noise_sd)
    check_count("n", n)
    for name, count in (("worlds", worlds), ("centres", centres)):
        check_count(name, count, 1)
    gram = kernel(pool, pool)
    m = len(pool)
    where, a = rng.integers(0, m, (worlds, centres)), rng.standard_normal((worlds, centres))
    coefficients = np.zeros((worlds, m))
    np.add.at(coefficients, (np.arange(worlds)[:, None], where), a)
    f = coefficients @ gram
    size = np.sqrt(np.maximum(np.einsum("wi,wi->w", coefficients, f), np.finfo(float).tiny))
    f *= (norm / size)[:, None]
    picks = rng.integers(0, m, (worlds, n))
    return StillWorlds(gram, f, picks, noise_sd * rng.standard_normal((worlds, n)), norm)


def still_coverage(
    bands: Mapping[str, Bound],
    kernel: Kernel,
    pool: np.ndarray,
    n: int,
    worlds: int,
    norm: float,
    noise_sd: float,
    rng: np.random.Generator,
    centres: int = 20,
    max_frames: int = 600,
) -> Coverage:
    """Count the still worlds in which each band contains the whole curve after 0, 1, ..., n observations.

    Args:
        bands: name -> band, with its own assumed B and sigma.
        pool: (m, d) points where the curve is observed and checked.
        n: observations a world.   worlds: number of worlds.
        norm: true RKHS norm of every curve.   noise_sd: true noise sd.
        max_frames: at most so many explicit CMM bands; when they run out (only where the assumed B or sigma
            is too small), CMM is judged on the worlds decided so far, in the order they were drawn.
    Raises:
        BoundError: a fixed regulariser is too small for double precision.
    """
    sample = draw_still_worlds(kernel, pool, n, worlds, norm, noise_sd, rng, centres)
    with one_thread():
        return score(bands, sample, max_frames)


def score(bands: Mapping[str, Bound], sample: StillWorlds, max_frames: int = 600) -> Coverage:
    """The scores of the bands in worlds already drawn."""
    statistics = cache(lambda alpha: running_statistics(sample, alpha))
    known = {name: _known(band, sample, statistics) for name, band in bands.items()}
    covered = {name: found == INSIDE for name, (found, _) in known.items()}
    decided, frames = dict.fromkeys(bands, len(sample.f)), 0
    for w in np.flatnonzero(np.any([found == OPEN for found, _ in known.values()], axis=0)):
        world = OneWorld(*sample.matrices(int(w)), sample.f[w])
        for name, band in bands.items():
            found, times = known[name]
            if found[w] != OPEN or w >= decided[name]:
                continue
            inside, used = world.holds(band, np.flatnonzero(times[w]), max_frames - frames)
            frames += used
            if inside is None:
                decided[name] = int(w)
            else:
                covered[name][w] = inside
    n = sample.picks.shape[1]
    return Coverage({name: _count(covered[name][: decided[name]], band, n) for name, band in bands.items()}, n, frames)


def _known(band: Bound, sample: StillWorlds, statistics) -> tuple[np.ndarray, np.ndarray]:
    """Return (worlds,) INSIDE, OUTSIDE or OPEN as far as the statistics decide, and (worlds, n+1) the open times."""
    times = ~_members(band, sample, statistics)
    found = np.where(times.any(axis=1), OPEN, INSIDE)
    if (found == INSIDE).all() or not band.fixed_regularisers:
        return found, times
    at_once = left_at_once(band, np.diagonal(sample.gram), sample.f)
    alpha = band.ellipsoid_regulariser
    if alpha is not None:
        error = sample.residual + alpha * sample.norm**2
        near = surely_near(band, alpha, error, *statistics(alpha))
        found[near & ~at_once] = INSIDE
    found[(found == OPEN) & at_once] = OUTSIDE
    return found, times


def _count(covered: np.ndarray, band: Bound, steps: int) -> CoverageCount:
    hits, n = int(covered.sum()), len(covered)
    times = 1 if band.at_all_times else steps + 1
    return CoverageCount(hits, n, *wilson(hits, n), max(0.0, 1.0 - times * band.delta))


def _members(band: Bound, sample: StillWorlds, statistics) -> np.ndarray:
    """(worlds, n+1) True where f lies in the confidence set whose width the band can only exceed."""
    # without 1 among its multiples DMM need not lie inside AMM, but it still contains CMM: same set
    if band.matched_regulariser is None:
        return np.zeros((len(sample.f), sample.picks.shape[1] + 1), bool)
    log_det, misfit = statistics(band.matched_regulariser)
    radius_sq = misfit + band.sigma**2 * (log_det + band.log_delta)
    member = np.ones(radius_sq.shape, bool)
    member[:, 1:] = sample.residual[:, 1:] <= radius_sq[:, 1:]
    return member & (sample.norm <= band.B * (1 + NORM_TOLERANCE))


def running_statistics(sample: StillWorlds, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    r"""(worlds, n+1) $\ln\det(I+K_t/\alpha)$ and $y^\top(I+K_t/\alpha)^{-1}y$ for all t.

    One Cholesky factor a world, of the matrix bordered by y: its last row is $(L^{-1}y)^\top$, its leading
    blocks belong to earlier times. (`WORLDS_AT_ONCE` worlds at a time: the factors stay in the cache.)
    """
    worlds, n = sample.picks.shape
    check_regulariser(alpha, float(np.diagonal(sample.gram)[sample.picks].sum(axis=1).max(initial=0.0)))
    y, scaled = sample.y, sample.gram / alpha
    log_det, misfit = np.zeros((worlds, n + 1)), np.zeros((worlds, n + 1))
    bordered = np.empty((WORLDS_AT_ONCE, n + 1, n + 1))
    steps = np.arange(n)
    for first in range(0, worlds, WORLDS_AT_ONCE):
        some = slice(first, first + WORLDS_AT_ONCE)
        matrices = bordered[: len(y[some])]
        for matrix, rows, rewards in zip(matrices, sample.picks[some], y[some], strict=True):
            matrix[:n, :n] = scaled.take(rows, axis=0).take(rows, axis=1)
            matrix[n, :n] = rewards
            matrix[n, n] = 1.0 + rewards @ rewards  # above y'(I + K/alpha)^-1 y, so the factor exists
        matrices[:, steps, steps] += 1.0
        L = np.linalg.cholesky(matrices)
        log_det[some, 1:] = np.cumsum(np.log(np.diagonal(L, axis1=1, axis2=2)[:, :n]), axis=1)
        misfit[some, 1:] = np.cumsum(L[:, n, :n] ** 2, axis=1)
    return 2.0 * log_det, misfit
