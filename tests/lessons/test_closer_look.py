"""Below the stage every chart lies in a drawer that is closed until it is wanted, and a closed drawer holds nothing."""

from __future__ import annotations

import re

from figures.theme import Theme
from lessons import BY_KEY, LESSONS
from lessons.record import ROOT
from tests.lessons.shown import charts, opened, raw_film, settled, still_films
from tests.shared import CLOSERS, open_closers

APART = ("chase", "game", "reproductions", "microscope")  # stages of their own; pages that referees read to the end
PAGES = [lesson for lesson in LESSONS if lesson.key not in APART]


def test_drawers_hold_all_but_the_stage() -> None:
    """Which charts stand in the drawers of every page is approved in tests/baseline."""
    lesson = BY_KEY["forgetting"]
    at = opened(lesson.file)
    assert not at.exception and set(still_films(at)) == {"main"}
    few = len(raw_film(at))
    scene = lesson.scene(lesson.defaults, Theme())
    settled(open_closers(at).run())
    assert not at.exception and set(charts(at)) == {*scene.films, *scene.stills}
    assert few < 0.6 * len(raw_film(at))  # a closed drawer sends nothing


def test_the_tests_know_every_drawer() -> None:
    named = set()
    for lesson in PAGES:
        scene = lesson.scene(lesson.defaults, Theme())
        named |= {keys[0] for keys in scene.drawers}
        named |= set(re.findall(r'page\.drawer\([\w.]+, "(\w+)"', (ROOT / lesson.file).read_text(encoding="utf-8")))
    assert named <= set(CLOSERS) and len(named) > 8


def test_a_link_to_a_drawers_knob_opens_it() -> None:
    at = opened(BY_KEY["bands"].file, place="0.2")
    assert not at.exception and "glass" in still_films(at)
