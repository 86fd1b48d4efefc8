"""The controls of all lessons: what a link may say, and what it may not."""

from __future__ import annotations

import math
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from lessons import LESSONS
from lessons.record import LECTURE, BadValue, Code, Knob
from tests.strategies import LAW

# Of each lesson, as the lesson changes it: "4-seeds" and "6-seeds" may have different ranges.
KNOBS = {f"{lesson.key}-{key}": knob for lesson in LESSONS for key, knob in lesson.knobs.items()}
KNOBS["lecture"] = LECTURE
SLIDERS = {name: knob for name, knob in KNOBS.items() if knob.widget in ("slider", "number")}
NONSENSE = ["", " ", "nan", "NaN", "inf", "-inf", "1e400", "-1e400", "9" * 5000, "0,4", "０．５", "1_0", "evil"]
NONSENSE += ["<img src=x>", "None", "0x1", "1e", "--1", "\x00"]


def values(knob: Knob) -> list:
    """Return values at both ends of a knob and its default."""
    if knob.widget == "toggle":
        return [True, False]
    if knob.widget == "pills":  # several at once
        return [knob.options[:1], knob.options, knob.default]
    return [*(knob.options or (knob.snap(knob.low), knob.snap(knob.high))), knob.default]


def refused(knob: Knob, raw: str) -> bool:
    """Return whether the knob refuses a text, with the words for what it allows."""
    try:
        knob.read(raw)
    except BadValue as problem:
        return str(problem) == knob.allowed
    return False


def allowed(knob: Knob, value: object) -> bool:
    """Return whether a knob may have a value, by its own ends or options."""
    if knob.widget == "toggle":
        return isinstance(value, bool)
    if isinstance(knob, Code):
        return knob.read(str(value)) == value
    if knob.widget == "pills":
        return bool(value) and set(value) <= set(knob.options)
    return value in knob.options if knob.options else knob.low <= value <= knob.high


def test_knobs_read_back_what_they_write() -> None:
    wrong = [(name, v) for name, knob in KNOBS.items() for v in values(knob) if knob.read(knob.text(v)) != v]
    wrong += [name for name, knob in KNOBS.items() if not allowed(knob, knob.default) or knob.key not in name]
    wrong += [name for name, knob in SLIDERS.items() if knob.snap(knob.default) != knob.default]
    assert wrong == []


def test_nonsense_is_refused_with_what_is_allowed() -> None:
    strict = {name: knob for name, knob in KNOBS.items() if name != "real_data-codes"}  # any word may mean "missing"
    assert [(name, raw) for raw in NONSENSE for name, knob in strict.items() if not refused(knob, raw)] == []
    outside = {name: (k.low - k.step, k.high + k.step) for name, k in SLIDERS.items()}
    assert [name for name, ends in outside.items() if not all(refused(SLIDERS[name], repr(v)) for v in ends)] == []


@LAW
@given(st.sampled_from(sorted(KNOBS)), st.text(max_size=60))
def test_any_text_is_allowed_or_refused(name: str, raw: str) -> None:
    with suppress(BadValue):
        assert allowed(KNOBS[name], KNOBS[name].read(raw))


@LAW
@given(st.sampled_from(sorted(SLIDERS)), st.floats(allow_nan=True, allow_infinity=True))
def test_any_number_is_on_the_grid_or_refused(name: str, number: float) -> None:
    knob = SLIDERS[name]
    try:
        value = knob.read(repr(number))
    except BadValue:
        assert not (math.isfinite(number) and knob.low <= number <= knob.high)
        return
    steps = (value - knob.low) / knob.step
    # Ten decimals are kept, so a grid point is off by at most half a unit of the tenth, over the step.
    assert abs(steps - round(steps)) < 1e-8
    assert knob.low <= value <= knob.high + 1e-9
    assert abs(value - number) <= 0.5 * knob.step + 1e-9


def test_a_slider_is_all_numbers_or_all_words() -> None:
    mixed = []
    for name, knob in KNOBS.items():
        if knob.widget == "stops":
            written = [knob.shown(one) for one in knob.options if one not in knob.spelled]
            numbers = [word.replace(".", "", 1).isdigit() for word in written]
            mixed += [] if all(numbers) or not any(numbers) else [name]
            assert len(written) > 1, name
    assert mixed == [] and any(knob.spelled for knob in KNOBS.values())
