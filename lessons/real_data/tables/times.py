"""Columns of texts read as times: all of a column's cells in one format of an explicit list, or none of them.

A column may have several readings, such as 10/03/2024 with the day or the month first; the caller chooses, and says
so. Several columns may make one time: a date and a clock, or year, month, day, hour.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime

import numpy as np

from lessons.real_data.tables.numbers import is_missing

DAY, HOUR = 86_400.0, 3_600.0
_EPOCH = date(1970, 1, 1).toordinal()
FIRST_YEAR = 1935  # of the hundred years that two digits stand for, where these keep the column in order
_MONTHS = (  # English, German, French, Spanish, Italian, Portuguese, Dutch, Polish; without accents
    "jan january januar janner jaenner janvier janv enero ene gennaio gen janeiro januari stycznia styczen",
    "feb february februar fevrier fevr fev febrero febbraio fevereiro februari lutego luty",
    "mar march marz maerz mrz mars marzo marco maart mrt marca marzec",
    "apr april avril avr abril abr aprile kwietnia kwiecien",
    "may mai mayo maggio mag maio mei maja maj",
    "jun june juni juin junio giugno giu junho czerwca czerwiec",
    "jul july juli juillet juil julio luglio lug julho lipca lipiec",
    "aug august aout agosto ago augustus sierpnia sierpien",
    "sep sept september septembre septiembre setiembre settembre set setembro wrzesnia wrzesien",
    "oct october oktober okt octobre octubre ottobre ott outubro out pazdziernika pazdziernik",
    "nov november novembre noviembre novembro listopada listopad",
    "dec december dezember dez decembre diciembre dic dicembre dezembro grudnia grudzien",
)
MONTHS = {word: number for number, words in enumerate(_MONTHS, 1) for word in words.split()}
_WEEKDAYS = frozenset(
    "mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday sun sunday "
    "mo di mi do fr sa so montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag "
    "lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo".split()
)
_FILLERS = frozenset("de del of st nd rd th er den".split())
PARTS = {
    name: part
    for part, names in {
        "year": "year yyyy yr jahr annee an ano anio rok jaar anno",
        "month": "month mm mon mo monat mois mes mese maand miesiac",
        "day": "day dd tag jour dia giorno dag dzien",
        "hour": "hour hh hr hours stunde heure hora ora uur he hour_ending",
        "minute": "minute minuto",
        "quarter": "quarter q qtr quartal trimestre kwartaal",
        "week": "week kw woche semaine semana settimana",
        "yearday": "doy yday jday julian dayofyear day_of_year",
    }.items()
    for name in names.split()
}
_Y4, _Y = r"(?P<y>(?:1[5-9]|2[01])\d\d)", r"'?(?P<y>(?:1[5-9]|2[01])\d\d|\d\d)"
_M, _D, _NAMED = r"(?P<m>1[0-2]|0?[1-9])", r"(?P<d>3[01]|[12]\d|0?[1-9])", r"~(?P<m>\d\d)\.?"
_CLOCK = (
    r"(?P<H>[01]?\d|2[0-4])(?:[:.h](?P<M>[0-5]\d)(?:[:.](?P<S>[0-5]\d)(?:[.,](?P<f>\d{1,9}))?)?| ?(?:h|uhr))?"
    r"(?: ?(?P<p>[ap])\.?m\.?)?(?: ?(?P<z>z|utc|gmt|[+-]\d\d(?::?\d\d)?))?"
)
_GAP = r"[ .,/-]*"
_DATES = {  # how a reading is called -> the form of its dates
    "year first": rf"{_Y4}(?P<s>[-/. ]){_M}(?P=s){_D}",
    "day first": rf"{_D}(?P<s>[-/. ]){_M}(?P=s){_Y}",
    "month first": rf"{_M}(?P<s>[-/. ]){_D}(?P=s){_Y}",
    "year of two digits first": rf"(?P<y>\d\d)(?P<s>[-/.]){_M}(?P=s){_D}",
    "day, month's name, year": rf"{_D}{_GAP}{_NAMED}{_GAP}{_Y}",
    "month's name, day, year": rf"{_NAMED}{_GAP}{_D}[ .,/-]+{_Y}",
    "year, month's name, day": rf"{_Y4}{_GAP}{_NAMED}{_GAP}{_D}",
    "month's name and year": rf"{_NAMED}{_GAP}{_Y}",
    "year and month's name": rf"{_Y4}{_GAP}{_NAMED}",
    "year and month": rf"{_Y4}[-/]{_M}|{_Y4.replace('<y>', '<y2>')}m(?P<m2>0[1-9]|1[0-2])",
    "month and year": rf"{_M}[-/]{_Y4}|(?P<m2>0[1-9]|1[0-2])\.{_Y4.replace('<y>', '<y2>')}",
    "quarter": rf"{_Y4}[ -/]?q(?P<q>[1-4])|q(?P<q2>[1-4])[ -/]?{_Y4.replace('<y>', '<y2>')}",
    "week": rf"{_Y4}[ -]?(?:w|kw) ?(?P<w>5[0-3]|[0-4]?\d)(?:-?(?P<wd>[1-7]))?",
    "digits": rf"{_Y4}(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])",
}
_FORMS = {  # a clock may follow where a day is named
    name: re.compile(f"(?:{form})" + rf"(?:(?:[ t,_-]+|:){_CLOCK})?" * ("<d>" in form), re.ASCII)
    for name, form in _DATES.items()
}
_FORMS["digits with hours"] = re.compile(
    rf"{_DATES['digits']}[t ]?(?P<H>[01]\d|2[0-4])(?::?(?P<M>[0-5]\d)(?::?(?P<S>[0-5]\d))?)? ?(?P<z>z)?", re.ASCII
)
_A_CLOCK = re.compile(rf"(?=\d+:|\d+\.\d+\.|\d+ ?h|\d+.*[ap]\.?m){_CLOCK}", re.ASCII)
SWAPS = ("day first", "month first", "year of two digits first")


@dataclass(frozen=True, eq=False)
class Reading:
    """One way to read a column as times.

    Attributes:
        way: name of the format.   at: (n,) seconds since 1970, NaN where a cell is missing.
        clock: whether a clock is named.   sample: a cell as it was written.   short: whether years have two digits.
    """

    way: str
    at: np.ndarray
    clock: bool
    sample: str
    short: bool = False


def dates(cells: Sequence[str], codes: Collection[str] = ()) -> list[Reading]:
    """Return every reading of a column as dates that reads all of its cells; most columns have none."""
    where = [i for i, cell in enumerate(cells) if not is_missing(cell, codes)]
    if not where or not any(c.isdigit() for c in cells[where[0]]):
        return []
    first = _plain(cells[where[0]])
    forms = {way: form for way, form in _FORMS.items() if form.fullmatch(first)}
    if not forms:
        return []
    texts, found = [_plain(cells[i]) for i in where], []
    for way, form in forms.items():
        matches = [form.fullmatch(text) for text in texts]
        if all(matches) and (seconds := _seconds([m.groupdict() for m in matches if m], way)) is not None:
            at = np.full(len(cells), np.nan)
            at[where] = seconds
            clock = any(m.groupdict().get("H") for m in matches if m)
            short = "y2" not in form.groupindex and all(m and len(m["y"]) == 2 for m in matches)
            if not any(np.array_equal(one.at, at, equal_nan=True) for one in found):
                found.append(Reading(way, at, clock, cells[where[0]], short))
    return found


def clocks(cells: Sequence[str], named: bool, codes: Collection[str] = ()) -> np.ndarray | None:
    """Return (n,) seconds since midnight of a column of clocks (13:00, 13.00.00, 1 pm), or None.

    Args:
        named: whether its name says that it is a clock: then 1300, 13.00 and the hours 0 to 24 are one too.
    """
    at = np.full(len(cells), np.nan)
    for i, cell in enumerate(cells):
        if is_missing(cell, codes):
            continue
        text = _plain(cell)
        if named and re.fullmatch(r"\d{3,4}", text, re.ASCII):
            text = f"{text[:-2]}:{text[-2:]}"
        match = (re.compile(_CLOCK) if named else _A_CLOCK).fullmatch(text)
        if not match or np.isnan(seconds := _of_day(match.groupdict())):
            return None
        at[i] = seconds
    return at if np.isfinite(at).any() else None


def joined(parts: Mapping[str, Sequence[str]]) -> np.ndarray | None:
    """Return (n,) seconds since 1970 of columns that make one time: a year, with month, day, hour, and the like.

    Args:
        parts: a name of `PARTS` -> the cells of its column.   None where a cell is no such part.
    """
    read: dict[str, np.ndarray] = {}
    for part, cells in parts.items():
        texts = [MONTHS.get(_folded(cell).strip("."), cell) if part == "month" else cell for cell in cells]
        texts = [re.sub(r"^[qQ](?=[1-4]$)|\.0*$", "", str(text)) for text in texts]
        if not all(re.fullmatch(r"\d{1,4}", text, re.ASCII) for text in texts):
            return None
        read[part] = np.array(texts, dtype=int)
    year, hour, minute = read["year"], read.get("hour", 0), read.get("minute", 0)
    limits = {"year": (1500, 2199), "hour": (0, 24), "minute": (0, 59), "quarter": (1, 4), "yearday": (1, 366)}
    if any(values.min() < limits[p][0] or values.max() > limits[p][1] for p, values in read.items() if p in limits):
        return None
    month = read.get("month", 3 * read["quarter"] - 2 if "quarter" in read else np.ones_like(year))
    days = _days(year, month, read.get("day", np.ones_like(year)), read.get("week"))
    at = DAY * (days + (read["yearday"] - 1 if "yearday" in read else 0)) + HOUR * hour + 60.0 * minute
    return at if np.isfinite(at).all() else None


def fits(part: str, cells: Sequence[str]) -> bool:
    """Return whether all cells of a column may be this part of a time."""
    return joined({"year": ["2000"] * len(cells), "month": ["1"] * len(cells), part: cells}) is not None


def part_of(at: np.ndarray, part: str) -> np.ndarray | None:
    """Return (n,) this part of times in seconds since 1970, None for a part that has no such number."""
    if part not in ("year", "month", "day", "hour", "minute"):
        return None
    times = [datetime.fromtimestamp(s, UTC) for s in np.nan_to_num(at).tolist()]
    return np.array([getattr(time, part) for time in times], dtype=float)


def label(seconds: float, clock: bool) -> str:
    """Return a time as 2024-02-01, or 2024-02-01 13:00."""
    at = np.datetime64(round(seconds), "s")
    text = str(at).replace("T", " ")
    return text.removesuffix(":00") if clock else text[:-9]


def _folded(text: str) -> str:
    """Return the text in lower case without accents."""
    text = text.strip().lower()
    return text if text.isascii() else "".join(c for c in unicodedata.normalize("NFKD", text) if c.isascii())


def _plain(cell: str) -> str:
    """Return a cell in lower case, with ~03 for March in any of the languages, without names of weekdays."""

    def number(match: re.Match[str]) -> str:
        word = match[0].strip(".")
        if word in MONTHS:
            return f"~{MONTHS[word]:02d}"
        return " " if word in _WEEKDAYS or word in _FILLERS else match[0]

    text = _folded(cell)
    if not re.search("[a-z]", text):
        return text
    text = re.sub(r"(?<![a-z])[a-z]{2,}\.?", number, text)
    return re.sub(r" +", " ", text).strip(" ,.") if "~" in text or " " in text else text


def _of_day(groups: Mapping[str, str | None]) -> float:
    """Return the seconds since midnight (UTC where a zone is named) of the groups of `_CLOCK`, NaN for no clock."""
    if groups.get("H") is None:
        return 0.0
    hour, minute, second = (int(groups.get(g) or 0) for g in "HMS")
    if groups.get("p"):
        if not 1 <= hour <= 12:
            return np.nan
        hour = hour % 12 + 12 * (groups["p"] == "p")
    if hour == 24 and (minute or second):
        return np.nan
    zone, shift = groups.get("z") or "", 0.0
    if zone[:1] in "+-" and zone:
        digits = zone[1:].replace(":", "").ljust(4, "0")
        shift = (1 if zone[0] == "+" else -1) * (HOUR * int(digits[:2]) + 60.0 * int(digits[2:]))
    return HOUR * hour + 60.0 * minute + second + float(f"0.{groups.get('f') or 0}") - shift


def _seconds(groups: Sequence[Mapping[str, str | None]], way: str) -> np.ndarray | None:
    """Return the seconds since 1970 of matches of one form, None where one of them is no day of the calendar."""

    def part(*names: str) -> np.ndarray:
        return np.array([int(next((g[n] for n in names if g.get(n)), 1)) for g in groups])

    year = part("y", "y2")
    if (year < 100).any():
        if (year >= 100).any():
            return None
        year = _years(year)
    month = 3 * part("q", "q2") - 2 if way == "quarter" else part("m", "m2")
    days = _days(year, month, part("wd" if way == "week" else "d"), part("w") if way == "week" else None)
    at = DAY * days + np.array([_of_day(g) for g in groups])
    return at if np.isfinite(at).all() else None


def _days(year: np.ndarray, month: np.ndarray, day: np.ndarray, week: np.ndarray | None) -> np.ndarray:
    """Return the days since 1970 of days of months, or of ISO weeks; NaN for one that the calendar does not have."""
    days = np.full(len(year), np.nan)
    for i, parts in enumerate(
        zip(year.tolist(), (month if week is None else week).tolist(), day.tolist(), strict=True)
    ):
        with suppress(ValueError):
            days[i] = (date(*parts) if week is None else date.fromisocalendar(*parts)).toordinal() - _EPOCH
    return days


def _years(short: np.ndarray) -> np.ndarray:
    """Return the years of a column that writes two digits: a window of a hundred years in which they are in order."""
    windows = [FIRST_YEAR, *range(FIRST_YEAR - 1, FIRST_YEAR - 100, -1)]
    for first in windows:
        years = first + (short - first) % 100
        steps = np.diff(years)
        if (steps >= 0).all() or (steps <= 0).all():
            return years
    return FIRST_YEAR + (short - FIRST_YEAR) % 100
