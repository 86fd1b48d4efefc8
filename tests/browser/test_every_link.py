"""Every page, opened by each kind of link and then used once: nothing fails, is missing or still waits."""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pandas as pd
import pytest

from lessons import LESSONS
from lessons.real_data.lesson import LESSON
from lessons.record import OPEN, Lesson
from shell.page import GLOSSARY
from tests.browser.conftest import DESK, sampled
from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
Way = Callable[[Screen, dict[str, object]], Screen]

QUIET = 500  # milliseconds without a run and without a change of the page, after which it has come to rest
REST = """quiet => {
  const said = document.querySelector('[data-testid=stMain]')?.innerText, now = performance.now();
  const rests = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning' && said
    && document.querySelector('h1') && !document.querySelector('[data-stale=true], [data-testid=stSkeleton]');
  if (!rests || said !== tab.said) { tab.said = said; tab.rests = now; }
  return rests && now - tab.rests > quiet; }"""
# Every text on screen, also that of components (in shadow trees) and of charts.
SAID = """() => { const texts = [];
  const walk = node => { for (const one of node.children ?? []) {
    if (['STYLE', 'SCRIPT'].includes(one.tagName)) continue;
    if (one.shadowRoot) walk(one.shadowRoot);
    for (const t of one.childNodes) if (t.nodeType === 3 && t.data.trim()) texts.push(t.data.trim());
    walk(one); } };
  walk(document.querySelector('[data-testid=stApp]')); return texts; }"""
BROKEN = re.compile(r"\b(NaN|nan|undefined)\b|\[object |Traceback")
# The sentence of a page; or one that says why there is nothing; or the answers of an open bet; or the sentence of
# the revealed one.
TELLS = ".st-key-finding_spot .live, [data-testid=stAlert], .st-key-bet_pick, .st-key-bet_shown p"
DRAWERS = ("what", "the", "export", "link")
OWN_ROUNDS = 80


@pytest.fixture
def screen(rack: list[Screen]) -> Iterator[Screen]:
    """A tab that has opened nothing yet: not every page of these tests has a chart to wait for."""
    found = rack[0]
    found.page.set_viewport_size(DESK)
    found.page.emulate_media(reduced_motion="null", color_scheme="null")
    found.forget()
    yield found
    found.page.goto("about:blank")
    found.forget()


def path(page: str) -> str:
    """The address of a page below the app's."""
    return "" if page == LESSONS[0].file else re.sub(r"^\d+_", "", Path(page).stem)


def links(lesson: Lesson) -> dict[str, dict[str, object]]:
    """Kind of a link into a lesson -> its parameters."""
    found: dict[str, dict[str, object]] = {
        "moment": {"moment": lesson.moments[-1].key},
        "wrong values": dict.fromkeys(lesson.knobs, "nonsense") | {"banana": 1, "moment": 77, "t": -1},
        "beyond the end": {"t": 9999},
        "first version": {"v": 1},
        "later version": {"v": 999},
        "without controls": {"hide": "controls.more"},
        "without frame": {"hide": "drawers.menu.moments.bet"},
        "lecture type": {"lecture": "true", "moment": lesson.moments[0].key},
    }
    if lesson.bet is not None:
        placed = ".".join(lesson.bet.options) if lesson.bet.ranks else next(iter(lesson.bet.options))
        found |= {"open bet": {"guess": OPEN}, "revealed bet": {"guess": placed, "reveal": "true"}}
    return found


def every_link() -> Iterator[object]:
    """Lesson and kind of link, every pair; CI takes each lesson once, by another kind than the lesson before it."""
    for number, lesson in enumerate(LESSONS):
        kinds = list(links(lesson))
        for at, kind in enumerate(kinds):
            wide = () if at == number % len(kinds) else pytest.mark.wide
            yield pytest.param(lesson, kind, id=f"{lesson.key}-{kind}", marks=wide)


def rest(screen: Screen) -> Screen:
    """Wait until no script runs, nothing is stale or being fetched, and the words of the page have stood a while."""
    return screen.until("() => !!window.lab && (tab.said = null, true)").until(REST, QUIET)


