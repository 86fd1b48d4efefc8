"""The forgetting page in a browser: restarts as stops, a place chosen by a click, a memory set while time stands."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.boxes import of_figures
from tests.browser.conftest import PHONE
from tests.browser.screen import Screen, same_picture

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]


def test_the_page_opens_with_its_finding_and_player_on_the_first_screen(tab: Tab) -> None:
    screen = tab("Forgetting")
    assert "never forgetting" in screen.finding and screen.time == 300
    for part in (".st-key-finding_spot .live", ".st-key-main .js-plotly-plot", ".player"):
        box = screen.page.locator(part).first.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 768, part
    assert screen.errors == [] and screen.outside == []


def test_the_next_event_is_a_restart_and_the_film_there_is_what_python_draws(tab: Tab) -> None:
    below = ("weights", "beliefs", "worlds")
    screen = tab("Forgetting", t="62").closer(*below).press("Shift+ArrowRight")  # behind the first jump
    screen.until("t => new URLSearchParams(location.search).get('t') === t", "81").settle()
    assert "has just restarted" in screen.finding and screen.time == 81
    drawn = tab("Forgetting", t="81").closer(*below)
    assert drawn.finding == screen.finding
    for key in ("main", *below):
        same_picture(drawn.data(key), screen.data(key), drawn.spans(key))


def test_a_dot_of_the_strip_opens_its_world_by_mouse_and_by_keys_and_back_returns(tab: Tab) -> None:
    screen = tab("Forgetting")
    dots, ring = screen.page.locator(".worlds [role=option]"), screen.page.locator(".worlds .here")
    assert screen.page.locator(".strip > .here").inner_text().startswith("this world: ")
    before, asked = screen.finding, "k => new URLSearchParams(location.search).get('seed') === k"
    assert dots.count() == 101 and ring.count() == 1
    world = dots.nth(3).get_attribute("data-world")
    dots.nth(3).click()
    screen.until(asked, world).settle()
    assert dots.count() == 100 and ring.get_attribute("data-world") == world and screen.finding != before
    screen.page.locator(".worlds").focus()
    time, further = screen.time, dots.nth(4).get_attribute("data-world")
    screen.press("ArrowRight", "Enter").until(asked, further).settle()  # the arrows lead among the dots, not in time
    assert ring.get_attribute("data-world") == further and screen.time == time
    screen.page.go_back()
    screen.until(asked, world).settle()
    assert ring.get_attribute("data-world") == world and screen.errors == []


def test_a_click_on_an_estimate_moves_the_place_and_a_new_memory_keeps_the_time(tab: Tab) -> None:
    screen = tab("Forgetting", t="116").closer("beliefs")
    chart = screen.page.locator(".st-key-beliefs .js-plotly-plot").first
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    x, y = box["x"] + 0.12 * box["width"], box["y"] + 0.55 * box["height"]
    screen.page.mouse.move(x - 3, y)
    screen.page.mouse.move(x, y)
    screen.hold(300)  # Plotly looks for the nearest point now and then
    screen.page.mouse.click(x, y)
    screen.until("() => new URLSearchParams(location.search).has('place')").settle()
    screen.turn("m", "ArrowRight")
    screen.until("() => tab.words('main').words.some(w => /: (the least|.* more)$/.test(w.text))").settle()
    assert screen.time == 116
    assert screen.errors == []


GOES = """frame => { const bar = tab.bar(); bar.value = frame; bar.dispatchEvent(new Event('input')); }"""
STANDS = """frame => lab.now.t === frame && lab.chart(tab.chart('main')).frame === frame
  && !lab.chart(tab.chart('main')).picture.stands"""
# Words on the curve or on the dashed line, and numbers of the axis under the ball.
MEETS = """() => { const g = tab.chart('main'), strokes = tab.strokes(g), { words } = tab.words(g);
  const ball = strokes.flatMap(s => s.marks ?? []).filter(Boolean).reduce((a, b) => a[2] > b[2] ? a : b);
  const on = ([l, t, r, b]) => strokes.some(s => s.line?.some((p, k) => p && s.line[k + 1] && p[0] !== s.line[k + 1][0]
    && tab.clipped(p, s.line[k + 1], [l, t, r, b])));
  const under = ([l, t, r, b]) => l < ball[0] + ball[2] && r > ball[0] - ball[2] && t < ball[1] + ball[2]
    && b > ball[1] - ball[2];
  return words.filter(w => w.tick ? under(w.box) : on(w.box) || under(w.box)).map(w => w.text); }"""


@pytest.mark.parametrize("m", [40, pytest.param(5, marks=pytest.mark.wide)])
@pytest.mark.parametrize(
    ("size", "link"),
    [(PHONE, {}), ({"width": 844, "height": 390}, {}), ({"width": 1280, "height": 720}, {"lecture": "true"})],
)
def test_nothing_of_the_bowl_meets_and_nothing_is_cut_in_any_frame(tab: Tab, size: dict, link: dict, m: int) -> None:
    screen = tab("Forgetting", m=str(m), **link)
    screen.page.set_viewport_size(size)
    screen.hold(400).settle()  # Plotly follows a changed window after a tenth of a second
    wrong = {}
    for frame in range(screen.frame + 1):
        screen.page.evaluate(GOES, frame)
        screen.until(STANDS, frame)
        if found := of_figures(screen, moved=True) + screen.page.evaluate(MEETS):
            wrong[frame] = found
    assert wrong == {} and screen.errors == []
