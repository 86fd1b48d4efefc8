"""What the columns of a sheet are, as far as it says so itself: one time, arms, and what is left out and why."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lessons.real_data.reading.limits import MAX_ARMS
from lessons.real_data.reading.reader import RawTable
from lessons.real_data.tables.layout import AS_FOUND, Choice, Sheet, TableFinding, lay_out
from lessons.real_data.tables.times import PARTS, SWAPS, Reading, joined, label

COUNTERS = frozenset(["time", "date", "datetime", "timestamp", "t", "index", "zeit", "datum", "step", "round", "epoch"])
CLOCKS = frozenset(
    ["time", "clock", "zeit", "uhrzeit", "hhmm", *(name for name, part in PARTS.items() if part == "hour")]
)
_NO_ARMS_WORDS = """
id index nr no no. number row # station station_id stationid site_id sensor_id stations_id lat latitude lon
long lng longitude breite laenge länge postcode zip plz rank weekday dayofweek wochentag"""
NO_ARMS = frozenset(_NO_ARMS_WORDS.split())
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


def guess(raw: RawTable, choice: Choice = AS_FOUND) -> Choice:
    """Return the choice with the time and the arms that the table itself names."""
    return roles(lay_out(raw, choice))[0]


def roles(sheet: Sheet) -> tuple[Choice, list[str]]:
    """Return the choice with a time and arms, and the names of columns of numbers that were left out as no arms."""
    choice = sheet.choice
    time = choice.time if choice.time is not None else _time(sheet)
    if choice.arms is not None:
        return replace(choice, time=time), []
    times = read_times(sheet, time)
    numeric = [i for i, column in enumerate(sheet.parsed) if column.numeric and i not in time]
    left = [i for i in numeric if _no_arm(sheet, i, times)]
    arms = [i for i in numeric if i not in left]
    return replace(choice, time=time, arms=tuple(arms[:MAX_ARMS])), [sheet.header[i] for i in left]


def _no_arm(sheet: Sheet, i: int, times: Times | None) -> bool:
    """Return whether a column of numbers is a date, a part of the row's, an identity, or a count of the rows."""
    part, same = PARTS.get(_name(sheet, i)), False
    if times is not None and times.dated and part in DATED:
        own = [text.replace("-", " ").replace(":", " ").split()[DATED.index(part) :][:1] for text in times.labels]
        same = all(a and float(a[0]) == b for a, b in zip(own, sheet.parsed[i].values.tolist(), strict=True))
    return bool(sheet.dated[i]) or same or _name(sheet, i) in NO_ARMS or (i == 0 and counts(sheet, i))


def _name(sheet: Sheet, i: int) -> str:
    return sheet.header[i].lower().strip(" _:")


def counts(sheet: Sheet, i: int) -> bool:
    """Return whether whole numbers go on by the same step from row to row."""
    steps = np.diff(sheet.parsed[i].values)
    return len(steps) > 1 and float(steps[0]).is_integer() and bool(steps[0] and (steps == steps[0]).all())


def _time(sheet: Sheet) -> tuple[int, ...]:
    """Return the columns that make one time: of several the one that tells most rows apart, then the first."""
    dated = [i for i in range(len(sheet.header)) if sheet.dated[i]]
    tried = [(i, *(() if sheet.dated[i][0].clock else _clock_beside(sheet, i))) for i in dated] + [_parts(sheet)]
    best = max(tried, key=lambda columns: _apart(sheet, columns))  # the first of those that tell as many apart
    if _apart(sheet, best) > 1:
        return best
    for i in range(len(sheet.header)):
        steps, named = np.diff(sheet.parsed[i].values), _name(sheet, i) in COUNTERS | PARTS.keys()
        rises = (steps >= 0).all() or (steps <= 0).all() or (named and _apart(sheet, (i,)) == sheet.height)
        likely = sheet.parsed[i].numeric and rises and (named or (i == 0 and counts(sheet, i)))
        if likely and 2 * _apart(sheet, (i,)) > sheet.height:
            return (i,)
    return ()


def _apart(sheet: Sheet, columns: tuple[int, ...]) -> int:
    """Return how many rows these columns tell apart."""
    times = read_times(sheet, columns)
    return 0 if times is None else len(np.unique(times.at[np.isfinite(times.at)]))


