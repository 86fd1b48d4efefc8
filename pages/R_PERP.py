"""R-PERP, step by step: why would anyone shuffle the order of their experiments?"""

from lessons import LESSONS
from lessons.rperp import model, panel
from lessons.rperp.lesson import LESSON
from lessons.rperp.scene import with_coverage
from shell.page.lesson_page import Tables, lesson_page
from shell.page.page import LessonPage


def body(page: LessonPage) -> Tables:
    """Draw the lesson and return its data tables."""
    left, value = page.controls()
    panel.make_swipeable(value["order"])
    with left:
        runs = page.or_stop(lambda: model.paired_runs(model.setting_from(value)))
        walk, worlds = model.film(runs, value), panel.world_count(runs.setting)
        scene = page.scene(value)
        scene = with_coverage(scene, runs, page.theme, lambda: panel.coverage_rows(runs), worlds)
        frame = page.show(scene, panel.start(walk, page.reset, page.t))
        panel.remember(walk, page.reset, frame)
        page.notes_and_caption(scene, frame)
    return page.chart_drawers(scene, frame, {"promises": lambda: panel.more_worlds(runs)})


lesson_page(LESSON, LESSONS, body)
