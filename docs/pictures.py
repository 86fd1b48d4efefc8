"""Take the README's pictures from the running app: `python -m docs.pictures` all, `python -m tests.copies` stale ones.

They are what the pages show, so a changed page has changed pictures after this command. The moving ones are the films
that `python -m lessons animation` makes, smaller.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Collection
from pathlib import Path

from PIL import Image, ImageSequence
from playwright.sync_api import Page, sync_playwright

from benchmarks import drive
from lessons import BY_KEY, LESSONS
from shell.static import animation

FOLDER = Path(__file__).resolve().parent / "pictures"
MOVING = (("chase", "follow"), ("plane", "follow"))  # lesson and moment
STILLS = (
    ("bands", "missed"),
    ("rperp", "one_shuffle"),
    ("race", "jumps"),
    ("theorems", "dots"),
    ("forgetting", "bowl"),
    ("real_data", "stale"),
)
SIZE = {"width": 1280, "height": 720}
MOVING_WIDTH = 720
PATIENCE = 120_000  # milliseconds: a first run of a page computes


def name(lesson: str, moment: str) -> str:
    """Return the file of a moment's picture."""
    return f"{lesson}-{moment}.webp"


def path(lesson: str, moment: str) -> str:
    """Return the address of a moment below the lab's own, in lecture type."""
    file = BY_KEY[lesson].file
    page = Path(file).stem if file.startswith("pages/") else ""
    return f"{page}?moment={moment}&lecture=true&hide=menu.drawers"


def settled(page: Page, link: str) -> None:
    """Open a link and wait until the page has computed and drawn it."""
    page.goto(link)
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=PATIENCE)
    page.locator(".js-plotly-plot .main-svg").first.wait_for(timeout=PATIENCE)
    page.wait_for_timeout(3000)  # the last run of the script, fonts, and eased curves
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=PATIENCE)


def picture(image: Image.Image, width: int) -> Image.Image:
    """Return a picture of this width."""
    size = (width, round(image.height * width / image.width))
    return image.convert("RGB").resize(size, Image.Resampling.LANCZOS)


def moving(lesson: str, moment: str) -> None:
    """Write a moving picture."""
    wanted = animation.view_of(lesson, moment, LESSONS)
    film = Image.open(io.BytesIO(animation.film_file(wanted, drive.chromium_path())))
    frames, durations = [], []
    for frame in ImageSequence.Iterator(film):
        frames.append(picture(frame, MOVING_WIDTH))
        durations.append(frame.info["duration"])
    file, look = FOLDER / name(lesson, moment), {"loop": 0, "quality": 50, "method": 6}
    frames[0].save(file, save_all=True, append_images=frames[1:], duration=durations, **look)


def take(address: str, moments: Collection[tuple[str, str]]) -> None:
    """Take the pictures of these moments that stand still, from the app at this address."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=drive.chromium_path(), args=list(drive.FLAGS))
        page = browser.new_page(viewport=SIZE)
        for lesson, moment in (one for one in STILLS if one in moments):
            settled(page, f"{address}/{path(lesson, moment)}")
            shot = picture(Image.open(io.BytesIO(page.screenshot())), SIZE["width"])
            shot.save(FOLDER / name(lesson, moment), quality=82, method=6)
        browser.close()


def renew(moments: Collection[tuple[str, str]]) -> None:
    """Start the app, take its pictures of these moments, and say how large all are."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "server.log"
        with drive.server(["-m", "streamlit", "run", "app.py"], log) as address:
            take(address, moments)
    for one in (one for one in MOVING if one in moments):
        moving(*one)
    for file in sorted(FOLDER.glob("*.webp")):
        print(f"{file.relative_to(FOLDER.parent.parent)}  {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    renew((*STILLS, *MOVING))
