"""Takes the README's pictures from the running app: `python -m docs.pictures` (needs a Chromium).

They are what the pages show, so a changed page has changed pictures after this command.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from benchmarks import drive
from lessons import BY_KEY
from lessons.chase.model import ROUNDS

FOLDER = Path(__file__).resolve().parent / "pictures"
MOVING = ("chase", "follow")  # lesson and moment
STEPS, SLOW = 4, (3, 4)  # every step of the slow rounds, of the others what they cost
STILLS = (
    ("bands", "missed"),
    ("rperp", "one_shuffle"),
    ("race", "jumps"),
    ("theorems", "dots"),
    ("forgetting", "bowl"),
    ("real_data", "stale"),
)
SIZE = {"width": 1280, "height": 720}
MOVING_WIDTH, FRAME_MILLISECONDS = 880, 450
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
    page.locator(".js-plotly-plot .main-svg, section.chase canvas").first.wait_for(timeout=PATIENCE)
    page.wait_for_timeout(3000)  # the last run of the script, fonts, and eased curves
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=PATIENCE)


def picture(raw: bytes, width: int) -> Image.Image:
    """Return a screenshot of this width."""
    image = Image.open(io.BytesIO(raw)).convert("RGB")
    return image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)


def frames(page: Page, address: str) -> Iterator[Image.Image]:
    """Yield the rounds of the front page."""
    settled(page, f"{address}/{path(*MOVING)}")
    chase = page.locator("section.chase")
    page.keyboard.press("Home")
    for frame in range(1, ROUNDS * STEPS):
        page.keyboard.press("ArrowRight")
        if frame // STEPS + 1 in SLOW or frame % STEPS == STEPS - 1:
            page.wait_for_timeout(900)  # curves are eased
            yield picture(chase.screenshot(), MOVING_WIDTH)


def take(address: str) -> None:
    """Take all pictures from the app at this address."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=drive.chromium_path(), args=list(drive.FLAGS))
        page = browser.new_page(viewport=SIZE)
        for lesson, moment in STILLS:
            settled(page, f"{address}/{path(lesson, moment)}")
            picture(page.screenshot(), SIZE["width"]).save(FOLDER / name(lesson, moment), quality=82, method=6)
        first, *more = frames(page, address)
        first.save(
            FOLDER / name(*MOVING),
            save_all=True,
            append_images=more,
            duration=FRAME_MILLISECONDS,
            loop=0,
            quality=60,
            method=6,
        )
        browser.close()


def main() -> None:
    """Start the app, take its pictures, and say how large they are."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "server.log"
        with drive.server(["-m", "streamlit", "run", "app.py"], log) as address:
            take(address)
    for file in sorted(FOLDER.glob("*.webp")):
        print(f"{file.relative_to(FOLDER.parent.parent)}  {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
