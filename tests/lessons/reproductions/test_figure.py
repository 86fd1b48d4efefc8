"""The board of reproductions: what is drawn is what was stored, on axes that never move."""

from __future__ import annotations

import itertools
import json
import math
import re

import numpy as np
import pytest

from figures.theme import Theme
from lessons.reproductions import figure, model, words
from lessons.reproductions.names import REPRODUCTIONS


@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_every_table_in_the_list_is_stored_with_its_set_up(name: str):
    told = model.report(name)
    assert told["seeds"] == list(range(told["repetitions"])) and told["command"].startswith("python -m lessons.rep")
    assert told["full_size"] == (told["repetitions"] >= told["repetitions_of_the_paper"])
    assert told["setup"] and told["version"]


@pytest.mark.parametrize("name", REPRODUCTIONS)
@pytest.mark.parametrize("lecture", [False, True])
def test_nothing_of_a_board_is_drawn_outside_its_axes(name: str, lecture: bool):
    board = model.board(name)
    film = figure.stage(board, Theme(lecture=lecture), board.frames - 1)
    drawn = film.figure.checked()
    for track in film.tracks:
        if isinstance(track.values, np.ndarray):
            low, high = drawn.layout.xaxis.range if track.attribute == "x" else drawn.layout.yaxis.range
            kept = track.values[np.isfinite(track.values)]
            assert kept.size and low <= kept.min() and kept.max() <= high  # nothing is drawn outside


def test_a_frame_is_made_of_the_repetitions_so_far():
    board = model.board("deng-figure-1a")
    np.testing.assert_allclose(board.mean[3], board.values[:4].mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(board.error[3], board.values[:4].std(axis=0, ddof=1) / 2.0, rtol=1e-12)
    assert (board.error[0] == 0).all()


def test_the_last_frame_says_what_the_report_says():
    board = model.board("flynn-table-1")
    told = board.report["comparison"]
    for (p, panel), (q, row) in itertools.product(enumerate(board.panels), enumerate(board.rows)):
        cell = next(k for k in told if [model.part_name(w) for w in k.split(" | ")] == [panel, row])
        assert board.z[-1, p, q] == pytest.approx(told[cell]["z"], rel=1e-6)  # nine digits are kept
    close = sum(v["status"] != "beyond 3" for v in told.values())
    said = words.finding(board, 3)
    assert f"{close} of 30 printed entries agree with ours to within three standard errors" in said[-1]
    assert "nothing can be said yet" in said[0]


@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_words_and_rows_have_no_hole(name: str):
    board = model.board(name)
    said = [*words.finding(board, 1), words.caption(board), words.statements(board), words.choices(board)]
    said += [words.rates(), json.dumps(words.table(board), allow_nan=False)]
    assert not any(w in text for text in said for w in ("nan", "None", "inf,"))
    assert len(words.finding(board, 1)) == board.frames
    assert all(0 < stop < board.frames for stop in model.stops(board))


def test_what_was_not_run_is_a_sentence_with_the_command():
    with pytest.raises(ValueError, match=r"lessons\.reproductions deng-figure-9"):
        model.report("deng-figure-9")


def test_values_far_apart_are_drawn_on_a_logarithmic_scale_that_holds_them():
    board = model.board("flynn-table-1")
    scale = figure.Scale(board)
    places = scale.at(np.array([scale.least, board.paper.max()]))
    assert scale.log and 0.0 <= places[0] < places[1] <= 1.0 - figure.GROUP_GAP
    marks, said = scale.ticks(3)
    assert len(marks) == len(said) <= 3 and all(scale.low <= math.log10(m) <= scale.high for m in marks)


def test_stored_lines_are_spelt_as_the_screen_writes_them() -> None:
    spelt = model.with_symbols
    assert spelt("mean difference -43.86 (standard error") == "mean difference −43.86 (standard error"
    assert spelt("ridge of AY: sigma^2/c; delta: 0.1") == "ridge of AY: σ²/c; δ: 0.1"
    assert spelt("1/3 <= alpha: sqrt(T) at 12nu+13d, R-GP-UCB") == "1/3 ≤ α: √(T) at 12ν+13d, R-GP-UCB"


def test_a_board_of_cmm_says_how_often_each_panel_was_run_and_dmm_is_that_of_the_table():
    for name in (name for name in REPRODUCTIONS if name.startswith("flynn-cmm")):
        board, table = model.board(name), model.board(f"flynn-table-1{'' if name[-1] == '3' else '-' + name[-2:]}")
        panels = len(board.panels)
        said = words.notes(board)[0]
        assert f"{panels} {'panels has' if panels == 6 else 'of 6 panels have'} {board.frames} repetition" in said
        same = [table.values[: board.frames, table.panels.index(p), table.rows.index("DMM")] for p in board.panels]
        # Equal worlds and equal noise; rounding of another day's arithmetic is all that may differ.
        np.testing.assert_allclose(board.values[:, :, board.rows.index("DMM")].T, same, rtol=1e-6)


@pytest.mark.parametrize("name", list(REPRODUCTIONS))
def test_a_headline_is_short_and_the_statements_are_counted_beside_it(name: str) -> None:
    board = model.board(name)
    for said in words.finding(board, 2):
        assert len(said.split()) <= 24 and len(re.findall(r"\d+(?:\.\d+)?", said)) <= 3
    found = board.report["findings"]
    holds = sum(one["decided"] and one["holds"] for one in found)
    assert words.odds(board).startswith(f"**Of {words.times(len(found), 'statement')} {holds} come" if found else "")
