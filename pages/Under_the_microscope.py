"""Under the microscope: which printed statements need care, and can I see it for myself?"""

import streamlit as st

from answers.state import State
from lessons import LESSONS
from lessons.microscope import model, panel, words
from lessons.microscope.lesson import LESSON
from shell.notation.translate import caption, markdown
from shell.page.lesson_page import lesson_page
from shell.page.page import LessonPage


def body(page: LessonPage) -> State:
    """Draw the lesson and return the state that is shown."""
    left, value = page.controls()
    key = value["statement"]
    setting = model.setting_from(key, value)

    with left:
        found = page.or_stop(lambda: model.experiment(key, setting))
        shown = page.show(page.state(value), panel.start(found, page.t, page.reset))
        page.notes_and_caption(shown)

    printed, read, why = words.card(key)
    with st.container(key="sections"):
        markdown(why)
        for column, title, form in zip(
            st.columns(2), (words.COPY, "As the lab reads it"), (printed, read), strict=True
        ):
            with column.container(border=True, height="stretch"):
                markdown(f"**{title}**  \n{form}")
        markdown("#### All statements")
        markdown(words.listing())
        caption(words.ELSEWHERE)
    return shown


lesson_page(LESSON, LESSONS, body)
