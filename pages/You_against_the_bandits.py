"""You against the bandits: can you follow a hidden peak better than bandit algorithms?"""

from dataclasses import replace

import streamlit as st

from answers.state import State
from lessons import LESSONS
from lessons.game import model, panel, words
from lessons.game.knobs import GAME_MORE, GAME_SHOWN
from lessons.game.lesson import LESSON
from lessons.game.scene import scene_of
from lessons.game.together import panel as together
from shell.hall.room import room
from shell.notation.translate import caption, markdown
from shell.page.lesson_page import lesson_page
from shell.page.page import LessonPage
from shell.runs.run_panel import compute


def body(page: LessonPage) -> State | None:
    """Draw the game and return the state that is shown; where a room is open, that of its phones."""
    if hall := room.game(page.lesson):
        return together.draw(page, hall)
    panel.sync_code(page)
    left, right = page.columns(film=False)
    with right:
        value = page.values | page.draw(GAME_SHOWN)
        setting = model.setting_from(value)
        game = panel.current(setting)
        together.begin_button(page.lesson)
        panel.code_box()
        panel.start_over_button(setting)
        value |= page.more_knobs(GAME_MORE)
    panel.stop_in_iframe(page)
    if not game.revealed(value["challenge"]):
        with left:
            page.hold_stage(left)
            shown = panel.stage(page, game)
            if game.over:
                panel.guess_buttons(setting)
        return shown
    with left:
        done = page.or_stop(lambda: model.finished(game, compute=compute))
        shown = page.show(page.state(value, scene_of(done, page.theme)))
        panel.onward(page, game)
        page.notes_and_caption(shown)
    first, second = st.columns(2, gap="large")
    with first:
        markdown("##### What this game shows")
        markdown("\n".join(f"- {line}" for line in words.lessons(done)))
        for name, reason in done.field.refused.items():
            caption(f":material/info: {name} does not play here: {reason}")
    with second:
        panel.result_line(page, done)
    return shown


lesson_page(replace(LESSON, recipe=panel.script), LESSONS, body)
