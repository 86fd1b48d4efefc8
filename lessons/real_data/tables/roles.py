"""Roles of a sheet's columns, as far as the sheet tells: one time, arms, and what is left out and why."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace

import numpy as np

from lessons.real_data.reading.limits import MAX_ARMS, label
from lessons.real_data.tables.layout import Choice, TableFinding, TableLayout, distinct
from lessons.real_data.tables.numbers import is_missing
from lessons.real_data.tables.times import CLOCK, COUNTERS, DAY, PARTS, Reading, dates

CLOCKS = frozenset(
    ["time", "clock", "zeit", "uhrzeit", "hhmm", *(name for name, part in PARTS.items() if part == "hour")]
)
_LIKE_A_CLOCK = re.compile(rf"(?=\d+:|\d+\.\d+\.|\d+ ?h|\d+.*[ap]\.?m){CLOCK}", re.I)
_NO_ARMS_WORDS = """
id index nr no no. number row # station station_id stationid site_id sensor_id stations_id lat latitude lon
long lng longitude breite laenge länge postcode zip plz rank weekday dayofweek wochentag"""
NO_ARMS = frozenset(_NO_ARMS_WORDS.split())
# Words in the names of columns of quality flags: whole numbers, at most this many of them.
FLAGS, MOST_FLAGS = frozenset(["flag", "flags", "qc", "qf", "qn", "qa", "quality", "status"]), 10
# Counts that stand for dates: least and largest, seconds of a step, its 0 in seconds since 1970, and what they count.
COUNTS = (
    (20_000, 80_000, DAY, -25_569 * DAY, "days, as a spreadsheet counts them"),
    (5e8, 5e9, 1.0, 0.0, "seconds since 1970"),
    (5e11, 5e12, 1e-3, 0.0, "milliseconds since 1970"),
)
DATED = ("year", "month", "day", "hour", "minute")


@dataclass(frozen=True, eq=False)
class Times:
    """Times of the rows of a sheet.

    Attributes:
        at: (n,) seconds since 1970 or plain numbers, NaN where a row has none.   dated: whether they are dates.
        labels: of the rows.   question: on how they were read, None where only one reading is possible.
    """

    at: np.ndarray
    dated: bool
    labels: tuple[str, ...]
    question: TableFinding | None = None


def _widened(sheet: TableLayout, time: tuple[int, ...]) -> TableLayout:
    """Return a sheet with a row for every time where its rows of one time differ in a name, such as that of a station.

    Each name has the columns that the rows had.
    """
    times = read_times(sheet, time)
    if times is None or not np.isfinite(times.at).all() or 2 * len(np.unique(times.at)) > sheet.height:
        return sheet
    _, first, row = np.unique(times.at, return_index=True, return_inverse=True)
    height, others = len(first), [i for i in range(len(sheet.header)) if i not in time]
    held = [i for i in others if sheet.parsed[i].numeric and not _no_arm(sheet, i, times)]
    for key in others:
        cells, names = sheet.columns[key], dict.fromkeys(sheet.columns[key])
        place = {at: i for i, at in enumerate(zip(row.tolist(), cells, strict=True))}
        filled = sheet.height / (height * len(names))
        values = [i for i in held if i != key]
        if (
            len(place) == sheet.height
            and filled >= (1.0 if key in held else 0.5)
            and len(names) * len(values) <= MAX_ARMS
        ):
            arms = list(itertools.product(names, values))
            header = [
                f"{label(name) or '?'} {sheet.header[i]}" if values[1:] else label(name) or "?" for name, i in arms
            ]
            columns = [[sheet.columns[i][place[t, name]] if (t, name) in place else "" for t in range(height)]
                       for name, i in arms]  # fmt: skip
            said = f"The rows of one time differ in ‘{sheet.header[key]}’: each of its {len(names)} names is an arm."
            return replace(
                sheet,
                header=tuple(distinct([*(sheet.header[i] for i in time), *header])),
                columns=(*(tuple(sheet.columns[i][t] for t in first) for i in time), *map(tuple, columns)),
                found=(*sheet.found, TableFinding(False, said)),
            )
    return sheet


def roles(sheet: TableLayout) -> tuple[TableLayout, Choice, list[str]]:
    """Return the sheet with a row for every time, the choice with a time and arms, and numeric columns left out."""
    choice, time = sheet.choice, _time(sheet)
    if (wide := _widened(sheet, time)) is not sheet:
        sheet, time = wide, tuple(range(len(time)))
    time = time if choice.time is None else choice.time
    if choice.arms is not None:
        return sheet, replace(choice, time=time), []
    times = read_times(sheet, time)
    numeric = [i for i, column in enumerate(sheet.parsed) if column.numeric and i not in time]
    left = [i for i in numeric if _no_arm(sheet, i, times)]
    arms = [i for i in numeric if i not in left]
    return sheet, replace(choice, time=time, arms=tuple(arms[:MAX_ARMS])), [sheet.header[i] for i in left]


def counts(sheet: TableLayout, i: int) -> bool:
    """Return whether whole numbers go on by the same step from row to row."""
    steps = np.diff(sheet.parsed[i].values)
    return len(steps) > 1 and float(steps[0]).is_integer() and bool(steps[0] and (steps == steps[0]).all())


def rises(sheet: TableLayout, i: int) -> bool:
    """Return whether a column rises from row to row, or counts down."""
    return counts(sheet, i) or bool((np.diff(sheet.parsed[i].values) > 0).all())


def read_times(sheet: TableLayout, columns: tuple[int, ...]) -> Times | None:
    """Return the one time that these columns make, None where they make none."""
    if not columns or max(columns) >= len(sheet.header):
        return None
    if len(columns) == 1 and not sheet.dated[columns[0]]:
        column, cells = sheet.parsed[columns[0]], sheet.columns[columns[0]]
        for least, largest, step, start, kind in COUNTS if _name(sheet, columns[0]) in COUNTERS else ():
            if column.numeric and ((column.values >= least) & (column.values <= largest)).all():
                read = Reading(kind, column.values * step + start)
                said = f"‘{cells[0]}’ in ‘{sheet.header[columns[0]]}’ is read as {read.label(0)}: {kind}."
                labels = tuple(map(read.label, range(len(cells))))
                return Times(read.at, True, labels, TableFinding(False, said, "time"))
        return Times(column.values, False, tuple(cell or "?" for cell in cells)) if column.numeric else None
    day = next((i for i in columns if sheet.dated[i]), None)
    cells, first = sheet.columns[columns[0]], sheet.choice.first
    held = sheet.dated[columns[0]]
    if len(columns) > 1:
        cells = tuple(map(_joined_by_parts(sheet, columns) if day is None else _with_clock(columns.index(day)),
                          zip(*(sheet.columns[i] for i in columns), strict=True)))  # fmt: skip
        held, first = dates(cells), first or ("" if day is not None else "year")
    wanted = [one for one in held if first and one.way.startswith(first)]
    ordered = wanted or sorted(held, key=_disorder)
    if not ordered:
        return None
    best, question = ordered[0], None
    if ordered[1:] and not wanted:
        row = int(np.flatnonzero((best.at != ordered[1].at) & np.isfinite(best.at))[0])
        ways = [f"{one.way} it is {one.label(row)}" for one in ordered[:2]]
        where = f"‘{cells[row]}’ in ‘{sheet.header[columns[0]]}’"
        question = TableFinding(False, f"{where}: {ways[0]}, as it is read; {ways[1]}. Which one is meant?", "first")
    return Times(best.at, True, tuple(map(best.label, range(len(cells)))), question)


def _with_clock(day: int):
    """Return a function that joins a row's date and clock to one text; 1300 is a clock too."""

    def joined(row: tuple[str, ...]) -> str:
        rest = [re.sub(r"^(\d{1,2})(\d\d)$", r"\1:\2", cell) for i, cell in enumerate(row) if i != day]
        return "" if any(map(is_missing, row)) else " ".join([row[day], *rest])

    return joined


