"""Worlds on a grid in the plane: what one row has in common with a line, and what is recomputed by hand."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

import tvbo_core as tv
from tvbo_core import World, worlds
from tvbo_core.worlds import draws

SIDES = (5, 4)
PLANE = World(dimension=2, arms=SIDES, horizon=12, budget=2.0, seed=5)
KINDS = [kind for kind in worlds.ALL if kind not in ("adversary", "data")]
# Their rewards depend on distances and chance alone, of which a row in the plane has the same as the line.
DISTANCES_ALONE = ("markov", "travel")


def test_arms_are_all_pairs_of_ticks() -> None:
    x = tv.make_problem(replace(PLANE, low=-1.0)).x
    assert x.tolist() == [list(pair) for pair in itertools.product(np.linspace(-1, 1, 5), np.linspace(-1, 1, 4))]


@pytest.mark.parametrize("kind", DISTANCES_ALONE)
@pytest.mark.parametrize("nu", [0.5, 2.5, math.inf])
def test_one_row_of_the_plane_is_the_line(kind: str, nu: float) -> None:
    kernel = {"kernel": "se"} if nu == math.inf else {"kernel": "matern", "nu": nu}
    line = World(kind=kind, arms=9, horizon=30, **kernel)
    row = tv.make_problem(replace(line, dimension=2, arms=(9, 1)))
    flat = tv.make_problem(line)
    # Distances in the plane are rounded once more than on the line; the drift's root is found to 1e-14 besides.
    np.testing.assert_allclose(row.f, flat.f, rtol=0, atol=1e-9)
    assert row.sup_variation == pytest.approx(flat.sup_variation, abs=1e-9)
    np.testing.assert_array_equal(row.x, np.column_stack([flat.x, np.full(9, 0.5)]))


@pytest.mark.parametrize("policy", [tv.GPUCB(), tv.WGPUCB(0.9), tv.SWGPUCB(8), tv.RGPUCB(6), tv.TVGPUCB(0.05)])
def test_policies_play_a_row_like_a_line(policy: tv.records.Policy) -> None:
    flat = tv.make_problem(World(kind="jumps", arms=9, horizon=25))
    row = replace(flat, x=np.column_stack([flat.x, np.full(9, 0.5)]), centres=None, coefficients=None)
    one, other = (tv.play(p, policy, tv.observe.play_rng(0)) for p in (flat, row))
    np.testing.assert_array_equal(one.arms, other.arms)
    np.testing.assert_array_equal(one.regret, other.regret)


@pytest.mark.parametrize("kind", KINDS)
def test_variation_peak_and_regret_match_counting_by_hand(kind: str) -> None:
    p = tv.make_problem(replace(PLANE, kind=kind))
    f = p.f.reshape(-1, *SIDES)
    assert f.shape[0] == 12 and np.isfinite(f).all()
    moved = sum(
        max(abs(f[t + 1, i, j] - f[t, i, j]) for i in range(SIDES[0]) for j in range(SIDES[1])) for t in range(11)
    )
    assert p.sup_variation == pytest.approx(moved, rel=1e-12)  # the same sums in another order
    for t in range(12):
        i, j = np.unravel_index(f[t].argmax(), SIDES)
        np.testing.assert_array_equal(p.x[p.best[t]], [np.linspace(0, 1, 5)[i], np.linspace(0, 1, 4)[j]])
    history = tv.play(p, tv.Random(), tv.observe.play_rng(0))
    lost = [f[t].max() - f[t].ravel()[a] for t, a in enumerate(history.arms)]
    np.testing.assert_allclose(history.regret, lost, rtol=0, atol=0)


@pytest.mark.parametrize("kind", [name for name, kind in worlds.ALL.items() if kind.has_budget])
def test_budget_is_used_in_the_plane(kind: str) -> None:
    world = replace(PLANE, kind=kind, budget=0.5)
    least = min(0.5, worlds.reachable_budget(world))
    assert tv.make_problem(world).sup_variation == pytest.approx(least, rel=1e-9)  # a root, where it is solved for


def test_separable_kernel_has_the_gram_of_kronecker() -> None:
    kernel, one = tv.SquaredExponential(0.3), tv.SquaredExponential(0.3)
    x = tv.make_problem(PLANE).x
    across, up = (draws.spread_points(n, 1) for n in SIDES)
    # exp(-a) exp(-b) against exp(-a-b): a few roundings of numbers of at most 1.
    np.testing.assert_allclose(kernel(x, x), np.kron(one(across, across), one(up, up)), rtol=0, atol=1e-14)


def test_rewards_are_kernel_sums_factor_by_factor() -> None:
    p = tv.make_problem(replace(PLANE, kernel="se"))
    one = tv.SquaredExponential(PLANE.lengthscale)
    across, up = (one(p.centres[:, d : d + 1], draws.spread_points(n, 1)) for d, n in enumerate(SIDES))
    summed = np.einsum("tp,pi,pj->tij", p.coefficients, across, up)
    np.testing.assert_allclose(p.f.reshape(-1, *SIDES), summed, rtol=0, atol=1e-12)  # 40 terms of size up to 10


@pytest.mark.parametrize("kind", KINDS)
def test_other_squares_are_the_unit_square(kind: str) -> None:
    wide = replace(PLANE, kind=kind, low=-2.0, high=2.0, lengthscale=4 * PLANE.lengthscale)
    np.testing.assert_array_equal(tv.make_problem(wide).f, tv.make_problem(replace(PLANE, kind=kind)).f)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"kind": "adversary"}, "adversary .* grid .* give arms as one whole number"),
        ({"arms": (5,)}, r"arms must be .* one for each of 2 dimensions .*, got \(5,\)"),
        ({"arms": (5, 0)}, "arms must be .*, got "),
        ({"arms": (5, 4.0)}, "arms must be .*, got "),
        ({"arms": (100, 100)}, "at most 4000 in all"),
        ({"arms": (60, 60), "kind": "markov"}, "arms must be at most 2000 in a markov world"),
        ({"dimension": 1}, "one for each of 1 dimension"),
    ],
)
def test_impossible_grids_are_refused_in_one_sentence(change: dict, says: str) -> None:
    with pytest.raises(ValueError, match=says) as told:
        tv.make_problem(replace(PLANE, **change))
    assert "\n" not in str(told.value)


def test_scattered_arms_stay_as_they_were() -> None:
    x = tv.make_problem(World(dimension=2, arms=7, horizon=3, seed=5)).x
    np.testing.assert_array_equal(x, np.random.default_rng([5, 0]).uniform(size=(7, 2)))
