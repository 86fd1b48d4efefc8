"""The stage follows a slider while it is dragged, shows on release what it showed before, and never needs to."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Route

from tests.browser.conftest import sampled
from tests.browser.screen import Screen, same_picture

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
KNOBS = {"Drifting_rewards": "V", "Theorems": "growth", "Forgetting": "m"}
RATES = {"view": "rates", "t": 16}
OPENED = {"Theorems": RATES}
LATER = "n => lab.followed > n"
# A frame of the value under the finger, not of one that it passed on a busy machine.
CAUGHT_UP = "() => { const f = lab.player.follower; return f.text() !== null && f.drawn === f.text(); }"


def drag(screen: Screen, key: str, pixels: float) -> None:
    """Take hold of a slider's thumb and pull it to the right, without letting go."""
    thumb = screen.slider(key).locator("xpath=..").bounding_box()
    x, y = thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] / 2
    mouse = screen.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + pixels / 2, y)
    mouse.move(x + pixels, y)


def followed(screen: Screen) -> int:
    """How many frames were drawn over the stage."""
    return screen.page.evaluate("() => lab.followed")


def shown(screen: Screen) -> list[dict]:
    """What the stage shows: without points for the mouse, gaps at an end, and traces that hold nothing now."""
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


@pytest.mark.parametrize("path", sampled(KNOBS))
def test_the_stage_follows_a_held_slider_and_on_release_nothing_moves(tab: Tab, path: str) -> None:
    screen, key = tab(path, **OPENED.get(path, {})), KNOBS[path]
    before, url, sentence = shown(screen), screen.page.url, screen.finding
    screen.page.evaluate("() => tab.note()")
    drag(screen, key, 60)
    screen.until("() => tab.changed()").until(CAUGHT_UP).hold(500)
    held, said = shown(screen), screen.finding
    assert screen.page.url == url  # Python has heard of nothing
    assert held != before and (said != sentence or path == "Forgetting")
    screen.page.mouse.up()
    screen.until("url => location.href !== url", url).settle()
    screen.until("() => [...lab.charts.values()].every(chart => !chart.over)")
    assert screen.finding == said
    same_picture(held, shown(screen), screen.spans())
    assert not screen.errors


def test_a_slider_that_comes_back_shows_the_film_again(tab: Tab) -> None:
    screen = tab("Drifting_rewards")
    before, sentence = screen.data(), screen.finding
    screen.page.evaluate("() => tab.note()")
    drag(screen, "V", 40)
    screen.until("() => tab.changed()")
    drag_back = screen.slider("V").locator("xpath=..").bounding_box()
    screen.page.mouse.move(drag_back["x"] + drag_back["width"] / 2 - 40, drag_back["y"] + drag_back["height"] / 2)
    screen.until("() => document.querySelector('.st-key-V input[type=range]').value === '1.5'")
    screen.page.mouse.up()
    screen.until("() => [...lab.charts.values()].every(chart => !chart.over)").hold(300)
    same_picture(before, screen.data(), screen.spans())
    assert screen.finding == sentence and not screen.errors


def test_arrows_held_on_a_slider_are_followed(tab: Tab) -> None:
    screen = tab("Theorems", **RATES)
    said = screen.finding
    screen.slider("growth").focus()
    for _ in range(6):
        screen.page.keyboard.down("ArrowRight")
    screen.until(LATER, 0)
    screen.page.keyboard.up("ArrowRight")
    screen.hold(900).settle()
    assert screen.value("growth") == pytest.approx(0.3) and screen.finding != said
    assert not screen.errors and not screen.page.evaluate("() => lab.chart(tab.chart('main')).over")


def point(screen: Screen, x: str, across: float, up: float) -> tuple[float, float]:
    """A place on the screen: shares of the panel of an x axis of the stage."""
    return tuple(
        screen.page.evaluate(
            """([name, across, up]) => { const g = tab.chart('main'), full = g._fullLayout, ax = full[name];
        const ay = full[ax.anchor.replace('y', 'yaxis')], box = g.getBoundingClientRect();
        return [box.left + ax._offset + across * ax._length, box.top + ay._offset + (1 - up) * ay._length]; }""",
            [x, across, up],
        )
    )


def test_the_place_of_the_closer_look_is_dragged_in_any_panel_and_its_pictures_follow(tab: Tab) -> None:
    screen = tab("Confidence_bands").closer("glass")
    count = 5  # panels, one a band
    wide = (1 - 0.018 * (count - 1)) / count
    screen.page.evaluate("() => tab.note()")
    glass = screen.data("glass")
    x, y = point(screen, "xaxis", (wide + 0.018) + 0.5 * wide, 0.6)  # of the second panel, where place 0.5 is marked
    screen.page.mouse.move(x, y)
    screen.page.mouse.down()
    screen.page.mouse.move(*point(screen, "xaxis", (wide + 0.018) + 0.7 * wide, 0.6), steps=4)
    screen.until("() => lab.player.follower.drawn === '0.7'").hold(300)
    screen.page.locator(".st-key-glass").scroll_into_view_if_needed()
    assert "place" not in screen.page.url
    screen.page.mouse.up()
    screen.until("() => location.search.includes('place=0.7')").settle()
    assert screen.value("place") == pytest.approx(0.7) and screen.data("glass") != glass
    assert not screen.errors


