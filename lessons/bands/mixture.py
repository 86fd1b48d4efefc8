r"""The origin of the bands: many paths of the mixture martingale, and two rewards in a plane.

$M_t=\mathbb E_{g\sim N(0,ck)}\exp\Big(\frac1{2\sigma^2}\sum_{s\le t}\big[(f^*(x_s)-y_s)^2-(g(x_s)-y_s)^2\big]\Big)$ is
for Gaussian noise a non-negative martingale that starts at 1 (a supermartingale for sub-Gaussian noise), so by Ville's
inequality it ever exceeds $1/\delta$ with probability at most $\delta$. Where it does not, the truth lies in an
ellipsoid (Flynn & Reeb, Theorem 4.1, Lemma 4.2 and Lemma A.1, with centre 0 and covariance ck).

The world of the three pictures is small on purpose: two actions, asked in turn, so that a reward function is a point
of a plane and every confidence set a region of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from common.cache import shared
from lessons.bands.setting import BandSetting, covariance_scale
from tvbo_core.bands import DMM
from tvbo_core.kernels import Matern

ROUNDS, RUNS, MIXTURE_STREAM = 12, 300, 17
EXAMPLE = 0.2  # a failure probability at which a few hundred runs show crossings
PLACES, LENGTHSCALE, CORNERS = (0.4, 0.55), 0.2, 121
NOISE_SHARE = 1.5  # B over the noise sd: then neither what is heard nor the norm alone decides
ALPHAS = np.logspace(-8, 8, 1601)  # multiples of sigma^2/c: CMM is the least bound over all


@dataclass(frozen=True, eq=False)
class MixtureView:
    """Paths of the martingale in many runs, and the confidence sets of the first one.

    Attributes:
        paths: (runs, T + 1) $\\ln M_t$.   threshold: $\\ln(1/\\delta)$.   delta: of the promise.
        errors, radius: (T + 1,) squared errors of the truth so far, and $R_t^2$, in the first run.
        held: whether the truth is in the confidence set of the last time, and whether its norm is at most B.
        truth: (2,) rewards of the two actions.   regions: name -> (k, 2) its border at the last time.
        edges: name of a band -> its upper bound on the reward of the first action.
    """

    paths: np.ndarray
    threshold: float
    delta: float
    errors: np.ndarray
    radius: np.ndarray
    held: tuple[bool, bool]
    truth: np.ndarray
    regions: dict[str, np.ndarray]
    edges: dict[str, float]

    @property
    def crossed(self) -> np.ndarray:
        """(runs,) whether a path ever exceeds the threshold."""
        return self.above(self.delta)

    def above(self, delta: float) -> np.ndarray:
        """(runs,) whether a path ever exceeds ln(1/delta)."""
        return (self.paths > np.log(1 / delta)).any(axis=1)


@shared(16)
def mixture_view(B: float, delta: float, c: float, seed: int) -> MixtureView:
    """Return the paths and regions for a norm bound, a failure probability and a covariance scale."""
    sigma = B / NOISE_SHARE
    gram, truth, arms, y = observed(B, sigma, seed)
    K = gram[np.ix_(arms, arms)]
    paths = log_mixture(K, truth[arms] - y, y, sigma, c)
    errors = np.append(0.0, np.cumsum((truth[arms] - y[0]) ** 2))
    radius = squared_radius(K, y[0], sigma, delta, c)
    count = np.bincount(arms, minlength=2).astype(float)
    mean = np.bincount(arms, y[0], minlength=2) / count
    within = float(((y[0] - mean[arms]) ** 2).sum())
    inverse = np.linalg.inv(gram)

    def region(alpha: float, data: float = 1.0) -> tuple[np.ndarray, np.ndarray, float]:
        """Centre, matrix and squared radius of data * errors + alpha * norm^2 <= data * R^2 + alpha * B^2."""
        matrix = data * np.diag(count) + alpha * inverse
        centre = np.linalg.solve(matrix, data * count * mean)
        spent = data * (within + count @ (centre - mean) ** 2) + alpha * centre @ inverse @ centre
        return centre, matrix, float(data * radius[-1] + alpha * B**2 - spent)

    def edge(alpha: float) -> float:
        centre, matrix, level = region(alpha)
        return float(centre[0] + np.sqrt(max(level, 0.0) * np.linalg.inv(matrix)[0, 0]))

    usual = sigma**2 / c
    bounds = np.array([edge(usual * m) for m in ALPHAS])
    tightest = usual * float(ALPHAS[bounds.argmin()])
    regions = {
        "data": border(*region(0.0)),
        "norm": border(*region(1.0, 0.0)),
        "AMM": border(*region(usual)),
        "CMM": border(*region(tightest)),
    }
    edges = {"AMM": edge(usual), "DMM": min(edge(usual * m) for m in DMM.multiples), "CMM": float(bounds.min())}
    held = bool(errors[-1] <= radius[-1]), bool(truth @ inverse @ truth <= B**2)
    return MixtureView(paths, float(np.log(1 / delta)), delta, errors, radius, held, truth, regions, edges)


def observed(B: float, sigma: float, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the Gram matrix of the two actions, their rewards (norm 0.8 B), who is asked, and (runs, T) answers."""
    rng = np.random.default_rng([seed, MIXTURE_STREAM])
    x = np.array(PLACES)[:, None]
    gram = Matern(1.5, LENGTHSCALE)(x, x)
    truth = gram @ rng.normal(size=2)
    truth *= 0.8 * B / np.sqrt(truth @ np.linalg.solve(gram, truth))
    arms = np.arange(ROUNDS) % 2
    return gram, truth, arms, truth[arms] + sigma * rng.normal(size=(RUNS, ROUNDS))


