"""Nothing of an answer reaches the browser before its reveal: a bet's on every page, and a game's world."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import parse_qs, urlsplit

import pytest

from figures.theme import Theme
from shell.stage.film_message import film as message
from tests import answers
from tests.browser.conftest import PROJECTOR, sampled
from tests.browser.screen import Screen
from tests.browser.test_layout import BETTING

pytestmark = pytest.mark.browser
# The film has run to where the truth happens; whether the truth was seen before.
RUNS = """() => { const truth = document.querySelector('.st-key-bet_truth'), told = document.documentElement.classList;
  const seen = truth && getComputedStyle(truth).visibility !== 'hidden';
  if (seen && lab.now.t < lab.player.film.n - 1) window.early = true;
  return told.contains('tvbo-told'); }"""
LETTERS = re.compile(rb"[\x20-\x7e\xc2-\xf4\x80-\xbf]{4,}")


@dataclass
class Traffic:
    """Everything that a browser gets: bodies of answers by their address, and messages of the socket."""

    bodies: dict[str, bytes] = field(default_factory=dict)
    frames: list[bytes] = field(default_factory=list)

    def listen(self, screen: Screen) -> None:
        def hear(said: bytes | str) -> None:
            self.frames.append(said if isinstance(said, bytes) else said.encode())

        screen.page.on("websocket", lambda wire: wire.on("framereceived", hear))
        screen.page.on("requestfinished", self._keep)

    def _keep(self, asked: object) -> None:
        answer = asked.response()
        if answer is not None and answer.status == 200 and asked.url not in self.bodies:
            self.bodies[asked.url] = answer.body()  # as it was before it was compressed

    @property
    def films(self) -> dict[str, bytes]:
        """Address -> film."""
        return {url: raw for url, raw in self.bodies.items() if urlsplit(url).path.startswith(("/film/", "/frame/"))}

    @property
    def texts(self) -> list[str]:
        """Every text of the socket, of the films, and of what else the server says; not the scripts, which are the same
        for everybody."""
        raws = [raw for url, raw in self.bodies.items() if "/static/" not in url and ".js" not in url]
        for frame in self.frames:
            raws += [frame, *answers.films_in(frame)]
        return [found.decode(errors="ignore") for raw in raws for found in LETTERS.findall(raw)]


@cache
def question(path: str, lecture: bool) -> bytes:
    """Return the film of a bet's question, as it travels."""
    lesson, bet = BETTING[path], BETTING[path].bet
    scene = lesson.question_scene(lesson.settings(bet.opens_with), bet.opens, Theme(lecture=lecture))
    return message(scene, "ours")


def tells(text: str, number: str) -> bool:
    """Return whether a number stands in a text, and is no part of another one, nor of a picture in the glossary."""
    plain = re.sub(r"<[^>]*>", " ", text)
    return re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d,]|\.\d)", plain) is not None


@pytest.mark.parametrize("path", sampled(BETTING))
def test_no_byte_of_answer_before_reveal(stranger: Callable[[], Screen], path: str) -> None:
    """From the first visit by the bet's own link until just before the reveal, with the film played and an answer
    chosen. What the film holds is compared with `Lesson.question_scene`, whose numbers
    tests/lessons/test_questions.py reads."""
    lesson, screen, line = BETTING[path], stranger(), Traffic()
    screen.page.set_viewport_size(PROJECTOR)
    line.listen(screen)
    screen.open(path, guess="open", lecture="true")
    screen.press("Home", "End").hold(600).settle()
    screen.press("1").hold(600).settle()
    assert screen.page.locator(".st-key-bet_reveal button").is_visible()
    got = list(line.films.values()) + [film for frame in line.frames for film in answers.films_in(frame)]
    mine = [film for film in got if b'"key":"main"' in film]
    assert mine and set(mine) == {question(path, True)}
    assert all(parse_qs(urlsplit(url).query)["until"] == [str(lesson.bet.opens)] for url in line.films)
    assert answers.in_words(lesson, line.texts) == set()
    assert not [text for text in line.texts for one in answers.written(lesson) if "." in one and tells(text, one)]
    screen.page.locator(".st-key-bet_reveal button").click()
    screen.until(RUNS).settle()
    assert screen.page.locator(".st-key-bet_truth").is_visible() and not screen.page.evaluate("() => window.early")
    assert answers.in_words(lesson, line.texts) != set()  # the same search finds it now
    assert screen.errors == []
