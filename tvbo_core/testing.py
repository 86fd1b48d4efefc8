r"""Contracts of policies and bands, as checks for pytest and for `python -m tvbo_core.check`.

Derive from `PolicyContract` or `BandContract` and override `make`; the lab's own policies and bands run the same:

    class TestGreedy(PolicyContract):
        off = {"cost_of_a_round": "it solves a program in each"}

        def make(self):
            return Greedy(window=20)
"""

from __future__ import annotations

import math
import pickle
import random
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import lru_cache
from time import perf_counter
from typing import Any, ClassVar
from unittest import SkipTest

import numpy as np

from tvbo_core.ask_tell import check_arm
from tvbo_core.bands import Bound
from tvbo_core.bands.coverage import StillWorlds, draw_still_worlds, score, wilson
from tvbo_core.designs import observe, play_rng
from tvbo_core.gp.rank_one import RankOne
from tvbo_core.gp.spectral import spectrum_from_gram
from tvbo_core.kernels import SquaredExponential
from tvbo_core.play import play
from tvbo_core.race import race
from tvbo_core.records import Band, LearnerInfo, Policy, Problem, World
from tvbo_core.threads import one_thread
from tvbo_core.worlds import make_problem

PASS, FAIL, OFF = "pass", "fail", "off"


@dataclass(frozen=True)
class CheckResult:
    """Outcome of one check: its name, `PASS`, `FAIL` or `OFF`, and what was measured, went wrong or is the reason."""

    name: str
    outcome: str
    detail: str = ""


class Contract:
    """Checks of one kind of object; a check is a method whose name begins with test_.

    Attributes:
        off: name of a check (without test_) -> reason why it is not made.
        measured: what the check that was made last found out, for its line.
    """

    off: ClassVar[Mapping[str, str]] = {}
    measured = ""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, reason in cls.off.items():
            if name not in cls.checks():
                raise ValueError(f"there is no check {name!r} to switch off: there are {', '.join(cls.checks())}")
            if not reason:
                raise ValueError(f"the check {name} is switched off without a reason")
            setattr(cls, f"test_{name}", _switched_off(reason))

    @classmethod
    def checks(cls) -> list[str]:
        """Return the names of all checks, in the order in which they are written."""
        names = [name for base in reversed(cls.__mro__) for name in vars(base) if name.startswith("test_")]
        return [name.removeprefix("test_") for name in dict.fromkeys(names)]

    def run(self) -> Iterable[CheckResult]:
        """Yield the outcome of every check as it is made."""
        for name in self.checks():
            self.measured = ""
            try:
                getattr(self, f"test_{name}")()
            except SkipTest as reason:
                yield CheckResult(name, OFF, str(reason))
            except Exception as error:
                said = str(error) if isinstance(error, AssertionError) else f"{type(error).__name__}: {error}"
                yield CheckResult(name, FAIL, " ".join(said.split()))
            else:
                yield CheckResult(name, PASS, self.measured)


def _switched_off(reason: str) -> Any:
    def check(self: Any) -> None:
        raise SkipTest(reason)

    return check


def require(holds: object, otherwise: str) -> None:
    """Raise AssertionError with this sentence where something does not hold."""
    if not holds:
        raise AssertionError(otherwise)


