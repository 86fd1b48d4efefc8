"""How soon a lesson stands on the screen, measured in a real browser: `python -m benchmarks.opening`.

Opens every lesson with a film in a browser without a cache, then walks through them by the link at their end. A time
is from the end of the HTML's arrival, or from the click; a shift is the browser's own measure of what moved after the
chart was there. Beside them stands a page of Streamlit with one chart and nothing else: what no lesson can be below.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks import drive
from lessons import LESSONS

TIMES = 3
ALONE = "(one chart alone)"
BARE = """import streamlit as st

st.plotly_chart({"data": [{"x": [0, 1], "y": [0, 1], "type": "scatter"}]}, key="main")
"""
# Notes when the place of the stage was first held and when a chart of another film than before was first drawn.
WATCH = """
window.watch = old => {
  window.found = { old, held: null, drawn: null, shift: 0 };
  const look = () => {
    const shown = css => [...document.querySelectorAll(css)].find(e => e.offsetHeight);
    const chart = shown('.st-key-main .js-plotly-plot');
    const drawn = chart?.querySelector('.trace path, .heatmaplayer image') && chart.layout?.meta !== old;
    if (found.held === null && (drawn || shown('[class*=st-key-stage_] .skeleton'))) found.held = performance.now();
    if (!drawn) return requestAnimationFrame(look);
    found.drawn = performance.now(); };
  look(); };
new PerformanceObserver(list => { for (const e of list.getEntries())
  if (window.found?.drawn && e.startTime > found.drawn && !e.hadRecentInput) found.shift += e.value;
}).observe({ type: 'layout-shift', buffered: true });
window.watch(null);
"""
CLICKED = """
() => {
  const chart = [...document.querySelectorAll('.st-key-main .js-plotly-plot')].find(e => e.offsetHeight);
  window.addEventListener('click', event => { window.clicked = event.timeStamp; window.watch(chart?.layout?.meta); },
                          { once: true, capture: true });
}
"""
Found = tuple[float, float, float]  # ms to a held place, ms to the chart, shift afterwards


def wait(page: Page, since: str) -> Found:
    """Return what was noted of a page, once its chart is drawn and has stood for half a second."""
    page.wait_for_function("() => window.found?.drawn", timeout=60_000)
    page.wait_for_timeout(500)
    return tuple(
        page.evaluate(f"() => {{ const s = {since}; return [found.held - s, found.drawn - s, found.shift]; }}")
    )


def cold(browser: Browser, address: str) -> Found:
    """Open an address in a browser that has seen nothing."""
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(address)
    found = wait(page, "performance.getEntriesByType('navigation')[0].responseEnd")
    context.close()
    return found


def walk(browser: Browser, address: str, files: list[str]) -> dict[str, Found]:
    """Go from the first of these pages to the others by the link at the end of each."""
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.add_init_script(WATCH)
    page.goto(f"{address}/{files[0]}")
    wait(page, "0")
    found = {}
    for name in files[1:]:
        link = page.locator(f"[data-testid=stPageLink] a[href$='/{name}'], [data-testid=stPageLink] a[href='{name}']")
        link.last.scroll_into_view_if_needed()
        page.evaluate(CLICKED)
        link.last.click()
        found[name] = wait(page, "window.clicked")
    page.close()
    return found


def main() -> None:
    files = [Path(lesson.file).stem.split("_", 1)[1] for lesson in LESSONS[1:] if lesson.scene]
    opened: dict[str, list[Found]] = {name: [] for name in files}
    changed: dict[str, list[Found]] = {name: [] for name in files}
    with tempfile.TemporaryDirectory() as place, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=drive.chromium_path(), args=list(drive.FLAGS))
        with drive.server(["-m", "streamlit", "run", "app.py"], Path(place) / "app.log") as address:
            for name in files:  # the server's first run of a page reads its modules: a class pays that once
                cold(browser, f"{address}/{name}")
            script = Path(place) / "bare.py"
            script.write_text(BARE, encoding="utf-8")
            with drive.server(["-m", "streamlit", "run", str(script)], Path(place) / "bare.log") as bare:
                cold(browser, bare)
                opened[ALONE] = [cold(browser, bare) for _ in range(TIMES)]
            for _ in range(TIMES):
                for name in files:
                    opened[name].append(cold(browser, f"{address}/{name}"))
                for name, found in walk(browser, address, files).items():
                    changed[name].append(found)
        browser.close()
    print(f"medians of {TIMES}; ms to the held place of the stage, ms to its chart, shift afterwards; 1366x768")
    print(f"{'':26}{'browser without a cache':>28}{'click on the link':>28}")
    for name in (ALONE, *files):
        both = [rows for rows in (opened[name], changed.get(name)) if rows]
        cells = [tuple(map(statistics.median, zip(*rows, strict=True))) for rows in both]
        print(f"{name:26}" + "".join(f"{held:9.0f}{drawn:9.0f}{shift:10.4f}" for held, drawn, shift in cells))


if __name__ == "__main__":
    main()
