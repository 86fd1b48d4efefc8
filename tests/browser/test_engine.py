"""The site's own Python in Chromium: controls, drawers, one's own table; what may be missing; a course offline, in a
learning platform, on a phone; and no other host."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product

import pytest
from playwright.sync_api import Browser, Frame, Page

from answers import bets
from answers.browser import Desk
from answers.state import State
from benchmarks import drive
from lessons import BY_KEY, LESSONS
from lessons.real_data import words
from shell.hall.course.courses import COURSES
from shell.runs.runs import Runs
from shell.static import build as building
from tests.browser.conftest import PATIENCE, PHONE, leave_network, sampled
from tests.browser.finger import AT_LEAST, FAR, HOLDS, Finger
from tests.browser.test_layout import AXE, RULES
from tests.engine import pyodide
from tests.engine.test_two_pythons import OTHERS, is_edge

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


COURSE = "twenty"
# A learning platform that keeps what a package tells it, as SCORM 1.2 names it.
PLATFORM = """<!doctype html><title>platform</title><script>
  window.said = { "cmi.core.lesson_status": "not attempted" };
  window.calls = [];
  const call = (name, act) => (...words) => { calls.push(name); return act(...words) ?? "true"; };
  window.API = {
    LMSInitialize: call("LMSInitialize", () => {}), LMSFinish: call("LMSFinish", () => {}),
    LMSGetValue: call("LMSGetValue", (name) => said[name] ?? ""),
    LMSSetValue: call("LMSSetValue", (name, value) => { said[name] = value; }),
    LMSCommit: call("LMSCommit", () => {}),
  };
</script><iframe src="twenty.html?course=twenty" width="1280" height="700"></iframe>"""
# What the button of a course changes on a page: what is shown, the time of its film, or whether that runs.
STOOD = "[document.documentElement.dataset.ready, window.lab?.now?.t, window.lab?.player?.clock.runs].join()"
# Noted at the next press itself: a film may go on between two calls of a test.
NOTE = f"() => addEventListener('click', () => {{ window.stood = {STOOD}; }}, {{ capture: true, once: true }})"
# The next page has noted nothing; before its first element has come it has not even a document's element.
PRESSED = f"() => document.querySelector('#walk button') && {STOOD} !== window.stood"
# A page of a course shows what was asked of it last, its bet with its answers, too.
SETTLED = """() => document.querySelector('#walk button') && (({ lesson }, { ready }) => !lesson || (lesson.shown
  && lesson.shown.key === lesson.wanted.key && ready === lesson.shown.name)
)(lab.site, document.documentElement.dataset)"""
SLEEPS = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"  # only a hand wakes Python
UNFOLD = "() => { for (const one of document.querySelectorAll('#knobs details')) one.open = true; }"


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A site of all lessons as they open, with the moments and bets of a course, and Pyodide beside them."""
    out = tmp_path_factory.mktemp("site") / "lab"
    walked = {(stop.lesson, stop.key) for stop in COURSES[COURSE].stops}
    # The game's worlds are no films, and its moments cost nothing.
    shown = [
        replace(
            one,
            moments=[some for some in one.moments if some is one.opening or (one.key, some.key) in walked],
            bet=one.bet if (one.key, "bet") in walked else None,
        )
        if one.scene
        else one
        for one in LESSONS
    ]
    runs = Runs(workers=2)
    python = pyodide.folder(out.parent / "pyodide")
    assert building.build(out, shown, runs, python=python, scorm=COURSE) == []
    runs.close()
    (out / "platform.html").write_text(PLATFORM, encoding="utf-8")
    (out / "second").symlink_to(out)  # another site on the same origin
    with drive.files_of(out) as found:
        yield found


@contextmanager
def quiet_page(browser: Browser, host: str) -> Iterator[Page]:
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


@pytest.fixture
def page(browser: Browser, host: str) -> Iterator[Page]:
    with quiet_page(browser, host) as tab:
        yield tab


