"""Ask and tell: rounds may be skipped, ages count rounds, and wrong policies are named by the loop and the race."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvbo_core as tv
from tests.core.test_every_policy import KNOWN, POLICIES, M, T, X, refused, reward
from tests.standins import Uniform, problem
from tests.strategies import LAW
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


# ET-GP-UCB forgets by what it hears: tests/core/test_event_triggered.py.
INDEXED = [p for p in POLICIES.values() if type(p).update is IndexPolicy.update and p.width == 2.0]


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


def test_batches_and_restarts_survive_skips():
    policy = tv.RPERP(restart=10)
    state, rng, heard = policy.init(KNOWN), np.random.default_rng(0), []
    n = tv.batch_sizes(10)[0]
    for t in range(T):
        if t == n:  # the first batch is judged by what it heard
            arms, y = (np.array(column) for column in zip(*heard, strict=True))
            mean, sd = posterior(KNOWN.kernel, X[arms], y, X, 0.01)
            band = policy.band(state, n)
            assert band.mean == pytest.approx(mean, abs=1e-7)  # as above
            assert band.upper == pytest.approx(mean + 2 * sd, abs=1e-7)
        arm = policy.select(state, t, rng)
        if t % 3 != 1:
            state = policy.update(state, t, arm, reward(arm, t))
            heard.append((arm, reward(arm, t)))
            assert state.start == (t if (t + 1) % 10 else t + 1) // 10 * 10


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


def test_windows_of_side_queries_survive_skips():
    policy = tv.WSparQ()
    state = policy.update(policy.init(KNOWN), 0, 3, 0.5)
    state = policy.update(state, 5, 4, 0.25)
    evidence = policy.evidence(state, 9)
    assert evidence.heard.tolist() == [0, 5]
    # The variance of a reading of age a is sigma^2 (1 + a): eq. 12 with alpha = 1.
    np.testing.assert_allclose(evidence.noise, 0.01 * np.array([10.0, 5.0]), rtol=1e-12)


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
class Says(Uniform):
    """Chooses this, whatever it is."""

    arm: Any = None

    def select(self, arms, t, rng):
        return self.arm


@dataclass(frozen=True)
class Newcomer(IndexPolicy):
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
        (Newcomer(), ["Newcomer", "t = 0", "returns the next state"]),
        (Global(), ["Global", "global random state", "rng"]),
        (Says(12), ["Says chose arm 12", "t = 0", "0 to 11"]),
        (Says(None), ["Says chose None", "t = 0", "0 to 11"]),
        (Says(True), ["Says chose True", "t = 0"]),
        (Says(np.arange(3)), ["Says chose array", "t = 0"]),
    ],
)
def test_wrong_policies_are_named(policy, words):
    refused(lambda: tv.play(problem(T=5), policy, np.random.default_rng(0)), *words)
    refused(lambda: tv.race(problem(T=5), {"fine": Uniform(), "mine": policy}, [0]), "mine", *words)


def test_newcomers_states_are_values_too():
    policy = Newcomer(returns=True)
    state = policy.init(KNOWN)
    told = policy.update(state, 0, 3, 1.0)
    assert not policy.band(state, 0).mean.any() and policy.band(told, 1).mean.any()
    refused(lambda: policy.update(state, 0, 3, math.nan), "Newcomer", "t = 0", "finite")
