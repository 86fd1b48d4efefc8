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
def test_a_chosen_task_stands_in_the_place_of_the_headline_on_a_small_desk_and_its_address_opens_it_again(
    tab: Tab, key: str
) -> None:
    screen = tab(BY_KEY[key].file.removeprefix("pages/").removesuffix(".py"))
    assert screen.page.locator(LINE).count() == 0
    screen.page.get_by_role("button", name="Try it").click()
    screen.page.locator(LINE).wait_for()
    screen.settle()
    parts = (LINE, ".st-key-finding", "h1", ".st-key-moments", ".st-key-player")
    line, headline, question, row, player = (screen.page.locator(part).first.bounding_box() for part in parts)
    assert question["y"] + question["height"] <= line["y"] and line["y"] + line["height"] <= row["y"]
    assert headline["height"] <= 1  # it is not seen, and goes on for who hears it
    assert player["y"] + player["height"] <= DESK["height"]
    said = screen.page.locator(LINE).inner_text()
    assert "Not yet:" in said and "task=" in screen.page.url
    screen.visit(screen.page.url)
    assert screen.page.locator(LINE).inner_text() == said and screen.errors == []


@pytest.mark.parametrize(
    ("width", "height", "lecture"), [(1366, 768, False), (1280, 720, True), (390, 844, False), (844, 390, False)]
)
def test_the_task_of_the_front_page_is_read_above_its_figure_in_type_no_smaller_than_the_question(
    stranger: Tab, width: int, height: int, lecture: bool
) -> None:
    screen = stranger()
    screen.page.set_viewport_size({"width": width, "height": height})
    screen.page.goto(f"{screen.address}/?task=faster&lecture={str(lecture).lower()}")
    screen.page.locator(LINE).wait_for()
    screen.page.locator(".chase canvas").wait_for()
    line, figure = (screen.hold(800).page.locator(part).bounding_box() for part in (LINE, ".chase canvas"))
    assert line["y"] >= 0 and line["y"] + line["height"] <= figure["y"] + 1
    size = "el => parseFloat(getComputedStyle(el).fontSize)"
    goal, question = (screen.page.locator(part).first.evaluate(size) for part in (f"{LINE} p", "h1"))
    assert goal >= question or height < 400  # there the question is not seen
    assert "by round 56 it pays" in screen.page.locator(LINE).inner_text()


def test_the_verdict_comes_with_the_picture_of_a_slider_and_goes_with_the_step_back(tab: Tab) -> None:
    screen = tab("Confidence_bands", task="early", V=1, sigma=0.05)
    assert "Not yet:" in screen.page.locator(LINE).inner_text()
    screen.redraw(lambda: screen.turn("sigma", "ArrowLeft"))
    assert "Done, with 2 settings changed:" in screen.page.locator(LINE).inner_text()
    screen.page.go_back()
    screen.settle()
    assert "Not yet:" in screen.page.locator(LINE).inner_text() and screen.errors == []
