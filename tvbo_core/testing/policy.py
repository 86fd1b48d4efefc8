"""The contract of a policy."""

from __future__ import annotations

import math
import pickle
import random
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from typing import Any
from unittest import SkipTest

import numpy as np

from tvbo_core.ask_tell import check_arm
from tvbo_core.designs import observe, play_rng
from tvbo_core.kernels import SquaredExponential
from tvbo_core.play import play
from tvbo_core.race import race
from tvbo_core.records import LearnerInfo, Policy, Problem, World
from tvbo_core.testing.contract import Contract, check_curves, is_refusal, require
from tvbo_core.worlds import make_problem

SEEDED = (
    "with the same seed it chooses other arms: draw from the `rng` that `select` is handed, from no other generator, "
    "and keep what you learn in the state alone"
)


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
        self.where = f"a world of {_counted(rounds, 'round')}, {_counted(arms, 'arm')}"
        return make_problem(World(kind="jumps", horizon=rounds, arms=arms, **fields))

    def known(self, rounds: int = 26, arms: int = 9) -> LearnerInfo:
        """Return the assumptions of checks that make the rewards themselves."""
        self.where = f"made rewards of {rounds} rounds, {arms} arms"
        x = np.linspace(0, 1, arms)[:, None]
        return LearnerInfo(x, rounds, 0.1, SquaredExponential(0.3), norm_bound=2.0, sup_variation=2.0)

    def test_cost_of_a_round(self) -> None:
        for rounds in (3, 60):  # a policy that takes seconds is known as one after three rounds
            seconds = play(self.problem(rounds, 100), self.make(), play_rng(0)).seconds
            assert seconds is not None
            ms = 1e3 * float(seconds.mean())
            self.measured = f"{ms:.2g} ms a round with 100 arms"
            require(ms <= self.max_ms * (10 if rounds == 3 else 1), f"{self.measured}, more than {self.max_ms:g}")

    def test_it_is_a_value(self) -> None:
        policy = self.make()
        equal = policy == self.make() and hash(policy) == hash(self.make())
        require(equal, "two that are made alike are not equal: write @dataclass(frozen=True) above the class")
        require(pickle.loads(pickle.dumps(policy)) == policy, "it is another one after pickling")

    def test_arms_are_valid(self) -> None:
        rounds = [(20, 8, 0.1), (1, 5, 0.1), (2, 1, 0.0), (9, 1, 0.1), (3, 2, 0.0)]
        for T, m, noise_sd in rounds:  # the loop refuses what is no arm
            p = replace(self.problem(T, m), noise_sd=noise_sd)
            self.where += f", noise {noise_sd:g}"
            history = play(p, self.make(), play_rng(0))
            require(len(history.arms) == T, f"it plays {len(history.arms)} of {T} rounds")
        self.measured = f"{sum(T for T, _, _ in rounds)} rounds in {len(rounds)} worlds"

    def test_same_seed_gives_same_arms(self) -> None:
        p = self.problem()
        one, table = play(p, self.make(), play_rng(4)), race(p, {"it": self.make()}, (4,))
        require((one.arms == table.arms[0, 0, 0]).all(), SEEDED)
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
            check_curves(band, 8, f"round {t}")

    def test_old_states_give_the_same_rest(self) -> None:
        self.skip_without_one_rest()
        policy, known, rng = self.make(), self.known(), np.random.default_rng
        state, _ = self.go(policy, policy.init(known), range(11), rng(0), (3, 4, 9))
        kept = deepcopy(state), pickle.loads(pickle.dumps(state))
        last, arms = self.go(policy, state, range(11, 26), rng(1))
        self.go(policy, state, range(11, 26), rng(2))  # another branch
        for old in (state, *kept):
            end, again = self.go(policy, old, range(11, 26), rng(1))
            same = again == arms and np.array_equal(_curves(policy, end, 26), _curves(policy, last, 26))
            require(same, "an older state plays on otherwise: `update` returns a new state, and changes nothing else")

    def test_runs_that_take_turns_share_nothing(self) -> None:
        self.skip_without_one_rest()
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

        def arms(nan: bool, sign: int) -> list[int] | str:
            rng = np.random.default_rng(0)
            state, _ = self.go(policy, policy.init(known), range(3), rng)
            state, arm = self.ask(policy, state, 3, rng)
            try:
                state = policy.update(state, 3, arm, math.nan if nan else 0.5)
            except ValueError as error:
                return self.refusal(error)
            return self.go(policy, state, range(4, 26), rng, sign=sign)[1]

        listens, heard = arms(False, 1) != arms(False, -1), arms(True, 1)
        if isinstance(heard, str):
            self.measured = heard
            return
        require(not listens or heard != arms(True, -1), "after a reward of NaN no reward changes what it chooses")
        self.measured = "handled"

    def test_failed_rounds_pass(self) -> None:
        policy, known = self.make(), self.known()
        for failed in (range(26), range(0, 26, 2), range(7, 21)):
            state, _ = self.go(policy, policy.init(known), range(26), np.random.default_rng(0), failed)
            if callable(getattr(policy, "band", None)):
                check_curves(policy.band(state, 26), 9, "the round after the last")  # type: ignore[attr-defined]

    def test_own_data_is_taken_or_refused(self) -> None:
        policy, known = self.make(), self.known()
        state = policy.init(known)
        for t in range(6):
            try:
                state = policy.update(state, t, (4 * t) % 9, self.reward((4 * t) % 9, t))
            except ValueError as error:
                self.measured = self.refusal(error)
                require(t == 0, f"it takes own data until round {t}: {self.measured}")
                return
        self.go(policy, state, range(6, 26), np.random.default_rng(0))
        self.measured = "taken"

    def test_fresh_arms_are_played_or_refused(self) -> None:
        x = np.random.default_rng(0).uniform(size=(12, 6, 2))
        p = Problem(x, np.sin(3 * x.sum(axis=2)), 0.1, SquaredExponential(0.5), norm_bound=3.0)
        self.where = "a world with other arms in each round: where that is not for it, let `init` raise a ValueError"
        try:
            self.make().init(p.known)
        except ValueError as error:
            self.measured = self.refusal(error)
            return
        play(p, self.make(), play_rng(0))  # what it does not refuse at once it plays to the end
        self.measured = "played"

    def skip_without_one_rest(self) -> None:
        """Leave a check out that compares two runs of one seed, where chance other than `rng` makes them differ."""
        known = self.known()
        made = (self.make() for _ in range(2))
        one, two = (self.go(it, it.init(known), range(26), np.random.default_rng(0))[1] for it in made)
        if one != two:
            raise SkipTest("two runs with one seed differ: mend same_seed_gives_same_arms first")

    def refusal(self, error: ValueError) -> str:
        """Return the words of a refusal; raise an error again that is a crash."""
        if not is_refusal(error):
            raise error
        return f"refused: {error}"

    def reward(self, arm: int, t: int) -> float:
        """Return the reward of an arm in a round, as the checks make it."""
        return math.sin(0.625 * arm + 0.2 * t) + 0.1 * math.cos(13 * arm + 7 * t)

    def ask(self, policy: Any, state: Any, t: int, rng: np.random.Generator) -> tuple[Any, int]:
        """Return the state after the side queries of a round, and the choice."""
        if hasattr(policy, "questions"):
            again = policy.questions(state, t, rng)
            state = policy.answer(state, t, again, np.array([self.reward(arm, t) for arm in again]))
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
        """Return the state after these rounds and the arms of `select`; `failed` rounds have no `update`."""
        arms = []
        for t in rounds:
            state, arm = self.ask(policy, state, t, rng)
            arms.append(check_arm(policy, t, "chose", arm, 10**9))
            if t not in failed:
                state = policy.update(state, t, arm, sign * self.reward(arm, t))
        return state, arms


def _counted(n: int, thing: str) -> str:
    return f"{n} {thing}{'' if n == 1 else 's'}"


def _curves(policy: Any, state: Any, t: int) -> list[np.ndarray]:
    """Return the curves of a policy's band in round t, none of a policy without one."""
    band = policy.band(state, t) if callable(getattr(policy, "band", None)) else None
    return [] if band is None else [band.mean, band.lower, band.upper]
