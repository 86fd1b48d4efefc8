"""Names at the ends of lines: apart, inside, in the order of the ends, and joined to an end that is not beside them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

from figures.end_labels import ValueAxis, end_labels, spread
from figures.sheet import Sheet
from figures.theme import Theme
from tests.strategies import LAW


def sheet(lecture: bool = False, log: bool = False, low: float = 0.0, high: float = 1.0) -> Sheet:
    """A sheet with one panel."""
    made = Sheet(Theme(lecture=lecture), 0)
    y = {"range": [low, high], **({"type": "log"} if log else {})}
    made.panel("p", [0.0, 1.0], [0.0, 1.0], {"range": [0.0, 2.0]}, y)
    return made


def lines_and_names(made: Sheet) -> tuple[dict, dict]:
    """The thin lines and the names of a sheet, each attribute -> frames."""
    found = ({}, {})
    for track in made.tracks:
        found[made.traces[track.trace]["mode"] == "text"][track.attribute] = track.values
    return found


def in_order(wanted: np.ndarray) -> np.ndarray:
    """Return the names from below; ends that only rounding parts (1e-9 of the height) keep the order of the names."""
    return np.argsort(np.round(wanted, 9), kind="stable")


@given(st.lists(st.lists(st.floats(0, 1), min_size=5, max_size=5), min_size=1, max_size=4), st.data())
@LAW
def test_names_keep_order_distance_and_place(wanted: list, data: st.DataObject):
    heights = np.array(data.draw(st.lists(st.floats(0.01, 0.19), min_size=5, max_size=5)))
    for want, got in zip(np.array(wanted), spread(np.array(wanted), heights), strict=True):
        order = in_order(want)
        tall = heights[order]
        # Sums of five numbers below 1: rounding stays below 1e-12.
        assert (np.diff(got[order]) >= 0.5 * (tall[1:] + tall[:-1]) - 1e-12).all()
        assert got[order][0] >= 0.5 * tall[0] - 1e-12 and got[order][-1] <= 1 - 0.5 * tall[-1] + 1e-12


@given(st.lists(st.floats(0.4, 0.6), min_size=4, max_size=4), st.floats(0.01, 0.1))
@LAW
def test_names_move_as_little_as_possible(wanted: list, gap: float):
    """Oracle: scipy's isotonic regression of place minus rank times gap; the middle is far from both ends."""
    order = in_order(np.array(wanted))
    steps = gap * np.arange(4)
    fitted = isotonic_regression(np.array(wanted)[order] - steps).x + steps
    np.testing.assert_allclose(spread(np.array([wanted]), gap)[0][order], fitted, atol=1e-12)


@given(
    st.lists(st.lists(st.floats(-0.2, 1.4), min_size=4, max_size=4), min_size=2, max_size=4),
    st.booleans(),
    st.booleans(),
)
@LAW
def test_thin_lines_join_names_that_moved(ends: list, lecture: bool, log: bool):
    made = sheet(lecture, log, -1.0 if log else 3.0, 3.0 if log else -5.0)  # also an axis that points down
    axis, line = ValueAxis.of(made, "p"), made.line_share("p")
    y = axis.at(np.array(ends))
    end_labels(made, "p", (np.ones(y.shape), y), 1.1, [list("abcd")] * len(y), ["#000000"] * 4)
    hairs, names = lines_and_names(made)
    # Frames are float32, and a share of the height is a difference of values up to 1000.
    share = axis.share(np.asarray(names["y"], dtype=float))
    assert (np.diff(np.sort(share, axis=1)) > line - 1e-4).all()
    assert share.min() > 0.5 * line - 1e-4 and share.max() < 1 - 0.5 * line + 1e-4
    inside = np.clip(np.array(ends), 0.0, 1.0)
    hair = axis.share(np.asarray(hairs["y"], dtype=float)).reshape(len(y), 4, 3)
    joined = np.isfinite(hair[:, :, 0])
    moved = np.abs(share - inside)
    assert joined[moved > 0.5 * line + 1e-4].all() and not joined[moved < 0.5 * line - 1e-4].any()
    np.testing.assert_allclose(hair[joined][:, 0], inside[joined], atol=1e-4)
    np.testing.assert_allclose(hair[joined][:, 1], share[joined], atol=1e-4)
