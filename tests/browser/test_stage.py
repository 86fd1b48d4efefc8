"""What the player moves: canvases lie over Plotly's picture while time runs, and at one frame both are the same."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser

from lessons.theorems.rates.model import NUS, OPENING_FRAMES
from tests.browser.boxes import touching
from tests.browser.conftest import FILMS, ON_ITS_SIDE, PHONE, new_tab
from tests.browser.screen import Screen, same_picture
from tvbo_core import bands

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
OTHER = 64  # of 255: two smoothed edges of one line differ by less, a line that moved by its width by more
MOST = 0.015  # of all pixels: letters and edges are smoothed differently; a curve that is missing is more
DRAW = """() => {
  const chart = lab.charts.get('main');
  chart.paint();
  clearTimeout(chart.later);  // it does not rest
}"""
# Texts of Plotly's picture without a match in ours: the same letters, their middle at most 3 pixels away.
UNMATCHED = """() => {
  const gd = tab.chart('main'), { left, top } = gd.getBoundingClientRect(), ours = lab.chart(gd).picture.boxes();
  const plain = text => text.replace(/<[^>]*>|\u200b/g, '');
  const middle = box => [box.left + box.width / 2, box.top + box.height / 2];
  return [...gd.querySelectorAll('.main-svg text')].flatMap(one => {
    const lines = one.querySelectorAll('tspan.line'), parts = lines.length ? [...lines] : [one];
    const turned = part => part.closest('.ytitle, [class^=y][class$=title]');
    return parts.filter(part => part.getBoundingClientRect().width && !turned(part))
      .filter(part => {
        const box = part.getBoundingClientRect(), [x, y] = middle(box);
        return !ours.some(mine => plain(mine.text) === plain(part.textContent)
          && Math.hypot(middle(mine)[0] + left - x, middle(mine)[1] + top - y) < 3);
      }).map(part => part.textContent);
  });
}"""
WORDS = "() => [...tab.chart('main').querySelectorAll('.main-svg text')].map(one => one.textContent).sort()"
SMOOTH = 50  # frames a second
SHARE = 0.8  # of what this machine shows of an empty canvas, where it is drawn without a graphics card
# Frames a second of a canvas as large as the stage on which next to nothing is drawn, over two seconds.
BARE = """() => new Promise(done => {
  const size = document.querySelector('.st-key-player').getBoundingClientRect(), c = document.createElement('canvas');
  c.width = size.width; c.height = size.height; c.style.cssText = 'position:fixed;left:0;top:0;z-index:9';
  document.body.append(c);
  const pen = c.getContext('2d', { alpha: false });
  let n = 0, first = null;
  const tick = now => { first ??= now; n++; pen.fillStyle = n % 2 ? '#eee' : '#ddd'; pen.fillRect(n % 99, 0, 9, 9);
    if (now - first < 2000) return requestAnimationFrame(tick);
    c.remove(); done(1000 * (n - 1) / (now - first)); };
  requestAnimationFrame(tick); })"""
PLAYED = """() => new Promise(done => {
  const stage = lab.charts.get('main').picture, from = stage.drawn, begun = performance.now();
  setTimeout(() => done(1000 * (stage.drawn - from) / (performance.now() - begun)), 3000); })"""
# Notes, picture by picture of the screen, whether a last picture is seen, whether a stage is painted, and an open bet.
WATCH = """() => { window.seen = []; const look = () => {
  const box = document.querySelector('body > .lab-picture');
  seen.push({ box: !!box && box.offsetWidth > 300 && box.offsetHeight > 300,
    bet: !!document.querySelector('.st-key-bet_panel'), wide: box ? box.getBoundingClientRect().right : 0,
    figure: !!lab.charts.get('main')?.figure });
  requestAnimationFrame(look); }; look(); }"""


def picture(screen: Screen) -> np.ndarray:
    """The stage as it is on screen, in grey."""
    shot = screen.page.locator(".st-key-main .js-plotly-plot").first.screenshot()
    return np.asarray(Image.open(io.BytesIO(shot)).convert("L"), dtype=int)


@pytest.mark.parametrize("path", FILMS)
def test_picture_that_runs_is_picture_that_rests(tab: Tab, path: str) -> None:
    screen = tab(path)
    rests = "() => !lab.chart(tab.chart('main')).picture.stands"
    frame, still, said = screen.until(rests).frame, picture(screen), screen.page.evaluate(WORDS)
    screen.page.evaluate(DRAW)
    screen.until("() => lab.chart(tab.chart('main')).picture.stands").hold(200)
    assert (np.abs(picture(screen) - still) > OTHER).mean() < MOST
    assert screen.page.evaluate(UNMATCHED) == []
    # A word that was away is there again.
    for there in (0, screen.page.evaluate("() => lab.player.film.n - 1"), frame):
        screen.page.evaluate("f => lab.player.show(f)", there)
        screen.at(there).until(rests).hold(300)
    assert said and screen.page.evaluate(WORDS) == said and not screen.errors


# A page, its link, keys, the time that they lead to by the player (None: a later one), and the charts that follow.
STEPS = {
    "Under_the_microscope": ({"statement": "bogunovic-21"}, ["PageDown"], 11, ()),
    "Theorems": ({"view": "rates", "t": OPENING_FRAMES["budget"]}, ["Shift+ArrowRight"], NUS.index(1.5), ()),
    "Forgetting": ({"t": 62}, ["Shift+ArrowRight"], 81, ("weights", "beliefs", "worlds")),
    "Side_queries": ({"t": 250}, ["Shift+ArrowRight"], None, ("picks",)),
    "R_PERP": ({"order": "shuffled", "H": 25, "t": 15}, ["Shift+ArrowRight"], 43, ()),
    "Confidence_bands": ({"t": 60}, ["PageDown"] * 10, 70, ("widths",)),
}


@pytest.mark.parametrize("path", STEPS)
def test_player_draws_what_python_draws(tab: Tab, path: str) -> None:
    link, keys, time, below = STEPS[path]
    screen = tab(path, **link).closer(*below)
    screen.mark()
    screen.page.evaluate("() => tab.watch()")
    screen.press(*keys).linked()
    there = screen.page.evaluate("() => lab.player.time")
    assert there > link.get("t", 0) if time is None else there == time
    assert screen.page.evaluate("() => tab.most") == 1 and screen.marked("main")  # one copy, on the same node
    drawn = tab(path, **link | {"t": there}).closer(*below)
    assert (drawn.frame, drawn.finding) == (screen.frame, screen.finding)
    for key in ("main", *below):
        same_picture(drawn.data(key), screen.data(key), drawn.spans(key))
    assert screen.errors == drawn.errors == []


def test_playing_sends_nothing_a_pause_one_message(tab: Tab) -> None:
    screen = tab("Confidence_bands").closer("widths").press("Home").linked()
    said = screen.finding
    screen.mark()
    screen.sent.clear()
    screen.press("Space").until("() => lab.now.t >= 6")
    assert screen.finding != said and screen.sent == []  # the sentence plays along
    screen.press("Space")
    stopped = screen.frame
    screen.linked().hold(500)
    assert screen.frame == stopped and len(screen.sent) == 1 and screen.marked("main") and screen.marked("widths")
    screen.redraw(lambda: screen.turn("V", "ArrowRight"))  # and after a film has played the next setting is drawn


def test_motion_is_smooth_at_speed_one(stranger: Callable[[], Screen]) -> None:
    screen = stranger().front(moment="follow")
    screen.press("Home").hold(500)
    rates = []
    for _ in range(3):  # what else the machine does comes and goes: each rate is held against one of the same moment
        bare = screen.page.evaluate(BARE)
        screen.press("Space").hold(200)
        played = screen.page.evaluate(PLAYED)
        screen.press("Space").hold(600)
        rates.append((round(played, 1), round(bare, 1)))
    print("frames a second while playing, and of an empty canvas:", rates)
    assert any(played >= min(SMOOTH, SHARE * bare) for played, bare in rates), rates
    cost = screen.page.evaluate(
        "() => { const t = performance.now(); for (let i = 0; i < 50; i++) lab.player.show(90, i / 50);"
        " return (performance.now() - t) / 50; }"
    )
    print("milliseconds of drawing a frame:", round(cost, 2))
    assert cost < 1000 / SMOOTH / 2
    assert screen.errors == [] and screen.outside == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_last_picture_stays_until_next_is_painted(tab: Tab, motion: str) -> None:
    screen = tab("Drifting_rewards", media={"reduced_motion": motion})
    screen.page.evaluate(WATCH)
    screen.page.locator(".st-key-neighbours a[href*='Forgetting']").first.click()
    screen.until("() => location.pathname.includes('Forgetting')").settle()
    seen = screen.page.evaluate("() => seen")
    empty = [one for one in seen if not one["figure"]]
    assert empty and sum(one["box"] for one in empty) > 0.6 * len(empty)
    assert not any(one["box"] for one in seen if one["figure"])
    assert max(one["wide"] for one in seen) <= screen.page.viewport_size["width"]
    assert not seen[-1]["box"] and screen.errors == []


def test_slow_line_leaves_one_player_hearing_keys(tab: Tab) -> None:
    screen = tab("Drifting_rewards")
    screen.page.evaluate("() => { tab.slow = 40; }")  # the new stage and its player arrive before the old ones leave
    for stage in ("hall", "desk", "hall", "desk"):
        screen.press("l").until(f"() => document.querySelector('.st-key-stage_{stage} .js-plotly-plot')?._fullLayout")
        screen.settle()
    assert set(screen.page.evaluate("() => tab.copies()").values()) == {1}
    frame = screen.frame
    assert screen.press("PageUp").hold(500).frame == frame - 1  # one player hears the keys
    assert screen.errors == []


# ---------------------------------------------------------------- panels that a finger swipes through on a phone
NAMES = list(bands.ALL)
CURRENT = "n => [...document.querySelectorAll('.dots button')].findIndex(e => e.ariaCurrent === 'true') === n"
# The panel that is shown: its head, its left and right end by the ticks of its places, and all words of the lanes.
SEEN = """() => {
  const at = e => { const b = e.getBoundingClientRect(); return [e.textContent, b.left, b.right]; };
  const words = [...document.querySelectorAll('.st-key-main .gd .textpoint text')].filter(tab.seen).map(at);
  return { heads: words.filter(([text]) => text.includes('±')), lanes: words.filter(([text]) => !text.includes('±')),
    ticks: [...document.querySelectorAll('.st-key-main .gd .xtick text')].filter(tab.seen).map(at),
    up: [...document.querySelectorAll('.st-key-main .gd .ytick text')].filter(tab.seen).length }; }"""


def swipe(screen: Screen, by: float) -> None:
    """Move a finger over the stage by so many pixels to the right, and lift it."""
    box = screen.page.locator(".st-key-main .chart").bounding_box()
    hand = screen.page.context.new_cdp_session(screen.page)
    x, y = 0.5 * PHONE["width"] - 0.5 * by, box["y"] + 0.3 * box["height"]
    hand.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for i in range(1, 11):
        hand.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + by * i / 10, "y": y}]})
        screen.hold(16)  # a frame
    hand.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def shows(screen: Screen, panel: int) -> None:
    """Assert that a panel stands whole on the screen and no other one does, above all lanes."""
    screen.until(CURRENT, panel).settle()
    seen = screen.page.evaluate(SEEN)
    assert [text.split()[0] for text, _, _ in seen["heads"]] == [NAMES[panel]]
    (_, left, _), (_, _, right) = seen["ticks"][:2]
    assert left >= 0 and right <= PHONE["width"] and right - left > 0.75 * PHONE["width"]
    assert left - 8 < seen["heads"][0][1] < left + 8  # the name stands at the left edge
    assert seen["up"] >= 3  # numbers of its axis
    assert len(seen["lanes"]) == len(NAMES) and all(0 <= a < b <= PHONE["width"] for _, a, b in seen["lanes"])
    assert touching(screen.words()) == []


def test_swipe_brings_next_panel_whole(browser: Browser, address: str) -> None:
    screen = new_tab(browser, address, is_mobile=True, has_touch=True)
    screen.page.set_viewport_size(PHONE)
    screen.open("Confidence_bands")
    stage = screen.page.locator(".st-key-main .chart").bounding_box()
    assert (round(stage["x"]), round(stage["width"])) == (0, PHONE["width"]) and stage["y"] < PHONE["height"] / 3
    shows(screen, 0)  # the tightest, which the headline is about
    for panel in (1, 2):
        swipe(screen, -0.75 * PHONE["width"])
        shows(screen, panel)
    screen.page.evaluate(DRAW)  # what runs is the picture that rests, in this panel too
    screen.until("() => lab.chart(tab.chart('main')).picture.stands")
    assert screen.page.evaluate(UNMATCHED) == []
    screen.page.set_viewport_size(ON_ITS_SIDE)  # where all panels stand beside each other
    screen.until("() => !document.querySelector('.dots button')").settle()
    heads = screen.page.evaluate(SEEN)["heads"]
    assert [text.split()[0] for text, _, _ in heads] == NAMES and all(right <= 844 for _, _, right in heads)
    assert screen.errors == []
    screen.page.context.close()
