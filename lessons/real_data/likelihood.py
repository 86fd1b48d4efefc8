r"""The marginal likelihood of the rate of change $\epsilon$ given one observation per round.

In the Markov model $f_{t+1}=\sqrt{1-\epsilon}f_t+\sqrt\epsilon g_{t+1}$ the observations are jointly Gaussian with
covariance $K\circ D+\sigma^2I$, $D_{ij}=(1-\epsilon)^{|t_i-t_j|/2}$. Each round tells of one arm only, as a bandit
would hear it: fitting to all arms of all rounds at once claims far more data than there are.

Source: Bogunovic et al. (2016), Appendix B, eq. 24-25.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve, toeplitz
from scipy.optimize import minimize_scalar

from lessons.real_data.stacks import KalmanStack
from tvbo_core.gp.memory import Markov
from tvbo_core.records import History

MAX_ROUNDS = 500  # a dense likelihood costs n^3; the latest rounds of a longer past are used
MAX_FILTERED_ARMS = 40  # arms up to which the filter of all epsilons together is cheaper than their dense likelihoods
LIKELIHOOD_DROP = 1.92  # of the log-likelihood: half the 95 % point of chi^2 with one degree of freedom
FINE = 20_001  # places at which an interval may end: each is 0.06 % above the one before
NEXT_TO_NEVER = 1e-5  # place of 0, which has no logarithm
# 0 is "never changes"; below 1e-4 the memory is longer than any table here, from 0.99 on there is none.
EPSILON_GRID = (0.0, *np.geomspace(1e-4, 0.99, 37).tolist())


@dataclass(frozen=True, eq=False)
class EpsilonFit:
    r"""Estimate of $\epsilon$ with its likelihood.

    Attributes:
        epsilon: where the likelihood is highest.
        low, high: ends of the likelihood interval, where the log-likelihood is `LIKELIHOOD_DROP` below its maximum;
            an end of the grid where it does not fall so far.
        grid: (G,) values of $\epsilon$, the first is 0.   curve: (G,) log-likelihood there.
        best: log-likelihood at `epsilon`.
        rounds: number of observations used.
    """

    epsilon: float
    low: float
    high: float
    grid: np.ndarray
    curve: np.ndarray
    best: float
    rounds: int


def filtered_log_likelihood(
    gram: np.ndarray, arms: np.ndarray, y: np.ndarray, epsilon: np.ndarray, noise_variance: float
) -> np.ndarray:
    r"""Return the log-likelihood (G,) of one observation in each of the rounds 0, 1, ..., one round at a time.

    $\ell=\sum_t\ln N(y_t;\mu_t(x_t),s_t^2(x_t)+\sigma^2)$ along the Kalman filter on the m arms; linear in n.

    Args:
        gram: (m, m) prior covariance of all arms.   arms: (n,) asked.   y: (n,).
        epsilon: (G,) in [0, 1].
    Source: chain rule for eq. 24.
    """
    stack = KalmanStack(gram, np.full(len(epsilon), noise_variance), [Markov(float(e)) for e in epsilon], len(y))
    twice = np.zeros(len(epsilon))  # -2 times the log-likelihood
    for t, (arm, reward) in enumerate(zip(arms, y, strict=True)):
        if t:
            stack.fade()
        surprise, variance = stack.observe(np.full(len(epsilon), arm), reward)
        twice += surprise * surprise / variance + np.log(2 * math.pi * variance)
    return -0.5 * twice


def fit_epsilon(history: History) -> EpsilonFit:
    r"""Return the $\epsilon$ under which the latest `MAX_ROUNDS` rewards are most likely, with its interval.

    Raises:
        ValueError: fewer than 2 rounds, or C is singular in double precision.
    """
    n = min(len(history.y), MAX_ROUNDS)
    if n < 2:
        raise ValueError(f"the likelihood of epsilon needs at least 2 rounds, got {n}")
    problem = history.problem
    X, y = history.X[-n:], history.y[-n:]
    noise, gram = problem.noise_sd**2, problem.kernel(X, X)

    def value(epsilon: float) -> float:
        return _value(gram, y, epsilon, noise)

    grid = np.array(EPSILON_GRID)
    if problem.x.ndim == 2 and len(problem.x) <= MAX_FILTERED_ARMS and n > len(problem.x):
        ahead = filtered_log_likelihood(problem.kernel(problem.x, problem.x), history.arms[-n:], y, grid[1:], noise)
        curve = np.append(value(0.0), ahead)  # where C is worst conditioned, the dense form says what is wrong
    else:
        curve = np.array([value(e) for e in grid])
    top = int(curve.argmax())
    epsilon, best = float(grid[top]), float(curve[top])
    if top > 0:
        ends = np.log(grid[max(top - 1, 1)]), np.log(grid[min(top + 1, len(grid) - 1)])
        found = minimize_scalar(lambda u: -value(math.exp(u)), bounds=ends, method="bounded", options={"xatol": 1e-3})
        if -found.fun > best:
            epsilon, best = float(math.exp(found.x)), float(-found.fun)
    low, high = _interval(grid, curve, epsilon, best)
    return EpsilonFit(epsilon, low, high, grid, curve, best, n)


def _value(gram: np.ndarray, y: np.ndarray, epsilon: float, noise: float) -> float:
    """Return eq. 24 for rounds that follow each other."""
    n = len(y)
    C = gram * toeplitz(np.exp(0.5 * np.arange(n) * math.log1p(-epsilon)))
    C.flat[:: n + 1] += noise
    try:
        factor = cho_factor(C.T, lower=True, overwrite_a=True, check_finite=False)  # symmetric, in LAPACK's order
    except np.linalg.LinAlgError as problem:
        raise ValueError(f"a noise variance of {noise:.3g} is too small for this table; raise the noise") from problem
    quadratic = float(y @ cho_solve(factor, y, check_finite=False))
    return -0.5 * quadratic - float(np.log(factor[0].diagonal()).sum()) - 0.5 * n * math.log(2 * math.pi)


def _interval(grid: np.ndarray, curve: np.ndarray, epsilon: float, best: float) -> tuple[float, float]:
    """Return the ends of where the curve, by straight lines in ln epsilon, is above its best less `LIKELIHOOD_DROP`."""
    places = np.maximum(np.append(grid, epsilon), NEXT_TO_NEVER)
    order = np.argsort(places, kind="stable")
    fine = np.append(np.geomspace(NEXT_TO_NEVER, grid[-1], FINE), places[-1])
    height = np.interp(np.log(fine), np.log(places[order]), np.append(curve, best)[order])
    inside = fine[height >= best - LIKELIHOOD_DROP]
    low = float(inside.min())
    return 0.0 if low == NEXT_TO_NEVER else low, float(inside.max())
