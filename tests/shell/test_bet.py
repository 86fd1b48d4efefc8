"""The bet of every page in Streamlit's own test driver: it opens, reveals, travels in the link and goes."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from answers.bets import verdict_of_hall
from lessons import LESSONS
from lessons.record import BET_KNOBS, BadValue, BetOutcome, Lesson
from tests.lessons.test_pages import faults, opened, sentences
from tests.shared import few, session_of

BETTING = {lesson.key: lesson for lesson in LESSONS if lesson.bet}
FEW = ("drift", "race", "forgetting")  # a row, an order, an axis: of the first ring; a night has every bet
every_bet = pytest.mark.parametrize("key", few(BETTING, *FEW, rest=pytest.mark.wide))
linked = pytest.mark.parametrize("key", few(BETTING, "race", rest=pytest.mark.wide))


def page(key: str) -> str:
    return BETTING[key].file


def truth(key: str) -> BetOutcome:
    """Return the truth of a bet, measured in the state that the bet is about."""
    lesson = BETTING[key]
    return lesson.bet.truth(lesson.settings(lesson.bet.values), lesson.bet)


def answer(lesson: Lesson, last: bool = False) -> str:
    """A bet as the link writes it: the first answer, or the last; of an order the answers as they stand."""
    words = list(lesson.bet.options)
    return ".".join(words[::-1] if last else words) if lesson.bet.ranks else words[-1 if last else 0]


def keys(at: AppTest) -> set[str]:
    """Keys of the buttons on the page."""
    return {b.key for b in at.button}


def asks(at: AppTest) -> bool:
    """Return whether the page asks: the question is its title, and nothing else of it is there."""
    return "bet_reveal" in keys(at) and not {"bet_open", "undo_all"} & keys(at)


def tells(at: AppTest) -> bool:
    """Return whether the page shows the truth."""
    return "bet_leave" in keys(at) and not {"bet_reveal", "bet_open"} & keys(at)


@every_bet
def test_bet_opens_reveals_and_goes(key: str) -> None:
    lesson, at = BETTING[key], opened(page(key))
    assert not asks(at) and not tells(at) and "bet_open" in keys(at)  # closed: one button and nothing else
    at.button(key="bet_open").click().run()
    assert faults(at) == [] and asks(at)
    assert at.query_params["guess"] in ("open", ["open"])
    assert lesson.bet.question[:20] in at.title[0].value
    told = truth(key)
    assert not any(told.sentence in m.value for m in (*at.title, *at.markdown)) and sentences(at) in ([], [""])
    chosen = answer(lesson)
    at.button_group(key="bet_pick").set_value(chosen.split(".") if lesson.bet.ranks else chosen).run()
    at.button_group(key="sure_pick").set_value("high").run()
    assert asks(at) and (at.session_state["guess"], at.session_state["sure"]) == (chosen, "high")
    at.button(key="bet_reveal").click().run()
    assert faults(at) == [] and tells(at)
    assert lesson.bet.question[:20] in at.title[0].value and told.sentence in at.title[1].value
    assert any(told.more in m.value for m in at.markdown) and any(told.setup in c.value for c in at.caption)
    at.button(key="bet_leave").click().run()
    assert faults(at) == [] and "bet_open" in keys(at) and not set(BET_KNOBS) & set(at.query_params)
    for knob in lesson.bet.values:
        assert at.session_state[knob] == lesson.bet.values[knob]  # the page goes on in the state of the bet


def test_question_has_a_link_without_an_answer() -> None:
    """Key Q shows the code of this drawer."""
    at = opened(page("drift"), guess=answer(BETTING["drift"]))
    assert asks(at)
    at.session_state["drawer_link"] = True
    at.run()
    assert faults(at) == [] and at.code[0].value.endswith("?guess=open")


@linked
def test_link_opens_question_truth_and_hands(key: str) -> None:
    lesson = BETTING[key]
    bet, counts = lesson.bet, list(range(1, len(lesson.bet.options) + 1))
    hidden = opened(page(key), guess="open", t="9999")  # a later time would tell more than the bet does
    assert not hidden.toast and asks(hidden) and faults(hidden) == [] and session_of(hidden).t == bet.opens
    shown = opened(page(key), guess=answer(lesson, last=True), reveal="true")
    assert not shown.toast and tells(shown) and faults(shown) == []
    assert any(m.value.startswith("You") for m in shown.markdown)
    right = truth(key).right[:1] if bet.ranks else truth(key).right
    hits = sum(n for word, n in zip(bet.options, counts, strict=True) if word in right)
    at = opened(page(key), guess="open", reveal="true", hands=".".join(map(str, counts)))
    assert faults(at) == [] and tells(at) and not at.toast
    assert any(f"{hits} of {sum(counts)} votes had" in m.value for m in at.markdown)
    at.button(key="bet_leave").click().run()
    assert "hands" not in at.query_params


def test_wrong_hands_are_no_vote() -> None:
    bet = BETTING["chase"].bet
    assert bet.counted("none") == bet.counted("0.0.0") == () and bet.counted("0.2.1") == (0, 2, 1)
    assert verdict_of_hall(bet, truth("chase"), ()) == ""
    options, knob = len(bet.options), BETTING["chase"].knobs["hands"]
    for wrong in ("1", "1.2.x", ".".join(["1"] * (options + 1)), ".".join(["10000"] * options), "-1"):
        with pytest.raises(BadValue):
            knob.read(wrong)
    bet, told = BETTING["race"].bet, truth("race")  # where the hall orders a hand is for the first place
    hands = tuple(5 if word == told.right[0] else 1 for word in bet.options)
    assert verdict_of_hall(bet, told, hands) == f"5 of {sum(hands)} votes had the first place right. "


def test_half_order_is_named_at_the_reveal() -> None:
    lesson, at = BETTING["race"], opened(page("race"), guess="open")
    first, second, *_ = lesson.bet.options
    at.button_group(key="bet_pick").set_value([first, second]).run()
    assert any("2 places to go" in m.value for m in at.markdown)
    at.button(key="bet_reveal").click().run()
    assert tells(at) and any("Your order had 2 of 4 places, so it is not compared" in m.value for m in at.markdown)
    at.button(key="bet_leave").click().run()
    at.button(key="bet_open").click().run()
    at.button(key="bet_reveal").click().run()  # without an order nothing is said of one
    assert tells(at) and not any("Your order" in m.value for m in at.markdown)
