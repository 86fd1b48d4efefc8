"""Single cells as numbers, and columns of cells as times."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

MISSING = frozenset(["", "na", "n/a", "#n/a", "<na>", "nan", "nat", "null", "none"])  # in any case of letters
MAX_NUMBER = 1e100  # beyond it squares overflow; no reward is that large
DAY, HOUR, MINUTE = 86_400, 3_600, 60
OLDEST = 1950  # of the hundred years that two digits stand for
_SIGNS = str.maketrans("−’\u00a0\u2007\u2009\u202f", "-'    ")
_SWAPPED, _UNGROUPED = str.maketrans(".,", ",."), str.maketrans("", "", ",' ")
# Groups of three figures, and Indian ones of two before the last.
_NUMBER = re.compile(
    r"[-+]?(?=\.?\d)(?:[1-9]\d{0,2}(?:[,' ]\d{2,3})*[,' ]\d{3}|\d*)(?:\.\d*)?(?:[eE][-+]?\d{1,3})?", re.ASCII
)
_PLAIN = re.compile(r"[-+]?\d{1,15}(?:\.\d{0,15})?", re.ASCII)  # most numbers, read without a detour
_TRUTH = {"true": 1.0, "false": 0.0}
# A column is read in one of these forms or in none; - is any sign between the parts.
_ALWAYS = ("%Y-%m-%d", "%d-%b-%Y", "%d-%B-%Y", "%b-%d-%Y", "%B-%d-%Y", "%Y-%b-%d", "%d-%b-%y")
_MONTHS = ("%Y-%m", "%m-%Y", "%Y-%b", "%b-%Y", "%B-%Y")
ORDERS = {"day": ("%d-%m-%Y", "%d-%m-%y"), "month": ("%m-%d-%Y", "%m-%d-%y"), "year": ("%y-%m-%d",)}
# Dates of figures alone, such as 20240201 or 2024020113, and a month such as 02.2024 that is no number.
_FIGURES = re.compile(
    r"^((?:19|20)\d\d)([01]\d)([0-3]\d)(?:[T ]?([0-2]\d):?([0-5]\d)?:?([0-5]\d)?)?$|^[01]\d\.\d{4}$", re.ASCII
)
_CLOCK = (
    r"(?P<hour>[01]?\d|2[0-4])(?:[:.](?P<minute>[0-5]\d)(?:[:.](?P<second>[0-5]\d(?:\.\d+)?))?)?"
    r"(?: ?(?P<half>[AaPp])\.?[Mm]\.?)?(?: ?(?P<zone>Z|UTC|[-+]\d\d:?\d\d))?"
)
_DAY_AND_CLOCK = rf"^(?P<day>.*?)[T ,_]+{_CLOCK}$"


def is_missing(cell: str, codes: Collection[str] = ()) -> bool:
    """Return whether a cell is empty, says that it is missing, or is one of these codes."""
    return cell in codes or cell.lower() in MISSING


def number(cell: str, decimal: str = ".") -> float:
    """Return the number in a cell, with this decimal sign; NaN where it holds none."""
    if decimal == "." and _PLAIN.fullmatch(cell):
        return float(cell)
    text = cell if cell.isascii() else cell.translate(_SIGNS)
    text = text.translate(_SWAPPED) if decimal == "," else text
    if not _NUMBER.fullmatch(text):
        return _TRUTH.get(text.lower(), np.nan)
    value = float(text.translate(_UNGROUPED))
    return value if abs(value) <= MAX_NUMBER else np.nan


@dataclass(frozen=True, eq=False)
class Times:
    """Times of rows.

    Attributes:
        at: (n, k) the first column decides, then the second; NaN where a row has no time.
        unit: "second" since 1970 or "month", of one column; "" for plain numbers.
        labels: of the rows.   doubt: the first row that another choice would read as another date, None for no row.
    """

    at: np.ndarray
    unit: str
    labels: tuple[str, ...]
    doubt: int | None = None


def times(columns: Sequence[Sequence[str]], order: str, codes: Collection[str] = (), decimal: str = ".") -> Times | str:
    """Return the times that the cells of one or several columns make, or the first cell that is no time.

    Columns of numbers stay numbers, but for dates of figures alone such as 20240201; all others make one text.

    Args:
        order: a key of `ORDERS`: which part comes first in a date such as 10/03/24.
    """
    rows = list(zip(*columns, strict=True))
    cells = [" ".join(row) for row in rows]
    there = np.array([not any(is_missing(cell, codes) for cell in row) for row in rows], dtype=bool)
    values = np.array([number(cell, decimal) for row in rows for cell in row]).reshape(len(rows), len(columns))
    values[~there] = np.nan
    known = [cell for cell, is_there in zip(cells, there, strict=True) if is_there]
    faults = np.flatnonzero(there & np.isnan(values).any(axis=1))
    if len(faults) or all(map(_FIGURES.match, known)):
        dates = _dates(known, order)
        if dates is not None:
            at = np.full((len(cells), 1), np.nan)
            at[there, 0] = dates.at
            others = [one.at for name in ORDERS if name != order and (one := _dates(known, name)) is not None]
            apart = np.any([np.full(len(known), dates.short), *(other != dates.at for other in others)], axis=0)
            doubt = int(np.flatnonzero(there)[apart.argmax()]) if apart.any() else None
            return Times(at, dates.unit, _labels(at[:, 0], dates), doubt)
    return cells[faults[0]] if len(faults) else Times(values, "", tuple(cells))


class _Dates(NamedTuple):
    """Dates of all cells in one form: their times, the unit, whether years have two digits, whether they are UTC."""

    at: np.ndarray
    unit: str
    short: bool
    utc: bool


def _dates(cells: Sequence[str], order: str) -> _Dates | None:
    import pandas as pd

    if not cells or not any(map(str.isdigit, cells[0])):
        return None
    texts = pd.Series([_FIGURES.sub(_spaced, cell) for cell in cells], dtype="str")
    split = texts.str.extract(_DAY_AND_CLOCK)
    seconds, utc = _clocks(split)
    for clocked in (False, True) if split["hour"].notna().any() else (False,):
        days = split["day"].fillna(texts) if clocked else texts
        days = days.str.strip(" ,.").str.replace(r"[ ./,-]+", "-", regex=True)
        for form in (*_ALWAYS, *ORDERS[order], *(() if clocked else _MONTHS)):
            if pd.to_datetime(days[:1], format=form, errors="coerce").isna().any():
                continue
            read = pd.to_datetime(days, format=form, errors="coerce")
            if read.isna().any():
                continue
            if short := "%y" in form:
                read = read.where(read.dt.year < OLDEST + 100, read - pd.DateOffset(years=100))
            if "%d" not in form:
                return _Dates((12 * read.dt.year + read.dt.month - 1).to_numpy(float), "month", short, utc=False)
            at = read.to_numpy().astype("M8[s]").astype(float) + (seconds if clocked else 0.0)
            return None if np.isnan(at).any() else _Dates(at, "second", short, clocked and utc)
    return None


def _spaced(match: re.Match[str]) -> str:
    """Return a date of figures alone, such as 2024020113, with signs between its parts."""
    if not match[1]:
        return match[0]
    year, month, day, *clock = match.groups(default="00")
    return f"{year}-{month}-{day} {':'.join(clock)}" if match[4] else f"{year}-{month}-{day}"


def _clocks(part: pd.DataFrame) -> tuple[np.ndarray, bool]:
    """Return the seconds since midnight of the groups of `_CLOCK`, 0 for no clock, and whether they are UTC.

    The clock is the file's own where all rows have one zone. Beyond 24:00 there is none, so NaN.
    """
    hour, minute, second = (part[name].astype(float).fillna(0.0).to_numpy() for name in ("hour", "minute", "second"))
    half, zone = part["half"].str.lower(), part["zone"].fillna("").str.replace(":", "")
    hour = np.where(half.notna(), hour % 12 + 12 * (half == "p"), hour)
    at = HOUR * hour + MINUTE * minute + second
    at[at > DAY] = np.nan
    if zone.nunique() < 2:
        return at, bool(zone.isin(["Z", "UTC"]).any())
    signs = zone.str.extract(r"([-+])(\d\d)(\d\d)")
    ahead = HOUR * signs[1].astype(float) + MINUTE * signs[2].astype(float)
    return at - np.where(signs[0] == "-", -ahead, ahead.fillna(0.0)), True


def _labels(at: np.ndarray, dates: _Dates) -> tuple[str, ...]:
    """Return times as 2024-02, 2024-02-01, or 2024-02-01 13:00 where rows have a clock; "?" for none."""
    if dates.unit == "month":
        return tuple("?" if np.isnan(t) else f"{t // 12:04.0f}-{t % 12 + 1:02.0f}" for t in at)
    clock, seconds = bool(np.nansum(at % DAY)), bool(np.nansum(at % MINUTE))
    end = 10 if not clock else 19 if seconds else 16
    zone = " UTC" if dates.utc else ""
    return tuple("?" if np.isnan(t) else f"{np.datetime64(int(t), 's')}"[:end].replace("T", " ") + zone for t in at)
