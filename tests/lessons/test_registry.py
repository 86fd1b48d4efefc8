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
# What is wrong with a lesson -> what its sentence says; the lesson is BANDS but for these fields.
FAULTS = {
    "no world": ({"world": {}}, r"has knobs of a world \(.*nu.*\): give it world=WORLD of lessons/shared/knobs.py\."),
    "a world for nothing": (
        {"knobs": {"delta": BANDS.knobs["delta"]}, "leads": ("delta",)},
        r"has no knob of a world: leave its world out\.",
    ),
    "no leads": ({"leads": ()}, r"has no knob in leads that acts as it opens: name the one .* of V, .*Bhat.*\."),
    "unknown leads": ({"leads": ("speed",)}, r"has “speed” in leads: only its knobs are allowed, .*V.*\."),
    "two moments": ({"moments": BANDS.moments[:2]}, r"has 2 moments: 3 to 9 are allowed, on the keys 1 to 9\."),
    "one title twice": (
        {"moments": (*BANDS.moments, replace(FIRST, key="again"))},
        rf"has two moments with the title “{FIRST.title}”: each needs one of its own\.",
    ),
}
MOMENT_FAULTS = {
    "short line": ({"script": "x" * 18 + "."}, r"line has 19 letters: 20 to 120 are allowed\."),
    "long line": ({"script": "x" * 120 + "."}, r"line has 121 letters: 20 to 120 are allowed\."),
    "two lines": ({"script": "The first of the lines\nand another one."}, r"line is not one line that ends with .*\."),
    "no end": ({"script": "A line without an end"}, r"line is not one line that ends with a full stop, .*\."),
    "long title": ({"title": "x" * 29}, r"title has 29 letters: at most 28 are allowed\."),
    "unknown knob": ({"values": {"speed": 1}}, r"values have “speed”: only its knobs .* are allowed, .*V.*\."),
    "a bet's knob": ({"values": {"guess": "open"}}, r"values have “guess”: only its knobs without those of a bet .*\."),
}


def listed(*lessons: Lesson) -> tuple[Lesson, ...]:
    return registry(*lessons, world=WORLD)


def test_a_lessons_key_is_its_folder() -> None:
    assert [Path(lesson.words).parent.name for lesson in LESSONS] == list(BY_KEY)


def test_incomplete_lessons_are_named_in_one_sentence() -> None:
    for fields, sentence in FAULTS.values():
        with pytest.raises(ValueError, match=f"^The lesson “bands” {sentence}$"):
            listed(replace(BANDS, **fields))
    for fields, sentence in MOMENT_FAULTS.values():
        moments = (replace(FIRST, **fields), *BANDS.moments[1:])
        with pytest.raises(ValueError, match=f"^The lesson “bands” has a moment “{FIRST.key}” whose {sentence}$"):
            listed(replace(BANDS, moments=moments))


def test_two_of_one_key_are_refused() -> None:
    with pytest.raises(ValueError, match="Two lessons have the key “bands”; links need one of their own"):
        listed(*LESSONS, replace(RACE, key="bands"))
    with pytest.raises(ValueError, match="Two moments of the lesson “bands” have the key “tight”"):
        listed(replace(BANDS, moments=(*BANDS.moments, replace(FIRST, title="Another one"))))


def test_a_key_is_one_small_word() -> None:
    for key in ("", "3", "2nd", "Bands", "two words", "a-b", "a.b", "bänds", "٣"):
        with pytest.raises(ValueError, match=f"“{key}” is no key: small letters, digits and _ are allowed"):
            listed(replace(BANDS, key=key))
        with pytest.raises(ValueError, match=f"“{key}” is no key"):
            listed(replace(BANDS, moments=(replace(BANDS.moments[0], key=key),)))


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
