"""The last picture lies in the place of the next one until that is painted, and a film that fails leaves it there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route

from tests.browser.conftest import sampled
from tests.browser.screen import Screen
from tests.browser.test_drag_in_browser import CAUGHT_UP, drag

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
# Notes, picture by picture of the screen, whether a last picture is seen, whether a stage is painted, and an open bet.
WATCH = """() => { window.seen = []; const look = () => {
  const box = document.querySelector('body > .lab-picture');
  seen.push({ box: !!box && box.offsetWidth > 300 && box.offsetHeight > 300,
    bet: !!document.querySelector('.st-key-bet_panel'), wide: box ? box.getBoundingClientRect().right : 0,
    figure: !!lab.charts.get('main')?.figure });
  requestAnimationFrame(look); }; look(); }"""
AMISS = "() => lab.player.root.querySelector('.amiss').textContent"


def follow_link(screen: Screen, name: str) -> Screen:
    screen.page.locator(f".st-key-neighbours a[href*='{name}']").first.click()
    return screen.until("name => location.pathname.includes(name)", name)


@pytest.mark.parametrize("motion", sampled(["no-preference", "reduce"], "no-preference"))
def test_from_page_to_page_the_last_picture_stays_until_the_next_is_painted(tab: Tab, motion: str) -> None:
    screen = tab("Drifting_rewards", media={"reduced_motion": motion})
    screen.page.evaluate(WATCH)
    follow_link(screen, "Forgetting").settle()
    seen = screen.page.evaluate("() => seen")
    empty = [one for one in seen if not one["figure"]]
    assert empty and sum(one["box"] for one in empty) > 0.6 * len(empty)
    assert not any(one["box"] for one in seen if one["figure"])
    assert max(one["wide"] for one in seen) <= screen.page.viewport_size["width"]
    assert not seen[-1]["box"] and screen.errors == []


def test_a_page_without_a_stage_and_an_open_bet_show_no_last_picture(tab: Tab) -> None:
    screen = tab("Drifting_rewards")
    screen.page.evaluate(WATCH)
    screen.press("d").until("() => document.querySelector('.st-key-bet_panel')").hold(1500)
    assert not any(one["box"] for one in screen.page.evaluate("() => seen") if one["bet"])
    screen = tab("Confidence_bands")
    screen.page.locator("a[href*='Glossary']").first.click()
    screen.until("() => location.pathname.includes('Glossary')").hold(1500)
    assert screen.page.locator("body > .lab-picture").is_hidden()


def turned(screen: Screen, answer: Callable[[Route], None], sentence: str) -> list[str]:
    """Turn V while films get this answer, and return the addresses that are asked for within three seconds."""
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        answer(route)

    before = screen.data()
    screen.page.route("**/film/**", refuse)
    screen.page.route("**/frame/**", lambda route: route.fulfill(status=204))
    try:
        screen.turn("V", "ArrowRight")
        screen.until(f"sentence => ({AMISS})().includes(sentence)", sentence).hold(3000)
        assert screen.data() == before  # the picture stays
    finally:
        screen.page.unroute("**/film/**")
        screen.page.unroute("**/frame/**")
    return asked


FAULTS = {
    "gone": (lambda route: route.abort(), "does not answer"),
    "busy": (lambda route: route.fulfill(status=503), "Many are asking"),
    "damaged": (lambda route: route.fulfill(status=200, body="<!doctype html>"), "does not answer"),
}


@pytest.mark.parametrize("fault", sampled(FAULTS, "busy"))
def test_a_film_that_cannot_be_had_comes_by_itself(tab: Tab, fault: str) -> None:
    screen = tab("Drifting_rewards")
    screen.page.evaluate("() => tab.note()")
    assert len(turned(screen, *FAULTS[fault])) > 1
    screen.until("() => tab.changed()").settle()
    assert screen.page.evaluate(AMISS) == ""
    screen.errors.clear()  # the browser itself writes of a request that failed


def test_a_film_that_there_is_not_is_asked_for_once(tab: Tab) -> None:
    screen = tab("Drifting_rewards")
    asked = turned(screen, lambda route: route.fulfill(status=204), "no picture of this setting")
    assert len(asked) == len(set(asked))
    assert screen.errors == []


def test_a_tab_from_before_an_update_asks_for_the_new_release_by_itself(tab: Tab) -> None:
    screen = tab("Drifting_rewards")
    screen.page.evaluate(
        """() => { const f = lab.player.follower, query = f.question.query.map(
          ([key, value]) => [key, key === 'r' ? '0123456789ab' : value]);
        f.load({ ...f.question, query }); tab.note(); }"""
    )
    drag(screen, "V", 60)
    screen.until("() => tab.changed()").until(CAUGHT_UP)
    screen.page.mouse.up()
    screen.settle()
    assert screen.page.evaluate(AMISS) == ""
    screen.errors.clear()  # the browser writes of the addresses that were refused
