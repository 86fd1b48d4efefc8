"""A table of rewards from cells and choices, with a tick or a remark for each check; or one sentence why there is none.

A tick is true of every row that the file has: where some were left out there is none about order, steps or gaps.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lessons.real_data.reading.limits import MAX_ARMS, TableError, count, label
from lessons.real_data.reading.reader import Cells
from lessons.real_data.tables.cells import DAY, HOUR, MINUTE, ORDERS, Times, is_missing, number, times
from lessons.real_data.tables.choices import MIN_TIMES, Choices, Layout, distinct, lay_out
from tvbo_core.worlds.tables.table import Table, spread, trailing_log_return

TRAINING_SHARE = 0.6  # of the rows
MAX_MISSING_SHARE = 0.6  # of an arm's cells; beyond, filling would invent the arm
# Largest over smallest spread of an arm. Beyond ten the calmest of a few moves less than the noise, 5 % of their mean
# variance.
MAX_SPREAD_RATIO = 10.0
RETURN_ROWS = 60  # rows that a log return looks back, at most a tenth of the table
PRIVATE = "Your file stays in this session and is not stored."
_GROUPED = re.compile("[,' ]").search  # figures in groups, or a comma as decimal sign
SPANS = ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute"), (1, "second"))


class Check(NamedTuple):
    """One check: passed (a tick), or a remark."""

    ok: bool
    sentence: str


@dataclass(frozen=True, eq=False)
class Loaded:
    """A table as its choices have read it.

    Attributes:
        choices: that were made.   layout: names and columns.   checks: in order.
        table: None when it cannot be used; then `problem` says why in one sentence.
    """

    choices: Choices
    layout: Layout
    checks: tuple[Check, ...]
    table: Table | None
    problem: str = ""

    def role(self, i: int) -> str:
        """Return what a column is."""
        roles = ((self.choices.time, "time"), (self.choices.arm_names, "name of the arm"), (self.choices.arms, "arm"))
        return next((role for columns, role in roles if i in columns), "left out")


def load(cells: Cells, choices: Choices) -> Loaded:
    """Return the table that these cells are by these choices."""
    layout, checks = lay_out(cells, choices), [Check(False, note) for note in cells.notes]
    try:
        table = _table(cells, choices, layout, checks)
    except TableError as problem:
        return Loaded(choices, layout, tuple(checks), None, str(problem))
    return Loaded(choices, layout, tuple(checks), table)


def _table(cells: Cells, choices: Choices, layout: Layout, checks: list[Check]) -> Table:
    """Return the table, and add what is to be said of it.

    Raises:
        TableError: it cannot be used.
    """
    arms = _arms(cells, choices, layout, checks)
    if not layout.whole:
        _remark(checks, f"The file is long: its last {count(layout.height, 'row')} are used.")
    values = np.column_stack([_numbers(choices, layout, i, checks) for i in arms])
    known, rounds, labels = _rounds(choices, layout, checks)
    values, missing = values[known], int(np.isnan(values).sum())
    keys = [label(" ".join(layout.columns[i][row] for i in choices.arm_names), 60) for row in known]
    values, names = _averaged(choices, layout, checks, arms, values, rounds, labels, keys)
    gone = np.isnan(values).mean(axis=0) > MAX_MISSING_SHARE
    values, names, _ = _without(gone, values, names, "mostly missing", checks)
    values, filled = _filled(layout, checks, values, missing)
    if len(values) < MIN_TIMES:
        rows = f"Only {count(len(values), 'time')}"
        raise TableError(f"{rows}, and {MIN_TIMES} are needed: where each column is a time, exchange rows and columns.")
    values, lag = _returns(choices, checks, values, names)
    labels, filled = labels[lag:], filled[lag:]
    train = round(TRAINING_SHARE * len(values))
    still = np.ptp(values[:train], axis=0) <= 1e-12 * np.abs(values[:train]).max(axis=0)
    values, names, moving = _without(still, values, names, "without change in the rows to learn from", checks)
    filled = filled[:, moving]
    _compare_scales(checks, values, names, train)
    horizon, width = values.shape
    checks.append(
        Check(True, f"{width} arms and {horizon:,} times: {train:,} to learn from, {horizon - train:,} to race in.")
    )
    best = "lowest" if choices.lower else "highest"
    return Table(
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


def _remark(checks: list[Check], sentence: str) -> None:
    checks.append(Check(False, sentence))


def _columns(names: Sequence[str]) -> str:
    shown = ", ".join(f"‘{name}’" for name in names[:3])
    return shown + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _arms(cells: Cells, choices: Choices, layout: Layout, checks: list[Check]) -> list[int]:
    """Return the columns of the arms."""
    width = len(layout.header)
    if any(i >= width for i in (*choices.time, *choices.arm_names, *choices.arms)):
        raise TableError(f"The table has columns 1 to {width}: choose the time and the arms among them.")
    if not layout.height:
        raise TableError("No row is left below the rows of names: add one row of numbers for every time.")
    if empty := [name for name, column in zip(layout.header, layout.columns, strict=True) if not any(column)]:
        why = "; a formula counts with its saved result only: save the workbook in an office program"
        _remark(checks, f"No value in {_columns(empty)}{why if cells.sheets else ''}.")
    arms = [i for i in dict.fromkeys(choices.arms) if i not in (*choices.time, *choices.arm_names)]
    if not arms:
        raise TableError("No column of numbers is chosen: an arm is a column with a number in every row.")
    if len(arms) == 1 and not choices.arm_names:
        raise TableError(
            f"Only one arm, ‘{layout.header[arms[0]]}’, so nothing to choose: take a second column of numbers."
        )
    if choices.arm_names and not choices.time:
        raise TableError("Columns that name the arms need a time: choose the columns that make the time too.")
    names = [layout.header[i] for i in arms]
    dates = [name for name in names if name[:1].isdigit()]
    if any(isinstance(found := times([dates], order), Times) and found.unit for order in ORDERS):
        raise TableError(f"The names of the columns are times, such as ‘{dates[0]}’: exchange rows and columns.")
    if choices.names and not any(np.isnan(number(name, choices.decimal)) for name in names):
        _remark(checks, "The names of the arms are numbers: if they are a round, choose no row of names.")
    last = layout.columns[-1] if cells.separator == " " else ()
    if "" in last:
        shown = label(" ".join(column[last.index("")] for column in layout.columns), 60)
        why = "has fewer cells than other rows, and between spaces nothing shows which"
        raise TableError(f"‘{shown}’ {why}: write NA for these.")
    return arms


def _numbers(choices: Choices, layout: Layout, i: int, checks: list[Check]) -> np.ndarray:
    """Return (n,) the numbers of a column, NaN where a cell is missing; say once how one that is not plain is read.

    Raises:
        TableError: a cell is neither a number nor missing.
    """
    cells, sign, name = layout.columns[i], choices.decimal, layout.header[i]
    written = list(dict.fromkeys(cells))
    values = np.array([number(cell, sign) for cell in written])
    values[[cell in choices.missing for cell in written]] = np.nan
    values[np.isin(values, [number(code, sign) for code in choices.missing])] = np.nan
    for fault in (written[j] for j in np.flatnonzero(np.isnan(values))):
        if not is_missing(fault, choices.missing) and np.isnan(number(fault, sign)):
            where = f"‘{label(fault)}’ in ‘{name}’ (row {cells.index(fault) + 1})"
            advice = "say that it means a missing cell, add a row of names, leave out the column, or mend the file"
            raise TableError(f"{where} is no number with the decimal sign ‘{sign}’: {advice}.")
    if not any("is read as the number" in check.sentence for check in checks):
        plain = [written[j] for j in np.flatnonzero(~np.isnan(values))]
        if odd := _unlike_plain(plain, sign):
            _remark(checks, f"‘{odd}’ in ‘{name}’ is read as the number {number(odd, sign):.12g}.")
    held = dict(zip(written, values.tolist(), strict=True))
    return np.array([held[cell] for cell in cells])


def _unlike_plain(cells: Sequence[str], sign: str) -> str:
    """Return the first cell that the other decimal sign reads as another number, or that groups figures, or ""."""
    other = "," if sign == "." else "."
    either = not any(math.isnan(number(cell, other)) for cell in cells)
    both = (cell for cell in cells if either and number(cell, other) != number(cell, sign))
    return next(both, next(filter(_GROUPED, cells), ""))


def _times(choices: Choices, layout: Layout, checks: list[Check]) -> Times:
    """Return the times of the rows: without a column of times the numbers of the rows.

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
        where = f"‘{label(found)}’ in {_columns([layout.header[i] for i in choices.time])}"
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
    when = _times(choices, layout, checks)
    known = np.flatnonzero(~np.isnan(when.at).any(axis=1))
    if not len(known):
        raise TableError("No row has a time: choose other columns for the time, or none.")
    if nowhere := layout.height - len(known):
        _remark(checks, f"{count(nowhere, 'row')} without a time: left out.")
    at, first, rounds = np.unique(when.at[known], axis=0, return_index=True, return_inverse=True)
    labels = [when.labels[row] for row in known[first]]
    if not choices.time:
        return known, rounds.ravel(), labels
    certain = layout.whole and not nowhere and when.doubt is None
    apart, span = np.diff(rounds.ravel()), f"from {labels[0]} to {labels[-1]}"
    if (apart < 0).any():
        how = "newest first" if (apart <= 0).all() else "not in order of time"
        _remark(checks, f"The rows were {how}: they are sorted, {span}.")
    else:
        said = f"All {count(len(known), 'row')} are in order of time, {span}." if certain else f"The rounds go {span}."
        checks.append(Check(certain, said))
    if len(at) > 1 and at.shape[1] == 1:
        checks.append(_steps(np.diff(at[:, 0]), when.unit, labels, certain))
    return known, rounds.ravel(), labels


