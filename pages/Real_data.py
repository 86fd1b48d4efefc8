"""Real data: does any of this survive real sensors, real prices, or a file of your own?"""

from dataclasses import replace

from answers.state import State
from lessons import LESSONS
from lessons.real_data import model, panel, upload
from lessons.real_data.knobs import REAL_MORE, REAL_SHOWN
from lessons.real_data.lesson import LESSON
from lessons.real_data.scene import scene_of
from shell.page.lesson_page import lesson_page
from shell.page.page import LessonPage
from shell.page.stop import stop
from shell.stage.player import screens


def body(page: LessonPage) -> State:
    """Draw the lesson and return the state that is shown."""
    screens(1, many=True)
    left, right = page.columns(film=False)
    stage = left.container()
    with right:
        value = page.draw(("table",))
    own_table = value["table"] == model.OWN
    checked = upload.racing() if own_table else None
    if checked is not None or not own_table:  # else a form that asks for a table stands in the figure's place
        page.hold_stage(stage)  # before the controls: in a hall the one that leads stands beside the player
    with right:
        if checked is not None:
            upload.name_accepted(checked)
        value |= page.draw(REAL_SHOWN) | page.more_knobs(REAL_MORE)

    with left:
        if own_table and checked is None:
            upload.draw_steps()
            stop()
        setting, own = panel.setting_and_table(value, checked)
        race = page.or_stop(lambda: panel.follow(setting, own))
        page = replace(page, keep_made=panel.keep_made(setting))
        shown = page.show(page.state(value, scene_of(race, value, page.theme)))
        page.notes_and_caption(shown)
    page.drawers(shown)
    return shown


lesson_page(LESSON, LESSONS, body)
