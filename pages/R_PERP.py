"""R-PERP, step by step: why would anyone shuffle the order of their experiments?"""

from lessons import LESSONS
from lessons.rperp import model, panel
from lessons.rperp.lesson import LESSON
from lessons.rperp.scene import scene_of
from shell.page.lesson_page import Tables, lesson_page
from shell.page.visit import Visit


def page(visit: Visit) -> Tables:
    """Draw the lesson and return its data tables."""
    panel.open_shown_restart(visit.reset)
    left, value = visit.controls()
    panel.swiped(value["order"])
    with left:
        runs = visit.or_stop(lambda: model.paired_runs(model.setting_from(value)))
        walk, worlds = model.film(runs, value), panel.world_count(runs.setting)
        start = panel.start(walk, visit.reset, visit.t)
        scene = scene_of(walk, value["order"], start, visit.theme, lambda: panel.coverage_rows(runs), worlds)
        frame = visit.show(scene)
        panel.remember(walk, visit.reset, frame)
        visit.under(scene)
    return visit.closers(scene, frame, {"promises": lambda: panel.more_worlds(runs)})


lesson_page(LESSON, LESSONS, page)
