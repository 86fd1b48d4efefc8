"""Views: the states of lessons that a site, a pack or a page in one file shows, with their files of films.

A lesson's views are what it opens with, its prepared moments and its bet; some stops of its sliders have films, the
others one picture each. Each file is a script that hands over what it holds: from a disk a browser loads scripts, and
fetches nothing. The film of a stage is the server's (answers/film.py), byte for byte, and so is a picture that the
server has as a frame. What the drawers below a stage show is in a file of its own, which a page asks for once a drawer
is opened. This file does not import Streamlit, because workers import this file.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING

from answers import drawers, page
from answers.film import compressed, fingerprint, frame, said
from answers.film_format import encode
from answers.letters import in_letters
from answers.state import BET, LESSON, TRUTH, State
from figures.film import Film
from figures.theme import Theme
from lessons.record import BadValue, Knob, Lesson, Moment, Scene, Values, page_alone, text_of

if TYPE_CHECKING:
    from shell.hall.course.courses import Stop

STOPS, FEWER = 9, 5  # of a slider that have films, at most: on a page as it opens, and at one of its moments
BELOW = ".below"  # behind the name of a file of films: what its drawers show
PAGE, OPENING, ASKED, TOLD = "page", "opening", "bet", "truth"  # keys of the views that are no moment
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
class View(State):
    """A named state of a lesson, and the job of writing its file of films, light and dark. Equal views have one file.

    Attributes:
        key: a moment's, or one of those above.   title: of its button.   line: what is said beside it.
        theme: in which an export draws it; its file is in both, in normal type.
        pictured: the slider of which its file holds pictures, one for each stop, instead of films.
    """

    key: str = PAGE
    title: str = ""
    line: str = ""
    pictured: Knob | None = None

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
        # write alike. A page in one file is drawn as it stands, and has no glossary beside it.
        alone = self.given is not None
        state = self if alone else replace(self, theme=Theme(LOOKS[look]), t=self.lesson.t)
        name, found = f"{self.file}.{look}", {}
        if drawers.untimed(state.scene).drawers:
            found[f"{name}{BELOW}"] = packed(drawers.every_drawer(state))
        return found | {name: packed(page.contents(state, glossary=not alone))}

    def _pictures(self, theme: Theme) -> dict[str, object]:
        """Return the pictures of the stops. All are compressed as one, each with its length (four bytes, the lowest
        first) before it."""
        found = {}
        for stop in self.pictured.stops:
            if made := self.picture(stop, theme):
                found[self.pictured.screen_text(stop)] = len(made).to_bytes(4, "little") + made
        return {"stops": list(found), "time": self.t, "pictures": packed(compressed(b"".join(found.values())))}

    def picture(self, stop: object, theme: Theme) -> bytes:
        """Return the server's frame of a stop where it is complete, else the film's own; b"" without such a world."""
        lesson, values = self.lesson, {**self.values, self.pictured.key: stop}
        try:
            # Else a frame tells nothing of the runs.
            if needs_no_run(lesson, values) and (made := whole_frame(lesson, values, self.t, theme)):
                return frame(made, self.t, self.paper)
            scene = lesson.scene(values, theme)
        except ValueError:
            return b""
        at = scene.at_time(self.t)
        main, stage = next(iter(scene.films.items()))
        sentence = said(scene, at, self.paper)
        return encode(
            {"n": 1, "said": sentence, "kept": []}, {main: Film(in_letters(stage.draw(at).figure, self.paper))}
        )


def packed(value: object) -> object:
    """Return the same structure with films as they stand in a script."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return {name: packed(part) for name, part in value.items()} if isinstance(value, dict) else value


def view_of(state: State) -> View:
    """Return a state as the view of a page of its own."""
    return View(**{one.name: getattr(state, one.name) for one in fields(State)})


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
    return lesson.waits is page_alone or lesson.has_address(values)


def whole_frame(lesson: Lesson, values: Values, t: int, theme: Theme) -> Scene | None:
    """Return the scene of one time where it has the whole stage and its sentence.

    Raises:
        ValueError: there is no such world.
    """
    made = lesson.at_time(values, t, theme)
    return made if made and "main" in made.films and made.says else None


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

    def view(values: Mapping[str, object], t: int, key: str, title: str, line: str = "", shows: str = LESSON) -> View:
        whole = lesson.settings(values)
        return View(lesson, whole, t, shows, paper=paper, number=number, key=key, title=title, line=line)

    found = [view({}, lesson.t, OPENING, "As it opens")]
    found += [view(one.values, one.t, one.key, one.title, one.script) for one in (*lesson.moments, *kept)]
    if bet := lesson.bet:
        found.append(view(bet.opens_with, bet.opens, ASKED, "Bet first", shows=BET))
        found.append(view(bet.values, bet.opens, TOLD, "What happened", shows=TRUTH))
    return {one.key: one for one in found}


def every_view(
    lessons: Sequence[Lesson], paper: str = "ours", walked: Sequence[Stop] = ()
) -> Mapping[str, Mapping[str, View]]:
    """Return key of a lesson -> its views, with the moments of one's own among the stops of a course."""
    kept = {one.key: [stop.kept for stop in walked if stop.kept and stop.lesson == one.key] for one in lessons}
    return {one.key: views(one, number, paper, kept[one.key]) for number, one in enumerate(lessons)}
