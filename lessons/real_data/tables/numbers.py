"""A column of texts read as numbers, all of its cells in one way of writing or none; and codes for missing cells."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

_MISSING_WORDS = """
na n/a n.a. nan null none missing #n/a #na nil #div/0! #value! #ref! #name? #num! #null! <na> nat nodata
k.a. s/d n.d. nd"""
MISSING = frozenset(_MISSING_WORDS.split())
MAX_NUMBER = 1e100  # beyond it squares overflow; no reward is that large
_NO_INK = re.compile(r"[-–—*.?_/#\s]*")  # a cell of such signs alone is missing
_PLAIN = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,4})?", re.ASCII)
_AS_WRITTEN = str.maketrans("−’\u00a0\u2007\u2009\u202f", "-'    ")
_MONEY = r"(?:[$€£¥₹]|USD|EUR|GBP|CHF|INR|Rs\.?)"
_SIGNS = re.compile(rf"^([-+]?) *{_MONEY} *| *(?:{_MONEY}|%)$")
_NEGATIVE = re.compile(r"^\((.*)\)$|^(\d.*)-$")  # of accounts: (12.50) and 12.50-
# Thousands stand in groups of three and begin with no 0, Indian ones in groups of two and a last one of three.
_GROUPS = r"[1-9]\d{0,2}(?: \d{3})+|[1-9]\d{0,2}(?:'\d{3})+|\d*"
_POINT = rf"(?=[-+]?\.?\d)[-+]?(?:[1-9]\d{{0,2}}(?:,\d{{3}})+|\d{{1,2}}(?:,\d{{2}})+,\d{{3}}|{_GROUPS})(?:\.\d*)?"
_COMMA = rf"(?=[-+]?,?\d)[-+]?(?:[1-9]\d{{0,2}}(?:\.\d{{3}})+|{_GROUPS})(?:,\d*)?"
_WRITINGS = {s: re.compile(form + r"(?:[eE][-+]?\d{1,4})?", re.ASCII) for s, form in ((".", _POINT), (",", _COMMA))}
_STRIPPED = {".": str.maketrans("", "", ", '"), ",": str.maketrans(",", ".", ". '")}

FAR_RANGES = 3.0  # ranges of the other values from which a value that repeats lies far outside them
# One figure again and again: nines of either sign such as 99, 99.9 and -9999, and -66, -77.7, -888 and the like.
_FIGURES = [(sign * int(figure * n) / 10**k, n) for figure in "6789" for n in range(2, 8) for k in range(3)
            for sign in ((1, -1) if figure == "9" else (-1,)) if k < n]  # fmt: skip
USUAL = np.array([value for value, _ in _FIGURES])
LONG = np.array([value for value, n in _FIGURES if n > 2])  # three figures or more: no chance number
LARGE = 1e20  # from here on a value is a code by itself where it lies outside


@dataclass(frozen=True, eq=False)
class Column:
    """A column read as numbers.

    Attributes:
        values: (n,) NaN where a cell is missing, and all NaN where one is no number.
        missing: how many cells are.   bad: the first cell that is no number, "" for none.
        decimal: the decimal sign of its numbers, "" where they have none and group nothing.
        unsure: a cell that both decimal signs would read, and differently; "" where one alone reads all cells.
        odd: the first cell that is not written as 12.5, "" for none.
    """

    values: np.ndarray
    missing: int
    bad: str = ""
    decimal: str = ""
    unsure: str = ""
    odd: str = ""

    @property
    def numeric(self) -> bool:
        return not self.bad and self.missing < len(self.values)


def is_missing(cell: str, codes: Collection[str] = ()) -> bool:
    """Return whether a cell is empty, says that it is missing, or is one of these codes."""
    if not cell or cell in codes:
        return True
    return not cell[-1].isdigit() and (_NO_INK.fullmatch(cell) is not None or cell.lower() in MISSING)


def numbers(cells: Sequence[str], codes: Collection[str] = (), decimal: str = "", settled: bool = False) -> Column:
    """Read a column of texts as numbers.

    Args:
        codes: cells that count as missing besides the usual ones.
        decimal: the decimal sign where both would read the column; "" is a point.   settled: whether that is no guess.
    """
    written = {cell: cell for cell in dict.fromkeys(cells) if not is_missing(cell, codes)}
    missing = len(cells) - sum(map(written.__contains__, cells))
    if odd := next(itertools.filterfalse(_PLAIN.fullmatch, written), ""):
        signs: dict[str, str] = {}  # currency or percent: one for all cells, or on some of them a currency
        for cell in written:
            text = cell.translate(_AS_WRITTEN)
            mark = _SIGNS.search(text)
            signs.setdefault(mark[0].strip(" +-") if mark else "", cell)
            written[cell] = _NEGATIVE.sub(r"-\1\2", _SIGNS.sub(r"\1", text).strip())
        if len(signs.keys() - {""}) > 1 or signs.keys() == {"%", ""}:
            return Column(np.full(len(cells), np.nan), missing, list(signs.values())[-1])
    reads = [sign for sign, form in _WRITINGS.items() if all(map(form.fullmatch, written.values()))]
    if not reads:  # the cell at fault is one of the fewer
        faults = [[c for c, text in written.items() if not form.fullmatch(text)] for form in _WRITINGS.values()]
        return Column(np.full(len(cells), np.nan), missing, min(faults, key=len)[0])
    marked = next((cell for cell, text in written.items() if "," in text or "." in text), "")
    sign = reads[0] if len(reads) == 1 else decimal or "."
    plain = not odd and sign == "."
    known = {cell: float(cell if plain else text.translate(_STRIPPED[sign])) for cell, text in written.items()}
    if far := next((cell for cell, value in known.items() if abs(value) > MAX_NUMBER), ""):
        return Column(np.full(len(cells), np.nan), missing, far)
    values = np.array([known.get(cell, np.nan) for cell in cells], dtype=float)
    unsure = marked if len(reads) == 2 and not settled else ""
    return Column(values, missing, "", sign if marked else "", unsure, odd)


def codes_of(values: np.ndarray) -> np.ndarray:
    """Return (n, m) which cells hold a code for a missing one, column by column.

    A value is a code of its column where it is the least or the largest and outside the others: by their range if it
    looks like a code (nines such as 99, 99.9 and 9999, or -88.8, -77.7), by three if it repeats or is huge; a negative
    one also as the only value below 0 that repeats or looks like a code, and -9999 or less. What is a code in one
    column is one in every column where it lies outside the others.
    """
    held = np.zeros(values.shape, dtype=bool)
    for j, column in enumerate(values.T):
        held[:, j] = np.isin(column, _codes(column))
    for code in np.unique(values[held]):
        rest = np.where(held | (values == code) | np.isnan(values), code, values)
        held |= (values == code) & ((code <= rest).all(axis=0) | (code >= rest).all(axis=0))
    return held


def doubtful(values: np.ndarray, held: np.ndarray) -> dict[float, list[int]]:
    """Return values that may be codes, though nothing proves it -> their columns.

    They look like a code of three figures or more among like numbers, or are the only number below 0.
    """
    found: dict[float, list[int]] = {}
    for j, column in enumerate(values.T):
        left = np.unique(column[np.isfinite(column) & ~held[:, j]])
        lone = left[:1] if len(left) > 1 and left[0] < 0 <= left[1] and left[0].is_integer() else left[:0]
        for value in {*lone.tolist(), *left[np.isin(left, LONG[np.abs(LONG) > 77])].tolist()}:
            found.setdefault(value, []).append(j)
    return found


def _codes(column: np.ndarray) -> list[float]:
    left, found = column[np.isfinite(column)], []
    for _ in range(3):
        ends = (float(left.min()), float(left.max())) if len(left) else ()
        if (code := next((v for v in ends if _is_code(v, left)), None)) is not None:
            found.append(code)
            left = left[left != code]
    return found


def _is_code(value: float, column: np.ndarray) -> bool:
    """Return whether the least or largest value of a column is a code: see `codes_of`."""
    rest = column[column != value]
    if len(rest) < 2 or not np.ptp(rest):
        return False
    gap = min(abs(value - rest.min()), abs(value - rest.max())) / np.ptp(rest)
    repeats, like = len(column) - len(rest) > 1, bool(np.isin(value, USUAL))
    lone = value < 0 <= rest.min() and (like or (repeats and value.is_integer()))
    least = like and value <= -9999 and value < rest.min()
    return bool(lone or least or (like and gap > 1) or ((repeats or abs(value) >= LARGE) and gap > FAR_RANGES))
