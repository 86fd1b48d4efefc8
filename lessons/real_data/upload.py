"""A visitor's own table in three steps: load it, look at its rounds, change what is misread; then it races.

What is kept of it stays in this visitor's session only (lessons/real_data/own_table.py).
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from common.escape import escaped, no_formula, plain
from lessons.real_data import own_table, words
from lessons.real_data.knobs import LINK_KEYS, choices_text
from lessons.real_data.lesson import LESSON
from lessons.real_data.own_table import CELLS, FEW, LIST, NUMBER, SEVERAL, Field, OwnTable, Rows, mark_of
from lessons.real_data.reading.isolated import read_isolated
from lessons.real_data.reading.limits import MAX_ARMS
from lessons.real_data.tables import Cells, Loaded
from lessons.real_data.tables.choices import distinct
from shell.server.scripts import text
from shell.session import of_lesson

MAX_PASTED_CHARACTERS = 500_000  # the box is sent again with every move of a control; a file is not
TICK, REMARK = ":green[:material/check:]", ":orange[:material/warning:]"
FOLDED_FROM = 40  # columns from which the list of arms is folded away
LINES = ("above", "names", "below")  # numbers of lines, side by side
LEFT = ("time", "arm_names", "arms", "missing")  # fields of the form in its left column


def own() -> OwnTable:
    """Return what this session keeps of its own table."""
    return of_lesson(OwnTable)


def forget_link() -> None:
    """Take the file out of the link: it is about a shipped table."""
    for key in LINK_KEYS:
        st.session_state[key] = LESSON.knobs[key].default


def racing() -> Loaded | None:
    """Return the table of this session once it is accepted; the link then names it."""
    cells = _cells()
    loaded = cells and own().racing(cells, st.session_state)
    if loaded:
        st.session_state["file"] = mark_of(cells)
    return loaded


def name_accepted(loaded: Loaded) -> None:
    """Draw which table of the visitor's races, and the way back to its steps."""
    st.caption(escaped(words.accepted(loaded)))
    st.button("Change the table", icon=":material/edit:", type="tertiary", on_click=_accept, args=(None,))


def draw_steps() -> None:
    """Draw the three steps: load, look at the rounds, change what is misread."""
    cells = _cells()
    _load_step(cells)
    if cells is None:
        st.info(words.request_for_table(st.session_state["file"]), icon=":material/info:")
        return
    loaded = own().loaded(cells, st.session_state)
    st.markdown("##### 2 · Look at what becomes of it")
    first, second = st.columns(2, gap="medium")
    with first:
        _preview(own_table.file_rows(cells, loaded))
    with second:
        if rounds := own_table.round_rows(loaded):
            _preview(rounds)
        else:
            st.info(escaped(loaded.problem), icon=":material/warning:")
    _checks(loaded, mark_of(cells))
    st.markdown("##### 3 · Change what is misread")
    _form(cells, loaded)
    st.session_state["file"] = mark_of(cells)


def _cells() -> Cells | None:
    """Return the cells of this session's file, of the sheet that is said."""
    kept = own()
    if kept.cells is None and not kept.problem and st.session_state.get("upload") is not None:
        _take_upload()  # a connection was lost: the file came with the session's first run, and no callback was called
    return None if kept.cells is None else kept.cells_as(_said(), read_isolated)


def _said() -> dict[str, Any]:
    """Return what is said about the table beside the suggestion; a link's that cannot be read is dropped."""
    found = own().said(st.session_state)
    st.session_state["choices"] = choices_text(found)
    return found


def _load_step(cells: Cells | None) -> None:
    """Draw the ways to load a table, folded away once one is there, and in one sentence why the last was not taken."""
    if problem := own().problem:
        st.info(escaped(problem), icon=":material/warning:")
    with st.expander(f"1 · Load a table{f': {escaped(cells.name)}' if cells else ''}", expanded=cells is None):
        first, second, third = st.columns([3, 3, 2], gap="medium")
        with first:
            st.file_uploader(
                "A file: CSV or workbook (.xlsx, .ods), at most 10 MB", key="upload", on_change=_take_upload
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
            example = text("assets/example_table.csv")
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
        st.caption(f":material/lock: {words.PRIVATE}")


def _preview(found: Rows) -> None:
    """Draw rows of texts under columns of a role and a name."""
    import pandas as pd

    heads, rows = found
    names = distinct([no_formula(plain(name)) for _, name in heads])
    frame = pd.DataFrame([[no_formula(cell) for cell in row] for row in rows], columns=range(len(heads)))
    frame.columns = pd.MultiIndex.from_arrays([[role for role, _ in heads], names])
    st.dataframe(frame, hide_index=True, height=35 * (len(rows) + 2) + 3)  # as many rows and two of heads


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
    fields = {one.name: one for one in own_table.form(cells, loaded)}
    left, right = st.columns(2, gap="medium")
    with left:
        for name in LEFT:
            arms = name == "arms" and len(loaded.choices.arms) > FOLDED_FROM
            with st.expander(f"Arms: {len(loaded.choices.arms)} columns") if arms else st.container():
                _ask(fields[name])
    with right:
        for column, name in zip(st.columns(3, gap="small"), LINES, strict=True):
            with column:
                _ask(fields[name])
        for name, one in fields.items():
            if name not in (*LEFT, *LINES):
                _ask(one)


def _ask(one: Field) -> None:
    """Draw a choice."""
    key, value, options = f"own_{one.name}", one.value, one.options
    st.session_state[key] = [kept for kept in value if kept in options] if isinstance(value, tuple) else value
    how: dict[str, Any] = {"key": key, "on_change": _take, "args": (one.name, key)}
    listed = {"options": list(options), "format_func": lambda found: options.get(found, plain(str(found)))}
    if one.kind in (SEVERAL, CELLS):
        most = MAX_ARMS if one.name == "arms" else None
        own_cells = one.kind == CELLS
        st.multiselect(
            one.label, placeholder=one.none, max_selections=most, accept_new_options=own_cells, **listed, **how
        )
    elif one.kind == FEW:
        st.segmented_control(one.label, required=True, **listed, **how)
    elif one.kind == LIST:
        st.selectbox(one.label, **listed, **how)
    elif one.kind == NUMBER:
        st.number_input(one.label, min_value=0, max_value=max(own_table.MOST_LINES, value), step=1, **how)
    else:
        st.toggle(one.label, help=one.help or None, **how)


def _take(name: str, key: str) -> None:
    """Take a choice over from its control."""
    st.session_state["choices"] = choices_text(own_table.with_choice(_said(), name, st.session_state[key]))


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
    values = {key: st.session_state.get(key, LESSON.knobs[key].default) for key in LINK_KEYS}
    for key, value in own().take(raw, name, values, read_isolated).items():
        st.session_state[key] = value


def _accept(mark: str | None) -> None:
    """Race on the table of this mark, or return to the steps of the one that races."""
    own().accepted, own().problem = mark, None
