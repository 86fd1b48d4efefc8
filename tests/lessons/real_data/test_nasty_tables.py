"""Tables that look sound and are not: each is named in a sentence, with a way out that works, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
import pytest

from lessons.real_data.__main__ import main
from lessons.real_data.reading.cells import numbers, times
from lessons.real_data.tables import Checked, check, guess, read
from tests.lessons.real_data.test_tables import ROWS, day, rows, said, text, workbook
from tvbo_core import trial
from tvbo_core.worlds.tables import training_problem

READING = ("first_row_names", "turned")


def checked(table: str | bytes, **how: object) -> Checked:
    sheet = read(table if isinstance(table, bytes) else table.encode(), **{k: how[k] for k in READING if k in how})
    return check(sheet, replace(guess(sheet), **{k: v for k, v in how.items() if k not in READING}))


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
def test_a_first_row_of_ids_is_offered_as_names_with_both_readings(kind):
    ids, values = IDS[kind]
    table = "\n".join([ids, *lines(values)])
    before = checked(table)
    first, second = ids.split(",")[:2]
    assert "first_row_names" in offers(before) and f"‘{first}’, ‘{second}’" in said(before)
    assert "names?" in said(before) and len(before.table.times) == ROWS + 1
    assert "comparable scale" not in said(before, ok=True)  # nobody knows before the names are told apart
    after = checked(table, first_row_names=True)
    assert after.table.arm_names == tuple(ids.split(",")) and "first_row_names" not in offers(after)
    np.testing.assert_allclose(after.table.rewards, values)


@pytest.mark.parametrize("seed", range(3))
def test_a_first_row_of_values_is_not_taken_for_names(seed):
    values = rows(seed=seed)
    for table in ("\n".join(lines(values)), "\n".join(lines(np.round(100 * values)))):
        assert "first_row_names" not in offers(checked(table))


# --- codes for missing cells


@pytest.mark.parametrize("code", [-9999.0, -999.0, 9999.0, 1e20, -99.0])
@pytest.mark.parametrize("cells", [1, 12])
def test_a_code_for_a_missing_cell_is_named_and_missing_until_it_is_kept_on_request(code, cells):
    values = rows()
    broken = values.copy()
    broken[5 : 5 + cells, 1] = code
    result = checked(text(broken))
    assert "keep_codes" in offers(result) and f"‘{code:g}’ in {cells} cell" in said(result)
    assert "counts as missing. Keep it as a number?" in said(result)
    assert result.table.filled.sum() == cells
    np.testing.assert_allclose(result.table.rewards[5 : 5 + cells, 1], values[4, 1])
    kept = checked(text(broken), keep_codes=True)
    assert f"‘{code:g}’ in {cells} cell" in said(kept) and "kept as a number" in said(kept)
    assert kept.table.filled is None
    np.testing.assert_allclose(kept.table.rewards, broken)


def test_a_code_below_ids_that_were_read_as_values_is_named_too():
    values = speeds()
    values[9, 1] = -999
    both = checked("\n".join(["773869,767541,767542", *lines(values)]))
    assert offers(both) == {"first_row_names", "keep_codes", "fill"} and "‘-999’ in 1 cell" in said(both)


@pytest.mark.parametrize("seed", range(5))
def test_no_value_of_a_walk_or_of_heavy_tails_is_taken_for_a_code(seed):
    heavy = np.random.default_rng(seed).standard_t(2, size=(300, 4))
    for values in (rows(seed=seed), heavy):
        assert "keep_codes" not in offers(checked(text(np.round(values, 3), names="day,a,b,c,d"[: 2 * 5 - 1])))


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
    assert "keep_codes" in offers(result) and f"‘{code}’ in 1 cell (Column ‘b’)" in said(result)
    assert result.table.filled[7, 1] and result.table.filled.sum() == 1
    kept = checked(text(values, names="day,a,b,c,d"[: 5 + 2 * (values.shape[1] - 1)]), keep_codes=True)
    assert kept.table.rewards[7, 1] == code and kept.table.filled is None


@pytest.mark.parametrize("value", [-999.0, -99.0, -9998.0, 999.0])
def test_a_number_among_others_like_it_is_no_code(value):
    values = wide("gains")
    values[7, 1] = value
    assert "keep_codes" not in offers(checked(text(values)))
    values[9, 1] = -10_500.0  # below it: -9999 is then one number of many, too
    values[7, 1] = -9999.0
    assert "keep_codes" not in offers(checked(text(values)))


def test_a_table_of_nothing_but_one_code_has_no_other_number_to_be_far_from():
    values = wide("gains")
    values[:] = -9999.0
    assert "keep_codes" not in offers(checked(text(values)))


@pytest.mark.parametrize("code", [-9999.0, 9999.0])
def test_a_table_with_a_code_in_it_is_learnt_from_without_an_error(code):
    """The most likely epsilon is then 0, and its interval has an end."""
    values = speeds(200)
    values[20, 1] = code
    learnt = trial.learn(training_problem(checked(text(values), keep_codes=True).table))
    assert learnt.fit.low <= learnt.fit.epsilon <= learnt.fit.high


# --- tables on their side


def on_its_side(values: np.ndarray, heads: list[str]) -> str:
    named = [f"s{j}," + ",".join(f"{v:g}" for v in column) for j, column in enumerate(values.T)]
    return "\n".join([",".join(["sensor", *heads]), *named])


@pytest.mark.parametrize("heads", [[day(t) for t in range(144)], [f"h{t}" for t in range(144)]], ids=["dates", "words"])
def test_sensors_in_rows_are_offered_to_be_turned(heads):
    values = speeds(144, 50)
    before = checked(on_its_side(values, heads))
    assert "turned" in offers(before) and "50 rows and 144 columns" in said(before)
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


def test_dates_that_either_country_could_mean_are_named():
    either = [f"{1 + t % 12:02d}/{1 + t // 12:02d}/2024" for t in range(ROWS)]
    assert "read with the day first" in said(checked(text(rows(), either)))
    sure = [f"{1 + t % 31:02d}/{1 + t // 31:02d}/2024" for t in range(ROWS)]
    assert said(checked(text(rows(), sure))) == ""
    assert times(["05/05/2024", "06/06/2024"]).either == ""  # both readings agree


@pytest.mark.parametrize(("cell", "value"), [("$5", 5), ("-$5", -5), ("7%", 7), ("£1,234.50", 1234.5), ("5 €", 5)])
def test_a_currency_or_percent_sign_is_named(cell, value):
    assert numbers([cell, "2"]).values.tolist() == [value, 2]
    table = "day;a;b\n" + "\n".join(f"{day(t)};{cell if t % 2 else t};{t % 5}" for t in range(ROWS))
    assert f"‘{cell}’ in ‘a’: currency and percent signs are left out" in said(checked(table))


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
    assert sheet.header[1:] == tuple(names.split(",")) and "check the accents" in sheet.notes[0]


# --- workbooks as offices write them


BOOK: dict[str, tuple[Callable[[], list[list[object]]], str]] = {
    "a title above": (lambda: [["Report 2024"], [], ["day", "a", "b", "c"], *dated()], "1 line above the table"),
    "an empty column before": (lambda: [[None, "day", "a", "b", "c"], *([None, *row] for row in dated())], ""),
    "hours": (lambda: [["at", "a", "b", "c"], *dated(timedelta(hours=1))], ""),
    "error values": (lambda: [["day", "a", "b", "c"], *with_error("#DIV/0!")], "1 cell missing"),
    "a word": (lambda: [["day", "a", "b", "c"], *with_error("closed")], "1 cell with a word"),
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
    told = said(result).replace("Sheet ‘Sheet’ of the workbook; formulas by their last value.", "")
    assert sentence in told and (sentence or told.strip(" |") == "")
    expected = rows()
    if "missing" in sentence or "word" in sentence:
        expected[7, 1] = expected[6, 1]
    np.testing.assert_allclose(result.table.rewards, expected)
    assert result.table.times[1] in ("2024-01-02", "2024-01-01 01:00:00")


# --- the same way out in the command line


@pytest.mark.parametrize(
    ("offer", "table"),
    [
        ("first_row_names", "\n".join(["773869,767541,767542", *lines(speeds())])),
        ("turned", on_its_side(speeds(144, 50), [f"h{t}" for t in range(144)])),
        ("log_returns", text(prices())),
        ("keep_codes", text(np.where(np.arange(ROWS)[:, None] == 9, -999.0, rows()))),
    ],
)
def test_the_command_line_names_the_option_that_a_finding_offers(tmp_path, capsys, offer, table):
    path = tmp_path / "own.csv"
    path.write_text(table, encoding="utf-8")
    option = f"--{offer.replace('_', '-')}"
    assert main(["check", str(path)]) == 0 and option in capsys.readouterr().out
    assert main(["check", str(path), option]) == 0 and option not in capsys.readouterr().out
