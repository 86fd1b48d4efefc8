"""A lesson's page: widgets, charts, the player and its live sentence, drawn in the places of the layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from answers import link
from answers.address import question
from answers.ask import DRAWER, DRAWERS, NOTES, STAGE, TASK, ask, chart, film
from answers.controls import MORE, leading, parts
from answers.film import compressed, fingerprint
from answers.state import State
from lessons.record import Scene, number_of
from shell.links import permalink
from shell.notation import translate as symbols
from shell.page import knobs, tasks, undo
from shell.page.events import keep_query, move_place, remember_time, turn_knob
from shell.page.layout import PageLayout
from shell.server.scripts import asset
from shell.session import session
from shell.stage import player, skeleton, strip

CLOSER = "closer_"  # before the key of a drawer below the stage

# In a hall the other controls begin below the screen, also where no odds stand above the player.
WITHOUT_ODDS = "<style>:root .st-key-lecture_controls { margin-top: max(28px, 2.8vw); }</style>"


class LessonPage(PageLayout):
    """A lesson's page, as `open_lesson` returns it: draws knobs, stage, player, sentence and drawers."""

    @cached_property
    def values(self) -> dict[str, Any]:
        """The values of all knobs in this run, also those that are not drawn or drawn further down the page."""
        return {key: knobs.value(knob) for key, knob in self.lesson.knobs.items()}

    def acting(self, keys: Iterable[str]) -> list[str]:
        """Return those of these knobs that change anything now."""
        return [key for key in keys if self.lesson.knobs[key].acts_at(self.values)]

    def draw(self, keys: Iterable[str]) -> dict[str, Any]:
        """Draw these knobs, idle where they change nothing now, and return their values."""
        keys = tuple(keys)
        acting, leads = self.acting(keys), leading(self.lesson, self.values)
        values = {}
        for key in keys:
            if key == leads and self.places.lead is None:
                self.places.lead = st.container(key="lead")
            with (self.places.lead if key == leads else None) or nullcontext():
                values[key] = knobs.draw(self.lesson.knobs[key], disabled=key not in acting)
        return values

    def controls(self) -> tuple[DeltaGenerator, dict[str, Any]]:
        """Draw the knobs of `Lesson.controls`; return the container of the stage, and the values of all knobs."""
        left, right = self.columns()
        with right:
            values = self.all_knobs()
        return left, values

    def all_knobs(self) -> dict[str, Any]:
        """Draw the knobs of `Lesson.controls`, and return the values of all knobs."""
        beside, more = self.lesson.controls(self.values)
        return self.values | self.draw(beside) | self.more_knobs(more)

    def more_knobs(self, keys: Iterable[str]) -> dict[str, Any]:
        """Draw the other knobs in a drawer below those beside the figure, while it is open, and return their values.

        Those that change nothing now are not drawn.
        """
        keys, hidden = tuple(keys), permalink.hidden("more")
        acting, values = [] if hidden else self.acting(keys), {}
        if acting:
            with st.expander(MORE, key="more", on_change="rerun") as drawer:
                if drawer.open and self.lecture:
                    st.html(f"<style>{asset('lecture_more.css')}</style>")
                for heading, some in parts(self.lesson, acting) if drawer.open else ():
                    if heading:
                        st.markdown(f"**{heading}**")
                    values |= {key: knobs.draw(self.lesson.knobs[key]) for key in some}
        values |= {key: knobs.value(self.lesson.knobs[key]) for key in keys if key not in values}
        if not hidden:
            undo.buttons(self.lesson)
        return values

    def stage(self, key: str, alt: str) -> None:
        """Draw the place of the main figure, as tall as the screen allows."""
        with self.places.stage or st.container(key=self._stage_key):
            player.chart(key, alt)

    def ask(self, state: State, what: str, key: str = "") -> Any:
        """Return an answer whose texts are in our letters, in which the glossary's terms are marked before a paper's
        letters come; where there is none, say why and stop.
        """
        return self.or_stop(lambda: ask(replace(state, paper="ours"), what, key))

    def show(
        self,
        state: State,
        start: int | None = None,
        on_pin: Callable[[], None] | None = None,
        on_ask: Callable[[], None] | None = None,
    ) -> State:
        """Draw the stage of a state, its player and its live sentence; return the state at the time of the last pause.

        Args:
            start: the frame at which it opens; None for that of the page's time.
            on_pin: called when a click chose a place; by default it moves the page's "place" knob.
            on_ask: called when the reader asked at a place of the stage (`Pick.ask`); by default its knob keeps that.
        """
        scene: Scene = self.or_stop(lambda: state.scene)
        reset = f"{self.reset}:{fingerprint(scene.reset)}" if scene.reset else self.reset
        start = min(max(start, 0), scene.frames - 1) if start is not None else scene.at_time(self.t)
        if self._stood_at_its_end(reset):
            start = scene.frames - 1
        self.open_drawers(state)
        main, *others = scene.films
        state = replace(state, charts=tuple(key for key in others if self.is_open(key)))
        opens = min(player.opening_frame(reset, start), scene.frames - 1)  # not where the reader paused meanwhile
        found = self.ask(replace(state, t=int(scene.times[opens])), STAGE)
        if found["screens"] != [1, 0]:
            player.screens(*found["screens"])
        self.stage(main, found["alt"])
        odds, spot = self.places.player or (
            st.container(key="odds_spot") if found["odds"] else nullcontext(),
            nullcontext(),
        )
        with odds:
            if not permalink.embedded():  # in a frame of somebody's slides that place is not there
                self.odds(found["odds"], found["strip"])
        asks, steps = scene.stage.pick and scene.stage.pick.ask, len(scene.rounds.lasting) if scene.rounds else 1
        with spot:
            frame = player.player(
                self.sent(state),
                frames=found["frames"],
                start=start,
                reset=reset,
                question=question(state),
                # Not the scene: the session keeps what a click calls, and would keep all that the scene was made from.
                on_pin=on_pin or partial(move_place, (0.0, 1.0)),
                on_turn=partial(turn_knob, self.lesson),
                on_ask=on_ask or partial(keep_query, self.lesson, asks, len(scene.times), steps),
            )
        shown = replace(state, t=found["times"][frame])
        _, opens = link.opening(self.lesson, self.moment, {})
        if session().t != opens or frame != scene.at_time(opens):  # it may open beyond its last frame
            remember_time(shown.t)
        session().stage.last = found["times"][-1]
        session().view = replace(shown, charts=())
        replace(self, reset=reset).live_sentence(symbols.to_html(found["sentence"]), frame, shown)
        return shown

    def _stood_at_its_end(self, reset: str) -> bool:
        """Return whether the film before this one, of another horizon in the same scene, stood at its last frame."""
        kept, stage = session(), session().stage
        same = stage.film is not None and stage.film[0] != reset and stage.film[0].startswith(f"{self.reset}:")
        return same and stage.last is not None and kept.t >= stage.last

    def sent(self, state: State) -> bytes | None:
        """Return a state's film as the player's message holds it; None where its values give it an address."""
        if self.lesson.has_address(state.values):
            return None
        name = (self._name(state), "film", state.paper, *state.charts)
        return self.keep_made(name, lambda: compressed(film(state)))

    def state(self, values: Mapping[str, Any], given: Scene | None = None) -> State:
        """Return the state that these values make with the look of the page, at the time at which it opens.

        Args:
            given: the scene, where values alone do not say it (`State.given`).
        """
        number = number_of(self.lesson, self.lessons)
        look = {"theme": self.theme, "paper": symbols.paper()}
        return State(self.lesson, self.values | dict(values), self.t, **look, number=number, given=given)

    def is_open(self, key: str) -> bool:
        """Return whether a drawer below the stage is open."""
        return bool(st.session_state.get(f"{CLOSER}{key}"))

    def notes_and_caption(self, shown: State) -> None:
        """Draw the line behind which the notes on the stage of a state, and its set-up, stand."""
        found = self.ask(shown, NOTES)
        self.set_up(found["notes"], found["caption"])

    def odds(self, line: str, dots: Mapping[str, Any] | None) -> None:
        """Draw in how many worlds the finding holds, where the stage has that number, and these worlds as dots."""
        if dots and not self.lecture:  # from a lectern nobody hits a dot
            strip.draw(line, dots)
        elif line:
            symbols.markdown(line)
        elif self.lecture:
            st.html(WITHOUT_ODDS)

    def open_drawers(self, state: State) -> None:
        """Open the drawers below the stage that a link asks for, on the first run of the page: it sets one of their
        knobs."""
        first, _ = link.opening(self.lesson, self.moment, {})
        for key, picture in state.pictures.items():
            drawer = f"{CLOSER}{key}"
            if drawer not in st.session_state and any(self.values[one] != first[one] for one in picture.knobs):
                st.session_state[drawer] = True

    def drawers(self, shown: State) -> None:
        """Draw the drawers below the stage, closed until they are wanted. A link may hide all of them."""
        for one in () if permalink.hidden("drawers") else self.ask(shown, DRAWERS)["drawers"]:
            key = one["key"]
            with st.expander(symbols.to_markdown(one["title"]), on_change="rerun", key=f"{CLOSER}{key}") as drawer:
                if not drawer.open:
                    continue
                if one["knobs"]:
                    with st.container(horizontal=True, key=f"knobs_{key}"):
                        self.draw(one["knobs"])
                self.charts(shown, key)

    def charts(self, shown: State, drawer: str) -> None:
        """Draw what a drawer holds: its charts beside each other, or its text."""
        found = self.ask(shown, DRAWER, drawer)
        if found["text"]:
            symbols.markdown(found["text"])
            return
        for column, one in zip(st.columns(len(found["charts"])), found["charts"], strict=True):
            with column:
                self.picture(shown, one)

    def picture(self, shown: State, one: Mapping[str, Any]) -> None:
        """Draw one chart of a drawer, with its caption.

        Args:
            one: chart as the answer of its drawer has it.
        """
        key = one["key"]
        if one["moves"]:
            player.chart(key, one["alt"])
        else:
            picture = shown.pictures[key]
            name = (self._name(shown), key, shown.t if picture.follows else None, shown.paper)
            player.chart(key, one["alt"], self.keep_made(name, lambda: chart(shown, key)))
        if one["caption"]:
            symbols.caption(one["caption"])
        if view := session().view:
            session().view = replace(view, charts=(*view.charts, key))

    def _name(self, state: State) -> str:
        """Return a short name for everything that decides what is drawn."""
        return fingerprint(self.lesson.key, state.scene.state, self.dark, self.lecture)

    def live_sentence(self, sentence: str, frame: int, shown: State | None = None) -> None:
        """Draw the live sentence under the question, and with it the task that the reader tries.

        Args:
            sentence: HTML, of a film the one with which it opens.   frame: that stands.
            shown: state in which a task is judged; None where none can be.
        """
        task = tasks.open_task(self.lesson) if shown else None
        with self.finding_slot, st.container(key="tried") if task else nullcontext():
            if task and shown:
                tasks.line(self.lesson, self.lessons, task, self.ask(shown, TASK, task.key))
            player.live(sentence, start=frame, reset=self.reset, key="finding", dark=self.dark, hall=self.lecture)
        skeleton.end(self.lecture)
