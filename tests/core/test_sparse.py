import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.side_queries.sparse_stacks import growing_sds, stacked_nystrom_left, stacked_sparse_sds
from tests.strategies import LAW, kernels, points
from tvbo_core.gp.sparse import grid_sparse_sds, nystrom_left, nystrom_residual, sparse_sds
from tvbo_core.kernels import Matern, SquaredExponential


def titsias_variance(kernel, X, S, Z, noise):
    """k(z,z) - k_S K_SS^-1 k_S + k_S (K_SS + K_SX K_XS / sigma^2)^-1 k_S, with plain linear solves."""
    Kss, Ksx, Ksz = kernel(S, S), kernel(S, X), kernel(S, Z)
    inner = np.linalg.solve(Kss + Ksx @ Ksx.T / noise, Ksz)
    return kernel.diag(Z) - (Ksz * np.linalg.solve(Kss, Ksz)).sum(0) + (Ksz * inner).sum(0)


def plain_variance(kernel, X, Z, noise):
    Kz = kernel(X, Z)
    return kernel.diag(Z) - (Kz * np.linalg.solve(kernel(X, X) + noise * np.eye(len(X)), Kz)).sum(0)


@pytest.mark.parametrize("noise", [0.01, 0.5])
def test_three_variances_are_their_formulas(noise):
    rng = np.random.default_rng(0)
    kernel, X, Z = Matern(0.5, 0.4, 2.0), rng.uniform(0, 1, (30, 2)), rng.uniform(0, 1, (9, 2))
    chosen = np.array([2, 3, 11, 20, 29])
    sds = sparse_sds(kernel, X, chosen, Z, noise)
    # 1e-9: the matrices have condition numbers below 1e4.
    assert sds.full**2 == pytest.approx(plain_variance(kernel, X, Z, noise), rel=1e-9)
    assert sds.subset**2 == pytest.approx(plain_variance(kernel, X[chosen], Z, noise), rel=1e-9)
    assert sds.variational**2 == pytest.approx(titsias_variance(kernel, X, X[chosen], Z, noise), rel=1e-9)
    K = kernel(X, X)
    residual = np.trace(K - K[:, chosen] @ np.linalg.solve(K[np.ix_(chosen, chosen)], K[chosen]))
    assert sds.residual == pytest.approx(residual, rel=1e-9)
    assert nystrom_residual(K, chosen) == pytest.approx(residual, rel=1e-9)
    assert sds.variational_ratio == pytest.approx((sds.variational / sds.full) ** 2, rel=1e-12)
    assert sds.subset_ratio == pytest.approx((sds.subset / sds.full) ** 2, rel=1e-12)


@LAW
@given(kernels(), st.integers(1, 10), st.floats(1e-3, 10.0), st.data())
def test_subset_never_knows_more_than_all(kernel, n, noise, data):
    X, Z = data.draw(points(n, 2)), data.draw(points(4, 2))
    chosen = np.array(data.draw(st.lists(st.integers(0, n - 1), max_size=n)), dtype=int)
    sds = sparse_sds(kernel, X, chosen, Z, noise)
    # 1e-6 of the prior sd: variances are differences of numbers of the size of the prior variance.
    slack = 1e-6 * np.sqrt(kernel.variance)
    assert (sds.full <= sds.subset + slack).all()
    assert (sds.variational <= sds.subset + slack).all()
    everything = sparse_sds(kernel, X, np.arange(n), Z, noise)
    assert everything.variational == pytest.approx(everything.full, abs=slack)
    assert everything.subset == pytest.approx(everything.full, abs=slack)


def test_nothing_chosen_is_the_prior():
    X, Z, kernel = np.linspace(0, 1, 6)[:, None], np.array([[0.5], [2.0]]), SquaredExponential(0.3, 4.0)
    none = sparse_sds(kernel, X, np.array([], dtype=int), Z, 0.1)
    assert none.variational.tolist() == none.subset.tolist() == [2.0, 2.0]
    assert none.residual == pytest.approx(24.0)
    once, twice = (sparse_sds(kernel, X, np.array(c), Z, 0.1) for c in ([1, 4], [4, 1, 4]))
    assert twice.subset.tolist() == once.subset.tolist()
    assert twice.variational.tolist() == once.variational.tolist()
    assert nystrom_residual(kernel(X, X), np.arange(6)) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("kernel", [SquaredExponential(0.2), Matern(0.5, 0.3, 2.0)])
def test_stacked_sets_have_the_sds_of_each(kernel):
    rng, x = np.random.default_rng(3), np.linspace(0, 1, 40)[:, None]
    gram, arms, noise = kernel(x, x), rng.integers(0, 40, 150), 0.05
    stops = [1, 2, 3, 10, 60, 61, 150]
    sets = [rng.choice(arms[:s], min(s, size)) for s, size in zip(stops, (0, 1, 3, 3, 8, 20, 40), strict=True)]
    counts = np.array([np.bincount(arms[:s], minlength=40) for s in stops])
    full = growing_sds(gram, arms, stops, noise)
    left = stacked_nystrom_left(gram, sets)
    for j, found in enumerate(stacked_sparse_sds(gram, counts, sets, noise, full)):
        want = grid_sparse_sds(gram, arms[: stops[j]], sets[j], noise)
        # 1e-9 of variances of size 1: condition numbers below 1e4, and a pseudo-inverse cut at the same place.
        for name in ("full", "variational", "subset"):
            assert getattr(found, name) ** 2 == pytest.approx(getattr(want, name) ** 2, abs=1e-9)
        assert found.residual == pytest.approx(want.residual, abs=1e-9)
        assert left[j] == pytest.approx(nystrom_left(gram, sets[j]), abs=1e-9)
    with pytest.raises(ValueError, match="noise must be one positive variance"):
        stacked_sparse_sds(gram, counts, sets, 0.0, full)
    assert growing_sds(gram, arms, [], noise).shape == (0, 40)
