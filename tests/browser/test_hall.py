"""In a hall headline, figure, player with its time and the knob that leads stand on the screen, in every state."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lessons import LESSONS
from tests.browser.conftest import sampled
from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]

FILMS = {Path(lesson.file).stem: lesson for lesson in LESSONS[1:] if lesson.scene}
PROJECTOR = {"width": 1280, "height": 720}
OTHERS = ({"width": 1366, "height": 650}, {"width": 1920, "height": 1080})
PARTS = ("h1", ".st-key-finding_spot", ".st-key-stage_hall", ".st-key-player", ".st-key-lead")
IN_ROW = {path for path, lesson in FILMS.items() if lesson.leads}


def inside(screen: Screen, path: str, size: dict[str, int]) -> None:
    """Every part stands on the screen whole, and no part is below another one's place."""
    for part in PARTS:
        found = screen.page.locator(part).first
        box = found.bounding_box() if found.count() else None
        if part == ".st-key-lead" and path not in IN_ROW:
            continue
        assert box is not None, part
        assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"], (part, box)
        assert box["x"] >= 0 and box["x"] + box["width"] <= size["width"], (part, box)


@pytest.mark.parametrize("path", sampled(FILMS))
def test_a_hall_of_720_lines_sees_headline_figure_player_and_the_knob_that_leads(tab: Tab, path: str) -> None:
    screen = tab(path, size=PROJECTOR, lecture="true").settle()
    inside(screen, path, PROJECTOR)
    rest = screen.page.locator(".st-key-lecture_controls").bounding_box()
    assert rest is None or rest["y"] >= PROJECTOR["height"]  # and no half of a row below them
    for moment in FILMS[path].moments:
        screen.open(path, lecture="true", moment=moment.key)
        inside(screen, path, PROJECTOR)
    assert screen.errors == []


@pytest.mark.parametrize("path", sampled(FILMS))
def test_other_halls_see_them_too(tab: Tab, path: str) -> None:
    for size in OTHERS:
        screen = tab(path, size=size, lecture="true").settle()
        inside(screen, path, size)
    assert screen.errors == []
