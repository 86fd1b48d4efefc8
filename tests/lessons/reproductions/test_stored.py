"""The stored experiments and their overview hold, draw and count what was stored."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import asdict, replace

import numpy as np
import pytest

from figures.theme import Theme
from lessons.reproductions import figure, model, overview, words
from lessons.reproductions.experiments import EXPERIMENTS, Published
from lessons.reproductions.experiments.compare import TOO_FEW, judge
from lessons.reproductions.knobs import OVERVIEW
from lessons.reproductions.names import FOLDER, TABLE
from lessons.reproductions.recipe import recipe
from lessons.reproductions.scene import at_a_glance
from tests.laws.test_facts import FACT
from tests.lessons.scripts import run


def test_the_last_frame_says_what_the_report_says():
    experiment = model.stored("flynn-table-1")
    told = experiment.report["comparison"]
    for (p, panel), (q, row) in itertools.product(enumerate(experiment.panels), enumerate(experiment.rows)):
        cell = next(k for k in told if [model.part_name(w) for w in k.split(" | ")] == [panel, row])
        assert experiment.z[-1, p, q] == pytest.approx(told[cell]["z"], rel=1e-6)  # nine digits are kept
    close = sum(v["status"] != "beyond 3" for v in told.values())
    said = words.finding(experiment, 3)
    assert f"{close} of 30 published values agree with ours within three standard errors" in said[-1]
    assert "nothing can be compared yet" in said[0]


def test_what_was_not_run_names_its_command():
    with pytest.raises(ValueError, match=r"lessons\.reproductions deng-figure-9"):
        model.report("deng-figure-9")


def test_the_account_counts_everything_once():
    told = [json.loads(path.read_text(encoding="utf-8")) for path in FOLDER.glob("*.json")]
    listed = overview.entries()
    found, of = overview.facts(listed, 3), overview.counts(listed)
    # The repeat of one column shows entries of Table 1 a second time.
    verdicts = [v for t in told if t["name"] != words.FURTHEST for v in t["comparison"].values()]
    assert found["printed entries"] == len(verdicts) > 0
    for k in (1, 2, 3):
        assert overview.facts(listed, k)[model.within(k)] == sum(
            v["z"] is not None and abs(v["z"]) <= k for v in verdicts
        )
    whole = [f for t in told for f in t["findings"]]
    statements = [f for f in whole if f["said"]]
    assert found["statements"] == len(statements) and found["asked by this lab"] == len(whole) - len(statements) > 0
    assert of[model.OWN] == found["asked by this lab"]
    assert of["yes"] == sum(f["holds"] and f["decided"] for f in statements)
    assert of["no"] == sum(not f["holds"] and f["decided"] for f in statements)
    assert of["undecided"] == sum(not f["decided"] for f in statements)
    assert found["not attempted"] == len(EXPERIMENTS) - len(told) + len(overview.NOT_ATTEMPTED)
    assert found["rows"] == len(EXPERIMENTS) + len(overview.NOT_ATTEMPTED)


PLACE = re.compile(r"^(Sec\.|App\.|Fig\.|Table|Theorem) ?[A-Z0-9]+(\.\d+)?( \(?[a-d]\)?)?(, (Fig\.|Table) \d[a-d]?)?$")


def test_papers_statements_carry_their_place():
    """Every statement has a place of its paper and the sentence there, or is marked as the lab's own question."""
    for path in FOLDER.glob("*.json"):
        stored = json.loads(path.read_text(encoding="utf-8"))
        shown = words.rows(model.checks(stored)).splitlines()[2:]
        for finding, row in zip(stored["findings"], shown, strict=True):
            said = finding["said"]
            if said is None:
                assert words.ASKED in row and "◇" in row and "reproduced" not in row
            else:
                assert PLACE.match(said["place"]) and len(said["words"].split()) >= 4, said
                assert said["place"] in row and "◇" not in row


def test_headline_counts_only_the_papers():
    asked = model.Check("a below b", "2 against 1", model.NO)
    said = replace(asked, place="Sec. 7", says="method a has less regret than b")
    of = model.statements([asked.mark, said.mark, asked.mark, "within 1"])
    assert of == {"statements": 1, "come out": 0, "do not come out": 1, "undecided": 0, "asked by this lab": 2}
    headline = words.came_out(of)
    assert "1 statement" in headline and "3" not in headline and "2" not in headline


