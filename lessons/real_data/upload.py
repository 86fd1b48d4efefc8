"""A visitor's own table in three steps: load it, look at its rounds, change what is misread; then it races.

The bytes, the cells and everything made from them are kept in this visitor's session only. The link carries the
choices and the fingerprint of the file, never its numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from threading import Lock
from typing import Any

import streamlit as st

from common.cache import within_bytes
from common.escape import escaped, no_formula, plain
from lessons.real_data import words
from lessons.real_data.knobs import FINGERPRINT_DIGITS, LINK_KEYS, choices_text, said
from lessons.real_data.lesson import LESSON
from lessons.real_data.reading.isolated import read_isolated
from lessons.real_data.reading.limits import MAX_ARMS
from lessons.real_data.reading.reader import SEPARATORS
from lessons.real_data.tables import Cells, Loaded, TableError, load, read, suggest
from lessons.real_data.tables.cells import ORDERS, is_missing, number
from lessons.real_data.tables.choices import DROP, FORWARD, distinct, shown_rows
from shell.server.scripts import text
from shell.session import of_lesson

EXAMPLE = "assets/example_table.csv"
# One table of all visitors at a time: its cells, one by one, take several times the file's memory.
_taken_apart = Lock()
MOST_UNREAD = 20  # cells that the form offers as missing
OWN_BYTES = 40_000_000  # that a session keeps of what was made from its own table, beside its cells
MAX_PASTED_CHARACTERS = 500_000  # the box is sent again with every move of a control; a file is not
TICK, REMARK = ":green[:material/check:]", ":orange[:material/warning:]"
FIRST, LAST = 7, 3  # rows of a preview
FOLDED_FROM = 40  # columns from which the list of arms is folded away
LINES, MOST_LINES = {"above": "Lines above", "names": "Rows of names", "below": "Rows below"}, 40
COLUMNS = ("time", "arm_names", "arms")
ROWS_AND_COLUMNS = (*COLUMNS, "above", "names", "below")  # have another meaning in another sheet, or turned


@dataclass
class OwnTable:
    """State that this lesson keeps of a visitor's own table.

    Attributes:
        results: made from it; what was not asked for longest goes first.   problem: why the last one was not taken.
        raw: bytes of the file.   cells: in it.   read_as: sheet and separator by which they were read.
        accepted: mark of the table that races.   long: setting of a long race that was asked for.
    """

    results: MutableMapping[Hashable, object] = field(default_factory=lambda: within_bytes(OWN_BYTES))
    problem: str | None = None
    raw: bytes = b""
    cells: Cells | None = None
    read_as: tuple[str, str] = ("", "")
    accepted: str | None = None
    long: object = None


def own() -> OwnTable:
    """Return what this session keeps of its own table."""
    return of_lesson(OwnTable)


def private(key: Hashable, make: Callable[[], Any]) -> Any:
    """Return a result that this session makes once for its key."""
    mine = own().results
    if key in mine:
        return mine[key]
    value = make()
    with suppress(ValueError):  # it is larger than all that is kept
        mine[key] = value
    return value


def forget_link() -> None:
    """Take the file out of the link: it is about a shipped table."""
    for key in LINK_KEYS:
        st.session_state[key] = LESSON.knobs[key].default


def racing() -> Loaded | None:
    """Return the table of this session once it is accepted; the link then names it."""
    cells = _cells()
    if cells is None or own().accepted != _mark(cells) or (loaded := _loaded(cells)).table is None:
        return None
    st.session_state["file"] = _mark(cells)
    return loaded


def name_accepted(loaded: Loaded) -> None:
    """Draw which table of the visitor's races, and the way back to its steps."""
    assert loaded.table is not None  # it races
    file, fingerprint = loaded.table.title, loaded.table.name[:FINGERPRINT_DIGITS]
    st.caption(f"{escaped(file)} · fingerprint {fingerprint} · {words.tally(loaded)}")
    st.button("Change the table", icon=":material/edit:", type="tertiary", on_click=_accept, args=(None,))


def draw_steps() -> None:
    """Draw the three steps: load, look at the rounds, change what is misread."""
    cells = _cells()
    _load_step(cells)
    if cells is None:
        st.info(words.request_for_table(st.session_state["file"]), icon=":material/info:")
        return
    loaded = _loaded(cells)
    st.markdown("##### 2 · Look at what becomes of it")
    first, second = st.columns(2, gap="medium")
    with first:
        _file_preview(cells, loaded)
    with second:
        _rounds_preview(loaded)
    _checks(loaded, _mark(cells))
    st.markdown("##### 3 · Change what is misread")
    _form(cells, loaded)
    st.session_state["file"] = _mark(cells)


def _cells() -> Cells | None:
    """Return the cells of this session's file, read by the sheet and the separator that are said."""
    kept = own()
    if kept.cells is None and not kept.problem and st.session_state.get("upload") is not None:
        _take_upload()  # a connection was lost: the file came with the session's first run, and no callback was called
    if kept.cells is not None and (wanted := _read_as()) != kept.read_as:
        kept.read_as = wanted
        try:
            kept.cells, kept.problem = read_isolated(kept.raw, kept.cells.name, *wanted), None
        except TableError as problem:
            kept.problem = str(problem)
    return kept.cells


