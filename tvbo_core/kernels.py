"""Covariance functions: squared exponential, Matérn of smoothness up to 30, and a covariance matrix as a kernel.

A kernel is a frozen value: `k(X, Z)` is the (n, m) covariance of the points X (n, d) and Z (m, d), and
`k.diag(X)` the (n,) prior variances. Distances r = |x - z| come from differences, never from the expanded
square, so r is exactly 0 on repeated points. `ALL` lists the kernels that a World may name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import gammaln, kve

from tvbo_core.validation import as_floats, check_amount, is_number, is_positive, is_word

# exp(-z) times any power of z that occurs below is 0 in double precision from here on; clipping z keeps
# inf * 0 out of the closed forms and z inside the domain of `kve`.
_Z_MAX = 1e6
LARGEST_NU = 30.0  # K_nu overflows at ordinary distances soon above it


class Kernel(Protocol):
    """Anything with a cross-covariance and a prior variance."""

    def __call__(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        """(n, m) covariance of X (n, d) and Z (m, d)."""
        ...

    def diag(self, X: np.ndarray) -> np.ndarray:
        """(n,) prior variance k(x, x) of X (n, d)."""
        ...


@dataclass(frozen=True)
class SquaredExponential:
    r"""Squared exponential kernel.

    $k(x,z)=v\,e^{-r^2/(2\ell^2)}$, $r=\|x-z\|_2$.

    Attributes:
        lengthscale: $\ell>0$, in units of x.
        variance: $v>0$, in squared reward units.
    Raises:
        ValueError: a parameter is not positive and finite, or points are not finite (n, d) arrays of one d.
    Source: Iwazaki & Takeno, eq. 2.

    >>> x = np.array([[0.0], [0.2]])
    >>> np.round(tv.SquaredExponential(lengthscale=0.2)(x, x), 3).tolist()
    [[1.0, 0.607], [0.607, 1.0]]
    """

    lengthscale: float = 0.2
    variance: float = 1.0

    def __post_init__(self) -> None:
        _check_positive("lengthscale", self.lengthscale)
        _check_positive("variance", self.variance)

    def __call__(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        r = _scaled_distances(X, Z, self.lengthscale)
        return self.variance * np.exp(-0.5 * r * r)

    def diag(self, X: np.ndarray) -> np.ndarray:
        return np.full(len(as_points(X, "X")), float(self.variance))


@dataclass(frozen=True)
class Matern:
    r"""Matérn kernel of smoothness $\nu$.

    $k(x,z)=v\,\frac{2^{1-\nu}}{\Gamma(\nu)}\zeta^\nu K_\nu(\zeta)$, $\zeta=\sqrt{2\nu}\,r/\ell$, with
    $K_\nu$ the modified Bessel function of the second kind; closed forms at $\nu=1/2,3/2,5/2$;
    $\nu=\infty$ is the squared exponential.

    Attributes:
        nu: smoothness $\nu$ in (0, 30], or inf.
        lengthscale: $\ell>0$, in units of x.
        variance: $v>0$, in squared reward units.
    Raises:
        ValueError: a parameter is out of its range, or points are not finite (n, d) arrays of one d.
    Source: Iwazaki & Takeno, eq. 3.

    >>> x = np.array([[0.0], [0.2]])
    >>> np.round(tv.Matern(nu=0.5, lengthscale=0.2)(x, x), 3).tolist()
    [[1.0, 0.368], [0.368, 1.0]]
    """

    nu: float = 1.5
    lengthscale: float = 0.2
    variance: float = 1.0

    def __post_init__(self) -> None:
        if not (is_number(self.nu) and (0 < self.nu <= LARGEST_NU or self.nu == np.inf)):
            raise ValueError(f"nu must be in (0, {LARGEST_NU:g}], or inf for the squared exponential, got {self.nu!r}")
        _check_positive("lengthscale", self.lengthscale)
        _check_positive("variance", self.variance)

    def __call__(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return self.variance * _matern_correlation(_scaled_distances(X, Z, self.lengthscale), float(self.nu))

    def diag(self, X: np.ndarray) -> np.ndarray:
        return np.full(len(as_points(X, "X")), float(self.variance))


# Eigenvalues and asymmetries of a covariance matrix this far from 0, as a share of its largest entry, are rounding:
# in double precision far above that of a product A'A of any table we meet, far below a real error ...
ROUNDING_SHARE = 1e-10
# ... and in single precision so many times m of its epsilon.
SINGLE_ROUNDING = 4.0


@dataclass(frozen=True, eq=False)
class Tabulated:
    r"""A covariance matrix as a kernel: $k(i,j)=C_{ij}$.

    Points are arm indices 0..m-1, written as an (n, 1) float array so that tables and coordinates look alike.
    Two tables are equal only when they are the same object.

    Attributes:
        matrix: $C$, (m, m) covariance in squared reward units; kept as a read-only symmetric copy.
        jitter: squared reward units added to every variance. None: 0, but for a float32 or float16 matrix whose
            lowest eigenvalue rounding has pushed below 0 (one of low rank, mostly) as much as lifts it to 0, at most
            `SINGLE_ROUNDING` m eps max|C|; afterwards the field holds the number.
    Raises:
        ValueError: the matrix is not square, finite, symmetric and positive semidefinite up to rounding, the jitter
            is negative or not finite, or a point is not an arm index.

    >>> k = tv.Tabulated(np.array([[1.0, 0.5], [0.5, 2.0]]))
    >>> k(np.array([[0.0]]), np.array([[1.0]])).tolist(), k.diag(np.array([[1.0]])).tolist()
    ([[0.5]], [2.0])
    """

    matrix: np.ndarray
    jitter: float | None = None

    def __post_init__(self) -> None:
        check_amount("jitter", self.jitter, or_none=True)
        given = np.asarray(self.matrix)
        C = as_floats("a covariance matrix", given).copy()
        if C.ndim != 2 or C.shape[0] != C.shape[1] or C.size == 0:
            raise ValueError(f"a covariance matrix must have shape (m, m) with m >= 1, got {C.shape}")
        if not np.isfinite(C).all():
            raise ValueError("a covariance matrix must be finite everywhere")
        scale = np.abs(C).max()
        single = given.dtype in (np.float32, np.float16)
        share = SINGLE_ROUNDING * len(C) * float(np.finfo(given.dtype).eps) if single else ROUNDING_SHARE
        if np.abs(C - C.T).max() > share * scale:
            raise ValueError("a covariance matrix must be symmetric")
        C = 0.5 * (C + C.T)
        lowest = float(np.linalg.eigvalsh(C)[0])
        jitter = float(self.jitter or 0.0)
        if single and self.jitter is None and -share * scale <= lowest < -ROUNDING_SHARE * scale:
            jitter = -lowest
        if jitter:
            C.flat[:: len(C) + 1] += jitter
        if lowest + jitter < -ROUNDING_SHARE * scale:
            raise ValueError(
                f"a covariance matrix must have no negative eigenvalue, found {lowest:.3g}, which is more than "
                f"{'single' if single else 'double'} precision rounds away ({share * scale:.2g} here): "
                f"if it is meant so, add a jitter, Tabulated(matrix, jitter={-1.1 * lowest:.2g})"
            )
        object.__setattr__(self, "jitter", jitter)
        C.flags.writeable = False
        object.__setattr__(self, "matrix", C)

    def __call__(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return self.matrix[np.ix_(self._indices(X, "X"), self._indices(Z, "Z"))]

    def diag(self, X: np.ndarray) -> np.ndarray:
        return self.matrix.diagonal()[self._indices(X, "X")]

    def _indices(self, X: np.ndarray, name: str) -> np.ndarray:
        points = as_points(X, name)
        m = len(self.matrix)
        if points.shape[1] != 1 or ((points < 0) | (points > m - 1) | (points != np.rint(points))).any():
            raise ValueError(f"{name} must hold arm indices 0..{m - 1} in an (n, 1) array")
        return points[:, 0].astype(np.intp)


@dataclass(frozen=True)
class KernelEntry:
    r"""A kernel as `ALL` lists it.

    Attributes:
        name: of `World.kernel`.   title: as papers write it.
        make: returns the unit-variance kernel of a smoothness $\nu$ and a lengthscale.
        choices: a usual $\nu$ as it is written -> its value, at which theorems are then read.
        takes_nu: the kernel depends on $\nu$.
    """

    name: str
    title: str
    make: Callable[[float, float], Kernel]
    choices: Mapping[str, float]
    takes_nu: bool = False

    def smoothness(self, nu: float) -> float:
        r"""Return the $\nu$ at which theorems are read: that of a World, or the kernel's own where it takes none."""
        return nu if self.takes_nu else next(iter(self.choices.values()))


