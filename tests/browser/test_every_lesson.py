"""What holds on every lesson alike: keys, moments, lecture type, links, and what WCAG asks of the page."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import axe_playwright_python
import pytest

from lessons import LESSONS
from tests.browser.boxes import touching
from tests.browser.conftest import DESK, HALL, PHONE, ZOOMED, sampled
from tests.browser.screen import Screen, same_picture
from tests.browser.test_closed_house import open_everything
from tvbo_core import bands

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
FILMS = {Path(lesson.file).stem: lesson for lesson in LESSONS[1:] if lesson.scene}
every_lesson = pytest.mark.parametrize("path", sampled(FILMS))
TOLD = "() => document.querySelector('.st-key-moments [data-testid=stCaptionContainer]')?.innerText"


def broken(screen: Screen) -> list[str]:
    """What axe finds wrong with the page as it stands, a line a rule with the first element it names."""
    screen.page.evaluate(AXE)
    found = screen.page.evaluate("rules => axe.run(document, { runOnly: rules })", RULES)["violations"]
    return [f"{v['id']}: {len(v['nodes'])} times, first {v['nodes'][0]['html'][:200]}" for v in found]


@pytest.mark.parametrize(
    ("path", "scheme"),
    [
        pytest.param(*case, marks=() if case in (("", "dark"), ("Drifting_rewards", "light")) else pytest.mark.wide)
        for case in itertools.product(("", *FILMS), ("light", "dark"))
    ],
)
def test_a_page_breaks_no_rule_of_wcag_that_can_be_checked(tab: Tab, path: str, scheme: str) -> None:
    look = {"color_scheme": scheme}
    if path:
        screen = tab(path, media=look)
    else:
        screen = tab("Reproductions", media=look)  # the front page has no stage to wait for
        screen.page.goto(screen.address)
        screen.page.locator(".st-key-card_microscope .thumb").wait_for()
    assert broken(screen) == []
    if scheme == "light":
        opened = open_everything(screen.page)
        screen.hold(1200)  # what closes fades, and so does what a run draws anew
        assert opened and broken(screen) == []


@every_lesson
def test_keys_drive_time_and_moments_come_back_exactly(tab: Tab, path: str) -> None:
    screen = tab(path)
    last = int(screen.page.locator(".player input").get_attribute("max"))
    screen.press("Home").at(0).press("PageDown").at(1).press("PageUp").at(0).press("End").at(last)
    screen.press("Home").at(0).press("Shift+ArrowRight").until("() => lab.now.t > 0")
    said = []
    for number in (2, 1, 2):
        before = screen.page.evaluate("() => lab.now.reset")  # of the film on screen: the moment's text may come first
        screen.press(str(number)).until(f"n => ({TOLD})()?.includes(n)", FILMS[path].moments[number - 1].script)
        screen.until("before => lab.now.reset !== before", before)
        screen.hold(400).settle()  # the last drawing may still be under way on a busy machine
        said.append((screen.frame, screen.finding, screen.data()))
    assert said[0][:2] == said[2][:2] != said[1][:2]
    same_picture(said[0][2], said[2][2], screen.spans())
    screen.press("b").page.locator("#tvbo-blank").wait_for()
    screen.press("b")
    assert screen.errors == [] and screen.outside == []


@every_lesson
def test_lecture_type_is_a_fiftieth_of_the_screen_and_the_stage_leads_it(tab: Tab, path: str) -> None:
    screen = tab(path, size=HALL, lecture="true")
    screen.hold(300).settle()
    seen = screen.words()["words"]
    small = [word["text"] for word in seen if word["size"] < HALL["height"] / 50]
    assert seen and small == []
    box = screen.page.locator(".st-key-main .js-plotly-plot").bounding_box()
    assert box["height"] >= 0.6 * HALL["height"]
    assert box["y"] + box["height"] <= HALL["height"]


@every_lesson
def test_the_address_after_a_step_shows_a_stranger_the_same(
    tab: Tab, stranger: Callable[[], Screen], path: str
) -> None:
    mine = tab(path).press("PageUp").linked()
    theirs = stranger().visit(mine.page.url)
    assert (theirs.frame, theirs.finding) == (mine.frame, mine.finding)
    same_picture(mine.data(), theirs.data(), mine.spans())
    assert theirs.toasts == []
    assert theirs.errors == []


@every_lesson
def test_at_twice_the_size_nothing_runs_off_to_the_side_and_all_has_a_name(tab: Tab, path: str) -> None:
    screen = tab(path, size=ZOOMED).every_closer()
    wide = screen.page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth")
    assert wide <= ZOOMED["width"]
    assert screen.page.locator(".player [data-do=play]").bounding_box()["width"] >= 24  # WCAG 2.5.8
    nameless = screen.page.evaluate(
        "() => tab.charts().filter(g => !g.closest('[aria-label], [alt]') && !g.querySelector('[aria-label]'))"
        ".map(tab.key)"
    )
    assert nameless == []
    screen.page.set_viewport_size(DESK)


@every_lesson
def test_at_four_times_the_size_a_page_is_one_column(tab: Tab, path: str) -> None:
    """1280 by 1024 pixels at 400 % (WCAG 1.4.10)."""
    screen = tab(path, size={"width": 320, "height": 256})
    assert screen.page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth") <= 320
    assert screen.page.locator(".player [data-do=play]").bounding_box()["width"] >= 24
    screen.page.set_viewport_size(DESK)


@pytest.mark.parametrize(
    "path",
    sampled(["Drifting_rewards", "Confidence_bands", "The_race", "Theorems"], "Drifting_rewards", "The_race"),
)
def test_on_a_phone_the_point_is_seen_and_the_player_stays_at_the_thumb(tab: Tab, path: str) -> None:
    screen = tab(path, size=PHONE)
    seen = screen.words()
    assert touching(seen) == []
    stage, parts = screen.page.locator(".st-key-main .swipe"), FILMS[path].abreast
    parts = len(bands.ALL) if path == "Confidence_bands" else parts  # a panel a screen
    wide, shown = stage.evaluate("e => [e.scrollWidth, e.clientWidth]")
    assert shown > 0.8 * PHONE["width"] and (wide > 1.2 * shown if parts > 1 else wide <= shown)
    main = screen.page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollWidth")
    assert main <= PHONE["width"]
    play = screen.page.locator(".player [data-do=play]").bounding_box()
    assert play["y"] + play["height"] <= PHONE["height"] and min(play["width"], play["height"]) >= 44
    figure = screen.page.locator(".st-key-main .chart").bounding_box()
    assert figure["y"] < PHONE["height"] / 3 and figure["y"] + figure["height"] <= play["y"]  # whole above the player
    controls, switch = screen.page.locator(".st-key-controls"), screen.page.locator("label.sheet")
    others = controls.locator(".st-key-more")
    assert controls.locator(".st-key-lead").is_visible() and not others.is_visible()  # the knob that leads stays
    switch.click()
    sheet, handle = controls.bounding_box(), switch.bounding_box()
    assert sheet["y"] >= 0.5 * PHONE["height"] and sheet["y"] + sheet["height"] <= handle["y"] + 1
    assert handle["y"] + handle["height"] <= PHONE["height"] and handle["height"] >= 44
    before = screen.finding
    screen.redraw(lambda: controls.get_by_role("slider").first.press("End"))
    assert screen.finding != before and others.is_visible()  # a move leaves the sheet open
    switch.click()
    assert not others.is_visible()


def test_dots_bring_the_parts_of_a_stage_that_is_wider_than_a_phone_and_the_point_stands_first(tab: Tab) -> None:
    path = "Theorems"
    filled = "n => [...document.querySelectorAll('.dots button')].findIndex(e => e.ariaCurrent === 'true') === n"
    lesson, screen = FILMS[path], tab(path, size=PHONE, media={"reduced_motion": "reduce"})
    stage, dots = screen.page.locator(".st-key-main .swipe"), screen.page.locator(".dots button")
    screen.until(filled, lesson.point)
    assert dots.count() == lesson.abreast
    first = stage.evaluate("e => e.scrollLeft")
    assert (first > 0) == (lesson.point > 0)
    for i in (lesson.abreast - 1, 0):
        box = dots.nth(i).bounding_box()
        assert min(box["width"], box["height"]) >= 44
        dots.nth(i).click()
        screen.until(filled, i)
        end = stage.evaluate("e => e.scrollWidth - e.clientWidth")
        assert abs(stage.evaluate("e => e.scrollLeft") - (end if i else 0)) <= 2
    stage.evaluate("e => { e.scrollLeft = e.scrollWidth; }")  # as a finger does
    screen.until(filled, lesson.abreast - 1)
    screen.redraw(lambda: screen.page.locator(".st-key-lead").get_by_role("slider").first.press("End"))
    screen.until(filled, lesson.abreast - 1)  # a page that is drawn anew leaves the reader's panel
    screen.page.set_viewport_size(DESK)
    screen.until("() => !document.querySelector('.dots button')")


@pytest.mark.parametrize("path", sampled(FILMS))
def test_on_a_phone_on_its_side_finding_figure_and_player_are_whole(tab: Tab, path: str) -> None:
    screen = tab(path, size={"width": 844, "height": 390})
    boxes = [screen.page.locator(one).bounding_box() for one in (".live", ".st-key-main .chart", ".player")]
    finding, figure, player = boxes
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 844 for box in boxes)
    assert finding["y"] >= 0 and finding["height"] <= 44  # beside the menu: one line, two where it is long
    assert finding["y"] + finding["height"] <= figure["y"] + 1 and figure["height"] >= 190
    assert figure["y"] + figure["height"] <= player["y"] + 1 and player["y"] + player["height"] <= 390
    screen.page.set_viewport_size(DESK)


@pytest.mark.parametrize("size", sampled([DESK, HALL], DESK), ids=["desk", "hall"])
def test_on_paper_a_lesson_is_one_page(tab: Tab, size: dict) -> None:
    paper = tab("The_race", size=size).page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", paper)) == 1


def test_a_thumbnail_moves_under_the_pointer_and_rests_for_who_asks_for_calm(tab: Tab) -> None:
    moving = """async () => {
      const inside = e => [...(e.shadowRoot ?? e).querySelectorAll('.frame')];
      const look = () => [...document.querySelectorAll('.st-key-card_drift *')].flatMap(inside)
        .map(g => getComputedStyle(g).opacity).join('');
      const seen = new Set();
      for (let i = 0; i < 12; i++) { seen.add(look()); await new Promise(done => setTimeout(done, 90)); }
      return seen.size; }"""
    screen = tab("Reproductions")
    screen.page.goto(screen.address)
    screen.page.locator(".st-key-card_drift .thumb").wait_for()
    assert screen.page.evaluate(moving) == 1
    screen.page.locator(".st-key-card_drift").hover()
    assert screen.page.evaluate(moving) > 3
    screen.page.emulate_media(reduced_motion="reduce")
    assert screen.page.evaluate(moving) == 1
