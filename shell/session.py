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

    from shell.hall.course.courses import Course
    from shell.page.undo import State
    from shell.runs.jobs import CallJob
    from shell.runs.run_panel import RunSet
    from shell.runs.runs import Order
    from shell.static.view import View

KEY = "kept"  # of the record in Streamlit's session
T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Session:
    """State of one visitor's session; each attribute is listed with the module that writes it.

    Attributes:
        page: key of the lesson that is open, or file of the glossary; None while a link is read (page).
        file: of the page whose address was read last (links/address).
        visit: how many pages were opened so far (page).
        scene: how many scenes this visit has begun, each with a time of its own (page, links/pending).
        t: time of the last pause (page, links/pending, bets/bet).
        timed: whether the reader has moved the time from where the page opened (page, links).
        left: lesson that was open last, and its address: the glossary leads back there (drawers).
        world: the World as links to other pages take it along (page, lesson_page).
        hidden: parts that the link hides: keys of knobs and names of `permalink.PLACES` (links/permalink).
        theme: "light" or "dark" where the link asked for it (links/permalink).
        theme_met: whether the browser has had that theme since (links/permalink).
        symbols: paper in whose letters the page is written (links/permalink, notation/translate).
        audience: address that the audience sees, "" for the server's own (links/share_drawer).
        trim: parts that the next link is to hide, None before the drawer was open (links/share_drawer).
        course: words of the address that say which course and which stop this is (page).
        own_course: of the moments that the reader has kept, None before the first (course/own_panel).
        hall: question of a course -> how many hands of the hall had it right, in a sentence (bets/page).
        back: number of the step in the browser's history that was read last (links/address).
        entry: words of the history's entry of now, None where the next run only takes note of it (links/address).
        pending: values of widgets that are not drawn yet (links/pending).
        opened_with: values of the scene that the reader has not changed since, and its time (links/pending).
        pause: pause of the browser that was taken in last (links/pending).
        numbers: knob that is a number or a word -> its last number (knobs).
        past: states that can be taken back, the latest last (undo).
        staged: visit and type size whose stage was drawn (skeleton).
        marked: term of the glossary -> text that marks it on this page (glossary/marks).
        film: scene, and frame at which its film opened (player).   last: time of its last frame (page).
        sweep: name of the film on the stage, and its scene (player).
        view: what the page shows, for its exports; None where no drawer needs it (page, drawers).
        pack: name of the last pack, its zip, and why something is missing in it (static/pack_panel).
        pack_course: moments of the pack under way, and in whose letters it is (static/pack_panel).
        orders: orders of this session, the oldest first (run_panel).
        run_sets: name of a page's runs -> the runs (run_panel).
        page_values: name -> setting, and what the page has made once for it (run_panel).
        waits: calls that the page waits for (run_panel).
        wait_spot: where a wait is named (page).
        parts: type of a lesson's own record -> the record (`of_lesson`).
    """

    page: str | None = None
    file: str | None = None
    visit: int = 0
    scene: int = 0
    t: int = 0
    timed: bool = False
    left: tuple[str, dict[str, str]] | None = None
    world: dict[str, str] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    theme: str | None = None
    theme_met: bool = False
    symbols: str = "ours"
    audience: str = ""
    trim: list[str] | None = None
    course: dict[str, str] = field(default_factory=dict)
    own_course: Course | None = None
    hall: dict[str, str] = field(default_factory=dict)
    back: str | None = None
    entry: dict[str, str] | None = None
    pending: dict[str, Any] = field(default_factory=dict)
    opened_with: tuple[dict[str, Any], int] = field(default_factory=lambda: ({}, 0))
    pause: Mapping | None = None
    numbers: dict[str, Any] = field(default_factory=dict)
    past: list[State] = field(default_factory=list)
    staged: tuple[int, bool] | None = None
    marked: dict[str, str] = field(default_factory=dict)
    film: tuple[str, int] | None = None
    last: int | None = None
    sweep: tuple[Hashable, str] | None = None
    view: View | None = None
    pack: tuple[str, bytes, list[str]] | None = None
    pack_course: tuple[Course, str] | None = None
    orders: list[Order] = field(default_factory=list)
    run_sets: dict[str, RunSet] = field(default_factory=dict)
    page_values: dict[str, tuple[Hashable, Any]] = field(default_factory=dict)
    waits: dict[CallJob, Order] = field(default_factory=dict)
    wait_spot: DeltaGenerator | None = None
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
