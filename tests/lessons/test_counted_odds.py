"""The odds beside a film are those that were counted for its place, and stand nowhere else."""

from __future__ import annotations

import re

import pytest

from figures.theme import Theme
from lessons import LESSONS, odds
from lessons.record import Lesson
from lessons.shared.odds import shipped

PLACES = {place.name: place for place in odds.places(LESSONS)}
CLAIMS = shipped()["claims"]


LONG = ("real_data", "side_queries", "theorems")
WALKED = [pytest.param(one, id=one.key, marks=[pytest.mark.slow] * (one.key in LONG)) for one in LESSONS if one.scene]


@pytest.mark.parametrize("lesson", WALKED)
def test_odds_are_those_counted_for_their_place(lesson: Lesson) -> None:
    opening = {"opening": ({}, lesson.t)}
    for key, (values, t) in (opening | {one.key: (one.values, one.t) for one in lesson.moments}).items():
        said = lesson.scene(lesson.settings(values), t, Theme()).odds
        place, shares = PLACES[f"{lesson.key}/{key}"], re.findall(r"\*\*(\d+) of 100\*\*", said)
        name = f"{lesson.key}/{key if place.claim else 'opening'}"  # a moment may be the opening at another time
        assert shares in ([], [str(CLAIMS[name]["share"])] if name in CLAIMS else []), key
