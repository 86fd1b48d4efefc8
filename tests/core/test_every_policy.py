"""Promises of every policy of the list: valid arms, states that are values, chance by seed, and refusals by name."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tvbo_core as tv
from tests.standins import Spy, bounded_problems, fresh_arms, problem, sees
from tests.strategies import LAW
from tvbo_core import bands
from tvbo_core.designs import play_rng
from tvbo_core.gp.memory import matched
from tvbo_core.play import play
from tvbo_core.policies import ALL, BY_NAME, FIXED_ARMS, SIDE_QUERIES, IndexPolicy, entry_of
from tvbo_core.policies.opkb.constants import OPKBConstants
from tvbo_core.records import LearnerInfo
from tvbo_core.testing import PolicyContract

T, M = 26, 9
X = np.linspace(0, 1, M)[:, None]
CHECKS = PolicyContract()
KNOWN, ask, go = CHECKS.known(T, M), CHECKS.ask, CHECKS.go
# As in the papers, with a memory that is full and forgets several times within the horizon, and in other forms.
POLICIES = {
    **{word: entry.make() for word, entry in ALL.items()},
    **{f"{word} 6": entry.make(6) for word, entry in ALL.items() if entry.memory},
    "dense sw": tv.SWGPUCB(6, dense=True),
    "tight wgp": tv.WGPUCB(0.9, tight=True, width=tv.LogWidth(1.0)),
    "dense kdmm": tv.KernelUCB("DMM", dense=True),
    "given band": tv.KernelUCB(tv.AMM(B=2.0, sigma=0.1, delta=0.1)),
    "append": tv.WSparQ(append_start=True),
    # Replays of old strategies from the first block on, and a test that restarts.
    "replays": tv.ADAOPKB(OPKBConstants(block=0.003, gain=0.5, test=0.01), scale=1.0),
    "drift": tv.RPERP(restart=12, width="theory", form="drift"),
}


def every_policy(law: Callable[[Any], None]) -> Callable[[], None]:
    """Return one case that walks all policies; a failure carries the word of its policy."""

    def case() -> None:
        for word, policy in POLICIES.items():
            try:
                law(policy)
            except BaseException as error:
                error.add_note(f"policy: {word}")
                raise

    case.__name__, case.__doc__ = law.__name__, law.__doc__
    return case


def reward(arm: int, t: int) -> float:
    return CHECKS.reward(arm, t)


def band_values(policy: Any, state: Any, t: int) -> np.ndarray:
    band = policy.band(state, t)
    return np.array([band.mean, band.lower, band.upper])


# --- the list -------------------------------------------------------------------------------------------------------


def test_policies_are_what_their_lines_say() -> None:
    linked = ["rnd", "gp", "r", "sw", "wgp", "tv", "pe", "rperp", "opkb", "sparq", "wsparq"]
    assert list(ALL)[: len(linked)] == linked and len({entry.title for entry in ALL.values()}) == len(ALL)
    for word, entry in ALL.items():
        policy = entry.make(memory=20, width=1.5)
        assert entry.key == word and BY_NAME[entry.name] is entry and entry_of(policy) is entry
        assert type(policy) is entry.policy and getattr(policy, "width", None) == (1.5 if entry.takes_width else None)
        assert hasattr(policy, "questions") == (SIDE_QUERIES in entry.needs), word
        assert entry.ms > 0
        if entry.memory:
            assert getattr(policy, entry.memory) == getattr(matched(20), entry.memory)
            assert getattr(entry.make(), entry.memory) == "paper"


@pytest.mark.parametrize("name", bands.ALL)
def test_kernel_ucb_plays_its_band(name: str) -> None:
    bound = bands.ALL[name].make(2.0, 0.1, 0.1, c=1.0, ridge=0.01, eta=0.05)
    for band, policy in ((name, tv.KernelUCB(name)), (bound, tv.KernelUCB(bound))):
        assert policy.band == band and replace(policy, delta=0.2).band == band
        state = policy.update(policy.init(KNOWN), 0, 3, 0.5)
        found = policy.band(state, 1)
        direct = policy.resolved(KNOWN).band(KNOWN.kernel, X[[3]], np.array([0.5]), X)
        # 1e-6: one observation through a spectrum, and through rank-one updates.
        assert found.upper == pytest.approx(direct.upper, abs=1e-6)
        assert policy.select(state, 1, np.random.default_rng(0)) == found.upper.argmax()


# --- runs -----------------------------------------------------------------------------------------------------------


class TestPolicies(PolicyContract):
    """The contract of a reader's own policy, for every policy of the list; one that forgets with a memory of six."""

    max_ms = 1000.0  # a machine with other work; `python -m benchmarks.costs` measures

    @pytest.fixture(autouse=True, params=[word for word in POLICIES if f"{word} 6" not in POLICIES])
    def walk(self, request: pytest.FixtureRequest) -> None:
        self.policy = POLICIES[request.param]

    def make(self) -> Any:
        return self.policy


