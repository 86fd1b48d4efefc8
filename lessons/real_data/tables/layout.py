"""Names and columns of a sheet: which rows are names, which stand around the table, and what each column is.

What is not certain is a question: a finding that names the choice which answers it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from lessons.real_data.reading.limits import MAX_COLUMNS, MAX_ROWS, TableError, count, label
from lessons.real_data.reading.reader import EMPTY, RawTable
from lessons.real_data.tables.numbers import Column, is_missing, numbers
from lessons.real_data.tables.times import COUNTERS, PARTS, Reading, dates, is_like_date

FORWARD, DROP = "forward", "drop"
MOST_NAMES, MOST_FOOT = 6, 8  # rows of names, and rows below the table, that are looked for
SAMPLE_ROWS = 200
_TOTALS_WORDS = """
total totals sum sums summe gesamt insgesamt mean average avg mittel mittelwert durchschnitt moyenne somme
suma media totale promedio soma totaal gemiddelde min max minimum maximum median std subtotal count"""
TOTALS = frozenset(_TOTALS_WORDS.split())
Row = tuple[str, ...]


@dataclass(frozen=True)
class Choice:
    """Choices about a table: plain values; None is what the table itself says, and where it is guessed that is said.

    Attributes:
        time: numbers of the columns that make one time, () for none: the rows are in order.
        arms: numbers of the columns that are arms.   higher: whether more is better.
        fill: `FORWARD` (a missing cell repeats the last one) or `DROP` (rows with missing cells go).
        standardise: divide every arm by the standard deviation of its training part.
        log_returns: race on log returns of prices.
        turned: exchange rows and columns.   names: rows of names.   foot: rows below the table that are none of it.
        codes: cells that count as missing besides empty ones.
        first: "day", "month" or "year": the first part of a date such as 10/03/24.   decimal: sign, "." or ",".
    """

    time: tuple[int, ...] | None = None
    arms: tuple[int, ...] | None = None
    higher: bool = True
    fill: str = FORWARD
    standardise: bool = False
    log_returns: bool = False
    turned: bool = False
    names: int | None = None
    foot: int | None = None
    codes: tuple[str, ...] | None = None
    first: str = ""
    decimal: str = ""


AS_FOUND = Choice()


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
class TableLayout:
    """A table laid out by a choice.

    Attributes:
        header: names of the columns, distinct.   columns: their cells.   choice: by which it was laid out.
        found: on the layout.   whole: whether all rows of the file are here.
        bare: whether the columns have no names of their own.
    """

    header: Row
    columns: tuple[Row, ...]
    choice: Choice
    found: tuple[TableFinding, ...]
    whole: bool
    bare: bool

    @property
    def height(self) -> int:
        return len(self.columns[0])

    @cached_property
    def parsed(self) -> tuple[Column, ...]:
        """Every column as numbers, with one decimal sign where a column leaves it open."""
        codes, sign = self.choice.codes or (), self.choice.decimal
        read = [numbers(cells, codes, sign, bool(sign)) for cells in self.columns]
        sure = Counter(p.decimal for p in read if p.decimal and not p.unsure).most_common(1)
        both = zip(self.columns, read, strict=True)
        return tuple(numbers(c, codes, sure[0][0], True) if sure and p.unsure else p for c, p in both)

    @cached_property
    def dated(self) -> tuple[list[Reading], ...]:
        """Every reading of every column as dates."""
        return tuple(dates(cells, self.choice.codes or ()) for cells in self.columns)

    def top(self, rows: int = 8) -> list[dict[str, str]]:
        """Return the first rows as they stand in the file."""
        return [dict(zip(self.header, row, strict=True)) for row in zip(*(c[:rows] for c in self.columns), strict=True)]


def lay_out(raw: RawTable, choice: Choice) -> TableLayout:
    """Return names and columns of a sheet.

    Raises:
        TableError: it holds nothing but names, or nothing at all.
    """
    said: list[tuple[str, str]] = [(note, "") for note in raw.notes]
    rows = _without_lines_above(list(zip(*raw.cells, strict=True)), said)
    cut = len(rows) - raw.kept if raw.kept else 0  # of the top of a longer file only the names are read
    if choice.turned:
        rows, cut = [row for row in zip(*rows, strict=True) if any(row)], 0
    wide, rows = len(rows[0]) > MAX_COLUMNS, [row[:MAX_COLUMNS] for row in rows]
    names, question = (1, "") if raw.named and not choice.turned else _rows_of_names(rows, choice)
    header = _header(rows[:names], len(rows[0]), choice.turned)
    top, rows = rows[:names], [row for row in rows[max(names, cut) :] if any(row)]
    body = [row for row in rows if row not in top]
    if again := len(rows) - len(body):
        said.append((f"{count(again, 'row')} of names among the numbers left out.", ""))
    if sum(map(any, top)) > 1:
        shown = ", ".join(f"‘{label(n)}’" for n in list(filter(None, header))[:5]) + ", …" * (len(header) > 5)
        question = f"{names} rows of names are read as one ({shown}): check them."
    if question:
        said.append((question, "names"))
    foot = _rows_below(body, choice)
    below = len(body) - foot
    body, left = body[:below][-MAX_ROWS:], body[below:]
    for row in left:
        shown = label(", ".join(filter(None, row[:4])), 60)
        said.append((f"The row ‘{shown}’ below the table is left out.", "foot"))
    if not body:
        raise TableError("The table has a row of names and nothing below it: add one row of numbers for every time.")
    whole = len(body) == below and not raw.kept
    if not whole:
        said.append((f"{raw.rows:,} rows: {len(body):,} of them are read, the others are not looked at.", "thin"))
    whole = whole and not any(_is_number(cell) for row in left for cell in row)
    columns = list(zip(*body, strict=True))
    used = [i for i, cells in enumerate(columns) if header[i] or any(cells)]
    if wide:
        said.append((f"More than {MAX_COLUMNS} columns: the first {MAX_COLUMNS} are read.", ""))
    unnamed = [i for i in used[1:] if not header[i] and 2 * sum(map(bool, columns[i])) > len(body)]
    if unnamed and any(header):
        split = "Do commas split its numbers? Then save the table with semicolons."
        said.append((f"Column {unnamed[0] + 1} has numbers and no name. {split}", "names"))
    given = [label(header[i]) or f"column {i + 1}" for i in used]
    if twice := [n for n, k in Counter(given).items() if k > 1]:
        said.append((f"‘{twice[0]}’ names several columns: they are numbered.", ""))
    found = tuple(TableFinding(False, *one) for one in said)
    cells, bare = tuple(columns[i] for i in used), not any(header[i] for i in used)
    return TableLayout(tuple(distinct(given)), cells, choice, found, whole, bare)


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


def _is_number(cell: str) -> bool:
    return numbers([cell]).numeric


def _without_lines_above(rows: list[Row], said: list[tuple[str, str]]) -> list[Row]:
    """Return the rows from the first that is as wide as most: lines above it are a title or notes."""
    widths = [max((i + 1 for i, cell in enumerate(row) if cell), default=0) for row in rows[: 2 * SAMPLE_ROWS]]
    if not any(widths):
        raise TableError(EMPTY)
    seen = Counter(filter(None, widths))
    usual = max(seen, key=lambda w: (seen[w], w))
    start = next(i for i, width in enumerate(widths) if width >= usual)
    names = rows[start - 1][: usual - 1] if start and usual > 2 else ()
    named = names and all(cell and not _is_number(cell) for cell in names)
    if named and names[0].lower() not in COUNTERS | PARTS.keys():  # all columns but that of the rows' own names
        said.append((f"The first column has no name: ‘{label(names[0])}’ is read as that of the second.", "names"))
        start -= 1
        rows[start] = ("", *rows[start][:-1])
    while start and 2 * sum(map(bool, rows[start - 1])) > usual > 2:
        start -= 1  # a row of names over several columns each
    if above := [row for row in rows[:start] if any(row)]:
        first = label(" ".join(filter(None, above[0])))
        said.append((f"{count(len(above), 'line')} above the table skipped (‘{first}’).", "names"))
    return rows[start:]


def _forms(rows: Sequence[Row]) -> list[str]:
    """Return what each column of these rows holds throughout: "date", "number" or "" for anything else."""
    forms: list[str] = []
    for cells in zip(*rows, strict=True):
        dated = bool(dates(cells))
        number = "number" if not dated and numbers(cells).numeric else ""
        forms.append("date" if dated and forms.count("date") < 2 else number)  # the first two tell enough
    return forms


def _is_unlike(row: Row, forms: Sequence[str], part: float = 0.0) -> bool:
    """Return whether more than this part of the cells is not what their columns are; 0: a date, or half of them."""
    checked = [(cell, form) for cell, form in zip(row, forms, strict=True) if form and not is_missing(cell)]
    odd = [form for cell, form in checked if not (is_like_date(cell) if form == "date" else _is_number(cell))]
    return ("date" in odd and not part) or len(odd) > (part or 0.5) * len(checked)


def _rows_of_names(rows: list[Row], choice: Choice) -> tuple[int, str]:
    """Return how many rows at the top are names, and a question where the table leaves that open."""
    n = len(rows)
    forms = _forms(rows[min(MOST_NAMES, n // 3) : n - min(MOST_FOOT, n // 4)][:SAMPLE_ROWS])
    if choice.names is not None or not any(forms):
        return min(1 if choice.names is None else choice.names, n), ""
    top = rows[: min(MOST_NAMES, n - 1)]
    unlike = [i for i, row in enumerate(top) if _is_unlike(row, forms, 0.5 if i else 0.0)]
    # Years may stand above words; a row with some numbers ends the names.
    names = next((i for i, row in enumerate(top) if any(row) and i not in unlike), len(top))
    names = max([names, *(i + 1 for i in unlike if _is_unlike(top[i], forms, 0.99))])
    if names:
        return names, ""
    shown = ", ".join(f"‘{cell}’" for cell in rows[0][:4] if cell)
    if _counts_on(rows[0], forms) and not _counts_on(rows[1], forms):
        return (
            1,
            f"The first row ({shown}, …) counts on, so it is read as names: if it is the first time, choose 0 rows.",
        )
    return 0, f"No row of names: the columns are called by their number. Is the first row ({shown}) names?"


def _counts_on(row: Row, forms: Sequence[str]) -> bool:
    """Return whether the numbers in a row are whole and go on by the same step, such as 1, 2, 3."""
    cells = [cell for cell, form in zip(row, forms, strict=True) if form == "number"]
    whole = len(cells) > 2 and all(re.fullmatch(r"\d{1,9}", cell, re.ASCII) for cell in cells)
    return whole and len(set(np.diff(np.array(cells, dtype=int)).tolist()) - {0}) == 1 and len(set(cells)) == len(cells)


def _header(rows: Sequence[Row], width: int, turned: bool) -> list[str]:
    """Return the names of the columns from their rows, but for numbers beside texts and what turned rows share."""
    filled = [list(row) for row in rows]
    for cells, below in pairwise(filled):
        for i in range(2, width if not turned and any(cells[1:2]) else 0):  # a name over several columns
            cells[i] = cells[i] or (cells[i - 1] if below[i] else "")
    worded = [row for row in filled if any(cell and not _is_number(cell) for cell in row[1:])]
    telling = [row for row in worded if len({cell for cell in row[1:] if cell}) > 1] if turned else filled
    out = []
    for i in range(width):
        every = [row[i] for row in filled if row[i]]
        mine = [row[i] for row in telling or worded if row[i]] or every
        out.append(every[-1] if i == 0 and every else " ".join(dict.fromkeys(mine)))
    return out


def _rows_below(body: list[Row], choice: Choice) -> int:
    """Return how many rows at the end are none of the table: notes, and totals that are called so."""
    if choice.foot is not None or len(body) <= 2 * MOST_FOOT:
        return min(choice.foot or 0, len(body))
    forms = _forms(body[:-MOST_FOOT][-SAMPLE_ROWS:])
    for foot, row in enumerate(reversed(body[-MOST_FOOT:])):
        called = any(set(re.findall(r"[^\W\d]+", cell.lower())) & TOTALS for cell in row)
        alone = sum(map(bool, row)) == 1 < sum(map(bool, forms))
        if not (called or alone or (any(forms) and _is_unlike(row, forms))):
            return foot
    return MOST_FOOT
