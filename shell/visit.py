"""The visit of a lesson: widgets, charts, the player and its live sentence, drawn on the page that is open."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import streamlit as st

from lessons.record import BadValue, Lesson, Picture, Scene
from lessons.shared.cache import kept
from shell import frames, knobs, player, skeleton, undo
from shell.export import recorder
from shell.film_message import fingerprint, pack
from shell.links import pending, permalink
from shell.notation import translate as symbols

# On a phone the controls are a sheet from below, and this opens it; wider screens show them beside the figure.
SHEET = '<label class="sheet"><input type="checkbox" role="switch"><span>Controls</span></label>'
MORE_IN_A_HALL = Path(__file__).resolve().parents[1] / "assets" / "lecture_more.css"


@dataclass(frozen=True)
class Visit:
    """A lesson that is open in a session, as `open_lesson` returns it.

    Attributes:
        lesson: that is open.   lessons: all of them.   dark, lecture: theme and type size.
        moment: number of the chosen moment, None without one.   t: time at which the page opens.
        reset: name of page, visit and scene; time starts anew when it changes.
        finding_slot: container of the live sentence.
        notes_slot: the container of notes and caption, where they are not drawn in place.
        stage_slot: the place of the main figure, where it is held while the figure is made.
    """

    lesson: Lesson
    lessons: Sequence[Lesson]
    dark: bool
    lecture: bool
    moment: int | None
    t: int
    reset: str
    finding_slot: object
    notes_slot: list = field(default_factory=list)
    stage_slot: list = field(default_factory=list)

    def now(self) -> Visit:
        """Return the visit with the moment, the time and the scene that the session has now."""
        state = st.session_state
        return replace(self, moment=state["moment"], t=int(state["_t"]), reset=pending.scene_name(), notes_slot=[],
                       stage_slot=[])  # fmt: skip

    def columns(self, *, film: bool = True) -> tuple:
        """Return the containers of stage and controls: side by side, in lecture type one below the other.

        Args:
            film: whether a figure of the screen's height will stand there, whose place is held from now on.
        """
        if self.lecture:
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
            box = stage.container(key=self._stage_key)
            self.stage_slot.append(skeleton.held(box, skeleton.STAGE) if skeleton.is_due(self.lecture) else box)
        return stage, controls

    def draw(self, keys: Iterable[str], disabled: Iterable[str] = ()) -> dict[str, object]:
        """Draw these knobs and return their values."""
        unbound = st.session_state["_loose"] | self.lesson.roaming
        values = {k: knobs.draw(self.lesson.knobs[k], disabled=k in disabled, bound=k not in unbound) for k in keys}
        for k in self.lesson.roaming & set(values):
            knobs.write(self.lesson.knobs[k], values[k])
        return values

    def keep(self, keys: Iterable[str]) -> None:
        """Keep the values of knobs that are not drawn, in the session and in the link."""
        for key in keys:
            knobs.keep(self.lesson.knobs[key])

    def more(self, keys: Iterable[str], idle: Iterable[str] = ()) -> dict[str, object]:
        """Draw the other knobs in a drawer below those beside the figure, while it is open, and return their values.

        Streamlit forgets widgets that are not drawn: their values are kept, and the link is written, here.

        Args:
            idle: those that play no part in the present state; they are not drawn.
        """
        keys, idle, hidden = tuple(keys), set(idle), permalink.hidden("more")
        acting, values = [key for key in keys if key not in idle and not hidden], {}
        if acting:
            with st.expander("More…", key="more", on_change="rerun") as drawer:
                if drawer.open and self.lecture:
                    st.html(MORE_IN_A_HALL)
                for key in acting if drawer.open else ():
                    values[key] = knobs.draw(self.lesson.knobs[key], bound=False)
                    knobs.write(self.lesson.knobs[key], values[key])
        values |= {key: knobs.keep(self.lesson.knobs[key]) for key in keys if key not in values}
        if not hidden:
            undo.buttons(self.lesson)
        return values

    def or_stop(self, compute: Callable[[], object]) -> object:
        """Return what `compute` returns; a ValueError is shown as one sentence and ends the run of the page."""
        try:
            return compute()
        except ValueError as problem:
            if self.stage_slot and skeleton.is_due(self.lecture):
                self.stage_slot[0].empty()
            st.info(symbols.to_markdown(str(problem)), icon=":material/info:")
            st.stop()

    def stage(self, figure: object, key: str, picture: Picture) -> None:
        """Draw the main figure, as tall as the screen allows or as it says itself."""
        if picture.own_height:
            with st.container(key="stage_own"):
                chart(figure, key, picture.alt)
            return
        held = self.stage_slot[0] if self.stage_slot else st.container(key=self._stage_key)
        with held:
            chart(figure, key, picture.alt, height="stretch")

    @property
    def _stage_key(self) -> str:
        return "stage_hall" if self.lecture else "stage_desk"

    def show(
        self,
        scene: Scene,
        keep_made: Callable[[tuple, Callable], object] = kept,
        on_pin: Callable[[], None] | None = None,
    ) -> int:
        """Draw a scene's stage, its player and its live sentence; return the frame of the last pause.

        Args:
            keep_made: cache of what is made from the scene's state: shared by all visitors unless said otherwise.
            on_pin: called when a click chose a place; by default it moves the page's "place" knob.
        """
        state = self._state(scene)
        reset = f"{self.reset}:{fingerprint(scene.reset)}" if scene.reset else self.reset
        start = min(max(scene.start, 0), scene.frames - 1)
        at = st.session_state["_drawn"] = min(drawn_frame(state + reset, start), scene.frames - 1)

        def make(name: object, build: Callable[[], object]) -> object:
            return keep_made((state, name), build)

        drawn = {key: make((key, at, one.more), lambda one=one: one.draw(at)) for key, one in scene.films.items()}
        main = next(iter(drawn))
        self.stage(drawn[main].figure, main, scene.films[main])
        picks = {key: one.pick for key, one in scene.films.items() if one.pick}
        more = tuple(one.more for one in scene.films.values())
        frame = player.player(
            make(("pack", at, more), lambda: pack(drawn, picks=picks)),
            labels=make("labels", scene.labels),
            events=scene.events,
            start=start,
            drawn=at,
            revision=state,
            reset=reset,
            times=scene.times,
            # Not the scene: the session keeps what a click calls, and would keep all that the scene was made from.
            on_pin=on_pin or partial(_move_place, scene.span),
            follow=self.follow(),
            on_turn=partial(_turn_knob, self.lesson),
        )
        remember_time(frame if scene.times is None else scene.times[frame])
        replace(self, reset=reset).live_sentence(make("sentences", scene.sentences), frame, make("marks", scene.marks))
        return frame

    def follow(self) -> dict | None:
        """Return what the browser needs to ask for frames while a slider is dragged, None where nothing follows."""
        if self.lesson.frame is None:
            return None
        values = self.lesson.settings(st.session_state)
        return frames.question(self.lesson, values, dark=self.dark, lecture=self.lecture, paper=symbols.paper())

    def under(self, scene: Scene, keep_made: Callable[[tuple, Callable], object] = kept) -> None:
        """Draw the notes on the stage, and its set-up."""
        for note in keep_made((self._state(scene), "notes"), scene.notes):
            self.note(note)
        self.caption(scene.caption)

    def heading(self, scene: Scene, key: str) -> None:
        """Draw the heading of one chart."""
        symbols.markdown((scene.films.get(key) or scene.stills[key]).title)

    def picture(
        self, scene: Scene, key: str, frame: int, keep_made: Callable[[tuple, Callable], object] = kept
    ) -> None:
        """Draw one chart below the stage, with its caption."""
        one = scene.films.get(key) or scene.stills[key]
        at = int(st.session_state["_drawn"]) if key in scene.films else frame
        name = (key, at if key in scene.films or one.follows else None, one.more)
        chart(keep_made((self._state(scene), name), lambda: one.draw(at)).figure, key, one.alt)
        if words := one.caption(frame):
            symbols.caption(words)

    def _state(self, scene: Scene) -> str:
        """Return a short name for everything that decides what is drawn."""
        return fingerprint(self.lesson.number, scene.state, self.dark, self.lecture)

    def live_sentence(self, sentences: Sequence[str], t: int, marks: Mapping[str, str] | None = None) -> None:
        """Draw the live sentence under the question: one text a frame.

        Args:
            marks: word of the sentences -> mark of the figure that it points at.
        """
        with self.finding_slot:
            player.live(
                sentences, start=t, reset=self.reset, key="finding", dark=self.dark, hall=self.lecture, marks=marks
            )
        skeleton.is_over(self.lecture)

    def caption(self, text: str) -> None:
        """Draw the set-up with its seed below the stage, in lecture type below the controls; record it for exports."""
        with self._notes():
            symbols.caption(text)
        recorder.add_caption(symbols.to_markdown(text))

    def note(self, text: str) -> None:
        """Draw a note on the stage, above the set-up."""
        with self._notes():
            symbols.caption(f":material/info: {text}")

    def _notes(self) -> AbstractContextManager:
        return self.notes_slot[0] if self.notes_slot else nullcontext()


def chart(figure: object, key: str, alt: str, height: str | int = "content") -> None:
    """Draw one Plotly figure without Streamlit's theme, which would shrink the type."""
    figure = symbols.figure(figure)
    recorder.add_chart(key, figure, alt)
    if getattr(figure, "mark", None):
        figure = player.first_figure(key, figure, st.session_state.get("_visit"), st.session_state.get("_anchor"))
    st.plotly_chart(figure, key=key, theme=None, alt=alt, height=height, config={"displayModeBar": False})


