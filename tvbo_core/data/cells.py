"""Parsing of table cells: numbers in any country's writing, and times in the usual ones.

Nothing is evaluated and nothing is guessed twice: each column is read in one convention, and a sentence says so
when it is not the plain one.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

MISSING = frozenset(
    ("", "na", "n/a", "nan", "null", "none", "-", "--", "—", "–", ".", "..", "?", "missing", "#n/a", "#na", "nil",
     "#div/0!", "#value!", "#ref!", "#name?", "#num!", "<na>")
)  # fmt: skip
MAX_NUMBER = 1e100  # beyond it squares overflow; no reward is that large, so such a cell counts as infinite
_SPACES = re.compile("[\\s\u00a0\u2007\u2009\u202f'’]")
_TRIMMED = re.compile(r"^[$€£¥%]+|[$€£¥%]+$")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
_INFINITE = re.compile(r"[+-]?(inf|infinity|∞)", re.IGNORECASE)
_POINTS_GROUP = re.compile(r"[+-]?\d{1,3}(\.\d{3})+(,\d+)?", re.ASCII)  # 1.234,5
_COMMAS_GROUP = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", re.ASCII)  # 1,234.5
_COMMA_DECIMAL = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d{1,4})?", re.ASCII)
MAX_NUMBER_CHARACTERS = 60  # characters that a number may have
_LOOK_ALIKE = str.maketrans({"<": "‹", ">": "›"})
_OF_EVERY_OBJECT = frozenset(
    ("__proto__", "constructor", "toString", "toLocaleString", "valueOf", "hasOwnProperty", "isPrototypeOf",
     "propertyIsEnumerable", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__")
)  # fmt: skip
_ENTITY = re.compile(r"&(?=#?\w+;)")


def plain(text: str, most: int = 1000) -> str:
    """The beginning of a stranger's text as a figure may show it: no markup, no control, nothing that turns the line.

    A figure takes `<` and `&name;` for markup, so the one becomes a sign that looks alike and the other is parted by
    an invisible joiner; a word that every object of JavaScript knows gets a space behind it, or the figure would
    show what that object answers; line breaks become spaces; what else has no ink of its own (but the joiners that
    scripts and emoji need) is left out.
    """
    shown = " ".join(_ENTITY.sub("&\u200c", text[: 10 * most].translate(_LOOK_ALIKE)).split())
    hidden = ("Cc", "Cf", "Cs", "Co", "Cn")
    shown = "".join(c for c in shown if c in "\u200c\u200d" or unicodedata.category(c) not in hidden)[:most].strip()
    return f"{shown}\u00a0" if shown in _OF_EVERY_OBJECT else shown


@dataclass(frozen=True, eq=False)
class Column:
    """One column read as numbers.

    Attributes:
        values: (n,) NaN where a cell is missing or no number.
        missing: cells that are empty or say so.   infinite: cells that are infinite or beyond `MAX_NUMBER`.
        words: cells that hold something else.   formulas: those of them that begin like a formula.
        comma: what a comma is here: "decimal", "group" or "".   unsure: whether the other reading was possible.
        sample: a cell that shows it.
    """

    values: np.ndarray
    missing: int
    infinite: int
    words: int
    formulas: int
    comma: str = ""
    unsure: bool = False
    sample: str = ""

    @property
    def numeric(self) -> bool:
        """Return True when at least one cell, and at least half of the non-empty ones, are numbers."""
        said = len(self.values) - self.missing
        return said > self.words + self.infinite and 2 * self.words <= said


def numbers(cells: Sequence[str], comma_separated: bool = True, comma: str = "") -> Column:
    """A column of texts as numbers.

    Args:
        comma_separated: whether commas also part the columns; then one inside a cell groups thousands.
        comma: the reading of the whole table, if other columns have settled it.
    """
    try:
        values = np.array(list(map(float, cells)))  # most columns are plain
        if "_" not in "".join(cells) and not (comma == "decimal" and points_group(cells)):  # float() reads 1_000
            return _bounded(values, np.isnan(values), 0, 0)
    except ValueError:
        pass
    texts = [_plain(c) for c in cells]
    comma, unsure, sample = _comma(texts, comma_separated, comma)
    read = {text: _number(text, comma) for text in set(texts)}
    values = np.array([read[t][0] for t in texts])
    kinds = [read[t][1] for t in texts]
    words = kinds.count("word")
    formulas = sum(k == "word" and c.lstrip()[:1] in "=@" and len(c.strip()) > 1
                   for c, k in zip(cells, kinds, strict=True))  # fmt: skip
    missing = np.array([k == "missing" for k in kinds], dtype=bool)
    return _bounded(values, missing, words, formulas, comma, unsure, sample)


def points_group(cells: Sequence[str]) -> bool:
    """Return True when every non-empty cell could be grouped by points, like 1.234."""
    said = [c for c in cells if c.strip().lower() not in MISSING]
    return bool(said) and all(_POINTS_GROUP.fullmatch(c.strip()) for c in said)


def _bounded(values: np.ndarray, missing: np.ndarray, words: int, formulas: int, *more: Any) -> Column:
    with np.errstate(invalid="ignore"):
        infinite = np.abs(values) > MAX_NUMBER
    return Column(np.where(infinite, np.nan, values), int(missing.sum()), int(infinite.sum()), words, formulas, *more)


def _plain(cell: str) -> str:
    """Return the cell without currency and percent signs, spaces and apostrophes, cut at `MAX_NUMBER_CHARACTERS`."""
    text = cell.strip()
    if len(text) > MAX_NUMBER_CHARACTERS:
        return text[:MAX_NUMBER_CHARACTERS] + "…"
    if text.lower() in MISSING:
        return ""
    digits = _SPACES.sub("", text).replace("−", "-")
    digits = _TRIMMED.sub("", digits)
    return digits if digits[:1] in "+-.,0123456789∞iI" and digits else text


def _comma(texts: Sequence[str], comma_separated: bool, settled: str) -> tuple[str, bool, str]:
    """Return the meaning of a comma in this column, if another reading was possible, and a cell that shows it."""
    held = [t for t in dict.fromkeys(texts) if "," in t]
    if not held:
        points = [t for t in dict.fromkeys(texts) if t.count(".") > 1 and _POINTS_GROUP.fullmatch(t)]
        if settled == "decimal" and points_group(texts):
            return "decimal", True, next(t for t in texts if t)
        return ("decimal", False, points[0]) if points else ("", False, "")
    for t in held:
        if _COMMAS_GROUP.fullmatch(t) and ("." in t or t.count(",") > 1):
            return "group", False, t
        if _COMMA_DECIMAL.fullmatch(t) and not _COMMAS_GROUP.fullmatch(t):
            return "decimal", False, t
        if _POINTS_GROUP.fullmatch(t):
            return "decimal", False, t
    return settled or ("group" if comma_separated else "decimal"), not settled, held[0]


def _number(text: str, comma: str) -> tuple[float, str]:
    """The value and what the text is: "number", "missing" or "word"."""
    if text == "":
        return math.nan, "missing"
    if comma == "decimal" and ("," in text or _POINTS_GROUP.fullmatch(text)):
        text = text.replace(".", "").replace(",", ".")
    elif comma == "group" and _COMMAS_GROUP.fullmatch(text):
        text = text.replace(",", "")
    if _NUMBER.fullmatch(text):
        return float(text), "number"
    if _INFINITE.fullmatch(text):
        return (-math.inf if text[0] == "-" else math.inf), "number"
    return math.nan, "word"


_MONTHS = {m: i for i, m in enumerate(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov",
                                       "dec"), 1)}  # fmt: skip
_CLOCK = r"(?:[ T,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*([AaPp][Mm])?\s*(Z|[+-]\d{2}:?\d{2})?)?"
_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})(?:[-/.](\d{1,2}))?" + _CLOCK, re.ASCII)
_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4}|\d{2})" + _CLOCK, re.ASCII)
_NAMED = re.compile(r"(?:(\d{1,2})[ .-]+)?([A-Za-z]{3})[a-z]*\.?[ -]+(?:(\d{1,2}),?[ -]+)?(\d{4})" + _CLOCK, re.ASCII)


@dataclass(frozen=True, eq=False)
class Times:
    """A column read as times.

    Attributes:
        at: (n,) seconds, or plain numbers; None when the column is no time, or mixes ways of writing it.
        formats: the ways of writing that were met, each with a sample.
        unreadable: cells that are no time.
    """

    at: np.ndarray | None
    formats: tuple[str, ...]
    unreadable: int = 0
    dated: bool = True


def times(cells: Sequence[str]) -> Times:
    """A column of texts as times: dates in one way of writing, or numbers."""
    found: dict[str, str] = {}
    parts = []
    for cell in cells:
        kind, fields = _date(cell.strip()[:MAX_NUMBER_CHARACTERS])
        parts.append((kind, fields))
        if kind:
            found.setdefault(kind, cell.strip())
    unreadable = sum(not kind for kind, _ in parts)
    formats = tuple(found.values())
    if len(found) > 1 or 2 * unreadable > len(cells) or not found:
        return Times(None, formats, unreadable, bool(found))
    (kind,) = found
    if kind == "number":
        return Times(np.array([f[0] if f else math.nan for _, f in parts]), formats, unreadable, False)
    if kind.startswith("last"):
        ordered = _ordered(parts)
        if ordered is None:
            return Times(None, formats, unreadable)
        parts = ordered
    seconds = np.array([_seconds(f) for _, f in parts])
    return Times(seconds, formats, int(np.isnan(seconds).sum()))


def _date(text: str) -> tuple[str, tuple | None]:
    """(way of writing, fields); "" when it is none. Fields: year, month, day and the five of the clock."""
    if match := _YEAR_FIRST.fullmatch(text):
        year, sign, month, day, *clock = match.groups()
        return f"first{sign}", (int(year), int(month), int(day or 1), *clock)
    if match := _YEAR_LAST.fullmatch(text):
        first, sign, second, year, *clock = match.groups()
        full = int(year) if len(year) == 4 else 2000 + int(year) - (100 if int(year) > 68 else 0)
        return f"last{sign}", (full, int(first), int(second), *clock)
    if (match := _NAMED.fullmatch(text)) and match[2].lower() in _MONTHS:
        before, name, after, year, *clock = match.groups()
        return "named", (int(year), _MONTHS[name.lower()], int(before or after or 1), *clock)
    if re.fullmatch(r"\d{8}", text, re.ASCII) and 1800 < int(text[:4]) < 2200:
        return "compact", (int(text[:4]), int(text[4:6]), int(text[6:]), None, None, None, None, None)
    if _NUMBER.fullmatch(text) and abs(float(text)) <= MAX_NUMBER:
        return "number", (float(text),)
    return "", None


def _ordered(parts: list) -> list | None:
    """Day or month first, by what the column allows; else the reading that is in order, and of two the shorter."""
    pairs = [f[1:3] for _, f in parts if f]
    day_first, month_first = any(a > 12 for a, _ in pairs), any(b > 12 for _, b in pairs)
    if day_first and month_first:
        return None
    turned = [(k, f and (f[0], f[2], f[1], *f[3:])) for k, f in parts]
    if day_first or month_first:
        return turned if day_first else parts

    def oddness(read: list) -> tuple[bool, float]:
        at = [_seconds(f) for _, f in read if f]
        return at != sorted(at), max(at) - min(at)

    return turned if oddness(turned) <= oddness(parts) else parts


def _seconds(fields: tuple | None) -> float:
    """Seconds since 1970 in the time zone of the cell, corrected by its offset; NaN for no such date."""
    if not fields:
        return math.nan
    year, month, day, hour, minute, second, half, zone = fields
    clock = int(hour or 0)
    if half:
        clock = clock % 12 + 12 * (half.lower() == "pm")
    try:
        at = datetime(year, month, day, clock, int(minute or 0), int(second or 0))
    except ValueError:
        return math.nan
    offset = 0
    if zone and zone != "Z":
        offset = (int(zone[1:3]) * 60 + int(zone[-2:])) * (60 if zone[0] == "+" else -60)
    return (at - datetime(1970, 1, 1)).total_seconds() - offset
