"""Films of a site: what each lesson opens with, its prepared moments and its bet, at some stops of its sliders.

A file of films is a script that hands them to the page: from a disk a browser loads scripts, and fetches nothing.
The film in it is the server's (shell/films.py), byte for byte.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations

from figures.theme import Theme
from lessons.record import Bet, Knob, Lesson, Scene, Values
from shell.bets.page import verdict
from shell.export import captions
from shell.export.snapshot import of_scene
from shell.film_message import compressed, film, fingerprint, still
from shell.films import marked
from shell.notation.letters import in_letters, translate

STOPS = 9  # of a slider, at most
OPENING, ASKED, TOLD = "opening", "bet", "truth"  # keys of the views that are no moment
LOOKS = {"light": False, "dark": True}


@dataclass(frozen=True)
class Slider:
    """A knob that a view's film follows, and some of its stops, with the view's own value among them."""

    knob: Knob
    stops: tuple


@dataclass(frozen=True, eq=False)
class View:
    """A state of a lesson that the site shows.

    Attributes:
        lesson: that has it.   number: of the lesson.   key: a moment's, or one of those above.   title: of its button.
        line: what is said beside it.   values: of every knob.   t: time at which it opens.
        until: time at which the question of the bet ends, or its reveal; None for others.
    """

    lesson: Lesson
    number: int
    key: str
    title: str
    line: str
    values: Values
    t: int
    until: int | None = None

    @cached_property
    def sliders(self) -> tuple[Slider, ...]:
        """The knob that leads here, of the first lesson all leading ones; none in a bet."""
        knobs = [self.lesson.knobs[key] for key in self.lesson.leads if self.until is None]
        acting = [knob for knob in knobs if knob.acts_at(self.values)][: None if self.number == 0 else 1]
        found = [(knob, some(knob.stops, self.values[knob.key])) for knob in acting]
        return tuple(Slider(knob, stops) for knob, stops in found if stops)

    @property
    def own(self) -> FilmFile:
        """Its file of films."""
        return FilmFile(self.lesson, self.number, self.values, self.until, self.key == TOLD)

    def at(self, slider: Slider, stop: object) -> FilmFile:
        """Return the file with a slider at another stop."""
        return replace(self.own, values={**self.values, slider.knob.key: stop})

    def files(self) -> Iterator[FilmFile]:
        """Yield the files of its films: its own first."""
        yield self.own
        for slider in self.sliders:
            yield from (self.at(slider, stop) for stop in slider.stops)


@dataclass(frozen=True, eq=False)
class FilmFile:
    """A file of films, light and dark; files of equal names hold the same.

    Attributes:
        lesson, number, values, until: as a view has them.   told: it also holds the truth of the bet.
    """

    lesson: Lesson
    number: int
    values: Values
    until: int | None = None
    told: bool = False

    @cached_property
    def name(self) -> str:
        """Path below the folder of films, without the look: the lesson's key and a checksum of the settings."""
        return f"{self.lesson.key}/{fingerprint(sorted(self.values.items()), self.until, self.told)}"

    def scene(self, dark: bool) -> Scene:
        """Return what it shows, as the server's film has it."""
        if self.until is None:
            return self.lesson.scene(self.values, self.lesson.t, Theme(dark))
        return self.lesson.until(self.values, self.until, Theme(dark))

    def script(self, look: str, paper: str) -> str:
        """Return the file of one look, in the letters of a paper.

        Raises:
            ValueError: there is no such world.
        """
        scene, dark = self.scene(LOOKS[look]), LOOKS[look]
        page = of_scene(self.lesson, self.number, scene, self.values, dark, lecture=False)
        page.caption = translate(page.caption, paper, "markdown")
        told = {
            "film": text(compressed(film(scene, paper, marked(scene)))),
            "times": list(range(scene.frames) if scene.times is None else map(int, scene.times)),
            "alts": {key: chart.alt for key, chart in page.charts.items()},
            "stills": {
                key: text(still(key, in_letters(chart.figure, paper)))
                for key, chart in page.charts.items()
                if chart.figure
            },
        }
        if self.until is None:  # what is said beside a question tells
            told |= {
                "caption": captions.stage_caption(page),
                "captions": {key: captions.chart_caption(page, key) for key in page.charts},
                "odds": plain(scene.odds, paper),
                "settings": f"Settings: {captions.settings(page)}.",
            }
        if self.told:
            told |= truth(self.lesson, paper)
        return f"lab.site.take({json.dumps(f'{self.name}.{look}')}, {json.dumps(told)});\n"


@dataclass(frozen=True, eq=False)
class FilmJob:
    """The job of writing a file of films in every look, in the letters of a paper."""

    file: FilmFile
    paper: str

    @property
    def name(self) -> str:
        """Name of the job in sentences."""
        return f"The film {self.file.name}"

    def __hash__(self) -> int:
        return hash((self.file.name, self.paper))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FilmJob) and (self.file.name, self.paper) == (other.file.name, other.paper)

    def perform(self) -> dict[str, str]:
        """Return look -> script."""
        return {look: self.file.script(look, self.paper) for look in LOOKS}


def truth(lesson: Lesson, paper: str) -> dict[str, object]:
    """Return what is said once a bet is revealed: what was measured and why, and of each answer whether it is right."""
    bet = lesson.bet
    outcome = lesson.truth(lesson.settings(bet.values), bet)
    said = plain(f"{outcome.sentence} {bet.why}", paper)
    return {
        "truth": said,
        "verdicts": {guess: plain(verdict(bet, outcome, guess, ""), paper) + " " for guess in guesses(bet)},
    }


def guesses(bet: Bet) -> list[str]:
    """Return every answer to a bet, as a link writes it."""
    return [".".join(order) for order in permutations(bet.options)] if bet.ranks else list(bet.options)


def plain(markdown: str, paper: str) -> str:
    """Return a text of the lab as plain text, in the letters of a paper."""
    return captions.without_markdown(translate(markdown, paper, "markdown"))


def text(film: bytes) -> str:
    """Return a film as it stands in a script."""
    return base64.b64encode(film).decode()


def some(stops: Sequence, value: object) -> tuple:
    """Return all stops of a slider, or nine of many, evenly, with this value among them; none without it."""
    if value not in stops:
        return ()
    if len(stops) <= STOPS:
        return tuple(stops)
    last, own = len(stops) - 1, list(stops).index(value)
    places = [round(i * last / (STOPS - 1)) for i in range(STOPS)]
    places[min(range(STOPS), key=lambda i: abs(places[i] - own))] = own
    return tuple(stops[place] for place in sorted(set(places)))


def views(lesson: Lesson, number: int) -> list[View]:
    """Return what a site shows of a lesson: its opening, its moments, its bet and what happened; nothing without a
    scene."""
    if lesson.scene is None:
        return []
    found = [View(lesson, number, OPENING, "As it opens", "", lesson.settings({}), lesson.t)]
    found += [
        View(lesson, number, one.key, one.title, one.script, lesson.settings(one.values), one.t)
        for one in lesson.moments
    ]
    if bet := lesson.bet:
        asked, told = lesson.settings(bet.opens_with), lesson.settings(bet.values)
        found.append(View(lesson, number, ASKED, "Bet first", "", asked, bet.opens, bet.opens))
        found.append(View(lesson, number, TOLD, "What happened", "", told, bet.opens, bet.t))
    return found
