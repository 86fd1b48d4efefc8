"""Confidence bands: how far can a confidence band be trusted if the reward moves?"""

from functools import partial

import streamlit as st

from lessons import LESSONS
from lessons.bands import model, panel, words
from lessons.bands.lesson import LESSON
from lessons.bands.scene import nearest_arm, with_coverage
from lessons.bands.setting import setting_from
from shell.page.lesson_page import Tables, lesson_page
from shell.page.page import LessonPage


def body(page: LessonPage) -> Tables:
    """Draw the lesson and return its data tables."""
    left, value = page.controls()
    with left:
        scene = page.scene(value)
        run = model.bands_over_time(setting_from(value))
        if page.is_open("coverage"):  # where it takes long a worker measures it
            scene = with_coverage(scene, run.setting, page.theme, panel.measured_coverage)
        t = page.show(scene, on_pin=partial(panel.look_closer, run.span))
        page.notes_and_caption(scene, t)

    page.chart_drawer(scene, ("widths",), t)
    with page.drawer(words.COVERAGE_TITLE, "coverage") as is_open:
        if is_open and "coverage" in scene.stills:
            page.picture(scene, "coverage", t)
        elif is_open:
            st.info(words.NO_COVERAGE)
    at = (run.setting, t, nearest_arm(run, value["place"]))
    page.chart_drawer(scene, ("glass", "curve"), t, lambda: panel.certify(*at))
    page.chart_drawer(scene, tuple(words.ORIGIN_ALTS), t)
    return page.tables(scene, t)


lesson_page(LESSON, LESSONS, body)
