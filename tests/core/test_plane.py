"""Worlds on a grid in the plane: a row of it is the line, and any square is the unit square."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import tvbo_core as tv
from tvbo_core import World, worlds
from tvbo_core.worlds import draws

SIDES = (5, 4)
PLANE = World(dimension=2, arms=SIDES, horizon=12, budget=2.0, seed=5)


def test_arms_are_all_pairs_of_ticks() -> None:
    x = tv.make_problem(replace(PLANE, low=-1.0)).x
    assert x.tolist() == [list(pair) for pair in itertools.product(np.linspace(-1, 1, 5), np.linspace(-1, 1, 4))]
    scattered = tv.make_problem(World(dimension=2, arms=7, horizon=3, seed=5)).x
    np.testing.assert_array_equal(scattered, np.random.default_rng([5, 0]).uniform(size=(7, 2)))  # as they were


@pytest.mark.parametrize("kind", ["markov", "travel"])  # whose rewards depend on distances and chance alone
def test_one_row_of_the_plane_is_the_line(kind: str) -> None:
    line = World(kind=kind, arms=9, horizon=30, kernel="matern", nu=2.5)
    row, flat = tv.make_problem(replace(line, dimension=2, arms=(9, 1))), tv.make_problem(line)
    # Distances in the plane are rounded once more than on the line; the drift's root is found to 1e-14 besides.
    np.testing.assert_allclose(row.f, flat.f, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(row.x, np.column_stack([flat.x, np.full(9, 0.5)]))
    one, other = (tv.play(p, tv.TVGPUCB(0.05), tv.observe.play_rng(0)) for p in (flat, replace(flat, x=row.x)))
    np.testing.assert_array_equal(one.arms, other.arms)


def test_rewards_are_kernel_sums_factor_by_factor() -> None:
    p = tv.make_problem(replace(PLANE, kernel="se"))
    one = tv.SquaredExponential(PLANE.lengthscale)
    across, up = (one(p.centres[:, d : d + 1], draws.spread_points(n, 1)) for d, n in enumerate(SIDES))
    summed = np.einsum("tp,pi,pj->tij", p.coefficients, across, up)
    np.testing.assert_allclose(p.f.reshape(-1, *SIDES), summed, rtol=0, atol=1e-12)  # 40 terms of size up to 10


@pytest.mark.parametrize("kind", [kind for kind in worlds.ALL if kind not in ("adversary", "data")])
def test_other_squares_are_the_unit_square(kind: str) -> None:
    wide = replace(PLANE, kind=kind, low=-2.0, high=2.0, lengthscale=4 * PLANE.lengthscale)
    np.testing.assert_array_equal(tv.make_problem(wide).f, tv.make_problem(replace(PLANE, kind=kind)).f)
