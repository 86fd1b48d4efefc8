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
from datetime import date

import numpy as np

from lessons.real_data.tables.numbers import is_missing

DAY, HOUR = 86_400.0, 3_600.0
FIRST_YEAR = 1935  # of the hundred years that two digits stand for, where these keep the column in order
_EPOCH = date(1970, 1, 1).toordinal()
_MONTHS = """jan january januar janner jaenner janvier janv enero ene gennaio gen janeiro januari stycznia styczen
feb february februar fevrier fevr fev febrero febbraio fevereiro februari lutego luty
mar march marz maerz mrz mars marzo marco maart mrt marca marzec
apr april avril avr abril abr aprile kwietnia kwiecien
may mai mayo maggio mag maio mei maja maj
jun june juni juin junio giugno giu junho czerwca czerwiec
jul july juli juillet juil julio luglio lug julho lipca lipiec
aug august aout agosto ago augustus sierpnia sierpien
sep sept september septembre septiembre setiembre settembre set setembro wrzesnia wrzesien
oct october oktober okt octobre octubre ottobre ott outubro out pazdziernika pazdziernik
nov november novembre noviembre novembro listopada listopad
dec december dezember dez decembre diciembre dic dicembre dezembro grudnia grudzien"""  # without accents
MONTHS = {word: number for number, words in enumerate(_MONTHS.splitlines(), 1) for word in words.split()}
_OTHER_WORDS = """
mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday sun sunday mo
di mi do fr sa so montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag lundi mardi mercredi jeudi
vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo de del of st nd rd th er den"""
_IGNORED = frozenset(_OTHER_WORDS.split())  # names of weekdays, and words inside a date
_PARTS = """year yyyy yr jahr annee an ano anio rok jaar anno
month mm mon mo monat mois mes mese maand miesiac
day dd tag jour dia giorno dag dzien
hour hh hr hours stunde heure hora ora uur he hour_ending
minute minuto
quarter q qtr quartal trimestre kwartaal
week kw woche semaine semana settimana
yearday doy yday jday julian dayofyear day_of_year"""
PARTS = {name: line.split()[0] for line in _PARTS.splitlines() for name in line.split()}
_Y4, _Y = r"(?P<y>(?:1[5-9]|2[01])\d\d)", r"'?(?P<y>(?:1[5-9]|2[01])\d\d|\d\d)"
_Y4_TOO = _Y4.replace("<y>", "<y2>")  # in the other of two forms
_M, _D, _NAMED = r"(?P<m>1[0-2]|0?[1-9])", r"(?P<d>3[01]|[12]\d|0?[1-9])", r"~(?P<m>\d\d)\.?"
_CLOCK = (
    r"(?P<H>[01]?\d|2[0-4])(?:[:.h](?P<M>[0-5]\d)(?:[:.](?P<S>[0-5]\d)(?:[.,](?P<f>\d{1,9}))?)?| ?(?:h|uhr))?"
    r"(?: ?(?P<p>[ap])\.?m\.?)?(?: ?(?P<z>z|utc|gmt|[+-]\d\d(?::?\d\d)?))?"
)
_GAP = r"[ .,/-]*"
_DIGITS = rf"{_Y4}(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])"
_DATES = {  # how a reading is called -> the form of its dates; a clock may follow where a day is named
    "year first": rf"{_Y4}(?P<s>[-/. ]){_M}(?P=s){_D}",
    "day first": rf"{_D}(?P<s>[-/. ]){_M}(?P=s){_Y}",
    "month first": rf"{_M}(?P<s>[-/. ]){_D}(?P=s){_Y}",
    "year of two digits first": rf"(?P<y>\d\d)(?P<s>[-/]){_M}(?P=s){_D}",
    "day, month's name, year": rf"{_D}{_GAP}{_NAMED}{_GAP}{_Y}",
    "month's name, day, year": rf"{_NAMED}{_GAP}{_D}[ .,/-]+{_Y}",
    "year, month's name, day": rf"{_Y4}{_GAP}{_NAMED}{_GAP}{_D}",
    "month's name and year": rf"{_NAMED}{_GAP}{_Y}|{_Y4_TOO}{_GAP}~(?P<m2>\d\d)",
    "year and month": rf"{_Y4}[-/]{_M}|{_Y4_TOO}m(?P<m2>0[1-9]|1[0-2])",
    "month and year": rf"{_M}[-/]{_Y4}|(?P<m2>0[1-9]|1[0-2])\.{_Y4_TOO}",
    "quarter": rf"{_Y4}[ -/]?q(?P<q>[1-4])|q(?P<q2>[1-4])[ -/]?{_Y4_TOO}",
    "week": rf"{_Y4}[ -]?(?:w|kw) ?(?P<w>5[0-3]|[0-4]?\d)(?:-?(?P<wd>[1-7]))?",
    "digits": _DIGITS,
    "digits and hours": rf"{_DIGITS}[t ]?(?P<H>[01]\d|2[0-4])(?::?(?P<M>[0-5]\d)(?::?(?P<S>[0-5]\d))?)? ?(?P<z>z)?",
}
_WITH_CLOCK = rf"(?:(?:[ t,_-]+|:){_CLOCK})?"
_FORMS = {
    way: re.compile(f"(?:{form})" + _WITH_CLOCK * ("<d>" in form and "<H>" not in form), re.ASCII)
    for way, form in _DATES.items()
}
_A_CLOCK = {
    False: re.compile(rf"(?=\d+:|\d+\.\d+\.|\d+ ?h|\d+.*[ap]\.?m){_CLOCK}", re.ASCII),
    True: re.compile(_CLOCK, re.ASCII),  # in a column that is called one
}
SWAPS = ("day first", "month first", "year of two digits first")


