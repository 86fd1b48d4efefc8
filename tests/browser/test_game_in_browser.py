"""The game in a browser: twelve rounds by keys, clicks and taps, one message a round, nothing told before the end."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from common.formats import three_digits
from shell import skeleton
from tests.browser.boxes import sound
from tests.browser.conftest import PATIENCE
from tests.browser.screen import Screen
from tvbo_core.worlds.codes import encode

pytestmark = pytest.mark.browser
PATH = "You_against_the_bandits"
STILL, JUMPS = encode(0, 33), encode(4, 2)
PHONE = {"width": 360, "height": 740}
PAUSE = 380  # milliseconds; a second click on the same place within 350 belongs to the first


class Table:
    """A browser tab at the game: all that the server said to it, and what a player sees and does."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.heard: list[bytes] = []
        page.on("websocket", lambda wire: wire.on("framereceived", lambda said: self.heard.append(_bytes(said))))
        self.screen = Screen(page, address)

    def sit(self, **link: object) -> Table:
        query = "&".join(f"{key}={value}" for key, value in link.items())
        self.page.goto(f"{self.address}/{PATH}?{query}")
        self.round(1)
        seen: list[str] = []  # a player aims at what stands still: the page arrives around the stage
        while len(seen) < 6 or len(set(seen[-6:])) > 1:
            assert len(seen) < PATIENCE / 100, "the stage does not come to rest"
            box = self.page.locator(".game .stage path").first.bounding_box()
            seen.append(str(box or len(seen)))  # none while the stage is put up anew
            self.screen.hold(100)
        return self

    @property
    def status(self) -> str:
        return self.page.locator(".game .status").inner_text()

    @property
    def ask(self):
        return self.page.locator(".game .ask")

    def round(self, n: int) -> Table:
        """Wait until round n is asked for."""
        expect(self.page.locator(".game .status")).to_contain_text(f"Round {n} of", timeout=PATIENCE)
        return self

    def at(self, x: float) -> tuple[float, float]:
        """Where on the screen an action lies, in the middle of the stage."""
        line = self.page.locator(".game .stage path").first  # a line of the grid, from x = 0 to x = 1
        box = line.bounding_box()
        stage = self.page.locator(".game .stage").bounding_box()
        return box["x"] + x * box["width"], stage["y"] + stage["height"] / 2

    def told(self) -> list[float]:
        """The rewards of the last message."""
        return self.messages()[-1]["heard"]

    def messages(self) -> list[dict]:
        """The stage's own messages, in order."""
        found = re.findall(rb'\{"game": "[^}]*\{[^}]*\}\}', b"\n".join(self.heard))
        return [json.loads(text) for text in found]


def _bytes(said: bytes | str) -> bytes:
    return said if isinstance(said, bytes) else said.encode()


@pytest.fixture
def table(browser: Browser, address: str) -> Iterator[Callable[..., Table]]:
    """Each call is a player with a browser of their own."""
    contexts = []

    def come(phone: bool = False) -> Table:
        look = (
            {"viewport": PHONE, "has_touch": True, "is_mobile": True}
            if phone
            else {"viewport": {"width": 1366, "height": 768}}
        )
        contexts.append(browser.new_context(**look))
        contexts[-1].set_default_timeout(PATIENCE)
        return Table(contexts[-1].new_page(), address)

    yield come
    for context in contexts:
        context.close()


def play(seat: Table, rounds: int, until: int | None = None) -> None:
    """Rounds by keys: the cursor wanders, each question waits for its answer."""
    for n in range(1, (until or rounds) + 1):
        seat.page.keyboard.press("Shift+ArrowRight" if n % 3 else "Home")
        seat.page.keyboard.press("Enter")
        if n < rounds:
            seat.round(n + 1)


def look(seat: Table, key: str = "none") -> None:
    """Say how the world moved, and see the truth."""
    seat.page.locator(f".st-key-guess_{key} button").click()
    seat.screen.settle()


