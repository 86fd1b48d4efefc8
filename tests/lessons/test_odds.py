"""A general claim holds in more than 95 of a hundred seeds, or in at least 80 and says in how many."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from figures.theme import Theme
from lessons import LESSONS, odds
from lessons.record import Claim
from lessons.shared.odds import FLAT, LEAST, shipped
from tests.shared import few
from tvbo_core import __version__

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
PLACES = {place.name: place for place in odds.places(LESSONS)}
CLAIMED = sorted(odds.claims(LESSONS))


def test_every_place_claims_or_says_why_not():
    assert [name for name, place in PLACES.items() if not place.claim] == []


def test_shipped_odds_are_of_these_claims():
    file = shipped()
    assert file["engine"] == __version__ and file["seeds"] == [odds.SEEDS.start, odds.SEEDS.stop]
    assert sorted(file["claims"]) == CLAIMED
    assert all(len(claim["numbers"]) == len(odds.SEEDS) == 100 for claim in file["claims"].values())


def test_claims_hold_or_say_their_share():
    for name in CLAIMED:
        place, counted = PLACES[name], shipped()["claims"][name]
        share = sum(place.claim.holds(number) for number in counted["numbers"])
        assert counted["share"] == share and counted["says"] == place.claim.says, name
        says_it = re.search(rf"\b{share} of 100\b", place.text)
        assert share > FLAT or (share >= LEAST and says_it), f"{share} of 100 hold: {place.text}"


def test_readme_lines_say_their_share():
    lines = re.findall(r"docs/pictures/(\w+)-(\w+)\.webp\)\]\(http\S+\?moment=(\w+)\) ([^|]+)\|", README)
    assert len(lines) == README.count("?moment=") == 6
    for lesson, moment, link, text in lines:
        name = f"{lesson}/{moment}"
        assert moment == link and name in PLACES
        share = shipped()["claims"][name]["share"] if name in CLAIMED else 100
        assert share > FLAT or re.search(rf"\b{share} of 100\b", text), f"{share} of 100 hold: {text}"


LONG = ("real_data", "side_queries", "theorems")
SHOWN = [one for one in LESSONS if one.scene]


@pytest.mark.parametrize("lesson", few(SHOWN, *(one.key for one in SHOWN if one.key not in LONG)))
def test_odds_are_those_counted_for_their_place(lesson):
    for moment in lesson.moments:
        said = lesson.scene(lesson.settings(moment.values), Theme()).odds_line
        # A moment without a claim of its own is the opening at another time.
        names = [f"{lesson.key}/{one.key}" for one in (moment, lesson.opening) if isinstance(one.claim, Claim)]
        shares = [str(shipped()["claims"][name]["share"]) for name in names[:1]]
        assert re.findall(r"\*\*(\d+) of 100\*\*", said) in ([], shares), moment.key


@pytest.mark.parametrize("names", [CLAIMED[::24], pytest.param(CLAIMED, marks=pytest.mark.wide)], ids=["some", "all"])
def test_replayed_seeds_give_the_shipped_numbers(names):
    for name in names:
        place, counted = PLACES[name], shipped()["claims"][name]["numbers"]
        for i in map(int, np.random.default_rng(sum(map(ord, name))).choice(100, size=2, replace=False)):
            # Six digits are shipped; other BLAS kernels may round the last ones otherwise.
            assert place.number(odds.SEEDS[i]) == pytest.approx(counted[i], rel=1e-4, abs=1e-9), name


@pytest.mark.parametrize("kind", ["bet", pytest.param("moment", marks=pytest.mark.slow)])
def test_claims_hold_in_the_world_shown(kind):
    played, wrong = {}, []  # a moment and a bet often claim the same of the same world
    for place in (PLACES[name] for name in CLAIMED):
        if place.name.endswith("/bet") == (kind == "bet"):
            same = f"{place.claim} {place.values}"
            if same not in played:
                played[same] = place.claim.holds(place.claim.number(place.values))
            wrong += [] if played[same] else [place.name]
    assert wrong == []
