"""The speaker window in a browser: it follows the lab's window and drives it; the hall does not see the line."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from lessons import LESSONS
from lessons.drift.lesson import LESSON
from lessons.record import label_of
from tests.browser.conftest import PATIENCE
from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]


def opened(screen: Screen, act: Callable[[], object]) -> Page:
    """The second window that an act opens."""
    with screen.page.expect_popup(timeout=PATIENCE) as found:
        act()
    return found.value


def test_the_second_window_follows_the_lab_and_drives_it_and_finds_it_again(tab: Tab) -> None:
    screen = tab("Drifting_rewards", lecture="true")
    moments = LESSON.moments
    speaker = opened(screen, lambda: screen.press("s"))
    line = speaker.locator("#line")
    expect(speaker.locator("#next_line")).to_have_text(f"“{moments[0].script}”", timeout=PATIENCE)
    speaker.keyboard.press("2")
    expect(line).to_have_text(f"“{moments[1].script}”", timeout=PATIENCE)
    expect(speaker.locator("#next_line")).to_have_text(f"“{moments[2].script}”")
    screen.settle()
    assert screen.time == moments[1].t
    assert all(one.script not in screen.page.locator("body").inner_text() for one in moments)  # not for the hall

    frame = screen.frame
    for act, step in (
        (lambda: speaker.keyboard.press("PageDown"), 1),
        (lambda: speaker.get_by_text("One step back").click(), -1),
    ):
        act()
        frame += step
        screen.until("f => lab.now.t === f", frame)
        expect(speaker.locator("#label")).to_have_text(screen.page.locator(".player output").inner_text())
    screen.press("End")
    expect(speaker.locator("#label")).to_have_text(screen.page.locator(".player output").inner_text())
    expect(speaker.locator("#finding")).to_have_text(screen.finding.replace("\n", " "))

    screen.page.reload()
    screen.settle()
    speaker.keyboard.press("3")
    expect(line).to_have_text(f"“{moments[2].script}”", timeout=PATIENCE)
    after = LESSONS[LESSONS.index(LESSON) + 1]
    expect(speaker.locator("#next")).to_contain_text(f"Next lesson: {label_of(after, LESSONS)}")
    speaker.reload()
    expect(line).to_have_text(f"“{moments[2].script}”", timeout=PATIENCE)
    again = screen.page.get_by_role("button", name="Speaker window")
    again.click()
    assert len(screen.page.context.pages) == 2  # the same window, in front
    speaker.close()
    assert screen.errors == []


def test_a_browser_that_opens_no_window_gets_a_sentence_and_typing_an_s_opens_none(tab: Tab) -> None:
    screen = tab("Drifting_rewards")
    screen.page.evaluate("() => { window.open = () => { window.tried = true; return null; }; }")
    screen.page.locator(".st-key-drawer_link summary").click()
    typed = screen.page.get_by_label("Address the audience sees", exact=True)
    typed.press("s")
    assert typed.input_value() == "s" and not screen.page.evaluate("() => !!window.tried")
    screen.page.evaluate("() => document.activeElement.blur()")
    screen.press("s")
    expect(screen.page.locator(".speaker [role=status]")).to_contain_text("allow pop-ups")
