"""One table in many files: missing cells, encodings and sheets change nothing of it; what is no table is called so."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow.parquet import write_table

from lessons.real_data.reading.isolated import read_isolated
from lessons.real_data.tables import Choice, TableError, read
from lessons.real_data.tables.layout import lay_out
from tests.lessons.real_data.test_tables import ROWS, checked, day, rows, said, sheet_of, text, workbook

GAP = 3  # the row whose cell is missing
DAYS = [date(2024, 1, 1) + timedelta(days=t) for t in range(ROWS)]


def parquet(columns: dict[str, Any]) -> bytes:
    out = io.BytesIO()
    write_table(pa.table(columns), out)
    return out.getvalue()


def frame(**columns: Any) -> bytes:
    out = io.BytesIO()
    pd.DataFrame({"day": DAYS, **columns}).to_parquet(out)
    return out.getvalue()


def gap(values: list[Any]) -> list[Any]:
    return [None if t == GAP else value for t, value in enumerate(values)]


# --- a missing cell is missing in whatever way a file says so


@pytest.mark.parametrize("kind", ["Int64", "UInt8", "Float64", "boolean", "string", "category"])
def test_a_missing_cell_of_a_nullable_column_is_missing_and_the_others_are_read(kind: str) -> None:
    values: list[Any] = [t % 2 for t in range(ROWS)]
    if kind in ("string", "category"):
        values = list(map(str, values))
    column = pd.Series(gap(values), dtype=None if kind == "category" else "object").astype(kind)
    raw = frame(a=[float(t) for t in range(ROWS)], x=column)
    for table in (read(raw), read_isolated(raw)):
        sheet = lay_out(table, Choice())
        got = sheet.parsed[sheet.header.index("x")]
        assert got.missing == 1 and np.flatnonzero(np.isnan(got.values)).tolist() == [GAP] and got.numeric
        np.testing.assert_array_equal(np.delete(got.values, GAP), np.delete(np.arange(ROWS) % 2, GAP))


ARROW: dict[str, tuple[Callable[[], pa.Array], Callable[[int], float]]] = {
    "integers": (lambda: pa.array(gap(list(range(ROWS)))), float),
    "booleans": (lambda: pa.array(gap([t % 2 == 0 for t in range(ROWS)])), lambda t: float(t % 2 == 0)),
    "texts": (lambda: pa.array(gap([f"{t / 4}" for t in range(ROWS)])), lambda t: t / 4),
    "decimals": (lambda: pa.array(gap([Decimal(t) / 4 for t in range(ROWS)])), lambda t: t / 4),
    "durations": (lambda: pa.array(gap([timedelta(minutes=t) for t in range(ROWS)])), lambda t: 60.0 * t),
    "a dictionary of texts": (
        lambda: pa.array(gap(["1.5", "2"] * (ROWS // 2))).dictionary_encode(),
        lambda t: (1.5, 2.0)[t % 2],
    ),
    "a dictionary of numbers": (
        lambda: pa.array(gap([1, 2] * (ROWS // 2))).dictionary_encode(),
        lambda t: (1.0, 2.0)[t % 2],
    ),
}


@pytest.mark.parametrize("kind", ARROW)
def test_a_column_of_any_kind_of_number_is_read_with_its_missing_cell(kind: str) -> None:
    make, value = ARROW[kind]
    sheet = sheet_of(parquet({"day": pa.array(DAYS), "a": pa.array(np.arange(ROWS) % 7), "x": make()}))
    got = sheet.parsed[2].values
    assert sheet.header == ("day", "a", "x") and sheet.found == ()
    assert np.isnan(got[GAP]) and sheet.parsed[2].missing == 1
    np.testing.assert_allclose(np.delete(got, GAP), [value(t) for t in range(ROWS) if t != GAP])


@pytest.mark.parametrize(
    ("times", "first", "last"),
    [
        (pa.array(gap(DAYS)), "2024-01-01", "2024-02-09"),
        (
            pa.array(
                gap([datetime(2024, 1, 1) + t * timedelta(hours=1) for t in range(ROWS)]), pa.timestamp("us", "UTC")
            ),
            "2024-01-01 00:00",
            "2024-01-02 15:00",
        ),
    ],
    ids=["dates", "moments of a zone"],
)
def test_a_row_without_a_time_is_left_out_of_a_parquet_file(times: pa.Array, first: str, last: str) -> None:
    values = rows()
    result = checked(parquet({"day": times, **{name: pa.array(values[:, j]) for j, name in enumerate("abc")}}))
    assert "1 row without a time in ‘day’" in said(result)
    assert len(result.table.times) == ROWS - 1
    assert (result.table.times[0], result.table.times[-1]) == (first, last)
    np.testing.assert_allclose(result.table.rewards, np.delete(values, GAP, axis=0))


def test_columns_that_hold_no_cells_of_a_table_are_named_and_an_empty_one_is_called_empty() -> None:
    raw = parquet(
        {
            "day": pa.array(DAYS),
            "a": pa.array(np.arange(ROWS) % 7),
            "b": pa.array(np.arange(ROWS) % 5),
            "tags": pa.array(gap([[1, 2]] * ROWS)),
            "pair": pa.array([{"left": 1}] * ROWS),
            "raw": pa.array([b"x"] * ROWS),
            "none": pa.nulls(ROWS),
            "at": pa.array(gap([time(t % 24) for t in range(ROWS)])),
        }
    )
    told = said(checked(raw))
    assert "Neither numbers nor texts, so not read: ‘tags’, ‘pair’, ‘raw’." in told
    assert "‘none’: empty" in told and "‘at’: text" in told


def test_two_columns_of_one_name_are_told_from_a_damaged_file() -> None:
    out = io.BytesIO()
    write_table(pa.table([pa.array(DAYS), pa.array(range(ROWS)), pa.array(range(ROWS))], names=["day", "a", "a"]), out)
    with pytest.raises(TableError, match="Two columns of the Parquet file are called ‘a’"):
        read(out.getvalue())


def test_the_same_missing_cells_make_the_same_table_from_csv_workbook_and_parquet() -> None:
    values: list[list[Any]] = [[float(v) for v in row] for row in rows()]
    values[GAP][1] = values[9][0] = None
    lines = [",".join([day(t), *("" if v is None else f"{v:g}" for v in row)]) for t, row in enumerate(values)]
    files = {
        "csv": "\n".join(["day,a,b,c", *lines]).encode(),
        "workbook": workbook([["day", "a", "b", "c"], *([day(t), *row] for t, row in enumerate(values))]),
        "parquet": frame(**{n: pd.array([row[j] for row in values], "Float64") for j, n in enumerate("abc")}),
    }
    expected = rows()
    expected[GAP, 1], expected[9, 0] = expected[GAP - 1, 1], expected[8, 0]
    for kind, raw in files.items():
        result = checked(raw)
        np.testing.assert_allclose(result.table.rewards, expected, err_msg=kind)
        assert result.table.filled.sum() == 2 and "2 cells missing (1.7 %)" in said(result), kind


# --- the first sheet that is not empty


def opendocument(cells: list[list[Any]]) -> bytes:
    def cell(value: Any) -> str:
        if isinstance(value, float):
            return f'<table:table-cell office:value-type="float" office:value="{value}"/>'
        return f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'

    body = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in cells)
    spaces = "".join(f' xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"' for n in ("office", "table", "text"))
    content = f"<office:document-content{spaces}><office:body><office:spreadsheet><table:table table:name='A'>{body}"
    content += "</table:table></office:spreadsheet></office:body></office:document-content>"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as box:
        box.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        box.writestr(
            "META-INF/manifest.xml",
            "<manifest:manifest xmlns:manifest='urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'/>",
        )
        box.writestr("content.xml", content)
    return out.getvalue()


def sheets(hidden: Sequence[str] = (), **cells: list[list[Any]]) -> bytes:
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


TABLE: list[list[Any]] = [["day", "a", "b", "c"], *([day(t), *map(float, v)] for t, v in enumerate(rows()))]


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (lambda: sheets(Cover=[], Data=TABLE), "Sheet ‘Data’ of the workbook is read; 1 other sheet not read"),
        (
            lambda: sheets(Cover=[["Report"]], Other=[], Data=TABLE, Old=TABLE),
            "‘Data’ of the workbook is read; 3 other",
        ),
        (lambda: sheets(hidden=["Old"], Old=[["t", "x", "y"], [1, 2, 3]], Data=TABLE), "hidden and not read: ‘Old’"),
        (lambda: sheets(Data=TABLE), ""),
        (lambda: opendocument(TABLE), ""),
    ],
)
def test_the_first_visible_sheet_with_a_table_is_read(made: Callable[[], bytes], sentence: str) -> None:
    result = checked(made())
    assert sentence in said(result) and bool(sentence) == bool(said(result))
    np.testing.assert_allclose(result.table.rewards, rows())


def test_a_workbook_without_a_visible_table_is_refused() -> None:
    with pytest.raises(TableError, match="No visible sheet of the workbook holds a table: "):
        read(sheets(A=[], B=[["Report"]]))
    with pytest.raises(TableError, match="hidden: ‘B’; show it"):
        read(sheets(hidden=["B"], A=[], B=TABLE))


def test_formulas_without_a_saved_result_are_named() -> None:
    made = [["day", "a", "b", "sum"], *([d, a, b, f"=B{t + 2}+C{t + 2}"] for t, (d, a, b, _) in enumerate(TABLE[1:]))]
    told = said(checked(sheets(Data=made)))
    assert f"{ROWS} formulas in the workbook without a saved result" in told and "‘sum’: empty" in told


def test_an_index_named_like_a_column_is_no_damage() -> None:
    table = pd.DataFrame(rows(), columns=["a", "b", "c"], index=pd.Index(DAYS, name="day")).assign(day=DAYS)
    out = io.BytesIO()
    table.to_parquet(out)
    result = checked(out.getvalue())
    np.testing.assert_allclose(result.table.rewards, rows())
    assert result.table.times[-1] == day(ROWS - 1)


# --- encodings, in both directions


WESTERN = (
    "süd",
    "nord,süd",
    "Zürich",
    "Größe,Länge",
    "Österreich,Ärger",
    "GRÖSSE,CAFÉ,ÉTÉ",
    "été,à",
    "Noël,créée",
    "São Paulo,Brasília",
    "señal,año",
    "Malmö,Ångström",
    "Temp °C,PM µg/m³",
    "Débit [m³/s],Fläche [m²]",
    "naïve’s",
    "Jan–Mar",
    "£ price,Preis €",
    "±3,½",
)
ELSEWHERE = {
    "gb18030": ("北京,上海,广州", "最高气温,最低气温,降水量"),
    "cp932": ("東京,大阪", "カタカナ,ソ", "海,市", "ｱｲｳ,ﾄﾝ", "最高気温,最低気温,降水量"),
    "big5": ("台北,高雄", "東,南", "最高溫,最低溫,雨量"),
    "cp949": ("서울,부산", "최고기온,최저기온,강수량"),
    "cp1250": ("Łódź,Kraków,Gdańsk", "Plzeň,Děčín", "Gdańsk,Toruń"),
    "cp1251": ("Москва,Казань,Омск", "север,юг"),
    "cp1253": ("Αθήνα,Πάτρα",),
    "utf-16": ("süd,北京", "서울,Москва"),
    "utf-16-le": ("süd,nord",),
}


@pytest.mark.parametrize("times", [20, 400])
@pytest.mark.parametrize("names", WESTERN)
def test_a_western_file_is_read_as_one_and_not_as_an_asian_one(names: str, times: int) -> None:
    columns = names.split(",")
    raw = text(rows(times, len(columns)), names=f"day,{names}").encode("cp1252")
    assert sheet_of(raw).header[1:] == tuple(columns) and "read as cp1252, so check the accents" in read(raw).notes[0]


@pytest.mark.parametrize("times", [20, 400])
@pytest.mark.parametrize(("code", "names"), [(code, names) for code, many in ELSEWHERE.items() for names in many])
def test_a_file_of_another_country_is_not_read_as_a_western_one(code: str, names: str, times: int) -> None:
    columns = names.split(",")
    sheet = sheet_of(text(rows(times, len(columns)), names=f"day,{names}").encode(code))
    assert sheet.header[1:] == tuple(columns)


def test_the_one_accent_may_stand_behind_a_thousand_lines_without_any() -> None:
    lines = [f"{t},{t % 7},{t % 5},fine" for t in range(3000)]
    lines[-1] = "2999,3,4,süd"
    sheet = sheet_of("\n".join(["t,a,b,word", *lines]).encode("latin-1"))
    assert sheet.columns[3][-1] == "süd"


# --- a letter is no table


LETTER = """Dear colleague,

thank you for your letter, which arrived on Monday. We have read it, and
we shall answer all of your questions, one by one, before the end of May
2024. Until then, please accept our thanks.

Yours sincerely,
A. B.
"""


@pytest.mark.parametrize(
    "raw",
    [LETTER.encode(), LETTER.encode("utf-16"), b"Hello\n", b"one\ntwo\nthree\n"],
    ids=["a letter", "in UTF-16", "a word", "words"],
)
def test_a_text_that_is_no_table_is_called_so_in_the_first_sentence(raw: bytes) -> None:
    with pytest.raises(TableError, match=r"^This is no table: "):
        read(raw)


def test_a_rich_text_is_no_json() -> None:
    with pytest.raises(TableError, match="This is a rich text"):
        read(b"{\\rtf1\\ansi Dear colleague}")


def test_a_table_of_words_is_a_table_without_numbers() -> None:
    words = "day,a,b\n" + "\n".join(f"{day(t)},x,y{t}" for t in range(30))
    assert "No column of numbers" in checked(words).findings[-1].sentence
