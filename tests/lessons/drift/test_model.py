"""The drift of a world, by the definition of V_T: totals, steps and rods."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.drift import model, words
from lessons.drift.knobs import DRIFT_WORLD
from lessons.drift.lesson import LESSON
from lessons.drift.model import WorldDrift
from lessons.shared import worlds
from tests.strategies import LAW
from tvbo_core import Problem, SquaredExponential, World, make_problem
from tvbo_core.worlds import events, moved_most

LAWS = settings(LAW, max_examples=30)  # two worlds and their sentences take about 20 ms
KINDS = st.sampled_from(["still", "glide", "jumps", "markov", "cyclic", "rough"])


def drift_of(chosen: World, problem: Problem | None = None) -> WorldDrift:
    p = make_problem(chosen) if problem is None else problem
    return WorldDrift(chosen, p, events(p), moved_most(p))


def page(**values: object) -> list[WorldDrift]:
    """Return the worlds of these knob values; the others stay at their defaults."""
    return [drift_of(w) for w in worlds.pair({**LESSON.defaults, **values}, DRIFT_WORLD)]


def from_table(f: np.ndarray) -> WorldDrift:
    x = np.linspace(0, 1, f.shape[1])[:, None]
    return drift_of(World(kind="still"), Problem(x, f, 0.1, SquaredExponential(0.2), None))


def finding(drifts: list[WorldDrift], hops: bool = True) -> list[str]:
    return words.finding(drifts, [short for _, short in words.titles([d.world for d in drifts])], hops=hops)


def changes(f: np.ndarray) -> list[float]:
    """Return the largest change at any action, round by round: the definition."""
    return [max(abs(a - b) for a, b in zip(f[t], f[t - 1], strict=True)) for t in range(1, len(f))]


@given(KINDS, st.integers(0, 99), st.sampled_from([0.5, 4.0, 16.0]))
@LAWS
def test_totals_are_the_drift_of_the_problem(kind: str, seed: int, V: float) -> None:
    (one,) = page(kind=kind, pair="none", seed=seed, V=V, T=50)
    each = changes(one.problem.f)
    facts = model.facts([one], ["World"], 49)
    assert facts["World V_T"] == pytest.approx(sum(each), rel=1e-12) == facts["World V_t"]
    assert facts["World steps"] == sum(size > 0 for size in each)
    assert ("Nothing moves" in finding([one], hops=False)[-1]) == (sum(each) == 0)
    np.testing.assert_allclose(one.spent, np.cumsum([0.0, *each]), atol=1e-12)
    for t in range(50):
        arm, begin = one.rods[t]
        far, ends = abs(one.problem.f[t, arm] - one.problem.f[begin, arm]), np.cumsum([0.0, *reversed(each[:t])])
        # A rod is the last changes together, to rounding: at least the last that is not 0.
        assert np.abs(ends - far).min() <= 1e-9 * max(1.0, np.abs(one.problem.f).max())
        assert (far > 0) == (sum(each[:t]) > 0)


def test_rod_restarts_where_change_turns_or_moves() -> None:
    one = from_table(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.5], [1.5, 0.5], [1.5, 0.5], [1.5, 2.5]]))
    tips = [[one.problem.f[begin, arm], one.problem.f[t, arm]] for t, (arm, begin) in enumerate(one.rods)]
    assert tips[1:] == [[0.0, 1.0], [0.0, 2.0], [2.0, 1.5], [2.0, 1.5], [0.5, 2.5]]
