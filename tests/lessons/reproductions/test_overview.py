"""The account of all reproductions: everything is counted once, in its figure and in its words."""

from __future__ import annotations

import itertools
import json

import pytest

from figures.theme import Theme
from lessons.reproductions import figure_overview, overview, overview_words
from lessons.reproductions.experiments import EXPERIMENTS
from lessons.reproductions.names import AUTHORS, BOARDS, FOLDER, OUTCOMES, REPRODUCTIONS, SYMBOLIC, TITLES
from tests.lessons.shown import counted

READ = {"come out": ("square",), "all": tuple(set(figure_overview.SYMBOLS.values()))}  # symbols that a reader counts
LOOKS = list(itertools.product([False, True], repeat=2))


def test_the_account_counts_every_printed_entry_and_every_statement_once():
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


def test_the_scoreboard_sentence_says_these_counts():
    of = dict.fromkeys(overview.MARKS, 0) | {"within 1": 4, "within 3": 1, "beyond 3": 2, "yes": 3, "no": 1}
    said = overview_words.scoreboard(overview.Score(of, untried=2, entries=9), 3)
    assert said == (
        "5 of 7 printed entries agree to within 3 standard errors. Of 4 statements 3 come out, 1 does not. "
        "2 of 9 tables and figures were not attempted."
    )
    assert "4 of 7 printed entries agree to within 1 standard error." in overview_words.scoreboard(
        overview.Score(of, 2, 9), 1
    )


def test_a_headline_of_the_account_counts_what_agrees_and_what_fails() -> None:
    of = dict.fromkeys(overview.MARKS, 0) | {"within 1": 4, "within 3": 1, "beyond 3": 2, "yes": 3, "no": 1}
    facts = overview.Score(of, untried=2, entries=9).facts
    said = overview_words.whole_account(facts(3), 3)
    assert said == (
        "5 of 7 printed entries agree to within three standard errors; 1 statement of the papers does not come out."
    )
    assert overview_words.whole_account(facts(1), 1).startswith("4 of 7 printed entries agree to within one standard e")
    bare = overview.Score({**dict.fromkeys(overview.MARKS, 0), "yes": 3, "no": 1, "within chance": 2}, 0, 1).facts(2)
    assert overview_words.whole_account(bare, 2) == "of 6 statements 3 come out, 1 does not; the rest may be chance."


def test_every_statement_of_a_row_is_counted_below_it() -> None:
    for entry in overview.entries():
        score = overview.score([entry])
        counted = sum(score.of[mark] for mark in (overview.YES, overview.NO, overview.CHANCE))
        first = overview_words.statements(entry).split("\n")[0]
        assert not counted or first.startswith(f"Of {counted} statement")


def test_every_experiment_has_a_title_and_a_paper():
    assert set(TITLES) == set(EXPERIMENTS) and set(BOARDS).isdisjoint(SYMBOLIC)
    assert {entry.paper for entry in overview.entries()} == set(AUTHORS)
    assert set(REPRODUCTIONS) <= {entry.name for entry in overview.entries() if entry.opens}


def test_the_filters_split_what_is_there_and_lose_nothing():
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


@pytest.mark.parametrize(("dark", "lecture"), LOOKS)
@pytest.mark.parametrize("paper", ["all", *AUTHORS])
def test_the_overview_draws_one_mark_for_each_entry_and_statement(paper: str, dark: bool, lecture: bool):
    listed = overview.chosen(paper, "both", "any")
    film = figure_overview.stage(listed, Theme(dark, lecture), len(listed))
    drawn = film.figure.checked()
    shown = sum(len(t.x) for t in drawn.data if t.mode == "markers" and t.marker.opacity is None)
    assert shown == sum(len(e.marks) for e in listed)
    assert {len(track) for track in film.tracks} == {len(listed) + 1}
    said = overview_words.finding(listed, 3)
    assert len(said) == len(listed) + 1 and not any("nan" in s or "None" in s for s in said)


def test_a_row_of_the_overview_has_as_many_marks_as_its_facts_count():
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


def test_every_row_of_the_account_has_words_below_it():
    for entry in overview.entries():
        said = overview_words.statements(entry)
        marks = [mark for mark in entry.marks if mark in figure_overview.SYMBOLS]
        statements = len(marks) - overview.score([entry]).printed
        assert said and (not entry.attempted or said.count("\n|") >= statements)


def test_the_account_as_files_has_a_row_a_table_or_figure():
    listed = overview.chosen("mauduit", "both", "any")
    for _, _, write in overview_words.overview_files(listed).values():
        assert all(entry.title in write() for entry in listed)


@pytest.mark.parametrize("paper", ["all", *AUTHORS])
def test_every_sentence_of_the_account_is_a_headline(paper: str) -> None:
    for tolerance in (1, 2, 3):
        for said in overview_words.finding(overview.chosen(paper, "both", "any"), tolerance):
            long, numbers = counted(said)
            assert long <= 24 and numbers <= 3, said
