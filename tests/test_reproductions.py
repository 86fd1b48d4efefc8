"""The account of all reproductions, an entry under the glass, running it again, and a board as files."""

from __future__ import annotations

import base64
import csv
import io
import itertools
import json
import re
from dataclasses import replace
from time import monotonic

import numpy as np
import pytest

from figures.theme import Theme
from lessons.reproductions import figure_entry as closeup
from lessons.reproductions import figure_overview as wall
from lessons.reproductions import (
    model as reproductions,
)
from lessons.reproductions import (
    overview as evidence,
)
from lessons.reproductions import (
    overview_words as evidence_words,
)
from lessons.reproductions import (
    rerun as reruns,
)
from lessons.reproductions import (
    rerun_words as reruns_words,
)
from lessons.reproductions.names import AUTHORS, BOARDS, FOLDER, OUTCOMES, REPRODUCTIONS, SYMBOLIC, TITLES
from shell.runs import RUNS
from tvbo_core.experiments import EXPERIMENTS, Outcome, Results, flynn
from tvbo_core.experiments.runner import DRAWN

LOOKS = list(itertools.product([False, True], repeat=2))
NOT_A_NUMBER = re.compile(r"\b(nan|None|inf)\b")
QUICK = "deng-figure-1a"  # a repetition takes some hundredths of a second


def numbers(packed: object) -> np.ndarray:
    """A trace's coordinates, as the browser reads them."""
    if isinstance(packed, dict):
        return np.frombuffer(base64.b64decode(packed["bdata"]), np.dtype(packed["dtype"])).astype(float)
    return np.array(packed, dtype=float)


def first(name: str, index: int = 0) -> reproductions.Cell:
    return reproductions.cell(reproductions.board(name), index)


# --- the account


