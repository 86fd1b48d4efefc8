"""A hall with phones: three of them and a wall through the bets of a course, and the speaker's window beside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from lessons.game.together.model import ROUNDS
from lessons.game.together.panel import TOO_SOON
from shell.hall.course.courses import COURSES
from tests.browser.conftest import PROJECTOR
from tests.browser.screen import Screen
from tests.browser.test_course import ARRIVED, begin, stop

pytestmark = pytest.mark.browser
SMALL, DARK = {"width": 320, "height": 568}, {"color_scheme": "dark"}
WIDER = "() => document.documentElement.scrollWidth > innerWidth"
# Controls that are seen and lower than a finger needs.
SMALLER = (
    "() => [...document.querySelectorAll('button, input')].filter(b => b.offsetParent && b.offsetHeight < 44).length"
)
# The film of a reveal plays, and from now on so slowly that every phone hears of it before its end.
SLOWED = "() => lab.course?.due === 'finish' && !!lab.player?.clock.runs && !!(lab.player.clock.speed = 0.02)"
OPEN = "#answers button[aria-disabled=false]"  # those of a question before stay until a phone has heard of the next one
LEVEL = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}


def opened(wall: Screen) -> str:
    """Open a room on the page of a wall, and return its code."""
    wall.page.get_by_role("button", name="Open a room").click()
    code = wall.page.locator(".st-key-room .code")
    expect(code).not_to_be_empty()
    return code.inner_text()


def joined(stranger: Callable[[], Screen], code: str, number: int = 3) -> list[Screen]:
    """Return phones that have opened the room, the second one dark, all as small as phones come."""
    found = []
    for i in range(number):
        phone = stranger()
        phone.page.set_viewport_size(SMALL)
        phone.page.emulate_media(**DARK if i == 1 else {})
        phone.page.goto(f"{phone.address}/r/{code.lower()}")
        expect(phone.page.locator("#head")).to_have_text("You are in")
        found.append(phone)
    return found


def answer(page: Page, choice: int) -> None:
    page.locator(OPEN).nth(choice).click()
    expect(page.locator("#status")).to_have_text("Answered.")


def counted(wall: Screen, words: str) -> None:
    expect(wall.page.locator(".st-key-room .count")).to_have_text(words)


def test_clicker_runs_a_course_with_phones(stranger: Callable[[], Screen]) -> None:
    """A course that any link can name: a film, and three bets."""
    stops = ("drift.budget", "chase.bet", "race.bet", "bands.bet")
    bets, last = [2, 3, 4], len(stops) + 1
    wall = begin(stranger(), PROJECTOR, stops=",".join(stops), lecture="true")
    phones, met = joined(stranger, opened(wall)), []
    counted(wall, "3 phones")
    for _ in range(20 * last):
        if stop(wall) == last:
            break
        if wall.page.evaluate("() => !!lab.course?.asks") and stop(wall) not in met:
            met.append(stop(wall))
            whole_bet(wall, phones)
        wall.press("PageDown").hold(300).until(ARRIVED).hold(100)
    assert met == bets
    with wall.page.expect_download() as saved:
        wall.page.get_by_role("button", name="Save the answers (CSV)").click()
    lines = saved.value.path().read_text(encoding="utf-8").splitlines()
    assert len({line.split(",")[0] for line in lines[1:]}) == len(bets)
    assert sum(int(line.rsplit(",", 1)[1]) for line in lines[1:]) == 3 * len(bets)
    assert [one.errors for one in (wall, *phones)] == [[]] * 4  # a room that is closed is refused, which a browser logs
    wall.page.get_by_role("button", name="Close the room, delete its answers").click()
    expect(phones[0].page.locator("#hint")).to_contain_text("There is no such room")


def whole_bet(wall: Screen, phones: list[Screen]) -> None:
    """Answer an open bet on every phone, reveal it by the clicker, and see the truth on wall and phones."""
    options = phones[0].page.locator(OPEN)
    expect(options).to_have_count(wall.page.evaluate("() => lab.course.hands.length"))
    counted(wall, "0 of 3 phones answered")
    for i, phone in enumerate(phones):
        answer(phone.page, i % options.count())
    answer(phones[2].page, 0)  # changed
    counted(wall, "3 of 3 phones answered")
    wall.press("PageDown").until(SLOWED)
    expect(phones[0].page.locator("#hint")).to_have_text("The answers are closed. Look at the wall.")
    wall.press("PageDown")
    for phone in phones:
        expect(phone.page.locator("#status")).to_contain_text("of 3 in this room had it.")
        assert not phone.page.evaluate(WIDER)
    hits = phones[0].page.locator("#status").inner_text().split(" of 3 in")[0].rpartition(" ")[2]
    expect(wall.page.locator(".st-key-bet_truth")).to_contain_text(f"{hits} of 3 votes had")


def test_speaker_alone_sees_truth_and_counts(stranger: Callable[[], Screen]) -> None:
    wall = begin(stranger(), PROJECTOR, course="hour", lecture="true")
    (phone,) = joined(stranger, opened(wall), 1)
    wall.page.goto(f"{wall.address}/?guess=open&lecture=true")
    answer(phone.page, 0)
    with wall.page.expect_popup() as window:
        wall.page.get_by_role("button", name="Speaker window").click()
    beside = window.value
    expect(beside.locator("#room_head")).to_have_text("1 of 1 phones have answered")
    expect(beside.locator("#room_truth")).to_have_text("Only here: it is The one that forgets.")
    assert "1" in beside.locator("#room_counts li").first.inner_text()
    assert "forgets: 0" not in wall.page.locator("body").inner_text()
    expect(beside.locator("#finding")).to_be_empty()  # a headline of the page would tell the answer


def test_key_q_shows_the_room(stranger: Callable[[], Screen]) -> None:
    wall = begin(stranger(), PROJECTOR, course="hour", lecture="true")
    code = opened(wall)
    wall.page.locator(".st-key-audience_title input").fill("http://lab.example.org")
    wall.press("Enter").blur().until("() => !!lab.room?.data.qr")
    for _ in ("the title page, without a player", "a lesson's page"):
        sheet = wall.press("q").page.get_by_role("dialog", name="QR code of the room")
        expect(sheet).to_contain_text(f"lab.example.org/r/{code}")
        wall.press("q")
        expect(sheet).to_have_count(0)
        wall.press("PageDown").until("() => location.search.includes('stop=1') && !!lab.room && !!lab.player").settle()


def test_phone_is_read_and_pressed_without_sight(stranger: Callable[[], Screen]) -> None:
    wall = begin(stranger(), PROJECTOR, course="hour", lecture="true")
    phones = joined(stranger, opened(wall), 2)
    wall.page.goto(f"{wall.address}/?guess=open")
    for phone in phones:
        expect(phone.page.locator("#answers button").first).to_be_visible()
        assert phone.page.evaluate("() => document.activeElement.id") == "head"
        phone.press("Tab", "Tab", "Enter")
        expect(phone.page.locator("#status")).to_have_text("Answered.")
        expect(phone.page.locator("#answers button").nth(1)).to_have_attribute("aria-pressed", "true")
        assert Axe().run(phone.page, options=LEVEL).response["violations"] == []
        assert phone.page.evaluate(SMALLER) == 0 and not phone.page.evaluate(WIDER)


def play(page: Page, places: Iterable[int]) -> None:
    """Query these actions one after the other."""
    for place in places:
        before = page.locator("#heard circle").count()
        page.locator("#place").fill(str(place))
        page.locator("#query").click()
        expect(page.locator("#heard circle")).to_have_count(before + 1)


def test_clicker_runs_a_game_with_phones(stranger: Callable[[], Screen]) -> None:
    at = next(at for at, one in enumerate(COURSES["hour"].stops, start=1) if one.lesson == "game")
    wall = begin(stranger(), PROJECTOR, course="hour", lecture="true")
    phones = joined(stranger, opened(wall))
    wall.page.goto(f"{wall.address}/You_against_the_bandits?course=hour&stop={at}&moment=glide&lecture=true")
    for phone in phones:
        expect(phone.page.locator("#head")).to_have_text("Find the hidden peak")
    phones[1].page.locator("#heard").click(position={"x": 20, "y": 20})  # a tap chooses an action
    assert int(phones[1].page.locator("#place").input_value()) < 20
    for phone, rounds in zip(phones, (ROUNDS, ROUNDS, 3), strict=True):
        play(phone.page, range(0, 5 * rounds, 5))
    phones[2].page.reload()  # who comes back goes on
    expect(phones[2].page.locator("#status")).to_contain_text(f"Round 4 of {ROUNDS}.")
    game = wall.page.locator(".st-key-room_game")
    expect(game.locator(".count")).to_have_text(f"2 of 3 phones played all {ROUNDS} rounds")
    expect(game.locator("canvas")).to_have_attribute("aria-label", f"{2 * ROUNDS + 3} queries of 3 phones")
    inked = "c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(one => one > 0)"
    assert game.locator("canvas").evaluate(inked)
    wall.until("() => lab.course?.due === 'reveal'").press("PageDown").until("() => !!lab.player")
    for phone, said in zip(phones, ("Your regret is", "Your regret is", "Your regret after 3 rounds is"), strict=True):
        expect(phone.page.locator("#status")).to_contain_text(said)
        expect(phone.page.locator("#query")).to_be_hidden()
        assert not phone.page.evaluate(WIDER) and phone.errors == []
    expect(wall.page.locator(".live")).to_contain_text("has 2; its median regret came")
    wall.until("() => lab.course?.due === 'go'")  # the button of the game stays until the run has ended
    wall.press("PageDown").until(f"() => location.search.includes('stop={at + 1}')")
    assert wall.errors == []


def test_game_is_played_without_sight(stranger: Callable[[], Screen]) -> None:
    wall = begin(stranger(), PROJECTOR, course="hour", lecture="true")
    (phone,) = joined(stranger, opened(wall), 1)
    wall.page.goto(f"{wall.address}/You_against_the_bandits")
    wall.until("() => !!lab.player").settle().press("d")
    expect(phone.page.locator("#head")).to_be_focused()
    phone.press("Tab", "ArrowRight")
    expect(phone.page.locator("#place")).to_have_attribute("aria-valuetext", "x = 0.51")
    phone.press("Tab", "Enter")
    expect(phone.page.locator("#status")).to_contain_text("at x = 0.51.")
    expect(phone.page.locator("#heard")).to_have_attribute("aria-label", re.compile(r"^Your rewards. x 0.51: "))
    assert Axe().run(phone.page, options=LEVEL).response["violations"] == []
    assert phone.page.evaluate(SMALLER) == 0 and not phone.page.evaluate(WIDER)
    wall.until("() => !lab.player?.root.isConnected && !!lab.room?.data.game")  # a phone may be there before the wall
    wall.press("PageDown")  # nobody has played to the end
    expect(wall.page.get_by_text(TOO_SOON)).to_be_visible()
    expect(phone.page.locator("#head")).to_have_text("You are in")
