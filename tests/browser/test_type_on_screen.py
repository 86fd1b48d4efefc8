"""Every moment, bet and drawer of every lesson on five screens: what is written lies inside its frame and apart.

`python -m pytest -m wide tests/browser/test_type_on_screen.py` opens all of them. Checked by bounding boxes: no text
over another one, or cut by its frame or another element; the page is
no wider than the window; on a phone what is pressed is as large as a finger.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser

from lessons import BY_KEY
from lessons.record import OPEN, Lesson
from tests.browser.boxes import of_figures, of_page
from tests.browser.conftest import DESK, HALL, PHONE, TABLET, ZOOMED, new_tab
from tests.browser.screen import Screen

pytestmark = [pytest.mark.browser, pytest.mark.wide]
# One visit serves several sizes; Plotly follows a window that changes its size.
VISITS = {
    "desk": {"1366x768": DESK, "200 %": ZOOMED},
    "hall": {"1920x1080, lecture": HALL},
    "hand": {"390x844": PHONE, "820x1180": TABLET},
}
SHARES = (0.0, 0.4, 1.0)  # of a film, beside the moment's own time
TOLD = "() => document.querySelector('.st-key-moments [data-testid=stCaptionContainer]')?.innerText"
# A drawer opens over some frames, longer where its knobs arrive late: its height is the same ten times in a row.
RESTS = """() => { const high = document.querySelector('.st-key-more details').getBoundingClientRect().height;
  window.__rests = high === window.__high ? (window.__rests ?? 0) + 1 : 0;
  window.__high = high; return __rests > 9; }"""
MOVE = """share => { const bar = tab.bar(); if (!bar) return false;
  bar.value = Math.round(share * bar.max); bar.dispatchEvent(new Event('input')); return true; }"""


def resized(screen: Screen, size: dict) -> None:
    if screen.page.viewport_size != size:
        screen.page.set_viewport_size(size)
        screen.hold(400)  # Plotly follows a changed window after a tenth of a second
        screen.settle()


def findings(screen: Screen, size: dict, phone: bool) -> list[str]:
    """Return what is wrong at the time that stands and, where the stage has a player, at further times."""
    found = of_page(screen, size["width"], phone) + of_figures(screen)
    for share in SHARES:
        if not screen.page.evaluate(MOVE, share):
            break
        screen.until("() => !tab.chart('main') || lab.chart(tab.chart('main')).frame === lab.now.t").hold(120)
        found += of_figures(screen, moved=True)
    return list(dict.fromkeys(found))


@pytest.fixture
def visit(browser: Browser, address: str) -> Callable[[str], Screen]:
    """Open a tab for a visit; tablets and phones are touched."""
    contexts = []

    def arrive(how: str) -> Screen:
        more = {"is_mobile": True, "has_touch": True} if how == "hand" else {}
        screen = new_tab(browser, address, **more)
        contexts.append(screen.page.context)
        screen.page.set_viewport_size(next(iter(VISITS[how].values())))
        return screen

    yield arrive
    for context in contexts:
        context.close()


def opening(lesson: Lesson) -> int:
    """Return the first moment to look at: 1 where the page opens with it, 0 where it has a state of its own."""
    first = lesson.moments[0]
    return int(not first.values and first.t == lesson.t)


def bets(lesson: Lesson, how: str) -> list[tuple[str, dict[str, str]]]:
    """Return links to the lesson with its bet open, and revealed beside the truth."""
    if lesson.bet is None:
        return []
    more = {"lecture": "true"} if how == "hall" else {}
    words = list(lesson.bet.options)
    guess = ".".join(words) if lesson.bet.ranks else words[0]
    return [("bet", {"guess": OPEN} | more), ("truth", {"guess": guess, "reveal": "true"} | more)]


def of_open_drawer(screen: Screen, size: dict, phone: bool) -> list[str]:
    """Return what is wrong with the page while More… is open, on a phone in the sheet of the controls."""
    more = screen.page.locator(".st-key-more summary")
    if phone:
        screen.page.locator("label.sheet").click()
    if more.count():
        more.click()
        screen.page.locator(".st-key-more details[open]").wait_for()
        screen.hold(500).until(RESTS).settle()
    found = of_page(screen, size["width"], phone)
    if more.count():
        more.click()
        screen.hold(300)
        screen.settle()
    if phone:
        screen.page.locator("label.sheet").click()
    return found


@pytest.mark.parametrize("how", VISITS)
@pytest.mark.parametrize("key", BY_KEY)
def test_words_lie_inside_their_frame_and_apart(visit: Callable[[str], Screen], key: str, how: str) -> None:
    lesson, screen = BY_KEY[key], visit(how)
    path = "" if lesson.file == "home.py" else lesson.file.removeprefix("pages/").removesuffix(".py")
    screen.page.goto(f"{screen.address}/{path}{'?lecture=true' if how == 'hall' else ''}")
    wrong: dict[str, list[str]] = {name: [] for name in VISITS[how]}
    for moment in range(opening(lesson), len(lesson.moments) + 1):  # 0 is the page as it opens
        screen.settle()
        if moment:
            screen.press(str(moment)).hold(300)
            if how != "hall":  # where only the speaker's window has the line to say
                screen.until(f"n => ({TOLD})()?.includes(n)", lesson.moments[moment - 1].script)
            screen.settle()
        screen.every_closer()
        for name, size in VISITS[how].items():
            resized(screen, size)
            wrong[name] += [f"{moment} {one}" for one in findings(screen, size, name == "390x844")]
    for state, query in bets(lesson, how):
        screen.page.goto(f"{screen.address}/{path}?{urlencode(query)}")
        screen.settle()
        for name, size in VISITS[how].items():
            resized(screen, size)
            seen = of_page(screen, size["width"], name == "390x844") + (of_figures(screen) if state == "truth" else [])
            wrong[name] += [f"{state} {one}" for one in seen]
    screen.page.set_viewport_size(next(iter(VISITS[how].values())))
    screen.page.goto(f"{screen.address}/{path}{'?lecture=true' if how == 'hall' else ''}")
    screen.settle()
    for name, size in VISITS[how].items():
        resized(screen, size)
        wrong[name] += [f"drawer {one}" for one in of_open_drawer(screen, size, name == "390x844")]
    assert {name: found for name, found in wrong.items() if found} == {}
    assert screen.errors == []