@dataclass(frozen=True, eq=False)
class Reading:
    """One way to read a column as times.

    Attributes:
        way: name of the format.   at: (n,) seconds since 1970, NaN where a cell is missing.
        clock: whether a clock is named.
    """

    way: str
    at: np.ndarray
    clock: bool


def dates(cells: Sequence[str], codes: Collection[str] = ()) -> list[Reading]:
    """Return every reading of a column as dates that reads all of its cells; most columns have none."""
    first = _plain(next((cell for cell in cells if not is_missing(cell, codes)), ""))
    found: list[Reading] = []
    ways = [way for way, form in _FORMS.items() if form.fullmatch(first)]
    where = [i for i, cell in enumerate(cells) if not is_missing(cell, codes)] if ways else []
    for way in ways:
        groups = []
        for match in map(_FORMS[way].fullmatch, (_plain(cells[i]) for i in where)):
            if match is None:
                break
            groups.append(match.groupdict())
        at = np.full(len(cells), np.nan)
        at[where] = _seconds(groups, way) if len(groups) == len(where) else np.nan
        if np.isfinite(at[where]).all() and not any(np.array_equal(at, r.at, equal_nan=True) for r in found):
            found.append(Reading(way, at, any(g.get("H") for g in groups)))
    return found


def clocks(cells: Sequence[str], named: bool, codes: Collection[str] = ()) -> np.ndarray | None:
    """Return (n,) seconds since midnight of a column of clocks (13:00, 13.00.00, 1 pm), or None.

    Args:
        named: whether its name says that it is a clock: then 1300, 13.00 and the hours 0 to 24 are one too.
    """
    at = np.full(len(cells), np.nan)
    for i, cell in enumerate(cells):
        text = re.sub(r"^(\d{1,2})(\d\d)$", r"\1:\2", _plain(cell)) if named and len(cell) > 2 else _plain(cell)
        match = _A_CLOCK[named].fullmatch(text)
        if match:
            at[i] = _of_day(match.groupdict())
        if np.isnan(at[i]) and not is_missing(cell, codes):
            return None
    return at if np.isfinite(at).any() else None


def joined(parts: Mapping[str, Sequence[str]]) -> np.ndarray | None:
    """Return (n,) seconds since 1970 of columns that make one time: a year, with month, day, hour, and the like.

    Args:
        parts: a name of `PARTS` -> the cells of its column.   None where a cell is no such part.
    """
    read: dict[str, np.ndarray] = {}
    for part, cells in parts.items():
        texts = [re.sub(r"^[qQ](?=[1-4]$)|\.0*$", "", cell) for cell in cells]
        texts = [str(MONTHS.get(_folded(text), text)) if part == "month" else text for text in texts]
        if not all(re.fullmatch(r"\d{1,4}", text, re.ASCII) for text in texts):
            return None
        read[part] = np.array(texts, dtype=int)
    limits = {"year": (1500, 2199), "hour": (0, 24), "minute": (0, 59), "quarter": (1, 4), "yearday": (1, 366)}
    if any(v.min() < limits[p][0] or v.max() > limits[p][1] for p, v in read.items() if p in limits):
        return None
    year, ones = read["year"], np.ones_like(read["year"])
    days = _days(year, read.get("month", 3 * read.get("quarter", ones) - 2), read.get("day", ones), read.get("week"))
    at = DAY * (days + read.get("yearday", ones) - 1) + HOUR * read.get("hour", 0) + 60.0 * read.get("minute", 0)
    return at if np.isfinite(at).all() else None


