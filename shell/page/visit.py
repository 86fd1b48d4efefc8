"""The visit of a lesson: widgets, charts, the player and its live sentence, drawn on the page that is open."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from common.cache import kept
from figures.film import Drawn
from figures.theme import Theme
from lessons.record import CLOSED, BadValue, Code, Lesson, Picture, Scene, number_of
from shell.links import address, pending, permalink
from shell.notation import translate as symbols
from shell.page import knobs, tasks, undo
from shell.page.stop import Stopped, stop
from shell.session import session
from shell.stage import films, player, skeleton, strip
from shell.stage.film_message import compressed, film, fingerprint, still
from shell.stage.pointers import pointed
from shell.static.view import View

# On a phone the controls are a sheet from below, and this opens it; wider screens show them beside the figure.
SHEET = '<label class="sheet"><input type="checkbox" role="switch"><span>Controls</span></label>'
MORE_IN_A_HALL = Path(__file__).resolve().parents[2] / "assets" / "lecture_more.css"

CLOSER = "closer_"  # before the key of a drawer below the stage

# In a hall the other controls begin below the screen, also where no odds stand above the player.
WITHOUT_ODDS = "<style>:root .st-key-lecture_controls { margin-top: max(28px, 2.8vw); }</style>"


@dataclass(frozen=True)
class Visit:
    """A lesson that is open in a session, as `open_lesson` returns it.

    Attributes:
        lesson: that is open.   lessons: all of them.   dark, lecture: theme and type size.
        moment: key of the chosen moment, None without one.   t: time at which the page opens.
        reset: name of page, visit and scene; time starts anew when it changes.
        finding_slot: container of the live sentence, or of the answer of a bet.
        notes_slot: the container of notes and caption, where they are not drawn in place.
        stage_slot: the place of the main figure.   player_slot: of odds and player, in a hall.
        lead_slot: of the knob that leads.
        held: places with a skeleton in them, which a body that stops before they are filled gives back.
    """

    lesson: Lesson
    lessons: Sequence[Lesson]
    dark: bool
    lecture: bool
    moment: str | None
    t: int
    reset: str
    finding_slot: DeltaGenerator
    notes_slot: list = field(default_factory=list)
    stage_slot: list = field(default_factory=list)
    player_slot: list = field(default_factory=list)
    lead_slot: list = field(default_factory=list)
    held: list = field(default_factory=list)

    def now(self) -> Visit:
        """Return the visit with the moment, the time and the scene that the session has now."""
        return replace(
            self,
            moment=st.session_state["moment"],
            t=session().t,
            reset=pending.scene_name(),
            notes_slot=[],
            stage_slot=[],
            player_slot=[],
            lead_slot=[],
        )

    def inside(self) -> Visit:
        """Return the visit with a place for its sentence that is made in this run.

        A fragment may write to a place outside only where it has written in the last run of the whole page, however
        that run ended. So it writes there first, and its body gets what was made so.
        """
        slot, held = skeleton.first(self.finding_slot.container(), skeleton.SENTENCE, self.lecture)
        return replace(self, finding_slot=slot, held=held)

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
        for place in self.held if skeleton.is_due(self.lecture) else ():
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
            self.notes_slot.append(st.container(gap="small"))
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
            self.held.append(place := stage.empty())  # with its box, whose height is that of the figure
        box, _ = skeleton.first(place.container(key=self._stage_key), skeleton.STAGE, self.lecture)
        self.stage_slot.append(box)
        if self.lecture and not permalink.embedded():
            odds = stage.container(key="odds_spot")
            row = stage.container(key="player_row", horizontal=True, vertical_alignment="center", gap="large")
            self.player_slot.extend((odds, row.container(key="player_spot")))
            if not self.lead_slot:  # where the controls come first, it stands among them
                self.lead_slot.append(row.container(key="lead"))

    @property
    def values(self) -> dict[str, Any]:
        """The values that all knobs have now, also those that are not drawn or drawn further down the page."""
        return {key: knobs.value(knob) for key, knob in self.lesson.knobs.items()}

    def acting(self, keys: Iterable[str]) -> list[str]:
        """Return those of these knobs that change anything now."""
        values = self.values
        return [key for key in keys if self.lesson.knobs[key].acts_at(values)]

    def draw(self, keys: Iterable[str]) -> dict[str, Any]:
        """Draw these knobs, idle where they change nothing now, and return their values."""
        keys = tuple(keys)
        acting, leads = self.acting(keys), self.acting(self.lesson.leads)[:1]
        values = {}
        for key in keys:
            with self._lead() if key in leads else nullcontext():
                values[key] = knobs.draw(self.lesson.knobs[key], disabled=key not in acting)
        return values

    def _lead(self) -> AbstractContextManager:
        """Return the place of the knob that leads."""
        if not self.lead_slot:
            self.lead_slot.append(st.container(key="lead"))
        return self.lead_slot[0]

    def controls(self, between: Callable[[], None] = lambda: None) -> tuple[DeltaGenerator, dict[str, Any]]:
        """Draw the knobs of `Lesson.controls`; return the container of the stage, and the values of all knobs.

        Args:
            between: draws what stands between the knobs beside the figure and "More…".
        """
        left, right = self.columns()
        with right:
            values = self.values
            shown, more = self.lesson.controls(values)
            values |= self.draw(shown)
            between()
            values |= self.more(more)
        return left, values

    def more(self, keys: Iterable[str]) -> dict[str, Any]:
        """Draw the other knobs in a drawer below those beside the figure, while it is open, and return their values.

        Those that change nothing now are not drawn.
        """
        keys, hidden = tuple(keys), permalink.hidden("more")
        acting, values = [] if hidden else self.acting(keys), {}
        if acting:
            with st.expander("More…", key="more", on_change="rerun") as drawer:
                if drawer.open and self.lecture:
                    st.html(MORE_IN_A_HALL)
                for key in acting if drawer.open else ():
                    values[key] = knobs.draw(self.lesson.knobs[key])
        values |= {key: knobs.value(self.lesson.knobs[key]) for key in keys if key not in values}
        if not hidden:
            undo.buttons(self.lesson)
        return values

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

    @property
    def theme(self) -> Theme:
        """Colours and type size of the figures."""
        return Theme(self.dark, self.lecture)

    def stage(self, key: str, picture: Picture) -> None:
        """Draw the place of the main figure, as tall as the screen allows or as it says itself."""
        if picture.own_height:
            with st.container(key="stage_own"):
                player.chart(key, picture.alt)
            return
        held = self.stage_slot[0] if self.stage_slot else st.container(key=self._stage_key)
        with held:
            player.chart(key, picture.alt)

    @property
    def _stage_key(self) -> str:
        return "stage_hall" if self.lecture else "stage_desk"

    def show(
        self,
        scene: Scene,
        keep_made: Callable[[tuple, Callable], object] = kept,
        on_pin: Callable[[], None] | None = None,
        on_ask: Callable[[], None] = lambda: None,
    ) -> int:
        """Draw a scene's stage, its player and its live sentence; return the frame of the last pause.

        Args:
            keep_made: cache of what is made from the scene's state: shared by all visitors unless said otherwise.
            on_pin: called when a click chose a place; by default it moves the page's "place" knob.
            on_ask: called when the reader asked at a place of the stage (`Pick.ask`).
        """
        if scene.phone_screens is not None:
            player.screens(scene.phone_screens)
        reset = f"{self.reset}:{fingerprint(scene.reset)}" if scene.reset else self.reset
        start = scene.inside(scene.start)
        paper, values, state = symbols.paper(), self.lesson.settings(st.session_state), self._state(scene)
        scene = replace(scene, sentences=partial(keep_made, (state, "sentences"), scene.sentences))
        main = next(iter(scene.films))
        self.stage(main, scene.films[main])
        odds, spot = self.player_slot or (st.container(key="odds_spot") if scene.odds else nullcontext(), nullcontext())
        with odds:
            if not permalink.embedded():  # in a frame of somebody's slides that place is not there
                self.odds(scene)
        with spot:
            frame = player.player(
                self.sent(scene, values, keep_made),
                frames=scene.frames,
                start=start,
                reset=reset,
                question=self.question(),
                # Not the scene: the session keeps what a click calls, and would keep all that the scene was made from.
                on_pin=on_pin or partial(move_place, scene.span),
                on_turn=partial(_turn_knob, self.lesson),
                on_ask=on_ask,
            )
        time = int(frame if scene.times is None else scene.times[frame])
        remember_time(time)
        number, theme = number_of(self.lesson, self.lessons), Theme(self.dark, self.lecture)
        session().view = View(
            self.lesson, number, "page", "", "", values, time, paper=paper, theme=theme, shown=scene, charts=(main,)
        )
        said, marks = scene.sentences(), keep_made((state, "marks"), scene.marks)
        opens = scene.inside(player.opening_frame(reset, start))  # not where the reader paused meanwhile
        replace(self, reset=reset).live_sentence(
            [pointed(said[opens], marks)], frame, lambda: scene.facts(scene.frames - 1)
        )
        return frame

    def sent(
        self, scene: Scene, values: Mapping[str, Any], keep_made: Callable[[tuple, Callable], object] = kept
    ) -> bytes | None:
        """Return a scene's film as the player's message holds it; None where these values give it an address."""
        if self.lesson.has_address(values):
            return None
        paper, charts = symbols.paper(), self.open_charts
        name = (self._state(scene), "film", paper, *charts)
        return keep_made(name, lambda: compressed(film(scene.showing(charts), paper, films.marked(scene))))

    def question(self) -> dict:
        """Return what the browser needs to ask for the film of the page's values, and for frames of others."""
        values = self.lesson.settings(st.session_state)
        look = {"dark": self.dark, "lecture": self.lecture, "paper": symbols.paper()}
        return films.question(self.lesson, values, charts=self.open_charts, **look)

    @property
    def open_charts(self) -> list[str]:
        """Return the charts beside the stage that the player moves: those whose drawers are open."""
        return [key for key in self.lesson.charts if self.is_open(key)]

    def is_open(self, key: str) -> bool:
        """Return whether a drawer below the stage is open."""
        return bool(st.session_state.get(f"{CLOSER}{key}"))

    def under(self, scene: Scene, keep_made: Callable[[tuple, Callable], object] = kept) -> None:
        """Draw the notes on the stage, and its set-up."""
        for note in keep_made((self._state(scene), "notes"), scene.notes):
            self.note(note)
        self.caption(scene.caption)

    def odds(self, scene: Scene) -> None:
        """Draw in how many worlds it is so, where the scene says that."""
        if scene.strip and not self.lecture:  # from a lectern nobody hits a dot
            strip.draw(scene.odds, scene.strip, self.dark)
        elif scene.odds:
            symbols.markdown(scene.odds)
        elif self.lecture:
            st.html(WITHOUT_ODDS)

    def open_drawers(self) -> None:
        """Open the drawers below the stage that a link asks for, on the first run of the page."""
        first, _ = address.opening(self.lesson, self.moment, CLOSED, revealed=False)
        for key, inside in self.lesson.below.items():
            asked = any(self.values[one] != first[one] for one in inside)
            if asked and f"{CLOSER}{key}" not in st.session_state:
                st.session_state[f"{CLOSER}{key}"] = True

    @contextmanager
    def drawer(self, title: str, key: str) -> Iterator[bool]:
        """Draw a drawer below the stage, closed until it is wanted, and say whether it is open.

        What a closed drawer holds is not to be computed. A link may hide all drawers.
        """
        if permalink.hidden("drawers"):
            yield False
            return
        with st.expander(symbols.to_markdown(title), on_change="rerun", key=f"{CLOSER}{key}") as drawer:
            yield bool(drawer.open)

    def closer(
        self,
        scene: Scene,
        keys: Sequence[str],
        frame: int,
        more: Callable[[], None] = lambda: None,
        keep_made: Callable[[tuple, Callable], object] = kept,
    ) -> None:
        """Draw charts in a drawer below the stage that has the title of the first, with the knobs of `Lesson.below`.

        Args:
            keys: of charts, beside each other.   more: draws what stands below them.
        """
        first = scene.films.get(keys[0]) or scene.stills[keys[0]]
        with self.drawer(first.title, keys[0]) as is_open:
            if not is_open:
                return
            if keys[0] in self.lesson.below:
                with st.container(horizontal=True, key=f"knobs_{keys[0]}"):
                    self.draw(self.lesson.below[keys[0]])
            for column, key in zip(st.columns(len(keys)), keys, strict=True):
                with column:
                    self.picture(scene, key, frame, keep_made)
            more()

    def closers(
        self, scene: Scene, frame: int, more: Mapping[str, Callable[[], None]] = MappingProxyType({})
    ) -> dict[str, Callable[[], Iterable[Mapping]]]:
        """Draw every chart and text below the stage, each in its drawer; return the data tables.

        Args:
            more: key of the first chart of a drawer -> draws what stands below its charts.
        """
        for keys in scene.drawers:
            self.closer(scene, keys, frame, more.get(keys[0], lambda: None))
        for key, (title, text) in scene.texts.items():
            with self.drawer(title, key) as is_open:
                if is_open:
                    symbols.markdown(text(frame))
        return self.tables(scene, frame)

    def tables(self, scene: Scene, frame: int) -> dict[str, Callable[[], Iterable[Mapping]]]:
        """Return the data tables of a scene at a frame: title -> returns its rows."""
        return {title: partial(rows, frame) for title, rows in scene.tables.items()}

    def picture(
        self, scene: Scene, key: str, frame: int, keep_made: Callable[[tuple, Callable], object] = kept
    ) -> None:
        """Draw one chart of a drawer, with its caption."""
        one = scene.films.get(key) or scene.stills[key]
        if key in scene.films:
            player.chart(key, one.alt)
        else:
            name = (self._state(scene), key, frame if one.follows else None, one.more)
            figure = keep_made(name, lambda: one.draw(frame)).figure
            chart(figure, key, one.alt, lambda make: keep_made((*name, symbols.paper()), make))
        if words := one.caption(frame):
            symbols.caption(words)
        if view := session().view:
            session().view = replace(view, charts=(*view.charts, key))

    def _state(self, scene: Scene) -> str:
        """Return a short name for everything that decides what is drawn."""
        return fingerprint(self.lesson.key, scene.state, self.dark, self.lecture)

    def live_sentence(
        self, sentences: Sequence[str], t: int, facts: Callable[[], Mapping[str, float | None]] | None = None
    ) -> None:
        """Draw the live sentence under the question, or in its place the task that the reader tries.

        Args:
            sentences: one text a frame, or of a film the one with which it opens.
            facts: returns those of the last frame; None where no task can be judged.
        """
        task = tasks.tried(self.lesson) if facts is not None else None
        with self.finding_slot, st.container(key="tried") if task else nullcontext():
            if task and facts:
                tasks.line(task, self.lesson, self.values, facts())
            player.live(sentences, start=t, reset=self.reset, key="finding", dark=self.dark, hall=self.lecture)
        skeleton.is_over(self.lecture)

    def caption(self, text: str) -> None:
        """Draw the set-up with its seed below the stage, in lecture type below the controls.

        In a frame of somebody's slides the page ends here.
        """
        if permalink.embedded():
            stop()
        with self._notes():
            symbols.caption(text)

    def note(self, text: str) -> None:
        """Draw a note on the stage, above the set-up."""
        if permalink.embedded():
            return
        with self._notes():
            symbols.caption(f":material/info: {text}")

    def _notes(self) -> AbstractContextManager:
        return self.notes_slot[0] if self.notes_slot else nullcontext()


