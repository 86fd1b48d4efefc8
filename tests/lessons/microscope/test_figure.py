"""The figure of the microscope: what is drawn is what the record says, on axes that never move."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from figures.sheet import LINE_HEIGHT, STAGE_PIXELS
from figures.theme import Theme
from lessons.microscope.figure import stage
from lessons.microscope.statements import STATEMENTS, MicroscopeSetting, run

KEYS = tuple(STATEMENTS)
LOOKS = [Theme(dark, lecture) for dark, lecture in itertools.product([False, True], repeat=2)]
FLOAT32 = 2e-7  # relative: tracks travel as 32-bit floats


@pytest.mark.parametrize("key", KEYS)
def test_the_cursor_stands_where_the_sweep_is_and_the_marks_on_the_curves(key: str) -> None:
    found = run(key, MicroscopeSetting())
    film = stage(found, Theme(), 0)
    cursor, *others = (t for t in film.tracks if t.attribute == "x")
    log = STATEMENTS[key].over.log_x
    sweep = np.log10(found.sweep) if log else found.sweep
    np.testing.assert_allclose(cursor.values[:, 0], sweep, rtol=FLOAT32, atol=FLOAT32)
    live = [line for line in found.over if line.role != "level"]
    marks = next(t for t in others if t.values.shape[1] == len(live))
    np.testing.assert_allclose(marks.values, np.repeat(sweep[:, None], len(live), axis=1), rtol=FLOAT32, atol=FLOAT32)
    height = next(t for t in film.tracks if t.trace == marks.trace and t.attribute == "y")
    for j, line in enumerate(live):
        with np.errstate(divide="ignore", invalid="ignore"):
            y = np.log10(line.y) if STATEMENTS[key].over.log_y else line.y
        drawn = np.isfinite(height.values[:, j])
        assert drawn.any()
        np.testing.assert_allclose(height.values[drawn, j], y[drawn], rtol=FLOAT32, atol=FLOAT32)


@pytest.mark.parametrize("key", KEYS)
def test_no_name_hides_another_at_any_place(key: str) -> None:
    found = run(key, MicroscopeSetting())
    for theme in LOOKS[:2]:
        film = stage(found, theme, found.tells)
        spans = film.figure.to_dict()["layout"]
        for panel in ("yaxis", "yaxis3"):
            low, high = spans[panel]["range"]
            texts = [t for t in film.tracks if t.attribute == "text"][0 if panel == "yaxis" else 1]
            y = next(t for t in film.tracks if t.trace == texts.trace and t.attribute == "y").values
            pixels = STAGE_PIXELS[theme.lecture] - spans["margin"]["t"] - spans["margin"]["b"]
            for row, said in zip(y / (high - low) * pixels, texts.values, strict=True):
                there = np.flatnonzero(np.isfinite(row))
                there = there[np.argsort(row[there])]
                tall = np.array([1.0 + said[i].count("<br>") for i in there]) * LINE_HEIGHT * theme.tick
                assert (
                    np.diff(row[there]) > 0.499 * (tall[1:] + tall[:-1])
                ).all()  # whole names, some of several lines
                plain = [re.sub("<[^>]+>", "", part) for name in said for part in name.split("<br>")]
                assert not theme.lecture or max(map(len, plain)) <= 14  # as wide as the room beside a panel in a hall
