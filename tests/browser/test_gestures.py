"""Hands on a page: sliders held and turned, marks and time dragged, clicks, fingers and keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.boxes import outside
from tests.browser.conftest import PHONE
from tests.browser.screen import Screen, same_picture
from tests.browser.table import GameTab

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
# A frame of the value under the finger, not of one that it passed on a busy machine.
CAUGHT_UP = "() => { const f = lab.player.follower; return f.text() !== null && f.drawn === f.text(); }"
COVERED = "() => !!lab.charts.get('main').over"
# The player has heard of the hill that the address has, and shows its film.
FILM_CAME = """() => {
  const { data, name } = lab.player, end = new URLSearchParams(location.search).get('end');
  return (data.address ?? data.revision) === name && new Map(data.question.query).get('end') === end; }"""
UNCOVERED = "() => [...lab.charts.values()].every(chart => !chart.over)"


def visible_marks(screen: Screen) -> list[dict]:
    """Return the stage as shown: without points for the mouse, gaps at an end, and traces that hold nothing now."""
    traces = screen.data()
    found = [trace for trace in traces if trace["type"] == "image"]
    for trace in (one for one in traces if one["type"] != "image"):
        mode = trace["mode"] or ""
        x, y = list(trace["x"] or []), list(trace["y"] or [])
        while y and (y[-1] is None or x[-1] is None):
            x, y = x[:-1], y[:-1]
        if mode != "none" and y:
            found.append({**trace, "x": x, "y": y, "text": trace["text"] if "text" in mode else []})
    return found


def test_held_slider_shows_what_then_stands(tab: Tab) -> None:
    """The followed picture is the one that Python draws when the slider is let go, and nothing is sent before."""
    screen = tab("Drifting_rewards")
    url = screen.page.url
    screen.drag("V", 50)
    screen.until(COVERED).until(CAUGHT_UP).hold(500)
    held, said = visible_marks(screen), screen.finding
    assert screen.page.url == url  # Python has heard of nothing
    screen.page.mouse.up()
    screen.until("url => location.href !== url", url).settle()
    screen.until(UNCOVERED).until("() => !document.querySelector('.chart.other')")
    assert screen.finding == said and screen.errors == []
    same_picture(held, visible_marks(screen), screen.spans())


def test_clicks_on_figures_choose_places_and_times(tab: Tab) -> None:
    def click(spot: tuple[float, float]) -> None:
        screen.page.mouse.move(*spot)
        screen.hold(250)  # Plotly looks at most ten times a second at what lies under the mouse
        screen.page.mouse.click(*spot)

    screen = tab("Confidence_bands")
    panel = screen.page.locator(".st-key-main .js-plotly-plot .nsewdrag").first.bounding_box()
    click((panel["x"] + 0.25 * panel["width"], panel["y"] + panel["height"] / 2))
    screen.until("() => +document.querySelector('.st-key-place input[type=range]')?.value < 0.4").settle()
    assert screen.value("place") == pytest.approx(0.25, abs=0.02)  # two of 101 actions, six pixels
    assert screen.page.evaluate("() => !!tab.chart('glass')")  # it opens the closer look
    screen.open("Drifting_rewards", view="maps")
    panel = screen.page.locator(".st-key-main .js-plotly-plot .nsewdrag").nth(1).bounding_box()
    click((panel["x"] + panel["width"] / 2, panel["y"] + panel["height"] / 4))
    screen.until("() => lab.now.t < 80")
    assert screen.time == pytest.approx(50, abs=5)  # a quarter of 200 rounds; the picture hears every third
    assert screen.errors == []


# ---------------------------------------------------------------- the front page, and the stage that is no chart


def place(screen: Screen, x: float, height: float) -> tuple[float, float]:
    """Return the place on the screen of an action and a reward on the front page's stage."""
    where = """([x, y]) => { const chart = lab.charts.get('main'), box = chart.root.getBoundingClientRect(),
      { left, right, top, bottom } = lab.player.ask.box(chart, 'y'), [low, high] = chart.layout.yaxis.range;
      return [box.left + left + x * (right - left), box.top + bottom - (y - low) / (high - low) * (bottom - top)]; }"""
    return tuple(screen.page.evaluate(where, [x, height]))


def test_click_asks_there_and_film_goes_on(tab: Tab) -> None:
    screen = tab("Theorems").front(t=21)
    screen.page.mouse.click(*place(screen, 0.70, 0.5))
    screen.until("() => lab.now.t === 23 && !lab.player.clock.runs").until(
        "() => new URLSearchParams(location.search).get('asked') === '5-70'"
    )  # asked and paid in round 6
    screen.hold(800).press("ArrowLeft", "ArrowLeft").hold(300)  # its picture has come to rest
    assert screen.finding.startswith("You query x\u00a0=\u00a00.70") and screen.errors == []


