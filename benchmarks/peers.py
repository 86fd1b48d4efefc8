"""Other ways to run the same bandits: the papers' formulas as they stand, scikit-learn, BoTorch, bare BLAS.

Nothing here is shared with the fast forms except the problem, so that agreement means something. Each peer is
told the noise of every round and answers with the arms that it pulled.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from tvbo_core.kernels import SquaredExponential
from tvbo_core.records import Problem

WIDTH = 2.0  # index = mean + WIDTH * sd, everywhere in this benchmark


def noise(problem: Problem, seed: int) -> np.ndarray:
    """(T,) what `play` adds to the rewards with `play_rng(seed)`."""
    from tvbo_core.designs import play_rng

    return problem.noise_sd * play_rng(seed).standard_normal(problem.horizon)


def dense(problem: Problem, xi: np.ndarray, weigh: Callable) -> np.ndarray:
    r"""A bandit whose posterior is solved for anew in every round.

    Args:
        weigh: from (t, K, k), the kernel among the n past points (n, n) and between them and the arms (n, m),
            to what the paper puts in their place: $\tilde K+\lambda I$, $\tilde k$, the factor of y, and the
            rows that are kept.
    """
    T, gram = problem.horizon, problem.kernel(problem.x, problem.x)
    prior, arms, y = gram.diagonal(), np.empty(T, dtype=int), np.empty(T)
    for t in range(T):
        past = arms[:t]
        K, k, scale, rows = weigh(t, gram[np.ix_(past, past)], gram[past])
        mean, variance = np.zeros(len(gram)), prior
        if t:
            solved = cho_solve(cho_factor(K, lower=True), np.column_stack([k, scale * y[:t][rows]]))
            mean, variance = k.T @ solved[:, -1], prior - np.einsum("nm,nm->m", k, solved[:, :-1])
        arms[t] = np.argmax(mean + WIDTH * np.sqrt(np.maximum(variance, 0.0)))
        y[t] = problem.f[t, arms[t]] + xi[t]
    return arms


def time_varying(epsilon: float, ridge: float) -> Callable:
    """Bogunovic et al., eq. 5-8."""

    def weigh(t: int, K: np.ndarray, k: np.ndarray) -> tuple:
        i = np.arange(t)
        D = (1 - epsilon) ** (np.abs(i[:, None] - i) / 2)
        d = (1 - epsilon) ** ((t - i) / 2)
        return K * D + ridge * np.eye(t), d[:, None] * k, 1.0, slice(None)

    return weigh


def weighted(discount: float, ridge: float) -> Callable:
    """Deng et al., eq. 2-3, with the weights gamma^-s as they are printed."""

    def weigh(t: int, K: np.ndarray, k: np.ndarray) -> tuple:
        w = discount ** -np.arange(1.0, t + 1)
        root = np.sqrt(w)
        now = ridge * (w[-1] if t else 1.0)
        return root[:, None] * K * root + now * np.eye(t), root[:, None] * k, root, slice(None)

    return weigh


def windowed(window: int, ridge: float) -> Callable:
    """Zhou & Shroff: the last `window` observations."""

    def weigh(t: int, K: np.ndarray, k: np.ndarray) -> tuple:
        kept = slice(max(0, t - window), None)
        return K[kept, kept] + ridge * np.eye(min(t, window)), k[kept], 1.0, kept

    return weigh


def scikit_learn(problem: Problem, xi: np.ndarray, ridge: float) -> np.ndarray:
    """GP-UCB with a GaussianProcessRegressor that is fitted again in every round."""
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF

    kernel = RBF(_lengthscale(problem), "fixed")
    model = GaussianProcessRegressor(kernel, alpha=ridge, optimizer=None)
    arms, y = np.empty(problem.horizon, dtype=int), np.empty(problem.horizon)
    for t in range(problem.horizon):
        if t:
            model.fit(problem.x[arms[:t]], y[:t])
        mean, sd = model.predict(problem.x, return_std=True)
        arms[t] = np.argmax(mean + WIDTH * sd)
        y[t] = problem.f[t, arms[t]] + xi[t]
    return arms


def botorch(problem: Problem, xi: np.ndarray, ridge: float) -> np.ndarray:
    """GP-UCB with a SingleTaskGP that is conditioned on one more observation in every round."""
    import torch
    from botorch.models import SingleTaskGP
    from gpytorch.kernels import RBFKernel
    from gpytorch.means import ZeroMean

    torch.set_num_threads(1)
    x = torch.tensor(problem.x, dtype=torch.double)
    covariance = RBFKernel().double()
    covariance.lengthscale = _lengthscale(problem)
    arms = np.zeros(problem.horizon, dtype=int)  # every arm is as unknown as any other: the first one it is
    variance = torch.full((1, 1), ridge, dtype=torch.double)

    def heard(t: int) -> torch.Tensor:
        return torch.full((1, 1), problem.f[t, arms[t]] + xi[t], dtype=torch.double)

    with torch.no_grad():
        plain = {"outcome_transform": None, "covar_module": covariance, "mean_module": ZeroMean()}
        model = SingleTaskGP(x[:1], heard(0), variance, **plain).eval()
        for t in range(1, problem.horizon):
            posterior = model.posterior(x)
            index = posterior.mean + WIDTH * posterior.variance.sqrt()
            arms[t] = int(index[:, 0].argmax())
            model = model.condition_on_observations(x[arms[t], None], heard(t), noise=variance)
    return arms


def bare_products(arms: np.ndarray, m: int, distinct: bool) -> Callable[[], None]:
    """The matrix-vector products of a run: each round, n rows of m numbers times one vector of n.

    n counts the observations so far (the column of the covariance that the next one needs, from the rows of a
    growing triangular factor), or only the different arms among them.
    """
    seen, counts = set(), []
    for t, arm in enumerate(arms):
        counts.append(len(seen) if distinct else t)
        seen.add(int(arm))
    rows = np.random.default_rng(0).standard_normal((max(counts) + 1, m))

    def products() -> None:
        for n in counts:
            rows[:n, 0] @ rows[:n]

    return products


def _lengthscale(problem: Problem) -> float:
    if not isinstance(problem.kernel, SquaredExponential):
        raise TypeError("the peers are written for the squared-exponential kernel")
    return problem.kernel.lengthscale
