"""Delays of the pages in a real browser: `python -m benchmarks.browser [--quick] [--only TABLE]`.

opening  every lesson with a film in a browser that has seen nothing, and from there the next one by the link at its
         end: ms to the held place of the stage, ms to its chart, and what moved afterwards (the browser's own measure).
answer   ms from letting go of a slider to the painted film of a value never asked for, with the kB that came; ms in
         the server of a run in which nothing changed; ms from a key to the painted next frame. The pages take turns.
drag     sixty moves of a slider in two seconds, there and back: ms to the first picture, different pictures a second,
         ms from a value to its picture, seconds of the server's processor, ms from letting go to the film.

site     (with --python FOLDER, a Pyodide) ms from letting go on the one-line page, the lab's and the site's, in turns;
         pictures a second on both, seconds until its Python answers cold and warm, megabytes, memory of the tab.

Beside the lessons stands a page of Streamlit with a slider and a chart: what Streamlit itself costs.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

import psutil
from playwright.sync_api import Browser, Page, Request, sync_playwright

from benchmarks import drive
from benchmarks.processes import server_on
from benchmarks.rows import TINY, Row, parser, show
from benchmarks.site import served, site
from lessons import LESSONS

ONE_LINE = """import gc
import numpy as np
import streamlit as st

v = st.slider("V", 0.0, 16.0, 4.0, 0.5, key="V")
x = np.linspace(0, 1, 101)
st.plotly_chart({"data": [{"type": "scatter", "x": x, "y": np.sin(6 * x + v)}]}, key="main", theme=None)
st.cache_resource(lambda: [gc.collect(), gc.freeze()])()
"""
TABLES = ("opening", "answer", "drag", "site")
BARE = "(one chart alone)"
ANSWERS = {"Drifting_rewards": "V", "Confidence_bands": "V", "Side_queries": "alpha", "A_hill_in_the_plane": "V"}
DRAGS = {"Drifting_rewards": "V", "Confidence_bands": "V", "Theorems?view=rates": "growth", "Forgetting": "m"}
QUIET = "[data-testid=stApp][data-test-script-state=notRunning]"
PROBE = """
// What the main chart shows, another one with each film; null while none is there, or a frame of a drag.
window.main = () => {
  const chart = window.lab?.charts.get('main');
  if (chart) return (chart.picture.stands || chart.drawn) && chart.root.offsetHeight && !chart.over && chart.figure;
  const gd = !window.lab && document.querySelector('.st-key-main .js-plotly-plot');
  return gd?.offsetHeight ? gd.querySelector('.scatterlayer .trace path')?.getAttribute('d') : null;
};
// When the next frame has been handed to the screen.
window.painted = () => new Promise(done => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => done(performance.now());
  channel.port2.postMessage(0);
}));
// Let `answer` be the ms from the next such event to the frame in which `read` gives something else.
window.after = (event, read) => { window.answer = new Promise(done => {
  const old = read();
  window.addEventListener(event, async ({ timeStamp }) => {
    while (!read() || read() === old) await new Promise(requestAnimationFrame);
    done(await painted() - timeStamp);
  }, { once: true, capture: true }); }); };
// Note when the place of the stage is held, when another chart is drawn, and what moves afterwards.
window.watch = old => {
  const found = window.found = { held: null, drawn: null, shift: 0 };
  const look = () => {
    const place = [...document.querySelectorAll('[class*=st-key-stage_] .skeleton')].some(e => e.offsetHeight);
    const drawn = main() && main() !== old;
    if (found.held === null && (drawn || place)) found.held = performance.now();
    if (drawn) found.drawn = performance.now();
    else requestAnimationFrame(look);
  };
  look(); };
