"""The site's own Python in Chromium: every control, drawers; killed, without network, and without any other host."""

from __future__ import annotations

import html
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, Page

from answers.browser import Desk
from lessons import BY_KEY, LESSONS
from shell.runs.runs import Runs
from shell.static import build as building
from tests.browser.conftest import PATIENCE, sampled
from tests.browser.test_layout import AXE, RULES
from tests.engine import pyodide
from tests.engine.test_two_pythons import OTHERS

pytestmark = pytest.mark.browser
PLAYED = [one.key for one in LESSONS if one.scene]
AWAKE = 240_000  # milliseconds in which Python wakes on a busy machine
STANDS = """before => document.documentElement.dataset.ready !== before
  || !document.querySelector('#runs').hidden || document.querySelector('.refused').textContent"""
# Move a control once, as a hand does; whether it could be moved.
MOVE = """key => {
  const box = document.querySelector(`#knobs .st-key-${key}`),
    open = box?.closest('details.more');
  if (open) open.open = true;
  const free = one => !one.disabled && !one.closest('fieldset:disabled'),
    some = [...(box?.querySelectorAll('input, select') ?? [])].filter(free),
    one = some.find(({ type, checked }) => !(type === 'radio' && checked));
  if (!one) return false;
  if (one.type === 'radio' || one.type === 'checkbox') one.click();
  else {
    if (one.tagName === 'SELECT') one.selectedIndex = (one.selectedIndex + 1) % one.options.length;
    else one.value = +one.value < +one.max ? +one.value + (+one.step || 1) : +one.value - (+one.step || 1);
    one.dispatchEvent(new Event('input', { bubbles: true }));
    one.dispatchEvent(new Event('change', { bubbles: true }));
  }
  return true;
}"""


