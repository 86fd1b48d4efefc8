"""A visitor's own table in three steps: load it, choose the columns, review the checks; then it races.

Where all checks are green it races at once, and the steps are one click away.

The bytes, the sheet and everything made from them are kept in this visitor's session only. The link carries the
settings and the fingerprint of the file, never its numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import streamlit as st

from common.cache import within_bytes
from common.escape import escaped, plain, safe_cells
from lessons.real_data import words
from lessons.real_data.knobs import FINGERPRINT_DIGITS, LINK_KEYS, OFFERED, table_choice
from lessons.real_data.lesson import LESSON
from lessons.real_data.reading.isolated import read_isolated
from lessons.real_data.tables import Checked, Choice, RawTable, TableError, check, read
from lessons.real_data.tables.layout import distinct
from shell.page.knobs import draw
from shell.server.scripts import text
from shell.session import of_lesson

EXAMPLE = "assets/example_table.csv"
OWN_BYTES = 60_000_000  # that a session keeps of what was made from its own table
MAX_PASTED_CHARACTERS = 500_000  # the box is sent again with every move of a control; a file is not
TICK, WARN = ":green[:material/check:]", ":orange[:material/warning:]"
# Settings that are about one file: another one begins without them.
OF_ONE_TABLE = ("timecol", "armcols", "codes", "headrows", "footrows", "datefirst", "decimal", "turned")
BESIDE_THE_ROWS = ("timecol", "armcols", "headrows", "codes")  # drawn whether a check offers them or not
FOLDED_FROM = 40  # columns from which the list of arms is folded away


@dataclass
class OwnTable:
    """State that this lesson keeps of a visitor's own table.

    Attributes:
        results: made from it; what was not asked for longest goes first.   problem: why the last one was not taken.
        raw: bytes of a file of which not all rows are kept, and which are: "last" or "even".   sheet: its rows.
        accepted: mark of the table that races.   long: setting of a long race that was asked for.
    """

    results: MutableMapping[Hashable, object] = field(default_factory=lambda: within_bytes(OWN_BYTES))
    problem: str | None = None
    raw: tuple[bytes, str] | None = None
    sheet: RawTable | None = None
    accepted: str | None = None
    long: object = None


def own() -> OwnTable:
    """Return what this session keeps of its own table."""
    return of_lesson(OwnTable)


def private(key: Hashable, make: Callable[[], object]) -> object:
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


def racing() -> Checked | None:
    """Return the table of this session once it is accepted; the link then names it."""
    sheet = _loaded()
    if sheet is None or own().accepted != _mark(sheet) or (checked := _checked(sheet)).table is None:
        return None
    st.session_state["file"] = _mark(sheet)
    return checked


def name_accepted(checked: Checked) -> None:
    """Draw which table of the visitor's races, and the way back to its steps."""
    file, fingerprint = checked.table.title, checked.table.name[:FINGERPRINT_DIGITS]
    st.caption(f"{escaped(file)} · fingerprint {fingerprint} · {words.tally(checked)}")
    st.button("Change the table", icon=":material/edit:", type="tertiary", on_click=_accept, args=(None,))


def draw_steps() -> None:
    """Draw the three steps: load, choose the columns, review the checks."""
    sheet = _loaded()
    _load_step(sheet)
    if sheet is None:
        st.info(words.request_for_table(st.session_state["file"]), icon=":material/info:")
        return
    first, second = st.columns([3, 2], gap="medium")
    with first:
        st.markdown("##### 2 · Choose the columns")
        _mapping_step(_checked(sheet))
    with second:
        st.markdown("##### 3 · Review the checks")
        _check_step(_checked(sheet), _mark(sheet))
    st.session_state["file"] = _mark(sheet)


def _loaded() -> RawTable | None:
    """Return the rows of this session's file; of a long one those that the settings ask for."""
    kept, thin = own(), str(st.session_state["thin"])
    if kept.sheet is None and not kept.problem and st.session_state.get("upload") is not None:
        _take_upload()  # a connection was lost: the file came with the session's first run, and no callback was called
    if kept.sheet is not None and kept.raw is not None and kept.raw[1] != thin:
        raw, _ = kept.raw
        with suppress(TableError):
            kept.sheet = read_isolated(raw, kept.sheet.name, thin)
        kept.raw = (raw, thin)
    return kept.sheet


def _mark(sheet: RawTable) -> str:
    return sheet.fingerprint[:FINGERPRINT_DIGITS]


def _load_step(sheet: RawTable | None) -> None:
    """Draw the ways to load a table, above them in one sentence why the last one was not taken, and its first rows."""
    checked = None if sheet is None else _checked(sheet)
    refused = checked is not None and checked.table is None
    if problem := own().problem or (words.no_table(checked) if refused else ""):
        st.info(escaped(problem), icon=":material/warning:")
    st.markdown("##### 1 · Load a table")
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
            "Try the example", icon=":material/science:", on_click=_load, args=(example.encode(), "example_table.csv")
        )
    if sheet is not None:
        st.info(words.LOADED.format(escaped(sheet.name)), icon=":material/info:")
    else:
        st.caption("What a table looks like (the example):")
        _preview(check(read(example.encode())), 3)
    st.caption(f":material/lock: {words.PRIVATE}")


def _preview(checked: Checked, rows: int = 8) -> None:
    """Draw the first rows under the names of the columns, and over these what each column is."""
    import pandas as pd

    sheet, choice = checked.sheet, checked.choice
    role = dict.fromkeys(choice.arms or (), "arm") | dict.fromkeys(choice.time or (), "time")
    frame = pd.DataFrame(safe_cells(sheet.top(rows)))
    frame.columns = pd.MultiIndex.from_tuples(
        (role.get(i, "left out"), plain(name)) for i, name in enumerate(frame.columns)
    )
    st.dataframe(frame, hide_index=True, height=36 * (min(rows, sheet.height) + 2))


