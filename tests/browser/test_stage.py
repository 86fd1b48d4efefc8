"""Every page opens whole and small, and its stage's canvases agree with Plotly's picture while time runs."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.browser.boxes import cut, touching
from tests.browser.conftest import FILMS, PHONE, new_tab, sampled
from tests.browser.finger import Finger
from tests.browser.screen import Screen
from tvbo_core import bands

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
FIRST_SCREEN = (".st-key-finding_spot .live", ".st-key-main .js-plotly-plot", ".player")


@pytest.mark.parametrize("path", sampled(FILMS))
def test_finding_figure_and_player_share_first_screen(tab: Tab, path: str) -> None:
    screen = tab(path)
    assert cut(screen, *FIRST_SCREEN) == [] and len(screen.finding) > 20
    assert screen.errors == [] and screen.outside == []


MAX_SHIFT = 0.02  # of the screen times the distance, after the chart is drawn (issue 24)
# Every shift with its time, and when the main chart had been drawn for the first time.
WATCH = """
window.shifts = []; window.drawnAt = null;
new PerformanceObserver(list => { for (const e of list.getEntries()) if (!e.hadRecentInput)
  shifts.push([e.startTime, e.value, e.sources.map(s => {
    const n = s.node?.nodeType === 1 ? s.node : s.node?.parentElement;
    const keyed = n?.closest('[class*=st-key-]');
    return `${[...(keyed?.classList ?? [])].find(c => c.startsWith('st-key-')) ?? n?.className} `
      + `${Math.round(s.previousRect.top)}>${Math.round(s.currentRect.top)}`; }).join('; ')]);
}).observe({ type: 'layout-shift', buffered: true });
const look = () => {
  if (drawnAt === null && document.querySelector('.st-key-main .js-plotly-plot .main-svg')) drawnAt = performance.now();
  requestAnimationFrame(look); };
