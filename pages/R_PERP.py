"""R-PERP, step by step: why would anyone shuffle the order of their experiments?"""

from dataclasses import replace

from answers.state import State
from lessons import LESSONS
from lessons.rperp import model, panel
from lessons.rperp.lesson import LESSON
from lessons.rperp.scene import with_coverage
from shell.page.lesson_page import lesson_page
from shell.page.page import LessonPage


def body(page: LessonPage) -> State:
    """Draw the lesson and return the state that is shown."""
    panel.open_current_restart(page.reset)
    left, value = page.controls()
    panel.make_swipeable(value["order"])
    with left:
        runs = page.or_stop(lambda: model.paired_runs(model.setting_from(value)))
        walk, worlds = model.film(runs, value), panel.world_count(runs.setting)
        state = page.state(value)
        scene = with_coverage(state.scene, runs, page.theme, lambda: panel.coverage_rows(runs), worlds)
        shown = page.show(replace(state, given=scene), panel.start(walk, page.reset, page.t))
        panel.remember(walk, page.reset, shown.frame)
        page.notes_and_caption(shown)
    page.drawers(shown, {"promises": lambda: panel.more_worlds(runs)})
    return shown


lesson_page(LESSON, LESSONS, body)