def paused_frame(frames: int) -> int:
    """Return the frame of the last pause, kept inside a film of so many frames."""
    return min(max(int(st.session_state["_t"]), 0), frames - 1)


def drawn_frame(state: str, t: int) -> int:
    """Return the frame that the figures themselves show.

    It changes with the settings (`state`) only: a pause must not draw a chart anew that the browser has already moved.
    Where the browser cannot move charts, it is `t`.
    """
    if not player.moves_charts():
        return t
    if st.session_state.get("_anchored") != state:
        st.session_state["_anchor"] = t  # first: Streamlit may stop the run at each access to the session
        st.session_state["_anchored"] = state
    return int(st.session_state["_anchor"])


def remember_time(t: int) -> None:
    """Keep the time of the last pause in the session and in the link."""
    linked = st.query_params.get("t")
    if t != st.session_state.get("_t") or linked not in (None, str(t)):
        st.session_state["_t"] = t
        permalink.write("t", str(t))


def _move_place(span: Sequence[float]) -> None:
    """Move the page's "place" knob to a click on the stage."""
    x = st.session_state["player"].get("x")
    if isinstance(x, int | float) and math.isfinite(x) and span[1] > span[0]:
        share = (float(x) - span[0]) / (span[1] - span[0])
        st.session_state["place"] = round(min(max(share, 0.0), 1.0), 2)


def _turn_knob(lesson: Lesson) -> None:
    """Set a knob to where its mark was dragged on a chart."""
    said = st.session_state["player"].get("knob")
    if isinstance(said, Mapping) and said.get("key") in lesson.follows:
        with suppress(BadValue):
            st.session_state[said["key"]] = lesson.knobs[said["key"]].read(str(said.get("text")))
