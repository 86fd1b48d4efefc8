"""Theorems: is this already as good as possible, or is there room to improve?"""

import streamlit as st

from lessons import BY_KEY, LESSONS
from lessons.theorems import panel
from lessons.theorems.knobs import MORE, ONE, ONE_KEYS, ONLY_WHERE_ASKED, RATE_KEYS, RUN_KEYS, RUNS
from lessons.theorems.lesson import LESSON
from lessons.theorems.one_bound import model as one_model
from lessons.theorems.one_bound import scene as one_scene
from lessons.theorems.runs import adversary
from lessons.theorems.runs import model as runs_model
from lessons.theorems.runs.scene import PLAN
from shell.page.lesson_page import Tables, lesson_page, scene_so_far
from shell.page.page import LessonPage
from shell.runs.run_panel import plan_panel


def body(page: LessonPage) -> Tables:
    """Draw the lesson and return its data tables."""
    left, right = page.columns()
    with right:
        view = page.draw(("view",))["view"]
        if view == ONE:
            page.draw(ONE_KEYS)
            page.draw(page.acting(ONLY_WHERE_ASKED))
        else:
            page.draw(RUN_KEYS if view == RUNS else page.acting(RATE_KEYS))
        page.more_knobs(MORE[view])
    value = page.values
    if view == ONE:
        with left:
            found = one_model.one_bound(one_model.setting_from(value))
            start = panel.start_at_own_horizon(found.setting, page.t, page.reset)
            scene = one_scene.scene_of(found, page.theme)
            frame = page.show(scene, start)
            page.notes_and_caption(scene, frame)
        return page.tables(scene, frame)

    start = panel.start(view, value["measure"], page.t, page.reset)

    if view == RUNS:
        with left:
            scene, runs = scene_so_far(page, PLAN, value)
            frame = page.show(scene, start)
            plan_panel(LESSON.key, PLAN, runs)
            page.notes_and_caption(scene, frame)
        found = page.chart_drawers(scene, frame)
        link = adversary.race_link(adversary.hidden_bump(runs_model.setting_from(value)))
        st.page_link(
            BY_KEY["race"].file,
            label="Race any algorithm in this world",
            icon=":material/flag:",
            query_params=link,
        )
        return found

    with left:
        scene = page.scene(value)
        frame = page.show(scene, start)
        page.notes_and_caption(scene, frame)
    return page.tables(scene, frame)


lesson_page(LESSON, LESSONS, body)
