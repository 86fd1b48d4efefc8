r"""KernelUCB: optimism under any confidence band, $x_t=\arg\max_x\mathrm{UCB}_{t-1}(x)$.

AY gives AY-GP-UCB, IGP gives IGP-UCB, AMM, DMM and CMM give Kernel AMM-, DMM- and CMM-UCB. On fixed arms the
fits at AY's, IGP's, AMM's and DMM's regularisers are carried along by rank-one updates, and CMM decomposes
the Gram matrix of the distinct arms only; fresh arms take the band's own formula every round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from tvbo_core.ask_tell import CheckedPolicy, RunState, belief
from tvbo_core.bands import ALL, Bound
from tvbo_core.gp.rank_one import RankOne
from tvbo_core.gp.spectral import ZERO_SHARE, RegularisedFit, Spectrum, check_regulariser
from tvbo_core.policies.width import norm_bound, resolve_ridge
from tvbo_core.records import Band, LearnerInfo
from tvbo_core.validation import check_delta, check_switches, is_positive, is_word


class BandState(RunState):
    """The observations of one run, today's band from them, and the rounds in which a reward made it start over."""

    restarts: tuple[int, ...] = ()

    def band(self) -> Band:
        """Return the band of the round at which the run stands."""
        raise NotImplementedError

    def learn(self, arm: int, y: float) -> None:
        """Observe y from this arm."""
        raise NotImplementedError


class BandName(str):
    """The name of a band in `bands.ALL`, which KernelUCB's field `band` holds and which is called like a method."""

    def __call__(self, state: BandState, t: int) -> Band:
        """Return the band that round t is decided with."""
        return belief(self, state, t)


@dataclass(frozen=True)
class KernelUCB(CheckedPolicy):
    r"""Asks the first arm with the largest upper bound, $x_t=\arg\max_x\mathrm{ucb}_t(x)$.

    Where the band is empty, the one with the largest mean.

    Attributes:
        band: a band of `tvbo_core.bands`, or its name in `bands.ALL` to take B and sigma from the problem, and
            where it asks for them ridge = noise variance and $\eta=2/T$. As in every policy, `band(state, t)` is the
            band that round t is decided with.
        delta, c: of a band given by its name.
        dense: compute the band from all observations every round (fresh arms: always).
    Raises:
        ValueError: a field is out of its range.
    Source: Flynn & Reeb, sec. 5 and 6.1.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> history = tv.play(problem, tv.KernelUCB("CMM"), tv.observe.play_rng(0))
    >>> round(float(history.regret.sum()), 1)
    8.2
    """

    band: Bound | str = "CMM"
    delta: float = 0.1
    c: float = 1.0
    dense: bool = False

    def __post_init__(self) -> None:
        if not (isinstance(self.band, Bound) or is_word(self.band, ALL)):
            raise ValueError(f"band must be a band or one of {', '.join(ALL)}, got {self.band!r}")
        check_delta(self.delta)
        check_switches(self)
        if not is_positive(self.c):
            raise ValueError(f"c must be a positive finite number, got {self.c!r}")
        if isinstance(self.band, str):
            object.__setattr__(self, "band", BandName(self.band))

    def resolved(self, known: LearnerInfo) -> Bound:
        """The band in this problem.

        Raises:
            ValueError: the band is given by its name and the problem has no norm bound.
        """
        if not isinstance(self.band, str):
            return self.band
        ridge = resolve_ridge(None, known)
        sigma = known.noise_sd or ridge**0.5
        return ALL[self.band].make(norm_bound(known), sigma, self.delta, c=self.c, ridge=ridge, eta=2.0 / known.horizon)

    def init(self, known: LearnerInfo) -> BandState:
        """A fresh state."""
        band = self.resolved(known)
        if self.dense or known.x.ndim == 3:
            return PlainBand(known, band)
        gram = known.kernel(known.x, known.x)
        if band.fixed_regularisers:
            return CarriedBand(gram, band)
        return SpectralBand(gram, band) if band.merges_repeats else PlainBand(known, band)

    def select(self, state: BandState, t: int, rng: np.random.Generator) -> int:
        return int(state.band().upper.argmax())

    def update(self, state: BandState, t: int, arm: int, y: float) -> BandState:
        state.learn(arm, y)
        return state

    def band_of(self, state: BandState, t: int) -> Band:
        """Return the band that round t is decided with, as `band(state, t)` does."""
        return state.band()


class PlainBand(BandState):
    """The band's own formula on all observations: the reference, and the form for fresh arms."""

    def __init__(self, known: LearnerInfo, band: Bound) -> None:
        self.known, self._band = known, band
        self._points: list[np.ndarray] = []
        self._y: list[float] = []
        self._round = 0

    @property
    def _arms(self) -> np.ndarray:
        x = self.known.x
        return x if x.ndim == 2 else x[min(self._round, len(x) - 1)]

    def copy(self) -> Self:
        new = super().copy()
        new._points, new._y = self._points.copy(), self._y.copy()
        return new

    def skip(self) -> None:
        self._round += 1

    def band(self) -> Band:
        X = np.array(self._points).reshape(len(self._y), self.known.x.shape[-1])
        return self._band.band(self.known.kernel, X, np.array(self._y), self._arms)

    def learn(self, arm: int, y: float) -> None:
        self._points.append(self._arms[arm])
        self._y.append(float(y))
        self._round += 1


