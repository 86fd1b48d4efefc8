"""The drift of a world up to a time, as a question shows it, knows nothing of that time or later."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lessons.drift import model
from lessons.drift.lesson import LESSON


def test_a_world_up_to_the_row_of_an_event_does_not_hold_it_and_a_row_later_it_does() -> None:
    jumps = model.chosen(LESSON.settings({"kind": "jumps", "V": 4.0}))[-1]
    whole = replace(jumps, tied={row: np.array([0, 1]) for row in (3, 50)})
    rows = {hop.t for hop in whole.events.hops}
    assert rows
    for row in (*rows, 3, 50):
        for t, there in ((row, False), (row + 1, True)):
            head = whole.until(t)
            assert (row in {*(hop.t for hop in head.events.hops), *head.tied}) == there
