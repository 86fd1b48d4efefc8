"""The scene of each moment of R-PERP, for packs and scripts, is the page that opens there."""

from __future__ import annotations

import pytest

from figures.theme import Theme
from lessons.rperp.lesson import RPERP
from lessons.rperp.scene import scene
from tests.lessons.shown import charts, film, finding, of_scene, opened


@pytest.mark.parametrize("number", range(1, len(RPERP.moments) + 1))
def test_a_scene_is_what_the_page_of_its_moment_shows(number: int):
    moment = RPERP.moments[number - 1]
    made = scene(RPERP.settings(moment.values), moment.t, Theme())
    at = opened(RPERP.file, moment=str(number))
    assert "promises" not in charts(at)  # what is closed is not drawn
    at.session_state["promise"] = True
    at.run()
    head = film(at)
    assert charts(at) == of_scene(made, made.start)
    assert (head["start"], head["n"]) == (made.start, made.frames)
    assert (head["labels"], head["events"]) == (made.labels(), made.events)
    assert finding(at) == made.sentences()
    said = [caption.value for caption in at.caption]
    assert made.caption in said and made.stills["promises"].caption(made.start) in said


def test_a_width_that_its_rewards_do_not_allow_is_one_sentence():
    with pytest.raises(ValueError, match="norm"):
        scene(RPERP.settings({"kind": "markov", "beta": "theory"}), 1, Theme())
