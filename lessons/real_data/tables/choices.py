"""Choices about a table, how they lay out its cells, and which are suggested.

A suggestion is a look at the first cells and may be wrong; the reader sees what it does, and changes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice
from typing import Any

import numpy as np

from lessons.real_data.reading.limits import MAX_ARMS, MAX_CELL_CHARACTERS, MAX_ROWS, TOP_ROWS, label
from lessons.real_data.reading.reader import Cells
from lessons.real_data.tables.cells import ORDERS, is_missing, number, times

MIN_TIMES = 20  # below, neither the covariance nor the race says anything
SAMPLE = 60  # rows, or cells of a column that are not missing, from which is suggested
MOST_TRIED = 10  # columns of texts that are tried as times
OPTIONS = {"dates": tuple(ORDERS), "decimal": (".", ",")}


@dataclass(frozen=True)
class Choices:
    """Choices about a table, as plain values; columns are numbers from 0.

    Attributes:
        sheet: of a workbook, "" for what the reader of the file takes.
        above: lines above the table.   names: rows of names below them, joined.   below: rows under the table.
        time: columns that make the time, the coarsest first; () for none: the rows are in order.
        dates: key of `cells.ORDERS`: which part comes first in a date such as 10/03/24.
        arm_names: columns whose cells name the arm of a row, where a time has a row for every arm.
        arms: columns of numbers that are arms, or of which each name in `arm_names` has one.
        decimal: sign, "." or ",".   missing: cells that count as missing besides empty ones.
        lower: whether less is better.   log_returns: race on log returns of prices.
    """

    sheet: str = ""
    above: int = 0
    names: int = 1
    below: int = 0
    time: tuple[int, ...] = ()
    dates: str = "day"
    arm_names: tuple[int, ...] = ()
    arms: tuple[int, ...] = ()
    decimal: str = "."
    missing: tuple[str, ...] = ()
    lower: bool = False
    log_returns: bool = False


def changes(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values of some fields of `Choices`, as a link or a file writes them, with lists as tuples.

    Raises:
        ValueError: one is no field, or none of its values.
    """
    known, found = {field.name: field.default for field in fields(Choices)}, {}
    for name, value in values.items():
        value = tuple(value) if isinstance(value, list) else value
        usual = known.get(name)
        fits = name in known and type(value) is type(usual) and value in OPTIONS.get(name, (value,))
        if isinstance(value, tuple):
            fits = fits and {type(one) for one in value} <= {str if name == "missing" else int}
        parts = value if isinstance(value, tuple) else (value,)
        if not fits or any(not 0 <= one <= MAX_ROWS if isinstance(one, int) else not _is_text(one) for one in parts):
            raise ValueError(f"{label(str(name))} cannot be {label(repr(value))}")
        found[name] = value
    return found


def _is_text(value: str) -> bool:
    return value.isprintable() and len(value) <= MAX_CELL_CHARACTERS


@dataclass(frozen=True, eq=False)
class Layout:
    """Names and columns of a table.

    Attributes:
        header: names of the columns, distinct.   given: names as the file has them, "" where it has none.
        columns: their cells.   first: number of their first row, see `row_number`.
        whole: whether all rows of the file are here.
    """

    header: tuple[str, ...]
    given: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    first: int
    whole: bool

    @property
    def height(self) -> int:
        return len(self.columns[0])


def lay_out(cells: Cells, choices: Choices) -> Layout:
    """Return names and columns of a table; it has at least one column, and maybe no row."""
    rows = cells.rows[choices.above :]
    cut = TOP_ROWS - choices.above if cells.left else 0  # of the top only the names are read
    end = max(len(rows) - choices.below, 0)
    start = max(choices.names, cut, end - MAX_ROWS)
    width = max(map(len, rows), default=1)
    names = [label(" ".join(filter(None, parts))) for parts in zip(*rows[: choices.names], strict=True)]
    names = names or [""] * width
    header = distinct([name or f"column {i + 1}" for i, name in enumerate(names)])
    columns = tuple(zip(*rows[start:end], strict=True)) or ((),) * width
    first = row_number(cells, choices, choices.above + start)
    return Layout(tuple(header), tuple(names), columns, first, not cells.left and start == choices.names)


def row_number(cells: Cells, choices: Choices, row: int) -> int:
    """Return the number in the file of a row of `cells`, counted from 0: the first below the names has number 1."""

    def place(kept: int) -> int:
        return kept + (cells.left if kept >= TOP_ROWS else 0)

    return place(row) - place(choices.above + choices.names - 1)


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names, with a number behind those that were there before."""
    taken, out = set(names), []
    seen: Counter[str] = Counter()
    for name in names:
        seen[name] += 1
        new, again = name, seen[name]
        while again > 1 and new in taken:
            new, again = f"{name} ({again})", again + 1
        taken.add(new)
        out.append(new)
    return out


def suggest(cells: Cells, **said: Any) -> Choices:
    """Return choices about a table: those that are said, and for the others a guess from its first rows."""
    choices = Choices(**{**said, "sheet": cells.sheet})  # which was read
    rows = cells.rows
    if "above" not in said:
        filled = [sum(map(bool, row)) for row in rows[:SAMPLE]]
        choices = replace(choices, above=next(i for i, n in enumerate(filled) if 2 * n >= max(filled)))
    layout = lay_out(cells, choices)
    sample = [_first(column, choices) for column in layout.columns]
    if "decimal" not in said:
        counts = {sign: sum(not np.isnan(number(c, sign)) for column in sample for c in column) for sign in ".,"}
        choices = replace(choices, decimal="," if counts[","] > counts["."] else ".")
    numeric = [i for i, column in enumerate(sample) if _mostly_numbers(column, choices.decimal)]
    if "time" not in said:
        choices = replace(choices, time=_time(layout, sample, numeric, choices))
    columns = [layout.columns[i] for i in choices.time if i < len(layout.columns)]
    if "dates" not in said and columns:
        orders = (order for order in ORDERS if not isinstance(times(columns, order, choices.missing), str))
        choices = replace(choices, dates=next(orders, choices.dates))
    if "arms" not in said:
        others = [i for i in numeric if i not in (*choices.time, *choices.arm_names)]
        choices = replace(choices, arms=tuple(others[:MAX_ARMS]))
    return choices


def _first(column: Sequence[str], choices: Choices) -> list[str]:
    """Return the first cells that are not missing; a column may begin with many that are."""
    return list(islice((cell for cell in column if not is_missing(cell, choices.missing)), SAMPLE))


def _mostly_numbers(cells: Sequence[str], decimal: str) -> bool:
    return 2 * sum(not np.isnan(number(cell, decimal)) for cell in cells) > len(cells)


def _time(layout: Layout, sample: Sequence[Sequence[str]], numeric: Sequence[int], choices: Choices) -> tuple[int, ...]:
    """Return the first column of dates, else the first of whole numbers that rise from row to row, else none."""
    others = [i for i in range(len(sample)) if i not in choices.arm_names and sample[i]]
    for i in [i for i in others if i not in numeric][:MOST_TRIED]:
        if any(not isinstance(times([sample[i]], order), str) for order in ORDERS):
            return (i,)
    for i in (i for i in others if i in numeric):
        values = np.array([number(cell, choices.decimal) for cell in layout.columns[i]])
        if len(values) > 1 and (np.diff(values) > 0).all() and (values % 1 == 0).all():
            return (i,)
    return ()
