"""Every answer of every lesson is plain data, and none but one has the truth of its bet."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from answers import link
from answers.ask import (
    BET,
    CHART,
    CSV,
    DRAWER,
    FILM,
    FRAME,
    OF_LESSON,
    PAGE,
    SCRIPT,
    TABLE,
    TASK,
    TRUTH,
    ask,
)
from answers.bets import WAGER
from answers.state import LESSON, State
from answers.state import TRUTH as TOLD
from lessons import BY_KEY, LESSONS
from lessons.record import OPEN, Lesson
from tests import answers

BETTING = {lesson.key: lesson for lesson in LESSONS if lesson.bet}


def opened(lesson: Lesson, **words: str) -> State:
    """The state of a lesson's page by the words of its address."""
    read = link.read(lesson, {key: [word] for key, word in words.items()})
    assert read.wrong == []
    return link.state_of(lesson, read, LESSONS.index(lesson))


def plain(answer: Any) -> Any:
    """An answer as JSON has it."""
    return json.loads(json.dumps(answer, allow_nan=False))


def states(lesson: Lesson) -> list[State]:
    """The opening of a lesson's page, and its moments."""
    return [opened(lesson), *(opened(lesson, moment=one.key) for one in lesson.moments)]


def check_page(state: State) -> dict[str, Any]:
    """A page says all that a host draws, and what it says first."""
    found = ask(state, PAGE)
    assert plain(found) == found, "JSON keeps it as it is"
    lesson = state.lesson
    assert found["question"] and found["refused"] == "" and found["waits"] is None
    assert [one["key"] for one in found["moments"]] == [one.key for one in lesson.moments]
    listed = [key for group in found["groups"] for key in group["knobs"]]
    assert len(set(listed)) == len(listed) and set(listed) <= set(found["knobs"])
    for key, knob in found["knobs"].items():
        value = lesson.knobs[key].read(knob["value"])
        assert value == state.values[key]
        if knob["stops"] and knob["widget"] not in ("pills", "code"):
            assert [knob["value"], knob["shown"]] in [*knob["stops"], *knob["words"]]
    acting = [key for key in lesson.leads if found["knobs"][key]["acts"]]
    assert found["leads"] == (acting[0] if acting else None)
    return found


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda one: one.key)
def test_every_answer_is_plain_data(lesson: Lesson) -> None:
    """Of the opening; what moments show is approved in tests/baseline."""
    state = opened(lesson)
    found = check_page(state)
    script = ask(state, SCRIPT)
    assert script is None or script.startswith(f"# Lesson {state.number}, ")
    for key, title in found["help"]:
        assert plain(ask(state, DRAWER, key))["title"] == title
    scene = found["scene"]
    assert (scene is None) == (lesson.scene is None)
    if scene is None:
        return
    assert ask(state, FILM)[:2] == b"\x1f\x8b" and ask(state, FRAME)[:2] in (b"", b"\x1f\x8b")
    assert scene["sentence"] is None or len(scene["sentence"]) > 20
    assert len(scene["times"]) == scene["frames"] > scene["start"]
    for drawer in scene["drawers"]:
        held = plain(ask(state, DRAWER, drawer["key"]))
        assert held["title"] == drawer["title"] and bool(held["text"]) != bool(held["charts"])
        assert [one["key"] for one in held["charts"]] == list(drawer["charts"])
        for one in held["charts"]:
            assert ask(state, CHART, one["key"])[:2] == b"\x1f\x8b"
    for title in scene["tables"]:
        assert plain(ask(state, TABLE, title))
    assert ask(state, CSV, "main").startswith("# Drifting rewards lab")
    for task in found["tasks"]:
        assert plain(ask(state, TASK, task["key"])).keys() == {"done", "measurement", "why", "changed"}


@pytest.mark.parametrize("key", BETTING)
def test_truth_alone_has_the_truth(key: str) -> None:
    lesson = BETTING[key]
    told = plain(ask(opened(lesson), TRUTH))
    assert told["right"] and set(told["right"]) <= set(lesson.bet.options)
    assert answers.in_words(lesson, [told["truth"]])
    asked = opened(lesson, guess=OPEN)
    assert (asked.view, asked.t, asked.values["guess"]) == (BET, lesson.bet.opens, OPEN)
    found = plain(ask(asked, PAGE))
    for said in (found, ask(opened(lesson), PAGE)["bet"]):
        text = json.dumps(said | {"sources": []}, ensure_ascii=False)  # which have numbers of theorems
        assert answers.in_words(lesson, [text]) == set()
        assert not [one for one in answers.written(lesson) if f" {one} " in text]
    for what in OF_LESSON:
        with pytest.raises(KeyError):
            ask(asked, what, "main")
    assert ask(asked, FRAME) == b"" and bool(ask(asked, CHART, WAGER)) == found["bet"]["bars"]


@pytest.mark.parametrize("key", BETTING)
def test_an_address_opens_bet_and_reveal(key: str) -> None:
    lesson = BETTING[key]
    guess = next(iter(lesson.bet.options)) if not lesson.bet.ranks else ".".join(lesson.bet.options)
    told = opened(lesson, guess=guess, reveal="true")
    assert (told.view, told.t) == (TOLD, lesson.bet.t)
    assert ask(told, CHART, WAGER) and ask(told, PAGE)["scene"]["frames"] > 1


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda one: one.key)
def test_an_address_opens_the_state_that_wrote_it(lesson: Lesson) -> None:
    for state in states(lesson):
        # The page's own time is one to say where a moment stands elsewhere.
        timed = (replace(state, t=t) for t in (3, lesson.t))
        for moved in (state, *timed, replace(state, values={**state.values, **other(state)})):
            again = opened(lesson, **link.words(moved))
            assert (again, again.moment) == (moved, moved.moment)
        assert state.view == LESSON and link.words(opened(lesson)) == {}


def other(state: State) -> dict[str, Any]:
    """Each slider of a state at its other end."""
    knobs = [state.lesson.knobs[key] for key in state.lesson.follows]
    return {one.key: one.stops[0] if state.values[one.key] != one.stops[0] else one.stops[-1] for one in knobs}


def test_world_goes_along_in_words() -> None:
    race = BY_KEY["race"]
    state = opened(race, V="2", seed="5")
    assert link.along(race, state.values).items() >= {"V": "2", "seed": "5"}.items()
    assert link.along(race, race.defaults) == {}
    assert link.fitting({"V": "99", "seed": "5"}, BY_KEY["bands"]) == {"seed": "5"}


@pytest.mark.parametrize("lesson", [one for one in LESSONS if one.scene], ids=lambda one: one.key)
def test_html_of_a_page_has_no_raw_formula(lesson: Lesson) -> None:
    state = State(lesson, lesson.settings({}), lesson.t, html=True)
    assert "$" not in json.dumps(ask(state, PAGE))
