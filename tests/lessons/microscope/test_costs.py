"""Orders of the cost of a round: Theorem 3.6 of Mauduit et al. by hand, and what it is compared with."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lessons.microscope.statements.costs import full_cost, sparq_cost, wsparq_cost


def test_the_order_is_the_printed_one():
    T = 1000.0
    for d in (1, 2, 4):
        assert sparq_cost(T, d) == pytest.approx(T**2 * math.log(T) * math.log(T / math.log(T)) ** (3 * d), rel=1e-12)
        assert wsparq_cost(T, d, 0.25, 0.5) == pytest.approx(T * (math.log(T) ** d + T**0.5) ** 2, rel=1e-12)
    T = np.array([1e100, 1e120])
    assert 2.0 < (np.diff(np.log(sparq_cost(T, 1))) / np.diff(np.log(T)))[0] < 2.04  # nearly quadratic


def test_costs_fall_below_a_full_posterior():
    T = np.geomspace(10, 1e40, 400)
    crossings = [T[(sparq_cost(T, d) < full_cost(T)).argmax()] for d in (1, 2, 3)]
    assert crossings[0] < 2e3 < crossings[1] < crossings[2]
    T = np.geomspace(1e6, 1e12, 20)
    assert all((wsparq_cost(T, 1, 0.25, alpha) < full_cost(T)).all() for alpha in (0.34, 1.0, 2.0))


def test_impossible_places_are_refused():
    for wrong in ((2.0, 1), (100.0, 0)):
        with pytest.raises(ValueError, match="above e"):
            sparq_cost(*wrong)
    with pytest.raises(ValueError, match="alpha"):
        wsparq_cost(100.0, 1, 0.25, 0.0)
