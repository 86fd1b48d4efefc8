"""Side queries in a browser: the player and Python draw the same film, and the pick below follows a pause."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.browser.screen import Screen, same_picture

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
PATH = "Side_queries"


def test_what_the_player_moves_to_is_what_python_draws_there(tab: Tab, stranger: Callable[[], Screen]) -> None:
    mine = tab(PATH, t=250)
    mine.mark()
    mine.press(*["PageDown"] * 10)
    mine.linked()
    assert mine.marked("main") and set(mine.page.evaluate("() => tab.copies()").values()) == {1}
    theirs = stranger().visit(mine.page.url)
    assert (theirs.frame, theirs.time, theirs.finding) == (mine.frame, mine.time, mine.finding)
    same_picture(mine.data(), theirs.data(), mine.spans())  # mine was moved by the player, theirs by Python
    assert mine.errors == theirs.errors == []


def test_the_next_event_is_the_next_window_and_the_pick_below_follows(tab: Tab) -> None:
    screen = tab(PATH, t=250).closer("picks")
    before = screen.data("picks")
    screen.press("Shift+ArrowRight").linked()
    label = screen.page.locator(".player").inner_text()
    assert re.search(r", now \d+ of \d+", label)  # a window opens in this round
    assert screen.data("picks") != before
    assert screen.page.get_by_test_id("stException").count() == 0
