"""One table in many files: workbooks and Parquet say the same as CSV; what is no table is called so."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow.parquet import write_table

from lessons.real_data.reading.limits import MAX_BYTES
from lessons.real_data.tables import TableError, check, read
from tests.lessons.real_data.test_kinds import ROWS, checked, day, rows, said, text

GAP = 3  # the row whose cell is missing
DAYS = [date(2024, 1, 1) + timedelta(days=t) for t in range(ROWS)]
TABLE: list[list[Any]] = [["day", "a", "b", "c"], *([day(t), *map(float, v)] for t, v in enumerate(rows()))]


def parquet(columns: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    write_table(pa.table(columns), out)
    return out.getvalue()


def sheets(hidden: Sequence[str] = (), low: Sequence[int] = (), **cells: list[list[Any]]) -> bytes:
    """A workbook with these sheets, some of them hidden, and some of the rows."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for name, held in cells.items():
        sheet = book.create_sheet(name)
        sheet.sheet_state = "hidden" if name in hidden else "visible"
        for row in held:
            sheet.append(row)
        for row in low:
            sheet.row_dimensions[row].hidden = True
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def archive(name: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as box:
        box.writestr(name, "a,b\n1,2\n")
    return out.getvalue()


REFUSED: list[tuple[bytes, str]] = [
    (b"", "The file is empty"),
    (b"\xef\xbb\xbf\r\n \r\n", "The file is empty"),
    (archive("content.xml"), "workbook cannot be read, it seems damaged: save the table as CSV or .xlsx"),
    (archive("table.csv"), "a zip archive, not a table: unpack it"),
    (archive("table.csv")[:40], "seems damaged"),
    (gzip.compress(b"a,b\n1,2\n"), "a gzip archive"),
    (b"  <html>", "a web page or XML"),
    (b"%PDF-1.7 ...", "a PDF"),
    (b'{"a": [1, 2]}', "JSON"),
    (b"{\\rtf1\\ansi Dear colleague}", "This is a rich text"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "workbook cannot be read"),
    (b"PAR1" + b"\x01\x02" * 50 + b"PAR1", "Parquet file cannot be read"),
    (bytes(range(256)) * 8, "binary data"),
    (b"1" * 10_000_000, "One line has 10,000,000 characters"),
    (b"1,2\n" * (MAX_BYTES // 4 + 1), "at most 40 MB"),
    (b'a,b\n"' + b"1,2\n" * 50_000, "quotation mark is opened and never closed"),
    (text(rows(), names="день,север,юг,восток").encode("cp1251"), "no UTF-8 and no Western text"),
    (text(rows(), names="日付,東京,大阪,京都").encode("shift-jis"), "save it as UTF-8"),
    (text(rows(), names="日期,温度,湿度,压").encode("gbk"), "save it as UTF-8"),
    (b"Hello\n", "This is no table: "),
    (b"one\ntwo\nthree\n", "This is no table: "),
    (sheets(A=[], B=[["Report"]]), "No visible sheet of the workbook holds a table: "),
    (sheets(hidden=["B"], A=[], B=TABLE), "hidden: ‘B’; show it"),
    (sheets(A=[["day", "a"], *([["=1", "=2"]] * 9)]), "18 formulas in the workbook without a saved result"),
]


def test_file_that_is_no_table_is_refused():
    for raw, sentence in REFUSED:
        with pytest.raises(TableError) as caught:
            check(read(raw))
        assert sentence in str(caught.value) and str(caught.value).endswith(".") and "\n" not in str(caught.value)


def test_same_bytes_have_the_same_fingerprint():
    raw = text(rows()).encode()
    assert read(raw, "a.csv").fingerprint == read(raw, "b.csv").fingerprint != read(raw + b"\n", "a.csv").fingerprint


def gap(values: list[Any]) -> list[Any]:
    return [None if t == GAP else value for t, value in enumerate(values)]


PARQUET: dict[str, Any] = {
    "integers": pa.array(gap(list(range(ROWS)))),
    "unsigned": pa.array(gap(list(range(ROWS))), pa.uint8()),
    "texts": pa.array(gap([str(t) for t in range(ROWS)])),
    "decimals": pa.array(gap([Decimal(t) for t in range(ROWS)])),
    "durations": pa.array(gap([timedelta(seconds=t) for t in range(ROWS)])),
    "a dictionary": pa.array(gap([str(t) for t in range(ROWS)])).dictionary_encode(),
}


def test_parquet_columns_keep_their_missing_cells():
    table = {"day": pa.array(DAYS), **PARQUET, "pair": pa.array([{"left": 1}] * ROWS), "none": pa.nulls(ROWS)}
    result = checked(parquet(table), fill="drop")
    assert "Neither numbers nor texts, so not read: ‘pair’." in said(result) and "‘none’: empty" in said(result)
    assert result.sheet.parsed[1].missing == 1 and len(result.table.times) == ROWS - 1
    for j in range(len(PARQUET)):
        np.testing.assert_array_equal(result.table.rewards[:, j], np.delete(np.arange(ROWS), GAP))


def test_parquet_row_without_a_time_is_left_out():
    hours = pa.array(
        gap([datetime(2024, 1, 1) + t * timedelta(hours=1) for t in range(ROWS)]), pa.timestamp("us", "UTC")
    )
    for times, last in ((pa.array(gap(DAYS)), "2024-02-09"), (hours, "2024-01-02 15:00")):
        result = checked(parquet({"day": times, **{name: pa.array(rows()[:, j]) for j, name in enumerate("abc")}}))
        assert "1 row without a time in ‘day’" in said(result) and result.table.times[-1] == last
        np.testing.assert_allclose(result.table.rewards, np.delete(rows(), GAP, axis=0))


def test_parquet_index_and_repeated_names_are_no_damage():
    table = pd.DataFrame(rows(), columns=["a", "b", "c"], index=pd.Index(DAYS, name="day")).assign(day=DAYS)
    out = io.BytesIO()
    table.to_parquet(out)
    np.testing.assert_allclose(checked(out.getvalue()).table.rewards, rows())
    out = io.BytesIO()
    write_table(pa.table([pa.array(DAYS), pa.array(range(ROWS)), pa.array(range(ROWS))], names=["day", "a", "a"]), out)
    with pytest.raises(TableError, match="Two columns of the Parquet file are called ‘a’"):
        read(out.getvalue())


HOURS = [[datetime(2024, 1, 1) + t * timedelta(hours=1), *row[1:]] for t, row in enumerate(TABLE[1:])]
SHEETS: list[tuple[bytes, str]] = [
    (sheets(Data=TABLE), ""),
    (sheets(Data=[TABLE[0], *HOURS]), ""),
    (
        sheets(Cover=[["Report"]], Data=TABLE, Old=TABLE),
        "Sheet ‘Data’ of the workbook is read; 2 other sheets not read",
    ),
    (sheets(hidden=["Old"], Old=TABLE[:9], Data=TABLE), "hidden and not read: ‘Old’"),
    (sheets(Data=[["Report 2024"], [], *TABLE]), "1 line above the table"),
    (sheets(Data=[[None, *row] for row in TABLE]), ""),
    (sheets(Data=[r for row in TABLE for r in (row, [])]), ""),
    (sheets(Data=TABLE, low=(3, 4)), "2 hidden rows in the workbook read like the others"),
    (
        sheets(Data=[[*row, "s" if not t else f"=B{t}"] for t, row in enumerate(TABLE)]),
        f"{ROWS} formulas in the workbook",
    ),
]


def test_first_visible_sheet_with_a_table_is_read():
    for raw, sentence in SHEETS:
        result = checked(raw)
        assert sentence in said(result) and bool(sentence) == bool(said(result)), said(result)
        np.testing.assert_allclose(result.table.rewards, rows())
    book = [list(row) for row in zip(*TABLE, strict=True)]
    np.testing.assert_allclose(checked(sheets(Data=book), turned=True).table.rewards, rows())


def test_names_stand_on_one_line_with_ink():
    table = text(rows(), names='day,"a\nb",\u202egnp\x1b[2J,\u200b').encode()
    assert check(read(table)).sheet.header == ("day", "a b", "gnp[2J", "column 4")


def test_files_of_the_lab_pass_without_a_question():
    assert said(check(read(Path("assets/example_table.csv").read_bytes()))) == ""
