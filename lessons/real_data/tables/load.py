"""Loading a table of rewards from cells by the reader's choices.

Each check adds a tick or a remark. A table that cannot be used gives one sentence that says why.
A tick is a claim about every row of the file, so the order, the steps and the missing cells get no tick where rows were
left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import numpy as np

from lessons.real_data.reading.limits import MAX_ARMS, TableError, count, label
from lessons.real_data.reading.reader import Cells
from lessons.real_data.tables.cells import DAY, HOUR, MINUTE, ORDERS, Times, is_missing, number, times
from lessons.real_data.tables.choices import MIN_TIMES, SAMPLE, Choices, Layout, distinct, lay_out
from tvbo_core.worlds.tables.table import Table, spread, trailing_log_return

# Share of the rows to learn from; the race is run on the others.
TRAINING_SHARE = 0.6
# Share of an arm's cells that may be missing; with more, the filled values would be most of the arm.
MAX_MISSING_SHARE = 0.6
# Ratio of the largest to the smallest spread of an arm from which a remark is made. Beyond it the calmest of a few arms
# moves less than the noise, whose variance is 5 % of the arms' mean variance.
MAX_SPREAD_RATIO = 10.0
# Rows over which a log return is taken; in a short table a tenth of its rows.
RETURN_ROWS = 60
PRIVATE = "Your file stays in this session and is not stored."
# A number with any of these is ambiguous: they group digits, and a comma may also be the decimal sign.
_GROUPED = re.compile("[,' ]").search
TIME_UNITS = ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (1, "second"))


class Check(NamedTuple):
    """One check: passed (a tick), or a remark."""

    ok: bool
    sentence: str


@dataclass(frozen=True, eq=False)
class Loaded:
    """A table as it is read by a reader's choices.

    Attributes:
        choices: the reader's.   layout: names and columns.   checks: in order.   arms: columns of the table's arms.
        table: None when it cannot be used; then `problem` says why in one sentence.
    """

    choices: Choices
    layout: Layout
    checks: tuple[Check, ...]
    arms: tuple[int, ...]
    table: Table | None
    problem: str = ""

    def role(self, i: int) -> str:
        """Return the role of column i."""
        roles = ((self.choices.time, "time"), (self.choices.arm_names, "name of the arm"), (self.arms, "arm"))
        return next((role for columns, role in roles if i in columns), "left out")


def load(cells: Cells, choices: Choices) -> Loaded:
    """Return the table that these choices make of these cells, or the reason why there is none."""
    layout, checks = lay_out(cells, choices), [Check(False, note) for note in cells.notes]
    try:
        table, arms = _table(cells, choices, layout, checks)
    except TableError as problem:
        return Loaded(choices, layout, tuple(checks), choices.arms, None, str(problem))
    return Loaded(choices, layout, tuple(checks), arms, table)


def _table(cells: Cells, choices: Choices, layout: Layout, checks: list[Check]) -> tuple[Table, tuple[int, ...]]:
    """Return the table and the columns of its arms, and append its ticks and remarks to `checks`.

    Raises:
        TableError: the table cannot be used.
    """
    arms = _arms(cells, choices, layout, checks)
    if not layout.whole:
        _remark(checks, f"The file is long: its last {count(layout.height, 'row')} are used.")
    values = np.column_stack([_numbers(choices, layout, i, checks) for i in arms])
    timed, rounds, labels = _rounds(choices, layout, checks)
    values, missing = values[timed], int(np.isnan(values).sum())
    row_names = [label(" ".join(layout.columns[i][row] for i in choices.arm_names), 60) for row in timed]
    values, names = _averaged(choices, layout, checks, arms, values, rounds, labels, row_names)
    sparse = np.isnan(values).mean(axis=0) > MAX_MISSING_SHARE
    values, names, _ = _without(sparse, values, names, "mostly missing", checks)
    values, filled = _filled(layout, checks, values, missing)
    if len(values) < MIN_TIMES:
        rows = f"Only {count(len(values), 'time')}"
        raise TableError(f"{rows}, and {MIN_TIMES} are needed: where each column is a time, exchange rows and columns.")
    values, lag = _returns(choices, checks, values, names)
    if lag:  # a return has two prices, and either may stand in for a missing one
        labels, filled = labels[lag:], filled[lag:] | filled[:-lag]
    train = round(TRAINING_SHARE * len(values))
    constant = np.ptp(values[:train], axis=0) <= 1e-12 * np.abs(values[:train]).max(axis=0)
    values, names, varying = _without(constant, values, names, "without change in the rows to learn from", checks)
    filled = filled[:, varying]
    _compare_scales(checks, values, names, train)
    horizon, width = values.shape
    checks.append(
        Check(True, f"{width} arms and {horizon:,} times: {train:,} to learn from, {horizon - train:,} to race in.")
    )
    best = "lowest" if choices.lower else "highest"
    if not choices.arm_names:  # each column is an arm, and some are left out
        arms = [i for i in arms if layout.header[i] in names]
    table = Table(
        name=cells.fingerprint,
        title=cells.name,
        rewards=-values if choices.lower else values,
        arm_names=tuple(names),
        times=tuple(labels),
        unit="units of the table" + (", sign turned" if choices.lower else ""),
        source=f"{cells.name}, fingerprint {cells.fingerprint[:12]}; the {best} value is the best.",
        licence="",
        caution=PRIVATE,
        train_rows=train,
        filled=filled if filled.any() else None,
    )
    return table, tuple(arms)


def _remark(checks: list[Check], sentence: str) -> None:
    checks.append(Check(False, sentence))


def _quoted(names: Sequence[str]) -> str:
    """Return names in quotation marks, of more than three the first three."""
    shown = ", ".join(f"‘{name}’" for name in names[:3])
    return shown + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _arms(cells: Cells, choices: Choices, layout: Layout, checks: list[Check]) -> list[int]:
    """Return the columns of the arms.

    Raises:
        TableError: they cannot be arms, or the table has no rows for them.
    """
    width = len(layout.header)
    if any(i >= width for i in (*choices.time, *choices.arm_names, *choices.arms)):
        raise TableError(f"The table has columns 1 to {width}: choose the time and the arms among them.")
    if not layout.height:
        raise TableError("No row is left below the rows of names: add one row of numbers for every time.")
    arms = [i for i in dict.fromkeys(choices.arms) if i not in (*choices.time, *choices.arm_names)]
    _remark_unused(cells, choices, layout, arms, checks)
    if not arms:
        raise TableError("No column of numbers is chosen: an arm is a column with a number in every row.")
    if len(arms) == 1 and not choices.arm_names:
        raise TableError(
            f"Only one arm, ‘{layout.header[arms[0]]}’, so nothing to choose: take a second column of numbers."
        )
    if choices.arm_names and not choices.time:
        raise TableError("Columns that name the arms need a time: choose the columns that make the time too.")
    names = [layout.header[i] for i in arms]
    # Columns with dates as names are the rounds of a table whose rows are the arms.
    dates = [name for name in names if name[:1].isdigit()]
    if any(isinstance(found := times([dates], order), Times) and found.unit for order in ORDERS):
        raise TableError(f"The names of the columns are times, such as ‘{dates[0]}’: exchange rows and columns.")
    # A round that was taken for the names may have holes, and a number twice.
    given = [layout.given[i] for i in arms]
    read = [number(name, choices.decimal) for name in given if not is_missing(name, choices.missing)]
    if read and not np.isnan(read).any():
        _remark(checks, "The names of the arms are numbers: if they are a round, choose no row of names.")
    # Between spaces an empty cell leaves no trace: the cells after it move up, and the row has none in the last column.
    last = layout.columns[-1] if cells.separator == " " else ()
    if "" in last:
        shown = label(" ".join(column[last.index("")] for column in layout.columns), 60)
        why = "has fewer cells than other rows, and between spaces nothing shows which"
        raise TableError(f"‘{shown}’ {why}: write NA for these.")
    return arms


def _remark_unused(cells: Cells, choices: Choices, layout: Layout, arms: Sequence[int], checks: list[Check]) -> None:
    """Add a remark on columns without a value, and one on columns with numbers that have no role."""
    used = {*choices.time, *choices.arm_names, *arms}
    empty: list[str] = []
    others: list[str] = []
    for i, (name, column) in enumerate(zip(layout.header, layout.columns, strict=True)):
        # Different cells: a column may begin with many dashes.
        different = (cell for cell in dict.fromkeys(column) if not is_missing(cell, choices.missing))
        there = list(islice(different, SAMPLE))
        if not there:
            empty.append(name)
        elif i not in used and not all(math.isnan(number(cell, choices.decimal)) for cell in there):
            others.append(name)
    if empty:
        why = "; a formula counts with its saved result only: save the workbook in an office program"
        _remark(checks, f"No value in {_quoted(empty)}{why if cells.sheets else ''}.")
    if others:
        most = f", as at most {MAX_ARMS} arms race" if len(arms) == MAX_ARMS else ""
        _remark(checks, f"Columns with numbers left out: {_quoted(others)}{most}.")


def _numbers(choices: Choices, layout: Layout, i: int, checks: list[Check]) -> np.ndarray:
    """Return (n,) the numbers of column i, NaN where a cell is missing.

    The first ambiguous cell of a table adds a remark that says how it is read.

    Raises:
        TableError: a cell is neither a number nor missing.
    """
    cells, decimal, name = layout.columns[i], choices.decimal, layout.header[i]
    spellings = list(dict.fromkeys(cells))  # each is read once, however often it occurs
    values = np.array([number(cell, decimal) for cell in spellings])
    values[[cell in choices.missing for cell in spellings]] = np.nan
    # The code -999 also stands for a missing cell where it is written as -999.0.
    values[np.isin(values, [number(code, decimal) for code in choices.missing])] = np.nan
    for cell in (spellings[j] for j in np.flatnonzero(np.isnan(values))):
        if not is_missing(cell, choices.missing) and np.isnan(number(cell, decimal)):
            where = f"‘{label(cell)}’ in ‘{name}’ (row {layout.first + cells.index(cell)})"
            advice = "say that it means a missing cell, add a row of names, leave out the column, or mend the file"
            raise TableError(f"{where} is no number with the decimal sign ‘{decimal}’: {advice}.")
    if not any("is read as the number" in check.sentence for check in checks):
        numbers = [spellings[j] for j in np.flatnonzero(~np.isnan(values))]
        if ambiguous := _ambiguous(numbers, decimal):
            _remark(checks, f"‘{ambiguous}’ in ‘{name}’ is read as the number {number(ambiguous, decimal):.12g}.")
    value_of = dict(zip(spellings, values.tolist(), strict=True))
    return np.array([value_of[cell] for cell in cells])


def _ambiguous(cells: Sequence[str], decimal: str) -> str:
    """Return the first cell whose number depends on the decimal sign, else the first that groups digits, else ""."""
    other = "," if decimal == "." else "."
    # Where the other sign cannot read the whole column, this one is the only reading.
    both_read = not any(math.isnan(number(cell, other)) for cell in cells)
    differing = (cell for cell in cells if both_read and number(cell, other) != number(cell, decimal))
    return next(differing, next(filter(_GROUPED, cells), ""))


def _times(choices: Choices, layout: Layout, checks: list[Check]) -> Times:
    """Return the times of the rows; where no column is the time, the numbers of the rows.

    Raises:
        TableError: a cell is no time.
    """
    if not choices.time:
        _remark(checks, "No column is the time: the rounds are the rows in the order of the file.")
        at = np.arange(1.0, layout.height + 1)[:, None]
        return Times(at, "", tuple(f"{t:.0f}" for t in at[:, 0]))
    columns = [layout.columns[i] for i in choices.time]
    found = times(columns, choices.dates, choices.missing, choices.decimal)
    if isinstance(found, str):
        where = f"‘{label(found)}’ in {_quoted([layout.header[i] for i in choices.time])}"
        forms = f"a number, 2024-02-01, 1.2.2024 with the {choices.dates} first, 1 Feb 2024, maybe with a clock"
        raise TableError(
            f"{where} is no time like the others ({forms}): choose other columns, leave out rows, or choose no time."
        )
    if found.doubt is not None:
        cell = " ".join(column[found.doubt] for column in columns)
        _remark(checks, f"‘{label(cell)}’ is read as {found.labels[found.doubt]}, with the {choices.dates} first.")
    return found


def _rounds(choices: Choices, layout: Layout, checks: list[Check]) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Return the rows that have a time, the round of each, and the times of the rounds.

    Raises:
        TableError: no row has a time.
    """
    times_of_rows = _times(choices, layout, checks)
    timed = np.flatnonzero(~np.isnan(times_of_rows.at).any(axis=1))
    if not len(timed):
        raise TableError("No row has a time: choose other columns for the time, or none.")
    if untimed := layout.height - len(timed):
        _remark(checks, f"{count(untimed, 'row')} without a time: left out.")
    at, first, rounds = np.unique(times_of_rows.at[timed], axis=0, return_index=True, return_inverse=True)
    labels = [times_of_rows.labels[row] for row in timed[first]]
    if not choices.time:
        return timed, rounds.ravel(), labels
    tick = layout.whole and not untimed and times_of_rows.doubt is None  # a claim about all rows needs all of them
    moves, span = np.diff(rounds.ravel()), f"from {labels[0]} to {labels[-1]}"
    if (moves < 0).any():
        how = "newest first" if (moves <= 0).all() else "not in order of time"
        _remark(checks, f"The rows were {how}: they are sorted, {span}.")
    else:
        all_rows = f"All {count(len(timed), 'row')} are in order of time, {span}."
        checks.append(Check(tick, all_rows if tick else f"The rounds go {span}."))
    if len(at) > 1 and at.shape[1] == 1:
        checks.append(_steps(np.diff(at[:, 0]), times_of_rows.unit, labels, tick))
    return timed, rounds.ravel(), labels


