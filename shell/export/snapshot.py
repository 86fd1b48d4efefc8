"""What stands on the page in this run: every chart, the film with its sentences, the caption. All by reference.

The page's own calls fill it as they draw, so the export drawer knows every figure and a closed drawer costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

SPOT = "_shelf"  # where a session keeps it
KEEP = "_shelf_kept"  # set in a session that reads it after the run


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
class Shelf:
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


def begin(number: int, title: str, question: str, dark: bool, lecture: bool) -> None:
    """A page starts to draw: what the last run left is gone."""
    st.session_state[SPOT] = Shelf(number, title, question, dark, lecture)


def current() -> Shelf | None:
    """The shelf of the page that is drawn now; None where no lesson is open."""
    return st.session_state.get(SPOT)


def put_away() -> None:
    """The run has ended and no drawer needs it: a hundred visitors' films would fill the memory."""
    if not st.session_state.get(KEEP):
        st.session_state.pop(SPOT, None)


def hang(key: str, figure: Any, alt: str) -> None:
    """A chart was drawn."""
    if shelf := current():
        shelf.charts[key] = Chart(figure, alt)


def roll(head: Mapping[str, Any], packed: Mapping[str, Any], frame: int) -> None:
    """The player was given its film."""
    if shelf := current():
        shelf.reel = Reel(head, packed, frame)


def say(sentences: Sequence[str], index: Sequence[int], dark: bool, hall: bool) -> None:
    """The sentence above the stage was given its texts, one a frame."""
    if shelf := current():
        shelf.said = {"sentences": sentences, "index": index, "dark": dark, "hall": hall}


def sign(caption: str) -> None:
    """The set-up below the stage was written."""
    if shelf := current():
        shelf.caption = caption
