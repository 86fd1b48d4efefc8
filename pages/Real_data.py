"""Real data: does any of this survive real sensors, real prices, or a file of your own?"""

import streamlit as st

from lessons import LESSONS
from lessons.real_data import model, panel, upload, words
from lessons.real_data.knobs import REAL_MORE, REAL_SHOWN
from lessons.real_data.lesson import LESSON
from lessons.real_data.scene import scene_of
from shell.page.lesson_page import Tables, lesson_page
from shell.page.stop import stop
from shell.page.visit import Visit
from shell.stage.player import screens


def page(visit: Visit) -> Tables:
    """Draw the lesson and return its data tables."""
    screens(1, many=True)
    left, right = visit.columns(film=False)
    stage = left.container()
    with right:
        table = upload.choose_table()
    if upload.races(table):  # else a form that asks for a table stands in the figure's place
        visit.hold_stage(stage)  # before the controls: in a hall the one that leads stands beside the player
    with right:
        if table == model.OWN and upload.races(table):
            upload.name_accepted()
        value = {"table": table} | visit.draw(REAL_SHOWN) | visit.more(REAL_MORE)

    with left:
        setting, own = panel.setting_and_table(value)
        race, runs = visit.or_stop(lambda: panel.follow(setting, own))
        if not race.total:
            st.info(words.WAIT, icon=":material/info:")
            panel.progress(race, runs)
            stop()
        keep_made = panel.keep_made(setting)
        scene = scene_of(race, value, visit.t, visit.theme)
        frame = visit.show(scene, keep_made)
        panel.progress(race, runs)
        visit.under(scene, keep_made)

    for keys in (("likelihood", "kernel", "lengths"), ("map",)):
        if keys[0] in scene.stills:
            visit.closer(scene, keys, frame, keep_made=keep_made)
    return visit.tables(scene, frame)


lesson_page(LESSON, LESSONS, page)