ALL: dict[str, KernelEntry] = {
    entry.name: entry
    for entry in (
        KernelEntry(
            "matern",
            "Matérn",
            lambda nu, ell: SquaredExponential(ell) if nu == np.inf else Matern(nu, ell),
            {"1/2": 0.5, "3/2": 1.5, "5/2": 2.5},
            takes_nu=True,
        ),
        KernelEntry("se", "SE", lambda nu, ell: SquaredExponential(ell), {"∞": np.inf}),
    )
}


def make_kernel(name: str, nu: float, lengthscale: float) -> Kernel:
    """The unit-variance kernel a World names: one of `ALL`, with smoothness nu ("matern" at inf gives "se").

    Raises:
        ValueError: no such kernel, or a parameter is out of range.

    >>> x = np.array([[0.0], [0.2]])
    >>> np.round(tv.make_kernel("matern", nu=2.5, lengthscale=0.2)(x, x), 3).tolist()
    [[1.0, 0.524], [0.524, 1.0]]
    """
    if not is_word(name, ALL):
        raise ValueError(f"kernel must be one of {', '.join(ALL)}, got {name!r}")
    return ALL[name].make(nu, lengthscale)


def as_points(X: np.ndarray, name: str) -> np.ndarray:
    """X as a finite float (n, d) array, d >= 1.

    Raises:
        ValueError: X has another shape or holds a value that is not finite.
    """
    points = as_floats(name, X)
    if points.ndim != 2 or points.shape[1] == 0:
        raise ValueError(f"{name} must have shape (n, d) with d >= 1, got {points.shape}")
    if not np.isfinite(points).all():
        raise ValueError(f"{name} must be finite everywhere")
    return points


