"""The stage of a game that is not over: its figure takes the next question, and the player brings the reward.

A question reruns this fragment only, so a round is one short trip to the server. Before the last round only what the
player has heard travels: no truth, no kind of world, no drift.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import streamlit as st

from lessons.game import board, panel
from lessons.game.model import Game, GameSetting
from shell.page.page import LessonPage
from shell.runs.redraw import redraw
from shell.session import of_lesson
from shell.stage import player


def take_question(setting: GameSetting, reset: str) -> None:
    """Take the browser's question, if it is the next one of the game with this reset."""
    question, game = st.session_state["player"].get("ask"), panel.current(setting)
    if not isinstance(question, Mapping):
        return
    if question.get("reset") == reset:
        panel.games()[setting] = game.ask(question.get("t"), question.get("place"))


def mount(page: LessonPage, setting: GameSetting, rivals: int) -> None:
    """Mount the stage; after the last round the page is drawn anew.

    Args:
        rivals: number of bandits.
    """
    opened = panel.current(setting)
    page = replace(page, reset=f"{page.reset}:{opened.name}", keep_made=lambda _, make: make())
    first = board.scene(opened, rivals, page.theme)
    page.stage("main", first.films["main"])
    page.live_sentence(first.sentences(), 0)
    odds, spot = page.player_slot or (nullcontext(), nullcontext())
    with odds:
        page.odds(first)

    @st.fragment
    def rounds() -> None:
        game = panel.current(setting)
        if game.over and not opened.over:
            redraw()
        player.player(
            page.sent(board.scene(game, rivals, page.theme), page.values),
            frames=1,
            start=0,
            reset=page.reset,
            question=None,
            on_ask=partial(take_question, setting, page.reset),
        )
        if game.arms and st.session_state.get("table_data"):
            _redraw_table(game)

    with spot:
        rounds()


def _redraw_table(game: Game) -> None:
    """Draw the page anew after a question, so that an open table below the stage follows the game."""
    kept, now = of_lesson(panel.GameSession), (game.name, len(game.arms))
    if kept.table != now:
        kept.table = now
        redraw()
