"""A course, a hall and its speaker: one key walks from the title to the last page, the bar covers nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from lessons.drift.lesson import LESSON
from shell.hall.course.courses import COURSES, Course
from tests.browser.conftest import PATIENCE, PROJECTOR, sampled
from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
PRESSES = 16  # a stop; three would do, but a press while a page is on its way does nothing
# The bar knows the page, and the page stands.
ARRIVED = """() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'
  && !!lab.course"""
HEARS = "() => !!lab.speaker"  # its script comes by itself, and may come after the stage
THERE = "at => new URLSearchParams(location.search).get('stop') === at && !!lab.course"


def stop(screen: Screen) -> int:
    return int(screen.page.evaluate("() => new URLSearchParams(location.search).get('stop') ?? '0'"))


def begin(screen: Screen, size: dict[str, int], **link: object) -> Screen:
    screen.page.set_viewport_size(size)
    screen.page.goto(f"{screen.address}/?{'&'.join(f'{k}={v}' for k, v in link.items())}")
    return screen.until("() => !!window.lab?.course")


def walk(screen: Screen, course: Course) -> list[int]:
    """Do the next thing until the last page; return the stops that were seen, each once in a row."""
    seen = [stop(screen)]
    for _ in range(PRESSES * course.last):
        screen.press("PageDown").hold(300).until(ARRIVED).hold(100)
        if stop(screen) != seen[-1]:
            seen.append(stop(screen))
            screen.until(THERE, str(seen[-1]))
        if seen[-1] == course.last:
            break
    return seen


@pytest.mark.parametrize("key", sampled(COURSES, "twenty"))
def test_page_down_alone_walks_a_course(stranger: Callable[[], Screen], key: str) -> None:
    course = COURSES[key]
    screen = begin(stranger(), PROJECTOR, course=key, lecture="true")
    assert walk(screen, course) == list(range(course.last + 1))
    screen.until("() => document.querySelector('h1')?.innerText === 'What we have seen'").hold(300)
    screen.press("PageDown").hold(300)
    assert stop(screen) == course.last  # nothing is left, and nothing is said
    for at in range(course.last - 1, -1, -1):
        screen.press("PageUp").until(THERE, str(at)).hold(300)
        if at and course.stops[at - 1].plays:
            screen.until("() => lab.course?.came")  # what came out there, not the beginning of its film
    assert screen.page.locator("h1").inner_text() == course.title and screen.errors == []


def test_speaker_window_follows_and_drives_the_lab(tab: Tab) -> None:
    screen, moments = tab("Drifting_rewards", lecture="true").until(HEARS), LESSON.moments
    with screen.page.expect_popup(timeout=PATIENCE) as found:
        screen.press("s")
    speaker = found.value
    line = speaker.locator("#line")
    expect(speaker.locator("#next_line")).to_have_text(f"“{moments[0].script}”", timeout=PATIENCE)
    speaker.keyboard.press("2")
    expect(line).to_have_text(f"“{moments[1].script}”", timeout=PATIENCE)
    screen.settle()
    assert screen.time == moments[1].t
    assert all(one.script not in screen.page.locator("body").inner_text() for one in moments)  # not for the hall
    frame = screen.frame
    speaker.keyboard.press("PageUp")
    screen.until("f => lab.now.t === f", frame - 1)
    speaker.keyboard.press("PageDown")
    screen.until("f => lab.now.t === f", frame)
    expect(speaker.locator("#label")).to_have_text(screen.page.locator(".player output").inner_text())
    screen.page.reload()
    screen.settle().until(HEARS)
    speaker.keyboard.press("3")
    expect(line).to_have_text(f"“{moments[2].script}”", timeout=PATIENCE)
    speaker.close()
    assert screen.errors == []
