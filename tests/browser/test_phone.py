"""A phone in a hand: every page is swiped, tapped and turned by touches of the browser's own kind.

Taps are of at least 44 pixels but for words in running text, which are as high as their lines (WCAG 2.5.8, "inline").
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from lessons import LESSONS
from tests.browser.boxes import cut
from tests.browser.conftest import BETTING, FILMS, ON_ITS_SIDE, PHONE, new_tab, sampled
from tests.browser.finger import AT_LEAST, FAR, HOLDS, Finger
from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
PAGES = ("", *FILMS)
LEADS = {"" if lesson.file == "home.py" else path for path, lesson in {"": LESSONS[0], **FILMS}.items() if lesson.leads}
CHART, TRACK, DOCK = ".st-key-main .swipe", ".player input", ".st-key-lead .stSlider [role=group]"
STATE = """() => [document.querySelector('[data-testid=stMain]').scrollTop, lab.now.t,
  document.querySelector('.st-key-lead input[type=range]')?.value]"""
# Controls that are seen, but for words in running text; a slider is its group, a box its label. What is one pixel
# large is for those who hear the page.
SMALL = """() => [...document.querySelectorAll(
    '.stMain :is(button, a[href], summary, select, label.sheet, .player input, .stSlider [role=group])')]
  .filter(el => el.checkVisibility({ visibilityProperty: true }) && !el.closest('p, .live, [href^="#term-"], [inert]'))
  .map(el => [el.ariaLabel ?? el.innerText, el.getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 1 && height > 1 && Math.min(width, height) < 43.5)
  .map(([name, { width, height }]) => `${name}: ${width} x ${height}`)"""
LINE = """() => {
  const chart = lab.charts.get('main'), box = chart.root.getBoundingClientRect();
  const now = e => lab.player.grip.find(chart, e).some(found => !found.key);
  for (let y = 0; y < box.height; y += 4) {
    const e = { pointerType: 'touch', clientX: box.left + 0.4 * box.width, clientY: box.top + y };
    if (now(e)) return [e.clientX, e.clientY];
  }
}"""


@pytest.fixture(scope="module")
def phone(browser: Browser, address: str) -> Iterator[Screen]:
    """One phone for all pages."""
    screen = new_tab(browser, address, has_touch=True, is_mobile=True)
    yield screen
    screen.page.context.close()


@pytest.fixture(scope="module")
def finger(phone: Screen) -> Finger:
    return Finger(phone.page, phone.page.context.new_cdp_session(phone.page))


def rise(screen: Screen) -> None:
    """Scroll to the top."""
    screen.page.evaluate("() => { document.querySelector('[data-testid=stMain]').scrollTop = 0; }")


def state(screen: Screen) -> list:
    """Return how far the page is scrolled, the frame, and the place of the slider that leads."""
    return screen.page.evaluate(STATE)


@pytest.mark.parametrize("path", sampled(PAGES, "", "Drifting_rewards", "Confidence_bands", "Real_data"))
def test_phone_tells_the_story_by_touch(phone: Screen, finger: Finger, path: str) -> None:
    screen, page = phone, phone.page
    screen.forget()
    page.set_viewport_size(PHONE)
    screen.open(path) if path else screen.front()
    _stands_in_order(screen)
    assert page.evaluate(SMALL) == []
    for part, rests in ((CHART, 0), (TRACK, 0), (TRACK, HOLDS), (DOCK, 0), (DOCK, HOLDS)):
        if page.locator(part).first.is_visible():
            _scrolls(screen, finger, part, rests)
    if page.locator(TRACK).is_visible():
        _time_moves_sideways(screen, finger)
    _tap_leaves_picture_in_view(screen)
    page.set_viewport_size(ON_ITS_SIDE)
    screen.hold(300).settle()
    assert cut(screen, CHART, *([".st-key-lead"] if path in LEADS else [])) == []
    assert screen.errors == []


def _stands_in_order(screen: Screen) -> None:
    """Assert that moments, bet and task are one row between headline and picture, and all is as wide as the phone."""
    page = screen.page
    headline, row, chart = (
        page.locator(part).first.bounding_box() for part in (".st-key-finding_spot", ".st-key-moments", CHART)
    )
    assert headline["y"] + headline["height"] <= row["y"] and row["y"] + row["height"] <= chart["y"] + 1
    assert 44 <= row["height"] <= 60
    assert cut(screen, ".st-key-main .swipe") == []
    assert page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth") <= PHONE["width"]


def _scrolls(screen: Screen, finger: Finger, part: str, rests: int) -> None:
    """Assert that a swipe up that begins on a part scrolls the page, and moves nothing else."""
    rise(screen)
    _, *before = state(screen)
    finger.swipe(finger.place(part), 0, -FAR, rests)
    far, *after = state(screen)
    assert far >= AT_LEAST and after == before, part
    rise(screen)


def _time_moves_sideways(screen: Screen, finger: Finger) -> None:
    _, before, _ = state(screen)
    finger.swipe(finger.place(TRACK), -90, 4)
    assert state(screen)[0] == 0 and state(screen)[1] != before


def _tap_leaves_picture_in_view(screen: Screen) -> None:
    """Assert that who taps a moment sees its headline and picture."""
    screen.page.locator(".st-key-moments [data-testid=stButtonGroup] button").nth(1).tap()
    screen.until("() => new URLSearchParams(location.search).get('moment')").settle()  # it comes before the page
    assert cut(screen, "h1", ".st-key-finding_spot", ".st-key-main .swipe") == []


def test_hold_and_sideways_move_the_slider(phone: Screen, finger: Finger) -> None:
    screen = phone
    screen.page.set_viewport_size(PHONE)
    screen.open("Drifting_rewards")
    for hold, across in ((0, 90), (HOLDS, 30), (HOLDS, 0)):
        *_, before = state(screen)
        url = screen.page.url
        finger.swipe(finger.place(DOCK), across, 3 if across else 0, hold)
        screen.until("url => location.href !== url", url).settle()  # Python has heard of it
        assert state(screen)[2] != before and state(screen)[0] == 0
    assert screen.errors == []


def test_hold_takes_the_line_of_now(phone: Screen, finger: Finger) -> None:
    screen = phone
    screen.page.set_viewport_size(PHONE)
    screen.open("Drifting_rewards", view="maps", t=100)
    before = state(screen)
    finger.swipe(screen.page.evaluate(LINE), 0, -60)
    assert state(screen)[1] == before[1] and state(screen)[0] > 0
    rise(screen)
    finger.swipe(screen.page.evaluate(LINE), 0, -60, HOLDS)
    assert state(screen)[1] != before[1] and state(screen)[0] == 0


@pytest.mark.parametrize("path", sampled(BETTING, "", "Confidence_bands", "Under_the_microscope"))
def test_bet_opens_at_its_question(phone: Screen, path: str) -> None:
    screen = phone
    screen.page.set_viewport_size(PHONE)
    screen.open(path, guess="open") if path else screen.visit(f"{screen.address}/?guess=open")
    screen.page.locator(".st-key-bet_pick button").nth(1).wait_for()  # between two runs a page looks ready, too
    answers = screen.page.locator(".st-key-bet_pick button").count()
    parts = [f".st-key-bet_pick button >> nth={i}" for i in range(answers)]
    assert cut(screen, "h1", ".st-key-main .swipe", *parts) == []