def _mapping_step(checked: Checked) -> None:
    """Draw the first rows with the role of each column, and what may be said of them: roles, names, codes, sign."""
    sheet, choice, state = checked.sheet, checked.choice, st.session_state
    _preview(checked)
    columns = f"{_mark(_loaded())}_{hash((sheet.header, choice.turned))}"

    def name(i: int) -> str:
        return plain(sheet.header[i]) or "?"

    def choose(knob: str, label: str, options: Sequence[int], chosen: Sequence[int], none: str) -> None:
        key = f"own_{knob}_{columns}"
        state[key] = [i for i in chosen if i in options]
        st.multiselect(
            label, options, format_func=name, key=key, on_change=_take_columns, args=(knob, key), max_selections=200,
            placeholder=none,
        )  # fmt: skip

    time, arms = choice.time or (), choice.arms or ()
    numeric = [i for i, c in enumerate(sheet.parsed) if c.numeric and i not in time]
    choose("timecol", "Time: the columns that make it", range(len(sheet.header)), time, "None: the rows are in order")
    fold = len(numeric) > FOLDED_FROM
    with st.expander(f"Arms: {len(arms)} of {len(numeric)} columns") if fold else st.container():
        choose("armcols", "Arms: the columns to choose among", numeric, arms, "None")
    first, second = st.columns(2, gap="small")
    with first:
        draw(LESSON.knobs["headrows"])
    with second:
        state["own_codes"] = " ".join(choice.codes or ())
        st.text_input(
            words.CODES, key="own_codes", on_change=_take_codes, help=words.CODES_HELP, placeholder="-999 closed"
        )
    draw(LESSON.knobs["lower"])


def _take_columns(knob: str, key: str) -> None:
    """Take the columns of one role over from their field; another time is another guess of the arms."""
    state = st.session_state
    chosen = ".".join(map(str, sorted(state[key])))
    if knob == "timecol":
        state[knob], state["armcols"] = chosen or "rows", "auto"
    else:
        state[knob] = chosen if "." in chosen else "auto"  # one arm is no choice


def _take_codes() -> None:
    """Take the codes for missing cells over from their field; what is no such text is said and nothing changes."""
    wanted, knob = str(st.session_state["own_codes"]).split(), LESSON.knobs["codes"]
    own().problem = None
    if knob.has(parts := " ".join(wanted) or "none"):
        st.session_state["codes"] = parts
    else:
        own().problem = words.NO_CODES


def _check_step(checked: Checked, mark: str) -> None:
    """Draw a tick or a sentence for each check, the switches that a sentence offers, and the button."""
    lines = [f"{TICK if f.ok else WARN} {escaped(f.sentence)}" for f in checked.findings]
    st.markdown("  \n".join(lines))
    offered, state = {f.offer for f in checked.findings}, st.session_state
    for offer, key in OFFERED.items():
        if key not in BESIDE_THE_ROWS and (offer in offered or state[key] != LESSON.knobs[key].default):
            draw(LESSON.knobs[key])
    st.button(
        "Run",
        type="primary",
        icon=":material/play_arrow:",
        disabled=checked.table is None,
        key="own_run",
        on_click=_accept,
        args=(mark,),
    )


def _checked(sheet: RawTable) -> Checked:
    """Return the checks of a table under the settings; columns that it does not have are the ones that it names."""
    choice = table_choice(st.session_state)
    try:
        return _once(sheet, choice)
    except TableError:
        st.session_state["timecol"] = st.session_state["armcols"] = "auto"
        return _once(sheet, replace(choice, time=None, arms=None))


def _once(sheet: RawTable, choice: Choice, checked: Checked | None = None) -> Checked:
    """Return the checks under a choice, made once; of a table that was just loaded they are there already."""
    key = "checked", sheet.fingerprint, sheet.kept, sheet.joined[0][:50], repr(choice)
    return private(key, lambda: _plain(checked or check(sheet, choice)))


def _plain(checked: Checked) -> Checked:
    """Return what was checked with names and times that a figure may show."""
    table = checked.table
    if table is None:
        return checked
    names = tuple(distinct([plain(name) or "?" for name in table.arm_names]))
    return replace(checked, table=replace(table, arm_names=names, times=tuple(map(plain, table.times))))


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
    thin = str(state.get("thin", "last"))
    try:
        sheet = read_isolated(raw, name, thin)
        checked = check(sheet)
    except TableError as problem:
        kept.problem = str(problem)
        return
    mark = _mark(sheet)
    awaited, kept.problem = state.get("file", "none"), None
    if kept.sheet is None and awaited not in ("none", mark):  # of a link: another table of the session just goes
        kept.problem = words.OTHER.format(awaited, mark)
    if awaited != mark:
        for key in OF_ONE_TABLE:
            state[key] = LESSON.knobs[key].default
    kept.results.clear()  # one table a session
    _once(sheet, Choice(), checked)
    kept.sheet, kept.raw, state["file"] = sheet, (raw, thin) if sheet.kept else None, mark
    checked = _checked(sheet)
    green = checked.table is not None and all(finding.ok for finding in checked.findings)  # nothing to decide
    kept.accepted = mark if awaited == mark or (kept.problem is None and green) else None


def _accept(mark: str | None) -> None:
    """Race on the table of this mark, or return to the steps of the one that races."""
    own().accepted, own().problem = mark, None
