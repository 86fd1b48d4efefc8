"""How well a stage follows a slider, measured with a real drag in Chromium: `python -m benchmarks.drag [--quick]`.

Sixty moves of the mouse in two seconds, from one end of a slider to the other and back, on lessons 1, 2, 5 and 6, each
in a browser that has no frame yet. Three drags a lesson: the first one, the same one of another visitor (the server
has its frames), and one without the route, as before. Then what is drawn while a film plays at 1x, and how many frames
an empty page gets at the same load.

first     ms from the first change of the slider's value to the first picture on screen
pictures  a second, different ones            late   ms from a value to its picture on screen, in the median
server    seconds of the server's processor during the drag, without what an idle page takes
release   ms from letting go to the film of the last value on the stage
"""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import psutil
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks import drive
from benchmarks.rows import asked_quick

DRAGS = (
    ("1", "Drifting_rewards", "V"),
    ("2", "Confidence_bands", "V"),
    ("5", "Theorems?view=rates", "growth"),
    ("6", "Forgetting", "m"),
)
PLAYS = (("1", "Drifting_rewards"), ("2", "Confidence_bands"), ("3", "R_PERP"))
QUIET = "[data-testid=stApp][data-test-script-state=notRunning]"
# Notes the film before the drag, when the slider's value changed, and when a new picture of a stop was on screen.
WATCH = """key => {
  const input = document.querySelector(`.st-key-${key} [data-testid=stSlider] input[type=range]`);
  const log = window.__drag = { values: [], pictures: [], held: true };
  const stage = lab.charts.get('main');
  window.__film = lab.player.film;
  let last = input.value, drawn = stage.picture.drawn;
  const look = () => {
    if (input.value !== last) { last = input.value; log.values.push([performance.now(), last]); }
    const now = stage.picture.drawn;
    if (now !== drawn) { drawn = now; note(); }
    if (log.held) requestAnimationFrame(look);
  };
  const note = () => {
    const stop = lab.player.follower.drawn, at = log.values.at(-1)?.[0];
    if (log.held && stop !== undefined && stop !== log.pictures.at(-1)?.[1]) {
      const picture = [0, stop, at];
      log.pictures.push(picture);
      requestAnimationFrame(() => setTimeout(() => { picture[0] = performance.now(); }));
    }
  };
  look();
}"""
# Plays for so long and returns what was seen a second: pictures of the stage that differ from the one before, and
# frames of the screen on which the stage or the mark of time was new.
PLAY = """async ms => {
  lab.player.root.querySelector('[data-do=home]').click();
  await new Promise(done => setTimeout(done, 600));
  const { picture } = lab.charts.get('main'), { bar } = lab.player, first = picture.drawn;
  let pictures = 0, frames = 0, before = '';
  const start = performance.now();
  lab.player.root.querySelector('[data-do=play]').click();
  await new Promise(done => {
    const look = () => {
      pictures = picture.drawn - first;
      const now = `${pictures} ${bar.value}`;
      frames += now !== before; before = now;
      performance.now() - start < ms && lab.player.clock.runs ? requestAnimationFrame(look) : done();
    };
    look();
  });
  const seconds = (performance.now() - start) / 1000;
  if (lab.player.clock.runs) lab.player.root.querySelector('[data-do=play]').click();
  return [pictures / seconds, frames / seconds];
}"""
# Frames of the screen a second that a page without anything gets.
EMPTY = """ms => new Promise(done => {
  let frames = 0;
  const start = performance.now();
  const look = () => {
    frames += 1;
    performance.now() - start < ms ? requestAnimationFrame(look) : done(1000 * frames / ms);
  };
  requestAnimationFrame(look);
})"""


@dataclass(frozen=True)
class Size:
    """How much is measured: moves of a drag, and its seconds; seconds of idling before it, of settling, of playing."""

    moves: int = 60
    seconds: float = 2.0
    idle: float = 1.0
    settle: float = 1.5
    played: float = 4.0


QUICK = Size(moves=12, seconds=0.4, idle=0.1, settle=0.3, played=0.5)


@dataclass
class Drag:
    """What one drag showed and cost; see above."""

    first: float | None
    pictures: float
    late: float | None
    server: float
    release: float

    def row(self, lesson: str, what: str) -> str:
        first, late = ("-" if v is None else f"{v:.0f}" for v in (self.first, self.late))
        return (
            f"{lesson:>6}  {what:<26}{first:>6}{self.pictures:>10.1f}{late:>6}{self.server:>8.2f}{self.release:>9.0f}"
        )


