"""Drifting rewards: if the best action keeps moving, how much has the world really changed?"""

from figures.theme import Theme
from lessons import LESSONS
from lessons.drift import knobs, model, panel, words
from lessons.drift.lesson import LESSON
from lessons.drift.scene import drawn
from shell.lesson_page import Tables, lesson_page
from shell.notation.translate import caption
from shell.visit import Visit


def page(visit: Visit) -> Tables:
    """Draw the lesson and return its data tables."""
    left, right = visit.columns()
    with right:
        now = visit.values
        kinds = knobs.kinds(now["kind"], now["pair"])
        beside, drawer = knobs.groups(kinds)
        value = now | visit.draw(beside)
        if not visit.acting(("V",)):
            caption(words.no_budget(kinds, now["scale"] == "drawn"))
        value |= visit.more(drawer)

    with left:
        drifts = visit.or_stop(lambda: model.chosen(value))
        panel.swiped("maps" if value["kind"] == "data" else value["view"], drifts)
        scene = drawn(drifts, value["view"], visit.t, Theme(visit.dark, visit.lecture))
        visit.show(scene)
        visit.under(scene)
    return {
        "Data table": lambda: model.table(
            drifts, [short for _, short in words.titles([drift.world for drift in drifts])]
        )
    }


lesson_page(LESSON, LESSONS, page)
