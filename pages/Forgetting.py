"""Forgetting: how much of yesterday should I keep?"""

from figures.theme import Theme
from lessons import LESSONS
from lessons.forgetting import panel, tables
from lessons.forgetting.knobs import FORGETTING_MORE, FORGETTING_SHOWN
from lessons.forgetting.lesson import LESSON
from lessons.forgetting.scene import drawn
from shell.lesson_page import Tables, lesson_page
from shell.visit import Visit


def page(visit: Visit) -> Tables:
    """Draw the lesson and return its data tables."""
    left, right = visit.columns()
    with right:
        value = visit.values | visit.draw(FORGETTING_SHOWN) | visit.more(FORGETTING_MORE)

    with left:
        alone = not (visit.is_open("worlds") or visit.is_open("every"))
        board, runs = visit.or_stop(lambda: panel.follow(value, alone))
        scene = drawn(board, value, visit.t, Theme(visit.dark, visit.lecture), runs.mark)
        frame = visit.show(scene)
        panel.progress(board.sweep, runs)
        visit.under(scene)

    for key in (*(key for key in scene.films if key != "main"), *scene.stills):
        visit.closer(scene, (key,), frame)
    return {
        "Data table": lambda: tables.regret(board.sweep, board.legend),
        "Weights at this time": lambda: tables.weights(board.views, frame),
    }


lesson_page(LESSON, LESSONS, page, ("Data table", "Weights at this time"))
