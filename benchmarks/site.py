"""The site's page beside the lab's and a one-line page: a table of `python -m benchmarks.browser --only site`."""

from __future__ import annotations

import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from playwright.sync_api import Browser

from benchmarks.rows import Row
from lessons import LESSONS
from shell.runs.runs import Runs
from shell.static import build

if TYPE_CHECKING:
    from benchmarks.browser import Size, Tab

# Lesson -> its page in the lab, and the slider that is moved.
PAGES = {
    "bands": ("Confidence_bands", "V"),
    "drift": ("Drifting_rewards", "V"),
    "plane": ("A_hill_in_the_plane", "V"),
    "chase": ("", "drift"),
}
LINE = "V"  # slider of the one-line page
AWAKE = "() => document.documentElement.dataset.engine === 'ready'"
STANDS = "() => document.documentElement.dataset.ready && main()"
PATIENCE = 120_000  # milliseconds


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        pass


@contextmanager
def served(python: Path, place: Path) -> Iterator[str]:
    """Yield the address of a site of these lessons as they open, with Pyodide beside the pages."""
    shown = [replace(one, moments=(one.opening,), bet=None) for one in LESSONS if one.key in PAGES]
    runs = Runs(workers=2)
    build.build(place, shown, runs, python=python)
    runs.close()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(place)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def woken(tab: Tab, key: str) -> float:
    """Return the seconds from a touch to a Python that answers."""
    tab.page.wait_for_function(STANDS, timeout=PATIENCE)
    start = time.perf_counter()
    tab.page.locator(f"#knob-{key}").focus()
    tab.page.wait_for_function(AWAKE, timeout=PATIENCE)
    return time.perf_counter() - start


def release(tab: Tab, key: str, share: float) -> float:
    """Drag the slider to a share of its way; return ms from letting go to the painted film."""
    left, right, y = tab.hold(key)
    tab.page.evaluate("() => after('pointerup', main)")
    tab.page.mouse.move(left + share * (right - left), y, steps=4)
    tab.page.wait_for_timeout(120)
    tab.page.mouse.up()
    took = tab.page.evaluate("() => answer")
    tab.page.wait_for_timeout(400)
    return took


def pictures(tab: Tab, key: str, follow: str, size: Size) -> float:
    """Return the different pictures a second while the slider is dragged there and back."""
    tab.page.evaluate(follow, key)
    left, right, y = tab.hold(key)
    start = time.perf_counter()
    for i in range(size.moves):
        way = 2 * (i + 1) / size.moves
        tab.page.mouse.move(left + (right - left) * min(way, 2 - 0.98 * way), y)
        time.sleep(max(0.0, start + (i + 1) * size.seconds / size.moves - time.perf_counter()))
    took = time.perf_counter() - start
    tab.page.wait_for_timeout(300)
    log = tab.page.evaluate("() => { log.held = false; return log.pictures.filter(([at]) => at).length; }")
    tab.page.mouse.up()
    tab.page.wait_for_timeout(400)
    return log / took


def memory() -> float:
    """Return the megabytes of the largest tab of any browser that this process has started."""
    found = [0]
    for one in psutil.Process().children(recursive=True):
        try:
            if "--type=renderer" in one.cmdline():
                found.append(one.memory_info().rss)
        except psutil.Error:  # it has ended meanwhile
            continue
    return max(found) / 1e6


def site(
    browser: Browser, make: Callable[[str], Tab], follow: str, bare: str, lab: str, plain: str, size: Size
) -> Iterator[Row]:
    """The table of the site: ms from letting go, pages in turns; pictures a second of a drag, on the lab's page and the
    site's; what Python's waking costs, and what was aimed at."""
    heads = (
        "one line, ms",
        "lab, ms",
        "site, ms",
        "of lab",
        "lab, /s",
        "site, /s",
        "cold, s",
        "warm, s",
        "MB",
        "tab, MB",
    )
    yield "site", *heads
    yield "aim", *["-", "-", "-", "0.70x", "-", "15-40", "8", "4", "32", "450"]
    line = make(bare)
    for lesson, (name, key) in PAGES.items():
        tabs, came = {"line": line, "lab": make(f"{lab}/{name}"), "site": make(f"{plain}/{lesson}.html")}, []
        tabs["site"].page.context.on("requestfinished", lambda one, came=came: came.append(one))
        cold = woken(tabs["site"], key)
        megabytes = sum(one.sizes()["responseBodySize"] for one in came) / 1e6
        tabs["lab"].idle()
        took: dict[str, list[float]] = {one: [] for one in tabs}
        for i in range(size.releases):
            share = 0.013 + 0.984 * (7 * i % size.releases) / size.releases
            for one, tab in tabs.items():
                tab.page.bring_to_front()
                took[one].append(release(tab, LINE if one == "line" else key, share))
        shown = []
        for one in ("lab", "site"):
            tabs[one].page.bring_to_front()
            shown.append(f"{pictures(tabs[one], key, follow, size):.0f}")
        tabs["site"].page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        tabs["site"].page.reload()
        woken(tabs["site"], key)  # the service worker keeps what comes from here on
        tabs["site"].page.reload()
        warm, middle = woken(tabs["site"], key), {one: statistics.median(some) for one, some in took.items()}
        of_lab = f"{middle['site'] / middle['lab']:.2f}x"
        times = [f"{one:.0f}" for one in middle.values()]
        yield (
            lesson,
            *times,
            of_lab,
            *shown,
            f"{cold:.1f}",
            f"{warm:.1f}",
            f"{megabytes:.1f}",
            f"{memory():.0f}",
        )
        for one in ("lab", "site"):
            tabs[one].page.context.close()
