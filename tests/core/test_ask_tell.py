"""Ask and tell: every policy of the list checks what it is handed, its states are values, and rounds may be skipped."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvbo_core as tv
from tests.standins import Uniform, fresh_arms, problem
from tests.strategies import LAW
from tvbo_core.bands import ALL as BANDS
from tvbo_core.gp.dense import posterior
from tvbo_core.gp.memory import Markov, SpaceTime
from tvbo_core.kernels import Tabulated
from tvbo_core.policies import ALL, FIXED_ARMS, IndexPolicy
from tvbo_core.records import LearnerInfo

T, M = 26, 9
X = np.linspace(0, 1, M)[:, None]
KNOWN = LearnerInfo(X, T, 0.1, tv.SquaredExponential(0.3), norm_bound=2.0, sup_variation=2.0)
# As in the papers, and with a memory that is full and forgets several times within the horizon.
POLICIES = {word: entry.make() for word, entry in ALL.items()} | {
    f"{word} 6": entry.make(6) for word, entry in ALL.items() if entry.memory
}
POLICIES |= {
    "dense sw": tv.SWGPUCB(6, dense=True),
    "dense kdmm": tv.KernelUCB("DMM", dense=True),
    "given band": tv.KernelUCB(tv.AMM(B=2.0, sigma=0.1, delta=0.1)),
    "append": tv.WSparQ(append_start=True),
    # Replays of old strategies from the first block on, and a test that restarts.
    "replays": tv.ADAOPKB(tv.policies.opkb.constants.OPKBConstants(block=0.003, gain=0.5, test=0.01), scale=1.0),
    "drift": tv.RPERP(restart=12, width="theory", form="drift"),
}
every_policy = pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)


def walk(test: Callable[[Any], None]) -> Callable[[], None]:
    """One case that walks all policies, for what is quick; a failure shows the policy in its traceback.

    KernelUCB is slow with its search for CMM; its DMM stands for it.
    """

    def case() -> None:
        for word, policy in POLICIES.items():
            if word != "kucb":
                test(policy)

    case.__name__ = test.__name__
    return case


def reward(arm: int, t: int) -> float:
    return math.sin(5 * X[arm, 0] + 0.2 * t) + 0.1 * math.cos(13 * arm + 7 * t)


def ask(policy: Any, state: Any, t: int, rng: np.random.Generator) -> tuple[Any, int]:
    """The state after the side queries of a round, and the choice."""
    if hasattr(policy, "questions"):
        again = policy.questions(state, t, rng)
        state = policy.answered(state, t, again, np.array([reward(arm, t) for arm in again]))
    return state, policy.select(state, t, rng)


def go(policy: Any, state: Any, rounds: range, rng: np.random.Generator, failed: frozenset[int] = frozenset()) -> tuple:
    """The state after these rounds, and the arms chosen in them; in `failed` rounds nothing is told."""
    arms = []
    for t in rounds:
        state, arm = ask(policy, state, t, rng)
        arms.append(arm)
        if t not in failed:
            state = policy.update(state, t, arm, reward(arm, t))
    return state, arms


def seen(policy: Any, state: Any, t: int) -> tuple:
    band = policy.band(state, t)
    return band.mean.tolist(), band.lower.tolist(), band.upper.tolist()


# ---------------------------------------------------------------- states are values


@every_policy
@given(at=st.integers(0, T - 1), failed=st.frozensets(st.integers(0, T - 1), max_size=6), seed=st.integers(0, 99))
@settings(LAW, max_examples=3)
def test_an_old_state_gives_the_same_rest(policy, at, failed, seed):
    state, _ = go(policy, policy.init(KNOWN), range(at), np.random.default_rng(seed), failed)
    fresh, rest = pickle.dumps(state), range(at, T)
    rng = np.random.default_rng
    first, arms = go(policy, state, rest, rng(1), failed)
    go(policy, state, rest, rng(2))  # another branch from the same state
    for old in (state, deepcopy(state), pickle.loads(fresh)):
        again, same = go(policy, old, rest, rng(1), failed)
        assert same == arms and seen(policy, again, T) == seen(policy, first, T)


@walk
def test_branches_that_take_turns_stay_apart(policy):
    start, _ = go(policy, policy.init(KNOWN), range(11), np.random.default_rng(0))
    alone = [go(policy, pickle.loads(pickle.dumps(start)), range(11, T), np.random.default_rng(s))[1] for s in (1, 2)]
    states, rngs, arms = [start, start], [np.random.default_rng(s) for s in (1, 2)], ([], [])
    for t in range(11, T):
        for b in (0, 1):
            states[b], chosen = go(policy, states[b], range(t, t + 1), rngs[b])
            arms[b].extend(chosen)
    assert list(arms) == alone


@every_policy
def test_telling_and_looking_leave_a_state_as_it_was(policy):
    state, rng = policy.init(KNOWN), np.random.default_rng(3)
    for t in range(T):
        state, arm = ask(policy, state, t, rng)
        seen(policy, state, t)  # what is computed on first use is there now
        before = pickle.dumps(state)
        after = policy.update(state, t, arm, reward(arm, t))
        policy.update(state, t, arm, -5.0)
        seen(policy, state, min(t + 3, T))
        assert after is not state and pickle.dumps(state) == before
        state = after


@every_policy
def test_the_same_chance_gives_the_same_choice(policy):
    state, rng = policy.init(KNOWN), np.random.default_rng(5)
    for t in range(T):
        other = deepcopy(state)
        choices = [policy.select(one, t, np.random.default_rng(9)) for one in (state, state, other)]
        policy.select(state, t, np.random.default_rng(10))
        choices.append(policy.select(state, t, np.random.default_rng(9)))
        assert len(set(choices)) == 1
        state, _ = go(policy, state, range(t, t + 1), rng)


@walk
def test_a_run_goes_on_from_a_file(policy):
    whole = go(policy, policy.init(KNOWN), range(T), np.random.default_rng(4))[1]
    state, rng, arms = policy.init(KNOWN), np.random.default_rng(4), []
    for t in range(T):
        state, arm = ask(policy, pickle.loads(pickle.dumps(state)), t, rng)
        state = policy.update(pickle.loads(pickle.dumps(state)), t, arm, reward(arm, t))
        arms.append(arm)
    assert arms == whole


# ---------------------------------------------------------------- evaluations that failed


@pytest.mark.parametrize("failed", [range(T), range(0, T, 2), range(7, 21), [0], [T - 1]], ids=str)
def test_a_run_with_failures_goes_to_the_end(failed):
    walk(lambda policy: go_with_failures(policy, failed))()


def go_with_failures(policy, failed):
    state, arms = go(policy, policy.init(KNOWN), range(T), np.random.default_rng(0), frozenset(failed))
    assert all(0 <= arm < M for arm in arms)
    mean, lower, upper = seen(policy, state, T)
    assert np.isfinite([mean, lower, upper]).all() and (np.array(lower) <= upper).all()


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


@pytest.mark.parametrize("policy", [p for p in POLICIES.values() if isinstance(p, IndexPolicy)], ids=repr)
@given(failed=st.frozensets(st.integers(0, T - 1)), seed=st.integers(0, 99))
@settings(LAW, max_examples=3)
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


def test_fresh_arms_are_those_of_the_round_after_a_skip():
    p = fresh_arms()
    for word, entry in ALL.items():
        if FIXED_ARMS in entry.needs or word == "rnd":
            continue
        policy = entry.make()
        state = policy.update(policy.init(p.known), 3, 2, 0.5)
        kernel, here = p.kernel, p.x[7]
        if isinstance(policy, IndexPolicy):
            assert policy.band(state, 7).mean.shape == (6,)
        else:
            band = policy.resolved(p.known).band(kernel, p.x[3, [2]], np.array([0.5]), here)
            np.testing.assert_array_equal(policy.band(state, 7).upper, band.upper)


def test_restarts_of_elimination_keep_their_rounds():
    policy = tv.RPERP(restart=10)
    state, rng = policy.init(KNOWN), np.random.default_rng(0)
    for t in range(T):
        arm = policy.select(state, t, rng)
        if t % 3:
            state = policy.update(state, t, arm, reward(arm, t))
            assert state.start == (t if (t + 1) % 10 else t + 1) // 10 * 10


def test_a_batch_is_judged_by_what_it_heard():
    policy = tv.PE()
    state, rng, heard = policy.init(KNOWN), np.random.default_rng(0), []
    n = tv.batch_sizes(T)[0]
    for t in range(n):
        arm = policy.select(state, t, rng)
        if t != 2:
            state = policy.update(state, t, arm, reward(arm, t))
            heard.append((arm, reward(arm, t)))
    arms, y = (np.array(column) for column in zip(*heard, strict=True))
    mean, sd = posterior(KNOWN.kernel, X[arms], y, X, 0.01)
    band = policy.band(state, n)
    # As above.
    assert band.mean == pytest.approx(mean, abs=1e-7) and band.upper == pytest.approx(mean + 2 * sd, abs=1e-7)
    assert np.isnan(state.batch.rewards).sum() == 1


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


def test_a_window_of_side_queries_goes_on_over_a_skip():
    policy = tv.WSparQ()
    state = policy.update(policy.init(KNOWN), 0, 3, 0.5)
    state = policy.update(state, 5, 4, 0.25)
    evidence = policy.evidence(state, 9)
    assert evidence.heard.tolist() == [0, 5]
    # The variance of a reading of age a is sigma^2 (1 + a): eq. 12 with alpha = 1.
    np.testing.assert_allclose(evidence.noise, 0.01 * np.array([10.0, 5.0]), rtol=1e-12)


# ---------------------------------------------------------------- warm starts


@pytest.mark.parametrize("n", [1, 6, T - 1])
def test_a_run_begins_with_what_is_known(n):
    for policy in POLICIES.values():
        if isinstance(policy, tv.PE | tv.RPERP):
            continue
        state = policy.init(KNOWN)
        for t in range(n):
            state = policy.update(state, t, (4 * t) % M, reward((4 * t) % M, t))
        state, arms = go(policy, state, range(n, T), np.random.default_rng(0))
        assert len(arms) == T - n and np.isfinite(seen(policy, state, T)).all(), policy


def test_batches_that_order_their_arms_say_so():
    for policy in (tv.PE(), tv.RPERP()):
        with pytest.raises(ValueError, match=r"did not ask arm 3 in round t = 0: call `select` first"):
            policy.update(policy.init(KNOWN), 0, 3, 1.0)


# ---------------------------------------------------------------- the check of one call

WRONG_ARMS = [-1, M, 10**9, 1.0, True, None, "2", np.float64(2), np.array([1, 2])]
WRONG_REWARDS = [math.nan, math.inf, -math.inf, np.float32("nan"), None, "0.5", 1j, [0.5], np.array([0.5]), 10**400]
WRONG_ROUNDS = [T, T + 7, 10**9, -1, 2.0, None, "3"]


def refused(call: Any, *words: str) -> str:
    """The one sentence with which it is refused, which holds these words."""
    with pytest.raises(ValueError) as caught:
        call()
    said = str(caught.value)
    assert "\n" not in said and all(word in said for word in words), said
    return said


@walk
def test_a_wrong_arm_is_named_with_its_round(policy):
    state, rng = policy.init(KNOWN), np.random.default_rng(0)
    state, _ = go(policy, state, range(4), rng)
    for arm in WRONG_ARMS:
        refused(lambda arm=arm: policy.update(state, 4, arm, 0.5), type(policy).__name__, "t = 4", f"0 to {M - 1}")


@walk
def test_a_wrong_reward_is_named_with_its_round(policy):
    state, arm = ask(policy, policy.init(KNOWN), 0, np.random.default_rng(0))
    for y in WRONG_REWARDS:
        refused(lambda y=y: policy.update(state, 0, arm, y), type(policy).__name__, "t = 0", "finite", "leave `update`")


@walk
def test_numbers_of_numpy_are_numbers(policy):
    state, arm = ask(policy, policy.init(KNOWN), 0, np.random.default_rng(0))
    plain = policy.update(state, 0, int(arm), 0.5)
    for number, y in ((np.int32(arm), np.float32(0.5)), (np.array(arm), np.array(0.5))):
        assert seen(policy, policy.update(state, np.int64(0), number, y), 1) == seen(policy, plain, 1)


@walk
def test_a_round_out_of_range_is_refused(policy):
    state, rng = policy.init(KNOWN), np.random.default_rng(0)
    name = type(policy).__name__
    for t in WRONG_ROUNDS:
        refused(lambda t=t: policy.select(state, t, rng), name)
        refused(lambda t=t: policy.update(state, t, 0, 0.5), name)
    assert f"the last round is t = {T - 1}" in refused(lambda: policy.select(state, T, rng))
    state, _ = go(policy, state, range(4), rng)
    for call in (lambda: policy.select(state, 3, rng), lambda: policy.update(state, 3, 0, 0.5)):
        assert "stands at t = 4" in refused(call, name, "t = 3")
    refused(lambda: policy.band(state, T + 1), name, f"t = {T + 1}")


@walk
def test_a_state_of_something_else_is_refused(policy):
    other = tv.TVGPUCB(0.5, width=7.0)
    for state in (None, 3, (1, 2), KNOWN, other.init(KNOWN)):
        for call in (
            lambda state=state: policy.select(state, 0, np.random.default_rng(0)),
            lambda state=state: policy.update(state, 0, 0, 0.5),
            lambda state=state: policy.band(state, 0),
        ):
            refused(call, "own `init` or `update` returned")


@walk
def test_a_run_begins_with_a_learner_info(policy):
    for known in (None, problem(), 3, {"x": X}):
        refused(lambda known=known: policy.init(known), type(policy).__name__, "LearnerInfo")
    refused(lambda: type(policy).init(KNOWN), "on a class")


def test_answers_are_checked_like_rewards():
    policy = tv.SparQ()
    state, _ = go(policy, policy.init(KNOWN), range(4), np.random.default_rng(0))
    refused(lambda: policy.answered(state, 4, [1], [math.nan]), "SparQ", "t = 4", "finite")
    refused(lambda: policy.answered(state, 4, [M], [0.5]), "SparQ", "t = 4", "0 to 8")
    refused(lambda: policy.answered(state, 4, [1, 2], [0.5]), "SparQ", "t = 4")


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("horizon", [0, -1, 2.5, math.nan, True, None, "9"]),
        ("noise_sd", [math.nan, -1.0, math.inf, None, "0.1", True]),
        ("norm_bound", [math.nan, -1.0, math.inf, "3"]),
        ("sup_variation", [math.nan, -1.0, math.inf, None]),
        ("rkhs_variation", [math.nan, -1.0, math.inf]),
        (
            "x",
            [np.zeros(3), np.zeros((0, 1)), np.zeros((3, 0)), np.full((2, 1), math.nan), "arms", np.zeros((7, 3, 1))],
        ),
        ("kernel", [None, tv.Matern, lambda X, Z: X @ Z.T, Tabulated(np.ones((1, 1)))]),
    ],
)
def test_what_a_learner_is_told_is_checked(field, values):
    for value in values:
        refused(lambda value=value: replace(KNOWN, **{field: value}))
    assert replace(KNOWN, noise_sd=0, norm_bound=0, sup_variation=0, x=[[0.0], [1.0]]).x.shape == (2, 1)


@dataclass(frozen=True)
class Askew:
    """A kernel whose matrix or diagonal has a wrong shape or value."""

    shape: tuple[int, ...] = (2, 1)
    diagonal: float = 1.0

    def __call__(self, A, B):
        return np.ones(self.shape)

    def diag(self, A):
        return np.full(len(A), self.diagonal)


def test_a_kernel_of_wrong_shape_is_refused():
    assert replace(KNOWN, kernel=Askew()).horizon == T
    for kernel in (Askew((1, 2)), Askew((2,)), Askew(diagonal=math.nan), Askew(diagonal=-1.0)):
        refused(lambda kernel=kernel: replace(KNOWN, kernel=kernel), "kernel")


@pytest.mark.parametrize("name", BANDS)
def test_assumptions_of_a_band_are_checked(name):
    wrong = [("B", -1.0), ("B", math.nan), ("B", "3"), ("sigma", 0.0), ("delta", 0), ("delta", 1.5), ("delta", None)]
    for field, value in wrong:
        given_ = {"B": 1.0, "sigma": 0.1, "delta": 0.1} | {field: value}
        refused(lambda given_=given_: BANDS[name].make(**given_, c=1.0, ridge=0.01, eta=0.1), field)


# ---------------------------------------------------------------- the loop and the race


@dataclass(frozen=True)
class Nothing(Uniform):
    """Forgets to return the state."""

    def init(self, known):
        return (known.x.shape[-2], 0)

    def select(self, state, t, rng):
        arms, _ = state
        return arms - 1

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
    """A newcomer on the lab's base whose `update` returns nothing."""

    def update(self, state, t, arm, y):
        state.past.learn(arm, y)


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (tv.GPUCB, ["class GPUCB", "GPUCB()"]),
        (reward, ["function reward", "no init"]),
        (None, ["no init"]),
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
def test_a_wrong_policy_is_named(policy, words):
    refused(lambda: tv.play(problem(T=5), policy, np.random.default_rng(0)), *words)
    refused(lambda: tv.race(problem(T=5), {"fine": Uniform(), "mine": policy}, [0]), "mine", *words)