def test_the_cursor_of_time_is_dragged_on_the_figure_and_the_link_follows(tab: Tab) -> None:
    screen = tab("Drifting_rewards", view="maps", t=101)
    mouse = screen.page.mouse
    start = screen.frame
    x, y = point(screen, "xaxis5", 0.5, 0.5)  # T = 200: the middle of the drift so far
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - 60, y)
    screen.until("f => lab.now.t < f - 20", start)
    there = screen.frame
    mouse.move(*point(screen, "xaxis5", 0.75, 0.5))
    screen.until("() => Math.abs(lab.now.t - 149.5) < 2")
    assert there < screen.frame
    mouse.up()
    screen.linked()
    assert abs(screen.time - 150) <= 2 and not screen.errors


def test_your_memory_is_dragged_on_the_figure_and_sentence_knob_and_link_follow(tab: Tab) -> None:
    screen = tab("Forgetting", t=100)
    mouse = screen.page.mouse
    x, y = point(screen, "xaxis2", 3.05 / 5.1, 0.6)  # the fourth place, m = 40, on an axis from -0.05 to 5.05
    step = point(screen, "xaxis2", 4.05 / 5.1, 0.6)[0] - x
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 20, y)
    mouse.move(x + step, y)
    screen.page.locator(".st-key-finding_spot .live", has_text="80 steps of memory").wait_for()
    assert "m=" not in screen.page.url
    mouse.up()
    screen.until("() => /[?&]m=80/.test(location.href)").settle()
    assert screen.value("m") == 4 and "80 steps of memory" in screen.finding and not screen.errors
    screen.until("() => [...lab.charts.values()].every(chart => !chart.over)")


def test_the_cross_is_dragged_upwards_to_more_drift_and_across_to_another_horizon(tab: Tab) -> None:
    screen = tab("Theorems", **RATES, growth="0.25", log_T="4.0")
    mouse = screen.page.mouse
    x, y = point(screen, "xaxis3", 2 / 5, 4.5 / 10.5)  # 10^4 on an axis from 10^2 to 10^7; 10^1 from 10^-3.5 to 10^7
    for key, by in (("growth", (0, -40)), ("log_T", (60, 0))):
        before = screen.value(key)
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + by[0] / 2, y + by[1] / 2)
        mouse.move(x + by[0], y + by[1])
        mouse.up()
        screen.until("key => new RegExp(`[?&]${key}=`).test(location.href)", key).settle()
        assert screen.value(key) > before
        (there,) = [t for t in screen.data() if t["axes"] == "x3 y3" and len(t["x"] or []) == 1 and not t["text"]]
        x, y = point(screen, "xaxis3", (there["x"][0] - 2) / 5, (there["y"][0] + 3.5) / 10.5)
    assert not screen.errors


@pytest.mark.wide
def test_time_is_dragged_over_a_table_whose_first_part_was_for_learning(tab: Tab) -> None:
    screen = tab("Real_data", t=1, view="wall")
    mouse = screen.page.mouse
    x, y = point(screen, "xaxis", 0.9, 0.5)  # of all days; the race begins after the first half
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 10, y)
    mouse.move(x, y)
    screen.until("() => lab.now.t > 20")
    mouse.up()
    screen.settle()
    last = screen.page.evaluate("() => lab.player.film.times.at(-1)")
    assert abs(screen.time / last - 0.8) < 0.03 and not screen.errors


@pytest.mark.wide
def test_a_finger_drags_the_line_of_now_and_scrolls_the_page_elsewhere(tab: Tab) -> None:
    screen = tab("Drifting_rewards", view="maps", t=100)
    hand = screen.page.context.new_cdp_session(screen.page)

    def swipe(x: float, y: float, by: float) -> None:
        hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for i in range(1, 7):
            hand.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + by * i / 6, "y": y}]})
        hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    hand.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        low, high = screen.page.evaluate("() => tab.chart('main').layout.xaxis5.range")
        x, y = point(screen, "xaxis5", (100 - low) / (high - low), 0.5)
        swipe(x + 60, y, -30)
        assert screen.hold(300).frame == 99
        swipe(x, y, -50)
        screen.until("() => lab.now.t < 80").linked()
        assert not screen.errors
    finally:
        hand.send("Emulation.setTouchEmulationEnabled", {"enabled": False})


def ink(screen: Screen) -> str:
    """What stands on the canvas of lesson 0."""
    return screen.page.locator(".chase canvas").evaluate("canvas => canvas.toDataURL()")


