"""Theorems: is this already as good as possible, or is there room to improve?"""

import streamlit as st

from answers.state import State
from lessons import BY_KEY, LESSONS
from lessons.theorems import panel
from lessons.theorems.knobs import RUNS
from lessons.theorems.lesson import LESSON
from lessons.theorems.runs import adversary, model
from shell.page.lesson_page import draw_lesson, lesson_page
from shell.page.page import LessonPage


def body(page: LessonPage) -> State:
    """Draw the lesson and return the state that is shown."""
    shown = draw_lesson(page, start=panel.start(page.values, page.t, page.reset))
    if page.values["view"] == RUNS:
        st.page_link(
            BY_KEY["race"].file,
            label="Race any algorithm in this world",
            icon=":material/flag:",
            query_params=adversary.race_link(adversary.hidden_bump(model.setting_from(page.values))),
        )
    return shown


lesson_page(LESSON, LESSONS, body)
