"""A finger on a page, by touches of the browser's own kind: it scrolls, and pages hear pointers and touches."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import CDPSession, Page

FAR = 220  # pixels of a swipe
AT_LEAST = 100  # of these a page has to go: a browser takes the first 15 for a tap that slips
HOLDS = 450  # milliseconds; a finger holds after 300


@dataclass
class Finger:
    """A finger on a page whose context has touch."""

    page: Page
    wire: CDPSession

    def swipe(self, spot: tuple[float, float], across: float, down: float, hold: int = 0) -> None:
        """Lay the finger down, move it and lift it."""
        self._touch("touchStart", *spot)
        self.page.wait_for_timeout(hold)
        for share in (0.1, 0.25, 0.4, 0.6, 0.8, 1.0):
            self._touch("touchMove", spot[0] + share * across, spot[1] + share * down)
            self.page.wait_for_timeout(16)
        self.page.wait_for_timeout(120)  # a finger that is lifted at speed throws the page on
        self.wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.page.wait_for_timeout(150)

    def _touch(self, kind: str, x: float, y: float) -> None:
        self.wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})

    def place(self, part: str) -> tuple[float, float]:
        """Return a place in the right half of a part of the page."""
        box = self.page.locator(part).first.bounding_box()
        return box["x"] + 0.6 * box["width"], box["y"] + 0.6 * box["height"]
