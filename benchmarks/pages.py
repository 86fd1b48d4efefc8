"""How fast the pages feel, measured in a real browser: `python -m benchmarks.pages [--quick]`.

Starts its own servers (the app, and a page with one line chart as the measure of what Streamlit itself
costs), drives Chromium, and prints one table, each part when it is measured. Within a part the pages take turns,
so their ratios hold on a busy machine.

a. slider: from the release of the mouse to the frame in which the main chart shows the new data.
b. rerun: one script run in which nothing changed (the key R of Streamlit), inside the server.
c. step: from a key press to the frame in which every chart that the player moves shows the next time.
d. copies of each chart after ten fast key presses.   e. bytes sent to the server in two seconds of play.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Browser, WebSocket, sync_playwright

from benchmarks import drive
from benchmarks.rows import Row, asked_quick, show

WIDTHS = (47, 6, 16, 16, 16)
CHART = ".st-key-main .js-plotly-plot .scatterlayer"
QUIET = "[data-testid=stApp][data-test-script-state=notRunning]"
ONE_LINE = """
import gc
import numpy as np
import plotly.graph_objects as go
import streamlit as st

@st.cache_resource
def settle():
    gc.collect()
    gc.freeze()

st.set_page_config(layout="wide")
v = st.slider("V", 0.0, 16.0, 4.0, 0.5, key="V")
x = np.linspace(0, 1, 101, dtype=np.float32)
y = np.sin(6 * x + v).astype(np.float32)
figure = go.Figure({"data": [{"type": "scatter", "mode": "lines", "x": x, "y": y}],
                    "layout": {"height": 460}}, _validate=False)
