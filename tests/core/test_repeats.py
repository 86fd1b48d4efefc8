"""Repeats of an arm as one observation, and many posteriors of one grid at once."""

from __future__ import annotations

import numpy as np
import pytest

from tvbo_core.gp import grid_posterior, grid_posteriors, posterior
from tvbo_core.gp.grid import merge_repeats
from tvbo_core.kernels import Matern

X = np.linspace(0, 1, 25)[:, None]
KERNEL = Matern(1.5, 0.3, 2.0)


def plainly(arms: np.ndarray, y: np.ndarray, noise: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Precisions and precision-weighted rewards, arm by arm."""
    distinct = np.unique(arms)
    precision = np.array([sum(1.0 / noise[arms == a]) for a in distinct])
    return distinct, np.array([sum((y / noise)[arms == a]) for a in distinct]) / precision, 1.0 / precision


@pytest.mark.parametrize("n", [1, 3, 60])
@pytest.mark.parametrize("largest", [25, 10**9])
def test_one_observation_an_arm_carries_what_its_repeats_carry(n: int, largest: int) -> None:
    rng = np.random.default_rng(n)
    arms, y = rng.choice(rng.integers(0, largest, 12), n), rng.normal(size=n)
    for noise in (0.3, rng.uniform(1e-3, 9.0, n)):
        found = merge_repeats(arms, y, noise)
        for got, want in zip(found, plainly(arms, y, np.broadcast_to(noise, n)), strict=True):
            assert got == pytest.approx(want, rel=1e-12)  # sums of up to 60 terms of one sign or of size 1


def test_many_posteriors_at_once_are_each_one_to_the_last_digit() -> None:
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


def test_what_is_wrong_with_one_of_many_is_said() -> None:
    fine = (np.array([1]), np.array([0.5]), np.array([0.1]))
    for wrong, complaint in (
        ((np.array([25]), *fine[1:]), "an arm must be an index"),
        ((np.array([0.5]), *fine[1:]), "array of integers"),
        ((fine[0], np.array([np.nan]), fine[2]), "finite everywhere"),
        ((*fine[:2], np.array([0.0])), "noise variance must be positive"),
    ):
        with pytest.raises(ValueError, match=complaint):
            grid_posteriors(KERNEL(X, X), [fine, wrong])