def test_twelve_rounds_by_keys_send_one_message_each_and_end_with_the_truth(table: Callable[..., Table]) -> None:
    seat = table().sit()
    seat.screen.sent.clear()
    play(seat, 12, until=11)
    assert len(seat.screen.sent) == 11
    assert seat.page.locator(".js-plotly-plot").count() == 0
    seat.page.keyboard.press("Enter")
    expect(seat.page.locator(".game .status")).to_contain_text("All 12 rounds are played", timeout=PATIENCE)
    assert seat.page.locator(".js-plotly-plot").count() == 0
    look(seat, "glide")
    assert "You came" in seat.screen.finding
    assert seat.page.get_by_text("you guessed it").is_visible()  # the hill of the untouched page glides
    assert seat.screen.frame == 11 and seat.page.locator(".game").count() == 0
    seat.screen.press("Home").at(0)
    assert seat.screen.finding.startswith("You asked x = ")
    seat.screen.press("PageDown").at(1).hold(600).settle()
    for when in ("PageDown", "End"):
        sound(seat.screen.press(when).hold(500).settle().words("main"), when)
    assert seat.screen.errors == [] and seat.screen.outside == []
    said = seat.screen.finding
    seat.page.evaluate("() => document.activeElement.blur()")
    seat.screen.sent.clear()
    seat.screen.press("Enter", "Enter").hold(500)
    assert seat.screen.finding == said and seat.screen.sent == []


def test_the_clicks_of_a_game_stand_in_lesson_0_with_its_regret_and_nothing_is_asked_there(
    table: Callable[..., Table],
) -> None:
    seat = table().sit()
    play(seat, 12)
    expect(seat.page.locator(".game .status")).to_contain_text("All 12 rounds are played", timeout=PATIENCE)
    assert seat.page.locator("a[href*='clicks=']").count() == 0
    look(seat, "glide")
    told = re.search(r"you paid ([\d.]+)", seat.screen.finding)[1]
    seat.page.get_by_role("link", name="See your clicks in Chase the peak").click()
    seat.screen.until("() => lab.now?.reset?.startsWith('chase:') && lab.now.t === 47").hold(1500)
    assert f"You have paid {told};" in seat.screen.finding
    stage = (
        "root => (c => [c.data.learners[1].yours, c.data.learners[1].paid[11], c.data.learners[1].arms])(root.chase)"
    )
    yours, paid, arms = seat.page.locator(".chase").evaluate(stage)
    assert yours and three_digits(paid) == told and len(arms) == 12
    assert not seat.page.get_by_text("Reshape the hill").is_visible()
    box, address = seat.page.locator(".chase canvas").bounding_box(), seat.page.url
    seat.page.mouse.click(box["x"] + 0.3 * box["width"], box["y"] + 0.5 * box["height"])
    seat.page.keyboard.press("a")
    seat.page.keyboard.press("Enter")
    seat.screen.hold(1500)
    assert seat.page.url == address and seat.page.locator(".chase").evaluate(stage) == [yours, paid, arms]
    assert seat.screen.errors == []


def test_a_look_at_ones_clicks_stays_in_a_course(table: Callable[..., Table]) -> None:
    seat = table().sit(course="twenty", stop=1, moment="glide")
    play(seat, 12)  # how this world moves is told before
    seat.page.get_by_role("link", name="See your clicks in Chase the peak").click()
    seat.screen.until("() => lab.now?.reset?.startsWith('chase:') && lab.now.t === 47 && !!lab.course").hold(1500)
    assert seat.page.locator(".course .where").inner_text() == "back to 1 of 5"  # where a step back leads
    seat.screen.press("PageUp").until("path => location.pathname.endsWith(path)", PATH).hold(1000)  # back to its stop
    seat.screen.until("() => !!lab.course").press("PageDown").until("() => location.search.includes('stop=2')")
    assert seat.screen.errors == []


def test_a_click_asks_where_it_falls_and_a_double_click_asks_once(table: Callable[..., Table]) -> None:
    seat = table().sit(rounds=10)
    for n, x in enumerate((0.1, 0.52, 1.0), start=1):
        seat.page.mouse.click(*seat.at(x))
        seat.round(n + 1)
        assert f"at x = {x:.2f}" in seat.status
        seat.screen.hold(PAUSE)
    seat.page.mouse.dblclick(*seat.at(0.3))
    seat.round(5).screen.hold(PAUSE)
    seat.ask.dblclick()
    seat.round(6).screen.hold(PAUSE)
    assert seat.status.startswith("Round 6 of 10") and seat.messages()[-1]["asked"] == [10, 52, 100, 30, 30]


