"""Charts, sentences and facts of a page in one setting, frame by frame; and the front page's small picture."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from lessons.record.claim import Strip


@dataclass(frozen=True)
class Pick:
    """Meaning of a click on a chart, and of what is dragged there.

    Attributes:
        time, place: which coordinate of a clicked point is the time, and which is the place.
        along: axes of time, such as "x5" and "y2": in their panels the time is dragged.
        zeros: axis of time -> where time 0 lies on it, if that is not 0.
        knobs: key -> the axis along which the mark of that knob is dragged.
        places: key -> where each stop of that knob lies on its axis, if that is not its value; a tuple of places where
            the mark stands in several panels.
        ask: where a click asks, None where it does not.
        handles: key of a code -> its handles.
    """

    time: str | None = None
    place: str | None = None
    along: tuple[str, ...] = ()
    zeros: Mapping[str, float] = field(default_factory=dict)
    knobs: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, tuple[float | tuple[float, ...], ...]] = field(default_factory=dict)
    ask: Ask | None = None
    handles: Mapping[str, Handles] = field(default_factory=dict)


@dataclass(frozen=True)
class Ask:
    """Panels in which a click, or a place that is chosen with the keys, asks.

    Attributes:
        key: of the knob that holds all questions, as pairs of round and place with _ between: the film that holds the
            answer has an address; None where Python alone knows it, and sends the next film.
        axes: the x axis of each, such as "x2".   places: that can be asked, evenly from one end of it to the other.
        plays: frames from and to which the film plays that holds the answer to the last question; None without one.
        left: how many questions may still be asked; None for any number.
    """

    key: str | None
    axes: tuple[str, ...]
    places: int
    plays: tuple[int, int] | None = None
    left: int | None = None


@dataclass(frozen=True)
class Handles:
    """Handles of which each moves one of the whole numbers of a code.

    Attributes:
        axes: the y axes in whose panels they stand.   x, y: of each.
        numbers: of the code, as it is; a number a handle.   unit: that a number counts in, on the axis.
        most: largest number, below 0 too.   still: the code whose numbers are all 0.
    """

    axes: tuple[str, ...]
    x: tuple[float, ...]
    y: tuple[float, ...]
    numbers: tuple[int, ...]
    unit: float
    most: int
    still: str


@dataclass(frozen=True)
class Rounds:
    """Rounds of several steps, a frame each, as the player names and plays them.

    Attributes:
        steps: the name of each, with a picture (HTML).   lasting: milliseconds that each takes.
        slow: rounds that a film takes so long for, from where it is played on.   brisk: milliseconds of a later round.
    """

    steps: tuple[str, ...]
    lasting: tuple[int, ...]
    slow: int
    brisk: int


DATA = "Data table"  # the table of most pages


def _no_words(frame: int) -> str:
    return ""


def _no_notes(frame: int) -> Sequence[str]:
    return ()


def _no_facts(frame: int) -> Mapping[str, float | None]:
    return {}


@dataclass(frozen=True, eq=False)
class Picture:
    """One chart of a page.

    Attributes:
        draw: returns the chart at a frame (a `figures.film.Film`, without tracks where the player does not move it).
        alt: alternative text.   title: of the drawer below the stage that it is the first chart of (markdown), else "".
        caption: returns the words below it at a frame.   pick: what a click on it means, None for nothing.
        follows: whether a picture that the player does not move is drawn anew after a pause at another frame.
        knobs: keys of those that are drawn above it in its drawer; where a link sets one of them, the drawer is open.
        screens: of a stage, how many screens of a phone its panels take beside each other, and at which of them, from
            0, a phone opens: it shows what the headline says.
        unknown: of a stage, axes such as "x2" and "y2" whose panel only finished runs can tell. While a slider is
            dragged the page keeps its sentence and what it shows there, but for annotations and shapes that come under
            the same name.
    """

    draw: Callable[[int], Any]
    alt: str
    title: str = ""
    caption: Callable[[int], str] = _no_words
    pick: Pick | None = None
    follows: bool = False
    knobs: tuple[str, ...] = ()
    screens: tuple[int, int] = (1, 0)
    unknown: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Scene:
    """Content of a lesson in one setting, ready to be drawn on its page, into a pack or by a script.

    Attributes:
        state: plain values that decide everything that is drawn.
        times: the time of each frame.
        films: key -> chart that the player moves; the first is the stage and has the key "main".
        says: returns the live sentence of a frame (HTML); None where only finished runs can tell.
        label: returns the text of a frame, beside the player's bar; None for "t = 3 of 200".
        facts: returns name -> number of a frame, None where there is none: all that its sentence says, under the names
            by which the recipe prints them; a chart says where it shows them (`figures.film.Film.shows`).
        events: frames that "next event" stops at.
        caption: set-up with its seed.   notes: return what else is to be said about the stage at a frame.
        odds: in how many worlds, blocks or draws it is so: a line below the stage, "" for none, or those worlds one by
            one under their line.
        stills: key -> chart below the stage.
        tables: title -> returns the rows of a data table at a frame.
        rounds: what the player knows of frames that are the steps of rounds; None elsewhere.
        reset: plain values with which time starts anew.
    """

    state: tuple
    times: Sequence[int]
    films: Mapping[str, Picture]
    caption: str
    says: Callable[[int], str] | None = None
    label: Callable[[int], str] | None = None
    facts: Callable[[int], Mapping[str, float | None]] = _no_facts
    events: Sequence[int] = ()
    notes: Callable[[int], Sequence[str]] = _no_notes
    odds: str | Strip = ""
    stills: Mapping[str, Picture] = field(default_factory=dict)
    tables: Mapping[str, Callable[[int], Sequence[Mapping]]] = field(default_factory=dict)
    rounds: Rounds | None = None
    reset: tuple = ()

    @property
    def frames(self) -> int:
        """Number of frames of the film."""
        return len(self.times)

    @property
    def stage(self) -> Picture:
        """The first of its films."""
        return next(iter(self.films.values()))

    @property
    def odds_line(self) -> str:
        """In how many worlds, blocks or draws it is so, in words; "" for nothing."""
        return self.odds.line if isinstance(self.odds, Strip) else self.odds

    def labels(self) -> list[str]:
        """Return the text of every frame, beside the player's bar."""
        label = self.label or (lambda frame: f"t = {self.times[frame]} of {self.times[-1]}")
        return [label(frame) for frame in range(self.frames)]

    def sentences(self) -> list[str]:
        """Return the live sentence of every frame; none where only finished runs can tell."""
        return [] if self.says is None else [self.says(frame) for frame in range(self.frames)]

    @property
    def drawers(self) -> list[tuple[str, ...]]:
        """Keys of the charts below the stage, by the drawers that they lie in."""
        main = next(iter(self.films))
        below = {key: one.title for key, one in {**self.films, **self.stills}.items() if key != main}
        return in_drawers(below)

    def at_time(self, t: int) -> int:
        """Return the frame whose time is nearest to this one."""
        return min(range(self.frames), key=lambda frame: abs(self.times[frame] - t))

    def showing(self, charts: Collection[str]) -> Scene:
        """Return the scene with these alone of the charts that the player moves below the stage."""
        main = next(iter(self.films))
        return replace(self, films={key: one for key, one in self.films.items() if key == main or key in charts})

    def without_answer(self, until: int) -> Scene:
        """Return the stage alone and without words about it, as the question of a bet shows it up to a time."""
        key, picture = next(iter(self.films.items()))
        return replace(
            self,
            state=(*self.state, "until", until),
            films={key: replace(picture, caption=_no_words, pick=None)},
            events=[event for event in self.events if event < self.frames],
            says=_no_words,
            facts=_no_facts,
            odds="",
            caption="",
            notes=_no_notes,
            stills={},
            tables={},
        )


def of_all(make: Callable[[], Sequence[str]]) -> Callable[[int], str]:
    """Return the sentence of a frame, of sentences that are made together when the first is wanted."""
    every = cache(make)
    return lambda frame: every()[frame]


def in_drawers(titles: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return keys of charts by drawers: one without a title lies in the drawer of the one before it."""
    found: list[tuple[str, ...]] = []
    for key, title in titles.items():
        if title or not found:
            found.append((key,))
        else:
            found[-1] = (*found[-1], key)
    return found
