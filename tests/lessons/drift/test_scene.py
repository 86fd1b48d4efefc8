"""The scene of each moment, for packs and scripts, is the page that opens there."""

from __future__ import annotations

import pytest

from figures.theme import Theme
from lessons.drift.lesson import DRIFT
from lessons.drift.scene import scene
from tests.lessons.shown import charts, film, finding, of_scene, opened


@pytest.mark.parametrize("number", range(1, len(DRIFT.moments) + 1))
def test_a_scene_is_what_the_page_of_its_moment_shows(number: int):
    moment = DRIFT.moments[number - 1]
    made = scene(DRIFT.settings(moment.values), moment.t, Theme())
    at = opened(DRIFT.file, moment=str(number))
    head = film(at)
    assert charts(at) == of_scene(made, made.start)
    assert (head["start"], head["n"], head["times"]) == (made.start, made.frames, made.times)
    assert (head["labels"], head["events"]) == (made.labels(), made.events)
    assert finding(at) == made.sentences()
    assert made.caption in [caption.value for caption in at.caption]


def test_a_world_that_cannot_be_is_one_sentence():
    with pytest.raises(ValueError, match="pip install"):
        scene(DRIFT.settings({"kind": "data", "data": "sp500"}), 1, Theme())
