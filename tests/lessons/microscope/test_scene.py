"""The scene of each moment of the microscope, for packs and scripts, is the page that opens there."""

from __future__ import annotations

import pytest

from figures.theme import Theme
from lessons.microscope.lesson import MICROSCOPE
from lessons.microscope.scene import scene
from tests.lessons.shown import charts, film, finding, of_scene, opened


@pytest.mark.parametrize("number", range(1, len(MICROSCOPE.moments) + 1))
def test_a_scene_is_what_the_page_of_its_moment_shows(number: int):
    moment = MICROSCOPE.moments[number - 1]
    made = scene(MICROSCOPE.settings(moment.values), moment.t, Theme())
    at = opened(MICROSCOPE.file, moment=str(number))
    head = film(at)
    assert charts(at) == of_scene(made, made.start)
    assert (head["start"], head["n"]) == (made.start, made.frames)
    assert (head["labels"], head["events"]) == (made.labels(), made.events)
    assert finding(at) == made.sentences()
    assert made.caption in [caption.value for caption in at.caption]
