"""The account of all reproductions: everything is counted once, in its figure and in its words."""

from __future__ import annotations

import json

from figures.theme import Theme
from lessons.reproductions import figure_overview, overview, overview_words
from lessons.reproductions.experiments import EXPERIMENTS
from lessons.reproductions.names import AUTHORS, BOARDS, FOLDER, OUTCOMES, REPRODUCTIONS, SYMBOLIC, TITLES

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
