"""How fast the pages feel, measured in a real browser: `python -m benchmarks.pages`.

Starts its own servers (the app, and a page with one line chart as the measure of what Streamlit itself costs),
drives Chromium, and prints one table. Compare ratios, not milliseconds: both pages meet the same machine.

a. slider: from the release of the mouse to the frame in which the main chart shows the new data.
b. rerun: one script run in which nothing changed (the key R of Streamlit), inside the server.
c. step: from a key press to the frame in which every chart that the player moves shows the next time.
d. copies of each chart after ten fast key presses.   e. bytes sent to the server during two seconds of playing.
"""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from benchmarks import drive

RUNS, STEPS, RERUNS = 16, 45, 40
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

# The main chart as it is drawn now: a sum over its numbers, or null while it is not there or not at the
# player's time. Streamlit keeps the chart of the last run, hidden, until the script has ended: it does not count.
SEEN = """
window.__seen = () => {
  const all = [...document.querySelectorAll('.st-key-main .js-plotly-plot')].filter(g => g.offsetHeight);
  const gd = all[0];
  if (all.length !== 1 || !gd._fullLayout || !gd.querySelector('.scatterlayer .trace path')) return null;
  if (window.__tvboNow && gd.__tvboFrame !== window.__tvboNow.t) return null;
  let sum = 0;
  for (const trace of gd._fullData) {
    const y = trace.y ?? [];
    for (let i = 0; i < y.length; i++) if (Number.isFinite(y[i])) sum += y[i] * (i + 1);
  }
  return sum;
};
// Resolves after the next frame has been handed to the screen.
window.__shown = () => new Promise(done => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => done(performance.now());
  channel.port2.postMessage(0);
}));
"""
# From the release of the mouse to the frame with new data.
AFTER_RELEASE = """
() => { window.__answer = new Promise(done => {
  const old = window.__seen();
  window.addEventListener('pointerup', event => {
    const t0 = event.timeStamp;
    const look = async () => {
      const now = window.__seen();
      if (now === null || now === old) return requestAnimationFrame(look);
      done(await window.__shown() - t0);
    };
    look();
  }, { once: true, capture: true });
}); }
"""
# From a key press to the moment Plotly has drawn every chart of the player, and to the frame that shows it.
AFTER_KEY = """
() => {
  window.__steps = [];
  let pressed = null, painted = window.__tvboPainted;
  window.addEventListener('keydown', event => { pressed = event.timeStamp; }, true);
  Object.defineProperty(window, '__tvboPainted', { configurable: true, get: () => painted, set: async t => {
    painted = t;
    if (pressed === null) return;
    const t0 = pressed, drawn = performance.now() - t0;
    pressed = null;
    window.__steps.push([drawn, await window.__shown() - t0]);
  } });
}
"""


@dataclass
class Measured:
    """What one page took: milliseconds unless the name says otherwise."""

    slider: list[float] = field(default_factory=list)
    script: list[float] = field(default_factory=list)
    sent_down: list[int] = field(default_factory=list)
    again: list[float] = field(default_factory=list)
    rerun: list[float] = field(default_factory=list)
    rerun_cpu: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)
    step: list[float] = field(default_factory=list)
    copies: int | None = None
    charts: int | None = None
    upstream: int | None = None


@dataclass
class Wire:
    """Bytes over the page's websocket, both ways."""

    up: int = 0
    down: int = 0

    def watch(self, page: Page) -> None:
        def count(socket: object) -> None:
            socket.on("framesent", lambda data: self._add("up", data))
            socket.on("framereceived", lambda data: self._add("down", data))

        page.on("websocket", count)

    def _add(self, way: str, data: bytes | str) -> None:
        setattr(self, way, getattr(self, way) + len(data))


