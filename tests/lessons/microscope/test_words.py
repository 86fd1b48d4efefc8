"""Every statement has its place in the menu, and every sentence says what was measured."""

from __future__ import annotations

import math
import re

import pytest

from figures.theme import Theme
from lessons.microscope import words
from lessons.microscope.knobs import OWN
from lessons.microscope.lesson import LESSON
from lessons.microscope.statements import STATEMENTS, MicroscopeSetting, run
from tests.lessons.scripts import run as run_script
from tests.lessons.shown import counted

KEYS = tuple(STATEMENTS)
NOT_A_NUMBER = re.compile(r"\b(nan|NaN|inf|None)\b")


def test_every_statement_stands_in_the_menu_and_its_forms_can_stand_in_a_table() -> None:
    assert OWN["statement"].options == tuple(STATEMENTS)
    for statement in STATEMENTS.values():
        assert set(statement.uses) <= set(LESSON.knobs)
        assert "|" not in statement.printed + statement.read + statement.reason  # it would end a cell of the table
        assert statement.printed.count("$") % 2 == statement.read.count("$") % 2 == 0


def test_a_script_begins_with_the_set_up_of_the_caption() -> None:
    values = LESSON.settings({})
    printed = run_script(LESSON.recipe(values, 3)).splitlines()
    assert len(printed[0]) > 1 and printed[0].removesuffix(".") in LESSON.scene(values, 3, Theme()).caption


def test_nothing_harsh_is_said_about_a_paper() -> None:
    said = words.listing() + words.ELSEWHERE
    assert not re.search(r"\b(wrong|false|error|mistake|flaw)\w*\b", said, re.IGNORECASE)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("seed", [0, 3])
def test_every_place_of_every_sweep_is_said_and_labelled_in_whole_words(key: str, seed: int) -> None:
    for setting in (
        MicroscopeSetting(seed=seed),
        MicroscopeSetting(seed, 0.001, 0.01, 0.0, 0.1, 0.5, 1),
        MicroscopeSetting(seed, 0.2, 0.5, 0.2, 2.0),
    ):
        found = run(key, setting)
        said = words.finding(found) + [words.label(found, i) for i in range(found.frames)]
        said.append(words.caption(found, seed))
        assert all(said) and not any(NOT_A_NUMBER.search(text) for text in said)
        assert max(len(re.sub("<[^>]+>", "", text)) for text in said[: found.frames]) <= 175  # two lines at most
        for sentence in said[: found.frames]:  # a headline, at every place
            long, numbers = counted(sentence)
            assert long <= 24 and numbers <= 3, sentence
        rows = words.table(found)
        assert len(rows) == found.frames
        assert all(not isinstance(v, float) or math.isfinite(v) for row in rows for v in row.values())


def test_the_sentence_says_what_the_figure_shows_at_small_noise() -> None:
    found = run("bogunovic-21", MicroscopeSetting())
    said = words.finding(found)
    for i, text in enumerate(said):
        below = found.value("(21) as printed")[i] < found.value("exact")[i]
        assert ("below it" in text) == below and ("above it" in text) != below


def test_the_moments_open_on_the_telling_place_of_their_statement() -> None:
    for moment in LESSON.moments:
        key = str(moment.values.get("statement", LESSON.knobs["statement"].default))
        assert moment.t == run(key, MicroscopeSetting()).tells
