"""What the columns of a sheet are, as far as it says so itself: one time, arms, and what is left out and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lessons.real_data.reading.limits import MAX_ARMS
from lessons.real_data.reading.reader import RawTable
from lessons.real_data.tables.layout import Choice, Sheet, TableFinding, lay_out
from lessons.real_data.tables.times import PARTS, SWAPS, Reading, fits, joined, label, part_of

COUNTERS = frozenset("time date datetime timestamp t index zeit datum step round epoch".split())
CLOCKS = frozenset("time clock zeit uhrzeit heure hora ora uur hhmm hour hours stunde hr hh uur he".split())
NO_ARMS = frozenset(
    "id index nr no no. number row # station station_id stationid site_id sensor_id stations_id lat latitude lon long "
    "lng longitude breite laenge länge postcode zip plz rank weekday dayofweek wochentag".split()
)
STEPS_FOR_REGULAR = 3.5  # usual steps that the longest may have: a weekend in daily data is no gap


@dataclass(frozen=True, eq=False)
class Times:
    """Times of the rows of a sheet.

    Attributes:
        at: (n,) seconds since 1970 or plain numbers, NaN where a row has none.   dated: whether they are dates.
        labels: of the rows.   asked: a question about how they were read, None where only one reading is possible.
    """

    at: np.ndarray
    dated: bool
    labels: tuple[str, ...]
    asked: TableFinding | None = None


def guess(raw: RawTable, choice: Choice = Choice()) -> Choice:
    """Return the choice with the time and the arms that the table itself names."""
    return roles(lay_out(raw, choice))[0]


def roles(sheet: Sheet) -> tuple[Choice, list[str]]:
    """Return the choice with a time and arms, and the names of columns of numbers that were left out as no arms."""
    choice = sheet.choice
    time = choice.time if choice.time is not None else _time(sheet)
    numeric = [i for i, column in enumerate(sheet.parsed) if column.numeric and i not in time]
    if choice.arms is not None:
        return replace(choice, time=time), []
    times = read_times(sheet, time) if time else None
    left = [i for i in numeric if _no_arm(sheet, i, times)]
    arms = [i for i in numeric if i not in left]
    return replace(choice, time=time, arms=tuple(arms[:MAX_ARMS])), [sheet.header[i] for i in left]


def _no_arm(sheet: Sheet, i: int, times: Times | None) -> bool:
    """Return whether a column of numbers is a date, a part of the row's, an identity, or a count of the rows."""
    part = part_of(times.at, PARTS.get(_name(sheet, i), "")) if times is not None and times.dated else None
    same = part is not None and np.array_equal(part, sheet.parsed[i].values, equal_nan=True)
    return bool(sheet.dated[i]) or same or _name(sheet, i) in NO_ARMS or (i == 0 and counts(sheet, i))


def _name(sheet: Sheet, i: int) -> str:
    return sheet.header[i].lower().strip(" _:")


def counts(sheet: Sheet, i: int) -> bool:
    """Return whether whole numbers go on by the same step from row to row."""
    steps = np.diff(sheet.parsed[i].values)
    whole = bool(len(steps)) and float(steps[0]).is_integer() and not sheet.parsed[i].missing
    return whole and steps[0] != 0 and bool((steps == steps[0]).all())


def _time(sheet: Sheet) -> tuple[int, ...]:
    """Return the columns that make one time: of several the one that tells most rows apart, then the first."""
    tried: list[tuple[int, ...]] = []
    for i in range(len(sheet.header)):
        if sheet.dated[i]:
            clock = () if sheet.dated[i][0].clock else _clock_beside(sheet, i)
            tried.append((i, *clock))
    tried.append(_parts(sheet))
    known = [(_apart(sheet, columns), columns) for columns in tried if columns]
    if known and max(known, key=lambda one: one[0])[0] > 1:
        return max(known, key=lambda one: one[0])[1]  # the first of those that tell as many apart
    for i in range(len(sheet.header)):
        named = _name(sheet, i) in COUNTERS or _name(sheet, i) in PARTS
        values = sheet.parsed[i].values
        if sheet.parsed[i].numeric and (named or (i == 0 and counts(sheet, i))):
            steps = np.diff(values[np.isfinite(values)])
            if (steps >= 0).all() or (steps <= 0).all() or (named and len(np.unique(values)) == len(values)):
                if 2 * len(np.unique(values)) > len(values):
                    return (i,)
    return ()


