import time
from dataclasses import replace

import numpy as np
import pytest

from tvbo_core.designs import play_rng, ucb_design
from tvbo_core.gp import posterior
from tvbo_core.kernels import SquaredExponential, Tabulated
from tvbo_core.play import play
from tvbo_core.policies.side_queries.policy import SparQ, WSparQ, evidence_of
from tvbo_core.policies.side_queries.schedule import planned_queries, window_starts
from tvbo_core.policies.width import LogWidth
from tvbo_core.records import Problem, World
from tvbo_core.threads import one_thread
from tvbo_core.worlds import make_problem

JUMPS = World(kind="jumps", horizon=80, arms=30, noise_sd=0.1, seed=1)
POLICIES = [
    SparQ(),
    SparQ(q_const=3.0, width="theory", picker="greedy"),
    WSparQ(),
    WSparQ(alpha=0.5, width=LogWidth(1.0), picker="random"),
    WSparQ(alpha=2.0, window_exponent=0.3, width="theory", append_start=True),
    WSparQ(alpha=0.4, window_exponent=0.3, q_const=0.5, picker="mcmc", ridge=0.05),
]


class Diary:
    """A policy that plays as another and writes down what was asked, heard and believed."""

    def __init__(self, policy):
        self.policy, self.asked, self.pulled, self.bands, self.evidence = policy, {}, [], [], []

    def init(self, known):
        return self.policy.init(known)

    def questions(self, state, t, rng):
        return self.policy.questions(state, t, rng)

    def answered(self, state, t, arms, ys):
        if len(arms):
            self.asked[t + 1] = [(int(a), float(y)) for a, y in zip(arms, ys, strict=True)]
        return self.policy.answered(state, t, arms, ys)

    def select(self, state, t, rng):
        self.bands.append(self.policy.band(state, t))
        self.evidence.append(self.policy.evidence(state, t))
        return self.policy.select(state, t, rng)

    def update(self, state, t, arm, y):
        self.pulled.append((arm, y))
        return self.policy.update(state, t, arm, y)


def watched(problem, policy, seed=0):
    diary = Diary(policy)
    return diary, play(problem, diary, play_rng(seed))


def printed_data(policy, diary, t):
    """Rows (arm, y, round heard) that the paper lets choose x_t (t from 1), from the diary alone."""
    if isinstance(policy, WSparQ):
        opened = [s for s in window_starts(t - 1, policy.alpha, policy.window_exponent) if s <= t - 1]
    else:
        opened = list(range(1, t))
    if not opened:
        return [(a, y, i + 1) for i, (a, y) in enumerate(diary.pulled[: t - 1])]
    start = opened[-1]  # t_j: asked after round t_j, before x_{t_j + 1}
    rows = [(a, y, start + 1) for a, y in diary.asked[start + 1]]
    first = start if getattr(policy, "append_start", False) else start + 1
    return rows + [(*diary.pulled[i - 1], i) for i in range(first, t)]


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_every_choice_is_the_one_that_the_printed_algorithm_makes_on_the_same_answers(policy):
    problem = make_problem(JUMPS)
    diary, history = watched(problem, policy)
    x, ridge = problem.x, policy.ridge or problem.noise_sd**2
    for t in range(1, problem.horizon + 1):
        rows = printed_data(policy, diary, t)
        arms, y = np.array([a for a, _, _ in rows], dtype=int), np.array([v for _, v, _ in rows])
        ages = np.array([float(t - heard) for _, _, heard in rows])
        noise = ridge * (1 + np.where(ages > 0, ages, 0) ** getattr(policy, "alpha", 1.0))
        mean, sd = posterior(problem.kernel, x[arms], y, x, noise)
        if policy.width == "theory":
            K = problem.kernel(x[arms], x[arms])
            log_det = np.linalg.slogdet(np.eye(len(K)) + K / np.sqrt(np.outer(noise, noise)))[1]
            width = problem.norm_bound + np.sqrt(2 * np.log(2 / policy.delta) + log_det)
        else:
            width = policy.width.at(t - 1) if isinstance(policy.width, LogWidth) else policy.width
        band = diary.bands[t - 1]
        assert band.mean == pytest.approx(mean, abs=1e-9)
        assert band.upper == pytest.approx(mean + width * sd, abs=1e-9)
        assert band.lower == pytest.approx(mean - width * sd, abs=1e-9)
        # 1e-9: arms tied by symmetry differ in the last digits between the two computations.
        assert (mean + width * sd)[history.arms[t - 1]] >= (mean + width * sd).max() - 1e-9


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_a_history_tells_what_was_asked_when_and_what_every_estimate_rested_on(policy):
    problem = make_problem(JUMPS)
    diary, history = watched(problem, policy)
    for t in range(problem.horizon):
        arms, answers = history.asked_before(t)
        assert list(zip(arms.tolist(), answers.tolist(), strict=True)) == diary.asked.get(t + 1, [])
    assert len(history.asked) == len(history.answers) == history.extra_queries.sum()
    known = problem.known
    for t, (mine, seen) in enumerate(zip(evidence_of(policy, history, range(80)), diary.evidence, strict=True)):
        rows = [
            sorted(zip(*(getattr(e, n).tolist() for n in ("heard", "arms", "y", "asked", "noise")), strict=True))
            for e in (mine, seen)
        ]
        assert rows[0] == rows[1]
        band = diary.bands[t]
        mean, sd = posterior(problem.kernel, problem.x[mine.arms], mine.y, problem.x, mine.noise)
        width = policy.width_of(known, mine, t)
        assert band.upper == pytest.approx(mean + width * sd, abs=1e-9)
    after = evidence_of(policy, history, [80])[0]
    assert after.heard.max() == 79  # the last round is part of what a round after it would rest on


