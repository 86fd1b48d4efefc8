"""World settings of a page that its links to other pages take along."""

from __future__ import annotations

import streamlit as st

from lessons.record import Code, Lesson
from shell.session import session


def link_world(lesson: Lesson) -> dict[str, str]:
    """Return the World as the menu's links write it, empty while the page's World is untouched, and what else goes.

    A page that has no knob for a code of the World, such as the reader's own hill, passes on the one that came along.
    """
    passed = (k for k, knob in lesson.world.items() if isinstance(knob, Code) and k not in lesson.knobs)
    came = session().world
    values = lesson.settings(st.session_state)
    more = {k: came[k] for k in passed if k in came} | dict(lesson.carries(values))
    world, knobs = lesson.world, lesson.knobs
    values = {k: values[k] for k in world if k in knobs}
    if all(value == knobs[k].default for k, value in values.items()):
        return more
    # Without values that only this page offers, such as a kind of world of its own.
    known = {k: v for k, v in values.items() if v not in knobs[k].options or v in world[k].options}
    return {k: world[k].screen_text(v) for k, v in known.items()} | more
