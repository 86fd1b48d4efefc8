"""Reproductions: do the papers' tables come out when we run them?"""

from lessons import LESSONS
from lessons.record import DATA
from lessons.reproductions import every_statement, model, overview, overview_words, panel
from lessons.reproductions.knobs import OVERVIEW
from lessons.reproductions.lesson import LESSON
from shell.notation.translate import markdown
from shell.page.lesson_page import Tables, lesson_page
from shell.page.page import LessonPage


def body(page: LessonPage) -> Tables:
    """Draw the lesson and return its data tables, with that of all statements after the first."""
    left, value = page.controls()
    listed = overview.entries() if value["shown"] == OVERVIEW else ()
    with left:
        scene = page.scene(value)
        frame = page.show(scene)
    row = listed[frame] if frame < len(listed) else None
    if row:
        panel.open_button(row)
    page.notes_and_caption(scene, frame)
    if row:
        markdown(f"#### {row.title}")
        markdown(overview_words.statements(row))
    elif not listed:
        panel.sections(model.stored(str(value["shown"])))
    found = page.tables(scene, frame)
    statements = {every_statement.EVERY_STATEMENT: lambda: every_statement.table(LESSONS)}
    return {DATA: found[DATA]} | statements | dict(found)


lesson_page(LESSON, LESSONS, body)
