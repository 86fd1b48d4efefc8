"""The browser is told the film as Python computed it, and what it tells is checked before it is taken."""

from __future__ import annotations

import json

import numpy as np
import pytest

from figures.theme import Theme
from lessons.chase import component, figure, model
from lessons.chase.model import ARMS, ROUNDS, Setting

SETTINGS = [Setting(), Setting(0.0, "all", 0.5), Setting(2.2, "3", 0.2, 1, beside=True), Setting(asked=((3, 4),))]


def told(film: model.Chase) -> tuple[dict, dict]:
    """Return the text of a message and its arrays, read as chase.js reads them."""
    raw = component.message(film, False, Theme(), 7, "0:1:0")
    size = int.from_bytes(raw[:4], "little")
    head, numbers, at, arrays = json.loads(raw[4 : 4 + size]), np.frombuffer(raw[4 + size :], dtype="<f4"), 0, {}
    for name, learner, shape in head["curves"]:
        count = int(np.prod(shape))
        arrays[name, learner] = numbers[at : at + count].reshape(shape)
        at += count
    assert at == len(numbers) and size % 4 == 0
    return head, arrays


@pytest.mark.parametrize("setting", SETTINGS)
def test_message_holds_the_film_and_its_facts(setting: Setting) -> None:
    film = model.chase(setting)
    head, arrays = told(film)
    np.testing.assert_allclose(arrays["f", -1], film.problem.f, atol=1e-5)
    np.testing.assert_allclose(arrays["shapes", -1], film.shapes, atol=1e-5)
    assert head["bent"] == [list(setting.start), list(setting.end)] and head["asked"] == [r for r, _ in setting.asked]
    assert head["moves"] == (setting.drift > 0) and head["start"] == 7
    for i, (one, drawn) in enumerate(zip(film.learners, head["learners"], strict=True)):
        for name in ("mean", "lower", "upper", "weight"):
            np.testing.assert_allclose(arrays[name, i], getattr(one, name), atol=1e-5)
        before = model.before_facts(film, one)
        for t in (0, 1, 20, ROUNDS - 1):
            facts, row = model.facts(film, 4 * t + 3), arrays["f", -1][t]
            assert facts["the peak is at"] == head["x"][head["best"][t]]
            assert facts[f"{before}highest point of the band"] == head["x"][drawn["choice"][t]]
            assert facts[f"{before}asked at x"] == head["x"][drawn["arms"][t]]
            shown = [drawn[key][t] for key in ("y", "gap", "paid")]
            assert shown == [facts[before + name] for name in ("heard y", "regret", "paid so far")]
            lost = (row > arrays["upper", i][t] + 1e-5) | (row < arrays["lower", i][t] - 1e-5)  # 32-bit floats
            assert facts[f"{before}outside the band"] == pytest.approx(lost.mean(), abs=0.011)  # an arm at the edge


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_sliders_round_is_that_of_the_film(setting: Setting) -> None:
    film = model.chase(setting)
    head, arrays = told(film)
    for row in (0, 13, ROUNDS - 1):
        at = json.loads(json.dumps(figure.one_round(film, row, Theme())))
        assert at["f"] == {str(row): arrays["f", -1][row].tolist()}
        np.testing.assert_allclose(at["way"], arrays["way", -1][:, None], atol=1e-6)
        for i, one in enumerate(at["learners"]):
            for name in ("mean", "lower", "upper", "weight"):
                assert one.pop(name) == {str(row): arrays[name, i][row].tolist()}
            assert one == head["learners"][i]
        assert all(at[key] == head[key] for key in ("reach", "depth", "moves", "best"))


def test_only_rounds_and_bends_are_taken() -> None:
    for value in (None, True, 1.5, -1, ROUNDS, "3", [1]):
        assert not component._whole(value, ROUNDS)
    assert component._whole(ROUNDS - 1, ROUNDS) and component._whole(0, ARMS)
    for units in (None, 5, "drawn", [1] * 5, [1] * 7, [0.5] * 6, [121] + [0] * 5, [True] * 6):
        assert not component._bends(units)
    assert component._bends([-120, 0, 1, 2, 3, 120])
