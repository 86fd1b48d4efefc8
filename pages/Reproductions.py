"""Reproductions: do the papers' tables come out when we run them?"""

from dataclasses import replace

import streamlit as st

from answers.ask import DRAWER
from answers.state import State
from lessons import LESSONS
from lessons.record import DATA, Scene
from lessons.reproductions import every_statement, model, overview, overview_words, panel, rerun_words
from lessons.reproductions.knobs import OVERVIEW, by_gaps
from lessons.reproductions.lesson import LESSON
from lessons.reproductions.scene import scene_of
from shell.notation.translate import caption, markdown
from shell.page.lesson_page import lesson_page
from shell.page.page import LessonPage


def with_statements(scene: Scene) -> Scene:
    """Return the scene with the data table of all statements after the first."""
    listed = {every_statement.EVERY_STATEMENT: lambda frame: every_statement.table(LESSONS)}
    return replace(scene, tables={DATA: scene.tables[DATA], **listed, **scene.tables})


def body(page: LessonPage) -> State:
    """Draw the lesson and return the state that is shown."""
    left, right = page.columns()
    with right:
        value = page.all_knobs()
    panel.make_swipeable(value)

    if value["shown"] == OVERVIEW:
        with left:
            listed = overview.entries()
            shown = page.show(page.state(value, with_statements(page.state(value).scene)))
        row = shown.frame
        if row < len(listed):
            panel.open_button(listed[row])
        page.notes_and_caption(shown)
        if row < len(listed):
            markdown(f"#### {listed[row].title}")
            markdown(overview_words.statements(listed[row]))
        return shown

    with left:
        board = page.or_stop(lambda: model.board(str(value["shown"])))
        if by_gaps(value):
            shown = page.show(page.state(value, with_statements(page.state(value).scene)), on_pin=panel.open_clicked)
        else:
            value["cell"] = panel.current_entry(page, board)
            entry = model.Cell(board, value["cell"])
            again = panel.again(entry)
            scene = with_statements(scene_of(board, value, page.theme, again))
            shown = page.show(page.state(value, scene), on_pin=panel.choose_clicked)

    page.notes_and_caption(shown)
    caption(overview_words.account(int(value["within"])))
    if not by_gaps(value):
        one, about = st.columns([3, 2], gap="large")
        seeds, *clock = page.ask(shown, DRAWER, "seeds")["charts"]
        with one:
            panel.entry_list(page, board)
            page.picture(shown, seeds)
            panel.rerun_panel(entry)
            markdown(rerun_words.again(entry, again))
        with about:
            markdown(rerun_words.facts(entry))
            for chart in clock:
                page.picture(shown, chart)
    panel.sections(board)
    return shown


lesson_page(LESSON, LESSONS, body)
