"""What every policy of the list promises: valid arms, states that are values, chance by seed, and refusals by name."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from copy import deepcopy
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
from tvbo_core import bands, trial
from tvbo_core.designs import observe, play_rng
from tvbo_core.gp.memory import matched
from tvbo_core.play import play
from tvbo_core.policies import ALL, BY_NAME, FIXED_ARMS, SIDE_QUERIES, IndexPolicy, entry_of
from tvbo_core.policies.opkb.constants import OPKBConstants
from tvbo_core.race import race
from tvbo_core.records import LearnerInfo

T, M = 26, 9
X = np.linspace(0, 1, M)[:, None]
KNOWN = LearnerInfo(X, T, 0.1, tv.SquaredExponential(0.3), norm_bound=2.0, sup_variation=2.0)
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
    return math.sin(5 * X[arm, 0] + 0.2 * t) + 0.1 * math.cos(13 * arm + 7 * t)


def ask(policy: Any, state: Any, t: int, rng: np.random.Generator) -> tuple[Any, int]:
    """Return the state after the side queries of a round, and the choice."""
    if hasattr(policy, "questions"):
        again = policy.questions(state, t, rng)
        state = policy.answered(state, t, again, np.array([reward(arm, t) for arm in again]))
    return state, policy.select(state, t, rng)


def go(policy: Any, state: Any, rounds: range, rng: np.random.Generator, failed: tuple | range = ()) -> tuple:
    """Return the state after these rounds and the arms chosen in them; in `failed` rounds nothing is told."""
    arms = []
    for t in rounds:
        state, arm = ask(policy, state, t, rng)
        arms.append(arm)
        if t not in failed:
            state = policy.update(state, t, arm, reward(arm, t))
    return state, arms


def seen(policy: Any, state: Any, t: int) -> np.ndarray:
    band = policy.band(state, t)
    return np.array([band.mean, band.lower, band.upper])


# --- the list -------------------------------------------------------------------------------------------------------


def test_policies_are_what_their_lines_say() -> None:
    linked = ["rnd", "gp", "r", "sw", "wgp", "tv", "pe", "rperp", "opkb", "sparq", "wsparq"]
    assert list(ALL)[: len(linked)] == linked and len({entry.title for entry in ALL.values()}) == len(ALL)
    for word, entry in ALL.items():
        policy = entry.make(memory=20, width=1.5)
        assert entry.word == word and BY_NAME[entry.name] is entry and entry_of(policy) is entry
        assert type(policy) is entry.policy and getattr(policy, "width", None) == (1.5 if entry.takes_width else None)
        assert hasattr(policy, "questions") == (SIDE_QUERIES in entry.needs), word
        assert entry.ms > 0
        if entry.memory:
            assert getattr(policy, entry.memory) == getattr(matched(20), entry.memory)
            assert getattr(entry.make(), entry.memory) == "paper"
    assert tuple(entry.name for entry in ALL.values() if entry.on_tables) == trial.NAMES


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


@every_policy
def test_same_seed_gives_the_same_history(policy):
    p = problem(T=20, m=8)
    one, table = play(p, policy, play_rng(4)), race(p, {"one": policy}, (4,))
    for column in ("arms", "regret", "extra_queries"):
        np.testing.assert_array_equal(getattr(one, column), getattr(table, column)[0, 0, 0])
    assert ((one.arms >= 0) & (one.arms < 8)).all()
    # What it heard is what anybody would have heard from these arms.
    np.testing.assert_array_equal(one.y, observe(p, one.arms, play_rng(4)).y)


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
def test_bands_decide_and_change_nothing(policy):
    p = problem(T=20, m=8)
    watched = play(p, policy, play_rng(1), bands=True)
    np.testing.assert_array_equal(watched.arms, play(p, policy, play_rng(1)).arms)
    curves = np.array([[band.lower, band.mean, band.upper] for band in watched.bands])
    assert curves.shape == (20, 3, 8) and (np.diff(curves, axis=1) >= 0).all()
    if getattr(type(policy), "select", None) is IndexPolicy.select:  # optimism: the arm is where the band is highest
        assert curves[:, 2].argmax(axis=1).tolist() == watched.arms.tolist()


@given(st.sampled_from(list(POLICIES.values())), bounded_problems(), st.integers(0, 1000))
@LAW
def test_regret_stays_between_zero_and_twice_range(policy, p, seed):
    regret = play(p, policy, play_rng(seed)).regret
    # |f| <= sqrt(kappa) B holds up to the rounding of one square root.
    assert (regret >= 0).all()
    assert regret.sum() <= 2 * np.sqrt(p.kernel.variance) * p.norm_bound * p.horizon * (1 + 1e-9) + 1e-12


@every_policy
def test_one_arm_or_round_is_a_run(policy):
    for n, m, noise_sd in ((1, 5, 0.1), (2, 1, 0.0), (9, 1, 0.1), (3, 2, 0.0)):
        history = play(replace(problem(T=n, m=m), noise_sd=noise_sd), policy, play_rng(0))
        assert len(history.arms) == n and np.isfinite(history.y).all()


@every_policy
def test_fresh_arms_are_played_or_refused(policy):
    p = fresh_arms(T=12)
    if FIXED_ARMS in entry_of(policy).needs:
        with pytest.raises(ValueError, match=r"^.*needs the same arms.*fresh ones.*$"):
            play(p, policy, play_rng(0))
        return
    assert (play(p, policy, play_rng(0)).regret >= 0).all()
    state = policy.update(policy.init(p.known), 3, 2, 0.5)  # after a skip: the arms of the round that is asked about
    if hasattr(policy, "resolved"):
        band = policy.resolved(p.known).band(p.kernel, p.x[3, [2]], np.array([0.5]), p.x[7])
        np.testing.assert_array_equal(policy.band(state, 7).upper, band.upper)
    else:
        assert policy.band(state, 7).mean.shape == (6,)


# --- states are values ----------------------------------------------------------------------------------------------


@every_policy
def test_old_states_give_the_same_rest(policy):
    rng, rest = np.random.default_rng, range(11, T)
    state, _ = go(policy, policy.init(KNOWN), range(11), rng(0), (3, 4, 9))
    state, arm = ask(policy, state, 11, rng(7))
    seen(policy, state, 11)  # what is computed on first use is there now
    before = pickle.dumps(state)
    policy.update(state, 11, arm, -5.0)
    seen(policy, state, 14)
    first, arms = go(policy, state, rest, rng(1))
    go(policy, state, rest, rng(2))  # another branch from the same state
    assert pickle.dumps(state) == before
    for old in (state, deepcopy(state), pickle.loads(before)):
        again, same = go(policy, old, rest, rng(1))
        assert same == arms and np.array_equal(seen(policy, again, T), seen(policy, first, T))
    assert pickle.loads(pickle.dumps(policy)) == policy and hash(policy)


@every_policy
def test_runs_that_take_turns_share_nothing(policy):
    both = KNOWN, replace(KNOWN, x=X[:5])
    alone = [go(policy, policy.init(known), range(T), np.random.default_rng(2))[1] for known in both]
    states, rngs = [policy.init(known) for known in both], [np.random.default_rng(2) for _ in both]
    arms: list[list[int]] = [[], []]
    for t in range(T):
        for i in (0, 1):
            again = pickle.loads(pickle.dumps(states[i]))  # a run goes on from a file
            states[i], chosen = go(policy, again, range(t, t + 1), rngs[i])
            arms[i] += chosen
    assert arms == alone


@every_policy
def test_runs_with_failed_rounds_end(policy):
    for failed in (range(T), range(0, T, 2), range(7, 21)):
        state, arms = go(policy, policy.init(KNOWN), range(T), np.random.default_rng(0), failed)
        assert all(0 <= arm < M for arm in arms)
        mean, lower, upper = seen(policy, state, T)
        assert np.isfinite([mean, lower, upper]).all() and (lower <= upper).all()


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
    for wrong in (-1, M, 10**9, 1.0, True, None, "2", np.float64(2), np.array([1, 2])):
        refused(partial(policy.update, state, 4, wrong, 0.5), name, "t = 4", f"0 to {M - 1}")
    for y in (math.nan, math.inf, np.float32("nan"), None, "0.5", 1j, [0.5], np.array([0.5]), 10**400):
        refused(partial(policy.update, state, 4, arm, y), name, "t = 4", "finite", "leave `update`")
    for t in (T, 10**9, -1, 2.0, None, "3"):
        refused(partial(policy.select, state, t, rng), name)
        refused(partial(policy.update, state, t, arm, 0.5), name)
    refused(partial(policy.select, state, T, rng), f"the last round is t = {T - 1}")
    refused(partial(policy.select, state, 3, rng), name, "t = 3", "stands at t = 4")
    refused(partial(policy.update, state, 3, arm, 0.5), name, "t = 3", "stands at t = 4")
    refused(partial(policy.band, state, T + 1), name, f"t = {T + 1}")
    plain = seen(policy, policy.update(state, 4, int(arm), 0.5), 5)
    for number, y in ((np.int32(arm), np.float32(0.5)), (np.array(arm), np.array(0.5))):  # numbers of numpy are numbers
        assert np.array_equal(seen(policy, policy.update(state, np.int64(4), number, y), 5), plain)
    if hasattr(policy, "answered"):
        refused(partial(policy.answered, state, 4, [1], [math.nan]), name, "t = 4", "finite")
        refused(partial(policy.answered, state, 4, [M], [0.5]), name, "t = 4", "0 to 8")
        refused(partial(policy.answered, state, 4, [1, 2], [0.5]), name, "t = 4")


@every_policy
def test_other_states_and_problems_are_refused(policy):
    for state in (None, 3, (1, 2), KNOWN, tv.TVGPUCB(0.5, width=7.0).init(KNOWN)):
        refused(partial(policy.select, state, 0, np.random.default_rng(0)), "own `init` or `update` returned")
        refused(partial(policy.update, state, 0, 0, 0.5), "own `init` or `update` returned")
        refused(partial(policy.band, state, 0), "own `init` or `update` returned")
    for known in (None, problem(T=3), 3, {"x": X}):
        refused(partial(policy.init, known), type(policy).__name__, "LearnerInfo")
    refused(lambda: type(policy).init(KNOWN), "on a class")
