"""Whatever a reader does in whatever order, page, address and film show the same state, as `ask` answers for it."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from streamlit.testing.v1 import AppTest

from answers import link
from answers.address import read
from answers.ask import FILM, PAGE, ask
from answers.state import BET, LESSON, TRUTH, State
from figures.theme import Theme
from lessons import BY_KEY
from lessons.record import CLOSED
from shell.links import address
from tests.lessons.shown import film, live, parts, sent
from tests.lessons.test_pages import address as address_words
from tests.lessons.test_pages import faults, opened, turn
from tests.shared import session_of, unmarked

DRIFT = BY_KEY["drift"]
MOMENTS = [moment.key for moment in DRIFT.moments]


def shown_state(at: AppTest) -> State:
    """The state of a page, as its controls and its session say it."""
    values = DRIFT.settings({key: at.session_state[key] for key in DRIFT.knobs})
    view = LESSON if values["guess"] == CLOSED else TRUTH if values["reveal"] else BET
    assert DRIFT.bet is not None
    if view != LESSON:
        values = DRIFT.settings(DRIFT.bet.values if view == TRUTH else DRIFT.bet.opens_with)
    return State(DRIFT, values, session_of(at).t, view, Theme(lecture=at.session_state["lecture"]))


def check_film(at: AppTest, state: State) -> None:
    """The address that the player asks by is that of the state, and what it gets is the state's answer."""
    ((head, _),) = map(parts, sent(at, "tvbo_player", "bytes"))
    asked = read(DRIFT, [tuple(pair) for pair in head["question"]["query"]], FILM)
    assert asked == State(DRIFT, state.values, DRIFT.t, state.view, state.theme)
    assert ask(asked, FILM)


def check_words(at: AppTest, state: State) -> None:
    """Set-up, notes, odds, drawers and sentence are the state's; the sentence is that with which the film opened."""
    stands = ask(state, PAGE)["scene"]
    drawn = {unmarked(one.value) for one in at.caption}
    assert unmarked(stands["caption"]) in drawn
    assert all(any(unmarked(note) in one for one in drawn) for note in stands["notes"])
    assert {unmarked(stands["odds"])} - {""} <= {unmarked(one.value) for one in at.markdown}
    assert {*stands["tables"], *(one["title"] for one in stands["drawers"])} <= {one.label for one in at.expander}
    opens = stands["times"][film(at)["start"]]
    assert live(at) == [unmarked(ask(State(DRIFT, state.values, opens, theme=state.theme), PAGE)["scene"]["sentence"])]


def check_address(at: AppTest) -> None:
    """The address says every setting and the time, with what it leaves out as the page opens."""
    words: dict[str, Any] = dict(address_words(at))
    moment = words.pop("moment", None)
    given = {key: DRIFT.knobs[key].read(raw) for key, raw in words.items() if key in DRIFT.knobs}
    first, t = link.opening(DRIFT, moment, given)
    assert first | given == DRIFT.settings({key: at.session_state[key] for key in DRIFT.knobs})
    assert (moment, int(words.get("t", t))) == (at.session_state["moment"], session_of(at).t)


class Reader(RuleBasedStateMachine):
    """A reader of "Drifting rewards"."""

    @initialize()
    def open(self) -> None:
        self.at = opened(DRIFT.file)
        self.number, self.before = 0, address_words(self.at)

    @property
    def asks(self) -> bool:
        """Return whether a bet is on the page."""
        return self.at.session_state["guess"] != CLOSED

    @precondition(lambda self: not self.asks)
    @rule(V=st.sampled_from(DRIFT.knobs["V"].stops))
    def slide(self, V: float) -> None:
        self.before = address_words(self.at)
        self.at = turn(self.at, "slider", "V", V)
        assert self.at.session_state["V"] == V

    @precondition(lambda self: not self.asks)
    @rule(key=st.sampled_from([*MOMENTS, None]))
    def choose_moment(self, key: str | None) -> None:
        self.before = address_words(self.at)
        self.at = turn(self.at, "segmented", "moment", key)
        assert session_of(self.at).t == (DRIFT.moment(key).t if key else session_of(self.at).t)

    @precondition(lambda self: not self.asks)
    @rule(share=st.floats(0, 1))
    def pause(self, share: float) -> None:
        stage = film(self.at)
        t = round(share * (stage["n"] - 1))
        self.at.session_state["player"] = {"t": {"t": t, "reset": stage["reset"]}}
        self.at = self.at.run()
        assert session_of(self.at).t == stage["times"][t]

    @precondition(lambda self: not self.asks and not self.at.button(key="undo_last").disabled)
    @rule()
    def undo(self) -> None:
        self.at = self.at.button(key="undo_last").click().run()

    @precondition(lambda self: not self.asks)
    @rule()
    def reset(self) -> None:
        self.at = self.at.button(key="undo_all").click().run()
        assert shown_state(self.at) == State(DRIFT, DRIFT.defaults, DRIFT.t, theme=shown_state(self.at).theme)

    @precondition(lambda self: not self.asks)
    @rule()
    def bet(self) -> None:
        self.before = address_words(self.at)
        self.at = self.at.button(key="bet_open").click().run()

    @precondition(lambda self: self.asks)
    @rule()
    def reveal_or_leave(self) -> None:
        key = "bet_leave" if self.at.session_state["reveal"] else "bet_reveal"
        self.at = self.at.button(key=key).click().run()

    @rule()
    def look(self) -> None:
        self.at = self.at.toggle(key="lecture").set_value(not self.at.session_state["lecture"]).run()

    @rule()
    def back(self) -> None:
        self.number += 1
        self.at.query_params.clear()
        self.at.query_params.update(self.before | {address.BACK: str(self.number)})
        self.at = self.at.run()

    @rule()
    def reload(self) -> None:
        self.number = 0
        self.at = opened(DRIFT.file, **address_words(self.at))

    @invariant()
    def agree(self) -> None:
        assert faults(self.at) == []
        state = shown_state(self.at)
        check_film(self.at, state)
        check_address(self.at)
        if state.view == LESSON:
            check_words(self.at, state)


def test_any_order_of_acts_shows_one_state() -> None:
    run_state_machine_as_test(Reader, settings=settings(max_examples=3, stateful_step_count=8, deadline=None))
