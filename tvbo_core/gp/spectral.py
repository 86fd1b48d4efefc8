"""Posteriors at every regulariser at once, from one eigendecomposition of the Gram matrix.

With $K = Q\\,\\mathrm{diag}(\\lambda)\\,Q^\\top$, mean, variance, log determinant and misfit at any
regulariser $\\alpha$ are sums over the eigenvalues; a `RegularisedFit` is what a band needs to know at one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from tvbo_core.validation import as_floats, check_kernel

if TYPE_CHECKING:
    from tvbo_core.kernels import Kernel

# Rounding moves an eigenvalue by about eps * tr K, which acts like changing B^2 by the share
# eps * tr K / alpha: at alpha = 1e-10 tr K five to six digits are left (against extended precision a width
# was wrong by at most 4e-6 of itself); below, a band could come out too narrow without any sign of it.
LEAST_REGULARISER = 1e-10
# Eigenvalues below this share of the largest count as 0: repeated points leave exact zeros, which come out of
# the decomposition at up to 2.5 eps (n = 200) and would pass for directions that explain noise.
ZERO_SHARE = 8 * np.finfo(float).eps
SHORT = 200  # observations whose decompositions are kept: 40 MB with 100 points


class BoundError(ValueError):
    """A bound that cannot be computed; its message is one sentence."""


@dataclass(frozen=True, eq=False)
class RegularisedFit:
    r"""Regularised least squares at one $\alpha$, for one time or (leading axis) for many.

    Attributes:
        alpha: the regulariser, reward^2.
        mean: (..., m) $\mu_\alpha(z)=k(z)^\top(K+\alpha I)^{-1}y$.
        sd: (..., m) $\rho_\alpha(z)$, $\rho^2=k(z,z)-k(z)^\top(K+\alpha I)^{-1}k(z)$.
        log_det: (...) $\ln\det(I+K/\alpha)$.
        misfit: (...) $y^\top(I+K/\alpha)^{-1}y$, reward^2.
        count: (...) number of observations t.
        trace: (...) tr K.
        prior: (m,) k(z, z).
    """

    alpha: float
    mean: np.ndarray
    sd: np.ndarray
    log_det: np.ndarray
    misfit: np.ndarray
    count: np.ndarray
    trace: np.ndarray
    prior: np.ndarray


@dataclass(frozen=True, eq=False)
class Spectrum:
    r"""The data seen through the eigenvectors of $K_t=Q\,\mathrm{diag}(\lambda)Q^\top$.

    Attributes:
        eigenvalues: (n,) $\lambda\ge0$, ascending; below the share `ZERO_SHARE` of the largest, exactly 0.
        y_rot: (n,) $Q^\top y$.
        cross: (n, m) $Q^\top k_t(Z)$.
        prior: (m,) k(z, z).
        beyond: (m,) prior variance that noiseless data at X would leave, $k(z,z)-k(z)^\top K^+k(z)\ge0$;
            exactly 0 at an observed point.
    """

    eigenvalues: np.ndarray
    y_rot: np.ndarray
    cross: np.ndarray
    prior: np.ndarray
    beyond: np.ndarray

    @property
    def n(self) -> int:
        return len(self.eigenvalues)

    @cached_property
    def trace(self) -> float:
        return float(self.eigenvalues.sum())

    def at(self, j: int | np.ndarray) -> Spectrum:
        """The same data with point j only, or with these points."""
        j = np.atleast_1d(j)
        return Spectrum(self.eigenvalues, self.y_rot, self.cross[:, j], self.prior[j], self.beyond[j])

    @cached_property
    def within(self) -> np.ndarray:
        r"""(n, m) $(Q^\top k(z))_i^2/\lambda_i$: prior variance at z along each eigenvector."""
        return _within(self.cross, self.eigenvalues)

    def variance(self, inverse: np.ndarray, alpha: np.ndarray) -> np.ndarray:
        r"""(p, m) $\rho^2_\alpha(z)$ from `inverse` (p, n) $=1/(\lambda+\alpha)$ and `alpha` (p,).

        Written as what data cannot reach plus $\alpha\sum_i(\text{within}_i)/(\lambda_i+\alpha)$: a sum of
        positive terms, where $k-k^\top(K+\alpha I)^{-1}k$ would cancel for small alpha.
        """
        return self.beyond + alpha[:, None] * (inverse @ self.within)

    def fit(self, alpha: float) -> RegularisedFit:
        """The regularised fit at one alpha.

        Raises:
            BoundError: alpha is below `LEAST_REGULARISER` times the trace of K.
        """
        check_regulariser(alpha, self.trace)
        inverse = 1.0 / (self.eigenvalues + alpha)
        variance = self.variance(inverse[None, :], np.array([alpha]))[0]
        return RegularisedFit(
            alpha=alpha,
            mean=(self.y_rot * inverse) @ self.cross,
            sd=np.sqrt(variance),
            log_det=np.log1p(self.eigenvalues / alpha).sum(),
            misfit=alpha * (self.y_rot**2 @ inverse),
            count=np.array(self.n),
            trace=np.array(self.trace),
            prior=self.prior,
        )


def check_regulariser(alpha: float, trace: float) -> None:
    """Complain when double precision cannot resolve a band at this regulariser.

    Raises:
        BoundError: alpha < `LEAST_REGULARISER` * trace.
    """
    if alpha < LEAST_REGULARISER * trace:
        raise BoundError(
            f"the regulariser {alpha:.2g} is too small for this kernel matrix (trace {trace:.3g}) in double "
            f"precision: it must be at least {LEAST_REGULARISER * trace:.2g}; raise sigma or the ridge, or lower c"
        )


def spectrum(kernel: Kernel, X: np.ndarray, y: np.ndarray, Z: np.ndarray) -> Spectrum:
    """Eigendecomposition of k(X, X) with the data and the points Z seen through it.

    Args:
        X: (n, d) inputs; n may be 0.   y: (n,) rewards.   Z: (m, d).
    Raises:
        ValueError: shapes disagree or a value is not finite.
    """
    return spectrum_from_gram(*gram(kernel, X, y, Z))


def gram(
    kernel: Kernel, X: np.ndarray, y: np.ndarray, Z: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """`(K (n, n), y (n,), k(X, Z) (n, m), k(z, z) (m,))`, checked once; n may be 0.

    Raises:
        ValueError: shapes disagree or a value is not finite.
    """
    check_kernel(kernel)
    X, y, Z = as_floats("X", X), as_floats("y", y), as_floats("Z", Z)
    if y.ndim != 1 or X.ndim != 2 or len(X) != len(y):
        raise ValueError(f"X must have shape (n, d) and y shape (n,), got {X.shape} and {y.shape}")
    if Z.ndim != 2 or (len(X) and X.shape[1] != Z.shape[1]):
        raise ValueError(f"Z must have shape (m, {X.shape[1]}), got {Z.shape}")
    if not (np.isfinite(X).all() and np.isfinite(y).all() and np.isfinite(Z).all()):
        raise ValueError("X, y and Z must be finite everywhere")
    prior = np.asarray(kernel.diag(Z), float)
    if len(y) == 0:  # no data: no kernel needs to know how to answer for an empty X
        return np.zeros((0, 0)), y, np.zeros((0, len(Z))), prior
    return kernel(X, X), y, kernel(X, Z), prior


def spectrum_from_gram(K: np.ndarray, y: np.ndarray, Kxz: np.ndarray, kzz: np.ndarray) -> Spectrum:
    """The same from the matrices: K (n, n), y (n,), Kxz (n, m), kzz (m,); n may be 0.

    Raises:
        ValueError: shapes disagree.
    """
    n, m = len(y), len(kzz)
    if K.shape != (n, n) or Kxz.shape != (n, m):
        raise ValueError(f"K and k(X, Z) must have shapes {(n, n)} and {(n, m)}, got {K.shape} and {Kxz.shape}")
    spec, Q = _without_rewards(K, Kxz, kzz)
    return replace(spec, y_rot=Q.T @ y)


def prefix_spectra(
    K: np.ndarray, y: np.ndarray, Kxz: np.ndarray, kzz: np.ndarray, times: Iterable[int] | None = None
) -> list[Spectrum]:
    """The spectra after these numbers of observations (0, 1, ..., n when left out); arrays as `spectrum_from_gram`.

    The decompositions do not depend on the rewards: another reward at the same places costs one product each, as long
    as there are at most `SHORT` of them, because they are kept.
    """
    if len(y) <= SHORT:
        at = _prefixes(len(y), K.tobytes(), Kxz.tobytes(), kzz.tobytes())
    else:

        def at(t: int) -> tuple[Spectrum, np.ndarray]:
            return _without_rewards(K[:t, :t], Kxz[:t], kzz)

    seen = ((t, *at(t)) for t in (range(len(y) + 1) if times is None else times))
    return [replace(spec, y_rot=Q.T @ y[:t]) for t, spec, Q in seen]


@lru_cache(maxsize=2)
def _prefixes(n: int, K: bytes, Kxz: bytes, kzz: bytes) -> Callable[[int], tuple[Spectrum, np.ndarray]]:
    """Return the decomposition of the first t observations as a function of t; each is made once."""
    prior = np.frombuffer(kzz)
    gram, cross = np.frombuffer(K).reshape(n, n), np.frombuffer(Kxz).reshape(n, len(prior))
    return cache(lambda t: _without_rewards(gram[:t, :t], cross[:t], prior))


def _without_rewards(K: np.ndarray, Kxz: np.ndarray, kzz: np.ndarray) -> tuple[Spectrum, np.ndarray]:
    """Return a spectrum without rewards, and the rotation Q (n, n) that is applied to them."""
    n = len(K)
    if n == 0:
        return Spectrum(np.zeros(0), np.zeros(0), np.zeros((0, len(kzz))), kzz, kzz), np.zeros((0, 0))
    eigenvalues, Q = np.linalg.eigh(K)
    eigenvalues[eigenvalues <= ZERO_SHARE * eigenvalues[-1]] = 0.0
    cross = Q.T @ Kxz
    # At an observed point x_j the rotated column is lambda_i Q_ji, which keeps the digits of small entries.
    nearest = Kxz.argmax(axis=0)
    observed = np.flatnonzero((K[:, nearest] == Kxz).all(axis=0) & (K[nearest, nearest] == kzz))
    cross[:, observed] = eigenvalues[:, None] * Q[nearest[observed]].T
    beyond = np.maximum(kzz - _within(cross, eigenvalues).sum(axis=0), 0.0)
    beyond[observed] = 0.0
    return Spectrum(eigenvalues, np.zeros(n), cross, kzz, beyond), Q


def _within(cross: np.ndarray, eigenvalues: np.ndarray) -> np.ndarray:
    real = eigenvalues > 0
    return cross**2 * (real / np.where(real, eigenvalues, 1.0))[:, None]
