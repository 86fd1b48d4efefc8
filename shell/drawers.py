"""Drawers under a figure: help text, maths, data tables, exports, link."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.errors import StreamlitAPIException

from lessons.shared.escape import safe_cells
from shell.export import drawer as export_drawer
from shell.export import recorder
from shell.links import permalink, share_drawer
from shell.links.pending import discard
from shell.notation import translate as symbols
from shell.page import glossary_link, taken_along, text

if TYPE_CHECKING:
    from shell.visit import Visit

Tables = Mapping[str, Callable[[], Iterable[Mapping]]]  # title -> function that returns the rows


def under(visit: Visit, tables: Tables) -> None:
    """Draw the drawers and the links to the lessons beside this one; the last call of a page.

    Args:
        tables: title -> function that returns its rows.
    """
    discard()
    fold(visit, tables)
    if not permalink.hidden("drawers"):
        with st.container(key="neighbours", horizontal=True):
            neighbours(visit)


def any_open() -> bool:
    """Return whether a drawer or the menu is open."""
    return any(st.session_state[key] for key in st.session_state if str(key).startswith(("drawer_", "table_", "menu")))


def fold(visit: Visit, tables: Tables) -> None:
    """Draw the drawers. What a closed drawer holds is not computed.

    Args:
        tables: title -> function that returns its rows.
    """
    if permalink.hidden("drawers"):
        recorder.clear()
        return
    _, looking, maths = text(visit.lesson.words).split("\n## ")
    for title, body in (part.split("\n", 1) for part in (looking, maths)):
        with st.expander(title, on_change="rerun", key=f"drawer_{title.split()[0].lower()}") as drawer:
            if drawer.open:
                symbols.markdown(body)
    for title, table in tables.items():
        with st.expander(title, on_change="rerun", key=f"table_{title.split()[0].lower()}") as drawer:
            if drawer.open:
                st.dataframe(safe_cells(table()), hide_index=True)
    with st.expander("Export: pictures, points, films, lecture pack", on_change="rerun", key="drawer_export") as drawer:
        if drawer.open:
            export_drawer.draw(
                visit.lesson, visit.lessons, permalink.link(visit.lesson.knobs, t=st.session_state["_t"])
            )
        else:
            recorder.clear()
    with st.expander("Link to exactly this", on_change="rerun", key="drawer_link") as drawer:
        if drawer.open:
            share_drawer.draw(visit.lesson)


def neighbours(visit: Visit) -> None:
    """Draw links to the lesson before this one, to the one after it, and to the glossary."""
    st.session_state["_left"] = (visit.lesson.number, st.query_params.to_dict())  # for the glossary's way back
    at = [one.number for one in visit.lessons].index(visit.lesson.number)
    beside = {"Before: ": visit.lessons[at - 1 : at], "Next: ": visit.lessons[at + 1 : at + 2]}
    icons = {"Before: ": ":material/arrow_back:", "Next: ": ":material/arrow_forward:"}
    along = taken_along(st.session_state.get("_luggage", {}))
    # A page that is run on its own knows no other page.
    with suppress(StreamlitAPIException):
        for word, lessons in beside.items():
            for lesson in lessons:
                st.page_link(lesson.file, label=word + lesson.label, icon=icons[word], query_params=along)
        glossary_link(st.session_state.get("_luggage", {}))
