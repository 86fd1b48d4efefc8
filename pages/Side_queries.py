"""Side queries: if I may re-ask old questions, how few re-asks are enough?"""

from figures.theme import Theme
from lessons import LESSONS
from lessons.side_queries import model, panel, words
from lessons.side_queries.knobs import BELOW, PLAN, QUERIES_MORE, QUERIES_SHOWN
from lessons.side_queries.lesson import LESSON
from lessons.side_queries.scene import drawn
from shell.lesson_page import Tables, lesson_page
from shell.notation.translate import markdown
from shell.visit import Visit


def page(visit: Visit) -> Tables:
    """Draw the lesson and return its data tables."""
    left, right = visit.columns()
    with right:
        value = visit.draw(QUERIES_SHOWN) | visit.more(QUERIES_MORE)
    value |= {key: visit.values[key] for key in (*BELOW, *PLAN)}  # drawn further down
    setting = model.chosen(value)
    panel.swiped(setting.view)

    with left:
        first, costs, picked, runs = visit.or_stop(lambda: panel.follow(setting))
        scene = drawn(first, costs, picked, value, visit.t, Theme(visit.dark, visit.lecture), runs.mark)
        frame = visit.show(scene)
        panel.progress(runs)
        visit.under(scene)

    visit.closer(scene, ("picks",), frame)
    visit.closer(scene, ("trust", "beliefs"), frame)
    visit.closer(scene, ("plan",), frame)
    with visit.drawer(words.PROMISED, "promised") as is_open:
        if is_open:
            markdown(words.STATUS)
    return {"Data table": lambda: model.table(first)}


lesson_page(LESSON, LESSONS, page)