def test_the_hill_of_lesson_0_follows_its_drift_and_on_release_nothing_moves(tab: Tab) -> None:
    screen = tab("Theorems", **RATES)  # a tab that stands; lesson 0 has no chart to wait for
    screen.page.goto(f"{screen.address}/?t=55")
    screen.page.locator(".chase canvas").wait_for()
    screen.until("() => window.lab?.now?.t === 55").hold(1500)
    before, said, url = ink(screen), screen.finding, screen.page.url
    drag(screen, "drift", 40)
    screen.until("() => lab.followed > 0").hold(500)
    held, sentence = ink(screen), screen.finding
    assert held != before and sentence != said and screen.page.url == url
    screen.page.mouse.up()
    screen.until("url => location.href !== url", url).hold(1500)
    assert ink(screen) == held and screen.finding == sentence and not screen.errors


SNAPSHOTS = """() => {
  const chart = lab.chart(tab.chart('main')), shots = window.__shots = [];
  const look = () => {
    if (chart.frame !== null && lab.player.clock.runs) { const drawn = chart.own;
      shots.push([chart.frame, lab.player.film.charts[0].tracks.map(
        track => track.array === undefined ? null : Array.from(drawn[track.trace][track.attribute]))]); }
    requestAnimationFrame(look);
  };
  look();
  lab.player.root.querySelector('[data-do=play]').click();
}"""
FILM = """() => lab.player.film.charts[0].tracks.map(track => track.array === undefined ? null
  : [track.cuts ?? null, track.tiles, lab.player.film.rows[track.array].map(row => Array.from(row))])"""


@pytest.mark.parametrize("path", ["Drifting_rewards", pytest.param("Confidence_bands", marks=pytest.mark.wide)])
def test_between_two_frames_only_what_glides_is_on_its_way_and_a_pause_shows_a_frame(tab: Tab, path: str) -> None:
    screen = tab(path, t=1)
    screen.page.evaluate(SNAPSHOTS)
    screen.until("() => lab.now.t > 20")
    screen.page.locator(".player [data-do=play]").click()
    screen.until("() => lab.chart(tab.chart('main')).frame === lab.now.t")
    tracks, shots = screen.page.evaluate(FILM), screen.page.evaluate("() => __shots")
    assert any(place % 1 for place, _ in shots)
    moved = 0
    for place, drawn in shots:
        t, way = int(place), place % 1
        for track, found in zip(tracks, drawn, strict=True):
            if track is None:
                continue
            cuts, tiles, rows = track
            row = np.array(rows[t], dtype=float)
            if way and cuts is not None and t not in cuts:
                step = np.array(rows[t + 1], dtype=float) - row
                moved += bool(np.nan_to_num(step).any())
                row = row + way * np.nan_to_num(step)
            np.testing.assert_allclose(np.array(found, dtype=float), np.tile(row, tiles or 1), rtol=1e-5, atol=1e-6)
    assert moved and not screen.errors


def refuse(status: int, **more: object) -> Callable[[Route], None]:
    return lambda route: route.fulfill(status=status, **more)


ANOTHER_STREAMLIT = """() => new MutationObserver(() => {
  for (const e of document.querySelectorAll('[data-testid=stSlider]')) e.dataset.testid = 'stRange'; })
  .observe(document.body, { childList: true, subtree: true }) """
LESS = {
    "a proxy that answers with the page": refuse(200, body="<!doctype html>", content_type="text/html"),
    "no route": refuse(404),
    "too many": refuse(503, headers={"Retry-After": "1"}),
    "no line": lambda route: route.abort(),
    "no frame in these settings": refuse(204),
    "no sliders as they are now": None,
}


@pytest.mark.parametrize("less", sampled(LESS, "no route", "no sliders as they are now"))
def test_with_less_the_slider_works_on_release_as_before(tab: Tab, less: str) -> None:
    screen = tab("Theorems", **RATES)
    asked: list[str] = []
    screen.page.on("request", lambda request: asked.append(request.url) if "/frame/" in request.url else None)
    if LESS[less] is None:
        screen.page.evaluate(ANOTHER_STREAMLIT)
        screen.page.evaluate("() => document.body.append(document.createElement('i'))")
    else:
        screen.page.route("**/frame/**", LESS[less])
    screen.page.route("**/film/**", lambda route: route.abort())  # where a finger rests, its film would be shown
    try:
        screen.page.evaluate("() => tab.note()")
        drag(screen, "growth", 60)
        screen.hold(400)
        assert not screen.page.evaluate("() => tab.changed()") and followed(screen) == 0
        screen.page.unroute("**/film/**")
        screen.page.mouse.up()
        screen.until("() => tab.changed()").settle()
        # The browser itself writes of a request that failed; the page says nothing.
        assert [said for said in screen.errors if "Failed to load resource" not in said] == []
        # What is refused is not asked again; without a frame here the next stop may have one.
        assert len(asked) <= (8 if "settings" in less else 3)
    finally:
        screen.page.unroute_all()
        screen.errors.clear()
