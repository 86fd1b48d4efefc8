"""The chase in a browser: it plays smoothly, steps by key, takes a question and a handle, and asks nobody else."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
SMOOTH = 50  # frames a second
SHARE = 0.8  # of what this machine shows of an empty canvas, where it is drawn without a graphics card
# Frames a second of a canvas as large as the stage on which next to nothing is drawn, over two seconds.
BARE = """() => new Promise(done => {
  const size = document.querySelector('.st-key-player').getBoundingClientRect(), c = document.createElement('canvas');
  c.width = size.width; c.height = size.height; c.style.cssText = 'position:fixed;left:0;top:0;z-index:9';
  document.body.append(c);
  const pen = c.getContext('2d', { alpha: false });
  let n = 0, first = null;
  const tick = now => { first ??= now; n++; pen.fillStyle = n % 2 ? '#eee' : '#ddd'; pen.fillRect(n % 99, 0, 9, 9);
    if (now - first < 2000) return requestAnimationFrame(tick);
    c.remove(); done(1000 * (n - 1) / (now - first)); };
  requestAnimationFrame(tick); })"""
PLAYED = """root => new Promise(done => {
  const stage = root.chase, from = stage.drawn, begun = performance.now();
  setTimeout(() => done(1000 * (stage.drawn - from) / (performance.now() - begun)), 3000); })"""


@pytest.fixture
def opened(stranger: Callable[[], Screen]) -> Callable[..., Screen]:
    """Open the front page and wait for its stage; it has no chart of Plotly's to wait for."""

    def go(motion: str = "no-preference", **link: object) -> Screen:
        screen = stranger()
        screen.page.emulate_media(reduced_motion=motion)
        screen.page.goto(f"{screen.address}/?" + "&".join(f"{key}={value}" for key, value in link.items()))
        screen.page.locator(".chase canvas").wait_for()
        screen.page.locator(".st-key-neighbours a").first.wait_for()  # the end of the page
        return screen.until("() => window.lab?.now?.reset?.startsWith('chase:')").hold(700)

    return go


def chase(screen: Screen, script: str) -> object:
    """The value of an expression about the stage, `c`."""
    return screen.page.locator(".chase").evaluate(f"root => (c => {script})(root.chase)")


def rests(screen: Screen, frame: int) -> Screen:
    """Wait until the stage stands at a frame."""
    screen.until("k => lab.now.t === k", frame)
    for _ in range(200):
        if chase(screen, "[c.k, c.p, !!c.playing]") == [frame, 1, False]:
            return screen
        screen.hold(50)
    raise AssertionError(f"stands at {chase(screen, '[c.k, c.p, c.playing]')}, not at {frame}")


def place(screen: Screen, x: float, height: float) -> tuple[float, float]:
    """Where on the screen an action and a reward lie on the first stage."""
    return tuple(
        chase(
            screen,
            f"(b => [b.left + c.panels[0].X({x}), b.top + c.panels[0].Y({height})])(c.stage.getBoundingClientRect())",
        )
    )


def test_at_speed_one_the_motion_is_smooth(opened: Callable[..., Screen]) -> None:
    screen = opened(moment="follow")
    screen.press("Home").hold(500)
    rates = []
    for _ in range(3):  # what else the machine does comes and goes: each rate is held against one of the same moment
        bare = screen.page.evaluate(BARE)
        screen.press("Space").hold(200)
        played = screen.page.locator(".chase").evaluate(PLAYED)
        screen.press("Space").hold(600)
        rates.append((round(played, 1), round(bare, 1)))
    print("frames a second while playing, and of an empty canvas:", rates)
    assert any(played >= min(SMOOTH, SHARE * bare) for played, bare in rates), rates
    cost = chase(
        screen,
        "(t => { for (let i = 0; i < 50; i++) c.draw(); return (performance.now() - t) / 50; })(performance.now())",
    )
    print("milliseconds of drawing a frame:", round(cost, 2))
    assert cost < 1000 / SMOOTH / 2
    assert screen.errors == [] and screen.outside == []


def test_after_three_rounds_a_round_takes_six_tenths_of_a_second(opened: Callable[..., Screen]) -> None:
    screen = opened()
    screen.press("Home").hold(500)
    times = chase(
        screen,
        """new Promise(done => { const times = [], label = c.label.bind(c);
          c.label = () => { label(); times[c.k] ??= performance.now(); if (c.k === 60) done(times); }; c.play(); })""",
    )
    slow, brisk = (times[12] - times[4]) / 2, (times[60] - times[20]) / 10
    assert slow == pytest.approx(2440, rel=0.1) and brisk == pytest.approx(600, rel=0.1)
    assert screen.errors == []


