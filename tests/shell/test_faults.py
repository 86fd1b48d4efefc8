"""A fault under a visitor ends in a sentence and a next step; nothing else breaks, and the tab works again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lessons.race.lesson import LESSON as RACE_LESSON
from lessons.shared import stored_runs as shipped
from lessons.store import page_runs
from shell.runs import engines
from shell.runs.runs import BROKEN
from tests.lessons.test_pages import faults, opened, specs, through
from tests.standins_runs import end_worker

RACE = "pages/The_race.py"


def page_text(at: AppTest) -> str:
    """Every sentence on the page."""
    return "\n".join(e.value for kind in ("info", "caption", "markdown") for e in getattr(at, kind))


@pytest.mark.slow
def test_race_whose_workers_die_is_a_sentence(monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as patch:
        patch.setattr(engines, "outcomes", end_worker)
        at = opened(RACE, seed="71", seeds="2", T="100", algos="gp", pair="none")
        through(at, "race")
        at.run()
    assert faults(at) == [] and BROKEN in page_text(at)
    at = opened(RACE, seed="71", seeds="2", T="100", algos="gp", pair="none")  # by anybody, or anew
    through(at, "race")
    at.run()
    assert faults(at) == [] and BROKEN not in page_text(at) and specs(at)


def test_damaged_stored_races_hold_nothing(tmp_path: Path):
    file, whole, wanted = tmp_path / "races.npz", shipped.FILE.read_bytes(), page_runs(RACE_LESSON)[:3]
    try:
        for raw, count in ((whole, 3), (whole[: len(whole) // 2], 0), (np.random.default_rng(3).bytes(9000), 0)):
            shipped._stored.cache_clear()
            file.write_bytes(raw)
            assert len(shipped.runs(wanted, file)) == count
    finally:
        shipped._stored.cache_clear()
