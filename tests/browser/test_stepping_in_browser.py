"""The R-PERP page in a browser: its grains, its events, its link, and type that fits at every grain."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.boxes import sound
from tests.browser.conftest import DESK, HALL
from tests.browser.screen import Screen, same_picture

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
LINKS = (
    {"order": "both"},
    {"order": "both", "repeats": "true"},
    {"order": "shuffled"},
    {"order": "shuffled", "repeats": "true"},
    {"H": "400", "T": "400", "grain": "batch", "order": "shuffled"},
    {"H": "16", "T": "400", "kind": "glide", "order": "fixed"},
)
AT = "t => new URLSearchParams(location.search).get('t') === t"


def test_the_page_opens_with_its_finding_and_player_on_the_first_screen(tab: Tab) -> None:
    for look in ("false", "true"):
        screen = tab("R_PERP", moment="one_shuffle", lecture=look)
        assert "One shuffle of the same 15 questions" in screen.finding and screen.frame == 15
        for part in (".st-key-finding_spot .live", ".st-key-main .js-plotly-plot", ".player"):
            box = screen.page.locator(part).first.bounding_box()
            assert box["y"] >= 0 and box["y"] + box["height"] <= 768, part
        assert screen.errors == [] and screen.outside == []


def test_both_orders_are_asked_question_by_question(tab: Tab) -> None:
    screen = tab("R_PERP", t="0")
    assert screen.frame == 0 and "One shuffle asks the same 15 questions" in screen.finding
    screen.press("PageDown").at(1).press("Shift+ArrowRight").at(15)
    same_picture(tab("R_PERP").data(), screen.data(), screen.spans())


def test_keys_go_line_by_line_and_the_next_event_is_the_end_of_a_batch(tab: Tab) -> None:
    screen = tab("R_PERP", order="shuffled", H="25")
    assert screen.frame == 15
    screen.press("PageDown").at(16).press("PageUp", "PageUp").at(14)
    screen.press("Shift+ArrowRight").at(15).press("Shift+ArrowRight").until(AT, "43").settle()
    assert screen.frame == 43 and screen.time == 17  # batches of 5 and 12
    same_picture(tab("R_PERP", order="shuffled", H="25", t="43").data(), screen.data(), screen.spans())


def test_another_grain_stays_at_the_batch_on_screen(tab: Tab) -> None:
    screen = tab("R_PERP", order="shuffled", H="25", t="43")
    screen.redraw(lambda: screen.page.locator(".st-key-grain").get_by_text("Batch", exact=True).click())
    assert screen.frame == 1 and screen.time == 17
    screen.page.evaluate("() => document.activeElement.blur()")  # a choice that has the focus keeps its arrows
    screen.press("Shift+ArrowRight", "Shift+ArrowRight").until(AT, "5").settle()  # the end of the second restart
    screen.redraw(lambda: screen.page.locator(".st-key-grain").get_by_text("Line", exact=True).click())
    assert "restart 2, batch 3, line 16" in screen.page.locator(".player output").inner_text()
    assert screen.errors == []


def test_the_order_leads_from_both_orders_to_the_lines_of_the_same_batch_and_back(tab: Tab) -> None:
    screen = tab("R_PERP")
    screen.redraw(lambda: screen.page.locator(".st-key-order").get_by_text("Shuffled", exact=True).click())
    assert "restart 1, batch 1, line 20" in screen.page.locator(".player output").inner_text()
    screen.redraw(lambda: screen.page.locator(".st-key-order").get_by_text("Both", exact=True).click())
    assert "question 15 of 15" in screen.page.locator(".player output").inner_text() and screen.errors == []


@pytest.mark.parametrize("look", ["false", "true"], ids=["desk", "lecture"])
def test_no_text_of_the_stage_is_clipped_or_covered(tab: Tab, look: str) -> None:
    screen = tab("R_PERP", lecture=look, order="both")
    for link in LINKS:
        screen.open("R_PERP", lecture=look, **link)
        if not screen.page.locator(".st-key-promises").count():
            screen.page.locator(".st-key-closer_promises summary").click()
            screen.until("() => tab.chart('promises')").settle()
        for size in (HALL, DESK):
            screen.page.set_viewport_size(size)
            screen.hold(1200).settle()  # Plotly sets type anew some time after a window has changed
            sound(screen.words("main"), f"{link} {size}")
            sound(screen.words("promises"), f"{link} {size}")
        for when in ("Home", "End"):
            sound(screen.press(when).hold(300).settle().words(), f"{link} {when}")


def test_the_card_of_keys_opens_over_the_page_and_hears_them_alone(tab: Tab) -> None:
    screen = tab("Forgetting", t="81")
    card, sheet = screen.page.locator("#tvbo-keys"), screen.page.locator("#tvbo-blank")
    screen.press("?")
    assert card.is_visible() and "the speaker window" in card.inner_text()
    screen.press("PageDown", "b").hold(300)
    assert screen.time == 81 and sheet.count() == 0
    screen.press("Escape")
    assert card.count() == 0
    screen.press("?", "?")
    assert card.count() == 0 and screen.errors == []
