"""A site without a server, over HTTP, from a disk and in a sandbox; lab and site in a frame of somebody's slides."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Frame, Page

import tv_lab
from benchmarks import drive
from lessons import BY_KEY, LESSONS
from lessons.record import Lesson
from shell.runs.runs import Runs
from shell.static import build as building
from shell.static.view import OPENING, views
from tests.browser import boxes
from tests.browser.conftest import PATIENCE, leave_network, new_tab, sampled
from tests.browser.screen import Screen
from tests.engine import pyodide

pytestmark = pytest.mark.browser
SMALL = next(replace(one, moments=one.moments[:2], leads=("shuffle",)) for one in LESSONS if one.key == "rperp")
NUMBER = 0  # of the lesson in its site


SIZES = ((1280, 720), (900, 506), (640, 360))  # of a frame
SHOWN = ("", "Confidence_bands")
DECK = """<!doctype html><title>deck</title><body style="margin: 0"><button id="own" autofocus>slide</button>
<iframe src="{src}" width="{width}" height="{height}" style="border: 0; display: block"></iframe>
<script>
  window.heard = [];
  window.addEventListener("message", (e) => heard.push(e.data));
  window.tell = (said) => document.querySelector("iframe").contentWindow.postMessage(said, "*");
  window.all = (what) => heard.filter((one) => one.tvbo === what);
