"""The microscope in a browser: a key moves the cursor to where Python would draw it, and every word can be read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lessons.microscope.lesson import LESSON
from tests.browser.boxes import sound
from tests.browser.screen import Screen, same_picture

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
SHOWN = [str(m.values.get("statement", "deng-times")) for m in LESSON.moments[:3]]


def test_the_page_opens_with_its_finding_figure_and_player_on_the_first_screen(tab: Tab) -> None:
    screen = tab("Under_the_microscope")
    assert "73 %" in screen.finding and screen.frame == LESSON.t
    for part in (".st-key-finding_spot .live", ".st-key-main .js-plotly-plot", ".player"):
        box = screen.page.locator(part).first.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 768, part
    assert screen.errors == [] and screen.outside == []


def test_a_step_of_the_sweep_is_what_python_draws_there(tab: Tab) -> None:
    screen = tab("Under_the_microscope", statement="bogunovic-21").press("PageDown").at(11)
    screen.until("t => new URLSearchParams(location.search).get('t') === t", "11").settle()
    drawn = tab("Under_the_microscope", statement="bogunovic-21", t=11)
    assert drawn.finding == screen.finding
    same_picture(drawn.data("main"), screen.data("main"), drawn.spans("main"))


@pytest.mark.parametrize("key", SHOWN)
def test_no_word_is_clipped_or_covered_at_either_end_of_the_sweep(tab: Tab, key: str) -> None:
    screen = tab("Under_the_microscope", statement=key, lecture="true")
    for when in ("", "Home", "End"):
        if when:
            screen.press(when).hold(300).settle()
        sound(screen.words(), f"{key} {when}")