def _apart(sheet: Sheet, columns: tuple[int, ...]) -> int:
    """Return how many rows these columns tell apart."""
    times = read_times(sheet, columns)
    return 0 if times is None else int(len(np.unique(times.at[np.isfinite(times.at)])))


def _parts(sheet: Sheet) -> tuple[int, ...]:
    """Return the columns of a year with a month, a day, an hour: by their names, or as the first where none has one."""
    if sheet.bare:
        whole = [all(c.isdecimal() for c in cells) for cells in sheet.columns[:5]]
        for n in (5, 4, 3, 2):
            if all(whole[:n]) and len(whole) > n and (times := read_times(sheet, tuple(range(n)))) is not None:
                if len(np.unique(times.at)) == len(times.at):
                    return tuple(range(n))
        return ()
    found: dict[str, int] = {}
    for i in range(len(sheet.header)):
        part = PARTS.get(_name(sheet, i))
        if part and part not in found and not sheet.dated[i] and fits(part, sheet.columns[i]):
            found[part] = i
    wanted = ["year", *(["month", "day"] if "month" in found else []), "quarter", "week", "yearday", "hour", "minute"]
    if "year" not in found or len(found) < 2:
        return ()
    return tuple(found[part] for part in wanted if part in found)


def _clock_beside(sheet: Sheet, date: int) -> tuple[int, ...]:
    """Return a column of clocks beside one of dates; without names the next one, where it tells all rows apart."""
    for i in range(len(sheet.header)):
        if i != date and sheet.clock(i, _name(sheet, i) in CLOCKS) is not None:
            return (i,)
    if sheet.bare and _apart(sheet, (date,)) < sheet.height == _apart(sheet, (date, date + 1)):
        return (date + 1,)
    return ()


def read_times(sheet: Sheet, columns: tuple[int, ...]) -> Times | None:
    """Return the one time that these columns make, None where they make none."""
    if any(i >= len(sheet.header) for i in columns):
        return None
    if len(columns) == 1 and not sheet.dated[columns[0]]:
        i = columns[0]
        if not sheet.parsed[i].numeric:
            return None
        return Times(sheet.parsed[i].values, False, tuple(cell or "?" for cell in sheet.columns[i]))
    date = [i for i in columns if sheet.dated[i]]
    if date:
        reading, asked = _reading(sheet, date[0])
        at, clock = reading.at, reading.clock
        for i in (i for i in columns if i != date[0]):
            seconds = sheet.clock(i, True)
            if seconds is None or clock:
                return None
            at, clock = at + seconds, True
    else:
        parts = [PARTS.get(_name(sheet, i), "") for i in columns]
        if not all(parts) or len(set(parts)) < len(parts) or "year" not in parts:
            parts = ["year", "month", "day", "hour", "minute"][: len(columns)]
        made = joined(dict(zip(parts, (sheet.columns[i] for i in columns), strict=False)))
        if made is None:
            return None
        at, clock, asked = made, "hour" in parts, None
    return Times(at, True, tuple("?" if np.isnan(s) else label(s, clock) for s in at), asked)


def _reading(sheet: Sheet, i: int) -> tuple[Reading, TableFinding | None]:
    """Return how a column of dates is read: as chosen, or in order and even; and a question where others are possible."""
    held = sheet.dated[i]
    wanted = [one for one in held if sheet.choice.first and one.way.startswith(sheet.choice.first)]
    best = (wanted or sorted(held, key=_disorder))[0]
    others = [one for one in held if one is not best and {one.way, best.way} <= set(SWAPS)]
    if not others or wanted:
        return best, None
    first = int(np.flatnonzero((best.at != others[0].at) & np.isfinite(best.at))[0])
    said = (
        f"‘{sheet.columns[i][first]}’ in ‘{sheet.header[i]}’ is read {best.way} as {label(best.at[first], best.clock)}"
    )
    other = f"{others[0].way} it is {label(others[0].at[first], others[0].clock)}"
    return best, TableFinding(False, f"{said}; {other}: choose the one that is meant.", "first")


def _disorder(reading: Reading) -> tuple[bool, float, int]:
    """Return a key that is least for times that are in order and follow each other evenly."""
    at = reading.at[np.isfinite(reading.at)]
    steps = np.abs(np.diff(at))
    mixed = bool((np.diff(at) < 0).any() and (np.diff(at) > 0).any())
    usual = float(np.median(steps)) if len(steps) else 0.0
    return mixed, float(steps.max() / usual) if usual else 0.0, SWAPS.index(reading.way) if reading.way in SWAPS else -1