def border(centre: np.ndarray, matrix: np.ndarray, level: float) -> np.ndarray:
    """Return (k, 2) points of the ellipse (f - centre)' matrix (f - centre) = level; its centre if empty."""
    turn = np.linspace(0.0, 2 * np.pi, CORNERS)
    circle = np.sqrt(max(level, 0.0)) * np.stack([np.cos(turn), np.sin(turn)])
    return centre + np.linalg.solve(np.linalg.cholesky(matrix).T, circle).T


def of_setting(setting: BandSetting) -> MixtureView:
    """Return the view with the lesson's norm bound, failure probability, covariance scale and seed."""
    world = setting.world
    return mixture_view(float(setting.ratio * world.norm_bound), setting.delta, covariance_scale(setting), world.seed)


def log_mixture(K: np.ndarray, errors: np.ndarray, y: np.ndarray, sigma: float, c: float = 1.0) -> np.ndarray:
    r"""Return $\ln M_t$ for t = 0, ..., n, of one or of many runs.

    $\ln M_t=\frac1{2\sigma^2}\sum_s(f^*(x_s)-y_s)^2-\frac12y^\top(\sigma^2I+cK_t)^{-1}y
    -\frac12\ln\det(I+\frac c{\sigma^2}K_t)$.

    Args:
        K: (n, n) kernel of the places asked, the same in every run.
        errors: (..., n) $f^*(x_s)-y_s$.   y: (..., n) rewards.   sigma: noise sd.   c: covariance scale.
    Returns:
        (..., n + 1), 0 at t = 0.
    """
    n = len(K)
    # The leading blocks of one Cholesky factor are the factors of the leading blocks: all times at once.
    factor = cholesky(sigma**2 * np.eye(n) + c * K, lower=True)
    z = solve_triangular(factor, y.reshape(-1, n).T, lower=True).T.reshape(y.shape)
    steps = 0.5 * (errors / sigma) ** 2 - 0.5 * z**2 - np.log(factor.diagonal() / sigma)
    return np.concatenate([np.zeros((*y.shape[:-1], 1)), np.cumsum(steps, axis=-1)], axis=-1)


def squared_radius(K: np.ndarray, y: np.ndarray, sigma: float, delta: float, c: float = 1.0) -> np.ndarray:
    r"""Return $R_t^2$ for t = 0, ..., n: $M_t\le1/\delta$ says $\sum_{s\le t}(f^*(x_s)-y_s)^2\le R_t^2$.

    $R_t^2=\sigma^2\big(y^\top(\sigma^2I+cK_t)^{-1}y+\ln\det(I+\tfrac c{\sigma^2}K_t)+2\ln\tfrac1\delta\big)$.

    Args:
        delta: failure probability; the others as in `log_mixture`.
    Source: Flynn & Reeb, Lemma 4.2 and eq. 8.
    """
    without = log_mixture(K, np.zeros_like(y), y, sigma, c)
    return 2.0 * sigma**2 * (np.log(1.0 / delta) - without)