def test_clicks_that_come_before_the_answer_wait_in_sight_and_none_is_lost(table: Callable[..., Table]) -> None:
    seat = table().sit(rounds=10)
    intro = seat.page.locator(".game .intro")
    assert intro.is_visible() and "regret" in intro.inner_text()
    seat.page.evaluate("() => { tab.slow = 900; }")  # every answer takes a while
    for spot in [seat.at(x) for x in (0.1, 0.5, 0.9)]:
        seat.page.mouse.click(*spot)
    assert not intro.is_visible()
    waiting = seat.page.locator(".game .pending text")
    expect(waiting).to_have_text(["asked: round 1", "waits: round 2", "waits: round 3"])
    assert seat.page.locator(".game .help").inner_text() == "2 questions wait for the answer before."
    seat.round(4)
    expect(waiting).to_have_count(0)
    assert seat.messages()[-1]["asked"] == [10, 50, 90]


@pytest.mark.parametrize("course", [{}, {"stops": "game.secret,chase.follow", "stop": 1}], ids=["alone", "in a course"])
def test_on_a_phone_on_its_side_the_axes_and_all_that_is_pressed_are_free(
    table: Callable[..., Table], course: dict[str, object]
) -> None:
    seat = table()
    seat.page.set_viewport_size({"width": 844, "height": 390})
    seat.sit(moment="secret", **course)
    low = seat.page.locator(".st-key-course_bar").bounding_box()["y"] if course else 390
    rules, line = (seat.page.locator(f".game .{one}").first.bounding_box() for one in ("intro", "stage path"))
    assert rules["y"] + rules["height"] <= line["y"] and "and ask: you hear" in seat.page.locator(".intro").inner_text()
    said = seat.page.locator(".st-key-finding .live").bounding_box()
    assert said["y"] + said["height"] <= rules["y"]
    for button in seat.page.locator(".game .row button").all():
        box = button.bounding_box()
        assert box["y"] + box["height"] <= low and box["height"] >= 44
    play(seat, 12)
    guesses = seat.page.locator(".st-key-guess button")
    expect(guesses).to_have_count(5)
    for button in guesses.all():
        box = button.bounding_box()
        assert box["y"] + box["height"] <= low


def test_no_more_questions_wait_than_there_are_rounds(table: Callable[..., Table]) -> None:
    seat = table().sit(rounds=10)
    seat.page.evaluate("() => { tab.slow = 60; }")
    for spot in [seat.at(0.05 + 0.07 * n) for n in range(13)]:
        seat.page.mouse.click(*spot)
    expect(seat.page.locator(".game .status")).to_contain_text("All 10 rounds are played", timeout=PATIENCE)
    assert [round(0.01 * arm, 2) for arm in seat.messages()[-1]["asked"]] == [
        round(0.05 + 0.07 * n, 2) for n in range(10)
    ]
    assert seat.screen.errors == []


def test_clicks_beside_the_axes_and_slides_ask_nothing(table: Callable[..., Table]) -> None:
    seat = table().sit(rounds=10)
    stage = seat.page.locator(".game .stage").bounding_box()
    seat.page.mouse.click(stage["x"] + 4, stage["y"] + stage["height"] / 2)  # on the numbers of the axis
    seat.page.mouse.click(stage["x"] + stage["width"] / 2, stage["y"] + 5)  # above the axes
    seat.page.mouse.move(*seat.at(0.2))
    seat.page.mouse.down()
    seat.page.mouse.move(*seat.at(0.7), steps=5)
    seat.page.mouse.up()
    seat.screen.hold(500)
    assert seat.status.startswith("Round 1 of") and seat.ask.inner_text() == "Ask at x = 0.70"


def test_keys_move_by_a_hundredth_or_a_tenth_stop_at_the_ends_and_a_held_enter_asks_once(
    table: Callable[..., Table],
) -> None:
    seat = table().sit(rounds=10)
    keys = seat.page.keyboard
    for key, x in (
        ("ArrowRight", 0.51),
        ("Shift+ArrowRight", 0.61),
        ("ArrowLeft", 0.60),
        ("PageUp", 0.50),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("End", 1),
        ("Shift+ArrowRight", 1),
    ):
        keys.press(key)
        expect(seat.ask).to_have_text(f"Ask at x = {x:.2f}")
    for _ in range(6):
        keys.down("Enter")  # from the second on the browser says that the key repeats
        seat.screen.hold(90)
    keys.up("Enter")
    seat.round(2).screen.hold(300)
    assert seat.messages()[-1]["asked"] == [100]
    stage = seat.page.locator(".game .stage")
    assert stage.get_attribute("aria-valuetext") == "x = 1.00"
    stage.focus()
    assert stage.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    keys.press("Space")
    seat.round(3)


