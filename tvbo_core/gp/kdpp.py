r"""k-determinantal point processes: k points out of N, the likelier the less they tell about one another.

$P(Z)=\det K_{ZZ}/e_k(\eta)$ for $|Z|=k$, with $\eta$ the eigenvalues of K and $e_k$ the elementary symmetric
polynomial of degree k. Side queries choose with it which old questions are worth asking again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np

from tvbo_core.validation import as_floats, check_rng, is_word


def kdpp(K: np.ndarray, size: int, rng: np.random.Generator, method: str = "exact", steps: int = 10_000) -> np.ndarray:
    r"""Numbers of `size` of the N points, drawn with probability proportional to $\det K_{ZZ}$.

    Points that are equal to an earlier one are left out first. When there are fewer different points, or the
    rank of K is smaller (no larger set has a positive determinant), the draw has as many as there are.

    Args:
        K: (N, N) covariance matrix of the points; N may be 0.
        size: how many points, at least 0.
        method: "exact" (eigenvectors), "mcmc" (Markov chain of `steps` lazy swaps from the greedy set),
            "greedy" (each the point with the largest remaining variance, ties by lot) or "random" (uniform
            sets, the rank of K is no limit).
    Returns:
        increasing indices.
    Raises:
        ValueError: K is not a covariance matrix, or size, method or steps is none of the above.
    Source: Mauduit et al., Definition 3.1; exact: Kulesza & Taskar (2012), Algorithms 7 and 8; chain: Burt
        et al. (2020), Algorithm 1, after Anari et al. (2016).

    >>> x = np.linspace(0, 1, 10)[:, None]
    >>> chosen = tv.kdpp(tv.SquaredExponential()(x, x), 3, np.random.default_rng(0))
    >>> len(chosen), bool((np.diff(chosen) > 0).all())
    (3, True)
    """
    return KDPP(K).sample(size, rng, method, steps)


@dataclass(frozen=True, eq=False)
class KDPP:
    """The points of one covariance matrix, prepared once to be drawn from often.

    Attributes:
        K: (N, N) covariance matrix.
    Raises:
        ValueError: K is not square, finite and symmetric, or holds a covariance that its variances do not
            allow; or, in an exact draw, it has a negative eigenvalue.
    """

    K: np.ndarray

    def __post_init__(self) -> None:
        K = as_floats("a covariance matrix", self.K)
        if K.ndim != 2 or K.shape[0] != K.shape[1] or not np.isfinite(K).all():
            raise ValueError(f"a covariance matrix must be finite and have shape (N, N), got shape {K.shape}")
        # 1e-10: far above the rounding of any table we meet, far below a real error (as in Tabulated).
        if K.size and (np.abs(K - K.T).max() > 1e-10 * np.abs(K).max() or K.diagonal().min() < 0):
            raise ValueError("a covariance matrix must be symmetric with no negative variance")
        variances = K.diagonal()
        # The cheap half of "no negative eigenvalue"; 1e-10 is rounding, as above.
        if (2.0 * np.abs(K) > (1.0 + 1e-10) * np.add.outer(variances, variances)).any():
            raise ValueError("a covariance must be no larger than the mean of the two variances")
        object.__setattr__(self, "K", K)

    def sample(self, size: int, rng: np.random.Generator, method: str = "exact", steps: int = 10_000) -> np.ndarray:
        """One draw, see `kdpp`."""
        _check_count("size", size)
        check_rng(rng)
        check_method(method, steps)
        return np.sort(self.distinct[_METHODS[method](self, int(size), rng, int(steps))])

    @cached_property
    def distinct(self) -> np.ndarray:
        """(n,) numbers of the points that are not equal to an earlier one."""
        variances = self.K.diagonal()
        pairs = np.add.outer(variances, variances)
        # |phi(x) - phi(z)|^2 = k(x,x) + k(z,z) - 2 k(x,z) is 0 up to the rounding of three terms.
        same = np.triu(pairs - 2.0 * self.K <= 4.0 * np.finfo(float).eps * pairs, 1)
        return np.flatnonzero(~same.any(axis=0))

    @cached_property
    def matrix(self) -> np.ndarray:
        """(n, n) covariance of the distinct points."""
        return self.K[np.ix_(self.distinct, self.distinct)]

    @cached_property
    def spectrum(self) -> tuple[np.ndarray, np.ndarray]:
        """Positive eigenvalues (r,) of `matrix` and their eigenvectors (n, r); r is its numerical rank."""
        if not self.matrix.size:
            return np.empty(0), np.empty((0, 0))
        values, vectors = np.linalg.eigh(self.matrix)
        if values[0] < -1e-10 * values[-1]:
            raise ValueError(f"a covariance matrix must have no negative eigenvalue, found {values[0]:.3g}")
        # Below this an eigenvalue is the rounding error of the largest.
        positive = values > len(values) * np.finfo(float).eps * values[-1]
        return values[positive], vectors[:, positive]

    @cached_property
    def _tables(self) -> dict[int, list[list[float]]]:
        return {}

    def chances(self, size: int) -> list[list[float]]:
        r"""Chance that eigenvector n is taken when l of the first n are to be, $\eta_ne_{l-1}(..)/e_l(..)$.

        Row n - 1, column l - 1, with l up to `size`; from `log_symmetric`, kept from draw to draw.
        """
        if size not in self._tables:
            values, table = self.spectrum[0], log_symmetric(self.spectrum[0], size)
            with np.errstate(invalid="ignore"):  # l > n has probability 0 and is never used
                self._tables[size] = np.exp(np.log(values)[:, None] + table[:-1, :-1] - table[1:, 1:]).tolist()
        return self._tables[size]


def check_method(method: Any, steps: Any) -> None:
    """Complain about a way to pick points that does not exist, or a chain without a length (ValueError)."""
    if not is_word(method, _METHODS):
        raise ValueError(f"a way to pick points must be one of {', '.join(_METHODS)}, got {method!r}")
    _check_count("steps", steps)


def log_symmetric(values: np.ndarray, size: int) -> np.ndarray:
    r"""Logarithms of the elementary symmetric polynomials, $\ln e_l(\eta_1,\dots,\eta_n)$.

    $e_l(\eta_1..\eta_n)=e_l(\eta_1..\eta_{n-1})+\eta_ne_{l-1}(\eta_1..\eta_{n-1})$; in logarithms, since
    $e_k$ of many eigenvalues leaves the range of floating point.

    Args:
        values: (N,) non-negative $\eta$.   size: largest degree k.
    Returns:
        (N+1, k+1), row n and column l; -inf where $e_l=0$.
    Source: Kulesza & Taskar (2012), Algorithm 7.
    """
    table = np.full((len(values) + 1, size + 1), -np.inf)
    table[:, 0] = 0.0
    with np.errstate(divide="ignore"):  # an eigenvalue 0 has logarithm -inf, as it should
        logs = np.log(np.asarray(values, dtype=float))
    for degree in range(1, size + 1):
        np.logaddexp.accumulate(logs + table[:-1, degree - 1], out=table[1:, degree])
    return table


def _check_count(name: str, value: Any) -> None:
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{name} must be a whole number from 0, got {value!r}")


def _exact(points: KDPP, size: int, rng: np.random.Generator, steps: int) -> np.ndarray:
    """Choose eigenvectors with the elementary symmetric polynomials, then points of their projection."""
    return _projection(points.spectrum[1][:, _eigenvectors(points, size, rng)], rng)


def _eigenvectors(points: KDPP, size: int, rng: np.random.Generator) -> list[int]:
    """The numbers of the eigenvectors that are taken."""
    rank = len(points.spectrum[0])
    left = size = min(size, rank)
    chances, indices = points.chances(size), []
    for n in range(rank, 0, -1):
        if left and (left == n or rng.random() < chances[n - 1][left - 1]):
            indices.append(n - 1)
            left -= 1
    return indices


def _projection(V: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    r"""A draw of the DPP of $VV^\top$, V (n, k) orthonormal: its Cholesky factor with pivots by lot."""
    n, k = V.shape
    rows, signed = np.empty((2 * k, n)), np.empty((2 * k, n))  # V, then the factor, which is taken away
    rows[:k] = signed[:k] = V.T
    residual: np.ndarray = np.einsum("kn,kn->n", rows[:k], rows[:k])
    picked: list[int] = []
    for j, lot in enumerate(rng.random((k,)).tolist(), k):
        picked.append(i := _by_lot(residual.cumsum(), lot))
        row = signed[:j, i] @ rows[:j] / np.sqrt(residual[i])
        rows[j], signed[j] = row, -row
        residual = np.maximum(residual - row * row, 0.0)
        residual[i] = 0.0  # and there it stays
    return np.array(picked, dtype=np.intp)


def _by_lot(total: np.ndarray, lot: float) -> int:
    """The index that a lot from [0, 1) draws by weight, given the running totals of the weights."""
    # A lot below the last total and side="right" never land on a weight of 0.
    last, lot = total[-1], lot * total[-1]
    return int(total.searchsorted(lot if lot < last else np.nextafter(last, 0.0), side="right"))


def _greedy(points: KDPP, size: int, rng: np.random.Generator, steps: int) -> np.ndarray:
    """Largest remaining variance first (pivoted Cholesky), until nothing but rounding error remains."""
    K, n = points.matrix, len(points.matrix)
    residual = K.diagonal().copy()
    least = n * np.finfo(float).eps * residual.max(initial=0.0)
    factor, picked = np.zeros((n, min(size, n))), []
    for j in range(min(size, n)):
        if not (top := residual.max()) > least:
            break
        # 1e-9: points of a symmetric design tie on paper, and rounding must not choose between them.
        best = np.flatnonzero(residual >= (1.0 - 1e-9) * top)
        i = int(best[0] if len(best) == 1 else rng.choice(best))  # the lot of one takes nothing from the stream
        picked.append(i)
        factor[:, j] = (K[:, i] - factor[:, :j] @ factor[i, :j]) / np.sqrt(residual[i])
        residual = np.maximum(residual - factor[:, j] ** 2, 0.0)
        residual[picked] = 0.0
    return np.array(picked, dtype=np.intp)


def _mcmc(points: KDPP, size: int, rng: np.random.Generator, steps: int) -> np.ndarray:
    r"""Lazy swaps: propose $Z'=Z\setminus i\cup j$, take it by $\frac12\min\{1,\det K_{Z'}/\det K_Z\}$.

    It is run from one accepted swap to the next: the number of proposals in between is geometric, and all
    ratios of a state come from one inverse, $\det K_{Z'}/\det K_Z=A_{ii}s^2(j)+(AK_{Zj})_i^2$ with
    $A=K_{ZZ}^{-1}$ and $s^2(j)$ what Z leaves unexplained of j. The law is that of the proposals one by one.
    """
    K, inside = points.matrix, _greedy(points, size, rng, steps)
    outside = np.setdiff1d(np.arange(len(K)), inside)
    if not (inside.size and outside.size):
        return inside
    variances = K.diagonal()
    jitter = 1e-12 * variances.max() * np.eye(len(inside))
    while True:
        Kzo = K[inside[:, None], outside]
        A = np.linalg.inv(K[inside[:, None], inside] + jitter)
        W = A @ Kzo
        unexplained = np.maximum(variances[outside] - np.einsum("ij,ij->j", Kzo, W), 0.0)
        accept = 0.5 * np.minimum(np.outer(A.diagonal(), unexplained) + W * W, 1.0)
        total = np.cumsum(accept)
        chance = total[-1] / accept.size
        # A chain that stays where it is for 1e15 proposals stays there.
        steps -= int(rng.geometric(chance)) if chance > 1e-15 else steps + 1
        if steps < 0:
            return inside
        i, j = divmod(_by_lot(total, rng.random()), len(outside))
        inside[i], outside[j] = outside[j], inside[i]


def _random(points: KDPP, size: int, rng: np.random.Generator, steps: int) -> np.ndarray:
    """Every set of distinct points equally likely."""
    n = len(points.distinct)
    return rng.choice(n, size=min(size, n), replace=False) if n else np.empty(0, dtype=np.intp)


_METHODS: dict[str, Callable[[KDPP, int, np.random.Generator, int], np.ndarray]] = {
    "exact": _exact,
    "mcmc": _mcmc,
    "greedy": _greedy,
    "random": _random,
}
