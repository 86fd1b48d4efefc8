"""The control dictionary: what a link may say, and what it may not."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.record import BadValue, Knob
from lessons.shared.knobs import KNOBS
from tests.strategies import LAW

SLIDERS = [k for k in KNOBS.values() if k.widget in ("slider", "number")]
NONSENSE = ["", " ", "nan", "NaN", "inf", "-inf", "1e400", "-1e400", "9" * 5000, "0,4", "０．５", "1_0",
            "evil", "<img src=x>", "None", "0x1", "1e", "--1", "\x00"]  # fmt: skip


def values(knob: Knob) -> list:
    """Values at both ends of a knob and its default."""
    if knob.widget == "toggle":
        return [True, False]
    if knob.widget == "pills":  # several at once
        return [knob.options[:1], knob.options, knob.default]
    return [*(knob.options or (knob.snap(knob.low), knob.snap(knob.high))), knob.default]


@pytest.mark.parametrize("knob", KNOBS.values(), ids=KNOBS)
def test_a_knob_reads_back_what_it_writes(knob: Knob) -> None:
    for value in values(knob):
        assert knob.read(knob.text(value)) == value


@pytest.mark.parametrize("knob", KNOBS.values(), ids=KNOBS)
@pytest.mark.parametrize("raw", NONSENSE)
def test_nonsense_in_a_link_is_refused_with_what_is_allowed(knob: Knob, raw: str) -> None:
    with pytest.raises(BadValue) as caught:
        knob.read(raw)
    assert str(caught.value) == knob.allowed


@pytest.mark.parametrize("knob", SLIDERS, ids=lambda k: k.key)
@pytest.mark.parametrize("side", [-1, 1])
def test_a_number_just_outside_the_range_is_refused(knob: Knob, side: int) -> None:
    end = knob.high if side > 0 else knob.low
    with pytest.raises(BadValue):
        knob.read(repr(end + side * knob.step))


@LAW
@given(st.sampled_from(SLIDERS), st.floats(allow_nan=True, allow_infinity=True))
def test_whatever_number_a_link_holds_the_value_is_on_the_grid_or_refused(knob: Knob, number: float) -> None:
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


@LAW
@given(st.sampled_from(sorted(KNOBS)), st.text(max_size=60))
def test_any_text_is_a_value_of_the_knob_or_refused(key: str, raw: str) -> None:
    knob = KNOBS[key]
    try:
        value = knob.read(raw)
    except BadValue:
        return
    if knob.widget == "toggle":
        assert isinstance(value, bool)
    elif knob.widget == "pills" or knob.widget == "pills":
        assert value and set(value) <= set(knob.options)
    elif knob.options:
        assert value in knob.options
    else:
        assert knob.low <= value <= knob.high


def test_every_knob_has_words_help_and_a_default_inside_its_range() -> None:
    for key, knob in KNOBS.items():
        assert key == knob.key and knob.words and knob.help
        assert knob.default in values(knob) if knob.options or knob.widget == "toggle" else True
        if not knob.options and knob.widget != "toggle":
            assert knob.low <= knob.default <= knob.high
            assert knob.snap(knob.default) == knob.default
