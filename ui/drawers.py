"""The drawers under a figure: what am I looking at, the maths, the data tables, the link."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from ui import world
from ui.lesson import text

if TYPE_CHECKING:
    from ui.lesson import Visit


def under(visit: Visit, tables: Mapping[str, Callable[[], object]]) -> None:
    """The words under the figure; nothing in a closed drawer is computed."""
    _, looking, maths = text(visit.lesson.words).split("\n## ")
    for title, body in (part.split("\n", 1) for part in (looking, maths)):
        with st.expander(title, on_change="rerun", key=f"drawer_{title.split()[0].lower()}") as drawer:
            if drawer.open:
                st.markdown(body)
    for title, table in tables.items():
        with st.expander(title, on_change="rerun", key=f"table_{title.split()[0].lower()}") as drawer:
            if drawer.open:
                st.dataframe(table(), hide_index=True)
    with st.expander("Link to exactly this", on_change="rerun", key="drawer_link") as drawer:
        if drawer.open:
            st.code(world.link(visit.lesson.knobs, t=st.session_state["_t"]), language=None)
