"""The reproductions on their page: the knobs of what is shown, the chosen entry, and small runs of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

import streamlit as st

from common.failure import Failure
from lessons.reproductions import rerun, rerun_words, words
from lessons.reproductions.experiments import PartOutcome
from lessons.reproductions.knobs import BOARD, LAST, OWN, by_gaps
from lessons.reproductions.model import Cell, StoredExperiment, last_or
from lessons.reproductions.overview import Entry
from lessons.reproductions.rerun import RepetitionJob
from shell.links import pending
from shell.notation.translate import markdown
from shell.page.knobs import draw
from shell.page.page import LessonPage
from shell.runs.run_panel import RunSet, panel, run_set
from shell.runs.runs import RUNS
from shell.stage.player import screens

PAGE = "rerun"  # the name of the run set


def current_entry(page: LessonPage, experiment: StoredExperiment) -> int:
    """Return the number of the entry that is looked at."""
    st.session_state["cell"] = index = last_or(experiment, int(st.session_state.get("cell", 0)))
    return index


def entry_list(page: LessonPage, experiment: StoredExperiment) -> None:
    """Draw the list in which an entry is chosen."""
    names = {str(i): title for i, title in enumerate(experiment.titles)}
    draw(page.lesson.knobs["cell"].replace(options=tuple(range(len(names))), widget="select", names=names))


def choose_clicked() -> None:
    """Choose the entry that was clicked in the figure."""
    place = st.session_state["player"].get("x")
    if OWN["cell"].has(place):
        st.session_state["cell"] = int(place)


def open_clicked() -> None:
    """Open the table at the entry whose dot was clicked."""
    place = st.session_state["player"].get("x")
    if OWN["cell"].has(place):
        _open({"view": BOARD, "cell": int(place)})


def _open(values: Mapping[str, object]) -> None:
    pending.prepare(values, LAST)


def open_button(entry: Entry) -> None:
    """Draw a button from the list into a table or figure that has a figure of its own."""
    if entry.opens:
        st.button(
            f"Open {entry.title}",
            on_click=_open,
            args=({"shown": entry.name, "view": BOARD, "cell": 0},),
            key="open_entry",
            type="primary",
            icon=":material/open_in_full:",
        )


def make_swipeable(values: Mapping[str, object]) -> None:
    """On a phone give a table three of its groups beside each other, and the rest one screen."""
    screens(1 if by_gaps(values) else 3, many=True)


def again(cell: Cell) -> dict[RepetitionJob, PartOutcome]:
    """Return what was run again of this entry so far, by any visitor since the server started."""
    runs = _runs(cell)
    found = {p: r for p, r in runs.results.items() if isinstance(r, PartOutcome)}
    pieces = [piece for horizon in rerun.horizons(cell) for piece in rerun.repetitions(cell, horizon)]
    found |= {p: r for p, r in RUNS.known(pieces).items() if isinstance(r, PartOutcome)}
    longest = max((p.horizon for p in found), default=0)
    # The longest run that is whole or under way; a shorter one beside it would only be in the way.
    return {p: r for p, r in found.items() if p.horizon == longest}


def rerun_panel(cell: Cell) -> None:
    """Draw buttons that run the entry again, or the progress of the run with a button that cancels it."""
    runs = _runs(cell)
    if runs.missing and not runs.cancelled:
        seen = runs.done
        panel(PAGE, runs, lambda: runs.done > seen)
        return
    failed = [str(result) for result in runs.results.values() if isinstance(result, Failure)]
    if failed or runs.cancelled:
        st.info(failed[0] if failed else rerun_words.STOPPED, icon=":material/info:")
    with st.container(horizontal=True, key="rerun"):
        for horizon in rerun.horizons(cell):
            pieces = rerun.repetitions(cell, horizon)
            there = sum(isinstance(r, PartOutcome) for r in RUNS.known(pieces).values()) == len(pieces)
            st.button(
                rerun_words.button(cell, horizon, len(pieces)),
                on_click=_order,
                args=(cell, horizon),
                key=f"rerun_{'full' if horizon == cell.horizon else 'short'}",
                disabled=there,
                icon=":material/replay:",
                help=rerun_words.HELP,
            )


def _runs(cell: Cell) -> RunSet:
    """Return the small runs of this entry that the visitor has asked for; there are none at first."""
    setting = cell.board.report["name"], cell.part
    runs = run_set(
        PAGE, setting, lambda: RunSet(setting, (), f"{cell.board.titles[cell.index]} again", partial(_seconds, cell))
    )
    runs.poll()
    return runs


def _order(cell: Cell, horizon: int) -> None:
    runs = _runs(cell)
    runs.want(rerun.repetitions(cell, horizon))
    runs.start()


def _seconds(cell: Cell, pieces: Iterable[RepetitionJob]) -> float:
    return sum(rerun.seconds(cell, piece.horizon, 1) for piece in pieces)


def sections(experiment: StoredExperiment) -> None:
    """Draw the statements about the figure, and its set-up."""
    with st.container(key="sections"):
        st.markdown("#### Statements of the paper, questions of this lab, and what was measured")
        markdown(words.statements(experiment))
        st.markdown("#### Set-up")
        markdown(words.choices(experiment))
