"""A lesson's stage in a frame of a page on another origin: what is seen of it, what it hears and says, whose keys."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Frame, Page

from benchmarks import drive
from lessons import BY_KEY, LESSONS
from shell.site.films import ASKED, TOLD
from tests.browser import boxes
from tests.browser.conftest import new_tab, sampled
from tests.browser.test_site_in_browser import SMALL, Quiet, built

pytestmark = pytest.mark.browser

SIZES = ((1280, 720), (900, 506), (640, 360))
SHOWN = ("", "Drifting_rewards", "Confidence_bands", "R_PERP", "The_race", "Side_queries")
PARTS = ("h1", ".st-key-finding_spot .live", ".st-key-stage_desk, .stage", ".player, .bar")
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
SITE_SCROLLS = """() => [...document.querySelectorAll("html, body, body *:not(.plot-container *)")]
  .filter((el) => el.scrollHeight > el.clientHeight + 1 || el.scrollWidth > el.clientWidth + 1)
  .filter((el) => el.tagName === "HTML" || /auto|scroll/.test(getComputedStyle(el).overflow))
  .map((el) => el.id || el.className || el.tagName)"""
UNSEEN_LINES = """() => [...document.querySelectorAll(".main-svg tspan")]
  .filter((el) => getComputedStyle(el).display === "none").map((el) => el.textContent)"""
AROUND = ".st-key-not_embedded:visible, .st-key-menu, .st-key-moments, [data-testid=stHeader] button:visible"
STEADY = "() => window.lab?.now && lab.embed?.greeted && (lab.charts.size ? tab.steady() : lab.timeline?.drawn > 0)"


class _Deck(BaseHTTPRequestHandler):
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
    with ThreadingHTTPServer((drive.HOST, 0), _Deck) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{drive.HOST}:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def lab(deck: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that lets the deck show it."""
    with ExitStack() as stack:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("FRAME_ANCESTORS", f"'self' {deck}")
            log = tmp_path_factory.mktemp("embed") / "server.log"
            found = stack.enter_context(drive.server(["-m", "streamlit", "run", "app.py"], log))
        yield found


@pytest.fixture
def framed(browser: Browser, deck: str, lab: str) -> Iterator[Callable[..., tuple[Page, Frame]]]:
    """Opens a page of the lab in a frame of the deck."""
    screen = new_tab(browser, deck)

    def show(path: str, size: tuple[int, int] = SIZES[1], whose: str = lab) -> tuple[Page, Frame]:
        link = f"{path}{'%26' if '?' in path else '?'}embed=true"
        query = f"src={whose}/{link}&width={size[0]}&height={size[1]}"
        screen.page.set_viewport_size({"width": size[0] + 20, "height": size[1] + 60})
        screen.page.goto(f"{deck}/?{query}")
        frame = screen.page.frames[1]
        if whose == lab:
            frame.wait_for_function(STEADY, polling=40)
        return screen.page, frame

    yield show
    assert [one for one in screen.errors if "frame-ancestors" not in one] == []
    screen.page.context.close()


@pytest.mark.parametrize(
    ("sandbox", "whose", "said"),
    [
        ("allow-scripts", "lab", "The lab cannot run in this frame, open it in a tab of its own: {address}"),
        ("allow-scripts allow-same-origin", "address", "This server does not let the page around this frame show"),
    ],
)
def test_a_frame_without_the_lab_says_so(
    browser: Browser, deck: str, request: pytest.FixtureRequest, sandbox: str, whose: str, said: str
) -> None:
    server = request.getfixturevalue(whose)
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{deck}/?src={server}/The_race%3Fv=4%26embed=true&width=900&height=506&sandbox={sandbox}")
    frame = page.frames[1]
    frame.get_by_text(said.format(address=f"{server}/The_race?v=4")).wait_for(timeout=20_000)
    link = frame.locator("a")
    assert link.count() == 1 and link.get_attribute("target") == "_blank"
    assert link.evaluate("el => el.href").startswith(f"{server}/The_race?v=4")
    context.close()


