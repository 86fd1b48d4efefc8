"""Columns of texts read as numbers or as times: pandas parses, the convention is chosen and named here.

Nothing is evaluated and nothing is guessed twice: each column is read in one convention, and a sentence says so
when it is not the plain one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MISSING = frozenset(
    ("", "na", "n/a", "nan", "null", "none", "-", "--", "—", "–", ".", "..", "?", "missing", "#n/a", "#na", "nil",
     "#div/0!", "#value!", "#ref!", "#name?", "#num!", "<na>", "nat")
)  # fmt: skip
MAX_NUMBER = 1e100  # beyond it squares overflow; no reward is that large, so such a cell counts as infinite
MAX_NUMBER_CHARACTERS = 60  # characters that a number or a time may have
_SPACES = re.compile("[\\s\u00a0\u2007\u2009\u202f'’]")
_SIGNS = re.compile(r"^([+-]?)[$€£¥%]+|[$€£¥%]+$")
_POINTS_GROUP = re.compile(r"[+-]?\d{1,3}(\.\d{3})+(,\d+)?", re.ASCII)  # 1.234,5
_COMMAS_GROUP = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", re.ASCII)  # 1,234.5
_COMMA_DECIMAL = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d{1,4})?", re.ASCII)
_CLOCK = r"[ T,]+(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?\s*(?:[AaPp][Mm])?\s*(?:Z|UTC|[+-]\d{2}:?\d{2})?)$"
_SAME_DAY = (  # a date as it is written, and as one of the formats below has it
    (r"^(\d{1,4})[/.-](\d{1,2})[/.-](\d{1,4})$", r"\1-\2-\3"),
    (r"^(\d{4})/(\d{1,2})$", r"\1-\2"),
    (r"([A-Za-z]{3})[a-z]*", r"\1"),
    (r"(?<=[A-Za-z0-9])[.,]? +(?=\w)|(?<=\d)[.-](?=[A-Za-z])|(?<=[A-Za-z])-(?=\d)", " "),
)
_COMPACT = r"(?:18|19|20|21)\d{6}"  # 20240101; other numbers of eight digits are numbers
_DAY_FIRST, _MONTH_FIRST = ("%d-%m-%Y", "%d-%m-%y"), ("%m-%d-%Y", "%m-%d-%y")
_DATES = ("%Y-%m-%d", "%Y%m%d", "%Y-%m", *_DAY_FIRST, *_MONTH_FIRST, "%d %b %Y", "%b %d %Y", "%b %Y")


@dataclass(frozen=True, eq=False)
class Column:
    """One column read as numbers.

    Attributes:
        values: (n,) NaN where a cell is missing or no number.
        missing: cells that are empty or say so.   infinite: cells that are infinite or beyond `MAX_NUMBER`.
        words: cells that hold something else.   formulas: those of them that begin like a formula.
        comma: what a comma is here: "decimal", "group" or "".   unsure: whether the other reading was possible.
        sample: a cell that shows it.   signs: a cell with a currency or percent sign, "" for none.
    """

    values: np.ndarray
    missing: int
    infinite: int
    words: int
    formulas: int
    comma: str = ""
    unsure: bool = False
    sample: str = ""
    signs: str = ""

    @property
    def numeric(self) -> bool:
        """Return True when at least one cell, and at least half of the non-empty ones, are numbers."""
        said = len(self.values) - self.missing
        return said > self.words + self.infinite and 2 * self.words <= said


def numbers(cells: Sequence[str], comma_separated: bool = True, comma: str = "") -> Column:
    """Read a column of texts as numbers.

    Args:
        comma_separated: whether commas also part the columns; then one inside a cell groups thousands.
        comma: the reading of the whole table, if other columns have settled it.
    """
    import pandas as pd

    texts = np.array(cells, dtype=object)
    values = pd.to_numeric(pd.Series(texts, dtype=object), errors="coerce").to_numpy(dtype=float)
    odd = np.flatnonzero(np.isnan(values)) if comma != "decimal" else np.arange(len(texts))
    kinds = {text: _clean(text) for text in set(texts[odd])}  # most columns are plain: then only the empty cells
    held = [k for k in dict.fromkeys(kinds[t] for t in texts[odd]) if k]
    comma, unsure, sample = _comma(held, comma_separated, comma)
    parsed = pd.to_numeric(pd.Series([_plain(k, comma) for k in held], dtype=object), errors="coerce")
    known = {**dict(zip(held, parsed.to_numpy(dtype=float), strict=True)), "": np.nan}
    values = values.copy()
    values[odd] = [known[kinds[t]] for t in texts[odd]]
    empty = sum(not kinds[t] for t in texts[odd])
    words = [t for t in texts[odd] if kinds[t] and np.isnan(known[kinds[t]])]
    formulas = sum(t.lstrip()[:1] in "=@" and len(t.strip()) > 1 for t in words)
    signs = next((t.strip() for t in kinds if re.search(r"[$€£¥%]", t) and np.isfinite(known[kinds[t]])), "")
    infinite = np.abs(values) > MAX_NUMBER
    values[infinite] = np.nan
    return Column(values, empty, int(infinite.sum()), len(words), formulas, comma, unsure, sample, signs)


def points_group(cells: Sequence[str]) -> bool:
    """Return True when every non-empty cell could be grouped by points, like 1.234."""
    said = [c for c in cells if c.strip().lower() not in MISSING]
    return bool(said) and all(_POINTS_GROUP.fullmatch(c.strip()) for c in said)


def _clean(cell: str) -> str:
    """Return the cell without currency and percent signs, spaces and apostrophes; "" where it says it is missing."""
    text = cell.strip()
    if len(text) > MAX_NUMBER_CHARACTERS:
        return text[:MAX_NUMBER_CHARACTERS] + "…"
    if text.lower() in MISSING:
        return ""
    digits = _SIGNS.sub(r"\1", _SPACES.sub("", text).replace("−", "-"))
    return digits if re.match(r"[+-.,0-9∞iI]", digits) else text


def _comma(texts: Sequence[str], comma_separated: bool, settled: str) -> tuple[str, bool, str]:
    """Return the meaning of a comma in this column, if another reading was possible, and a cell that shows it."""
    held = [t for t in texts if "," in t]
    if not held:
        points = [t for t in texts if t.count(".") > 1 and _POINTS_GROUP.fullmatch(t)]
        if settled == "decimal" and points_group(texts):
            return "decimal", True, texts[0]
        return ("decimal", False, points[0]) if points else ("", False, "")
    for t in held:
        if _COMMAS_GROUP.fullmatch(t) and ("." in t or t.count(",") > 1):
            return "group", False, t
        if _POINTS_GROUP.fullmatch(t) or (_COMMA_DECIMAL.fullmatch(t) and not _COMMAS_GROUP.fullmatch(t)):
            return "decimal", False, t
    return settled or ("group" if comma_separated else "decimal"), not settled, held[0]


def _plain(text: str, comma: str) -> str:
    """Return a number as a program writes it: no group signs, a decimal point."""
    if comma == "decimal" and ("," in text or _POINTS_GROUP.fullmatch(text)):
        return text.replace(".", "").replace(",", ".")
    if comma == "group" and _COMMAS_GROUP.fullmatch(text):
        return text.replace(",", "")
    return text.replace("∞", "inf")


@dataclass(frozen=True, eq=False)
class Times:
    """A column read as times.

    Attributes:
        at: (n,) seconds, or plain numbers; None when the column is no time, or mixes ways of writing it.
        formats: the ways of writing that were met, each with a sample.
        unreadable: cells that are no time.   dated: whether they are dates.
        either: a cell that the other order of day and month would read as another day, "" for none.
        day_first: whether the day was read before the month.
    """

    at: np.ndarray | None
    formats: tuple[str, ...]
    unreadable: int = 0
    dated: bool = True
    either: str = ""
    day_first: bool = False


def times(cells: Sequence[str]) -> Times:
    """Read a column of texts as times: dates in one way of writing, or numbers."""
    import pandas as pd

    text = pd.Series([c.strip()[:MAX_NUMBER_CHARACTERS] for c in cells], dtype=object)
    compact = text.str.fullmatch(_COMPACT)
    number = pd.to_numeric(text.where(~compact), errors="coerce")
    number = number.where(number.abs() <= MAX_NUMBER)
    if number.notna().all() and len(text):
        return Times(number.to_numpy(dtype=float), (text[0],), 0, False)
    clock = _clock(text)
    day = text.str.replace(_CLOCK, "", regex=True).where(clock.notna())
    for written, plain in _SAME_DAY:
        day = day.str.replace(written, plain, regex=True)
    ways = {
        form: pd.to_datetime(day.where(compact == (form == "%Y%m%d")), format=form, errors="coerce") for form in _DATES
    }
    ways["number"] = number
    ways = {form: at for form, at in ways.items() if at.notna().any()}
    formats = tuple(dict.fromkeys(text[at.first_valid_index()] for at in ways.values()))
    dated = bool(ways.keys() - {"number"})
    most = max((at.count() for at in ways.values()), default=0)
    best = [form for form in ways if ways[form].count() == most]
    # Of two readings that read as much: the one that is in order, and of two the shorter, and of two day first.
    form = min(best, key=lambda f: (not _rises(ways[f]), _length(ways[f]), f not in _DAY_FIRST), default="")
    unreadable = len(text) - most
    several = any((at.notna() & ways[form].isna()).any() for at in ways.values())
    if several or 2 * unreadable > len(text) or not ways:
        return Times(None, formats if several else formats[:1], unreadable, dated)
    at = ways[form]
    if form == "number":
        return Times(at.to_numpy(dtype=float), formats[:1], unreadable, False)
    twins = [ways[f] for f in best if f != form and (at.notna() & (ways[f] != at)).any()]
    either = text[(twins[0] != at).idxmax()] if twins else ""
    seconds = (at - pd.Timestamp(0)).dt.total_seconds() + clock
    return Times(seconds.to_numpy(dtype=float), formats[:1], unreadable, True, either, form in _DAY_FIRST)


def _rises(at) -> bool:
    """Return whether these times, a pandas Series, never go back."""
    return at.dropna().is_monotonic_increasing


def _length(at) -> float:
    """Return the seconds (or units) from the first to the last time."""
    length = at.max() - at.min()
    return float(getattr(length, "total_seconds", lambda: length)())


def _clock(text):
    """Return the seconds since midnight (UTC) of each text: 0 where it names no clock, NaN where that is none."""
    import pandas as pd

    clock = text.str.extract(_CLOCK)[0].str.replace(",", ".")
    at = pd.to_datetime("1970-01-01 " + clock, format="mixed", errors="coerce", utc=True)
    return (at - pd.Timestamp(0, tz="UTC")).dt.total_seconds().where(clock.notna(), 0.0)
