"""The page draws what the lesson's scene holds, and its runs can be stopped."""

from __future__ import annotations

import re

import pytest

from figures.theme import Theme
from lessons.side_queries import model
from lessons.side_queries.lesson import QUERIES
from lessons.side_queries.scene import scene
from tests.lessons.shown import charts, film, finding, of_scene
from tests.test_pages import faults, opened, sentences, settled, turn, unfolded


@pytest.mark.parametrize("number", range(1, len(QUERIES.moments) + 1))
def test_a_scene_is_what_the_page_of_its_moment_shows(number: int) -> None:
    moment = QUERIES.moments[number - 1]
    made = scene(QUERIES.settings(moment.values), moment.t, Theme())
    at = opened(QUERIES.file, moment=str(number))
    head, captions = film(at), [caption.value for caption in at.caption]
    assert charts(at) == of_scene(made, made.start)
    assert (head["start"], head["n"], head["times"]) == (made.start, made.frames, made.times)
    assert (head["labels"], head["events"]) == (made.labels(), made.events)
    assert finding(at) == made.sentences()
    assert made.caption in captions and all(f":material/info: {note}" in captions for note in made.notes())
    stills = [made.stills[key].caption(made.start) for key in ("picks", "trust", "beliefs")]
    assert set(stills) <= set(captions)


def test_a_world_that_cannot_be_has_no_scene_and_says_why() -> None:
    with pytest.raises(ValueError, match="pip install"):
        scene(QUERIES.settings({"kind": "data", "data": "sp500"}), 1, Theme())


def test_the_opening_and_the_moments_are_complete_at_once() -> None:
    for number in range(1, len(QUERIES.moments) + 1):
        at = opened(QUERIES.file, moment=str(number))
        assert faults(at) == [] and not at.get("progress") and not at.session_state["_run_sets"]["side_queries"].missing


def test_new_runs_are_named_counted_and_can_be_stopped() -> None:
    at = opened(QUERIES.file, seed="77", seeds="20", T="200")
    (progress,) = at.get("progress")
    assert re.fullmatch(r"Running 20 seeds × 4 methods: \d+/80 done, about \d+ s", progress.proto.text)
    at.button(key="side_queries_cancel").click().run()
    assert faults(at) == [] and "Cancelled" in at.info[0].value
    turn(unfolded(at), "stops", "seeds", 2)
    settled(at)
    assert faults(at) == [] and "2 seeds from 77" in " ".join(c.value for c in at.caption)


def test_the_total_in_the_sentence_is_the_sum_of_the_bars_of_the_run() -> None:
    at = opened(QUERIES.file, alpha="0.5", T="300", seeds="1")
    first = model.first_seed(model.chosen({**QUERIES.defaults, "alpha": 0.5, "T": 300, "seeds": 1}))
    totals = {n: int(h.extra_queries.sum()) for n, h in first.plays.items()}
    assert f"<b>{totals['W-SparQ']:,}</b> old questions, SparQ {totals['SparQ']:,}" in sentences(at)[-1]
