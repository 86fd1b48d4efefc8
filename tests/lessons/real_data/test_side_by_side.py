"""Many runs in lockstep are the runs of `tv.play`: the same noise, the same arms, the same posterior."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lessons.real_data import trial
from lessons.real_data.side_by_side import MAX_ARMS, play_many, takes
from tests.strategies import LAW
from tvbo_core.designs import noise_of, play_rng
from tvbo_core.kernels import Matern, SquaredExponential, Tabulated
from tvbo_core.play import play
from tvbo_core.policies import GPUCB, RGPUCB, SWGPUCB, TVGPUCB, UIGPUCB, WGPUCB, IndexPolicy, Random
from tvbo_core.policies.width import LogWidth
from tvbo_core.records import History, Problem, World
from tvbo_core.worlds import make_problem

TIE = 1e-9  # of the rewards' scale: two indices that are nearer than rounding may go either way


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Few arms, some of them twins, under a kernel or a covariance matrix; noise from none to far too much."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    T, m = draw(st.integers(1, 30)), draw(st.one_of(st.integers(1, 6), st.just(12)))
    x = rng.uniform(-1, 1, (m, draw(st.integers(1, 2))))
    kernel = draw(st.sampled_from([SquaredExponential(0.3), Matern(1.5, 0.5, 4.0), None]))
    if kernel is None:
        root = rng.normal(size=(m, draw(st.integers(1, m))))
        kernel, x = Tabulated(root @ root.T), np.arange(m, dtype=float)[:, None]
    if draw(st.booleans()):
        x = x[rng.integers(0, m, m)]
    f = np.cumsum(rng.normal(0, 0.3, (T, m)), axis=0)
    return Problem(x, f, draw(st.sampled_from([0.0, 1e-3, 0.1, 1.0, 30.0])), kernel, None)


def shares() -> st.SearchStrategy[float]:
    return st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1))


def policies() -> st.SearchStrategy[IndexPolicy]:
    common = {
        "width": st.sampled_from([2.0, 0.1, 1, LogWidth(), trial.WIDTH]),
        "ridge": st.sampled_from([None, None, 0.5]),
    }
    lengths = st.one_of(st.just(1), st.integers(1, 40))  # the longest horizon is 30
    return st.one_of(
        st.builds(GPUCB, **common),
        st.builds(RGPUCB, restart=lengths, **common),
        st.builds(SWGPUCB, window=lengths, **common),
        st.builds(WGPUCB, discount=shares(), **common),
        st.builds(TVGPUCB, epsilon=shares(), **common),
    )


def lead(policy: IndexPolicy, h: History) -> np.ndarray:
    """(T, m) how far each arm's index is below the largest, by the paper's formula, along this run."""
    policy = replace(policy, dense=True)
    state, found = policy.init(h.problem.known), []
    for t, (arm, y) in enumerate(zip(h.arms, h.y, strict=True)):
        mean, sd, width = policy.index(state, t)
        index = mean + width * sd
        found.append(index.max() - index)
        state = policy.update(state, t, int(arm), float(y))
    return np.array(found)


@given(problems(), st.lists(st.tuples(policies(), st.integers(0, 9)), min_size=1, max_size=6))
@LAW
def test_lockstep_runs_are_runs_of_play(problem, runs):
    together = play_many(problem, runs)
    assert len(together) == len(runs)
    for (policy, seed), ours in zip(runs, together, strict=True):
        assert takes(problem, policy)
        alone, rounds = play(problem, policy, play_rng(seed)), np.arange(problem.horizon)
        np.testing.assert_array_equal(ours.y, problem.f[rounds, ours.arms] + noise_of(problem, play_rng(seed)))
        behind = lead(policy, ours)
        tie = TIE * max(1.0, np.abs(ours.y).max())
        assert behind[rounds, ours.arms].max() <= tie
        # Twins, and arms that tie to rounding, may be told apart differently; from there on the runs differ.
        tied = (behind <= tie).sum(axis=1) > 1
        same = int(tied.argmax()) if tied.any() else problem.horizon
        np.testing.assert_array_equal(ours.arms[:same], alone.arms[:same])
        np.testing.assert_array_equal(ours.regret[:same], alone.regret[:same])


def test_what_no_stack_takes_is_played_alone():
    problem = make_problem(World(kind="jumps", horizon=20, arms=8))
    fresh = replace(problem, x=np.broadcast_to(problem.x, (20, 8, 1)))
    many = make_problem(World(kind="jumps", horizon=3, arms=MAX_ARMS + 1))
    taken = (GPUCB(), RGPUCB(5), SWGPUCB(5), WGPUCB(0.9), TVGPUCB(0.1), SWGPUCB(width=LogWidth()))
    left = (Random(), UIGPUCB(), GPUCB(width="theory"), GPUCB(dense=True), WGPUCB(0.9, tight=True), GPUCB(ridge=1e-9))
    assert all(takes(problem, p) for p in taken)
    assert not any(takes(problem, p) for p in left)
    assert not any(takes(p, GPUCB()) for p in (fresh, many))
    mixed = play_many(problem, [(GPUCB(), 0), (Random(), 3), (RGPUCB(5), 3)])
    for found, policy, seed in zip(mixed, (GPUCB(), Random(), RGPUCB(5)), (0, 3, 3), strict=True):
        np.testing.assert_array_equal(found.arms, play(problem, policy, play_rng(seed)).arms)
    assert play_many(problem, []) == []
