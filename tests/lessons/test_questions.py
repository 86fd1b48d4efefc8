"""The question of every bet: its film ends where the bet opens, and holds nothing of the answer."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

from answers.film import film as message
from figures.film import Film
from figures.theme import Theme
from lessons import LESSONS
from lessons.record import Scene
from tests import answers

BETTING = {lesson.key: lesson for lesson in LESSONS if lesson.bet}
# The figure of these shows what is asked about; the others show the world in which it happens.
SHOWS = ("chase", "points", "plane", "bands", "race", "theorems", "rperp", "real_data", "microscope")


@cache
def question_scene(key: str, lecture: bool = False) -> Scene:
    """Return the scene of a bet's question."""
    lesson, bet = BETTING[key], BETTING[key].bet
    return lesson.bet.scene(lesson.settings(bet.opens_with), bet.opens, Theme(lecture, lecture))


@cache
def reveal_scene(key: str) -> Scene:
    """Return the scene to which its reveal runs on."""
    lesson, bet = BETTING[key], BETTING[key].bet
    return lesson.bet.scene(lesson.settings(bet.values), bet.t, Theme())


def all_films(scene: Scene) -> list[Film]:
    """Return every chart of a scene, at every place where its figure is drawn anew."""
    return [one.draw(at) for one in scene.films.values() for at in {0, scene.frames - 1}]


def head(scene: Scene) -> dict:
    raw = message(scene, scene.frames - 1, "ours")
    return json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")])


@pytest.mark.parametrize("key", BETTING)
def test_a_question_holds_nothing_of_its_answer(key: str) -> None:
    lesson, bet = BETTING[key], BETTING[key].bet
    for scene in (question_scene(key), question_scene(key, lecture=True)):
        films = all_films(scene)
        assert answers.in_figures(lesson, films) == set()
        assert answers.in_words(lesson, [one.alt for one in scene.films.values()]) == set()
        assert list(scene.films) == ["main"] and not (scene.stills or scene.notes(0) or scene.caption or scene.odds)
        assert len(scene.labels()) == len(scene.sentences()) == scene.frames
        assert max(scene.times) <= bet.opens and max([0, *scene.events]) < scene.frames
        for film in films:
            assert {len(track) for track in film.tracks} <= {scene.frames}
            film.figure.checked()
        said = head(scene)
        assert said["n"] == scene.frames and set(said["sentences"]) == {""} and len(said["times"]) == scene.frames
    # Neither search is empty, and where the figure shows what is asked, it is found after the reveal.
    assert len(answers.answer_runs(lesson)) > 5 and answers.in_words(lesson, [bet.why]) != set()
    # Of a drift budget that both worlds are set to, the question itself says the number.
    assert answers.written(lesson) or key == "drift"
    assert (answers.in_figures(lesson, all_films(reveal_scene(key))) != set()) == (key in SHOWS)


@pytest.mark.parametrize("key", BETTING)
def test_the_reveal_goes_on_from_the_question(key: str) -> None:
    bet, question, reveal = BETTING[key].bet, question_scene(key), reveal_scene(key)
    if bet.opens < bet.t and key != "reproductions":  # whose question shows other kernels
        assert question.frames < reveal.frames and question.labels()[0].split(" of ")[0] in reveal.labels()[0]
    # Where the answer is measured in other runs than the one on the stage, both show the same.
    assert (question.state == reveal.state) == (key == "forgetting")


def test_a_question_begins_its_reveal() -> None:
    """A track that has the same name and place in both has the same numbers up to the bet."""
    for key in ("bands", "microscope", "chase", "rperp"):
        early, late = (scene.stage.draw(scene.frames - 1) for scene in (question_scene(key), reveal_scene(key)))
        pairs = [*zip(early.tracks, late.tracks, strict=True)]
        assert all((one.trace, one.attribute) == (other.trace, other.attribute) for one, other in pairs)
        numbers = [(one.values, other.values) for one, other in pairs if isinstance(one.values, np.ndarray)]
        same = [(a, b[: len(a)]) for a, b in numbers if a.shape[1:] == b.shape[1:]]
        assert any(np.array_equal(a, b, equal_nan=True) for a, b in same), key
