"""R-PERP, step by step: why would anyone shuffle the order of their experiments?"""

from figures.theme import Theme
from lessons import LESSONS
from lessons.rperp import model, panel, words
from lessons.rperp.knobs import RPERP_MORE, RPERP_SHOWN
from lessons.rperp.lesson import LESSON
from lessons.rperp.scene import drawn
from shell.lesson_page import Tables, lesson_page
from shell.notation.translate import markdown
from shell.visit import Visit


def page(visit: Visit) -> Tables:
    """Draw the lesson and return its data tables."""
    panel.open_shown_restart(visit.reset)
    left, right = visit.columns()
    with right:
        value = visit.values | visit.draw((*RPERP_SHOWN, *visit.acting(("grain",)))) | visit.more(RPERP_MORE)

    panel.swiped(value["order"])
    with left:
        runs = visit.or_stop(lambda: model.paired_runs(model.chosen(value)))
        walk = model.film(runs, value)
        start = panel.start(walk, visit.reset, visit.t)
        theme, worlds = Theme(visit.dark, visit.lecture), panel.world_count(runs.setting)
        scene = drawn(walk, value["order"], value["repeats"], start, theme, lambda: panel.coverage_rows(runs), worlds)
        frame = visit.show(scene)
        panel.remember(walk, visit.reset, frame)
        visit.under(scene)

    visit.closer(scene, ("promises",), frame, more=lambda: panel.more_worlds(runs))
    with visit.drawer(words.RESTARTS_TITLE, "restarts") as is_open:
        if is_open:
            markdown(words.restarts(runs))
    return {"Data table": lambda: model.batch_table(walk, frame)}


lesson_page(LESSON, LESSONS, page)