st.plotly_chart(figure, key="main", theme=None)
settle()
"""

# The film of the main chart as it is drawn now: a sum over its numbers, or null while it is not there or shows another
# time than the player. On a page without a player, Plotly's chart.
SEEN = """
window.__seen = () => {
  const chart = window.lab?.charts.get('main'), gd = document.querySelector('.st-key-main .js-plotly-plot');
  if (chart ? !chart.figure || chart.over || chart.frame !== lab.now.t
            : window.lab || !gd?.querySelector('.scatterlayer .trace path')) return null;
  let sum = 0;
  for (const trace of chart ? chart.own : gd._fullData) {
    const y = trace.y ?? [];
    for (let i = 0; i < y.length; i++) if (Number.isFinite(y[i])) sum += y[i] * (i + 1);
  }
  return sum;
};
// Whether Plotly's own picture stands, with its hover and clicks.
window.__rests = () => {
  const chart = window.lab?.charts.get('main');
  return !chart || (chart.drawn && !chart.picture.stands);
};
// When a key was pressed: heard before the player hears it, which draws at once.
window.__pressed = null;
window.addEventListener('keydown', event => { window.__pressed = event.timeStamp; }, true);
// Resolves after the next frame has been handed to the screen.
window.__shown = () => new Promise(done => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => done(performance.now());
  channel.port2.postMessage(0);
}));
"""
# From the release of the mouse to the frame with new data, and until Plotly's own picture of it stands.
AFTER_RELEASE = """
() => { window.__answer = new Promise(done => {
  const old = window.__seen();
  window.addEventListener('pointerup', event => {
    const t0 = event.timeStamp;
    const look = async () => {
      const now = window.__seen();
      if (now === null || now === old) return requestAnimationFrame(look);
      const painted = await window.__shown() - t0;
      const rest = () => window.__rests() ? done([painted, performance.now() - t0]) : setTimeout(rest, 4);
      rest();
    };
    look();
  }, { once: true, capture: true });
}); }
"""
# The name of every chart that is on screen.
KEYS = "() => [...document.querySelectorAll('.js-plotly-plot')].map(g => g.closest('[class*=st-key-]').className)"
# From a key press to the moment every chart of the player is drawn, and to the frame that shows it.
AFTER_KEY = """
() => {
  window.__steps = [];
  if (!window.lab) return;
  let painted = lab.painted;
  Object.defineProperty(lab, 'painted', { configurable: true, get: () => painted, set: async t => {
    painted = t;
    const t0 = window.__pressed, drawn = performance.now() - t0;
    window.__pressed = null;
    if (t0 !== null) window.__steps.push([drawn, await window.__shown() - t0]);
  } });
}
"""


@dataclass(frozen=True)
class Size:
    """How often each is measured: slider releases, steps (the first three only warm the browser), reruns."""

    releases: int = 16
    steps: int = 45
    reruns: int = 40


QUICK = Size(releases=2, steps=5, reruns=8)


@dataclass
class Measured:
    """What one page took: milliseconds unless the name says otherwise."""

    slider: list[float] = field(default_factory=list)
    rests: list[float] = field(default_factory=list)
    script: list[float] = field(default_factory=list)
    socket: list[float] = field(default_factory=list)
    film: list[float] = field(default_factory=list)
    again: list[float] = field(default_factory=list)
    rerun: list[float] = field(default_factory=list)
    rerun_cpu: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)
    step: list[float] = field(default_factory=list)
    copies: str = "-"
    upstream: str = "-"


class Tab:
    """One page in the browser, the log of its server, and what was measured on it."""

    def __init__(self, browser: Browser, address: str, log: Path) -> None:
        self.page = browser.new_page(viewport={"width": 1366, "height": 768})
        self.log, self.up, self.down, self.films, self.measured = log, 0, 0, [], Measured()
        self.page.on("websocket", self._count)
        self.page.on("requestfinished", lambda request: "/film/" in request.url and self.films.append(request))
        self.page.add_init_script(SEEN)
        self.page.goto(address)
        self.idle()
        self.page.wait_for_timeout(1500)

    def _count(self, socket: WebSocket) -> None:
        def sent(data: bytes | str) -> None:
            self.up += len(data)

        def received(data: bytes | str) -> None:
            self.down += len(data)

        socket.on("framesent", sent)
        socket.on("framereceived", received)

    @property
    def runs(self) -> list[dict]:
        """Script runs that the server has finished."""
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines()]

    def idle(self) -> None:
        """Wait until the script has run, the charts stand and nothing is on its way."""
        self.page.bring_to_front()
        self.page.wait_for_selector(CHART, state="attached", timeout=60_000)
        self.page.wait_for_selector(QUIET, timeout=60_000)
        self.page.wait_for_timeout(250)

    def slide(self, share: float, rows: list[float]) -> None:
        """Drag the thumb of slider V to a share of its way, let go, and wait for the picture."""
        self.idle()
        thumb = self.page.locator(".st-key-V [data-testid=stSlider] input[type=range]").locator("xpath=../..")
        track, box = thumb.locator("xpath=..").bounding_box(), thumb.bounding_box()
        middle = box["y"] + box["height"] / 2
        before, down = len(self.runs), self.down
        self.films.clear()
        self.page.mouse.move(box["x"] + box["width"] / 2, middle)
        self.page.mouse.down()
        self.page.mouse.move(track["x"] + share * track["width"], middle, steps=4)
        self.page.wait_for_timeout(120)
        self.page.evaluate(AFTER_RELEASE)
        self.page.mouse.up()
        painted, rests = self.page.evaluate("() => window.__answer")
        rows.append(painted)
        self.idle()
        if rows is self.measured.slider:
            self.measured.rests.append(rests)
            self.measured.script.append(1000 * sum(run["wall"] for run in self.runs[before:]))
            self.measured.socket.append((self.down - down) / 1000)
            self.measured.film.append(sum(one.sizes()["responseBodySize"] for one in self.films) / 1000)

    def rerun(self, times: int) -> None:
        """Key R: Streamlit runs the script again, and nothing has changed."""
        self.idle()
        self.page.evaluate("() => document.activeElement.blur()")
        start = len(self.runs)
        for n in range(1, times + 1):
            self.page.keyboard.press("r")
            for wait in range(500):
                self.page.wait_for_timeout(20)
                if len(self.runs) >= start + n:
                    break
                if wait % 100 == 99:  # pressed while the browser was still busy with the last answer
                    self.page.keyboard.press("r")
            self.page.wait_for_selector(QUIET, timeout=60_000)
            self.page.wait_for_timeout(60)
        runs = self.runs[start:]
        self.measured.rerun += [1000 * run["wall"] for run in runs]
        # The clock of the whole process from one run's start to the next: sending the answer counts as well.
        self.measured.rerun_cpu += [1000 * (b["process"] - a["process"]) for a, b in pairwise(runs)]

    def step(self, steps: int) -> None:
        """One key press at a time, then ten fast ones, then two seconds of playing."""
        self.idle()
        self.page.keyboard.press("Home")
        self.page.wait_for_timeout(900)
        self.page.evaluate(AFTER_KEY)
        for n in range(steps):
            self.page.keyboard.press("PageDown")
            self.page.wait_for_function(f"() => window.__steps.length > {n}")
            self.page.wait_for_timeout(60)
        # The first steps warm the browser's compiler, as they do for a reader.
        times = self.page.evaluate("() => window.__steps")[3:]
        self.measured.drawn, self.measured.step = [list(column) for column in zip(*times, strict=True)]
        self.page.wait_for_timeout(900)
        for _ in range(10):
            self.page.keyboard.press("PageUp")
        self.page.wait_for_timeout(900)
        keys = self.page.evaluate(KEYS)
        self.measured.copies = f"{max(keys.count(key) for key in keys)} of {len(set(keys))}"
        self.page.keyboard.press("Home")
        self.page.wait_for_timeout(900)
        self.page.keyboard.press("Space")
        self.page.wait_for_timeout(300)
        up = self.up
        self.page.wait_for_timeout(2000)
        self.measured.upstream = f"{self.up - up} in {self.page.evaluate('() => lab.now.t')} frames"
        self.page.keyboard.press("Space")
        self.idle()
        self.page.close()


def rows(size: Size) -> Iterator[Row]:
    """The table, one column a page."""
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (place / "one_line.py").write_text(ONE_LINE, encoding="utf-8")
        play = stack.enter_context(sync_playwright())
        browser = play.chromium.launch(executable_path=drive.chromium_path(), args=list(drive.FLAGS))
        stack.callback(browser.close)
        tabs: dict[str, Tab] = {}
        for script, pages in (
            (place / "one_line.py", {"one line": ""}),
            (drive.ROOT / "app.py", {"1 drift": "/Drifting_rewards", "2 bands": "/Confidence_bands"}),
        ):
            log = place / f"{script.stem}.runs"
            command = ["-m", "benchmarks.timed_server", str(log), str(script)]
            address = stack.enter_context(drive.server(command, place / f"{script.stem}.log"))
            tabs |= {name: Tab(browser, address + path, log) for name, path in pages.items()}
        found = [tab.measured for tab in tabs.values()]
        said = f"medians of {size.releases} releases, {size.reruns} reruns, {size.steps - 3} steps"
        yield said, "target", *tabs
        # In turns, so that whatever else the machine does meets all pages alike.
        values = [0.013 + 0.984 * (7 * i % size.releases) / size.releases for i in range(size.releases)]
        for again in (False, True):  # values never asked for before, then the same ones, kept by the server
            for share in values:
                for tab in tabs.values():
                    tab.slide(share, tab.measured.again if again else tab.measured.slider)
        yield cells(found, "a  slider released to painted, new value, ms", "<= 3x", lambda m: m.slider, True)
        yield cells(found, "   of it: script run on the server, ms", "", lambda m: m.script)
        yield cells(found, "   of it: on the socket, kB", "", lambda m: m.socket)
        yield cells(found, "   of it: films over HTTP, kB", "", lambda m: m.film)
        yield cells(found, "   until Plotly's own picture stands, ms", "", lambda m: m.rests)
        yield cells(found, "   the same, value seen before, ms", "", lambda m: m.again, True)
        for _ in range(4):
            for tab in tabs.values():
                tab.rerun(size.reruns // 4)
        yield cells(found, "b  empty rerun, wall in the server, ms", "<= 10", lambda m: m.rerun, True)
        yield cells(found, "   empty rerun, CPU of the whole server, ms", "", lambda m: m.rerun_cpu, True)
        for name in ("1 drift", "2 bands"):
            tabs[name].step(size.steps)
        yield cells(found, "c  key press to painted frame, ms", "<= 50", lambda m: m.step)
        yield cells(found, "   key press to drawn, ms", "", lambda m: m.drawn)
        yield "d  copies of each chart after 10 fast keys", "1", *(m.copies for m in found)
        yield "e  bytes sent to the server in 2 s of playing", "0", *(m.upstream for m in found)


def cells(
    found: list[Measured], what: str, target: str, of: Callable[[Measured], list[float]], ratio: bool = False
) -> Row:
    """Return a row of medians, with their ratio to the first page's where it is wanted."""
    base = statistics.median(of(found[0])) if ratio else 1.0
    medians = [statistics.median(of(m)) if of(m) else None for m in found]
    said = ["-" if m is None else f"{m:.1f} ({m / base:.1f}x)" if ratio else f"{m:.1f}" for m in medians]
    return what, target, *said


if __name__ == "__main__":
    show(rows(QUICK if asked_quick(__doc__) else Size()), WIDTHS)
