"""Every screen: what belongs on it stands on it whole, in type that is read there, and breaks no rule of WCAG."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import axe_playwright_python
import pytest

from tests.browser.boxes import cut, sound, touching
from tests.browser.conftest import BETTING, DESK, FILMS, HALL, ON_ITS_SIDE, PHONE, PROJECTOR, ZOOMED, sampled
from tests.browser.screen import Screen
from tests.browser.table import GameTab, play
from tests.browser.test_closed_house import open_everything, spoken_to

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
WIDE = "() => document.querySelector('[data-testid=stMain]').scrollWidth"
TOLD = "() => document.documentElement.classList.contains('tvbo-told')"
# What closes fades, and so does what a run draws anew; some marks go round for good.
STILL = """() => document.getAnimations().every(one => one.playState !== 'running'
  || one.effect.getComputedTiming().iterations === Infinity)"""
every_film = pytest.mark.parametrize("path", sampled(FILMS))


def broken(screen: Screen) -> list[str]:
    """Return axe's findings on the page as it stands, a line a rule with the first element it names."""
    screen.page.evaluate(AXE)
    found = screen.page.evaluate("rules => axe.run(document, { runOnly: rules })", RULES)["violations"]
    return [f"{v['id']}: {len(v['nodes'])} times, first {v['nodes'][0]['html'][:200]}" for v in found]


LOOKS = list(product(("", *FILMS), ("light", "dark")))


@pytest.mark.parametrize("look", sampled(LOOKS, ("", "dark"), ("Drifting_rewards", "light")), ids="-".join)
def test_page_breaks_no_rule_of_wcag(tab: Tab, overheard: Path, look: tuple[str, str]) -> None:
    path, scheme = look
    screen = tab(path or "Reproductions", media={"color_scheme": scheme})
    if not path:
        screen.front().page.locator(".st-key-card_microscope .picture").wait_for()
    assert broken(screen) == []
    if scheme == "light":
        opened = open_everything(screen.page)
        screen.hold(1200).settle().until(STILL)
        assert opened and broken(screen) == []
        assert screen.outside == [] and screen.errors == [] and spoken_to(overheard) == []


@every_film
def test_zoomed_and_small_screens_lose_nothing(tab: Tab, path: str) -> None:
    screen = tab(path, size=ZOOMED).every_closer()
    assert screen.page.evaluate(WIDE) <= ZOOMED["width"]
    nameless = "g => !g.closest('[aria-label], [alt]') && !g.querySelector('[aria-label]')"
    assert screen.page.evaluate(f"() => tab.charts().filter({nameless}).map(tab.key)") == []
    screen.page.set_viewport_size({"width": 320, "height": 256})  # 1280 by 1024 pixels at 400 % (WCAG 1.4.10)
    assert screen.hold(400).settle().page.evaluate(WIDE) <= 320
    assert screen.page.locator(".player [data-do=play]").bounding_box()["width"] >= 24  # WCAG 2.5.8
    screen.page.set_viewport_size(ON_ITS_SIDE)
    assert cut(screen.hold(400).open(path), ".live", ".st-key-main .chart", ".player") == []
    assert screen.page.locator(".st-key-main .chart").bounding_box()["height"] >= 190


@every_film
def test_hall_reads_and_sees_every_moment(tab: Tab, path: str) -> None:
    lesson, screen = FILMS[path], tab(path, size=HALL, lecture="true").hold(300).settle()
    seen = screen.words()["words"]
    assert seen and [word["text"] for word in seen if word["size"] < HALL["height"] / 50] == []
    assert screen.page.locator(".st-key-main .js-plotly-plot").bounding_box()["height"] >= 0.6 * HALL["height"]
    lead = [".st-key-lead"] if lesson.leads else []
    for size, keys in ((HALL, (None,)), (PROJECTOR, (None, *(one.key for one in lesson.moments)))):
        screen.page.set_viewport_size(size)
        for key in keys:
            screen.open(path, lecture="true", **({"moment": key} if key else {}))
            parts = ("h1", ".st-key-finding_spot", ".st-key-stage_hall", ".st-key-player", *lead)
            assert cut(screen, *parts) == [], (size, key)
    assert screen.errors == []