def _parts(sheet: Sheet) -> tuple[int, ...]:
    """Return the columns of a year with a month, a day, an hour: by their names, or as the first where none has one."""
    if sheet.bare:
        if len(set(sheet.columns[0])) == sheet.height:
            return ()
        firsts = (tuple(range(n)) for n in (5, 4, 3, 2) if len(sheet.header) > n)
        return next((columns for columns in firsts if _apart(sheet, columns) == sheet.height), ())
    found: dict[str, int] = {}
    for i, cells in enumerate(sheet.columns):
        part = PARTS.get(_name(sheet, i), "")
        fits = part and joined({"year": ["2000"] * len(cells), "month": ["1"] * len(cells), part: cells}) is not None
        if fits and part not in found and not sheet.dated[i]:
            found[part] = i
    wanted = ["year", *(["month", "day"] if "month" in found else []), "quarter", "week", "yearday", "hour", "minute"]
    return tuple(found[p] for p in wanted if p in found) if "year" in found and len(found) > 1 else ()


def _clock_beside(sheet: Sheet, day: int) -> tuple[int, ...]:
    """Return a column of clocks beside one of dates; without names the next one, where it tells all rows apart."""
    repeats = _apart(sheet, (day,)) < sheet.height
    for i in range(len(sheet.header)):
        named = _name(sheet, i) in CLOCKS
        if i != day and (named or repeats) and sheet.clock(i, named) is not None:
            return (i,)
    beside = sheet.bare and repeats and _apart(sheet, (day, day + 1)) == sheet.height
    return (day + 1,) if beside else ()


def read_times(sheet: Sheet, columns: tuple[int, ...]) -> Times | None:
    """Return the one time that these columns make, None where they make none."""
    if not columns or max(columns) >= len(sheet.header):
        return None
    days = [i for i in columns if sheet.dated[i]]
    if len(columns) == 1 and not days:
        column, cells = sheet.parsed[columns[0]], sheet.columns[columns[0]]
        return Times(column.values, False, tuple(cell or "?" for cell in cells)) if column.numeric else None
    question = None
    if days:
        reading, question = _reading(sheet, days[0])
        at, clock = reading.at, reading.clock
        for i in columns:
            seconds = None if clock else sheet.clock(i, True)
            if i != days[0] and seconds is None:
                return None
            at, clock = (at, clock) if i == days[0] else (at + seconds, True)
    else:
        parts = [PARTS.get(_name(sheet, i), "") for i in columns]
        if not all(parts) or len(set(parts)) < len(parts) or "year" not in parts:
            parts = list(DATED)
        made = joined(dict(zip(parts, (sheet.columns[i] for i in columns), strict=False)))
        if made is None:
            return None
        at, clock = made, "hour" in parts[: len(columns)]
    return Times(at, True, tuple("?" if np.isnan(s) else label(s, clock) for s in at.tolist()), question)


def _reading(sheet: Sheet, i: int) -> tuple[Reading, TableFinding | None]:
    """Return how a column of dates is read: as chosen, or in order and even; a question where others are possible."""
    held, first = sheet.dated[i], sheet.choice.first
    wanted = [one for one in held if first and one.way.startswith(first)]
    best = (wanted or sorted(held, key=_disorder))[0]
    others = [one for one in held if one is not best and {one.way, best.way} <= set(SWAPS)]
    if not others or wanted:
        return best, None
    row = int(np.flatnonzero((best.at != others[0].at) & np.isfinite(best.at))[0])
    ways = [f"{one.way} it is {label(one.at[row], one.clock)}" for one in (best, others[0])]
    cell = f"‘{sheet.columns[i][row]}’ in ‘{sheet.header[i]}’"
    return best, TableFinding(False, f"{cell}: {ways[0]}, as it is read; {ways[1]}. Which one is meant?", "first")


def _disorder(reading: Reading) -> tuple[bool, float, int]:
    """Return a key that is least for times that are in order and follow each other evenly."""
    steps = np.diff(reading.at[np.isfinite(reading.at)])
    mixed = bool((steps < 0).any() and (steps > 0).any())
    usual = float(np.median(np.abs(steps))) if len(steps) else 0.0
    uneven = float(np.abs(steps).max() / usual) if usual else 0.0
    return mixed, uneven, SWAPS.index(reading.way) if reading.way in SWAPS else -1