new PerformanceObserver(list => { for (const e of list.getEntries())
  if (window.found?.drawn && e.startTime > found.drawn && !e.hadRecentInput) found.shift += e.value;
}).observe({ type: 'layout-shift', buffered: true });
window.watch(null);
"""
CLICK = """() => addEventListener('click', e => {
  window.clicked = e.timeStamp;
  watch(main());
}, { once: true, capture: true })"""
# Note when the slider's value changes, and when a picture of another of its stops is on the screen.
FOLLOW = """key => {
  const input = document.querySelector(`.st-key-${key} [data-testid=stSlider] input[type=range]`);
  const log = window.log = { values: [], pictures: [], held: true, film: lab.player.film };
  const { picture } = lab.charts.get('main');
  let last = input.value, drawn = picture.drawn;
  const look = () => {
    if (input.value !== last) { last = input.value; log.values.push(performance.now()); }
    const stop = lab.player.follower.drawn;
    if (picture.drawn !== drawn && stop !== undefined && stop !== log.pictures.at(-1)?.[1]) {
      const seen = [0, stop, log.values.at(-1)];
      log.pictures.push(seen);
      requestAnimationFrame(() => setTimeout(() => { seen[0] = performance.now(); }));
    }
    drawn = picture.drawn;
    if (log.held) requestAnimationFrame(look);
  };
  look();
}"""


@dataclass(frozen=True)
class Size:
    """Counts of pages opened, sliders released, script runs and keys pressed; moves and seconds of a drag."""

    times: int = 3
    releases: int = 16
    reruns: int = 40
    steps: int = 40
    moves: int = 60
    seconds: float = 2.0


QUICK = Size(times=1, releases=2, reruns=2, steps=2, moves=12, seconds=0.4)


class Tab:
    """A page in a browser that has seen nothing, and what came to it in kB."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.page: Page = browser.new_context(viewport={"width": 1366, "height": 768}).new_page()
        self.socket = 0
        self.films: list[Request] = []
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._hear))
        self.page.on("requestfinished", lambda request: self.films.append(request))
        self.page.add_init_script(PROBE)
        self.page.goto(address)

    def _hear(self, data: bytes | str) -> None:
        self.socket += len(data)

    def kilobytes(self) -> float:
        """Return what came over the socket and as films since the last call."""
        films = sum(one.sizes()["responseBodySize"] for one in self.films if "/film/" in one.url)
        came, self.socket, self.films[:] = self.socket + films, 0, []
        return came / 1000

    def stands(self, since: str) -> tuple[float, float, float]:
        """Return ms to the held place, ms to the chart, and the shift, once it has stood for half a second."""
        self.page.wait_for_function("() => window.found?.drawn", timeout=60_000)
        self.page.wait_for_timeout(500)
        return tuple(self.page.evaluate(f"() => [found.held - {since}, found.drawn - {since}, found.shift]"))

    def idle(self) -> None:
        """Wait until the script has run and nothing is on its way."""
        self.page.bring_to_front()
        self.page.wait_for_function("() => main()", timeout=60_000)
        self.page.wait_for_selector(QUIET, timeout=60_000)
        self.page.wait_for_timeout(300)

    def hold(self, key: str) -> tuple[float, float, float]:
        """Press the mouse on the thumb of a slider; return the left and right end of its way, and its height."""
        slider = self.page.locator(f".st-key-{key} [data-testid=stSlider]")
        track, thumb = slider.bounding_box(), slider.locator("input[type=range]").locator("xpath=..").bounding_box()
        y = thumb["y"] + thumb["height"] / 2
        self.page.mouse.move(thumb["x"] + thumb["width"] / 2, y)
        self.page.mouse.down()
        return track["x"] + 6, track["x"] + track["width"] - 6, y

    def let_go(self, key: str, share: float) -> float:
        """Drag a slider to a share of its way, and let go; return ms until the film is painted."""
        left, right, y = self.hold(key)
        self.page.evaluate("() => after('pointerup', main)")  # before the move: a film may be there before letting go
        self.page.mouse.move(left + share * (right - left), y, steps=4)
        self.page.wait_for_timeout(120)
        self.page.mouse.up()
        return self.page.evaluate("() => answer")

    def release(self, key: str, share: float) -> tuple[float, float]:
        """Drag a slider and let go; return ms until the film is painted, and kB."""
        self.idle()
        self.kilobytes()
        took = self.let_go(key, share)
        self.idle()
        return took, self.kilobytes()

    def sweep(self, key: str, size: Size) -> float:
        """Drag a slider there and back, and hold it still; return the seconds of that. `noted` says what was seen."""
        self.page.evaluate(FOLLOW, key)
        left, right, y = self.hold(key)
        start = time.perf_counter()
        for i in range(size.moves):
            way = 2 * (i + 1) / size.moves
            self.page.mouse.move(left + (right - left) * min(way, 2 - 0.98 * way), y)
            time.sleep(max(0.0, start + (i + 1) * size.seconds / size.moves - time.perf_counter()))
        return time.perf_counter() - start

    def noted(self) -> dict:
        """Return when the value of the slider changed, and when a picture of another stop was seen."""
        self.page.wait_for_timeout(300)  # for the last picture
        log = self.page.evaluate("() => { log.held = false; return { ...log, film: null }; }")
        return log | {"pictures": [picture for picture in log["pictures"] if picture[0]]}

    def rerun(self) -> None:
        """Key R: Streamlit runs the script again, and nothing has changed."""
        self.idle()
        self.page.evaluate("() => document.activeElement.blur()")
        self.page.keyboard.press("r")
        self.page.wait_for_timeout(150)
        self.idle()

    def step(self) -> float:
        """Return ms from a key to the painted next frame."""
        self.page.evaluate("() => after('keydown', () => `${lab.now.t}`)")
        self.page.keyboard.press("PageDown")
        return self.page.evaluate("() => answer")


