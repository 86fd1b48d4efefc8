"""A moment, a bet and a claim name each setting that differs from the page's opening and decides what is claimed."""

from __future__ import annotations

import re

import pytest

from lessons import LESSONS, odds
from lessons.odds import ClaimPlace
from lessons.record import Claim, Lesson

SEEDS = range(1000, 1003)  # of the worlds in which a setting is put back to the opening's value
# Settings that have another name in a sentence than their value: (knob, value) -> a pattern of that name.
NAMED = {
    ("drift", 0.0): "nothing moves",
    ("drift", 2.2): r"hill moves|hill has moved|moving hill|on it moves",
    ("memory", "all"): "keeps everything|keeping everything",
    ("kind", "glide"): "glid",
    ("kind", "jumps"): "jump",
    ("kind", "still"): "static",
    ("kind", "markov"): "Markov|change per step ε",
    ("pair", "matern"): "two kernels",
    ("bowl", "tv"): "TV-GP-UCB",
    ("V", 0.0): "static",
    ("H", 25): "five queries",  # the size of its first batch
    ("table", "sensors"): "sensors",
    ("mixed", True): "random order",
    ("beta", "theory"): "proved width",
    ("m", 0): "memories",
    ("switches", 1): "one jump",
    ("scale", "set"): "norm B",
    ("case", "kernelucb"): "static",
    ("statement", "mauduit-subset"): "ten observations",
    ("statement", "flynn-11"): "minus sign",
    ("statement", "mauduit-walk"): "random walk",
    ("view", "picks"): "picked|picks",
}
# Lessons whose claims play for seconds: the second ring, or a night.
RING = {"chase": pytest.mark.slow}
RING |= dict.fromkeys(("forgetting", "race", "real_data", "side_queries", "theorems"), pytest.mark.wide)
PLACES = list(odds.claims(LESSONS).values())
LESSON = {one.key: one for one in LESSONS}


def lesson_of(place: ClaimPlace) -> Lesson:
    return LESSON[place.name.split("/")[0]]


def text_of(place: ClaimPlace) -> str:
    """Return everything that stands at a place: title and line, or question and answers, and the claim."""
    lesson, (_, key) = lesson_of(place), place.name.split("/")
    bet = lesson.bet
    asked = f"{bet.question} {[*bet.options.values(), *bet.about.values()]}" if bet and key == "bet" else ""
    assert isinstance(place.claim, Claim)
    return f"{asked} {place.text} {place.claim.says}"


def says(text: str, key: str, value: object) -> bool:
    """Return whether a text has a setting: its number, or its name."""
    number = rf"(?<![\d.]){value:g}(?![\d.]\d|\d)" if isinstance(value, int | float) and value is not True else "(?!)"
    plain = re.sub(r"(?<=\d)[,\u202f](?=\d{3})", "", text)
    return re.search(f"{number}|{NAMED.get((key, value), '(?!)')}", plain, re.IGNORECASE) is not None


def decides(place: ClaimPlace, key: str, opening: object) -> bool:
    """Return whether the claim has another number, in a few worlds, where this setting is the opening's."""
    assert isinstance(place.claim, Claim)
    for seed in SEEDS:
        try:
            other = place.claim.number({**place.values, key: opening, place.claim.seed: seed})
        except KeyError:
            return True  # what the claim is about is not there
        if float(f"{other:.6g}") != place.number(seed):
            return True
    return False


def unnamed(place: ClaimPlace) -> list[str]:
    """Return the settings that decide a claim and are named nowhere beside it."""
    opening = lesson_of(place).defaults
    differ = [key for key, value in place.values.items() if value != opening[key] and key != place.claim.seed]
    unsaid = [key for key in differ if not says(text_of(place), key, place.values[key])]
    return [f"{key} = {place.values[key]}" for key in unsaid if decides(place, key, opening[key])]


@pytest.mark.parametrize("lesson", [pytest.param(one, id=one.key, marks=RING.get(one.key, ())) for one in LESSONS])
def test_settings_that_decide_are_named(lesson: Lesson) -> None:
    found = {place.name: unnamed(place) for place in PLACES if lesson_of(place) is lesson}
    assert {name: keys for name, keys in found.items() if keys} == {}


def test_unnamed_memory_is_found() -> None:
    place = next(place for place in PLACES if place.name == "plane/glide")
    silent = ClaimPlace(place.name, place.text, place.claim, {**place.values, "m": 10})
    assert unnamed(silent) == ["m = 10"]


TIME = re.compile(r"\bt = \d|\bround \d|\d rounds|\bby the end\b|\bend with\b|at every horizon")


def test_claims_about_regret_name_their_time() -> None:
    said = {place.name: place.claim.says for place in PLACES if "regret" in place.claim.says}
    assert len(said) > 10
    assert {name: says for name, says in said.items() if not TIME.search(says)} == {}
