"""Information gain: how much can a number of answers tell?"""

from lessons.gain import model
from lessons.gain.lesson import LESSON
from lessons.gain.scene import drawn

from figures.theme import Theme
from lessons import LESSONS
from shell.lesson_page import Tables, lesson_page
from shell.visit import Visit


def page(visit: Visit) -> Tables:
    """Draw the lesson and return its data tables."""
    left, right = visit.columns()
    with right:
        value = visit.draw(("nu", "ell", "sigma", "T")) | visit.more(("seed",))
    with left:
        scene = drawn(visit.or_stop(lambda: model.gain(model.chosen(value))), visit.t, Theme(visit.dark, visit.lecture))
        visit.show(scene)
        visit.under(scene)
    return {}


lesson_page(LESSON, LESSONS, page, titles=())