def test_keys_and_a_clicker_step_and_the_sentence_follows(opened: Callable[..., Screen]) -> None:
    screen = opened(t=40)
    steps = {"PageDown": 41, "ArrowRight": 42, "PageUp": 41, "ArrowLeft": 40, "Shift+ArrowRight": 44}
    for key, frame in (*steps.items(), ("Home", 0), ("PageUp", 0), ("End", 223), ("PageDown", 223)):
        rests(screen.press(key), frame)
    rests(screen.press("Home", *["PageDown"] * 10), 10)  # a press that comes before the last one was drawn counts
    rests(screen.press("End", "Shift+ArrowLeft"), 219)
    assert screen.finding.startswith("Keep every answer and you have paid") and "let old answers fade" in screen.finding
    screen.until("() => new URLSearchParams(location.search).get('t') === '219'")
    screen.press("Space").until("() => lab.now.t > 220").press("Space")
    assert chase(screen, "!c.playing")


def test_the_bar_scrubs_and_the_four_steps_are_buttons_while_stepping(opened: Callable[..., Screen]) -> None:
    screen = opened()
    steps, odds = screen.page.locator(".chase .steps"), screen.page.locator(".chase .odds")
    assert odds.is_visible() and not steps.is_visible() and "100 of 100" in odds.inner_text()
    rests(screen.press("ArrowLeft"), 198)
    assert steps.is_visible() and not odds.is_visible()
    screen.page.locator(".chase input[type=range]").fill("101")
    rests(screen, 101)
    screen.page.locator(".chase [data-step='3']").click()
    rests(screen, 103)
    current = screen.page.locator(".chase [aria-current=step]")
    assert current.count() == 1 and "Pay" in current.inner_text()
    assert "round 26 of 56 · pay" in screen.page.locator(".chase canvas").get_attribute("aria-label")


def test_a_click_asks_there_and_the_film_goes_on_from_this_round(opened: Callable[..., Screen]) -> None:
    screen = opened(t=21)
    screen.page.mouse.click(*place(screen, 0.70, 0.5))
    rests(screen, 23)  # asked and paid in round 6
    assert chase(screen, "[c.data.asked, c.data.learners[0].arms[5]]") == [[5], 70]
    screen.until("() => new URLSearchParams(location.search).get('asked') === '5-70'")
    screen.press("ArrowLeft", "ArrowLeft").hold(300)
    assert screen.finding.startswith("You choose x = 0.70")
    assert screen.errors == []


def test_in_a_hidden_world_the_next_question_is_waited_for(opened: Callable[..., Screen]) -> None:
    screen = opened(moment="your_turn")
    for i, x in enumerate((0.4, 0.8)):
        screen.page.mouse.click(*place(screen, x, 0.0))
        rests(screen, 4 * i + 5)
    assert chase(screen, "c.data.learners[0].arms.slice(0, 2)") == [40, 80]
    assert "where do you ask" in screen.finding


def test_twelve_questions_end_with_the_score_in_sentence_and_tower(opened: Callable[..., Screen]) -> None:
    screen = opened(moment="your_turn", asked="_".join(f"{row}-50" for row in range(11)), t=45)
    assert screen.finding.startswith("Round 12 of 12: where do you ask?") and chase(screen, "c.turn")
    screen.page.set_viewport_size({"width": 390, "height": 844})
    play, dock = (screen.hold(600).page.locator(one).bounding_box() for one in (".chase .go", ".st-key-controls"))
    assert play["y"] + play["height"] <= dock["y"]
    screen.page.set_viewport_size({"width": 1366, "height": 768})
    screen.hold(600)
    screen.page.mouse.click(*place(screen, 0.4, 0.0))
    rests(screen, 47)
    assert screen.finding.startswith("Your 12 rounds are over: you have paid ")
    assert f"{chase(screen, 'c.data.learners[0].paid[11]'):.1f}" in screen.finding and not chase(screen, "c.turn")


def test_the_word_of_the_step_stands_apart_from_the_speed_and_nothing_is_cut(opened: Callable[..., Screen]) -> None:
    screen = opened()
    for width, height in ((1366, 768), (844, 390)):
        screen.page.set_viewport_size({"width": width, "height": height})
        said, speed = (screen.hold(500).page.locator(f".bar {one}").bounding_box() for one in ("output", "select"))
        assert screen.page.locator(".bar output").inner_text() == "round 50 of 56 · pay"
        assert speed["x"] - said["x"] - said["width"] >= 12  # two spaces of the type
        assert speed["x"] + speed["width"] <= width
        assert screen.page.locator(".bar output").evaluate("el => el.scrollWidth <= el.clientWidth")


