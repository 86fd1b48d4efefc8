"""On every lesson the stage changes while a slider beside it is held, before Python hears of anything."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from lessons import LESSONS
from tests.browser.conftest import sampled
from tests.browser.screen import Screen
from tests.browser.test_drag_in_browser import drag

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
# The sliders beside the stage, as a page opens.
LEADING = """() => [...document.querySelectorAll(':is(.st-key-controls, .st-key-lead) [data-testid=stSlider]')]
  .filter(one => one.offsetHeight).map(one => [...one.closest('[class*=st-key-]').classList]
  .find(name => name.startsWith('st-key-')).slice(7))"""
PATHS = {Path(lesson.file).stem: lesson for lesson in LESSONS[1:]}
LED = [path for path, lesson in PATHS.items() if lesson.follows]
OPENED = {"Under_the_microscope": {"statement": "flynn-12"}}  # where a fresh page has none
WAITING = {"Forgetting": ("V",)}  # that do not lead, and whose picture waits until they are let go: only runs can tell
CHANGED = 0.3  # of 255 levels of grey, on average over the stage


def stage(screen: Screen) -> np.ndarray:
    shot = screen.page.locator(".st-key-main .chart").first.screenshot()
    return np.asarray(Image.open(io.BytesIO(shot)).convert("L"), dtype=int)


@pytest.mark.parametrize("path", sampled([*LED, "Theorems?view=rates"]))
def test_the_picture_changes_while_any_slider_beside_it_is_held(tab: Tab, path: str) -> None:
    path, _, view = path.partition("?view=")
    link = {**OPENED.get(path, {}), **({"view": view} if view else {})}
    screen = tab(path, **link)
    sliders = [key for key in screen.page.evaluate(LEADING) if key not in WAITING.get(path, ())]
    assert sliders or path == "Under_the_microscope"
    for key in sliders:
        screen.open(path, **link)
        assert key.removesuffix("_number") in PATHS[path].follows
        before, url = stage(screen), screen.page.url
        drag(screen, key, screen.slider(key).evaluate("one => +one.value < (+one.min + +one.max) / 2 ? 50 : -50"))
        screen.until("() => lab.followed > 0 || document.querySelector('.chart.other')").hold(200)
        assert np.abs(stage(screen) - before).mean() > CHANGED, key
        assert screen.page.url == url  # Python has heard of nothing
        screen.page.mouse.up()
        screen.until("url => location.href !== url", url).settle()
        screen.until("() => !document.querySelector('.chart.other')")
        assert not screen.errors
