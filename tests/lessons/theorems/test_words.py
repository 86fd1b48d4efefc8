"""Cards, tables and sentences of the theorems page are those of the records."""

from __future__ import annotations

from lessons.theorems.knobs import CARD_NAMES
from lessons.theorems.laws import POWER_LAWS
from lessons.theorems.rates import model, tables
from lessons.theorems.rates.model import OPENING_FRAMES, SweepSetting, sweep

MEASURES = ("budget", "alpha", "epsilon")


def test_laws_hold_where_the_table_says():
    cards = {stem: CARD_NAMES[word] for word, stem in tables.STEMS.items()}
    for setting in (*map(SweepSetting, MEASURES), SweepSetting("budget", 1, 0.5), SweepSetting(v=-0.5)):
        shown = sweep(setting)
        for frame in (0, OPENING_FRAMES[setting.measure], shown.frames - 1):
            rows = {row["theorem"]: row["holds here"] == "yes" for row in tables.table(setting, frame)}
            facts = model.facts(shown, frame)
            for name, stem, _ in POWER_LAWS[setting.measure]:
                assert facts.get(f"{name} holds") == rows.get(cards[stem]), (name, frame)