def arrive(screen: Screen, page: str, **link: object) -> Screen:
    """Go to a page that may have no chart."""
    screen.page.goto(f"{screen.address}/{path(page)}?{urlencode(link)}")
    return rest(screen)


def wrong(screen: Screen, *, drawers: bool = True) -> list[str]:
    """What no reader may meet on a page at rest."""
    page = screen.page
    found = [f"exception: {box.inner_text()[:300]}" for box in page.get_by_test_id("stException").all()]
    found += [f"says {said[:100]!r}" for said in page.evaluate(SAID) if BROKEN.search(said)]
    if not any(one.inner_text().strip() for one in page.locator(TELLS).locator("visible=true").all()):
        found.append("no sentence says what is shown, or why nothing is")
    skeletons = page.locator(".skeleton").locator("visible=true").count()
    found += [f"{skeletons} skeletons are left"] if skeletons else []
    shown = [key for key in DRAWERS if page.locator(f".st-key-drawer_{key}").locator("visible=true").count() == 1]
    found += [f"the drawers are {shown}"] if shown != list(DRAWERS if drawers else ()) else []
    return found + [f"console: {error}" for error in screen.errors]


def use(screen: Screen) -> Screen:
    """Answer a covered bet and reveal it, or move the first slider; where there is neither, step the time."""
    answer = screen.page.locator(".st-key-bet_pick button").locator("visible=true")
    sliders = ":is(.st-key-controls, .st-key-lecture_controls) input[type=range]"
    if answer.count():
        answer.last.click()
        rest(screen.hold(200)).page.locator(".st-key-bet_reveal button").click()
    elif screen.page.locator(sliders).count():
        screen.page.locator(sliders).first.press("ArrowRight")
    else:
        screen.press("PageUp")
    return rest(screen.hold(200))


@pytest.mark.parametrize(("lesson", "kind"), list(every_link()))
def test_a_page_by_a_link_stands_whole_before_and_after_it_is_used(screen: Screen, lesson: Lesson, kind: str) -> None:
    drawers = kind not in ("without frame", "open bet", "revealed bet")  # a bet has a page without them
    arrive(screen, lesson.file, **links(lesson)[kind])
    opened = wrong(screen, drawers=drawers)
    assert (opened, wrong(use(screen), drawers=drawers)) == ([], [])


NONSENSE = {"v": 999, "symbols": "nobody", "t": 9999, "banana": 1}


@pytest.mark.parametrize("link", sampled([{}, {"v": 1}, NONSENSE], NONSENSE))
def test_the_glossary_stands_whole_by_a_link(screen: Screen, link: dict[str, object]) -> None:
    arrive(screen, GLOSSARY, **link)
    assert [fault for fault in wrong(screen, drawers=False) if not fault.startswith("no sentence")] == []
    assert screen.page.get_by_role("heading", name="What do the words mean?").is_visible()


# --- a table of the reader's own


def table(kind: str) -> dict[str, object]:
    """A file with three arms that cross, as a browser's file box takes it."""
    times = np.arange(OWN_ROUNDS)
    arms = {
        f"arm {i}": np.round(np.sin(0.05 * times + 2 * i) + 0.1 * np.cos(0.9 * times * (i + 1)), 4) for i in range(3)
    }
    frame, file = pd.DataFrame({"day": times} | arms), io.BytesIO()
    if kind == "csv":
        frame.to_csv(file, index=False)
    elif kind == "xlsx":
        frame.to_excel(file, index=False)
    else:
        frame.to_parquet(file)
    return {"name": f"mine.{kind}", "mimeType": "application/octet-stream", "buffer": file.getvalue()}


def load(screen: Screen, file: dict[str, object]) -> Screen:
    """Give the page a file, and wait until it has looked at it."""
    screen.page.locator(".st-key-upload input[type=file]").set_input_files(file)
    screen.page.locator(".st-key-upload").get_by_text(str(file["name"])).wait_for()
    return rest(screen.hold(300))


