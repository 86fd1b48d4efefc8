"""The game of a hall on the wall: it begins, shows how the crowd queries, and ends with the hidden reward."""

from __future__ import annotations

import csv
import io

import streamlit as st

from answers.state import State
from lessons.game.together import model, words
from lessons.game.together.scene import scene_of
from lessons.record import Lesson
from shell.hall.room import room
from shell.hall.room.phones import TOLD, Question
from shell.notation.translate import caption
from shell.page.page import LessonPage

TOO_SOON = "No phone has played its last round yet: the game is closed, and nothing is shown of its world."


def begin_button(lesson: Lesson) -> None:
    """Draw the button that begins a game on the phones of the open room; nothing without one."""
    if room.code():
        st.button(
            "Play together",
            on_click=room.begin_game,
            args=(lesson,),
            key="game_open",
            icon=":material/groups:",
            width="stretch",
            help=f"Every phone of the room plays one hidden world, {model.ROUNDS} rounds at its own pace (key D).",
        )


def draw(page: LessonPage, game: Question) -> State | None:
    """Draw a hall's game; return the state that is shown, None before the hidden world is."""
    left, right = page.columns(film=False)
    found = None
    if game.state == TOLD:
        found = page.or_stop(lambda: model.crowd(game.id, str(game.world), room.queries(game)))
    with right:
        if found is None:
            st.button(
                "Show the hidden reward",
                on_click=_reveal,
                args=(game,),
                key="game_reveal",
                type="primary",
                icon=":material/visibility:",
                width="stretch",
            )
        else:
            begin_button(page.lesson)
            st.download_button(
                "Save the queries (CSV)", _table(found), f"game-{room.code()}.csv", "text/csv", width="stretch"
            )
        st.button("Leave the game", on_click=room.end_game, args=(game,), kwargs={"told": False}, key="game_leave")
    with left:
        if found is None:
            room.wall(game=game, asks=True)
            page.live_sentence(words.PLAYS, 0)
            return None
        page.hold_stage(left)
        shown = page.show(page.state(page.values, scene_of(game.id, found, page.theme)))
        caption(words.assumes(found))
        page.notes_and_caption(shown)
    return shown


def _reveal(game: Question) -> None:
    """End the rounds and show the hidden reward, once its crowd is computed: phones are told at the same time."""
    found = model.crowd(game.id, str(game.world), room.queries(game))
    if found is None:
        st.toast(TOO_SOON, icon=":material/info:")
    room.end_game(game, told=found is not None)


def _table(found: model.Crowd) -> str:
    """Return every query of the phones that played to the end as CSV."""
    out = io.StringIO()
    rows = model.notes(found)
    write = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    write.writeheader()
    write.writerows(rows)
    return out.getvalue()
