"""What follows a slider of the theorems, and where its stops lie on the map."""

from __future__ import annotations

import pytest

from figures.theme import Theme
from lessons.theorems.lesson import LESSON
from lessons.theorems.rates.model import setting_from, sweep
from lessons.theorems.scene import frame, scene
from tests.lessons.theorems.test_figure import numbers


@pytest.mark.parametrize("values", [{"growth": 0.3, "log_T": 5.5}, {"measure": "epsilon", "eps": 0.03, "log_T": 3.0}])
def test_a_sliders_stops_lie_on_the_map(values: dict):
    values = LESSON.defaults | {"view": "rates", **values}
    pick = scene(values, 0, Theme()).films["main"].pick
    for key, axis in pick.knobs.items():
        stops = LESSON.knobs[key].stops
        places = pick.places.get(key, stops)
        assert len(places) == len(stops)
        for stop, place in zip(stops, places, strict=True):
            here = sweep(setting_from(values | {key: stop})).here
            assert here is None or here[axis[0] == "y"] == pytest.approx(place)


def proved(values: dict) -> dict[str, list[float]]:
    """The curves of the left panel of a frame, by their dashes: what is proved, and the measured mean."""
    found = frame(LESSON.defaults | values, LESSON.t, Theme()).figures["main"].to_dict()["data"]
    lines = [one for one in found if one["mode"] == "lines" and one["xaxis"] == "x" and "fill" not in one]
    return {one["line"]["dash"]: numbers(one["y"]).tolist() for one in lines if one["line"]["width"] > 1}