def medians(found: Sequence[Sequence[float]], form: str = "8.0f") -> str:
    """Return the medians of the columns; "-" of none."""
    return "".join(f"{statistics.median(column):{form}}" for column in zip(*found, strict=True)) or "-"


def opening(browser: Browser, bare: str, lab: str, size: Size) -> Iterator[Row]:
    """The table of openings: ms to the held place, ms to the chart, shift in thousandths."""
    yield "opening", "a browser without a cache", "click on the link"
    pages = [Path(lesson.file).stem if lesson.scene else "" for lesson in LESSONS[1:]]  # "": no stage to wait for
    clicks: list[tuple[float, ...]] = []  # on the link to this page
    for name, address, following in [(BARE, bare, ""), *((n, f"{lab}/{n}", m) for n, m in pairwise([*pages, ""]) if n)]:
        Tab(browser, address).stands("0")  # the server's first run of a page reads its modules: a class pays that once
        found, clicked = [], []
        for _ in range(size.times):
            tab = Tab(browser, address)
            found.append(tab.stands("performance.getEntriesByType('navigation')[0].responseEnd"))
            if following:
                link = tab.page.locator(f"[data-testid=stPageLink] a[href$='{following}']").last
                link.scroll_into_view_if_needed()
                tab.page.evaluate(CLICK)
                link.click()
                clicked.append(tab.stands("clicked"))
            tab.page.context.close()
        shift = [(held, drawn, 1000 * moved) for held, drawn, moved in found]
        yield name, medians(shift), medians([(held, drawn, 1000 * moved) for held, drawn, moved in clicks])
        clicks = clicked


