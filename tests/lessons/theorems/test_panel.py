"""The film of the theorems page opens where its view and its measure say most, and opens at once."""

from __future__ import annotations

import pytest
import streamlit as st

from lessons import store
from lessons.shared import stored_runs
from lessons.theorems.lesson import LESSON
from lessons.theorems.runs import model as runs_model
from shell.runs.run_panel import follow


def test_runs_of_the_opening_are_stored(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(st, "session_state", {})
    found, runs = follow(LESSON.key, LESSON.runs, LESSON.defaults)
    assert found.done == found.total == 6 * 8 and runs.order is None
    opened = store.opened(LESSON)
    stored = stored_runs.runs(opened, runs_model.FILE)
    assert len(stored) == len(opened)
    job = min(stored, key=lambda one: one.world.horizon)
    assert stored[job].regret.sum() == pytest.approx(job.perform().regret.sum(), abs=1e-9)  # the file is of today
