"""`ask`: what a page shows in a state."""

from __future__ import annotations

from answers.film import compressed, marked
from answers.film import film as film_of
from answers.film import frame as frame_of
from answers.state import State
from tvbo_core.threads import one_thread

FILM, FRAME = "film", "frame"
MAX_BYTES = {FILM: 1_000_000, FRAME: 30_000}  # of an answer


def film(state: State) -> bytes:
    """Return the film of a state's stage with the charts of open drawers; b"" where it would wait for runs."""
    if not state.lesson.has_address(state.values):
        return b""
    made = state.scene
    return film_of(made.showing(state.charts), state.paper, marked(made))


def frame(state: State) -> bytes:
    """Return the stage at the state's time alone; b"" where that takes long."""
    return frame_of(state.lesson.at_time(state.values, state.t, state.theme), state.paper)


ANSWERS = {FILM: film, FRAME: frame}


def ask(state: State, what: str) -> bytes:
    """Return an answer for a state, compressed; b"" where there is none.

    Args:
        what: `FILM`, what the stage plays, or `FRAME`, one time of it while a slider is dragged.
    """
    try:
        with one_thread():
            made = ANSWERS[what](state)
    except ValueError:  # a world that cannot be: the page says why
        return b""
    found = compressed(made) if made else b""
    return found if len(found) <= MAX_BYTES[what] else b""