def _joined_by_parts(sheet: TableLayout, columns: tuple[int, ...]):
    """Return a function that joins a row's year, month, day, hour and the like to one text."""
    parts = _parts(sheet, columns)
    named = [parts.get(i, "") for i in columns]
    order = named if all(named) and "year" in named else list(DATED[: len(columns)])

    def joined(row: tuple[str, ...]) -> str:
        part = {name: re.sub(r"^[qQ](?=[1-4]$)|\.0*$", "", cell) for name, cell in zip(order, row, strict=False)}
        if any(map(is_missing, row)) or len(order) < len(row):
            return ""
        marks = (("month", "-"), ("day", "-"), ("quarter", "-q"), ("week", "-w"), ("yearday", "-d"))
        date = part["year"] + "".join(mark + part[name] for name, mark in marks if name in part)
        date += "-1-1" * (len(date) == len(part["year"])) + "-1" * ("month" in part and "day" not in part)
        return f"{date} {part['hour']}:{part.get('minute', '').zfill(2)}" if "hour" in part else date

    return joined


def _disorder(reading: Reading) -> tuple[bool, float]:
    """Return a key that is least for times that are in order and follow each other evenly."""
    steps = np.diff(reading.at[np.isfinite(reading.at)])
    usual = float(np.median(np.abs(steps))) if len(steps) else 0.0
    return bool((steps < 0).any() and (steps > 0).any()), float(np.abs(steps).max() / usual) if usual else 0.0