def test_a_question_can_be_asked_by_keyboard_alone(opened: Callable[..., Screen]) -> None:
    screen = opened(t=21)
    screen.press("a", "Shift+ArrowRight", "ArrowRight", "Enter")
    was = chase(screen, "c.data.learners[0].choice[5]")
    rests(screen, 23)
    assert chase(screen, "c.data.learners[0].arms[5]") == was + 11


def test_a_handle_bends_the_hill_under_the_finger_and_the_core_plays_the_same_rounds_again(
    opened: Callable[..., Screen],
) -> None:
    screen = opened()
    told = "({ paid: c.data.learners[0].paid[55], k: c.k, hill: c.shape(1)[80], y: c.data.learners[0].y[0] })"
    before = chase(screen, told)
    screen.page.get_by_role("button", name="Reshape the hill").click()
    mouse = screen.page.mouse
    mouse.move(*place(screen, 0.8, before["hill"]))
    mouse.down()
    mouse.move(*place(screen, 0.8, 1.5), steps=5)
    preview = chase(screen, "Array.from(c.shape(1))")
    assert preview[80] == pytest.approx(1.5, abs=0.06)
    mouse.up()
    screen.until("() => new URLSearchParams(location.search).get('end')").hold(800)
    after = chase(screen, told)
    assert chase(screen, "Array.from(c.data.shapes[1])") == pytest.approx(preview, abs=1e-4)  # what was shown is true
    assert after["paid"] != before["paid"] and after["k"] == before["k"]
    assert after["y"] == pytest.approx(before["y"])  # the same first round: it starts from the other shape
    assert screen.errors == [] and screen.outside == []


def test_a_reader_who_asked_for_less_motion_gets_jumps(opened: Callable[..., Screen]) -> None:
    screen = opened("reduce", t=40)
    screen.press("PageDown")
    assert chase(screen, "[c.k, c.p]") == [41, 1]
    screen.press("Space").hold(200)
    before = chase(screen, "c.drawn")
    screen.hold(600)
    assert chase(screen, "c.drawn") - before <= 3  # a jump or two, no motion between them


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844), (844, 390)])
def test_what_is_touched_is_large_enough_and_stage_and_player_lie_on_the_first_screen(
    opened: Callable[..., Screen], width: int, height: int
) -> None:
    screen = opened()
    screen.page.set_viewport_size({"width": width, "height": height})
    screen.hold(600)
    for box in screen.page.locator(".chase button, .chase select, .chase input").all():
        if box.is_visible():
            size = box.bounding_box()
            assert size["height"] >= 44 and size["width"] >= 44, (box.inner_text(), size)
    for part in (".chase canvas", ".chase [data-do=play]"):
        box = screen.page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= height and box["x"] >= 0 and box["x"] + box["width"] <= width, (part, box)


def test_the_front_page_fits_two_screens(opened: Callable[..., Screen]) -> None:
    screen = opened()
    tall = screen.page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollHeight")
    assert tall <= 2 * 768


@pytest.mark.parametrize(("width", "height", "link"), [
    (1366, 768, {}), (1280, 720, {"lecture": "true"}), (390, 844, {}), (844, 390, {}),
])  # fmt: skip
def test_the_beginning_stands_free_on_the_first_screen_and_leads_to_the_game(
    opened: Callable[..., Screen], width: int, height: int, link: dict[str, str]
) -> None:
    screen = opened(**link)
    screen.page.set_viewport_size({"width": width, "height": height})
    start = screen.hold(600).page.locator(".st-key-start a")
    box = start.bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= height and box["x"] + box["width"] <= width
    if "lecture" not in link and height > 500:  # a low screen and a hall have no room for the lab's name
        named = screen.page.locator(".st-key-welcome strong").bounding_box()
        assert named["y"] >= 0 and named["y"] + named["height"] <= box["y"] + box["height"]
    said = screen.page.locator(".st-key-finding .live").bounding_box()  # not under it
    assert said["y"] >= box["y"] + box["height"] or said["x"] + said["width"] <= box["x"]
    start.click()
    screen.page.locator(".game .ask").wait_for()


def test_in_a_course_on_a_phone_on_its_side_the_player_is_above_the_bar(opened: Callable[..., Screen]) -> None:
    screen = opened(stops="chase.follow", stop=1, moment="follow")
    screen.page.set_viewport_size({"width": 844, "height": 390})
    play, bar = (screen.hold(600).page.locator(one).bounding_box() for one in (".chase .go", ".st-key-course_bar"))
    assert play["y"] + play["height"] <= bar["y"]
