"""A page beside the scene that its lesson returns for the same values: charts, sentences, labels and set-up."""

from __future__ import annotations

import numpy as np

from figures.theme import Theme
from lessons.record import Lesson
from tests.test_pages import faults, film, numbers, opened, sentences, specs


def assert_page_draws_scene(lesson: Lesson, number: int) -> None:
    """Compare a moment's page with the scene that is made without Streamlit."""
    at, moment = opened(lesson.file, moment=str(number)), lesson.moments[number - 1]
    assert faults(at) == []
    scene = lesson.scene(lesson.settings(moment.values), moment.t, Theme())
    pictures = [*scene.films.values(), *scene.stills.values()]
    charts = specs(at)
    assert len(charts) == len(pictures)
    for spec, picture in zip(charts, pictures, strict=True):
        made = picture.draw(scene.start).figure.to_dict()
        assert [trace["type"] for trace in spec["data"]] == [trace["type"] for trace in made["data"]]
        for shown, wanted in zip(spec["data"], made["data"], strict=True):
            for axis in "xyz":
                np.testing.assert_array_equal(numbers(shown.get(axis)), numbers(wanted.get(axis)))
    assert sentences(at) == list(dict.fromkeys(scene.sentences()))
    told = film(at)
    assert told["labels"] == list(scene.labels())
    assert told["events"] == list(scene.events) and told["start"] == scene.start
    captions = [caption.value for caption in at.caption]
    assert scene.caption in captions
    assert all(any(note in caption for caption in captions) for note in scene.notes())
