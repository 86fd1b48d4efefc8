"""The scene of each moment, for packs and scripts, is the page that opens there."""

from __future__ import annotations

import numpy as np
import pytest

from figures.theme import Theme
from lessons.drift.lesson import LESSON
from lessons.drift.model import table, world_drift
from lessons.drift.scene import scene, until
from lessons.record import Moment
from tests.lessons.shown import drawn, film, finding, of_scene, opened
from tvbo_core import World


@pytest.mark.parametrize("moment", LESSON.moments, ids=lambda moment: moment.key)
def test_a_scene_is_what_the_page_of_its_moment_shows(moment: Moment):
    made = scene(LESSON.settings(moment.values), moment.t, Theme())
    at = opened(LESSON.file, moment=moment.key)
    head = film(at)
    assert drawn(at) == of_scene(made)
    assert (head["start"], head["n"], head["times"]) == (made.start, made.frames, made.times)
    assert (head["labels"], head["events"]) == (made.labels(), made.events)
    assert finding(at) == made.sentences()
    assert made.caption in [caption.value for caption in at.caption]


def test_the_table_names_the_action_at_which_the_step_into_a_round_was_longest():
    world = World(kind="markov", epsilon=0.3, horizon=12, arms=7, seed=2)
    drift = world_drift(world)
    f, x = drift.problem.f, drift.problem.x[:, 0]
    rows = table([drift], ["M"])
    steps = np.abs(np.diff(f, axis=0))
    assert rows[0]["moved most at"] == "" and rows[0]["largest change"] == 0
    assert len({row["moved most at"] for row in rows[1:]}) > 2  # so that a neighbour's place would be wrong
    for t, row in enumerate(rows[1:]):
        assert float(str(row["moved most at"]).removeprefix("x = ")) == pytest.approx(x[steps[t].argmax()], abs=5e-3)
        assert row["largest change"] == pytest.approx(steps[t].max(), rel=1e-12)
        assert row["drift so far V_t"] == pytest.approx(steps[: t + 1].max(axis=1).sum(), rel=1e-12)


def test_a_world_that_cannot_be_is_one_sentence():
    with pytest.raises(ValueError, match="pip install"):
        scene(LESSON.settings({"kind": "data", "data": "sp500"}), 1, Theme())


def test_the_hills_of_the_question_have_the_titles_that_the_question_itself_says():
    bet = LESSON.bet
    asked = until(LESSON.settings(bet.opens_with), bet.opens, Theme()).films["main"].draw(0)
    titles = [
        note["text"] for note in asked.figure.to_dict()["layout"]["annotations"] if note["text"].startswith("<b>")
    ]
    assert titles == ["<b>it glides</b>", "<b>it jumps once</b>"]
    assert "glides" in bet.question and "jumps once" in bet.question


def test_the_view_chooses_hills_or_heat_maps_and_a_table_has_its_own_in_both():
    def drawn_in(**values: object) -> dict:
        return scene(LESSON.settings(values), 30, Theme()).films["main"].draw(0).figure.to_dict()

    images = [len(drawn_in(view=view)["layout"].get("images", ())) for view in ("hills", "maps")]
    assert images == [0, 2]
    assert drawn_in(kind="data", view="hills") == drawn_in(kind="data", view="maps")
