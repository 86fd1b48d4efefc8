"""Exports in a real browser: pictures of the right size, and a page that plays from a disk without a network."""

from __future__ import annotations

import io
import re
import struct
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page

from figures.theme import Theme
from lessons import LESSONS
from shell.course.courses import Course, Stop
from shell.export import course_pack
from shell.export import lecture_pack as pack
from tests.browser.conftest import DESK, HALL, PATIENCE, sampled
from tests.browser.screen import HELP, Screen, same_picture
from tests.lessons.test_pages import PAGES

pytestmark = pytest.mark.browser
PATHS = [Path(page).stem for page in PAGES]
PICTURE = (1920, 1080)


def drawer(screen: Screen) -> Locator:
    """The export drawer, open."""
    found = screen.page.locator(".st-key-drawer_export")
    found.locator("summary").click()
    found.locator(".st-key-pack_make").wait_for()
    return found


def saved(page: Page, press: Callable[[], None]) -> bytes:
    """The file that a press lets the browser save."""
    with page.expect_download() as told:
        press()
    return Path(told.value.path()).read_bytes()


def size(png: bytes) -> tuple[int, int]:
    """Width and height in the header of a PNG."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", png[16:24])


@pytest.fixture
def offline(browser: Browser) -> Iterator[Callable[[Path], Page]]:
    """Opens a file from the disk in a browser without a network; whatever it still asks for is an error."""
    context = browser.new_context(viewport=HALL, offline=True, reduced_motion="no-preference")
    context.set_default_timeout(PATIENCE)
    context.add_init_script(HELP)
    wrong: list[str] = []

    def show(file: Path) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda problem: wrong.append(str(problem)))
        page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("request", lambda asked: wrong.append(asked.url) if asked.url.startswith(("http", "ws")) else None)
        page.goto(file.as_uri())
        return page

    yield show
    context.close()
    assert wrong == []


def ready(page: Page) -> Page:
    page.wait_for_function("() => document.documentElement.dataset.ready === 'yes'")
    return page


def at(page: Page, frame: int) -> list[dict]:
    """The stage's data once it shows a frame."""
    page.wait_for_function("f => lab.now.t === f && lab.chart(tab.chart('main')).frame === f", arg=frame)
    return page.evaluate("() => tab.data('main')")


@pytest.mark.parametrize("path", sampled(PATHS))
def test_every_chart_on_the_page_is_saved_as_a_picture_of_full_size(path: str, tab: Callable[..., Screen]) -> None:
    screen = tab(path).every_closer()
    rows = drawer(screen).locator("[class*=st-key-export_row_]")
    shown = screen.page.evaluate("() => tab.charts().map(tab.key)")
    assert rows.count() == len(shown) > 0
    for i, key in enumerate(shown):
        assert re.search(rf"st-key-export_row_{key}\b", rows.nth(i).get_attribute("class"))
        png = saved(screen.page, rows.nth(i).get_by_role("button", name="PNG").click)
        assert size(png) == PICTURE and len(png) > 20_000  # an empty sheet of this size has 8 kB
    assert not screen.errors and not screen.outside


def test_a_vector_picture_holds_the_words_of_the_chart_its_type_and_the_caption(tab: Callable[..., Screen]) -> None:
    screen = tab("Confidence_bands", lecture="true", size=HALL)
    row = drawer(screen).locator(".st-key-export_row_main")
    screen.press("PageDown").at(71)
    svg = saved(screen.page, row.get_by_role("button", name="SVG").click).decode()
    root = ElementTree.fromstring(svg)
    assert (root.get("width"), root.get("height")) == tuple(str(n) for n in PICTURE)
    said = " ".join("".join(e.itertext()) for e in root.iter("{http://www.w3.org/2000/svg}text"))
    for words in ("CMM", "first miss 49", "t = 71 of 100.", "seed 6", "Drifting rewards lab"):
        assert words in said
    headline = screen.page.evaluate("() => lab.now.html.replace(/<[^>]+>/g, '')")
    assert " ".join(headline.split()) in " ".join(said.split())  # the finding goes along
    assert "url(data:font/woff2" in svg or "url(data:application/" in svg
    for written in root.iter("{http://www.w3.org/2000/svg}text"):
        x, y = float(written.get("x", 0)), float(written.get("y", 0))
        assert -50 < x < PICTURE[0] + 50 and -50 < y < PICTURE[1] + 50


def test_a_picture_is_of_the_time_in_its_caption_also_before_plotly_has_drawn_it(tab: Callable[..., Screen]) -> None:
    screen = tab("Drifting_rewards")
    button = drawer(screen).locator(".st-key-export_row_main").get_by_role("button", name="SVG")
    frame = screen.frame - 40

    def at_once() -> None:
        screen.page.evaluate("frame => lab.player.show(frame)", frame)
        button.evaluate("button => button.click()")

    moving = saved(screen.page, at_once).decode()
    rested = saved(screen.at(frame).page, button.click).decode()
    names = re.compile(r"\b((?:top)?defs-|clip|trace)[0-9a-f]{6}")  # Plotly draws them by lot
    assert f"t = {frame + 1} of" in moving and names.sub("", moving) == names.sub("", rested)
    assert not screen.errors


