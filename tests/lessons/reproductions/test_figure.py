"""The boards of reproductions hold what was stored."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

from lessons.reproductions import model, words
from lessons.reproductions.names import REPRODUCTIONS


def test_a_frame_averages_repetitions_so_far():
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


def test_boards_have_no_hole_and_count_statements():
    for name in REPRODUCTIONS:
        told, board = model.report(name), model.board(name)
        assert told["seeds"] == list(range(told["repetitions"])) and told["command"].startswith("python -m lessons.rep")
        assert told["full_size"] == (told["repetitions"] >= told["repetitions_of_the_paper"])
        said = [*words.finding(board, 1), words.caption(board), words.statements(board), words.choices(board)]
        said += [words.rates(), json.dumps(words.table(board), allow_nan=False)]
        assert not any(w in text for text in said for w in ("nan", "None", "inf,")), name
        assert len(words.finding(board, 1)) == board.frames
        assert all(0 < stop < board.frames for stop in model.stops(board))
        found = told["findings"]
        holds = sum(one["decided"] and one["holds"] for one in found)
        start = f"**Of {words.times(len(found), 'statement')} {holds} come" if found else ""
        assert words.odds(board).startswith(start), name


def test_what_was_not_run_names_its_command():
    with pytest.raises(ValueError, match=r"lessons\.reproductions deng-figure-9"):
        model.report("deng-figure-9")
