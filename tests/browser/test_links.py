"""Addresses: a link shows a stranger the same, what it cannot say is named, and one step back undoes one action."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.conftest import sampled
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


@pytest.mark.parametrize("path", sampled(PAGES))
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
    theirs.page.locator(".st-key-drawer_maths .katex").first.wait_for()
    assert theirs.page.locator(".katex-error").count() == 0  # every translated formula is a formula
    assert theirs.errors == []


# The address changes at once, the headline once the page has run.
SAYS = """([query, finding]) => location.search.slice(1) === query
  && document.querySelector('.st-key-finding_spot .live').innerText === finding"""


def test_back_undoes_one_setting_and_keeps_time(stranger: Stranger) -> None:
    """Playing and stepping would fill the history: Back takes back what was set, and finds the time as it was left."""
    screen = stranger().open("Confidence_bands")

    def entries() -> int:
        return screen.page.evaluate("() => history.length")

    def page_state() -> tuple[str, float, int, str]:
        return urlsplit(screen.page.url).query, screen.value("V"), screen.time, screen.finding

    def act(does: Callable[[], object], word: str) -> None:
        before = entries()
        does()
        screen.until("word => location.search.includes(word)", word).blur().settle()
        steps.append(page_state())
        assert entries() == before + 1 and steps[-1] != steps[-2]

    steps = [page_state()]
    act(lambda: screen.turn("V", "ArrowRight"), "V=")
    screen.press("PageUp", "PageUp").linked()  # which is no entry
    steps[-1] = page_state()
    act(lambda: screen.press("2"), "moment=missed")  # it sets many knobs
    act(lambda: screen.turn("V", "ArrowRight"), "V=")
    for by, at in ((-1, 2), (-2, 0), (3, 3), (-2, 1)):
        screen.page.evaluate("by => history.go(by)", by)
        screen.until(SAYS, [steps[at][0], steps[at][3]]).settle()
        assert page_state() == steps[at], by
    assert entries() == 1 + len(steps) and screen.errors == []
