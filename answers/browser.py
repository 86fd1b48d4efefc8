"""A browser's own Python: it answers the addresses of films and frames as a server does, on the reader's computer.

assets/engine/python.js calls it. What comes back is plain: numbers, bytes, or a text of JSON.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import parse_qsl

from answers.address import Refused, read
from answers.ask import FILM, FRAME, film, frame
from lessons.record import Lesson

MADE = {FILM: film, FRAME: frame}
FOUND, NONE, REFUSED = 200, 204, 400  # as the server's statuses (shell/stage/films.py)


class Desk:
    """Answers of some lessons.

    Attributes:
        lessons: key -> lesson.   numbers: key -> its number.
    """

    def __init__(self, lessons: Iterable[tuple[Lesson, int]]) -> None:
        self.lessons, self.numbers = {}, {}
        for lesson, number in lessons:
            self.lessons[lesson.key], self.numbers[lesson.key] = lesson, number

    def get(self, address: str) -> tuple[int, bytes]:
        """Return the status and the film or frame of an address, `film/bands?r=...`, not compressed."""
        path, _, query = address.partition("?")
        kind, _, key = path.partition("/")
        if kind not in MADE or key not in self.lessons:
            return REFUSED, b""
        try:
            state = read(self.lessons[key], parse_qsl(query, keep_blank_values=True), kind)
        except Refused:
            return REFUSED, b""
        try:
            made = MADE[kind](state)
        except ValueError:  # no such world: the page says why
            made = b""
        return (FOUND if made else NONE), made
