"""A shared cache's key contains every field that its answer depends on: one disturbance after another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from figures.film import Film, PackedFigure
from lessons import LESSONS
from lessons.record import Picture, Scene
from shell.page import page as of_page
from shell.page.page import LessonPage

LESSON = next(one for one in LESSONS if one.key == "drift")
# What decides a film, the words around it and a chart that stands still.
DISTURBED: dict[str, tuple[object, object]] = {
    "lesson": ("drift", "another lesson"),
    "state": (("a setting",), ("another setting",)),
    "dark": (False, True),
    "lecture": (False, True),
    "paper": ("ours", "deng"),
    "charts": ((), ("closer",)),
    "time": (1, 2),
}
NOT_OF = {"film": ("time",), "chart": ("charts",)}  # a film has all times; a chart names no other charts
FIGURE = Film(PackedFigure([], {}))


def scene_of(state: object) -> Scene:
    chart = Picture(lambda frame: FIGURE, "a chart", follows=True)
    return Scene(state, (1, 2), {"main": chart}, "", stills={"still": chart})


def name(monkeypatch: pytest.MonkeyPatch, scene: Scene, kept: str, **given: Any) -> str:
    """Return the name under which a page in this state keeps its film, or one of its charts."""
    found: list[str] = []

    def keep(name: tuple, make: Callable) -> object:
        found.append(repr(name))
        return b""

    lesson = replace(LESSON, key=given["lesson"], waits=lambda values: True)
    page = LessonPage(lesson, (lesson,), given["dark"], given["lecture"], None, 0, "", None, keep_made=keep)
    monkeypatch.setattr(of_page.symbols, "paper", lambda: given["paper"])
    monkeypatch.setattr(of_page.player, "chart", lambda key, alt, still: None)
    monkeypatch.setattr(of_page.symbols, "caption", lambda text: None)
    state = replace(page.state({}, scene), t=given["time"])
    if kept == "film":
        page.sent(replace(state, charts=given["charts"]))
    else:
        page.picture(state, {"key": "still", "alt": "a chart", "caption": "", "moves": False})
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(
    ("kept", "field"),
    [(kept, field) for kept, none in NOT_OF.items() for field in DISTURBED if field not in none],
)
def test_name_in_the_cache_has_each_field(monkeypatch: pytest.MonkeyPatch, kept: str, field: str) -> None:
    first = {name: one for name, (one, _) in DISTURBED.items()}
    other = {**first, field: DISTURBED[field][1]}
    here, there = (name(monkeypatch, scene_of(given["state"]), kept, **given) for given in (first, other))
    assert here != there
