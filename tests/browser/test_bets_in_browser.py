"""The bet of every page in a browser: key D opens it, the page is covered, the reveal draws the diamond."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lessons import LESSONS
from tests.browser.boxes import sound
from tests.browser.conftest import DESK, HALL, sampled
from tests.browser.screen import Screen, same_picture

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
BETTING = {x.file.removeprefix("pages/").removesuffix(".py"): x for x in LESSONS[1:] if x.bet}

STAGE, FINDING, COVER = ".st-key-stage_desk, .st-key-stage_hall", ".st-key-finding_spot", ".st-key-bet_panel"

# Every element below a selector, through the shadow roots of components, and what of it is painted.
DEEP = """const deep = e => [e, ...[...(e.shadowRoot ? [...e.shadowRoot.children] : []), ...e.children].flatMap(deep)];
const painted = e => getComputedStyle(e).visibility === 'visible' && e.getBoundingClientRect().height > 0;
const lines = sel => [...document.querySelectorAll(sel)].flatMap(deep).filter(e => painted(e) && e.tagName !== 'STYLE'
  && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => e.textContent.trim());
"""


def told(screen: Screen, selector: str) -> list[str]:
    """Every text that is painted below a selector."""
    return screen.page.evaluate(f"() => {{ {DEEP} return lines('{selector}'); }}")


def below(screen: Screen) -> list[str]:
    """Every text on the page but its title, its moments and the bet's own question."""
    said = told(screen, "[data-testid=stMain]")
    for part in (COVER, ".st-key-topbar", ".st-key-moments"):
        for text in told(screen, part):
            said.remove(text)
    return said


@pytest.mark.parametrize("path", sampled(BETTING))
def test_key_d_opens_the_bet_the_page_is_covered_and_the_reveal_draws_it(tab: Tab, path: str) -> None:
    screen, bet = tab(path), BETTING[path].bet
    assert told(screen, STAGE) and told(screen, FINDING) and below(screen)
    screen.press("d").until("() => !!document.querySelector('.st-key-bet_panel')").settle()
    seen = told(screen, STAGE)  # what the bet does not hide
    assert seen and below(screen) == seen and bet.question[:20] in " ".join(told(screen, COVER))
    boxes = screen.page.evaluate(
        """s => ['::before', '::after'].map(p => getComputedStyle(document.querySelector(s).firstElementChild, p))
        .filter(c => c.content.includes('?')).map(c => [c.width, c.height].map(parseFloat))""",
        STAGE,
    )
    stage = screen.page.locator(STAGE).bounding_box()
    hidden = [(box[2] * stage["width"], box[3] * stage["height"]) for box in bet.hides]
    assert boxes == [pytest.approx(size, abs=2) for size in hidden]  # rounding of the browser
    player = screen.page.evaluate("() => lab.now.t")
    assert screen.press("End").hold(300).page.evaluate("() => lab.now.t") == player  # time stands still
    screen.press("d")  # the second time it takes the keyboard to the first answer
    assert screen.page.evaluate("() => !!document.activeElement.closest('.st-key-bet_pick')")
    for i in range(len(bet.options) if bet.ranks else 1):
        screen.page.locator(".st-key-bet_pick button").nth(i).click()
        screen.hold(150).settle()
    assert below(screen) == seen
    screen.page.locator(".st-key-bet_reveal button").click()
    screen.until("() => !!tab.chart('wager')?.querySelector('.shapelayer path')").settle()
    assert told(screen, STAGE) and told(screen, FINDING)
    bar = screen.page.locator(".player").bounding_box()
    assert bar["y"] + bar["height"] <= DESK["height"]  # the player stays on the screen
    marks = screen.page.evaluate("""() => [...tab.chart('wager').querySelectorAll('.shapelayer path')].map(p =>
        [p.getBoundingClientRect().width, getComputedStyle(p).strokeDasharray])""")
    assert len(marks) == (len(bet.options) if bet.ranks else 1)
    assert all(width > 15 and dash not in ("", "none") for width, dash in marks)  # dotted, and large enough to be seen
    sound(screen.words("wager"), path)
    assert screen.errors == []


# Looks twenty times a second while the page is built: was a finding ever painted, or the stage without its box?
WATCH = """window.leaked = [];
const visible = e => getComputedStyle(e).visibility === 'visible';
setInterval(() => {
  for (const e of document.querySelectorAll('.st-key-finding_spot [data-testid=stBidiComponentRegular]'))
    if (visible(e)) leaked.push(e.outerHTML.slice(0, 80));
  for (const e of document.querySelectorAll('.st-key-stage_hall'))
    if ([...e.querySelectorAll('.main-svg')].some(visible)
        && !getComputedStyle(e.firstElementChild, '::before').content.includes('?')) leaked.push('no box');
}, 50);"""


@pytest.mark.parametrize("path", ["Under_the_microscope", pytest.param("Real_data", marks=pytest.mark.wide)])
def test_after_the_reveal_the_stage_shows_its_time_and_not_what_it_was_mounted_with(tab: Tab, path: str) -> None:
    """The page opens at the end of its film, the bet stops it before, and the reveal goes back to the end."""
    screen = tab(path)
    screen.press("d").until("() => !!document.querySelector('.st-key-bet_panel')").settle()
    screen.page.get_by_role("button", name="Reveal").click()
    screen.until("() => !!document.querySelector('.st-key-bet_shown')").settle()
    revealed, end = screen.data(), screen.frame
    screen.press("ArrowLeft").at(end - 1).press("ArrowRight").at(end).settle()
    same_picture(revealed, screen.data(), screen.spans())


def test_a_lecturers_link_opens_covered_and_gives_nothing_away_while_it_is_built(
    stranger: Callable[[], Screen],
) -> None:
    screen = stranger()
    screen.page.add_init_script(WATCH)
    screen.open("Theorems", guess="open", lecture="true")
    assert screen.page.evaluate("() => leaked") == [] and below(screen) == told(screen, STAGE)
    for size in (DESK, HALL):
        screen.page.set_viewport_size(size)
        screen.hold(300)
        box = screen.page.locator(COVER).bounding_box()
        assert box["y"] + box["height"] < 0.6 * size["height"]  # the question is read without scrolling
        small = screen.page.evaluate("""() => Math.min(...[...document.querySelectorAll('.st-key-bet_panel :is(h4, p)')]
            .filter(e => e.textContent.trim()).map(e => parseFloat(getComputedStyle(e).fontSize)))""")
        # Type of 1/50 of the height, less what the style sheet rounds (1.9 vh, and 16 pixels).
        assert small >= min(size["height"] / 54, 16)


@pytest.mark.parametrize(
    ("path", "guess"),
    [("Confidence_bands", "tightest"), ("The_race", "gp.rnd.tv.wgp"), ("Forgetting", "20"), ("R_PERP", "less")],
)
def test_the_words_of_the_strip_lie_in_it_and_apart_in_a_hall(tab: Tab, path: str, guess: str) -> None:
    sound(tab(path, guess=guess, reveal="true", lecture="true").words("wager"), path)
