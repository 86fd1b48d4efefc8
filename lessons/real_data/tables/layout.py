"""Names and columns of a sheet: which rows are names, which stand around the table, and what each column is.

What is not certain is a question: a finding that names the choice which answers it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lessons.real_data.reading.limits import MAX_COLUMNS, MAX_ROWS, TableError, count, label
from lessons.real_data.reading.reader import EMPTY, RawTable
from lessons.real_data.tables.numbers import Column, is_missing, numbers
from lessons.real_data.tables.times import Reading, clocks, dates

FORWARD, DROP = "forward", "drop"
MOST_NAMES, MOST_FOOT = 6, 3  # rows of names, and rows below the table, that are looked for
SAMPLE_ROWS = 200
TOTALS = frozenset(
    "total totals sum sums summe gesamt insgesamt mean average avg mittel mittelwert durchschnitt moyenne somme suma "
    "media totale promedio soma totaal gemiddelde min max minimum maximum median std subtotal count".split()
)


@dataclass(frozen=True)
class Choice:
    """Choices about a table: plain values; None is what the table itself says, and where it is guessed that is said.

    Attributes:
        time: numbers of the columns that make one time, () for none: the rows are in order.
        arms: numbers of the columns that are arms.   higher: whether more is better.
        fill: `FORWARD` (a missing cell repeats the last one) or `DROP` (rows with missing cells go).
        standardise: divide every arm by the standard deviation of its training part.
        share: of the rows for training.   log_returns: race on log returns of prices.
        turned: exchange rows and columns.   names: rows of names.   foot: rows below the table that are none of it.
        codes: cells that count as missing besides empty ones.
        first: "day", "month" or "year": the first part of a date such as 10/03/24.   decimal: sign, "." or ",".
    """

    time: tuple[int, ...] | None = None
    arms: tuple[int, ...] | None = None
    higher: bool = True
    fill: str = FORWARD
    standardise: bool = False
    share: float = 0.6
    log_returns: bool = False
    turned: bool = False
    names: int | None = None
    foot: int | None = None
    codes: tuple[str, ...] | None = None
    first: str = ""
    decimal: str = ""


@dataclass(frozen=True)
class TableFinding:
    """One check: passed (a tick), or a word of warning.

    Attributes:
        offer: the field of `Choice` that answers it, "" for none.
    """

    ok: bool
    sentence: str
    offer: str = ""


@dataclass(frozen=True, eq=False)
class Sheet:
    """A table laid out by a choice.

    Attributes:
        header: names of the columns, distinct.   columns: their cells.   choice: by which it was laid out.
        names, foot: rows that were read as names, and left out below.   found: on the layout.
        whole: whether all rows of the file are here.   bare: whether the columns have no names of their own.
        top: the first row, where it holds numbers and was not read as names, else empty.
    """

    header: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    choice: Choice
    names: int
    foot: int
    found: tuple[TableFinding, ...]
    whole: bool
    bare: bool

    @property
    def height(self) -> int:
        return len(self.columns[0])

    @cached_property
    def parsed(self) -> tuple[Column, ...]:
        """Every column as numbers, with one decimal sign where a column leaves it open."""
        codes = self.choice.codes or ()
        read = [numbers(cells, codes, self.choice.decimal) for cells in self.columns]
        sure = Counter(p.decimal for p in read if p.decimal and not p.unsure)
        settled = self.choice.decimal or (sure.most_common(1)[0][0] if sure else "")
        if settled:
            return tuple(
                _sure(numbers(cells, codes, settled)) if p.unsure else p
                for cells, p in zip(self.columns, read, strict=True)
            )
        return tuple(read)

    @cached_property
    def dated(self) -> tuple[tuple[Reading, ...], ...]:
        """Every reading of every column as dates."""
        return tuple(tuple(dates(cells, self.choice.codes or ())) for cells in self.columns)

    def clock(self, i: int, named: bool) -> np.ndarray | None:
        """Return a column as seconds since midnight, or None."""
        return clocks(self.columns[i], named, self.choice.codes or ())

    def top(self, rows: int = 8) -> list[dict[str, str]]:
        """Return the first rows as they stand in the file."""
        return [dict(zip(self.header, row, strict=True)) for row in zip(*(c[:rows] for c in self.columns), strict=True)]


def _sure(column: Column) -> Column:
    return Column(column.values, column.missing, column.bad, column.decimal, "", column.sample, column.signed)


def lay_out(raw: RawTable, choice: Choice) -> Sheet:
    """Return names and columns of a sheet.

    Raises:
        TableError: it holds nothing but names, or nothing at all.
    """
    found = [TableFinding(False, note) for note in raw.notes]
    rows = [row for row in zip(*raw.cells, strict=True)]
    if not any(map(any, rows)):
        raise TableError(EMPTY)
    rows, above = _without_lines_above(rows, found)
    cut = 0 if not raw.kept else len(rows) - raw.kept  # rows of the top of a longer file: only names are read there
    if choice.turned:
        rows, cut = [row for row in zip(*rows, strict=True) if any(row)], 0
    names, asked = _rows_of_names(rows, choice, raw.named and not choice.turned)
    header = _header(rows[:names], len(rows[0]), spread=not choice.turned)
    body = [row for row in rows[max(names, cut) :] if any(row)]
    if names > 1:
        shown = ", ".join(f"‘{label(n)}’" for n in header if n)
        found.append(
            TableFinding(False, f"{names} rows of names are read as one ({label(shown, 90)}): check them.", "names")
        )
    elif asked:
        found.append(TableFinding(False, asked, "names"))
    foot = _rows_below(body, choice, found)
    body = body[: len(body) - foot]
    if not body:
        raise TableError("The table has a row of names and nothing below it: add one row of numbers for every time.")
    whole = not raw.kept
    if len(body) > MAX_ROWS:
        body, whole = body[-MAX_ROWS:], False
    if not whole:
        found.append(
            TableFinding(
                False, f"{raw.rows:,} rows: {len(body):,} of them are read, the others are not looked at.", "thin"
            )
        )
    columns = list(zip(*body, strict=True))
    used = [i for i, cells in enumerate(columns) if header[i] or any(cells)][:MAX_COLUMNS]
    if len(columns) > MAX_COLUMNS:
        found.append(TableFinding(False, f"More than {MAX_COLUMNS} columns: the first {MAX_COLUMNS} are read."))
    bare = not any(header[i] for i in used)
    given = [label(header[i]) or f"column {i + 1}" for i in used]
    if twice := [n for n, k in Counter(given).items() if k > 1]:
        found.append(TableFinding(False, f"‘{twice[0]}’ names several columns: they are numbered."))
    return Sheet(
        tuple(distinct(given)), tuple(columns[i] for i in used), choice, names, foot, tuple(found), whole, bare
    )


def distinct(names: Sequence[str]) -> list[str]:
    """Return the names, with a number behind those that were there before."""
    seen: Counter[str] = Counter()
    taken, out = set(names), []
    for name in names:
        seen[name] += 1
        new, number = name, seen[name]
        while number > 1 and new in taken:
            new, number = f"{name} ({number})", number + 1
        taken.add(new)
        out.append(new)
    return out


Row = tuple[str, ...]


def _width(row: Row) -> int:
    return max((i + 1 for i, cell in enumerate(row) if cell), default=0)


def _without_lines_above(rows: list[Row], found: list[TableFinding]) -> tuple[list[Row], int]:
    """Return the rows from the first that is as wide as most: lines above it are a title or notes."""
    widths = Counter(w for w in map(_width, rows[: 2 * SAMPLE_ROWS]) if w)
    usual = max(widths, key=lambda w: (widths[w], w))
    start = next(i for i, row in enumerate(rows) if _width(row) >= usual)
    if start and usual > 2 and all(cell and not numbers([cell]).numeric for cell in rows[start - 1][: usual - 1]):
        rows[start - 1] = ("", *rows[start - 1][:-1])  # the names of all columns but that of the rows' own names
        start -= 1
    while start and 2 * sum(map(bool, rows[start - 1])) > usual > 2:
        start -= 1  # a row of names over several columns each
    above = [row for row in rows[:start] if any(row)]
    if above:
        first = label(" ".join(filter(None, above[0])))
        found.append(TableFinding(False, f"{count(len(above), 'line')} above the table skipped (‘{first}’).", "names"))
    return rows[start:], len(above)


def _forms(rows: Sequence[Row]) -> list[str]:
    """Return what each column of these rows holds throughout: "date", "number" or "" for anything else."""
    forms = []
    for cells in zip(*rows, strict=True):
        if all(map(is_missing, cells)):
            forms.append("")
        elif dates(cells):
            forms.append("date")
        else:
            forms.append("number" if numbers(cells).numeric else "")
    return forms


def _unlike(row: Row, forms: Sequence[str]) -> tuple[int, int, bool]:
    """Return how many cells of a row are not what their columns are, of how many, and whether a date is among them."""
    checked = [(cell, form) for cell, form in zip(row, forms, strict=True) if form and not is_missing(cell)]
    odd = [form for cell, form in checked if not (dates([cell]) if form == "date" else numbers([cell]).numeric)]
    return len(odd), len(checked), "date" in odd


def _rows_of_names(rows: list[Row], choice: Choice, named: bool) -> tuple[int, str]:
    """Return how many rows at the top are names, and a question where the table leaves that open."""
    if choice.names is not None and not named:
        return min(choice.names, len(rows)), ""
    if named:
        return 1, ""
    n = len(rows)
    core = rows[min(MOST_NAMES, n // 3) : n - min(MOST_FOOT, n // 4)][:SAMPLE_ROWS]
    forms = _forms(core)
    if not any(forms):
        return 1, ""
    names = 0
    for row in rows[: min(MOST_NAMES, n - 1)]:
        odd, checked, dated = _unlike(row, forms)
        if not any(row) or dated or (odd and 2 * odd > checked):
            names += 1
        else:
            break
    if names:
        return names, ""
    shown = ", ".join(f"‘{cell}’" for cell in rows[0][:4] if cell)
    steps = [_steps(row, forms) for row in rows[:2]]
    if steps[0] and not steps[1]:
        return 1, (
            f"The first row ({shown}, …) is read as names, because it counts on: if it is the first time, set the "
            "rows of names to 0."
        )
    return 0, f"No row of names: the columns are called by their number. If the first row ({shown}) is names, set 1."


def _steps(row: Row, forms: Sequence[str]) -> bool:
    """Return whether the numbers in a row are whole and count on by the same step, such as 1, 2, 3."""
    cells = [cell for cell, form in zip(row, forms, strict=True) if form == "number"]
    if len(cells) < 3 or not all(re.fullmatch(r"\d{1,9}", cell, re.ASCII) for cell in cells):
        return False
    steps = np.diff(np.array(cells, dtype=int))
    return bool((steps == steps[0]).all() and steps[0])


def _header(rows: Sequence[Row], width: int, spread: bool) -> list[str]:
    """Return a name for each column from its rows of names: what all columns share, or numbers below texts, is left."""
    filled = []
    for k, row in enumerate(rows):
        cells = list(row)
        if spread and k + 1 < len(rows) and any(cells[1:2]):  # a name over several columns stands in the first of them
            for i in range(2, width):
                cells[i] = cells[i] or (cells[i - 1] if rows[k + 1][i] else "")
        filled.append(cells)
    worded = [row for row in filled if any(cell and not numbers([cell]).numeric for cell in row[1:])]
    telling = [row for row in (worded or filled) if len({cell for cell in row[1:] if cell}) > 1]
    out = []
    for i in range(width):
        every = [row[i] for row in filled if row[i]]
        mine = [row[i] for row in (telling or worded or filled) if row[i]] or every
        out.append(every[-1] if i == 0 and every else " ".join(dict.fromkeys(mine)))
    return out


def _rows_below(body: list[Row], choice: Choice, found: list[TableFinding]) -> int:
    """Return how many rows at the end are none of the table: notes, and totals that are called so."""
    foot = choice.foot
    if foot is None:
        forms = _forms(body[: -MOST_FOOT or None][-SAMPLE_ROWS:]) if len(body) > 2 * MOST_FOOT else []
        foot = 0
        for row in reversed(body[-MOST_FOOT - 5 :] if forms else []):
            odd, checked, dated = _unlike(row, forms)
            called = any(set(re.findall(r"[^\W\d]+", cell.lower())) & TOTALS for cell in row)
            alone = sum(map(bool, row)) == 1 < sum(map(bool, forms))
            if not (dated or called or alone or (odd and 2 * odd > checked)):
                break
            foot += 1
    foot = min(foot, len(body))
    for row in body[len(body) - foot :]:
        said = ", ".join(cell for cell in row[:4] if cell)
        found.append(TableFinding(False, f"The row ‘{label(said, 60)}’ below the table is left out.", "foot"))
    return foot
