"""Theorems: is this already as good as possible, or is there room to improve?"""

import streamlit as st

from lessons import BY_KEY, LESSONS
from lessons.theorems import panel
from lessons.theorems.knobs import MORE, ONE, ONE_KEYS, ONLY_WHERE_ASKED, RATE_KEYS, RUN_KEYS, RUNS
from lessons.theorems.lesson import LESSON
from lessons.theorems.one_bound import model as one_model
from lessons.theorems.one_bound import scene as one_scene
from lessons.theorems.rates import model, words
from lessons.theorems.rates import scene as rates_scene
from lessons.theorems.runs import adversary
from lessons.theorems.runs import model as runs_model
from shell.notation.translate import markdown
from shell.page.lesson_page import Tables, lesson_page, scene_so_far
from shell.page.visit import Visit
from shell.runs.run_panel import plan_panel


def page(visit: Visit) -> Tables:
    """Draw the lesson and return its data tables."""
    left, right = visit.columns()
    with right:
        view = visit.draw(("view",))["view"]
        if view == ONE:
            visit.draw(ONE_KEYS)
            visit.draw(visit.acting(ONLY_WHERE_ASKED))
        else:
            visit.draw(RUN_KEYS if view == RUNS else visit.acting(RATE_KEYS))
        visit.more(MORE[view])
    value = visit.values
    if view == ONE:
        with left:
            found = one_model.one_bound(one_model.setting_from(value))
            start = panel.start_at_own_horizon(found.setting, visit.t, visit.reset)
            scene = one_scene.scene_of(found, start, visit.theme)
            frame = visit.show(scene)
            visit.under(scene)
        return visit.tables(scene, frame)

    start = panel.start(view, value["measure"], visit.t, visit.reset)

    if view == RUNS:
        with left:
            scene, runs = scene_so_far(visit, LESSON.runs, value, start)
            frame = visit.show(scene)
            plan_panel(LESSON.key, LESSON.runs, runs)
            visit.under(scene)
        found = visit.closers(scene, frame)
        link = adversary.race_link(adversary.hidden_bump(runs_model.setting_from(value)))
        st.page_link(
            BY_KEY["race"].file,
            label="Race any algorithm in this world",
            icon=":material/flag:",
            query_params=link,
        )
        return found

    setting = model.setting_from(value)
    with left:
        scene = rates_scene.scene_of(model.sweep(setting), start, visit.theme, not (value["T_at"] or value["V_at"]))
        frame = visit.show(scene)
        for note in words.notes(model.sweep(setting), frame):
            visit.note(note)
        visit.caption(scene.caption)
    with visit.drawer(words.CARD, "card") as is_open:
        if is_open:
            card = visit.draw(("card",))["card"]
            markdown(words.card(setting, frame, card)[1])
    return visit.tables(scene, frame)


lesson_page(LESSON, LESSONS, page)
