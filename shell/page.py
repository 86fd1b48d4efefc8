"""The page shell: the same frame around every lesson (menu, question, finding, moments, drawers, link).

A deep link into a fresh server shows the whole frame, because every page starts with the same call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import streamlit as st

from lessons.record import GROUPS, LECTURE, Lesson, Scene
from lessons.shared.cache import kept
from shell import player as films
from shell import world_form as world
from shell.bets.bet import cover
from shell.export import recorder
from shell.film_message import fingerprint, pack
from shell.knobs import draw, keep, write
from shell.links import pending as prepared
from shell.links import permalink
from shell.links.parse import enter
from shell.moments import choose_moment
from shell.notation import translate as symbols
from shell.notation.translate import caption as caption
from shell.notation.translate import say as say
from shell.run_panel import close_page

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Visit:
    """What the shell tells the page: the look, where time starts, and where to put the finding and the notes."""

    lesson: Lesson
    lessons: Sequence[Lesson]
    dark: bool
    lecture: bool
    moment: int | None
    t: int
    reset: str
    finding_spot: object
    foot: list = field(default_factory=list)

    def columns(self) -> tuple:
        """Where the figure goes and where the controls go: beside it at the desk, in one row below it in a hall."""
        if self.lecture:
            stage, controls = st.container(), st.container(key="lecture_controls", horizontal=True, gap="medium")
            self.foot.append(st.container(gap="small"))
            return stage, controls
        if permalink.hidden("controls"):
            return st.container(), st.container()
        left, right = st.columns([5.2, 1], gap="medium")
        return left, right

    def draw(self, keys: Iterable[str], disabled: Iterable[str] = ()) -> dict[str, object]:
        """Draw these knobs and return their values."""
        unbound = st.session_state["_loose"] | self.lesson.roaming
        values = {k: draw(self.lesson.knobs[k], disabled=k in disabled, bound=k not in unbound) for k in keys}
        for k in self.lesson.roaming & set(values):
            write(self.lesson.knobs[k], values[k])
        return values

    def keep(self, keys: Iterable[str]) -> None:
        """Keep the values of knobs that are not drawn now, in the session and in the link."""
        for key in keys:
            keep(self.lesson.knobs[key])

    def more(self, keys: Iterable[str], disabled: Iterable[str] = ()) -> dict[str, object]:
        """The other knobs in a drawer, which draws them only while it is open; returns their values.

        What is not drawn is kept here, and the link is written here: Streamlit would forget both.
        """
        if permalink.hidden("more"):
            return {key: keep(self.lesson.knobs[key]) for key in keys}
        values = {}
        with st.popover("More…", width="stretch", key="more", on_change="rerun") as drawer:
            for key in keys:
                knob = self.lesson.knobs[key]
                if drawer.open:
                    values[key] = draw(knob, disabled=key in disabled, bound=False)
                    write(knob, values[key])
                else:
                    values[key] = keep(knob)
            if drawer.open:
                reset_button(self.lesson)
        return values

    def door(self, compute: Callable[[], object]) -> object:
        """Ask the core; what it refuses becomes one sentence and the page stops there, with its controls."""
        try:
            return compute()
        except ValueError as problem:
            st.info(symbols.markdown(str(problem)), icon="🧭")
            st.stop()

    def stage(self, figure: object, key: str, alt: str) -> None:
        """The main figure, as tall as the screen allows."""
        with st.container(key="stage_hall" if self.lecture else "stage_desk"):
            chart(figure, key, alt, height="stretch")

    def play(
        self,
        sentences: Sequence[str] | Callable[[], Sequence[str]],
        labels: Sequence[str],
        packed: dict,
        *,
        events: Sequence[int],
        start: int,
        drawn: int,
        revision: str,
        span: Sequence[float] = (0.0, 1.0),
    ) -> int:
        """The player under the stage and its sentence above it; returns the frame of the last pause.

        `sentences` may be how to write them, so that the film is on its way first.
        `span` is the range of the place axis: a click there moves the page's "place" knob.
        """
        t = films.player(packed, labels=labels, events=events, start=start, drawn=drawn, revision=revision,
                         reset=self.reset, on_pin=lambda: _pin(span))  # fmt: skip
        keep_time(t)
        self.finding(sentences() if callable(sentences) else sentences, t)
        return t

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
        at = st.session_state["_drawn"] = min(anchor(state + reset, start), scene.frames - 1)

        def make(name: object, build: Callable[[], object]) -> object:
            return keep_made((state, name), build)

        drawn = {key: make((key, at, one.more), lambda one=one: one.draw(at)) for key, one in scene.films.items()}
        main = next(iter(drawn))
        self.stage(drawn[main].figure, main, scene.films[main].alt)
        picks = {key: one.pick for key, one in scene.films.items() if one.pick}
        more = tuple(one.more for one in scene.films.values())
        frame = films.player(
            make(("pack", at, more), lambda: pack(drawn, picks=picks)),
            labels=make("labels", scene.labels),
            events=scene.events,
            start=start,
            drawn=at,
            revision=state,
            reset=reset,
            times=scene.times,
            on_pin=on_pin or (lambda: _pin(scene.span)),
        )
        keep_time(frame if scene.times is None else scene.times[frame])
        replace(self, reset=reset).finding(make("sentences", scene.sentences), frame)
        return frame

    def under(self, scene: Scene, keep_made: Callable[[tuple, Callable], object] = kept) -> None:
        """Draw what is to be said about the stage, and its set-up."""
        for note in keep_made((self._state(scene), "notes"), scene.notes):
            self.note(note)
        self.caption(scene.caption)

    def heading(self, scene: Scene, key: str) -> None:
        """Draw the heading of one chart."""
        say((scene.films.get(key) or scene.stills[key]).title)

    def picture(
        self, scene: Scene, key: str, frame: int, keep_made: Callable[[tuple, Callable], object] = kept
    ) -> None:
        """Draw one chart below the stage, with its caption."""
        one = scene.films.get(key) or scene.stills[key]
        at = int(st.session_state["_drawn"]) if key in scene.films else frame
        name = (key, at if key in scene.films or one.follows else None, one.more)
        chart(keep_made((self._state(scene), name), lambda: one.draw(at)).figure, key, one.alt)
        if words := one.caption(frame):
            caption(words)

    def _state(self, scene: Scene) -> str:
        """Return a short name for everything that decides what is drawn."""
        return fingerprint(self.lesson.number, scene.state, self.dark, self.lecture)

    def finding(self, sentences: Sequence[str], t: int) -> None:
        """The live sentence under the question: one text a frame."""
        with self.finding_spot:
            films.live(sentences, start=t, reset=self.reset, key="finding", dark=self.dark, hall=self.lecture)

    def caption(self, text: str) -> None:
        """The set-up with its seed below the stage (in a hall below the controls); exports carry it too."""
        text = symbols.markdown(text)
        with self._below():
            st.caption(text)
        recorder.add_caption(text)

    def note(self, text: str) -> None:
        """A word about what is on the stage, above the set-up."""
        with self._below():
            caption(f":material/info: {text}")

    def _below(self) -> AbstractContextManager:
        return self.foot[0] if self.foot else nullcontext()


@cache
def text(path: str) -> str:
    """A text that ships with the lab."""
    return (ROOT / path).read_text(encoding="utf-8")


def page_config(title: str, icon: str) -> None:
    """Title, wide layout and style of a page."""
    st.set_page_config(page_title=f"{title} · drifting rewards lab", page_icon=icon, layout="wide",
                       initial_sidebar_state="collapsed")  # fmt: skip
    st.html(f"<style>{text('assets/style.css')}</style>")


def menu(carried: Mapping[str, str], lessons: Sequence[Lesson]) -> None:
    """Our own menu over the plain pages folder; links take the visitor's World along."""
    with st.popover("Lessons", icon=":material/menu:", key="menu", on_change="rerun") as box:
        if box.open:
            with st.container(gap="xxsmall", width=symbols.WIDTH):
                for heading in ("", *GROUPS):
                    if heading:
                        st.caption(heading)
                    for lesson in (one for one in lessons if one.group == heading):
                        st.page_link(lesson.file, label=lesson.label, query_params=travel(carried))
                symbols.switch()


