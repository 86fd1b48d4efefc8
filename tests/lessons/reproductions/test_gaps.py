"""The first view of the reproductions: thirty published numbers as dots on one axis of standard errors."""

from __future__ import annotations

import numpy as np
import pytest

from figures.theme import Theme
from lessons.reproductions import figure_gaps, model, words
from lessons.reproductions.knobs import PRINTED
from lessons.reproductions.lesson import LESSON
from shell.links import permalink
from tests.lessons.shown import film, opened, sentences
from tests.lessons.test_pages import REPRODUCED, faults

THIRTY = "flynn-table-1"
TOLERANCES = (1, 2, 3)
LOOKS = [Theme(), Theme(lecture=True), Theme(dark=True)]


def rows(made: object) -> tuple[np.ndarray, np.ndarray]:
    """Return x and y (frames, dots) of the trace that takes the clicks."""
    data = made.figure.to_dict()["data"]
    (index,) = (i for i, trace in enumerate(data) if trace.get("customdata") is not None)
    found = {track.attribute: np.asarray(track.values) for track in made.tracks if track.trace == index}
    return found["x"], found["y"]


def names(made: object) -> list[list[str]]:
    """Return in every frame the names that are written at dots."""
    tracks = [track for track in made.tracks if track.attribute == "text" and len(track.values[0]) > 1]
    return [
        [text.strip() for row in each for text in row if text] for each in zip(*(t.values for t in tracks), strict=True)
    ]


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.parametrize("theme", LOOKS)
def test_every_printed_number_is_a_dot_at_its_difference_in_standard_errors(name: str, theme: Theme) -> None:
    board = model.board(name)
    x, y = rows(figure_gaps.stage(board, 2, theme, board.frames - 1))
    np.testing.assert_allclose(x, board.z.reshape(board.frames, -1), rtol=1e-6)
    assert np.isnan(x[0]).all() and np.isfinite(x[1:]).all()  # of one repetition nothing can be said
    for frame in range(1, board.frames):  # no dot lies on another
        apart = np.abs(x[frame][:, None] - x[frame]), np.abs(y[frame][:, None] - y[frame])
        same = np.eye(x.shape[1], dtype=bool)
        assert ((apart[0] >= figure_gaps.APART - 1e-6) | (apart[1] >= 1 - 1e-6) | same).all()


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_dots_outside_the_region_are_named_while_they_are_few(name: str, tolerance: int) -> None:
    """Where they are more than three nobody could read them: a pointer names each."""
    board = model.board(name)
    written = names(figure_gaps.stage(board, tolerance, Theme(), board.frames - 1))
    said = [f"{row} · {panel}" for panel in board.panels for row in board.rows]
    for frame in range(board.frames):
        z = np.nan_to_num(np.abs(board.z[frame].ravel()))
        outside = [i for i in range(z.size) if z[i] > tolerance]
        assert sorted(written[frame]) == (sorted(said[i] for i in outside) if len(outside) <= 3 else [])


@pytest.mark.parametrize("name", PRINTED)
@pytest.mark.parametrize("theme", LOOKS[:2])
@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_names_stand_above_all_dots_and_below_the_count(name: str, theme: Theme, tolerance: int) -> None:
    """On the lowest screen, where a level is as tall as a dot."""
    board = model.board(name)
    made = figure_gaps.stage(board, tolerance, theme, board.frames - 1)
    size = figure_gaps.PIXELS[theme.lecture]
    _, y = rows(made)
    texts = {track.trace for track in made.tracks if track.attribute == "text" and len(track.values[0]) > 1}
    heights = np.stack([t.values for t in made.tracks if t.trace in texts and t.attribute == "y"])
    half, top = theme.tick / 2 / size, made.figure.checked().layout.yaxis.range[1] - theme.label / size
    for frame in range(1, board.frames):
        named = heights[:, frame][np.isfinite(heights[:, frame])]
        highest = np.nanmax(y[frame]) + 0.5
        assert highest <= top and (named - half >= highest).all() and (named + half <= top).all(), frame


def test_the_region_is_as_wide_as_the_tolerance_and_the_axis_holds_region_and_dots() -> None:
    board = model.board(THIRTY)
    for tolerance in TOLERANCES:
        made = figure_gaps.stage(board, tolerance, Theme(), 1)
        low, high = made.figure.checked().layout.xaxis.range
        assert low == -high < -max(tolerance, float(np.nanmax(np.abs(board.z))))
        areas = [t for t in made.figure.to_dict()["data"] if t.get("fill") == "toself"]
        assert [(min(t["x"]), max(t["x"])) for t in areas] == [(-tolerance, tolerance)]
        _, y = rows(made)
        bottom, top = made.figure.checked().layout.yaxis.range
        assert bottom < np.nanmin(y) and np.nanmax(y) + 1 < top


def test_the_words_in_the_figure_count_the_dots_in_the_region() -> None:
    board = model.board(THIRTY)
    for tolerance in TOLERANCES:
        made = figure_gaps.stage(board, tolerance, Theme(), 9)
        (track,) = (t for t in made.tracks if t.attribute == "text" and len(t.values[0]) == 1)
        for frame in range(1, board.frames):
            close = int((np.abs(board.z[frame]) <= tolerance).sum())
            assert f"{close} of 30" in track.values[frame][0]


def test_a_rerun_with_more_seeds_is_told_beside_the_thirty() -> None:
    """The kernel that stands furthest off with ten seeds has a run of its own: what came out is said."""
    more = model.board("flynn-table-1-rbf")
    z = more.z[-1].ravel()
    said = words.gaps_odds(model.board(THIRTY), 2)
    assert f"{more.frames} seeds" in said and f"{int((np.abs(z) > 2).sum())} of {z.size}" in said
    assert f"{np.abs(z).max():.1f}" in said and more.rows[int(np.abs(z).argmax())] in said


def test_the_page_opens_with_the_dots_and_the_table_is_one_click_away() -> None:
    at = opened(REPRODUCED)
    assert faults(at) == [] and at.session_state["view"] == "gaps"
    assert len(film(at)["sentences"] if "sentences" in film(at) else sentences(at)) == 10
    assert "28 of 30" in sentences(at)[-1] and "two standard errors" in sentences(at)[-1]
    at.button(key="open_board").click().run()
    assert faults(at) == [] and at.session_state["view"] == "board"
    assert sentences(at) == sentences(opened(REPRODUCED, view="board"))


@pytest.mark.parametrize("version", ["1", "2", "3"])
def test_links_from_before_the_dots_open_the_table_as_they_did(version: str) -> None:
    at = opened(REPRODUCED, v=version)
    assert faults(at) == [] and not at.toast
    values = (at.session_state["shown"], at.session_state["view"], at.session_state["within"])
    assert values == (THIRTY, "board", "3")
    assert permalink.stored_defaults("reproductions", int(version))["view"] == "board"


def test_the_moment_of_one_standard_error_counts_the_dots_outside_it() -> None:
    moment = LESSON.moment("error")
    scene = LESSON.scene(LESSON.settings(moment.values), moment.t, Theme())
    outside = int((np.abs(model.board(THIRTY).z[-1]) > 1).sum())
    assert f"{30 - outside} of 30" in scene.sentences()[-1] and outside == 15
    assert scene.state[1:] == ("gaps", 1)