@pytest.fixture(scope="module")
def shared(browser: Browser, host: str) -> Iterator[Page]:
    """Drifting rewards for several tests: to wake Python takes most of a test's time."""
    with quiet_page(browser, host) as tab:
        opened(tab, "drift.html").evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        yield opened(tab, "drift.html")  # from here on the service worker keeps what comes


@pytest.fixture
def drift(shared: Page) -> Page:
    """The shared page as it opens, awake whatever the test before has done to it."""
    shared.locator("#reset").click()
    shared.wait_for_function("() => document.documentElement.dataset.ready.includes('/')")
    return awake(shared)


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
    text = text.replace("</p>", " ")
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
    assert told(page.locator(".caption").first.inner_html()) == told(scene["caption"])
    if scene["sentence"] and not any(one in text for one in OTHERS):
        # A number at the edge of a digit may round to the next one, as the comparison in Node allows.
        shown, right = told(page.locator("#finding").inner_text()), told(scene["sentence"])
        assert shown == right or is_edge(shown, right)


@pytest.mark.parametrize("key", sampled(PLAYED, "drift"))
def test_every_control_answers_as_a_server(request: pytest.FixtureRequest, key: str) -> None:
    """Of Drifting rewards one control of each kind: two Pythons are compared in tests/engine, too."""
    page = request.getfixturevalue("drift" if key == "drift" else "page")
    if key != "drift":
        awake(opened(page, f"{key}.html"))
    groups = json.loads(Desk([(BY_KEY[key], 0)]).say("page", f"{key}?"))["groups"]
    hands, knobs = 0, [knob for group in groups if group["place"] != "stage" for knob in group["knobs"]]
    if key == "drift":
        knobs = list({BY_KEY[key].knobs[knob].widget: knob for knob in reversed(knobs)}.values())
    for knob in knobs:
        if moved(page, knob):
            hands += 1
            same_as_python(page, key)
            page.locator("#undo").click()
            page.wait_for_function("() => document.documentElement.dataset.ready.includes('/')")
    assert hands


def test_stage_follows_a_dragged_slider(drift: Page) -> None:
    bar = drift.locator("#knobs .st-key-V input[type=range]")
    box = bar.bounding_box()
    drift.mouse.move(box["x"] + box["width"] / 3, box["y"] + box["height"] / 2)
    drift.mouse.down()
    for share in (0.4, 0.5, 0.6, 0.7):
        pictures = drift.evaluate("() => lab.charts.get('main').picture.drawn")
        drift.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
        drift.wait_for_function("before => lab.charts.get('main').picture.drawn > before", arg=pictures)
    drift.mouse.up()
    drift.wait_for_function("() => document.documentElement.dataset.ready.includes('V=')")
    assert drift.evaluate("() => document.activeElement.id") == "knob-V"  # an answer leaves the hand what it holds
    same_as_python(drift, "drift")


def test_drawers_tables_and_script_are_filled(page: Page) -> None:
    awake(opened(page, "bands.html"))
    assert moved(page, "V")
    for drawer, part in (
        ("#drawer-widths", ".chart :is(canvas, svg)"),  # Plotly draws where the pointer lies
        ("#drawer-looking", "p"),
        ("[id='drawer-Data table']", "td"),
        ("#drawer-script", "code"),
    ):
        page.locator(f"{drawer} summary").first.click()
        page.locator(f"{drawer} {part}").first.wait_for(state="attached")
    page.locator("#drawer-tasks summary").click()
    page.locator("#drawer-tasks button").first.click()
    page.wait_for_function("() => /Done|Not yet/.test(document.querySelector('#drawer-tasks output').textContent)")


def test_site_wakes_and_answers_without_network(drift: Page) -> None:
    leave_network(drift)
    drift.reload()
    drift.wait_for_function("() => document.documentElement.dataset.ready")
    awake(drift)
    assert moved(drift, "V")
    same_as_python(drift, "drift")
    drift.context.set_offline(False)


