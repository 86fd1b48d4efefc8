"""Tables of anybody: every bad input its own sentence, nothing but the reader's own error, in bounded time and room."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
import zipfile
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.real_data.reading import packed, reader
from lessons.real_data.reading.cells import numbers, times
from lessons.real_data.reading.limits import MAX_BYTES, MAX_ROWS
from lessons.real_data.tables import Checked, Choice, TableError, check, guess, read, read_text
from tests.strategies import LAW

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
    sheet = read_text(text(rows()).replace(",", separator))
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
        (b"day,a,b\n", "a row of names and nothing below it"),
        (archive(), "a zip archive, not a table: unpack it"),
        (archive()[:40], "seems damaged"),
        (gzip.compress(b"a,b\n1,2\n"), "a gzip archive"),
        (b"<!DOCTYPE html><html><body><table></table></html>", "a web page or XML"),
        (b"  <html>", "a web page or XML"),
        (b"%PDF-1.7 ...", "a PDF"),
        (b'{"a": [1, 2]}', "JSON"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel file"),
        (b"PAR1" + b"\x01\x02" * 50 + b"PAR1", "Parquet file cannot be read"),
        (bytes(range(256)) * 8, "binary data"),
        (b"1" * MAX_BYTES, "One line has 10,000,000 characters"),
        (b"1,2\n" * (MAX_BYTES // 4 + 1), "at most 10 MB"),
        (b'a,b\n"' + b"1,2\n" * 50_000, "quotation mark is opened and never closed"),
    ],
    ids=lambda v: v if isinstance(v, str) else "file",  # an archive's bytes hold the time of day
)
def test_a_file_that_is_no_table_is_refused_with_its_own_sentence(raw, sentence):
    with pytest.raises(TableError, match=sentence) as caught:
        read(raw)
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
        "‘site’ is text: ignored",
    ),
    "mixed dates": (text(rows(), [day(t) if t % 2 else "05/01/2024" for t in range(ROWS)]), "several ways"),
    "duplicate times": (text(rows(), [day(t // 2) for t in range(ROWS)]), "20 rows with a time that was there before"),
    "gap": (text(rows(), [day(t + 30 * (t > 9)) for t in range(ROWS)]), "1 gap in time, the longest after 2024-01-10"),
    "unsorted": (text(rows(), [day(ROWS - t) for t in range(ROWS)]), "not in order of time: sorted"),
    "short rows": (text(rows()).replace("a,b,c", "a,b,c,d"), "40 rows with fewer cells than names"),
    "all-missing arm": ("day,a,b,c\n" + "\n".join(f"{day(t)},{t % 3},{t % 5}," for t in range(30)), "‘c’ is empty"),
    "constant arm": ("day,a,b,c\n" + "\n".join(f"{day(t)},{t % 3},{t % 5},4" for t in range(30)), "‘c’ never changes"),
    "infinity": (with_cell("inf"), "1 cell infinite or beyond 1e100"),
    "overflow": (with_cell("1e400"), "1 cell infinite or beyond 1e100"),
    "scales": (text(rows() * [1.0, 1.0, 1e6]), "in scale"),
    "formula cell": (with_cell("=SUM(A1:A9)"), "1 cell with a formula: not evaluated"),
    "word": (with_cell("closed"), "1 cell with a word among the numbers"),
    "missing": (holes(rows(), (3, 1), (9, 0)), "2 cells missing (1.7 %): each repeats the last value"),
    "no header": (text(rows()).split("\n", 1)[1], "No row of names"),
    "same names": (text(rows(), names="day,a,a,b"), "‘a’"),
    "lines above": ("A report\nof 2024\n" + text(rows()), "2 lines above the table were skipped"),
    "few rows": (text(rows(30, 40), names="day," + ",".join(f"a{i}" for i in range(40))), "not positive definite"),
}


@pytest.mark.parametrize("kind", WARNED)
def test_a_flaw_that_can_be_mended_is_named_and_the_table_still_races(kind):
    table, sentence = WARNED[kind]
    result = checked(table)
    assert sentence in said(result), said(result)
    assert result.table is not None and np.isfinite(result.table.rewards).all()


def test_a_column_of_formulas_is_named_and_never_evaluated():
    table = "day,a,b,c\n" + "\n".join(f"{day(t)},{t % 3},{t % 5},=B{t}+1" for t in range(30))
    assert "‘c’ holds formulas, which are not evaluated" in said(checked(table))


def test_one_row_for_every_arm_and_time_is_recognised():
    table = "day,site,value\n" + "\n".join(f"{day(t // 3)},{'xyz'[t % 3]},{t % 7}" for t in range(90))
    assert "one row for every arm and time" in said(checked(table))


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
    last, even = read_text(long), read_text(long, thin="even")
    assert "12,000 rows: using the last 5,000." in last.notes and last.columns[0][0] == "7000"
    assert last.height == MAX_ROWS and last.columns[0][-1] == "11999"
    assert even.columns[0][:3] == ("0", "3", "6") and even.height == 4000
    quoted = long.replace("t,a,b", 't,"a",b')  # rows are then counted by parsing
    assert read_text(quoted).columns == last.columns and read_text(quoted, thin="even").columns == even.columns


# --- numbers and times in the usual writings -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cells", "comma_separated", "values"),
    [
        (["1,5", "2,25"], False, [1.5, 2.25]),
        (["1.234,5", "12"], False, [1234.5, 12]),
        (["1,234.5", "12"], True, [1234.5, 12]),
        (["1,234", "5,678"], True, [1234, 5678]),
        (["1,234", "5,678"], False, [1.234, 5.678]),
        (["1.234.567", "2.345.678"], False, [1234567, 2345678]),
        (["1 234,5", "2\u00a0000,0"], False, [1234.5, 2000]),
        (["1'234.5", "2"], False, [1234.5, 2]),
        (["$1.234", "$2.500"], False, [1.234, 2.5]),  # one point before three digits groups nothing by itself
        (["$5", "7%", "−3", "+4", "1e3", ".5"], True, [5, 7, -3, 4, 1000, 0.5]),
        (["1_000", "2"], True, [np.nan, 2]),
    ],
)
def test_numbers_are_read_as_they_are_written(cells, comma_separated, values):
    np.testing.assert_allclose(numbers(cells, comma_separated).values, values)


def test_a_comma_that_could_be_either_is_settled_by_the_other_columns_or_named_as_a_doubt():
    settled = read_text("a;b\n1,234;1,5\n2,345;2,5\n")
    assert settled.parsed[0].values.tolist() == [1.234, 2.345]
    points = read_text("a;b\n1.500;1,5\n2.500;2,5\n")
    assert points.parsed[0].values.tolist() == [1500, 2500]
    doubt = read_text('a,b\n"1,234",1\n"2,345",2\n')
    assert doubt.parsed[0].values.tolist() == [1234, 2345]
    assert "could also be read the other way" in doubt.notes[0]


WRITINGS = [("{:,.3f}", "", True), ("{:,.3f}", "eu", False), ("{:.6g}", "", True)]


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=20), st.sampled_from(WRITINGS))
@LAW
def test_whatever_is_written_in_one_convention_is_read_back(values, how):
    form, style, comma_separated = how
    cells = [form.format(v) for v in values]
    if style == "eu":
        cells = [c.translate(str.maketrans(",.", ".,")) for c in cells]
    read_back = numbers(cells, comma_separated).values
    np.testing.assert_allclose(read_back, [float(form.replace(",", "").format(v)) for v in values])


@pytest.mark.parametrize(
    ("cells", "steps"),
    [
        (["2024-01-01", "2024-01-03"], 2 * 86400),
        (["2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00"], 0),
        (["2024/1/1 10:00", "2024/1/1 10:30"], 1800),
        (["31.01.2024", "01.02.2024"], 86400),
        (["01/31/2024", "02/01/2024"], 86400),
        (["01/02/2024", "02/02/2024"], 86400),  # ordered either way: the day first
        (["1 Jan 2024", "3 January 2024"], 2 * 86400),
        (["Jan 1, 2024", "Jan 2, 2024"], 86400),
        (["20240101", "20240102"], 86400),
        (["1/1/24 11:00 PM", "1/2/24 1:00 AM"], 7200),
        (["2024-01", "2024-02"], 31 * 86400),
        (["3", "7.5"], 4.5),
    ],
)
def test_times_are_read_as_they_are_written(cells, steps):
    read_times = times(cells)
    assert read_times.at is not None and np.diff(read_times.at) == pytest.approx([steps])


@pytest.mark.parametrize("cells", [["2024-01-01", "01/02/2024"], ["13/01/2024", "01/13/2024"], ["hello", "there"]])
def test_what_is_no_time_or_mixes_two_writings_is_not_ordered_by_guess(cells):
    assert times(cells).at is None


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1"])
def test_files_in_other_encodings_are_read(code):
    plain = text(rows(), names="day,café,b,c")
    sheet = read(plain.encode(code))
    assert sheet.header == ("day", "café", "b", "c")
    assert bool(sheet.notes) == (code not in ("utf-8", "utf-8-sig"))


def test_names_from_a_file_stand_on_one_line_without_signs_that_have_no_ink():
    sheet = read_text(text(rows(), names='day,"a\nb",\u202egnp\x1b[2J,\u200b'))
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
    assert result.table.times[0] == "2024-01-01" and said(result) == "Column ‘site’ is text: ignored."


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
    with pytest.raises(TableError, match="save the table as CSV, or run pip install openpyxl"):
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
    assert ran.stdout.splitlines() == expected and ran.returncode == 0 and ran.stderr == ""


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
    for choice in (Choice(9, (1, 2)), Choice(0, (1, 99)), Choice(0, (1, 2), fill="guess")):
        with pytest.raises(TableError, match="columns 1 to 4"):
            check(sheet, choice)