UNFOLD = "() => { for (const one of document.querySelectorAll('#knobs details')) one.open = true; }"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site of all lessons as they open, with the bet of one, and Pyodide beside them."""
    out = tmp_path_factory.mktemp("site") / "lab"
    # The game's worlds are no films, and its moments cost nothing.
    films = [one for one in LESSONS if one.scene]
    fewer = {
        one.key: replace(one, moments=(one.opening,), bet=one.bet if one.key == "drift" else None) for one in films
    }
    shown = [fewer.get(one.key, one) for one in LESSONS]
    runs = Runs(workers=2)
    assert building.build(out, shown, runs, python=pyodide.folder(out.parent / "pyodide")) == []
    runs.close()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(out)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(browser: Browser, host: str) -> Iterator[Page]:
    """A page on which nothing goes wrong and that asks no other host."""
    context = browser.new_context(viewport={"width": 1366, "height": 768}, color_scheme="light", base_url=host)
    context.set_default_timeout(PATIENCE)
    tab, wrong, elsewhere = context.new_page(), [], []
    tab.on("pageerror", lambda problem: wrong.append(str(problem)))
    ours = (host, "data:", "blob:")
    context.on("request", lambda asked: None if asked.url.startswith(ours) else elsewhere.append(asked.url))
    yield tab
    assert (wrong, elsewhere) == ([], [])
    context.close()


def ready(page: Page) -> str:
    return page.evaluate("() => document.documentElement.dataset.ready ?? ''")


def opened(page: Page, name: str) -> Page:
    page.goto(f"/{name}")
    page.wait_for_function("() => document.documentElement.dataset.ready")
    return page


def awake(page: Page) -> Page:
    """Touch a control, and wait until Python answers."""
    page.locator("#knobs :is(input, select):enabled").first.focus()
    page.wait_for_function("() => document.documentElement.dataset.engine === 'ready'", timeout=AWAKE)
    return page


def moved(page: Page, key: str) -> bool:
    before = ready(page)
    if not page.evaluate(MOVE, key):
        return False
    page.wait_for_function(STANDS, arg=before, timeout=AWAKE)
    return True


def told(text: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", text))).strip()


def same_as_python(page: Page, key: str) -> None:
    """Assert that what stands on the page is what this Python answers for its address."""
    text = f"{key}?{page.evaluate('() => location.hash.slice(1)')}"
    said = json.loads(Desk([(BY_KEY[key], LESSONS.index(BY_KEY[key]))]).say("page", text))
    assert said["wrong"] == []
    if (scene := said["scene"]) is None:
        assert said["waits"] or told(page.locator(".refused").inner_text()) == told(said["refused"])
        return
    assert told(page.locator(".settings").inner_text()) == told(f"Settings: {said['settings']}.")
    assert told(page.locator(".caption").first.inner_text()) == told(scene["caption"])
    if scene["sentence"] and not any(one in text for one in OTHERS):
        assert told(page.locator("#finding").inner_text()) == told(scene["sentence"])


@pytest.mark.parametrize("key", sampled(PLAYED, "drift"))
def test_every_control_answers_as_a_server(page: Page, key: str) -> None:
    awake(opened(page, f"{key}.html"))
    groups = json.loads(Desk([(BY_KEY[key], 0)]).say("page", f"{key}?"))["groups"]
    hands = 0
    for knob in (knob for group in groups if group["place"] != "stage" for knob in group["knobs"]):
        if moved(page, knob):
            hands += 1
            same_as_python(page, key)
            page.locator("#undo").click()
            page.wait_for_function("() => document.documentElement.dataset.ready.includes('/')")
    assert hands


def test_stage_follows_a_dragged_slider(page: Page) -> None:
    awake(opened(page, "drift.html"))
    bar = page.locator("#knobs .st-key-V input[type=range]")
    box = bar.bounding_box()
    pictures = page.evaluate("() => lab.charts.get('main').picture.drawn")
    page.mouse.move(box["x"] + box["width"] / 3, box["y"] + box["height"] / 2)
    page.mouse.down()
    for share in (0.4, 0.5, 0.6, 0.7):
        page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
        page.wait_for_timeout(300)
    assert page.evaluate("() => lab.charts.get('main').picture.drawn") > pictures + 2
    page.mouse.up()
    page.wait_for_function("() => document.documentElement.dataset.ready.includes('V=')")
    same_as_python(page, "drift")


def test_drawers_tables_and_script_are_filled(page: Page) -> None:
    awake(opened(page, "bands.html"))
    assert moved(page, "V")
    for drawer, part in (
        ("#drawer-widths", ".chart canvas"),
        ("#drawer-looking", "p"),
        ("[id='drawer-Data table']", "td"),
        ("#drawer-script", "code"),
    ):
        page.locator(f"{drawer} summary").first.click()
        page.locator(f"{drawer} {part}").first.wait_for(state="attached")
    page.locator("#drawer-tasks summary").click()
    page.locator("#drawer-tasks button").first.click()
    page.wait_for_function("() => /Done|Not yet/.test(document.querySelector('#drawer-tasks output').textContent)")


def test_killed_engine_leaves_the_page(page: Page) -> None:
    awake(opened(page, "drift.html"))
    assert moved(page, "V")
    said = page.locator("#finding").inner_text()
    page.evaluate("() => lab.site.lesson.engine.worker.onerror({ message: 'killed' })")
    assert "stopped answering" in page.locator("#engine").inner_text()
    assert page.locator("#finding").inner_text() == said
    page.locator("#reset").click()  # a prepared view needs no engine
    page.wait_for_function("() => document.documentElement.dataset.ready.includes('/')")


def test_lost_network_is_one_sentence(page: Page, host: str) -> None:
    alone = page.context.browser.new_context(service_workers="block", base_url=host)  # it would fetch by itself
    tab = alone.new_page()
    tab.route("**/*.whl", lambda route: route.abort())
    opened(tab, "drift.html").locator("#knobs input").first.focus()
    away = "() => document.querySelector('#engine').textContent.includes('the network is away')"
    tab.wait_for_function(away, timeout=AWAKE)
    assert tab.locator("#finding").inner_text()
    alone.close()


def test_site_wakes_and_answers_without_network(page: Page) -> None:
    opened(page, "drift.html")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.reload()  # from here on the service worker keeps what comes
    page.wait_for_function("() => document.documentElement.dataset.ready")
    awake(page)
    page.context.set_offline(True)
    page.reload()
    page.wait_for_function("() => document.documentElement.dataset.ready")
    awake(page)
    assert moved(page, "V")
    same_as_python(page, "drift")


def test_reader_can_leave_the_engine(page: Page) -> None:
    opened(page, "drift.html")
    page.locator("#knobs input").first.focus()
    page.locator("#engine button").click()
    page.wait_for_function("() => document.documentElement.dataset.engine === 'asleep'")
    assert page.locator("#engine").is_hidden()


def test_controls_have_names_and_states(page: Page) -> None:
    for key in PLAYED:
        opened(page, f"{key}.html").evaluate(UNFOLD)
        page.evaluate(AXE)
        found = page.evaluate("rules => axe.run(document, { runOnly: rules })", RULES)["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], key
