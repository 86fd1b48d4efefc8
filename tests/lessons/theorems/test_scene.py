"""The scene of each moment of the theorems, for packs and scripts, is the page that opens there."""

from __future__ import annotations

from time import sleep

import pytest

from figures.theme import Theme
from lessons.record import Moment
from lessons.theorems.lesson import LESSON
from lessons.theorems.rates.model import chosen, sweep
from lessons.theorems.scene import frame, scene
from tests.lessons.shown import drawn, film, finding, of_scene, opened
from tests.lessons.theorems.test_figure import numbers


@pytest.mark.parametrize("moment", LESSON.moments, ids=lambda moment: moment.key)
def test_a_scene_is_what_the_page_of_its_moment_shows(moment: Moment):
    made = scene(LESSON.settings(moment.values), moment.t, Theme())
    at = opened(LESSON.file, moment=moment.key)
    while at.get("progress"):
        sleep(0.05)
        at.run()
    head, said = film(at), [caption.value for caption in at.caption]
    assert drawn(at) == of_scene(made)
    assert (head["start"], head["n"]) == (made.start, made.frames)
    assert (head["labels"], head["events"]) == (made.labels(), made.events)
    assert finding(at) == made.sentences()
    assert made.caption in said
    assert all(one.caption(made.start) in said for one in made.stills.values() if one.caption(made.start))
    assert all(f":material/info: {note}" in said for note in made.notes())


@pytest.mark.parametrize("values", [{"growth": 0.3, "log_T": 5.5}, {"measure": "epsilon", "eps": 0.03, "log_T": 3.0}])
def test_each_stop_of_a_slider_lies_on_the_map_where_the_cross_would_stand(values: dict):
    values = LESSON.defaults | {"view": "rates", **values}
    pick = scene(values, 0, Theme()).films["main"].pick
    for key, axis in pick.knobs.items():
        stops = LESSON.knobs[key].stops
        places = pick.places.get(key, stops)
        assert len(places) == len(stops)
        for stop, place in zip(stops, places, strict=True):
            here = sweep(chosen(values | {key: stop})).here
            assert here is None or here[axis[0] == "y"] == pytest.approx(place)


def proved(values: dict) -> dict[str, list[float]]:
    """The curves of the left panel of a frame, by their dashes: what is proved, and the measured mean."""
    found = frame(LESSON.defaults | values, LESSON.t, Theme()).figures["main"].to_dict()["data"]
    lines = [one for one in found if one["mode"] == "lines" and one["xaxis"] == "x" and "fill" not in one]
    return {one["line"]["dash"]: numbers(one["y"]).tolist() for one in lines if one["line"]["width"] > 1}


def test_while_v_is_held_what_is_proved_moves_and_runs_that_are_not_stored_are_left_out():
    stored, other = proved({}), proved({"V": 9.0})
    bound, most, measured = "dashdot", "dash", "solid"
    assert stored[bound] != other[bound] and stored[most] == other[most]  # 2BT knows no drift
    assert other[bound][-1] > stored[bound][-1]
    assert all(value > 0 for value in stored[measured])
    assert all(value != value for value in other[measured])
    said = frame(LESSON.defaults | {"V": 9.0}, LESSON.t, Theme()).sentence
    assert "is still to be measured" in said and "Its proof allows" in said


def test_where_a_bound_takes_long_the_runs_have_no_frame():
    assert frame(LESSON.defaults | {"case": "tv"}, LESSON.t, Theme()) is None
