"""A reader's own table, whatever page shows it: what becomes of a file, the form about it, and both previews.

The bytes, the cells and everything made from them are kept where the reader is: in a visitor's session of a server, or
in the browser. A link carries the choices and the fingerprint of the file, never its numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from threading import Lock
from typing import Any

from common.cache import keyed
from common.escape import plain
from lessons.real_data import words
from lessons.real_data.knobs import FINGERPRINT_DIGITS, choices_text, said
from lessons.real_data.tables import Cells, Loaded, TableError, load, suggest
from lessons.real_data.tables.cells import ORDERS, is_missing, number
from lessons.real_data.tables.choices import distinct, row_number
from lessons.record import ROOT

EXAMPLE = ROOT / "assets" / "example_table.csv"
OWN_RESULTS, OWN_BYTES = 100, 40_000_000  # that are kept of what was made from a table, beside its cells
MOST_UNREAD = 20  # cells that the form offers as missing
FIRST, LAST = 7, 3  # rows of a preview
COLUMNS = ("time", "arm_names", "arms")
ROWS_AND_COLUMNS = (*COLUMNS, "above", "names", "below")  # have another meaning in another sheet
MOST_LINES = 40
# Kinds of a field: several columns, several cells, one of a few, one of a list, a number, a switch.
SEVERAL, CELLS, FEW, LIST, NUMBER, SWITCH = "several", "cells", "few", "list", "number", "switch"
# One table of all visitors at a time: its cells, one by one, take several times the file's memory.
_taken_apart = Lock()

Read = Callable[..., Cells]  # of bytes, name and sheet
Rows = tuple[list[tuple[str, str]], list[tuple[str, ...]]]  # role and name of each column, and the rows
Keep = Callable[[Hashable, Callable[[], Any]], Any]  # of a key and what makes its result


def _results() -> Keep:
    return keyed(OWN_RESULTS, OWN_BYTES)


@dataclass
class OwnTable:
    """The state of a reader's own table.

    Attributes:
        kept: returns a result that is made once for its key.   problem: why the last one was not taken.
        raw: bytes of the file.   cells: in it.   read_as: sheet that was said when they were read.
        accepted: mark of the table that races.
    """

    kept: Keep = field(default_factory=_results)
    problem: str | None = None
    raw: bytes = b""
    cells: Cells | None = None
    read_as: str = ""
    accepted: str | None = None

    def take(self, raw: bytes, name: str, values: Mapping[str, Any], read: Read) -> dict[str, str]:
        """Read these bytes, and return the mark and the choices that a link then has; nothing where they are no table:
        `problem` says why, and the table that was there stays.

        Args:
            values: of the page's knobs, among them the file that a link is about, and its choices.
        """
        try:
            cells = read(raw, name)
        except TableError as problem:
            self.problem = str(problem)
            return {}
        mark, awaited, self.problem = mark_of(cells), str(values["file"]), None
        # All is said by a link about this file, or was said of it before: the same bytes once more change nothing.
        all_said = awaited == mark and (self.cells is None or self.accepted == mark)
        if self.cells is None and awaited not in ("none", mark):  # of a link: another table of the session just goes
            self.problem = words.OTHER.format(awaited, mark)
        self.kept = _results()  # one table a session
        self.cells, self.raw, self.read_as = cells, raw, ""
        choices = choices_text(self.said(values) if awaited == mark else {})
        self.accepted = mark if all_said and not self.problem else None
        return {"file": mark, "choices": choices}

    def said(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a link says about the table beside the suggestion; what cannot be read is dropped, with a
        sentence."""
        try:
            return said(values)
        except ValueError as problem:
            self.problem = words.UNKNOWN.format(str(problem).partition(":")[0])
            return {}

    def cells_as(self, said: Mapping[str, Any], read: Read) -> Cells | None:
        """Return the cells of the sheet that is said; None without a file."""
        wanted = said.get("sheet", "")
        if self.cells is not None and wanted != self.read_as:
            self.read_as = wanted
            try:
                self.cells, self.problem = read(self.raw, self.cells.name, wanted), None
            except TableError as problem:
                self.problem = str(problem)
        return self.cells

    def loaded(self, cells: Cells, values: Mapping[str, Any]) -> Loaded:
        """Return what the cells have become by what a link says beside the suggestion, made once."""
        said = self.said(values)
        key = "loaded", cells.fingerprint, self.read_as, choices_text(said)
        with _taken_apart:
            return self.kept(key, lambda: _plain(load(cells, suggest(cells, **said))))

    def racing(self, cells: Cells, values: Mapping[str, Any]) -> Loaded | None:
        """Return what the cells have become once that is accepted as a table; None before."""
        loaded = self.loaded(cells, values)
        return loaded if self.accepted == mark_of(cells) and loaded.table else None


