"""Confidence bands: how far can a confidence band be trusted if the reward moves?"""

from dataclasses import replace
from functools import partial

from answers.state import State
from lessons import LESSONS
from lessons.bands import model, panel
from lessons.bands.lesson import LESSON
from lessons.bands.scene import with_coverage
from lessons.bands.setting import setting_from
from shell.page.lesson_page import lesson_page
from shell.page.page import LessonPage


def body(page: LessonPage) -> State:
    """Draw the lesson and return the state that is shown."""
    left, value = page.controls()
    with left:
        run = page.or_stop(lambda: model.bands_over_time(setting_from(value)))
        state = page.state(value)
        if page.is_open("coverage"):  # where it takes long a worker measures it
            state = replace(state, given=with_coverage(state.scene, run.setting, page.theme, panel.measured_coverage))
        shown = page.show(state, on_pin=partial(panel.look_closer, run.span))
        page.notes_and_caption(shown)
    page.drawers(shown)
    return shown


lesson_page(LESSON, LESSONS, body)
