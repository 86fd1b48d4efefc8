"""Reader of files and pasted texts into cells, within the limits.

Nothing is decided here on what the cells mean: `lessons.real_data.tables` does that by the reader's choices.
"""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import re
import zipfile
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from lessons.real_data.reading.limits import (
    MAX_BYTES,
    MAX_CELL_CHARACTERS,
    MAX_COLUMNS,
    MAX_ROWS,
    MAX_TEXT_CHARACTERS,
    TOP_ROWS,
    TableError,
    count,
    label,
)

SEPARATORS = ("\t", ";", "|", ",", " ")  # of those that part as many rows alike the first is taken
SEAM = "\0"  # between the cells of a column; no cell holds it
SAMPLE_ROWS, SAMPLE_CHARACTERS = 50, 1_000_000  # from which a separator is suggested
MAX_UNPACKED_BYTES, MAX_SCANNED_ROWS = 100_000_000, 200_000  # of a workbook
ZIP, OLD_WORKBOOK = b"PK", b"\xd0\xcf\x11\xe0"
EMPTY = "The file is empty: load one with a row of names and a row of numbers for every time."
BINARY = "The file holds binary data, not text: save the table as CSV."
QUOTE = "A quotation mark in line {} or above is not closed in front of a separator: check the cells with quotes."
LONG_CELL = "Line {} has a cell of more than {:,} characters: a table has a number or a name in each."
TOO_LONG = "The workbook is too large to read at once: save the part you want as CSV."
DAMAGED = "This workbook cannot be read as a table: save the table as CSV."
NO_READER = "Workbooks are not read here, as python-calamine is not installed: save the table as CSV."
WESTERN = "The file is no UTF-8 and is read as Western (cp1252): where a name looks wrong, save it as UTF-8."

