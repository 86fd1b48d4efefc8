"""A lesson's page: widgets, charts, the player and its live sentence, drawn in the places of the layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from answers import link
from answers.address import question
from answers.ask import chart, film
from answers.controls import MORE, leading, parts
from answers.film import compressed, fingerprint, said
from answers.state import State
from lessons.record import Picture, Scene, Strip, number_of
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

    def stage(self, key: str, picture: Picture) -> None:
        """Draw the place of the main figure, as tall as the screen allows."""
        with self.places.stage or st.container(key=self._stage_key):
            player.chart(key, picture.alt)

    def show(
        self,
        scene: Scene,
        start: int | None = None,
        on_pin: Callable[[], None] | None = None,
        on_ask: Callable[[], None] | None = None,
    ) -> int:
        """Draw a scene's stage, its player and its live sentence; return the frame of the last pause.

        Args:
            start: the frame at which it opens; None for that of the page's time.
            on_pin: called when a click chose a place; by default it moves the page's "place" knob.
            on_ask: called when the reader asked at a place of the stage (`Pick.ask`); by default its knob keeps that.
        """
        if scene.stage.screens != (1, 0):
            player.screens(*scene.stage.screens)
        reset = f"{self.reset}:{fingerprint(scene.reset)}" if scene.reset else self.reset
        start = min(max(start, 0), scene.frames - 1) if start is not None else scene.at_time(self.t)
        if self._stood_at_its_end(reset):
            start = scene.frames - 1
        self.open_drawers(scene)
        main, *others = scene.films
        charts = tuple(key for key in others if self.is_open(key))
        state = replace(self.state(self.lesson.settings(st.session_state), scene, start), charts=charts)
        self.stage(main, scene.films[main])
        odds, spot = self.places.player or (
            st.container(key="odds_spot") if scene.odds else nullcontext(),
            nullcontext(),
        )
        with odds:
            if not permalink.embedded():  # in a frame of somebody's slides that place is not there
                self.odds(scene)
        asks, steps = scene.stage.pick and scene.stage.pick.ask, len(scene.rounds.lasting) if scene.rounds else 1
        with spot:
            frame = player.player(
                self.sent(state),
                frames=scene.frames,
                start=start,
                reset=reset,
                question=question(state),
                # Not the scene: the session keeps what a click calls, and would keep all that the scene was made from.
                on_pin=on_pin or partial(move_place, (0.0, 1.0)),
                on_turn=partial(turn_knob, self.lesson),
                on_ask=on_ask or partial(keep_query, self.lesson, asks, len(scene.times), steps),
            )
        time = int(scene.times[frame])
        remember_time(time)
        session().stage.last = int(scene.times[-1])
        session().view = replace(state, t=time, charts=())
        opens = min(player.opening_frame(reset, start), scene.frames - 1)  # not where the reader paused meanwhile
        replace(self, reset=reset).live_sentence(
            [said(scene, opens, symbols.paper())], frame, lambda: scene.facts(scene.frames - 1)
        )
        return frame

    def _stood_at_its_end(self, reset: str) -> bool:
        """Return whether the film before this one, of another horizon in the same scene, stood at its last frame."""
        kept, stage = session(), session().stage
        same = stage.film is not None and stage.film[0] != reset and stage.film[0].startswith(f"{self.reset}:")
        return same and kept.t == stage.last

    def sent(self, state: State) -> bytes | None:
        """Return a state's film as the player's message holds it; None where its values give it an address."""
        if self.lesson.has_address(state.values):
            return None
        name = (self._state(state.scene), "film", state.paper, *state.charts)
        return self.keep_made(name, lambda: compressed(film(state)))

    def state(self, values: Mapping[str, Any], given: Scene | None = None, frame: int = 0) -> State:
        """Return the state that these values make with the look of the page, at its time, or at a frame of a scene.

        Args:
            given: the scene, where the page has made it.
        """
        t, number = self.t if given is None else int(given.times[frame]), number_of(self.lesson, self.lessons)
        return State(self.lesson, values, t, theme=self.theme, paper=symbols.paper(), number=number, given=given)

    def scene(self, values: Mapping[str, Any]) -> Scene:
        """Return the scene of these values; where there is none, say why and stop.

        The page shares it with the film that the browser asks for.
        """
        return self.or_stop(lambda: self.state(values).scene)

    def is_open(self, key: str) -> bool:
        """Return whether a drawer below the stage is open."""
        return bool(st.session_state.get(f"{CLOSER}{key}"))

    def notes_and_caption(self, scene: Scene, frame: int) -> None:
        """Draw the notes on the stage at a frame, and its set-up."""
        for note in scene.notes(frame):
            self.note(note)
        self.caption(scene.caption)

    def odds(self, scene: Scene) -> None:
        """Draw in how many worlds the finding holds, where the scene has that number."""
        if isinstance(scene.odds, Strip) and not self.lecture:  # from a lectern nobody hits a dot
            strip.draw(scene.odds, self.dark)
        elif scene.odds:
            symbols.markdown(scene.odds_line)
        elif self.lecture:
            st.html(WITHOUT_ODDS)

    def open_drawers(self, scene: Scene) -> None:
        """Open the drawers below the stage that a link asks for, on the first run of the page: it sets one of their
        knobs."""
        first, _ = link.opening(self.lesson, self.moment, {})
        for key, picture in {**scene.films, **scene.stills}.items():
            drawer = f"{CLOSER}{key}"
            if drawer not in st.session_state and any(self.values[one] != first[one] for one in picture.knobs):
                st.session_state[drawer] = True

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

    def chart_drawer(
        self,
        scene: Scene,
        keys: Sequence[str],
        frame: int,
        more: Callable[[], None] = lambda: None,
    ) -> None:
        """Draw charts in a drawer below the stage that has the title of the first, with its knobs.

        Args:
            keys: of charts, beside each other.   more: draws what stands below them.
        """
        first = scene.films.get(keys[0]) or scene.stills[keys[0]]
        with self.drawer(first.title, keys[0]) as is_open:
            if not is_open:
                return
            if first.knobs:
                with st.container(horizontal=True, key=f"knobs_{keys[0]}"):
                    self.draw(first.knobs)
            for column, key in zip(st.columns(len(keys)), keys, strict=True):
                with column:
                    self.picture(scene, key, frame)
            more()

    def chart_drawers(
        self, scene: Scene, frame: int, more: Mapping[str, Callable[[], None]] = MappingProxyType({})
    ) -> dict[str, Callable[[], Iterable[Mapping]]]:
        """Draw every chart and text below the stage, each in its drawer; return the data tables.

        Args:
            more: key of the first chart of a drawer -> draws what stands below its charts.
        """
        for keys in scene.drawers:
            self.chart_drawer(scene, keys, frame, more.get(keys[0], lambda: None))
        for key, (title, text) in scene.texts.items():
            with self.drawer(title, key) as is_open:
                if is_open:
                    symbols.markdown(text(frame))
        return self.tables(scene, frame)

    def tables(self, scene: Scene, frame: int) -> dict[str, Callable[[], Iterable[Mapping]]]:
        """Return the data tables of a scene at a frame: title -> returns its rows."""
        return {title: partial(rows, frame) for title, rows in scene.tables.items()}

    def picture(self, scene: Scene, key: str, frame: int) -> None:
        """Draw one chart of a drawer, with its caption."""
        one = scene.films.get(key) or scene.stills[key]
        if key in scene.films:
            player.chart(key, one.alt)
        else:
            state = self.state(self.values, scene, frame)
            name = (self._state(scene), key, frame if one.follows else None, one.more, state.paper)
            player.chart(key, one.alt, self.keep_made(name, lambda: chart(state, key)))
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
            sentences: one text a frame (HTML), or of a film the one with which it opens.
            facts: returns those of the last frame; None where no task can be judged.
        """
        task = tasks.open_task(self.lesson) if facts is not None else None
        with self.finding_slot, st.container(key="tried") if task else nullcontext():
            if task and facts:
                tasks.line(task, self.lesson, self.values, facts())
            player.live(sentences, start=t, reset=self.reset, key="finding", dark=self.dark, hall=self.lecture)
        skeleton.end(self.lecture)
