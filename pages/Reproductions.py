"""Reproductions: do the papers' tables come out when we run them?"""

from dataclasses import replace

from answers.state import State
from lessons import LESSONS
from lessons.record import DATA, Scene
from lessons.reproductions import every_statement, model, overview, panel
from lessons.reproductions.knobs import OVERVIEW
from lessons.reproductions.lesson import LESSON
from shell.page.lesson_page import lesson_page
from shell.page.page import LessonPage


def with_statements(scene: Scene) -> Scene:
    """Return the scene with the data table of all statements after the first."""
    listed = {every_statement.EVERY_STATEMENT: lambda frame: every_statement.table(LESSONS)}
    return replace(scene, tables={DATA: scene.tables[DATA], **listed, **scene.tables})


def body(page: LessonPage) -> State:
    """Draw the lesson and return the state that is shown."""
    left, value = page.controls()
    listed = overview.entries() if value["shown"] == OVERVIEW else ()
    with left:
        shown = page.show(page.state(value, with_statements(page.or_stop(lambda: page.state(value).scene))))
    if shown.frame < len(listed):
        panel.open_button(listed[shown.frame])
    page.notes_and_caption(shown)
    if not listed:
        panel.sections(model.stored(str(value["shown"])))
    return shown


lesson_page(LESSON, LESSONS, body)
