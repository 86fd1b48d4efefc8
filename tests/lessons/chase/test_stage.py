"""The film shows what was computed, eases between frames, and says what a hand may do."""

from __future__ import annotations

import numpy as np
import pytest

from figures.theme import Theme
from lessons.chase import figure, model, panel
from lessons.chase.lesson import LESSON
from lessons.chase.model import ROUNDS, TURNS, Chase, ChaseSetting
from lessons.chase.scene import answered, pick
from lessons.record import Pick
from tvbo_core.worlds.reshaped import UNIT


def test_handles_stand_on_the_shapes() -> None:
    for setting in (ChaseSetting(start=(0, 5, 0, 0, -3, 0)), ChaseSetting(0.0)):
        film = model.chase(setting)
        handles = pick(film, False, True).handles
        assert [*handles] == ["start", "end"][: 1 + film.moves]
        assert handles["start"].numbers == setting.start and handles["start"].unit == UNIT
        for i, one in enumerate(handles.values()):
            at = np.rint(np.array(one.x) * 100).astype(int)
            np.testing.assert_allclose(one.y, film.shapes[i][at])
        figure.stage(film, False, Theme(), 3, bending=True).figure.checked()


def asked(*rows: int, unseen: bool = False) -> tuple[int, int] | None:
    return answered(model.chase(ChaseSetting(beside=False, asked=tuple((row, 50) for row in rows))), unseen)


def test_answer_plays_to_its_payment_or_turn() -> None:
    assert asked() is None
    assert asked(3) == (13, 15) and asked(3, unseen=True) == (13, 17)
    assert asked(*range(17, 17 + TURNS), unseen=True) == (113, 115)  # the score is said
    assert asked(ROUNDS - 1, unseen=True) == (221, 223)


@pytest.mark.parametrize("said", [None, 5, {"t": True, "place": 1}, {"t": 1.5, "place": 1}, {"t": -1, "place": 1},
                                  {"t": 224, "place": 1}, {"t": 1, "place": 101}, {"t": 1, "place": "3"}])  # fmt: skip
def test_only_rounds_and_places_are_asked(said: object, monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"player": {"ask": said}, "asked": "none"}
    monkeypatch.setattr(panel.st, "session_state", state)
    panel.ask()
    assert state["asked"] == "none"


def test_a_question_plays_later_rounds_again(monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"player": {"ask": {"t": 4 * 7 + 2, "place": 100, "n": 1}}, "asked": "3-4_7-1_9-2"}
    monkeypatch.setattr(panel.st, "session_state", state)
    panel.ask()
    assert state["asked"] == "3-4_7-100"


def test_finished_game_takes_no_hand() -> None:
    film: Chase = model.chase(model.setting_from(LESSON.defaults))
    assert pick(film, False, False).ask and not pick(film, False, False).handles
    assert pick(film, False, True).handles and not pick(film, False, True).ask
    assert Pick().ask is None
