"""The scene of each moment of R-PERP, for packs and scripts, is the page that opens there."""

from __future__ import annotations

import pytest

from figures.theme import Theme
from lessons.record import Moment
from lessons.rperp.lesson import LESSON
from lessons.rperp.scene import scene
from tests.lessons.shown import charts, drawn, film, finding, of_scene, opened
from tests.shared import open_closers


@pytest.mark.parametrize("moment", LESSON.moments, ids=lambda moment: moment.key)
def test_a_scene_is_what_the_page_of_its_moment_shows(moment: Moment):
    made = scene(LESSON.settings(moment.values), moment.t, Theme())
    at = opened(LESSON.file, closed=True, moment=moment.key)
    assert "promises" not in charts(at)  # what is closed is not drawn
    open_closers(at).run()
    head = film(at)
    assert drawn(at) == of_scene(made)
    assert (head["start"], head["n"]) == (made.start, made.frames)
    assert (head["labels"], head["events"]) == (made.labels(), made.events)
    assert finding(at) == made.sentences()
    said = [caption.value for caption in at.caption]
    assert made.caption in said and made.stills["promises"].caption(made.start) in said


def test_a_width_that_its_rewards_do_not_allow_is_one_sentence():
    with pytest.raises(ValueError, match="norm"):
        scene(LESSON.settings({"kind": "markov", "beta": "theory"}), 1, Theme())
