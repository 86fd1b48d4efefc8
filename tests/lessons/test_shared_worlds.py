"""A World from knob values: what has no widget, or no value, is the lesson's own world."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lessons.shared import worlds
from tvbo_core import World, make_problem
from tvbo_core.worlds import ALL

BASES = (
    World(),
    World(kind="jumps", budget=1.5, horizon=90, kernel="matern", nu=2.5, lengthscale=0.3, low=-1.0, seed=7, switches=4),
    World(kind="rough", budget=None, norm_bound=float("inf"), alpha=0.5, noise_sd=0.02),
    World(kind="markov", kernel="matern", nu=0.7, epsilon=0.2),  # a smoothness that no knob has
)
# Knob -> a value of its own, and the fields that it decides.
SAID = {
    "nu": ("1/2", ("kernel", "nu")),
    "ell": (0.45, ("lengthscale",)),
    "V": (9.5, ("budget",)),
    "T": (150, ("horizon",)),
    "seed": (42, ("seed",)),
    "sigma": (0.5, ("noise_sd",)),
    "B": (8.0, ("norm_bound",)),
    "kind": ("cyclic", ("kind",)),
}


def test_unset_knobs_are_the_lessons_own() -> None:
    for base in BASES:
        assert worlds.build({}, base) == base and worlds.pair({}, base) == [base]
        for key, (_, fields) in SAID.items():
            values = {k: value for k, (value, _) in SAID.items()}
            whole = worlds.build(values, base)
            values.pop(key)
            own = {field: getattr(base, field) for field in fields}
            assert worlds.build(values, base) == replace(whole, **own), (base.kind, key)


@pytest.mark.parametrize("kind", sorted(ALL.keys() - {"data"}))
def test_worlds_that_rest_are_called_static(kind: str) -> None:
    world = World(kind=kind, budget=0.0, horizon=30, arms=20)
    assert worlds.caption(world).startswith("static,") == (make_problem(world).sup_variation == 0)
