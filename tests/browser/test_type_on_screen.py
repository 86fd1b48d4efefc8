"""Whatever is written in a figure lies inside it and apart from everything else that is written there."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest

from tests.browser.conftest import DESK, HALL
from tests.browser.screen import Screen

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


@pytest.mark.parametrize("look", ["false", "true"], ids=["desk", "lecture"])
@pytest.mark.parametrize("size", [DESK, HALL], ids=["768 lines", "1080 lines"])
@pytest.mark.parametrize("path", ["Drifting_rewards", "Confidence_bands"])
def test_no_text_of_a_figure_is_clipped_or_covered(tab: Tab, path: str, size: dict, look: str) -> None:
    screen = tab(path, size=size, lecture=look)
    for key in screen.page.evaluate("() => Object.keys(lab.copies())"):
        seen = screen.words(key)
        assert len(seen["words"]) > 3
        assert outside(seen) == [], key
        assert touching(seen) == [], key
    for moment in ("Home", "End"):
        seen = screen.press(moment).hold(100).settle().words()
        assert outside(seen) == [], moment
        assert touching(seen) == [], moment
