"""The film of the theorems page opens where its view and its measure say most, and opens at once."""

from __future__ import annotations

import pytest

from lessons.shared import stored_runs
from lessons.theorems import bound_vs_regret, panel
from lessons.theorems.lesson import THEOREMS_LESSON
from lessons.theorems.model import OPENING_FRAMES
from lessons.theorems.store import opened


def test_another_view_or_sweep_opens_at_its_own_place(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(panel.st, "session_state", {})
    assert panel.start("rates", "budget", 5, "a") == 5
    assert panel.start("rates", "alpha", 5, "a") == OPENING_FRAMES["alpha"]
    assert panel.start("rates", "alpha", 7, "a") == 7
    last = len(bound_vs_regret.chosen(THEOREMS_LESSON.defaults).horizons) - 1
    assert panel.start("runs", "alpha", 7, "a") >= last == THEOREMS_LESSON.t  # the scene keeps it inside its film
    assert panel.start("runs", "alpha", 2, "a") == 2
    assert panel.start("rates", "alpha", 2, "a") == OPENING_FRAMES["alpha"]
    assert panel.start("rates", "budget", 3, "b") == 3  # another moment says itself where it opens


def test_the_runs_of_the_untouched_page_and_of_its_moments_are_stored(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(panel.st, "session_state", {})
    found, runs = panel.follow(bound_vs_regret.chosen(THEOREMS_LESSON.defaults))
    assert found.done == found.total == 6 * 8 and runs.order is None
    stored = stored_runs.runs(opened(), bound_vs_regret.FILE)
    assert len(stored) == len(opened())
    job = min(stored, key=lambda one: one.world.horizon)
    assert stored[job].regret.sum() == pytest.approx(job.perform().regret.sum(), abs=1e-9)  # the file is of today