def _steps(steps: np.ndarray, unit: str, labels: Sequence[str], tick: bool) -> Check:
    """Return the check of the steps of time between the rounds.

    Args:
        tick: whether equal steps get a tick; unequal ones get a remark.
    """

    def with_unit(step: float) -> str:
        units = TIME_UNITS if unit == "second" else ((1, unit),)
        size, noun = next((one for one in units if step % one[0] == 0), units[-1])
        return f"{step / size:,.10g} {noun}{'' if step == size else 's'}" if noun else f"{step:.10g}"

    if np.allclose(steps, steps[0], rtol=1e-6, atol=0):
        return Check(tick, f"Every step of time is {with_unit(steps[0])}.")
    longest = f"the longest after {labels[int(steps.argmax())]}"
    said = f"Steps of time are from {with_unit(steps.min())} to {with_unit(steps.max())}, {longest}"
    return Check(False, f"{said}: a round is a row, so each of them is one step.")


def _averaged(
    choices: Choices, layout: Layout, checks: list[Check], arms: Sequence[int], values: np.ndarray,
    rounds: np.ndarray, labels: Sequence[str], row_names: Sequence[str],
) -> tuple[np.ndarray, list[str]]:  # fmt: skip
    """Return (rounds, arms) the rewards, and the names of the arms; rows of one round and one name are averaged.

    Args:
        arms: columns of the arms.   values: (n, columns).   rounds: (n,).   labels: times of the rounds.
        row_names: (n,) the arm that a row is about, "" for a row that holds all arms.

    Raises:
        TableError: there are more arms than may race.
    """
    import pandas as pd

    groups = list(dict.fromkeys(row_names))
    if (found := len(groups) * len(arms)) > MAX_ARMS:
        raise TableError(f"{found:,} arms are more than {MAX_ARMS}: choose fewer columns, or other names.")
    table = pd.DataFrame(values, columns=list(arms)).assign(time=rounds, group=pd.Categorical(row_names, groups))
    means = table.groupby(["time", "group"], observed=False).mean().unstack("group")
    means = means[[(i, group) for group in groups for i in arms]].to_numpy()
    repeated = table.duplicated(["time", "group"]).to_numpy()
    if repeats := int(repeated.sum()):
        first = labels[rounds[repeated].min()]
        what = "a time and name" if choices.arm_names else "a time"
        hint = "" if choices.arm_names else " If they are of different arms, choose the names of the arms."
        same = f"{count(repeats, 'row')} with {what} that another row has too ({first})"
        _remark(checks, f"{same}: averaged with it.{hint}")
    columns = [layout.header[i] for i in arms]
    pairs = [(group, column) for group in groups for column in columns]
    names = [f"{group} {column}" if group and columns[1:] else group or column for group, column in pairs]
    return means, distinct(names)


