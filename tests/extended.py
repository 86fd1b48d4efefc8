"""The papers' formulas at fifty digits: what the float64 core is held against on ill-conditioned cases.

Points, rewards and variances are taken as the exact numbers their floats are; kernel, solves and logarithms are
computed anew with mpmath, so that nothing here shares a rounding with the core.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from mpmath import mp, mpf

from tvbo_core.kernels import Kernel, SquaredExponential

mp.dps = 50
EPS = mpf(2) ** -52


def correlation(kernel: Kernel, x: np.ndarray, z: np.ndarray) -> mpf:
    """k(x, z) of a squared exponential or a Matérn 3/2 kernel at two points (d,)."""
    r2 = mp.fsum((mpf(float(a)) - mpf(float(b))) ** 2 for a, b in zip(x, z, strict=True))
    length, variance = mpf(float(kernel.lengthscale)), mpf(float(kernel.variance))
    if isinstance(kernel, SquaredExponential):
        return variance * mp.exp(-r2 / (2 * length**2))
    zeta = mp.sqrt(3 * r2) / length
    return variance * (1 + zeta) * mp.exp(-zeta)


def gram(kernel: Kernel, X: np.ndarray, Z: np.ndarray) -> mp.matrix:
    """(n, m) covariance."""
    return mp.matrix([[correlation(kernel, x, z) for z in Z] for x in X])


@dataclass(frozen=True)
class Exact:
    r"""A posterior at fifty digits, with how much a backward-stable float64 solve may miss it by.

    A solve that is exact for $A+E$, $\|E\|\le c\epsilon\|A\|$, moves $k^\top A^{-1}y$ by at most
    $\|E\|\,\|A^{-1}k\|\,\|A^{-1}y\|$ and $k^\top A^{-1}k$ by $\|E\|\,\|A^{-1}k\|^2$ to first order; the largest
    row sum stands for $\|A\|$. Higham (2002), Thm 10.4: c is of the order of n for a Cholesky solve; 2 n includes
    the rounding of the kernel.
    """

    mean: mpf
    variance: mpf
    mean_error: mpf
    variance_error: mpf


class PreciseData:
    """Observations (X, y) with noise variances, at fifty digits."""

    def __init__(self, kernel: Kernel, X: np.ndarray, y: np.ndarray, noise: np.ndarray | float) -> None:
        self.kernel, self.X, self.n = kernel, X, len(y)
        self.y = mp.matrix([mpf(float(v)) for v in y])
        self.K = gram(kernel, X, X)
        self.A = self.K + mp.diag([mpf(float(v)) for v in np.broadcast_to(noise, (self.n,))])

    @cached_property
    def solved(self) -> mp.matrix:
        return mp.lu_solve(self.A, self.y)

    @cached_property
    def size(self) -> mpf:
        return mp.mnorm(self.A, mp.inf)

    def at(self, z: np.ndarray) -> Exact:
        """The posterior at one point (d,)."""
        k = gram(self.kernel, self.X, z[None, :])
        prior = correlation(self.kernel, z, z)
        a = mp.lu_solve(self.A, k)
        slip = 2 * self.n * EPS * self.size
        return Exact(
            mean=(k.T * self.solved)[0],
            variance=prior - (k.T * a)[0],
            mean_error=slip * mp.norm(a) * mp.norm(self.solved),
            variance_error=slip * mp.norm(a) ** 2 + 2 * self.n * EPS * prior,
        )


def log_det(K: mp.matrix, noise: np.ndarray | float) -> mpf:
    r"""$\ln\det(I+N^{-1/2}KN^{-1/2})$."""
    n = K.rows
    root = [1 / mp.sqrt(mpf(float(v))) for v in np.broadcast_to(noise, (n,))]
    scaled = mp.matrix([[root[i] * K[i, j] * root[j] for j in range(n)] for i in range(n)]) + mp.eye(n)
    return mp.log(mp.det(scaled))


class Spectral:
    r"""The dual curve $h_\alpha(z)$ at fifty digits, from one eigendecomposition at fifty digits."""

    def __init__(self, kernel: Kernel, X: np.ndarray, y: np.ndarray, B: float, sigma: float, delta: float) -> None:
        data = PreciseData(kernel, X, y, 1.0)
        self.kernel, self.X = kernel, X
        self.B, self.sigma, self.delta = (mpf(float(v)) for v in (B, sigma, delta))
        self.values, self.Q = mp.eigsy(data.K)
        self.y = self.Q.T * data.y
        self.n, self.trace = len(y), mp.fsum(self.values)

    def log_det(self, alpha: mpf) -> mpf:
        return mp.fsum(mp.log(1 + max(v, mpf(0)) / alpha) for v in self.values)

    def posterior(self, k: mp.matrix, prior: mpf, alpha: mpf) -> tuple[mpf, mpf]:
        """Mean and sd at a point with rotated covariances k (n, 1)."""
        mean = mp.fsum(k[i] * self.y[i] / (self.values[i] + alpha) for i in range(self.n))
        return mean, mp.sqrt(max(prior - mp.fsum(k[i] ** 2 / (self.values[i] + alpha) for i in range(self.n)), mpf(0)))

    def rotated(self, z: np.ndarray) -> tuple[mp.matrix, mpf]:
        return self.Q.T * gram(self.kernel, self.X, z[None, :]), correlation(self.kernel, z, z)

    def radius_sq(self, alpha: mpf, c: float = 1.0) -> mpf:
        r"""$\tilde R_\alpha^2=R_t^2+\alpha B^2-y^\top(I+K/\alpha)^{-1}y$, with $R_t^2$ at $\sigma^2/c$."""
        anchor = self.sigma**2 / mpf(c)

        def misfit(at: mpf) -> mpf:
            return mp.fsum(self.y[i] ** 2 * at / (at + self.values[i]) for i in range(self.n))

        evidence = self.sigma**2 * (self.log_det(anchor) + 2 * mp.log(1 / self.delta))
        return evidence + misfit(anchor) + alpha * self.B**2 - misfit(alpha)

    def unreached(self, z: np.ndarray, alpha: mpf) -> mpf:
        r"""How far float64 may miss the sd at z, as a share of it, through what noiseless data cannot reach.

        $k(z,z)-k^\top K^+k$ is a difference: K wrong by $n\epsilon\,\mathrm{tr}K$ moves it by that times
        $\|K^+k\|^2$, which is of the order of 1 between the data and large far outside of them. Eigenvalues
        that double precision takes for 0 (8 eps of the largest) are left out.
        """
        k, prior = self.rotated(z)
        real = [i for i in range(self.n) if self.values[i] > 8 * EPS * max(self.values)]
        weights = mp.fsum((k[i] / self.values[i]) ** 2 for i in real)
        return self.n * EPS * self.trace * weights / (2 * self.posterior(k, prior, alpha)[1] ** 2)

    def lowest(self, z: np.ndarray, side: int, low: mpf, high: mpf) -> tuple[mpf, mpf]:
        r"""The lowest point of the curve over $[\text{low},\text{high}]$ and its alpha: a grid, then golden section.

        The curve is that of the upper bound (side 1) or of minus the lower one (side -1).
        """
        k, prior = self.rotated(z)

        def h(u: mpf) -> mpf:
            alpha = mp.exp(u)
            mean, sd = self.posterior(k, prior, alpha)
            return side * mean + mp.sqrt(max(self.radius_sq(alpha), mpf(0)) / alpha) * sd

        grid = mp.linspace(mp.log(low), mp.log(high), 81)
        values = [h(u) for u in grid]
        best = min(range(81), key=values.__getitem__)
        a, b = grid[max(best - 1, 0)], grid[min(best + 1, 80)]
        ratio = (mp.sqrt(5) - 1) / 2
        for _ in range(60):  # leaves 1e-12 of a bracket: the curve is flat there to 1e-24
            left, right = b - ratio * (b - a), a + ratio * (b - a)
            a, b = (a, right) if h(left) < h(right) else (left, b)
        return min((h((a + b) / 2), mp.exp((a + b) / 2)), (values[best], mp.exp(grid[best])))
