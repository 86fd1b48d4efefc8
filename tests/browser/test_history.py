"""Back and Forward: one action of a reader is one entry of the browser's history, and one step back undoes it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Error

from tests.browser.screen import Screen
from tvbo_core.worlds.codes import encode

pytestmark = pytest.mark.browser
Stranger = Callable[[], Screen]

# What a reader sees of a page's state: each control's value, the sentence, the time, the cover of a bet, the letters,
# the theme, the type; and the address.
PARTS = """
  const name = e => [...(e.closest('[class*=st-key-]')?.classList ?? [])].find(c => c.startsWith('st-key-'))?.slice(7);
  const deep = e => [e, ...[...(e.shadowRoot?.children ?? []), ...e.children].flatMap(deep)];
  const inside = (spot, part) => [...document.querySelectorAll(spot)].flatMap(deep)
    .find(e => e.matches(part))?.innerText ?? '';"""
SEEN = f"""() => {{ {PARTS}
  const shown = [...document.querySelectorAll('[data-testid=stMain] :is(input:not([type=search]), button)')]
    .filter(e => e.offsetParent && !e.closest('.player, .st-key-menu, .st-key-drawers, .st-key-glossary'));
  const controls = shown.map(e => e.type === 'checkbox' ? [name(e), e.checked]
    : e.tagName === 'INPUT' ? [name(e), e.getAttribute('aria-valuetext') ?? e.value]
    : /Active$/.test(e.dataset.testid ?? '') ? [name(e), e.innerText] : null).filter(Boolean);
  return JSON.stringify({{
    path: location.pathname,
    words: [...new URLSearchParams(location.search)].filter(([k]) => !k.startsWith('embed')).sort(),
    controls: controls.map(String).sort(),
    sentence: inside('.st-key-finding_spot', '.live'), time: inside('.st-key-player', 'output'),
    covered: !!document.querySelector('.st-key-bet_panel'),
    revealed: !!document.querySelector('.st-key-bet_shown'),
    hall: !!document.querySelector('.st-key-stage_hall'),
  }}); }}"""
# No script runs and nothing has changed for longer than a pause waits to be told; null while a page is being built.
STILL = f"""() => {{ {PARTS}
  const state = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState;
  const now = state === 'notRunning' && !document.querySelector('[data-stale=true]')
    && (inside('.st-key-finding_spot', '.live') || document.querySelector('.st-key-bet_chart'))
    && document.querySelector('.st-key-address')  // drawn after all else
    && !document.querySelector('[data-testid=stSkeleton]')  // of controls whose script is still on its way
    ? location.href + document.querySelector('[data-testid=stMain]').innerText : null;
  const since = now !== null && window.stillAs === now ? window.stillSince : performance.now();
  window.stillAs = now; window.stillSince = since;
  return now !== null && performance.now() - since > 900; }}"""


class Journey:
    """A reader's way through the lab in a tab of its own: what was seen before and after each action."""

    def __init__(self, screen: Screen, path: str, **link: object) -> None:
        self.screen = screen
        query = "&".join(f"{key}={value}" for key, value in link.items())
        screen.page.goto(f"{screen.address}/{path}{'?' if query else ''}{query}")
        self.rest()
        self.steps = [self.seen()]

    @property
    def entries(self) -> int:
        return self.screen.page.evaluate("() => history.length")

    def rest(self) -> None:
        """Wait until no script runs and nothing has changed for a while."""
        self.screen.until(STILL)

    def seen(self) -> dict:
        return json.loads(self.screen.page.evaluate(SEEN))

    def act(self, action: Callable[[], object], until: str | None = None, argument: object = None) -> Journey:
        """Do one thing: it adds one entry, and shows something else."""
        before = self.entries
        action()
        if until:
            self.screen.until(until, argument)
        self.rest()
        now = self.seen()
        assert now != self.steps[-1]
        assert self.entries == before + 1, (now["words"], self.steps[-1]["words"])
        self.steps.append(now)
        return self

    def note(self, action: Callable[[], object], until: str, argument: object = None) -> Journey:
        """Do something that is seen and that the address says, without an entry of its own."""
        before = self.entries
        action()
        self.screen.until(until, argument)
        self.rest()
        assert self.entries == before
        assert self.seen() != self.steps[-1]
        self.steps[-1] = self.seen()
        return self

    def go(self, steps: int, expected: dict) -> Journey:
        """Go back or forward in the browser: this is seen then, and stays."""
        entries = self.entries
        self.screen.page.evaluate("n => history.go(n)", steps)
        with suppress(Error):  # a difference is told below
            self.screen.until(
                f"expected => ({SEEN})() === expected", json.dumps(expected, separators=(",", ":"), ensure_ascii=False)
            )
        self.rest()
        assert self.seen() == expected
        assert self.entries == entries  # no entry comes, and none that lies ahead is lost
        return self

    def there_and_back(self) -> None:
        """Back to the beginning, forward to the end: each step shows what was seen there."""
        for expected in self.steps[-2::-1]:
            self.go(-1, expected)
        for expected in self.steps[1:]:
            self.go(1, expected)
        assert self.screen.errors == []


