"""Ask and tell: rounds may be skipped, ages count rounds, and wrong policies are named by the loop and the race."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvbo_core as tv
from tests.core.test_every_policy import KNOWN, POLICIES, M, T, X, refused, reward
from tests.standins import Picks, Uniform, problem
from tests.strategies import LAW
from tvbo_core.ask_tell import CheckedPolicy, RunState
from tvbo_core.gp.dense import posterior
from tvbo_core.gp.memory import Markov, SpaceTime
from tvbo_core.policies import IndexPolicy

# --- failed evaluations ---------------------------------------------------------------------------------------------


def formula(policy: IndexPolicy, told: list[tuple[int, int]], t: int) -> tuple[np.ndarray, np.ndarray]:
    """Posterior of round t from the (arm, round) told, by the papers' formula: ages count rounds, not observations."""
    memory, ridge = policy.memory(KNOWN), KNOWN.noise_sd**2
    points = np.array([[X[arm, 0], when] for arm, when in told]).reshape(len(told), 2)
    y = np.array([reward(arm, when) for arm, when in told])
    noise = memory.noise(t - points[:, 1].astype(int), ridge, t)
    kept = np.isfinite(noise)
    kernel = SpaceTime(KNOWN.kernel, memory.epsilon if isinstance(memory, Markov) else 0.0)
    here = np.column_stack([X, np.full(M, float(t))])
    return posterior(kernel, points[kept], y[kept], here, noise[kept])


# ET-GP-UCB and W-DBO forget by what they hear: tests/core/test_event_triggered.py, tests/core/test_stale.py.
INDEXED = [
    p
    for p in POLICIES.values()
    if type(p).update is IndexPolicy.update and p.width == 2.0 and not isinstance(p, tv.WDBO)
]


@given(st.sampled_from(INDEXED), st.frozensets(st.integers(0, T - 1)), st.integers(0, 99))
@settings(LAW, max_examples=40)
def test_memories_age_over_skipped_rounds(policy, failed, seed):
    rng, state, told = np.random.default_rng(seed), policy.init(KNOWN), []
    for t in range(T):
        band, (mean, sd) = policy.band(state, t), formula(policy, told, t)
        # 1e-7: the sd of a well-known arm is a root of a variance known to about 1e-15.
        assert band.mean == pytest.approx(mean, abs=1e-7)
        assert (band.upper - band.lower) / 4 == pytest.approx(sd, abs=1e-7)
        if t not in failed:
            arm = int(rng.integers(M))
            state = policy.update(state, t, arm, reward(arm, t))
            told.append((arm, t))


@pytest.mark.parametrize("policy", [tv.OPKB(), tv.ADAOPKB()], ids=repr)
def test_estimates_average_over_what_was_heard(policy):
    state, rng, terms = policy.init(KNOWN), np.random.default_rng(0), []
    for t in range(T):
        arm = policy.select(state, t, rng)
        if t % 4 == 1:
            continue
        products = state._products[state._playing] if state.t == t else None
        state = policy.update(state, t, arm, reward(arm, t))
        products = state._products[state._playing] if products is None else products
        terms.append(products[arm] * np.clip(reward(arm, t) / state.plan.scale, -1, 1))
    if not state.restarts:
        # 1e-9: sums of 30 products of size T / sigma.
        np.testing.assert_allclose(state.estimate, np.mean(terms, axis=0), atol=1e-9)


# --- newcomers ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Nothing(Uniform):
    """Forgets to return the state."""

    def update(self, state, t, arm, y):
        pass


@dataclass(frozen=True)
class Global(Uniform):
    """Draws from numpy's global state."""

    def select(self, arms, t, rng):
        return int(np.random.randint(arms))  # noqa: NPY002 (what is to be found out)


@dataclass(frozen=True)
class MutatingPolicy(IndexPolicy):
    """A newcomer on the lab's base whose `update` changes the state that it is handed, and returns it or nothing."""

    returns: bool = False

    def update(self, state, t, arm, y):
        state.past.learn(arm, y)
        return state if self.returns else None


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (tv.GPUCB, ["class GPUCB", "GPUCB()"]),
        (reward, ["function reward", "no init"]),
        ("GP-UCB", ["no init"]),
        (Nothing(), ["Nothing", "t = 0", "returns the next state"]),
        (MutatingPolicy(), ["MutatingPolicy", "t = 0", "returns the next state"]),
        (Global(), ["Global", "global random state", "rng"]),
        (Picks(12), ["Picks chose arm 12", "t = 0", "0 to 11"]),
        (Picks(None), ["Picks chose None", "t = 0", "0 to 11"]),
        (Picks(True), ["Picks chose True", "t = 0"]),
        (Picks(np.arange(3)), ["Picks chose array", "t = 0"]),
    ],
)
def test_wrong_policies_are_named(policy, words):
    refused(lambda: tv.play(problem(T=5), policy, np.random.default_rng(0)), *words)
    refused(lambda: tv.race(problem(T=5), {"fine": Uniform(), "mine": policy}, [0]), "mine", *words)


def test_newcomers_states_are_values_too():
    policy = MutatingPolicy(returns=True)
    state = policy.init(KNOWN)
    told = policy.update(state, 0, 3, 1.0)
    assert not policy.band(state, 0).mean.any() and policy.band(told, 1).mean.any()
    refused(lambda: policy.update(state, 0, 3, math.nan), "MutatingPolicy", "t = 0", "finite")


class Heard(RunState):
    """The rewards so far."""

    def __init__(self, rewards: tuple[float, ...] = ()) -> None:
        self.rewards = rewards


@dataclass(frozen=True)
class Counts(CheckedPolicy):
    """A policy of the reader's own whose `update` makes a new state."""

    def init(self, known):
        return Heard()

    def select(self, state, t, rng):
        return len(state.rewards)

    def update(self, state, t, arm, y):
        return Heard((*state.rewards, y))


def test_update_may_return_a_new_state():
    policy = Counts()
    state = policy.init(KNOWN)
    for t in (0, 2):
        state = policy.update(state, t, 1, 0.5)
    assert policy.select(state, 3, np.random.default_rng()) == 2
    refused(lambda: policy.select(state, 2, np.random.default_rng()), "left round t = 2 behind")
    refused(lambda: policy.update(state, 3, 1), "needs y: write update(state, t, arm, y)")
