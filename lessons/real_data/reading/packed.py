"""Workbooks and Parquet files, read by pandas where a reader is installed; within the limits only."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from importlib.util import find_spec

from lessons.real_data.reading.limits import MAX_COLUMNS, TableError, count, label

MAX_UNPACKED_BYTES = 100_000_000  # of an archive
MAX_SCANNED_ROWS = 200_000
_DAMAGED = "The {0} cannot be read, it seems damaged: save the table as CSV."
_TOO_LONG = "The {0} is too large to read at once: save the part you want as CSV."
_NO_READER = "Reading {0} needs a package that is not installed: save the table as CSV, or run pip install {1}."


def workbook(raw: bytes):
    """Return the first sheet with a table of an .xlsx workbook: a pandas DataFrame of texts without names, and a note.

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
    return _within_limits("workbook", ".xlsx", "openpyxl", sum(held.values()), _first_table, raw)


def parquet(raw: bytes):
    """Return the columns of a Parquet file that hold numbers, times or texts, as a pandas DataFrame, and notes.

    Raises:
        TableError: it is damaged or too large, names two columns alike, or there is no reader for it.
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


def _first_table(raw: bytes):
    import pandas as pd

    book = pd.ExcelFile(io.BytesIO(raw), engine="openpyxl")
    skipped = ""
    for number, title in enumerate(book.sheet_names, 1):
        frame = pd.read_excel(book, title, header=None, dtype=object, nrows=MAX_SCANNED_ROWS + 1, na_filter=False)
        if len(frame) > MAX_SCANNED_ROWS:
            raise TableError(_TOO_LONG.format("workbook"))
        frame = texts(frame.iloc[:, : MAX_COLUMNS + 1])
        said = frame != ""
        frame = frame.loc[said.any(axis=1), said.any(axis=0)]
        if len(frame) >= 2:
            place = f" ({number} of {len(book.sheet_names)}{skipped})" if len(book.sheet_names) > 1 else ""
            return frame, f"Sheet ‘{label(str(title))}’ of the workbook{place}; formulas by their last value."
        skipped = (
            "; those before it hold no table" if len(frame) or "table" in skipped else ("; those before it are empty")
        )
    raise TableError("No sheet of the workbook holds a table: put names in one row and numbers below.")


def _columns(raw: bytes):
    import pandas as pd
    from pyarrow import types
    from pyarrow.parquet import ParquetFile

    file = ParquetFile(io.BytesIO(raw))
    meta = file.metadata
    size = sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
    if meta.num_rows > MAX_SCANNED_ROWS or size > MAX_UNPACKED_BYTES:
        raise TableError(_TOO_LONG.format("Parquet file"))
    kinds = (
        types.is_integer,
        types.is_floating,
        types.is_boolean,
        types.is_temporal,
        types.is_decimal,
        types.is_string,
        types.is_large_string,
        types.is_string_view,
        types.is_null,
    )

    def readable(kind) -> bool:
        return readable(kind.value_type) if types.is_dictionary(kind) else any(of(kind) for of in kinds)

    fields = list(file.schema_arrow)
    names = [f.name for f in fields if readable(f.type)][: MAX_COLUMNS + 1]
    if not names or not meta.num_rows:
        raise TableError("The Parquet file holds no table of numbers: save one with a column for every arm.")
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise TableError(f"Two columns of the Parquet file are called ‘{label(twice[0])}’: rename one of them.")
    left = [label(f.name) for f in fields if not readable(f.type)]
    shown = ", ".join(f"‘{name}’" for name in left[:3]) + (f" and {len(left) - 3} more" if len(left) > 3 else "")
    notes = (
        [
            f"{count(len(left), 'column')} hold{'s' if len(left) == 1 else ''} neither numbers nor texts ({shown}): "
            "ignored."
        ]
        if left
        else []
    )
    # A dictionary holds each text once; written out, 14 kB of a file may be gigabytes. Threads need room of their own.
    repeated = [f.name for f in fields if types.is_string(f.type) or types.is_large_string(f.type)]
    frame = pd.read_parquet(
        io.BytesIO(raw), engine="pyarrow", columns=names, read_dictionary=repeated, use_threads=False, pre_buffer=False
    )
    return (frame if isinstance(frame.index, pd.RangeIndex) else frame.reset_index()), notes


def texts(frame):
    """Return a pandas DataFrame with its cells as a CSV file would write them."""
    import pandas as pd

    columns = {i: cells(frame.iloc[:, i]) for i in range(frame.shape[1])}
    return pd.DataFrame(columns, index=frame.index, dtype=object)


def cells(column) -> list[str]:
    """Return the cells of a pandas Series as a CSV file would write them: nothing where one is missing."""
    return ["" if gone else _text(value) for value, gone in zip(column.tolist(), column.isna().tolist(), strict=True)]


def _text(value: object) -> str:
    if hasattr(value, "total_seconds"):  # a duration
        return str(value.total_seconds())
    if hasattr(value, "isoformat"):
        return str(value.isoformat()).replace("T", " ").removesuffix("+00:00").removesuffix(" 00:00:00")
    return str(int(value)) if isinstance(value, bool) else str(value)