class PolicyContract(Contract):
    """Contract of a policy: all that `tv.play`, `tv.race` and `tv.Learner` rely on.

    Attributes:
        max_ms: milliseconds that a round may cost with 100 arms.
    """

    max_ms = 100.0

    def make(self) -> Policy:
        """Return the policy."""
        raise NotImplementedError("override make()")

    def problem(self, rounds: int = 20, arms: int = 8, **fields: Any) -> Problem:
        """Return the world of a check: it jumps twice."""
        return make_problem(World(kind="jumps", horizon=rounds, arms=arms, **fields))

    def known(self, rounds: int = 26, arms: int = 9) -> LearnerInfo:
        """Return what is assumed where a check tells the rewards itself."""
        x = np.linspace(0, 1, arms)[:, None]
        return LearnerInfo(x, rounds, 0.1, SquaredExponential(0.3), norm_bound=2.0, sup_variation=2.0)

    def test_it_is_a_value(self) -> None:
        policy = self.make()
        require(policy == self.make() and hash(policy) == hash(self.make()), "two equal ones are not equal: freeze it")
        require(pickle.loads(pickle.dumps(policy)) == policy, "it is another one after pickling")

    def test_arms_are_valid(self) -> None:
        rounds = [(20, 8, 0.1), (1, 5, 0.1), (2, 1, 0.0), (9, 1, 0.1), (3, 2, 0.0)]
        for T, m, noise_sd in rounds:  # the loop refuses what is no arm
            history = play(replace(self.problem(T, m), noise_sd=noise_sd), self.make(), play_rng(0))
            require(len(history.arms) == T, f"it plays {len(history.arms)} of {T} rounds")
        self.measured = f"{sum(T for T, _, _ in rounds)} rounds in {len(rounds)} worlds"

    def test_same_seed_gives_same_arms(self) -> None:
        p = self.problem()
        one, table = play(p, self.make(), play_rng(4)), race(p, {"it": self.make()}, (4,))
        require((one.arms == table.arms[0, 0, 0]).all(), "with the same seed it chooses other arms")
        require((one.y == observe(p, one.arms, play_rng(4)).y).all(), "it uses the chance of the noise")

    def test_no_global_random_numbers(self) -> None:
        before = random.getstate()
        play(self.problem(), self.make(), play_rng(1))  # refuses what draws from numpy's global state
        require(random.getstate() == before, "it draws from Python's `random`: draw from the `rng` that it is handed")

    def test_bands_have_order_and_change_nothing(self) -> None:
        policy, p = self.make(), self.problem()
        if not callable(getattr(policy, "band", None)):
            raise SkipTest("it has no band")
        watched: Any = play(p, policy, play_rng(1), bands=True)
        require((watched.arms == play(p, policy, play_rng(1)).arms).all(), "it chooses otherwise when it is watched")
        for t, band in enumerate(watched.bands):
            _check_curves(band, 8, f"round {t}")

    def test_old_states_give_the_same_rest(self) -> None:
        policy, known, rng = self.make(), self.known(), np.random.default_rng
        state, _ = self.go(policy, policy.init(known), range(11), rng(0), (3, 4, 9))
        kept = deepcopy(state), pickle.loads(pickle.dumps(state))
        last, arms = self.go(policy, state, range(11, 26), rng(1))
        self.go(policy, state, range(11, 26), rng(2))  # another branch
        for old in (state, *kept):
            end, again = self.go(policy, old, range(11, 26), rng(1))
            same = again == arms and np.array_equal(_curves(policy, end, 26), _curves(policy, last, 26))
            require(same, "`update` changes the state that it is handed: return a new one")

    def test_runs_that_take_turns_share_nothing(self) -> None:
        policy, both = self.make(), (self.known(), self.known(arms=5))
        alone = [self.go(policy, policy.init(known), range(26), np.random.default_rng(2))[1] for known in both]
        states, rngs = [policy.init(known) for known in both], [np.random.default_rng(2) for _ in both]
        arms: list[list[int]] = [[], []]
        for t in range(26):
            for i in (0, 1):
                again = pickle.loads(pickle.dumps(states[i]))  # a run goes on from a file
                states[i], one = self.go(policy, again, range(t, t + 1), rngs[i])
                arms[i] += one
        require(arms == alone, "two runs that take turns, each from its pickled state, differ from runs alone")

    def test_nan_is_refused_or_handled(self) -> None:
        """After a reward of NaN it refuses, or still listens where it listens without one."""
        policy, known = self.make(), self.known()

        def arms(nan: bool, sign: int) -> list[int]:
            rng = np.random.default_rng(0)
            state, _ = self.go(policy, policy.init(known), range(3), rng)
            state, arm = self.ask(policy, state, 3, rng)
            state = policy.update(state, 3, arm, math.nan if nan else 0.5)
            return self.go(policy, state, range(4, 26), rng, sign=sign)[1]

        listens = arms(False, 1) != arms(False, -1)
        try:
            deaf = arms(True, 1) == arms(True, -1)
        except ValueError as refusal:
            self.measured = f"refused: {refusal}"
            return
        require(not (listens and deaf), "after a reward of NaN no reward changes what it chooses")
        self.measured = "handled"

    def test_failed_rounds_pass(self) -> None:
        policy, known = self.make(), self.known()
        for failed in (range(26), range(0, 26, 2), range(7, 21)):
            state, _ = self.go(policy, policy.init(known), range(26), np.random.default_rng(0), failed)
            if callable(getattr(policy, "band", None)):
                _check_curves(policy.band(state, 26), 9, "the round after the last")  # type: ignore[attr-defined]

    def test_own_data_is_taken_or_refused(self) -> None:
        policy, known = self.make(), self.known()
        state = policy.init(known)
        for t in range(6):
            try:
                state = policy.update(state, t, (4 * t) % 9, self.reward((4 * t) % 9, t))
            except ValueError as refusal:
                require(t == 0, f"it refuses own data in round {t} only: {refusal}")
                self.measured = f"refused: {refusal}"
                return
        self.go(policy, state, range(6, 26), np.random.default_rng(0))
        self.measured = "taken"

    def test_fresh_arms_are_played_or_refused(self) -> None:
        x = np.random.default_rng(0).uniform(size=(12, 6, 2))
        p = Problem(x, np.sin(3 * x.sum(axis=2)), 0.1, SquaredExponential(0.5), norm_bound=3.0)
        self.measured = "played"
        try:
            play(p, self.make(), play_rng(0))
        except ValueError as refusal:
            self.measured = f"refused: {refusal}"

    def test_cost_of_a_round(self) -> None:
        history = play(self.problem(60, 100), self.make(), play_rng(0))
        assert history.seconds is not None
        ms = 1e3 * float(history.seconds.mean())
        self.measured = f"{ms:.2g} ms a round with 100 arms"
        require(ms <= self.max_ms, f"{self.measured}, more than {self.max_ms:g}")

    def reward(self, arm: int, t: int) -> float:
        """Return the reward of an arm in a round, where a check tells it."""
        return math.sin(0.625 * arm + 0.2 * t) + 0.1 * math.cos(13 * arm + 7 * t)

    def ask(self, policy: Any, state: Any, t: int, rng: np.random.Generator) -> tuple[Any, int]:
        """Return the state after the side queries of a round, and the choice."""
        if hasattr(policy, "questions"):
            again = policy.questions(state, t, rng)
            state = policy.answered(state, t, again, np.array([self.reward(arm, t) for arm in again]))
        return state, policy.select(state, t, rng)

    def go(
        self,
        policy: Any,
        state: Any,
        rounds: range,
        rng: np.random.Generator,
        failed: Iterable[int] = (),
        sign: int = 1,
    ) -> tuple[Any, list[int]]:
        """Return the state after these rounds and the arms chosen; in `failed` ones nothing is told."""
        arms = []
        for t in rounds:
            state, arm = self.ask(policy, state, t, rng)
            arms.append(check_arm(policy, t, "chose", arm, 10**9))
            if t not in failed:
                state = policy.update(state, t, arm, sign * self.reward(arm, t))
        return state, arms


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
            _check_curves(band, m, f"{n} observations")

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
            _check_curves(band, len(Z), "data that contradict the assumptions")
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

    def check_coverage(self, drawn: StillWorlds) -> None:
        """Require that the promise lies below the upper end of the 95 % interval of the share of worlds covered."""
        band = self.make(self.norm, self.sigma, self.delta)
        with one_thread():
            if band.at_all_times:
                covered = score({"it": band}, drawn, max_frames=10**9).counts["it"].covered
            else:
                covered = sum(_covers_at_the_end(band, drawn, w) for w in range(len(drawn.f)))
        low, high = wilson(covered, len(drawn.f))
        when = "at all 41 times" if band.at_all_times else "after the last of 40 observations"
        self.measured = (
            f"{covered} of {len(drawn.f)} still worlds {when}, "
            f"95 % interval {low:.3f} to {high:.3f}, promise {1 - band.delta:.3g}"
        )
        require(high >= 1 - band.delta, self.measured)