def test_policies_of_a_race_have_names():
    refused(lambda: tv.race(problem(T=5), [tv.GPUCB()], [0]), "dict of names and policies")


@dataclass(frozen=True)
class InPlace(IndexPolicy):
    """A newcomer on the lab's base whose `update` changes the state that it is handed."""

    def update(self, state, t, arm, y):
        state.past.learn(arm, y)
        return state


def test_newcomers_on_the_base_are_checked_too():
    policy = InPlace()
    state = policy.init(KNOWN)
    told = policy.update(state, 0, 3, 1.0)
    assert not policy.band(state, 0).mean.any() and policy.band(told, 1).mean.any()
    refused(lambda: policy.update(state, 0, 3, math.nan), "InPlace", "t = 0", "finite")


# ---------------------------------------------------------------- what docs/core.md promises


@every_policy
def test_every_policy_shows_its_band(policy):
    state, rng = policy.init(KNOWN), np.random.default_rng(0)
    for t in range(T + 1):
        mean, lower, upper = np.array(seen(policy, state, t))
        assert mean.shape == (M,) and (lower <= mean).all() and (mean <= upper).all()
        if t < T:
            state, _ = go(policy, state, range(t, t + 1), rng)
    history = tv.play(problem(T=12), policy, np.random.default_rng(0), bands=True)
    assert len(history.bands) == 12