def opened(browser: Browser, address: str, size: Size, follow: bool = True) -> Page:
    """A page in a browser without a cache, once it stands."""
    page = browser.new_context(viewport={"width": 1366, "height": 768}).new_page()
    if not follow:
        page.route("**/frame/**", lambda route: route.abort())
    page.goto(address)
    page.wait_for_function("() => window.lab?.charts.get('main')?.drawn", timeout=60_000)
    page.wait_for_selector(QUIET, timeout=60_000)
    page.wait_for_timeout(1000 * size.settle)
    return page


def processor(server: psutil.Process) -> float:
    return sum(server.cpu_times()[:2])


def drawing() -> float:
    """Return the seconds of a processor that the browser's pages have taken."""
    pages = [one for one in psutil.Process().children(recursive=True) if "--type=renderer" in one.cmdline()]
    return sum(processor(page) for page in pages)


def drag(page: Page, key: str, server: psutil.Process, size: Size) -> Drag:
    """Drag a slider from end to end and back, in so many moves."""
    page.evaluate(WATCH, key)
    slider = page.locator(f".st-key-{key} [data-testid=stSlider]")
    track, thumb = slider.bounding_box(), slider.locator("input[type=range]").locator("xpath=..").bounding_box()
    y, left, right = thumb["y"] + thumb["height"] / 2, track["x"] + 6, track["x"] + track["width"] - 6
    idle, start = processor(server), time.perf_counter()
    page.wait_for_timeout(1000 * size.idle)
    idle = (processor(server) - idle) / (time.perf_counter() - start)
    page.mouse.move(thumb["x"] + thumb["width"] / 2, y)
    page.mouse.down()
    before, start = processor(server), time.perf_counter()
    for i in range(size.moves):
        way = 2 * (i + 1) / size.moves
        page.mouse.move(left + (right - left) * min(way, 2 - 0.98 * way), y)
        time.sleep(max(0.0, start + (i + 1) * size.seconds / size.moves - time.perf_counter()))
    took = time.perf_counter() - start
    used = processor(server) - before - idle * took
    page.wait_for_timeout(300)  # for the last picture
    log = page.evaluate("() => { __drag.held = false; return __drag; }")
    start = time.perf_counter()
    page.mouse.up()
    # Without frames the last value's film may be there already: Streamlit hears of a slider that rests.
    page.wait_for_function("() => lab.player.film !== __film && !lab.charts.get('main').over", polling=10)
    release = 1000 * (time.perf_counter() - start)
    drawn = [picture for picture in log["pictures"] if picture[0]]
    different = sum(one[1] != two[1] for one, two in pairwise(drawn)) + bool(drawn)
    return Drag(
        first=drawn[0][0] - log["values"][0][0] if drawn else None,
        pictures=different / took,
        late=statistics.median(at - changed for at, _, changed in drawn) if drawn else None,
        server=used,
        release=release,
    )


def main(size: Size) -> None:
    """Measure, and print each line as it comes."""
    port = drive.free_port()
    log = Path(tempfile.mkdtemp()) / "server.log"
    with (
        drive.server(["-m", "streamlit", "run", "app.py"], log, port) as address,
        sync_playwright() as play,
    ):
        (server,) = [
            process for process in psutil.process_iter(["cmdline"]) if str(port) in (process.info["cmdline"] or [])
        ]
        browser = play.chromium.launch(executable_path=drive.chromium_path(), args=list(drive.FLAGS))
        print("lesson  drag                       first  pictures  late  server  release", flush=True)
        for lesson, path, key in DRAGS:
            opened(browser, f"{address}/{path}", size).context.close()  # imports and caches of the page itself
            for what, follow in (("first", True), ("frames already asked for", True), ("without the route", False)):
                page = opened(browser, f"{address}/{path}", size, follow)
                print(drag(page, key, server, size).row(lesson, what), flush=True)
                page.context.close()
        print(
            "\nlesson  while playing at 1x, a second: pictures of the stage, frames with news, s of a processor",
            flush=True,
        )
        page = browser.new_page()
        print(f" empty  {'-':>8}{page.evaluate(EMPTY, 500 * size.played):>8.1f}{'-':>8}", flush=True)
        page.close()
        for lesson, path in PLAYS:
            page = opened(browser, f"{address}/{path}", size)
            before = drawing()
            pictures, frames = page.evaluate(PLAY, 1000 * size.played)
            share = (drawing() - before) / size.played
            print(f"{lesson:>6}  {pictures:>8.1f}{frames:>8.1f}{share:>8.2f}", flush=True)
            page.context.close()
        browser.close()


if __name__ == "__main__":
    main(QUICK if asked_quick(__doc__) else Size())