@pytest.mark.parametrize("path", sampled(["Confidence_bands", "Under_the_microscope"], "Confidence_bands"))
def test_the_saved_page_plays_from_a_disk_without_a_network_as_the_app_does(
    path: str, tab: Callable[..., Screen], offline: Callable[[Path], Page], tmp_path: Path
) -> None:
    screen = tab(path)
    file = tmp_path / "lesson.html"
    file.write_bytes(saved(screen.page, drawer(screen).locator(".st-key-export_html button").click))
    page = ready(offline(file))
    start = screen.frame
    for key, frame in (("PageDown", start + 1), ("PageDown", start + 2), ("PageUp", start + 1), ("Home", 0)):
        page.keyboard.press(key)
        screen.press(key).at(frame).hold(300)  # the frame is asked for; Plotly draws it a moment later
        same_picture(at(page, frame), screen.data())
        assert page.locator(".live").inner_text() == screen.finding
        assert page.locator(".player output").inner_text() == screen.page.locator(".player output").inner_text()
    page.keyboard.press("b")
    assert page.locator("#tvbo-blank").count() == 1
    page.keyboard.press("b")
    page.keyboard.press("Space")
    page.wait_for_function("() => lab.now.t > 1")
    page.keyboard.press("End")
    at(page, page.evaluate("() => +document.querySelector('.player input').max"))
    page.set_viewport_size(DESK)
    page.wait_for_function("() => Math.abs(tab.chart('main')._fullLayout.width - 1366) < 80")
    assert page.locator("footer").inner_text().count("version") >= 1


def test_a_lecture_is_walked_through_with_n_and_p_from_its_index(
    offline: Callable[[Path], Page], tmp_path: Path
) -> None:
    wanted = pack.chosen(["2.1", "10.1"], LESSONS)
    packed = pack.archive(wanted, {job: job.perform() for job in pack.jobs(wanted)})
    zipfile.ZipFile(io.BytesIO(packed)).extractall(tmp_path)
    page = offline(tmp_path / "index.html")
    page.keyboard.press("n")
    for entry, key in zip(wanted, "np", strict=True):
        page.wait_for_url(f"**/{entry.file}")
        frame = ready(page).evaluate("() => lab.now.t")
        scene = entry.lesson.scene(entry.lesson.settings(entry.moment.values), entry.moment.t, Theme(lecture=True))
        assert frame == scene.start
        moved = scene.films["main"].draw(frame).tracks[0]
        shown = at(page, frame)[moved.trace][moved.attribute]
        expected = np.asarray(moved.row(frame), dtype=float)
        span = np.nanmax(np.abs(moved.values)) or 1.0
        np.testing.assert_allclose(np.array([np.nan if v is None else v for v in shown]), expected, atol=1e-4 * span)
        page.keyboard.press(key)
    page.wait_for_url(f"**/{wanted[0].file}")
    page.keyboard.press("i")
    page.wait_for_url("**/index.html")


def test_a_course_in_a_folder_is_walked_with_page_down_alone_from_its_title_and_back_to_it(
    offline: Callable[[Path], Page], tmp_path: Path
) -> None:
    course = Course("", "Two stops", "", (Stop("chase"), Stop("race", "jumps", plays=True)))
    wanted = course_pack.entries(course, LESSONS)
    packed = pack.archive(wanted, {job: job.perform() for job in pack.jobs(wanted, walks=True)}, course)
    zipfile.ZipFile(io.BytesIO(packed)).extractall(tmp_path)
    page = offline(tmp_path / "index.html")
    question, truth, film = wanted
    page.keyboard.press("PageDown")
    page.wait_for_url(f"**/{question.file}")
    ready(page).keyboard.press("PageDown")
    for entry in (truth, film):  # the film begins, is brought to its end, and then comes the next page
        page.wait_for_url(f"**/{entry.file}")
        end = ready(page).evaluate("() => JSON.parse(document.getElementById('lab-page').textContent).end")
        assert page.evaluate("() => lab.now.t") < end
        page.keyboard.press("PageDown")
        page.wait_for_function("() => lab.player.clock.runs")
        page.keyboard.press("PageDown")
        page.wait_for_function("end => !lab.player.clock.runs && lab.now.t === end", arg=end)
        page.keyboard.press("PageDown")
    page.wait_for_url("**/index.html")
    page.go_back()
    page.wait_for_url(f"**/{film.file}")
    ready(page).keyboard.press("PageUp")
    page.wait_for_url(f"**/{truth.file}")
