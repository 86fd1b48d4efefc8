"""The records of the core. Read this file first.

A `World` says in plain values how a reward moves; it can be written down, compared and looked up.
A `Problem` is the world as a table: every paper fixes f_1..f_T before the learner moves.
A `Band` is a statement about a whole curve at one time; a `BandFilm` is the same for every time.
A `History` is what one learner did in one problem.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tvbo_core.validation import as_floats, check_amount, check_kernel, check_rounds, short_repr

if TYPE_CHECKING:
    from tvbo_core.kernels import Kernel


MOST_DIMENSIONS = 20  # of an action; a row of more coordinates is a column of arms, turned


@dataclass(frozen=True)
class World:
    r"""One time-varying reward, described by plain values.

    Attributes:
        kind: one of `worlds.ALL`.
        budget: drift budget $V_T=\sum_t\max_x|f_{t+1}(x)-f_t(x)|$ in reward units; a glide, jumps and
            travel reach it exactly, cyclic and rough worlds are shrunk to it when they would move more. None: as drawn.
        horizon: number of steps $T$.
        kernel: one of `kernels.ALL`.
        nu: smoothness of the Matern kernel (unused for the others).
        lengthscale: in units of x.
        dimension: of the action x; arms lie in $[\text{low},\text{high}]^d$.
        arms: number of arms, a grid when the dimension is 1 and else scattered at random; or the sides of a grid, one
            number for each dimension, such as (30, 30): the last coordinate then counts fastest.
        low, high: ends of the interval that the arms fill, in each dimension.
        noise_sd: standard deviation of one observation's Gaussian noise, reward units.
        norm_bound: $B$ with $\|f_t\|_{\mathcal H}\le B$ (ignored by markov worlds, whose paths leave the space).
        seed: the only seed; it fixes the world, not the play.
        switches: number of distinct jumps of a "jumps" world before it repeats its pieces.
        epsilon: per-step change of a "markov" world, in [0, 1].
        alpha: drift exponent of a "rough" world, in (0, 2]: Var of a coefficient's change over n steps ~ n^alpha.
        centres: number of kernel centres of a drawn function.
        dataset: name of the table of a "data" world.

    >>> world = tv.World(kind="glide", budget=2.0, horizon=50)
    >>> problem = tv.make_problem(world)
    >>> problem.f.shape, round(problem.sup_variation, 6)
    ((50, 100), 2.0)
    """

    kind: str = "glide"
    budget: float | None = 4.0
    horizon: int = 200
    kernel: str = "se"
    nu: float = 1.5
    lengthscale: float = 0.2
    dimension: int = 1
    arms: int | tuple[int, ...] = 100
    low: float = 0.0
    high: float = 1.0
    noise_sd: float = 0.1
    norm_bound: float = 3.0
    seed: int = 3
    switches: int = 2
    epsilon: float = 0.01
    alpha: float = 1.0
    centres: int = 20
    dataset: str = "stocks"

    @property
    def arm_count(self) -> int:
        """Number of arms, those of a grid multiplied out."""
        return math.prod(self.arms) if isinstance(self.arms, tuple) else self.arms

    def problem(self) -> Problem | None:
        """Return the table of a subclass that draws itself, None for a world that is drawn by its kind."""
        return None


def _fixed(values: np.ndarray) -> np.ndarray:
    """Return the same values as a read-only array, since it is shared."""
    values.flags.writeable = False
    return values


@dataclass(frozen=True, eq=False)
class Problem:
    r"""A time-varying reward as a table, with what a learner may assume about it.

    Attributes:
        x: (m, d) arms, or (T, m, d) when every round brings fresh arms.
        f: (T, m) expected rewards.
        noise_sd: standard deviation of one observation's noise, reward units.
        kernel: kernel of the reproducing-kernel Hilbert space.
        norm_bound: $B\ge\max_t\|f_t\|_{\mathcal H}$, or None where no bound holds.
        centres: (p, d) kernel centres, with `coefficients` (T, p): $f_t=\sum_i c_{ti}k(\cdot,z_i)$; None if unknown.
        arm_names: names of the arms of a table, or None when x is a real coordinate.
        times: label of each round (dates of a table), or None for 1..T.
        note: one sentence on where the rewards come from; empty for a synthetic world.
    Raises:
        ValueError: shapes disagree or a value is not finite.

    >>> f = np.array([[0.0, 1.0], [2.0, 1.0]])
    >>> problem = tv.Problem(x=np.eye(2), f=f, noise_sd=0.1, kernel=tv.Matern(1.5), norm_bound=None)
    >>> problem.best.tolist(), problem.sup_variation
    ([1, 0], 2.0)
    """

    x: np.ndarray
    f: np.ndarray
    noise_sd: float
    kernel: Kernel
    norm_bound: float | None
    centres: np.ndarray | None = None
    coefficients: np.ndarray | None = None
    arm_names: tuple[str, ...] | None = None
    times: tuple[str, ...] | None = None
    note: str = ""

    def __post_init__(self) -> None:
        _as_floats(self, "x", "f")
        if self.f.ndim != 2 or self.f.size == 0:
            raise ValueError(f"f must have shape (T, m) with T >= 1 and m >= 1, got {self.f.shape}")
        if self.x.ndim not in (2, 3) or self.x.shape[-2] != self.f.shape[1]:
            raise ValueError(
                f"x must have shape ({self.f.shape[1]}, d) or (T, {self.f.shape[1]}, d), got {self.x.shape}"
            )
        if self.x.ndim == 3 and self.x.shape[0] != self.f.shape[0]:
            raise ValueError(f"x has {self.x.shape[0]} rounds of arms, f has {self.f.shape[0]}")
        if not (np.isfinite(self.f).all() and np.isfinite(self.x).all()):
            raise ValueError("x and f must be finite everywhere")
        check_amount("noise_sd", self.noise_sd)
        check_amount("norm_bound", self.norm_bound, or_none=True)
        _check_kernel(self.kernel, self.x)

    @property
    def horizon(self) -> int:
        return self.f.shape[0]

    def head(self, rounds: int) -> Problem:
        """Return the problem of the first rounds alone, at least one."""
        return replace(
            self,
            x=self.x if self.x.ndim == 2 else self.x[:rounds],
            f=self.f[:rounds],
            coefficients=None if self.coefficients is None else self.coefficients[:rounds],
            times=None if self.times is None else self.times[:rounds],
        )

    @cached_property
    def known(self) -> LearnerInfo:
        """Information that a learner may have about this problem: everything but the rewards."""
        return LearnerInfo(
            x=self.x,
            horizon=self.horizon,
            noise_sd=self.noise_sd,
            kernel=self.kernel,
            norm_bound=self.norm_bound,
            sup_variation=self.sup_variation,
            rkhs_variation=self.rkhs_variation,
        )

    @cached_property
    def best(self) -> np.ndarray:
        """(T,) index of a best arm of each round (the first one when several tie)."""
        return _fixed(self.f.argmax(axis=1))

    @cached_property
    def steps(self) -> np.ndarray:
        r"""(T-1,) sup-norm movement $\max_x|f_{t+1}(x)-f_t(x)|$ of each step."""
        return _fixed(np.abs(np.diff(self.f, axis=0)).max(axis=1))

    @cached_property
    def sup_variation(self) -> float:
        r"""$V_T=\sum_t\|f_{t+1}-f_t\|_\infty$ over the arms (Iwazaki & Takeno, eq. before Thm 1)."""
        return float(self.steps.sum())

    @property
    def rkhs_steps(self) -> np.ndarray | None:
        r"""(T-1,) RKHS-norm movement $\|f_{t+1}-f_t\|_{\mathcal H}$, or None where coefficients are unknown."""
        return None if self.coefficients is None else self._norms(np.diff(self.coefficients, axis=0))

    @cached_property
    def rkhs_variation(self) -> float | None:
        r"""$B_T=\sum_t\|f_{t+1}-f_t\|_{\mathcal H}$ (Deng et al., sec. 2); None where unknown."""
        steps = self.rkhs_steps
        return None if steps is None else float(steps.sum())

    @cached_property
    def norms(self) -> np.ndarray | None:
        r"""(T,) RKHS norms $\|f_t\|_{\mathcal H}$, or None where coefficients are unknown."""
        return None if self.coefficients is None else _fixed(self._norms(self.coefficients))

    def _norms(self, c: np.ndarray) -> np.ndarray:
        assert self.centres is not None  # coefficients come with their centres
        K = self.kernel(self.centres, self.centres)
        return np.sqrt(np.maximum(np.einsum("ti,ij,tj->t", c, K, c, optimize=True), 0.0))


@dataclass(frozen=True, eq=False)
class LearnerInfo:
    r"""Information given to a learner before it moves; the rewards are not part of it.

    Attributes:
        x: (m, d) arms, or (T, m, d) fresh arms each round.   horizon: T.   noise_sd: reward units.
        kernel: of the space.   norm_bound: $B$, or None where no bound holds.
        sup_variation: $V_T$, for tuning "as in the paper".   rkhs_variation: $B_T$, or None where unknown.
    Raises:
        ValueError: a shape or a value is out of its range (noise_sd = 0, rewards without noise, is in it).

    >>> x = np.linspace(0, 1, 5)[:, None]
    >>> known = tv.LearnerInfo(x, 60, 0.1, tv.Matern(1.5), norm_bound=None, sup_variation=2.0)
    >>> tv.GPUCB().select(tv.GPUCB().init(known), 0, tv.observe.play_rng(0))
    0
    """

    x: np.ndarray
    horizon: int
    noise_sd: float
    kernel: Kernel
    norm_bound: float | None
    sup_variation: float
    rkhs_variation: float | None = None

    def __post_init__(self) -> None:
        check_rounds("horizon", self.horizon)
        _as_floats(self, "x")
        x = self.x
        if x.ndim not in (2, 3) or x.size == 0 or (x.ndim == 3 and len(x) < self.horizon):
            raise ValueError(
                f"x must hold at least one arm and have shape (m, d) or ({self.horizon}, m, d), got {x.shape}"
            )
        if x.shape[-2] == 1 and x.shape[-1] > MOST_DIMENSIONS:
            raise ValueError(f"x has one arm with {x.shape[-1]} coordinates: arms are its rows, so hand over x.T")
        if not np.isfinite(x).all():
            raise ValueError("x must be finite everywhere")
        check_amount("noise_sd", self.noise_sd)
        check_amount("norm_bound", self.norm_bound, or_none=True)
        check_amount("sup_variation", self.sup_variation)
        check_amount("rkhs_variation", self.rkhs_variation, or_none=True)
        _check_kernel(self.kernel, x)


def _as_floats(record: Any, *names: str) -> None:
    """Make arrays of these fields; an array of floats stays the one that it is."""
    for name in names:
        object.__setattr__(record, name, as_floats(name, getattr(record, name)))


def _check_curves(record: Band | BandFilm, axes: int, rows: Any = ...) -> None:
    """Make arrays of the curves; complain about those that are not finite or differ in shape (ValueError)."""
    _as_floats(record, "mean", "lower", "upper")
    curves = record.mean, record.lower, record.upper
    if any(curve.ndim != axes or curve.shape != record.mean.shape for curve in curves):
        raise ValueError(f"mean, lower and upper must have one shape, got {[curve.shape for curve in curves]}")
    if not all(np.isfinite(curve[rows]).all() for curve in curves):
        raise ValueError("mean, lower and upper of a band must be finite everywhere: NaN covers nothing")


def _check_kernel(kernel: Any, x: np.ndarray) -> None:
    """Complain about what is no kernel, tried on the first two arms (ValueError)."""
    check_kernel(kernel)
    few = x.reshape(-1, x.shape[-1])[:2]
    K, prior = np.asarray(kernel(few, few[:1])), np.asarray(kernel.diag(few))
    if K.shape != (len(few), 1) or prior.shape != (len(few),):
        raise ValueError(
            f"kernel(X, Z) must have shape (n, m) and kernel.diag(X) shape (n,) for X (n, d) and Z (m, d), "
            f"got {K.shape} and {prior.shape} for n = {len(few)}, m = 1"
        )
    if not (np.isfinite(K).all() and np.isfinite(prior).all() and (prior >= 0).all()):
        raise ValueError("kernel(X, Z) must be finite, and kernel.diag(X) at least 0")


class Policy(Hashable, Protocol):
    """A learner: frozen hyperparameters, state in and state out.

    Rounds count t = 0, ..., T-1. A method with side queries also has `questions` and `answer`
    (see `tv.play`); all others are asked for one arm a round.
    """

    def init(self, known: LearnerInfo) -> Any:
        """The state before the first round."""
        ...

    def select(self, state: Any, t: int, rng: np.random.Generator) -> int:
        """The arm to pull in round t."""
        ...

    def update(self, state: Any, t: int, arm: int, y: float) -> Any:
        """The state after hearing y from that arm in round t."""
        ...


@dataclass(frozen=True, eq=False)
class Band:
    """Lower and upper confidence bounds of a whole curve at one time.

    Attributes:
        mean, lower, upper: (m,) reward units; always finite.
        empty: True when no function satisfies the assumptions and the data; then the three curves agree
            and promise nothing.
    Raises:
        ValueError: the curves differ in shape, or one is not finite.

    >>> edge = np.ones(5)
    >>> band = tv.Band(mean=0 * edge, lower=-edge, upper=edge)
    >>> band.empty, float((band.upper - band.lower).mean())
    (False, 2.0)
    """

    mean: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    empty: bool = False

    def __post_init__(self) -> None:
        _check_curves(self, 1)


@dataclass(frozen=True, eq=False)
class BandFilm:
    """One band after 0, 1, ..., n observations (frame t uses the first t of them).

    Attributes:
        name: of the band.
        mean, lower, upper: (n+1, m) reward units; finite at every time that was computed.
        empty: (n+1,) bool, as in `Band`.
        times: those that were computed, None for all; nothing is said of the others.
    Raises:
        ValueError: the curves differ in shape, or one is not finite.

    >>> k, X, y = tv.Matern(1.5), np.array([[0.2], [0.7]]), np.array([1.0, -0.5])
    >>> film = tv.band_film(tv.AMM(B=3.0, sigma=0.1, delta=0.01, c=1.0), k, X, y, X)
    >>> film.upper.shape, film.at(2).empty
    ((3, 2), False)
    """

    name: str
    mean: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    empty: np.ndarray
    times: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        _as_floats(self, "mean")
        if np.shape(self.empty) != self.mean.shape[:1]:
            raise ValueError(f"empty must have one entry a time, {self.mean.shape[:1]}, got {short_repr(self.empty)}")
        _check_curves(self, 2, self.computed)

    @classmethod
    def of(cls, bands: Sequence[Band], name: str = "") -> BandFilm:
        """Return the bands of several times as one film."""
        mean, lower, upper = (np.array([getattr(band, key) for band in bands]) for key in ("mean", "lower", "upper"))
        return cls(name, mean, lower, upper, np.array([band.empty for band in bands]))

    @property
    def computed(self) -> np.ndarray:
        """(n+1,) bool, the times that were computed."""
        return np.isin(np.arange(len(self.empty)), np.arange(len(self.empty)) if self.times is None else self.times)

    def at(self, t: int) -> Band:
        return Band(self.mean[t], self.lower[t], self.upper[t], bool(self.empty[t]))

    @cached_property
    def half_width(self) -> np.ndarray:
        """(n+1,) mean over the arms of half the band's width, reward units."""
        return 0.5 * (self.upper - self.lower).mean(axis=1)


