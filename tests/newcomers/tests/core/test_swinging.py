"""The swinging world: there and back, inside the norm ball, within its budget."""

from __future__ import annotations

import numpy as np
import pytest

from tvbo_core.records import World
from tvbo_core.worlds import make_problem

SWING = World(kind="swing", horizon=101, budget=1.5)


def test_it_comes_back_to_where_it_began() -> None:
    p = make_problem(SWING)
    np.testing.assert_allclose(p.f[50], p.f[0], atol=1e-12)
    np.testing.assert_allclose(p.f[100], p.f[0], atol=1e-12)


def test_it_spends_the_budget_and_stays_in_the_ball() -> None:
    p = make_problem(SWING)
    assert p.sup_variation == pytest.approx(1.5) and p.norms.max() <= 3.0 + 1e-9