@pytest.mark.parametrize("size", sampled(SIZES, (640, 360)), ids=lambda size: f"{size[0]}x{size[1]}")
def test_headline_sentence_figure_and_player_stand_in_the_frame_and_nothing_scrolls(
    framed: Callable[..., tuple[Page, Frame]], size: tuple[int, int]
) -> None:
    for path in SHOWN:
        page, frame = framed(path, size)
        here = page.locator("iframe").bounding_box()
        below = here["y"]
        for part in PARTS:
            box = frame.locator(part).first.bounding_box()
            assert box is not None and box["height"] > 10, (path, part)
            assert box["x"] >= 0 and box["x"] + box["width"] <= size[0] + 1, (path, part, box)
            assert box["y"] >= below - 1 and box["y"] + box["height"] <= here["y"] + size[1], (path, part, box)
            below = box["y"] + box["height"]
        assert frame.evaluate(SCROLLS) == [], path
        if path:
            assert boxes.of_figures(SimpleNamespace(page=frame)) == [], path
        assert frame.locator(AROUND).count() == 0


@pytest.mark.parametrize("key", sampled([one.key for one in LESSONS if one.bet], "forgetting"))
def test_a_question_and_what_comes_out_stand_in_the_frame_beside_stage_and_player(
    framed: Callable[..., tuple[Page, Frame]], key: str
) -> None:
    lesson, parts = BY_KEY[key], ("h1", ".st-key-stage_desk", ".player")
    path, bet = "" if key == LESSONS[0].key else Path(lesson.file).stem, lesson.bet
    guess = ".".join(bet.options) if bet.ranks else next(iter(bet.options))
    for size, (link, more) in product(
        SIZES,
        (
            ("guess=open", (".st-key-bet_pick button >> nth=-1", ".st-key-bet_reveal button")),
            (f"guess={guess}%26reveal=true", (".st-key-bet_chart", ".st-key-bet_truth p", ".st-key-bet_leave button")),
        ),
    ):
        page, frame = framed(f"{path}?{link}", size)
        here = page.locator("iframe").bounding_box()
        for part in (*parts, *more):
            box = frame.locator(part).last.bounding_box()
            assert box is not None and box["height"] > 10, (size, link, part)
            assert box["x"] >= 0 and box["x"] + box["width"] <= size[0] + 1, (size, link, part, box)
            assert box["y"] >= here["y"] - 1 and box["y"] + box["height"] <= here["y"] + size[1], (
                size,
                link,
                part,
                box,
            )
        assert frame.evaluate(SCROLLS) == [], (size, link)


