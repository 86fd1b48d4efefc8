"""Snapshots of a page: every chart, the film with its sentences, the caption. Exports are written from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from figures.film import Drawn, Film
from lessons.record import APART, Knob, Lesson, Scene, Values
from shell.notation.letters import in_letters
from shell.stage.film_format import encode
from shell.stage.film_message import compressed, film, labels


@dataclass(frozen=True, eq=False)
class Chart:
    """A figure as the page drew it, None for one of its film; its alternative text; and the title of the drawer that it
    is the first chart of, "" for others."""

    figure: Drawn | None
    alt: str
    title: str = ""


@dataclass(frozen=True, eq=False)
class Reel:
    """The film of a page; what an export reads of it is made when it is asked for.

    Attributes:
        scene: that is played.   paper: in whose letters its texts are.   frame: of the last pause.
    """

    scene: Scene
    paper: str
    frame: int = 0

    @cached_property
    def films(self) -> Mapping[str, Film]:
        """Key -> film of a chart."""
        return {key: in_letters(one.draw(self.frame), self.paper) for key, one in self.scene.films.items()}

    @cached_property
    def labels(self) -> Sequence[str]:
        """One text a frame, as the player shows it."""
        return labels(self.scene, self.paper)

    @property
    def label(self) -> str:
        """Time of the last pause, as the player shows it."""
        return str(self.labels[self.frame])


@dataclass(eq=False)
class PageSnapshot:
    """One run of one page.

    Attributes:
        number, title, question: of the lesson.   dark, lecture: the look.
        settings: key of each knob -> its value as the screen shows it.   seed: as its knob shows it, "" without one.
        charts: key -> chart, in the order of the page.   reel: the film, None on a page without one.
        said: look of the live sentence, None without one.   caption: the set-up below the figure (markdown).
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

    def film(self, key: str) -> Film | None:
        """Return the film of a chart, in the chosen letters; None where the player does not move it."""
        return self.reel.films.get(key) if self.reel else None

    def drawn(self, key: str) -> Drawn:
        """Return the figure of a chart, at the frame of the last pause."""
        film = self.film(key)
        return film.figure if film else self.charts[key].figure

    def figure(self, key: str) -> dict[str, Any]:
        """Return its specification."""
        return self.drawn(key).to_dict()


def whole_film(page: PageSnapshot) -> bytes:
    """Return all charts of a page as one film, as it travels; those of a page without a player as one frame."""
    stills = {key: Film(chart.figure) for key, chart in page.charts.items() if chart.figure is not None}
    if page.reel is None:
        return compressed(encode({"n": 1}, stills))
    return compressed(film(page.reel.scene, page.reel.paper, stills=stills))


def of_scene(lesson: Lesson, number: int, scene: Scene, values: Values, dark: bool, lecture: bool) -> PageSnapshot:
    """Return the snapshot of a page that shows this scene, as it opens.

    Args:
        number: of the lesson.   values: of the knobs.   dark, lecture: theme and lecture type.
    """
    at = scene.inside(scene.start)
    charts = {key: Chart(None, one.alt, one.title) for key, one in scene.films.items()}
    charts |= {key: Chart(one.draw(at).figure, one.alt, one.title) for key, one in scene.stills.items()}
    return PageSnapshot(
        number=number,
        title=lesson.title,
        question=lesson.question,
        dark=dark,
        lecture=lecture,
        settings=written(lesson.knobs, values),
        charts=charts,
        reel=Reel(scene, "ours", at),
        said={"dark": dark, "hall": lecture},
        caption=scene.caption,
    )


def written(knobs: Mapping[str, Knob], values: Values) -> dict[str, str]:
    """Return key -> value of every knob as the screen shows it; without a bet or a task that is not chosen."""
    here = {key: knob for key, knob in knobs.items() if key in values}
    return {k: knob.shown(values[k]) for k, knob in here.items() if k not in APART or values[k] != knob.default}
