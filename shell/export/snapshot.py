"""Snapshots of a page: every chart, the film with its sentences, the caption. Exports are written from them."""

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
    """The film of a page as the player sends it.

    Attributes:
        head: labels, events and times of the run.   packed: the films.   frame: of the last pause.
    """

    head: Mapping[str, Any]
    packed: Mapping[str, Any]
    frame: int

    @property
    def label(self) -> str:
        """Time of the last pause, as the player shows it."""
        return str(self.head["labels"][self.frame])


@dataclass(eq=False)
class PageSnapshot:
    """One run of one page.

    Attributes:
        number, title, question: of the lesson.   dark, lecture: the look.
        settings: key of each knob -> its value as the screen shows it.   seed: as its knob shows it, "" without one.
        charts: key -> chart, in the order of the page.   reel: the film, None on a page without one.
        said: data of the live sentence.   caption: the set-up below the figure (markdown).
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
        """Seed as its knob shows it, "" without one."""
        return self.settings.get("seed", "")

    @property
    def label(self) -> str:
        """Time that the page shows, "" without a film."""
        return self.reel.label if self.reel else ""

    def film(self, key: str) -> Any | None:
        """Return the film of a chart, None where the player does not move it."""
        return self.reel.packed["films"].get(key) if self.reel else None

    def sent(self, key: str) -> Mapping[str, Any] | None:
        """Return a film's chart as the browser gets it, with its texts in the chosen letters; None without one."""
        return next((c for c in self.reel.packed["charts"] if c["key"] == key), None) if self.reel else None

    def figure(self, key: str) -> dict[str, Any]:
        """Return the specification of a chart: the film's, which the player draws over Streamlit's, or its own."""
        sent = self.sent(key)
        return sent["figure"] if sent and sent["figure"] else self.charts[key].figure.to_dict()


def of_scene(lesson: Lesson, scene: Scene, values: Values, dark: bool, lecture: bool) -> PageSnapshot:
    """Return the snapshot of a page that shows this scene, as it opens.

    Args:
        values: of the knobs.   dark, lecture: theme and lecture type.
    """
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
    """Return key -> value of every knob as the screen shows it; without the knobs of a bet that is not placed."""
    here = {key: knob for key, knob in knobs.items() if key in values}
    return {k: knob.shown(values[k]) for k, knob in here.items() if k not in BET_KNOBS or values[k] != knob.default}
