"""Words of a finding point at marks that the figure really has, and the sentence stays as it was."""

from __future__ import annotations

import re

import pytest

from figures.theme import Theme
from lessons import LESSONS
from shell.pointers import pointed

POINTING = [lesson for lesson in LESSONS if lesson.key in ("drift", "rperp", "race", "forgetting")]
WORD = re.compile(r'<span class="points" tabindex="0" data-mark="([^"]+)">(.*?)</span>')


@pytest.mark.parametrize("lesson", POINTING, ids=lambda lesson: lesson.key)
def test_every_word_that_points_finds_its_mark_in_a_figure(lesson) -> None:
    scene = lesson.scene(lesson.defaults, lesson.t, Theme())
    traces = scene.films["main"].draw(scene.start).figure.to_dict()["data"]
    metas = [trace["meta"] for trace in traces if isinstance(trace.get("meta"), str)]
    there = {name for meta in metas for name in meta.split("|")}
    marks = scene.marks()
    used = {mark for said in scene.sentences() for mark, _ in WORD.findall(pointed(said, marks))}
    assert len(used) >= 2 and set(marks.values()) <= there


def test_a_sentence_without_its_pointers_is_the_sentence_and_tags_and_longer_words_stay_whole() -> None:
    said = "<b>GP-UCB</b> passes R-GP-UCB; <span class='GP-UCB'>GP-UCBs</span>, GP-UCB."
    shown = pointed(said, {"GP-UCB": "a & b"})
    assert WORD.sub(r"\2", shown) == said and pointed(said, {}) == said
    assert [word for _, word in WORD.findall(shown)] == ["GP-UCB", "GP-UCB"]
    assert set(re.findall('data-mark="(.*?)"', shown)) == {"a &amp; b"}
