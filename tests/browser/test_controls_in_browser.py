"""A control, once set, draws one new film at the same time; its ends break nothing; clicks find a place."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.conftest import sampled
from tests.browser.screen import Screen, every_page, same_picture

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
# Counts the main charts that are mounted after now.
COUNT = """
() => { window.came = 0; const seen = new Set(tab.charts());
  new MutationObserver(() => { for (const g of document.querySelectorAll('.st-key-main .js-plotly-plot'))
    if (!seen.has(g)) { seen.add(g); window.came += 1; }
  }).observe(document.body, { childList: true, subtree: true }); }
"""


@pytest.mark.parametrize("between", sampled([0, 60], 60), ids=["fast line", "slow line"])
@every_page
def test_a_slider_draws_once_keeps_time_and_shows_the_new_film_there(tab: Tab, path: str, between: int) -> None:
    screen = tab(path, t=60).press(*["PageDown"] * 4).hold(600).settle()
    frame = screen.frame
    screen.page.evaluate(COUNT)
    screen.page.evaluate("ms => { tab.slow = ms; }", between)  # the chart and its film then come apart
    screen.redraw(lambda: screen.turn("V", "ArrowRight"))
    assert screen.page.evaluate("() => window.came") <= 1
    assert screen.frame == frame
    expected = tab(path, V=f"{screen.value('V'):g}", t=screen.time)
    assert (expected.frame, expected.finding) == (frame, screen.finding)
    same_picture(expected.data(), screen.data(), expected.spans())


@every_page
def test_a_slider_moved_before_the_pause_is_told_still_keeps_the_readers_time(tab: Tab, path: str) -> None:
    screen = tab(path, t=60)
    start = screen.frame
    screen.slider("V").focus()
    screen.press("PageDown", "PageDown", "PageDown", "ArrowRight")  # time, then the slider, in one breath
    screen.linked()
    assert screen.frame == start + 3
    expected = tab(path, V=f"{screen.value('V'):g}", t=screen.time)
    assert expected.finding == screen.finding
    same_picture(expected.data(), screen.data(), expected.spans())


BROKEN = "() => [...document.querySelectorAll('svg')].filter(s => s.outerHTML.includes('NaN')).length"
ENDS = {"Drifting_rewards": ("V", "T"), "Confidence_bands": ("V", "Bhat", "sigma", "delta")}


@every_page
def test_both_ends_of_a_slider_show_a_sound_figure(tab: Tab, path: str) -> None:
    screen = tab(path)
    for key in ENDS[path]:
        before = screen.value(key)
        for end in ("Home", "End"):
            screen.turn(key, end)
            screen.hold(300).settle()
            assert screen.page.get_by_test_id("stException").count() == 0
            assert screen.page.evaluate(BROKEN) == 0, (key, end)
            for word in (screen.finding, *(w["text"] for w in screen.words()["words"])):
                assert "nan" not in word.lower().split(), (key, end, word)
        assert screen.value(key) != before  # the keys did reach the slider
    assert screen.errors == []


def test_ctrl_z_takes_back_the_last_change_and_leaves_a_field_that_is_typed_in_alone(tab: Tab) -> None:
    screen = tab("Drifting_rewards")
    before, shown = screen.value("V"), screen.data()
    screen.redraw(lambda: screen.turn("V", "ArrowRight"))
    moved = screen.value("V")
    screen.page.locator(".st-key-drawer_link summary").click()
    screen.page.get_by_label("Address the audience sees", exact=True).press_sequentially("lab")
    screen.press("Control+z").hold(500).settle()
    assert screen.value("V") == moved > before
    screen.page.evaluate("() => document.activeElement.blur()")
    screen.redraw(lambda: screen.press("Control+z"))
    assert screen.value("V") == before
    same_picture(shown, screen.data(), screen.spans())


def test_a_click_on_the_bands_moves_the_place_and_opens_the_closer_look_there(tab: Tab) -> None:
    screen = tab("Confidence_bands")
    assert screen.page.evaluate("() => tab.chart('glass') === undefined")
    panel = screen.page.locator(".st-key-main .js-plotly-plot .nsewdrag").first.bounding_box()
    at = 0.25
    screen.page.mouse.move(panel["x"] + at * panel["width"], panel["y"] + panel["height"] / 2)
    screen.hold(200)  # Plotly looks at most ten times a second at what lies under the mouse
    screen.page.mouse.click(panel["x"] + at * panel["width"], panel["y"] + panel["height"] / 2)
    screen.until("() => +document.querySelector('.st-key-place input[type=range]')?.value < 0.4").settle()
    assert screen.value("place") == pytest.approx(at, abs=0.02)  # two of 101 actions, six pixels
    old = screen.data("glass")
    screen.page.mouse.click(panel["x"] + 0.35 * panel["width"], panel["y"] + panel["height"] / 2)
    screen.until("() => +document.querySelector('.st-key-place input[type=range]')?.value > 0.6").settle()
    assert screen.data("glass") != old


def test_a_click_on_the_history_of_a_world_goes_to_its_time(tab: Tab) -> None:
    screen = tab("Drifting_rewards", view="maps")
    box = screen.page.locator(".st-key-main .js-plotly-plot .nsewdrag").nth(1).bounding_box()
    spot = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 4)
    screen.page.mouse.move(*spot)
    screen.hold(200)
    screen.page.mouse.click(*spot)
    screen.until("() => lab.now.t < 80")
    assert screen.time == pytest.approx(50, abs=5)  # a quarter of 200 rounds; the picture hears every third


def test_certify_prints_the_gap_of_each_side_to_the_conic_program(tab: Tab) -> None:
    screen = tab("Confidence_bands", t=12).closer("glass")
    screen.page.get_by_role("button", name="Certify with the conic program").click()
    table = screen.page.get_by_test_id("stDataFrame").first
    table.locator("canvas [role=columnheader]", has_text="gap").wait_for(state="attached")
    head = table.locator("canvas [role=columnheader]").all_text_contents()
    gap = head.index("gap")
    rows = table.locator("canvas [role=row]").all()
    cells = [row.locator("[role=gridcell]").all_text_contents() for row in rows]
    gaps = [float(row[gap]) for row in cells if row]
    assert len(gaps) == 6  # three places, two sides
    assert max(gaps) < 1e-5  # both solve the same program: the cone to 1e-8 relative, the dual to 1e-9


def test_a_dark_browser_gets_dark_charts(tab: Tab) -> None:
    screen = tab("Confidence_bands", media={"color_scheme": "dark"})
    papers = screen.page.evaluate("() => tab.charts().map(g => g._fullLayout.paper_bgcolor)")
    assert set(papers) == {"#0E1117"}
