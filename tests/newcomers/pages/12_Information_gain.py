"""Information gain: how much can a number of answers tell?"""

from lessons.gain import model
from lessons.gain.lesson import GAIN
from lessons.gain.scene import drawn

from figures.theme import Theme
from lessons import LESSONS
from shell import drawers
from shell.page import open_lesson

visit = open_lesson(GAIN, LESSONS)
left, right = visit.columns()
with right:
    value = visit.draw(("nu", "ell", "sigma", "T")) | visit.more(("seed",))
with left:
    scene = drawn(visit.or_stop(lambda: model.gain(model.chosen(value))), visit.t, Theme(visit.dark, visit.lecture))
    visit.show(scene)
    visit.under(scene)
drawers.under(visit, {})
