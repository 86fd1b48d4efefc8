"""The first view of the reproductions: thirty published numbers as dots on one axis of standard errors."""

from __future__ import annotations

import numpy as np

from figures.theme import Theme
from lessons.reproductions import figure_gaps, model, words
from lessons.reproductions.knobs import PRINTED
from tests.lessons.shown import opened, sentences
from tests.lessons.test_pages import REPRODUCED, faults

THIRTY = "flynn-table-1"
TOLERANCES = (1, 2, 3)


def rows(made: object) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y (frames, dots) of the trace that takes the clicks."""
    data = made.figure.to_dict()["data"]
    (index,) = (i for i, trace in enumerate(data) if trace.get("customdata") is not None)
    found = {track.attribute: np.asarray(track.values) for track in made.tracks if track.trace == index}
    return found["x"], found["y"]


def test_every_printed_number_is_a_dot() -> None:
    """At its difference in standard errors."""
    for name in PRINTED:
        board = model.board(name)
        x, y = rows(figure_gaps.stage(board, 2, Theme(), board.frames - 1))
        np.testing.assert_allclose(x, board.z.reshape(board.frames, -1), rtol=1e-6)
        assert np.isnan(x[0]).all() and np.isfinite(x[1:]).all()  # of one repetition nothing can be said
        for frame in range(1, board.frames):  # no dot lies on another
            apart = np.abs(x[frame][:, None] - x[frame]), np.abs(y[frame][:, None] - y[frame])
            same = np.eye(x.shape[1], dtype=bool)
            assert ((apart[0] >= figure_gaps.APART - 1e-6) | (apart[1] >= 1 - 1e-6) | same).all()


def test_words_count_the_dots_in_the_region() -> None:
    board = model.board(THIRTY)
    for tolerance in TOLERANCES:
        made = figure_gaps.stage(board, tolerance, Theme(), 9)
        (track,) = (t for t in made.tracks if t.attribute == "text" and len(t.values[0]) == 1)
        for frame in range(1, board.frames):
            close = int((np.abs(board.z[frame]) <= tolerance).sum())
            assert f"{close} of 30" in track.values[frame][0]


def test_a_rerun_with_more_seeds_is_told() -> None:
    """The kernel that stands furthest off with ten seeds has a run of its own: what came out is said."""
    more = model.board("flynn-table-1-rbf")
    z = more.z[-1].ravel()
    said = words.gaps_odds(model.board(THIRTY), 2)
    assert f"{more.frames} seeds" in said and f"{int((np.abs(z) > 2).sum())} of {z.size}" in said
    assert f"{np.abs(z).max():.1f}" in said and more.rows[int(np.abs(z).argmax())] in said


def test_the_table_is_one_click_away() -> None:
    at = opened(REPRODUCED)
    assert faults(at) == [] and at.session_state["view"] == "gaps"
    assert "28 of 30" in sentences(at)[-1] and "two standard errors" in sentences(at)[-1]
    at.button(key="open_board").click().run()
    assert faults(at) == [] and at.session_state["view"] == "board"
    assert sentences(at) == sentences(opened(REPRODUCED, view="board"))


def test_old_links_open_the_table() -> None:
    for version in ("1", "3"):
        at = opened(REPRODUCED, v=version)
        assert faults(at) == [] and not at.toast
        values = (at.session_state["shown"], at.session_state["view"], at.session_state["within"])
        assert values == (THIRTY, "board", "3")