@pytest.fixture(scope="module")
def bets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A host of a site that holds the bets of all lessons."""
    asking = [replace(one, moments=(), leads=()) for one in LESSONS if one.bet]
    out = built(tmp_path_factory.mktemp("bets") / "lab", asking)
    with ThreadingHTTPServer((drive.HOST, 0), partial(Quiet, directory=str(out))) as host:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        yield f"http://{drive.HOST}:{host.server_port}"
        host.shutdown()


@pytest.mark.parametrize("key", sampled([one.key for one in LESSONS if one.bet], "microscope"))
def test_a_question_of_a_site_and_what_comes_out_stand_in_the_frame_and_nothing_scrolls(
    browser: Browser, deck: str, bets: str, key: str
) -> None:
    screen = new_tab(browser, deck)
    page = screen.page
    parts = ("h1", ".st-key-stage_desk", ".player", "#wager figure", "#views button")
    for (width, height), view in product(SIZES, (ASKED, TOLD)):
        page.set_viewport_size({"width": width + 20, "height": height + 60})
        source = f"{bets}/{key}.html?embed=true%23moment={view}"
        page.goto(f"{deck}/?src={source}&width={width}&height={height}")
        frame = page.frames[1]
        frame.wait_for_function("view => document.documentElement.dataset.ready && lab.charts.has('wager')", arg=view)
        if view == TOLD:
            frame.evaluate("() => { lab.player.halt(); lab.player.show(lab.player.last); }")
            frame.wait_for_selector(".truth:visible")
        frame.wait_for_selector("#wager .main-svg >> nth=0")
        here = page.locator("iframe").bounding_box()
        for part in (*parts, *([".truth"] if view == TOLD else [])):
            for one in frame.locator(part).all():
                box = one.bounding_box()
                assert box is not None and box["height"] > 10, (width, view, part)
                assert box["x"] >= here["x"] and box["x"] + box["width"] <= here["x"] + width + 1, (width, view, part)
                assert box["y"] >= here["y"] - 1 and box["y"] + box["height"] <= here["y"] + height, (width, view, part)
        assert frame.locator("#wager figure").bounding_box()["height"] >= 100, (width, view)
        assert frame.evaluate(SITE_SCROLLS) == [], (width, view)
        assert frame.evaluate(UNSEEN_LINES) == [], (width, view)
    assert screen.errors == []
    page.context.close()


def test_the_deck_steps_turns_to_a_time_and_a_moment_and_hears_what_happens(
    framed: Callable[..., tuple[Page, Frame]], address: str
) -> None:
    lesson, moment = BY_KEY["bands"], BY_KEY["bands"].moments[1]
    page, frame = framed("Confidence_bands")
    (ready,) = page.evaluate("() => all('ready')")
    assert ready == {"tvbo": "ready", "lesson": "bands", "t": lesson.t, "moments": [one.key for one in lesson.moments]}

    def at(t: int) -> None:
        page.wait_for_function("t => all('time').at(-1)?.t === t", arg=t)
        frame.wait_for_function("t => lab.player.time === t", arg=t)

    said = []
    page.on("console", lambda line: said.append(line.text))
    for message, t in (
        ({"tvbo": "step"}, lesson.t + 1),
        ({"tvbo": "step", "by": -3}, lesson.t - 2),
        ({"tvbo": "time", "t": 40}, 40),
    ):
        page.evaluate("said => tell(said)", message)
        at(t)
    for message in ({"tvbo": "reveal"}, {"tvbo": "step", "by": "many"}, "step"):
        page.evaluate("said => tell(said)", message)
    frame.evaluate("() => window.postMessage({ tvbo: 'step' }, '*')")  # not from the page around it
    page.wait_for_timeout(300)
    at(40)
    assert len([line for line in said if "does not know" in line]) == 3
    page.evaluate("() => tell({ tvbo: 'play' })")
    page.wait_for_function("() => all('time').at(-1).t > 44")
    page.evaluate("() => tell({ tvbo: 'pause' })")
    frame.wait_for_function("() => !lab.player.clock.runs")
    assert page.evaluate("() => all('end')") == []
    page.evaluate("() => tell({ tvbo: 'time', t: 9999 })")
    page.wait_for_function("() => all('end').length === 1")
    page.evaluate("key => tell({ tvbo: 'moment', key })", moment.key)
    at(moment.t)
    frame.wait_for_function(STEADY, polling=40)
    assert {"embed=true", f"moment={moment.key}"} <= set(
        urlsplit(frame.evaluate("() => location.href")).query.split("&")
    )
    assert page.evaluate("() => all('ready').length") == 1
    _, shut = framed("Confidence_bands", whose=address)  # a server that names nobody
    shut.wait_for_load_state()
    assert shut.locator(".stApp").count() == 0


def test_keys_are_the_labs_after_a_click_into_it_and_the_decks_beyond_an_end_of_the_film(
    framed: Callable[..., tuple[Page, Frame]],
) -> None:
    for path in ("Confidence_bands", ""):
        page, frame = framed(path)
        start = frame.evaluate("() => lab.now.t")
        keys = lambda page=page: page.evaluate("() => all('key').map((one) => one.key)")  # noqa: E731
        for key in ("ArrowRight", "PageDown", "Space"):
            page.keyboard.press(key)
        frame.evaluate("() => window.focus()")
        for key in ("ArrowLeft", "PageDown", "Space"):
            page.keyboard.press(key)
        page.wait_for_timeout(300)
        assert frame.evaluate("() => [lab.now.t, lab.timeline.clock.runs]") == [start, False]
        assert keys() in ([], ["ArrowLeft", "PageDown", " "])  # where the browser lets a frame take the focus
        page.evaluate("() => { heard.length = 0; }")
        frame.locator("h1").click()
        page.keyboard.press("ArrowLeft")
        frame.wait_for_function("t => lab.now.t === t - 1", arg=start)
        page.keyboard.press("End")
        frame.wait_for_function("() => lab.timeline.t === lab.timeline.last")
        assert keys() == []
        for key in ("PageDown", "ArrowRight", "ArrowUp"):
            page.keyboard.press(key)
        page.wait_for_function("() => all('key').length === 3")
        assert keys() == ["PageDown", "ArrowRight", "ArrowUp"]
        assert frame.evaluate("() => lab.timeline.t === lab.timeline.last")
        outlined = """() => [document.documentElement, document.body, ...document.querySelectorAll('.stApp, .stMain')]
          .filter((el) => getComputedStyle(el).outlineStyle !== 'none').map((el) => el.className)"""
        assert frame.evaluate(outlined) == []
        page.keyboard.press("Home")
        frame.wait_for_function("() => lab.timeline.t === 0")
        page.keyboard.press("PageUp")
        page.wait_for_function("() => all('key').at(-1)?.key === 'PageUp'")


def test_a_page_of_a_site_without_a_server_stands_in_a_frame_and_talks_like_the_lab(
    browser: Browser, deck: str, tmp_path: Path
) -> None:
    out = built(tmp_path / "lab", [SMALL])
    with ThreadingHTTPServer((drive.HOST, 0), partial(Quiet, directory=str(out))) as host:
        threading.Thread(target=host.serve_forever, daemon=True).start()
        screen = new_tab(browser, deck)
        page, moment = screen.page, SMALL.moments[1]
        for width, height in SIZES:
            page.set_viewport_size({"width": width + 20, "height": height + 60})
            source = f"http://{drive.HOST}:{host.server_port}/rperp.html?embed=true"
            page.goto(f"{deck}/?src={source}&width={width}&height={height}")
            frame = page.frames[1]
            page.wait_for_function("() => all('ready').length === 1")
            frame.wait_for_function("() => document.querySelector('.st-key-main .js-plotly-plot .main-svg')")
            below = (here := page.locator("iframe").bounding_box())["y"]
            for part in ("h1", ".live", ".st-key-stage_desk", ".player"):
                box = frame.locator(part).bounding_box()
                assert box["height"] > 10 and box["x"] >= 0 and box["x"] + box["width"] <= width + 1, (part, box)
                assert box["y"] >= below - 1 and box["y"] + box["height"] <= here["y"] + height, (part, box)
                below = box["y"] + box["height"]
            assert frame.evaluate(SCROLLS) == [] and boxes.of_figures(SimpleNamespace(page=frame)) == []
            assert frame.locator("nav:visible, #views:visible, #sliders:visible, footer:visible").count() == 0
        (ready,) = page.evaluate("() => all('ready')")
        assert ready == {
            "tvbo": "ready",
            "lesson": "rperp",
            "t": SMALL.t,
            "moments": [one.key for one in SMALL.moments],
        }
        page.evaluate("() => tell({ tvbo: 'step', by: -2 })")
        page.wait_for_function("t => all('time').at(-1)?.t === t", arg=SMALL.t - 2)
        for key in ("PageDown", "Space"):
            page.keyboard.press(key)
        assert frame.evaluate("() => lab.player.time") == SMALL.t - 2  # keys are the deck's
        page.evaluate("() => tell({ tvbo: 'time', t: 9999 })")
        page.wait_for_function("() => all('end').length === 1")
        page.evaluate("key => tell({ tvbo: 'moment', key })", moment.key)
        frame.wait_for_function("key => location.hash.includes(`moment=${key}`)", arg=moment.key)
        page.wait_for_function("t => all('time').at(-1).t === t", arg=moment.t)
        frame.locator("h1").click()
        page.keyboard.press("Home")
        frame.wait_for_function("() => lab.player.t === 0")
        page.keyboard.press("PageUp")
        page.wait_for_function("() => all('key').at(-1)?.key === 'PageUp'")
        assert screen.errors == []
        page.context.close()
        host.shutdown()
