"""A browser tab at the game: all that the server said to it, and what a player sees and does."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.screen import Screen

PATIENCE = 60_000  # milliseconds; a busy machine is slow, not wrong
PATH = "You_against_the_bandits"


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
            box = self.page.locator(".game .stage path").first.bounding_box()
            seen.append(str(box or len(seen)))  # none while the stage is put up anew
            self.screen.hold(100)
        return self

    @property
    def status(self) -> str:
        return self.page.locator(".game .status").inner_text()

    @property
    def ask(self) -> Locator:
        return self.page.locator(".game .ask")

    def round(self, n: int) -> GameTab:
        """Wait until round n is asked for."""
        expect(self.page.locator(".game .status")).to_contain_text(f"Round {n} of", timeout=PATIENCE)
        return self

    def at(self, x: float) -> tuple[float, float]:
        """Where on the screen an action lies, in the middle of the stage."""
        line = self.page.locator(".game .stage path").first  # a line of the grid, from x = 0 to x = 1
        box = line.bounding_box()
        stage = self.page.locator(".game .stage").bounding_box()
        return box["x"] + x * box["width"], stage["y"] + stage["height"] / 2

    def messages(self) -> list[dict]:
        """The stage's own messages, in order."""
        found = re.findall(rb'\{"game": "[^}]*\{[^}]*\}\}', b"\n".join(self.heard))
        return [json.loads(text) for text in found]


def play(seat: GameTab, rounds: int, until: int | None = None) -> None:
    """Rounds by keys: the cursor wanders, each question waits for its answer."""
    for n in range(1, (until or rounds) + 1):
        seat.page.keyboard.press("Shift+ArrowRight" if n % 3 else "Home")
        seat.page.keyboard.press("Enter")
        if n < rounds:
            seat.round(n + 1)