def _steps(steps: np.ndarray, unit: str, labels: Sequence[str], certain: bool) -> Check:
    """Return what is to be said of the steps of time between the rounds."""

    def span(step: float) -> str:
        size, noun = next((one for one in SPANS if step % one[0] == 0), SPANS[-1]) if unit == "second" else (1, unit)
        return f"{step / size:,.10g} {noun}{'' if step == size else 's'}" if noun else f"{step:.10g}"

    if np.allclose(steps, steps[0], rtol=1e-6, atol=0):
        return Check(certain, f"Every step of time is {span(steps[0])}.")
    longest = f"the longest after {labels[int(steps.argmax())]}"
    said = f"Steps of time are from {span(steps.min())} to {span(steps.max())}, {longest}"
    return Check(False, f"{said}: a round is a row, so each of them is one step.")


def _averaged(
    choices: Choices, layout: Layout, checks: list[Check], arms: Sequence[int], values: np.ndarray,
    rounds: np.ndarray, labels: Sequence[str], keys: Sequence[str],
) -> tuple[np.ndarray, list[str]]:  # fmt: skip
    """Return a row a round and a column an arm, rows of one round and name as their mean, and the names of the arms.

    Raises:
        TableError: there are more arms than may race.
    """
    import pandas as pd

    places = list(dict.fromkeys(keys))
    if (found := len(places) * len(arms)) > MAX_ARMS:
        raise TableError(f"{found:,} arms are more than {MAX_ARMS}: choose fewer columns, or other names.")
    frame = pd.DataFrame(values, columns=list(arms)).assign(time=rounds, key=pd.Categorical(keys, places))
    means = frame.groupby(["time", "key"], observed=False).mean().unstack("key")
    means = means[[(i, key) for key in places for i in arms]].to_numpy()
    twice = frame.duplicated(["time", "key"]).to_numpy()
    if again := int(twice.sum()):
        one = labels[rounds[twice].min()]
        what = "a time and name" if choices.arm_names else "a time"
        hint = "" if choices.arm_names else " If they are of different arms, choose the names of the arms."
        _remark(checks, f"{count(again, 'row')} with {what} that another row has too ({one}): averaged with it.{hint}")
    columns = [layout.header[i] for i in arms]
    names = [f"{key} {column}" if key and columns[1:] else key or column for key in places for column in columns]
    return means, distinct(names)


