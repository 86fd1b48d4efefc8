"""Small tables of many kinds: each loads by few choices to numbers written here by hand, and no tick is untrue."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.real_data.tables import Cells, Loaded, load, read, suggest
from lessons.real_data.tables.cells import ORDERS, number, times
from tests.strategies import LAW

FOLDER = Path(__file__).parent / "tables"
MOST_CHOICES = 3


def a(t: int) -> float:
    return 1.5 + 7 * t % 11


def b(t: int) -> float:
    return 0.5 + 5 * t % 13


def days(n: int = 24, first: str = "2024-01-01", clock: str = "") -> list[str]:
    return [f"{date.fromisoformat(first) + timedelta(days=t)}{clock}" for t in range(n)]


def hours(n: int, first: str) -> list[str]:
    return [f"{datetime.fromisoformat(first) + timedelta(hours=t):%Y-%m-%d %H:%M}" for t in range(n)]


def months(n: int, year: int, form: str = "{}-{:02d}") -> list[str]:
    return [form.format(year + t // 12, 1 + t % 12) for t in range(n)]


def numbers(n: int = 24, first: int = 1) -> list[str]:
    return [str(first + t) for t in range(n)]


Arm = Callable[[int], float] | list[float]


@dataclass(frozen=True)
class Right:
    """A table's numbers, read from the file by hand.

    Attributes:
        times: of the rounds.   arms: name -> rewards, by round.   said: choices beside the suggestion.
        in_order: whether the rows of the file follow their times.   even: whether the steps are shown to be equal.
        missing: cells without a number.   certain: whether the times can be read in one way only.
    """

    times: list[str]
    arms: dict[str, Arm] = field(default_factory=lambda: {"a": a, "b": b})
    said: dict[str, Any] = field(default_factory=dict)
    in_order: bool = True
    even: bool = True
    missing: int = 0
    certain: bool = True


AB: dict[str, Arm] = {"A": a, "B": b}
HOLES = [t % 4 == 0 for t in range(24)]
RIGHT = {
    "02_newest_first_d-Mmm-yy.csv": Right(days(), {"A": lambda t: t + 1, "B": b}, in_order=False, certain=False),
    "04_year_month_day.csv": Right([f"2024 1 {t + 1}" for t in range(24)], said={"time": (0, 1, 2)}, even=False),
    "05_date_and_hour_columns.csv": Right(hours(48, "2024-03-10"), said={"time": (0, 1)}, certain=False),
    "13_names_are_numbers.csv": Right(days(), {"1": a, "2": b, "3": lambda t: t % 4}),
    "15_two_header_rows.csv": Right(
        days(),
        {"Close AAA": a, "Close BBB": b, "Volume AAA": lambda t: 1000 + t % 7, "Volume BBB": lambda t: 1100 + t % 5},
        {"names": 3},
    ),
    "16_spaces_two_missing.txt": Right(
        months(24, 1948, "{} {}"),
        {"tmax": a, "tmin": b, "af": lambda t: t % 5 if t > 5 else 1, "sun": lambda t: t % 7 if t > 5 else 6},
        {"time": (0, 1), "missing": ("---",)},
        even=False,
        missing=12,
    ),
    "19_total_row.csv": Right(numbers(), AB, {"below": 1}, in_order=False),
    "21_hidden_sheet_first.xlsx": Right(days(), AB),
    "22_formula_without_saved_value.xlsx": Right(days(), AB),
    "n06_less_than.csv": Right(
        days(), {"Pb": lambda t: a(max(t - HOLES[t], 1)), "Cd": b}, {"missing": ("<0.5",)}, missing=6
    ),
    "n20_two_keys.csv": Right(
        days(),
        {f"{1 + j % 2} {'XY'[j // 2]}": lambda t, j=j: a(4 * t + j) for j in range(4)},
        {"arm_names": (1, 2)},
    ),
}  # fmt: skip


TURNED = "08_turned_with_lines_above.csv"


def cells_of(name: str) -> Cells:
    return read((FOLDER / name).read_bytes(), name)


def ticks(loaded: Loaded) -> str:
    return " ".join(check.sentence for check in loaded.checks if check.ok)


def assert_ticks_are_true(loaded: Loaded, right: Right) -> None:
    said, n = ticks(loaded), len(right.times)
    assert ("in order of time" in said) <= (right.in_order and right.certain)
    assert ("Every step of time" in said) <= (right.even and right.certain)
    assert ("No cell of the arms is missing" in said) == (not right.missing)
    assert f"{len(right.arms)} arms and {n} times" in said
    for row, first, last in re.findall(r"All (\d+) rows are in order of time, from (.*?) to (.*?)\.", said):
        assert (first, last) == (right.times[0], right.times[-1]) and int(row) >= n


def test_every_table_of_the_folder_is_here():
    assert {path.name for path in FOLDER.iterdir()} == {*RIGHT, TURNED}


@pytest.mark.parametrize("name", RIGHT)
def test_few_choices_give_the_right_numbers(name: str) -> None:
    right = RIGHT[name]
    loaded = load(cells_of(name), suggest(cells_of(name), **right.said))
    assert len(right.said) <= MOST_CHOICES and loaded.table is not None, loaded.problem
    assert loaded.table.arm_names == tuple(right.arms) and list(loaded.table.times) == right.times
    wanted = [[of[t] if isinstance(of, list) else of(t) for of in right.arms.values()] for t in range(len(right.times))]
    np.testing.assert_allclose(loaded.table.rewards, wanted, rtol=1e-12)
    assert_ticks_are_true(loaded, right)
    assert any("in order of time" in s for s in [ticks(loaded)]) == (right.in_order and right.certain)


def test_table_with_times_as_columns_is_refused() -> None:
    loaded = load(cells_of(TURNED), suggest(cells_of(TURNED)))
    assert loaded.table is None and "where each column is a time, exchange" in loaded.problem


# --- ticks on tables with faults put in on purpose


FAULTS = st.lists(st.sampled_from(["swap", "gap", "hole", "twice", "no time", "long", "empty row"]), unique=True)


@given(FAULTS, st.integers(0, 2**32 - 1))
@settings(LAW, max_examples=8)
def test_no_tick_beside_something_untrue(faults: Sequence[str], seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 5_100 if "long" in faults else 40
    steps = np.ones(n, dtype=int)
    at = int(rng.integers(5, n - 5))
    steps[at] = 5 if "gap" in faults else 1
    rows = [[str(day), f"{v:.2f}", f"{w:.2f}"] for day, (v, w) in
            zip(np.datetime64("2001-01-01") + steps.cumsum(), rng.normal(size=(n, 2)), strict=True)]  # fmt: skip
    if "hole" in faults:
        rows[at][1] = ""
    if "twice" in faults:
        rows[at + 1][0] = rows[at][0]
    if "no time" in faults:
        rows[at - 2][0] = ""
    if "swap" in faults:
        rows[at - 4], rows[at - 5] = rows[at - 5], rows[at - 4]
    if "empty row" in faults:
        rows.insert(at, ["", "", ""])
    cells = read("\n".join(map(",".join, [["t", "a", "b"], *rows])).encode())
    loaded = load(cells, suggest(cells))
    said, remarks = ticks(loaded), " ".join(check.sentence for check in loaded.checks if not check.ok)
    assert loaded.table is not None
    short = {"long", "no time"} & {*faults}
    assert ("in order of time" in said) == (not short and "swap" not in faults)
    assert ("Every step" in said) == (not short and not {"gap", "twice"} & {*faults})
    assert ("No cell of the arms is missing" in said) == (not {"hole", "long"} & {*faults})
    assert ("empty row left out" in remarks) == ("empty row" in faults)
    assert ("its last 5,000 rows" in remarks) == ("long" in faults)


# --- cells


NUMBERS = {
    ".": {"1.5": 1.5, "1,234.5": 1234.5, "1,23,456.50": 123_456.5, "1'234": 1234, "−3": -3, "+4": 4, "1e3": 1000,
          ".5": 0.5, "7.343": 7.343, "1 234": 1234, "True": 1, "false": 0},
    ",": {"1,5": 1.5, "1.234,5": 1234.5, "1.234.567": 1_234_567, "2\u00a0000,0": 2000, "1,234": 1.234},
}  # fmt: skip
NONE = {".": ["1,5", "1_000", "1.5.2", "x", "0x1", "٣", "1e400", "5%", "$5", "", "-", "nan", "inf"], ",": ["2.25"]}


def test_number_is_read_whole_or_not() -> None:
    for sign, cells in NUMBERS.items():
        assert {cell: number(cell, sign) for cell in cells} == cells
    assert all(np.isnan(number(cell, sign)) for sign, cells in NONE.items() for cell in cells)


TIMES = [
    (["2024-01-01T00:00:00Z", "2024-01-01T02:00:00+01:00"], ["2024-01-01 00:00 UTC", "2024-01-01 01:00 UTC"]),
    (["31.01.2024", "01.02.2024"], ["2024-01-31", "2024-02-01"]),
    (["01/31/2024", "02/01/2024"], ["2024-01-31", "2024-02-01"]),
    (["1 February 2024", "30 December 2024"], ["2024-02-01", "2024-12-30"]),
    (["1/1/24 11:00 PM", "1/13/24 12:30 AM"], ["2024-01-01 23:00", "2024-01-13 00:30"]),
    (["2024-02-29", "2024-02-30"], None),
    (["2024-01-01 24:00", "2024-01-01 24:30"], None),
]


@pytest.mark.parametrize(("cells", "labels"), TIMES, ids=str)
def test_times_are_read_in_one_form_or_not(cells: list[str], labels: list[str] | None) -> None:
    found = [times([cells], order) for order in ORDERS]
    read = {one.labels for one in found if not isinstance(one, str)}
    assert read == (set() if labels is None else {tuple(labels)})
