"""Which rounds become frames of a film, and how sums are written."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from figures.frames import FilmFrames, choose_frames
from tests.strategies import LAW

LAWS = settings(LAW, max_examples=40)


@given(st.integers(1, 2000), st.lists(st.integers(0, 1999), max_size=30), st.integers(2, 200))
@LAWS
def test_films_keep_their_ends_and_stops(horizon: int, stops: list, most: int):
    stops = [s for s in stops if s < horizon]
    ticks = choose_frames(horizon, stops, most)
    assert ticks.rows[0] == 0 and ticks.rows[-1] == horizon - 1
    assert list(ticks.rows) == sorted(set(ticks.rows))
    assert all(s in ticks.rows and max(s - 1, 0) in ticks.rows for s in stops)
    assert len(ticks.rows) <= min(most, horizon) + 2 * len(stops)
    if horizon <= most:
        assert ticks.rows == tuple(range(horizon))
    assert [ticks.rows[i] for i in ticks.frames(stops)] == sorted(set(stops))


@given(st.integers(2, 1500), st.integers(-5, 9999))
@LAWS
def test_times_are_shown_by_the_nearest_frame(horizon: int, time: int):
    ticks = choose_frames(horizon, [], most=50)
    frame = ticks.frame(time)
    assert abs(ticks.times[frame] - time) == min(abs(t - time) for t in ticks.times)
    assert ticks.frame(ticks.times[frame]) == frame


@given(st.integers(2, 300), st.lists(st.integers(0, 299), max_size=8), st.integers(2, 60))
@LAWS
def test_frames_without_rows_pass_none(horizon: int, rows: list, most: int):
    ticks = choose_frames(horizon, [], most)
    passed = [any(a < row <= b for row in rows) for a, b in pairwise(ticks.rows)]
    assert ticks.without(rows).tolist() == [not one for one in passed]
    assert ticks.always.tolist() == [True] * len(passed)
    assert FilmFrames((0,), 1).without(rows).size == FilmFrames((0,), 1).always.size == 0
