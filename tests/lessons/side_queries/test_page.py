"""The page draws what the lesson's scene holds, and its runs can be stopped."""

from __future__ import annotations

import re

import pytest

from figures.theme import Theme
from lessons.side_queries.lesson import LESSON
from tests.lessons.shown import opened, settled
from tests.lessons.test_pages import faults, turn, unfolded


def test_an_impossible_world_says_why() -> None:
    with pytest.raises(ValueError, match="pip install"):
        LESSON.scene(LESSON.settings({"kind": "data", "data": "sp500"}), 1, Theme())


@pytest.mark.slow
def test_new_runs_can_be_stopped() -> None:
    at = opened(LESSON.file, seed="77", seeds="20", T="200")
    (progress,) = at.get("progress")
    assert re.fullmatch(r"Running 19 more seeds × 4 methods: \d+/76 done, about \d+ s", progress.proto.text)
    at.button(key="side_queries_cancel").click().run()
    assert faults(at) == [] and "Cancelled" in at.info[0].value
    turn(unfolded(at), "stops", "seeds", 2)
    settled(at)
    assert faults(at) == [] and "2 seeds from 77" in " ".join(c.value for c in at.caption)
