"""Optimal designs, the compromise of OPKB, and the two policies that play them."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW, kernels, points
from tvbo_core.gp.optimal_design import compromise, optimal_design, products
from tvbo_core.kernels import SquaredExponential
from tvbo_core.policies.opkb.policy import ADAOPKB, OPKB, schedule
from tvbo_core.policies.opkb.strategy import OP
from tvbo_core.records import LearnerInfo, Problem


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def features(gram: np.ndarray) -> np.ndarray:
    """(m, r) features with Phi Phi^T = gram, from its eigenvectors."""
    values, vectors = np.linalg.eigh(gram)
    return vectors * np.sqrt(np.maximum(values, 0.0))


def S(gram: np.ndarray, weights: np.ndarray, ridge: float) -> np.ndarray:
    """The paper's matrix, written with explicit features."""
    phi = features(gram)
    return (phi.T * weights) @ phi + ridge * np.eye(len(gram))


def objective(gram: np.ndarray, weights: np.ndarray, cost: np.ndarray, ridge: float) -> float:
    return float(weights @ cost - np.linalg.slogdet(S(gram, weights, ridge) / ridge)[1])


def jumping(T: int = 400, arms: int = 25) -> Problem:
    """Two pieces with best arms at opposite ends, and a loud difference between good and bad arms."""
    x = np.linspace(0, 1, arms)
    left, right = 0.8 * np.exp(-((x - 0.15) ** 2) / 0.02), 0.8 * np.exp(-((x - 0.85) ** 2) / 0.02)
    f = np.where(np.arange(T)[:, None] < T // 2, left, right)
    return Problem(x[:, None], f, 0.05, SquaredExponential(0.2), 3.0)


@st.composite
def tables(draw: st.DrawFn) -> tuple[np.ndarray, float, np.random.Generator]:
    m, d = draw(st.integers(1, 9)), draw(st.integers(1, 2))
    x, kernel = draw(points(m, d)), draw(kernels())
    seed = draw(st.integers(0, 2**32 - 1))
    return kernel(x, x), draw(st.floats(1e-3, 10.0)), rng(seed)


def simplex(draw: np.random.Generator, m: int) -> np.ndarray:
    """A random distribution, on a random part of the arms."""
    weights = draw.exponential(size=m) * (draw.random(m) < 0.7)
    return weights / weights.sum() if weights.sum() > 0 else np.full(m, 1.0 / m)


# ----------------------------------------------------------------- products


@LAW
@given(tables())
def test_feature_free_products_equal_those_with_features(table) -> None:
    gram, ridge, draw = table
    weights, phi = simplex(draw, len(gram)), features(gram)
    explicit = phi @ np.linalg.solve(S(gram, weights, ridge), phi.T)
    # Relative to the largest possible product k/ridge: a covariance minus almost all of itself.
    np.testing.assert_allclose(products(gram, weights, ridge), explicit, atol=1e-9 * gram.max() / ridge)


# ------------------------------------------------------------------- designs


@LAW
@given(tables())
def test_no_distribution_beats_the_duality_gap(table) -> None:
    gram, ridge, draw = table
    cost = draw.exponential(size=len(gram)) * draw.choice([0.0, 0.1, 3.0, 100.0])
    design = compromise(gram, cost, ridge)
    assert design.weights.min() >= 0 and design.weights.sum() == pytest.approx(1)
    value = design.weights @ cost - design.log_det
    assert value == pytest.approx(objective(gram, design.weights, cost, ridge), abs=1e-8)
    for _ in range(20):
        other = objective(gram, simplex(draw, len(gram)), cost, ridge)
        assert value <= other + design.gap + 1e-8  # 1e-8: a log det of nine eigenvalues up to 1e5
    corners = [objective(gram, corner, cost, ridge) for corner in np.eye(len(gram))]
    assert value <= min(corners) + design.gap + 1e-8


def test_unrelated_arms_share_and_equal_arms_gain_once() -> None:
    design = optimal_design(np.eye(6), 0.5, tolerance=1e-10)
    np.testing.assert_allclose(design.weights, 1 / 6, atol=1e-9)
    assert design.log_det == pytest.approx(6 * math.log1p(1 / 3))
    assert optimal_design(np.ones((5, 5)), 0.1).log_det == pytest.approx(math.log(11))


# ------------------------------------------------------------------------ OP


@LAW
@given(tables(), st.floats(0.01, 10.0), st.floats(0.01, 1000.0))
def test_strategy_keeps_its_three_guarantees(table, alpha: float, beta: float) -> None:
    gram, ridge, draw = table
    gaps = draw.exponential(size=len(gram))
    gaps -= gaps.min()
    whole = optimal_design(gram, ridge)
    Q = OP(gram, gaps, alpha, beta, whole, ridge)
    gain, leverage = whole.log_det + whole.gap, products(gram, Q.weights, ridge).diagonal()
    near = gaps <= 2 * alpha * gain / beta
    assert np.array_equal(near, Q.near)
    np.testing.assert_allclose(Q.weights, 0.5 * Q.exploit.weights + 0.5 * Q.explore.weights)
    # As in the paper, with what the search left to gain (its duality gap); 1e-8: rounding.
    left = Q.exploit.gap
    assert Q.weights @ gaps <= ((1 + alpha) * gain + left) / beta + 1e-8
    assert (leverage <= beta * gaps + 2 * gain + 2 * left + 1e-8).all()
    assert (leverage[near] <= 2 * gain + 2 * Q.explore.gap + 1e-8).all()


# ------------------------------------------------------------------ the plan


def learner_info(T: int = 400, **changes) -> LearnerInfo:
    return replace(jumping(T).known, **changes)


def test_theory_constants_are_those_of_the_paper() -> None:
    plan, N, T, sigma, delta = OPKB("theory", sigma=30.0, delta=0.05).plan(learner_info()), 25, 400, 30.0, 0.05
    L = math.log(8 * T * math.log2(T) * N / delta)
    gain, alpha = plan.design.log_det + plan.design.gap, sigma / (4 * L)
    assert plan.gain == gain
    assert plan.ridge == sigma / T
    assert plan.alpha == pytest.approx(alpha)
    assert plan.block == math.ceil(4 * gain * L)
    for j in range(6):
        assert plan.mu(j) == pytest.approx(0.5 * 2 ** (-j / 2))
        assert plan.beta(j) == pytest.approx(gain / (10 + 4 * math.sqrt(alpha)) * 2 ** (j / 2))
        assert plan.c0 * plan.beta(j) * plan.mu(j) == pytest.approx(2 * gain)
        assert plan.near(j) == pytest.approx(2 * alpha * gain / plan.beta(j))
        for m in range(6):
            assert plan.limit(m, j) == pytest.approx(4 * (40 + 16 * math.sqrt(alpha)) * plan.mu(min(m, j)))


# -------------------------------------------------------------------- policies


def drive(policy, problem: Problem, seed: int = 0, T: int | None = None):
    """The state after a run, with the arms and rewards it saw."""
    draw, noise = rng(seed), rng(seed + 1000).normal(0, problem.noise_sd, problem.horizon)
    state, arms, ys = policy.init(problem.known), [], []
    for t in range(T or problem.horizon):
        arms.append(policy.select(state, t, draw))
        ys.append(problem.f[t, arms[-1]] + noise[t])
        state = policy.update(state, t, arms[-1], ys[-1])
    return state, np.array(arms), np.array(ys)


@pytest.mark.parametrize("policy", [OPKB(), OPKB(restart=150), OPKB(scale=0.5)], ids=repr)
def test_blocks_play_the_strategy_of_earlier_estimates(policy) -> None:
    problem = jumping()
    state, arms, ys = drive(policy, problem)
    plan, gram = state.plan, problem.kernel(problem.x, problem.x)
    phi, estimates, epoch = features(gram), [], 0
    assert len(state.blocks) >= 4
    for block, following in zip(state.blocks, state.blocks[1:], strict=False):
        end = following.start
        assert block.length == plan.length(block.number)
        M = np.linalg.inv(S(gram, block.weights, plan.ridge))
        for t in range(block.start, end):
            estimates.append(phi @ M @ phi[arms[t]] * np.clip(ys[t] / plan.scale, -1, 1))
        if following.number == 0:
            epoch = end
            continue
        assert end == block.start + block.length
        average = np.mean(estimates[epoch:end], axis=0)
        # 1e-7: explicit features against the feature-free form, products up to T/sigma * k.
        np.testing.assert_allclose(following.gaps, average.max() - average, atol=1e-7)
        check_strategy(following, plan, gram)
    if policy.scale == 0.5:
        assert np.abs(ys).max() > 0.5  # rewards were cut


def check_strategy(block, plan, gram: np.ndarray) -> None:
    """The weights of a block are those of OP with this block's constants."""
    Q, j = block.strategy, block.number
    mixed = (1 - plan.mu(j)) * Q.weights + plan.mu(j) * plan.design.weights
    np.testing.assert_allclose(block.weights, mixed)
    share = plan.constants.mixture
    np.testing.assert_allclose(Q.weights, (1 - share) * Q.exploit.weights + share * Q.explore.weights)
    assert np.array_equal(Q.near, block.gaps <= plan.near(j))
    assert Q.explore.weights[~Q.near].max(initial=0) == 0
    # P* nearly solves the paper's program with beta_j: its gap, computed anew.
    leverage = products(gram, Q.exploit.weights, plan.ridge).diagonal()
    gradient = block.gaps - 2 / plan.beta(j) * leverage
    gap = Q.exploit.weights @ gradient - gradient.min()
    assert gap == pytest.approx(2 / plan.beta(j) * Q.exploit.gap, abs=1e-9)
    assert Q.exploit.gap <= 1.001e-3 * Q.exploit.log_det + 1e-9
    # The three inequalities of the regret analysis (Lemma 4.4), with the gaps of what was found: 1e-9 is rounding.
    gain, leverage = plan.design.log_det + plan.design.gap, products(gram, Q.weights, plan.ridge).diagonal()
    most = (1 - share) * 2 * (gain + Q.exploit.gap) / plan.beta(j) + share * plan.near(j)
    assert Q.weights @ block.gaps <= most + 1e-9
    assert (leverage * (1 - share) <= 0.5 * plan.beta(j) * block.gaps + gain + Q.exploit.gap + 1e-9).all()
    assert (leverage[Q.near] * share <= gain + Q.explore.gap + 1e-9).all()


# ---------------------------------------------------------------------- ADA-OPKB


def test_replays_start_with_the_papers_probability() -> None:
    E, j, runs, counts = 3, 4, 4000, Counter()
    draw = rng()
    for _ in range(runs):
        for m, start, end in schedule(E, j, draw):
            assert end - start == 2**m * E and start % (2**m * E) == 0 and end <= 2**j * E
            counts[m, start] += 1
    assert counts.pop((j, 0)) == runs  # the block itself
    assert len(counts) == sum(2 ** (j - m) for m in range(j))
    for (m, _), count in counts.items():
        p = 2 ** ((m - j) / 2)
        # 4.5 standard deviations of a binomial, 30 slots.
        assert abs(count - runs * p) <= 4.5 * math.sqrt(runs * p * (1 - p))


def test_ada_opkb_restarts_at_changes_alone() -> None:
    moving = jumping(1200)
    still = replace(moving, f=np.tile(moving.f[0], (1200, 1)))
    for seed in range(3):
        found = drive(ADAOPKB(scale=1.0), moving, seed)[0].restarts
        assert len(found) == 1 and 600 < found[0] < 900
        assert drive(ADAOPKB(scale=1.0), still, seed)[0].restarts == []


def test_change_test_compares_both_ways() -> None:
    state = ADAOPKB("theory").init(jumping(100).known)
    state._number, peak = 2, np.eye(25)[3]
    coarse, fine = (state.plan.limit(1, k) for k in range(2))
    assert coarse > fine  # level 1 against block 0, and against block 1

    def disagree(of_block_0: float, of_block_1: float, of_interval: float) -> bool:
        state._gaps = [of_block_0 * peak, of_block_1 * peak]
        return state._disagree(1, of_interval * peak)

    assert not disagree(0, 0, 0.99 * fine) and disagree(0, 0, 1.01 * fine)
    assert not disagree(0, 0.99 * fine, 0) and disagree(0, 1.01 * fine, 0)
    assert not disagree(0.99 * coarse, 0, 0) and disagree(1.01 * coarse, 0, 0)
    # Within a factor of four is no contradiction, however large.
    assert not disagree(1e6, 1e6, 0.25e6) and not disagree(0.25e6, 0.25e6, 1e6)
    assert disagree(1e6, 0.2e6, 0.2e6) and disagree(0.2e6, 1e6, 1e6)