def test_the_account_counts_every_printed_entry_and_every_statement_once():
    told = [json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")]
    found = evidence.score(evidence.entries())
    verdicts = [v for t in told for v in t["comparison"].values()]
    assert found.printed == len(verdicts) > 0
    for k in (1, 2, 3):
        assert found.close(k) == sum(v["z"] is not None and abs(v["z"]) <= k for v in verdicts)
    statements = [f for t in told for f in t["findings"]]
    assert found.of["yes"] == sum(f["holds"] and f["decided"] for f in statements)
    assert found.of["no"] == sum(not f["holds"] and f["decided"] for f in statements)
    assert found.of["within chance"] == sum(not f["decided"] for f in statements)
    assert found.untried == len(EXPERIMENTS) - len(told) + len(evidence.ABSENT)
    assert found.entries == len(EXPERIMENTS) + len(evidence.ABSENT)


def test_the_scoreboard_sentence_says_these_counts():
    of = dict.fromkeys(evidence.MARKS, 0) | {"within 1": 4, "within 3": 1, "beyond 3": 2, "yes": 3, "no": 1}
    said = evidence_words.scoreboard(evidence.Score(of, untried=2, entries=9), 3)
    assert said == ("5 of 7 printed entries within 3 standard errors; 3 statements measured yes, 1 no, 0 within "
                    "chance; 2 of 9 tables and figures not attempted.")  # fmt: skip
    assert "4 of 7 printed entries within 1 standard error;" in evidence_words.scoreboard(evidence.Score(of, 2, 9), 1)


def test_every_experiment_has_a_title_and_a_paper():
    assert set(TITLES) == set(EXPERIMENTS) and set(BOARDS).isdisjoint(SYMBOLIC)
    assert {entry.paper for entry in evidence.entries()} == set(AUTHORS)
    assert set(REPRODUCTIONS) <= {entry.name for entry in evidence.entries() if entry.opens}


def test_the_filters_split_what_is_there_and_lose_nothing():
    everything = evidence.chosen("all", "both", "any")
    assert everything == evidence.entries()
    papers = [e for paper in AUTHORS for e in evidence.chosen(paper, "both", "any")]
    kinds = [e for kind in ("table", "figure") for e in evidence.chosen("all", kind, "any")]
    assert len(papers) == len(kinds) == len(everything) == len(set(papers))
    for outcome in OUTCOMES:
        for entry in evidence.chosen("all", "both", outcome):
            assert outcome in entry.outcomes
    assert all(not e.marks for e in evidence.chosen("all", "both", "untried"))
    assert all({"no", "beyond 3"} & set(e.marks) for e in evidence.chosen("all", "both", "differs"))


@pytest.mark.parametrize(("dark", "lecture"), LOOKS)
@pytest.mark.parametrize("paper", ["all", *AUTHORS])
def test_the_wall_draws_one_mark_for_each_entry_and_statement(paper: str, dark: bool, lecture: bool):
    listed = evidence.chosen(paper, "both", "any")
    film = wall.stage(listed, Theme(dark, lecture), len(listed))
    figure = film.figure.checked()
    shown = sum(len(t.x) for t in figure.data if t.mode == "markers" and t.marker.opacity is None)
    assert shown == sum(len(e.marks) for e in listed)
    assert {len(track) for track in film.tracks} == {len(listed) + 1}
    said = evidence_words.finding(listed, 3)
    assert len(said) == len(listed) + 1 and not any("nan" in s or "None" in s for s in said)


def test_every_row_of_the_account_has_words_below_it():
    for entry in evidence.entries():
        said = evidence_words.statements(entry)
        assert said and (not entry.attempted or said.count("\n|") >= len([m for m in entry.marks if m in wall.SYMBOLS])
                         - evidence.score([entry]).printed)  # fmt: skip


# --- an entry under the glass


@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_stored_curves_of_single_seeds_end_in_the_stored_numbers(name: str):
    shown = reproductions.board(name)
    for index in range(len(shown.parts)):
        cell = reproductions.cell(shown, index)
        if not len(cell.rounds):
            continue
        assert len(cell.curves) == min(DRAWN, len(cell.values)), "stored before curves were kept: write it again"
        np.testing.assert_allclose(cell.curves[:, -1], cell.values[: len(cell.curves)], rtol=1e-4)  # five digits kept
        assert (np.diff(cell.curves, axis=1) >= -1e-4 * cell.curves[:, -1:]).all()
        if len(cell.curves) == len(cell.values):
            np.testing.assert_allclose(cell.curves.mean(axis=0), cell.middle, rtol=1e-4)


@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_an_entry_under_the_glass_is_a_valid_figure_in_every_look(name: str):
    shown = reproductions.board(name)
    for index, (dark, lecture) in zip((0, len(shown.parts) - 1) * 2, LOOKS, strict=True):
        cell = reproductions.cell(shown, index)
        lines, ends = reruns.drawn(cell, {})
        figure = closeup.closeup(cell, lines, ends, Theme(dark, lecture), 330).figure.checked()
        low, high = figure.layout.yaxis.range
        drawn = np.concatenate([numbers(t.y) for t in figure.data])
        assert np.nanmin(drawn) >= low and np.nanmax(drawn) <= high
        said = [reruns_words.facts(cell, shown.report), reruns_words.caption(cell), reruns_words.again(cell, {})]
        assert not any(NOT_A_NUMBER.search(text) for text in said)
        assert cell.part in said[0] and shown.report["version"] in said[0]


def test_the_time_of_a_step_is_drawn_where_it_was_measured():
    seconds = np.array([[0.04, 0.08], [0.004, 0.009], [0.0009, 0.002]])
    figure = closeup.clocks(("CMM", "DMM", "AMM"), seconds, Theme(), 330).figure.checked()
    low, high = figure.layout.xaxis.range
    assert figure.layout.xaxis.type == "log" and 10**low < 0.9 and 10**high > 80.0  # milliseconds
    assert list(numbers(figure.data[1].x)) == pytest.approx([40.0, 4.0, 0.9])


# --- running it again


def test_the_same_seeds_give_exactly_the_stored_numbers_in_a_worker():
    cell = first(QUICK, 2)
    order = RUNS.order(reruns.slices(cell, cell.horizon))
    start = monotonic()
    while not RUNS.wait(order, 0.5):
        assert monotonic() - start < 60.0
    found = RUNS.look(order)
    assert reruns.exact(cell, found) is True
    assert "Yes" in reruns_words.again(cell, found)
    here = {piece: piece.perform() for piece in found}
    assert all(here[p].numbers == found[p].numbers and here[p].curve == found[p].curve for p in found)


@pytest.mark.parametrize("name", [n for n in REPRODUCTIONS if reproductions.board(n).report["full_size"]])
def test_two_seeds_of_the_quickest_entry_of_every_board_come_out_exactly(name: str):
    shown = reproductions.board(name)
    cells = [reproductions.cell(shown, i) for i in range(len(shown.parts))]
    cell = min(cells, key=lambda c: c.seconds)
    found = {p: p.perform() for p in reruns.slices(cell, cell.horizon)}
    gaps = [reruns.difference(cell, p.seed, r) for p, r in found.items()]
    # Another processor may round otherwise, and then a choice between close arms may turn: within chance of the seeds.
    spread = 6.0 * float(cell.values.std()) / max(abs(cell.mean), 1e-9)
    assert max(gaps) == 0.0 or max(gaps) <= max(1e-6, spread)
    lines, ends = reruns.drawn(cell, found)
    figure = closeup.closeup(cell, lines, ends, Theme(), 330).figure.checked()
    assert [t.marker.symbol for t in figure.data].count("square-open") == 1


@pytest.mark.study
@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_a_seed_of_every_entry_comes_out_again(name: str):
    shown = reproductions.board(name)
    for index in range(len(shown.parts)):
        cell = reproductions.cell(shown, index)
        gap = reruns.difference(cell, 0, reruns.Slice(name, cell.part, 0, cell.horizon).perform())
        spread = 6.0 * float(cell.values.std()) / max(abs(cell.mean), 1e-9)  # where another processor turns a choice
        assert gap <= max(1e-6, spread), cell.part


def test_a_number_that_is_not_the_stored_one_is_told():
    cell = first(QUICK)
    piece = reruns.slices(cell, cell.horizon)[0]
    again = piece.perform()
    other = replace(again, numbers={**again.numbers, "regret": again.numbers["regret"] * (1 + 1e-6)})
    assert reruns.difference(cell, 0, other) == pytest.approx(1e-6, rel=1e-2)
    assert reruns.exact(cell, {piece: other}) is False
    assert "No" in reruns_words.again(cell, {piece: other})
    bent = replace(again, curve=(again.curve[0] * 1.01, *again.curve[1:]))
    assert reruns.exact(cell, {piece: bent}) is False


def test_fewer_rounds_are_offered_where_all_of_them_take_long_and_are_not_compared():
    cell = first(QUICK)
    assert reruns.horizons(cell) == (cell.horizon,)
    slow = replace(cell, seconds=9.0)
    short, whole = reruns.horizons(slow)
    assert reruns.LEAST <= short < whole == cell.horizon
    assert "about 18 s" in reruns_words.button(slow, whole, 2)
    assert f"{short} of {whole} rounds: about 1 s" in reruns_words.button(slow, short, 2)
    found = {p: p.perform() for p in reruns.slices(slow, short)}
    assert reruns.exact(slow, found) is None
    assert "not compared" in reruns_words.again(slow, found)


# --- CMM beside DMM


def test_cmm_is_measured_against_dmm_over_the_first_200_rounds_and_over_all():
    clock = {"a step": 0.01, "a step at the end": 0.02}
    plays = {"CMM": (50.0, 80.0), "DMM": (60.0, 70.0), "AMM": (90.0, 99.0), "AY": (90.0, 99.0), "IGP": (90.0, 99.0)}
    outcomes = {
        m: {s: Outcome({"first 200": a + s, "regret": b + s}, (), clock) for s in range(4)}
        for m, (a, b) in plays.items()
    }
    early, whole, cost = flynn.clock_findings(Results(outcomes, 1000))
    assert (early.holds, early.decided, whole.holds) == (True, True, False) and not cost.holds
    assert "50" in early.measured or "51.5" in early.measured


def test_the_first_200_rounds_of_cmm_are_below_those_of_dmm_as_the_paper_reports():
    early = {"CMM": [], "DMM": []}
    for method, seed in itertools.product(early, range(4)):
        problem = flynn.world(flynn.CLOCK, seed, flynn.T, 3)  # tuned to all 1000 rounds, played for 200
        problem = replace(problem, x=problem.x[: flynn.FIRST], f=problem.f[: flynn.FIRST])
        policy = flynn.policy_of(method, flynn.scale_of(flynn.CLOCK, flynn.T, 3), flynn.T)
        early[method].append(flynn.play(problem, policy, flynn.play_rng(seed)).regret.sum())
    assert np.mean(early["CMM"]) < np.mean(early["DMM"])


# --- as files


@pytest.mark.parametrize("name", ["flynn-table-1", "mauduit-figure-2", "flynn-figure-1"])
def test_the_csv_holds_every_number_of_every_seed(name: str):
    shown = reproductions.board(name)
    _, _, write = evidence_words.board_files(shown)["CSV, every seed"]
    lines = write().splitlines()
    assert lines[4].removeprefix("# ") == shown.report["command"]
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in lines if not line.startswith("# ")))))
    of_unit = [float(r["value"]) for r in rows if r["measure"] == shown.unit]
    np.testing.assert_allclose(of_unit, shown.values.transpose(1, 2, 0).ravel(), rtol=1e-12)


def test_the_markdown_table_has_a_row_a_method_and_both_numbers():
    shown = reproductions.board("flynn-table-1")
    _, _, write = evidence_words.board_files(shown)["Markdown table"]
    rows = [line for line in write().splitlines() if line.startswith("|")]
    assert len(rows) == 2 + len(shown.rows) and {row.count("|") for row in rows} == {2 + len(shown.panels)}
    assert "(paper 32.2 ± 6.6, z = +2.6)" in rows[2]
    _, _, told = evidence_words.board_files(shown)["Report with set-up (JSON)"]
    assert json.loads(told()) == shown.report


def test_the_account_as_files_has_a_row_a_table_or_figure():
    listed = evidence.chosen("mauduit", "both", "any")
    for _, _, write in evidence_words.wall_files(listed).values():
        assert all(entry.title in write() for entry in listed)
