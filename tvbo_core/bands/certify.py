r"""The confidence bound as a conic program: slow, independent of the dual, an oracle and never the hot path.

$\max/\min\ f(z)$ over $\|f\|_{\mathcal H}\le B,\ \sum_s(f(x_s)-y_s)^2\le R_t^2$ (Flynn & Reeb, eq. 8 and 10).

>>> k, X, y = tv.Matern(1.5), np.array([[0.2], [0.7]]), np.array([1.0, -0.5])
>>> low, high = tv.certify.socp_bounds(k, X, y, np.array([0.2]), 3.0, 0.1, 0.01)
>>> abs(high - float(tv.CMM(B=3.0, sigma=0.1, delta=0.01, c=1.0).band(k, X, y, X).upper[0])) < 1e-6
True
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from tvbo_core.bands.base import Mixture
from tvbo_core.gp.spectral import BoundError, gram
from tvbo_core.validation import as_floats

if TYPE_CHECKING:
    from tvbo_core.kernels import Kernel

# The solver aims at 1e-9 (of B for the weights, of R_t for the misfit), a thousand times finer than the 1e-6
# at which its answer is compared; the few programs it cannot polish so far are solved again to 1e-8.
SOLVER_TOLERANCES = (1e-9, 1e-8)
# Directions of the joint kernel matrix below this share of its largest eigenvalue are rounding noise: nothing
# that double precision knows about f lives there.
RANK = 1e-13


def socp_bounds(
    kernel: Kernel,
    X: np.ndarray,
    y: np.ndarray,
    z: np.ndarray,
    B: float,
    sigma: float,
    delta: float,
    c: float = 1.0,
) -> tuple[float, float]:
    r"""Smallest and largest value at z of any function in the confidence set, by a conic solver.

    The optimum lies in the span of $k(\cdot,x_1),\dots,k(\cdot,x_t),k(\cdot,z)$. With an eigen-square-root
    $\Phi\Phi^\top$ of their kernel matrix, $f=\Phi w$ and the program is
    $\max\ \varphi_z^\top w$ subject to $\|w\|\le B$, $\|\Phi_tw-y\|\le R_t$, with
    $R_t^2=y^\top(I+\tfrac{c}{\sigma^2}K)^{-1}y+\sigma^2\ln\det(I+\tfrac{c}{\sigma^2}K)
    +2\sigma^2\ln\tfrac1\delta$.

    Args:
        X: (n, d) inputs; n may be 0.   y: (n,) rewards.   z: (d,) one point.
        B: norm bound.   sigma: noise sd.   delta: failure probability.   c: covariance scale.
    Returns:
        (lower, upper), reward units.
    Raises:
        ValueError: shapes disagree or a value is not finite.
        BoundError: no function satisfies the assumptions and the data, or the solver fails.
    Source: Flynn & Reeb, eq. 8 and 10.
    """
    Mixture(B, sigma, delta, c)  # refuses what is out of its range
    z = as_floats("z", z)
    if z.ndim != 1:
        raise ValueError(f"z must be one point of shape (d,), got {z.shape}")
    K, y, Kxz, kzz = gram(kernel, X, y, z[None])
    n = len(y)
    joint = np.block([[K, Kxz], [Kxz.T, kzz[:, None]]])
    eigenvalues, Q = np.linalg.eigh(joint)
    kept = eigenvalues > RANK * max(eigenvalues[-1], 0.0)
    phi = Q[:, kept] * np.sqrt(eigenvalues[kept])
    if kzz[0] <= 0:
        return 0.0, 0.0  # every function of the space is 0 at z
    radius = np.sqrt(_radius_sq(K, y, sigma, delta, c)) if n else None
    upper = _largest(phi[n], phi[:n], y, radius, B)
    lower = -_largest(-phi[n], phi[:n], y, radius, B)
    return lower, upper


def _radius_sq(K: np.ndarray, y: np.ndarray, sigma: float, delta: float, c: float) -> float:
    """Eq. 8, by a solve and a determinant (not by the eigenvalues the dual uses)."""
    A = np.eye(len(y)) + c / sigma**2 * K
    return float(y @ np.linalg.solve(A, y) + sigma**2 * (np.linalg.slogdet(A)[1] - 2.0 * np.log(delta)))


def _largest(objective: np.ndarray, phi: np.ndarray, y: np.ndarray, radius: float | None, B: float) -> float:
    """max objective'w over |w| <= B and |phi w - y| <= radius.

    Solved in units of B for the weights and of the radius for the misfit, so that one solver tolerance is
    fair to both constraints; the data enter through a QR factor of (phi, y), which keeps the program at most
    rank + 1 rows tall and its misfit exactly the same.
    """
    cp = _cvxpy()

    w = cp.Variable(len(objective))  # in units of B
    constraints = [cp.norm(w) <= 1.0]
    if radius is not None:
        R: np.ndarray = np.linalg.qr(np.column_stack([phi * B, y]), mode="r")  # type: ignore[assignment]  # "r": R alone
        R = R / radius
        constraints.append(cp.norm(R[:, :-1] @ w - R[:, -1]) <= 1.0)
    size = float(np.linalg.norm(objective))
    problem = cp.Problem(cp.Maximize((objective / size) @ w), constraints)
    status = ""
    for aim in SOLVER_TOLERANCES:
        status = _solve(problem, aim)
        if status == "optimal":
            return float(problem.value) * B * size
        if status.startswith("infeasible"):
            raise BoundError("no function satisfies the assumptions and the data: the confidence set is empty")
    raise BoundError(f"the conic solver stopped without an answer at this point ({status})")


def _cvxpy() -> Any:
    try:
        import cvxpy
    except ImportError as missing:
        sentence = "the conic program needs a package that is not installed; run: pip install cvxpy clarabel"
        raise ImportError(sentence) from missing
    return cvxpy


def _solve(problem: Any, aim: float) -> str:
    """Run the solver; its status, or "failed"."""
    cp = _cvxpy()

    settings = dict.fromkeys(("tol_gap_abs", "tol_gap_rel", "tol_feas"), aim)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Solution may be inaccurate")  # the status says it too
            problem.solve(solver=cp.CLARABEL, **settings)
    except cp.SolverError:
        return "failed"
    return problem.status