def _said() -> dict[str, Any]:
    """Return what is said about the table beside the suggestion; a link's that cannot be read is dropped."""
    try:
        return said(st.session_state)
    except ValueError as problem:
        own().problem = words.UNKNOWN.format(str(problem).partition(":")[0])
        st.session_state["choices"] = LESSON.knobs["choices"].default
        return {}


def _read_as() -> tuple[str, str]:
    changed = _said()
    return changed.get("sheet", ""), changed.get("separator", "")


def _mark(cells: Cells) -> str:
    return cells.fingerprint[:FINGERPRINT_DIGITS]


def _loaded(cells: Cells) -> Loaded:
    """Return what a table has become by the choices, made once."""
    changed = _said()
    key = "loaded", cells.fingerprint, own().read_as, choices_text(changed)
    with _taken_apart:
        return private(key, lambda: _plain(load(cells, suggest(cells, **changed))))


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


def _load_step(cells: Cells | None) -> None:
    """Draw the ways to load a table, folded away once one is there, and in one sentence why the last was not taken."""
    if problem := own().problem:
        st.info(escaped(problem), icon=":material/warning:")
    with st.expander(f"1 · Load a table{f': {escaped(cells.name)}' if cells else ''}", expanded=cells is None):
        first, second, third = st.columns([3, 3, 2], gap="medium")
        with first:
            st.file_uploader(
                "A file: CSV, workbook (.xlsx, .ods) or Parquet, at most 10 MB", key="upload", on_change=_take_upload
            )
        with second:
            st.text_area(
                "Or paste a table",
                key="paste",
                height=110,
                on_change=_take_paste,
                max_chars=MAX_PASTED_CHARACTERS,
                placeholder="day, north, south\n2024-01-01, 4.1, 3.9",
            )
        with third:
            st.caption(words.SHAPE)
            example = text(EXAMPLE)
            st.download_button(
                "Example file",
                example,
                file_name="example_table.csv",
                icon=":material/download:",
                mime="text/csv",
                on_click="ignore",
            )
            st.button(
                "Try the example",
                icon=":material/science:",
                on_click=_load,
                args=(example.encode(), "example_table.csv"),
            )
        if cells is None:
            st.caption("What a table looks like (the example):")
            shown = read(example.encode())
            _file_preview(shown, load(shown, suggest(shown)), 3, 0)
        st.caption(f":material/lock: {words.PRIVATE}")


def _preview(heads: Sequence[tuple[str, str]], rows: Sequence[Sequence[str]], height: int) -> None:
    """Draw rows of texts under columns of a role and a name."""
    import pandas as pd

    names = distinct([no_formula(plain(name)) for _, name in heads])
    frame = pd.DataFrame([[no_formula(cell) for cell in row] for row in rows], columns=range(len(heads)))
    frame.columns = pd.MultiIndex.from_arrays([[role for role, _ in heads], names])
    st.dataframe(frame, hide_index=True, height=35 * (height + 2) + 3)  # as many rows and two of heads


def _file_preview(cells: Cells, loaded: Loaded, first: int = FIRST, last: int = LAST) -> None:
    """Draw the first and last rows of the file, and over each column what it is."""
    choices, layout = loaded.choices, loaded.layout
    with _taken_apart:
        rows = shown_rows(cells, choices)
    kind = ["names"] * choices.names + [str(i + 1) for i in range(len(rows) - choices.names)]
    kind[len(rows) - choices.below :] = ["below"] * min(choices.below, len(rows))
    above = cells.rows[: choices.above] if choices.above and not choices.turned else []
    lines = [*(("above", row) for row in above), *zip(kind, rows, strict=False)]
    shown = [(mark, *row) for mark, row in [*lines[:first], *lines[max(len(lines) - last, first) :]]]
    heads = [("", "row"), *((loaded.role(i), name) for i, name in enumerate(layout.header))]
    _preview(heads, shown, len(shown))


def _rounds_preview(loaded: Loaded) -> None:
    """Draw the first and last rounds of the table, or why there is none."""
    table = loaded.table
    if table is None:
        st.info(escaped(loaded.problem), icon=":material/warning:")
        return
    rows = range(len(table.times))
    heads = [("", "time"), *(("arm", name) for name in table.arm_names)]
    shown = [(table.times[t], *(f"{v:.10g}" for v in table.rewards[t])) for t in (*rows[:FIRST], *rows[-LAST:])]
    _preview(heads, shown, len(shown))


def _checks(loaded: Loaded, mark: str) -> None:
    """Draw a line for each check, and the button."""
    st.markdown("  \n".join(f"{TICK if check.ok else REMARK} {escaped(check.sentence)}" for check in loaded.checks))
    if loaded.table is not None:
        st.info(words.RIGHT, icon=":material/info:")
    st.button(
        "Run",
        type="primary",
        icon=":material/play_arrow:",
        disabled=loaded.table is None,
        key="own_run",
        on_click=_accept,
        args=(mark,),
    )


