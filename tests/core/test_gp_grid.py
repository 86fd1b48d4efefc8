import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW, kernels
from tvbo_core.gp import RankOne, grid_posterior, log_det, merge_repeats, posterior
from tvbo_core.kernels import Matern, SquaredExponential

GRID = np.linspace(0, 1, 40)[:, None]


def test_no_observation_leaves_the_prior_of_the_grid():
    kernel = Matern(2.5, 0.3, 4.0)
    mean, sd = grid_posterior(kernel(GRID, GRID), [], [], 0.1)
    assert np.array_equal(mean, np.zeros(40)) and np.array_equal(sd, np.full(40, 2.0))
    assert [part.shape for part in merge_repeats([], [], 0.1)] == [(0,)] * 3


@LAW
@given(kernels(), st.lists(st.integers(0, 39), max_size=30), st.integers(0, 2**32 - 1))
def test_merged_repeats_carry_the_same_posterior_and_log_det(kernel, arms, seed):
    rng = np.random.default_rng(seed)
    n = len(arms)
    arms, y, noise = np.array(arms, dtype=int), rng.normal(size=n), rng.uniform(0.01, 2.0, n)
    gram = kernel(GRID, GRID)
    mean, sd = grid_posterior(gram, arms, y, noise)
    mean2, sd2 = posterior(kernel, GRID[arms], y, GRID, noise)
    assert mean == pytest.approx(mean2, abs=1e-9)
    assert sd**2 == pytest.approx(sd2**2, abs=1e-9)
    distinct, _, merged = merge_repeats(arms, y, noise)
    full = log_det(gram[np.ix_(arms, arms)], noise)
    assert log_det(gram[np.ix_(distinct, distinct)], merged) == pytest.approx(full, rel=1e-9, abs=1e-9)


def test_copies_of_one_observation_merge_into_their_average():
    distinct, y, noise = merge_repeats([5, 2, 5, 5], [1.0, 7.0, 2.0, 6.0], 0.3)
    assert distinct.tolist() == [2, 5]
    assert y == pytest.approx([7.0, 3.0], rel=1e-15)
    assert noise == pytest.approx([0.3, 0.1], rel=1e-15)


def test_merging_survives_every_ratio_of_noise():
    _, y, noise = merge_repeats([0, 0, 1, 1], [1.0, 5.0, 2.0, 4.0], [1e-8, 1e30, 1e300, 1e300])
    assert y == pytest.approx([1.0, 3.0], rel=1e-15)
    assert noise == pytest.approx([1e-8, 5e299], rel=1e-15)


@LAW
@given(kernels(), st.lists(st.integers(0, 39), min_size=1, max_size=40), st.integers(0, 2**32 - 1))
def test_rank_one_updates_equal_the_dense_answer(kernel, arms, seed):
    rng = np.random.default_rng(seed)
    y, noise = rng.normal(size=len(arms)), np.exp(rng.uniform(-5, 5, len(arms)))
    gram = kernel(GRID, GRID)
    state = RankOne(gram)
    for arm, reward, variance in zip(arms, y, noise, strict=True):
        state.learn(arm, reward, variance)
    mean, sd = grid_posterior(gram, arms, y, noise)
    # 1e-9: 40 updates, each within 1e-16 * 20 / e^-5 of the exact one.
    assert state.mean == pytest.approx(mean, abs=1e-9)
    assert state.sd**2 == pytest.approx(sd**2, abs=1e-9)


@pytest.mark.parametrize("lengthscale", [0.05, 0.2, 1.0, 1e3])
def test_a_thousand_updates_with_noise_1e_8_stay_accurate_and_non_negative(lengthscale):
    rng = np.random.default_rng(3)
    kernel = SquaredExponential(lengthscale)
    gram = kernel(GRID, GRID)
    f = gram[:, :5] @ rng.normal(size=5)  # in the space, so that the mean has something finite to find
    state, arms = RankOne(gram), []
    for t in range(1000):
        arms.append(int(rng.integers(40)) if t % 2 else int(state.variance.argmax()))
        state.learn(arms[-1], f[arms[-1]] + 1e-4 * np.sin(t), 1e-8)
        assert (state.variance >= 0).all()
    mean, sd = grid_posterior(gram, arms, f[arms] + 1e-4 * np.sin(np.arange(1000)), 1e-8)
    # Each gain is a covariance, right to 1e-16, over at least 1e-8: a relative error of 1e-8 a step, damped
    # by later steps. The innovations are of the size 1e-4 after the first few, the sd about 1e-5.
    assert state.sd == pytest.approx(sd, rel=1e-3)
    assert state.mean == pytest.approx(mean, abs=1e-7)


@pytest.mark.parametrize("variance", [0.1, 0.3, 0.7, 1.1, 3.0, 7.0])
def test_arms_that_move_together_never_get_a_negative_variance(variance):
    state = RankOne(np.full((5, 5), variance))
    for arm in (0, 3, 3, 1):
        state.learn(arm, 1.0, 1e-20)  # leaves 1e-20 of variance, below the rounding of the prior
        assert ((state.sd >= 0) & (state.sd <= 1e-7)).all()  # 1e-7: the root of 7 * 1e-15
    assert state.mean == pytest.approx(np.ones(5), rel=1e-12)


def test_learning_leaves_the_gram_matrix_and_an_earlier_mean_alone():
    gram = np.eye(2)
    state = RankOne(gram)
    before = state.mean
    state.learn(0, 1.0, 1.0)
    assert np.array_equal(before, np.zeros(2)) and state.mean.tolist() == [0.5, 0.0]
    assert np.array_equal(gram, np.eye(2))


def test_the_grid_engine_complains_once_about_bad_input():
    gram = np.eye(3)
    for bad in ([3], [-1]):
        with pytest.raises(ValueError, match=r"index 0\.\.2"):
            grid_posterior(gram, bad, [0.0], 0.1)
    with pytest.raises(ValueError, match="integers"):
        merge_repeats([0.0], [1.0], 0.1)


@pytest.mark.parametrize("above, below", [(np.nan, 0.5), (0.5, np.nan), (np.inf, -np.inf), (np.inf, np.inf)])
def test_a_covariance_that_is_not_finite_is_refused_without_a_warning(above, below):
    gram = np.array([[1.0, above, 0.1], [below, 1.0, 0.2], [0.1, 0.2, 1.0]])
    with pytest.raises(ValueError, match="kernel matrix"):
        grid_posterior(gram, [0, 1], [0.3, 0.4], 0.1)
