"""Tables of anybody: every bad input its own sentence, nothing but the reader's own error, in bounded time and room."""

from __future__ import annotations

import gzip
import io
import re
import subprocess
import sys
import zipfile
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

from lessons.real_data.reading import packed, reader
from lessons.real_data.reading.limits import MAX_BYTES, MAX_ROWS
from lessons.real_data.tables import Checked, Choice, Sheet, TableError, check, guess, read, read_text
from lessons.real_data.tables.layout import lay_out
from lessons.real_data.tables.numbers import numbers
from lessons.real_data.tables.times import dates, label

ROOT = Path(__file__).resolve().parents[3]
ROWS = 40


def rows(n: int = ROWS, arms: int = 3, seed: int = 0) -> np.ndarray:
    return np.round(np.cumsum(np.random.default_rng(seed).normal(size=(n, arms)), axis=0), 3)


def day(t: int) -> str:
    return str(date(2024, 1, 1) + timedelta(days=t))


def text(values: np.ndarray, labels: list[str] | None = None, names: str = "day,a,b,c") -> str:
    labels = labels or [day(t) for t in range(len(values))]
    return names + "\n" + "\n".join(",".join([w, *(f"{v:g}" for v in r)]) for w, r in zip(labels, values, strict=True))


def checked(table: str | bytes, **choice: object) -> Checked:
    sheet = read_text(table) if isinstance(table, str) else read(table)
    meant = guess(sheet)
    return check(sheet, Choice(**{**vars(meant), **choice}))


def sheet_of(table: str | bytes, **choice: object) -> Sheet:
    return lay_out(read_text(table) if isinstance(table, str) else read(table), Choice(**choice))


def said(result: Checked, ok: bool = False) -> str:
    return " | ".join(f.sentence for f in result.findings if f.ok == ok)


# --- a good table -------------------------------------------------------------------------------------------


def test_a_good_table_passes_every_check_with_a_tick():
    result = checked(text(rows()))
    assert said(result) == "" and len(result.findings) == 5
    assert "2024-01-01 to 2024-02-09" in said(result, ok=True)
    table = result.table
    np.testing.assert_allclose(table.rewards, rows())
    assert table.arm_names == ("a", "b", "c") and table.times[1] == "2024-01-02" and table.train_rows == 24


def test_lower_is_better_turns_the_sign_and_standardising_gives_unit_spread_in_training():
    low = checked(text(rows()), higher=False).table
    np.testing.assert_allclose(low.rewards, -rows())
    even = checked(text(rows() * [1.0, 1e4, 1e-3]), standardise=True).table
    np.testing.assert_allclose(even.rewards[: even.train_rows].std(axis=0), 1.0, rtol=1e-9)


def test_the_same_bytes_have_the_same_fingerprint_under_any_name():
    raw = text(rows()).encode()
    assert read(raw, "a.csv").fingerprint == read(raw, "b.csv").fingerprint != read(raw + b"\n", "a.csv").fingerprint


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " "])
def test_columns_may_be_parted_by_any_usual_sign(separator):
    sheet = sheet_of(text(rows()).replace(",", separator))
    assert sheet.header == ("day", "a", "b", "c")
    np.testing.assert_allclose(np.stack([c.values for c in sheet.parsed[1:]], axis=1), rows())


# --- files that are no table ----------------------------------------------------------------------------------


def archive(name: str = "table.csv") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr(name, "a,b\n1,2\n")
    return out.getvalue()


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"", "The file is empty"),
        (b"\xef\xbb\xbf\r\n \r\n", "The file is empty"),
        (archive("content.xml"), "OpenDocument workbook cannot be read, it seems damaged: save the table as CSV or"),
        (archive(), "a zip archive, not a table: unpack it"),
        (archive()[:40], "seems damaged"),
        (gzip.compress(b"a,b\n1,2\n"), "a gzip archive"),
        (b"<!DOCTYPE html><html><body><table></table></html>", "a web page or XML"),
        (b"  <html>", "a web page or XML"),
        (b"%PDF-1.7 ...", "a PDF"),
        (b'{"a": [1, 2]}', "JSON"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "workbook cannot be read"),
        (b"PAR1" + b"\x01\x02" * 50 + b"PAR1", "Parquet file cannot be read"),
        (bytes(range(256)) * 8, "binary data"),
        (b"1" * 10_000_000, "One line has 10,000,000 characters"),
        (b"1,2\n" * (MAX_BYTES // 4 + 1), "at most 40 MB"),
        (b'a,b\n"' + b"1,2\n" * 50_000, "quotation mark is opened and never closed"),
    ],
    ids=lambda v: v if isinstance(v, str) else "file",  # an archive's bytes hold the time of day
)
def test_a_file_that_is_no_table_is_refused_with_its_own_sentence(raw, sentence):
    with pytest.raises(TableError, match=sentence) as caught:
        check(read(raw))
    assert str(caught.value).endswith(".") and "\n" not in str(caught.value)