@dataclass(frozen=True, eq=False)
class History:
    """History of one learner in one problem.

    Attributes:
        problem: the problem it faced.
        arms: (T,) index of the arm pulled each round.
        y: (T,) rewards seen.
        extra_queries: (T,) side queries of each round.
        seconds: (T,) time the policy took in each round, or None.
        asked: (N_T,) arm of every side query, in the order asked (`extra_queries` says in which round), or None.
        answers: (N_T,) what was heard on them, or None.
    Raises:
        ValueError: arms and y differ in shape, or hold what is no arm of the problem or no finite reward.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> history = tv.play(problem, tv.Random(), tv.observe.play_rng(0))
    >>> history.X.shape, bool((history.regret >= 0).all())
    ((60, 1), True)
    """

    problem: Problem
    arms: np.ndarray
    y: np.ndarray
    extra_queries: np.ndarray | None = None
    seconds: np.ndarray | None = None
    asked: np.ndarray | None = None
    answers: np.ndarray | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.problem, Problem):
            raise ValueError(f"problem must be a Problem, got {short_repr(self.problem)}")
        (T, m), arms = self.problem.f.shape, np.asarray(self.arms)
        _as_floats(self, "y")
        if arms.shape != self.y.shape or arms.ndim != 1 or len(arms) > T or not np.isfinite(self.y).all():
            raise ValueError(f"arms and y must have one shape (n,), n at most {T}, and y be finite")
        if arms.size and (arms.dtype.kind not in "iu" or arms.min() < 0 or arms.max() >= m):
            raise ValueError(f"arms must be whole numbers from 0 to {m - 1}, got {short_repr(self.arms)}")
        object.__setattr__(self, "arms", arms.astype(int, copy=False))

    @property
    def regret(self) -> np.ndarray:
        r"""(T,) dynamic regret of each round, $\max_x f_t(x)-f_t(x_t)\ge0$."""
        f = self.problem.f[: len(self.arms)]
        return f.max(axis=1) - f[np.arange(len(f)), self.arms]

    def asked_before(self, t: int) -> tuple[np.ndarray, np.ndarray]:
        """Arms (q,) asked again just before round t (from 0), and the answers (q,); q is mostly 0."""
        if self.asked is None or self.answers is None or self.extra_queries is None:
            return np.empty(0, dtype=int), np.empty(0)
        before = int(self.extra_queries[:t].sum())
        rows = slice(before, before + int(self.extra_queries[t]))
        return self.asked[rows], self.answers[rows]

    @property
    def X(self) -> np.ndarray:
        """(T, d) coordinates of the arms pulled."""
        x = self.problem.x
        return x[self.arms] if x.ndim == 2 else x[np.arange(len(self.arms)), self.arms]
