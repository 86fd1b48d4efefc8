"""The page draws what the lesson's scene holds, and its runs can be stopped."""

from __future__ import annotations

import re

import pytest

from figures.theme import Theme
from lessons.record import Moment
from lessons.side_queries import model
from lessons.side_queries.lesson import LESSON
from lessons.side_queries.scene import scene
from tests.lessons.shown import drawn, film, finding, of_scene, opened, sentences
from tests.lessons.test_pages import faults, settled, turn, unfolded
from tests.shared import session_of


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
    stills = [made.stills[key].caption(made.start) for key in ("picks", "trust", "beliefs")]
    assert set(stills) <= set(captions)


def test_a_world_that_cannot_be_has_no_scene_and_says_why() -> None:
    with pytest.raises(ValueError, match="pip install"):
        scene(LESSON.settings({"kind": "data", "data": "sp500"}), 1, Theme())


def test_the_opening_and_the_moments_are_complete_at_once() -> None:
    for moment in LESSON.moments:
        at = opened(LESSON.file, moment=moment.key)
        assert faults(at) == [] and not at.get("progress") and not session_of(at).run_sets["side_queries"].missing


def test_new_runs_are_named_counted_and_can_be_stopped() -> None:
    at = opened(LESSON.file, seed="77", seeds="20", T="200")
    (progress,) = at.get("progress")
    assert re.fullmatch(r"Running 20 seeds × 4 methods: \d+/80 done, about \d+ s", progress.proto.text)
    at.button(key="side_queries_cancel").click().run()
    assert faults(at) == [] and "Cancelled" in at.info[0].value
    turn(unfolded(at), "stops", "seeds", 2)
    settled(at)
    assert faults(at) == [] and "2 seeds from 77" in " ".join(c.value for c in at.caption)


def test_the_total_in_the_sentence_is_the_sum_of_the_bars_of_the_run() -> None:
    at = opened(LESSON.file, alpha="0.5", T="300", seeds="1")
    first = model.first_seed(model.chosen({**LESSON.defaults, "alpha": 0.5, "T": 300, "seeds": 1}))
    totals = {n: int(h.extra_queries.sum()) for n, h in first.plays.items()}
    assert f"<b>{totals['W-SparQ']:,}</b> questions instead of <b>{totals['SparQ']:,}</b>" in sentences(at)[-1]