@pytest.mark.wide
def test_browser_without_storage_wakes_all_the_same(browser: Browser, host: str) -> None:
    denied = "{ get() { throw new DOMException('denied', 'SecurityError'); } }"
    names = ("caches", "localStorage", "sessionStorage", "indexedDB")
    taken = "".join(f"Object.defineProperty(window, '{one}', {denied});" for one in names)
    context = browser.new_context(base_url=host, color_scheme="light")
    context.add_init_script(f"{taken} Object.defineProperty(navigator, 'serviceWorker', {{ value: undefined }})")
    tab = opened(context.new_page(), "drift.html")
    wrong: list[str] = []
    tab.on("pageerror", lambda problem: wrong.append(str(problem)))
    assert moved(awake(tab), "V") and wrong == []
    same_as_python(tab, "drift")
    context.close()


@pytest.mark.wide
def test_two_sites_of_an_origin_keep_apart(page: Page) -> None:
    page.add_init_script(SLEEPS)
    for name in ("drift.html", "second/drift.html") * 2:  # the second time the service worker keeps what comes
        opened(page, name).evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    scopes = {one.split(" ")[1].split("/", 3)[3] for one in page.evaluate("() => caches.keys()")}
    assert scopes == {"", "second/"}
    leave_network(page)
    for name in ("drift.html", "second/drift.html"):
        opened(page, name)
        assert page.locator("#finding").inner_text() and page.locator(".gone").inner_text() == ""


def walk(page: Page | Frame) -> list[str]:
    """Press the course's button until its last page, with the right answer to a bet; return the headings."""
    seen: list[str] = []
    for _ in range(60):
        page.wait_for_function(SETTLED)
        if page.url.split("?")[0].endswith("-seen.html"):
            break
        seen += [one for one in [page.locator("h1").inner_text()] if one not in seen]
        options = page.locator(".st-key-bet_pick button")
        if options.count():
            lesson = BY_KEY[page.evaluate("() => lab.site.lesson.page.lesson")]
            right = bets.measured(State(lesson, lesson.settings({}), lesson.t)).right[0]
            options.nth(list(lesson.bet.options).index(right)).click()
        page.evaluate(NOTE)
        page.locator("#walk button").last.click()
        page.wait_for_function(PRESSED)
    assert page.url.split("?")[0].endswith("-seen.html")
    assert page.locator(".course li").count() == len(COURSES["twenty"].stops)
    return seen


def test_platform_hears_score_and_end_of_a_course(page: Page) -> None:
    page.add_init_script(SLEEPS)
    page.goto("/platform.html")
    walk(page.frames[1])
    page.wait_for_function("() => said['cmi.core.lesson_status'] === 'completed'")
    said = page.evaluate("() => said")
    assert [said[f"cmi.core.score.{one}"] for one in ("min", "raw", "max")] == ["0", "1", "1"]
    assert page.evaluate("() => [calls[0], calls.at(-1)]") == ["LMSInitialize", "LMSFinish"]


@pytest.mark.wide
def test_course_goes_on_offline_after_a_visit(page: Page) -> None:
    page.add_init_script(SLEEPS)
    page.goto(f"/{COURSE}.html?course={COURSE}")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    online = walk(page)
    leave_network(page)
    page.goto(f"/{COURSE}.html?course={COURSE}")
    assert walk(page) == online and len(online) > 5


def test_finger_moves_a_slider_on_a_phone(browser: Browser, host: str) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, base_url=host, color_scheme="light")
    tab = awake(opened(context.new_page(), "drift.html"))
    assert tab.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    bar = tab.locator("#knobs .st-key-V input[type=range]")
    bar.scroll_into_view_if_needed()
    box, before = bar.bounding_box(), ready(tab)
    assert box["height"] >= 44
    finger = Finger(tab, context.new_cdp_session(tab))
    stood = "() => [scrollY, document.querySelector('.st-key-V input').value, lab.now.t]"
    for part, rests in product(("#knobs .st-key-V input[type=range]", ".player input"), (0, HOLDS)):
        tab.locator(part).scroll_into_view_if_needed()
        high, *values = tab.evaluate(stood)
        finger.swipe(finger.place(part), 0, -FAR, rests)
        far, *after = tab.evaluate(stood)
        assert far - high >= AT_LEAST and after == values
    bar.scroll_into_view_if_needed()
    box = bar.bounding_box()
    tab.touchscreen.tap(box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2)
    tab.wait_for_function(STANDS, arg=before, timeout=AWAKE)
    assert "V=" in tab.url
    same_as_python(tab, "drift")
    context.close()


