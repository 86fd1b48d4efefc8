"""The stage of the game: a component that draws the questions, sends the next one and gets its reward.

A question reruns this fragment only, so a round is one short trip to the server. What travels before the last round
is what the player has heard: no truth, no kind of world, no drift.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from pathlib import Path

import streamlit as st

from lessons.game import model as game
from lessons.game import words as game_words
from lessons.game.model import Game, Setting
from tvbo_core.worlds import codes as riddle

ASSETS = Path(__file__).resolve().parents[2] / "assets" / "game"
LEAST = 3.5  # the axis of rewards ends here, or beyond the largest one that was heard


@st.cache_resource
def _component() -> object:
    read = {part: (ASSETS / f"game.{part}").read_text(encoding="utf-8") for part in ("html", "css", "js")}
    return st.components.v2.component("tvbo_game", **read)


def message(played: Game, look: Mapping[str, object]) -> dict:
    """All that the browser is told before the last round."""
    rewards = played.rewards()
    return {
        "game": played.name,
        "rounds": played.setting.rounds,
        "arms": riddle.ARMS,
        "asked": list(played.arms),
        "heard": [round(y, 4) for y in rewards],
        "reach": max(LEAST, ceil(2 * max(map(abs, rewards), default=0.0) + 0.5) / 2),
        "status": game_words.status(played, rewards),
        "look": dict(look),
    }


def hear(setting: Setting) -> None:
    """Take the browser's question, if it is the next one of this game."""
    said = st.session_state["game"].get("ask")
    played = game.sit(setting)
    if not isinstance(said, Mapping):
        return
    st.session_state["_narrow"] = bool(said.get("narrow"))
    if said.get("game") == played.name:
        game.games()[setting] = played.ask(said.get("n"), said.get("arm"))


def play(setting: Setting, look: Mapping[str, object]) -> None:
    """Mount the stage; after the last round the page is drawn anew.

    Args:
        look: colours and sizes by their names in game.js.
    """

    open_ = not game.sit(setting).over

    @st.fragment
    def rounds() -> None:
        played = game.sit(setting)
        if played.over and open_:
            st.rerun()
        _component()(key="game", data=message(played, look), default={"ask": None}, on_ask_change=lambda: hear(setting))
        if played.arms and st.session_state.get("table_data"):
            _fresh_table(played)

    rounds()


def _fresh_table(played: Game) -> None:
    """An open table below the stage follows the game."""
    if st.session_state.get("_listed") != (played.name, len(played.arms)):
        st.session_state["_listed"] = (played.name, len(played.arms))
        st.rerun()
