"""One table in many files says the same; what is no table is called so; any bytes are cells or refused in time."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from time import thread_time  # of the processor: a busy machine is slow, not wrong
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.real_data.own_table import FIRST, LAST, file_rows
from lessons.real_data.reading.limits import MAX_BYTES
from lessons.real_data.tables import Cells, Loaded, TableError, load, read, suggest
from tests.strategies import LAW

ROWS = 40
VALUES = np.round(np.random.default_rng(0).normal(size=(ROWS, 3)).cumsum(axis=0), 3)
DAYS = [date(2024, 1, 1) + timedelta(days=t) for t in range(ROWS)]
TABLE: list[list[Any]] = [["day", "a", "b", "c"], *([str(DAYS[t]), *map(float, v)] for t, v in enumerate(VALUES))]


def text(names: str = "day,a,b,c", separator: str = ",", decimal: str = ".") -> str:
    lines = (separator.join([str(row[0]), *(f"{v:g}".replace(".", decimal) for v in row[1:])]) for row in TABLE[1:])
    return "\n".join([names.replace(",", separator), *lines])


def loaded(raw: bytes, sheet: str = "", **said: Any) -> Loaded:
    cells = read(raw, sheet=sheet)
    return load(cells, suggest(cells, **said))


def remarks(of: Loaded) -> str:
    return " ".join(check.sentence for check in of.checks if not check.ok)


def sheets(hidden: Sequence[str] = (), **cells: list[list[Any]]) -> bytes:
    """A workbook with these sheets, some of them hidden."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.active)
    for name, held in cells.items():
        sheet = book.create_sheet(name)
        sheet.sheet_state = "hidden" if name in hidden else "visible"
        for row in held:
            sheet.append(row)
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
    (archive("table.csv"), "This workbook cannot be read as a table: save the table as CSV"),
    (b"PAR1" + bytes(50) + b"PAR1", "binary data"),
    (gzip.compress(b"a,b\n1,2\n" + bytes(20)), "binary data"),
    (b"1,2\n" * (MAX_BYTES // 4 + 1), "more than the 40 MB"),
    (b'a,b\n"' + b"1,2\n" * 5_000, "A quotation mark in line 5001 or above is not closed"),
]
UNUSABLE = {
    "<html></html>": "No row is left below the rows of names",
    "\n".join(text().splitlines()[:13]): "Only 12 times",
    "\n".join(
        [",".join(["place", *map(str, DAYS)]), *(f"p{i}" + f",{i % 7}" * ROWS for i in range(30))]
    ): "names of the columns are times",
    "\n".join(line[:15] for line in text().splitlines()): "Only one arm, ‘a’, so nothing to choose",
    "day,a,b\n" + "\n".join(f"{t},7,{t % 3}" for t in range(30)): "Fewer than two arms are left (without change",
}


def test_file_that_is_no_table_is_refused():
    for raw, sentence in REFUSED:
        with pytest.raises(TableError) as caught:
            read(raw)
        assert sentence in str(caught.value) and str(caught.value).endswith(".") and "\n" not in str(caught.value)


def test_table_that_cannot_race_says_why():
    for table, sentence in UNUSABLE.items():
        result = loaded(table.encode())
        assert result.table is None and sentence in result.problem, result.problem


def test_one_table_in_many_writings():
    for raw in (
        text().encode(),
        text().encode("utf-8-sig"),
        text().encode("utf-16"),
        text(separator=";", decimal=",").encode(),
        text(separator="\t").replace("\n", "\r\n").encode(),
        text(separator=" ").encode(),
        ("A report,\n\n" + text()).encode(),
        text("März,a,b,c").encode("cp1252"),
        sheets(A=TABLE),
        sheets(A=[[DAYS[t], *row[1:]] if t >= 0 else row for t, row in enumerate(TABLE, -1)]),
    ):
        result = loaded(raw)
        assert result.table is not None, result.problem
        assert (result.table.times[0], result.table.times[-1]) == ("2024-01-01", "2024-02-09")
        np.testing.assert_allclose(result.table.rewards, VALUES)
        assert ("cp1252" in remarks(result)) == raw.startswith("März".encode("cp1252"))


def test_sheet_is_a_choice():
    book = sheets(hidden=["Old"], Old=TABLE * 2, Data=TABLE, Other=[["x", "y"], *([t, -t] for t in range(30))])
    assert read(book).sheets == ("Data", "Other") and "Hidden sheets are not read: ‘Old’" in read(book).notes[0]
    assert loaded(book).table.arm_names == ("a", "b", "c")
    assert loaded(book, "Other", time=()).table.arm_names == ("x", "y")


def test_rewards_change_as_chosen():
    raw = text().encode()
    np.testing.assert_allclose(loaded(raw, lower=True).table.rewards, -VALUES)
    prices = np.exp(VALUES / 100) * [10.0, 100.0, 900.0]
    raw = ("t,a,b,c\n" + "\n".join(f"{t}," + ",".join(map(repr, map(float, v))) for t, v in enumerate(prices))).encode()
    said = remarks(loaded(raw))
    assert "If these are prices, choose log returns" in said and "the largest weighs most" in said
    np.testing.assert_allclose(loaded(raw, log_returns=True).table.rewards, VALUES[4:] - VALUES[:-4], atol=1e-9)
    lines = raw.splitlines()
    lines[11] = b"10,9.5,,900"
    filled = loaded(b"\n".join(lines), log_returns=True).table.filled
    assert np.argwhere(filled).tolist() == [[6, 1], [10, 1]]  # the missing price is in two returns


def columns_of_numbers(rows: int, columns: int) -> list[list[str]]:
    values = np.random.default_rng(1).normal(size=(rows, columns))
    return [[f"c{i}" for i in range(columns)], *([f"{v:.3f}" for v in row] for row in values)]


def joined(rows: Sequence[Sequence[str]]) -> bytes:
    return "\n".join(map(",".join, rows)).encode()


@pytest.mark.parametrize(
    ("cell", "arms", "said"),
    [
        ("", ("c0", "c1", "c2"), "70 cells missing"),
        ("-", ("c0", "c1"), "Columns with numbers left out: ‘c2’."),
    ],
)
def test_column_that_begins_late_is_not_lost(cell: str, arms: tuple[str, ...], said: str) -> None:
    rows = columns_of_numbers(200, 3)
    for row in rows[1:71]:
        row[2] = cell
    result = loaded(joined(rows))
    assert result.table.arm_names == arms and said in remarks(result)


def test_columns_without_a_role_are_named() -> None:
    many = loaded(joined(columns_of_numbers(30, 204)))
    assert "left out: ‘c200’, ‘c201’, ‘c202’ and 1 more, as at most 200 arms race." in remarks(many)
    assert "Columns with numbers left out: ‘b’." in remarks(loaded(text().encode(), arms=(1, 3)))
    rows = columns_of_numbers(30, 3)
    for row in rows[1:]:
        row[2] = "NA"
    assert "No value in ‘c2’." in remarks(loaded(joined(rows)))


@pytest.mark.parametrize("first", ["2023-12-31,1.5,2,3", "2023-12-31,1.5,,3", "2023-12-31,NA,1.5,1.5"])
def test_round_taken_for_names_is_remarked(first: str) -> None:
    assert "if they are a round, choose no row of names" in remarks(loaded(text(first).encode()))
    assert "if they are a round" not in remarks(loaded(text("day,,b,").encode()))


@pytest.mark.parametrize("rows", [5_020, 6_000])  # of the second the middle is not read
@pytest.mark.parametrize("above", [0, 1])
def test_rows_have_their_numbers_in_the_file(rows: int, above: int) -> None:
    table = [["t", "a", "b"], *([str(t), str(t % 7), str(t % 5)] for t in range(1, rows + 1))]
    table[5_001][1] = "x"
    cells = read(joined([["a report"]] * above + table))
    result = load(cells, suggest(cells))
    assert "‘x’ in ‘a’ (row 5001)" in result.problem
    _, shown = file_rows(cells, result)
    numbers = [str(t) for t in (*range(1, FIRST - above), *range(rows - LAST + 1, rows + 1))]
    assert [row[0] for row in shown] == ["above"] * above + ["names", *numbers]


def test_columns_are_headed_by_what_they_become() -> None:
    raw = "\n".join(["year,t,a,a,b", *(f"2024,{t},{t % 7},{t % 5},{t % 3}" for t in range(ROWS))]).encode()
    cells = read(raw)
    result = load(cells, suggest(cells, time=(1,)))
    assert "‘year’: without change" in remarks(result)
    assert file_rows(cells, result)[0][1:] == [
        ("left out", "year"), ("time", "t"), ("arm", "a"), ("arm", "a (2)"), ("arm", "b")
    ]  # fmt: skip


def test_example_has_ticks_alone():
    assert remarks(loaded(Path("assets/example_table.csv").read_bytes())) == ""


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
        cells = read(raw, "fuzz.csv")
    except TableError as problem:
        assert str(problem).endswith(".")
        return
    assert isinstance(cells, Cells) and len({len(row) for row in cells.rows}) == 1
    for said in ({}, {"names": 2, "log_returns": True}, {"time": (0, 1), "arm_names": (2,), "above": 3, "below": 9}):
        result = load(cells, suggest(cells, **said))
        assert len(set(result.layout.header)) == len(result.layout.columns)
        assert (result.table is None) == result.problem.endswith(".")
        assert result.table is None or np.isfinite(result.table.rewards).all()
    assert thread_time() - start < 10.0  # what the reading process has; here it reads once and checks three times


@given(st.binary(max_size=600) | st.one_of(SHORT, TABLES).map(lambda text: text.encode("utf-8", errors="replace")))
@LAW
def test_any_bytes_are_cells_or_refused(raw):
    through(raw)
