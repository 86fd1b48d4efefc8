"""Cards, tables and sentences of the theorems page are those of the records."""

from __future__ import annotations

import math

import pytest

from figures.theme import Theme
from lessons.theorems import figure, tables, words
from lessons.theorems.model import NUS, OPENING_FRAMES, SweepSetting, sweep

MEASURES = ("budget", "alpha", "epsilon")


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("d", [1, 6])
@pytest.mark.parametrize("v", [-0.5, 1.0])
@pytest.mark.parametrize("logs", [False, True])
def test_both_ends_of_every_control_are_drawn_and_said_without_a_nan(measure: str, d: int, v: float, logs: bool):
    for log_T, window, eps in ((2.0, 0.05, 0.0), (7.0, 0.33, 0.2)):
        chosen = SweepSetting(measure, d, v, log_T, logs, window, eps or 1e-3)
        shown = sweep(chosen)
        figure.stage(shown, Theme(), 0).figure.checked()
        said = words.finding(shown)
        assert len(said) == shown.frames and not any("nan" in s or "inf" in s for s in said)
        assert "nan" not in words.caption(shown)


@pytest.mark.parametrize("word", tables.STEMS)
@pytest.mark.parametrize("nu", [math.inf, 2.5, 0.5])
def test_every_card_shows_its_statement_its_budget_and_its_source(word: str, nu: float):
    record, said = words.card(SweepSetting("budget"), NUS.index(nu), word)
    if record is None:
        assert "Matérn kernels only" in said
        return
    assert record.statement in said and record.source in said and "Budget **" in said
    assert "nan" not in said and "inf " not in said


def test_the_table_is_the_papers_table():
    rows = {r["theorem"]: r for r in tables.table(SweepSetting("budget", d=2), OPENING_FRAMES["budget"])}
    assert rows["R-PERP"]["power of T"] == "14/19" and rows["R-PERP"]["power of the drift"] == "5/19"
    assert rows["ADA-OPKB"]["power of T"] == "16/21" and rows["R-GP-UCB"]["power of T"] == "1"
    assert rows["R-GP-UCB"]["budget"] == "B_T" and rows["R-PERP"]["budget"] == "V_T"
    said = words.bounds(SweepSetting("budget", d=2), OPENING_FRAMES["budget"])
    assert "T^{14/19}\\,V_T^{5/19}" in said and said.count("\n") == len(rows) + 1
