"""A column of texts read as numbers: all of its cells in one way of writing, or none of them."""

from __future__ import annotations

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
# Thousands stand in groups of three, Indian ones in groups of two and a last one of three.
_GROUPS = r"\d{1,3}(?: \d{3})+|\d{1,3}(?:'\d{3})+|\d*"
_POINT = rf"(?=[-+]?\.?\d)[-+]?(?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,2}}(?:,\d{{2}})+,\d{{3}}|{_GROUPS})(?:\.\d*)?"
_COMMA = rf"(?=[-+]?,?\d)[-+]?(?:\d{{1,3}}(?:\.\d{{3}})+|{_GROUPS})(?:,\d*)?"
_WRITINGS = {s: re.compile(form + r"(?:[eE][-+]?\d{1,4})?", re.ASCII) for s, form in ((".", _POINT), (",", _COMMA))}
_STRIPPED = {".": str.maketrans("", "", ", '"), ",": str.maketrans(",", ".", ". '")}


@dataclass(frozen=True, eq=False)
class Column:
    """A column read as numbers.

    Attributes:
        values: (n,) NaN where a cell is missing, and all NaN where one is no number.
        missing: how many cells are.   bad: the first cell that is no number, "" for none.
        decimal: the decimal sign of its numbers, "" where they have none and group nothing.
        unsure: a cell that both decimal signs would read, and differently; "" where one alone reads all cells.
        sample: a cell that shows the writing.   signed: a cell with a currency or percent sign, "" for none.
    """

    values: np.ndarray
    missing: int
    bad: str = ""
    decimal: str = ""
    unsure: str = ""
    sample: str = ""
    signed: str = ""

    @property
    def numeric(self) -> bool:
        return not self.bad and self.missing < len(self.values)


def is_missing(cell: str, codes: Collection[str] = ()) -> bool:
    """Return whether a cell is empty, says that it is missing, or is one of these codes."""
    return not cell or _NO_INK.fullmatch(cell) is not None or cell.lower() in MISSING or cell in codes


def numbers(cells: Sequence[str], codes: Collection[str] = (), decimal: str = "", settled: bool = False) -> Column:
    """Read a column of texts as numbers.

    Args:
        codes: cells that count as missing besides the usual ones.
        decimal: the decimal sign where both would read the column; "" is a point.   settled: whether that is no guess.
    """
    plain, odd = {}, []
    for cell in dict.fromkeys(cells):
        if _PLAIN.fullmatch(cell) and cell not in codes:
            plain[cell] = cell
        elif not is_missing(cell, codes):
            odd.append(cell)
    signed, reads = "", ["."]
    if odd:
        plain = {cell: _SIGNS.sub(r"\1", cell.translate(_AS_WRITTEN)).strip() for cell in [*plain, *odd]}
        signed = next(filter(_SIGNS.search, plain), "")
        reads = ["."] if all(map(_WRITINGS["."].fullmatch, plain.values())) else []
    if all(map(_WRITINGS[","].fullmatch, plain.values())):
        reads.append(",")
    missing = len(cells) - sum(cell in plain for cell in cells)
    if not reads:  # the cell at fault is one of the fewer
        faults = [[c for c, text in plain.items() if not form.fullmatch(text)] for form in _WRITINGS.values()]
        return Column(np.full(len(cells), np.nan), missing, min(faults, key=len)[0])
    marked = [cell for cell, text in plain.items() if "," in text or "." in text]
    sign = reads[0] if len(reads) == 1 else decimal or "."
    strange = odd or sign == ","
    known = {cell: float(text.translate(_STRIPPED[sign]) if strange else text) for cell, text in plain.items()}
    if far := [cell for cell, value in known.items() if abs(value) > MAX_NUMBER]:
        return Column(np.full(len(cells), np.nan), missing, far[0])
    values = np.array([known.get(cell, np.nan) for cell in cells], dtype=float)
    unsure = marked[0] if len(reads) == 2 and marked and not settled else ""
    sample = next((cell for cell in marked if not _PLAIN.fullmatch(cell)), "")
    return Column(values, missing, "", sign if marked else "", unsure, sample, signed)
