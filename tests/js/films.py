"""Write the films that the tests of the scripts draw; `python -m tests.copies` does where they are stale.

Of every lesson with a film its opening with the charts below the stage, the stages of its moments and its bet, each cut
to a few frames, as the server sends them (answers/film_format.py).
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from answers.film import indexed, labels
from answers.film_format import encode
from answers.letters import in_letters
from answers.marks import marked_alone
from figures.film import Film, Track
from figures.theme import Theme
from lessons import BY_KEY
from lessons.game import board
from lessons.game.knobs import FIRST_CODE
from lessons.game.model import Game, GameSetting
from lessons.record import Lesson, Scene

FOLDER = Path(__file__).with_name("films")


def main() -> None:
    """Write all films anew."""
    for lesson in BY_KEY:
        write(lesson)


def write(key: str) -> None:
    """Write the films of a lesson, compressed."""
    for old in FOLDER.glob(f"{key}-*.film.gz"):
        old.unlink()
    if (lesson := BY_KEY.get(key)) is None:
        return
    found = [(name, scene, 0) for name, scene in boards()] if key == "game" else []
    if any(lesson.has_address(lesson.settings(dict(moment.values))) for moment in lesson.moments):
        found += scenes(lesson)
    for name, scene, t in found:
        (FOLDER / f"{key}-{name}.film.gz").write_bytes(gzip.compress(cut(scene, t), 9, mtime=0))


def scenes(lesson: Lesson) -> Iterator[tuple[str, Scene, int]]:
    """Return what is drawn of a lesson, and when: its opening, in dark too, its moments, and its bet until it opens."""
    yield "opening", lesson.scene(lesson.settings({}), Theme()), lesson.t
    yield "opening-dark", lesson.scene(lesson.settings({}), Theme(dark=True, lecture=True)), lesson.t
    for moment in lesson.moments:
        values = lesson.settings(dict(moment.values))
        if lesson.has_address(values) and values != lesson.settings({}):
            yield moment.key, lesson.scene(values, Theme()).showing(()), lesson.t
    if lesson.bet:
        bet = lesson.bet
        yield "bet", bet.scene(lesson.settings(bet.opens_with), bet.opens, Theme()), bet.opens


def boards() -> Iterator[tuple[str, Scene]]:
    """Return the stage of a game that is not over: before its first question, in dark too, and after some."""
    setting = GameSetting(FIRST_CODE, 12, 0.2)
    yield "opening", board.scene(Game(setting), 11, "secret", Theme())
    yield "opening-dark", board.scene(Game(setting), 11, "secret", Theme(dark=True, lecture=True))
    yield "played", board.scene(Game(setting, (10, 95, 50)), 11, "secret", Theme())
    yield "edge", board.scene(Game(setting, (10, 95)), 11, "secret", Theme())


def cut(scene: Scene, t: int) -> bytes:
    """Return a film of the first frame, two in the middle and the last one; its figures show a time."""
    n = scene.frames
    frames = sorted({0, n // 2, min(n // 2 + 1, n - 1), n - 1})
    said, index = indexed([scene.sentences()[frame] for frame in frames])
    head = {
        "n": len(frames),
        "labels": [labels(scene, "ours")[frame] for frame in frames],
        "events": [i for i, frame in enumerate(frames) if frame in scene.events],
        "times": [int(scene.times[frame]) for frame in frames],
        "sentences": [marked_alone(one, "html") for one in said],
        "said": index,
        **({"rounds": asdict(scene.rounds)} if scene.rounds else {}),
    }
    films = {key: in_letters(one.draw(scene.at_time(t)), "ours") for key, one in scene.films.items()}
    kept = {key: Film(film.figure, tuple(fewer(track, frames) for track in film.tracks)) for key, film in films.items()}
    return encode(head, kept, {key: one.pick for key, one in scene.films.items() if one.pick})


def fewer(track: Track, frames: list[int]) -> Track:
    """Return a track in these frames; it glides between those that follow each other."""
    glides, many = track.glides, track.between + 1
    values, rows = track.values, [many * frame + i for frame in frames for i in range(many)]
    if glides is not None:
        glides = np.array([b == a + 1 and glides[a] for a, b in pairwise(rows)], dtype=bool)
    kept = values[rows] if isinstance(values, np.ndarray) else tuple(values[frame] for frame in frames)
    return replace(track, values=kept, glides=glides)


if __name__ == "__main__":
    main()
