"""Keys at any speed: no sequence of digits ends a page, and the last one wins."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.browser.conftest import BETTING, sampled
from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
# Nothing runs, or the page has ended in a dialog.
IDLE = """() => (document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'
  && !!window.lab?.now) || !!document.querySelector('[role=dialog]')"""
CHOSEN = """() => [...document.querySelectorAll(':is(.st-key-moment, .st-key-bet_pick) button')]
  .findIndex((one) => one.getAttribute('aria-checked') === 'true') + 1"""


def rest(screen: Screen) -> None:
    """Wait until nothing is under way, and no key waits."""
    for _ in range(3):
        screen.hold(450).until(IDLE)


@pytest.mark.parametrize("gap", sampled((0, 60, 120, 200, 350), 60))
@pytest.mark.parametrize("bet", sampled((False, True), False))
@pytest.mark.parametrize("path", sampled(BETTING, ""))
def test_no_digits_end_a_page(stranger: Callable[[], Screen], path: str, bet: bool, gap: int) -> None:
    """A run that named a message which the browser had let go ended the page."""
    screen = stranger()
    screen.page.goto(f"{screen.address}/{path}")
    rest(screen.until(IDLE))
    if bet:
        screen.press("d").page.locator(".st-key-bet_pick button").first.wait_for()
        rest(screen)
    chance, last = random.Random(0), 2 if bet else 3
    for _ in range(20):
        screen.press(chance.choice("12345")).hold(gap)
    rest(screen)
    assert screen.page.get_by_role("dialog").count() == 0, screen.errors
    screen.press("1" if screen.page.evaluate(CHOSEN) == last else str(last))
    for digit in (1, 2, 1, last, 9):  # there is no ninth
        screen.press(str(digit)).hold(gap)
    rest(screen)
    assert screen.errors == [] and screen.page.get_by_role("dialog").count() == 0
    if not BETTING[path].bet.ranks or not bet:
        assert screen.page.evaluate(CHOSEN) == last
