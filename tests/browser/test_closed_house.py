"""Nobody outside is spoken to or let in, and nothing of an answer reaches the browser before its reveal."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, Page

from answers.film import film as message
from benchmarks import drive
from figures.theme import Theme
from tests import answers
from tests.browser.conftest import BETTING, PROJECTOR, listening, sampled
from tests.browser.screen import Screen
from tests.house.test_settings import ROOT

pytestmark = pytest.mark.browser
BROKEN = re.compile(r"\b(NaN|nan|undefined)\b|\[object |Traceback")
PAGES = ["", *sorted(p.stem for p in (ROOT / "pages").glob("*.py"))]
IDLE = """() => {
  const app = document.querySelector('[data-testid=stApp]');
  const busy = !app || app.dataset.testScriptState !== 'notRunning'
    || document.querySelector('[data-testid=stSkeleton]') || !document.querySelector('h1');
  window.idleSince = busy ? null : window.idleSince ?? performance.now();
  return window.idleSince !== null && performance.now() - window.idleSince > 200;
}"""


def settled(page: Page) -> None:
    page.evaluate("() => { window.idleSince = null; }")
    page.wait_for_function(IDLE, polling=50, timeout=60_000)


def open_everything(page: Page) -> int:
    """Open every drawer and popover of a page, one after the other; how many there were."""
    drawers = page.locator("[data-testid=stExpander] summary")
    for i in range(drawers.count()):
        drawers.nth(i).click()
        settled(page)
    boxes = page.locator("[data-testid=stPopover] > div > button, [data-testid=stPopoverButton]")
    found = drawers.count() + boxes.count()
    for i in range(boxes.count()):
        if boxes.nth(i).is_visible():
            boxes.nth(i).click()
            settled(page)
            page.keyboard.press("Escape")
    return found


def spoken_to(overheard: Path) -> list[str]:
    """Everybody but this machine that a process of the server named or spoke to."""
    home = ("127.0.0.1", "localhost", "::1", "0.0.0.0")
    said = [line for line in overheard.read_text().splitlines() if line.startswith("socket.")]
    unix = [line for line in said if line.split(" ", 1)[1].startswith(("'/", "b'", "'\\x00"))]
    return [line for line in said if line not in unix and not any(h in line for h in home)]


def test_speaking_outside_is_overheard(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    # A datagram socket names its partner and sends nothing.
    speaks = "import socket\nwith socket.socket(type=socket.SOCK_DGRAM) as s: s.connect(('192.0.2.1', 9))"
    subprocess.run([sys.executable, "-c", speaks], env={**os.environ, **listening(tmp_path, log)}, check=False)
    assert [line for line in spoken_to(log) if "192.0.2.1" in line]


@pytest.mark.parametrize("path", sampled(PAGES, "Glossary"))  # of a lesson: test_layout.py, in the sample
def test_page_with_open_drawers_asks_nobody(browser: Browser, address: str, overheard: Path, path: str) -> None:
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    screen = Screen(context.new_page(), address)
    with closing(context):
        screen.page.goto(f"{address}/{path}")
        settled(screen.page)
        assert open_everything(screen.page) >= (
            2 if path not in ("", "Glossary") else 1
        )  # these have one drawer, or the menu alone
        assert screen.page.get_by_text(BROKEN).all_inner_texts() == []
        assert screen.page.locator(".skeleton, [data-testid=stException]").locator("visible=true").count() == 0
        assert screen.outside == [] and screen.errors == []  # the browser says what the policy stops
        hosts = {urlsplit(frame.url).netloc for frame in screen.page.frames if frame.url.startswith("http")}
        assert hosts == {urlsplit(address).netloc}
    assert "listening" in overheard.read_text()
    assert spoken_to(overheard) == []


def test_uploaded_table_stays_with_its_reader(browser: Browser, address: str, overheard: Path) -> None:
    mine, other = (Screen(browser.new_context().new_page(), address) for _ in range(2))
    with closing(mine.page.context), closing(other.page.context):
        for screen in (mine, other):
            screen.page.goto(f"{address}/Real_data?table=own")
            settled(screen.page)
        before = len(overheard.read_text().splitlines())
        mine.page.set_input_files("input[type=file]", ROOT / "assets" / "example_table.csv")
        mine.page.get_by_role("button", name="Run", exact=True).click(timeout=60_000)  # it is read
        mine.page.get_by_text("Change the table").wait_for(timeout=60_000)  # and races
        settled(mine.page)
        other.page.reload()
        settled(other.page)
        assert other.page.get_by_text("Change the table").count() == 0
    heard = overheard.read_text().splitlines()[before:]
    assert [line for line in heard if line.startswith("write") and "__pycache__" not in line] == []


def answer(asked: str | Request) -> tuple[int, bytes]:
    """The status and the body of an HTTP answer, whatever the status is."""
    try:
        with urlopen(asked, timeout=10) as said:
            return said.status, said.read()
    except HTTPError as refused:
        with closing(refused):
            return refused.code, refused.read()


def knock(address: str, origin: str) -> str:
    """The status line that a WebSocket handshake from this origin gets."""
    host = urlsplit(address).netloc
    lines = [
        "GET /_stcore/stream HTTP/1.1",
        f"Host: {host}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: streamlit",
        f"Origin: {origin}",
        "",
        "",
    ]
    with closing(socket.create_connection((drive.HOST, int(host.split(":")[1])), timeout=10)) as wire:
        wire.sendall("\r\n".join(lines).encode())
        return wire.recv(200).decode(errors="replace").splitlines()[0]


def test_foreign_page_is_refused(address: str, overheard: Path) -> None:
    assert answer(address)[0] == 200
    assert " 101 " in knock(address, address)
    for origin in ("http://evil.example", "http://192.0.2.1:8501", "null"):
        assert " 403 " in knock(address, origin)
        assert answer(Request(f"{address}/_stcore/health", headers={"Origin": origin}))[0] == 403
    assert spoken_to(overheard) == []


FILES = (
    "app/static/config.toml",
    "app/static/../.streamlit/config.toml",
    "static/../../requirements.txt",
    "app/static/%2e%2e/requirements.txt",
    "media/..%2f..%2frequirements.txt",
    ".streamlit/config.toml",
    "assets/races.npz",
)


def test_no_file_or_door_is_open_to_strangers(address: str) -> None:
    for path in FILES:
        code, body = answer(f"{address}/{path}")
        # What is no file of the app is the app: its one page, which then says that it has no such lesson.
        page = b"<!doctype html>" in body[:2000].lower()
        assert page if code == 200 else code in (400, 403, 404), (path, code, body[:80])
    kind = {"Content-Type": "application/json"}
    assert answer(Request(f"{address}/_stcore/agent/interact", b"{}", kind, method="POST"))[0] in (403, 404, 405)
    body = b'--x\r\nContent-Disposition: form-data; name="f"; filename="../../t.csv"\r\n\r\n1,2\r\n--x--\r\n'
    for session in ("nobody", "..", "%2e%2e%2fetc"):  # without the tab's own token
        kind = {"Content-Type": "multipart/form-data; boundary=x"}
        asked = Request(f"{address}/_stcore/upload_file/{session}/1", body, kind, method="PUT")
        assert answer(asked)[0] in (400, 403, 404, 405), session


# The film has run to where the truth happens; whether the truth was seen before.
RUNS = """() => { const truth = document.querySelector('.st-key-bet_truth'), told = document.documentElement.classList;
  const seen = truth && getComputedStyle(truth).visibility !== 'hidden';
  if (seen && lab.now.t < lab.player.film.n - 1) window.early = true;
  return told.contains('tvbo-told'); }"""
LETTERS = re.compile(rb"[\x20-\x7e\xc2-\xf4\x80-\xbf]{4,}")


@dataclass
class Traffic:
    """Everything that a browser gets: bodies of answers by their address, and messages of the socket."""

    bodies: dict[str, bytes] = field(default_factory=dict)
    frames: list[bytes] = field(default_factory=list)

    def listen(self, screen: Screen) -> None:
        def hear(said: bytes | str) -> None:
            self.frames.append(said if isinstance(said, bytes) else said.encode())

        screen.page.on("websocket", lambda wire: wire.on("framereceived", hear))
        screen.page.on("requestfinished", self._keep)

    def _keep(self, asked: object) -> None:
        answer = asked.response()
        if answer is not None and answer.status == 200 and asked.url not in self.bodies:
            self.bodies[asked.url] = answer.body()  # as it was before it was compressed

    @property
    def films(self) -> dict[str, bytes]:
        """Address -> film."""
        return {url: raw for url, raw in self.bodies.items() if urlsplit(url).path.startswith(("/film/", "/frame/"))}

    @property
    def texts(self) -> list[str]:
        """Every text of the socket, of the films, and of what else the server says; not the scripts, which are the same
        for everybody."""
        raws = [raw for url, raw in self.bodies.items() if "/static/" not in url and ".js" not in url]
        for frame in self.frames:
            raws += [frame, *answers.films_in(frame)]
        return [found.decode(errors="ignore") for raw in raws for found in LETTERS.findall(raw)]


@cache
def question(path: str, lecture: bool) -> bytes:
    """Return the film of a bet's question, as it travels."""
    lesson, bet = BETTING[path], BETTING[path].bet
    scene = lesson.bet.scene(lesson.settings(bet.opens_with), bet.opens, Theme(lecture=lecture))
    return message(scene, scene.frames - 1, "ours")