@pytest.mark.parametrize("name", BANDS)
def test_the_band_of_kernel_ucb_is_still_a_field(name):
    bound = BANDS[name].make(2.0, 0.1, 0.1, c=1.0, ridge=0.01, eta=0.05)
    for given_, policy in ((name, tv.KernelUCB(name)), (bound, tv.KernelUCB(bound))):
        assert policy.band == given_ and replace(policy, delta=0.2).band == given_
        assert hash(policy) == hash(tv.KernelUCB(given_)) and policy == pickle.loads(pickle.dumps(policy))
        state = policy.update(policy.init(KNOWN), 0, 3, 0.5)
        found = policy.band(state, 1)
        direct = policy.resolved(KNOWN).band(KNOWN.kernel, X[[3]], np.array([0.5]), X)
        # 1e-6: one observation through a spectrum, and through rank-one updates.
        assert found.upper == pytest.approx(direct.upper, abs=1e-6)
        assert policy.select(state, 1, np.random.default_rng(0)) == found.upper.argmax()


# ---------------------------------------------------------------- covariances


@pytest.mark.parametrize("rank", [1, 3, 30])
@pytest.mark.parametrize("m", [5, 60, 300])
def test_a_covariance_in_single_precision_is_taken(rank, m):
    A = np.random.default_rng(m + rank).normal(size=(m, rank)).astype(np.float32)
    C = A @ A.T
    kernel = Tabulated(C)
    eps = float(np.finfo(np.float32).eps)
    assert 0 <= kernel.jitter <= 4 * m * eps * np.abs(C).max()
    np.testing.assert_allclose(
        kernel.matrix - np.diag(np.full(m, kernel.jitter)),
        0.5 * (C + C.T).astype(float),
        rtol=0,
        atol=4 * m * eps * np.abs(C).max(),
    )
    # 1e-10 of the largest entry: what the class calls rounding in double precision.
    assert np.linalg.eigvalsh(kernel.matrix)[0] >= -1e-10 * np.abs(C).max()
    known = LearnerInfo(np.arange(m)[:, None], 10, 0.1, kernel, norm_bound=None, sup_variation=1.0)
    policy = tv.GPUCB()
    state = policy.init(known)
    for t in range(10):
        state = policy.update(state, t, policy.select(state, t, np.random.default_rng(0)), 0.3)
    assert np.isfinite(policy.band(state, 10).mean).all()


def test_a_covariance_in_double_precision_gets_no_jitter():
    A = np.random.default_rng(0).normal(size=(40, 2))
    kernel = Tabulated(A @ A.T)
    assert kernel.jitter == 0 and np.array_equal(kernel.matrix, 0.5 * (A @ A.T + (A @ A.T).T))


def test_a_wrong_covariance_is_refused_with_a_way_out():
    C = np.array([[1.0, 1.0001], [1.0001, 1.0]])
    for matrix in (C, (C * [[1, 1.1], [1.1, 1]]).astype(np.float32)):
        said = refused(lambda matrix=matrix: Tabulated(matrix), "negative eigenvalue", "jitter=")
        jitter = float(said.split("jitter=")[1].rstrip(")"))
        assert Tabulated(matrix, jitter=jitter).jitter == jitter
    for jitter in (-1.0, math.nan):
        refused(lambda jitter=jitter: Tabulated(np.eye(2), jitter), "jitter")
