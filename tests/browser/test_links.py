"""Addresses: a link shows a stranger the same, what it cannot say is named, and one step back undoes one action."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Error

from tests.browser.screen import Screen, same_picture

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
Stranger = Callable[[], Screen]
PAGES = {  # page -> what is not its own, and the theme
    "Drifting_rewards": ({"V": 2, "t": 9, "symbols": "deng"}, "dark"),
    "Confidence_bands": ({"moment": "empty", "t": 12, "symbols": "flynn"}, "light"),
    "R_PERP": ({"order": "fixed", "t": 3, "symbols": "iwazaki"}, "dark"),
    "Theorems": ({"view": "rates", "growth": 0.25, "t": 4, "symbols": "bogunovic"}, "dark"),
    "Side_queries": ({"t": 9, "symbols": "mauduit"}, "light"),
}
PAPER = {"light": ("#FFFFFF", "rgb(255, 255, 255)"), "dark": ("#0E1117", "rgb(14, 17, 23)")}
GROUND = """() => [document.querySelector('.st-key-main .js-plotly-plot')._fullLayout.paper_bgcolor,
  getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor]"""
LINK = ".st-key-drawer_link [data-testid=stCode] code >> nth=0"  # below it stands the line to embed


def lit(screen: Screen, theme: str) -> Screen:
    """Wait until the page, its own parts and Streamlit's, has the theme."""
    screen.until(
        f"() => getComputedStyle(document.querySelector('[data-testid=stApp]') ?? document.body)"
        f".backgroundColor === '{PAPER[theme][1]}'"
    )
    return screen.settle()


@pytest.mark.parametrize("path", PAGES)
def test_link_shows_a_stranger_the_same(tab: Tab, stranger: Stranger, path: str) -> None:
    """The same figure, time, theme, letters and sentence, whatever the stranger's own taste."""
    said, theme = PAGES[path]
    other = "light" if theme == "dark" else "dark"
    mine = lit(tab(path, **said, theme=theme, media={"color_scheme": other}), theme)
    mine.press("PageUp").linked().page.get_by_text("Link to exactly this").click()
    link = mine.page.locator(LINK).inner_text()
    assert parse_qs(urlsplit(link).query)["theme"] == [theme]
    theirs = stranger()
    theirs.page.emulate_media(color_scheme=other)
    theirs.page.goto(link)
    lit(theirs, theme)
    assert theirs.page.evaluate(GROUND) == mine.page.evaluate(GROUND) == list(PAPER[theme])
    assert (theirs.frame, theirs.finding) == (mine.frame, mine.finding)
    same_picture(mine.data(), theirs.data(), mine.spans())  # mine was moved by the player, theirs by Python
    assert theirs.toasts == []
    theirs.page.get_by_text("The maths, symbol by symbol").click()
    theirs.page.locator(".st-key-drawer_the .katex").first.wait_for()
    assert theirs.page.locator(".katex-error").count() == 0  # every translated formula is a formula
    assert theirs.errors == []


def test_lecture_is_light_and_hides_its_menu(tab: Tab) -> None:
    screen = lit(tab("Drifting_rewards", lecture="true", media={"color_scheme": "dark"}), "light")
    faint = """() => [document.querySelector('.st-key-menu'), document.querySelector('[data-testid=stHeader]')]
      .map(e => { let o = 1; for (; e; e = e.parentElement) o *= +getComputedStyle(e).opacity; return o; })"""
    screen.page.mouse.move(400, 500)
    assert screen.page.evaluate(faint) == [0, 0]
    screen.page.locator(".st-key-menu").hover()
    assert screen.page.evaluate(faint)[0] == 1
    screen.page.mouse.move(400, 500)
    screen.page.locator(".st-key-menu button").focus()
    assert screen.page.evaluate(faint)[0] == 1
    screen.page.evaluate("() => document.activeElement.blur()")
    screen.press("l").until("() => !document.querySelector('.st-key-stage_hall')").settle()
    assert screen.page.evaluate(faint) == [1, 1]
    assert screen.errors == []


# ---------------------------------------------------------------- Back and Forward
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
  const player = window.lab?.player, time = inside('.st-key-player', 'output');
  const came = !player || (player.data.address ?? player.data.revision) === player.name;  // no film is on its way
  const plays = time || !document.querySelector('.st-key-player');
  const now = state === 'notRunning' && came && plays && !document.querySelector('[data-stale=true]')
    && (inside('.st-key-finding_spot', '.live') || document.querySelector('.st-key-bet_chart'))
    && document.querySelector('.st-key-address')  // drawn after all else
    && !document.querySelector('[data-testid=stSkeleton]')  // of controls whose script is still on its way
    ? location.href + time + document.querySelector('[data-testid=stMain]').innerText : null;
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


def test_back_undoes_one_setting_and_keeps_time(stranger: Stranger) -> None:
    """Playing and stepping would fill the history: Back takes back what was set, and finds the time as it was left."""
    way = Journey(screen := stranger(), "Confidence_bands")
    way.act(lambda: screen.turn("V", "ArrowRight"), "() => location.search.includes('V=')")
    screen.blur()
    t = screen.settle().time
    way.note(lambda: screen.press("PageUp", "PageUp"), *says("t", str(t - 2)))
    way.act(lambda: screen.press("2"), "() => location.search.includes('moment=missed')")  # it sets many knobs
    way.act(lambda: screen.turn("V", "ArrowRight"), "() => location.search.includes('V=')")
    screen.blur()
    way.act(lambda: screen.press("3"), "() => location.search.includes('moment=empty')")
    way.there_and_back()
    way.go(-3, way.steps[1])  # several at once
    way.go(2, way.steps[3])


def test_bet_is_three_entries(stranger: Stranger) -> None:
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


def test_back_leads_through_pages_and_reloads(stranger: Stranger) -> None:
    way = Journey(screen := stranger(), "Drifting_rewards")
    way.act(lambda: screen.turn("V", "ArrowLeft"), "() => location.search.includes('V=')")
    for name, path, key in (("Confidence bands", "Confidence_bands", "1"), ("Theorems", "Theorems", "2")):
        screen.blur().page.get_by_text("Lessons", exact=False).first.click()
        link = screen.page.get_by_test_id("stPopoverBody").get_by_role("link", name=name)
        way.act(link.click, f"() => location.pathname.endsWith('/{path}')")
        assert path == "Theorems" or "V" in dict(way.seen()["words"])  # the World goes along
        way.act(lambda key=key: screen.press(key), "() => location.search.includes('moment=')")
        screen.page.reload()
        way.rest()
        assert way.seen() == way.steps[-1]
    way.there_and_back()
