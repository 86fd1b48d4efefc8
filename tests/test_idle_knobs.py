"""Knobs that the page leaves out change nothing; those of a world that it shows do."""

from __future__ import annotations

import numpy as np
import pytest

from lessons.shared import worlds
from lessons.shared.knobs import ACTS_IN, KNOBS, idle
from tvbo_core import World, make_problem
from tvbo_core.worlds import ALL

BASE = World(horizon=60)
VALUES = {"V": 2.0, "T": 60, "nu": "3/2", "ell": 0.2, "eps": 0.05, "alpha": 0.5, "sigma": 0.1, "B": 3.0, "switches": 1,
          "seed": 3, "data": "stocks", "scale": "set"}  # fmt: skip
OTHER = {"V": 1.0, "nu": "∞", "ell": 0.1, "eps": 0.2, "alpha": 0.9, "B": 2.0, "switches": 3, "data": "sensors"}
CASES = [(kind, scale) for kind in ALL for scale in ("set", "drawn")
         if kind not in ("data", "markov") or scale == "set"]  # fmt: skip


def reward(values: dict) -> np.ndarray:
    """The table of rewards that these values of the knobs stand for."""
    return make_problem(worlds.build(values, BASE)).f


@pytest.mark.parametrize(("kind", "scale"), CASES)
def test_a_knob_is_left_out_exactly_where_it_changes_no_reward(kind: str, scale: str) -> None:
    values = VALUES | {"kind": kind, "scale": scale}
    before, off = reward(values), idle({kind}, scale)
    for key, other in OTHER.items():
        after = reward(values | {key: other})
        same = before.shape == after.shape and np.array_equal(before, after)
        assert same == (key in off), (key, kind)


def test_of_two_worlds_a_knob_acts_when_it_acts_in_one() -> None:
    assert ACTS_IN.keys() <= KNOBS.keys()
    assert {"V", "eps", "switches"} - idle({"markov", "jumps"}) == {"V", "eps", "switches"}
    assert idle({"still", "glide"}) == idle({"glide"})
