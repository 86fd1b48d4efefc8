"""The contract of a band."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from functools import lru_cache
from time import perf_counter

import numpy as np

from tvbo_core.bands import Bound
from tvbo_core.bands.coverage import StillWorlds, draw_still_worlds, score, wilson
from tvbo_core.gp.rank_one import RankOne
from tvbo_core.gp.spectral import spectrum_from_gram
from tvbo_core.kernels import SquaredExponential
from tvbo_core.testing.contract import Contract, check_curves, require
from tvbo_core.threads import one_thread


class BandContract(Contract):
    """Contract of a band: all that the lesson on bands, coverage and KernelUCB rely on.

    Attributes:
        norm, sigma, delta: of the still worlds in which coverage is counted, and what the band is told.
        worlds: number of them.   max_ms: milliseconds that a band of 100 observations at 100 points may cost.
    """

    norm, sigma, delta = 3.0, 0.2, 0.2
    worlds = 200
    max_ms = 1000.0

    def make(self, B: float, sigma: float, delta: float) -> Bound:
        """Return the band under these assumptions."""
        raise NotImplementedError("override make(B, sigma, delta)")

    def test_it_is_a_value(self) -> None:
        band = self.make(2.0, 0.1, 0.1)
        require(isinstance(band, Bound) and band.name, "it is no tvbo_core.bands.Bound with a name")
        require(band == self.make(2.0, 0.1, 0.1) and hash(band) == hash(self.make(2.0, 0.1, 0.1)), "equals differ")
        require(pickle.loads(pickle.dumps(band)) == band, "it is another one after pickling")

    def test_wrong_assumptions_are_refused(self) -> None:
        for wrong in ({"B": -1.0}, {"B": math.nan}, {"sigma": 0.0}, {"delta": 0.0}, {"delta": 1.5}):
            try:
                self.make(**{"B": 1.0, "sigma": 0.1, "delta": 0.1} | wrong)
            except ValueError:
                continue
            raise AssertionError(f"it takes {wrong}")

    def test_curves_have_shape_and_order(self) -> None:
        rng = np.random.default_rng(0)
        for n, m, d in ((0, 1, 1), (0, 7, 2), (1, 5, 1), (12, 5, 2), (60, 9, 1)):
            X, Z = rng.uniform(size=(n, d)), rng.uniform(size=(m, d))
            band = self.make(2.0, 0.1, 0.1).band(SquaredExponential(0.3), X, np.sin(3 * X.sum(axis=1)), Z)
            check_curves(band, m, f"{n} observations")

    def test_it_shrinks_with_data(self) -> None:
        kernel, rng, Z = SquaredExponential(0.3), np.random.default_rng(0), np.linspace(0, 1, 31)[:, None]
        X = rng.uniform(0, 1, (200, 1))
        y = kernel(X, Z[[4]])[:, 0] + 0.05 * rng.normal(size=200)
        band = self.make(2.0, 0.05, 0.1)
        before, after = (band.band(kernel, X[:n], y[:n], Z) for n in (0, 200))
        widest = [float((one.upper - one.lower).max()) for one in (before, after)]
        self.measured = f"widest {widest[0]:.3g} before, {widest[1]:.3g} after 200 observations"
        require(widest[1] < widest[0], self.measured)

    def test_it_covers_at_random_picks(self) -> None:
        self.check_coverage(still_worlds(self.worlds, self.norm, self.sigma, greedy=False))

    def test_it_covers_at_greedy_picks(self) -> None:
        self.check_coverage(still_worlds(self.worlds, self.norm, self.sigma, greedy=True))

    def test_empty_sets_are_one_curve(self) -> None:
        kernel, Z = SquaredExponential(0.5), np.linspace(0, 9, 6)[:, None]
        X = np.repeat(np.array([[0.0], [0.1]]), 20, axis=0)
        found = []
        for y in (np.repeat([1.0, -1.0], 20), np.full(40, 30.0)):  # no function of norm 1 is near
            band = self.make(1.0, 0.01, 0.01).band(kernel, X, y, Z)
            check_curves(band, len(Z), "data that contradict the assumptions")
            found.append(band.empty)
            same = (band.lower == band.mean).all() and (band.upper == band.mean).all()
            require(same or not band.empty, "where it is empty the three curves differ")
        self.measured = f"{sum(found)} of 2 contradictions make it empty"

    def test_cost_of_a_band(self) -> None:
        rng, Z = np.random.default_rng(0), np.linspace(0, 1, 100)[:, None]
        band, X, y = self.make(3.0, 0.2, 0.1), rng.uniform(size=(100, 1)), rng.normal(size=100)
        start = perf_counter()
        band.band(SquaredExponential(0.2), X, y, Z)
        ms = 1e3 * (perf_counter() - start)
        self.measured = f"{ms:.2g} ms with 100 observations at 100 points"
        require(ms <= self.max_ms, f"{self.measured}, more than {self.max_ms:g}")

    def check_coverage(self, sample: StillWorlds) -> None:
        """Require that the promise lies below the upper end of the 95 % interval of the share of worlds covered."""
        band = self.make(self.norm, self.sigma, self.delta)
        with one_thread():
            if band.at_all_times:
                covered = score({"it": band}, sample, max_frames=10**9).counts["it"].covered
            else:
                covered = sum(_covers_at_the_end(band, sample, w) for w in range(len(sample.f)))
        low, high = wilson(covered, len(sample.f))
        when = "at all 41 times" if band.at_all_times else "after the last of 40 observations"
        self.measured = (
            f"{covered} of {len(sample.f)} still worlds {when}, "
            f"95 % interval {low:.3f} to {high:.3f}, promise {1 - band.delta:.3g}"
        )
        require(high >= 1 - band.delta, self.measured)


def _covers_at_the_end(band: Bound, sample: StillWorlds, w: int) -> bool:
    """Return True where the whole curve of a world is inside after its last observation."""
    last = band.from_spectrum(spectrum_from_gram(*sample.matrices(w)))
    return not last.empty and bool(((last.lower <= sample.f[w]) & (sample.f[w] <= last.upper)).all())


@lru_cache(maxsize=4)
def still_worlds(worlds: int, norm: float, sigma: float, greedy: bool) -> StillWorlds:
    """Return still worlds with 40 observations at random points, or where mean plus twice the sd is largest."""
    pool = np.linspace(0, 1, 31)[:, None]
    sample = draw_still_worlds(SquaredExponential(0.2), pool, 40, worlds, norm, sigma, np.random.default_rng(5))
    if not greedy:
        return sample
    picks = np.empty((worlds, 40), int)
    for w in range(worlds):
        state = RankOne(sample.gram)
        for t in range(40):
            picks[w, t] = np.argmax(state.mean + 2 * state.sd)
            state.learn(int(picks[w, t]), sample.f[w, picks[w, t]] + sample.noise[w, t], sigma**2)
    return replace(sample, picks=picks)