def _without(
    dropped: np.ndarray, values: np.ndarray, names: Sequence[str], why: str, checks: list[Check]
) -> tuple[np.ndarray, list[str], np.ndarray]:
    """Return the values, names and columns of the arms that stay, and add a remark that names the dropped ones.

    Raises:
        TableError: fewer than two stay.
    """
    if dropped.any():
        names_dropped = _quoted([name for name, is_dropped in zip(names, dropped, strict=True) if is_dropped])
        _remark(checks, f"{names_dropped}: {why}, left out.")
    stay = np.flatnonzero(~dropped)
    if len(stay) < 2:
        raise TableError(f"Fewer than two arms are left ({why}), so there is nothing to choose: take other columns.")
    return values[:, stay], [names[j] for j in stay.tolist()], stay


def _filled(layout: Layout, checks: list[Check], values: np.ndarray, missing: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rewards with missing ones filled in, and which of them were.

    Args:
        missing: number of missing cells in the rows that were read.
    """
    import pandas as pd

    gaps = np.isnan(values)
    if gaps.any():
        percent = "under 0.1" if gaps.mean() < 0.001 else f"{100 * gaps.mean():.1f}"
        amount = f"{count(int(gaps.sum()), 'cell')} missing ({percent} %)"
        repeats = "each repeats the last value of its arm (at the start the next one)"
        _remark(checks, f"{amount}: {repeats}, and is marked among all rewards.")
        return pd.DataFrame(values).ffill().bfill().to_numpy(), gaps
    if missing:
        _remark(checks, f"{count(missing, 'cell')} missing in the file, none in the rounds.")
    elif layout.whole:
        checks.append(Check(True, "No cell of the arms is missing."))
    return values, gaps


def _returns(choices: Choices, checks: list[Check], values: np.ndarray, names: Sequence[str]) -> tuple[np.ndarray, int]:
    """Return log returns where they are chosen, and how many rows they cost; else remark an arm that is always best.

    Raises:
        TableError: a price is not above 0.
    """
    lag = max(min(RETURN_ROWS, len(values) // 10), 1)
    if choices.log_returns:
        if not (values > 0).all():
            raise TableError("Log returns need prices above 0 in every cell: switch them off, or leave out columns.")
        what = f"Rewards are log returns, 100 ln(p(t) / p(t − {lag})) of the table's numbers"
        _remark(checks, f"{what}: they overlap, so part of their smoothness is built in.")
        return trailing_log_return(values, lag), lag
    best = (-values if choices.lower else values).argmax(axis=1)
    if (best == best[0]).all():
        hint = " If these are prices, choose log returns." if (values > 0).all() else ""
        _remark(checks, f"‘{names[best[0]]}’ is the best arm at every time, so there is nothing to follow.{hint}")
    return values, 0


def _compare_scales(checks: list[Check], values: np.ndarray, names: Sequence[str], train: int) -> None:
    """Add a remark where one arm varies so much more than another that it decides the race alone."""
    sd = spread(values[:train])
    ratio = float(sd.max() / sd.min())
    if ratio >= MAX_SPREAD_RATIO:
        which = f"‘{names[int(sd.argmax())]}’ and ‘{names[int(sd.argmin())]}’"
        _remark(checks, f"Arms differ {ratio:,.0f}× in scale ({which}), so the largest weighs most in the regret.")
