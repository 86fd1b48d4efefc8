"""A reader's place at the reproductions: what is listed, which entry is looked at, and small runs of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import streamlit as st

from lessons.reproductions import overview as evidence
from lessons.reproductions import overview_words as evidence_words
from lessons.reproductions import rerun as reruns
from lessons.reproductions import rerun_words as reruns_words
from lessons.reproductions import words
from lessons.reproductions.knobs import BOARD_KEYS, END, FILTERS, WALL
from lessons.reproductions.model import Board, Cell, title
from lessons.reproductions.names import EVIDENCE
from lessons.reproductions.overview import Entry
from lessons.reproductions.rerun import Replay, Slice
from shell.knobs import draw, keep, write
from shell.links import pending as prepared
from shell.notation import translate as symbols
from shell.page import Visit
from shell.run_panel import RunSet, panel, run_set
from shell.runs import RUNS
from tvbo_core.jobs import Failure

PAGE = "rerun"  # the name of the run set
Files = Mapping[str, tuple[str, str, Callable[[], str]]]  # label -> file name, type, how to write it


def at_wall() -> bool:
    """Whether everything is shown at a glance."""
    return st.session_state["shown"] == WALL


def knobs(visit: Visit, idle: tuple[str, ...]) -> dict[str, object]:
    """The knobs of what is shown; the others are remembered, here and in the link."""
    shown = ("shown", "within", *FILTERS) if at_wall() else BOARD_KEYS
    value = visit.draw(shown, disabled=() if at_wall() else idle)
    for key in visit.lesson.roaming - {*shown, *(() if at_wall() else ("cell",))}:
        keep(visit.lesson.knobs[key])
    return value


def listed(value: Mapping[str, object]) -> tuple[Entry, ...]:
    """What the filters let through.

    Raises:
        ValueError: nothing.
    """
    found = evidence.chosen(*(str(value[key]) for key in FILTERS))
    if not found:
        raise ValueError("No table or figure has this outcome in this selection; choose “Any”, “Both” or “All five”.")
    return found


def show(name: str) -> None:
    """Go to a table or figure, or (the first option) to all of them."""
    prepared.prepare({"shown": name, "cell": 0}, END)
    st.session_state["moment"] = None


def doors(entry: Entry | None) -> None:
    """A button from the list into a table or figure."""
    if entry is not None and entry.opens:
        st.button(f"Open {entry.title}", on_click=show, args=(entry.name,), key="open_entry", type="primary",
                  icon=":material/open_in_full:")  # fmt: skip


def back() -> None:
    """A button from a table or figure to the list."""
    st.button(EVIDENCE[WALL], on_click=show, args=(WALL,), key="open_wall", icon=":material/fact_check:")


def chosen(visit: Visit, shown: Board) -> int:
    """The entry under the glass, chosen in a list; a click in the figure chooses it too."""
    knob = visit.lesson.knobs["cell"]
    last = len(shown.parts) - 1
    st.session_state["cell"] = index = min(max(int(st.session_state.get("cell", 0)), 0), last)
    write(knob, index)
    return index


def choose(visit: Visit, shown: Board) -> None:
    """The list of the entries."""
    knob, groups = visit.lesson.knobs["cell"], len(shown.rows)
    names = {str(i): title(shown, *divmod(i, groups)) for i in range(len(shown.parts))}
    draw(knob.replace(options=tuple(range(len(names))), widget="select", names=names), bound=False)


def clicked() -> None:
    """A click in the figure: its entry comes under the glass."""
    place = st.session_state["player"].get("x")
    if place is not None:
        st.session_state["cell"] = int(place)


def again(cell: Cell) -> dict[Slice, Replay]:
    """Return what was run again of this entry so far, by any visitor since the server started."""
    runs = _runs(cell)
    found = {p: r for p, r in runs.results.items() if isinstance(r, Replay)}
    pieces = [piece for horizon in reruns.horizons(cell) for piece in reruns.slices(cell, horizon)]
    found |= {p: r for p, r in RUNS.known(pieces).items() if isinstance(r, Replay)}
    longest = max((p.horizon for p in found), default=0)
    # The longest run that is whole or under way; a shorter one beside it would only be in the way.
    return {p: r for p, r in found.items() if p.horizon == longest}


def _runs(cell: Cell) -> RunSet:
    """Return the small runs of this entry that the visitor has asked for; there are none at first."""
    runs = run_set(PAGE, (cell.experiment, cell.part), lambda: RunSet((cell.experiment, cell.part)))
    runs.look()
    return runs


def _order(cell: Cell, horizon: int) -> None:
    runs = _runs(cell)
    runs.jobs, runs.order = reruns.slices(cell, horizon), None
    runs.learn({})
    runs.start(lambda pieces: _seconds(cell, pieces))


def _seconds(cell: Cell, pieces: Iterable[Slice]) -> float:
    return sum(reruns.seconds(cell, piece.horizon, 1) for piece in pieces)


def desk(cell: Cell) -> None:
    """Draw buttons that run the entry again, or the progress of the run with a button that cancels it."""
    runs = _runs(cell)
    if runs.missing and not runs.cancelled:
        pieces, seen = runs.jobs, len(runs.results)
        panel(PAGE, runs, paused="", start="", seconds=partial(_seconds, cell),
              progress=lambda done, left: reruns_words.progress(cell, pieces, done, left),
              fresh=lambda: len(runs.results) > seen)  # fmt: skip
        return
    failed = [str(said) for said in runs.results.values() if isinstance(said, Failure)]
    if failed or runs.cancelled:
        st.info(failed[0] if failed else reruns_words.STOPPED, icon="🧭")
    with st.container(horizontal=True, key="rerun"):
        for horizon in reruns.horizons(cell):
            pieces = reruns.slices(cell, horizon)
            there = sum(isinstance(r, Replay) for r in RUNS.known(pieces).values()) == len(pieces)
            st.button(reruns_words.button(cell, horizon, len(pieces)), on_click=_order, args=(cell, horizon),
                      key=f"rerun_{'full' if horizon == cell.horizon else 'short'}", disabled=there,
                      icon=":material/replay:", help=reruns_words.HELP)  # fmt: skip


def words_below(shown: Board) -> None:
    """What is said about the figure, its set-up, the tables of rates, and what was not attempted."""
    st.markdown("#### What is said about it, and what was measured")
    symbols.say(words.statements(shown))
    first, second = st.columns(2, gap="large")
    with first:
        st.markdown("#### Set-up")
        symbols.say(words.choices(shown))
    with second:
        st.markdown("#### Rates, compared exactly")
        symbols.say(words.rates())
        st.markdown("#### Not attempted")
        symbols.say(evidence_words.not_tried())


def drawer(table: Callable[[], object], files: Files) -> None:
    """The data table with its files, drawn only while it is open."""
    with st.expander("Data table", on_change="rerun", key="table_data") as box:
        if box.open:
            st.dataframe(table(), hide_index=True)
            _downloads(files)


def _downloads(files: Files) -> None:
    """Buttons that save the table: label -> (file name, type, how to write it); written when it is asked for."""
    with st.container(horizontal=True, key="downloads"):
        for label, (name, mime, write) in files.items():
            st.download_button(label, write, file_name=name, mime=mime, icon=":material/download:",
                               key=f"save_{name.rsplit('.', 1)[-1]}", on_click="ignore")  # fmt: skip
