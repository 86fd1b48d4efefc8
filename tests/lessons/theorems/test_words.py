"""Tables and sentences of the theorems page are those of the records."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from lessons.theorems.knobs import THEOREM_NAMES, THEOREM_STEMS
from lessons.theorems.laws import POWER_LAWS
from lessons.theorems.rates import model, tables, words
from lessons.theorems.rates.model import OPENING_FRAMES, SweepSetting, sweep
from lessons.theorems.runs import words as of_runs
from lessons.theorems.runs.adversary import hidden_bump
from lessons.theorems.runs.model import RunSetting
from tvbo_core import World

MEASURES = ("budget", "alpha")
POWER = r"T<sup>([\d.]+)</sup>"
# Measure -> method -> where a sentence has its power.
POWERS = {
    "budget": {
        "lower bound": rf"lower bound(?: itself grows like| is)? {POWER}",
        "ADA-OPKB": r"ADA-OPKB, which is not told \$V_T\$, has \$T\^\{([\d.]+)\}\$",
        "R-, SW-, WGP-UCB": rf"R-, SW-, WGP-UCB: {POWER}",
    },
    "alpha": {
        "lower bound, no side queries": rf"(?:lower bound is|can guarantee less than) {POWER}",
        "UI-GP-UCB, no side queries": rf" UI-GP-UCB guarantees regret {POWER}",
        "W-SparQ": rf"W-SparQ guarantees regret {POWER}",
    },
}


def test_laws_hold_where_the_table_says():
    names = {stem: THEOREM_NAMES[word] for word, stem in THEOREM_STEMS.items()}
    for setting in (*map(SweepSetting, MEASURES), SweepSetting("budget", 1, 0.5), SweepSetting(v=-0.5)):
        shown = sweep(setting)
        for frame in (0, OPENING_FRAMES[setting.measure], shown.frames - 1):
            rows = {row["theorem"]: row["holds here"] == "yes" for row in tables.table(setting, frame)}
            facts = model.facts(shown, frame)
            for name, stem, _ in POWER_LAWS[setting.measure]:
                assert facts.get(f"{name} holds") == rows.get(names[stem]), (name, frame)


def test_side_queries_have_their_noun():
    """FINDINGS 2.7: "guarantees T^0.875 with about T^0.83" leaves out of what."""
    for sentence in words.finding(sweep(SweepSetting("alpha"))):
        for found in re.finditer(r"guarantees regret T<sup>[\d.]+</sup> with about T<sup>[\d.]+</sup>(.*)", sentence):
            assert found[1].startswith(" side queries")


def test_each_power_is_that_of_its_method() -> None:
    for measure, places in POWERS.items():
        shown, found = sweep(SweepSetting(measure)), set()
        for frame, sentence in enumerate(words.finding(shown)):
            facts, said = model.facts(shown, frame), " ".join([sentence, *words.notes(shown, frame)])
            for name, place in places.items():
                for power in re.findall(place, said):
                    assert power == f"{facts[name]:.3f}", (name, sentence)
                    found.add(name)
        assert found == set(places)


def test_one_move_is_singular() -> None:
    hidden = hidden_bump(RunSetting("kernelucb", World(horizon=60, arms=20), 1))
    said = of_runs.adversary(replace(hidden, place=np.zeros(2), length=1))
    assert "may move: 1 time, every 1 round." in said and "how little 1 round with" in said