def _check_positive(name: str, value: float) -> None:
    if not is_positive(value):
        raise ValueError(f"{name} must be positive and finite, got {value!r}")


def _scaled_distances(X: np.ndarray, Z: np.ndarray, lengthscale: float) -> np.ndarray:
    """(n, m) distances r / lengthscale, clipped where every kernel is already 0."""
    x, z = as_points(X, "X"), as_points(Z, "Z")
    if x.shape[1] != z.shape[1]:
        raise ValueError(f"X and Z must have the same d, got {x.shape[1]} and {z.shape[1]}")
    with np.errstate(over="ignore"):  # a tiny lengthscale may send r / lengthscale to inf; clipped next
        return np.minimum(cdist(x, z) / lengthscale, _Z_MAX)


def _matern_correlation(r: np.ndarray, nu: float) -> np.ndarray:
    """Unit-variance, unit-lengthscale Matérn kernel at distances r >= 0."""
    if nu == np.inf:
        return np.exp(-0.5 * r * r)
    z = np.minimum(np.sqrt(2.0 * nu) * r, _Z_MAX)
    if nu == 0.5:
        return np.exp(-z)
    if nu == 1.5:
        return (1.0 + z) * np.exp(-z)
    if nu == 2.5:
        return (1.0 + z + z * z / 3.0) * np.exp(-z)
    return _matern_bessel(z, nu)


def _matern_bessel(z: np.ndarray, nu: float) -> np.ndarray:
    r"""$\frac{2^{1-\nu}}{\Gamma(\nu)}z^\nu K_\nu(z)$ in log space, so that no factor overflows by itself."""
    # Near 0 the logarithms of z^nu and K_nu are large and cancel, and K_nu overflows: take the power series
    # 1 - z²/(4(nu - 1)) or just 1. What is left out is below 2e-14 (nu >= 3: z^4/64; nu >= 1: z² ln z).
    start = 1e-3 if nu >= 3.0 else 1e-8 if nu >= 1.0 else 0.0
    near = 1.0 - np.minimum(z, start) ** 2 / (4.0 * (nu - 1.0)) if nu >= 3.0 else np.ones_like(z)
    with np.errstate(over="ignore", divide="ignore"):
        bessel = kve(nu, z)  # e^z K_nu(z)
    far = (z > start) & np.isfinite(bessel)
    log_k = (1.0 - nu) * np.log(2.0) - gammaln(nu) + nu * np.log(z[far]) + np.log(bessel[far]) - z[far]
    near[far] = np.exp(np.minimum(log_k, 0.0))
    return near
