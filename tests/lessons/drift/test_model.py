"""The drift of a world, by the definition of V_T: totals, steps, rods, ties, the table, and a world up to a time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from figures.frames import choose_frames
from figures.theme import Theme
from lessons.drift import figure, figure_hills, model, words
from lessons.drift.knobs import DRIFT_WORLD
from lessons.drift.lesson import LESSON
from lessons.drift.model import Side, WorldDrift
from lessons.shared import worlds
from tests.strategies import LAW
from tvbo_core import Problem, SquaredExponential, World, make_problem
from tvbo_core.worlds import events, moved_most, ties

LAWS = settings(LAW, max_examples=30)  # two worlds and their sentences take about 20 ms
KINDS = st.sampled_from(["still", "glide", "jumps", "markov", "cyclic", "rough"])


def drift_of(chosen: World, problem: Problem | None = None) -> WorldDrift:
    p = make_problem(chosen) if problem is None else problem
    tied = {t: ties(p, t) for t in range(p.horizon) if len(ties(p, t)) > 1}
    return WorldDrift(chosen, p, events(p), moved_most(p), tied)


def page(**values: object) -> list[WorldDrift]:
    """Return the worlds of these knob values; the others stay at their defaults."""
    return [drift_of(w) for w in worlds.pair({**LESSON.defaults, **values}, DRIFT_WORLD)]


def from_table(f: np.ndarray) -> WorldDrift:
    x = np.linspace(0, 1, f.shape[1])[:, None]
    return drift_of(World(kind="still"), Problem(x, f, 0.1, SquaredExponential(0.2), None))


def finding(drifts: list[WorldDrift], events: bool = True) -> list[str]:
    return words.finding(drifts, [short for _, short in words.titles([d.world for d in drifts])], events=events)


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
    assert ("Nothing moves" in finding([one], events=False)[-1]) == (sum(each) == 0)
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


def test_table_names_where_each_step_is_longest() -> None:
    drift = drift_of(World(kind="markov", epsilon=0.3, horizon=12, arms=7, seed=2))
    rows, steps = model.table([drift], ["M"]), np.abs(np.diff(drift.problem.f, axis=0))
    assert rows[0]["moved most at"] == "" and rows[0]["largest change"] == 0
    assert len({row["moved most at"] for row in rows[1:]}) > 2  # so that a neighbour's place would be wrong
    for t, row in enumerate(rows[1:]):
        x = drift.problem.x[steps[t].argmax(), 0]
        assert float(str(row["moved most at"]).removeprefix("x = ")) == pytest.approx(x, abs=5e-3)
        assert row["largest change"] == pytest.approx(steps[t].max(), rel=1e-12)
        assert row["drift so far V_t"] == pytest.approx(steps[: t + 1].max(axis=1).sum(), rel=1e-12)


def test_world_up_to_an_event_lacks_it() -> None:
    """A question shows a world up to a time and knows nothing of that time or later."""
    jumps = model.drifts_from(LESSON.settings({"kind": "jumps", "V": 4.0}))[-1]
    whole = replace(jumps, tied={row: np.array([0, 1]) for row in (3, 50)})
    rows = {hop.t for hop in whole.events.hops}
    assert rows
    for row in (*rows, 3, 50):
        for t, there in ((row, False), (row + 1, True)):
            head = whole.until(t)
            assert (row in {*(hop.t for hop in head.events.hops), *head.tied}) == there


@pytest.mark.parametrize("f", [np.zeros((2, 1)), np.full((3, 4), 7.0), np.array([[0.0], [5.0]]), np.eye(2) * 1e6])
def test_constant_and_huge_rewards_give_a_picture(f: np.ndarray) -> None:
    one, clock = Side(from_table(f), "World", "World", "first"), choose_frames(len(f), [])
    films = [
        figure.worlds([one], clock, Theme(), drawn=len(f) - 1),
        figure_hills.hills([one], clock, Theme(), len(f) - 1, True),
    ]
    for shown in (film.figure.checked().layout.to_plotly_json() for film in films):
        ranges = np.array([axis["range"] for name, axis in shown.items() if name.startswith(("xaxis", "yaxis"))])
        assert np.isfinite(ranges).all() and (ranges[:, 0] != ranges[:, 1]).all()
