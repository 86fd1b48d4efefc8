"""One link, two browsers: the same figure, time, theme and letters; its code in a hall; a trimmed page."""

from __future__ import annotations

import base64
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest

from shell.links import share_drawer as sharing
from tests.browser.screen import Screen, same_picture

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
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
CODE = ".st-key-qr img"
LINK = ".st-key-drawer_link [data-testid=stCode] code >> nth=0"  # below it stands the line to embed


def lit(screen: Screen, theme: str) -> Screen:
    """Wait until the page, its own parts and Streamlit's, has the theme."""
    screen.until(
        f"() => getComputedStyle(document.querySelector('[data-testid=stApp]') ?? document.body)"
        f".backgroundColor === '{PAPER[theme][1]}'"
    )
    return screen.settle()


def shared(screen: Screen) -> str:
    """The link in the drawer."""
    screen.page.get_by_text("Link to exactly this").click()
    return screen.page.locator(LINK).inner_text()


@pytest.mark.parametrize("path", PAGES)
def test_a_link_shows_a_stranger_with_another_taste_the_same_figure_time_theme_and_letters(
    tab: Tab, stranger: Callable[[], Screen], path: str
) -> None:
    said, theme = PAGES[path]
    other = "light" if theme == "dark" else "dark"
    mine = lit(tab(path, **said, theme=theme, media={"color_scheme": other}), theme)
    link = shared(mine)
    assert parse_qs(urlsplit(link).query)["theme"] == [theme]
    theirs = stranger()
    theirs.page.emulate_media(color_scheme=other)
    theirs.page.goto(link)
    lit(theirs, theme)
    assert theirs.page.evaluate(GROUND) == mine.page.evaluate(GROUND) == list(PAPER[theme])
    assert (theirs.frame, theirs.finding) == (mine.frame, mine.finding)
    same_picture(mine.data(), theirs.data())
    assert [w["text"] for w in theirs.words()["words"]] == [w["text"] for w in mine.words()["words"]]
    assert theirs.toasts == []
    theirs.page.get_by_text("The maths, symbol by symbol").click()
    theirs.page.locator(".st-key-drawer_the .katex").first.wait_for()
    assert theirs.page.locator(".katex-error").count() == 0  # every translated formula is a formula
    assert theirs.errors == []


def test_a_lecture_is_light_and_shows_neither_menu_nor_toolbar_until_they_are_wanted(tab: Tab) -> None:
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


def test_key_q_shows_the_code_of_this_moment_large_and_q_or_escape_takes_it_away(tab: Tab) -> None:
    screen = tab("Confidence_bands", V=2)
    assert screen.page.locator(".st-key-qr").count() == 0  # nothing is drawn before it is asked for
    frame = screen.frame
    screen.press("PageDown", "q")
    field = screen.page.get_by_label("Address the audience sees", exact=True)
    screen.until("() => document.activeElement.matches('.st-key-audience_shown input')")  # this computer's address
    assert screen.page.get_by_text("Only this computer reaches this address").is_visible()
    assert screen.page.locator(CODE).count() == 0 and field.is_visible()
    screen.page.keyboard.type("https://lab.example.org")
    screen.press("Enter")
    large = screen.page.locator("#tvbo-qr img")
    large.wait_for()
    screen.until("t => new URLSearchParams(location.search).get('t') === t", str(frame + 1)).settle()
    link = screen.page.locator(LINK).text_content()
    assert parse_qs(urlsplit(link).query)["t"] == [str(frame + 1)] and urlsplit(link).netloc == "lab.example.org"
    wanted = sharing.code(link).split("<path")[1:]
    screen.until(f"() => document.querySelector('#tvbo-qr img').src === document.querySelector('{CODE}').src")
    drawn = base64.b64decode(large.get_attribute("src").split(",")[1]).decode()
    assert drawn.split("<path")[1:] == wanted
    box, size = large.bounding_box(), screen.page.viewport_size
    assert min(box["width"], box["height"]) >= 400
    assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
    assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"]
    screen.press("Escape").until("() => !document.getElementById('tvbo-qr')")
    screen.until("() => !document.querySelector('.st-key-drawer_link details[open]')")  # as it was
    screen.until("() => document.querySelector('.stMain').scrollTop === 0")
    screen.press("q")
    large.wait_for()
    screen.press("q").until("() => !document.getElementById('tvbo-qr')")
    assert screen.errors == []


def test_a_trimmed_page_has_the_same_figure_and_no_control_but_time(tab: Tab) -> None:
    full = tab("Confidence_bands", V=2)
    bare = tab("Confidence_bands", V=2, hide="controls.moments.bet.menu.drawers")
    same_picture(full.data(), bare.data())
    assert bare.page.locator("input[type=range]").count() == 1  # the player's bar
    assert bare.toasts == []
    t = bare.frame
    bare.press("PageDown").at(t + 1)
    assert bare.errors == []


def test_the_switch_in_the_menu_changes_the_letters_of_the_page_and_no_number(tab: Tab) -> None:
    screen = tab("R_PERP", order="shuffled")
    before = screen.data()
    screen.page.get_by_text("Lessons", exact=False).first.click()
    screen.page.locator(".st-key-symbols_shown").wait_for()
    screen.settle()  # the run that filled the menu would close a list that is opened before its end
    screen.page.locator(".st-key-symbols_shown input").click()
    screen.redraw(lambda: screen.page.get_by_role("option", name="Iwazaki & Takeno").click())
    after = screen.data()
    same_picture([{**t, "text": None} for t in after], [{**t, "text": None} for t in before], screen.spans())
    screen.page.locator(".st-key-more summary").click()
    screen.page.locator(".st-key-named_beta").wait_for()
    assert screen.page.locator(".st-key-named_sigma, .st-key-named_beta").locator(".katex").count() > 0
    texts = " ".join(w["text"] for w in screen.words()["words"])
    assert "σ²(x; S)" in texts and "s²(x; S)" not in texts
    assert "symbols=iwazaki" in screen.page.url
    assert max(screen.page.evaluate("() => tab.copies()").values()) == 1
    assert screen.page.locator(".katex-error").count() == 0
    assert screen.errors == []
