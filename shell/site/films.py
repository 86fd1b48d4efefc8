"""Films of a site: what each lesson opens with, its prepared moments and its bet, at some stops of its sliders; and one
picture for each of the other stops.

Each file is a script that hands over what it holds: from a disk a browser loads scripts, and fetches nothing. The film
of a stage is the server's (shell/stage/films.py), byte for byte, and so is a picture that the server has as a frame.
What the drawers below a stage show is in a file of its own, which a page asks for once a drawer is opened.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from pathlib import Path

from common.markup import plain_markdown
from figures.bet import PlacedBet, bars
from figures.film import Film
from figures.theme import Theme
from lessons.record import CLOSED, Bet, Knob, Lesson, Scene, Values
from shell.export import captions
from shell.export.snapshot import of_scene
from shell.hall.bets.page import asked_bet, placed_bet, verdict
from shell.notation.letters import in_letters, translate
from shell.stage.film_format import encode
from shell.stage.film_message import compressed, film, fingerprint, still
from shell.stage.films import frame, marked

STOPS, FEWER = 9, 5  # of a slider that have films, at most: on a page as it opens, and at one of its moments
BELOW = ".below"  # behind the name of a file of films: what its drawers show
OPENING, ASKED, TOLD = "opening", "bet", "truth"  # keys of the views that are no moment
WAGER = "wager"  # key of the chart with the bars of a bet
LOOKS = {"light": False, "dark": True}


@dataclass(frozen=True)
class Slider:
    """A knob that a view's film follows.

    Attributes:
        films: those of its stops that have films, with the view's own value among them.
        pictures: the file of pictures of all stops; None where all have films, and in a moment whose runs take long.
    """

    knob: Knob
    films: tuple
    pictures: PictureFile | None


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
        found = []
        for knob in acting:
            every = stops(knob, self.values)
            quick = self.key == OPENING or self._quick(knob)
            films = some(every, self.values[knob.key], FEWER if quick and self.key != OPENING else STOPS)
            pictures = PictureFile(self.lesson, {**self.values, knob.key: every[0]}, knob, self.t)
            if films:
                found.append(Slider(knob, films, pictures if quick and len(films) < len(every) else None))
        return tuple(found)

    def _quick(self, knob: Knob) -> bool:
        """Return whether the pictures of a slider need no run that is neither shipped nor stored."""
        is_instant = self.lesson.is_instant or (lambda values: True)
        try:
            if whole_frame(self.lesson, self.values, self.t, Theme()):
                return True
            return all(is_instant({**self.values, knob.key: stop}) for stop in knob.stops)
        except ValueError:  # no such world at one of them
            return True

    @property
    def own(self) -> FilmFile:
        """Its file of films."""
        return FilmFile(self.lesson, self.number, self.values, self.until, self.key == TOLD)

    def at(self, slider: Slider, stop: object) -> FilmFile:
        """Return the file with a slider at another stop."""
        return replace(self.own, values={**self.values, slider.knob.key: stop})

    def files(self) -> Iterator[FilmFile | PictureFile]:
        """Yield its files: its own first."""
        yield self.own
        for slider in self.sliders:
            yield from (self.at(slider, stop) for stop in slider.films)
            if slider.pictures:
                yield slider.pictures


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
        """Return what it shows, as the server's film has it, without charts that no two builds would write alike."""
        if self.until is None:
            scene = self.lesson.scene(self.values, self.lesson.t, Theme(dark))
        else:
            scene = self.lesson.question_scene(self.values, self.until, Theme(dark))
        return replace(scene, stills={key: one for key, one in scene.stills.items() if not one.timed})

    def scripts(self, look: str, paper: str) -> dict[str, str]:
        """Return name -> file of one look, in the letters of a paper; the stage last, with which all is there.

        Raises:
            ValueError: there is no such world.
        """
        scene, dark, name = self.scene(LOOKS[look]), LOOKS[look], f"{self.name}.{look}"
        page = of_scene(self.lesson, self.number, scene, self.values, dark, lecture=False)
        page.caption = translate(page.caption, paper, "markdown")
        main, below = next(iter(scene.films)), [key for keys in scene.drawers for key in keys]
        told: dict[str, object] = {
            "film": text(compressed(film(scene.showing(()), paper, marked(scene)))),
            "times": list(range(scene.frames) if scene.times is None else map(int, scene.times)),
            "alt": scene.films[main].alt,
        }
        if self.until is None:  # what is said beside a question tells
            told |= {
                "drawers": [
                    [plain(page.charts[keys[0]].title, paper), {key: page.charts[key].alt for key in keys}]
                    for keys in scene.drawers
                ],
                "caption": captions.stage_caption(page),
                "odds": plain(scene.odds, paper),
                "settings": f"Settings: {captions.settings(page)}.",
            }
        elif self.told:
            told |= truth(self.lesson, paper, dark)
        else:
            told |= {"wager": wager(asked_bet(self.lesson.bet), paper, dark)}
        found = {}
        if below:
            moved = {key: one for key, one in scene.films.items() if key in below}
            stills = {key: in_letters(page.charts[key].figure, paper) for key in scene.stills}
            more = {
                "film": text(compressed(film(replace(scene, films=moved), paper))) if moved else "",
                "stills": {key: text(still(key, figure)) for key, figure in stills.items()},
                "captions": {key: captions.chart_caption(page, key) for key in below},
                "times": {key: f" (as of {page.label})" for key, one in scene.stills.items() if one.follows},
            }
            found[f"{name}{BELOW}"] = taken(f"{name}{BELOW}", more)
        return found | {name: taken(name, told)}


