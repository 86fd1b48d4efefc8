"""Signs without ink: a stranger's are shown as �, and exports hold no letter for which the type face has no glyph."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache

import pytest
from PIL import ImageFont

from answers import captions, points
from lessons import LESSONS
from lessons.record import Lesson
from shell.static.template import font
from tests.shared import few
from tests.shell.test_exports import FEW, at_frame, opening_view

# Signs that the type face lacks and every system's own has: their shape says what the sentence beside them says.
BORROWED = set("∝⊙⌈⌉①②③④⑤⑥⑦━◇◎★✕✚")
SILENT = "\u200b\u200c\u2060\ufffd"  # of no width, or put for what has none
EACH = pytest.mark.parametrize("lesson", few([one for one in LESSONS if one.scene], *FEW, rest=pytest.mark.wide))


@cache
def has_glyph(sign: str) -> bool:
    """Return whether the app's type face draws a sign otherwise than one that no type face has."""
    face = ImageFont.truetype(io.BytesIO(font()), 40)
    found, none = (face.getmask(one) for one in (sign, "\U0010fffe"))
    return (found.size, bytes(found)) != (none.size, bytes(none))


def words_of(drawn: object) -> Iterator[str]:
    """Yield the words of a figure: text, titles, names and what is hovered."""
    if isinstance(drawn, dict):
        for one in drawn.values():
            yield from words_of(one)
    elif isinstance(drawn, list | tuple):
        for one in drawn:
            yield from words_of(one)
    elif isinstance(drawn, str):
        yield re.sub(r"<[^>]*>", "", drawn)


@EACH
def test_exports_hold_letters_with_glyphs_alone(lesson: Lesson) -> None:
    opening = opening_view(lesson.key)
    for frame in {0, opening.frame, opening.scene.frames - 1}:
        view = at_frame(opening, frame)
        texts = [captions.stage_caption(view), view.scene.says(frame), points.table(view, "main")]
        for key in view.pictures:
            texts += words_of(points.figure_at_pause(view, key))
        letters = {c for text in texts for c in text if c.isprintable()} - BORROWED - set(SILENT)
        assert [c for c in sorted(letters) if not has_glyph(c)] == []
