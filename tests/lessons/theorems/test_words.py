"""Cards, tables and sentences of the theorems page are those of the records."""

from __future__ import annotations

import math

import pytest

from figures.theme import Theme
from lessons.theorems.knobs import CARD_NAMES
from lessons.theorems.laws import POWER_LAWS
from lessons.theorems.rates import figure, model, tables, words
from lessons.theorems.rates.model import NUS, OPENING_FRAMES, SweepSetting, sweep
from tests.lessons.shown import counted
from tvbo_core.theory import THEOREMS

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
        assert all(long <= 24 and numbers <= 3 for long, numbers in map(counted, said))
        assert "nan" not in words.caption(shown)


def measure_of(word: str) -> str:
    """The view whose model of drift a record is about."""
    budget = next(t.budget for t in THEOREMS.values() if t.stem == tables.STEMS[word])
    return {"alpha": "alpha", "epsilon": "epsilon"}.get(budget, "budget")


@pytest.mark.parametrize("word", tables.STEMS)
@pytest.mark.parametrize("nu", [math.inf, 2.5, 0.5])
def test_every_card_shows_its_statement_its_budget_and_its_source(word: str, nu: float):
    measure = measure_of(word)
    setting = SweepSetting(measure)
    frame = NUS.index(nu) if measure != "alpha" else 0
    record, said = words.card(setting, frame, word)
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


@pytest.mark.parametrize(
    "setting", [*map(SweepSetting, MEASURES), SweepSetting("budget", 1, 0.5), SweepSetting(v=-0.5)]
)
def test_a_law_holds_where_the_table_says_so(setting: SweepSetting):
    shown, cards = sweep(setting), {stem: CARD_NAMES[word] for word, stem in tables.STEMS.items()}
    for frame in (0, OPENING_FRAMES[setting.measure], shown.frames - 1):
        rows = {row["theorem"]: row["holds here"] == "yes" for row in tables.table(setting, frame)}
        facts = model.facts(shown, frame)
        for name, stem, _ in POWER_LAWS[setting.measure]:
            assert facts.get(f"{name} holds") == rows.get(cards[stem]), (name, frame)


@pytest.mark.parametrize("d", [1, 2, 4])
@pytest.mark.parametrize("v", [0.0, 0.3, 1.0])
def test_who_is_said_to_sit_on_the_lower_bound_has_its_power(d: int, v: float):
    shown = sweep(SweepSetting(d=d, v=v))
    for frame, said in enumerate(words.finding(shown)):
        facts = model.facts(shown, frame)
        floor = facts["lower bound"]
        if "on the lower bound" in said:
            assert facts["R-PERP"] == pytest.approx(floor, rel=1e-12)
            assert "restarted" not in said or facts["restarted OPKB"] == pytest.approx(floor, rel=1e-12)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("word", tables.STEMS)
def test_no_view_states_a_theorem_of_another_model_of_drift(measure: str, word: str):
    record, said = words.card(SweepSetting(measure), OPENING_FRAMES[measure], word)
    if measure_of(word) == measure:
        assert record is not None
    else:
        assert record is None and "met" not in said
        assert "another model of drift" in said or "Matérn kernels only" in said


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("eps", [0.0, 0.01])
def test_the_cross_is_named_where_the_map_has_one(measure: str, eps: float):
    setting = SweepSetting(measure, eps=eps)
    has = sweep(setting).here is not None
    frame = OPENING_FRAMES[measure]
    cards = " ".join(words.card(setting, frame, word)[1] for word in tables.STEMS)
    said = (words.bounds(setting, frame), words.table_note(setting))
    assert ["✚" in text for text in said] == [has, has] and "✚" not in cards


def test_no_mark_says_that_a_statement_about_matern_kernels_holds_for_the_squared_exponential():
    _, said = words.card(SweepSetting("budget", v=0.5), NUS.index(math.inf), "block")
    assert "☐ not met" in said and "☑" not in said
    rows = {r["theorem"]: r["holds here"] for r in tables.table(SweepSetting("budget", v=0.5), NUS.index(math.inf))}
    assert rows["Lower bound, RKHS budget"] == "no" and rows["R-PERP"] == "yes"


def test_each_power_stands_beside_its_method() -> None:
    """Of made-up facts, no two alike."""
    from lessons.theorems.rates.words import Reach, _budget, _epsilon

    said = _epsilon({"TV-GP-UCB": 0.111, "R-GP-UCB": 0.222}, Reach())
    assert "ε<sup>0.111</sup> for TV-GP-UCB" in said and "ε<sup>0.222</sup> for R-GP-UCB" in said
    powers = {"R-, SW-, WGP-UCB": 0.9, "ADA-OPKB": 0.8, "R-PERP": 0.6, "lower bound": 0.61, "restarted OPKB": 0.6}
    said = _budget(powers, Reach())
    for part in ("lower bound T<sup>0.610", "has T<sup>0.800", "R-, SW-, WGP-UCB T<sup>0.900"):
        assert part in said