def _without(
    gone: np.ndarray, values: np.ndarray, names: Sequence[str], why: str, checks: list[Check]
) -> tuple[np.ndarray, list[str], np.ndarray]:
    """Return the arms that stay, their names and columns, and say which do not.

    Raises:
        TableError: fewer than two stay.
    """
    if gone.any():
        left = _columns([name for name, is_gone in zip(names, gone, strict=True) if is_gone])
        _remark(checks, f"{left}: {why}, left out.")
    stay = np.flatnonzero(~gone)
    if len(stay) < 2:
        raise TableError(f"Fewer than two arms are left ({why}), so there is nothing to choose: take other columns.")
    return values[:, stay], [names[j] for j in stay.tolist()], stay


def _filled(layout: Layout, checks: list[Check], values: np.ndarray, missing: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the values without holes, and which of them stand in for missing ones.

    Args:
        missing: cells of the rows that were read.
    """
    import pandas as pd

    holes = np.isnan(values)
    if holes.any():
        percent = "under 0.1" if holes.mean() < 0.001 else f"{100 * holes.mean():.1f}"
        amount = f"{count(int(holes.sum()), 'cell')} missing ({percent} %)"
        _remark(checks, f"{amount}: each repeats the last value of its arm, and is marked among all rewards.")
        return pd.DataFrame(values).ffill().bfill().to_numpy(), holes
    if missing:
        _remark(checks, f"{count(missing, 'cell')} missing in the file, none in the rounds.")
    elif layout.whole:
        checks.append(Check(True, "No cell of the arms is missing."))
    return values, holes


def _returns(choices: Choices, checks: list[Check], values: np.ndarray, names: Sequence[str]) -> tuple[np.ndarray, int]:
    """Return log returns where they were chosen, and the rows they cost; else say where one arm is always best.

    Raises:
        TableError: a price is not above 0.
    """
    lag, above = max(min(RETURN_ROWS, len(values) // 10), 1), bool((values > 0).all())
    if choices.log_returns:
        if not above:
            raise TableError("Log returns need prices above 0 in every cell: switch them off, or leave out columns.")
        what = f"Rewards are log returns, 100 ln(p(t) / p(t − {lag})) of the table's numbers"
        _remark(checks, f"{what}: they overlap, so part of their smoothness is built in.")
        return trailing_log_return(values, lag), lag
    best = (-values if choices.lower else values).argmax(axis=1)
    if (best == best[0]).all():
        ask = " If these are prices, choose log returns." * above
        _remark(checks, f"‘{names[best[0]]}’ is the best arm at every time, so nothing changes.{ask}")
    return values, 0


def _compare_scales(checks: list[Check], values: np.ndarray, names: Sequence[str], train: int) -> None:
    """Say where one arm varies so much more than another that it decides the race alone."""
    sd = spread(values[:train])
    apart = float(sd.max() / sd.min())
    if apart >= MAX_SPREAD_RATIO:
        which = f"‘{names[int(sd.argmax())]}’ and ‘{names[int(sd.argmin())]}’"
        _remark(checks, f"Arms differ {apart:,.0f}× in scale ({which}), so the largest decides.")
