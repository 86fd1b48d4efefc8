"""What a link says is what a stranger sees, and what it cannot say is named and dropped."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.conftest import IN_THE_MIDDLE
from tests.browser.screen import Screen, every_page, same_picture

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]


@every_page
def test_the_same_link_shows_a_stranger_the_same_picture_time_and_sentence(
    tab: Tab, stranger: Callable[[], Screen], path: str
) -> None:
    mine = tab(path, **IN_THE_MIDDLE.get(path, {}))
    mine.redraw(lambda: mine.turn("V", "ArrowRight"))
    mine.page.evaluate("() => document.activeElement.blur()")
    mine.press("PageDown", "PageDown", "PageDown")
    mine.linked()
    theirs = stranger().visit(mine.page.url)
    assert (theirs.frame, theirs.time, theirs.finding) == (mine.frame, mine.time, mine.finding)
    assert theirs.value("V") == mine.value("V")
    same_picture(mine.data(), theirs.data(), mine.spans())  # mine was moved by the player, theirs by Python
    again = mine.visit(mine.page.url)
    same_picture(again.data(), theirs.data())
    assert theirs.errors == []


@every_page
def test_the_link_in_the_drawer_is_short_and_opens_this_state(tab: Tab, path: str) -> None:
    mine = tab(path).press("PageUp")
    mine.linked()
    mine.page.get_by_text("Link to exactly this").click()
    link = mine.page.locator(".st-key-drawer_link [data-testid=stCode] code").first.inner_text()
    said = parse_qs(urlsplit(link).query)
    assert set(said) == {"v", "t", "theme"}
    assert said["t"] == [str(mine.time)]
    theirs = tab(path).visit(link)
    assert (theirs.time, theirs.finding) == (mine.time, mine.finding)
    assert theirs.toasts == []
    same_picture(mine.data(), theirs.data(), mine.spans())


@every_page
def test_a_link_with_nonsense_opens_the_page_with_a_toast_that_names_it(tab: Tab, path: str) -> None:
    plain = tab(path)
    screen = tab(path, V=99, ell="abc", seed="nan", banana=1, t="-7", moment=55)
    (toast,) = screen.toasts
    for word in ("V", "99", "0 to ", "ell", "abc", "seed", "nan", "banana", "t = “-7”", "moment", "55"):
        assert word in toast
    assert screen.page.get_by_test_id("stException").count() == 0
    assert screen.errors == []
    assert (screen.time, screen.finding) == (plain.time, plain.finding)
    same_picture(plain.data(), screen.data())


def test_the_menu_takes_a_changed_world_to_the_other_page(tab: Tab) -> None:
    screen = tab("Confidence_bands", V=2)
    screen.page.get_by_text("Lessons", exact=False).first.click()
    screen.page.get_by_test_id("stPopoverBody").get_by_role("link", name="Drifting rewards").click()
    screen.page.get_by_role("heading", name="how much has the world really changed?").wait_for()
    screen.settle()
    assert screen.value("V") == 2
    assert screen.toasts == []
    assert screen.errors == []