def answer(browser: Browser, bare: str, lab: str, logs: dict[str, Path], size: Size) -> Iterator[Row]:
    """The table of answers, one row a page; in brackets times that of the page with one chart."""
    yield "answer", "slider, ms", "kB", "empty rerun, ms", "key, ms"
    tabs = {BARE: (Tab(browser, bare), "V", logs["bare"])}
    tabs |= {name: (Tab(browser, f"{lab}/{name}"), key, logs["lab"]) for name, key in ANSWERS.items()}
    moved: dict[str, list[tuple[float, float]]] = {name: [] for name in tabs}
    runs: dict[str, list[tuple[float]]] = {name: [] for name in tabs}
    for i in range(size.releases):
        for name, (tab, key, _) in tabs.items():
            moved[name].append(tab.release(key, 0.013 + 0.984 * (7 * i % size.releases) / size.releases))
    for _ in range(size.reruns):
        for name, (tab, _, log) in tabs.items():
            before = len(log.read_text("utf-8").splitlines())
            tab.rerun()
            lines = log.read_text("utf-8").splitlines()[before:]
            runs[name] += [(1000 * float(line),) for line in lines]
    first = statistics.median(took for took, _ in moved[BARE]), statistics.median(run for (run,) in runs[BARE])
    for name, (tab, *_) in tabs.items():
        tab.page.keyboard.press("Home")
        tab.idle()
        steps = [] if name == BARE else [(tab.step(),) for _ in range(size.steps + 3)][3:]  # the first ones warm up
        took, kilobytes = (statistics.median(column) for column in zip(*moved[name], strict=True))
        run = statistics.median(run for (run,) in runs[name])
        columns = f"{took:.0f} ({took / first[0]:.1f}x)", f"{kilobytes:.1f}", f"{run:.1f} ({run / first[1]:.1f}x)"
        yield name, *columns, medians(steps, ".1f")


def drag(browser: Browser, lab: str, server: psutil.Process, size: Size) -> Iterator[Row]:
    """The table of drags: of the first visitor, and without frames of a drag."""
    yield "drag", "first, ms", "pictures/s", "late, ms", "server, s", "release, ms"
    for path, key in DRAGS.items():
        for what in ("", ", no frames"):
            tab = Tab(browser, f"{lab}/{path}")
            tab.idle()
            if what:
                tab.page.route("**/frame/**", lambda route: route.abort())
            used = sum(server.cpu_times()[:2])
            took = tab.sweep(key, size)
            used, log = sum(server.cpu_times()[:2]) - used, tab.noted()
            start = time.perf_counter()
            tab.page.mouse.up()
            # Without frames the last value's film may be there already: Streamlit hears of a slider that rests.
            tab.page.wait_for_function("() => lab.player.film !== log.film && main()", polling=10)
            release = 1000 * (time.perf_counter() - start)
            seen = log["pictures"]
            late = [(at - changed,) for at, _, changed in seen]
            first = f"{seen[0][0] - log['values'][0]:.0f}" if seen else "-"
            yield path + what, first, f"{len(seen) / took:.1f}", medians(late, ".0f"), f"{used:.2f}", f"{release:.0f}"
            tab.page.context.close()


def main() -> None:
    """Print the tables."""
    words = parser(__doc__)
    words.add_argument("--only", choices=TABLES, help="this table alone")
    words.add_argument("--python", type=Path, metavar="FOLDER", help="a Pyodide, for the table of the site")
    arguments = words.parse_args()
    size, tables = QUICK if arguments.quick else Size(), (arguments.only,) if arguments.only else TABLES
    if arguments.quick:
        print(TINY, flush=True)
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        script = place / "one_line.py"
        script.write_text(ONE_LINE, encoding="utf-8")
        logs = {"bare": place / "bare", "lab": place / "lab"}
        bare, lab = (
            stack.enter_context(
                drive.server(["-m", "benchmarks.timed_server", str(logs[name]), str(path)], place / f"{name}.log")
            )
            for name, path in zip(logs, (script, drive.ROOT / "app.py"), strict=True)
        )
        play = stack.enter_context(sync_playwright())
        browser = play.chromium.launch(executable_path=drive.chromium_path(), args=list(drive.FLAGS))
        stack.callback(browser.close)
        if "opening" in tables:
            show(opening(browser, bare, lab, size), (26, 26, 26))
        if "answer" in tables:
            show(answer(browser, bare, lab, logs, size), (26, 14, 8, 16, 8))
        if "drag" in tables:
            show(drag(browser, lab, server_on(lab), size), (34, 9, 10, 8, 9, 11))
        if "site" in tables and arguments.python:
            plain = stack.enter_context(served(arguments.python, place / "site"))
            rows = site(partial(Tab, browser), bare, lab, plain, size)
            show(rows, (10, 13, 8, 9, 7, 8, 9, 8, 8, 6, 8))


if __name__ == "__main__":
    main()
