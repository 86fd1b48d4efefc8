"""Animations in a browser: the film that the page plays, picture by picture, as a file that a slide can show."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page

from benchmarks import drive
from lessons import LESSONS, __main__
from lessons.record import Lesson
from shell.export import animation
from tests.browser.screen import Screen, same_picture
from tests.browser.test_exports_in_browser import drawer, saved

pytestmark = pytest.mark.browser
SIZE, MOST_FRAMES, MOST_BYTES = (1280, 720), 150, 10_000_000
BLOCK = 8  # pixels
# Colours that are seldom are mixed (at most half the diagonal of a cube that 127 of them share, mostly far less), type
# and lines have other edges at 720 than at 1080 lines, and four pixels of a video share their colour; the mean of a
# block of 8 x 8 pixels hardly moves by any of it.
MEAN, FARTHEST = 1.0, 40.0  # of 255
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
FILMED = [lesson for lesson in LESSONS if lesson.scene]


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


def distances(one: Image.Image, other: Image.Image) -> np.ndarray:
    """Return how far two pictures are from each other, block by block."""
    small = (SIZE[0] // BLOCK, SIZE[1] // BLOCK)
    blocks = [np.asarray(each.convert("RGB").resize(small, Image.Resampling.BOX), dtype=float) for each in (one, other)]
    return np.abs(blocks[0] - blocks[1]).max(axis=2)


def played(page: Page, raw: bytes, kind: str) -> tuple[float, Image.Image, Image.Image]:
    """Return how many seconds a video plays in the browser, and its first and its last picture."""
    empty = page.context.new_page()  # the lab's own pages may play no media
    length, *pictures = empty.evaluate(PLAYED, [base64.b64encode(raw).decode(), kind])
    empty.close()
    return length, *(Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2]))) for url in pictures)


def row(screen: Screen) -> Locator:
    """The stage's row of the open drawer."""
    return drawer(screen).locator(".st-key-export_row_main")


def test_the_film_of_the_stage_is_saved_and_its_ends_are_the_pictures_of_the_stage(tab: Callable[..., Screen]) -> None:
    screen = tab("Theorems")
    buttons = row(screen)
    start, last = screen.frame, screen.page.evaluate("() => lab.player.film.n - 1")
    before = screen.data()
    film = frames(saved(screen.page, buttons.get_by_role("button", name="GIF").click))
    assert len(film) == last + 1 <= MOST_FRAMES
    assert screen.frame == start  # the page has stayed as it was
    same_picture(screen.data(), before)
    stills = []
    for key, frame in (("Home", 0), ("End", last)):
        screen.press(key).at(frame).settle()
        stills.append(Image.open(io.BytesIO(saved(screen.page, buttons.get_by_role("button", name="PNG").click))))
    for shown, still, other in zip((film[0], film[-1]), stills, stills[::-1], strict=True):
        assert distances(shown, still).mean() < MEAN and distances(shown, still).max() < FARTHEST
        assert distances(shown, other).mean() > MEAN or distances(shown, other).max() > FARTHEST
    assert not screen.errors and not screen.outside


@pytest.mark.parametrize("kind", ["WebM", "MP4"])
def test_a_video_of_the_stage_shows_what_its_gif_shows_for_as_long(tab: Callable[..., Screen], kind: str) -> None:
    screen = tab("R_PERP")
    buttons = row(screen)
    gif, raw = (saved(screen.page, buttons.get_by_role("button", name=name).click) for name in ("GIF", kind))
    assert len(raw) <= MOST_BYTES and (raw[4:8] == b"ftyp") == (kind == "MP4")
    film = frames(gif)
    length, *shown = played(screen.page, raw, f"video/{kind.lower()}")
    # A video counts in milliseconds, a GIF in hundredths of a second.
    assert length == pytest.approx(sum(one.info["duration"] for one in film) / 1000, abs=0.02)
    for picture, own, other in zip(shown, (film[0], film[-1]), (film[-1], film[0]), strict=True):
        assert distances(picture, own).mean() < MEAN and distances(picture, own).max() < FARTHEST
        assert distances(picture, other).mean() > MEAN or distances(picture, other).max() > FARTHEST
    assert not screen.errors and not screen.outside


def test_cancel_ends_an_animation_without_a_file_and_the_page_is_as_it_was(tab: Callable[..., Screen]) -> None:
    screen = tab("Confidence_bands")
    buttons, files = row(screen), []
    start, before = screen.frame, screen.data()
    screen.page.on("download", lambda file: files.append(file))
    buttons.get_by_role("button", name="GIF").click()
    cancel = buttons.get_by_role("button", name="Cancel the animation")
    buttons.get_by_text(re.compile(r"^Cancel [1-9]\d? %$")).wait_for()
    cancel.click()
    buttons.get_by_role("button", name="GIF").wait_for(timeout=3000)
    screen.hold(2000)
    assert files == [] and screen.frame == start
    assert buttons.locator(".export button").all_inner_texts() == ["PNG", "SVG", "GIF", "WebM", "MP4"]
    assert buttons.locator(".export output").inner_text() == ""
    same_picture(screen.data(), before)
    assert not screen.errors and not screen.outside


@pytest.mark.parametrize(
    "lesson",
    [lesson if lesson.key == "rperp" else pytest.param(lesson, marks=pytest.mark.wide) for lesson in FILMED],
    ids=lambda lesson: lesson.key,
)
def test_a_shell_makes_the_film_of_a_lesson_of_at_most_ten_megabytes(
    lesson: Lesson, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    count = animation.entry(lesson.key, None, LESSONS).scene().frames
    out = tmp_path / "film.gif"
    code = __main__.main(["animation", lesson.key, "--browser", drive.chromium_path(), "--out", str(out)])
    if count < 2:
        assert code == 2 and "does not move" in capsys.readouterr().err and not out.exists()
        return
    assert code == 0 and out.stat().st_size <= MOST_BYTES
    assert len(frames(out.read_bytes())) == min(count, MOST_FRAMES)


@pytest.mark.wide
@pytest.mark.parametrize(("kind", "begins"), [("webm", b"\x1a\x45\xdf\xa3"), ("mp4", b"ftyp")])
def test_a_shell_makes_a_video_as_well(kind: str, begins: bytes, tmp_path: Path) -> None:
    out = tmp_path / f"film.{kind}"
    assert __main__.main(["animation", "rperp", "--browser", drive.chromium_path(), "--out", str(out)]) == 0
    raw = out.read_bytes()
    assert begins in raw[:8] and len(raw) <= MOST_BYTES
