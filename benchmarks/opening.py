"""How soon a lesson stands on the screen, measured in a real browser: `python -m benchmarks.opening [--quick]`.

Opens every lesson with a film in a browser without a cache, and from there the next one by the link at its end. A time
is from the end of the HTML's arrival, or from the click; a shift is the browser's own measure of what moved after the
chart was there. Beside them stands a page of Streamlit with one chart and nothing else: what no lesson can be below.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks import drive
from benchmarks.rows import Row, asked_quick, show
from lessons import LESSONS

TIMES = 3  # of each page; once in the quick form
WIDTHS = (26, 26, 26)
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
    const chart = window.lab?.charts.get('main');
    const drawn = chart
      ? (chart.picture.stands || chart.drawn) && chart.root.offsetHeight && chart.figure !== old
      : !window.lab && shown('.st-key-main .js-plotly-plot')?.querySelector('.trace path');
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
  window.addEventListener('click', event => {
    window.clicked = event.timeStamp;
    window.watch(lab.charts.get('main').figure);
  }, { once: true, capture: true });
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


def cold(browser: Browser, address: str, following: str = "") -> tuple[Found, Found | None]:
    """Open an address in a browser that has seen nothing, and from there the page of this name by its link, if any."""
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(address)
    found = wait(page, "performance.getEntriesByType('navigation')[0].responseEnd")
    clicked = click(page, following) if following else None
    context.close()
    return found, clicked


def click(page: Page, name: str) -> Found:
    """Go to a page by the link at the end of the one before it."""
    link = page.locator(f"[data-testid=stPageLink] a[href$='/{name}'], [data-testid=stPageLink] a[href='{name}']")
    link.last.scroll_into_view_if_needed()
    page.evaluate(CLICKED)
    link.last.click()
    return wait(page, "window.clicked")


def medians(found: Sequence[Found]) -> str:
    """Return the medians of the three numbers; "-" of none."""
    if not found:
        return "-"
    held, drawn, shift = map(statistics.median, zip(*found, strict=True))
    return f"{held:8.0f}{drawn:8.0f}{shift:9.4f}"


def rows(times: int) -> Iterator[Row]:
    """The table: ms to the held place of the stage, ms to its chart, shift afterwards; a row a page."""
    yield "page", "browser without a cache", "click on the link"
    files = [Path(lesson.file).stem for lesson in LESSONS[1:] if lesson.scene]
    with tempfile.TemporaryDirectory() as place, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=drive.chromium_path(), args=list(drive.FLAGS))
        script = Path(place) / "bare.py"
        script.write_text(BARE, encoding="utf-8")
        with drive.server(["-m", "streamlit", "run", str(script)], Path(place) / "bare.log") as bare:
            cold(browser, bare)  # the server's first run of a page reads its modules: a class pays that once
            yield ALONE, medians([cold(browser, bare)[0] for _ in range(times)]), "-"
        with drive.server(["-m", "streamlit", "run", "app.py"], Path(place) / "app.log") as address:
            clicked: list[Found] = []  # on the link to this page
            cold(browser, f"{address}/{files[0]}")
            for name, following in zip(files, [*files[1:], ""], strict=True):
                if following and times > 1:
                    cold(browser, f"{address}/{following}")
                found = [cold(browser, f"{address}/{name}", following) for _ in range(times)]
                yield name, medians([one for one, _ in found]), medians(clicked)
                clicked = [one for _, one in found if one]
        browser.close()


if __name__ == "__main__":
    times = 1 if asked_quick(__doc__) else TIMES
    print(f"medians of {times}: ms to the held place of the stage, ms to its chart, shift afterwards", flush=True)
    show(rows(times), WIDTHS)