def test_two_players_of_one_link_hear_the_same_and_another_world_sounds_different(table: Callable[..., Table]) -> None:
    one, two, other = table(), table(), table()
    for seat, world in ((one, STILL), (two, STILL.upper()), (other, JUMPS)):
        seat.sit(world=world, rounds=10)
        play(seat, 10, until=4)
    assert one.told() == two.told() and len(one.told()) == 4
    assert one.told() != other.told()


def test_nothing_tells_how_the_world_moves_before_the_end(table: Callable[..., Table]) -> None:
    heard = {}
    for world in (STILL, JUMPS):
        seat = table().sit(world=world, rounds=10)
        play(seat, 10, until=5)
        allowed = {"game", "rounds", "arms", "asked", "heard", "reach", "status", "look"}
        assert len(seat.messages()) >= 6 and all(set(said) == allowed for said in seat.messages())
        everything = b"\n".join(seat.heard)
        assert b"tvbo_player" not in everything and b"bdata" not in everything
        # Each brings the code of the stage and what was heard: the truth, 10 x 101 numbers, would be 4 kB at least.
        sizes = [len(said) for said in seat.heard if b'{"game"' in said]
        assert max(sizes) - min(sizes) < 1500
        words = {w.lower() for w in re.findall(rb"[A-Za-z]{4,}", everything)}
        heard[world] = {w for w in words if not re.fullmatch(rb"[a-f]+", w) and w not in world.encode()}
        seat.page.close()
    # Word for word the same, whatever the world: what differs are numbers, names of runs and the codes. A place is sent
    # as it stands when Streamlit sends: a page that is drawn at once never tells its skeleton, in any world.
    assert heard[STILL] ^ heard[JUMPS] <= set(skeleton.SENTENCE.encode().split())  # both classes of the skeletons


def test_a_reload_begins_at_round_one_and_the_lecture_key_does_not(table: Callable[..., Table]) -> None:
    seat = table().sit(rounds=10)
    play(seat, 10, until=2)
    before = seat.status
    seat.page.keyboard.press("l")
    expect(seat.page.locator(".game.hall")).to_have_count(1, timeout=PATIENCE)
    assert seat.status == before
    sizes = seat.page.locator(".game svg text").evaluate_all(
        "all => all.map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(sizes) >= 22
    seat.page.keyboard.press("b")
    expect(seat.page.locator("#tvbo-blank")).to_have_count(1)
    seat.page.keyboard.press("b")
    expect(seat.page.locator("#tvbo-blank")).to_have_count(0)
    seat.page.reload()
    seat.round(1)


def test_on_a_phone_fingers_play_and_nothing_scrolls_sideways(table: Callable[..., Table]) -> None:
    seat = table(phone=True).sit(rounds=10)
    wide = """() => [document.documentElement, document.querySelector('[data-testid=stMain]')]
        .every(e => e.scrollWidth <= innerWidth)"""
    assert seat.page.evaluate(wide)
    for name in ("left", "ask", "right"):
        box = seat.page.locator(f".game [data-do={name}]").bounding_box()
        assert box["width"] >= 44 and box["height"] >= 44 and box["y"] + box["height"] <= PHONE["height"]
    sizes = seat.page.locator(".game svg text, .game p, .game button").evaluate_all(
        "all => all.map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(sizes) >= 14
    for n in range(1, 10):
        seat.page.touchscreen.tap(*seat.at(n / 10))
        seat.round(n + 1)
        assert f"at x = {n / 10:.2f}" in seat.status
        seat.screen.hold(PAUSE)
    seat.page.locator(".game [data-do=left]").tap()
    expect(seat.ask).to_have_text("Ask at x = 0.89")
    seat.ask.tap()
    seat.page.locator(".st-key-guess_none button").tap()
    seat.screen.settle()
    assert "You came" in seat.screen.finding and seat.page.evaluate(wide)
    seen = seat.screen.words("main")
    assert min(word["size"] for word in seen["words"]) >= 14
    left, _, right, _ = seen["frame"]
    assert all(word["box"][0] >= left - 1 and word["box"][2] <= right + 1 for word in seen["words"])
    assert seat.screen.errors == []


def test_no_text_of_the_reveal_is_clipped_or_covered_in_a_hall(table: Callable[..., Table]) -> None:
    seat = table().sit(rounds=10, lecture="true")
    play(seat, 10)
    look(seat)
    for when in ("Home", "PageDown", "End"):
        sound(seat.screen.press(when).hold(500).settle().words("main"), when)
