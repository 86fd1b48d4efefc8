"""A bet's answer as bytes: the numbers that the engine measures, and the words that the page says them with.

Where the state that is asked about says a number itself (two worlds of drift budget 1.5), or the question does, it is
no part of the answer.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np

from common.formats import amount
from figures.film import Film
from lessons import BY_KEY
from lessons.record import BetOutcome, Lesson
from shell.glossary.notes import entries

SAME = 1e-6  # relative: a figure has numbers of 32 bits
AXES = tuple(f"{axis}axis{i or ''}" for axis in "xy" for i in range(20))
SHOWN = ("data", "layout", "text", "ticktext", "hovertext", "annotations", "title", "name", "meta", "shapes", *AXES)
COUNTS = ("forgetting",)  # whose figure writes whole numbers of the answer's size: sums of weights
RUN = 5  # words in a row that are nobody's by chance
TOKEN = re.compile(r"[−-]?\d[\d,]*(?:\.\d+)?")
WORD = re.compile(r"\w+")


def outcome(lesson: Lesson) -> BetOutcome:
    """Return the answer, in the state that the bet is about."""
    return _outcome(lesson.key)


@cache
def _outcome(key: str) -> BetOutcome:
    lesson = BY_KEY[key]
    return lesson.bet.truth(lesson.settings(lesson.bet.values), lesson.bet)


def question_text(lesson: Lesson) -> str:
    """Return all that the question itself says."""
    bet = lesson.bet
    settings = [lesson.knobs[key].text(value) for key, value in lesson.settings(bet.opens_with).items()]
    return " ".join([bet.question, bet.axis, *bet.options.values(), *bet.options, *bet.about.values(), *settings])


def numbers(lesson: Lesson) -> set[float]:
    """Return the answer's numbers, to the last bit; whole ones are not told from counts and times."""
    told, known = outcome(lesson), {float(one.replace(",", "")) for one in TOKEN.findall(question_text(lesson))}
    found = {*told.sizes.values(), *([told.value] if told.value is not None else [])}
    return {one for one in found if one != round(one) and one not in known}


def written(lesson: Lesson) -> set[str]:
    """Return the answer's numbers as the screen writes them."""
    told, known = outcome(lesson), set(TOKEN.findall(question_text(lesson)))
    said = {amount(size) for size in told.sizes.values()} | {told.amount} | set(told.numbers.values())
    found = {one for text in said for one in TOKEN.findall(text.split(" ±")[0])} - known
    return {one for one in found if "." in one} if lesson.key in COUNTS else found


def runs(text: str) -> set[str]:
    """Return all runs of so many words."""
    words = WORD.findall(text.lower())
    return {" ".join(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}


def answer_runs(lesson: Lesson) -> set[str]:
    """Return runs of words that only the answer has, and neither the question nor the glossary of every page."""
    told = outcome(lesson)
    return (runs(told.whole) | runs(lesson.bet.why)) - runs(question_text(lesson)) - _glossary()


@cache
def _glossary() -> set[str]:
    return runs(re.sub(r"<[^>]*>", " ", entries("ours")))


def in_words(lesson: Lesson, texts: Iterable[str]) -> set[str]:
    """Return what of the answer is said in these texts."""
    found: set[str] = set()
    for text in texts:
        found |= answer_runs(lesson) & runs(text)
    return found


def in_figures(lesson: Lesson, films: Iterable[Film]) -> set[str]:
    """Return what of the answer's numbers is drawn, or written, in films."""
    found: set[str] = set()
    for film in films:
        found |= {one for text in words_of(film) for one in TOKEN.findall(text) if one in written(lesson)}
        drawn = np.concatenate([np.zeros(0), *arrays_of(film)])
        for one in numbers(lesson):
            if np.isclose(drawn, one, rtol=SAME, atol=0.0).any():
                found.add(repr(one))
    return found


def arrays_of(film: Film) -> Iterator[np.ndarray]:
    """Return every number of a film, before it is rounded for the way to the browser."""
    for track in film.tracks:
        if isinstance(track.values, np.ndarray):
            yield np.ravel(track.values).astype(float)
    yield np.array(list(_numbers(film.figure.to_dict())), dtype=float)


def _numbers(part: object) -> Iterator[float]:
    if isinstance(part, dict) and "bdata" in part:
        yield from np.frombuffer(base64.b64decode(part["bdata"]), part["dtype"]).astype(float).tolist()
    elif isinstance(part, dict):
        for one in part.values():
            yield from _numbers(one)
    elif isinstance(part, list | tuple):
        for one in part:
            yield from _numbers(one)
    elif isinstance(part, float):
        yield part


def words_of(film: Film) -> Iterator[str]:
    """Return every text of a film, without its marks of type."""
    for track in film.tracks:
        if not isinstance(track.values, np.ndarray):
            yield from (_unmarked(text) for row in track.values for text in row)
    yield from _texts(film.figure.to_dict())


def _texts(part: object) -> Iterator[str]:
    if isinstance(part, str):
        yield _unmarked(part)
    elif isinstance(part, dict):
        for name, one in part.items():
            if name in SHOWN:
                yield from _texts(one)
    elif isinstance(part, list | tuple):
        for one in part:
            yield from _texts(one)


def _unmarked(text: str) -> str:
    return re.sub(r"<[^>]*>", " ", text)


def films_in(raw: bytes) -> Iterator[bytes]:
    """Return the films that a message holds, each decompressed."""
    at = raw.find(b"\x1f\x8b\x08")
    while at >= 0:
        reader = zlib.decompressobj(zlib.MAX_WBITS | 16)
        try:
            made = reader.decompress(raw[at:])
        except zlib.error:
            made = b""
        if made[4:6] == b'{"':
            yield made
        at = raw.find(b"\x1f\x8b\x08", at + 1)


def unpacked(raw: bytes) -> bytes:
    """Return a message with each film in it decompressed in its place."""
    before, magic, rest = raw.partition(b"\x1f\x8b\x08")
    reader = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        made = reader.decompress(magic + rest)
    except zlib.error:
        return before + magic + unpacked(rest)
    return before + made + (unpacked(reader.unused_data) if magic else b"")