def _name(sheet: TableLayout, i: int) -> str:
    return sheet.header[i].lower().strip(" _:#")


def _parts(sheet: TableLayout, columns: tuple[int, ...]) -> dict[int, str]:
    """Return which of these columns are called a part of a time; a second "mm" is the minutes."""
    found: dict[int, str] = {}
    for i in columns:
        part = PARTS.get(_name(sheet, i), "")
        part = "minute" if part == "month" and "hour" in found.values() else part
        if part and part not in found.values():
            found[i] = part
    return found


def _no_arm(sheet: TableLayout, i: int, times: Times | None) -> bool:
    """Return whether a column of numbers is a date, a part of the row's, an identity, or a count of the rows."""
    part, same = PARTS.get(_name(sheet, i)), False
    if times is not None and times.dated and part in DATED:
        own = [re.split("[-: ]", text)[DATED.index(part) :][:1] for text in times.labels]
        same = all(a and float(a[0]) == b for a, b in zip(own, sheet.parsed[i].values.tolist(), strict=True))
    values = sheet.parsed[i].values
    few = set(re.split(r"[\W\d_]+", _name(sheet, i))) & FLAGS and len(set(values[np.isfinite(values)])) <= MOST_FLAGS
    flags = few and not (values % 1 > 0).any()
    return bool(sheet.dated[i] or same or flags or _name(sheet, i) in NO_ARMS or (i == 0 and counts(sheet, i)))


def _time(sheet: TableLayout) -> tuple[int, ...]:
    """Return the columns that make one time: of several the one that tells most rows apart, then the first."""
    every = range(len(sheet.header))
    tried = [columns for i in every if sheet.dated[i] for columns in ((i,), *_clocks_beside(sheet, i))]
    parts = _parts(sheet, tuple(i for i in every if not sheet.dated[i]))
    date = [name for name in parts.values() if name not in ("hour", "minute")]
    if "year" in date and len(parts) > 1:
        tried.append(tuple(i for i, name in parts.items() if name != "day" or "month" in date))
    if sheet.bare and not tried:
        tried = [columns for n in (5, 4, 3, 2) if _apart(sheet, columns := tuple(range(n))) == sheet.height][:1]
    apart = [_apart(sheet, columns) for columns in tried]
    if max(apart, default=0) > 1:
        return tried[apart.index(max(apart))]
    for i in every:
        steps, named = np.diff(sheet.parsed[i].values), _name(sheet, i) in COUNTERS | PARTS.keys()
        rises = (steps >= 0).all() or (steps <= 0).all() or (named and _apart(sheet, (i,)) == sheet.height)
        likely = sheet.parsed[i].numeric and rises and (named or (i == 0 and counts(sheet, i)))
        if likely and 2 * _apart(sheet, (i,)) > sheet.height:
            return (i,)
    return ()


def _apart(sheet: TableLayout, columns: tuple[int, ...]) -> int:
    """Return how many rows these columns tell apart."""
    times = read_times(sheet, columns)
    return 0 if times is None else len(np.unique(times.at[np.isfinite(times.at)]))


def _clocks_beside(sheet: TableLayout, day: int) -> list[tuple[int, ...]]:
    """Return a column of dates with each that is called a clock or looks like one; without names with the next."""
    if any(one.clock for one in sheet.dated[day]):
        return []
    near = [
        i for i, cells in enumerate(sheet.columns)
        if i != day and (_name(sheet, i) in CLOCKS or _LIKE_A_CLOCK.fullmatch(cells[0]))
    ]  # fmt: skip
    if sheet.bare and not near and day + 1 < len(sheet.header) and _apart(sheet, (day, day + 1)) == sheet.height:
        near = [day + 1] if _apart(sheet, (day,)) < sheet.height else []
    return [(day, i) for i in near[:1]]
