"""A browser tab at the game: all that the server said to it, and what a player sees and does."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.answers import films_in
from tests.browser.screen import Screen
from tests.lessons.game.games import board_of
from tests.lessons.shown import decode

PATIENCE = 60_000  # milliseconds; a busy machine is slow, not wrong
PATH = "You_against_the_bandits"
PLACE = """x => { const chart = lab.charts.get('main'), home = chart.root.getBoundingClientRect(),
  { left, right, top, bottom } = lab.player.ask.box(chart, 'x');
  return [home.left + left + x * (right - left), home.top + (top + bottom) / 2]; }"""


class GameTab:
    """A browser tab at the game: all that the server said to it, and what a player sees and does."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.heard: list[bytes] = []
        page.on(
            "websocket",
            lambda wire: wire.on(
                "framereceived", lambda said: self.heard.append(said if isinstance(said, bytes) else said.encode())
            ),
        )
        self.screen = Screen(page, address)

    def sit(self, **link: object) -> GameTab:
        query = "&".join(f"{key}={value}" for key, value in link.items())
        self.page.goto(f"{self.address}/{PATH}?{query}")
        self.round(1)
        seen: list[str] = []  # a player aims at what stands still: the page arrives around the stage
        while len(seen) < 6 or len(set(seen[-6:])) > 1:
            assert len(seen) < PATIENCE / 100, "the stage does not come to rest"
            box = self.page.locator(".st-key-main .chart").first.bounding_box()
            seen.append(str(box or len(seen)))  # none while the stage is put up anew
            self.screen.hold(100)
        return self

    @property
    def status(self) -> str:
        return self.screen.finding

    @property
    def ask(self) -> Locator:
        return self.page.locator(".player [data-do=ask]")

    def round(self, n: int) -> GameTab:
        """Wait until round n is asked for."""
        expect(self.page.locator(".st-key-finding .live")).to_contain_text(f"Round {n} of", timeout=PATIENCE)
        self.page.wait_for_function("n => lab.player?.film.times?.[0] === n - 1", arg=n, timeout=PATIENCE)
        return self

    def at(self, x: float) -> tuple[float, float]:
        """Return the place of an action on the screen, in the middle of the stage."""
        return tuple(self.page.evaluate(PLACE, x))

    def messages(self) -> list[dict]:
        """Return what the stage was told, in order."""
        return [board_of(decode(found)) for said in self.heard for found in films_in(said)]


def play(seat: GameTab, rounds: int, until: int | None = None) -> None:
    """Rounds by keys: the cursor wanders, each question waits for its answer."""
    for n in range(1, (until or rounds) + 1):
        seat.page.keyboard.press("Shift+ArrowRight" if n % 3 else "Home")
        seat.page.keyboard.press("Enter")
        if n < rounds:
            seat.round(n + 1)
