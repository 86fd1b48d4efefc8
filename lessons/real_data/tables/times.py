"""Columns of texts read as times: all of a column's cells in one format of `FORMATS`, or none of them.

A column may have several readings, such as 10/03/2024 with the day or the month first; the caller chooses, and says
so. Several columns that make one time are joined to texts first, and read as one column.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from lessons.real_data.tables.numbers import is_missing

if TYPE_CHECKING:
    import pandas as pd

DAY = 86_400.0
FIRST_YEAR = 1935  # of the hundred years that two digits stand for, where these keep the column in order
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
# Names of columns of times, and of parts of one.
COUNTERS = frozenset(["time", "date", "datetime", "timestamp", "t", "index", "zeit", "datum", "step", "round", "epoch"])
_PARTS = """year yyyy yy yr jahr annee année an ano año anio rok jaar anno
month mm mon mo monat mois mes mese maand miesiac miesiąc
day dd tag jour dia día giorno dag dzien dzień
hour hh hr hours stunde heure hora ora uur he hour_ending
minute min minuto mn
quarter q qtr quartal trimestre kwartaal
week kw woche semaine semana settimana
yearday doy yday jday julian dayofyear day_of_year"""
PARTS = {name: line.split()[0] for line in _PARTS.splitlines() for name in line.split()}
_OTHER_WORDS = """
mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday sun sunday mo
di mi do fr sa so montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag lundi mardi mercredi jeudi
vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo de del of st nd rd th er den"""
_IGNORED = frozenset(_OTHER_WORDS.split())  # names of weekdays, and words inside a date
# How a reading is called -> its formats; - is any sign between the parts, @ a month's name or a quarter.
FORMATS = {
    "year first": ("%Y-%m-%d", "%Y-@%m-%d", "%Y%m%d"),
    "day first": ("%d-%m-%Y", "%d-%m-%y", "%d-@%m-%Y", "%d-@%m-%y"),
    "month first": ("%m-%d-%Y", "%m-%d-%y", "@%m-%d-%Y", "@%m-%d-%y"),
    "year of two digits first": ("%y-%m-%d",),
    "a month": ("%Y-%m", "%m-%Y", "%Y-@%m", "@%m-%Y", "@%m-%y"),
    "a week": ("%G-w%V-%u",),
    "a day of the year": ("%Y-d%j",),
}
_PARTED = str.maketrans({"年": "-", "月": "-", "日": " "})
SWAPS = ("day first", "month first", "year of two digits first")
_YEAR = r"(?:1[5-9]|2[01])\d\d"
_SHAPES = {"%Y": _YEAR, "%G": _YEAR, "%j": r"\d{1,3}", "%m": r"\d\d?", "%d": r"\d\d?", "%V": r"\d\d?",
           "%y": r"\d\d", "%u": r"\d"}  # fmt: skip
_DIGITS = rf"({_YEAR}[01]\d[0-3]\d)[t ]?([0-2]\d)(?::?([0-5]\d))?(?::?([0-5]\d))?"  # 2024020113
CLOCK = (
    r"(?P<H>[01]?\d|2[0-4])(?:[:.h](?P<M>[0-5]\d)(?:[:.](?P<S>[0-5]\d(?:[.,]\d{1,9})?))?| ?(?:h|uhr))?"
    r"(?: ?(?P<p>[ap])\.?m\.?)?(?: ?(?P<z>z|utc|gmt|[+-]\d\d(?::?\d\d)?))?"
)
_DAY_AND_CLOCK = rf"^(?:(.*?[0-9])(?:[ t,_]+{CLOCK})?)$"
_BETWEEN = r"[ ./,-]+|(?<=[\d])(?=@)|(?<=@\d\d)(?=\d)"
_FITS = [(way, form, re.sub("%.", lambda part: _SHAPES[part[0]], form)) for way in FORMATS for form in FORMATS[way]]
# Numbers: no dates, but for 20240201, 2024020113 and 02.2024.
_NUMBER = re.compile(
    r"(?!\d{8}(?:\d\d){0,3}$|\d\d\.\d{4}$)[-+]?(?:\d{1,3}(?:[,.'’ ]\d{3})+|\d*)(?:[.,]\d*)?(?:e[-+]?\d+)?", re.I
)


@dataclass(frozen=True, eq=False)
class Reading:
    """One way to read a column as times.

    Attributes:
        way: name of the formats.   at: (n,) seconds since 1970, NaN where a cell is missing.
    """

    way: str
    at: np.ndarray

    @cached_property
    def clock(self) -> bool:
        """Return whether a row has a time of day."""
        return bool(np.nansum(self.at % DAY))

    def label(self, row: int) -> str:
        """Return a row's time as 2024-02-01, or 2024-02-01 13:00 where rows have a clock; "?" where it has none."""
        if np.isnan(self.at[row]):
            return "?"
        text = str(np.datetime64(round(self.at[row]), "s")).replace("T", " ")
        return text.removesuffix(":00") if self.clock else text[:-9]


def dates(cells: Sequence[str], codes: Collection[str] = ()) -> list[Reading]:
    """Return every reading of a column as dates that reads all of its cells; most columns have none."""
    start = next((cell for cell in cells if not is_missing(cell, codes)), "")
    if not re.search(r"\d", start) or _NUMBER.fullmatch(start):
        return []  # most columns
    there = np.array([not is_missing(cell, codes) for cell in cells])
    found: list[Reading] = []
    for one in _readings(cells, there):
        whole = bool(np.isfinite(one.at[there]).all())
        if whole and not any(np.array_equal(one.at, other.at, equal_nan=True) for other in found):
            found.append(one)
    return found


