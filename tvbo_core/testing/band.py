"""The contract of a band."""

from __future__ import annotations

import math
import pickle
from dataclasses import replace
from functools import cache, lru_cache
from time import perf_counter

import numpy as np

from tvbo_core.bands import CMM, Bound
from tvbo_core.bands.coverage import StillWorlds, draw_still_worlds, score, wilson
from tvbo_core.bands.over_time import film_of, films, missed
from tvbo_core.gp.over_time import prefix_fits
from tvbo_core.gp.rank_one import RankOne
from tvbo_core.gp.spectral import spectrum
from tvbo_core.kernels import Kernel, SquaredExponential
from tvbo_core.policies.kernel_ucb import KernelUCB
from tvbo_core.records import Band, LearnerInfo
from tvbo_core.testing.contract import Contract, check_curves, require
from tvbo_core.threads import one_thread

# Two formulas for one width agree to rounding, eps tr K / alpha, far below this share of B sqrt(k) in the data of the
# checks. Cholesky factors, eigenvectors and rank-one updates differ by ten times as much where a radius is nearly 0.
CLOSE = 1e-7
INSTEAD = "derive from Bound and write `from_fits` or `from_spectrum` alone"


class BandContract(Contract):
    """Contract of a band: all that films, coverage and KernelUCB rely on.

    Coverage is counted on the films of `films`, at `delta`, whatever shortcuts a band declares. No count
    refutes a band that is false and still wide enough: that its formula is that of a theorem is for a test of its own.

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

    def test_it_keeps_its_assumptions(self) -> None:
        """Require the fields as told, and a band that a smaller delta or a larger norm makes wider."""
        data = few_observations()
        told = {"B": 2.0, "sigma": 0.1, "delta": 0.1}
        band = self.make(**told)
        for name, value in told.items():
            require(getattr(band, name) == value, f"told {name} = {value:g} it has {name} = {getattr(band, name)!r}")
        plain = band.band(*data)
        for name, value in (("delta", 0.01), ("B", 4.0)):
            more = self.make(**(told | {name: value})).band(*data)
            excess = (more.upper - more.lower) - (plain.upper - plain.lower)
            said = f"with {name} = {value:g} in place of {told[name]:g}"
            require(excess.min() >= -CLOSE, f"{said} it is narrower by {-excess.min():.2g} at a point")
            require(excess.max() > 0, f"{said} it is no wider: it does not depend on {name}")

    def test_every_form_is_the_same_band(self) -> None:
        check_forms(self.make(2.0, 0.1, 0.1))

    def test_declared_shortcuts_hold(self) -> None:
        for n in (0, 1, 12):
            check_shortcuts(self.make(2.0, 0.1, 0.1), *few_observations(n))

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
        band, n = self.make(self.norm, self.sigma, self.delta), len(sample.f)
        with one_thread():
            inside = np.array([_covered(band, sample, w) for w in range(n)])
            fast = score({"it": band}, sample, max_frames=10**9).counts["it"].covered
        slow = int(inside.all(axis=1).sum())
        covered = slow if band.at_all_times else int(inside[:, -1].sum())
        low, high = wilson(covered, n)
        when = "at all 41 times" if band.at_all_times else "after the last of 40 observations"
        self.measured = (
            f"{covered} of {n} still worlds {when}, 95 % interval {low:.3f} to {high:.3f}, promise {1 - self.delta:.3g}"
        )
        require(high >= 1 - self.delta, self.measured)
        require(fast == slow, f"{slow} of {n} worlds by its film, {fast} by its shortcuts: {INSTEAD}")


def _covered(band: Bound, sample: StillWorlds, w: int) -> np.ndarray:
    """(n+1,) True where the film of a world has the whole curve inside."""
    matrices = sample.matrices(w)
    film = film_of("it", band, matrices, cache(lambda alpha: prefix_fits(*matrices, alpha)))
    return np.logical_not(missed(film, sample.f[w]).any(axis=1))


def check_forms(band: Bound) -> None:
    """Require one band by whatever door: `band`, its film, `from_spectra`, and the state of a `KernelUCB`.

    Raises:
        AssertionError: two differ by more than rounding.
    """
    kernel, X, y, Z = few_observations()
    times = range(len(y) + 1)
    film = films({"it": band}, kernel, X, y, Z)["it"]
    at_once = band.from_spectra([spectrum(kernel, X[:t], y[:t], Z) for t in times], [None for _ in times])
    policy = KernelUCB(band)
    state = policy.init(LearnerInfo(Z, len(times), 0.1, kernel, norm_bound=2.0, sup_variation=0.0))
    for t in times:
        own = band.band(kernel, X[:t], y[:t], Z)
        forms = {"its film": film.at(t), "`from_spectra`": at_once[t], "a KernelUCB with it": policy.band_of(state, t)}
        for form, other in forms.items():
            when = f"at time {t} `band` and {form}"
            require(own.empty == other.empty, f"{when} differ on whether the set is empty: {INSTEAD}")
            for name in ("lower", "mean", "upper"):
                one, two = getattr(own, name), getattr(other, name)
                j = int(np.abs(one - two).argmax())
                said = f"{when} differ, {name} is {one[j]:.3g} and {two[j]:.3g} at one point: {INSTEAD}"
                require(abs(one[j] - two[j]) <= 10 * CLOSE * (1.0 + abs(one[j])), said)
        if t < len(y):
            state = policy.update(state, t, int((X[t] == Z).all(axis=1).argmax()), float(y[t]))


def check_shortcuts(band: Bound, kernel: Kernel, X: np.ndarray, y: np.ndarray, Z: np.ndarray) -> None:
    """Require what a band declares, and what it inherits from another one, of its curves on these data.

    Raises:
        AssertionError: a shortcut is not true of it.
    """
    spec = spectrum(kernel, X, y, Z)
    own, ceiling = band.band(kernel, X, y, Z), band.B * np.sqrt(kernel.diag(Z))
    slack = CLOSE * (ceiling + np.abs(own.mean))

    def inside(one: Band, two: Band) -> bool:
        """Return True where band one is nowhere outside of band two, which claims less where it is empty."""
        return one.empty or bool((one.upper <= two.upper + slack).all() and (one.lower >= two.lower - slack).all())

    def holds(name: str, true: bool) -> None:
        require(true, f"its shortcut `{name}` is not true after {len(y)} observations: derive from Bound, or undo it")

    if (alpha := band.ellipsoid_regulariser) is not None:
        fit = spec.fit(alpha)
        half = band.width(fit.log_det, fit.count) * fit.sd
        off = np.maximum(np.abs(own.upper - fit.mean - half), np.abs(own.lower - fit.mean + half))
        holds("ellipsoid_regulariser", bool((off <= slack).all()))
    if (alpha := band.matched_regulariser) is not None:
        tightest = CMM(band.B, band.sigma, band.delta, band.sigma**2 / alpha).from_spectrum(spec)
        holds("matched_regulariser", not (own.empty and not tightest.empty) and inside(tightest, own))
    if band.within_norm_ball:
        holds("within_norm_ball", inside(own, Band(own.mean, -ceiling, ceiling)))
    if (outer := band.outer(spec.trace)) is not None:
        wider = outer.from_spectrum(spec)
        holds("outer", not (wider.empty and not own.empty) and inside(own, wider))


def few_observations(n: int = 12) -> tuple[Kernel, np.ndarray, np.ndarray, np.ndarray]:
    """Return kernel, X, y and Z of n noisy rewards of a curve of norm 1 at some of nine places, some more than once."""
    kernel, rng, Z = SquaredExponential(0.3), np.random.default_rng(3), np.linspace(0, 1, 9)[:, None]
    X = Z[rng.integers(0, 7, n)]
    return kernel, X, kernel(X, Z[[3]])[:, 0] + 0.1 * rng.normal(size=n), Z


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
