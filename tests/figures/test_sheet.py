"""Marks of a sheet: what each makes is the Plotly trace one would write by hand; what moves has one row a frame."""

from __future__ import annotations

import numpy as np
import pytest

from figures import theme as look
from figures.sheet import Sheet, chained, strokes
from figures.theme import Theme

F, N = 4, 3  # frames, points
STILL = np.array([0.0, 0.5, 1.0])
MOVING = np.arange(F * N, dtype=float).reshape(F, N)
AXES = {"xaxis": "x2", "yaxis": "y2"}


def sheet(drawn: int = 0) -> Sheet:
    """Return a sheet of two panels; the marks stand on the second."""
    made = Sheet(Theme(), drawn, look.layout(Theme(), None))
    for name in ("first", "p"):
        made.panel(name, [0.0, 0.5], [0.0, 1.0], {"range": [0.0, 2.0]}, {"range": [-1.0, 3.0]})
    return made


def same(trace: dict, expected: dict) -> None:
    """Check that two traces have the same attributes with the same values."""
    assert set(trace) == set(expected)
    for key, value in expected.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(trace[key], value)
        else:
            assert trace[key] == value, key


def line(colour: str, width: float, dash: str = "solid") -> dict:
    return {"color": colour, "width": width, "dash": dash, "simplify": False}


def test_a_curve_is_the_line_trace_one_would_write_by_hand():
    made = sheet()
    made.curve("p", STILL, [1.0, 2.0, 3.0], "#123456", 2.0, "dot", name="a")
    same(
        made.traces[0],
        {
            "type": "scatter",
            "mode": "lines",
            "x": STILL,
            "y": [1.0, 2.0, 3.0],
            "name": "a",
            "line": line("#123456", 2.0, "dot"),
            "hoverinfo": "skip",
            **AXES,
        },
    )
    assert made.tracks == []


def test_an_outline_is_the_same_line_under_it_and_wider():
    made = sheet()
    made.curve("p", STILL, STILL, "#FFFFFF", 2.0, outline=("#111111", 3.0), shape="hv")
    under, over = made.traces
    assert under["line"] == {**line("#111111", 5.0), "shape": "hv"}
    assert over["line"] == {**line("#FFFFFF", 2.0), "shape": "hv"}
    same({**under, "line": None}, {**over, "line": None})


def test_dots_are_the_marker_trace_one_would_write_by_hand_and_hear_the_mouse_only_with_a_hover_template():
    made = sheet()
    made.dots("p", STILL, STILL, "#123456", 9, symbol="circle-open", rim=(2, "#FFFFFF"), opacity=1)
    made.dots("p", STILL, STILL, None, 9, rim=2, hovertemplate="%{x}")
    bare = {"type": "scatter", "mode": "markers", "x": STILL, "y": STILL, **AXES}
    mark = {
        "color": "#123456",
        "size": 9,
        "symbol": "circle-open",
        "opacity": 1,
        "line": {"width": 2, "color": "#FFFFFF"},
    }
    same(made.traces[0], {**bare, "marker": mark, "hoverinfo": "skip"})
    same(made.traces[1], {**bare, "marker": {"size": 9, "line": {"width": 2}}, "hovertemplate": "%{x}"})


def test_words_have_the_size_of_ticks_unless_another_is_given():
    made = sheet()
    made.words("p", STILL, STILL, ["a", "b", "c"], ["#111111"] * 3, "top left")
    made.words("p", STILL, STILL, ["a", "b", "c"], "#111111", "top left", 30)
    same(
        made.traces[0],
        {
            "type": "scatter",
            "mode": "text",
            "x": STILL,
            "y": STILL,
            "text": ["a", "b", "c"],
            "textposition": "top left",
            "textfont": {"color": ["#111111"] * 3, "size": Theme().tick},
            "hoverinfo": "skip",
            "cliponaxis": False,
            **AXES,
        },
    )
    assert made.traces[1]["textfont"]["size"] == 30


def test_an_area_goes_along_one_curve_and_back_along_the_other():
    made = sheet()
    made.area("p", STILL, np.array([1.0, 2.0, 3.0]), np.zeros(3), "#EEEEEE")
    same(
        made.traces[0],
        {
            "type": "scatter",
            "mode": "lines",
            "fill": "toself",
            "fillcolor": "#EEEEEE",
            "x": np.array([0.0, 0.5, 1.0, 1.0, 0.5, 0.0]),
            "y": np.array([1.0, 2.0, 3.0, 0.0, 0.0, 0.0]),
            "line": {"width": 0},
            "hoverinfo": "skip",
            **AXES,
        },
    )


