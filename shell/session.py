"""State that a session keeps between two runs of a page, beside the widgets, as one typed record.

Streamlit keeps one dictionary of names a session. Widgets stand in it under their own keys, which are also those of the
links; everything else stands here, so that a misspelt name is an error and a newcomer can read what there is. What a
lesson alone keeps is a record of its own beside its panel, and is found by `of_lesson`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, cast

import streamlit as st

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from answers.state import State
    from shell.hall.course.courses import Course
    from shell.runs.jobs import CallJob
    from shell.runs.run_panel import RunSet
    from shell.runs.runs import Order

KEY = "kept"  # of the record in Streamlit's session
T = TypeVar("T")


@dataclass(slots=True, eq=False)
class History:
    """The entry of the browser's history in which a page stands (links/address).

    Attributes:
        file: of the page whose address was read last.   back: number of the step that was read last.
        entry: words of the entry of now, None where the next run only takes note of it.
        reads: how many addresses were read so far.
    """

    file: str | None = None
    back: str | None = None
    entry: dict[str, str] | None = None
    reads: int = 0


@dataclass(slots=True, eq=False)
class Look:
    """The words of a link that say how a page looks (links/permalink).

    Attributes:
        hidden: parts that the link hides: keys of knobs and names of `permalink.PLACES`.
        theme: "light" or "dark" where the link asked for it.   theme_met: whether the browser has had it since.
        symbols: paper in whose letters the page is written (also notation/translate).
    """

    hidden: frozenset[str] = frozenset()
    theme: str | None = None
    theme_met: bool = False
    symbols: str = "ours"


@dataclass(slots=True, eq=False)
class Pending:
    """Values that were set and that the browser may not know yet (links/pending).

    Attributes:
        values: of widgets that are not drawn yet.   pause: of the browser that was taken in last.
        opened_with: values of the scene that the reader has not changed since, and its time.
    """

    values: dict[str, Any] = field(default_factory=dict)
    opened_with: tuple[dict[str, Any], int] = field(default_factory=lambda: ({}, 0))
    pause: Mapping | None = None


@dataclass(slots=True, eq=False)
class InCourse:
    """Courses (hall/course).

    Attributes:
        words: of the address that say which course and which stop this is (page).
        own: of the moments that the reader has kept, None before the first.
        hall: question of a course -> how many hands of the hall had it right, in a sentence (bets/page).
        room: code of the room that this browser has open, "" for none (room/room).
        looked: number of `Rooms.changes` when it was looked up, None before.
        asked: number of the bet that this session has put on the phones, None for none.
        half: number of places that the order of a bet had when it was revealed, 0 where it was whole (bets/bet).
    """

    words: dict[str, str] = field(default_factory=dict)
    own: Course | None = None
    hall: dict[str, str] = field(default_factory=dict)
    half: int = 0
    room: str = ""
    looked: int | None = None
    asked: int | None = None


@dataclass(slots=True, eq=False)
class Sharing:
    """The drawer of links (links/share_drawer).

    Attributes:
        audience: address that the audience sees, "" for the server's own.
        trim: parts that the next link is to hide, None before the drawer was open.
    """

    audience: str = ""
    trim: list[str] | None = None


@dataclass(slots=True, eq=False)
class OnStage:
    """Film and scene of the stage (stage/).

    Attributes:
        film: scene, and frame at which its film opened (player).   sweep: name of the film, and its scene (player).
        drawn: visit and type size whose stage was drawn (skeleton).   last: time of the film's last frame (page).
    """

    film: tuple[str, int] | None = None
    sweep: tuple[Hashable, str] | None = None
    drawn: tuple[int, bool] | None = None
    last: int | None = None


@dataclass(slots=True, eq=False)
class PageRuns:
    """Runs and waits of pages (runs/run_panel).

    Attributes:
        orders: of this session, the oldest first.   sets: name of a page's runs -> the runs.
        values: name -> setting, and what the page has made once for it.
        waits: calls that the page waits for.   wait_spot: where a wait is named (page).
    """

    orders: list[Order] = field(default_factory=list)
    sets: dict[str, RunSet] = field(default_factory=dict)
    values: dict[str, tuple[Hashable, Any]] = field(default_factory=dict)
    waits: dict[CallJob, Order] = field(default_factory=dict)
    wait_spot: DeltaGenerator | None = None


@dataclass(slots=True, eq=False)
class Packing:
    """The lecture pack (static/pack_panel).

    Attributes:
        made: name of the last one, its zip, and why something is missing in it.
        course: moments of the one under way, and in whose letters it is.
    """

    made: tuple[str, bytes, list[str]] | None = None
    course: tuple[Course, str] | None = None


@dataclass(slots=True, eq=False)
class Session:
    """State of one visitor's session; each attribute is listed with the module that writes it.

    Attributes:
        page: key of the lesson that is open, or file of the glossary; None while a link is read (page).
        visit: how many pages were opened so far (page).
        scene: how many scenes this visit has begun, each with a time of its own (page, links/pending).
        t: time of the last pause (page, links/pending, bets/bet).
        timed: whether the reader has moved the time from where the page opened (page, links).
        left: lesson that was open last, and its address: the glossary leads back there (drawers).
        world: the World as links to other pages take it along (page, lesson_page).
        numbers: knob that is a number or a word -> its last number (knobs).
        listed: knob with several options at once -> scene, and their order in it (knobs).
        past: states that can be taken back, the latest last (page, undo).
        marked: term of the glossary -> text that marks it on this page (notation/translate).
        view: what the page shows, for its exports; None where no drawer needs it (page, drawers).
        history, look, pending, course, sharing, stage, runs, pack: see their records.
        parts: type of a lesson's own record -> the record (`of_lesson`).
    """

    page: str | None = None
    visit: int = 0
    scene: int = 0
    t: int = 0
    timed: bool = False
    left: tuple[str, dict[str, str]] | None = None
    world: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, Any] = field(default_factory=dict)
    listed: dict[str, tuple[str, tuple]] = field(default_factory=dict)
    past: list[State] = field(default_factory=list)
    marked: dict[str, str] = field(default_factory=dict)
    view: State | None = None
    history: History = field(default_factory=History)
    look: Look = field(default_factory=Look)
    pending: Pending = field(default_factory=Pending)
    course: InCourse = field(default_factory=InCourse)
    sharing: Sharing = field(default_factory=Sharing)
    stage: OnStage = field(default_factory=OnStage)
    runs: PageRuns = field(default_factory=PageRuns)
    pack: Packing = field(default_factory=Packing)
    parts: dict[type, Any] = field(default_factory=dict)


def session() -> Session:
    """Return what this visitor's session keeps; Streamlit may stop a run that is out of date at this call."""
    found = st.session_state.get(KEY)
    if found is None:
        found = st.session_state[KEY] = Session()
    return cast(Session, found)


def of_lesson(kind: type[T]) -> T:
    """Return a lesson's own record in this session, made with its defaults at its first use.

    Args:
        kind: dataclass of the record, whose fields all have defaults.
    """
    parts = session().parts
    if kind not in parts:
        parts[kind] = kind()
    return cast(T, parts[kind])