@pytest.mark.parametrize("path", sampled(["Drifting_rewards", "Confidence_bands", "The_race", "Theorems"]))
def test_phone_keeps_player_at_the_thumb(tab: Tab, path: str) -> None:
    screen = tab(path, size=PHONE)
    assert touching(screen.words()) == [] and screen.page.evaluate(WIDE) <= PHONE["width"]
    assert cut(screen, ".st-key-main .swipe", ".player [data-do=play]") == []
    figure, play_button = (
        screen.page.locator(one).bounding_box() for one in (".st-key-main .chart", ".player [data-do=play]")
    )
    assert min(play_button["width"], play_button["height"]) >= 44
    assert figure["y"] < PHONE["height"] / 3 and figure["y"] + figure["height"] <= play_button["y"]
    controls, switch = screen.page.locator(".st-key-controls"), screen.page.locator("label.sheet")
    others = controls.locator(".st-key-more")
    assert controls.locator(".st-key-lead").is_visible() and not others.is_visible()  # the knob that leads stays
    switch.click()
    sheet, handle = controls.bounding_box(), switch.bounding_box()
    assert sheet["y"] >= 0.5 * PHONE["height"] and sheet["y"] + sheet["height"] <= handle["y"] + 1
    assert cut(screen, "label.sheet") == [] and handle["height"] >= 44
    before = screen.finding
    screen.redraw(lambda: controls.get_by_role("slider").first.press("End"))
    assert screen.finding != before and others.is_visible()  # a move leaves the sheet open
    switch.click()
    assert not others.is_visible()


HALLS = [(PROJECTOR, {"lecture": "true"}), (ON_ITS_SIDE, {})]
SIZES = [(DESK, {}), (PHONE, {}), *(pytest.param(*one, marks=pytest.mark.wide) for one in HALLS)]


@pytest.mark.parametrize(("size", "link"), SIZES)
def test_front_page_leads_on_from_first_screen(tab: Tab, size: dict, link: dict) -> None:
    screen = tab("Theorems", size=size).front(**link)
    assert cut(screen, ".st-key-start a", *(".st-key-main .chart", ".player [data-do=play]")[: 2 * (not link)]) == []
    start, said = (screen.page.locator(one).bounding_box() for one in (".st-key-start a", ".st-key-finding .live"))
    assert said["y"] >= start["y"] + start["height"] or said["x"] + said["width"] <= start["x"]  # not under it
    for one in screen.page.locator(".player button").all() if size == PHONE else ():
        box = one.bounding_box() if one.is_visible() else {"width": 44, "height": 44}
        assert min(box["width"], box["height"]) >= 44, (one.inner_text(), box)
    if size == DESK:
        assert cut(screen, ".st-key-welcome a:visible") == []
        assert screen.page.locator(".player output").evaluate("el => el.scrollWidth <= el.clientWidth")
        tall = screen.page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollHeight")
        assert tall <= 2 * DESK["height"]
    screen.page.locator(".st-key-start a").click()
    screen.page.locator(".player [data-do=ask]").wait_for()


@pytest.mark.parametrize("path", sampled(BETTING))
def test_bet_stands_whole_on_projector(tab: Tab, path: str) -> None:
    bet, screen = BETTING[path].bet, tab("Theorems", size=PROJECTOR, media={"reduced_motion": "reduce"})
    guess = ".".join(bet.options) if bet.ranks else next(iter(bet.options))
    hands = ".".join(str(7 * i % 5) for i in range(len(bet.options)))  # some have none
    told = {"guess": guess, "reveal": "true"}
    for link in ({"guess": "open"}, told, told | {"guess": "open", "hands": hands}):
        screen.open(path, lecture="true", **link)
        parts = [".st-key-bet_pick", ".st-key-bet_reveal"]
        if "reveal" in link:
            screen.until(TOLD).settle()
            parts = [".st-key-bet_truth"]
        charted = "reveal" in link or bet.places  # answers that are no numbers have buttons alone
        parts += [".st-key-bet_chart"] if charted else []
        assert cut(screen, "h1", ".st-key-stage_hall", ".st-key-player", *parts) == [], link
        if charted:
            sound(screen.words("wager"), path)
    assert screen.errors == []


def test_game_is_free_on_a_phone_turned(table: Callable[..., GameTab]) -> None:
    seat = table()
    seat.page.set_viewport_size(ON_ITS_SIDE)
    seat.sit(moment="secret", rounds=12, stops="game.secret,chase.follow", stop=1)  # above the bar of a course
    low = seat.page.locator(".st-key-course_bar").bounding_box()["y"]
    sound(seat.screen.words("main"), "game")  # the rules stand in the axes
    buttons = [f".player [data-do={name}]" for name in ("left", "ask", "right")]
    assert cut(seat.screen, ".st-key-finding .live", ".st-key-main .chart", *buttons, low=low) == []
    play(seat, 12)
    seat.page.locator(".st-key-guess button >> nth=5").wait_for()
    assert cut(seat.screen, *(f".st-key-guess button >> nth={i}" for i in range(6)), low=low) == []
