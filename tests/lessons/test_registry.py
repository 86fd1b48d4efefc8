"""Lessons, moments and controls have keys that links keep, ends that are read back, and worlds that they decide."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from lessons import BY_KEY, LESSONS
from lessons.record import LECTURE, BadValue, Knob, Lesson, registry
from lessons.shared.knobs import WORLD

BANDS, RACE = BY_KEY["bands"], BY_KEY["race"]
FIRST = BANDS.moments[0]


def listed(*lessons: Lesson) -> tuple[Lesson, ...]:
    return registry(*lessons, world=WORLD)


def test_a_lessons_key_is_its_folder() -> None:
    assert [Path(lesson.words).parent.name for lesson in LESSONS] == list(BY_KEY)


def test_two_of_one_key_are_refused() -> None:
    with pytest.raises(ValueError, match="Two lessons have the key “bands”; links need one of their own"):
        listed(*LESSONS, replace(RACE, key="bands"))
    with pytest.raises(ValueError, match="Two moments of the lesson “bands” have the key “tight”"):
        listed(replace(BANDS, moments=(*BANDS.moments, replace(FIRST, title="Another one"))))


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
