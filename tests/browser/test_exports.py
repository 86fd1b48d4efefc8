"""Exports: pictures, films and pages of a lesson as files, which show and play what the app does, without a network."""

from __future__ import annotations

import base64
import io
import re
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, Page

from benchmarks import drive
from lessons import __main__
from tests.browser.conftest import DESK, FILMS, HALL, PATIENCE, sampled
from tests.browser.screen import HELP, Screen, same_picture

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
PICTURE = (1920, 1080)
SIZE = (1280, 720)
FILM = 4 * PATIENCE  # a browser draws and encodes each of its pictures: seconds, or on a slow machine minutes
# Loads a video, goes to its beginning and to its end, and draws what stands there.
PLAYED = """async ([bytes, type]) => {
  const video = document.createElement("video"), canvas = document.createElement("canvas");
  const once = (name) => new Promise((done, failed) => {
    video.addEventListener(name, done, { once: true });
    video.addEventListener("error", () => failed(video.error), { once: true });
  });
  const ready = once("loadeddata");
  video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0))], { type }));
  await ready;
  Object.assign(canvas, { width: video.videoWidth, height: video.videoHeight });
  const found = [video.duration];
  for (const at of [0.01, video.duration - 0.1]) {
    const there = once("seeked"), painted = new Promise((done) => video.requestVideoFrameCallback(done));
    video.currentTime = at;
    await Promise.all([there, painted]);  // a busy browser has sought before it has the picture
    canvas.getContext("2d").drawImage(video, 0, 0);
    found.push(canvas.toDataURL());
  }
  return found;
}"""


def drawer(screen: Screen) -> Locator:
    """The export drawer, open."""
    found = screen.page.locator(".st-key-drawer_export")
    found.locator("summary").click()
    found.locator(".st-key-pack_make").wait_for()
    return found


def saved(page: Page, press: Callable[[], None], patience: float = PATIENCE) -> bytes:
    """The file that a press lets the browser save."""
    with page.expect_download(timeout=patience) as told:
        press()
    return Path(told.value.path()).read_bytes()


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
    page.wait_for_function("() => document.documentElement.dataset.ready")
    return page


def at(page: Page, frame: int) -> list[dict]:
    """The stage's data once it shows a frame."""
    page.wait_for_function("f => lab.now.t === f && lab.chart(tab.chart('main')).frame === f", arg=frame)
    return page.evaluate("() => tab.data('main')")


def frames(raw: bytes) -> list[Image.Image]:
    """The pictures of a GIF."""
    assert raw[:6] == b"GIF89a" and raw[-1:] == b";"
    film = Image.open(io.BytesIO(raw))
    assert film.size == SIZE and film.info["loop"] == 0
    found = []
    for number in range(film.n_frames):
        film.seek(number)
        found.append(film.convert("RGB"))
    return found


def play_video(page: Page, raw: bytes, kind: str) -> tuple[float, Image.Image, Image.Image]:
    """Return how many seconds a video plays in the browser, and its first and its last picture."""
    empty = page.context.new_page()  # the lab's own pages may play no media
    length, *pictures = empty.evaluate(PLAYED, [base64.b64encode(raw).decode(), kind])
    empty.close()
    return length, *(Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))) for url in pictures)


@pytest.mark.parametrize("path", sampled(FILMS))
def test_every_chart_is_saved_in_full_size(path: str, tab: Tab) -> None:
    screen = tab(path).every_closer()
    rows = drawer(screen).locator("[class*=st-key-export_row_]")
    shown = screen.page.evaluate("() => tab.charts().map(tab.key)")
    assert rows.count() == len(shown) > 0
    for i, key in enumerate(shown):
        assert re.search(rf"st-key-export_row_{key}\b", rows.nth(i).get_attribute("class"))
        png = saved(screen.page, rows.nth(i).get_by_role("button", name="PNG").click)
        assert struct.unpack(">II", png[16:24]) == PICTURE and len(png) > 20_000  # an empty sheet of this size has 8 kB
    assert not screen.errors and not screen.outside


@pytest.mark.parametrize("path", sampled(["Confidence_bands", "Under_the_microscope"], "Confidence_bands"))
def test_saved_page_plays_without_a_network(
    path: str, tab: Tab, offline: Callable[[Path], Page], tmp_path: Path
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


def unlike(one: Image.Image, other: Image.Image) -> float:
    """Return how far two pictures are from each other on average, of 255, on a grid of cells that no edge fills."""
    small = [
        np.asarray(each.convert("RGB").resize((160, 90), Image.Resampling.BOX), dtype=float) for each in (one, other)
    ]
    return float(np.abs(small[0] - small[1]).mean())


def test_saved_films_begin_and_end_as_stage(tab: Tab) -> None:
    # All headlines of this film have two lines; where their lines differ, a picture has another height than its film.
    screen = tab("Theorems", measure="alpha")
    buttons, start = drawer(screen).locator(".st-key-export_row_main"), screen.frame
    gif, video = (saved(screen.page, buttons.get_by_role("button", name=kind).click, FILM) for kind in ("GIF", "WebM"))
    film, (length, *shown) = frames(gif), play_video(screen.page, video, "video/webm")
    last = screen.page.evaluate("() => lab.player.film.n - 1")
    assert len(film) == last + 1 and screen.frame == start  # the page has stayed as it was
    # A video counts in milliseconds, a GIF in hundredths of a second.
    assert length == pytest.approx(sum(one.info["duration"] for one in film) / 1000, abs=0.02)
    stills = []
    for key, frame in (("Home", 0), ("End", last)):
        screen.press(key).at(frame).settle()
        stills.append(Image.open(io.BytesIO(saved(screen.page, buttons.get_by_role("button", name="PNG").click))))
    # A palette of 255 colours, or four pixels of a video that share their colour, change a cell by about 1 of 255.
    for some, own in (((film[0], film[-1]), stills), (shown, (film[0], film[-1]))):
        for one, mine, other in zip(some, own, own[::-1], strict=True):
            assert unlike(one, mine) < min(2.0, unlike(one, other))
    assert not screen.errors and not screen.outside


@pytest.mark.parametrize("kind", sampled(["gif", "webm", "mp4"], "mp4"))
def test_shell_makes_a_film(kind: str, tmp_path: Path) -> None:
    out = tmp_path / f"film.{kind}"
    assert __main__.main(["animation", "rperp", "--browser", drive.chromium_path(), "--out", str(out)]) == 0
    begins = {"gif": b"GIF89a", "webm": b"\x1a\x45\xdf\xa3", "mp4": b"ftyp"}[kind]
    assert begins in out.read_bytes()[:8] and out.stat().st_size <= 10_000_000
