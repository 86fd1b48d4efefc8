"""Rows of workbooks (calamine) and Parquet files (pyarrow), as texts; within the limits only."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from lessons.real_data.reading.limits import MAX_COLUMNS, TableError, count, label

MAX_UNPACKED_BYTES = 100_000_000  # of an archive
MAX_SCANNED_ROWS = 200_000
_DAMAGED = "The {0} cannot be read, it seems damaged: save the table as CSV or .xlsx."
_TOO_LONG = "The {0} is too large to read at once: save the part you want as CSV."
_NO_READER = "Reading a {0} needs a package that is not installed: save the table as CSV, or run pip install {1}."
# Cells and rows of an .xlsx sheet that its reader does not tell apart, and what is said of them.
_OF_CELLS = (
    (re.compile(rb"<f(?: [^>]*)?(?:/>|>[^<]*</f>)\s*(?:<v\s*/>|<v></v>)?\s*</c>"), "formula",
     "without a saved result, so these cells are empty here: open the file in an office program and save it there, "
     "which computes them"),
    (re.compile(rb'<row [^>]*hidden="(?:1|true)"'), "hidden row", "read like the others: delete what is not meant"),
)  # fmt: skip
OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"

Rows = list[list[str]]


@contextmanager
def _foreign(kind: str, package: str) -> Iterator[None]:
    """Turn what a foreign reader says of foreign bytes into a sentence."""
    try:
        yield
    except TableError:
        raise
    except ImportError as problem:
        raise TableError(_NO_READER.format(kind, package)) from problem
    except MemoryError as problem:
        raise TableError(_TOO_LONG.format(kind)) from problem
    except Exception as problem:
        raise TableError(_DAMAGED.format(kind)) from problem


@_foreign("workbook", "python-calamine")
def workbook(raw: bytes) -> tuple[Rows, list[str]]:
    """Return the rows of the first visible sheet with a table of an .xlsx, .xlsb, .xls or .ods workbook, and notes.

    Raises:
        TableError: it is another archive, is damaged or too large, or there is no reader for it.
    """
    sheets, notes = b"", []
    if not raw.startswith(OLD_WORKBOOK):
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            held = {member.filename: member.file_size for member in archive.infolist()}
            if not held.keys() & {"xl/workbook.xml", "xl/workbook.bin", "content.xml"}:
                raise TableError("This is a zip archive, not a table: unpack it and load the table inside.")
            if sum(held.values()) > MAX_UNPACKED_BYTES:
                raise TableError(_TOO_LONG.format("workbook"))
            names = [name for name in held if re.fullmatch(r"xl/worksheets/[^/]*\.xml", name)]
            sheets = b"".join(map(archive.read, names))
    for pattern, noun, words in _OF_CELLS:
        if found := len(pattern.findall(sheets)):
            notes.append(f"{count(found, noun)} in the workbook {words}.")
    return _visible_table(raw, notes)


@_foreign("Parquet file", "pyarrow")
def parquet(raw: bytes, keep: Callable[[int], Sequence[int]]) -> tuple[Rows, list[str], int]:
    """Return the names and rows of those columns of a Parquet file that hold numbers, times or texts, notes, all rows.

    Args:
        keep: which of so many rows to return; the first are the names.

    Raises:
        TableError: it is damaged or too large, names two columns alike, or there is no reader for it.
    """
    from pyarrow import types
    from pyarrow.parquet import ParquetFile

    repeated = [f.name for f in ParquetFile(io.BytesIO(raw)).schema_arrow if types.is_string(f.type)]
    # A dictionary holds each text once; written out, 14 kB of a file may be gigabytes.
    file = ParquetFile(io.BytesIO(raw), read_dictionary=repeated)
    meta, fields = file.metadata, list(file.schema_arrow)
    size = sum(meta.row_group(i).total_byte_size for i in range(meta.num_row_groups))
    if meta.num_rows > MAX_SCANNED_ROWS or size > MAX_UNPACKED_BYTES:
        raise TableError(_TOO_LONG.format("Parquet file"))
    plain = (types.is_integer, types.is_floating, types.is_boolean, types.is_temporal, types.is_decimal,
             types.is_string, types.is_large_string, types.is_string_view, types.is_null)  # fmt: skip

    def readable(kind) -> bool:
        return readable(kind.value_type) if types.is_dictionary(kind) else any(of(kind) for of in plain)

    names = [f.name for f in fields if readable(f.type)][: MAX_COLUMNS + 1]
    if not names or not meta.num_rows:
        raise TableError("The Parquet file holds no table of numbers: save one with a column for every arm.")
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise TableError(f"Two columns of the Parquet file are called ‘{label(twice[0])}’: rename one of them.")
    left = [f"‘{label(f.name)}’" for f in fields if not readable(f.type)]
    notes = [f"Neither numbers nor texts, so not read: {', '.join(left[:3])}."] if left else []
    kept = [i - 1 for i in keep(meta.num_rows + 1) if i]
    table = file.read(columns=names, use_threads=False).take(kept)  # its index, if any, is a column like others
    columns = [map(_text, table.column(name).to_pylist()) for name in names]
    head = [re.sub(r"^__index_level_\d+__$", "index", name) for name in names]
    return [head, *map(list, zip(*columns, strict=True))], notes, meta.num_rows + 1


def _visible_table(raw: bytes, notes: list[str]) -> tuple[Rows, list[str]]:
    from python_calamine import CalamineWorkbook, SheetVisibleEnum

    book = CalamineWorkbook.from_filelike(io.BytesIO(raw))
    hidden = [one.name for one in book.sheets_metadata if one.visible != SheetVisibleEnum.Visible]
    for name in (name for name in book.sheet_names if name not in hidden):
        sheet = book.get_sheet_by_name(name)
        if sheet.height > MAX_SCANNED_ROWS:
            raise TableError(_TOO_LONG.format("workbook"))
        rows = [[_text(cell) for cell in row] for row in sheet.to_python()]
        if sum(sum(map(bool, row)) > 1 for row in rows) > 1:
            other = len(book.sheet_names) - len(hidden) - 1
            more = [f"{count(other, 'other sheet')} not read"] * bool(other)
            more += [f"hidden and not read: {', '.join(f'‘{label(one)}’' for one in hidden[:3])}"] * bool(hidden)
            notes = [f"Sheet ‘{label(name)}’ of the workbook is read; {'; '.join(more)}."] * bool(more) + notes
            return rows, notes
    if notes:
        raise TableError(notes[0])
    also = f" (hidden: ‘{label(hidden[0])}’; show it in the office program and save)" if hidden else ""
    raise TableError(f"No visible sheet of the workbook holds a table{also}: put names in one row and numbers below.")


def _text(value: object) -> str:
    """Return a cell as a CSV file would write it: nothing where it is missing."""
    if value is None or value != value or str(value) == "NaT":
        return ""
    if hasattr(value, "total_seconds"):  # a duration
        return str(value.total_seconds())
    if hasattr(value, "isoformat"):
        return str(value.isoformat()).replace("T", " ").removesuffix("+00:00").removesuffix(" 00:00:00")
    if isinstance(value, float):
        return repr(float(value)).removesuffix(".0")
    return str(int(value)) if isinstance(value, bool) else str(value).replace("\0", "")
