r"""Fixed designs: which arms are asked, and what is observed, $y_t=f_t(x_t)+\xi_t$ (Gaussian noise).

Every design draws the noise of the whole horizon first, so that with equally seeded generators all designs
hear the same noise in the same round, whatever they ask and however many rounds they play.

>>> problem = tv.make_problem(tv.World(horizon=40, arms=15))
>>> history = tv.observe.random_design(problem, 10, tv.observe.play_rng(0))
>>> history.arms.shape, history.y.shape
((10,), (10,))
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tvbo_core.gp.rank_one import RankOne
from tvbo_core.records import History, Problem
from tvbo_core.validation import check_rng, is_whole, short_repr

PLAY_STREAM = 2  # worlds/make.py uses 0 and 3 of the same seed


def play_rng(seed: int) -> np.random.Generator:
    """The stream of chance of the play in the world of this seed; the world itself never uses it."""
    return np.random.default_rng([seed, PLAY_STREAM])


def observe(problem: Problem, arms: Sequence[int] | np.ndarray, rng: np.random.Generator) -> History:
    r"""Observe arm `arms[t]` in round t, for the first n rounds: $y_t=f_t(x_t)+\xi_t$.

    Args:
        arms: (n,) arm numbers, n at most the horizon.
    Raises:
        ValueError: too many rounds, or an arm that does not exist.
    """
    _rounds(problem, 0)
    return _history_of(problem, np.asarray(arms), noise_of(problem, rng))


def random_design(problem: Problem, n: int, rng: np.random.Generator) -> History:
    """n rounds with an arm picked uniformly in each."""
    n, noise = _rounds(problem, n), noise_of(problem, rng)
    return _history_of(problem, rng.integers(problem.f.shape[1], size=n), noise)


def clustered_design(
    problem: Problem,
    n: int,
    rng: np.random.Generator,
    intervals: Sequence[tuple[float, float]] | None = None,
) -> History:
    """n rounds with an arm picked uniformly among those whose first coordinate lies in one of the intervals.

    The default is that of Flynn & Reeb's Figure 1, [-.8, -.2] and [.2, .8] for arms on [-1, 1], carried to
    wherever the arms lie: from 10 to 40 and from 60 to 90 percent of the way.

    Raises:
        ValueError: no arm lies there, or the arms are fresh in every round.
    """
    n, noise = _rounds(problem, n), noise_of(problem, rng)
    first = _fixed_arms(problem)[:, 0]
    if intervals is None:
        low, span = float(first.min()), float(np.ptp(first))
        intervals = [(low + a * span, low + b * span) for a, b in ((0.1, 0.4), (0.6, 0.9))]
    inside = np.zeros(len(first), dtype=bool)
    for low, high in intervals:
        # Decimal ends should include the grid point that is equal to them up to rounding.
        inside |= (first >= low - 1e-9) & (first <= high + 1e-9)
    if not inside.any():
        spans = [tuple(map(float, interval)) for interval in intervals]
        raise ValueError(
            f"no arm has its first coordinate in {spans}; they lie from {first.min():g} to {first.max():g}"
        )
    return _history_of(problem, rng.choice(np.flatnonzero(inside), size=n), noise)


def ucb_design(problem: Problem, n: int, rng: np.random.Generator, width: float = 2.0) -> History:
    r"""n rounds of GP-UCB, which asks the first arm with the largest $\mu_t(x)+\text{width}\cdot s_t(x)$.

    The posterior keeps all its past with the problem's noise variance as ridge: an adaptive design, not a
    competitor of the race. A noiseless problem uses a millionth of the largest prior variance.

    Source: Srinivas et al. (2010), Algorithm 1.
    """
    n, noise = _rounds(problem, n), noise_of(problem, rng)
    x = _fixed_arms(problem)
    gram = problem.kernel(x, x)
    ridge = problem.noise_sd**2 or 1e-6 * float(gram.diagonal().max())
    state, arms = RankOne(gram), np.empty(n, dtype=int)
    for t in range(n):
        arms[t] = np.argmax(state.mean + width * state.sd)
        state.learn(int(arms[t]), problem.f[t, arms[t]] + noise[t], ridge)
    return _history_of(problem, arms, noise)


def noise_of(problem: Problem, rng: np.random.Generator) -> np.ndarray:
    """(T,) noise of every round, drawn before anything else."""
    check_rng(rng)
    return problem.noise_sd * rng.standard_normal(problem.horizon)


def _rounds(problem: Problem, n: int) -> int:
    if not isinstance(problem, Problem):
        raise ValueError(f"problem must be a Problem, as tv.make_problem makes one, got {short_repr(problem)}")
    if not (is_whole(n) and 0 <= n <= problem.horizon):
        raise ValueError(f"the number of rounds must be from 0 to the horizon {problem.horizon}, got {n!r}")
    return int(n)


def _fixed_arms(problem: Problem) -> np.ndarray:
    if problem.x.ndim != 2:
        raise ValueError("this design needs the same arms in every round, but the problem brings fresh ones")
    return problem.x


def _history_of(problem: Problem, arms: np.ndarray, noise: np.ndarray) -> History:
    n, m = _rounds(problem, arms.size), problem.f.shape[1]
    if n and (arms.ndim != 1 or arms.dtype.kind not in "iu" or arms.min() < 0 or arms.max() >= m):
        raise ValueError(f"arms must be whole numbers from 0 to {m - 1}")
    arms = arms.astype(int)
    return History(problem=problem, arms=arms, y=problem.f[np.arange(n), arms] + noise[:n])
