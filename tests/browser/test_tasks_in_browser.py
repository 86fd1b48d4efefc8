"""A task is on the screen where it is chosen, follows a slider, and is found again by its address."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lessons import BY_KEY
from tests.browser.conftest import DESK
from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
LINE = ".st-key-task_line"


@pytest.mark.parametrize("key", ["bands", pytest.param("forgetting", marks=pytest.mark.wide)])
def test_a_chosen_task_stands_over_the_player_on_a_small_desk_and_its_address_opens_it_again(
    tab: Tab, key: str
) -> None:
    screen = tab(BY_KEY[key].file.removeprefix("pages/").removesuffix(".py"))
    assert screen.page.locator(LINE).count() == 0
    screen.page.get_by_role("button", name="Try it").click()
    screen.page.locator(LINE).wait_for()
    screen.settle()
    line, player = (screen.page.locator(part).first.bounding_box() for part in (LINE, ".st-key-player"))
    assert line and player and line["y"] + line["height"] <= player["y"] + 1
    assert player["y"] + player["height"] <= DESK["height"]
    said = screen.page.locator(LINE).inner_text()
    assert "Not yet:" in said and "task=" in screen.page.url
    screen.visit(screen.page.url)
    assert screen.page.locator(LINE).inner_text() == said and screen.errors == []


def test_the_verdict_comes_with_the_picture_of_a_slider_and_goes_with_the_step_back(tab: Tab) -> None:
    screen = tab("Confidence_bands", task="early", V=1, sigma=0.05)
    assert "Not yet:" in screen.page.locator(LINE).inner_text()
    screen.redraw(lambda: screen.turn("sigma", "ArrowLeft"))
    assert "Done, with 2 settings changed:" in screen.page.locator(LINE).inner_text()
    screen.page.go_back()
    screen.settle()
    assert "Not yet:" in screen.page.locator(LINE).inner_text() and screen.errors == []