@dataclass(frozen=True, eq=False)
class PictureFile:
    """A file of pictures, one for each stop of a slider, light and dark; files of equal names hold the same.

    Attributes:
        lesson, values: as a view has them, but for the slider's own.   knob: the slider.   t: time of the pictures.
    """

    lesson: Lesson
    values: Values
    knob: Knob
    t: int

    @cached_property
    def name(self) -> str:
        """Path below the folder of films, without the look."""
        return f"{self.lesson.key}/{fingerprint(sorted(self.values.items()), self.knob.key, self.t)}"

    def scripts(self, look: str, paper: str) -> dict[str, str]:
        """Return name -> file of one look, in the letters of a paper. All pictures are compressed as one, each with
        its length (four bytes, the lowest first) before it."""
        name, found = f"{self.name}.{look}", {}
        for stop in self.knob.stops:
            if made := self.picture(stop, LOOKS[look], paper):
                found[self.knob.shown(stop)] = len(made).to_bytes(4, "little") + made
        told = {"stops": list(found), "time": self.t, "pictures": text(compressed(b"".join(found.values())))}
        return {name: taken(name, told)}

    def picture(self, stop: object, dark: bool, paper: str) -> bytes:
        """Return the server's frame of a stop where it tells all, else the film's own; b"" without such a world."""
        lesson, values, theme = self.lesson, {**self.values, self.knob.key: stop}, Theme(dark)
        try:
            known = lesson.is_instant is None or lesson.is_instant(values)  # else a frame tells nothing of the runs
            if known and (made := whole_frame(lesson, values, self.t, theme)):
                return frame(made, paper)
            scene = lesson.scene(values, self.t, theme)
        except ValueError:
            return b""
        at = scene.inside(scene.start)
        main, stage = next(iter(scene.films.items()))
        said = translate(marked(scene)(scene.sentences()[at]), paper, "html")
        return encode({"n": 1, "said": said, "kept": []}, {main: Film(in_letters(stage.draw(at).figure, paper))})


