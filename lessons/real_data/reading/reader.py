"""Reader of files and pasted texts into rows of texts, within the limits.

Decided here: the kind of the file, its encoding, its separator, and which rows of a long one are kept. What the rows
mean is asked later. Whatever the bytes are, the answer is a `RawTable` or one `TableError`.
"""

from __future__ import annotations

import csv
import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from lessons.real_data.reading import packed
from lessons.real_data.reading.limits import (
    MAX_BYTES,
    MAX_CELL_CHARACTERS,
    MAX_COLUMNS,
    MAX_LINE_CHARACTERS,
    MAX_ROWS,
    MAX_TEXT_CHARACTERS,
    TOP_ROWS,
    TableError,
    count,
    label,
)

SEPARATORS = ("\t", ";", "|", ",", " ")
LAST, EVEN = "last", "even"
SEAM = "\0"  # between the cells of a column; no cell holds it
SAMPLE_ROWS = 200  # from which the separator is found
EMPTY = "The file is empty: load one with a row of names and a row of numbers for every time."
NO_TABLE = (
    "This is no table: load a file with one row for every time, one column of numbers for every arm, and names "
    "in the first row."
)
QUOTE = "A quotation mark is opened and never closed: check the cells with quotes."
# A cell that one number, one date or clock fills, or that is missing.
_CELL = re.compile(
    r"[+−$€£-]{0,2}(?:[.,]?\d[\d.,'’]*|\d{1,3}(?:[ \u00a0]\d{3})+(?:[.,]\d+)?)(?:e[+-]?\d+)?[%€$]?|"
    r"\d[\d./:TZ+-]*(?: \d{1,2}:[\d:.]+(?: ?[AP]M)?)?|\d{1,2}[. /-]*[^\W\d_]{3,12}[. ,/-]*\d{2,4}|"
    r"[^\W\d_]{3,12}[. ]*\d{1,2}, *\d{4}|[-*.?_#]*|n/?a|nan|null",
    re.I,
)
_OTHER_KINDS = {  # how a file begins, what it is, and what to do
    b"\x1f\x8b": "a gzip archive, not a table: unpack it and load the table inside",
    b"%PDF": "a PDF, not a table: export the table as CSV",
    b"{\\rtf": "a rich text, not a table: save the table in it as CSV",
    b"{": "JSON, not a table: save it as CSV, one column an arm",
    b"[": "JSON, not a table: save it as CSV, one column an arm",
    b"<": "a web page or XML, not a table: open it, and save the table itself as CSV",
}
_NOT_WESTERN = re.compile(
    "[‚ƒ†‡ˆ‹˜›\ufffd]|[^\x00-\x7f]{3}"
)  # cp1252 holds no three accents in a row, and hardly these


@dataclass(frozen=True, eq=False)
class RawTable:
    """Rows as they stand in a file; which of them are names and what the columns are is not said yet.

    Attributes:
        name: of the file.   fingerprint: SHA-256 of its bytes, hexadecimal.
        joined: cells of each column with `SEAM` between them, a fifth of the memory of many short texts: of all its
            rows, or of the first `TOP_ROWS` and of those that are kept; a short row ends in "".
        rows: that the file has.   kept: that were kept of a longer file besides its top, 0 where all rows are here.
        notes: sentences on what was found and done.   named: whether the first row is the file's own names.
    """

    name: str
    fingerprint: str
    joined: tuple[str, ...]
    rows: int
    kept: int
    notes: tuple[str, ...]
    named: bool = False

    @property
    def cells(self) -> list[list[str]]:
        """Return the cells, a list a column."""
        return [column.split(SEAM) for column in self.joined]


