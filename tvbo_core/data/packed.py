"""Workbooks and Parquet files, where a reader for them is installed; unpacked within the limits only."""

from __future__ import annotations

import io
import zipfile
from collections import deque
from datetime import date, datetime
from importlib.util import find_spec
from time import monotonic

from tvbo_core.data.limits import MAX_CELL_CHARACTERS, MAX_COLUMNS, MAX_ROWS, TableError

MAX_UNPACKED_BYTES = 100_000_000  # of an archive
MAX_SCANNED_ROWS = 200_000
MAX_SECONDS = 4.0  # for one workbook
BATCH_ROWS = 1000  # of a Parquet file, read at a time
_DAMAGED = "The {0} cannot be read, it seems damaged: save the table as CSV."
_TOO_LONG = "The {0} is too large to read at once: save the part you want as CSV."
_NO_READER = "Reading {0} needs a package that is not installed: save the table as CSV, or run pip install {1}."

Rows = tuple[list[str], list[list[str]], int, list[str]]  # header, rows (the last `MAX_ROWS`), rows met, notes


def workbook(raw: bytes) -> Rows:
    """The first sheet of an .xlsx workbook: its header, its last rows, how many it has, and a note.

    Raises:
        TableError: it is another archive, is damaged or too large, or there is no reader for it.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            held = {i.filename: i.file_size for i in archive.infolist()}
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError) as problem:
        raise TableError(_DAMAGED.format("zip archive")) from problem
    if "xl/workbook.xml" not in held:
        raise TableError("This is a zip archive, not a table: unpack it and load the table inside.")
    if sum(held.values()) > MAX_UNPACKED_BYTES:
        raise TableError(_TOO_LONG.format("workbook"))
    if find_spec("openpyxl") is None:
        raise TableError(_NO_READER.format(".xlsx", "openpyxl"))
    try:
        return _first_sheet(raw)
    except TableError:
        raise
    except MemoryError as problem:
        raise TableError(_TOO_LONG.format("workbook")) from problem
    except Exception as problem:  # whatever a foreign reader says of foreign bytes, the reader of the page gets a word
        raise TableError(_DAMAGED.format("workbook")) from problem


def _first_sheet(raw: bytes) -> Rows:
    from openpyxl import load_workbook

    end = monotonic() + MAX_SECONDS
    book = load_workbook(io.BytesIO(raw), read_only=True, data_only=True)
    rows: deque[list[str]] = deque(maxlen=MAX_ROWS)
    header: list[str] | None = None
    met = 0
    for i, row in enumerate(book.worksheets[0].iter_rows(values_only=True, max_col=MAX_COLUMNS + 1)):
        if i > MAX_SCANNED_ROWS or monotonic() > end:
            raise TableError(_TOO_LONG.format("workbook"))
        cells = [_text(v) for v in row]
        if not any(cells):
            continue
        if header is None:
            header = cells
        else:
            rows.append(cells)
            met += 1
    if header is None or not met:
        raise TableError("The first sheet of the workbook holds no table: put names in one row and numbers below.")
    while header and not header[-1] and not any(len(r) >= len(header) and r[len(header) - 1] for r in rows):
        header.pop()
    title = book.worksheets[0].title[:40]
    return header, list(rows), met, [f"Sheet ‘{title}’ of the workbook; formulas by their last value."]


def parquet(raw: bytes) -> Rows:
    """A Parquet file: its header, its last rows, how many it has, and a note.

    Raises:
        TableError: it is damaged or too large, or there is no reader for it.
    """
    if find_spec("pyarrow") is None:
        raise TableError(_NO_READER.format("Parquet", "pyarrow"))
    try:
        return _columns(raw)
    except TableError:
        raise
    except MemoryError as problem:
        raise TableError(_TOO_LONG.format("Parquet file")) from problem
    except Exception as problem:  # as above
        raise TableError(_DAMAGED.format("Parquet file")) from problem


def _columns(raw: bytes) -> Rows:
    from pyarrow import types
    from pyarrow.parquet import ParquetFile

    source = io.BytesIO(raw)
    file = ParquetFile(source)
    meta = file.metadata
    size = sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
    if meta.num_rows > MAX_SCANNED_ROWS or size > MAX_UNPACKED_BYTES:
        raise TableError(_TOO_LONG.format("Parquet file"))
    numeric = (types.is_integer, types.is_floating, types.is_boolean, types.is_temporal, types.is_decimal)
    words = (types.is_string, types.is_large_string)
    fields = [f for f in file.schema_arrow if any(of(f.type) for of in (*numeric, *words))][: MAX_COLUMNS + 1]
    header = [f.name for f in fields]
    if not header or not meta.num_rows:
        raise TableError("The Parquet file holds no table of numbers: save one with a column for every arm.")
    # A dictionary holds each text once; written out, 14 kB of a file may be gigabytes.
    file = ParquetFile(source, read_dictionary=[f.name for f in fields if any(of(f.type) for of in words)])
    rows: deque[list[str]] = deque(maxlen=MAX_ROWS)
    left = meta.num_rows
    for batch in file.iter_batches(batch_size=BATCH_ROWS, columns=header, use_threads=False):
        left -= len(batch)
        if left < MAX_ROWS:
            rows += map(list, zip(*(_cells(batch.column(i)) for i in range(len(header))), strict=True))
    return header, list(rows), meta.num_rows, []


def _cells(column) -> list[str]:
    """Return the texts of a column of a Parquet batch, each cut before it is copied."""
    from pyarrow import compute, types

    if not types.is_dictionary(column.type):
        return [_text(v) for v in column.to_pylist()]
    used = compute.unique(column.indices)
    cut = compute.utf8_slice_codeunits(column.dictionary.take(used), 0, MAX_CELL_CHARACTERS).to_pylist()
    known = dict(zip(used.to_pylist(), cut, strict=True))
    return [known[i] or "" for i in column.indices.to_pylist()]


def _text(value: object) -> str:
    """A cell as a CSV file would write it."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S") if value.time() != datetime.min.time() else f"{value:%Y-%m-%d}"
    if isinstance(value, date):
        return value.isoformat()
    return str(int(value)) if isinstance(value, bool) else str(value)[:MAX_CELL_CHARACTERS]