class CarriedBand(BandState):
    """A band at fixed regularisers: one carried posterior for each regulariser that it asks for."""

    def __init__(self, gram: np.ndarray, band: Bound) -> None:
        self._band, self._gram = band, gram
        self._engines: dict[float, RankOne] = {}
        self._heard: list[tuple[int, float]] = []
        self._trace, self._prior = 0.0, gram.diagonal().copy()
        self.band()  # which regularisers there are

    def copy(self) -> Self:
        new = super().copy()
        new._engines = {alpha: engine.copy() for alpha, engine in self._engines.items()}
        new._heard = self._heard.copy()
        return new

    def band(self) -> Band:
        mean, lower, upper, empty = self._band.from_fits(self._fit)
        return Band(mean, lower, upper, empty=bool(empty))

    def learn(self, arm: int, y: float) -> None:
        for alpha, engine in self._engines.items():
            engine.learn(arm, y, alpha)
        self._heard.append((arm, y))
        self._trace += float(self._prior[arm])

    def _fit(self, alpha: float) -> RegularisedFit:
        check_regulariser(alpha, self._trace)
        engine = self._engines.get(alpha)
        if engine is None:  # asked for the first time
            engine = self._engines[alpha] = RankOne(self._gram)
            for arm, y in self._heard:
                engine.learn(arm, y, alpha)
        return RegularisedFit(
            alpha=alpha,
            mean=engine.mean,
            sd=engine.sd,
            log_det=np.array(engine.log_det),
            misfit=np.array(alpha * engine.misfit),
            count=np.array(len(self._heard)),
            trace=np.array(self._trace),
            prior=self._prior,
        )


class SpectralBand(BandState):
    """A band without fixed regularisers, from the spectrum of the distinct arms."""

    def __init__(self, gram: np.ndarray, band: Bound) -> None:
        self._band, self._gram = band, gram
        m = len(gram)
        self._counts, self._sums, self._squares = np.zeros(m), np.zeros(m), 0.0

    def copy(self) -> Self:
        new = super().copy()
        new._counts, new._sums = self._counts.copy(), self._sums.copy()
        return new

    @property
    def spectrum(self) -> Spectrum:
        """All observations seen through the eigenvectors of the distinct arms' Gram matrix."""
        return merged_spectrum(self._gram, self._counts, self._sums, self._squares)

    def band(self) -> Band:
        return self._band.from_spectrum(self.spectrum)

    def learn(self, arm: int, y: float) -> None:
        if self._counts[arm]:
            n = self._counts[arm]
            self._squares += (y - self._sums[arm] / n) ** 2 * n / (n + 1)
        self._counts[arm] += 1
        self._sums[arm] += y


def merged_spectrum(gram: np.ndarray, counts: np.ndarray, sums: np.ndarray, squares: float) -> Spectrum:
    r"""The spectrum of repeated observations from that of the distinct arms.

    With $D$ the counts of the arms heard, the eigenvalues of $K_n$ are those of $D^{1/2}K_uD^{1/2}$ and
    zeros; the rewards are $D^{1/2}\bar y$ along the former and have squared length `squares` along the
    latter, which are kept as one direction.

    Args:
        gram: (m, m).   counts: (m,) observations of each arm.   sums: (m,) of its rewards.
        squares: $\sum_i(y_i-\bar y_{a_i})^2$.
    Source: derived here; the constraint $\sum_s(f(x_s)-y_s)^2$ of eq. 8 splits between and within arms.
    """
    prior, seen = gram.diagonal(), np.flatnonzero(counts)
    if len(seen) == 0:
        return Spectrum(np.zeros(0), np.zeros(0), np.zeros((0, len(gram))), prior, prior)
    root = np.sqrt(counts[seen])
    eigenvalues, Q = np.linalg.eigh(root[:, None] * gram[np.ix_(seen, seen)] * root)
    eigenvalues[eigenvalues <= ZERO_SHARE * eigenvalues[-1]] = 0.0
    cross = (Q * root[:, None]).T @ gram[seen]
    # At an observed arm the rotated column is lambda_i Q_ji / sqrt(n_j): the digits of small entries stay.
    cross[:, seen] = eigenvalues[:, None] * (Q / root[:, None]).T
    real = eigenvalues > 0
    within = cross**2 * (real / np.where(real, eigenvalues, 1.0))[:, None]
    beyond = np.maximum(prior - within.sum(axis=0), 0.0)
    beyond[seen] = 0.0
    return Spectrum(
        eigenvalues=np.append(0.0, eigenvalues),
        y_rot=np.append(np.sqrt(squares), Q.T @ (sums[seen] / root)),
        cross=np.vstack([np.zeros(len(gram)), cross]),
        prior=prior,
        beyond=beyond,
    )
