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
