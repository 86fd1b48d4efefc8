"""Confidence bands: how sure can I be about the whole curve, and am I still sure if it moves?"""

import streamlit as st

from figures.theme import Theme
from lessons import LESSONS
from lessons.bands import model, panel, words
from lessons.bands.coverage import still_worlds
from lessons.bands.knobs import BANDS_MORE, BANDS_SHOWN
from lessons.bands.lesson import LESSON
from lessons.bands.scene import drawn, nearest_arm
from shell.lesson_page import Tables, lesson_page
from shell.notation.translate import caption, markdown
from shell.visit import Visit


def page(visit: Visit) -> Tables:
    """Draw the lesson and return its data tables."""
    left, right = visit.columns()
    with right:
        value = visit.values | visit.draw(BANDS_SHOWN) | visit.more(BANDS_MORE)

    with left:
        run = visit.or_stop(lambda: model.bands_over_time(model.chosen(value)))
        scene = drawn(run, value, visit.t, Theme(visit.dark, visit.lecture), panel.measured_coverage)
        t = visit.show(scene)
        visit.under(scene)

    first, second = st.columns(2)
    with first:
        visit.heading(scene, "widths")
        visit.picture(scene, "widths", t)
    with second:
        markdown(words.COVERAGE_TITLE)
        still = still_worlds(run.setting)
        if still is None:
            st.info(words.NO_COVERAGE)
        elif panel.coverage_is_there(still):
            visit.picture(scene, "coverage", t)
    visit.heading(scene, "glass")
    visit.draw(("place",))
    first, second = st.columns([3, 2])
    with first:
        visit.picture(scene, "glass", t)
    with second:
        visit.picture(scene, "curve", t)
    with st.expander(words.ORIGIN_TITLE.lstrip("# "), on_change="rerun", key="origin") as origin:
        if origin.open:
            for column, picture in zip(st.columns(3), words.ORIGIN_ALTS, strict=True):
                with column:
                    visit.picture(scene, picture, t)
            caption(words.ORIGIN_SETUP)
    panel.certify(run.setting, t, nearest_arm(run, value["place"]))
    return {"Data table": lambda: model.table(run, t)}


lesson_page(LESSON, LESSONS, page)