def race(screen: Screen, file: dict[str, object]) -> Screen:
    """Wait for the race, which begins by itself where all checks are green; a workbook asks which sheet is meant."""
    run = screen.page.locator(".st-key-own_run button")
    assert run.count() == str(file["name"]).endswith("xlsx")
    if run.count():
        run.click()
    screen.page.locator(".st-key-main .js-plotly-plot").wait_for()
    screen.page.evaluate("() => document.activeElement.blur()")  # a field keeps its keys
    return screen.settle()


def by_link(screen: Screen, file: dict[str, object]) -> Screen:
    return race(load(arrive(screen, LESSON.file, table="own"), file), file)


def by_choice(screen: Screen, file: dict[str, object]) -> Screen:
    arrive(screen, LESSON.file)
    screen.page.locator(".st-key-table input").click()
    screen.page.get_by_role("option", name="Your own table").click()
    screen.page.locator(".st-key-upload").wait_for()
    return race(load(rest(screen), file), file)


def by_f5(screen: Screen, file: dict[str, object]) -> Screen:
    """The file is gone with the page that was loaded again; its address tells which one it was, so it races at once."""
    by_choice(screen, file)
    screen.page.reload()
    screen.page.locator(".st-key-upload").wait_for()
    assert wrong(rest(screen)) == []
    load(screen, file)
    screen.page.locator(".st-key-main .js-plotly-plot").wait_for()
    return screen.settle()


def own_tables() -> Iterator[object]:
    """Every way to an own table with every kind of file; CI takes the first of each."""
    ways, files = (by_link, by_f5, by_choice), ("csv", "xlsx", "parquet")
    for (i, way), (j, file) in itertools.product(enumerate(ways), enumerate(files)):
        yield pytest.param(way, file, id=f"{way.__name__}-{file}", marks=() if i == j == 0 else pytest.mark.wide)


@pytest.mark.parametrize(("way", "kind"), list(own_tables()))
def test_a_table_of_the_readers_own_races_and_can_be_used(screen: Screen, way: Way, kind: str) -> None:
    way(screen, table(kind))
    assert wrong(screen) == []
    assert screen.page.locator(".st-key-table_data").is_visible()
    before = screen.finding
    screen.redraw(lambda: screen.press("Home"))
    assert screen.finding != before and wrong(screen) == []


def first_screen(screen: Screen) -> None:
    """Assert that both ways to load a table stand on the screen before anybody scrolls, below nothing that is empty."""
    for key in ("upload", "paste"):
        box = screen.page.locator(f".st-key-{key}").bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= DESK["height"], key


@pytest.mark.parametrize("link", sampled([{}, {"file": "0123456789ab"}], {}), ids=["no file", "another file"])
def test_without_a_file_the_form_stands_on_the_first_screen(screen: Screen, link: dict[str, object]) -> None:
    arrive(screen, LESSON.file, table="own", **link)
    assert wrong(screen) == []
    first_screen(screen)


def test_a_bad_file_is_one_sentence_above_a_form_that_stays_on_the_first_screen(screen: Screen) -> None:
    arrive(screen, LESSON.file, table="own")
    load(screen, {"name": "letter.csv", "mimeType": "text/csv", "buffer": b"<html>Dear reader</html>"})
    assert wrong(screen) == []
    first_screen(screen)
    said = screen.page.get_by_test_id("stAlert").filter(has_text="web page")
    assert said.count() == 1 and 0 <= said.bounding_box()["y"] < DESK["height"]
    file = table("csv")
    assert wrong(race(load(screen, file), file)) == []


def test_a_race_that_is_left_for_another_file_gives_its_place_to_the_form(screen: Screen) -> None:
    by_link(screen, table("csv"))
    screen.page.get_by_role("button", name="Change the table").click()
    screen.page.locator(".st-key-upload").wait_for()
    assert wrong(rest(screen)) == []
    screen.page.get_by_role("heading", level=1).scroll_into_view_if_needed()  # the button may stand below the screen
    first_screen(screen)
