"""A visitor's own table in three steps: load it, say what is what, look at the checks; then it races.

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
from lessons.real_data.knobs import FINGERPRINT_DIGITS, LINK_KEYS, OFFERED
from lessons.real_data.lesson import LESSON
from lessons.real_data.model import OWN
from lessons.real_data.reading.isolated import read_isolated
from lessons.real_data.reading.reader import distinct
from lessons.real_data.tables import Checked, Choice, RawTable, TableError, check, guess, read
from shell.knobs import draw
from shell.page import text
from shell.session import of_lesson

EXAMPLE = "assets/example_table.csv"
OWN_BYTES = 60_000_000  # that a session keeps of what was made from its own table
MAX_PASTED_CHARACTERS = 500_000  # the box is sent again with every move of a control; a file is not
TICK, WARN = ":green[:material/check:]", ":orange[:material/warning:]"
FOLDED_FROM = 40  # columns from which the list of arms is folded away


Reading = tuple[str, bool, bool]  # which rows of a long table, whether its first row is names, whether it is turned


@dataclass
class OwnTable:
    """State that this lesson keeps of a visitor's own table.

    Attributes:
        results: made from it; what was not asked for longest goes first.   problem: why the last one was not taken.
        raw: its bytes and name, None without one.   sheet: how it was read, and what was read.
        accepted: mark of the table that races.   long: setting of a long race that was asked for.
    """

    results: MutableMapping[Hashable, object] = field(default_factory=lambda: within_bytes(OWN_BYTES))
    problem: str | None = None
    raw: tuple[bytes, str] | None = None
    sheet: tuple[Reading, RawTable] | None = None
    accepted: str | None = None
    long: object = None


def own() -> OwnTable:
    """Return what this session keeps of its own table."""
    return of_lesson(OwnTable)


def own_results() -> MutableMapping[Hashable, object]:
    """Return the results of this session's own table."""
    return own().results


def private(key: Hashable, make: Callable[[], object]) -> object:
    """Return a result that this session makes once for its key."""
    mine = own_results()
    if key in mine:
        return mine[key]
    value = make()
    with suppress(ValueError):  # it is larger than all that is kept
        mine[key] = value
    return value


def choose_table() -> str:
    """Draw the choice of the table.

    Returns:
        A name of `tables.DATASETS`, or "own".
    """
    return str(draw(LESSON.knobs["table"]))


def forget_link() -> None:
    """Take the file out of the link: it is about a shipped table."""
    for key in LINK_KEYS:
        st.session_state[key] = LESSON.knobs[key].default


def races(table: str) -> bool:
    """Return whether there is a table to race on: one that ships, or the visitor's own once it is accepted."""
    if table != OWN:
        return True
    sheet = _loaded()
    return sheet is not None and own().accepted == _mark(sheet) and _checked(sheet, _choice(sheet)).table is not None


def name_accepted() -> None:
    """Draw which table of the visitor's races, and the way back to its steps."""
    if (sheet := _loaded()) is not None:
        tally = words.tally(_checked(sheet, _choice(sheet)))
        st.caption(f"{escaped(sheet.name)} · fingerprint {_mark(sheet)} · {tally}")
        st.button("Change the table", icon=":material/edit:", type="tertiary", on_click=_reopen)


def accepted() -> tuple[str, Checked | None]:
    """Return the name in the caches and the checked table; draw the three steps until its table is run.

    Returns:
        ("", None) while there is nothing to race on.
    """
    sheet = _loaded()
    wanted = st.session_state["file"]
    if sheet is None:
        _load_step()
        st.info(words.awaited(wanted), icon=":material/info:")
        return "", None
    mark = _mark(sheet)
    choice = _choice(sheet)
    if own().accepted == mark:
        checked = _checked(sheet, choice)
        if checked.table is not None:
            st.session_state["file"] = mark
            return f"{mark}:{choice!r}", checked
    _load_step(sheet)
    first, second = st.columns(2, gap="medium")
    with first:
        st.markdown("##### 2 · Say what is what")
        choice = _mapping_step(sheet, choice)
    with second:
        st.markdown("##### 3 · Look at the checks")
        _check_step(sheet, choice, mark)
    st.session_state["file"] = mark
    return "", None