Row = list[str]


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells as they stand in a file.

    Attributes:
        name: of the file.   fingerprint: SHA-256 of its bytes, hexadecimal.
        joined: cells of each column with `SEAM` between them, a fifth of the memory of many short texts.
        left: rows of the file that are not here: those between its first `TOP_ROWS` and its last `MAX_ROWS`.
        sheet: of a workbook.   sheets: all that may be chosen.   separator: of a text, "" where it is none.
        notes: sentences on what was found.
    """

    name: str
    fingerprint: str
    joined: tuple[str, ...]
    left: int
    sheet: str
    sheets: tuple[str, ...]
    separator: str
    notes: tuple[str, ...]

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """Return the rows, all of one length."""
        return list(zip(*(column.split(SEAM) for column in self.joined), strict=True))


def read(raw: bytes, name: str = "table.csv", sheet: str = "") -> Cells:
    """Return the cells in these bytes.

    Args:
        sheet: of a workbook, "" for its longest.
    Raises:
        TableError: there is no table in them; nothing else is ever raised.
    """
    if not raw.strip(b"\x00 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise TableError(EMPTY)
    if len(raw) > MAX_BYTES:
        most = MAX_BYTES // 10**6
        raise TableError(f"The file has more than the {most} MB that are read: keep fewer rows or columns.")
    sheets: list[str] = []
    notes: list[str] = []
    if raw.startswith((ZIP, OLD_WORKBOOK)):
        sheet, sheets, rows, notes = _book(raw, sheet)
        separator = ""
        kept, total = _kept(rows, notes)
    else:
        text = _decoded(raw, notes)
        sheet, separator = "", _separator(text)
        kept, total = _kept(_parted(text, separator), notes)
    if not kept:
        raise TableError(EMPTY)
    width = max(map(len, kept))
    if width > MAX_COLUMNS:
        notes.append(f"The table has {width:,} columns; the first {MAX_COLUMNS} are read.")
    if sum(len(cell) for row in kept for cell in row[:MAX_COLUMNS]) > MAX_TEXT_CHARACTERS:
        million = MAX_TEXT_CHARACTERS // 10**6
        raise TableError(f"The cells hold more than {million} million characters: leave out the columns of text.")
    columns = (SEAM.join(row[i] if i < len(row) else "" for row in kept) for i in range(min(width, MAX_COLUMNS)))
    name = re.sub(r"[^\w .()+-]", "_", name)[-60:] or "table"
    mark = hashlib.sha256(raw).hexdigest()
    return Cells(name, mark, tuple(columns), total - len(kept), sheet, tuple(sheets), separator, tuple(notes))


def _kept(rows: Iterable[Row], notes: list[str]) -> tuple[list[Row], int]:
    """Return the first and the last rows of those that are not empty, and how many there are."""
    top: list[Row] = []
    last, total, empty = deque[Row](maxlen=MAX_ROWS), 0, 0
    for row in rows:
        if any(row):
            (top if total < TOP_ROWS else last).append(row)
            total += 1
        else:
            empty += len(row) > 1  # a blank line is no row
    if empty:
        notes.append(f"{count(empty, 'empty row')} left out.")
    return [[cell.strip().replace(SEAM, "")[:MAX_CELL_CHARACTERS] for cell in row] for row in (*top, *last)], total


def _decoded(raw: bytes, notes: list[str]) -> str:
    """Return the text of a file, with a note where it is read as cp1252."""
    wide = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not wide and b"\x00" in raw:
        raise TableError(BINARY)
    try:
        return raw.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as problem:
        if wide:
            raise TableError(BINARY) from problem
    notes.append(WESTERN)
    return raw.decode("cp1252", errors="replace")


def _parted(text: str, separator: str) -> Iterator[Row]:
    """Yield the rows of a text.

    Raises:
        TableError: a quotation mark is not closed.
    """
    lines: Iterable[str] = io.StringIO(text, newline=None)
    if separator == " ":
        lines = (line.replace("\t", " ").strip() + "\n" for line in lines)  # leading spaces align, others part
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True)
    try:
        yield from reader
    except csv.Error as problem:
        most = csv.field_size_limit()
        said = LONG_CELL if str(most) in str(problem) else QUOTE
        raise TableError(said.format(reader.line_num, most)) from problem


def _separator(text: str) -> str:
    """Return the separator that parts the largest share of the first rows into the same number of cells."""
    best, most, text = ",", 0.0, text[:SAMPLE_CHARACTERS]
    for separator in SEPARATORS:
        try:
            widths = Counter(len(row) for row in islice(filter(any, _parted(text, separator)), SAMPLE_ROWS))
        except TableError:  # a mark in the middle of a cell, which another separator may have at its edge
            continue
        several = {width: n for width, n in widths.items() if width > 1}
        share = max(several.values(), default=0) / max(widths.total(), 1)
        if share > most:
            best, most = separator, share
    return best


def _book(raw: bytes, chosen: str) -> tuple[str, list[str], list[Row], list[str]]:
    """Return what `_workbook` returns; what its package raises becomes one sentence."""
    try:
        return _workbook(raw, chosen)
    except TableError:
        raise
    except ImportError as problem:
        raise TableError(NO_READER) from problem
    except MemoryError as problem:
        raise TableError(TOO_LONG) from problem
    except Exception as problem:
        raise TableError(DAMAGED) from problem


def _workbook(raw: bytes, chosen: str) -> tuple[str, list[str], list[Row], list[str]]:
    """Return the sheet that is read, all visible sheets, the rows, and notes, of an .xlsx, .xlsb, .xls or .ods file."""
    from python_calamine import CalamineWorkbook, SheetVisibleEnum

    if raw.startswith(ZIP):
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            if sum(member.file_size for member in archive.infolist()) > MAX_UNPACKED_BYTES:
                raise TableError(TOO_LONG)
    book = CalamineWorkbook.from_filelike(io.BytesIO(raw))
    visible = [one.name for one in book.sheets_metadata if one.visible == SheetVisibleEnum.Visible]
    hidden = [one.name for one in book.sheets_metadata if one.name not in visible]
    notes = [f"Hidden sheets are not read: ‘{label(hidden[0])}’{', …' * (len(hidden) > 1)}."] if hidden else []
    if not visible:
        raise TableError("The workbook has no visible sheet: show the one with the table, save it and load it again.")
    sheets = {name: book.get_sheet_by_name(name) for name in ([chosen] if chosen in visible else visible)}
    name = max(sheets, key=lambda one: sheets[one].height)
    if sheets[name].height > MAX_SCANNED_ROWS:
        raise TableError(TOO_LONG)
    rows = [[_text(cell) for cell in row] for row in sheets[name].to_python()]
    if not any(map(any, rows)):
        said = "a formula counts with its saved result only, so save the workbook in an office program"
        raise TableError(f"No cell of the sheet ‘{label(name)}’ has a value: {said}, or choose another sheet.")
    return name, visible, rows, notes


def _text(value: object) -> str:
    """Return a cell as a CSV file would write it: nothing where it is missing."""
    if value is None or value != value:
        return ""
    if hasattr(value, "isoformat"):
        return str(value.isoformat()).replace("T", " ").removesuffix(" 00:00:00")
    if isinstance(value, float):
        return repr(float(value)).removesuffix(".0")
    return str(value)
