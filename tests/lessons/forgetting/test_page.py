"""The page draws what the lesson's scene holds."""

from __future__ import annotations

import pytest

from figures.theme import Theme
from lessons.forgetting.lesson import LESSON
from lessons.forgetting.scene import scene
from lessons.record import Moment
from tests.lessons.shown import drawn, film, finding, of_scene, opened


@pytest.mark.parametrize("moment", LESSON.moments, ids=lambda moment: moment.key)
def test_a_scene_is_what_the_page_of_its_moment_shows(moment: Moment) -> None:
    made = scene(LESSON.settings(moment.values), moment.t, Theme())
    at = opened(LESSON.file, moment=moment.key)
    head, captions = film(at), [caption.value for caption in at.caption]
    assert drawn(at) == of_scene(made)
    assert (head["start"], head["n"], head["times"]) == (made.start, made.frames, made.times)
    assert (head["labels"], head["events"]) == (made.labels(), made.events)
    assert finding(at) == made.sentences()
    assert made.caption in captions and all(f":material/info: {note}" in captions for note in made.notes())


def test_a_world_that_cannot_be_has_no_scene_and_says_why() -> None:
    with pytest.raises(ValueError, match="pip install"):
        scene(LESSON.settings({"kind": "data", "data": "sp500"}), 1, Theme())


def test_covered_curves_leave_out_the_final_ones() -> None:
    values = {**LESSON.defaults, **LESSON.moment("bogunovic").values, "cover": True}
    shown = scene(values, 200, Theme())
    assert set(shown.films) == {"main", "weights", "beliefs"} and not shown.stills
    assert set(scene({**values, "cover": False}, 200, Theme()).stills) == {"every"}
