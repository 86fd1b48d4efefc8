"""The scene of each moment of the microscope, for packs and scripts, is the page that opens there."""

from __future__ import annotations

import pytest

from figures.theme import Theme
from lessons.microscope.lesson import LESSON
from lessons.microscope.scene import scene
from lessons.record import Moment
from tests.lessons.shown import drawn, film, finding, of_scene, opened


@pytest.mark.parametrize("moment", LESSON.moments, ids=lambda moment: moment.key)
def test_a_scene_is_what_the_page_of_its_moment_shows(moment: Moment):
    made = scene(LESSON.settings(moment.values), moment.t, Theme())
    at = opened(LESSON.file, moment=moment.key)
    head = film(at)
    assert drawn(at) == of_scene(made)
    assert (head["start"], head["n"]) == (made.start, made.frames)
    assert (head["labels"], head["events"]) == (made.labels(), made.events)
    assert finding(at) == made.sentences()
    assert made.caption in [caption.value for caption in at.caption]
