"""Numbers as the screen writes them: examples of each way, and that none of them writes a hyphen for a minus sign."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common import formats

EXAMPLES = {
    formats.amount: {
        0.0: "0.0",
        0.0201: "0.02",
        0.5: "0.5",
        3.999999: "4.0",
        49.41: "49.4",
        744.2: "744",
        1974.4: "1,974",
    },
    formats.number: {
        0.0: "0",
        0.00005: "0",
        0.01234: "0.0123",
        12.34: "12.3",
        999.4: "999",
        12345.6: "12,346",
        -0.5: "−0.5",
    },
    formats.three_digits: {0.124: "0.12", 9.5: "9.50", 12.34: "12.3", 123.4: "123", -0.5: "−0.50", -12.34: "−12.3"},
    formats.two_decimals: {0.0: "0.00", 1.005e3: "1005.00", -2.346: "−2.35"},
    formats.signed: {0.001: "0.00", -0.001: "0.00", 0.25: "+0.25", -0.25: "−0.25"},
    formats.percent: {0.0: "0 %", 0.042: "4.2 %", 0.1: "10 %", 0.666: "67 %", 1.0: "100 %"},
    formats.power: {0.01: "0.01", 9999: "9,999", 12345.0: "1.2·10<sup>4</sup>", 1e-5: "10<sup>−5</sup>"},
    formats.power_of_ten: {4: "10⁴", -12: "10⁻¹²", 0: "10⁰"},
    formats.in_powers: {0.0: "0", 0.5: "0.5", 40.24: "40.2", 4800: "4,800", 2.8e6: "2.8×10⁶", 2.5e-5: "2.5×10⁻⁵"},
}


@pytest.mark.parametrize("form", EXAMPLES, ids=lambda form: form.__name__)
def test_every_format_writes_its_examples(form):
    assert {value: form(value) for value in EXAMPLES[form]} == EXAMPLES[form]


@pytest.mark.parametrize("form", [formats.number, formats.three_digits, formats.two_decimals, formats.signed])
@given(value=st.floats(-1e7, -1e-3))
def test_negative_numbers_have_a_real_minus(form, value):
    assert "-" not in form(value)
    assert form(value).strip("−+") == form(-value).strip("−+")


def test_ordinals_plurals_and_lists_read_well() -> None:
    said = "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd"
    assert " ".join(map(formats.ordinal, (1, 2, 3, 4, 11, 12, 13, 21, 22))) == said
    assert [formats.and_list([*names], 3) for names in ("A", "AB", "ABC", "ABCD")] == [
        "A", "A and B", "A, B and C", "A, B and 2 others"
    ]  # fmt: skip
    assert formats.and_list("ABCD") == "A, B, C and D"
    assert [formats.plural(n, "row") for n in (0, 1, 2000)] == ["0 rows", "1 row", "2,000 rows"]
    assert formats.plural(2, "entry", "entries") == "2 entries"


def test_small_powers_of_ten_can_stay_in_digits() -> None:
    assert [formats.power_of_ten(e, 2) for e in (-3, -2, 0, 2, 3)] == ["10⁻³", "0.01", "1", "100", "10³"]
