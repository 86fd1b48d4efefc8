"""The stage of the chase: a component that draws and eases what Python computed.

One message holds the whole film; the browser plays it by itself. It tells Python when it pauses, where the reader
asked, and how the reader bent the two shapes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import streamlit as st

from figures import theme as look
from figures.theme import Theme
from lessons.chase import claims, figure, model, words
from lessons.chase.model import ARMS, HIGHEST, ROUNDS, STEPS, TURNS, Chase
from lessons.shared import hills
from shell import strip
from shell.film_message import fingerprint
from shell.modules import loader
from shell.player import opening_frame, paused_at
from tvbo_core.worlds.reshaped import HANDLES, MOST, UNIT

ASSETS = Path(__file__).resolve().parents[2] / "assets" / "chase"


@st.cache_resource
def _component() -> object:
    html, css = ((ASSETS / f"chase.{part}").read_text(encoding="utf-8") for part in ("html", "css"))
    css += (strip.ASSETS / "strip.css").read_text(encoding="utf-8")
    return st.components.v2.component("tvbo_chase", html=html, css=css, js=loader("chase/chase.js", "default"))


def curves(film: Chase) -> tuple[list, bytes]:
    """Return name, learner and shape of each array, and the arrays as 32-bit floats."""
    arrays = [("f", -1, film.problem.f), ("shapes", -1, film.shapes), ("way", -1, film.way), ("bend", -1, film.bend)]
    for i, one in enumerate(film.learners):
        arrays += [(name, i, getattr(one, name)) for name in ("mean", "lower", "upper", "weight")]
    named = [(name, i, list(values.shape)) for name, i, values in arrays]
    return named, b"".join(np.ascontiguousarray(values, dtype="<f4").tobytes() for _, _, values in arrays)


def message(
    film: Chase,
    unseen: bool,
    theme: Theme,
    start: int,
    reset: str,
    follow: Mapping[str, object] | None = None,
) -> bytes:
    """Return the film as the browser reads it: the length of a text (JSON), the text, and numbers.

    Args:
        follow: result of `Visit.question`, so that the stage follows a slider while it is dragged.
    """
    named, numbers = curves(film)
    s, worlds = film.setting, None if theme.lecture else claims.strip(film.setting, unseen)
    head = {
        "curves": named,
        "rounds": film.rounds,
        "steps": STEPS,
        "handles": HANDLES[:, 0].tolist(),
        "highest": HIGHEST,
        "unit": UNIT,
        "most": MOST,
        "reach": model.reach(film),
        "depth": model.depth(film),
        "odds": words.odds(film, unseen),
        "strip": worlds and strip.dots(worlds, theme.dark),
        "start": start,
        "reset": reset,
        "unseen": unseen,
        "revision": fingerprint(s, unseen, theme),
        "labels": words.labels(film),
        "alt": words.ALT,
        "drag": words.DRAG,
        "x": film.problem.x[:, 0].tolist(),
        "best": film.problem.best.tolist(),
        "moves": film.moves,
        "bent": [list(s.start), list(s.end)],
        "asked": [row for row, _ in s.asked],
        "score": TURNS - 1 if model.turns(s.asked) >= TURNS else None,
        "width": s.width,
        "fixed": s.game is not None,
        "learners": [figure.rounds(one, theme) for one in film.learners],
        "follow": follow,
        "look": {
            "ink": theme.ink,
            "soft": theme.soft_ink,
            "paper": theme.paper,
            "grid": theme.grid,
            "grey": theme.grey,
            "past": look.faded(theme.grey, 0.45),
            "grip": theme.role("drift"),
            "tick": theme.tick,
            "label": theme.label,
            "big": 44 if theme.lecture else 28,
            "line": theme.line,
            "truth": theme.truth_line,
            "marker": theme.marker,
            "hall": theme.lecture,
        },
    }
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 4)  # numbers begin at a multiple of four
    return len(text).to_bytes(4, "little") + text + numbers


def stage(
    film: Chase,
    unseen: bool,
    theme: Theme,
    start: int,
    reset: str,
    follow: Mapping[str, object] | None = None,
) -> int:
    """Mount the stage and return the frame at which the reader last paused."""
    result = _component()(
        key="player",
        data=message(film, unseen, theme, opening_frame(reset, start), reset, follow),
        default={"t": None, "ask": None, "bend": None},
        on_world_change=partial(strip.choose, "hill", "player"),
        on_t_change=lambda: None,
        on_ask_change=_ask,
        on_bend_change=_bend,
    )
    return paused_at(result.t, reset, start, film.frames)


def _ask() -> None:
    """Take a question of the reader: those of later rounds are played again without the reader."""
    said = st.session_state["player"].get("ask")
    if isinstance(said, Mapping) and _whole(said.get("row"), ROUNDS) and _whole(said.get("arm"), ARMS):
        before = model.questions(str(st.session_state["asked"]))
        st.session_state["asked"] = model.written(model.asked_here(before, said["row"], said["arm"]))


def _bend() -> None:
    """Take the two shapes as the reader left them."""
    said = st.session_state["player"].get("bend")
    for key in ("start", "end"):
        units = said.get(key) if isinstance(said, Mapping) else None
        if _bends(units):
            st.session_state[key] = hills.encode(tuple(units))


def _bends(units: object) -> bool:
    return (
        isinstance(units, Sequence)
        and len(units) == len(HANDLES)
        and all(type(unit) is int and abs(unit) <= MOST for unit in units)
    )


def _whole(value: object, below: int) -> bool:
    return type(value) is int and 0 <= value < below