def label(seconds: float, clock: bool) -> str:
    """Return a time as 2024-02-01, or 2024-02-01 13:00."""
    text = str(np.datetime64(round(seconds), "s")).replace("T", " ")
    return text.removesuffix(":00") if clock else text[:-9]


def _folded(text: str) -> str:
    """Return the text in lower case without accents."""
    text = text.strip().lower()
    return text if text.isascii() else "".join(c for c in unicodedata.normalize("NFKD", text) if c.isascii())


def _plain(cell: str) -> str:
    """Return a cell in lower case, with ~03 for March in any of the languages, without names of weekdays."""
    text = _folded(cell)
    if not re.search("[a-z]", text):
        return text

    def number(match: re.Match[str]) -> str:
        word = match[0].strip(".")
        return f"~{MONTHS[word]:02d}" if word in MONTHS else " " if word in _IGNORED else match[0]

    return re.sub(r" +", " ", re.sub(r"(?<![a-z])[a-z]{2,}\.?", number, text)).strip(" ,.")


def _of_day(groups: Mapping[str, str | None]) -> float:
    """Return the seconds since midnight (UTC where a zone is named) of the groups of `_CLOCK`, 0 for no clock."""
    hour, minute, second = (int(groups.get(g) or 0) for g in "HMS")
    half, zone, shift = groups.get("p"), groups.get("z") or "", 0.0
    if (hour == 24 and (minute or second)) or (half and not 1 <= hour <= 12):
        return np.nan
    if zone[:1] in ("+", "-"):
        digits = zone[1:].replace(":", "").ljust(4, "0")
        shift = float(zone[0] + "1") * (HOUR * int(digits[:2]) + 60.0 * int(digits[2:]))
    hour = hour % 12 + 12 * (half == "p") if half else hour
    return HOUR * hour + 60.0 * minute + second + float(f"0.{groups.get('f') or 0}") - shift


def _seconds(groups: Sequence[Mapping[str, str | None]], way: str) -> np.ndarray:
    """Return the seconds since 1970 of matches of one form, NaN where one of them is no day of the calendar."""

    def part(*names: str) -> np.ndarray:
        return np.array([int(next(filter(None, map(g.get, names)), 1)) for g in groups])

    year = part("y", "y2")
    if (year < 100).any():
        year = _years(year) if (year < 100).all() else np.zeros_like(year)
    month = 3 * part("q", "q2") - 2 if way == "quarter" else part("m", "m2")
    days = _days(year, month, part("d", "wd"), part("w") if way == "week" else None)
    return DAY * days + np.array([_of_day(g) for g in groups])


def _days(year: np.ndarray, month: np.ndarray, day: np.ndarray, week: np.ndarray | None) -> np.ndarray:
    """Return the days since 1970 of days of months, or of ISO weeks; NaN for one that the calendar does not have."""
    days = np.full(len(year), np.nan)
    for i, (y, m, d) in enumerate(np.stack([year, month if week is None else week, day], axis=1).tolist()):
        with suppress(ValueError):
            days[i] = (date(y, m, d) if week is None else date.fromisocalendar(y, m, d)).toordinal() - _EPOCH
    return days


def _years(short: np.ndarray) -> np.ndarray:
    """Return the years of a column that writes two digits: a window of a hundred years in which they are in order."""
    for first in range(FIRST_YEAR, FIRST_YEAR - 100, -1):
        steps = np.diff(first + (short - first) % 100)
        if (steps >= 0).all() or (steps <= 0).all():
            return first + (short - first) % 100
    return FIRST_YEAR + (short - FIRST_YEAR) % 100
