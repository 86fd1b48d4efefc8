"""The student's sheet: it outlasts its page, leaves the browser by its reader alone, and is whole on paper."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lessons import BY_KEY
from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
CHASE, DRIFT = BY_KEY["chase"], BY_KEY["drift"]


def test_sheet_keeps_and_hands_out_what_was_done(stranger: Callable[[], Screen]) -> None:
    screen, (task,), (option, *_) = stranger(), DRIFT.tasks, CHASE.bet.options
    page = screen.page
    page.emulate_media(reduced_motion="reduce")  # the answer stands at once
    screen.open("", guess=option, reveal="true")
    page.locator(".st-key-sheet_bet button").wait_for()
    screen.open("Drifting_rewards", task=task.key, **task.solved_by)
    page.locator(".st-key-sheet_task button").wait_for()
    screen.visit(page.url)
    screen.forget()
    page.locator(".st-key-sheet_task button").click()
    page.locator("#tvbo-sheet textarea").fill("Ask about the width.")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download").click()
    whole = Path(saved.value.path()).read_text(encoding="utf-8")
    done = (
        CHASE.bet.question,
        f"My bet: {CHASE.bet.options[option]}",
        task.goal,
        f"(seed {DRIFT.defaults['seed']})",
        "Ask about the width.",
    )
    assert [words for words in done if words not in whole] == []
    assert not any("Ask about" in str(said) for said in screen.sent) and screen.outside == []
    page.emulate_media(media="print")
    paper = page.evaluate("() => document.body.innerText")
    assert paper.split() == whole.split() and screen.errors == []
