"""Leaders, against the definition by hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lessons.race.standings import lead_changes
from tests.strategies import LAW

REGRETS = st.tuples(st.integers(1, 4), st.integers(1, 8)).flatmap(
    lambda shape: arrays(float, shape, elements=st.integers(0, 3).map(float))
)


def test_lead_changes_when_the_median_falls_below() -> None:
    medians = {"a": np.array([1.0, 2, 3, 4]), "b": np.array([2.0, 2, 2, 5])}
    assert lead_changes(medians) == ((2, "b", "a"), (3, "a", "b"))


@given(REGRETS, st.integers(1, 3))
@LAW
def test_leaders_are_lowest_when_named(regret: np.ndarray, lasting: int) -> None:
    medians, leader = {str(p): row for p, row in enumerate(regret.cumsum(axis=1))}, None
    for t, new, passed in lead_changes(medians, lasting):
        assert medians[new][t] == min(row[t] for row in medians.values()) < medians[passed][t]
        assert leader in (None, passed)  # who is passed is who led
        leader = new
    if lasting == 1:
        assert leader is None or medians[leader][-1] == min(row[-1] for row in medians.values())
