"""The layout of a lesson's page: places for its sentence, stage, player and knobs, and what ends its body."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from typing import Any, Self

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from common.cache import kept
from figures.theme import Theme
from lessons.record import Lesson
from shell.links import pending, permalink
from shell.notation import translate as symbols
from shell.page.stop import Stopped, stop
from shell.session import session
from shell.stage import skeleton

# On a phone the controls are a sheet from below, and this opens it; wider screens show them beside the figure.
SHEET = '<label class="sheet"><input type="checkbox" role="switch"><span>Controls</span></label>'

SET_UP = "Set-up"  # the line behind which notes, abbreviations and numbers of a stage stand


@dataclass(eq=False)
class Places:
    """Containers of a page, each made once the page comes to it.

    Attributes:
        notes: of notes and caption, where they are not drawn in place.   stage: of the main figure.
        player: of odds and of the player, in a hall.   lead: of the knob that leads.
        held: those with a skeleton in them, which a body that stops before they are filled gives back.
    """

    notes: DeltaGenerator | None = None
    stage: DeltaGenerator | None = None
    player: tuple[DeltaGenerator, DeltaGenerator] | None = None
    lead: DeltaGenerator | None = None
    held: tuple[DeltaGenerator, ...] = ()


@dataclass(frozen=True)
class PageLayout:
    """A lesson that is open in a session, with the places of its page.

    Attributes:
        lesson: that is open.   lessons: all of them.   dark, lecture: theme and type size.
        moment: key of the chosen moment, None without one.   t: time at which the page opens.
        reset: name of page, visit and scene; time starts anew when it changes.
        finding_slot: container of the live sentence, or of the answer of a bet.
        places: the other containers.
        keep_made: cache of what is made from a scene's state: shared by all visitors unless said otherwise.
    """

    lesson: Lesson
    lessons: Sequence[Lesson]
    dark: bool
    lecture: bool
    moment: str | None
    t: int
    reset: str
    finding_slot: DeltaGenerator
    places: Places = field(default_factory=Places)
    keep_made: Callable[[tuple, Callable[[], object]], Any] = kept

    def refreshed(self) -> Self:
        """Return the page with the moment, the time and the scene that the session has now."""
        return replace(
            self,
            moment=st.session_state["moment"],
            t=session().t,
            reset=pending.scene_name(),
            places=Places(held=self.places.held),
        )

    def in_fragment(self) -> Self:
        """Return the page with a place for its sentence that is made in this run.

        A fragment may write to a place outside only where it has written in the last run of the whole page, however
        that run ended. So it writes there first, and its body gets what was made so.
        """
        slot, held = skeleton.first(self.finding_slot.container(), skeleton.SENTENCE, self.lecture)
        return replace(self, finding_slot=slot, places=Places(held=held))

    @contextmanager
    def body(self) -> Iterator[None]:
        """Run the body of a page. Where it stops early, the page goes on below it, and no skeleton stays."""
        try:
            with suppress(Stopped):
                yield
        except Exception:
            self._give_back()
            raise
        self._give_back()  # not where a run is cut short: the next one fills the places

    def _give_back(self) -> None:
        """Empty the places in which nothing was drawn."""
        for place in self.places.held if skeleton.is_due(self.lecture) else ():
            place.empty()

    def columns(self, *, film: bool = True) -> tuple:
        """Return the containers of stage and controls: side by side, in lecture type one below the other.

        Args:
            film: whether a figure of the screen's height will stand there, whose place is held from now on; a page
                that cannot tell yet calls `hold_stage` once it can.
        """
        if permalink.embedded():
            stage, controls = st.container(), st.container(key="not_embedded")
        elif self.lecture:
            stage, controls = st.container(), st.container(key="lecture_controls", horizontal=True, gap="medium")
            self.places.notes = st.container(gap="small")
        elif permalink.hidden("controls"):
            stage, controls = st.container(), st.container()
        else:
            stage, right = st.columns([5.2, 1], gap="medium")
            sheet = right.container(key="sheet", gap="small")
            sheet.html(SHEET)
            controls = sheet.container(key="controls", gap="small")
        if film:
            self.hold_stage(stage)
        return stage, controls

    def hold_stage(self, stage: DeltaGenerator) -> None:
        """Hold the place of a figure of the screen's height in a container until it is drawn."""
        place = stage
        if skeleton.is_due(self.lecture):
            place = stage.empty()  # with its box, whose height is that of the figure
            self.places.held = (*self.places.held, place)
        box, _ = skeleton.first(place.container(key=self._stage_key), skeleton.STAGE, self.lecture)
        self.places.stage = box
        if self.lecture and not permalink.embedded():
            odds = stage.container(key="odds_spot")
            row = stage.container(key="player_row", horizontal=True, vertical_alignment="center", gap="large")
            self.places.player = odds, row.container(key="player_spot")
            if self.places.lead is None:  # where the controls come first, it stands among them
                self.places.lead = row.container(key="lead")

    @property
    def theme(self) -> Theme:
        """Colours and type size of the figures."""
        return Theme(self.dark, self.lecture)

    @property
    def _stage_key(self) -> str:
        return "stage_hall" if self.lecture else "stage_desk"

    def or_stop(self, compute: Callable[[], Any], below: Callable[[], None] = lambda: None) -> Any:
        """Return what `compute` returns; a ValueError is shown as one sentence and ends the body of the page.

        Args:
            below: draws what stands below that sentence.
        """
        try:
            return compute()
        except ValueError as problem:
            st.info(symbols.to_markdown(str(problem)), icon=":material/info:")
            below()
            stop()

    def set_up(self, notes: Sequence[str], caption: str) -> None:
        """Draw notes on the stage and its set-up with its seed behind one line below it, in lecture type below the
        controls.

        In a frame of somebody's slides the page ends here.
        """
        if permalink.embedded():
            stop()
        with self.places.notes or nullcontext(), st.expander(SET_UP, key="setup"):
            for text in (*(f":material/info: {note}" for note in notes), caption):
                symbols.caption(text)
