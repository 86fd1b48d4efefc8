"""`ask`: what a page shows in a state."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from answers import bets, drawers, points
from answers.film import compressed, still
from answers.film import film as film_of
from answers.film import frame as frame_of
from answers.page import judged, notes, page, stage
from answers.state import BET, LESSON, State
from tvbo_core.threads import one_thread

FILM, FRAME, CHART = "film", "frame", "chart"  # bytes, as they travel: b"" for none
PAGE, STAGE, NOTES, DRAWERS, DRAWER, TABLE, CSV, SCRIPT, TASK, TRUTH = (
    "page",
    "stage",
    "notes",
    "drawers",
    "drawer",
    "table",
    "csv",
    "script",
    "task",
    "truth",
)
MAX_BYTES = {FILM: 1_000_000, FRAME: 30_000}  # of an answer


def film(state: State, _: str = "") -> bytes:
    """Return the film of a state's stage with the charts of open drawers; b"" where it would wait for runs."""
    if state.waits:
        return b""
    made = state.scene
    if state.charts != tuple(key for key in list(made.films)[1:] if key in state.charts):
        return b""  # one film has one address: each chart that moves at most once, in their order
    return film_of(made.showing(state.charts), state.frame, state.paper, marked=True)


def frame(state: State, _: str) -> bytes:
    """Return the stage at the state's time alone; b"" where that takes long, and for a bet."""
    if state.view != LESSON:
        return b""
    return frame_of(state.lesson.at_time(state.values, state.t, state.theme), state.t, state.paper)


def chart(state: State, key: str) -> bytes:
    """Return a chart that stands still, at the state's time, or the bars of a bet, as asked or as told."""
    if state.view == LESSON:
        return still(key, state.figure_of(key))
    if key != bets.WAGER:
        raise KeyError(key)
    bet = bets.bet_of(state)
    if state.view == BET:
        return bets.bars_of(state, bets.open_bet(bet)) if bet.places else b""
    return bets.bars_of(state, bets.placed(state, str(state.values["guess"])))


def script(state: State, _: str = "") -> str | None:
    """Return the figure as Python, with the lesson's number in its first line; None where there is none."""
    made = state.lesson.recipe(state.values, state.t) if state.lesson.recipe else None
    return made and f"# Lesson {state.number}, {made.removeprefix('# ')}"


# What stands beside a lesson's figure would tell the answer of its bet.
OF_LESSON = (NOTES, DRAWERS, DRAWER, TABLE, CSV, SCRIPT, TASK)
ANSWERS: dict[str, Callable[[State, str], Any]] = {
    FILM: film,
    FRAME: frame,
    CHART: chart,
    PAGE: lambda state, _: page(state),
    STAGE: lambda state, _: stage(state),
    NOTES: lambda state, _: notes(state),
    DRAWERS: lambda state, _: drawers.listed(state),
    DRAWER: drawers.drawer,
    TABLE: drawers.table,
    CSV: points.table,
    SCRIPT: script,
    TASK: judged,
    TRUTH: lambda state, _: bets.truth(state),
}


def ask(state: State, what: str, key: str = "") -> Any:
    """Return an answer for a state: bytes of what is drawn, plain data that JSON takes of all else.

    Args:
        what: `FILM`, what the stage plays, or `FRAME`, one time of it while a slider is dragged; `PAGE`, what stands
            beside it, of which `STAGE`, `NOTES` and `DRAWERS` are parts; `DRAWER`, `CHART`, `TABLE` and `CSV` (the
            points of a chart): what is opened below it; `SCRIPT`, the figure as Python; `TASK`, the
            verdict on one; `TRUTH`, the answer of the lesson's bet, which no other answer has.
        key: of the drawer, the chart, the table (its title), or the task.

    Raises:
        ValueError: there is no such world, or what a method refuses; of film, frame and page the page says why.
        KeyError: there is no such drawer, chart, table or task in this view.
    """
    if state.view != LESSON and what in OF_LESSON:
        raise KeyError(key)
    with one_thread():
        if what not in MAX_BYTES:
            return ANSWERS[what](state, key)
        with suppress(ValueError):
            found = compressed(made) if (made := ANSWERS[what](state, key)) else b""
            return found if len(found) <= MAX_BYTES[what] else b""
    return b""
