"""The R-PERP page's film opens at the batch that was on screen, and its coverage is that of the core."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
import streamlit as st

from lessons.rperp import panel, words
from lessons.rperp.model import PairedRuns, paired_runs, walkthrough
from lessons.rperp.setting import Setting, rule
from tvbo_core import World
from tvbo_core.designs import play_rng
from tvbo_core.policies.elimination.shuffles import eq9_score
from tvbo_core.worlds import make_problem

FOLLOWS = Setting(World(kind="still", budget=16.0, horizon=200, seed=81), True)
GLIDES = Setting(World(kind="glide", horizon=100, arms=40, seed=0), False, restart=50)


@cache
def shown(setting: Setting) -> PairedRuns:
    return paired_runs.__wrapped__(setting)


def test_another_grain_opens_at_the_batch_that_was_on_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})
    runs = shown(FOLLOWS)
    batches = walkthrough(runs, "batch", 1)
    panel.remember(batches, "a visit", 7)  # restart 3, batch 2
    lines = walkthrough(runs, "line", 3)
    t = panel.start(lines, "a visit", 0)
    assert lines.steps[t].batch == 7 and lines.steps[t].line == 20
    assert panel.start(lines, "another visit", 5) == 5
    st.session_state["grain"] = "line"
    panel.open_shown_restart("a visit")
    assert st.session_state["interval"] == 3


def test_the_coverage_is_that_of_the_core_over_the_next_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})
    runs = shown(GLIDES)
    rows = panel.coverage_rows(runs)
    assert [(r.width, r.shuffled) for r in rows] == [("2", True), ("2", False), ("theory", True), ("drift", True)]
    problems = [make_problem(replace(GLIDES.world, seed=s)) for s in range(12)]
    step = max(p.steps.max() for p in problems)
    for row in rows:
        made = rule(replace(GLIDES, width=row.width), 50, step, 0.1, row.shuffled)
        assert eq9_score(problems, made, play_rng) == row.score
    said = words.coverage(runs, rows)
    assert "12 worlds" in said and "at least 90% of runs" in said


def test_a_world_without_a_norm_bound_has_no_row_for_the_proved_widths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})
    rows = panel.coverage_rows(shown(Setting(World(kind="markov", horizon=60, arms=20), False)))
    assert [r.width for r in rows] == ["2", "2"]
    with pytest.raises(ValueError, match="norm"):
        shown(Setting(World(kind="markov", horizon=60, arms=20), False, width="theory"))