@every_policy
def test_policies_never_see_the_reward(policy):
    p = problem(T=20, m=8)
    spy = Spy(policy)
    play(p, spy, play_rng(0))
    assert any(isinstance(thing, LearnerInfo) for thing in spy.handed) and not sees(p.f, spy.handed)
    # The same search finds f where it is: in the problem, however deep.
    for hidden in ([{"here": (p,)}], p.f[3:].T, lambda: p, partial(max, p), p.f.max):
        assert sees(p.f, hidden)


@every_policy
def test_optimism_asks_where_the_band_is_highest(policy):
    if getattr(type(policy), "select", None) is IndexPolicy.select:
        watched = play(problem(T=20, m=8), policy, play_rng(1), bands=True)
        assert [band.upper.argmax() for band in watched.bands] == watched.arms.tolist()


@given(st.sampled_from(list(POLICIES.values())), bounded_problems(), st.integers(0, 1000))
@LAW
def test_regret_stays_between_zero_and_twice_range(policy, p, seed):
    regret = play(p, policy, play_rng(seed)).regret
    # |f| <= sqrt(kappa) B holds up to the rounding of one square root.
    assert (regret >= 0).all()
    assert regret.sum() <= 2 * np.sqrt(p.kernel.variance) * p.norm_bound * p.horizon * (1 + 1e-9) + 1e-12


@every_policy
def test_fresh_arms_are_those_of_their_round(policy):
    p = fresh_arms(T=12)
    if FIXED_ARMS in entry_of(policy).needs:
        refused(lambda: policy.init(p.known), "needs the same arms", "fresh ones")
        return
    state = policy.update(policy.init(p.known), 3, 2, 0.5)  # after a skip: the arms of the round that is asked about
    if hasattr(policy, "resolved"):
        band = policy.resolved(p.known).band(p.kernel, p.x[3, [2]], np.array([0.5]), p.x[7])
        np.testing.assert_array_equal(policy.band(state, 7).upper, band.upper)
    else:
        assert policy.band(state, 7).mean.shape == (6,)


# --- mistakes -------------------------------------------------------------------------------------------------------


def refused(call: Callable[[], Any], *words: str) -> None:
    """It is refused with one sentence, which holds these words."""
    with pytest.raises(ValueError) as caught:
        call()
    said = str(caught.value)
    assert "\n" not in said and all(word in said for word in words), said


@every_policy
def test_wrong_arms_rewards_and_rounds_are_named(policy):
    name, rng = type(policy).__name__, np.random.default_rng(0)
    state, _ = go(policy, policy.init(KNOWN), range(4), rng)
    state, arm = ask(policy, state, 4, rng)
    for wrong in (-1, M, True, None, np.array([1, 2])):
        refused(partial(policy.update, state, 4, wrong, 0.5), name, "t = 4", f"0 to {M - 1}")
    for y in (math.nan, math.inf, None, "0.5", 1j, np.array([0.5])):
        refused(partial(policy.update, state, 4, arm, y), name, "t = 4", "finite", "leave `update`")
    for t in (T, -1, None):
        refused(partial(policy.select, state, t, rng), name)
    refused(partial(policy.select, state, 3, rng), name, "t = 3", "stands at t = 4")
    refused(partial(policy.update, state, 3, arm, 0.5), name, "t = 3", "stands at t = 4")
    refused(partial(policy.select, None, 0, rng), "own `init` or `update` returned")
    refused(partial(policy.init, problem(T=3)), name, "LearnerInfo")
    plain = band_values(policy, policy.update(state, 4, int(arm), 0.5), 5)
    for number, y in ((np.int32(arm), np.float32(0.5)), (np.array(arm), np.array(0.5))):  # numbers of numpy are numbers
        assert np.array_equal(band_values(policy, policy.update(state, np.int64(4), number, y), 5), plain)
    if hasattr(policy, "answer"):
        refused(partial(policy.answer, state, 4, [1], [math.nan]), name, "t = 4", "finite")
        refused(partial(policy.answer, state, 4, [M], [0.5]), name, "t = 4", "0 to 8")
        refused(partial(policy.answer, state, 4, [1, 2], [0.5]), name, "t = 4")
