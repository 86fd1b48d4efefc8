"""The kinds of tables that people bring: each is read with its times and rewards, or asked about; no tick is false."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from lessons.real_data.__main__ import main
from lessons.real_data.tables import Checked, Choice, check, read
from lessons.real_data.tables.numbers import numbers
from lessons.real_data.tables.times import dates, no_date
from tests.shared import few

ROWS = 40
START = datetime(2024, 3, 1)
Cell = Callable[[int], object]


def rows(n: int = ROWS, arms: int = 3, seed: int = 0) -> np.ndarray:
    return np.round(np.cumsum(np.random.default_rng(seed).normal(size=(n, arms)), axis=0), 3)


ARMS = np.round(20 + rows(96, 2), 2)


def day(t: int) -> str:
    return str(date(2024, 1, 1) + timedelta(days=t))


def text(values: np.ndarray, labels: list[str] | None = None, names: str = "day,a,b,c") -> str:
    labels = labels or [day(t) for t in range(len(values))]
    return names + "\n" + "\n".join(",".join([w, *(f"{v:g}" for v in r)]) for w, r in zip(labels, values, strict=True))


def checked(table: str | bytes, **how: object) -> Checked:
    return check(read(table if isinstance(table, bytes) else table.encode()), Choice(**how))


def finding_texts(result: Checked, ok: bool = False) -> str:
    return " | ".join(f"{f.sentence} [{f.offer}]" for f in result.findings if f.ok == ok)


def at(form: str, hours: int = 24) -> Cell:
    return lambda t: (START + timedelta(hours=hours * t)).strftime(form)


def csv(head: str, *cells: Cell, n: int = ROWS, separator: str = ",") -> str:
    """A table with these columns and two arms, whose rewards are ARMS."""
    body = (separator.join([*(str(c(t)) for c in cells), *(f"{v:g}" for v in ARMS[t])]) for t in range(n))
    return "\n".join([*([head.replace(",", separator)] if head else []), *body])


SPANISH = ["enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto"]
SPANISH += ["septiembre", "octubre", "noviembre", "diciembre"]
NEWEST = csv("Date,A,B", at("%d-%b-%y")).split("\n")
PLAIN = csv("day,a,b", at("%Y-%m-%d")).split("\n")


def summer(t: int) -> str:
    """An hour at the end of summer time, with its distance from UTC."""
    ahead = 2 - (t > 2)
    return f"{datetime(2024, 10, 26, 22) + timedelta(hours=t + ahead):%Y-%m-%dT%H:%M}+0{ahead}:00"


def flagged(head: str, time: Cell) -> str:
    """A table with two columns of quality flags."""
    rows = (f"{time(t)},{ARMS[t, 0]:g},{int(t % 9 == 4)},{3 + 6 * (t % 7 == 2)},{ARMS[t, 1]:g}" for t in range(ROWS))
    return "\n".join([head, *rows])


def long(head: str, index: bool = False, names: str = "ns") -> str:
    """A row for each time and arm, arm after arm, with a column that counts on where `index`."""
    every = [(t, j) for j in range(2) for t in range(ROWS)]
    rows = (f"{at('%d.%m.%Y')(t)};{names[j]};" + f"{ARMS[t, j]:g}".replace(".", ",") for t, j in every)
    return "\n".join([head, *(f"{i};{row}" if index else row for i, row in enumerate(rows))])


DAYS, HOURS = "2024-03-01 2024-04-09", "2024-03-01 00:00 2024-03-02 15:00"
KINDS = {  # a table, its first and last time, what is asked or said
    "newest first": ("\n".join([NEWEST[0], *NEWEST[:0:-1]]), DAYS, "newest first"),
    "day of the year": (csv("year,doy,hour,a,b", at("%Y", 1), at("%j", 1), at("%H", 1)), HOURS, ""),
    "quarters": (
        csv("year;quarter;a;b", lambda t: 2000 + t // 4, lambda t: f"Q{1 + t % 4}", separator=";"),
        "2000-01-01 2009-10-01",
        "",
    ),
    "weeks": (csv("year,week,a,b", at("%G", 168), at("%V", 168)), "2024-02-26 2024-11-25", ""),
    "a clock": (csv("Date;Time;a;b", at("%d/%m/%Y", 1), at("%H.%M.%S", 1), separator=";"), HOURS, "[first]"),
    "digits and an id": (csv("STATION,MESS_DATUM,a,b", lambda t: 44, at("%Y%m%d%H", 1)), HOURS, "‘STATION’"),
    "an index": (csv(",day,a,b", lambda t: t, at("%Y-%m-%d")), DAYS, "‘column 1’"),
    "years of two digits": (
        csv("Date,A,B", lambda t: f"01/{1 + t % 12:02d}/{66 + t // 12}"),
        "1966-01-01 1969-04-01",
        "[first]",
    ),
    "numbers as names": (csv("date,1,2", at("%Y-%m-%d")), DAYS, ""),
    "names in three rows": (
        csv("Price,Close,Close\nTicker,AAA,BBB\nDate,,", at("%Y-%m-%d")),
        DAYS,
        "‘Close AAA’, ‘Close BBB’",
    ),
    "years above names": (csv(",2020,2021\nday,A,B", at("%Y-%m-%d")), DAYS, "‘2020 A’, ‘2021 B’"),
    "spaces": (csv("", at("%d/%m/%Y ", 1), at("%H:%M:%S", 1), separator=" "), HOURS, "[names]"),
    "a total": (csv("day,a,b", at("%Y-%m-%d")) + "\nSumme,99,98", DAYS, "‘Summe, 99, 98’"),
    "Western": (csv("März,a,b", at("%Y-%m-%d")).encode("cp1252"), DAYS, "cp1252"),
    "a rising column": (csv("day,x,a,b", at("%Y-%m-%d"), lambda t: 1980 + t / 12), DAYS, "rises from row to row"),
    "a wide row": (csv("day,a,b", at("%Y-%m-%d")) + "\n2024-04-10,1,2,3", DAYS[:11] + "2024-04-10", "with more than"),
    "flags": (flagged("date,A,A_flag,QN_3,B", at("%Y-%m-%d")), DAYS, "Columns ‘A_flag’, ‘QN_3’"),
    "days of a spreadsheet": (csv("Date,A,B", lambda t: 45352 + t), DAYS, "‘45352’ in ‘Date’ is read as 2024-03-01"),
    "seconds": (csv("timestamp,A,B", lambda t: 1709251200 + 3600 * t), HOURS, "seconds since 1970"),
    "names among the numbers": ("\n".join([*PLAIN[:21], PLAIN[0], *PLAIN[21:]]), DAYS, "1 row of names among"),
    "a row a station": (long("date;station;value"), DAYS, "differ in ‘station’: each of its 2 names"),
    "a row a number": (long(";date;id;value", index=True, names="78"), DAYS, "differ in ‘id’: each of its 2 names"),
    "characters in dates": (csv("日付,東京,大阪", lambda t: at("%Y年%m月%d日")(t).replace("年0", "年")), DAYS, ""),
    "summer time ends": (csv("time,a,b", summer, n=25), "2024-10-26 22:00 2024-10-27 22:00", ""),
    "rows with names": (
        "\n".join(["a b", *(f"r{t} {a:g} {b:g}" for t, (a, b) in enumerate(ARMS[:ROWS]))]),
        "1 40",
        "no name: ‘a’",
    ),
}


@pytest.mark.parametrize("kind", few(KINDS, *[*KINDS][::3]))
def test_kind_is_read_with_its_times(kind):
    table, times, asked = KINDS[kind]
    result = checked(table)
    assert result.table is not None, finding_texts(result)
    assert f"{result.table.times[0]} {result.table.times[-1]}" == times
    rewards = result.table.rewards[:ROWS, -2:]
    np.testing.assert_allclose(rewards, ARMS[: len(rewards)])
    others = [
        s for s in finding_texts(result).split(" | ") if not any(w in s for w in ("best arm", "gap in", "The rounds"))
    ]
    assert asked in " ".join(others) and bool(asked) == any(others), others


ASKED = {
    "either country": (
        text(rows(), [f"{1 + t % 12:02d}/{1 + t // 12:02d}/2024" for t in range(ROWS)]),
        "[first]",
        {"first": "month"},
    ),
    "a sum": (
        "\n".join(["a,b,c", *text(np.vstack([rows(), rows().sum(axis=0)])).split("\n")[1:]]),
        "Leave it out?",
        {"foot": 1},
    ),
    "a column without a name": (text(np.round(20 + rows(), 1), names="day,a,b"), "no name. Do commas split", {}),
    "a sum column": (
        text(np.column_stack([rows(), rows().sum(axis=1)]), names="day,a,b,c,all"),
        "sum of the other",
        {},
    ),
    "the repeated hour": (
        text(rows(25), [f"2024-10-27 {h:02d}:00" for h in (0, 1, 2, 2, *range(3, 24))]),
        "1 row with a time that was there before (2024-10-27 02:00, as where clocks are set back)",
        {},
    ),
    "a bad date": (text(rows(), [day(t) if t else "2024-02-30" for t in range(ROWS)]), "‘2024-02-30’ in ‘day’", {}),
    "a decimal sign": (
        "day,a,b\n" + "\n".join(f'{day(t)},"{1 + t % 7},234",{t % 3}' for t in range(30)),
        "‘1,234’ in ‘a’ is read as 1234",
        {"decimal": ","},
    ),
    "no names": (text(65 + rows()).partition("\n")[2], "[names]", {"names": 0}),
    "months across": ("Year," + ",".join(SPANISH) + "\n" + text(rows(25, 12)).partition("\n")[2], "[turned]", {}),
    "a formula": (text(rows()).replace("-0.132", "=A1"), "is a formula, which is not evaluated", {}),
    "scales": (text(rows() * [1.0, 1.0, 1e6]), "[standardise]", {"standardise": True}),
    "prices": (text(np.exp(rows(300) / 100) * [10.0, 100.0, 900.0]), "If these are prices", {"log_returns": True}),
}


@pytest.mark.parametrize("kind", few(ASKED, *[*ASKED][::3]))
def test_doubt_is_asked_and_its_answer_taken(kind):
    table, asked, answer = ASKED[kind]
    before = checked(table)
    assert before.table is not None and np.isfinite(before.table.rewards).all()
    assert asked in finding_texts(before), finding_texts(before)
    if answer:
        after = checked(table, **answer)
        assert after.table is not None and asked not in finding_texts(after), finding_texts(after)


def test_good_table_has_nothing_but_ticks():
    result = checked(text(rows()))
    assert finding_texts(result) == "" and len(result.findings) == 3
    assert "All 40 rows in order, from 2024-01-01 to 2024-02-09" in finding_texts(result, ok=True)
    np.testing.assert_allclose(result.table.rewards, rows())
    low = checked(text(rows()), higher=False).table
    np.testing.assert_allclose(low.rewards, -rows())


def test_no_tick_is_about_rows_left_out():
    long = "t,a,b\n" + "\n".join(f"{t},{t % 7},{t % 11}" for t in range(12_000))
    blank = text(rows(), [day(t) if t != 5 else "" for t in range(ROWS)])
    for table, sentence in ((long, "12,001 rows: 5,000 of them are read"), (blank, "1 row without a time")):
        result = checked(table)
        assert result.table is not None and sentence in finding_texts(result)
        assert not any(word in finding_texts(result, ok=True) for word in ("order", "gaps", "missing"))
    even = check(read(long.encode(), thin="even")).table.times
    assert {int(b) - int(a) for a, b in pairwise(even)} == {3}


@pytest.mark.parametrize(
    ("code", "scale"),
    [(-999.0, 1.0), (1e20, 1.0), (-200.0, 1000.0), (-77.7, 1000.0)],
)
def test_codes_are_sought_arm_by_arm(code, scale):
    """One column alone may range so far that the code lies among all numbers together."""
    values = np.abs(rows(80)) * [1.0, 1.0, scale]
    values[5:9, 0] = values[30, 1] = code
    result = checked(text(values))
    assert result.choice.codes == (f"{code:g}",) and result.table.filled.sum() == 5
    np.testing.assert_allclose(result.table.rewards[5:9, 0], values[4, 0])
    np.testing.assert_allclose(checked(text(values), codes=()).table.rewards, values, rtol=1e-5)


def test_code_among_like_numbers_is_asked():
    values = 3000 * rows()
    values[7, 1] = -999.0
    result = checked(text(values))
    assert "‘-999’ in column ‘b’ is kept as a number" in finding_texts(result) and result.table.filled is None
    assert checked(text(values), codes=("-999",)).table.filled.sum() == 1


def test_no_value_of_heavy_tails_is_a_code():
    for seed in range(2):
        heavy = np.random.default_rng(seed).standard_t(2, size=(300, 3))
        assert "[codes]" not in finding_texts(checked(text(np.round(heavy, 3))))


def test_missing_cells_are_filled_or_dropped():
    broken = "\n".join(
        line.rsplit(",", 1)[0] + "," if i in (4, 5) else line for i, line in enumerate(text(rows()).split("\n"))
    )
    filled = checked(broken)
    np.testing.assert_allclose(filled.table.rewards[3:5, 2], rows()[2, 2])
    assert filled.table.filled.sum() == 2 and "2 cells missing (1.7 %)" in finding_texts(filled)
    assert len(checked(broken, fill="drop").table.times) == ROWS - 2


def test_rows_of_one_time_are_averaged():
    twice = text(rows(), [day(t // 2) for t in range(ROWS)])
    np.testing.assert_allclose(checked(twice).table.rewards, rows().reshape(-1, 2, 3).mean(axis=1), atol=1e-9)
    thrice = text(rows(90), [day(t // 3) for t in range(90)])
    assert checked(thrice).table is None and "60 rows of 90 have a time in ‘day’" in finding_texts(checked(thrice))


@pytest.mark.parametrize("heads", ["day", "h"])
def test_table_on_its_side_is_offered_and_turned(heads):
    names = [day(t) if heads == "day" else f"h{t}" for t in range(144)]
    values = 65 + rows(144, 50)
    lines = [",".join(["Source", "A bank"]), "", ",".join(["sensor", "code", *names])]
    lines += [",".join([f"s{j}", f"c{j}", *(f"{v:.3f}" for v in column)]) for j, column in enumerate(values.T)]
    assert "[turned]" in finding_texts(checked("\n".join(lines)))
    after = checked("\n".join(lines), turned=True)
    np.testing.assert_allclose(after.table.rewards, values)
    assert after.table.arm_names[0] == "s0 c0"


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("day,a,b\n2024-01-01,1,2\n", "Only one row: at least 20"),
        (text(rows(12)), "Only 12 rows"),
        (text(rows(arms=1), names="day,a"), "Only one arm, ‘a’: nothing to choose"),
        ("day,a,b\n" + "\n".join(f"{day(t)},x,y{t}" for t in range(30)), "No column of numbers"),
        (
            "day,a,b\n" + "\n".join(f"{day(t)},7,{t % 3}" for t in range(30)),
            "Fewer than two arms are left (without change",
        ),
    ],
)
def test_table_that_cannot_race_says_why_last(table, sentence):
    result = checked(table)
    assert result.table is None and sentence in result.findings[-1].sentence


NUMBERS = [
    (["1,5", "2,25"], [1.5, 2.25]),
    (["1.234,5", "12"], [1234.5, 12]),
    (["1,234.5", "12"], [1234.5, 12]),
    (["1,23,456.50", "99"], [123456.5, 99]),
    (["1.234.567", "2.345.678"], [1234567, 2345678]),
    (["1 234,5", "2\u00a0000,0"], [1234.5, 2000]),
    (["1'234.5", "2"], [1234.5, 2]),
    (["7.343", "0.125"], [7.343, 0.125]),
    (["$5", "−3", "+4", "1e3", ".5"], [5, -3, 4, 1000, 0.5]),
    (["(1,234.50)", "12-", "7"], [-1234.5, -12, 7]),
    (["5%", "7.5 %"], [5, 7.5]),
    (["1", "", "n/a", "---", "2"], [1, np.nan, np.nan, np.nan, 2]),
]


def test_numbers_are_read_whole_or_not():
    for cells, values in NUMBERS:
        column = numbers(cells)
        assert column.numeric and not column.unsure, cells
        np.testing.assert_allclose(column.values, values)
    for cells in (["1_000", "2"], ["1,5", "1.5.2"], ["1,5", "2.25"], ["3", "x"], ["0x1", "2"], ["٣", "2"], ["1e400"],
                  ["5%", "0.05"], ["$5", "€6"]):  # fmt: skip
        column = numbers(cells)
        assert not column.numeric and column.bad in cells and np.isnan(column.values).all()


TIMES = [
    (["2024-01-01T00:00:00Z", "2024-01-01T02:00:00+01:00"], "2024-01-01 00:00", "2024-01-01 01:00"),
    (["31.01.2024", "01.02.2024"], "2024-01-31", "2024-02-01"),
    (["01/31/2024", "02/01/2024"], "2024-01-31", "2024-02-01"),
    (["1. März 2024", "30. Dezember 2024"], "2024-03-01", "2024-12-30"),
    (["1er février 2024", "31 août 2024"], "2024-02-01", "2024-08-31"),
    (["Mon, Jan 1, 2024", "Tue, Jan 2, 2024"], "2024-01-01", "2024-01-02"),
    (["2024010123", "2024010200"], "2024-01-01 23:00", "2024-01-02 00:00"),
    (["1/1/24 11:00 PM", "1/13/24 1:00 AM"], "2024-01-01 23:00", "2024-01-13 01:00"),
    (["2024-01-01", "2024-01-01 24:00"], "2024-01-01", "2024-01-02"),
    (["01.2024", "02.2024"], "2024-01-01", "2024-02-01"),
    (["Q1 2010", "Q4 2010"], "2010-01-01", "2010-10-01"),
    (["2024-W05", "2024-W06"], "2024-01-29", "2024-02-05"),
    (["13/01/30", "14/01/34", "14/01/39"], "1930-01-13", "1939-01-14"),  # in order only within one century
]


def test_times_have_one_format_or_none():
    for cells, first, last in TIMES:
        (reading,) = dates(cells)
        assert (reading.label(0), reading.label(len(cells) - 1)) == (first, last), cells
    for cells in (["2024-01-01", "01/02/2024"], ["13/01/2024", "01/13/2024"], ["10:00:00", "11:00:00"],
                  ["1 days 02:00:00"], ["2024-01-31", "2024-02-30"], ["1. Mai 2024", "2. Mxi 2024"],
                  ["1.2024"]):  # fmt: skip
        assert dates(cells) == [], cells
    assert no_date(["2024-01-31", "2024-02-30", "2024-02-01"]) == "2024-02-30"


def test_check_reads_each_date_three_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """As names are looked for above, as notes below, and whole."""
    convert, calls = pd.to_datetime, []
    monkeypatch.setattr(pd, "to_datetime", lambda *given, **named: calls.append(0) or convert(*given, **named))
    assert checked(text(rows(96))).table is not None and len(calls) == 3


@pytest.mark.slow
def test_command_names_the_option_that_answers(tmp_path, capsys):
    option, value, kind, path = "--datefirst", "day", "either country", tmp_path / "own.csv"
    path.write_text(ASKED[kind][0], encoding="utf-8")
    assert main(["check", str(path)]) == 0 and option in capsys.readouterr().out
    assert main(["check", str(path), option, value]) == 0 and option not in capsys.readouterr().out
    assert main(["check", str(path), "--armcols", "a"]) == 1 and "--armcols cannot be" in capsys.readouterr().out
