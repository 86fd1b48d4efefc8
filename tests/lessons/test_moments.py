"""Every lecture moment is the same twice."""

from __future__ import annotations

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from lessons import LESSONS
from lessons.record import Lesson, Moment
from tests.lessons.shown import by_address
from tests.lessons.test_pages import faults, film, opened, sentences, settled, specs
from tests.shared import shared_caches

# The front page has no chart; its moments have tests of their own (tests/lessons/chase).
MOMENTS = [
    pytest.param(lesson, moment, id=f"{lesson.key}-{moment.key}")
    for lesson in LESSONS
    if lesson.group
    for moment in lesson.moments
]


def forget() -> None:
    """Make what is drawn, written or looked up for a state anew; finished runs and replays stay where they are."""
    modules = ("common.", "lessons.shared.", "lessons.microscope.")
    found = {name: function for name, function in shared_caches().items() if name.startswith(modules)}
    assert {"common.cache.kept", "lessons.shared.problems.problem"} <= set(found)
    for function in found.values():
        function.cache_clear()
    by_address.cache_clear()
    st.cache_resource.clear()


def told(at: AppTest) -> tuple:
    """All that a moment says and draws, and where it opens."""
    head = film(at)
    return specs(at), sentences(at), head.get("start"), head.get("labels"), [c.value for c in at.caption]


@pytest.mark.parametrize(("lesson", "moment"), MOMENTS)
def test_a_moment_is_the_same_twice(lesson: Lesson, moment: Moment) -> None:
    first = settled(opened(lesson.file, moment=moment.key))
    assert faults(first) == [] and not first.toast
    assert first.button_group(key="moment").value == moment.key
    assert any(moment.script in c.value for c in first.caption)
    once = told(first)
    forget()
    again = told(settled(opened(lesson.file, moment=moment.key)))
    assert once == again
