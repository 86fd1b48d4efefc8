"""Drawers under a figure: help text, maths, data tables, exports, link."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from answers.ask import DRAWERS, TABLE, ask
from answers.drawers import help_texts
from lessons.record import DATA, beside, label_of
from shell.hall.course import own_panel
from shell.hall.room import room
from shell.links import address, permalink, share_drawer
from shell.notation import translate as symbols
from shell.page.frame import glossary_link, link_parameters
from shell.session import session
from shell.static import drawer as export_drawer

if TYPE_CHECKING:
    from answers.state import State
    from shell.page.page import LessonPage

EXPORT = "Export: pictures, data, animations, lecture pack"
NO_ROWS = "There are no numbers on this page at the moment."


def any_open() -> bool:
    """Return whether a drawer or the menu is open."""
    return any(st.session_state[key] for key in st.session_state if str(key).startswith(("drawer_", "table_", "menu")))


def fold(page: LessonPage, shown: State | None) -> None:
    """Draw the drawers of help, tables and exports. What a closed drawer holds is not computed.

    Args:
        shown: the state of the page; None where there is none (yet).
    """
    if permalink.hidden("drawers"):
        session().view = None
        return
    for key, (title, body) in help_texts(page.lesson).items():
        with st.expander(title, on_change="rerun", key=f"drawer_{key}") as drawer:
            if drawer.open:
                symbols.markdown(body)
    for title in ask(shown, DRAWERS)["tables"] if shown else [DATA]:
        with st.expander(title, on_change="rerun", key=f"table_{title.split()[0].lower()}") as drawer:
            if drawer.open and shown:
                st.dataframe(ask(shown, TABLE, title), hide_index=True)
            elif drawer.open:
                st.info(NO_ROWS, icon=":material/info:")
    with st.expander(EXPORT, on_change="rerun", key="drawer_export") as drawer:
        if drawer.open:
            export_drawer.draw(page.lesson, page.lessons, permalink.link(page.lesson, t=session().t))
        else:
            session().view = None
    with st.expander("Link to exactly this · Keep as my moment", on_change="rerun", key="drawer_link") as drawer:
        if drawer.open:
            share_drawer.draw(page.lesson)
            own_panel.draw(page.lesson, page.lessons)
    room.drawer()


def neighbours(page: LessonPage) -> None:
    """Draw links to the lesson before this one, to the one after it, and to the glossary."""
    here = address.with_time(page.lesson, session().history.entry or {})
    session().left = (page.lesson.key, here)  # for the glossary's way back
    before, after = beside(page.lesson, page.lessons)
    for word, way, lessons in (("Previous", "back", before), ("Next", "forward", after)):
        for lesson in lessons:
            label, along = f"{word}: {label_of(lesson, page.lessons)}", link_parameters(session().world, lesson)
            permalink.page_link(lesson.file, label, icon=f":material/arrow_{way}:", query_params=along)
    glossary_link(session().world)
