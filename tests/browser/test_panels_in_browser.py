"""On a phone a lesson of several panels shows one of them whole; a swipe or a tap on its dot brings another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.boxes import touching
from tests.browser.conftest import PHONE, new_tab
from tests.browser.screen import Screen
from tests.browser.test_stage import DRAW, UNMATCHED
from tvbo_core import bands

pytestmark = pytest.mark.browser
NAMES = list(bands.ALL)
CURRENT = "n => [...document.querySelectorAll('.dots button')].findIndex(e => e.ariaCurrent === 'true') === n"
# The panel that is shown: its head, its left and right end by the ticks of its places, and all words of the lanes.
SEEN = """() => {
  const at = e => { const b = e.getBoundingClientRect(); return [e.textContent, b.left, b.right]; };
  const words = [...document.querySelectorAll('.st-key-main .gd .textpoint text')].filter(tab.seen).map(at);
  return { heads: words.filter(([text]) => text.includes('±')), lanes: words.filter(([text]) => !text.includes('±')),
    ticks: [...document.querySelectorAll('.st-key-main .gd .xtick text')].filter(tab.seen).map(at),
    up: [...document.querySelectorAll('.st-key-main .gd .ytick text')].filter(tab.seen).length }; }"""


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Callable[..., Screen]]:
    """A page on a phone that is touched."""
    contexts = []

    def visit(size: dict[str, int], **link: object) -> Screen:
        screen = new_tab(browser, address, is_mobile=True, has_touch=True)
        contexts.append(screen.page.context)
        screen.page.set_viewport_size(size)
        return screen.open("Confidence_bands", **link)

    yield visit
    for context in contexts:
        context.close()


def swipe(screen: Screen, by: float) -> None:
    """Move a finger over the stage by so many pixels to the right, and lift it."""
    box = screen.page.locator(".st-key-main .chart").bounding_box()
    hand = screen.page.context.new_cdp_session(screen.page)
    x, y = 0.5 * PHONE["width"] - 0.5 * by, box["y"] + 0.3 * box["height"]
    hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for i in range(1, 11):
        hand.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + by * i / 10, "y": y}]})
        screen.hold(16)  # a frame
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def shows(screen: Screen, panel: int) -> None:
    """Assert that a panel stands whole on the screen and no other one does, above all lanes."""
    screen.until(CURRENT, panel).settle()
    seen = screen.page.evaluate(SEEN)
    assert [text.split()[0] for text, _, _ in seen["heads"]] == [NAMES[panel]]
    (_, left, _), (_, _, right) = seen["ticks"][:2]
    assert left >= 0 and right <= PHONE["width"] and right - left > 0.75 * PHONE["width"]
    assert left - 8 < seen["heads"][0][1] < left + 8  # the name stands at the left edge
    assert seen["up"] >= 3  # numbers of its axis
    assert len(seen["lanes"]) == len(NAMES) and all(0 <= a < b <= PHONE["width"] for _, a, b in seen["lanes"])
    assert touching(screen.words()) == []


def test_a_swipe_brings_the_next_panel_whole_and_the_dots_follow(phone: Callable[..., Screen]) -> None:
    screen = phone(PHONE)
    stage = screen.page.locator(".st-key-main .chart").bounding_box()
    assert (round(stage["x"]), round(stage["width"])) == (0, PHONE["width"]) and stage["y"] < PHONE["height"] / 3
    shows(screen, 0)  # the tightest, which the headline is about
    for panel in (1, 2):
        swipe(screen, -0.75 * PHONE["width"])
        shows(screen, panel)
    screen.page.evaluate(DRAW)  # what runs is the picture that rests, in this panel too
    screen.until("() => lab.chart(tab.chart('main')).picture.stands")
    assert screen.page.evaluate(UNMATCHED) == []
    swipe(screen, 0.75 * PHONE["width"])
    shows(screen, 1)
    assert screen.errors == []


def test_a_tap_on_a_dot_brings_the_panel_that_it_names_and_a_new_setting_leaves_it(
    phone: Callable[..., Screen],
) -> None:
    screen = phone(PHONE)
    dots = screen.page.locator(".dots button")
    screen.until(CURRENT, 0)
    assert [one.strip() for one in dots.all_inner_texts()] == NAMES
    for i in range(len(NAMES)):
        box = dots.nth(i).bounding_box()
        assert min(box["width"], box["height"]) >= 24  # WCAG 2.5.8
        assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE["width"]
    dots.nth(3).tap()
    shows(screen, 3)
    screen.redraw(lambda: screen.page.locator(".st-key-lead").get_by_role("slider").first.press("End"))
    screen.until(CURRENT, 3).settle()
    assert [text.split()[0] for text, _, _ in screen.page.evaluate(SEEN)["heads"]] in ([NAMES[3]], [])  # an empty set
    assert screen.errors == []


def test_on_its_side_a_phone_shows_all_panels_and_upright_again_one(phone: Callable[..., Screen]) -> None:
    screen = phone({"width": 844, "height": 390})
    heads = screen.page.evaluate(SEEN)["heads"]
    assert [text.split()[0] for text, _, _ in heads] == NAMES and all(right <= 844 for _, _, right in heads)
    assert screen.page.locator(".dots button").count() == 0
    screen.page.set_viewport_size(PHONE)
    shows(screen.hold(400), 0)
    assert screen.errors == []
