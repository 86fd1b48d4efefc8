"""The sweep of the theorems page opens where its measure says most."""

from __future__ import annotations

import pytest

from lessons.theorems import panel
from lessons.theorems.model import OPENING_FRAMES


def test_another_sweep_opens_at_its_own_place(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(panel.st, "session_state", {})
    assert panel.start("budget", 5, "a") == 5
    assert panel.start("alpha", 5, "a") == OPENING_FRAMES["alpha"]
    assert panel.start("alpha", 7, "a") == 7
    assert panel.start("budget", 3, "b") == 3  # another moment says itself where it opens
