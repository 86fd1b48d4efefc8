"""The bet of every page in Streamlit's own test driver: it opens, covers, reveals, travels in the link and goes."""

from __future__ import annotations

import math
from itertools import permutations
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from lessons import LESSONS
from lessons.record import BET_KNOBS, CLOSED, OPEN, BadValue, Lesson, Outcome
from shell.bets import bet as bets
from shell.bets.reveal import placed_bet, verdict
from tests.lessons.test_pages import QUICK, faults, opened, sentences, specs, turn
from tests.shared import session_of

BETTING = {lesson.key: lesson for lesson in LESSONS if lesson.bet}
every_bet = pytest.mark.parametrize("key", BETTING)


def page(key: str) -> str:
    return BETTING[key].file


def truth(key: str) -> Outcome:
    """Return the truth of a bet, measured in the state that the bet is about."""
    lesson = BETTING[key]
    return lesson.truth(lesson.settings(lesson.bet.values), lesson.bet)


def answer(lesson: Lesson, last: bool = False) -> str:
    """A bet as the link writes it: the first answer, or the last; of an order the answers as they stand."""
    words = list(lesson.bet.options)
    return ".".join(words[::-1] if last else words) if lesson.bet.ranks else words[-1 if last else 0]


def keys(at: AppTest) -> set[str]:
    """Keys of the buttons on the page."""
    return {b.key for b in at.button}


def struck(spec: dict) -> bool:
    """Whether a figure is the strip with a bet in it."""
    return any(shape.get("name") == "your bet" for shape in spec["layout"].get("shapes", []))


def covers(at: AppTest) -> bool:
    """Whether the page's cover and the question on it are there."""
    return "bet_reveal" in keys(at) and any("bet_panel" in css for css in styles(at))


def styles(at: AppTest) -> list[str]:
    """Style sheets that the page sends."""
    return [e.proto.body for e in at.get("html")] + [
        e.proto.body for block in at._tree.children.values() for e in _under(block) if e.type == "html"
    ]


def _under(block: object) -> list:
    children = getattr(block, "children", None)
    return [block] if children is None else [e for child in children.values() for e in _under(child)]


@every_bet
def test_a_bet_opens_covers_reveals_and_goes(key: str) -> None:
    lesson, at = BETTING[key], opened(page(key))
    untouched = specs(at)
    assert not covers(at) and not any(struck(spec) for spec in untouched)  # closed: one button and nothing else
    at.button(key="bet_open").click().run()
    assert faults(at) == [] and covers(at) and "bet_open" not in keys(at)
    assert at.query_params["guess"] in ("open", ["open"])
    assert any(lesson.bet.question in m.value for m in at.markdown)
    told = truth(key)
    assert not any(told.sentence in m.value for m in at.markdown)  # nothing is revealed yet
    chosen = answer(lesson)
    at.button_group(key="bet_pick").set_value(chosen.split(".") if lesson.bet.ranks else chosen).run()
    at.button_group(key="sure_pick").set_value("high").run()
    assert covers(at) and (at.session_state["guess"], at.session_state["sure"]) == (chosen, "high")
    for key, value in {**lesson.bet.values, **lesson.bet.values_before}.items():
        assert at.session_state[key] == value
    at.button(key="bet_reveal").click().run()
    assert faults(at) == [] and not covers(at)
    for key in {*lesson.bet.values, *lesson.bet.values_before}:
        assert at.session_state[key] == lesson.bet.values.get(key, lesson.knobs[key].default)  # as the truth is told
    assert [struck(spec) for spec in specs(at)] == [True] + [False] * (len(specs(at)) - 1)  # above all others
    assert any(told.sentence in m.value for m in at.markdown) and any(told.setup in c.value for c in at.caption)
    at.button(key="bet_leave").click().run()
    assert faults(at) == [] and not any(struck(spec) for spec in specs(at))
    assert not set(BET_KNOBS) & set(at.query_params)
    if not lesson.bet.values:
        assert specs(at) == untouched


