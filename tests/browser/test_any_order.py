"""Whatever a reader does in whatever order, Chromium shows page, address and film of one state, as `ask` answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
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

from answers import link
from answers.address import read
from answers.ask import FILM, PAGE, ask
from answers.state import State
from lessons import BY_KEY, LESSONS
from shell.links.address import BACK
from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
DRIFT = BY_KEY["drift"]
QUESTION = "() => lab.player.data.question.query"


def words(text: str) -> str:
    """A sentence without tags, and with plain spaces."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", text))).strip()


class Reader(RuleBasedStateMachine):
    """A reader of "Drifting rewards" in a browser."""

    screen: Screen

    @initialize()
    def open(self) -> None:
        self.dark, self.steps = False, 0
        self.screen.page.emulate_media(color_scheme="light")
        self.screen.open("Drifting_rewards")

    def moved(self, url: str, moves: bool) -> int:
        """Wait for the address that the run after a change ends with: until it begins the page looks as if it stood."""
        if moves:
            self.screen.until("url => location.href !== url", url)
        self.screen.settle()
        return int(moves)

    @rule(key=st.sampled_from(["ArrowLeft", "ArrowRight", "Home", "End"]))
    def turn(self, key: str) -> None:
        url, before = self.screen.page.url, self.screen.value("V")
        self.screen.turn("V", key)
        self.screen.blur()
        self.steps += self.moved(url, before != self.screen.value("V"))

    @rule(pixels=st.sampled_from([-60, 40, 90]))
    def drag(self, pixels: int) -> None:
        url, before = self.screen.page.url, self.screen.value("V")
        self.screen.drag("V", pixels)
        self.screen.page.mouse.up()
        self.screen.blur()
        self.steps += self.moved(url, before != self.screen.value("V"))

    @rule(number=st.integers(1, len(DRIFT.moments)))
    def choose_moment(self, number: int) -> None:
        url = self.screen.page.url
        self.screen.press(str(number))
        self.steps += self.moved(url, True)  # chosen again it is left

    @rule(key=st.sampled_from(["PageUp", "PageDown", "Home", "End"]))
    def step(self, key: str) -> None:
        before = self.screen.frame
        if self.screen.press(key).frame != before:
            self.screen.linked()
        self.screen.settle()

    @precondition(lambda self: self.steps)
    @rule()
    def undo(self) -> None:
        url, button = self.screen.page.url, self.screen.page.locator(".st-key-undo_last button").first
        moves = button.is_enabled()
        self.screen.press("Control+z")
        self.moved(url, moves)

    @precondition(lambda self: self.steps > 1)
    @rule()
    def back(self) -> None:
        count = self.screen.page.evaluate("() => lab.steps.count")
        self.screen.page.evaluate("() => history.back()")
        self.screen.until("count => lab.steps.count > count && !lab.steps.unheard", count).settle()
        self.steps = 0  # how many entries are left is the browser's to know

    @rule(dark=st.booleans())
    def reload(self, dark: bool) -> None:
        self.dark, self.steps = dark, 0
        self.screen.page.emulate_media(color_scheme="dark" if dark else "light")
        self.screen.page.reload()
        self.screen.settle()

    @invariant()
    def agree(self) -> None:
        screen = self.screen
        said = parse_qs(urlsplit(screen.page.url).query)
        found = link.read(DRIFT, said, {BACK})
        assert found.wrong == [] and screen.errors == []
        state = link.state_of(DRIFT, found, LESSONS.index(DRIFT), self.dark)
        check_film(screen, state)
        check_page(screen, replace(state, t=screen.time))


def check_film(screen: Screen, state: State) -> None:
    """The film by the player's address is that of the state in the browser's address."""
    asked = read(DRIFT, [tuple(pair) for pair in screen.page.evaluate(QUESTION)], FILM)
    assert asked == State(DRIFT, state.values, DRIFT.t, theme=state.theme)
    assert ask(asked, FILM)


def check_page(screen: Screen, state: State) -> None:
    """Slider and sentence on screen are the state's, at the time that the player shows."""
    stands = ask(state, PAGE)
    assert screen.value("V") == float(stands["knobs"]["V"]["value"])
    assert words(screen.finding) == words(stands["scene"]["sentence"])


def test_any_order_in_the_browser_shows_one_state(tab: Callable[..., Screen]) -> None:
    class Here(Reader):
        screen = tab("Drifting_rewards")

    # Each act once, as few random walks have them all.
    one = Here()
    one.open()
    for act in (
        partial(one.turn, key="ArrowRight"),
        partial(one.step, key="PageUp"),
        partial(one.drag, pixels=40),
        one.undo,
        partial(one.choose_moment, number=2),
        partial(one.turn, key="End"),
        one.back,
        partial(one.reload, dark=True),
        partial(one.step, key="Home"),
        partial(one.choose_moment, number=3),
        partial(one.turn, key="Home"),
        one.undo,
        one.undo,
    ):
        act()
        one.agree()
    run_state_machine_as_test(Here, settings=settings(max_examples=2, stateful_step_count=7, deadline=None))
