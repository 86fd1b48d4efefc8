"""Views: the states of lessons that a site, a pack or a page in one file shows, with their files of films.

A lesson's views are what it opens with, its prepared moments and its bet; all else is answered by the browser's own
Python (answers/browser.py). Each file is a script that hands over what it holds: from a disk a browser loads scripts,
and fetches nothing. The film of a stage is the server's (answers/film.py), byte for byte. What the drawers below a
stage show is in a file of its own, which a page asks for once a drawer is opened. This file does not import
Streamlit, because workers import this file.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING

from answers import browser
from answers.film import fingerprint
from answers.state import BET, LESSON, TRUTH, State
from figures.theme import Theme
from lessons.record import OPEN, BadValue, Knob, Lesson, Moment, Values, text_of

if TYPE_CHECKING:
    from shell.hall.course.courses import Stop

BELOW = ".below"  # behind the name of a file of films: what its drawers show
PAGE, OPENING, ASKED, TOLD = "page", "opening", "bet", "truth"  # keys of the views that are no moment
LOOKS = {"light": False, "dark": True}
NONE: Mapping[str, Knob] = {}


@dataclass(frozen=True, eq=False)
class View(State):
    """A named state of a lesson, and the job of writing its file of films, light and dark. Equal views have one file.

    Attributes:
        key: a moment's, or one of those above.   title: of its button.   line: what is said beside it.
        theme: in which an export draws it; its file is in both, in normal type.
    """

    key: str = PAGE
    title: str = ""
    line: str = ""
    html: bool = True

    # ---------------------------------------------------------------- its file

    @cached_property
    def file(self) -> str:
        """Path below the folder of films, without the look: the lesson's key and a checksum of the settings."""
        more = (self.t, self.until, self.key == TOLD, self.moment)
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
        alone = self.given is not None  # a page in one file is drawn as it stands
        state, name = self if alone else replace(self, theme=Theme(LOOKS[look])), f"{self.file}.{look}"
        stage, below = browser.contents(state, glossary=not alone)
        return ({f"{name}{BELOW}": packed(below)} if below else {}) | {name: packed(stage)}


def packed(value: object) -> object:
    """Return the same structure with films as they stand in a script."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return {name: packed(part) for name, part in value.items()} if isinstance(value, Mapping) else value


def view_of(state: State) -> View:
    """Return a state as the view of a page of its own."""
    return View(**{one.name: getattr(state, one.name) for one in fields(State)} | {"html": True})


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


def views(lesson: Lesson, number: int, paper: str = "ours", kept: Sequence[Moment] = ()) -> dict[str, View]:
    """Return key -> view of a lesson: its opening, its moments, its bet and what happened; nothing without a scene.

    Args:
        kept: moments of one's own beside the lesson's.
    """
    if lesson.scene is None:
        return {}

    def view(values: Mapping[str, object], t: int, key: str, title: str, line: str = "", shows: str = LESSON) -> View:
        whole, moment = lesson.settings(values), key if line else None
        return View(lesson, whole, t, shows, paper=paper, number=number, moment=moment, key=key, title=title, line=line)

    found = [view({}, lesson.t, OPENING, "As it opens")]
    found += [view(one.values, one.t, one.key, one.title, one.script) for one in (*lesson.moments, *kept)]
    if bet := lesson.bet:
        asked = {"guess": OPEN}
        found.append(view(bet.opens_with | asked, bet.opens, ASKED, "Bet first", shows=BET))
        found.append(view({**bet.values, **asked, "reveal": True}, bet.t, TOLD, "What happened", shows=TRUTH))
    return {one.key: one for one in found}


def every_view(
    lessons: Sequence[Lesson], paper: str = "ours", walked: Sequence[Stop] = ()
) -> Mapping[str, Mapping[str, View]]:
    """Return key of a lesson -> its views, with the moments of one's own among the stops of a course."""
    kept = {one.key: [stop.kept for stop in walked if stop.kept and stop.lesson == one.key] for one in lessons}
    return {one.key: views(one, number, paper, kept[one.key]) for number, one in enumerate(lessons)}