def says(word: str, value: str) -> tuple[str, list[str]]:
    """Return a claim that the address says this."""
    return "([k, v]) => new URLSearchParams(location.search).get(k) === v", [word, value]


def test_each_slider_choice_and_moment_is_one_entry_and_back_undoes_one(stranger: Stranger) -> None:
    way = Journey(screen := stranger(), "Confidence_bands")
    screen.closer("glass")  # a drawer is no entry, and its control goes back with the others
    way.steps = [way.seen()]
    way.act(lambda: screen.turn("V", "ArrowRight"), "() => location.search.includes('V=')")
    screen.page.evaluate("() => document.activeElement.blur()")
    way.act(lambda: screen.press("2"), "() => location.search.includes('moment=missed')")  # it sets many knobs
    assert len(way.seen()["controls"]) > 5
    way.act(lambda: screen.turn("V", "ArrowRight"), "() => location.search.includes('V=')")
    screen.page.evaluate("() => document.activeElement.blur()")
    way.act(lambda: screen.press("3"), "() => location.search.includes('moment=empty')")
    way.there_and_back()
    way.go(-3, way.steps[1])  # several at once
    way.go(2, way.steps[3])


def test_a_pause_is_said_in_the_address_of_the_last_action_and_is_no_entry(stranger: Stranger) -> None:
    """Playing and stepping would fill the history: Back takes back what was set, and finds the time as it was left."""
    way = Journey(screen := stranger(), "Drifting_rewards")
    t = screen.settle().time
    way.note(lambda: screen.press("PageUp", "PageUp"), *says("t", str(t - 2)))
    way.note(lambda: screen.press("PageUp"), *says("t", str(t - 3)))
    way.act(lambda: screen.turn("V", "ArrowRight"), "() => location.search.includes('V=')")
    screen.page.evaluate("() => document.activeElement.blur()")
    way.note(lambda: screen.press("PageUp", "PageUp"), *says("t", str(t - 5)))
    way.act(lambda: screen.turn("V", "ArrowLeft"), "() => !location.search.includes('V=')")
    screen.page.evaluate("() => document.activeElement.blur()")
    way.note(lambda: screen.press("PageUp"), *says("t", str(t - 6)))
    way.there_and_back()
    way.go(-2, way.steps[0])  # the same settings at another time


def test_a_bet_is_opened_answered_and_revealed_in_three_entries(stranger: Stranger) -> None:
    way = Journey(screen := stranger(), "Confidence_bands")
    way.act(lambda: screen.press("d"), "() => !!document.querySelector('.st-key-bet_panel')")
    answer = screen.page.locator(".st-key-bet_pick button").first
    way.act(answer.click, "() => !location.search.includes('guess=open')")
    way.act(
        screen.page.get_by_role("button", name="Show what happened").click,
        "() => location.search.includes('reveal=true') && document.documentElement.classList.contains('tvbo-told')",
    )
    way.there_and_back()
    way.act(
        screen.page.get_by_role("button", name="Back to the lesson").click, "() => !location.search.includes('guess')"
    )
    way.go(-1, way.steps[-2])


def test_back_goes_from_page_to_page_and_each_page_is_as_it_was_left(stranger: Stranger) -> None:
    way = Journey(screen := stranger(), "Drifting_rewards")
    way.act(lambda: screen.turn("V", "ArrowLeft"), "() => location.search.includes('V=')")
    screen.page.get_by_text("Lessons", exact=False).first.click()
    bands = screen.page.get_by_test_id("stPopoverBody").get_by_role("link", name="Confidence bands")
    way.act(bands.click, "() => location.pathname.endsWith('/Confidence_bands')")
    assert "V" in dict(way.seen()["words"])  # the World goes along
    way.act(lambda: screen.turn("Bhat", "ArrowRight"), "() => location.search.includes('Bhat=')")
    screen.page.get_by_text("Lessons", exact=False).first.click()
    menu = screen.page.get_by_test_id("stPopoverBody")
    way.act(menu.get_by_role("link", name="Theorems").click, "() => location.pathname.endsWith('/Theorems')")
    assert "Bhat" not in str(way.seen()["words"])
    way.there_and_back()


def test_a_reload_in_between_loses_nothing(stranger: Stranger) -> None:
    way = Journey(screen := stranger(), "Drifting_rewards")
    way.act(lambda: screen.turn("V", "ArrowRight"), "() => location.search.includes('V=')")
    screen.page.evaluate("() => document.activeElement.blur()")
    t = screen.settle().time
    way.note(lambda: screen.press("PageUp"), *says("t", str(t - 1)))
    screen.page.get_by_text("Lessons", exact=False).first.click()
    bands = screen.page.get_by_test_id("stPopoverBody").get_by_role("link", name="Confidence bands")
    way.act(bands.click, "() => location.pathname.endsWith('/Confidence_bands')")
    screen.page.reload()
    way.rest()
    assert way.seen() == way.steps[-1]
    way.act(lambda: screen.press("1"), "() => location.search.includes('moment=tight')")
    screen.page.reload()
    way.rest()
    assert way.seen() == way.steps[-1]
    way.there_and_back()