def chart(
    figure: Drawn, key: str, alt: str, keep_made: Callable[[Callable[[], bytes]], bytes] = lambda make: make()
) -> None:
    """Draw a figure that stands still.

    Args:
        keep_made: returns what it was made into for the browser, or makes it.
    """
    figure = symbols.figure(figure)
    player.chart(key, alt, keep_made(lambda: still(key, figure)))


def paused_frame(frames: int) -> int:
    """Return the frame of the last pause, kept inside a film of so many frames."""
    return min(max(session().t, 0), frames - 1)


def remember_time(t: int) -> None:
    """Keep the time of the last pause, and whether it is another one than the page opened with."""
    session().t, session().timed = t, session().timed or t != session().t


def move_place(span: Sequence[float]) -> None:
    """Move the page's "place" knob to a click on the stage."""
    x = st.session_state["player"].get("x")
    if isinstance(x, int | float) and math.isfinite(x) and span[1] > span[0]:
        share = (float(x) - span[0]) / (span[1] - span[0])
        st.session_state["place"] = round(min(max(share, 0.0), 1.0), 2)


def _turn_knob(lesson: Lesson) -> None:
    """Set a knob to where its mark was dragged on a chart, or a code as one of its handles was."""
    said, codes = (
        st.session_state["player"].get("knob"),
        [key for key, knob in lesson.knobs.items() if isinstance(knob, Code)],
    )
    if isinstance(said, Mapping) and said.get("key") in (*lesson.follows, *codes):
        with suppress(BadValue):
            st.session_state[said["key"]] = lesson.knobs[said["key"]].read(str(said.get("text")))
