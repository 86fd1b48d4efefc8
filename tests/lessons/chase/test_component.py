"""The browser is told the film as Python computed it, and what it tells is checked before it is taken."""

from __future__ import annotations

import json

import numpy as np
import pytest

from figures.theme import Theme
from lessons.chase import component, figure, model
from lessons.chase.model import ARMS, ROUNDS, Setting


def told(film: model.Chase, **more: object) -> tuple[dict, dict]:
    """Return the text of a message and its arrays, read as chase.js reads them."""
    raw = component.message(film, False, Theme(), 7, "0:1:0", **more)
    size = int.from_bytes(raw[:4], "little")
    head, numbers, at, arrays = json.loads(raw[4 : 4 + size]), np.frombuffer(raw[4 + size :], dtype="<f4"), 0, {}
    for name, learner, shape in head["curves"]:
        count = int(np.prod(shape))
        arrays[name, learner] = numbers[at : at + count].reshape(shape)
        at += count
    assert at == len(numbers) and size % 4 == 0
    return head, arrays


@pytest.mark.parametrize("setting", [Setting(), Setting(0.0, beside=True), Setting(start=(9,) * 6, asked=((3, 4),))])
def test_a_message_holds_the_film(setting: Setting) -> None:
    film = model.chase(setting)
    head, arrays = told(film)
    np.testing.assert_allclose(arrays["f", -1], film.problem.f, atol=1e-5)
    np.testing.assert_allclose(arrays["shapes", -1], film.shapes, atol=1e-5)
    for i, one in enumerate(film.learners):
        for name in ("mean", "lower", "upper", "weight"):
            np.testing.assert_allclose(arrays[name, i], getattr(one, name), atol=1e-5)
        assert head["learners"][i]["arms"] == one.history.arms.tolist()
        assert head["learners"][i]["paid"] == one.paid.tolist()
    assert head["bent"] == [list(setting.start), list(setting.end)] and head["asked"] == [r for r, _ in setting.asked]
    assert head["moves"] == (setting.drift > 0) and head["start"] == 7


@pytest.mark.parametrize("setting", [Setting(), Setting(4.0, "1", seed=2), Setting(2.2, "3", 0.2, 1, beside=True)])
def test_the_canvas_draws_the_facts_of_each_round(setting: Setting) -> None:
    film = model.chase(setting)
    head, arrays = told(film)
    for t in (0, 1, 7, 20, 41, ROUNDS - 1):
        facts = model.facts(film, 4 * t + 3)
        assert facts["the peak is at"] == head["x"][head["best"][t]]
        for i, (one, drawn) in enumerate(zip(film.learners, head["learners"], strict=True)):
            before, row = model.before_facts(film, one), arrays["f", -1][t]
            assert facts[f"{before}highest point of the band"] == head["x"][drawn["choice"][t]]
            assert facts[f"{before}asked at x"] == head["x"][drawn["arms"][t]]
            assert facts[f"{before}heard y"] == drawn["y"][t]
            assert facts[f"{before}regret"] == drawn["gap"][t]
            assert facts[f"{before}paid so far"] == drawn["paid"][t]
            lost = (row > arrays["upper", i][t] + 1e-5) | (row < arrays["lower", i][t] - 1e-5)  # 32-bit floats
            assert facts[f"{before}outside the band"] == pytest.approx(lost.mean(), abs=0.011)  # an arm at the edge


@pytest.mark.parametrize("bent", [(0,) * 6, (120,) * 6, (-120, 120) * 3])
def test_hill_shapes_and_means_lie_on_the_stage(bent: tuple[int, ...]) -> None:
    film = model.chase(Setting(end=bent))
    reach = model.reach(film)
    drawn = (film.problem.f, film.shapes, film.learners[0].mean)
    assert max(np.abs(curve).max() for curve in drawn) < reach
    assert -min(curve.min() for curve in drawn) < model.depth(film) <= reach


def test_another_setting_look_or_veil_is_another_film() -> None:
    film = model.chase(Setting())
    names = {
        json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")])["revision"]
        for raw in (
            component.message(film, False, Theme(), 0, ""),
            component.message(film, True, Theme(), 0, ""),
            component.message(film, False, Theme(dark=True), 0, ""),
            component.message(model.chase(Setting(noise=0.2)), False, Theme(), 0, ""),
        )
    }
    assert len(names) == 4


@pytest.mark.parametrize("value", [None, True, 1.5, -1, ROUNDS, "3", [1]])
def test_a_round_that_is_none_is_not_taken(value: object) -> None:
    assert not component._whole(value, ROUNDS)
    assert component._whole(ROUNDS - 1, ROUNDS) and component._whole(0, ARMS)


@pytest.mark.parametrize("units", [None, 5, "drawn", [1] * 5, [1] * 7, [0.5] * 6, [121] + [0] * 5, [True] * 6])
def test_bends_that_are_none_are_not_taken(units: object) -> None:
    assert not component._bends(units)
    assert component._bends([-120, 0, 1, 2, 3, 120])


@pytest.mark.parametrize("setting", [Setting(), Setting(0.0, "all", 0.5), Setting(memory="1", beside=True)])
@pytest.mark.parametrize("row", [0, 13, ROUNDS - 1])
def test_a_round_that_follows_a_slider_is_that_round_of_the_film_to_the_last_digit(setting: Setting, row: int) -> None:
    film = model.chase(setting)
    head, arrays = told(film)
    at = json.loads(json.dumps(figure.one_round(film, row, Theme())))
    assert at["f"] == {str(row): arrays["f", -1][row].tolist()}
    np.testing.assert_allclose(at["way"], arrays["way", -1][:, None], atol=1e-6)
    for i, one in enumerate(at["learners"]):
        for name in ("mean", "lower", "upper", "weight"):
            assert one.pop(name) == {str(row): arrays[name, i][row].tolist()}
        assert one == head["learners"][i]
    assert all(at[key] == head[key] for key in ("reach", "depth", "moves", "best"))
