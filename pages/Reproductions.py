"""Reproductions: do the papers' tables come out when we run them?"""

import streamlit as st

from lessons import LESSONS
from lessons.reproductions import every_statement, model, overview, overview_words, panel, rerun_words, words
from lessons.reproductions.knobs import OVERVIEW, by_gaps
from lessons.reproductions.lesson import LESSON
from lessons.reproductions.scene import at_a_glance, gaps, scene_of
from shell.notation.translate import caption, markdown
from shell.page.lesson_page import Tables, lesson_page
from shell.page.visit import Visit

TABLES = {title: lambda: every_statement.table(LESSONS) for title in LESSON.tables}


def page(visit: Visit) -> Tables:
    """Draw the lesson and return its data tables."""
    theme = visit.theme
    left, right = visit.columns()
    with right:
        value = panel.knobs(visit)
        visit.more(())
    panel.swiped(value)

    if value["shown"] == OVERVIEW:
        with left:
            listed, scene = overview.entries(), at_a_glance(value, visit.t, theme)
            row = visit.show(scene)
        if row < len(listed):
            panel.open_button(listed[row])
        visit.under(scene)
        if row < len(listed):
            markdown(f"#### {listed[row].title}")
            markdown(overview_words.statements(listed[row]))
        panel.drawer(lambda: overview_words.table(listed), overview_words.overview_files(listed))
        return TABLES

    if by_gaps(value):
        with left:
            board = visit.or_stop(lambda: model.board(str(value["shown"])))
            scene = gaps(board, value, visit.t, theme)
            visit.show(scene, on_pin=panel.open_clicked)
        visit.under(scene)
        with st.container(horizontal=True, vertical_alignment="center", key="account"):
            panel.table_button(board)
            panel.overview_button()
            caption(overview_words.account(int(value["within"])))
        panel.sections(board)
        panel.drawer(lambda: words.table(board), overview_words.board_files(board))
        return TABLES

    with left:
        board = visit.or_stop(lambda: model.board(str(value["shown"])))
        value["cell"] = panel.chosen_entry(visit, board)
        entry = model.cell(board, value["cell"])
        again = panel.again(entry)
        scene = scene_of(board, value, visit.t, theme, again)
        frame = visit.show(scene, on_pin=panel.choose_clicked)

    visit.under(scene)
    with st.container(horizontal=True, vertical_alignment="center", key="account"):
        panel.overview_button()
        caption(overview_words.account(int(value["within"])))
    one, about = st.columns([3, 2], gap="large")
    with one:
        panel.entry_list(visit, board)
        visit.picture(scene, "seeds", frame)
        panel.rerun_panel(entry)
        markdown(rerun_words.again(entry, again))
    with about:
        markdown(rerun_words.facts(entry, board.report))
        if "clock" in scene.stills:
            visit.picture(scene, "clock", frame)
    panel.sections(board)
    panel.drawer(lambda: words.table(board), overview_words.board_files(board))
    return TABLES


lesson_page(LESSON, LESSONS, page)