def test_a_link_that_is_opened_is_put_right_in_place(stranger: Stranger) -> None:
    """With a moment, with what is dropped, with a version: the address says what is shown, and no entry is added."""
    way = Journey(screen := stranger(), "Confidence_bands", v=1, V="2.1", banana=1)
    assert way.seen()["words"] == [["V", "2"], ["seed", "12"]]  # the seed of version 1
    entries = way.entries
    screen.page.goto(f"{screen.address}/Confidence_bands?moment=3&sigma=0.2")
    way.rest()
    assert way.entries == entries + 1
    way.steps.append(way.seen())
    assert way.seen()["words"] == [["moment", "empty"], ["sigma", "0.2"]]  # the link said it by its number
    way.act(lambda: screen.turn("Bhat", "ArrowRight"), "() => location.search.includes('Bhat=')")
    way.there_and_back()


def test_the_front_page_and_its_courses(stranger: Stranger) -> None:
    way = Journey(screen := stranger(), "")
    way.act(lambda: screen.press("2"), "() => location.search.includes('moment=moving')")
    way.act(lambda: screen.press("d"), "() => !!document.querySelector('.st-key-bet_panel')")
    way.act(
        screen.page.get_by_role("button", name="Leave the bet").click,
        "() => !document.querySelector('.st-key-bet_panel')",
    )
    way.there_and_back()
    screen.page.locator(".st-key-courses a").first.click()
    screen.until("() => location.search.includes('course=') && !!lab.course")
    screen.page.go_back()
    way.rest()
    assert way.seen() == way.steps[-1]


def test_the_game_goes_back_to_the_world_before(stranger: Stranger) -> None:
    way = Journey(screen := stranger(), "You_against_the_bandits", world=encode(0, 9))
    world = dict(way.seen()["words"])["world"]
    way.act(
        screen.page.get_by_role("button", name="New world").click,
        "was => new URLSearchParams(location.search).get('world') !== was",
        world,
    )
    way.act(
        screen.page.get_by_role("button", name="New world").click,
        "was => new URLSearchParams(location.search).get('world') !== was",
        dict(way.seen()["words"])["world"],
    )
    way.there_and_back()


def test_lecture_type_letters_and_theme_go_back_too(stranger: Stranger) -> None:
    way = Journey(screen := stranger(), "R_PERP", order="shuffled")
    way.act(lambda: screen.press("l"), "() => !!document.querySelector('.st-key-stage_hall')")
    way.act(lambda: screen.press("l"), "() => !document.querySelector('.st-key-stage_hall')")
    screen.page.get_by_text("Lessons", exact=False).first.click()
    screen.page.locator(".st-key-symbols_shown").wait_for()
    way.rest()
    screen.page.locator(".st-key-symbols_shown input").click()
    way.act(
        lambda: screen.page.get_by_role("option", name="Iwazaki & Takeno").click(),
        "() => location.search.includes('symbols=iwazaki')",
    )
    screen.press("Escape").until("() => !document.querySelector('[data-testid=stPopoverBody]')")
    way.rest()
    way.there_and_back()
    way.act(screen.page.get_by_role("link", name="Next:").click, "() => location.pathname.endsWith('/Side_queries')")
    assert ["symbols", "iwazaki"] in way.seen()["words"]
    way.go(-2, way.steps[-3])


def test_a_step_back_while_the_page_is_at_work_is_not_lost(stranger: Stranger) -> None:
    """A run that was asked for before the browser heard of the last address says an older one: that is no step back."""
    way = Journey(screen := stranger(), "Drifting_rewards")
    screen.page.evaluate("() => { tab.slow = 120; }")
    screen.slider("V").focus()
    for _ in range(5):
        screen.press("ArrowRight").hold(90)
    screen.until("() => +document.querySelector('.st-key-V input[type=range]').value > 0")
    way.rest()
    moved = way.seen()
    screen.page.evaluate("() => { tab.slow = 0; }")
    assert moved["words"] != way.steps[0]["words"]
    start = float(screen.slider("V").get_attribute("min"))
    step = float(screen.slider("V").get_attribute("step"))
    assert screen.value("V") > start + 4 * step  # none of five keys was taken back
    screen.page.evaluate("() => { window.stillAs = null; }")
    screen.turn("V", "ArrowRight")
    screen.page.evaluate("() => history.back()")
    screen.hold(300)
    way.rest()
    assert ["V", f"{screen.value('V'):g}"] in way.seen()["words"] or way.seen() == way.steps[0]