@every_bet
def test_a_link_opens_covered_and_another_opens_revealed_with_the_bet_in_the_figure(key: str) -> None:
    lesson = BETTING[key]
    hidden = opened(page(key), guess="open")
    assert not hidden.toast and covers(hidden) and faults(hidden) == []
    for knob, value in {**lesson.bet.values, **lesson.bet.values_before}.items():
        assert hidden.session_state[knob] == value  # the page stands as the bet begins
    shown = opened(page(key), guess=answer(lesson, last=True), reveal="true")
    assert not shown.toast and not covers(shown) and faults(shown) == []
    strip = next(spec for spec in specs(shown) if struck(spec))
    assert len(strip["layout"]["shapes"]) == (len(lesson.bet.options) if lesson.bet.ranks else 1)
    if lesson.bet.own:
        own = lesson.knobs[lesson.bet.own]
        assert shown.session_state[own.key] == own.read(answer(lesson, last=True)) != own.default


def test_a_link_to_a_later_time_tells_no_more_than_the_bet_does() -> None:
    """The misses that the bet of the bands asks about come after it opens: until the reveal the page stands there."""
    bet = BETTING["bands"].bet
    at = opened(page("bands"), guess="open", t=str(bet.t - 10))
    assert covers(at) and session_of(at).t == bet.opens < bet.t - 10
    assert session_of(opened(page("bands"), t=str(bet.t - 10))).t == bet.t - 10  # without a bet the time is the link's


@every_bet
def test_the_strip_of_a_bet_on_a_number_measures_truth_and_answers_on_one_axis(key: str) -> None:
    bet, told = BETTING[key].bet, truth(key)
    where = placed_bet(bet, told, OPEN)
    scale = math.log10 if bet.log else float
    assert where.at == pytest.approx([scale(place) for place in bet.places])
    assert (where.value is None) == (told.value is None)
    if told.value is not None:
        assert where.value == pytest.approx(scale(told.value))


@every_bet
def test_a_bet_covers_no_more_than_what_it_asks_and_every_answer_has_its_line(key: str) -> None:
    bet = BETTING[key].bet
    assert len(bet.hides) <= 2 and sum(width * height for _, _, width, height in bet.hides) <= 0.5
    assert all(0 <= left < left + width <= 1 and 0 <= top < top + height <= 1 for left, top, width, height in bet.hides)
    named = {*bet.options} if not bet.log else {*bet.about}  # a long axis of numbers: some of them
    assert named == {*bet.about} <= {*bet.options} and len(bet.about) >= 3
    assert all(line and line[-1] not in ".!?" and len(line) <= 60 for line in bet.about.values())
    assert {*bet.values_before} <= {*BETTING[key].knobs}


@pytest.mark.parametrize("key", ["drift", "race", "forgetting"])  # a row, an order, an axis
def test_a_bet_that_cannot_be_is_dropped_with_a_toast(key: str) -> None:
    at = opened(page(key), guess="everything", sure="a bit")
    assert faults(at) == [] and not covers(at) and at.session_state["guess"] == "off"
    assert len(at.toast) == 1 and "guess = “everything”" in at.toast[0].value and "sure = “a bit”" in at.toast[0].value


@every_bet
def test_no_word_of_a_bet_is_a_word_of_the_page(key: str) -> None:
    """Closed and open mean the same everywhere, so no answer may be called like them."""
    bet = BETTING[key].bet
    assert not set(bet.options) & {CLOSED, OPEN} and len(bet.options) >= 3
    assert all(w.isascii() and "." not in w.replace("0.", "") for w in bet.options)
    guess = BETTING[key].knobs["guess"]
    assert [guess.read(w) for w in ("off", "open", answer(BETTING[key]))] == ["off", "open", answer(BETTING[key])]


def test_every_order_is_a_bet_and_nothing_else_is() -> None:
    lesson = BETTING["race"]
    guess, words = lesson.knobs["guess"], list(lesson.bet.options)
    assert [guess.read(".".join(order)) for order in permutations(words)] == [".".join(o) for o in permutations(words)]
    for wrong in ("gp", "gp.gp.tv.wgp", "gp.rnd.tv", "gp.rnd.tv.wgp.gp", "gp.rnd.tv.sw", "gp rnd tv wgp", ""):
        with pytest.raises(BadValue):
            guess.read(wrong)


def test_an_order_is_a_bet_only_when_all_are_placed() -> None:
    at = opened(page("race"), guess="open")
    at.button_group(key="bet_pick").set_value(["tv", "gp"]).run()
    assert at.session_state["guess"] == "open" and any("**2** GP-UCB" in m.value for m in at.markdown)
    at.button_group(key="bet_pick").set_value(["tv", "gp", "rnd", "wgp"]).run()
    assert at.session_state["guess"] == "tv.gp.rnd.wgp"


