"""A column of texts read as numbers: all of its cells in one way of writing, or none of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

MISSING = frozenset(
    ("na", "n/a", "n.a.", "nan", "null", "none", "missing", "#n/a", "#na", "nil", "#div/0!", "#value!", "#ref!",
     "#name?", "#num!", "#null!", "<na>", "nat", "no data", "nodata", "k.a.", "s/d", "n.d.", "nd")
)  # fmt: skip
MAX_NUMBER = 1e100  # beyond it squares overflow; no reward is that large
_NO_INK = re.compile(r"[-–—*.?_/#\s]*")  # a cell of such signs alone is missing
_PLAIN = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,4})?", re.ASCII)
_AS_WRITTEN = str.maketrans("−’\u00a0\u2007\u2009\u202f", "-'    ")
_SIGNS = re.compile(r"^([-+]?) *[$€£¥]|^([-+]?)(?:USD|EUR|GBP|CHF|INR|Rs\.?|₹) *| *(?:[$€£¥₹%]|USD|EUR|GBP|CHF|INR)$")
# Thousands stand in groups of three, Indian ones in groups of two and a last one of three.
_WRITINGS = {
    ".": re.compile(
        r"(?=[-+]?\.?\d)[-+]?(?:\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}|\d{1,3}(?: \d{3})+|\d{1,3}(?:'\d{3})+|\d*)"
        r"(?:\.\d*)?(?:[eE][-+]?\d{1,4})?",
        re.ASCII,
    ),
    ",": re.compile(
        r"(?=[-+]?,?\d)[-+]?(?:\d{1,3}(?:\.\d{3})+|\d{1,3}(?: \d{3})+|\d{1,3}(?:'\d{3})+|\d*)(?:,\d*)?"
        r"(?:[eE][-+]?\d{1,4})?",
        re.ASCII,
    ),
}
_STRIPPED = {".": str.maketrans("", "", ", '"), ",": str.maketrans(",", ".", ". '")}


@dataclass(frozen=True, eq=False)
class Column:
    """A column read as numbers.

    Attributes:
        values: (n,) NaN where a cell is missing; None where it is no column of numbers.
        missing: how many cells are.   bad: the first cell that is no number and its row, "" for none.
        decimal: the decimal sign of its numbers, "" where they have none and group nothing.
        unsure: a cell that both decimal signs would read, and differently; "" where one alone reads all cells.
        sample: a cell that shows the writing.   signed: a cell with a currency or percent sign, "" for none.
    """

    values: np.ndarray | None
    missing: int
    bad: tuple[str, int] = ("", 0)
    decimal: str = ""
    unsure: str = ""
    sample: str = ""
    signed: str = ""

    @property
    def numeric(self) -> bool:
        return self.values is not None and self.missing < len(self.values)


def is_missing(cell: str, codes: Collection[str] = ()) -> bool:
    """Return whether a cell is empty, says that it is missing, or is one of these codes."""
    return not cell or _NO_INK.fullmatch(cell) is not None or cell.lower() in MISSING or cell in codes


def numbers(cells: Sequence[str], codes: Collection[str] = (), decimal: str = "") -> Column:
    """Read a column of texts as numbers.

    Args:
        codes: cells that count as missing besides the usual ones.
        decimal: the decimal sign where both would read the column, "" for a point that is named as a guess.
    """
    unlike = {cell: is_missing(cell, codes) for cell in dict.fromkeys(cells)}
    held = [cell for cell, gone in unlike.items() if not gone]
    missing = sum(unlike[cell] for cell in cells)
    plain = {cell: cell for cell in held}
    signed = ""
    if not all(map(_PLAIN.fullmatch, held)):
        plain = {cell: _SIGNS.sub(r"\1\2", cell.translate(_AS_WRITTEN)).strip() for cell in held}
        signed = next((cell for cell in held if _SIGNS.search(cell)), "")
    reads = [sign for sign, written in _WRITINGS.items() if all(map(written.fullmatch, plain.values()))]
    if not reads:
        either = [cell for cell in held if not any(w.fullmatch(plain[cell]) for w in _WRITINGS.values())]
        comma = sum(bool(_WRITINGS[","].fullmatch(text)) for text in plain.values())
        point = sum(bool(_WRITINGS["."].fullmatch(text)) for text in plain.values())
        better = _WRITINGS["," if comma > point else "."]
        fault = either or [cell for cell in held if not better.fullmatch(plain[cell])]
        row, bad = min((cells.index(cell), cell) for cell in fault)
        return Column(None, missing, (bad, row))
    marked = [cell for cell, text in plain.items() if "," in text or "." in text]
    unsure = ""
    if len(reads) == 2:
        unsure = marked[0] if marked else ""
        reads = [decimal or "."]
    known = {cell: float(text.translate(_STRIPPED[reads[0]])) for cell, text in plain.items()}
    values = np.array([known.get(cell, np.nan) for cell in cells], dtype=float)
    if (far := np.flatnonzero(np.abs(values) > MAX_NUMBER)).size:
        return Column(None, missing, (cells[far[0]], int(far[0])))
    grouped = next((cell for cell in marked if not _PLAIN.fullmatch(cell)), "")
    return Column(values, missing, ("", 0), reads[0] if marked else "", unsure, grouped, signed)
