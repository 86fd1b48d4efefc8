"""The variational posterior: its formula, its limits, and what it is compared with."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.side_queries.sparse_stacks import by_size
from tests.strategies import LAW, observations
from tvbo_core.gp import posterior
from tvbo_core.gp.sparse import (
    grid_sparse_sds,
    nystrom_left,
    nystrom_residual,
    sparse_sds,
    variational_posterior,
)
from tvbo_core.kernels import Matern, SquaredExponential


def by_formula(kernel, X, y, S, Z, noise):
    """Titsias (2009), eq. 6 and 10, by plain linear solves."""
    Kss, Ksx, Ksz = kernel(S, S), kernel(S, X), kernel(S, Z)
    inner = Kss + (Ksx / noise) @ Ksx.T
    mean = Ksz.T @ np.linalg.solve(inner, Ksx @ (y / noise))
    variance = kernel.diag(Z) - (Ksz * np.linalg.solve(Kss, Ksz)).sum(0) + (Ksz * np.linalg.solve(inner, Ksz)).sum(0)
    return mean, np.sqrt(variance)


def test_variational_posterior_is_its_formula():
    rng = np.random.default_rng(0)
    kernel, X, Z = Matern(0.5, 0.4, 2.0), rng.uniform(0, 1, (30, 2)), rng.uniform(0, 1, (9, 2))
    S, y, noise = rng.uniform(0, 1, (6, 2)), rng.normal(size=30), rng.uniform(0.05, 3.0, 30)
    mean, sd = variational_posterior(kernel, X, y, S, Z, noise)
    # 1e-9: the matrices have condition numbers below 1e4.
    assert mean == pytest.approx(by_formula(kernel, X, y, S, Z, noise)[0], rel=1e-9)
    assert sd == pytest.approx(by_formula(kernel, X, y, S, Z, noise)[1], rel=1e-9)


@LAW
@given(observations(min_n=1, max_n=12, min_noise=1e-2, max_noise=1e3))
def test_all_inducing_points_give_the_posterior(data):
    full = posterior(data.kernel, data.X, data.y, data.Z, data.noise)
    through = variational_posterior(data.kernel, data.X, data.y, data.X, data.Z, data.noise)
    # Close inputs have a pseudo-inverse cut at rounding, worth 1e-7 of an sd; a mean carries it times y / noise.
    slack = 1e-5 * (1 + np.abs(data.y).max()) * (1 + data.kernel.variance / data.noise.min())
    assert through[0] == pytest.approx(full[0], abs=slack)
    assert through[1] == pytest.approx(full[1], abs=1e-4 * np.sqrt(data.kernel.variance))


@LAW
@given(st.integers(1, 25), st.integers(0, 6), st.floats(0.01, 5.0), st.integers(0, 2**32 - 1))
def test_merged_repeats_give_the_same_sds(n, k, noise, seed):
    rng = np.random.default_rng(seed)
    x, kernel = np.linspace(0, 1, 12)[:, None], Matern(1.5, 0.4, 2.0)
    arms = rng.integers(0, 12, n)
    chosen = rng.choice(n, min(k, n), replace=False)
    grid = grid_sparse_sds(kernel(x, x), arms, arms[chosen], noise)
    first = np.array([int(np.flatnonzero(arms == a)[0]) for a in np.unique(arms[chosen])], dtype=int)
    dense = sparse_sds(kernel, x[arms], first, x, noise)
    for name in ("full", "variational", "subset"):
        assert getattr(grid, name) == pytest.approx(getattr(dense, name), abs=1e-6)
    assert grid.residual == pytest.approx(dense.residual, abs=1e-6)
    K = kernel(x[arms], x[arms])
    left = nystrom_left(kernel(x, x), arms[chosen])[arms].sum()
    assert left == pytest.approx(nystrom_residual(K, chosen), abs=1e-6)


def test_variational_ratio_tends_to_one_alone():
    # MATH oracle 34 by number of points: 200 readings of one noise, of which the subset has a few.
    x, rng = np.linspace(0, 1, 60)[:, None], np.random.default_rng(1)
    gram = SquaredExponential(0.2)(x, x)
    found = by_size(gram, rng.integers(0, 60, 200), 0.1, "exact", rng, most=14)
    assert found.sizes.tolist() == list(range(1, len(found.sizes) + 1))
    assert found.variational[-1] == pytest.approx(1.0, abs=1e-3) and found.variational[0] > 2
    assert found.subset[-1] > 5
    assert found.residual[-1] < 1e-3 < found.residual[0]
