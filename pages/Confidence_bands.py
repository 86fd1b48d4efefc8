"""Confidence bands: how far can a confidence band be trusted if the reward moves?"""

from functools import partial

import streamlit as st

from lessons import LESSONS
from lessons.bands import model, panel, words
from lessons.bands.coverage import still_worlds
from lessons.bands.lesson import LESSON
from lessons.bands.scene import drawn, nearest_arm
from shell.page.lesson_page import Tables, lesson_page
from shell.page.visit import Visit


def page(visit: Visit) -> Tables:
    """Draw the lesson and return its data tables."""
    left, value = visit.controls()
    with left:
        run = visit.or_stop(lambda: model.bands_over_time(model.setting_from(value)))
        scene = drawn(run, value, visit.t, visit.theme, panel.measured_coverage)
        still = still_worlds(run.setting)
        t = visit.show(panel.exported(scene, still), on_pin=partial(panel.look_closer, scene.span))
        visit.under(scene)

    visit.closer(scene, ("widths",), t)
    with visit.drawer(words.COVERAGE_TITLE, "coverage") as is_open:
        if is_open and still is None:
            st.info(words.NO_COVERAGE)
        elif is_open and panel.coverage_is_there(still):
            visit.picture(scene, "coverage", t)
    at = (run.setting, t, nearest_arm(run, value["place"]))
    visit.closer(scene, ("glass", "curve"), t, lambda: panel.certify(*at))
    visit.closer(scene, tuple(words.ORIGIN_ALTS), t)
    return visit.tables(scene, t)


lesson_page(LESSON, LESSONS, page)
