"""Every lecture moment: at least three a page, one line each, and the same twice."""

from __future__ import annotations

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from lessons import LESSONS
from lessons.record import BET_KNOBS
from tests.shared import shared_caches
from tests.test_pages import faults, film, opened, sentences, settled, specs

NUMBERED = {lesson.number: lesson for lesson in LESSONS}
# The front page has no chart; its moments have tests of their own (tests/lessons/chase).
MOMENTS = [(n, i) for n, lesson in NUMBERED.items() if lesson.group for i in range(1, len(lesson.moments) + 1)]


@pytest.mark.parametrize("number", NUMBERED)
def test_a_page_has_three_to_nine_moments_with_one_line_each(number: int) -> None:
    lesson = NUMBERED[number]
    assert 3 <= len(lesson.moments) <= 9  # keys 1 to 9
    assert len({m.title for m in lesson.moments}) == len(lesson.moments)
    for m in lesson.moments:
        assert 20 <= len(m.script) <= 120 and "\n" not in m.script and m.script[-1] in ".?!"
        assert len(m.title) <= 28 and set(m.values) <= set(lesson.knobs) and not set(m.values) & set(BET_KNOBS)


def forget() -> None:
    """Make what is drawn, written or looked up for a state anew; finished runs and replays stay where they are."""
    modules = ("lessons.shared.", "lessons.microscope.")
    found = {name: function for name, function in shared_caches().items() if name.startswith(modules)}
    assert {"lessons.shared.cache.kept", "lessons.shared.problems.problem"} <= set(found)
    for function in found.values():
        function.cache_clear()
    st.cache_resource.clear()


def told(at: AppTest) -> tuple:
    """All that a moment says and draws, and where it opens."""
    head = film(at)
    return specs(at), sentences(at), head.get("start"), head.get("labels"), [c.value for c in at.caption]


@pytest.mark.parametrize(("page", "number"), MOMENTS)
def test_a_moment_is_the_same_twice(page: int, number: int) -> None:
    path = NUMBERED[page].file
    first = settled(opened(path, moment=str(number)))
    assert faults(first) == [] and not first.toast
    assert first.button_group(key="moment").value == number
    assert any(NUMBERED[page].moments[number - 1].script in c.value for c in first.caption)
    once = told(first)
    forget()
    again = told(settled(opened(path, moment=str(number))))
    assert once == again