def test_a_moment_keeps_the_bet_and_the_button_back_takes_it_away() -> None:
    at = opened(page("drift"), guess="equal", reveal="true")
    turn(at, "segmented", "moment", "bogunovic")
    assert at.session_state["guess"] == "equal" and len(specs(at)) == 2
    at.button(key="undo_all").click().run()
    assert at.session_state["guess"] == "off" and len(specs(at)) == 1


def test_another_page_begins_without_a_bet() -> None:
    at = opened(page("drift"), guess="equal", reveal="true")
    at.switch_page(page("rperp"))
    at.query_params.clear()
    at.run()
    assert at.session_state["guess"] == "off" and not at.toast and faults(at) == []


def test_a_reveal_without_a_bet_shows_the_truth_alone() -> None:
    at = opened(page("drift"), guess="open", reveal="true")
    strip = next(s for s in specs(at) if any("truth" in str(t.get("text")) for t in s["data"]))
    assert faults(at) == [] and not strip["layout"].get("shapes")
    assert not any(m.value.startswith("You bet") for m in at.markdown)


def test_a_bet_is_about_its_own_state_whatever_the_reader_had_chosen() -> None:
    at = opened(page("forgetting"), **QUICK[page("forgetting")], kind="glide")
    at.button(key="bet_open").click().run()
    knobs = BETTING["forgetting"].knobs
    chosen = {k: at.session_state[k] for k in ("T", "seeds", "kind", "moment") if k in at.session_state}
    wanted = {"T": knobs["T"].default, "seeds": knobs["seeds"].default, "kind": "jumps", "moment": None}
    assert chosen == wanted and session_of(at).t == 300


@every_bet
def test_the_verdict_names_both_and_blames_nobody(key: str) -> None:
    bet, told = BETTING[key].bet, truth(key)
    right = ".".join(told.right) if bet.ranks else told.right[0]
    for guess in ("open", right, answer(BETTING[key], last=True)):
        for sure in ("unsaid", "low", "high"):
            said = verdict(bet, told, guess, sure)
            assert bool(said) == (guess != "open") and not {"wrong", "false", "sorry"} & set(said.lower().split())
    assert ("all four places" if bet.ranks else "so it is") in verdict(bet, told, right, "unsaid")
    where = placed_bet(bet, told, right)
    assert where.order == (0, 1, 2, 3) if bet.ranks else where.names[where.mine] == bet.options[right]


def test_a_page_without_a_bet_has_no_button() -> None:
    at = opened(next(lesson.file for lesson in LESSONS if lesson.bet is None))
    assert not at.exception and "bet_open" not in keys(at)


def test_the_finding_and_the_moments_script_are_under_the_cover() -> None:
    """The style sheet names all that could tell: the finding, the script, the stage, and what follows the question."""
    css = (bets.ASSETS / "bet.css").read_text(encoding="utf-8")
    at = opened(page("bands"), moment="missed", guess="open")
    assert covers(at) and sentences(at)  # still sent, so that the reveal is instant
    for name in (
        "st-key-finding_spot",
        "st-key-moments",
        "st-key-stage_desk",
        "st-key-stage_hall",
        "bet_panel) ~ *",
    ):
        assert name in css
    assert "visibility: hidden !important" in css and "content: '?'; left: 0%" in " ".join(styles(at))


def test_the_link_to_exactly_this_opens_the_same_bet() -> None:
    at = opened(page("drift"), guess="equal", reveal="true", sure="low")
    at.session_state["drawer_link"] = True
    at.run()
    again = opened(page("drift"), **parse_qs(urlsplit(at.code[0].value).query))
    assert not again.toast and specs(again) == specs(at) and struck(specs(again)[0])
    assert [again.session_state[k] for k in BET_KNOBS] == ["equal", True, "low"]


def test_a_trimmed_page_has_no_button_but_keeps_the_cover_that_its_link_asks_for() -> None:
    assert "bet_open" not in keys(opened(page("drift"), hide="bet"))
    assert covers(opened(page("drift"), hide="bet.moments", guess="open"))


def test_a_bet_is_asked_and_explained_in_the_letters_of_the_chosen_paper() -> None:
    theirs = opened(page("forgetting"), guess="open", symbols="deng")
    assert not theirs.toast and covers(theirs) and faults(theirs) == []
    shown = opened(page("forgetting"), guess="20", reveal="true", symbols="deng")
    assert not shown.toast and struck(specs(shown)[0]) and faults(shown) == []
