"""A site without a server in a browser: over HTTP, from a disk, without a network, and copied in part."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from lessons import LESSONS
from lessons.game import model, words
from lessons.game.model import Game
from lessons.record import Lesson
from shell.runs import Runs
from shell.site import build as building
from shell.site.films import OPENING, TOLD, views
from tests.browser.conftest import PATIENCE
from tests.browser.screen import Screen
from tests.lessons.game.games import TELLING

pytestmark = pytest.mark.browser
SMALL = next(replace(one, moments=one.moments[:2], leads=("shuffle",)) for one in LESSONS if one.key == "rperp")
NUMBER = 0  # of the lesson in its site
GAME = next(one for one in LESSONS if one.key == "game")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        pass


def built(out: Path, lessons: list[Lesson]) -> Path:
    """Return a folder into which these lessons were written, without courses."""
    runs = Runs(workers=2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "COURSES", {})
        assert building.build(out, lessons, runs) == []
    runs.close()
    return out


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("site") / "lab", [SMALL, GAME])


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def visitor(browser: Browser, host: str) -> Iterator[Screen]:
    context = browser.new_context(viewport={"width": 1366, "height": 768}, color_scheme="light")
    context.set_default_timeout(PATIENCE)
    yield Screen(context.new_page(), host)
    context.close()


def shows(screen: Screen, key: str, look: str = "light", **stops: object) -> Screen:
    """Wait until the film of a view, with some sliders elsewhere, stands on the stage."""
    view = next(one for one in views(SMALL, NUMBER) if one.key == key)
    file = view.own
    for slider in view.sliders:
        if slider.knob.key in stops:
            file = view.at(slider, slider.stops[stops[slider.knob.key]])
    return screen.until("name => document.documentElement.dataset.ready === name", f"{file.name}.{look}")


def test_a_visitor_slides_chooses_moments_goes_back_and_reads_on_without_a_network(visitor: Screen) -> None:
    screen = visitor
    screen.page.goto(f"{screen.address}/rperp.html")
    shows(screen, OPENING)
    said = screen.page.locator("#finding").inner_text()
    assert said and screen.page.locator(".gone").inner_text() == ""
    last = screen.frame
    screen.press("PageUp")
    screen.until("t => lab.now.t === t", last - 1)
    slider = screen.page.locator(".st-key-shuffle input")
    slider.focus()
    screen.press("End")
    shows(screen, OPENING, shuffle=-1)
    assert screen.frame == last - 1 and "shuffle=" in screen.page.url
    screen.press("2")
    shows(screen, SMALL.moments[1].key)
    assert f"moment={SMALL.moments[1].key}" in screen.page.url
    screen.page.go_back()
    shows(screen, OPENING, shuffle=-1)
    screen.page.locator("#look").click()
    shows(screen, OPENING, "dark", shuffle=-1)
    screen.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    screen.page.reload()  # from here on the worker keeps what comes
    shows(screen, OPENING, "dark", shuffle=-1)
    assert screen.errors == []
    screen.page.context.set_offline(True)
    screen.page.reload()
    shows(screen, OPENING, "dark", shuffle=-1)
    screen.press("2")  # in the dark it was never opened
    screen.until("() => document.querySelector('.gone').textContent.includes('the network is away')")
    assert screen.page.locator("#finding").inner_text()


def test_a_bet_asks_for_nothing_of_its_answer_and_plays_to_the_truth(visitor: Screen) -> None:
    screen, asked = visitor, []
    screen.page.on("request", lambda request: asked.append(request.url))
    screen.page.goto(f"{screen.address}/rperp.html#moment=bet")
    shows(screen, "bet")
    truth = next(one for one in views(SMALL, NUMBER) if one.key == TOLD).own.name
    screen.press("1").hold(300)
    assert screen.page.locator(".st-key-bet_pick button").first.get_attribute("aria-pressed") == "true"
    assert not [url for url in asked if truth in url]
    screen.page.locator(".st-key-bet_reveal button").click()
    screen.until("() => document.documentElement.classList.contains('tvbo-told')")
    told = screen.page.locator(".truth")
    assert told.is_visible() and told.inner_text().startswith("You bet on") and screen.errors == []


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 720)])
def test_from_a_disk_a_page_opens_and_slides_and_nothing_is_cut(
    browser: Browser, folder: Path, size: tuple[int, int]
) -> None:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme="dark")
    screen = Screen(page, folder.as_uri())
    screen.page.goto(f"{folder.as_uri()}/rperp.html")
    shows(screen, OPENING, "dark")
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    page.locator(".st-key-shuffle input").focus()
    screen.press("End")
    shows(screen, OPENING, "dark", shuffle=-1)
    page.locator("summary").click()
    page.locator("#exports button[data-as=svg]").first.wait_for()
    with page.expect_download() as saved:
        page.locator("#exports button[data-as=svg]").first.click()
    assert saved.value.suggested_filename.startswith("lesson-rperp-main") and screen.errors == []
    page.close()


def test_a_site_copied_in_part_says_so(browser: Browser, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "rperp.html").write_bytes((folder / "rperp.html").read_bytes())
    page = browser.new_page()
    page.goto(f"{tmp_path.as_uri()}/rperp.html")
    page.wait_for_timeout(500)
    assert "copied in part" in page.locator(".gone").inner_text()
    for name in ("site.js", "site.css"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    page.reload()
    page.wait_for_function("() => document.querySelector('.gone').textContent.includes('This picture is not here')")
    page.close()


@pytest.mark.parametrize("finger", [False, True], ids=["keys and mouse", "finger"])
def test_twelve_rounds_of_the_game_tell_nothing_before_the_last_one_and_then_everybody_s_place(
    browser: Browser, host: str, finger: bool
) -> None:
    look = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True} if finger else {}
    context = browser.new_context(**look)
    context.set_default_timeout(PATIENCE)
    screen = Screen(context.new_page(), host)
    page = screen.page
    page.goto(f"{host}/game.html")
    asked = []
    for n in range(1, 13):
        screen.until("n => document.querySelector('.status').textContent.startsWith(`Round ${n} of 12`)", n)
        said = " ".join(page.locator("main, .live, .settings").all_inner_texts())
        assert not TELLING.search(said) and page.locator(".ending").is_hidden() and "GP-UCB" not in said
        assert page.locator(".heard").count() == n - 1 and not page.locator(".ladder tr, .hills svg").count()
        if finger or n % 2:
            box = page.locator(".game .stage").bounding_box()
            where = (box["x"] + box["width"] * (0.2 + 0.05 * n), box["y"] + box["height"] / 2)
            (page.touchscreen.tap if finger else page.mouse.click)(*where)
        else:
            screen.press("Shift+ArrowRight", "Enter")
        asked.append(page.locator(".stage").get_attribute("aria-valuenow"))
    page.locator(".ladder tr").first.wait_for()
    game = Game(model.chosen(GAME.settings({})), tuple(round(100 * float(x)) for x in asked))
    done = model.finished(game, GAME.knobs["algos"].default, GAME.knobs["m"].default, "best")
    assert page.locator(".live").inner_html() == words.verdict(done)
    assert page.locator(".ladder th").all_inner_texts() == [
        name + (f" +{done.asked[name]}" if name in done.asked else "") for name in done.duel.order
    ]
    assert page.locator(".ladder .you th").inner_text() == "You" and page.locator(".hills circle").count() == 12
    assert "glided" in page.locator(".moved").inner_text()
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    page.locator(".again").click()
    screen.until("() => document.querySelector('.status').textContent.startsWith('Round 1 of 12')")
    assert page.locator(".heard").count() == 0 and page.locator(".ending").is_hidden()
    page.locator("#views button").last.click()
    assert page.locator("#views button[aria-pressed=true]").inner_text() == "It jumps" and "moment=jumps" in page.url
    screen.press("Enter")  # asks, and does not press the button again
    screen.until("() => document.querySelector('.status').textContent.startsWith('Round 2 of 12')")
    screen.press("2")
    screen.until("() => location.hash.includes('moment=still')")
    assert screen.errors == [] == screen.outside
    context.close()
