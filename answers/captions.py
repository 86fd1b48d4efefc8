"""Captions of exports: set-up, time, settings, seed, version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from answers.address import VERSION as LINKS_VERSION
from answers.letters import translate
from common.markup import plain_markdown
from lessons.record import Code
from tvbo_core import __version__

if TYPE_CHECKING:
    from answers.state import State

LAB = "Drifting rewards lab"
WELCOME = f"**{LAB}**: what should a learner forget?"  # at the head of the front page
VERSION = f"{LAB} {__version__}, links version {LINKS_VERSION}"


def chart_caption(state: State, key: str) -> str:
    """Return the caption of one chart: the page's own for the stage, which is its first chart."""
    if key == next(iter(state.pictures)):
        return stage_caption(state)
    return f"{state.pictures[key].alt}. Settings: {settings(state)}. Lesson {state.number}, {VERSION}."


def stage_caption(state: State) -> str:
    """Return the caption of the stage, without the time, which the browser adds."""
    caption = plain_markdown(translate(state.scene.caption, state.paper, "markdown"))
    seed = state.settings.get("seed", "")
    words = f" Seed {seed}." if seed and "seed" not in caption else ""
    stop = "" if caption.endswith((".", "!", "?")) or not caption else "."
    return f"{caption}{stop}{words} Lesson {state.number}, {VERSION}.".strip()


def settings(state: State) -> str:
    """Return every setting that changes anything in one line, by the names of the controls."""
    shown, values = state.settings, state.values
    knobs = {key: state.lesson.knobs[key] for key in shown if state.lesson.knobs[key].acts_at(values)}
    acting = {k: knob for k, knob in knobs.items() if not (isinstance(knob, Code) and values[k] == knob.default)}
    names = {key: plain_markdown(translate(knob.words, state.paper, "markdown")) for key, knob in acting.items()}
    return "; ".join(f"{name}: {shown[key]}" for key, name in names.items())


def full_caption(state: State, link: str) -> str:
    """Return the text to print below the figure in a paper: question, time, caption, settings, link."""
    shown = f"Shown: {state.label}. {stage_caption(state)}"
    return f"{state.lesson.question} {shown}\nSettings: {settings(state)}.\nLink: {link}"
