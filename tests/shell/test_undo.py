"""Undo: the last change goes, one step at a time; the page as it opens is one button beside it."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from lessons import LESSONS
from tests.test_pages import faults, opened, turn

BY_NUMBER = {lesson.number: lesson for lesson in LESSONS}
LABELS = ("Undo", "As the page opens")


def page(number: int) -> str:
    return BY_NUMBER[number].file


def state(at: AppTest) -> dict:
    """What the reader set: knobs, moment and time."""
    keys = (*BY_NUMBER[at.session_state["_page"]].knobs, "moment", "_t")
    return {key: at.session_state[key] for key in keys}


def test_each_change_is_taken_back_in_turn_and_the_first_state_has_none_to_take_back() -> None:
    at = opened(page(1))
    states = [state(at)]
    assert at.button(key="undo_last").disabled
    for change in (("slider", "V", 8.0), ("select", "kind", "markov"), ("segmented", "moment", 3)):
        states.append(state(turn(at, *change)))
    assert len({str(one) for one in states}) == 4
    while len(states) > 1:
        states.pop()
        at.button(key="undo_last").click().run()
        assert state(at) == states[-1] and faults(at) == []
    assert at.button(key="undo_last").disabled


def test_a_change_is_taken_back_at_the_time_at_which_the_reader_looks() -> None:
    at = opened(page(1))
    turn(at, "slider", "V", 8.0)
    at.session_state["_t"] = 30
    at.button(key="undo_last").click().run()
    assert (at.session_state["V"], at.session_state["_t"]) == (4.0, 30)


def test_the_page_as_it_opens_is_a_change_that_can_be_taken_back() -> None:
    at = opened(page(1))
    first = state(at)
    changed = state(turn(at, "slider", "V", 8.0))
    at.button(key="undo_all").click().run()
    assert state(at) == first
    at.button(key="undo_last").click().run()
    assert state(at) == changed


def test_another_page_has_nothing_to_take_back() -> None:
    at = opened(page(1))
    turn(at, "slider", "V", 8.0)
    at.switch_page(page(2)).run()
    assert at.button(key="undo_last").disabled and not at.exception


@pytest.mark.parametrize("number", [lesson.number for lesson in LESSONS if lesson.number])
def test_both_buttons_stand_in_one_place_on_every_lesson(number: int) -> None:
    at = opened(page(number))
    labels = [button.label for button in at.button if button.label in LABELS]
    assert labels == list(LABELS)
