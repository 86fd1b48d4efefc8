"""While time runs a picture on canvases lies over Plotly's: at the same frame the two are one, so nothing jumps."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image

from tests.browser.conftest import sampled
from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
PAGES = [
    "Drifting_rewards",
    "Confidence_bands",
    "R_PERP",
    "The_race",
    "Theorems",
    "Forgetting",
    "Side_queries",
    "Real_data",
    "Under_the_microscope",
]
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


def picture(screen: Screen) -> np.ndarray:
    """The stage as it is on screen, in grey."""
    shot = screen.page.locator(".st-key-main .js-plotly-plot").first.screenshot()
    return np.asarray(Image.open(io.BytesIO(shot)).convert("L"), dtype=int)


@pytest.mark.parametrize("path", sampled(PAGES))
def test_the_picture_that_runs_is_the_one_that_rests(tab: Tab, path: str) -> None:
    screen = tab(path)
    rests = picture(screen)
    screen.page.evaluate(DRAW)
    screen.until("() => lab.chart(tab.chart('main')).picture.stands").hold(200)
    assert (np.abs(picture(screen) - rests) > OTHER).mean() < MOST
    assert screen.page.evaluate(UNMATCHED) == []
    assert not screen.errors


@pytest.mark.parametrize("path", sampled(["Drifting_rewards", "Confidence_bands"]))
def test_a_film_that_runs_lies_on_the_canvas_and_one_that_rests_is_plotlys(tab: Tab, path: str) -> None:
    screen = tab(path, t=1)
    screen.page.locator(".player [data-do=play]").click()
    screen.until("() => lab.now.t > 8")
    assert screen.page.evaluate("() => lab.chart(tab.chart('main')).picture.stands")
    screen.page.locator(".player [data-do=play]").click()
    screen.until("() => !lab.chart(tab.chart('main')).picture.stands").at(screen.frame)
    assert not screen.errors


def test_after_a_film_has_played_the_next_setting_is_drawn(tab: Tab) -> None:
    screen = tab("Confidence_bands", t=0)
    screen.press(" ").until("() => lab.player.clock.runs && lab.player.t > 3")
    screen.press(" ").until("() => !lab.player.clock.runs").settle()
    screen.redraw(lambda: screen.turn("V", "ArrowRight"))
    assert screen.errors == []


@pytest.mark.parametrize("path", PAGES)
def test_a_word_that_was_away_is_in_the_picture_that_rests_again(tab: Tab, path: str) -> None:
    screen = tab(path)
    rests = "() => !lab.chart(tab.chart('main')).picture.stands"
    frame, said = screen.frame, screen.until(rests).page.evaluate(WORDS)
    for away in (0, screen.page.evaluate("() => lab.player.film.n - 1")):
        screen.page.evaluate("f => lab.player.show(f)", away)
        screen.at(away).until(rests).hold(300)
    screen.page.evaluate("f => lab.player.show(f)", frame)
    screen.at(frame).until(rests).hold(300)
    assert said and screen.page.evaluate(WORDS) == said and not screen.errors