def mark_of(cells: Cells) -> str:
    """Return the beginning of a table's fingerprint, as a link has it."""
    return cells.fingerprint[:FINGERPRINT_DIGITS]


def with_choice(said: Mapping[str, Any], name: str, value: Any) -> dict[str, Any]:
    """Return what is said with one more choice; what was said of rows and columns goes where these are others."""
    gone = set(ROWS_AND_COLUMNS) if name == "sheet" else {"arms"} if name == "time" else set()
    kept = {other: one for other, one in said.items() if other not in gone}
    return kept | {name: tuple(value) if isinstance(value, list) else value}


def _unread(column: Sequence[str], decimal: str) -> tuple[str, ...]:
    """Return the first different cells of a column that stand for no number."""
    found = (c for c in dict.fromkeys(column) if not is_missing(c) and number(c, decimal) != number(c, decimal))
    return tuple(islice(found, MOST_UNREAD))


def _plain(loaded: Loaded) -> Loaded:
    """Return a table with names and times that a figure may show; of its columns only what the form offers is kept."""
    columns = tuple(_unread(column, loaded.choices.decimal) for column in loaded.layout.columns)
    loaded = replace(loaded, layout=replace(loaded.layout, columns=columns))
    table = loaded.table
    if table is None:
        return loaded
    names = tuple(distinct([plain(name) or "?" for name in table.arm_names]))
    return replace(loaded, table=replace(table, arm_names=names, times=tuple(map(plain, table.times))))


# Previews ------------------------------------------------------------------------------------------------------------


def file_rows(cells: Cells, loaded: Loaded, first: int = FIRST, last: int = LAST) -> Rows:
    """Return the first and last rows of the file, and over each column what it is."""
    choices = loaded.choices
    with _taken_apart:
        every = cells.rows
    body, below = choices.above + choices.names, max(len(every) - choices.below, choices.above)

    def kind(row: int) -> str:
        if row < choices.above:
            return "above"
        if row >= below:
            return "below"
        return "names" if row < body else str(row_number(cells, choices, row))

    rows = range(len(every))
    shown = [(kind(row), *every[row]) for row in (*rows[:first], *rows[max(len(rows) - last, first) :])]
    return [("", "row"), *((loaded.role(i), name) for i, name in enumerate(loaded.layout.header))], shown


def round_rows(loaded: Loaded) -> Rows | None:
    """Return the first and last rounds of the table; None where there is none."""
    table = loaded.table
    if table is None:
        return None
    rows = range(len(table.times))
    shown = [(table.times[t], *(f"{v:.10g}" for v in table.rewards[t])) for t in (*rows[:FIRST], *rows[-LAST:])]
    return [("", "time"), *(("arm", name) for name in table.arm_names)], shown


# Form ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Field:
    """A choice about a table, as a page asks for it.

    Attributes:
        name: of the field of `Choices`.   kind: of its control.   value: now.   options: value -> words of it.
        none: what it means that nothing is chosen.   help: behind its label.
    """

    name: str
    label: str
    kind: str
    value: Any
    options: Mapping[Any, str] = field(default_factory=dict)
    none: str = ""
    help: str = ""


def form(cells: Cells, loaded: Loaded) -> list[Field]:
    """Return the choices about a table, in their order."""
    choices, layout = loaded.choices, loaded.layout
    every = {i: plain(name) or "?" for i, name in enumerate(layout.header)}
    unread = [cell for i in choices.arms if i in every for cell in layout.columns[i]]
    missing = {cell: plain(cell) for cell in (*choices.missing, *unread[:MOST_UNREAD])}
    sheets = {name: plain(name) for name in cells.sheets}
    asked = [
        ("time", "Time: its columns, such as year before month", SEVERAL, every, "None: the rows are in order"),
        ("arm_names", "Names of the arms, where every arm has rows of its own", SEVERAL, every,
         "None: every arm is a column"),
        ("arms", "Arms: the columns of rewards", SEVERAL, every, "None"),
        ("missing", "Missing: cells that stand for no number", CELLS, missing,
         "Empty cells and NA; others such as -999"),
        ("above", "Lines above", NUMBER),
        ("names", "Rows of names", NUMBER),
        ("below", "Rows below", NUMBER),
        *([("sheet", "Sheet", LIST, sheets)] if cells.sheets[1:] else []),
        ("decimal", "Decimal sign", FEW, {".": "point", ",": "comma"}),
        ("dates", "Dates begin with", FEW, {order: order for order in ORDERS}),
        ("lower", "Lower is better", SWITCH),
        ("log_returns", "Log returns", SWITCH, {}, "",
         "100 ln(p(t) / p(t − k)) of prices p; k is a tenth of the rows, at most 60."),
    ]  # fmt: skip
    return [Field(name, label, kind, getattr(choices, name), *more) for name, label, kind, *more in asked]
