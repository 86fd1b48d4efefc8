"""Reproductions: do the papers' tables come out when we run them?"""

import streamlit as st

from lessons import LESSONS
from lessons.record import DATA
from lessons.reproductions import every_statement, model, overview, overview_words, panel, rerun_words
from lessons.reproductions.knobs import OVERVIEW, by_gaps
from lessons.reproductions.lesson import LESSON
from lessons.reproductions.scene import scene_of
from shell.notation.translate import caption, markdown
from shell.page.lesson_page import Tables, lesson_page
from shell.page.page import LessonPage


def with_statements(found: Tables) -> Tables:
    """Return the data tables with that of all statements after the first."""
    statements = {every_statement.EVERY_STATEMENT: lambda: every_statement.table(LESSONS)}
    return {DATA: found[DATA]} | statements | dict(found)


def body(page: LessonPage) -> Tables:
    """Draw the lesson and return its data tables."""
    left, right = page.columns()
    with right:
        value = page.all_knobs()
    panel.make_swipeable(value)

    if value["shown"] == OVERVIEW:
        with left:
            listed, scene = overview.entries(), page.scene(value)
            row = page.show(scene)
        if row < len(listed):
            panel.open_button(listed[row])
        page.notes_and_caption(scene, row)
        if row < len(listed):
            markdown(f"#### {listed[row].title}")
            markdown(overview_words.statements(listed[row]))
        return with_statements(page.tables(scene, row))

    with left:
        board = page.or_stop(lambda: model.board(str(value["shown"])))
        if by_gaps(value):
            scene = page.scene(value)
            frame = page.show(scene, on_pin=panel.open_clicked)
        else:
            value["cell"] = panel.current_entry(page, board)
            entry = model.Cell(board, value["cell"])
            again = panel.again(entry)
            scene = scene_of(board, value, page.theme, again) if again else page.scene(value)
            frame = page.show(scene, on_pin=panel.choose_clicked)

    page.notes_and_caption(scene, frame)
    caption(overview_words.account(int(value["within"])))
    if not by_gaps(value):
        one, about = st.columns([3, 2], gap="large")
        with one:
            panel.entry_list(page, board)
            page.picture(scene, "seeds", frame)
            panel.rerun_panel(entry)
            markdown(rerun_words.again(entry, again))
        with about:
            markdown(rerun_words.facts(entry))
            if "clock" in scene.stills:
                page.picture(scene, "clock", frame)
    panel.sections(board)
    return with_statements(page.tables(scene, frame))


lesson_page(LESSON, LESSONS, body)
