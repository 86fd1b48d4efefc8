"""The question of every bet: its film ends where the bet opens, and holds nothing of the answer."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

from figures.film import Film
from figures.theme import Theme
from lessons import LESSONS
from lessons.record import Lesson, Scene
from shell.film_message import film as message
from tests import answers

BETTING = {lesson.key: lesson for lesson in LESSONS if lesson.bet}
THEMES = [Theme(), Theme(dark=True, lecture=True)]
every_bet = pytest.mark.parametrize("key", BETTING)
# The figure of these shows what is asked about; the others show the world in which it happens.
SHOWS = ("chase", "bands", "race", "theorems", "rperp", "real_data", "microscope")


@cache
def asked(key: str, lecture: bool = False) -> Scene:
    """Return the scene of a bet's question."""
    lesson, bet = BETTING[key], BETTING[key].bet
    return lesson.until(lesson.settings(bet.opens_with), bet.opens, Theme(lecture=lecture))


@cache
def told(key: str) -> Scene:
    """Return the scene to which its reveal runs on."""
    lesson, bet = BETTING[key], BETTING[key].bet
    return lesson.until(lesson.settings(bet.values), bet.t, Theme())


def drawn(scene: Scene) -> list[Film]:
    """Return every chart of a scene, at every place where its figure is drawn anew."""
    return [one.draw(at) for one in scene.films.values() for at in {0, scene.start, scene.frames - 1}]


def head(scene: Scene) -> dict:
    raw = message(scene, "ours")
    return json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")])


@every_bet
@pytest.mark.parametrize("lecture", [False, True])
def test_the_film_of_a_question_holds_neither_number_nor_word_of_its_answer(key: str, lecture: bool) -> None:
    lesson, scene = BETTING[key], asked(key, lecture)
    assert answers.in_figures(lesson, drawn(scene)) == set()
    assert answers.in_words(lesson, [one.alt for one in scene.films.values()]) == set()
    assert list(scene.films) == ["main"] and not scene.stills and not scene.notes() and not scene.caption


@every_bet
def test_the_answer_has_numbers_or_words_by_which_it_would_be_found(key: str) -> None:
    """Neither search is empty, and where the figure shows what is asked, the search finds it after the reveal."""
    lesson = BETTING[key]
    assert len(answers.said(lesson)) > 5 and answers.in_words(lesson, [lesson.bet.why]) != set()
    # Of a drift budget that both worlds are set to, the question itself says the number.
    assert answers.written(lesson) or key == "drift"
    assert (answers.in_figures(lesson, drawn(told(key))) != set()) == (key in SHOWS)


@every_bet
@pytest.mark.parametrize("theme", THEMES)
def test_the_film_of_a_question_ends_where_its_bet_opens(key: str, theme: Theme) -> None:
    lesson, bet = BETTING[key], BETTING[key].bet
    scene = lesson.until(lesson.settings(bet.opens_with), bet.opens, theme)
    times = list(scene.times) if scene.times is not None else list(range(scene.frames))
    assert scene.start == scene.frames - 1 and len(scene.labels()) == len(scene.sentences()) == scene.frames
    assert max(times) <= bet.opens and max([0, *scene.events]) < scene.frames
    for film in drawn(scene):
        assert {len(track) for track in film.tracks} <= {scene.frames}
        film.figure.checked()
    said = head(scene)
    assert said["n"] == scene.frames and set(said["sentences"]) == {""} and len(said["times"]) == scene.frames


@every_bet
def test_the_reveal_goes_on_from_the_question_to_where_its_answer_happens(key: str) -> None:
    bet, question, reveal = BETTING[key].bet, asked(key), told(key)
    if bet.opens < bet.t and key != "reproductions":  # whose question shows other kernels
        assert question.frames < reveal.frames and question.labels()[0].split(" of ")[0] in reveal.labels()[0]
    assert reveal.start == reveal.frames - 1
    # Where the answer is measured in other runs than the one on the stage, both show the same.
    assert (question.state == reveal.state) == (key == "forgetting")


@pytest.mark.parametrize("key", ["bands", "microscope", "chase", "rperp"])
def test_what_a_question_shows_is_the_beginning_of_its_reveal(key: str) -> None:
    """A track that has the same name and place in both has the same numbers up to the bet."""
    early, late = (scene.films["main"].draw(scene.start) for scene in (asked(key), told(key)))
    assert len(early.tracks) == len(late.tracks)
    alike = 0
    for one, other in zip(early.tracks, late.tracks, strict=True):
        assert (one.trace, one.attribute) == (other.trace, other.attribute)
        if isinstance(one.values, np.ndarray) and one.values.shape[1:] == other.values.shape[1:]:
            alike += np.array_equal(one.values, other.values[: len(one.values)], equal_nan=True)
    assert alike > 0


def test_a_bet_is_asked_up_to_a_time_that_its_lesson_knows() -> None:
    def until(lesson: Lesson) -> bool:
        return lesson.until is not None

    assert [lesson.key for lesson in LESSONS if until(lesson) != (lesson.bet is not None)] == []