def test_handle_bends_hill_and_rounds_play_again(tab: Tab) -> None:
    screen = tab("Theorems").front(reshape="true", drift=2.2, memory=10, beside="true", t=199)
    said, t = screen.finding, screen.frame
    high = screen.page.evaluate("() => lab.player.film.charts[0].pick.handles.end.y[4]")
    mouse = screen.page.mouse
    mouse.move(*place(screen, 0.8, high))
    mouse.down()
    mouse.move(*place(screen, 0.8, 1.5), steps=5)
    screen.until(COVERED).until(CAUGHT_UP).hold(500)
    preview = screen.finding
    mouse.up()
    screen.until("() => new URLSearchParams(location.search).get('end')").until(FILM_CAME)
    stands = "() => lab.player.film.charts[0].pick.handles.end.y[4]"
    assert screen.page.evaluate(stands) == pytest.approx(1.5, abs=0.06)
    assert screen.finding == preview != said and screen.frame == t  # what was shown is true
    assert screen.errors == [] and screen.outside == []


LIT = "() => [...document.querySelectorAll('.live .lit')].map(word => word.dataset.mark)"
BRIGHT = "() => [...lab.charts.get('main').light ?? []].filter(([i, one]) => one === 1).map(([i]) => i)"


def test_words_and_marks_light_each_other(tab: Callable[..., Screen]) -> None:
    screen = tab("Confidence_bands", t=70)
    word = screen.page.locator(".live .points", has_text="miss").first
    word.hover()
    screen.until("() => !!lab.charts.get('main').light")
    bright = screen.page.evaluate(BRIGHT)
    red = "i => lab.charts.get('main').figure.data[i].meta.split('|').includes('miss')"
    assert bright and all(screen.page.evaluate(red, i) for i in bright)
    box = screen.page.locator(".st-key-main .chart").bounding_box()
    screen.page.mouse.move(box["x"] + 2, box["y"] + 2)
    screen.until("() => !lab.charts.get('main').light")
    lane = screen.page.evaluate(
        "() => { const c = lab.charts.get('main'), t = c.figure.data.findLast(one => one.meta?.startsWith('CMM|'));"
        " const i = t.x.findIndex((x, k) => Number.isFinite(x) && t.x[k + 1] > x);"
        " const at = name => c.picture.axes.get(name);"
        " return [at(t.xaxis).at((t.x[i] + t.x[i + 1]) / 2), at(t.yaxis).at(t.y[i])]; }"
    )
    screen.page.mouse.move(box["x"] + lane[0], box["y"] + lane[1])
    screen.until("() => !!document.querySelector('.live .lit')")
    assert set(screen.page.evaluate(LIT)) == {"miss", "missed"}
    stops = screen.page.locator(".live .points[tabindex='0']")
    assert stops.count() == 1
    stops.focus()
    t, first = screen.frame, stops.inner_text()
    screen.press("ArrowRight", "ArrowRight")
    assert screen.frame == t and stops.count() == 1 and stops.inner_text() != first
    assert screen.errors == []


PAUSE = 380  # milliseconds; a second click on the same place within 350 belongs to the first


def test_a_phone_plays_with_fingers(table: Callable[..., GameTab]) -> None:
    seat = table(phone=True).sit(rounds=10)
    wide = "() => document.querySelector('[data-testid=stMain]').scrollWidth <= innerWidth"
    for name in ("left", "ask", "right"):
        box = seat.page.locator(f".player [data-do={name}]").bounding_box()
        assert box["width"] >= 44 and box["height"] >= 44 and box["y"] + box["height"] <= PHONE["height"]
    for n in range(1, 10):
        seat.page.touchscreen.tap(*seat.at(n / 10))
        seat.round(n + 1)
        assert f"at x\u00a0=\u00a0{n / 10:.2f}" in seat.status
        seat.screen.hold(PAUSE)
    seat.page.locator(".player [data-do=left]").tap()
    expect(seat.ask).to_have_text("Query x = 0.89")
    seat.ask.tap()
    seat.page.locator(".st-key-guess_none button").tap()
    expect(seat.page.locator(".st-key-finding_spot .live")).to_contain_text("You came")
    seat.screen.settle()
    assert seat.page.evaluate(wide)
    assert min(word["size"] for word in seat.screen.words("main")["words"]) >= 14
    assert outside(seat.screen.words("main")) == [] and seat.screen.errors == []
    chart = seat.page.locator(".st-key-main .chart").first
    assert chart.bounding_box()["width"] > 1.5 * PHONE["width"]  # two screens, and the next game takes one again
    seat.page.get_by_text("Controls").first.tap()
    seat.page.get_by_role("button", name="Start over").tap()
    seat.round(1)
    seat.screen.settle()
    assert chart.bounding_box()["width"] < 1.1 * PHONE["width"]
