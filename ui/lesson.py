"""The page shell: the same frame around every lesson (menu, question, finding, moments, drawers, link).

A deep link into a fresh server shows the whole frame, because every page starts with the same call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import streamlit as st

from ui import elsewhere, permalink, prepared, seat, symbols, world
from ui import player as films
from ui.bets import Bet, cover
from ui.controls import Knob
from ui.entrance import enter
from ui.exports import shelf
from ui.knobs import KNOBS
from ui.moments import choose_moment
from ui.symbols import caption as caption
from ui.symbols import say as say

ROOT = Path(__file__).resolve().parent.parent
PAGES = {  # number of the lesson -> file, name in the menu, icon; 0 is the front page
    0: ("home.py", "Start", "🗺️"),
    1: ("pages/1_Drifting_rewards.py", "1 · Drifting rewards", "🏔️"),
    2: ("pages/2_Confidence_bands.py", "2 · Confidence bands", "🎯"),
    3: ("pages/3_R_PERP.py", "3 · R-PERP, step by step", "🔀"),
    4: ("pages/4_The_race.py", "4 · The race", "🏁"),
    5: ("pages/5_Theorems.py", "5 · Theorems", "📐"),
    6: ("pages/6_Forgetting.py", "6 · Forgetting", "🍂"),
    7: ("pages/7_Side_queries.py", "7 · Side queries", "🔁"),
    8: ("pages/8_Real_data.py", "8 · Real data", "📈"),
    9: ("pages/9_Reproductions.py", "9 · Reproductions", "🧾"),
    10: ("pages/10_Under_the_microscope.py", "10 · Under the microscope", "🔬"),
    11: ("pages/11_You_against_the_bandits.py", "11 · You against the bandits", "🎮"),
}


@dataclass(frozen=True)
class Moment:
    """A prepared state of a page with the one line that a lecturer says over it."""

    title: str
    script: str
    t: int
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Lesson:
    """A page's fixed parts: its question, its knobs with their defaults here, its moments, its words and its bet.

    `roaming` knobs are now in the row, now in the drawer: Python writes them into the link wherever they are.
    """

    number: int
    title: str
    question: str
    knobs: Mapping[str, Knob]
    moments: Sequence[Moment]
    t: int
    words: str
    roaming: frozenset[str] = frozenset()
    bet: Bet | None = None


@dataclass(frozen=True)
class Visit:
    """What the shell tells the page: the look, where time starts, and where to put the finding and the notes."""

    lesson: Lesson
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
        values = {k: self.lesson.knobs[k].draw(disabled=k in disabled, bound=k not in unbound) for k in keys}
        for k in self.lesson.roaming & set(values):
            self.lesson.knobs[k].tell(values[k])
        return values

    def more(self, keys: Iterable[str], disabled: Iterable[str] = ()) -> dict[str, object]:
        """The other knobs in a drawer, which draws them only while it is open; returns their values.

        What is not drawn is kept here, and the link is written here: Streamlit would forget both.
        """
        if permalink.hidden("more"):
            return {key: self.lesson.knobs[key].keep() for key in keys}
        values = {}
        with st.popover("More…", width="stretch", key="more", on_change="rerun") as drawer:
            for key in keys:
                knob = self.lesson.knobs[key]
                if drawer.open:
                    values[key] = knob.draw(disabled=key in disabled, bound=False)
                    knob.tell(values[key])
                else:
                    values[key] = knob.keep()
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

    def finding(self, sentences: Sequence[str], t: int) -> None:
        """The live sentence under the question: one text a frame."""
        with self.finding_spot:
            films.live(sentences, start=t, reset=self.reset, key="finding", dark=self.dark, hall=self.lecture)

    def caption(self, text: str) -> None:
        """The set-up with its seed below the stage (in a hall below the controls); exports carry it too."""
        text = symbols.markdown(text)
        with self._below():
            st.caption(text)
        shelf.sign(text)

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


def menu(carried: Mapping[str, str]) -> None:
    """Our own menu over the plain pages folder; links take the visitor's World along."""
    with st.popover("Lessons", icon=":material/menu:", key="menu", on_change="rerun") as box:
        if box.open:
            with st.container(gap="xxsmall", width=symbols.WIDTH):
                for path, label, _ in PAGES.values():
                    st.page_link(path, label=label, query_params={**carried, **symbols.along()} or None)
                symbols.switch()


def open_lesson(lesson: Lesson) -> Visit:
    """Draw the frame around a page and say what the link asked for. Call it first on every page."""
    icon = PAGES[lesson.number][2]
    page_config(lesson.title, icon)
    fresh = st.session_state.get("_page") != lesson.number
    st.session_state["_loose"] = set()
    if fresh:
        st.session_state["menu"] = st.session_state["more"] = False  # closed, however the last page was left
        st.session_state["_visit"] = st.session_state.get("_visit", 0) + 1
        prepared.forget()
        seat.rise()
        enter(lesson)
        st.session_state["_page"] = lesson.number  # last: a run that is cut short at the door enters once more
    prepared.restore()
    permalink.light_up()
    with st.container(key="topbar", horizontal=True, vertical_alignment="center", gap="small", wrap=False):
        st.title(lesson.question, anchor=False)
        lecture = KNOBS["lecture"].draw(bound="lecture" not in st.session_state["_loose"])
        st.session_state["_luggage"] = world.carried(lesson.knobs)
        if not permalink.hidden("menu"):
            menu(st.session_state["_luggage"])
    spot = st.container(key="finding_spot")
    elsewhere.here(st.empty())
    if lecture:
        st.html(f"<style>{text('assets/lecture.css')}</style>")
    moment = choose_moment(lesson)
    cover(lesson)
    dark = permalink.dark()
    shelf.begin(lesson.number, lesson.title, lesson.question, dark, lecture)
    return Visit(lesson, dark, lecture, moment, int(st.session_state["_t"]), prepared.scene(), spot)


def chart(figure: object, key: str, alt: str, height: str | int = "content") -> None:
    """One Plotly figure in our own look (Streamlit's theme would shrink the type)."""
    figure = symbols.figure(figure)
    shelf.hang(key, figure, alt)
    if getattr(figure, "mark", None):
        figure = films.standing(key, figure, st.session_state.get("_visit"), st.session_state.get("_anchor"))
    st.plotly_chart(figure, key=key, theme=None, alt=alt, height=height, config={"displayModeBar": False})


def leave() -> None:
    """Called by the front page: the next lesson starts a new visit."""
    st.session_state["_page"] = 0
    seat.rise()
    elsewhere.here(None)


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
