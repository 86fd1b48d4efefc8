"""Cards, tables and sentences of the theorems page are those of the records."""

from __future__ import annotations

import itertools
import math

from lessons.theorems.knobs import CARD_NAMES
from lessons.theorems.laws import POWER_LAWS
from lessons.theorems.rates import model, tables, words
from lessons.theorems.rates.model import NUS, OPENING_FRAMES, SweepSetting, sweep
from tvbo_core.theory import THEOREMS

MEASURES = ("budget", "alpha", "epsilon")


def measure_of(word: str) -> str:
    """The view whose model of drift a record is about."""
    budget = next(t.budget for t in THEOREMS.values() if t.stem == tables.STEMS[word])
    return {"alpha": "alpha", "epsilon": "epsilon"}.get(budget, "budget")


def test_cards_hold_statements_of_their_own_model():
    for word, measure in itertools.product(tables.STEMS, MEASURES):
        record, said = words.card(SweepSetting(measure), OPENING_FRAMES[measure], word)
        if measure_of(word) != measure:
            assert record is None and "met" not in said, word
            assert "another model of drift" in said or "Matérn kernels only" in said, word
            continue
        assert record is not None, word
        for nu in (math.inf, 2.5, 0.5):
            record, said = words.card(SweepSetting(measure), NUS.index(nu) if measure != "alpha" else 0, word)
            if record is None:
                assert "Matérn kernels only" in said
            else:
                assert record.statement in said and record.source in said and "Budget **" in said
                assert "nan" not in said and "inf " not in said


def test_laws_hold_where_the_table_says():
    cards = {stem: CARD_NAMES[word] for word, stem in tables.STEMS.items()}
    for setting in (*map(SweepSetting, MEASURES), SweepSetting("budget", 1, 0.5), SweepSetting(v=-0.5)):
        shown = sweep(setting)
        for frame in (0, OPENING_FRAMES[setting.measure], shown.frames - 1):
            rows = {row["theorem"]: row["holds here"] == "yes" for row in tables.table(setting, frame)}
            facts = model.facts(shown, frame)
            for name, stem, _ in POWER_LAWS[setting.measure]:
                assert facts.get(f"{name} holds") == rows.get(cards[stem]), (name, frame)
