"""The page of a moment draws and says what the lesson's scene holds, for packs and scripts."""

from __future__ import annotations

import pytest

from figures.theme import Theme
from lessons import LESSONS
from lessons.record import Lesson, Moment
from tests.lessons.shown import drawn, film, finding, of_scene, opened
from tests.shared import open_closers


def cases() -> list:
    """Return every moment of the lessons that have a film, the last of each in the fast ring."""
    return [
        pytest.param(one, moment, id=f"{one.key}-{moment.key}", marks=[] if i == len(one.moments) else pytest.mark.slow)
        for one in LESSONS
        if one.scene and one.group
        for i, moment in enumerate(one.moments, start=1)
    ]


@pytest.mark.parametrize(("lesson", "moment"), cases())
def test_page_of_a_moment_draws_its_scene(lesson: Lesson, moment: Moment) -> None:
    made = lesson.scene(lesson.settings(moment.values), moment.t, Theme())
    at = open_closers(opened(lesson.file, moment=moment.key)).run()
    head, said = film(at), [caption.value for caption in at.caption]
    assert not at.exception and drawn(at) == of_scene(made)
    assert (head["start"], head["n"]) == (made.inside(made.start), made.frames)
    assert head["times"] == list(range(made.frames) if made.times is None else made.times)
    assert (head["labels"], head["events"]) == (made.labels(), made.events) and finding(at) == made.sentences()
    assert made.caption.strip() in said  # as Streamlit shows it
    assert not [note for note in made.notes() if f":material/info: {note}" not in said]