def _loaded() -> RawTable | None:
    """Return the sheet of this session, also where it came with the session's first run and no callback was called."""
    sheet = _sheet()
    if sheet is None and not own().problem and st.session_state.get("upload") is not None:
        _uploaded()  # a connection was lost
        sheet = _sheet()
    return sheet


def _mark(sheet: RawTable) -> str:
    return sheet.fingerprint[:FINGERPRINT_DIGITS]


def _load_step(sheet: RawTable | None = None) -> None:
    """Draw the ways to load a table, above them in one sentence why the last one was not taken, and its first rows."""
    checked = None if sheet is None else _checked(sheet, _choice(sheet))
    refused = checked is not None and checked.table is None
    if problem := own().problem or (words.no_table(checked) if refused else ""):
        st.info(escaped(problem), icon=":material/warning:")
    st.markdown("##### 1 · Load a table")
    first, second, third = st.columns([3, 3, 2], gap="medium")
    with first:
        st.file_uploader("A file: CSV, .xlsx or Parquet, at most 10 MB", key="upload", on_change=_uploaded)
    with second:
        st.text_area(
            "Or paste a table",
            key="paste",
            height=110,
            on_change=_pasted,
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
        if refused:
            st.caption(words.FIRST_ROWS.format(escaped(sheet.name)))
        else:
            st.info(words.LOADED.format(escaped(sheet.name)), icon=":material/info:")
        st.dataframe(safe_cells(sheet.top()), hide_index=True, height=180)
    else:
        st.caption("What a table looks like (the example):")
        st.dataframe(read(example.encode()).top(3), hide_index=True)
    st.caption(f":material/lock: {words.PRIVATE}")


def _mapping_step(sheet: RawTable, choice: Choice) -> Choice:
    """Draw the choice of the time column, of the arms, and of the sign; return it."""
    mark, guessed = _mark(sheet), guess(sheet)

    columns = f"{mark}_{sheet.header[0]}_{len(sheet.header)}"

    def name(i: int | None) -> str:
        return "None: the rows are in order" if i is None else sheet.header[i]

    every = [None, *range(len(sheet.header))]
    time = st.selectbox(
        "Which column is time?", every, index=every.index(choice.time), format_func=name, key=f"own_time_{columns}"
    )
    numeric = [i for i, c in enumerate(sheet.parsed) if c.numeric and i != time]
    folded = len(numeric) > FOLDED_FROM
    with st.expander(f"Arms: {len(choice.arms)} of {len(numeric)} columns") if folded else st.container():
        arms = st.multiselect(
            "Which columns are arms?",
            numeric,
            default=[i for i in choice.arms if i in numeric],
            format_func=name,
            key=f"own_arms_{columns}",
            max_selections=200,
        )
    keys = ["lower"] + (["thin"] if sheet.rows > sheet.height else [])
    _switches(keys)
    meant = tuple(sorted(arms))
    st.session_state["timecol"] = "auto" if time == guessed.time else "rows" if time is None else str(time)
    st.session_state["armcols"] = "auto" if meant == guessed.arms or len(meant) < 2 else ".".join(map(str, meant))
    return _choice(sheet, arms=meant)


def _check_step(sheet: RawTable, choice: Choice, mark: str) -> None:
    """Draw a tick or a sentence for each check, the switches that a sentence offers, and the button."""
    checked = _checked(sheet, choice)
    lines = [f"{TICK if f.ok else WARN} {escaped(f.sentence)}" for f in checked.findings]
    st.markdown("  \n".join(lines))
    offered = {f.offer for f in checked.findings}
    _switches([key for offer, key in OFFERED.items() if offer in offered or st.session_state[key] is True])
    st.button(
        "Run",
        type="primary",
        icon=":material/play_arrow:",
        disabled=checked.table is None,
        key="own_run",
        on_click=_accept,
        args=(mark,),
    )


def _choice(sheet: RawTable, arms: Sequence[int] | None = None) -> Choice:
    """Return what the settings of this session (and of its link) say about a sheet; what does not fit is guessed."""
    guessed, state = guess(sheet), st.session_state
    time, width = guessed.time, len(sheet.header)
    if state["timecol"] == "rows":
        time = None
    elif state["timecol"] != "auto" and int(state["timecol"]) < width:
        time = int(state["timecol"])
    if arms is None and state["armcols"] != "auto":
        arms = [i for i in map(int, state["armcols"].split(".")) if i < width]
    if arms is None:
        arms = [i for i in guessed.arms if i != time]
    return Choice(
        time,
        tuple(arms),
        not state["lower"],
        str(state["fill"]),
        bool(state["std"]),
        keep_codes=bool(state["keep"]),
        log_returns=bool(state["returns"]),
    )


def _checked(sheet: RawTable, choice: Choice) -> Checked:
    key = ("checked", sheet.fingerprint, sheet.header, sheet.notes, repr(choice))
    return private(key, lambda: _plain_times(check(sheet, choice)))


def _plain_times(checked: Checked) -> Checked:
    """Return what was checked with times that a figure may show."""
    table = checked.table
    return checked if table is None else replace(checked, table=replace(table, times=tuple(map(plain, table.times))))


def _read(raw: bytes, name: str) -> tuple[Reading, RawTable]:
    """Return how the switches ask for these bytes to be read, and the sheet; its names are ones a figure may show."""
    state = st.session_state
    how = (str(state.get("thin", "last")), bool(state.get("firstrow")), bool(state.get("turned")))
    sheet = read_isolated(raw, name, *how)
    return how, replace(sheet, header=tuple(distinct([plain(n) or "?" for n in sheet.header])))


def _sheet() -> RawTable | None:
    """Return the sheet of this session, read as its knobs say."""
    state, kept = st.session_state, own()
    if kept.raw is None:
        return None
    how, sheet = kept.sheet
    wanted = (str(state["thin"]), bool(state["firstrow"]), bool(state["turned"]))
    if how[1:] == wanted[1:] and (how[0] == wanted[0] or sheet.rows == sheet.height):
        return sheet
    try:
        how, sheet = _read(*kept.raw)
    except TableError as problem:
        kept.problem = str(problem)
        how = wanted
    if how[1:] != kept.sheet[0][1:]:
        state["timecol"], state["armcols"] = "auto", "auto"  # the columns are other ones
    kept.sheet = (how, sheet)
    return sheet


def _uploaded() -> None:
    file = st.session_state.get("upload")
    if file is not None:
        _load(file.getvalue(), file.name)


def _pasted() -> None:
    text = str(st.session_state.get("paste") or "")
    if len(text) >= MAX_PASTED_CHARACTERS:  # Streamlit cuts what is longer, and half a table is none
        own().problem = words.LONG.format(MAX_PASTED_CHARACTERS)
        st.session_state["paste"] = ""
    elif text.strip():
        _load(text.encode("utf-8", errors="replace"), "pasted table")


def _load(raw: bytes, name: str) -> None:
    """Read these bytes, or say what is wrong with them and keep the table that was there."""
    state, kept = st.session_state, own()
    try:
        how, sheet = _read(raw, name)
    except TableError as problem:
        kept.problem = str(problem)
        return
    mark = _mark(sheet)
    awaited, kept.problem = state.get("file", "none"), None
    if kept.sheet is None and awaited not in ("none", mark):  # of a link: another table of the session just goes
        kept.problem = words.OTHER.format(awaited, mark)
    if awaited != mark:
        state["timecol"], state["armcols"] = "auto", "auto"
    kept.results.clear()  # one table a session
    kept.raw, kept.sheet, state["file"] = (raw, sheet.name), (how, sheet), mark
    asked_for = awaited == mark or (kept.problem is None and _green(_checked(sheet, _choice(sheet))))
    kept.accepted = mark if asked_for else None


def _green(checked: Checked) -> bool:
    """Return whether there is nothing to decide about a table: it then races without being asked for."""
    return checked.table is not None and all(finding.ok for finding in checked.findings)


def _accept(mark: str) -> None:
    own().accepted, own().problem = mark, None


def _reopen() -> None:
    own().accepted = None


def _switches(keys: Sequence[str]) -> None:
    for key in keys:
        draw(LESSON.knobs[key])