def read(raw: bytes, name: str = "table.csv", thin: str = LAST) -> RawTable:
    """Return the rows in these bytes.

    Args:
        thin: of more than `MAX_ROWS` rows keep the `LAST`, or every k-th (`EVEN`).
    Raises:
        TableError: there is no table in them; nothing else is ever raised.
    """
    name = re.sub(r"[^\w .()+-]", "_", name)[-60:] or "table"
    if not raw.strip(b"\x00 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise TableError(EMPTY)
    if len(raw) > MAX_BYTES:
        raise TableError(
            f"The file has {len(raw) / 1e6:.1f} MB and at most {MAX_BYTES // 10**6} MB are read: keep "
            "fewer rows or columns."
        )
    total = 0
    if raw[:4] in (b"PK\x03\x04", b"PK\x05\x06", packed.OLD_WORKBOOK):
        rows, notes = packed.workbook(raw)
    elif raw[:4] == b"PAR1":
        rows, notes, total = packed.parquet(raw, lambda n: _kept(n, thin))
    else:
        rows, notes, total = _from_text(raw, thin)
    if not total:
        total = len(rows)
        rows = [rows[i] for i in _kept(total, thin)]
    kept = min(len(rows) - TOP_ROWS, MAX_ROWS) if total > len(rows) else 0
    width = min(max(map(len, rows)), MAX_COLUMNS if len(rows) > MAX_COLUMNS else MAX_ROWS)
    if sum(len(cell) for row in rows for cell in row[:width]) > MAX_TEXT_CHARACTERS:
        raise TableError(
            f"The cells hold more than {MAX_TEXT_CHARACTERS // 10**6} million characters: leave out the "
            "columns of text."
        )
    if width < max(map(len, rows)):
        notes.append(f"More than {width} columns: the first {width} are read.")
    columns = (
        SEAM.join(row[i].strip()[:MAX_CELL_CHARACTERS] if i < len(row) else "" for row in rows) for i in range(width)
    )
    return RawTable(
        name, hashlib.sha256(raw).hexdigest(), tuple(columns), total, kept, tuple(notes), raw[:4] == b"PAR1"
    )


def _kept(total: int, thin: str) -> Sequence[int]:
    """Return which of so many rows are kept: the top, and the last ones or every k-th below it."""
    if total <= MAX_ROWS + TOP_ROWS:
        return range(total)
    below = (
        range(total - MAX_ROWS, total) if thin == LAST else range(TOP_ROWS, total, -(-(total - TOP_ROWS) // MAX_ROWS))
    )
    return [*range(TOP_ROWS), *below]


def _decoded(raw: bytes, notes: list[str]) -> str:
    """Return the text of a file, with a note where it is not plain UTF-8."""
    if b"\x00" in raw[:4000]:
        # Signs of Western letters have their second byte 0.
        code = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-16-be" if raw[0] == 0 else "utf-16-le")
        with suppress(UnicodeDecodeError):
            text = raw.decode(code)
            if "\x00" not in text:
                notes.append("The file is UTF-16 text: read as such.")
                return text
        raise TableError("The file holds binary data, not text: save the table as CSV.")
    with suppress(UnicodeDecodeError):
        return raw.decode("utf-8-sig")
    text = raw.decode("cp1252", errors="replace")
    if _NOT_WESTERN.search(text):
        raise TableError("The file is no UTF-8 and no Western text, so its names cannot be read: save it as UTF-8.")
    notes.append("The file is no UTF-8: read as Western (cp1252). Where a name looks wrong, save it as UTF-8.")
    return text


def _refuse(start: bytes) -> None:
    """Complain about a file that begins like something else."""
    if kind := next((kind for magic, kind in _OTHER_KINDS.items() if start.startswith(magic)), ""):
        raise TableError(f"This is {kind}.")


def _from_text(raw: bytes, thin: str) -> tuple[list[list[str]], list[str], int]:
    """Return the rows of a text that are kept, notes, and how many it has."""
    _refuse(raw[:8])
    notes: list[str] = []
    text = _decoded(raw, notes).lstrip("\ufeff \r\n").replace("\x00", "")
    _refuse(text[:8].encode())
    lines = text.replace("\r\n", "\n").replace("\r", "\n").rstrip().encode("utf-8", errors="replace")
    names = b""
    while lines.startswith((b"#", b"sep=", b"Sep=", b"SEP=")):
        names, _, lines = lines.partition(b"\n")
    if not lines:
        raise TableError(EMPTY)
    # A row ends where a line does, but for lines inside quotes: there an odd number of quotation marks came before.
    signs = np.frombuffer(lines + b"\n", dtype=np.uint8)
    ends, quotes = np.flatnonzero(signs == 10), np.flatnonzero(signs == 34)
    ends = ends[np.searchsorted(quotes, ends) % 2 == 0]
    if len(quotes) % 2:
        raise TableError(QUOTE)
    longest = int(np.diff(ends, prepend=-1).max()) - 1
    if longest > MAX_LINE_CHARACTERS:
        raise TableError(
            f"One line has {longest:,} characters and at most {MAX_LINE_CHARACTERS:,} are read: "
            "a table has one line for every time."
        )
    starts = np.concatenate([[0], ends[:-1] + 1])
    kept = [lines[starts[i] : ends[i]].decode(errors="replace") for i in _kept(len(ends), thin)]
    separator = _separator([line for line in kept[:SAMPLE_ROWS] if line.strip()])
    if separator != " " and names.count(separator.encode()) == kept[0].count(separator) > 0:
        kept[0:0] = [names.decode(errors="replace").lstrip("# ")]  # a row of names behind a sign for comments
    rows = _rows(kept, separator)
    usual = Counter(map(len, rows)).most_common(1)[0][0]
    whole = [i for i, row in enumerate(rows) if len(row) >= usual]
    if separator == " " and (short := [i for i in range(whole[0], whole[-1]) if len(rows[i]) < usual]):
        shown = label(" ".join(rows[short[0]]), 60)
        notes.append(
            f"{count(len(short), 'row')} with fewer than {usual} cells (‘{shown}’) left empty: between spaces nothing "
            "shows which cells are missing: write NA for these."
        )
        for i in short:
            rows[i] = ["?"] * usual
    if wider := [row for row in rows if any(cell.strip() for cell in row[usual:])]:
        shown = label(", ".join(wider[0]), 60)
        notes.append(f"{count(len(wider), 'row')} with more than {usual} cells (‘{shown}’): are they in their columns?")
    return rows, notes, len(ends)


def _rows(lines: Sequence[str], separator: str) -> list[list[str]]:
    if separator == " ":
        lines = [line.replace("\t", " ").strip() for line in lines]  # leading spaces align, others part
    try:
        return list(csv.reader((line + "\n" for line in lines), delimiter=separator, skipinitialspace=True))
    except csv.Error as problem:
        raise TableError(QUOTE) from problem


def _separator(lines: Sequence[str]) -> str:
    """Return the separator that splits most lines into the same number of cells which a number or a time fills.

    Raises:
        TableError: none splits most of the lines alike, or into numbers.
    """
    best, score = "", (0.0, 0.0)
    for separator in SEPARATORS:
        try:
            rows = [[cell.strip() for cell in row] for row in _rows(lines, separator)]
        except TableError:  # a line break inside quotes, which are some only beside the right separator
            continue
        widths = Counter(map(len, rows))
        width = max(widths, key=lambda w: (widths[w], w))
        alike = [row for row in rows if len(row) == width]
        share = len(alike) / len(rows)
        full = sum(bool(_CELL.fullmatch(cell)) for row in alike for cell in row) / (len(alike) * width)
        if width < 2 or (separator == " " and (full < 0.5 or share < 0.6 or share * full < score[0] + 0.2)):
            continue
        if (new := (round(share * full, 2), share)) > score:
            best, score = separator, new
    if not best and all(_CELL.fullmatch(line.strip()) for line in lines[1:]) and len(lines) > 1:
        return ","  # one column
    if not best or (score[1] <= 0.5 and score[0] < 0.2):
        raise TableError(NO_TABLE)
    return best