def test_a_history_without_questions_says_so():
    problem = make_problem(JUMPS)
    plain = ucb_design(problem, 80, play_rng(0))
    assert [a.tolist() for a in plain.asked_before(3)] == [[], []]
    with pytest.raises(ValueError, match="does not say which arms were asked again"):
        evidence_of(SparQ(), plain, [3])
    with pytest.raises(ValueError, match="rounds 0 to 80, got 81"):
        evidence_of(SparQ(), play(problem, SparQ(), play_rng(0)), [81])


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_it_asks_when_planned_and_only_different_arms_that_it_pulled_before(policy):
    problem = make_problem(JUMPS)
    diary, history = watched(problem, policy)
    T, arms = problem.horizon, [a for a, _ in diary.pulled]
    is_windowed = isinstance(policy, WSparQ)
    starts = window_starts(T - 1, policy.alpha, policy.window_exponent) if is_windowed else range(1, T)
    assert sorted(diary.asked) == [s + 1 for s in starts]
    for s, planned in zip(starts, planned_queries(starts, policy.q_const, 1), strict=True):
        asked = [a for a, _ in diary.asked[s + 1]]
        assert len(set(asked)) == len(asked) <= planned
        assert set(asked) <= set(arms[:s])
        # Twelve arms of this kernel are independent to rounding: below that only the different arms count.
        if len(set(arms[:s])) <= 12 or planned <= 12:
            assert len(asked) == min(planned, len(set(arms[:s])))
        assert history.extra_queries[s] == len(asked)
    assert history.extra_queries.sum() == sum(map(len, diary.asked.values()))


def test_the_side_queries_of_500_rounds_are_the_planned_ones():
    problem = make_problem(World(kind="jumps", horizon=500, seed=1))
    # 2872 are planned for SparQ, 7 of them after round 500, when nothing is left to choose.
    assert play(problem, SparQ(), play_rng(0)).extra_queries.sum() == 2865
    assert play(problem, WSparQ(), play_rng(0)).extra_queries.sum() == 677