def tells(text: str, number: str) -> bool:
    """Return whether a number stands in a text, and is no part of another one, nor of a picture in the glossary."""
    plain = re.sub(r"<[^>]*>", " ", text)
    return re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d,]|\.\d)", plain) is not None


@pytest.mark.parametrize("path", sampled(BETTING))
def test_no_byte_of_answer_before_reveal(stranger: Callable[[], Screen], path: str) -> None:
    """From the first visit by the bet's own link until just before the reveal, with the film played and an answer
    chosen. What the film holds is compared with `Lesson.question_scene`, whose numbers
    tests/lessons/test_questions.py reads."""
    lesson, screen, line = BETTING[path], stranger(), Traffic()
    screen.page.set_viewport_size(PROJECTOR)
    line.listen(screen)
    screen.open(path, guess="open", lecture="true")
    screen.press("Home", "End").hold(600).settle()
    screen.press("1").hold(600).settle()
    assert screen.page.locator(".st-key-bet_reveal button").is_visible()
    got = list(line.films.values()) + [film for frame in line.frames for film in answers.films_in(frame)]
    mine = [film for film in got if b'"key":"main"' in film]
    assert mine and set(mine) == {question(path, True)}
    assert all(parse_qs(urlsplit(url).query)["until"] == [str(lesson.bet.opens)] for url in line.films)
    assert answers.in_words(lesson, line.texts) == set()
    assert not [text for text in line.texts for one in answers.written(lesson) if "." in one and tells(text, one)]
    screen.page.locator(".st-key-bet_reveal button").click()
    screen.until(RUNS).settle()
    assert screen.page.locator(".st-key-bet_truth").is_visible() and not screen.page.evaluate("() => window.early")
    assert answers.in_words(lesson, line.texts) != set()  # the same search finds it now
    assert screen.errors == []