def _check_curves(band: Band, m: int, where: str) -> None:
    """Require finite curves of m points, lower <= mean <= upper."""
    curves = [np.asarray(curve) for curve in (band.lower, band.mean, band.upper)]
    shapes = [curve.shape for curve in curves]
    require(shapes == [(m,)] * 3, f"in {where} lower, mean and upper have shapes {shapes}, not ({m},)")
    require(np.isfinite(curves).all(), f"in {where} a curve is not finite")
    require((np.diff(curves, axis=0) >= 0).all(), f"in {where} lower <= mean <= upper does not hold")


def _curves(policy: Any, state: Any, t: int) -> list[np.ndarray]:
    """Return the curves of a policy's band in round t, none of a policy without one."""
    band = policy.band(state, t) if callable(getattr(policy, "band", None)) else None
    return [] if band is None else [band.mean, band.lower, band.upper]


def _covers_at_the_end(band: Bound, drawn: StillWorlds, w: int) -> bool:
    """Return True where the whole curve of a world is inside after its last observation."""
    last = band.from_spectrum(spectrum_from_gram(*drawn.matrices(w)))
    return not last.empty and bool(((last.lower <= drawn.f[w]) & (drawn.f[w] <= last.upper)).all())


@lru_cache(maxsize=4)
def still_worlds(worlds: int, norm: float, sigma: float, greedy: bool) -> StillWorlds:
    """Return still worlds with 40 observations at random points, or where mean plus twice the sd is largest."""
    pool = np.linspace(0, 1, 31)[:, None]
    drawn = draw_still_worlds(SquaredExponential(0.2), pool, 40, worlds, norm, sigma, np.random.default_rng(5))
    if not greedy:
        return drawn
    picks = np.empty((worlds, 40), int)
    for w in range(worlds):
        state = RankOne(drawn.gram)
        for t in range(40):
            picks[w, t] = np.argmax(state.mean + 2 * state.sd)
            state.learn(int(picks[w, t]), drawn.f[w, picks[w, t]] + drawn.noise[w, t], sigma**2)
    return replace(drawn, picks=picks)