</script>"""
SCROLLS = """() => [document.scrollingElement, ...document.querySelectorAll('.stMain, .stMainBlockContainer')]
  .filter((el) => el.scrollHeight > el.clientHeight + 1 || el.scrollWidth > el.clientWidth + 1)
  .map((el) => el.className)"""
AROUND = ".st-key-not_embedded:visible, .st-key-menu, .st-key-moments, [data-testid=stHeader] button:visible"
STEADY = "() => window.lab?.now && lab.embed?.greeted && lab.charts.size && tab.steady()"


def built(out: Path, lessons: list[Lesson]) -> Path:
    """Return a folder into which these lessons were written, with Pyodide beside them."""
    runs = Runs(workers=2)
    assert building.build(out, lessons, runs, python=pyodide.folder(out.parent / "pyodide")) == []
    runs.close()
    return out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("site") / "lab", [SMALL])


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[str]:
    with drive.files_of(folder) as found:
        yield found


@pytest.fixture
def visitor(browser: Browser, host: str) -> Iterator[Screen]:
    context = browser.new_context(viewport={"width": 1366, "height": 768}, color_scheme="light")
    context.set_default_timeout(PATIENCE)
    yield Screen(context.new_page(), host)
    context.close()


def shows(screen: Screen, key: str, look: str = "light") -> Screen:
    """Wait until the film of a view stands on the stage."""
    name = f"{views(SMALL, NUMBER)[key].file}.{look}"
    return screen.until("name => document.documentElement.dataset.ready === name", name)


def test_visitor_reads_on_without_network(visitor: Screen) -> None:
    screen = visitor
    screen.page.goto(f"{screen.address}/rperp.html")
    shows(screen, OPENING)
    said = screen.page.locator("#finding").inner_text()
    assert said and screen.page.locator(".gone").inner_text() == ""
    last = screen.frame
    screen.press("PageUp")
    screen.until("t => lab.now.t === t", last - 1)
    screen.press("2")
    shows(screen, SMALL.moments[1].key)
    assert f"moment={SMALL.moments[1].key}" in screen.page.url
    screen.page.go_back()
    shows(screen, OPENING)
    screen.page.locator("#look").click()
    shows(screen, OPENING, "dark")
    screen.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    screen.page.reload()  # from here on the worker keeps what comes
    shows(screen, OPENING, "dark")
    assert screen.errors == []
    leave_network(screen.page)
    screen.page.reload()
    shows(screen, OPENING, "dark")
    screen.press("2")  # in the dark it was never opened
    screen.until("() => document.querySelector('.gone').textContent.includes('the network is away')")
    assert screen.page.locator("#finding").inner_text()
    screen.page.locator("#export-drawer summary").click()
    screen.page.locator("#exports button[data-as=svg]").first.wait_for()
    screen.page.locator("#sheet").click()
    screen.page.locator("dialog textarea").wait_for()
    screen.page.goto(f"{screen.address}/")
    assert screen.page.locator("a[href*=rperp]").count()
    screen.page.goto(f"{screen.address}/twenty/")
    screen.page.wait_for_url("**/twenty.html?course=twenty")


@pytest.mark.parametrize("size", sampled([(390, 844), (844, 390), (1280, 720)], (390, 844)))
def test_page_opens_and_plays_from_a_disk(browser: Browser, folder: Path, size: tuple[int, int]) -> None:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme="dark")
    screen = Screen(page, folder.as_uri())
    screen.page.goto(f"{folder.as_uri()}/rperp.html")
    shows(screen, OPENING, "dark")
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    player = page.locator(".player").bounding_box()
    assert player["y"] + player["height"] <= size[1]
    assert "from a disk" in page.locator("#engine").inner_text()
    assert page.locator("#knobs :is(input, select):enabled").count() == 0
    page.locator("#export-drawer summary").click()
    page.locator("#exports button[data-as=svg]").first.wait_for()
    with page.expect_download() as saved:
        page.locator("#exports button[data-as=svg]").first.click()
    assert saved.value.suggested_filename.startswith("lesson-rperp-main") and screen.errors == []
    page.close()


@pytest.fixture
def sandbox(visitor: Screen, host: str) -> Iterator[Callable[[str], Frame]]:
    """Opens a page of the site in a frame that may run scripts, and nothing else."""

    def show(name: str) -> Frame:
        page = f'<!doctype html><iframe sandbox="allow-scripts" width="1280" height="700" src="{host}/{name}"></iframe>'
        visitor.page.route(f"{host}/deck", lambda route: route.fulfill(body=page, content_type="text/html"))
        visitor.page.goto(f"{host}/deck")
        return visitor.page.frames[1]

    yield show
    assert visitor.errors == []


def test_site_runs_in_a_sandbox(sandbox: Callable[[str], Frame], visitor: Screen) -> None:
    frame = sandbox("rperp.html?embed=false&amp;utm_source=x#theme=light&amp;t=3 ")
    frame.wait_for_function("() => document.documentElement.dataset.ready && lab.now")
    assert frame.evaluate("() => [window.origin, lab.player.time]") == ["null", 3]
    assert "sandbox" in frame.locator("#engine").inner_text()
    frame.locator(".player [data-do=play]").click()
    frame.wait_for_function("() => lab.player.clock.runs || lab.player.t === lab.player.last")
    frame.locator(".st-key-bet_open button").click()
    frame.locator(".st-key-bet_pick button").first.click()
    frame.locator(".st-key-bet_reveal button").click()
    frame.wait_for_function("() => document.querySelector('.truth')?.textContent.startsWith('You bet on')")
    frame.locator("#look").click()
    frame.wait_for_function("() => document.documentElement.dataset.ready.endsWith('dark')")


# ---------------------------------------------------------------- in a frame of a page on another origin


class Deck(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        asked = {key: said[0] for key, said in parse_qs(urlsplit(self.path).query).items()}
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        sandbox = f'<iframe sandbox="{asked["sandbox"]}"' if "sandbox" in asked else "<iframe"
        self.wfile.write(DECK.format(**asked).replace("<iframe", sandbox).encode() if asked else b"")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def deck() -> Iterator[str]:
    """A page on another origin."""
    with ThreadingHTTPServer((drive.HOST, 0), Deck) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{drive.HOST}:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def lab(deck: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that lets the deck show it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FRAME_ANCESTORS", f"'self' {deck}")
        with drive.server(
            ["-m", "streamlit", "run", "app.py"], tmp_path_factory.mktemp("embed") / "server.log"
        ) as found:
            yield found


@pytest.fixture
def framed(browser: Browser, deck: str, lab: str) -> Iterator[Callable[..., tuple[Page, Frame]]]:
    """Opens a page of the lab, or another one, in a frame of the deck."""
    screen = new_tab(browser, deck)

    def show(page: str, size: tuple[int, int] = SIZES[1], steady: str = STEADY) -> tuple[Page, Frame]:
        source = page if "://" in page else f"{lab}/{page}{'%26' if '?' in page else '?'}embed=true"
        screen.page.set_viewport_size({"width": size[0] + 20, "height": size[1] + 60})
        screen.page.goto(f"{deck}/?src={source}&width={size[0]}&height={size[1]}")
        frame = screen.page.frames[1]
        frame.wait_for_function(steady, polling=40)
        return screen.page, frame

    yield show
    assert [one for one in screen.errors if "frame-ancestors" not in one] == []
    screen.page.context.close()


def stand(page: Page, frame: Frame, size: tuple[int, int], *parts: str) -> None:
    """Assert that these parts stand whole in the frame and nothing scrolls."""
    here = page.locator("iframe").bounding_box()
    for part in parts:
        box = frame.locator(part).first.bounding_box()
        assert box is not None and box["height"] > 10, part
        assert box["x"] >= 0 and box["x"] + box["width"] <= size[0] + 1, (part, box)
        assert box["y"] >= here["y"] - 1 and box["y"] + box["height"] <= here["y"] + size[1], (part, box)
    assert frame.evaluate(SCROLLS) == []


def test_frame_without_the_lab_says_so(browser: Browser, deck: str, lab: str, address: str) -> None:
    page = browser.new_page()
    for sandbox, server, said in (
        ("allow-scripts", lab, f"The lab cannot run in this frame, open it in a tab of its own: {lab}/The_race?v=4"),
        ("allow-scripts allow-same-origin", address, "This server does not let the page around this frame show"),
    ):
        source = f"{server}/The_race%3Fv=4%26embed=true"
        page.goto(f"{deck}/?src={source}&width=900&height=506&sandbox={sandbox}")
        frame = page.frames[1]
        frame.get_by_text(said).wait_for(timeout=20_000)
        link = frame.locator("a")
        assert link.count() == 1 and link.get_attribute("target") == "_blank"
        assert link.evaluate("el => el.href").startswith(f"{server}/The_race?v=4")
    page.close()


@pytest.mark.parametrize("size", sampled(SIZES, (640, 360)), ids=str)
def test_stage_stands_whole_in_a_frame(framed: Callable[..., tuple[Page, Frame]], size: tuple[int, int]) -> None:
    for path in SHOWN:
        page, frame = framed(path, size)
        stand(page, frame, size, "h1", ".st-key-finding_spot .live", ".st-key-stage_desk, .stage", ".player, .bar")
        assert not path or boxes.of_figures(SimpleNamespace(page=frame)) == [], path
        assert frame.locator(AROUND).count() == 0


@pytest.mark.parametrize("lecture", sampled(["false", "true"], "true"))  # a pack opens in lecture type
def test_plain_files_stand_whole_in_a_frame(framed: Callable[..., tuple[Page, Frame]], host: str, lecture: str) -> None:
    for size in SIZES:
        ready = "() => document.documentElement.dataset.ready && lab.charts.get('main')?.drawn"
        page, frame = framed(f"{host}/rperp.html%3Fembed=true%23lecture={lecture}", size, ready)
        stand(page, frame, size, "h1", ".live", ".stage .chart", ".player")
        assert frame.locator(".stage .chart").bounding_box()["height"] >= 0.5 * size[1]


@pytest.mark.parametrize("key", sampled([one.key for one in LESSONS if one.bet], "forgetting"))
def test_bet_stands_whole_in_a_frame(framed: Callable[..., tuple[Page, Frame]], key: str) -> None:
    bet, path = BY_KEY[key].bet, "" if key == LESSONS[0].key else Path(BY_KEY[key].file).stem
    guess = ".".join(bet.options) if bet.ranks else next(iter(bet.options))
    for link, *more in (
        ("guess=open", ".st-key-bet_pick button >> nth=-1", ".st-key-bet_reveal button"),
        (f"guess={guess}%26reveal=true", ".st-key-bet_chart", ".st-key-bet_truth p", ".st-key-bet_leave button"),
    ):
        page, frame = framed(f"{path}?{link}", SIZES[-1])
        stand(page, frame, SIZES[-1], "h1", ".st-key-stage_desk", ".player", *more)


def test_deck_steps_and_hears_what_happens(framed: Callable[..., tuple[Page, Frame]]) -> None:
    lesson, moment = BY_KEY["bands"], BY_KEY["bands"].moments[1]
    page, frame = framed("Confidence_bands")
    (ready,) = page.evaluate("() => all('ready')")
    assert ready == {"tvbo": "ready", "lesson": "bands", "t": lesson.t, "moments": [one.key for one in lesson.moments]}

    def at(t: int) -> None:
        page.wait_for_function("t => all('time').at(-1)?.t === t", arg=t)
        frame.wait_for_function("t => lab.player.time === t", arg=t)

    page.evaluate("() => tell({ tvbo: 'step', by: -3 })")
    at(lesson.t - 3)
    frame.evaluate("() => window.postMessage({ tvbo: 'step' }, '*')")  # not from the page around it
    page.evaluate("() => tell({ tvbo: 'reveal' })")  # nothing that it knows
    page.wait_for_timeout(300)
    at(lesson.t - 3)
    page.evaluate("() => tell({ tvbo: 'time', t: 9999 })")
    page.wait_for_function("() => all('end').length === 1")
    page.evaluate("key => tell({ tvbo: 'moment', key })", moment.key)
    at(moment.t)
    frame.wait_for_function(STEADY, polling=40)
    words = urlsplit(frame.evaluate("() => location.href")).query.split("&")
    assert {"embed=true", f"moment={moment.key}"} <= set(words)
    events = frame.evaluate("() => lab.player.film.events")
    frame.locator(".live").click()
    page.keyboard.press("Home")
    frame.wait_for_function("() => lab.player.t === 0")
    for place in events[:2]:  # a clicker steps from one to the next
        page.keyboard.press("PageDown")
        frame.wait_for_function("t => lab.player.t === t", arg=place)
    assert page.evaluate("() => all('ready').length") == 1


def test_notebook_frame_survives_lost_line_breaks(browser: Browser, tmp_path: Path) -> None:
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><body>{' '.join(tv_lab.show('bands', 'missed')._repr_html_().split())}")
    errors: list[str] = []
    page = browser.new_page()
    page.on("pageerror", lambda problem: errors.append(str(problem)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.goto(notebook.as_uri())
    frame = page.frames[1]
    frame.wait_for_function("() => document.documentElement.dataset.ready && lab.charts.get('main')?.picture.drawn")
    frame.locator(".player [data-do=next]").click()
    frame.wait_for_function("() => lab.player.time === 71")
    inked = (
        "c => { const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height); return data.some(Boolean); }"
    )
    assert frame.locator(".chart canvas").evaluate_all(f"all => all.map({inked})") == [True] * 3
    assert errors == []
    page.close()
