"""Pictures of the stops on a course's last page: the frame with which each stop ended, drawn by the browser.

The browser draws it from the stop's film, which it has kept since it was seen, once the page stands. A stop whose film
has no address, as the game's, has none.
"""

from __future__ import annotations

import streamlit as st

from answers.state import LESSON, TRUTH
from lessons.record import Lesson
from shell.hall.course import bar
from shell.hall.course.courses import Stop
from shell.server.modules import component


def draw(stop: Stop, lesson: Lesson, alt: str, key: str) -> None:
    """Draw the picture of a stop; nothing where there is none.

    Args:
        alt: alternative text.   key: of the component.
    """
    end = stop.moment_of(lesson)
    ask = bar.film_question(lesson, end.values, TRUTH if stop.asks else LESSON)  # the film of a bet is its reveal
    if ask:
        lecture = bool(st.session_state.get("lecture"))
        data = {"ask": ask, "t": end.t, "alt": alt, "lecture": lecture}
        component("tvbo_course_picture", "course/picture")(key=key, data=data)
