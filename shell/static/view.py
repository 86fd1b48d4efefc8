"""Views: the states of lessons that a site, a pack or a page in one file shows, with their files of films.

A lesson's views are what it opens with, its prepared moments and its bet; some stops of its sliders have films, the
others one picture each. Each file is a script that hands over what it holds: from a disk a browser loads scripts, and
fetches nothing. The film of a stage is the server's (shell/stage/films.py), byte for byte, and so is a picture that the
server has as a frame. What the drawers below a stage show is in a file of its own, which a page asks for once a drawer
is opened. This file does not import Streamlit, because workers import this file.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING

from common.markup import plain_markdown
from figures.bet import PlacedBet, bars
from figures.film import Film, PackedFigure
from figures.theme import Theme
from lessons.record import APART, CLOSED, BadValue, Bet, Knob, Lesson, Moment, Picture, Scene, Values, text_of
from shell.hall.bets.verdict import open_bet, placed_bet, verdict
from shell.notation.letters import in_letters, translate
from shell.stage.film_format import encode
from shell.stage.film_message import compressed, film, fingerprint, labels, still
from shell.stage.films import frame, marked
from shell.static import captions

if TYPE_CHECKING:
    from shell.hall.course.courses import Stop

STOPS, FEWER = 9, 5  # of a slider that have films, at most: on a page as it opens, and at one of its moments
BELOW = ".below"  # behind the name of a file of films: what its drawers show
OPENING, ASKED, TOLD = "opening", "bet", "truth"  # keys of the views that are no moment
WAGER = "wager"  # key of the chart with the bars of a bet
PLAIN = Theme()
LOOKS = {"light": False, "dark": True}
NONE: Mapping[str, Knob] = {}


@dataclass(frozen=True)
class Slider:
    """A knob that a view's film follows.

    Attributes:
        films: those of its stops that have films, with the view's own value among them.
        pictures: whose file has the pictures of all stops; None where all have films, and in a moment whose runs take
            long.
    """

    knob: Knob
    films: tuple
    pictures: View | None


@dataclass(frozen=True, eq=False)
class View:
    """A state of a lesson, and the job of writing its file of films, light and dark. Equal views have the same file.

    Attributes:
        lesson: that has it.   number: of the lesson.   key: a moment's, or one of those above.   title: of its button.
        line: what is said beside it.   values: of every knob.   t: time at which it opens.
        until: time at which the question of the bet ends, or its reveal; None for others.
        paper: in whose letters it is.   theme: in which an export draws it; its file is in both, in normal type.
        given_scene: the scene that a page shows, where values alone do not say it (a table of the reader's own).
        charts: keys of those that stand on that page; None for all.
        pictured: the slider of which its file holds pictures, one for each stop, instead of films.
    """

    lesson: Lesson
    number: int
    key: str
    title: str
    line: str
    values: Values
    t: int
    until: int | None = None
    paper: str = "ours"
    theme: Theme = PLAIN
    given_scene: Scene | None = None
    charts: tuple[str, ...] | None = None
    pictured: Knob | None = None

    # ---------------------------------------------------------------- what an export reads

    @cached_property
    def scene(self) -> Scene:
        """Return its scene.

        Raises:
            ValueError: there is no such world.
        """
        if self.given_scene is not None:
            return self.given_scene
        if self.until is not None:
            return self.lesson.question_scene(self.values, self.until, self.theme)
        return self.lesson.scene(self.values, self.lesson.t, self.theme)

    @property
    def frame(self) -> int:
        """The frame at which it opens."""
        return self.scene.at_time(self.t)

    @property
    def pictures(self) -> dict[str, Picture]:
        """Key -> chart, the stage first."""
        every = {**self.scene.films, **self.scene.stills}
        return every if self.charts is None else {key: every[key] for key in self.charts}

    @cached_property
    def labels(self) -> Sequence[str]:
        """One text a frame, as the player shows it."""
        return labels(self.scene, self.paper)

    @property
    def label(self) -> str:
        """Its time, as the player shows it."""
        return str(self.labels[self.frame])

    @property
    def caption(self) -> str:
        """The set-up below the stage (markdown)."""
        return translate(self.scene.caption, self.paper, "markdown")

    @property
    def settings(self) -> dict[str, str]:
        """Key of every knob -> its value as the screen shows it; without a bet or a task that is not chosen."""
        known = {key: knob for key, knob in self.lesson.knobs.items() if key in self.values}
        listed = {key for key, knob in known.items() if key not in APART or self.values[key] != knob.default}
        return {key: knob.screen_text(self.values[key]) for key, knob in known.items() if key in listed}

    def film(self, key: str) -> Film | None:
        """Return the film of a chart, in the letters; None where the player does not move it."""
        one = self.scene.films.get(key)
        return in_letters(one.draw(self.frame), self.paper) if one else None

    def figure_of(self, key: str) -> PackedFigure:
        """Return the figure of a chart, at the frame at which the view opens."""
        moved = self.film(key)
        return moved.figure if moved else in_letters(self.scene.stills[key].draw(self.frame).figure, self.paper)

    # ---------------------------------------------------------------- sliders

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
            if films:
                pictures = replace(self, values={**self.values, knob.key: every[0]}, pictured=knob)
                found.append(Slider(knob, films, pictures if quick and len(films) < len(every) else None))
        return tuple(found)

    def _quick(self, knob: Knob) -> bool:
        """Return whether the pictures of a slider need no run that is neither shipped nor stored."""
        try:
            if whole_frame(self.lesson, self.values, self.t, Theme()):
                return True
            return all(needs_no_run(self.lesson, {**self.values, knob.key: stop}) for stop in knob.stops)
        except ValueError:  # no such world at one of them
            return True

    def at(self, slider: Slider, stop: object) -> View:
        """Return the view with a slider at another stop."""
        return replace(self, values={**self.values, slider.knob.key: stop})

    def files(self) -> Iterator[View]:
        """Yield the views whose files a page of a site asks for: this one first."""
        yield self
        for slider in self.sliders:
            yield from (self.at(slider, stop) for stop in slider.films)
            if slider.pictures:
                yield slider.pictures

    # ---------------------------------------------------------------- its file

    @cached_property
    def file(self) -> str:
        """Path below the folder of films, without the look: the lesson's key and a checksum of the settings."""
        more = (self.pictured.key, self.t) if self.pictured else (self.until, self.key == TOLD)
        return f"{self.lesson.key}/{fingerprint(sorted(self.values.items()), *more)}"

    @property
    def name(self) -> str:
        """Name of the job in sentences."""
        return f"The film {self.file}"

    def __hash__(self) -> int:
        return hash((self.file, self.paper))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and (self.file, self.paper) == (other.file, other.paper)

    def perform(self) -> dict[str, str]:
        """Return name -> script, in both looks.

        Raises:
            ValueError: there is no such world.
        """
        files = {name: made for look in LOOKS for name, made in self.contents(look).items()}
        return {name: f"lab.site.take({json.dumps(name)}, {json.dumps(made)});\n" for name, made in files.items()}

    def contents(self, look: str) -> dict[str, dict[str, object]]:
        """Return name -> content of a view's file; the stage is last and completes it."""
        if self.pictured:
            return {f"{self.file}.{look}": self._pictures(Theme(LOOKS[look]))}
        # Files of equal names hold the same: it is drawn at the lesson's time, without charts that no two builds would
        # write alike.
        theme = self.theme if self.given_scene else Theme(LOOKS[look])
        one = self if self.given_scene else replace(self, theme=theme, t=self.lesson.t)
        scene, name, main = one.scene, f"{self.file}.{look}", next(iter(one.scene.films))
        scene = replace(scene, stills={key: still for key, still in scene.stills.items() if not still.timed})
        marks = () if self.given_scene else (marked(scene),)  # a page in one file has no glossary beside it
        found: dict[str, object] = {
            "film": text(compressed(film(scene.showing(()), self.paper, *marks))),
            "times": list(range(scene.frames) if scene.times is None else map(int, scene.times)),
            "alt": scene.films[main].alt,
        }
        charts = {**scene.films, **scene.stills}
        if self.until is None:  # what is said beside a question tells
            found |= {
                "drawers": [
                    [plain(charts[keys[0]].title, self.paper), {key: charts[key].alt for key in keys}]
                    for keys in scene.drawers
                ],
                "caption": captions.stage_caption(one),
                "odds": plain(scene.odds, self.paper),
                "settings": f"Settings: {captions.settings(one)}.",
            }
        elif self.key == TOLD:
            found |= truth(self.lesson, self.paper, theme)
        else:
            found |= {"wager": wager(open_bet(bet), self.paper, theme) if (bet := self.lesson.bet).places else ""}
        below = [key for keys in scene.drawers for key in keys]
        return {f"{name}{BELOW}": one.below(scene, below), name: found} if below else {name: found}

    def below(self, scene: Scene, keys: Sequence[str]) -> dict[str, object]:
        """Return what the drawers of a scene show."""
        moved = {key: one for key, one in scene.films.items() if key in keys}
        return {
            "film": text(compressed(film(replace(scene, films=moved), self.paper))) if moved else "",
            "stills": {key: text(still(key, self.figure_of(key))) for key in scene.stills},
            "captions": {key: captions.chart_caption(self, key) for key in keys},
            "times": {key: f" (as of {self.label})" for key, one in scene.stills.items() if one.follows},
        }

    def _pictures(self, theme: Theme) -> dict[str, object]:
        """Return the pictures of the stops. All are compressed as one, each with its length (four bytes, the lowest
        first) before it."""
        found = {}
        for stop in self.pictured.stops:
            if made := self.picture(stop, theme):
                found[self.pictured.screen_text(stop)] = len(made).to_bytes(4, "little") + made
        return {"stops": list(found), "time": self.t, "pictures": text(compressed(b"".join(found.values())))}

    def picture(self, stop: object, theme: Theme) -> bytes:
        """Return the server's frame of a stop where it is complete, else the film's own; b"" without such a world."""
        lesson, values = self.lesson, {**self.values, self.pictured.key: stop}
        try:
            # Else a frame tells nothing of the runs.
            if needs_no_run(lesson, values) and (made := whole_frame(lesson, values, self.t, theme)):
                return frame(made, self.paper)
            scene = lesson.scene(values, self.t, theme)
        except ValueError:
            return b""
        at = scene.inside(scene.start)
        main, stage = next(iter(scene.films.items()))
        sentence = translate(marked(scene)(scene.sentences()[at]), self.paper, "html")
        return encode(
            {"n": 1, "said": sentence, "kept": []}, {main: Film(in_letters(stage.draw(at).figure, self.paper))}
        )


def truth(lesson: Lesson, paper: str, theme: Theme) -> dict[str, object]:
    """Return what is shown once a bet is revealed: what was measured and why, of each answer whether it is right, and
    its bars beside the truth; "" is no answer."""
    bet = lesson.bet
    outcome = lesson.truth(lesson.settings(bet.values), bet)
    every = guesses(bet)
    placed = {guess: placed_bet(bet, outcome, guess) for guess in every} | {"": placed_bet(bet, outcome, CLOSED)}
    return {
        "truth": plain(f"{outcome.whole} {bet.why}", paper),
        "verdicts": {guess: plain(verdict(bet, outcome, guess, ""), paper) + " " for guess in every},
        "wagers": {guess: wager(one, paper, theme) for guess, one in placed.items()},
    }


def wager(placed: PlacedBet, paper: str, theme: Theme) -> str:
    """Return the bars of a bet as a still film."""
    return text(still(WAGER, in_letters(bars(placed, theme).figure, paper)))


def guesses(bet: Bet) -> list[str]:
    """Return every answer to a bet, as a link writes it."""
    return [".".join(order) for order in permutations(bet.options)] if bet.ranks else list(bet.options)


def plain(markdown: str, paper: str) -> str:
    """Return a text of the lab as plain text, in the letters of a paper."""
    return plain_markdown(translate(markdown, paper, "markdown"))


def text(film: bytes) -> str:
    """Return a film as it stands in a script."""
    return base64.b64encode(film).decode()


def view_keys(stop: Stop) -> tuple[str, ...]:
    """Return the keys of the views that a stop shows: of a bet the question and what happened."""
    return (ASKED, TOLD) if stop.asks else (stop.key,)


def with_words(lesson: Lesson, values: Values, words: Mapping[str, object], more: Mapping[str, Knob] = NONE) -> Values:
    """Return values of a lesson with settings on top, as links write them.

    Args:
        more: knobs beside the lesson's.

    Raises:
        ValueError: there is no such setting, or a value is not allowed; in one sentence.
    """
    found, knobs = dict(values), {**lesson.knobs, **more}
    for name, value in words.items():
        if name not in knobs:
            raise ValueError(f"{lesson.key} has no setting {name!r}; it has {', '.join(knobs)}.")
        try:
            found[name] = knobs[name].read(text_of(value))
        except BadValue as problem:
            raise ValueError(f"{name} = {value!r} is not allowed: {problem}.") from None
    return found


def needs_no_run(lesson: Lesson, values: Values) -> bool:
    """Return whether a scene waits for no run; a lesson whose films have no address plays what it shows."""
    return lesson.is_instant is None or lesson.is_instant(values)


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


def views(lesson: Lesson, number: int, paper: str = "ours", kept: Sequence[Moment] = ()) -> dict[str, View]:
    """Return key -> view of a lesson: its opening, its moments, its bet and what happened; nothing without a scene.

    Args:
        kept: moments of one's own beside the lesson's.
    """
    if lesson.scene is None:
        return {}
    found = [View(lesson, number, OPENING, "As it opens", "", lesson.settings({}), lesson.t)]
    found += [
        View(lesson, number, one.key, one.title, one.script, lesson.settings(one.values), one.t)
        for one in (*lesson.moments, *kept)
    ]
    if bet := lesson.bet:
        before, after = lesson.settings(bet.opens_with), lesson.settings(bet.values)
        found.append(View(lesson, number, ASKED, "Bet first", "", before, bet.opens, bet.opens))
        found.append(View(lesson, number, TOLD, "What happened", "", after, bet.opens, bet.t))
    return {view.key: replace(view, paper=paper) for view in found}


def every_view(
    lessons: Sequence[Lesson], paper: str = "ours", walked: Sequence[Stop] = ()
) -> Mapping[str, Mapping[str, View]]:
    """Return key of a lesson -> its views, with the moments of one's own among the stops of a course."""
    kept = {one.key: [stop.kept for stop in walked if stop.kept and stop.lesson == one.key] for one in lessons}
    return {one.key: views(one, number, paper, kept[one.key]) for number, one in enumerate(lessons)}
