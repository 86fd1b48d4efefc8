"""The theorems page in a browser: the sweep stops where it should, and the film there is what Python draws."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lessons.theorems.lesson import LESSON
from lessons.theorems.rates.model import NUS, OPENING_FRAMES
from tests.browser.screen import Screen, same_picture

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]


def test_the_page_opens_with_runs_between_their_bounds_on_the_first_screen_and_key_1_shows_the_dots(tab: Tab) -> None:
    screen = tab("Theorems")
    assert "no method can promise less than" in screen.finding and screen.frame == LESSON.t
    for part in (".st-key-finding_spot .live", ".st-key-main .js-plotly-plot", ".player"):
        box = screen.page.locator(part).first.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 768, part
    screen.press("1").at(OPENING_FRAMES["budget"])
    assert "sit on the lower bound" in screen.finding
    assert screen.errors == [] and screen.outside == []


def test_the_next_event_is_a_usual_kernel_and_the_film_there_is_what_python_draws(tab: Tab) -> None:
    screen = tab("Theorems", view="rates", t=OPENING_FRAMES["budget"]).press("Shift+ArrowRight").at(NUS.index(1.5))
    screen.until("t => new URLSearchParams(location.search).get('t') === t", str(NUS.index(1.5))).settle()
    assert screen.page.locator(".player output").inner_text() == "ν = 1.5" and "promises nothing" in screen.finding
    drawn = tab("Theorems", view="rates", t=NUS.index(1.5))
    assert drawn.finding == screen.finding
    same_picture(drawn.data("main"), screen.data("main"), drawn.spans("main"))


def test_every_word_of_the_main_figure_lies_inside_it_in_the_hall(tab: Tab) -> None:
    screen = tab("Theorems", view="runs", lecture="true")
    for view in ({"view": "runs"}, {"view": "rates", "measure": "V"}, {"view": "rates", "measure": "α"}):
        screen.open("Theorems", **view, lecture="true")
        seen = screen.words("main")
        left, top, right, bottom = seen["frame"]
        for word in seen["words"]:
            a, b, c, d = word["box"]
            assert a >= left - 1 and c <= right + 1 and b >= top - 1 and d <= bottom + 1, word
            assert word["size"] >= 16, word
