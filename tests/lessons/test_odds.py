"""A general claim holds in more than 95 of a hundred seeds, or in at least 80 and says in how many."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from figures.theme import Theme
from lessons import LESSONS, odds
from lessons.shared.odds import FLAT, LEAST, shipped
from tests.shared import few
from tvbo_core import __version__

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
PLACES = {place.name: place for place in odds.places(LESSONS)}
CLAIMED = sorted(name for name, place in PLACES.items() if place.claim)


def test_every_place_claims_or_says_why_not():
    assert [name for name, place in PLACES.items() if (place.claim is not None) == (place.free != "")] == []


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
        # An opening's text is a question; the line below its stage says the share.
        says_it = name.endswith("/opening") or re.search(rf"\b{share} of 100\b", place.text)
        assert share > FLAT or (share >= LEAST and says_it), f"{share} of 100 hold: {place.text}"


def test_readme_lines_say_their_share():
    lines = re.findall(r"docs/pictures/(\w+)-(\w+)\.webp\)\]\(http\S+\?moment=(\w+)\) ([^|]+)\|", README)
    assert len(lines) == README.count("?moment=") == 6
    for lesson, moment, link, text in lines:
        name = f"{lesson}/{moment}"
        assert moment == link and (name in CLAIMED or PLACES[name].free)
        share = shipped()["claims"][name]["share"] if name in CLAIMED else 100
        assert share > FLAT or re.search(rf"\b{share} of 100\b", text), f"{share} of 100 hold: {text}"


LONG = ("real_data", "side_queries", "theorems")
SHOWN = [one for one in LESSONS if one.scene]


@pytest.mark.parametrize("lesson", few(SHOWN, *(one.key for one in SHOWN if one.key not in LONG)))
def test_odds_are_those_counted_for_their_place(lesson):
    opening = {"opening": ({}, lesson.t)}
    for key, (values, t) in (opening | {one.key: (one.values, one.t) for one in lesson.moments}).items():
        said = lesson.scene(lesson.settings(values), t, Theme()).odds
        name = f"{lesson.key}/{key if PLACES[f'{lesson.key}/{key}'].claim else 'opening'}"  # a moment at another time
        shares = [str(shipped()["claims"][name]["share"])] if name in CLAIMED else []
        assert re.findall(r"\*\*(\d+) of 100\*\*", said) in ([], shares), key


@pytest.mark.parametrize("names", [CLAIMED[::24], pytest.param(CLAIMED, marks=pytest.mark.wide)], ids=["some", "all"])
def test_replayed_seeds_give_the_shipped_numbers(names):
    for name in names:
        place, counted = PLACES[name], shipped()["claims"][name]["numbers"]
        for i in map(int, np.random.default_rng(sum(map(ord, name))).choice(100, size=2, replace=False)):
            # Six digits are shipped; other BLAS kernels may round the last ones otherwise.
            assert place.number(odds.SEEDS[i]) == pytest.approx(counted[i], rel=1e-4, abs=1e-9), name


SLOW = [pytest.param(kind, marks=pytest.mark.slow) for kind in ("opening", "moment")]


@pytest.mark.parametrize("kind", ["bet", *SLOW])
def test_claims_hold_in_the_world_shown(kind):
    played, wrong = {}, []  # an opening, its moment and its bet often claim the same of the same world
    for place in (PLACES[name] for name in CLAIMED):
        if place.name.split("/")[1] == kind or (kind == "moment" and not place.name.endswith(("/opening", "/bet"))):
            same = f"{place.claim} {place.values}"
            if same not in played:
                played[same] = place.claim.holds(place.number(int(place.values[place.claim.seed])))
            wrong += [] if played[same] else [place.name]
    assert wrong == []
