"""Whatever is written in a figure lies inside it and apart from everything else that is written there."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest

from tests.browser.conftest import DESK, HALL
from tests.browser.screen import Screen, every_page

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
SLACK = 1.0  # pixels: boxes are fractions of a pixel, ink is not


def outside(seen: dict) -> list[str]:
    left, top, right, bottom = seen["frame"]
    return [
        word["text"]
        for word in seen["words"]
        if word["box"][0] < left - SLACK or word["box"][1] < top - SLACK
        or word["box"][2] > right + SLACK or word["box"][3] > bottom + SLACK
    ]  # fmt: skip


def touching(seen: dict) -> list[tuple[str, str]]:
    """Pairs of texts whose ink overlaps."""
    pairs = []
    for a, b in combinations(seen["words"], 2):
        wide = min(a["box"][2], b["box"][2]) - max(a["box"][0], b["box"][0])
        tall = min(a["box"][3], b["box"][3]) - max(a["box"][1], b["box"][1])
        if wide > SLACK and tall > SLACK:
            pairs.append((a["text"], b["text"]))
    return pairs


def sound(seen: dict, where: str) -> None:
    assert len(seen["words"]) > 3, where
    assert outside(seen) == [], where
    assert touching(seen) == [], where


@pytest.mark.parametrize("look", ["false", "true"], ids=["desk", "lecture"])
@every_page
def test_no_text_of_a_figure_is_clipped_or_covered(tab: Tab, path: str, look: str) -> None:
    screen = tab(path, lecture=look)
    for size in (HALL, DESK):
        screen.page.set_viewport_size(size)
        screen.hold(400).settle()  # Plotly follows a changed window after a tenth of a second
        for key in screen.page.evaluate("() => Object.keys(lab.copies())"):
            sound(screen.words(key), key)
    for when in ("Home", "End", "2", "3"):  # the ends of time, and two prepared moments, on the small screen
        sound(screen.press(when).hold(500).settle().words(), when)