def no_date(cells: Sequence[str], codes: Collection[str] = ()) -> str:
    """Return the first cell that is no date where more than half are dates of one format, "" for none."""
    there = np.array([not is_missing(cell, codes) for cell in cells])
    for one in _readings(cells, there):
        if 2 * np.isfinite(one.at).sum() > there.sum():
            return next((cell for cell, at, is_there in zip(cells, one.at, there, strict=True)
                         if is_there and np.isnan(at)), "")  # fmt: skip
    return ""


def _readings(cells: Sequence[str], there: np.ndarray) -> Iterator[Reading]:
    """Yield a column under each format that fits a cell of it: NaN where another does not."""
    import pandas as pd

    where = np.flatnonzero(there)
    sample = [cells[int(where[i])] for i in (0, len(where) // 2, -1)] if len(where) else []
    fitting = [_fitting(sample, clocks) for clocks in (False, True)]
    if not any(fitting):
        return  # most columns of texts
    texts = pd.Series([_plain(cell) for cell, is_there in zip(cells, there, strict=True) if is_there])
    days, seconds = texts, np.zeros(len(texts))
    for clocks, formats in enumerate(fitting):
        if clocks:
            split = texts.str.extract(_DAY_AND_CLOCK)
            if split["H"].isna().all():
                return  # the same once more
            days, seconds = split[0].fillna(""), _of_day(split)
        days = days.str.replace(_BETWEEN, "-", regex=True)
        for way, form, shape in formats:
            fits = days.where(days.str.fullmatch(shape))
            read = pd.to_datetime(fits, format=form, errors="coerce").to_numpy().astype("M8[s]")
            read = _in_order(read) if "%y" in form else read
            at = np.full(len(cells), np.nan)
            at[where] = np.where(np.isnat(read), np.nan, read.astype(float)) + seconds
            yield Reading(way, at)


def is_like_date(cell: str) -> bool:
    """Return whether a cell is written as a date, alone or before a clock; no calendar is asked."""
    return not _NUMBER.fullmatch(cell) and any(_fitting([cell], clocks) for clocks in (False, True))


def _fitting(cells: Sequence[str], clocks: bool) -> list[tuple[str, str, str]]:
    """Return the way, the format and the shape of those in which one of the cells is written."""
    texts = [_plain(cell) for cell in cells if re.search(r"\d", cell)]
    found = [re.search(_DAY_AND_CLOCK, text) for text in texts] if clocks else []
    days = [re.sub(_BETWEEN, "-", day) for day in ([one[1] for one in found if one] if clocks else texts)]
    return [
        one
        for one in _FITS
        if any(re.fullmatch(one[2], day, re.ASCII) for day in days)
        and not (one[0] in SWAPS[2:] and "." in texts[0])  # 01.02.24 is no year first
    ]


def _plain(cell: str) -> str:
    """Return a cell in lower case, with @03 for March in any of the languages, without accents and weekdays."""
    text = unicodedata.normalize("NFKD", cell.translate(_PARTED).strip().lower())
    text = "".join(c for c in text if not unicodedata.combining(c))
    text = re.sub(rf"^{_DIGITS}(?= ?z?$)", lambda m: f"{m[1]} {m[2]}:{m[3] or '00'}:{m[4] or '00'}", text)
    if not re.search("[a-z]", text):
        return text

    def number(match: re.Match[str]) -> str:
        word = match[0].strip(".")
        return f"@{MONTHS[word]:02d}" if word in MONTHS else " " if word in _IGNORED else match[0]

    text = re.sub(r"(?<![a-z])[a-z]{2,}\.?", number, text)
    text = re.sub(r"(?<![a-z])q([1-4])\b", lambda m: f"@{3 * int(m[1]) - 2:02d}", text)
    text = re.sub(r"^(\d{4})[ -]?k?w ?(\d\d?)(?:-?([1-7]))?$", lambda m: f"{m[1]}-w{m[2]}-{m[3] or 1}", text)
    return re.sub(r"(?<=^\d{4})m(?=\d\d$)", "-", text).strip(" ,.")


def _of_day(part: pd.DataFrame) -> np.ndarray:
    """Return the seconds since midnight (UTC where a zone is named) of the groups of `CLOCK`, 0 for no clock."""
    hour, minute, second = (part[name].str.replace(",", ".").astype(float).fillna(0.0).to_numpy() for name in "HMS")
    half, zone = part["p"].fillna(""), part["z"].str.extract(r"([+-])(\d\d):?(\d\d)?")
    wrong = ((hour == 24) & (minute + second > 0)) | ((half != "") & ((hour < 1) | (hour > 12)))
    hour = np.where(half != "", hour % 12 + 12 * (half == "p"), hour)
    shift = 3600.0 * zone[1].astype(float).fillna(0.0) + 60.0 * zone[2].astype(float).fillna(0.0)
    at = 3600.0 * hour + 60.0 * minute + second - np.where(zone[0] == "-", -shift, shift)
    return np.where(wrong, np.nan, at)


def _in_order(days: np.ndarray) -> np.ndarray:
    """Return dates whose years have two digits in the hundred years in which they are in order."""
    if np.isnat(days).any():
        return days
    months = days.astype("M8[M]")
    years = months.astype("M8[Y]").astype(int) + 1970
    for first in range(FIRST_YEAR, FIRST_YEAR - 100, -1):
        moved = months + 12 * (first + (years - first) % 100 - years)
        steps = np.diff(moved.astype(int))
        if first == FIRST_YEAR:
            usual = moved
        if (steps >= 0).all() or (steps <= 0).all():
            return moved.astype("M8[s]") + (days - months)
    return usual.astype("M8[s]") + (days - months)