def travel(carried: Mapping[str, str]) -> dict[str, str] | None:
    """Return what a link to another page takes along: the World and the paper's letters."""
    return {**carried, **symbols.along()} or None


def open_lesson(lesson: Lesson, lessons: Sequence[Lesson]) -> Visit:
    """Draw the frame around a page and say what the link asked for. Call it first on every page."""
    page_config(lesson.title, lesson.icon)
    fresh = st.session_state.get("_page") != lesson.number
    st.session_state["_loose"] = set()
    if fresh:
        st.session_state["menu"] = st.session_state["more"] = False  # closed, however the last page was left
        st.session_state["_visit"] = st.session_state.get("_visit", 0) + 1
        prepared.forget()
        close_page()
        enter(lesson, lessons)
        st.session_state["_page"] = lesson.number  # last: a run that is cut short at the door enters once more
    prepared.restore()
    permalink.light_up()
    with st.container(key="topbar", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.title(lesson.question, anchor=False)
        lecture = draw(LECTURE, bound="lecture" not in st.session_state["_loose"])
        st.session_state["_luggage"] = world.carried(lesson.knobs)
        if not permalink.hidden("menu"):
            menu(st.session_state["_luggage"], lessons)
    spot = st.container(key="finding_spot")
    st.session_state["_wait_spot"] = st.empty()
    if lecture:
        st.html(f"<style>{text('assets/lecture.css')}</style>")
    moment = choose_moment(lesson)
    cover(lesson)
    dark = permalink.dark()
    recorder.begin(lesson.number, lesson.title, lesson.question, dark, lecture)
    return Visit(lesson, lessons, dark, lecture, moment, int(st.session_state["_t"]), prepared.scene(), spot)


def chart(figure: object, key: str, alt: str, height: str | int = "content") -> None:
    """One Plotly figure in our own look (Streamlit's theme would shrink the type)."""
    figure = symbols.figure(figure)
    recorder.add_chart(key, figure, alt)
    if getattr(figure, "mark", None):
        figure = films.standing(key, figure, st.session_state.get("_visit"), st.session_state.get("_anchor"))
    st.plotly_chart(figure, key=key, theme=None, alt=alt, height=height, config={"displayModeBar": False})


def _pin(span: Sequence[float]) -> None:
    """A click on the stage moves the place under the glass."""
    x = st.session_state["player"].get("x")
    if x is not None and span[1] > span[0]:
        share = (float(x) - span[0]) / (span[1] - span[0])
        st.session_state["place"] = round(min(max(share, 0.0), 1.0), 2)


def now(frames: int) -> int:
    """The frame at which the reader last paused, kept inside the film."""
    return min(max(int(st.session_state["_t"]), 0), frames - 1)


def anchor(state: str, t: int) -> int:
    """The frame that the figures themselves show.

    It moves only when the settings do: a pause must not redraw a chart that the browser has already moved. Where the
    browser cannot move charts, it moves with time.
    """
    if not films.moves_charts():
        return t
    if st.session_state.get("_anchored") != state:
        st.session_state["_anchor"] = t  # first: the next run may cut this one short at any word to the session
        st.session_state["_anchored"] = state
    return int(st.session_state["_anchor"])


def keep_time(t: int) -> None:
    """Remember where the reader paused, and write it into the link."""
    told = st.query_params.get("t")
    if t != st.session_state.get("_t") or told not in (None, str(t)):
        st.session_state["_t"] = t
        permalink.write("t", str(t))


def reset_button(lesson: Lesson) -> None:
    """One button back to the page as it opens."""

    def back() -> None:
        prepared.prepare({key: knob.default for key, knob in lesson.knobs.items()}, lesson.t)
        st.session_state["moment"] = None

    st.button("Back to the start of this page", on_click=back, icon=":material/restart_alt:", type="tertiary")
