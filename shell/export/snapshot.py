"""A page as records: every chart, the film with its sentences, the caption. Exports are written from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lessons.record import BET_KNOBS, Knob, Lesson, Scene, Values
from shell.film_message import indexed, pack


@dataclass(frozen=True, eq=False)
class Chart:
    """A figure as the page drew it, and its alternative text."""

    figure: Any
    alt: str


@dataclass(frozen=True, eq=False)
class Reel:
    """What the player sends to the browser: the words of the run, the packed films, and the frame of the last pause."""

    head: Mapping[str, Any]
    packed: Mapping[str, Any]
    frame: int

    @property
    def label(self) -> str:
        """The time, as it stands beside the player's bar."""
        return str(self.head["labels"][self.frame])


@dataclass(eq=False)
class PageSnapshot:
    """One run of one page.

    Attributes:
        number, title, question: of the lesson.   dark, lecture: the look.
        settings: key of each knob -> what the screen writes for it.   seed: as the knob shows it, "" without one.
        charts: key -> chart, in the order of the page.   reel: the film, None on a page without one.
        said: what the live sentence was given.   caption: the set-up below the figure (markdown).
    """

    number: int
    title: str
    question: str
    dark: bool = False
    lecture: bool = False
    settings: dict[str, str] = field(default_factory=dict)
    charts: dict[str, Chart] = field(default_factory=dict)
    reel: Reel | None = None
    said: Mapping[str, Any] | None = None
    caption: str = ""

    @property
    def seed(self) -> str:
        return self.settings.get("seed", "")

    @property
    def label(self) -> str:
        """The time that the page shows."""
        return self.reel.label if self.reel else ""

    def film(self, key: str) -> Any | None:
        """The film of a chart that the player moves."""
        return self.reel.packed["films"].get(key) if self.reel else None

    def sent(self, key: str) -> Mapping[str, Any] | None:
        """A film's chart as the browser gets it: its figure and the words of its tracks as the reader sees them."""
        return next((c for c in self.reel.packed["charts"] if c["key"] == key), None) if self.reel else None

    def figure(self, key: str) -> dict[str, Any]:
        """The specification of a chart: its film's, where the player draws that over the one that stands."""
        sent = self.sent(key)
        return sent["figure"] if sent and sent["figure"] else self.charts[key].figure.to_dict()


def of_scene(lesson: Lesson, scene: Scene, values: Values, dark: bool, lecture: bool) -> PageSnapshot:
    """Return the page that shows this scene, as it opens."""
    at = min(max(scene.start, 0), scene.frames - 1)
    films = {key: one.draw(at) for key, one in scene.films.items()}
    packed = pack(films, picks={key: one.pick for key, one in scene.films.items() if one.pick})
    labels = list(scene.labels())
    head = {
        "n": len(labels),
        "labels": labels,
        "events": [int(event) for event in scene.events],
        "start": at,
        "stood": {chart["key"]: [chart["mark"], at] for chart in packed["charts"]},
        "revision": "offline",
        "reset": "offline",
        "times": list(range(len(labels)) if scene.times is None else scene.times),
    }
    unique, index = indexed(scene.sentences())
    charts = {key: Chart(film.figure, scene.films[key].alt) for key, film in films.items()}
    charts |= {key: Chart(one.draw(at).figure, one.alt) for key, one in scene.stills.items()}
    return PageSnapshot(
        number=lesson.number,
        title=lesson.title,
        question=lesson.question,
        dark=dark,
        lecture=lecture,
        settings=written(lesson.knobs, values),
        charts=charts,
        reel=Reel(head, packed, at),
        said={"sentences": unique, "index": index, "dark": dark, "hall": lecture},
        caption=scene.caption,
    )


def written(knobs: Mapping[str, Knob], values: Values) -> dict[str, str]:
    """Return key -> what the screen writes for every knob; a bet that nobody has placed is no setting."""
    here = {key: knob for key, knob in knobs.items() if key in values}
    return {k: knob.shown(values[k]) for k, knob in here.items() if k not in BET_KNOBS or values[k] != knob.default}
