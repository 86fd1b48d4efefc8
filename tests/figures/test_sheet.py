"""Marks of a sheet refuse what has other frames than the figure, or no number for a place."""

from __future__ import annotations

import numpy as np
import pytest

from figures.sheet import Sheet
from figures.theme import Theme

F, N = 4, 3  # frames, points
STILL = np.array([0.0, 0.5, 1.0])
MOVING = np.arange(F * N, dtype=float).reshape(F, N)


def sheet(drawn: int = 0) -> Sheet:
    """Return a sheet of two panels; the marks stand on the second."""
    made = Sheet(Theme(), drawn)
    for name in ("first", "p"):
        made.panel(name, [0.0, 0.5], [0.0, 1.0], {"range": [0.0, 2.0]}, {"range": [-1.0, 3.0]})
    return made


TIME = np.arange(F, dtype=float)
MARKS = {
    "curve": lambda s: s.curve("p", STILL, MOVING, "#111111", 1.0),
    "dots": lambda s: s.dots("p", MOVING, MOVING, "#111111", 5),
    "words": lambda s: s.words("p", [0.0], MOVING[:, :1], [(str(i),) for i in range(F)], "#111111", "top left"),
    "area": lambda s: s.area("p", STILL, MOVING, MOVING + 1, "#EEEEEE"),
    "rect": lambda s: s.rect("p", (TIME, 9.0), (0.0, 1.0), "#EEEEEE"),
    "heat": lambda s: s.heat("p", STILL, STILL[:2], np.arange(6.0 * F).reshape(F, 2, 3), (0.0, 9.0), 4, "#111111"),
    "cursor": lambda s: s.cursor("p", TIME, [0.0, 1.0], "#111111", 1.0, glides={"x": np.ones(F - 1, dtype=bool)}),
}


@pytest.mark.parametrize("name", MARKS)
def test_marks_with_other_frames_are_refused(name):
    made = sheet()
    made.curve("p", STILL, MOVING[:-1], "#111111", 1.0)
    with pytest.raises(ValueError, match=f"on panel 'p' has {F} rows, but the figure has {F - 1} frames: give one row"):
        MARKS[name](made)


def test_heat_maps_need_a_number_a_place():
    with pytest.raises(ValueError, match=r"on panel 'p' has 3 rows and 2 columns, but 2 places y and 3 places x"):
        sheet().heat("p", STILL, STILL[:2], np.zeros((F, 3, 2)), (0.0, 1.0), 4, "#111111")
