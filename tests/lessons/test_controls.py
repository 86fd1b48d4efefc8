"""The controls of all lessons: what a link says of their ends is read back, and a step beyond them refused."""

from __future__ import annotations

import re

import pytest

from lessons import LESSONS
from lessons.record import LECTURE, BadValue, Knob


def values(knob: Knob) -> list:
    """Return values at both ends of a knob and its default."""
    if knob.widget == "toggle":
        return [True, False]
    if knob.widget == "pills":  # several at once
        return [knob.options[:1], knob.options, knob.default]
    return [*(knob.options or (knob.snap(knob.low), knob.snap(knob.high))), knob.default]


def test_ends_are_read_back_and_steps_beyond_refused() -> None:
    for knob in (LECTURE, *(knob for lesson in LESSONS for knob in lesson.knobs.values())):
        assert all(knob.read(knob.text(value)) == value for value in values(knob)), knob.key
        if knob.widget in ("slider", "number"):
            for beyond in (knob.low - knob.step, knob.high + knob.step):
                with pytest.raises(BadValue, match=re.escape(knob.allowed)):
                    knob.read(repr(beyond))
