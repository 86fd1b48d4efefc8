"""One server and one Chromium for all browser tests, a new session for each. Without Chromium they fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from benchmarks import drive
from tests.browser.screen import Screen

PATIENCE = 60_000  # milliseconds; a busy machine is slow, not wrong
DESK = {"width": 1366, "height": 768}
# Pages that open at the end of their film -> the link with which there are steps left.
IN_THE_MIDDLE = {"Drifting_rewards": {"t": 100}}
HALL = {"width": 1920, "height": 1080}
ZOOMED = {"width": 683, "height": 384}  # 1366 x 768 at 200 percent
TABLET = {"width": 820, "height": 1180}
PHONE = {"width": 390, "height": 844}
HERE = Path(__file__).parent
SAMPLE = ("Drifting_rewards",)  # what CI opens where a test is about many pages
# Modules of which CI runs these tests only; they are what each promises first. All other modules run whole.
FIRST = {
    "test_bets_in_browser": ("test_no_byte", "test_key_d_asks", "test_question_answers"),
    "test_chase_in_browser": (
        "test_a_handle_bends",
        "test_a_click_asks_there",
        "test_keys_and_a_clicker",
        "test_the_front_page_fits",
    ),
    "test_controls_in_browser": (
        "test_a_slider_draws_once",
        "test_both_ends",
        "test_certify",
        "test_a_click_on_the_bands",
        "test_a_dark_browser",
    ),
    "test_course_in_browser": (
        "test_page_down_alone",
        "test_the_hands",
        "test_the_menu_leaves",
        "test_the_bar_covers",
        "test_the_button_says",
    ),
    "test_drag_in_browser": ("test_the_stage_follows", "test_the_cursor_of_time", "test_with_less"),
    "test_every_lesson": (
        "test_a_page_breaks_no_rule",
        "test_keys_drive_time",
        "test_on_a_phone",
        "test_on_paper",
        "test_at_twice_the_size",
        "test_at_four_times",
    ),
    "test_exports_in_browser": ("test_the_saved_page", "test_every_chart", "test_a_vector_picture"),
    "test_forgetting_in_browser": ("test_a_click_on_an_estimate",),
    "test_game_in_browser": ("test_clicks_that_come", "test_nothing_tells"),
    "test_glossary_in_browser": ("test_a_term_opens",),
    "test_hall": ("test_a_hall_of_720_lines",),
    "test_history": ("test_each_slider", "test_back_goes"),
    "test_links": ("test_the_same_link", "test_a_link_with_nonsense"),
    "test_microscope_in_browser": ("test_the_page_opens",),
    "test_permalinks_in_browser": ("test_key_q", "test_a_trimmed_page", "test_the_switch_in_the_menu"),
    "test_reproductions_in_browser": ("test_the_page_opens", "test_a_small_run_shows"),
    "test_side_queries": ("test_the_next_event",),
    "test_stepping_in_browser": ("test_keys_go_line_by_line",),
    "test_theorems_in_browser": ("test_the_page_opens",),
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as wide what CI leaves to the command for all browser tests."""
    for item in items:
        first = FIRST.get(item.path.stem) if item.path.parent == HERE else None
        if first and not item.name.startswith(first):
            item.add_marker(pytest.mark.wide)


def sampled(cases: Iterable, *few: object) -> list:
    """Return the cases as parameters of a test; CI runs these few or `SAMPLE`, all others are marked as wide."""
    return [case if case in (few or SAMPLE) else pytest.param(case, marks=pytest.mark.wide) for case in cases]


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app on a free port, as the README starts it."""
    log = tmp_path_factory.mktemp("server") / "server.log"
    with drive.server(["-m", "streamlit", "run", "app.py"], log) as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium."""
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=drive.chromium_path(), args=list(drive.FLAGS))
        yield found
        found.close()


def new_tab(browser: Browser, address: str, **more: object) -> Screen:
    """A tab alone in its window: a tab behind another one gets no animation frames, and Plotly draws on those.

    Args:
        more: of the browsing context, such as `has_touch`.
    """
    context = browser.new_context(viewport=DESK, **more)
    context.set_default_timeout(PATIENCE)
    return Screen(context.new_page(), address)


@pytest.fixture(scope="session")
def rack(browser: Browser, address: str) -> Iterator[list[Screen]]:
    """Tabs. A page opened in a used tab is a new session of the app, at half the price of a new tab."""
    screens = [new_tab(browser, address) for _ in range(2)]
    yield screens
    for screen in screens:
        screen.page.context.close()


@pytest.fixture
def tab(rack: list[Screen]) -> Iterator[Callable[..., Screen]]:
    """Opens a page of the app, `tab("Confidence_bands", V=2)`, each call in another tab, at most two a test.

    `size` and `media` are the browser's.
    """
    free = list(rack)

    def open_tab(path: str, *, size: dict | None = None, media: dict | None = None, **link: object) -> Screen:
        screen = free.pop(0)
        screen.page.set_viewport_size(size or DESK)
        screen.page.emulate_media(**{"reduced_motion": "null", "color_scheme": "null"} | (media or {}))
        return screen.open(path, **link)

    yield open_tab
    for screen in rack:
        screen.page.goto("about:blank")
        screen.forget()


@pytest.fixture
def stranger(browser: Browser, address: str) -> Iterator[Callable[[], Screen]]:
    """A reader who has never been here: a tab in a new browsing context."""
    contexts: list[BrowserContext] = []

    def arrive() -> Screen:
        contexts.append((found := new_tab(browser, address)).page.context)
        return found

    yield arrive
    for context in contexts:
        context.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many findings each lesson has on each screen, where test_type_on_screen.py has run."""
    reports = [r for kind in ("passed", "failed") for r in terminalreporter.getreports(kind)]
    rows: dict[str, dict[str, int]] = {}
    for lesson, screen, findings in (v for r in reports for name, v in r.user_properties if name == "screen"):
        rows.setdefault(lesson, {})[screen] = findings
    if rows:
        screens = list(dict.fromkeys(screen for row in rows.values() for screen in row))
        terminalreporter.section("findings by lesson and screen")
        terminalreporter.write_line(f"{'lesson':>14} " + "".join(f"{screen:>20}" for screen in screens))
        for lesson, row in rows.items():
            terminalreporter.write_line(f"{lesson:>14} " + "".join(f"{row.get(screen, '–'):>20}" for screen in screens))
