"""Workbooks and Parquet files, read by pandas where a reader is installed; within the limits only."""

from __future__ import annotations

import io
import zipfile
from importlib.util import find_spec

from tvbo_core.data.limits import MAX_COLUMNS, TableError

MAX_UNPACKED_BYTES = 100_000_000  # of an archive
MAX_SCANNED_ROWS = 200_000
_DAMAGED = "The {0} cannot be read, it seems damaged: save the table as CSV."
_TOO_LONG = "The {0} is too large to read at once: save the part you want as CSV."
_NO_READER = "Reading {0} needs a package that is not installed: save the table as CSV, or run pip install {1}."


def workbook(raw: bytes):
    """Return the first sheet of an .xlsx workbook as a pandas DataFrame of texts without names, and its title.

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
    return _within_limits("workbook", ".xlsx", "openpyxl", sum(held.values()), _first_sheet, raw)


def parquet(raw: bytes):
    """Return the columns of a Parquet file that hold numbers, times or texts, as a pandas DataFrame of texts.

    Raises:
        TableError: it is damaged or too large, or there is no reader for it.
    """
    return _within_limits("Parquet file", "Parquet", "pyarrow", 0, _columns, raw)


def _within_limits(kind: str, written: str, package: str, size: int, read, raw: bytes):
    """Read the file, and turn what a foreign reader says of foreign bytes into a sentence."""
    if size > MAX_UNPACKED_BYTES:
        raise TableError(_TOO_LONG.format(kind))
    if find_spec(package) is None:
        raise TableError(_NO_READER.format(written, package))
    try:
        return read(raw)
    except TableError:
        raise
    except MemoryError as problem:
        raise TableError(_TOO_LONG.format(kind)) from problem
    except Exception as problem:
        raise TableError(_DAMAGED.format(kind)) from problem


def _first_sheet(raw: bytes):
    import pandas as pd

    book = pd.ExcelFile(io.BytesIO(raw), engine="openpyxl")
    frame = pd.read_excel(book, header=None, dtype=object, nrows=MAX_SCANNED_ROWS + 1, na_filter=False)
    if len(frame) > MAX_SCANNED_ROWS:
        raise TableError(_TOO_LONG.format("workbook"))
    frame = frame.iloc[:, : MAX_COLUMNS + 1].map(text)
    said = frame != ""
    frame = frame.loc[said.any(axis=1), said.any(axis=0)]
    if len(frame) < 2:
        raise TableError("The first sheet of the workbook holds no table: put names in one row and numbers below.")
    return frame, str(book.sheet_names[0])[:40]


def _columns(raw: bytes):
    import pandas as pd
    from pyarrow import types
    from pyarrow.parquet import ParquetFile

    file = ParquetFile(io.BytesIO(raw))
    meta = file.metadata
    size = sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
    if meta.num_rows > MAX_SCANNED_ROWS or size > MAX_UNPACKED_BYTES:
        raise TableError(_TOO_LONG.format("Parquet file"))
    kinds = (types.is_integer, types.is_floating, types.is_boolean, types.is_temporal, types.is_decimal,
             types.is_string, types.is_large_string)  # fmt: skip
    names = [f.name for f in file.schema_arrow if any(of(f.type) for of in kinds)][: MAX_COLUMNS + 1]
    if not names or not meta.num_rows:
        raise TableError("The Parquet file holds no table of numbers: save one with a column for every arm.")
    # A dictionary holds each text once; written out, 14 kB of a file may be gigabytes. Threads need room of their own.
    texts = [f.name for f in file.schema_arrow if types.is_string(f.type) or types.is_large_string(f.type)]
    frame = pd.read_parquet(io.BytesIO(raw), engine="pyarrow", columns=names, read_dictionary=texts, use_threads=False,
                            pre_buffer=False)  # fmt: skip
    return frame if isinstance(frame.index, pd.RangeIndex) else frame.reset_index()


def text(value: object) -> str:
    """Return a cell as a CSV file would write it."""
    if value is None or value != value:
        return ""
    if hasattr(value, "isoformat"):
        return str(value.isoformat()).replace("T", " ").removesuffix(" 00:00:00")
    return str(int(value)) if isinstance(value, bool) else str(value)