def test_an_edge_closes_a_rectangle_and_a_fill_of_none_leaves_it_empty():
    made = sheet()
    made.rect("p", (0, 1), (2, 3), "#EEEEEE")
    made.rect("p", (0, 1), (2, 3), None, ("#123456", 1.5, "dot"))
    full, empty = made.traces
    assert (full["x"], full["y"]) == ([0, 1, 1, 0], [2, 2, 3, 3]) and full["line"] == {"width": 0}
    assert (empty["x"], empty["y"]) == ([0, 1, 1, 0, 0], [2, 2, 3, 3, 2])
    assert empty["line"] == line("#123456", 1.5, "dot") and "fill" not in empty


def test_a_rule_crosses_its_panel_and_no_other():
    made = sheet()
    made.rule("p", "#123456", 1.5, "dot", x=0.7)
    made.rule("p", "#123456", 1, y=0.0, layer="above")
    upright, level = made.frame["shapes"]
    assert upright == {
        "type": "line",
        "xref": "x2",
        "yref": "y2 domain",
        "x0": 0.7,
        "x1": 0.7,
        "y0": 0,
        "y1": 1,
        "line": {"color": "#123456", "width": 1.5, "dash": "dot"},
    }
    assert level == {
        "type": "line",
        "xref": "x2 domain",
        "yref": "y2",
        "x0": 0,
        "x1": 1,
        "y0": 0.0,
        "y1": 0.0,
        "layer": "above",
        "line": {"color": "#123456", "width": 1},
    }


def test_margins_are_whole_pixels_and_a_span_is_the_range_of_its_panel():
    made = sheet()
    made.margins(4.3 * 14, 8, 1.75 * 16, 46.4)
    assert made.frame["margin"] == {"l": 60, "r": 8, "t": 28, "b": 46}
    assert made.span("p", "x") == (0.0, 2.0) and made.span("p", "y") == (-1.0, 3.0)


TIME = np.arange(F, dtype=float)
MARKS = {
    "curve": lambda s: s.curve("p", STILL, MOVING, "#111111", 1.0),
    "dots": lambda s: s.dots("p", MOVING, MOVING, "#111111", 5),
    "words": lambda s: s.words("p", [0.0], MOVING[:, :1], [(str(i),) for i in range(F)], "#111111", "top left"),
    "area": lambda s: s.area("p", STILL, MOVING, MOVING + 1, "#EEEEEE"),
    "rect": lambda s: s.rect("p", (TIME, 9.0), (0.0, 1.0), "#EEEEEE"),
    "cursor": lambda s: s.cursor("p", TIME, [0.0, 1.0], "#111111", 1.0, glides={"x": np.ones(F - 1, dtype=bool)}),
}


@pytest.mark.parametrize("drawn", [0, F - 1])
@pytest.mark.parametrize("name", MARKS)
def test_a_moving_mark_is_a_trace_at_the_drawn_frame_and_tracks_with_one_row_a_frame(name, drawn):
    made = sheet(drawn)
    MARKS[name](made)
    (trace,) = made.traces
    assert made.tracks
    for track in made.tracks:
        assert track.trace == 0 and len(track) == F
        np.testing.assert_array_equal(trace[track.attribute], track.row(drawn))
    assert len(trace["x"]) == len(trace["y"])
    made.film().figure.checked()


def test_only_what_has_one_row_a_frame_moves_and_only_a_cursor_that_says_so_glides():
    made = sheet()
    MARKS["rect"](made)
    MARKS["cursor"](made)
    assert [(track.trace, track.attribute) for track in made.tracks] == [(0, "x"), (1, "x")]
    assert made.tracks[0].glides is None and made.tracks[1].glides.all()
    np.testing.assert_array_equal(made.tracks[0].values, [[t, 9.0, 9.0, t] for t in range(F)])


@pytest.mark.parametrize("name", MARKS)
def test_a_mark_with_another_number_of_frames_is_refused_in_a_sentence(name):
    made = sheet()
    made.curve("p", STILL, MOVING[:-1], "#111111", 1.0)
    with pytest.raises(ValueError, match=f"on panel 'p' has {F} rows, but the figure has {F - 1} frames: give one row"):
        MARKS[name](made)


@pytest.mark.parametrize("y", [[1.0, 2.0], MOVING[:, :2]])
def test_a_mark_with_more_places_than_heights_is_refused_in_a_sentence(y):
    with pytest.raises(ValueError, match="has 3 places x, but 2 places y: give as many of each"):
        sheet().dots("p", STILL, y, "#111111", 5)


def test_strokes_and_chained_curves_are_one_line_with_gaps_between():
    nan = np.nan
    np.testing.assert_array_equal(strokes([1, 2], 0.0), [1, 0, nan, 2, 0, nan])
    np.testing.assert_array_equal(strokes(MOVING, MOVING)[1], strokes(MOVING[1], MOVING[1]))
    x, y = chained(np.array([0.0, 1.0]), np.array([[5.0, 6.0], [7.0, 8.0]]))
    np.testing.assert_array_equal(x, [0, 1, nan, 0, 1, nan])
    np.testing.assert_array_equal(y, [5, 6, nan, 7, 8, nan])
