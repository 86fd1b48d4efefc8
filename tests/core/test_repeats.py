"""Repeats of an arm as one observation, and many posteriors of one grid at once."""

from __future__ import annotations

import numpy as np
import pytest

from tvbo_core.gp import grid_posterior, grid_posteriors, posterior
from tvbo_core.kernels import Matern

X = np.linspace(0, 1, 25)[:, None]
KERNEL = Matern(1.5, 0.3, 2.0)


def test_many_posteriors_are_each_one_exactly() -> None:
    rng, gram = np.random.default_rng(0), KERNEL(X, X)
    sizes = (0, 1, 5, 40, 0, 3)
    seen = [(rng.integers(0, 25, n), rng.normal(size=n), rng.uniform(0.01, 4.0, n)) for n in sizes]
    mean, sd = grid_posteriors(gram, seen)
    for f, (arms, y, noise) in enumerate(seen):
        one = grid_posterior(gram, arms, y, noise)
        assert np.array_equal(mean[f], one[0]) and np.array_equal(sd[f], one[1])
        dense = posterior(KERNEL, X[arms], y, X, noise)
        assert one[0] == pytest.approx(dense[0], abs=1e-9) and one[1] == pytest.approx(dense[1], abs=1e-9)
    assert [part.shape for part in grid_posteriors(gram, [])] == [(0, 25), (0, 25)]
