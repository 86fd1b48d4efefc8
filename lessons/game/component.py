"""The stage of a game that is not over: a component that draws the questions, sends the next one and gets its reward.

A question reruns this fragment only, so a round is one short trip to the server. Before the last round only what the
player has heard travels: no truth, no kind of world, no drift.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from pathlib import Path

import streamlit as st

from figures.theme import Theme
from lessons.game import panel, words
from lessons.game.model import Game, GameSetting
from lessons.game.scene import look
from shell.modules import loader
from shell.redraw import redraw
from shell.session import of_lesson
from tvbo_core.worlds import codes

ASSETS = Path(__file__).resolve().parents[2] / "assets" / "game"
MIN_REACH = 3.5  # the axis of rewards ends here, or beyond the largest one that was heard


@st.cache_resource
def _component() -> object:
    html, css = ((ASSETS / f"game.{part}").read_text(encoding="utf-8") for part in ("html", "css"))
    return st.components.v2.component("tvbo_game", html=html, css=css, js=loader("game/game.js", "default"))


def message(game: Game, look: Mapping[str, object]) -> dict:
    """Return all that is sent to the browser before the last round."""
    rewards = game.rewards()
    return {
        "game": game.name,
        "rounds": game.setting.rounds,
        "arms": codes.ARMS,
        "asked": list(game.arms),
        "heard": [round(y, 4) for y in rewards],
        "reach": max(MIN_REACH, ceil(2 * max(map(abs, rewards), default=0.0) + 0.5) / 2),
        "status": words.status(game, rewards),
        "look": dict(look),
    }


def take_question(setting: GameSetting) -> None:
    """Take the browser's question, if it is the next one of this game."""
    asked = st.session_state["game"].get("ask")
    game = panel.current(setting)
    if not isinstance(asked, Mapping):
        return
    of_lesson(panel.GameSession).narrow = bool(asked.get("narrow"))
    if asked.get("game") == game.name:
        panel.games()[setting] = game.ask(asked.get("n"), asked.get("arm"))


def mount(setting: GameSetting, theme: Theme) -> None:
    """Mount the stage; after the last round the page is drawn anew."""
    was_open = not panel.current(setting).over

    @st.fragment
    def rounds() -> None:
        game = panel.current(setting)
        if game.over and was_open:
            redraw()
        _component()(
            key="game",
            data=message(game, look(theme)),
            default={"ask": None},
            on_ask_change=lambda: take_question(setting),
        )
        if game.arms and st.session_state.get("table_data"):
            _redraw_table(game)

    rounds()


def _redraw_table(game: Game) -> None:
    """Draw the page anew after a question, so that an open table below the stage follows the game."""
    kept, now = of_lesson(panel.GameSession), (game.name, len(game.arms))
    if kept.table != now:
        kept.table = now
        redraw()
