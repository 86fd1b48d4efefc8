"""Tables that look sound and are not: each is named in a sentence, with a way out that works, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import numpy as np
import pytest

from lessons.real_data.__main__ import main
from lessons.real_data.tables import Checked, Choice, check, read
from lessons.real_data.tables.numbers import numbers
from tests.lessons.real_data.test_tables import ROWS, day, rows, said, text, workbook
from tvbo_core import trial
from tvbo_core.worlds.tables import training_problem


def checked(table: str | bytes, **how: object) -> Checked:
    return check(read(table if isinstance(table, bytes) else table.encode()), Choice(**how))


def offers(result: Checked) -> set[str]:
    return {f.offer for f in result.findings} - {""}


def speeds(n: int = ROWS, sensors: int = 3) -> np.ndarray:
    return np.round(65.0 + rows(n, sensors), 1)


def lines(values: np.ndarray) -> list[str]:
    return [",".join(f"{v:g}" for v in row) for row in values]


# --- names read as values


IDS = {
    "sensors": ("773869,767541,767542", speeds()),
    "years as names of counts": ("2021,2022,2023", np.round(np.abs(rows()) * 3 + 5)),
    "numbers from 1 above temperatures": ("1,2,3", 300 + rows()),
}


@pytest.mark.parametrize("kind", IDS)
def test_a_first_row_of_ids_is_offered_as_names(kind):
    ids, values = IDS[kind]
    table = "\n".join([ids, *lines(values)])
    before = checked(table)
    assert "names" in offers(before) and f"‘{ids.split(',')[0]}’" in said(before)
    other = 1 - before.sheet.names
    for names in (before.sheet.names, other):
        result = checked(table, names=names)
        assert len(result.table.times) == ROWS + 1 - names and "names" not in offers(result)
    after = checked(table, names=1)
    assert after.table.arm_names == tuple(ids.split(","))
    np.testing.assert_allclose(after.table.rewards, values)


# --- codes for missing cells


@pytest.mark.parametrize("code", [-9999.0, -999.0, 9999.0, 1e20, -99.0])
@pytest.mark.parametrize("cells", [1, 12])
def test_a_code_is_missing_until_it_is_kept_on_request(code, cells):
    values = rows()
    broken = values.copy()
    broken[5 : 5 + cells, 1] = code
    result = checked(text(broken))
    assert "codes" in offers(result) and f"‘{code:g}’ in {cells} cell" in said(result)
    assert result.choice.codes == (f"{code:g}",) and result.table.filled.sum() == cells
    np.testing.assert_allclose(result.table.rewards[5 : 5 + cells, 1], values[4, 1])
    kept = checked(text(broken), codes=())
    assert kept.table.filled is None
    np.testing.assert_allclose(kept.table.rewards, broken)


@pytest.mark.parametrize("code", [-200.0, -77.7, 999.0, -999.0])
def test_codes_are_sought_arm_by_arm(code):
    """One column alone ranges so far that the code lies among all numbers together."""
    values = np.abs(rows(80)) * [1.0, 1.0, 1000.0]
    values[5:9, 0] = values[30, 1] = code
    result = checked(text(values))
    assert result.table.filled.sum() == 5 and "codes" in offers(result)
    np.testing.assert_allclose(result.table.rewards[5:9, 0], values[4, 0])


def test_a_code_among_like_numbers_is_asked_about():
    values = 3000 * rows()
    values[7, 1] = -999.0
    result = checked(text(values))
    assert "codes" in offers(result) and result.table.filled is None
    assert checked(text(values), codes=("-999",)).table.filled.sum() == 1


@pytest.mark.parametrize("seed", range(5))
def test_no_value_of_a_walk_or_of_heavy_tails_is_taken_for_a_code(seed):
    heavy = np.random.default_rng(seed).standard_t(2, size=(300, 4))
    for values in (rows(seed=seed), heavy):
        assert "codes" not in offers(checked(text(np.round(values, 3), names="day,a,b,c,d"[: 2 * 5 - 1])))


def wide(kind: str) -> np.ndarray:
    """A table whose values range so far that a code lies not far outside them."""
    rng = np.random.default_rng(4)
    if kind == "counts":
        return np.abs(rng.normal(size=(ROWS, 3))) * 3000
    if kind == "prices":
        return np.exp(np.cumsum(0.01 * rng.normal(size=(ROWS, 4)), axis=0)) * [100, 500, 2000, 10_000]
    return np.clip(rng.normal(size=(ROWS, 3)), -2.5, 2.5) * 3000


@pytest.mark.parametrize(
    ("kind", "code"),
    [("counts", -9999), ("counts", -999), ("counts", -99), ("prices", -9999), ("gains", -9999), ("gains", -99999)],
)
def test_a_negative_code_counts_as_missing_also_where_the_other_values_range_as_far(kind, code):
    values = wide(kind)
    values[7, 1] = code
    result = checked(text(values, names="day,a,b,c,d"[: 5 + 2 * (values.shape[1] - 1)]))
    assert "codes" in offers(result) and f"‘{code}’ in 1 cell (column ‘b’)" in said(result)
    assert result.table.filled[7, 1] and result.table.filled.sum() == 1
    kept = checked(text(values, names="day,a,b,c,d"[: 5 + 2 * (values.shape[1] - 1)]), codes=())
    assert kept.table.rewards[7, 1] == code and kept.table.filled is None


@pytest.mark.parametrize("code", [-9999.0, 9999.0])
def test_a_table_with_a_code_in_it_is_learnt_from_without_an_error(code):
    """The most likely epsilon is then 0, and its interval has an end."""
    values = speeds(200)
    values[20, 1] = code
    learnt = trial.learn(training_problem(checked(text(values), codes=()).table))
    assert learnt.fit.low <= learnt.fit.epsilon <= learnt.fit.high


# --- tables on their side


def on_its_side(values: np.ndarray, heads: list[str]) -> str:
    named = [f"s{j}," + ",".join(f"{v:g}" for v in column) for j, column in enumerate(values.T)]
    return "\n".join([",".join(["sensor", *heads]), *named])


@pytest.mark.parametrize("heads", [[day(t) for t in range(144)], [f"h{t}" for t in range(144)]], ids=["dates", "words"])
def test_sensors_in_rows_are_offered_to_be_turned(heads):
    values = speeds(144, 50)
    before = checked(on_its_side(values, heads))
    assert "turned" in offers(before) and "rows and 144 columns" in said(before)
    after = checked(on_its_side(values, heads), turned=True)
    np.testing.assert_allclose(after.table.rewards, values)
    assert after.table.arm_names[:2] == ("s0", "s1") and "turned" not in offers(after)


def test_turning_reaches_more_times_than_a_table_may_have_columns():
    values = speeds(1500, 4)
    after = checked(on_its_side(values, [f"h{t}" for t in range(1500)]), turned=True)
    np.testing.assert_allclose(after.table.rewards, values)


def test_a_workbook_on_its_side_is_turned_too():
    values = speeds(60, 8)
    cells = [["sensor", *(day(t) for t in range(60))], *([f"s{j}", *map(float, v)] for j, v in enumerate(values.T))]
    np.testing.assert_allclose(checked(workbook(cells), turned=True).table.rewards, values)


# --- prices


def prices(n: int = 300) -> np.ndarray:
    steps = 0.01 * np.random.default_rng(1).normal(size=(n, 3))
    return np.round(np.exp(np.cumsum(steps, axis=0)) * [10.0, 100.0, 900.0], 2)


def test_raw_prices_are_named_and_their_log_returns_are_one_choice_away():
    values = prices()
    before = checked(text(values))
    assert "log_returns" in offers(before) and "raw prices" in said(before) and "regret of 0" in said(before)
    after = checked(text(values), log_returns=True)
    np.testing.assert_allclose(after.table.rewards, 100 * np.log(values[30:] / values[:-30]), rtol=1e-12)
    assert after.table.times[0] == day(30) and "overlap" in said(after)


def at_levels(relative: float, absolute: float) -> str:
    """Four columns at levels 100 to 10000 that move by so much of their level, and by so much."""
    walk = np.cumsum(np.random.default_rng(3).normal(size=(300, 4)), axis=0)
    levels = np.array([100.0, 500.0, 2000.0, 10000.0])
    return text(levels * np.exp(relative * walk) + absolute * walk, names="day,a,b,c,d")


@pytest.mark.parametrize(("relative", "absolute"), [(0.01, 0.0), (0.03, 0.0), (0.0, 1.0)])
def test_four_columns_at_levels_from_100_to_10000_are_not_called_of_comparable_scale(relative, absolute):
    result = checked(at_levels(relative, absolute))
    assert "comparable scale" not in said(result, ok=True)
    assert "best arm at every time" in said(result) or offers(result) & {"standardise", "log_returns"}
    if relative:
        returns = checked(at_levels(relative, absolute), log_returns=True)
        assert "The arms are of comparable scale." in said(returns, ok=True)


@pytest.mark.parametrize("months", [20, 25, 40])
@pytest.mark.parametrize("seed", range(4))
def test_few_prices_at_unlike_levels_are_not_called_of_comparable_scale(months, seed):
    """So few that they do not go far enough to be told for prices; the dearest costs four times the cheapest."""
    walk = np.cumsum(0.08 * np.random.default_rng(seed).normal(size=(months, 4)), axis=0)
    walk -= walk[: round(0.6 * months)].mean(axis=0)  # the part from which scales are read
    result = checked(text(np.exp(walk) * [100.0, 200.0, 300.0, 400.0], names="day,a,b,c,d"))
    assert "comparable scale" not in said(result, ok=True)


@pytest.mark.parametrize(("ratio", "comparable"), [(1.0, True), (3.0, True), (100.0, False), (1e4, False)])
def test_spreads_are_comparable_or_standardising_is_offered(ratio, comparable):
    calm = np.random.default_rng(0).normal(size=(200, 3)) * [1.0, 1.0, ratio]
    result = checked(text(calm))
    assert ("comparable scale" in said(result, ok=True)) == comparable
    assert ("standardise" in offers(result)) != comparable


def test_log_returns_of_what_is_not_positive_are_refused_with_a_sentence():
    result = checked(text(rows()), log_returns=True)
    assert result.table is None and "prices above 0" in said(result)


def test_an_arm_that_is_best_all_the_way_is_named_where_the_numbers_are_no_prices():
    result = checked(text(rows() + np.array([0.0, 0.0, 1000.0])))
    assert "‘c’ is the best arm at every time" in said(result) and "log_returns" not in offers(result)
    assert said(checked(text(rows()))) == ""


# --- dates, signs, encodings


def test_dates_that_either_country_could_mean_are_asked_about():
    either = [f"{1 + t % 12:02d}/{1 + t // 12:02d}/2024" for t in range(ROWS)]
    result = checked(text(rows(), either))
    assert "first" in offers(result) and "in order" not in said(result, ok=True)
    for first, last in (("day", "2024-04-04"), ("month", "2024-12-03")):
        answered = checked(text(rows(), either), first=first)
        assert "first" not in offers(answered) and answered.table.times[-1] == last
    sure = [f"{1 + t % 31:02d}/{1 + t // 31:02d}/2024" for t in range(ROWS)]
    assert said(checked(text(rows(), sure))) == ""


@pytest.mark.parametrize(("cell", "value"), [("$5", 5), ("-$5", -5), ("7%", 7), ("£1,234.50", 1234.5), ("5 €", 5)])
def test_a_currency_or_percent_sign_is_named(cell, value):
    assert numbers([cell, "2"]).values.tolist() == [value, 2]
    table = "day;a;b\n" + "\n".join(f"{day(t)};{cell if t % 2 else t};{t % 5}" for t in range(ROWS))
    assert f"‘{cell}’ in ‘a’ is read as {value:g}: currency and percent signs are left out" in said(checked(table))


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("cp1252", "Köln,Münster,Größe"),
        ("cp1251", "Москва,Казань,Омск"),
        ("gb18030", "北京,上海,广州"),
        ("cp1250", "Łódź,Kraków,Gdańsk"),
    ],
)
def test_names_in_the_encodings_of_other_countries_are_read(code, names):
    sheet = read(text(rows(), names=f"day,{names}").encode(code))
    assert check(sheet).sheet.header[1:] == tuple(names.split(",")) and "check the accents" in sheet.notes[0]


# --- workbooks as offices write them


BOOK: dict[str, tuple[Callable[[], list[list[object]]], str]] = {
    "a title above": (lambda: [["Report 2024"], [], ["day", "a", "b", "c"], *dated()], "1 line above the table"),
    "an empty column before": (lambda: [[None, "day", "a", "b", "c"], *([None, *row] for row in dated())], ""),
    "hours": (lambda: [["at", "a", "b", "c"], *dated(timedelta(hours=1))], ""),
    "error values": (lambda: [["day", "a", "b", "c"], *with_error("#DIV/0!")], "1 cell missing"),
    "numbers kept as text": (lambda: [["day", "a", "b", "c"], *([d, str(a), b, c] for d, a, b, c in dated())], ""),
    "a formula that was never computed": (lambda: [["day", "a", "b", "c"], *with_error("=1+1")], "1 cell missing"),
    "empty rows between": (lambda: [["day", "a", "b", "c"], *(r for row in dated() for r in (row, []))], ""),
}


def dated(step: timedelta = timedelta(days=1)) -> list[list[object]]:
    return [[datetime(2024, 1, 1) + t * step, *map(float, values)] for t, values in enumerate(rows())]


def with_error(cell: str) -> list[list[object]]:
    made = dated()
    made[7][2] = cell
    return made


@pytest.mark.parametrize("kind", BOOK)
def test_a_workbook_as_an_office_writes_it_is_read(kind):
    make, sentence = BOOK[kind]
    result = checked(workbook(make()))
    assert sentence in said(result) and bool(sentence) == bool(said(result))
    expected = rows()
    if "missing" in sentence:
        expected[7, 1] = expected[6, 1]
    np.testing.assert_allclose(result.table.rewards, expected)
    assert result.table.times[1] in ("2024-01-02", "2024-01-02 00:00", "2024-01-01 01:00")


# --- the same way out in the command line


@pytest.mark.parametrize(
    ("option", "value", "table"),
    [
        ("--names", "1", "\n".join(["773869,767541,767542", *lines(speeds())])),
        ("--turned", "", on_its_side(speeds(144, 50), [f"h{t}" for t in range(144)])),
        ("--log-returns", "", text(prices())),
        ("--codes", "none", text(np.where(np.arange(ROWS)[:, None] == 9, -999.0, rows()))),
        ("--foot", "1", text(np.vstack([rows(), rows().sum(axis=0)]))),
        ("--first", "day", text(rows(20), [f"{1 + t % 12:02d}/{1 + t // 12:02d}/2024" for t in range(20)])),
    ],
)
def test_the_command_line_names_the_option_that_a_finding_offers(tmp_path, capsys, option, value, table):
    path = tmp_path / "own.csv"
    path.write_text(table, encoding="utf-8")
    assert main(["check", str(path)]) == 0 and option in capsys.readouterr().out
    assert main(["check", str(path), option, *filter(None, [value])]) == 0 and option not in capsys.readouterr().out


def test_the_command_line_says_what_an_option_may_be(tmp_path, capsys):
    path = tmp_path / "own.csv"
    path.write_text(text(rows()), encoding="utf-8")
    assert main(["check", str(path), "--arms", "a"]) == 1 and "An option is no number" in capsys.readouterr().out


# --- the kinds of table that people bring


def csv(head: str, *cells: Callable[[int], object], n: int = ROWS, separator: str = ",") -> str:
    """A table with these columns and two arms, whose rewards are ARMS."""
    cut = ARMS[:n]
    body = (separator.join([*(str(c(t)) for c in cells), *(f"{v:g}" for v in cut[t])]) for t in range(n))
    return "\n".join([*([head.replace(",", separator)] if head else []), *body])


ARMS = np.round(20 + rows(96, 2), 2)
START = datetime(2024, 3, 1)


def at(form: str, hours: int = 24) -> Callable[[int], str]:
    return lambda t: (START + timedelta(hours=hours * t)).strftime(form)


KINDS: dict[str, tuple[str, str, str]] = {  # a table, its first and last time, what is asked or said
    "newest first": (
        "\n".join([(made := csv("Date,A,B", at("%d-%b-%y")).split("\n"))[0], *made[:0:-1]]),
        "2024-03-01 2024-04-09",
        "newest first",
    ),
    "year, month, day": (csv("Jahr,Monat,Tag,a,b", at("%Y"), at("%m"), at("%d")), "2024-03-01 2024-04-09", ""),
    "year, day of the year, hour": (
        csv("year,doy,hour,a,b", at("%Y", 1), at("%j", 1), at("%H", 1)),
        "2024-03-01 00:00 2024-03-02 15:00",
        "",
    ),
    "year and quarter": (
        csv("year;quarter;a;b", lambda t: 2000 + t // 4, lambda t: f"Q{1 + t % 4}", separator=";"),
        "2000-01-01 2009-10-01",
        "",
    ),
    "year and week": (csv("year,week,a,b", at("%G", 168), at("%V", 168)), "2024-02-26 2024-11-25", ""),
    "date and clock with points": (
        csv("Date;Time;a;b", at("%d/%m/%Y", 1), at("%H.%M.%S", 1), separator=";"),
        "2024-03-01 00:00 2024-03-02 15:00",
        "first",
    ),
    "date and hours 1 to 24": (
        csv("date,HE,a,b", at("%Y-%m-%d", 1), lambda t: t % 24 + 1),
        "2024-03-01 01:00 2024-03-02 16:00",
        "",
    ),
    "digits with an hour, and an id": (
        csv("STATION,MESS_DATUM,a,b", lambda t: 44, at("%Y%m%d%H", 1)),
        "2024-03-01 00:00 2024-03-02 15:00",
        "STATION",
    ),
    "a second date": (csv("ZEIT,TAG,a,b", at("%Y-%m-%d"), at("%Y%m%d")), "2024-03-01 2024-04-09", "‘TAG’"),
    "an index without a name": (csv(",day,a,b", lambda t: t, at("%Y-%m-%d")), "2024-03-01 2024-04-09", "column 1"),
    "an id before the dates": (csv("id,day,a,b", lambda t: t + 7, at("%Y-%m-%d")), "2024-03-01 2024-04-09", "‘id’"),
    "years of two digits": (
        csv("Date,A,B", lambda t: f"01/{1 + t % 12:02d}/{66 + t // 12}"),
        "1966-01-01 1969-04-01",
        "first",
    ),
    "hour 24": (
        csv("time,a,b", lambda t: (START + timedelta(hours=t // 24 * 24)).strftime("%Y-%m-%d ") + f"{t % 24 + 1}:00"),
        "2024-03-01 01:00 2024-03-02 16:00",
        "",
    ),
    "numbers as names": (csv("date,1,2", at("%Y-%m-%d")), "2024-03-01 2024-04-09", ""),
    "units below the names": (csv("date,a,b\n,°C,mm", at("%Y-%m-%d")), "2024-03-01 2024-04-09", "names"),
    "names in three rows": (
        csv("Price,Close,Close\nTicker,AAA,BBB\nDate,,", at("%Y-%m-%d")),
        "2024-03-01 2024-04-09",
        "‘Close AAA’, ‘Close BBB’",
    ),
    "spaces, date and clock": (
        csv("", at("%d/%m/%Y ", 1), at("%H:%M:%S", 1), separator=" "),
        "2024-03-01 00:00 2024-03-02 15:00",
        "names",
    ),
    "spaces, year and month": (
        csv("yyyy,mm,a,b", lambda t: f"  {1948 + t // 12}", lambda t: 1 + t % 12, separator=" "),
        "1948-01-01 1951-04-01",
        "",
    ),
    "a labelled total": (csv("day,a,b", at("%Y-%m-%d")) + "\nSumme,99,98", "2024-03-01 2024-04-09", "‘Summe, 99, 98’"),
    "a mark and names in quotes": ("\ufeff" + csv('"day","a","b"', at("%d.%m.%Y")), "2024-03-01 2024-04-09", ""),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_of_table_is_read_with_its_times(kind):
    table, times, asked = KINDS[kind]
    result = checked(table)
    assert result.table is not None, said(result)
    assert f"{result.table.times[0]} {result.table.times[-1]}" == times
    np.testing.assert_allclose(result.table.rewards, ARMS[:ROWS])
    others = [f for f in result.findings if not f.ok and "best arm" not in f.sentence and "gap" not in f.sentence]
    assert asked in " ".join(f"{f.sentence} {f.offer}" for f in others) and bool(asked) == bool(others), others


def test_the_hour_that_clocks_repeat_is_said():
    hours = [f"2024-10-27 {h:02d}:00" for h in (0, 1, 2, 2, *range(3, 24))]
    result = checked(text(rows(25), hours))
    assert "1 row with a time that was there before (2024-10-27 02:00, as where clocks are set back)" in said(result)
    assert "in order" not in said(result, ok=True)


def test_a_last_row_of_sums_or_means_is_asked_about():
    values = np.round(rows(), 2)
    for last in (values.sum(axis=0), np.round(values.mean(axis=0), 2)):
        table = "\n".join(["a,b,c", *lines(np.vstack([values, last]))])
        assert "foot" in offers(checked(table)) and len(checked(table, foot=1).table.times) == ROWS
    assert "foot" not in offers(checked("\n".join(["a,b,c", *lines(values)])))
    total = np.column_stack([values, values.sum(axis=1)])
    assert "‘total’ is the sum of the other arms" in said(checked(text(total, names="day,a,b,c,total")))


def test_a_table_on_its_side_with_lines_above_is_turned():
    head = ["Name", "Code", *(str(1990 + t) for t in range(ROWS))]
    body = [[f"n{j}", f"N{j}", *(f"{v:g}" for v in column)] for j, column in enumerate(rows().T)]
    table = "\n".join(["Source,A bank", "", *(",".join(row) for row in [head, *body])])
    assert "turned" in offers(checked(table))
    after = checked(table, turned=True)
    assert after.table.arm_names == ("n0 N0", "n1 N1", "n2 N2") and after.table.times[-1] == str(1990 + ROWS - 1)
    np.testing.assert_allclose(after.table.rewards, rows())