def test_table_of_ones_own_races_here(page: Page) -> None:
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.url) if asked.method != "GET" or asked.post_data else None)
    awake(opened(page, "real_data.html"))
    page.locator("#knobs .st-key-table select").select_option("own")
    page.locator("#own-file").wait_for(timeout=AWAKE)
    assert words.request_for_table("none") in page.locator(".refused").inner_text()
    page.locator("#own-file").set_input_files({"name": "book.xlsx", "mimeType": "", "buffer": b"PK\3\4 no workbook"})
    page.get_by_text("save the table as CSV").wait_for(timeout=AWAKE)
    page.get_by_role("button", name="Try the example").click()
    page.locator("#own-run:enabled").wait_for(timeout=AWAKE)
    assert "5 arms and 150 times" in page.locator("#own-table ul").inner_text()
    page.locator("#table-form .st-key-lower input").click()
    page.wait_for_function("() => location.hash.includes('lower')", timeout=AWAKE)
    page.locator("#own-run:enabled").click()
    page.wait_for_function("() => document.documentElement.dataset.ready.includes('lower')", timeout=AWAKE)
    assert "averaged" in page.locator("#finding").inner_text() and sent == []
    page.evaluate(AXE)
    found = page.evaluate("rules => axe.run(document, { runOnly: rules })", RULES)["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


def test_link_says_that_its_settings_come_later(page: Page) -> None:
    page.add_init_script(SLEEPS)
    opened(page, "drift.html#V=4")
    assert "as it opens" in page.locator(".gone").inner_text()
    page.locator("#engine button").click()  # leaving Python leaves the link as it is
    assert "V=4" in page.url
    awake(page)
    page.wait_for_function("() => document.documentElement.dataset.ready.includes('V=4')", timeout=AWAKE)
    assert page.locator(".gone").inner_text() == ""


def test_reader_can_leave_the_engine(page: Page) -> None:
    opened(page, "drift.html")
    page.locator("#knobs input").first.focus()
    page.locator("#engine button").click()
    page.wait_for_timeout(3000)  # longer than a page waits before it wakes the engine by itself
    assert page.locator("html").get_attribute("data-engine") == "asleep"
    assert page.locator("#engine").is_hidden()


@pytest.mark.parametrize("name", ["index", "game", "glossary"])
def test_pages_without_controls_read_in_the_dark(page: Page, name: str) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(f"{name}.html")
    page.wait_for_timeout(1000)  # a text fades in
    page.evaluate(AXE)
    found = page.evaluate("rules => axe.run(document, { runOnly: rules })", RULES)["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


@pytest.mark.parametrize("key", sampled(PLAYED, "drift", "race"))
def test_controls_have_names_and_states(page: Page, key: str) -> None:
    page.add_init_script(SLEEPS)
    opened(page, f"{key}.html").evaluate(UNFOLD)
    page.evaluate(AXE)
    found = page.evaluate("rules => axe.run(document, { runOnly: rules })", RULES)["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


def test_world_goes_through_pages_without_it(page: Page) -> None:
    page.add_init_script(SLEEPS)
    opened(page, "online.html#ell=0.1")  # a page without that control shows its opening, and needs no Python
    assert page.locator(".gone").inner_text() == ""
    for name in ("points.html", "index.html"):  # neither has that control
        page.goto(f"/{name}")
    page.locator(".cards a[href*='/theorems.html']").click()
    page.wait_for_function("() => location.hash.includes('ell=0.1') && document.querySelector('.gone')?.textContent")