requestAnimationFrame(look);
"""


@pytest.mark.parametrize("path", sampled(["Drifting_rewards", "Confidence_bands", "R_PERP", "Theorems"]))
def test_nothing_jumps_after_chart_is_drawn(stranger: Callable[[], Screen], path: str) -> None:
    screen = stranger()
    screen.page.add_init_script(WATCH)
    screen.open(path).hold(600)
    shifts, drawn = screen.page.evaluate("() => [shifts, drawnAt]")
    late = [shift for shift in shifts if shift[0] >= drawn]
    assert sum(value for _, value, _ in late) <= MAX_SHIFT, late


OTHER = 64  # of 255: two smoothed edges of one line differ by less, a line that moved by its width by more
MOST = 0.015  # of all pixels: letters and edges are smoothed differently; a curve that is missing is more
# Draws the stage anew, and notes what is written where: neighbours that begin where the one before ends are one line.
DRAW = """() => {
  const chart = lab.charts.get('main'), pen = CanvasRenderingContext2D.prototype, { fillText } = pen;
  tab.written = [];
  pen.fillText = function (text, x, y) {
    const { width, fontBoundingBoxAscent: rise, fontBoundingBoxDescent: fall } = this.measureText(text),
      last = tab.written.at(-1), box = { text, left: x, right: x + width, top: y - rise, bottom: y + fall };
    if (last && Math.abs(last.right - x) < 0.01) Object.assign(last, { text: last.text + text, right: box.right,
      top: Math.min(last.top, box.top), bottom: Math.max(last.bottom, box.bottom) });
    else tab.written.push(box);
    fillText.call(this, text, x, y);
  };
  chart.picture.looks = null;  // what stands still, too
  chart.paint();
  pen.fillText = fillText;
  clearTimeout(chart.later);  // it does not rest
}"""
# Texts of Plotly's picture without a match in ours: the same letters, their middle at most 3 pixels away.
UNMATCHED = """() => {
  const gd = tab.chart('main'), { left, top } = gd.getBoundingClientRect();
  const plain = text => text.replace(/<[^>]*>|\u200b/g, '');
  const middle = box => [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  return [...gd.querySelectorAll('.main-svg text')].flatMap(one => {
    const lines = one.querySelectorAll('tspan.line'), parts = lines.length ? [...lines] : [one];
    const turned = part => part.closest('.ytitle, [class^=y][class$=title]');
    return parts.filter(part => part.getBoundingClientRect().width && !turned(part))
      .filter(part => {
        const box = part.getBoundingClientRect(), [x, y] = middle(box);
        return !tab.written.some(mine => plain(mine.text) === plain(part.textContent)
          && Math.hypot(middle(mine)[0] + left - x, middle(mine)[1] + top - y) < 3);
      }).map(part => part.textContent);
  });
}"""
WORDS = "() => [...tab.chart('main').querySelectorAll('.main-svg text')].map(one => one.textContent).sort()"


def picture(screen: Screen) -> np.ndarray:
    """The stage as it is on screen, in grey."""
    shot = screen.page.locator(".st-key-main .js-plotly-plot").first.screenshot()
    return np.asarray(Image.open(io.BytesIO(shot)).convert("L"), dtype=int)


@pytest.mark.parametrize("path", sampled(FILMS, "Confidence_bands"))
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


def test_playing_sends_nothing_a_pause_one_message(tab: Tab) -> None:
    screen = tab("Confidence_bands").closer("widths").press("Home").linked()
    said = screen.finding
    screen.mark()
    screen.sent.clear()
    screen.press("Space").until("() => lab.now.t >= 6")
    screen.until("said => document.querySelector('.live').innerText !== said", said)  # once it has stood for a while
    assert screen.sent == []
    screen.press("Space")
    stopped = screen.frame
    screen.linked().hold(500)
    assert screen.frame == stopped and len(screen.sent) == 1 and screen.marked("main") and screen.marked("widths")
    screen.redraw(lambda: screen.turn("V", "ArrowRight"))  # and after a film has played the next setting is drawn


# Notes when the words of the headline change; numbers are no words. A film writes them as it tells the page its frame,
# and draws that frame afterwards: who looked only then would count the drawing, too.
CHANGES = """() => { const spot = document.querySelector('.st-key-finding_spot .live'),
  words = () => spot.textContent.replace(/\\d+([.,\\u2009\\u202f]\\d+)*/g, '0');
  let last = words(); window.changes = [];
  const look = () => { if (words() !== last) { last = words(); changes.push(performance.now()); } };
  window.addEventListener('tvbo:frame', look);
  new MutationObserver(look).observe(spot, { childList: true, characterData: true, subtree: true }); }"""
STANDS = 1450  # milliseconds: 1.5 s, less what lies between a change and its note


@pytest.mark.parametrize("path", sampled(["", *FILMS], "Drifting_rewards"))
def test_sentence_stands_while_film_plays(tab: Tab, path: str) -> None:
    screen = tab(path or "Theorems")
    if not path:
        screen.front()
    screen.press("Home").hold(1600)
    screen.page.evaluate(CHANGES)
    screen.press("Space").until("() => lab.player.clock.runs").until("() => !lab.player.clock.runs")
    screen.hold(1600)  # the last sentence may come after the film
    lives = np.diff(screen.page.evaluate("() => changes"))
    assert (lives >= STANDS).all(), lives


# ---------------------------------------------------------------- panels that a finger swipes through on a phone
NAMES = list(bands.ALL)
CURRENT = "n => [...document.querySelectorAll('.dots button')].findIndex(e => e.ariaCurrent === 'true') === n"


HEADS = """() => [...document.querySelectorAll('.st-key-main .gd .textpoint text')].filter(tab.seen)
  .map(e => [e.textContent, e.getBoundingClientRect().left]).filter(([text]) => text.includes('±'))"""


def test_swipe_brings_next_panel_whole(browser: Browser, address: str) -> None:
    screen = new_tab(browser, address, is_mobile=True, has_touch=True)
    finger = Finger(screen.page, screen.page.context.new_cdp_session(screen.page))
    screen.page.set_viewport_size(PHONE)
    screen.open("Confidence_bands")
    for panel in range(3):  # the first is the tightest, which the headline is about
        screen.until(CURRENT, panel).settle()
        ((head, left),) = screen.page.evaluate(HEADS)
        assert head.split()[0] == NAMES[panel] and 0 <= left < 0.25 * PHONE["width"]
        assert touching(screen.words()) == []
        _, high = finger.place(".st-key-main .swipe")
        finger.swipe((0.9 * PHONE["width"], high), -0.75 * PHONE["width"], 0)
    assert screen.errors == []
    screen.page.context.close()
