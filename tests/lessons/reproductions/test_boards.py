"""The boards and their account hold, draw and count what was stored."""

from __future__ import annotations

import itertools
import json

import pytest

from lessons.reproductions import model, overview, words
from lessons.reproductions.experiments import EXPERIMENTS
from lessons.reproductions.names import FOLDER


def test_the_last_frame_says_what_the_report_says():
    board = model.board("flynn-table-1")
    told = board.report["comparison"]
    for (p, panel), (q, row) in itertools.product(enumerate(board.panels), enumerate(board.rows)):
        cell = next(k for k in told if [model.part_name(w) for w in k.split(" | ")] == [panel, row])
        assert board.z[-1, p, q] == pytest.approx(told[cell]["z"], rel=1e-6)  # nine digits are kept
    close = sum(v["status"] != "beyond 3" for v in told.values())
    said = words.finding(board, 3)
    assert f"{close} of 30 published values agree with ours within three standard errors" in said[-1]
    assert "nothing can be compared yet" in said[0]


def test_what_was_not_run_names_its_command():
    with pytest.raises(ValueError, match=r"lessons\.reproductions deng-figure-9"):
        model.report("deng-figure-9")


def test_the_account_counts_everything_once():
    told = [json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")]
    found = overview.score(overview.entries())
    verdicts = [v for t in told for v in t["comparison"].values()]
    assert found.printed == len(verdicts) > 0
    for k in (1, 2, 3):
        assert found.close(k) == sum(v["z"] is not None and abs(v["z"]) <= k for v in verdicts)
    statements = [f for t in told for f in t["findings"]]
    assert found.of["yes"] == sum(f["holds"] and f["decided"] for f in statements)
    assert found.of["no"] == sum(not f["holds"] and f["decided"] for f in statements)
    assert found.of["within chance"] == sum(not f["decided"] for f in statements)
    assert found.untried == len(EXPERIMENTS) - len(told) + len(overview.NOT_ATTEMPTED)
    assert found.entries == len(EXPERIMENTS) + len(overview.NOT_ATTEMPTED)