def test_unsaid_statements_are_questions_of_ours():
    """FINDINGS 1.1: at d = 4 and lengthscale 0.2 the paper says only that no method is much better than random."""
    (own, theirs) = ({}, {})
    for name in ("flynn-table-1-d4", "flynn-cmm-d4", "flynn-cmm-d2", "flynn-cmm-d3"):
        for f in model.report(name)["findings"]:
            (theirs if f["said"] else own)[name, f["claim"]] = f
    for panel in ("RBF, 0.2", "Matern 5/2, 0.2", "Matern 3/2, 0.2"):
        assert ("flynn-table-1-d4", f"{panel}: AMM below IGP") in own
        assert any(c.startswith(panel) and "much better" in c for n, c in theirs if n == "flynn-table-1-d4")
    assert all((name, claim) in own for name, claim in {*own, *theirs} if "all rounds" in claim)
    assert {n for n, c in theirs if "first 200" in c} == {"flynn-cmm-d3"}


def test_group_leads_are_paired():
    """A group's lowest mean counts as decided where its paired interval to every rival leaves out 0."""
    experiment = model.stored("flynn-cmm-d2")
    found = model.facts(experiment, experiment.frames - 1, 2)
    clear = 0
    for p in range(len(experiment.panels)):
        cmm, dmm = experiment.values[:, p, 0], experiment.values[:, p, 1]
        gap, error = (cmm - dmm).mean(), (cmm - dmm).std(ddof=1) / 10**0.5
        clear += abs(gap) > 2.262 * error  # Student's quantile of nine degrees of freedom
    assert found["decided groups"] == clear == 1
    assert f"clearly in {clear}" in words.finding(experiment, 2)[-1]


def test_bold_differences_are_beyond_the_tolerance():
    experiment = model.stored("flynn-table-1")
    beyond = np.abs(experiment.z[-1].ravel())
    for tolerance in (1, 2, 3):
        traces = figure.stage(experiment, Theme(), experiment.frames - 1, tolerance).figure.to_dict()["data"]
        written = [trace["text"] for trace in traces if trace["mode"] == "text"][-1]
        assert ["<b>" in word for word in written] == (beyond > tolerance).tolist()


def test_overview_counts_entries_of_one_repetition(monkeypatch, tmp_path):
    found = model.report(TABLE)
    judged = {
        part: asdict(judge(np.array([cell["mean"]]), Published(**cell["paper"])))
        for part, cell in found["comparison"].items()
    }
    once = found | {"comparison": judged}
    (tmp_path / f"{TABLE}.json").write_text(json.dumps(once), encoding="utf-8")
    monkeypatch.setattr(overview, "REPRODUCTIONS", {TABLE: "Table 1"})
    monkeypatch.setattr(overview, "report", lambda name: once)
    monkeypatch.setattr(overview, "entries", overview.entries.__wrapped__)
    scene = at_a_glance(2, Theme())
    last = scene.frames - 1
    drawn = scene.films["main"].draw(last).figure.to_dict()
    (marks,) = (trace for trace in drawn["data"] if trace.get("meta") == TOO_FEW)
    assert len(marks["x"]) == scene.facts(last)["printed entries"] == len(judged)
    assert any(TOO_FEW in note["text"] for note in drawn["layout"]["annotations"])
    text = recipe({"shown": OVERVIEW, "within": "2"}, last)
    said = FACT.findall(run(text.replace("assets/reproductions", str(tmp_path))))
    assert {name: float(number) for name, number in said} == scene.facts(last)


@pytest.mark.parametrize("most", [3, 5, 7])
def test_every_span_has_two_ticks(most):
    experiment = model.stored("flynn-table-1")
    for highest in np.linspace(1.0, 10.0, 91):
        values = np.linspace(0.0, highest, experiment.values.size).reshape(experiment.values.shape)
        drawn = {"values": values, "mean": values, "error": 0 * values}
        one = replace(experiment, **drawn, paper=values[0], paper_error=0 * values[0])
        scale = figure.Scale(one)
        assert not scale.log and 2 <= len(scale.ticks(most)[0]) <= most, highest