def test_no_reading_in_a_window_is_staler_than_the_theorem_allows():
    problem = make_problem(replace(JUMPS, horizon=150))
    for policy in (WSparQ(alpha=1.0), WSparQ(alpha=0.3, window_exponent=0.25), WSparQ(alpha=2.0)):
        diary, _ = watched(problem, policy)
        for t, seen in enumerate(diary.evidence):
            bound = 2.0 * problem.noise_sd**2 * max(t, 1) ** policy.window_exponent
            assert (seen.noise <= bound * (1 + 1e-9)).all()  # 1e-9: both sides are rounded powers
            assert (seen.noise[seen.asked & (seen.heard == t)] == problem.noise_sd**2).all()


def test_sparq_keeps_nothing_but_the_answers_of_now():
    diary, _ = watched(make_problem(JUMPS), SparQ())
    for t, seen in enumerate(diary.evidence[1:], start=1):
        assert seen.asked.all()
        assert (seen.heard == t).all()
        assert sorted(zip(seen.arms, seen.y, strict=True)) == sorted(diary.asked[t + 1])


def test_answers_are_about_the_reward_of_now_with_fresh_noise_each():
    problem = make_problem(replace(JUMPS, horizon=200, noise_sd=0.3))
    diary, _ = watched(problem, SparQ())
    errors = np.array([y - problem.f[t - 1, a] for t, rows in diary.asked.items() for a, y in rows])
    assert len(np.unique(errors)) == len(errors) > 700
    assert abs(errors.mean()) < 4 * 0.3 / np.sqrt(len(errors))  # 4 standard errors, the seed is fixed
    assert errors.std() == pytest.approx(0.3, rel=4 / np.sqrt(2 * len(errors)))
    diary, _ = watched(replace(problem, noise_sd=0.0), WSparQ())
    assert all(y == problem.f[t - 1, a] for t, rows in diary.asked.items() for a, y in rows)


def test_appending_the_start_adds_the_last_round_before_the_questions():
    problem = make_problem(JUMPS)
    diary, _ = watched(problem, WSparQ(append_start=True))
    without, _ = watched(problem, WSparQ())
    for s in window_starts(problem.horizon - 1, 1.0, 0.25):
        own = diary.evidence[s]
        assert [(a, h) for a, h, q in zip(own.arms, own.heard, own.asked, strict=True) if not q] == [
            (diary.pulled[s - 1][0], s - 1)
        ]
        assert without.evidence[s].asked.all()


def test_in_a_jumping_world_asking_again_beats_a_gp_ucb_that_never_forgets():
    regret = {"gp": 0.0, "sparq": 0.0, "wsparq": 0.0, "wsparq, random": 0.0}
    for seed in range(3):
        problem = make_problem(World(kind="jumps", budget=None, horizon=400, seed=seed))
        regret["gp"] += ucb_design(problem, 400, play_rng(seed)).regret.sum()
        regret["sparq"] += play(problem, SparQ(), play_rng(seed)).regret.sum()
        regret["wsparq"] += play(problem, WSparQ(), play_rng(seed)).regret.sum()
        regret["wsparq, random"] += play(problem, WSparQ(picker="random"), play_rng(seed)).regret.sum()
    assert max(regret["sparq"], regret["wsparq"]) < 0.5 * regret["gp"]
    assert regret["wsparq"] < regret["wsparq, random"]


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_the_same_seed_gives_the_same_history_whatever_else_is_played(policy):
    problem = make_problem(JUMPS)
    first = play(problem, policy, play_rng(5))
    play(make_problem(replace(JUMPS, seed=9)), policy, play_rng(6))
    again = play(problem, policy, play_rng(5))
    assert again.arms.tolist() == first.arms.tolist()
    assert again.extra_queries.tolist() == first.extra_queries.tolist()
    # Two runs of one policy, round by round side by side, share nothing.
    known, rngs = problem.known, [np.random.default_rng(s) for s in (1, 2)]
    states = [policy.init(known), policy.init(known)]
    for t in range(5):
        for s in (0, 1):
            asked = policy.questions(states[s], t, rngs[s])
            states[s] = policy.answered(states[s], t, asked, np.full(len(asked), float(s)))
            states[s] = policy.update(states[s], t, 3 * t + s, float(s))
    assert states[1].pulled == [1, 4, 7, 10, 13]
    assert states[0].pulled == [0, 3, 6, 9, 12]
    assert {row[1] for row in states[0].rows} == {0.0}


