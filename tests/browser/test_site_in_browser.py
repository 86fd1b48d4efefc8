"""A site without a server in a browser: over HTTP, from a disk, without a network, and copied in part."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Frame

from figures.theme import Theme
from lessons import LESSONS
from lessons.game import model, words
from lessons.game.model import Game
from lessons.record import Lesson
from shell.runs import Runs
from shell.site import build as building
from shell.site.films import BELOW, OPENING, STOPS, TOLD, views
from tests.browser.conftest import PATIENCE
from tests.browser.screen import Screen
from tests.lessons.game.games import TELLING

pytestmark = pytest.mark.browser
SMALL = next(replace(one, moments=one.moments[:2], leads=("shuffle",)) for one in LESSONS if one.key == "rperp")
NUMBER = 0  # of the lesson in its site
GAME = next(one for one in LESSONS if one.key == "game")
RACE = next(replace(one, moments=(), bet=None, leads=()) for one in LESSONS if one.key == "race")


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
    return built(tmp_path_factory.mktemp("site") / "lab", [SMALL, GAME, RACE])


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
            file = view.at(slider, slider.films[stops[slider.knob.key]])
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
    bars = screen.page.locator("#wager .js-plotly-plot")
    assert bars.is_visible() and "you said" in bars.inner_text()


def test_charts_below_the_stage_lie_in_closed_drawers_whose_film_comes_once_one_is_opened(visitor: Screen) -> None:
    screen, asked = visitor, []
    screen.page.on("request", lambda request: asked.append(request.url))
    screen.page.goto(f"{screen.address}/race.html")
    screen.until("() => document.documentElement.dataset.ready")
    titles = [RACE.scene(RACE.settings({}), RACE.t, Theme()).films[key].title for key in ("curves", "looks")]
    folds = screen.page.locator("#below > details")
    assert folds.locator("summary").all_inner_texts()[:2] == titles
    assert screen.page.locator("#below details[open]").count() == 0 and not [url for url in asked if BELOW in url]
    folds.first.locator("summary").click()
    screen.until("() => tab.chart('curves')")
    last = screen.frame
    for key in ("main", "curves"):
        screen.until("key => lab.charts.get(key).frame === lab.now.t", key)
    box = screen.page.locator(".st-key-curves .js-plotly-plot").bounding_box()
    assert box["width"] > 0.9 * folds.first.bounding_box()["width"] and box["height"] > 200
    screen.page.keyboard.press("PageUp")
    screen.until("t => lab.now.t === t && lab.charts.get('curves').frame === t", last - 1)
    assert screen.errors == []


def test_between_two_films_stands_the_picture_of_a_stop_and_says_so(visitor: Screen) -> None:
    screen = visitor
    screen.page.goto(f"{screen.address}/rperp.html")
    shows(screen, OPENING)
    screen.press("PageUp")
    time = screen.page.evaluate("() => lab.player.time")
    opening = next(one for one in views(SMALL, NUMBER) if one.key == OPENING)
    (slider,) = opening.sliders
    bar, between = screen.page.locator(".st-key-shuffle input"), screen.page.locator(".between")
    every = list(slider.knob.stops)
    assert int(bar.get_attribute("max")) == len(every) - 1 and between.inner_text() == ""
    assert screen.page.locator(".st-key-shuffle .track i").count() == len(slider.films) == STOPS
    here = every.index(slider.films[2])
    turn = """([stop, go]) => { const bar = document.querySelector('.st-key-shuffle input'); bar.value = stop;
      bar.dispatchEvent(new Event('input', { bubbles: true }));
      if (go) bar.dispatchEvent(new Event('change', { bubbles: true })); }"""
    screen.page.evaluate(turn, [here + 1, False])  # under the hand
    screen.until("() => lab.followed === 1 && lab.charts.get('main').over")
    picture = slider.pictures.picture(every[here + 1], False, "ours")
    size = int.from_bytes(picture[:4], "little")
    assert screen.page.evaluate("() => lab.player.time") == opening.t
    screen.page.evaluate(turn, [here + 1, True])
    screen.until("() => document.querySelector('.between').textContent.includes('marked stops')")
    screen.until("() => document.querySelector('.player output').textContent === 'one picture'")
    said = screen.page.locator("#finding .live").evaluate("spot => spot.__html")
    assert said == json.loads(picture[4 : 4 + size])["said"]
    screen.press("Space")  # nothing plays
    assert screen.page.evaluate("() => [lab.player.film.n, lab.charts.get('main').over]") == [1, None]
    assert screen.page.locator("#export-drawer").is_hidden()
    screen.page.evaluate(turn, [here, True])
    shows(screen, OPENING, shuffle=2)
    screen.until("t => lab.player.time === t", time)  # where the reader was
    assert between.inner_text() == "" and screen.errors == []
    screen.page.goto("about:blank")
    screen.page.goto(f"{screen.address}/rperp.html#shuffle={slider.knob.shown(every[here + 1])}")
    screen.until("() => document.querySelector('.between').textContent.includes('marked stops')")
    assert screen.errors == []


def test_what_was_opened_first_opens_again_without_a_network(visitor: Screen, folder: Path) -> None:
    screen = visitor
    screen.page.goto(f"{screen.address}/rperp.html")
    shows(screen, OPENING)
    opening = next(one for one in views(SMALL, NUMBER) if one.key == OPENING).own.name
    kept = "async (name) => { while (!(await caches.match(name))) await new Promise((done) => setTimeout(done, 50)); }"
    films = json.loads((folder / "site.json").read_text(encoding="utf-8"))["films"]
    screen.page.evaluate(kept, f"{films}/{opening}.light.js")
    screen.page.context.set_offline(True)
    screen.page.reload()
    shows(screen, OPENING)
    assert screen.page.locator("#finding").inner_text() and screen.errors == []


def test_lecture_type_enlarges_the_stage_and_leaves_its_player_on_the_first_screen(visitor: Screen) -> None:
    screen = visitor
    screen.page.goto(f"{screen.address}/race.html")
    screen.until("() => document.documentElement.dataset.ready && tab.chart('main')")
    high = "() => document.querySelector('.st-key-main .xtitle, .st-key-main text').getBoundingClientRect().height"
    before = screen.page.evaluate(high)
    screen.press("l")
    screen.until("() => location.hash.includes('lecture=true') && document.body.className === 'hall'")
    screen.hold(500)
    assert screen.page.evaluate(high) > 1.35 * before
    box = screen.page.locator(".player").bounding_box()
    assert box["y"] + box["height"] <= 768 and screen.page.evaluate("() => scrollY") == 0
    assert screen.page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    screen.page.reload()
    screen.until("() => document.body.className === 'hall' && document.querySelector('.st-key-lecture input').checked")
    assert screen.errors == []


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 720)])
def test_from_a_disk_a_page_opens_and_slides_and_nothing_is_cut(
    browser: Browser, folder: Path, size: tuple[int, int]
) -> None:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme="dark")
    screen = Screen(page, folder.as_uri())
    screen.page.goto(f"{folder.as_uri()}/rperp.html")
    shows(screen, OPENING, "dark")
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    player = page.locator(".player").bounding_box()
    assert player["y"] + player["height"] <= size[1]
    page.locator(".st-key-shuffle input").focus()
    screen.press("End")
    shows(screen, OPENING, "dark", shuffle=-1)
    page.locator("#export-drawer summary").click()
    page.locator("#exports button[data-as=svg]").first.wait_for()
    with page.expect_download() as saved:
        page.locator("#exports button[data-as=svg]").first.click()
    assert saved.value.suggested_filename.startswith("lesson-rperp-main") and screen.errors == []
    page.close()


def test_a_picture_asked_for_before_plotly_has_come_is_saved_once_it_has(visitor: Screen) -> None:
    screen, held = visitor, []
    screen.page.route("**/plotly.min.js", lambda route: held.append(route))
    screen.page.goto(f"{screen.address}/rperp.html")
    shows(screen, OPENING)
    screen.page.locator("#export-drawer summary").click()
    with screen.page.expect_download() as saved:
        screen.page.locator("#exports button[data-as=svg]").first.click()
        for route in held:
            route.continue_()
    svg = Path(saved.value.path()).read_text(encoding="utf-8")
    assert held and "questions" in svg and "url(data:" in svg  # it takes its typeface along
    assert screen.page.locator("#exports output").first.inner_text() == "" and screen.errors == []


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
    assert page.locator(".ladder th").all_inner_texts() == done.duel.order
    assert page.locator(".ladder .does").all_text_contents() == [done.does.get(name, "") for name in done.duel.order]
    assert page.locator(".hills .peak").count() == 12
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


def test_a_page_gives_the_line_that_shows_it_as_it_stands_in_a_frame(visitor: Screen, folder: Path) -> None:
    page = visitor.page
    page.goto(f"{visitor.address}/rperp.html")
    shows(visitor, OPENING)
    page.locator("#embed-drawer summary").click()
    visitor.press("ArrowLeft").until("() => location.hash.includes('t=')")
    line = page.locator("#embed-drawer code").inner_text()
    src = page.evaluate("line => new DOMParser().parseFromString(line, 'text/html').querySelector('iframe').src", line)
    assert src == page.url.replace("rperp.html#", "rperp.html?embed=true#") and 'width="900" height="506"' in line
    time = visitor.frame
    assert visitor.errors == []
    page.goto(f"{visitor.address}/site.json")  # a page of the same host that frames it; it has no icon
    page.evaluate("line => { document.body.innerHTML = line }", line)
    frame = page.frame_locator("iframe")
    frame.locator("html.embedded[data-ready]").wait_for()
    assert not frame.locator("nav").is_visible() and not frame.locator("#embed-drawer").is_visible()
    inside = page.frames[1]
    assert inside.evaluate("() => lab.player.t") == time
    page.goto((folder / "rperp.html").as_uri())
    page.locator("html[data-ready]").wait_for()
    assert not page.locator("#embed-drawer").is_visible()  # a page from a disk has no address for others


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


def test_the_site_runs_in_a_sandbox(sandbox: Callable[[str], Frame], visitor: Screen) -> None:
    frame = sandbox("rperp.html?embed=false&amp;utm_source=x#theme=light&amp;t=3 ")
    frame.wait_for_function("() => document.documentElement.dataset.ready && lab.now")
    assert frame.evaluate("() => [window.origin, lab.player.time]") == ["null", 3]
    frame.locator(".st-key-shuffle input").focus()
    visitor.press("End")
    frame.wait_for_function("() => location.hash.includes('shuffle=') && lab.now.t === lab.player.t")
    frame.locator(".player [data-do=play]").click()
    frame.wait_for_function("() => lab.player.clock.runs || lab.player.t === lab.player.last")
    frame.locator(".st-key-bet_open button").click()
    frame.locator(".st-key-bet_pick button").first.click()
    frame.locator(".st-key-bet_reveal button").click()
    frame.wait_for_function("() => document.querySelector('.truth')?.textContent.startsWith('You bet on')")
    frame.locator("#look").click()
    frame.wait_for_function("() => document.documentElement.dataset.ready.endsWith('dark')")


@pytest.mark.parametrize("name", ["index.html", "glossary.html", "game.html"])
def test_pages_without_films_run_in_a_sandbox(sandbox: Callable[[str], Frame], name: str) -> None:
    frame = sandbox(name)
    frame.wait_for_function("() => document.readyState === 'complete'")
    frame.locator("#look").click()
    frame.wait_for_function("() => document.documentElement.dataset.look === 'dark'")
    assert frame.evaluate("() => document.fonts.ready.then(() => [...document.fonts].map((one) => one.status))")
