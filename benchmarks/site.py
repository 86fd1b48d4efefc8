"""The site's page beside the lab's and a one-line page: a table of `python -m benchmarks.browser --only site`."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from benchmarks import drive
from benchmarks.processes import commands
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
PATIENCE, SETTLES = 120_000, 400  # milliseconds


@contextmanager
def served(python: Path, place: Path) -> Iterator[str]:
    """Yield the address of a site of these lessons as they open, with Pyodide beside the pages."""
    shown = [replace(one, moments=(one.opening,), bet=None) for one in LESSONS if one.key in PAGES]
    runs = Runs(workers=2)
    build.build(place, shown, runs, python=python)
    runs.close()
    with drive.files_of(place) as found:
        yield found


def woken(tab: Tab, key: str) -> float:
    """Return the seconds from a touch to a Python that answers."""
    tab.page.wait_for_function(STANDS, timeout=PATIENCE)
    start = time.perf_counter()
    tab.page.locator(f"#knob-{key}").focus()
    tab.page.wait_for_function(AWAKE, timeout=PATIENCE)
    return time.perf_counter() - start


def pictures(tab: Tab, key: str, size: Size) -> float:
    """Return the different pictures a second while the slider is dragged there and back."""
    took = tab.sweep(key, size)
    many = len(tab.noted()["pictures"])
    tab.page.mouse.up()
    tab.page.wait_for_timeout(SETTLES)
    return many / took


def memory() -> float:
    """Return the megabytes of the largest tab of any browser that this process has started."""
    found = [0]
    for process, command in commands().items():
        with suppress(psutil.NoSuchProcess):
            if "--type=renderer" in command:
                found.append(process.memory_info().rss)
    return max(found) / 1e6


def site(make: Callable[[str], Tab], bare: str, lab: str, plain: str, size: Size) -> Iterator[Row]:
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
        for i in range(1, size.releases + 1):  # never first where the slider stands: no other film would come
            share = 0.013 + 0.984 * (7 * i % size.releases) / size.releases
            for one, tab in tabs.items():
                tab.page.bring_to_front()
                took[one].append(tab.let_go(LINE if one == "line" else key, share))
                tab.page.wait_for_timeout(SETTLES)
        shown = []
        for one in ("lab", "site"):
            tabs[one].page.bring_to_front()
            shown.append(f"{pictures(tabs[one], key, size):.0f}")
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
