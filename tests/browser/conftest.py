"""One server and one Chromium for all browser tests, a new session for each. Without Chromium they fail."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from benchmarks import drive
from lessons import LESSONS
from tests.browser.screen import Screen
from tests.browser.table import PATIENCE, GameTab

expect.set_options(timeout=PATIENCE)  # without it five seconds, whatever a context waits

DESK = {"width": 1366, "height": 768}
HALL = {"width": 1920, "height": 1080}
PROJECTOR = {"width": 1280, "height": 720}
ZOOMED = {"width": 683, "height": 384}  # 1366 x 768 at 200 percent
TABLET = {"width": 820, "height": 1180}
PHONE = {"width": 390, "height": 844}
ON_ITS_SIDE = {"width": 844, "height": 390}
# Loaded by every Python process of the server, workers too: writes down whom a socket is about to speak to.
LISTENER = """
import os, sys
def hear(event, args):
    if event in ("socket.connect", "socket.sendto"):
        said = args[1]
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        said = args[0]
    elif event == "open" and isinstance(args[0], str) and args[1] and set(args[1]) & set("wax+"):
        event, said = "write", args[0]
    else:
        return
    with_bytes = (event + " " + repr(said) + "\\n").encode()
    os.write(LOG, with_bytes)
LOG = os.open(os.environ["TVBO_OVERHEARD"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
os.write(LOG, b"listening\\n")
sys.addaudithook(hear)
"""
# Pages with a stage of Plotly's -> lesson.
BETTING = {"" if lesson.file == "home.py" else Path(lesson.file).stem: lesson for lesson in LESSONS if lesson.bet}
FILMS = {Path(lesson.file).stem: lesson for lesson in LESSONS[1:] if lesson.scene}


UNSET = {"reduced_motion": "null", "color_scheme": "null", "forced_colors": "null", "media": "null"}


# What a page or a worker has asked its site for and the service worker has not kept: it does so behind its answer.
UNKEPT = """async () => {
  const all = performance.getEntriesByType('resource').map(({ name }) => name),
    asked = all.filter(name => name.startsWith(origin)),
    till = performance.now() + PATIENCE;
  for (;;) {
    const kept = await Promise.all(asked.map(name => caches.match(name, { ignoreSearch: true })));
    if (kept.every(Boolean) || performance.now() > till) return asked.filter((_, i) => !kept[i]);
    await new Promise(done => setTimeout(done, 50));
  }
}""".replace("PATIENCE", str(PATIENCE))


def sampled(cases: Iterable, *few: object) -> list:
    """Return the cases as parameters of a test; CI runs these few or Drifting rewards, the others are wide."""
    few = few or ("Drifting_rewards",)
    return [case if case in few else pytest.param(case, marks=pytest.mark.wide) for case in cases]


def listening(folder: Path, log: Path) -> dict[str, str]:
    """Return the environment that makes a process write down whom it speaks to."""
    (folder / "sitecustomize.py").write_text(LISTENER, encoding="utf-8")
    path = os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")]))
    return {"PYTHONPATH": path, "TVBO_OVERHEARD": str(log)}


def leave_network(page: Page) -> None:
    """Take the network from a page of a site, once what it has opened is kept."""
    for place in (page, *page.workers):
        assert place.evaluate(UNKEPT) == []
    page.context.set_offline(True)


@pytest.fixture(scope="session")
def overheard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file in which every process of the server writes down whom it speaks to and which files it writes."""
    return tmp_path_factory.mktemp("overheard") / "log.txt"


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory, overheard: Path) -> Iterator[str]:
    """The app on a free port, as the README starts it, listened to."""
    folder = tmp_path_factory.mktemp("server")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in listening(folder, overheard).items():
            patch.setenv(name, value)
        patch.setenv("TVBO_DATABASE_URL", f"sqlite:///{folder}/rooms.db")
        with drive.server(["-m", "streamlit", "run", "app.py"], folder / "server.log") as found:
            yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium."""
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=drive.chromium_path(), args=list(drive.FLAGS))
        yield found
        found.close()


def new_tab(browser: Browser, address: str, **more: object) -> Screen:
    """A tab alone in its window: a tab behind another one gets no animation frames, and Plotly draws on those.

    Args:
        more: of the browsing context, such as `has_touch`.
    """
    context = browser.new_context(viewport=DESK, **more)
    context.set_default_timeout(PATIENCE)
    return Screen(context.new_page(), address)


@pytest.fixture(scope="session")
def rack(browser: Browser, address: str) -> Iterator[list[Screen]]:
    """Tabs. A page opened in a used tab is a new session of the app, at half the price of a new tab."""
    screens = [new_tab(browser, address) for _ in range(2)]
    yield screens
    for screen in screens:
        screen.page.context.close()


@pytest.fixture
def tab(rack: list[Screen]) -> Iterator[Callable[..., Screen]]:
    """Opens a page of the app, `tab("Confidence_bands", V=2)`, each call in another tab, at most two a test.

    `size` and `media` are the browser's.
    """
    free = list(rack)

    def open_tab(path: str, *, size: dict | None = None, media: dict | None = None, **link: object) -> Screen:
        screen = free.pop(0)
        screen.page.set_viewport_size(size or DESK)
        screen.page.emulate_media(**UNSET | (media or {}))
        return screen.open(path, **link)

    yield open_tab
    for screen in rack:
        screen.page.goto("about:blank")
        screen.forget()


@pytest.fixture
def stranger(browser: Browser, address: str) -> Iterator[Callable[[], Screen]]:
    """A reader who has never been here: a tab in a new browsing context."""
    contexts: list[BrowserContext] = []

    def arrive() -> Screen:
        contexts.append((found := new_tab(browser, address)).page.context)
        return found

    yield arrive
    for context in contexts:
        context.close()


@pytest.fixture
def table(browser: Browser, address: str) -> Iterator[Callable[..., GameTab]]:
    """Each call is a player with a browser of their own."""
    contexts = []

    def come(phone: bool = False) -> GameTab:
        look = {"has_touch": True, "is_mobile": True} if phone else {}
        look["viewport"] = PHONE if phone else DESK
        contexts.append(browser.new_context(**look))
        contexts[-1].set_default_timeout(PATIENCE)
        return GameTab(contexts[-1].new_page(), address)

    yield come
    for context in contexts:
        context.close()
