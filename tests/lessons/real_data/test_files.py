"""One table in many files says the same; what is no table is called so; any bytes are a sheet or refused in time."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from time import thread_time  # of the processor: a busy machine is slow, not wrong
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow.parquet import write_table

from lessons.real_data.reading.limits import MAX_BYTES
from lessons.real_data.reading.reader import RawTable
from lessons.real_data.tables import Choice, TableError, check, read
from tests.lessons.real_data.test_kinds import ROWS, checked, day, finding_texts, rows, text
from tests.strategies import LAW

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
    assert "Neither numbers nor texts, so not read: ‘pair’." in finding_texts(
        result
    ) and "‘none’: empty" in finding_texts(result)
    assert result.sheet.parsed[1].missing == 1 and len(result.table.times) == ROWS - 1
    for j in range(len(PARQUET)):
        np.testing.assert_array_equal(result.table.rewards[:, j], np.delete(np.arange(ROWS), GAP))


def test_parquet_row_without_a_time_is_left_out():
    hours = pa.array(
        gap([datetime(2024, 1, 1) + t * timedelta(hours=1) for t in range(ROWS)]), pa.timestamp("us", "UTC")
    )
    for times, last in ((pa.array(gap(DAYS)), "2024-02-09"), (hours, "2024-01-02 15:00")):
        result = checked(parquet({"day": times, **{name: pa.array(rows()[:, j]) for j, name in enumerate("abc")}}))
        assert "1 row without a time in ‘day’" in finding_texts(result) and result.table.times[-1] == last
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
        assert sentence in finding_texts(result) and bool(sentence) == bool(finding_texts(result)), finding_texts(
            result
        )
        np.testing.assert_allclose(result.table.rewards, rows())
    book = [list(row) for row in zip(*TABLE, strict=True)]
    np.testing.assert_allclose(checked(sheets(Data=book), turned=True).table.rewards, rows())


def test_names_stand_on_one_line_with_ink():
    table = text(rows(), names='day,"a\nb",\u202egnp\x1b[2J,\u200b').encode()
    assert check(read(table)).sheet.header == ("day", "a b", "gnp[2J", "column 4")


def test_files_of_the_lab_pass_without_a_question():
    assert finding_texts(check(read(Path("assets/example_table.csv").read_bytes()))) == ""


FUZZ = settings(LAW, max_examples=40)
PIECES = st.sampled_from(
    ["1", "2.5", "1,5", "1.234,5", '"', ",", ";", "\t", "\n", "\r\n", " ", "=A1", "inf", "nan", "NaN", "-", "é",
     "\ufeff", "\x00", "2024-01-01", "01/02/2024", "31.12.99", "99999999", "1e400", "-1e-400", "a", "day", "<b>", "#",
     "|", "'", "10:61", "2024-13-45", "٣", "𝟘", "²", "1_0", "0x1", "+", "%", "$", "（", "\u2028", "\x1e"]
)  # fmt: skip
SHORT = st.lists(PIECES, max_size=120).map("".join)
TABLES = st.builds(
    lambda cells, separator: "\n".join(map(separator.join, cells)),
    st.lists(st.lists(PIECES, min_size=1, max_size=5), min_size=20, max_size=40),
    st.sampled_from(",;\t| "),
)


def through(raw: bytes) -> None:
    """The reader and the checks; only the reader's own error may come out, and what comes out is sound."""
    start = thread_time()
    try:
        table = read(raw, "fuzz.csv")
        assert isinstance(table, RawTable) and len({len(c) for c in table.cells}) == 1
        for choice in (Choice(), Choice(fill="drop", turned=True)):
            result = check(table, choice)
            assert len(set(result.sheet.header)) == len(result.sheet.columns) == len(result.sheet.parsed)
            assert result.findings and (result.table is None or np.isfinite(result.table.rewards).all())
    except TableError as problem:
        assert str(problem).endswith(".")
    assert thread_time() - start < 10.0  # what the reading process has; here it reads once and checks twice


@given(st.binary(max_size=600) | st.one_of(SHORT, TABLES).map(lambda text: text.encode("utf-8", errors="replace")))
@FUZZ
def test_any_bytes_are_a_sheet_or_refused(raw):
    through(raw)


@given(st.integers(0, 10_000), st.sampled_from([b"PAR1", b"PK\x03\x04", b"\xff\xfe", b"\x1f\x8b", b""]))
@FUZZ
def test_damaged_packed_file_is_refused(seed, magic):
    rng = np.random.default_rng(seed)
    raw = magic + rng.integers(0, 256, rng.integers(0, 400), dtype=np.uint8).tobytes() + magic
    if not magic:
        out = io.BytesIO()
        pd.DataFrame(np.arange(120.0).reshape(40, 3) ** 0.5, columns=["a", "b", "c"]).to_parquet(out)
        broken = bytearray(out.getvalue())
        for place in rng.integers(0, len(broken), 4):
            broken[place] = rng.integers(0, 256)
        raw = bytes(broken)
    through(raw)


def test_checks_of_the_widest_table_are_quick():
    values = np.random.default_rng(0).normal(size=(100, 200))
    lines = [",".join(f"{v:.4f}" for v in row) for row in values]
    body = "\n".join(f"{t},{lines[t % 100]}" for t in range(5000))
    table = read(("t," + ",".join(f"a{i}" for i in range(200)) + "\n" + body).encode())
    start = thread_time()
    assert check(table).table.rewards.shape == (5000, 200)
    assert thread_time() - start < 3.0  # what a reader waits for without a word