# --- tables that cannot race, each with its own sentence ----------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("day,a,b\n2024-01-01,1,2\n", "Only one row: at least 20"),
        (text(rows(12)), "Only 12 rows"),
        (text(rows(arms=1), names="day,a"), "Only one arm, ‘a’: nothing to choose"),
        ("a\n" + "1\n2\n" * 20, "nothing to choose"),
        ("day,a,b\n" + "\n".join(f"{day(t)},x,y{t}" for t in range(30)), "No column of numbers"),
        ("day,a,b\n" + "\n".join(f"{day(t)},7,{t % 3}" for t in range(30)), "Fewer than two arms change"),
        ("day,a,b\n" + "\n".join(f"{day(t)},,{t % 3}" for t in range(30)), "Only one arm"),
    ],
)
def test_a_table_that_cannot_race_says_why_last(table, sentence):
    result = checked(table)
    assert result.table is None and not result.findings[-1].ok
    assert sentence in result.findings[-1].sentence


# --- tables that race, with a word of warning ----------------------------------------------------------------------


def holes(values: np.ndarray, *cells: tuple[int, int]) -> str:
    lines = text(values).split("\n")
    for row, column in cells:
        parts = lines[row + 1].split(",")
        parts[column + 1] = ""
        lines[row + 1] = ",".join(parts)
    return "\n".join(lines)


def with_cell(cell: str, row: int = 3) -> str:
    lines = text(rows()).split("\n")
    lines[row + 1] = lines[row + 1].rsplit(",", 1)[0] + "," + cell
    return "\n".join(lines)


