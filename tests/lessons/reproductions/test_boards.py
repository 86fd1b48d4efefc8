"""The boards and their account hold, draw and count what was stored."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

from common.formats import plural
from figures.theme import Theme
from lessons.reproductions import figure_gaps, figure_overview, model, overview, overview_words, words
from lessons.reproductions.experiments import EXPERIMENTS
from lessons.reproductions.knobs import PRINTED
from lessons.reproductions.names import AUTHORS, BOARDS, FOLDER, OUTCOMES, REPRODUCTIONS, SYMBOLIC, TITLES
from tests.lessons.shown import opened, sentences
from tests.lessons.test_pages import REPRODUCED, faults


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
        start = f"**Of {plural(len(found), 'statement')} {holds} come" if found else ""
        assert words.odds(board).startswith(start), name


def test_what_was_not_run_names_its_command():
    with pytest.raises(ValueError, match=r"lessons\.reproductions deng-figure-9"):
        model.report("deng-figure-9")


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


def test_the_table_is_one_click_away() -> None:
    at = opened(REPRODUCED)
    assert faults(at) == [] and at.session_state["view"] == "gaps"
    assert "28 of 30" in sentences(at)[-1] and "two standard errors" in sentences(at)[-1]
    at.button(key="open_board").click().run()
    assert faults(at) == [] and at.session_state["view"] == "board"
    assert sentences(at) == sentences(opened(REPRODUCED, view="board"))


READ = {"come out": ("square",), "all": tuple(set(figure_overview.SYMBOLS.values()))}  # symbols that a reader counts


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


def test_sentences_of_the_account_count() -> None:
    of = dict.fromkeys(overview.MARKS, 0) | {"within 1": 4, "within 3": 1, "beyond 3": 2, "yes": 3, "no": 1}
    score = overview.Score(of, untried=2, entries=9)
    for k, count in ((3, "5 of 7"), (1, "4 of 7")):
        assert overview_words.scoreboard(score, k).startswith(f"{count} printed entries agree")
        assert overview_words.whole_account(score.facts(k), k).startswith(f"{count} printed entries agree")
    assert "Of 4 statements 3 come out, 1 does not. 2 of 9 tables" in overview_words.scoreboard(score, 3)
    bare = overview.Score({**dict.fromkeys(overview.MARKS, 0), "yes": 3, "no": 1, "within chance": 2}, 0, 1).facts(2)
    assert overview_words.whole_account(bare, 2) == "of 6 statements 3 come out, 1 does not; the rest may be chance."
    for entry in overview.entries():
        counted = sum(overview.score([entry]).of[mark] for mark in (overview.YES, overview.NO, overview.CHANCE))
        first = overview_words.statements(entry).split("\n")[0]
        assert not counted or first.startswith(f"Of {counted} statement")


def test_every_experiment_has_a_title_and_a_paper():
    assert set(TITLES) == set(EXPERIMENTS) and set(BOARDS).isdisjoint(SYMBOLIC)
    assert {entry.paper for entry in overview.entries()} == set(AUTHORS)
    assert set(REPRODUCTIONS) <= {entry.name for entry in overview.entries() if entry.opens}


def test_filters_split_and_lose_nothing():
    everything = overview.chosen("all", "both", "any")
    assert everything == overview.entries()
    papers = [e for paper in AUTHORS for e in overview.chosen(paper, "both", "any")]
    kinds = [e for kind in ("table", "figure") for e in overview.chosen("all", kind, "any")]
    assert len(papers) == len(kinds) == len(everything) == len(set(papers))
    for outcome in OUTCOMES:
        for entry in overview.chosen("all", "both", outcome):
            assert outcome in entry.outcomes
    assert all(not e.marks for e in overview.chosen("all", "both", "untried"))
    assert all({"no", "beyond 3"} & set(e.marks) for e in overview.chosen("all", "both", "differs"))


def test_rows_have_as_many_marks_as_counted():
    listed = overview.entries()
    drawn = figure_overview.stage(listed, Theme(), len(listed)).figure.to_dict()["data"]
    for tolerance in (1, 2, 3):
        for frame in range(len(listed)):
            facts = overview.facts(listed, frame, tolerance)
            marks = [
                (t["marker"]["symbol"], list(t["y"]).count(-frame)) for t in drawn if "symbol" in t.get("marker", {})
            ]
            count = {name: sum(n for symbol, n in marks if symbol in symbols) for name, symbols in READ.items()}
            circles = ("circle", "circle-open-dot", "circle-open")
            close = sum(n for symbol, n in marks if symbol in circles[:tolerance])
            assert close == facts[f"within {tolerance} standard errors"]
            assert count["come out"] == facts["come out"]
            assert count["all"] == facts["printed entries"] + facts["statements"]
