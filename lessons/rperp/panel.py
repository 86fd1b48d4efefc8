"""A reader's place at the stepper: what is chosen, where the film opens, and how many worlds test the promise."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from lessons.rperp.coverage import DRIFT, FEW, Setting, scores
from lessons.rperp.model import FOLLOWER, Film, Show
from lessons.shared.cache import shared
from lessons.shared.knobs import TABLE_HAS_NO
from shell.run_panel import computed
from tvbo_core.policies.elimination.shuffles import Eq9Score
from tvbo_core.policies.elimination.steps import frame_of
from tvbo_core.policies.width import THEORY

MANY = 200  # worlds that are measured when asked
MILLISECONDS = 8  # of one run of 200 rounds, only to say in advance how long the many will take
# Which knobs say nothing in a kind of world.
IDLE = {"still": {"V"}, "markov": {"V", "B"}, "data": TABLE_HAS_NO | {"sigma", "arms"}}


def idle(kind: str) -> set[str]:
    """Knobs that play no part in this kind of world."""
    return IDLE.get(kind, set()) | (set() if kind == FOLLOWER else {"swing"})


def step_in(reset: str) -> None:
    """From batches or restarts to lines: open the restart that was on screen. Call it before the controls."""
    was = st.session_state.get("_stepper")
    if was and was["visit"] == reset and was["grain"] != "line" and st.session_state.get("grain") == "line":
        st.session_state["interval"] = was["interval"]


def start(film: Film, visit: str, t: int) -> int:
    """Where the film opens: at the batch that was on screen, if it is another film of the same visit."""
    was = st.session_state.get("_stepper")
    if was and was["visit"] == visit and (was["grain"], was["frames"]) != (film.grain, len(film.steps)):
        return frame_of(film.steps, was["batch"])
    return t


def remember(film: Film, visit: str, t: int) -> None:
    """Keep what is on screen, for another grain or restart."""
    batch = film.steps[t].batch
    st.session_state["_stepper"] = {"visit": visit, "grain": film.grain, "frames": len(film.steps), "batch": batch,
                                    "interval": film.show.batches[batch].interval}  # fmt: skip


@dataclass(frozen=True)
class Promise:
    """One row of the coverage panel: whose bands, in which order, and how they scored."""

    width: str
    shuffled: bool
    score: Eq9Score


def promises(show: Show) -> list[Promise]:
    """Coverage of eq. 9 in repeated worlds, with the chosen width in both orders, and with the proved widths."""
    setting = show.setting
    rows = [(setting.width, True), (setting.width, False)]
    if show.problem.norm_bound is not None:
        rows += [(width, True) for width in (THEORY, DRIFT) if width != setting.width]
    many = st.session_state.get("_many") == setting
    worlds = MANY if many else FEW
    # Which shuffle the stage shows plays no part here: each world has chances of its own.
    return [Promise(w, s, _score((replace(setting, width=w, shuffle=0), s), show.H, worlds)) for w, s in rows]


def more_worlds(show: Show, rows: list[Promise]) -> None:
    """A button for more worlds, which says how long they take."""
    if rows[0].score.runs >= MANY:
        return
    seconds = max(1, round(MANY * len(rows) * MILLISECONDS / 1000 * show.problem.horizon / 200))
    words = f"Measure {MANY} worlds, about {seconds} s"
    st.button(words, on_click=_ask, args=(show.setting,), key="many_worlds", icon=":material/play_arrow:")


def _ask(setting: Setting) -> None:
    st.session_state["_many"] = setting


@shared(256)
def _score(row: tuple[Setting, bool], H: int, worlds: int) -> Eq9Score:
    """Return the score of one row; another width asks for the others (eq. 8) again, which are there then."""
    seconds = worlds * MILLISECONDS / 1000 * row[0].world.horizon / 200
    return computed(scores, (row,), H, worlds, seconds=seconds)[0]
