"""Bounding boxes of what is written on a page: what is cut, what touches, what is too small.

The measures come from boxes.js; each function returns a list of findings, empty where all is well.
"""

from __future__ import annotations

from itertools import combinations

from tests.browser.screen import Screen

SLACK = 1.0  # pixels: boxes are fractions of a pixel, ink is not


def outside(seen: dict) -> list[str]:
    """Return the texts that leave the frame."""
    left, top, right, bottom = seen["frame"]
    return [
        word["text"]
        for word in seen["words"]
        if word["box"][0] < left - SLACK
        or word["box"][1] < top - SLACK
        or word["box"][2] > right + SLACK
        or word["box"][3] > bottom + SLACK
    ]


def touching(seen: dict) -> list[tuple[str, str]]:
    """Return pairs of texts whose ink overlaps."""
    pairs = []
    for a, b in combinations(seen["words"], 2):
        if a.get("turned") and b.get("turned"):
            continue  # names of a slanted axis: their boxes overlap, their ink does not
        wide = min(a["box"][2], b["box"][2]) - max(a["box"][0], b["box"][0])
        tall = min(a["box"][3], b["box"][3]) - max(a["box"][1], b["box"][1])
        if wide > SLACK and tall > SLACK:
            pairs.append((a["text"], b["text"]))
    return pairs


def cut(screen: Screen, *parts: str, low: float | None = None) -> list[str]:
    """Return which parts of a page do not stand whole on the window, above `low`."""
    size, found = screen.page.viewport_size, []
    for part in parts:
        box = screen.page.locator(part).first.bounding_box()
        whole = box and box["y"] >= -SLACK and box["y"] + box["height"] <= (low or size["height"]) + SLACK
        if not whole or box["x"] < -SLACK or box["x"] + box["width"] > size["width"] + SLACK:
            found.append(f"{part}: {box}")
    return found


def sound(seen: dict, where: str) -> None:
    """Assert that all texts lie in their frame and apart."""
    assert len(seen["words"]) > 3, where
    assert outside(seen) == [], where
    assert touching(seen) == [], where


def of_figures(screen: Screen, moved: bool = False) -> list[str]:
    """Return what is wrong with the texts of the figures of the page, as it stands.

    Args:
        moved: look only at what the player moves.
    """
    found = []
    for key, one in screen.page.evaluate("moved => tab.everything(moved)", moved).items():
        found += [f"{key}: “{text}” is cut" for text in outside(one)]
        found += [f"{key}: “{a}” over “{b}”" for a, b in touching(one)]
    return found