def tiny(f, kernel=None, noise_sd=0.1, x=None):
    f = np.asarray(f, dtype=float)
    x = np.linspace(0, 1, f.shape[1])[:, None] if x is None else x
    return Problem(x=x, f=f, noise_sd=noise_sd, kernel=kernel or SquaredExponential(0.2), norm_bound=1.0)


@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_small_problems_have_a_defined_course(policy):
    one_arm = play(tiny(np.zeros((7, 1))), policy, play_rng(0))
    assert one_arm.arms.tolist() == [0] * 7
    assert set(one_arm.extra_queries) <= {0, 1}
    assert play(tiny([[0.0, 1.0]]), policy, play_rng(0)).extra_queries.tolist() == [0]
    two_rounds = play(tiny(np.zeros((2, 5))), policy, play_rng(0))
    assert two_rounds.extra_queries.tolist() == [0, 1]  # one past point, whatever was planned
    same_arms = tiny(np.zeros((9, 4)), x=np.zeros((4, 1)))
    assert set(play(same_arms, policy, play_rng(0)).extra_queries) <= {0, 1}
    table = tiny(np.zeros((9, 3)), kernel=Tabulated(np.eye(3)), x=np.arange(3.0)[:, None])
    assert len(play(table, policy, play_rng(0)).arms) == 9
    no_signal = tiny(np.zeros((9, 3)), kernel=Tabulated(np.zeros((3, 3))), x=np.arange(3.0)[:, None])
    assert play(no_signal, policy, play_rng(0)).arms.tolist() == [0] * 9


def test_windows_longer_than_the_horizon_ask_once_or_twice():
    problem = make_problem(JUMPS)
    history = play(problem, WSparQ(alpha=0.01, window_exponent=0.3), play_rng(0))
    assert np.flatnonzero(history.extra_queries).tolist() == [1, 3]  # after rounds 1 and 3


def test_a_huge_drift_exponent_forgets_without_overflow():
    problem = make_problem(JUMPS)
    diary, _ = watched(problem, WSparQ(alpha=1e6, append_start=True))
    assert all(np.isfinite(seen.noise).all() for seen in diary.evidence)


def test_500_rounds_of_w_sparq_take_under_a_second():
    problem = make_problem(World(kind="jumps", kernel="matern", horizon=500, seed=1))
    times = []
    with one_thread():
        for _ in range(2):
            start = time.process_time()  # not the wall: other programs may be running
            play(problem, WSparQ(), play_rng(0))
            times.append(time.process_time() - start)
    assert min(times) < 1.0


def test_bad_input_is_one_sentence():
    for wrong, message in [
        ({"q_const": 0.0}, "q_const must be positive and finite"),
        ({"picker": "dpp"}, "must be one of exact, mcmc, greedy, random"),
        ({"steps": -1}, "steps must be a whole number from 0"),
        ({"width": -1.0}, "width must be"),
        ({"width": "practical"}, "width must be"),
        ({"ridge": 0.0}, "ridge must be"),
        ({"delta": 0.0}, "delta must be"),
    ]:
        for policy in (SparQ, WSparQ):
            with pytest.raises(ValueError, match=message):
                policy(**wrong)
    with pytest.raises(ValueError, match="alpha must be positive and finite"):
        WSparQ(alpha=0.0)
    with pytest.raises(ValueError, match="window_exponent must be finite and at least 0"):
        WSparQ(window_exponent=-0.1)
    fresh = tiny(np.zeros((4, 3)), x=np.random.default_rng(0).uniform(size=(4, 3, 2)))
    with pytest.raises(ValueError, match="needs the same arms in every round"):
        play(fresh, WSparQ(), play_rng(0))
    unbounded = replace(tiny(np.zeros((4, 3))), norm_bound=None)
    with pytest.raises(ValueError, match="bound on the norm"):
        play(unbounded, SparQ(width="theory"), play_rng(0))
    assert len(play(unbounded, SparQ(), play_rng(0)).arms) == 4