def runs(log: Path) -> list[dict]:
    """Script runs that the server has finished."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []


def idle(page: Page) -> None:
    """Wait until the script has run, the charts stand and nothing is on its way."""
    page.wait_for_selector(".st-key-main .js-plotly-plot .scatterlayer", state="attached", timeout=60_000)
    page.wait_for_selector(QUIET, timeout=60_000)
    page.wait_for_timeout(250)


def drag(page: Page, share: float) -> None:
    """Drag the thumb of slider V to a share of its way and let go."""
    thumb = page.locator(".st-key-V [data-testid=stSlider] input[type=range]").locator("xpath=../..")
    track = thumb.locator("xpath=..").bounding_box()
    box = thumb.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(track["x"] + share * track["width"], box["y"] + box["height"] / 2, steps=4)
    page.wait_for_timeout(120)
    page.evaluate(AFTER_RELEASE)
    page.mouse.up()


def sliders(page: Page, wire: Wire, log: Path, result: Measured) -> None:
    """Values never asked for before, then the same ones again (kept by the server)."""
    shares = [(0.013 + 0.0615 * (7 * i % RUNS)) for i in range(RUNS)]
    for rows in (result.slider, result.again):
        for share in shares:
            before, down = len(runs(log)), wire.down
            drag(page, share)
            rows.append(page.evaluate("() => window.__answer"))
            idle(page)
            if rows is result.slider:
                result.script.append(1000 * sum(r["wall"] for r in runs(log)[before:]))
                result.sent_down.append(wire.down - down)


def reruns(page: Page, log: Path, result: Measured) -> None:
    """Key R: Streamlit runs the script again, and nothing has changed."""
    page.evaluate("() => document.activeElement.blur()")
    start = len(runs(log))
    for n in range(1, RERUNS + 1):
        page.keyboard.press("r")
        for wait in range(500):
            page.wait_for_timeout(20)
            if len(runs(log)) >= start + n:
                break
            if wait % 100 == 99:  # pressed while the browser was still busy with the last answer
                page.keyboard.press("r")
        else:
            raise RuntimeError("key R did not rerun the page")
        page.wait_for_selector(QUIET, timeout=60_000)
        page.wait_for_timeout(60)
    rows = runs(log)[start:]
    result.rerun = [1000 * r["wall"] for r in rows]
    # The clock of the whole process from one run's start to the next: sending the answer counts as well.
    clock = [r["process"] for r in rows]
    result.rerun_cpu = [1000 * (b - a) for a, b in zip(clock, clock[1:], strict=False)]


def steps(page: Page, wire: Wire, result: Measured) -> None:
    """One key press at a time, then ten fast ones, then two seconds of playing."""
    page.keyboard.press("Home")
    page.wait_for_timeout(900)
    page.evaluate(AFTER_KEY)
    for n in range(STEPS):
        page.keyboard.press("PageDown")
        page.wait_for_function(f"() => window.__steps.length > {n}")
        page.wait_for_timeout(60)
    # The first steps warm the browser's compiler, as they do for a reader.
    result.drawn, result.step = (
        list(times) for times in zip(*page.evaluate("() => window.__steps")[3:], strict=True)
    )
    page.wait_for_timeout(900)
    for _ in range(10):
        page.keyboard.press("PageUp")
    page.wait_for_timeout(900)
    keys = page.evaluate(
        "() => [...document.querySelectorAll('.js-plotly-plot')].map(g => g.closest('[class*=st-key-]').className)"
    )
    result.copies, result.charts = max(keys.count(k) for k in keys), len(set(keys))
    page.keyboard.press("Space")
    page.wait_for_timeout(300)
    up = wire.up
    page.wait_for_timeout(2000)
    result.upstream = wire.up - up
    page.keyboard.press("Space")


def measure(browser: object, address: str, log: Path, player: bool) -> Measured:
    """Everything about one page."""
    page, wire, result = browser.new_page(viewport={"width": 1366, "height": 768}), Wire(), Measured()
    wire.watch(page)
    page.add_init_script(SEEN)
    page.goto(address)
    idle(page)
    page.wait_for_timeout(1500)
    sliders(page, wire, log, result)
    reruns(page, log, result)
    if player:
        steps(page, wire, result)
    page.close()
    return result


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        place = Path(folder)
        (place / "one_line.py").write_text(ONE_LINE, encoding="utf-8")
        browser = play.chromium.launch(executable_path=drive.chromium_path(), args=list(drive.FLAGS))
        found: dict[str, Measured] = {}
        for script, pages in (
            (place / "one_line.py", {"one line": ""}),
            (drive.ROOT / "app.py", {"1 drift": "/Drifting_rewards", "2 bands": "/Confidence_bands"}),
        ):
            log = place / f"{script.stem}.runs"
            command = ["-m", "benchmarks.timed_server", str(log), str(script)]
            with drive.server(command, place / f"{script.stem}.log") as address:
                for name, path in pages.items():
                    found[name] = measure(browser, address + path, log, player=bool(path))
        browser.close()
    report(found)


def report(found: dict[str, Measured]) -> None:
    """The table, one column a page."""
    base = found["one line"]

    def median(of: Callable[[Measured], list[float]], against: bool = False) -> Callable[[Measured], str]:
        def cell(m: Measured) -> str:
            if not of(m):
                return "-"
            value = statistics.median(of(m))
            return f"{value:.1f} ({value / statistics.median(of(base)):.1f}x)" if against else f"{value:.1f}"

        return cell

    rows = (
        ("a  slider released to painted, new value, ms", "<= 3x", median(lambda m: m.slider, True)),
        ("   of it: script run on the server, ms", "", median(lambda m: m.script)),
        ("   of it: sent to the browser, kB", "", median(lambda m: [v / 1000 for v in m.sent_down])),
        ("   the same, value seen before, ms", "", median(lambda m: m.again, True)),
        ("b  empty rerun, wall in the server, ms", "<= 10", median(lambda m: m.rerun)),
        ("   empty rerun, CPU of the whole server, ms", "", median(lambda m: m.rerun_cpu)),
        ("c  key press to painted frame, ms", "<= 50", median(lambda m: m.step)),
        ("   key press to drawn by Plotly, ms", "", median(lambda m: m.drawn)),
        (
            "d  copies of each chart after 10 fast keys",
            "1",
            lambda m: f"{m.copies} of {m.charts}" if m.charts else "-",
        ),
        (
            "e  bytes sent to the server in 2 s of playing",
            "0",
            lambda m: "-" if m.upstream is None else str(m.upstream),
        ),
    )
    print(f"medians of {RUNS} slider releases, {RERUNS} reruns, {STEPS - 3} steps; one BLAS thread; 1366x768")
    print(f"{'':47}{'target':>8}" + "".join(f"{name:>16}" for name in found))
    for label, target, cell in rows:
        print(f"{label:47}{target:>8}" + "".join(f"{cell(m):>16}" for m in found.values()))


if __name__ == "__main__":
    main()
