"""`ask`: what a page shows in a state."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from answers.bibtex import bibtex
from answers.film import compressed, marked
from answers.film import film as film_of
from answers.film import frame as frame_of
from answers.page import drawers, page
from answers.state import State
from tvbo_core.threads import one_thread

FILM, FRAME, PAGE, DRAWERS, SCRIPT, CITE = "film", "frame", "page", "drawers", "script", "cite"
MAX_BYTES = {FILM: 1_000_000, FRAME: 30_000}  # of an answer


def film(state: State) -> bytes:
    """Return the film of a state's stage with the charts of open drawers; b"" where it would wait for runs."""
    if not state.lesson.has_address(state.values):
        return b""
    made = state.scene
    if state.charts != tuple(key for key in list(made.films)[1:] if key in state.charts):
        return b""  # one film has one address: each chart that moves at most once, in their order
    return film_of(made.showing(state.charts), state.frame, state.paper, marked(made))


def script(state: State) -> str | None:
    """Return the figure as Python, with the lesson's number in its first line; None where there is none."""
    made = state.lesson.recipe(state.values, state.t) if state.lesson.recipe else None
    return made and f"# Lesson {state.number}, {made.removeprefix('# ')}"


def frame(state: State) -> bytes:
    """Return the stage at the state's time alone; b"" where that takes long."""
    return frame_of(state.lesson.at_time(state.values, state.t, state.theme), state.t, state.paper)


ANSWERS: dict[str, Callable[[State], Any]] = {
    FILM: film,
    FRAME: frame,
    PAGE: page,
    DRAWERS: drawers,
    SCRIPT: script,
    CITE: lambda state: bibtex(state.lesson),
}


def ask(state: State, what: str) -> Any:
    """Return an answer for a state.

    Args:
        what: `FILM`, what the stage plays, or `FRAME`, one time of it while a slider is dragged: compressed bytes, b""
            where there is none; `PAGE`, what stands beside it; `DRAWERS`, what those below it hold; `SCRIPT`, the
            figure as Python; `CITE`, the papers in BibTeX.

    Raises:
        ValueError: there is no such world, or what a method refuses; of film and frame the page says why.
    """
    with one_thread():
        if what not in MAX_BYTES:
            return ANSWERS[what](state)
        with suppress(ValueError):
            found = compressed(made) if (made := ANSWERS[what](state)) else b""
            return found if len(found) <= MAX_BYTES[what] else b""
    return b""