WARNED = {
    "text column": (
        "day,site,a,b\n" + "\n".join(f"{day(t)},x,{t % 3},{t % 5}" for t in range(30)),
        "‘site’: text, left out",
    ),
    "duplicate times": (
        text(rows(), [day(t // 2) for t in range(ROWS)]),
        "20 rows with a time that was there before (2024-01-01)",
    ),
    "gap": (text(rows(), [day(t + 30 * (t > 9)) for t in range(ROWS)]), "1 gap in time, the longest after 2024-01-10"),
    "newest first": (text(rows(), [day(ROWS - t) for t in range(ROWS)]), "newest first: they are sorted"),
    "all-missing arm": ("day,a,b,c\n" + "\n".join(f"{day(t)},{t % 3},{t % 5}," for t in range(30)), "‘c’: empty"),
    "constant arm": ("day,a,b,c\n" + "\n".join(f"{day(t)},{t % 3},{t % 5},4" for t in range(30)), "‘c’ never changes"),
    "infinity": (with_cell("inf"), "‘inf’ in ‘c’ is no number"),
    "overflow": (with_cell("1e400"), "‘1e400’ in ‘c’ is no number"),
    "scales": (text(rows() * [1.0, 1.0, 1e6]), "in scale"),
    "formula cell": (with_cell("=SUM(A1:A9)"), "‘=SUM(A1:A9)’ in ‘c’ is a formula, which is not evaluated"),
    "word": (with_cell("closed"), "‘closed’ in ‘c’ is no number"),
    "missing": (holes(rows(), (3, 1), (9, 0)), "2 cells missing (1.7 %): each repeats the last value"),
    "no header": (text(rows()).split("\n", 1)[1], "No row of names"),
    "same names": (text(rows(), names="day,a,a,b"), "‘a’"),
    "lines above": ("A report\nof 2024\n" + text(rows()), "2 lines above the table skipped"),
    "a note below": (text(rows()) + "\nSource: a bank", "‘Source: a bank’ below the table is left out"),
    "few rows": (text(rows(30, 40), names="day," + ",".join(f"a{i}" for i in range(40))), "not positive definite"),
}


@pytest.mark.parametrize("kind", WARNED)
def test_a_flaw_that_can_be_mended_is_named_and_the_table_still_races(kind):
    table, sentence = WARNED[kind]
    result = checked(table)
    assert sentence in said(result), said(result)
    assert result.table is not None and np.isfinite(result.table.rewards).all()


def test_a_column_of_formulas_is_never_evaluated():
    table = "day,a,b,c\n" + "\n".join(f"{day(t)},{t % 3},{t % 5},=B{t}+1" for t in range(30))
    assert "is a formula, which is not evaluated" in said(checked(table))


def test_times_that_repeat_all_along_are_refused():
    table = "day,site,a,b\n" + "\n".join(f"{day(t // 3)},{'xyz'[t % 3]},{t % 7},{t % 4}" for t in range(90))
    assert checked(table).table is None and "60 rows of 90 have a time in ‘day’" in said(checked(table))


def test_missing_cells_repeat_the_last_value_or_their_rows_are_dropped():
    values = rows()
    broken = holes(values, (3, 1), (4, 1), (0, 2))
    filled = checked(broken).table
    np.testing.assert_allclose(filled.rewards[[3, 4], 1], values[2, 1])
    assert filled.rewards[0, 2] == pytest.approx(values[1, 2])  # nothing before it: the first that is known
    assert filled.filled.sum() == 3 and filled.filled[3, 1]
    dropped = checked(broken, fill="drop")
    assert len(dropped.table.times) == ROWS - 3 and "3 rows dropped" in said(dropped)


def test_rows_of_one_time_are_averaged():
    values = rows()
    table = checked(text(values, [day(t // 2) for t in range(ROWS)])).table
    np.testing.assert_allclose(table.rewards, values.reshape(-1, 2, 3).mean(axis=1), atol=1e-9)


def test_an_arm_that_moves_only_in_the_race_is_left_out_as_the_kernel_could_learn_nothing_of_it():
    values = rows(ROWS, 4)
    values[:24, 1] = 5.0  # 24 of 40 rows are for training
    values[:, 2] = 0.0
    values[3:5, 3] = np.nan
    result = checked(text(values, names="day,a,late,zero,c").replace("nan", ""))
    assert "‘late’, ‘zero’ never change in the training part" in said(result)
    assert result.table.arm_names == ("a", "c") and result.table.train_rows == 24
    np.testing.assert_allclose(result.table.rewards[:, 0], values[:, 0])
    np.testing.assert_array_equal(result.table.filled[:, 1], np.isnan(values[:, 3]))  # the marks go with their arms
    assert not result.table.filled[:, 0].any()


def test_an_arm_that_moves_by_a_thousandth_of_its_level_is_an_arm():
    values = rows()
    values[:, 1] = 1000.0 * (1.0 + 1e-4 * values[:, 1])
    result = checked(text(values), standardise=True)
    assert result.table.arm_names == ("a", "b", "c") and "never change" not in said(result)


@pytest.mark.parametrize("share", [0.0, 0.05, 0.95, 1.0, -1.0, float("nan")])
def test_a_share_that_leaves_a_part_too_short_is_refused_with_what_is_allowed(share):
    with pytest.raises(TableError, match=r"choose a share from 0\.1 to 0\.9\."):
        checked(text(rows()), share=share)


@pytest.mark.parametrize("returns", [False, True])
@pytest.mark.parametrize("share", [0.1, 0.35, 0.6, 0.9])
def test_the_share_decides_the_training_rows_of_the_shortest_table_too(share, returns):
    table = checked(text(np.exp(rows(20) / 10)), share=share, log_returns=returns).table
    left = 18 if returns else 20  # a log return looks a tenth of the rows back
    assert len(table.times) == left and abs(table.train_rows - share * left) <= 0.5
    assert 2 <= table.train_rows < left


def test_more_than_two_hundred_arms_and_five_thousand_rows_are_thinned_with_a_sentence():
    wide = text(rows(25, 230), names="day," + ",".join(f"a{i}" for i in range(230)))
    result = checked(wide)
    assert "230 columns of numbers: using the first 200" in said(result) and result.table.rewards.shape == (25, 200)
    long = "t,a,b\n" + "\n".join(f"{t},{t % 7},{t % 11}" for t in range(12_000))
    last, even = sheet_of(long), lay_out(read_text(long, thin="even"), Choice())
    assert last.columns[0] == tuple(map(str, range(7000, 12_000))) and last.height == MAX_ROWS
    steps = {int(b) - int(a) for a, b in zip(even.columns[0], even.columns[0][1:], strict=False)}
    assert steps == {3} and 3900 < even.height <= 4000
    quoted = long.replace("t,a,b", 't,"a",b').replace("\n11999,", '\n"11999",')
    assert sheet_of(quoted).columns == last.columns


def test_no_tick_speaks_of_rows_that_were_not_read():
    long = "t,a,b\n" + "\n".join(f"{t},{t % 7},{t % 11}" for t in range(12_000))
    result = checked(long)
    assert result.table is not None and "12,001 rows: 5,000 of them are read" in said(result)
    assert not any(word in said(result, ok=True) for word in ("order", "gaps", "missing"))


# --- numbers and times in the usual writings -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1,5", "2,25"], [1.5, 2.25]),
        (["1.234,5", "12"], [1234.5, 12]),
        (["1,234.5", "12"], [1234.5, 12]),
        (["1,23,456.50", "99"], [123456.5, 99]),
        (["1.234.567", "2.345.678"], [1234567, 2345678]),
        (["1 234,5", "2\u00a0000,0"], [1234.5, 2000]),
        (["1'234.5", "2"], [1234.5, 2]),
        (["$5", "7%", "−3", "+4", "1e3", ".5"], [5, 7, -3, 4, 1000, 0.5]),
        (["1", "", "n/a", "---", "2"], [1, np.nan, np.nan, np.nan, 2]),
    ],
)
def test_numbers_are_read_as_they_are_written(cells, values):
    column = numbers(cells)
    assert column.numeric and not column.unsure
    np.testing.assert_allclose(column.values, values)


@pytest.mark.parametrize(
    "cells", [["1_000", "2"], ["1,5", "1.5.2"], ["1,5", "2.25"], ["3", "x"], ["0x1", "2"], ["٣", "2"]]
)
def test_a_column_is_never_read_in_part(cells):
    column = numbers(cells)
    assert not column.numeric and column.bad in cells and np.isnan(column.values).all()


def test_a_doubtful_decimal_sign_is_settled_or_asked():
    assert sheet_of("a;b\n1,234;1,5\n2,345;2,5\n").parsed[0].values.tolist() == [1.234, 2.345]
    assert sheet_of("a;b\n1.500;1,5\n2.500;2,5\n").parsed[0].values.tolist() == [1500, 2500]
    doubt = "day,a,b\n" + "\n".join(f'{day(t)},"{1 + t % 7},234",{t % 3}' for t in range(30))
    assert "decimal" in {f.offer for f in checked(doubt).findings}
    assert checked(doubt).table.rewards[0, 0] == 1234 and checked(doubt, decimal=",").table.rewards[0, 0] == 1.234
    assert "decimal" not in {f.offer for f in checked(doubt, decimal=",").findings}


@pytest.mark.parametrize(
    ("cells", "ends"),
    [
        (["2024-01-01", "2024-01-03"], ("2024-01-01", "2024-01-03")),
        (["2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00"], ("2024-01-01 00:00", "2024-01-01 00:00")),
        (["2024/1/1 10:00", "2024/1/1 10:30"], ("2024-01-01 10:00", "2024-01-01 10:30")),
        (["31.01.2024", "01.02.2024"], ("2024-01-31", "2024-02-01")),
        (["01/31/2024", "02/01/2024"], ("2024-01-31", "2024-02-01")),
        (["1 Jan 2024", "3 January 2024"], ("2024-01-01", "2024-01-03")),
        (["1. März 2024", "30. Dezember 2024"], ("2024-03-01", "2024-12-30")),
        (["1er février 2024", "31 août 2024"], ("2024-02-01", "2024-08-31")),
        (["5 de enero de 2024", "6 de enero de 2024"], ("2024-01-05", "2024-01-06")),
        (["Mon, Jan 1, 2024", "Tue, Jan 2, 2024"], ("2024-01-01", "2024-01-02")),
        (["24-Jan-24", "3-Feb-24"], ("2024-01-24", "2024-02-03")),
        (["20240101", "20240102"], ("2024-01-01", "2024-01-02")),
        (["2024010123", "2024010200"], ("2024-01-01 23:00", "2024-01-02 00:00")),
        (["1/1/24 11:00 PM", "1/13/24 1:00 AM"], ("2024-01-01 23:00", "2024-01-13 01:00")),
        (["2024-01-01 24:00", "2024-01-02 01:00"], ("2024-01-02 00:00", "2024-01-02 01:00")),
        (["2024-01", "2024-02"], ("2024-01-01", "2024-02-01")),
        (["2010Q1", "2010Q4"], ("2010-01-01", "2010-10-01")),
        (["2024-W05", "2024-W06"], ("2024-01-29", "2024-02-05")),
        (["13/01/66", "14/01/68"], ("1966-01-13", "1968-01-14")),
        (["13/01/30", "14/01/34", "14/01/39"], ("1930-01-13", "1939-01-14")),  # in order only within one century
    ],
)
def test_times_are_read_as_they_are_written(cells, ends):
    (reading,) = dates(cells)
    assert tuple(label(s, reading.clock) for s in reading.at[[0, -1]].tolist()) == ends


@pytest.mark.parametrize(
    "cells",
    [
        ["2024-01-01", "01/02/2024"],
        ["13/01/2024", "01/13/2024"],
        ["hello", "there"],
        ["10:00:00", "11:00:00"],
        ["1 days 02:00:00", "2 days"],
        ["2024-01-31", "2024-02-30"],
        ["2024-01-01", "closed"],
        ["1. Mai 2024", "2. Mxi 2024"],
    ],
)
def test_what_is_no_time_throughout_is_none(cells):
    assert dates(cells) == []


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1"])
def test_files_in_other_encodings_are_read(code):
    plain = text(rows(), names="day,café,b,c")
    assert sheet_of(plain.encode(code)).header == ("day", "café", "b", "c")
    assert bool(read(plain.encode(code)).notes) == (code not in ("utf-8", "utf-8-sig"))


def test_names_from_a_file_stand_on_one_line_without_signs_that_have_no_ink():
    sheet = sheet_of(text(rows(), names='day,"a\nb",\u202egnp\x1b[2J,\u200b'))
    assert sheet.header == ("day", "a b", "gnp[2J", "column 4")


# --- workbooks and Parquet -------------------------------------------------------------------------------------------


def test_a_parquet_file_is_read():
    import pandas as pd

    frame = pd.DataFrame(rows(), columns=["a", "b", "c"]).assign(site="x")
    frame.insert(0, "day", pd.date_range("2024-01-01", periods=ROWS))
    out = io.BytesIO()
    frame.to_parquet(out)
    result = checked(out.getvalue())
    np.testing.assert_allclose(result.table.rewards, rows())
    assert result.table.times[0] == "2024-01-01" and said(result) == "Column ‘site’: text, left out."


def workbook(cells: list[list[object]]) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    for row in cells:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_a_workbook_is_read():
    result = checked(workbook([["day", "a", "b", "c"], *([day(t), *map(float, v)] for t, v in enumerate(rows()))]))
    np.testing.assert_allclose(result.table.rewards, rows())
    with pytest.raises(TableError, match="seems damaged"):
        read(archive("xl/workbook.xml"), "table.xlsx")


def test_where_no_reader_of_workbooks_is_installed_the_sentence_says_what_to_do(monkeypatch):
    monkeypatch.setattr(packed, "find_spec", lambda name: None)
    with pytest.raises(TableError, match="save the table as CSV, or run pip install python-calamine"):
        read(archive("xl/workbook.xml"), "table.xlsx")


def test_where_the_packages_of_the_reader_are_missing_the_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(reader, "find_spec", lambda name: None)
    with pytest.raises(TableError, match="not installed; run: pip install pandas"):
        read(b"a,b\n1,2\n")


def test_the_command_line_prints_the_same_sentences(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text(WARNED["missing"][0], encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "lessons.real_data", "check", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=None,
    )
    expected = [f"{'✓' if f.ok else '⚠'} {f.sentence}" for f in checked(WARNED["missing"][0]).findings]
    printed = ran.stdout.splitlines()
    assert [re.sub(r" \(--\w+\)$", "", line) for line in printed[:-2]] == expected
    assert printed[-2:] == ["Time: 0 ‘day’", "Arms: 1 ‘a’, 2 ‘b’, 3 ‘c’"] and ran.returncode == 0 and ran.stderr == ""


@pytest.mark.parametrize(("content", "code", "word"), [(b"", 1, "empty"), (None, 2, "cannot be opened")])
def test_the_command_line_refuses_with_a_sentence(tmp_path, content, code, word, capsys):
    from lessons.real_data.__main__ import main

    path = tmp_path / "own.csv"
    if content is not None:
        path.write_bytes(content)
    assert main(["check", str(path)]) == code
    assert word in capsys.readouterr().out


def test_a_choice_of_columns_that_are_not_there_is_refused():
    sheet = read_text(text(rows()))
    for choice in (Choice((9,), (1, 2)), Choice((0,), (1, 99)), Choice((0,), (1, 2), fill="guess")):
        with pytest.raises(TableError, match="columns 1 to 4"):
            check(sheet, choice)
