"""World settings of a page that its links to other pages take along."""

from __future__ import annotations

import streamlit as st

from lessons.record import Lesson


def changed(lesson: Lesson) -> dict[str, object]:
    """Return the World settings that differ from this page's default."""
    chosen = {k: st.session_state.get(k) for k in lesson.world if k in lesson.knobs}
    return {k: v for k, v in chosen.items() if v is not None and v != lesson.knobs[k].default}


def carried(lesson: Lesson) -> dict[str, str]:
    """Return the World as the menu's links write it; empty while the page's World is untouched."""
    if not changed(lesson):
        return {}
    world = lesson.world
    chosen = {k: st.session_state.get(k) for k in world if k in lesson.knobs}
    # Without values that only this page offers, such as a kind of world of its own.
    known = {k: v for k, v in chosen.items() if v is not None and (v in world[k].options or not world[k].options)}
    return {k: world[k].shown(v) for k, v in known.items()}