@dataclass(frozen=True, eq=False)
class FileJob:
    """The job of writing a file in every look, in the letters of a paper."""

    file: FilmFile | PictureFile
    paper: str

    @property
    def name(self) -> str:
        """Name of the job in sentences."""
        return f"The film {self.file.name}"

    def __hash__(self) -> int:
        return hash((self.file.name, self.paper))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FileJob) and (self.file.name, self.paper) == (other.file.name, other.paper)

    def perform(self) -> dict[str, str]:
        """Return name -> script."""
        return {name: made for look in LOOKS for name, made in self.file.scripts(look, self.paper).items()}


@dataclass(frozen=True)
class Written:
    """The files that are written into a folder."""

    folder: Path

    def path(self, name: str) -> Path:
        """Return the path of a file, by its name with the look."""
        return self.folder / f"{name}.js"

    def has(self, file: FilmFile | PictureFile) -> bool:
        """Return whether a file is there in every look."""
        return all(self.path(f"{file.name}.{look}").exists() for look in LOOKS)

    def pictured(self, file: PictureFile) -> list[str]:
        """Return the stops, as the screen shows them, of which a file has a picture."""
        script = self.path(f"{file.name}.light").read_text(encoding="utf-8") if self.has(file) else ""
        found = re.search(r'"stops": (\[.*?\]), "time"', script)
        return json.loads(found[1]) if found else []


def taken(name: str, told: Mapping[str, object]) -> str:
    """Return the script that hands over what a file holds."""
    return f"lab.site.take({json.dumps(name)}, {json.dumps(told)});\n"


def truth(lesson: Lesson, paper: str, dark: bool) -> dict[str, object]:
    """Return what is shown once a bet is revealed: what was measured and why, of each answer whether it is right, and
    its bars beside the truth; "" is no answer."""
    bet = lesson.bet
    outcome = lesson.truth(lesson.settings(bet.values), bet)
    every = guesses(bet)
    placed = {guess: placed_bet(bet, outcome, guess) for guess in every} | {"": placed_bet(bet, outcome, CLOSED)}
    return {
        "truth": plain(f"{outcome.whole} {bet.why}", paper),
        "verdicts": {guess: plain(verdict(bet, outcome, guess, ""), paper) + " " for guess in every},
        "wagers": {guess: wager(one, paper, dark) for guess, one in placed.items()},
    }


def wager(placed: PlacedBet, paper: str, dark: bool) -> str:
    """Return the bars of a bet as a still film."""
    return text(still(WAGER, in_letters(bars(placed, Theme(dark)).figure, paper)))


def guesses(bet: Bet) -> list[str]:
    """Return every answer to a bet, as a link writes it."""
    return [".".join(order) for order in permutations(bet.options)] if bet.ranks else list(bet.options)


def plain(markdown: str, paper: str) -> str:
    """Return a text of the lab as plain text, in the letters of a paper."""
    return plain_markdown(translate(markdown, paper, "markdown"))


def text(film: bytes) -> str:
    """Return a film as it stands in a script."""
    return base64.b64encode(film).decode()


def whole_frame(lesson: Lesson, values: Values, t: int, theme: Theme) -> Scene | None:
    """Return the scene of one time where it has the whole stage and its sentence.

    Raises:
        ValueError: there is no such world.
    """
    made = lesson.at_time(values, t, theme)
    return made if made and "main" in made.films and made.sentence is not None else None


def stops(knob: Knob, values: Values) -> tuple:
    """Return the stops of a slider, with its words where it stands at one: there is no choice beside it on a site."""
    return knob.options if values[knob.key] in knob.spelled else knob.stops


def some(stops: Sequence, value: object, most: int) -> tuple:
    """Return all stops of a slider, or so many of them, evenly, with this value among them; none without it."""
    if value not in stops:
        return ()
    if len(stops) <= most:
        return tuple(stops)
    last, own = len(stops) - 1, list(stops).index(value)
    places = [round(i * last / (most - 1)) for i in range(most)]
    places[min(range(most), key=lambda i: abs(places[i] - own))] = own
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
