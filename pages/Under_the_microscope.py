"""Under the microscope: which printed statements need care, and can I see it for myself?"""

import streamlit as st

from figures.theme import Theme
from lessons import LESSONS
from lessons.microscope import model, panel, words
from lessons.microscope.knobs import visible
from lessons.microscope.lesson import LESSON
from lessons.microscope.scene import drawn
from shell.lesson_page import Tables, lesson_page
from shell.notation.translate import caption, markdown
from shell.visit import Visit


def page(visit: Visit) -> Tables:
    """Draw the lesson and return its data tables."""
    left, right = visit.columns()
    with right:
        key = visit.values["statement"]
        shown = visible(key)
        value = visit.draw(shown)
        if "seed" in shown:
            panel.run_again()
        visit.more(())
    setting = model.chosen(key, value)

    with left:
        found = visit.or_stop(lambda: model.experiment(key, setting))
        start = panel.start(found, visit.t, visit.reset)
        scene = drawn(found, setting, start, Theme(visit.dark, visit.lecture))
        frame = visit.show(scene)
        visit.under(scene)

    printed, read, why = words.card(key)
    markdown(why)
    for column, title, form in zip(st.columns(2), (words.COPY, "As the lab reads it"), (printed, read), strict=True):
        with column.container(border=True, height="stretch"):
            markdown(f"**{title}**  \n{form}")
    panel.check(found, setting, frame)
    markdown("#### All statements")
    markdown(words.listing())
    caption(words.ELSEWHERE)
    return {"Data table": lambda: words.table(found)}


lesson_page(LESSON, LESSONS, page)
