"""A table written in many dialects is read with the same rewards, or asked about, or refused: never with others."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lessons.real_data.tables import Choice, TableError, check, read
from tests.strategies import LAW

NAMES = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
MONTHS = NAMES.split()


def ending(at: datetime, form: str) -> str:
    """A time in a day of hours 1 to 24."""
    day = at - timedelta(hours=1)
    return day.strftime(form.replace("%H", f"{day.hour + 1:02d}"))


@dataclass(frozen=True)
class Form:
    """One way to write a time: the names of its columns, its cells, and the step between rows."""

    names: tuple[str, ...]
    cells: Callable[[datetime], tuple[str, ...]]
    step: timedelta = timedelta(days=1)


def one(form: str, step: timedelta = timedelta(days=1)) -> Form:
    return Form(("date",), lambda at: (at.strftime(form),), step)


HOUR, MONTH = timedelta(hours=1), timedelta(days=31)
TIMES = {
    "ISO": one("%Y-%m-%d"),
    "ISO with a clock": one("%Y-%m-%dT%H:%M:%SZ", HOUR),
    "day.month.year": one("%d.%m.%Y"),
    "day/month/year": one("%d/%m/%Y"),
    "month/day/year": one("%m/%d/%Y"),
    "month/day/yy with a clock": one("%m/%d/%y %I:%M %p", HOUR),
    "d-Mmm-yy": one("%d-%b-%y"),
    "Mmm d, year": one("%b %d, %Y"),
    "YYYYMMDD": one("%Y%m%d"),
    "YYYYMMDDHH": one("%Y%m%d%H", HOUR),
    "hours 1 to 24": Form(("date",), lambda at: (ending(at, "%Y-%m-%d %H:00"),), HOUR),
    "year, month, day": Form(("year", "month", "day"), lambda at: (str(at.year), str(at.month), str(at.day))),
    "year, month": Form(("yyyy", "mm"), lambda at: (str(at.year), f"{at.month:02d}"), MONTH),
    "date and clock": Form(("Date", "Time"), lambda at: (at.strftime("%d/%m/%Y"), at.strftime("%H.%M.%S")), HOUR),
    "date and hour": Form(("date", "hour"), lambda at: (ending(at, "%Y-%m-%d"), ending(at, "%H")), HOUR),
    "German months": Form(("Datum",), lambda at: (f"{at.day}. {MONTHS[at.month - 1]} {at.year}",)),
    "none": Form((), lambda at: ()),
}
GROUPS = {"": ("", ""), "thousands": (",", "."), "space": (" ", " "), "apostrophe": ("'", "'")}


@dataclass(frozen=True)
class Dialect:
    """A way to write a table."""

    separator: str
    comma: bool
    group: str
    time: str
    order: str
    names: int
    side: bool
    code: str
    above: int
    total: bool
    mark: bool


DIALECTS = st.builds(
    Dialect,
    separator=st.sampled_from(",;\t| "),
    comma=st.booleans(),
    group=st.sampled_from(sorted(GROUPS)),
    time=st.sampled_from(sorted(TIMES)),
    order=st.sampled_from(("old", "new", "mixed")),
    names=st.integers(0, 2),
    side=st.booleans(),
    code=st.sampled_from(("", "NA", "---", "-999", "-200", "-77.7", "9999")),
    above=st.integers(0, 2),
    total=st.booleans(),
    mark=st.booleans(),
)


def number(value: float, dialect: Dialect) -> str:
    text = f"{value:,.1f}" if dialect.group else f"{value:.1f}"
    point = "," if dialect.comma else "."
    group = GROUPS[dialect.group][dialect.comma]
    return text.replace(",", "G").replace(".", point).replace("G", group)


def written(
    dialect: Dialect, values: np.ndarray, holes: np.ndarray, start: datetime, rng: np.random.Generator
) -> bytes:
    """The file."""
    form = TIMES[dialect.time]
    code = number(float(dialect.code), dialect) if dialect.code[-1:].isdigit() else dialect.code
    rows = []
    for t, row in enumerate(values):
        cells = [code if gone else number(v, dialect) for v, gone in zip(row, holes[t], strict=True)]
        rows.append([*form.cells(start + t * form.step), *cells])
    if dialect.order == "new":
        rows.reverse()
    if dialect.order == "mixed":
        rng.shuffle(rows)
    if dialect.total and not dialect.code:
        rows.append(
            ["Total", *[""] * len(form.names[1:]), *(number(v, dialect) for v in values.sum(axis=0))][-len(rows[0]) :]
        )
    arms = [f"s{j}" for j in range(values.shape[1])]
    top = [[*form.names, *arms]] if dialect.names else []
    if dialect.names == 2:
        top.append([*[""] * len(form.names), *("°C" for _ in arms)])
    table = [*top, *rows]
    if dialect.side:
        table = [list(row) for row in zip(*table, strict=True)]
    lines = [["A report"], ["of 2024", ""]][: dialect.above] if dialect.separator != " " else []
    out = io.StringIO()
    csv.writer(out, delimiter=dialect.separator).writerows([*lines, *table])
    return out.getvalue().encode("utf-8-sig" if dialect.mark else "utf-8")


def rewards(dialect: Dialect, values: np.ndarray, holes: np.ndarray) -> np.ndarray | None:
    """The rewards that the file means, None where the order of its rows is nowhere in it."""
    if dialect.time == "none" and dialect.order != "old":
        return None
    known = np.where(holes, np.nan, values)
    for t in range(1, len(known)):
        known[t] = np.where(np.isnan(known[t]), known[t - 1], known[t])
    for t in range(len(known) - 2, -1, -1):
        known[t] = np.where(np.isnan(known[t]), known[t + 1], known[t])
    return known


def same(table: object, expected: np.ndarray) -> bool:
    got = table.rewards
    return got.shape == expected.shape and np.allclose(got, expected, rtol=1e-12, atol=1e-9)


@pytest.mark.slow
@given(DIALECTS, st.integers(0, 10_000), st.integers(20, 40), st.integers(2, 4))
@settings(LAW, max_examples=60)
def test_every_dialect_gives_its_rewards_or_asks(dialect: Dialect, seed: int, n: int, arms: int) -> None:
    assume(dialect.separator != " " or dialect.names < 2)  # a blank cell is none there
    rng = np.random.default_rng(seed)
    size = 4000.0 if dialect.group else 4.0
    values = np.round(size * rng.normal(size=(n, arms)).cumsum(axis=0) + 3 * size, 1)
    if dialect.code in ("-200", "-77.7"):
        values = np.abs(values)
    holes = (rng.random((n, arms)) < 0.1) & bool(dialect.code)
    start = datetime(int(rng.integers(1968, 2024)), int(rng.integers(1, 13)), int(rng.integers(1, 28)))
    if TIMES[dialect.time].step == MONTH:
        start = datetime(start.year, 1, 1)
    raw = written(dialect, values, holes, start, rng)
    expected = rewards(dialect, values, holes)
    first = {"day": "day", "month": "month"}.get(dialect.time.partition("/")[0].partition(".")[0], "")
    truth = Choice(
        turned=dialect.side,
        names=dialect.names,
        foot=int(dialect.total and not dialect.code),
        codes=(number(float(dialect.code), dialect), dialect.code) if dialect.code[-1:].isdigit() else (),
        first="day" if dialect.time == "date and clock" else first,
        decimal="," if dialect.comma else ".",
    )
    try:
        found, told = check(read(raw)), check(read(raw), truth)
    except TableError:
        return
    asked = any(f.offer for f in found.findings)
    if found.table is not None and not asked:
        assert expected is not None and same(found.table, expected)
        step = TIMES[dialect.time].step
        if dialect.time != "none" and not (step == MONTH or dialect.side):  # read back to the minute
            ends = [(start + t * step).strftime("%Y-%m-%d" + (" %H:%M" if step == HOUR else "")) for t in (0, n - 1)]
            assert [found.table.times[0], found.table.times[-1]] == ends
    if told.table is not None and expected is not None and not (dialect.side and dialect.names == 0):
        assert same(told.table, expected), [f.sentence for f in told.findings]
