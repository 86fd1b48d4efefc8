"""A name on a chart is in ink, grey or the colour of its own role, and never in that of another one."""

from __future__ import annotations

import re

import pytest

from figures import theme as look
from figures.film import Film
from figures.theme import Theme
from lessons import LESSONS
from lessons.record import Lesson
from tests.lessons.game.games import played_scene
from tvbo_core import bands

NEUTRAL = {"ink", "soft_ink", "grey", "paper", "missed"}  # the last is a promise that broke, whoever gave it
LOOKS = [Theme(), Theme(dark=True)]


def colour_of(name: str, theme: Theme) -> str:
    return theme.band(name) if name in bands.ALL else theme.method(name)


def named(text: object) -> str:
    """Return the band or method that a label begins with, "" for none."""
    first = re.sub(r"<[^>]+>", "", str(text).split("<br>")[0]).strip()
    known = [name for name in (*look.METHODS, *bands.ALL) if re.match(rf"{re.escape(name)}(?![\w-])", first)]
    return max(known, key=len, default="")


def labels(film: Film) -> list[tuple[str, str]]:
    """Return name and colour of every label of a trace or a note that names a band or a method."""
    spec, found = film.figure.to_dict(), []
    for trace in spec["data"]:
        texts, shades = trace.get("text", ()), trace.get("textfont", {}).get("color")
        texts = [texts] if isinstance(texts, str) else list(texts) if "text" in trace.get("mode", "") else []
        shades = shades if isinstance(shades, list) else [shades] * len(texts)
        found += [(named(text), shade) for text, shade in zip(texts, shades, strict=False)]
    for note in spec["layout"].get("annotations", ()):
        found.append((named(note.get("text", "")), note.get("font", {}).get("color", "")))
    return [(name, shade) for name, shade in found if name and shade]


@pytest.mark.parametrize("theme", LOOKS, ids=["light", "dark"])
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_a_name_never_has_the_colour_of_another(lesson: Lesson, theme: Theme) -> None:
    made = (lesson.scene or played_scene)(lesson.defaults, lesson.t, theme)
    neutral = {getattr(theme, name) for name in NEUTRAL}
    for key, picture in (made.films | made.stills).items():
        for name, shade in labels(picture.draw(made.inside(made.start))):
            assert shade in {colour_of(name, theme), *neutral}, (key, name, shade)