def _form(cells: Cells, loaded: Loaded) -> None:
    """Draw the choices about a table."""
    choices, layout = loaded.choices, loaded.layout
    every = range(len(layout.header))

    def ask(name: str, widget: Callable, label: str, **how: Any) -> None:
        value, key = getattr(choices, name), f"own_{name}"
        st.session_state[key] = [one for one in value if one in how["options"]] if isinstance(value, tuple) else value
        widget(label, key=key, on_change=_take, args=(name, key), **how)

    def columns(name: str, label: str, none: str, **how: Any) -> None:
        ask(name, st.multiselect, label, options=every, format_func=lambda i: plain(layout.header[i]) or "?",
            placeholder=none, **how)  # fmt: skip

    unread = [cell for i in choices.arms if i in every for cell in layout.columns[i]]
    left, right = st.columns(2, gap="medium")
    with left:
        columns("time", "Time: its columns, such as year before month", "None: the rows are in order")
        columns("arm_names", "Names of the arms, where every arm has rows of its own", "None: every arm is a column")
        with st.expander(f"Arms: {len(choices.arms)} columns") if len(choices.arms) > FOLDED_FROM else st.container():
            columns("arms", "Arms: the columns of rewards", "None", max_selections=MAX_ARMS)
        ask("missing", st.multiselect, "Missing: cells that stand for no number", format_func=plain,
            options=list(dict.fromkeys([*choices.missing, *unread[:MOST_UNREAD]])), accept_new_options=True,
            placeholder="Empty cells and NA; others such as -999")  # fmt: skip
        ask("fill", st.segmented_control, "A missing cell", options=(FORWARD, DROP), required=True,
            format_func={FORWARD: "repeats the last number", DROP: "takes its round out"}.get)  # fmt: skip
    with right:
        for column, (name, label) in zip(st.columns(3, gap="small"), LINES.items(), strict=True):
            most = max(MOST_LINES, getattr(choices, name))
            with column:
                ask(name, st.number_input, label, min_value=0, max_value=most, step=1)
        if cells.sheets[1:]:
            ask("sheet", st.selectbox, "Sheet", options=cells.sheets, format_func=plain)
        if cells.separator:
            ask("separator", st.selectbox, "Cells are parted by", options=tuple(SEPARATORS), format_func=SEPARATORS.get)
        ask("decimal", st.segmented_control, "Decimal sign", options=(".", ","), required=True,
            format_func={".": "point", ",": "comma"}.get)  # fmt: skip
        ask("dates", st.segmented_control, "Dates begin with", options=tuple(ORDERS), required=True)
        ask("turned", st.toggle, "Exchange rows and columns")
        ask("lower", st.toggle, "Lower is better")
        ask("standardise", st.toggle, "Standardise the arms", help="Divides every arm by its standard deviation in the "
            "rows to learn from.")  # fmt: skip
        ask("log_returns", st.toggle, "Log returns", help="100 ln(p(t) / p(t − k)) of prices p; k is a tenth of the "
            "rows, at most 60.")  # fmt: skip


def _take(name: str, key: str) -> None:
    """Take a choice over from its control; what was said of rows and columns goes where these are others."""
    changed, value = _said(), st.session_state[key]
    if name in ("sheet", "separator", "turned"):
        changed = {other: one for other, one in changed.items() if other not in ROWS_AND_COLUMNS}
    if name == "time":
        changed.pop("arms", None)
    changed[name] = tuple(value) if isinstance(value, list) else value
    st.session_state["choices"] = choices_text(changed)


def _take_upload() -> None:
    file = st.session_state.get("upload")
    if file is not None:
        _load(file.getvalue(), file.name)


def _take_paste() -> None:
    text = str(st.session_state.get("paste") or "")
    if len(text) >= MAX_PASTED_CHARACTERS:  # Streamlit cuts what is longer, and half a table is none
        own().problem = words.LONG.format(MAX_PASTED_CHARACTERS)
        st.session_state["paste"] = ""
    elif text.strip():
        _load(text.encode("utf-8", errors="replace"), "pasted table")


def _load(raw: bytes, name: str) -> None:
    """Read these bytes, or say what is wrong with them and keep the table that was there."""
    state, kept = st.session_state, own()
    awaited = state.get("file", "none")
    try:
        cells = read_isolated(raw, name)
    except TableError as problem:
        kept.problem = str(problem)
        return
    mark, kept.problem = _mark(cells), None
    if kept.cells is None and awaited not in ("none", mark):  # of a link: another table of the session just goes
        kept.problem = words.OTHER.format(awaited, mark)
    if awaited == mark:
        _said()  # what is no choice is said, and goes
    else:
        state["choices"] = LESSON.knobs["choices"].default
    kept.results.clear()  # one table a session
    kept.cells, kept.raw, kept.read_as, state["file"] = cells, raw, ("", ""), mark
    kept.accepted = mark if awaited == mark and not kept.problem else None  # of a link about this file: all is said


def _accept(mark: str | None) -> None:
    """Race on the table of this mark, or return to the steps of the one that races."""
    own().accepted, own().problem = mark, None
