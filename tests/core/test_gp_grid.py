import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW, kernels
from tvbo_core.gp import RankOne, grid_posterior, log_det, merge_repeats, posterior

GRID = np.linspace(0, 1, 40)[:, None]


@LAW
@given(kernels(), st.lists(st.integers(0, 39), max_size=30), st.integers(0, 2**32 - 1))
def test_merged_repeats_carry_the_same_posterior(kernel, arms, seed):
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


def test_merging_survives_every_noise_ratio():
    _, y, noise = merge_repeats([0, 0, 1, 1], [1.0, 5.0, 2.0, 4.0], [1e-8, 1e30, 1e300, 1e300])
    assert y == pytest.approx([1.0, 3.0], rel=1e-15)
    assert noise == pytest.approx([1e-8, 5e299], rel=1e-15)


@pytest.mark.parametrize("variance", [0.1, 0.3, 0.7, 1.1, 3.0, 7.0])
def test_identical_arms_never_get_negative_variance(variance):
    state = RankOne(np.full((5, 5), variance))
    for arm in (0, 3, 3, 1):
        state.learn(arm, 1.0, 1e-20)  # leaves 1e-20 of variance, below the rounding of the prior
        assert ((state.sd >= 0) & (state.sd <= 1e-7)).all()  # 1e-7: the root of 7 * 1e-15
    assert state.mean == pytest.approx(np.ones(5), rel=1e-12)
