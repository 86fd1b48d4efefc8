"""A page opens quietly, everything needed is on the first screen, and the keys drive time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.conftest import IN_THE_MIDDLE
from tests.browser.screen import FILMED, Screen, every_page

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
CHOSEN = "aria-checked"
STAGE = "place => !!document.querySelector(`.st-key-stage_${place} .js-plotly-plot`)?._fullLayout"


@every_page
def test_a_page_opens_without_an_error_and_asks_nobody_else(tab: Tab, path: str) -> None:
    screen = tab(path)
    assert screen.page.locator(".st-key-finding_spot .live").is_visible()
    assert len(screen.finding) > 20
    screen.press("End").settle()
    assert screen.errors == []
    assert screen.outside == []
    assert screen.page.get_by_test_id("stException").count() == 0


@every_page
def test_figure_finding_and_player_share_the_first_screen(tab: Tab, path: str) -> None:
    screen = tab(path)
    for part in (".st-key-finding_spot .live", ".st-key-main .js-plotly-plot", ".player"):
        box = screen.page.locator(part).first.bounding_box()
        assert box["y"] >= 0 and box["x"] >= 0, part
        assert box["y"] + box["height"] <= 768 and box["x"] + box["width"] <= 1366, (part, box)


# Milliseconds to measure a new text, as Plotly does for every label: the median of 25.
MEASURE = """() => {
  const times = [], place = document.getElementById('js-plotly-tester');
  for (let i = 0; i < 25; i++) {
    const start = performance.now(), text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
    text.textContent = 'abc';
    place.append(text);
    text.getBoundingClientRect();
    text.remove();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[12];
}"""


@every_page
def test_measuring_a_label_does_not_restyle_the_page(tab: Tab, path: str) -> None:
    """A rule such as body:has(...) made it 25 ms; without one it is 0.05, and a loaded machine is ten times slower."""
    for lecture in ("false", "true"):
        assert tab(path, lecture=lecture).page.evaluate(MEASURE) < 1


@every_page
def test_the_keys_of_a_clicker_move_time_one_step_and_to_the_ends(tab: Tab, path: str) -> None:
    screen = tab(path, **IN_THE_MIDDLE.get(path, {}))
    start, last = screen.frame, int(screen.page.locator(".player input").get_attribute("max"))
    screen.press("PageDown").at(start + 1)
    screen.press("PageUp", "PageUp").at(start - 1)
    screen.press("ArrowRight").at(start)
    screen.press("End").at(last)
    screen.press("PageDown").at(last)
    screen.press("Home").at(0)
    screen.press("PageUp").at(0)
    screen.press("Shift+ArrowRight").until("() => lab.now.t > 0")
    assert 0 < screen.frame < last  # both pages have an event between their ends
    event = screen.frame
    screen.press("PageDown").at(event + 1)
    screen.press("Shift+ArrowLeft").at(event)


@every_page
def test_ten_fast_presses_leave_one_copy_of_each_chart_on_the_same_node(tab: Tab, path: str) -> None:
    screen = tab(path, **IN_THE_MIDDLE.get(path, {})).closer(*FILMED[path][1:])
    start, before = screen.frame, screen.page.evaluate("() => tab.copies()")
    screen.mark()
    screen.page.evaluate("() => tab.watch()")
    screen.press(*["PageDown"] * 10).at(start + 10)
    assert set(screen.page.evaluate("() => tab.copies()").values()) == {1}
    screen.linked()  # the pause after the last press is told to Python
    after = screen.page.evaluate("() => tab.copies()")
    assert after == before and set(after.values()) == {1}
    assert screen.page.evaluate("() => tab.most") == 1
    assert all(screen.marked(key) for key in FILMED[path])
    assert screen.frame == start + 10


@every_page
def test_playing_sends_nothing_and_a_pause_sends_one_message_and_writes_the_link(tab: Tab, path: str) -> None:
    screen = tab(path).closer(*FILMED[path][1:]).press("Home").linked()
    said = screen.finding
    screen.mark()
    screen.sent.clear()
    screen.press("Space").until("() => lab.now.t >= 6")
    assert screen.finding != said  # the sentence plays along
    assert screen.sent == []
    screen.press("Space")
    stopped = screen.frame
    screen.linked().hold(500)
    assert screen.frame == stopped  # it did stop
    assert len(screen.sent) == 1
    assert all(screen.marked(key) for key in FILMED[path])


@every_page
def test_with_reduced_motion_play_jumps_to_the_next_event_and_rests(tab: Tab, path: str) -> None:
    screen = tab(path, media={"reduced_motion": "reduce"}).press("Home").at(0)
    screen.press("Shift+ArrowRight").until("() => lab.now.t > 0")
    event = screen.frame
    screen.press("Home").at(0)
    screen.press("Space").at(event).hold(400)
    assert screen.frame == event
    assert screen.page.locator(".player [data-do=play]").get_attribute("aria-label") == "Play"


@every_page
def test_b_blanks_the_screen_and_b_brings_it_back(tab: Tab, path: str) -> None:
    screen = tab(path).press("b")
    box = screen.page.locator("#tvbo-blank").bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 1366, 768)
    screen.press("b")
    assert screen.page.locator("#tvbo-blank").count() == 0


@every_page
def test_a_number_key_opens_a_prepared_moment_with_its_line_to_say(tab: Tab, path: str) -> None:
    screen = tab(path)
    said = set()
    for number in (3, 1):
        screen.redraw(lambda: screen.press(str(number)))  # noqa: B023
        said.add(screen.page.locator(".st-key-moments [data-testid=stCaptionContainer]").inner_text())
        assert screen.page.locator(".st-key-moment button").nth(number - 1).get_attribute(CHOSEN) == "true"
    assert len(said) == 2
    assert all(line.startswith("“") for line in said)


@every_page
def test_l_switches_to_type_that_a_hall_can_read(tab: Tab, path: str) -> None:
    screen = tab(path, size={"width": 1920, "height": 1080})

    def sizes() -> list[float]:
        return [word["size"] for word in screen.words()["words"] if word["tick"]]

    assert min(sizes()) == 14
    screen.press("l").until("() => document.querySelector('.st-key-stage_hall .js-plotly-plot')?._fullLayout").settle()
    assert len(sizes()) >= 12 and min(sizes()) >= 22  # 1/50 of 1080 lines: the least that a hall can read
    assert min(word["size"] for word in screen.words()["words"]) >= 22
    screen.press("l").until("() => document.querySelector('.st-key-stage_desk .js-plotly-plot')?._fullLayout").settle()
    assert min(sizes()) == 14


@every_page
def test_on_a_slow_line_the_look_of_a_hall_comes_and_goes_with_two_players_on_the_page(tab: Tab, path: str) -> None:
    screen = tab(path)
    screen.page.evaluate("() => { tab.slow = 40; }")  # the new stage and its player arrive before the old ones leave
    for stage in ("hall", "desk", "hall", "desk"):
        screen.press("l").until(f"() => document.querySelector('.st-key-stage_{stage} .js-plotly-plot')?._fullLayout")
        screen.settle()
    assert set(screen.page.evaluate("() => tab.copies()").values()) == {1}
    frame = screen.frame
    assert screen.press("PageUp").hold(500).frame == frame - 1  # one player hears the keys
    assert screen.errors == []


@every_page
def test_a_focused_slider_keeps_its_arrows_and_gives_page_keys_to_time(tab: Tab, path: str) -> None:
    screen = tab(path, **IN_THE_MIDDLE.get(path, {}))
    frame, V = screen.frame, screen.value("V")
    screen.redraw(lambda: screen.turn("V", "ArrowRight"))
    moved = screen.value("V")
    assert moved > V and screen.frame == frame
    screen.slider("V").focus()
    screen.press("PageDown").at(frame + 1)
    screen.press("PageUp", "PageUp").at(frame - 1)
    assert screen.value("V") == moved
