"""Captions of exports: set-up, time, settings, seed, version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.markup import plain_markdown
from lessons.record import Code
from shell.links import VERSION as LINKS_VERSION
from shell.notation.letters import translate
from tvbo_core import __version__

if TYPE_CHECKING:
    from shell.static.view import View

LAB = "Drifting rewards lab"
VERSION = f"{LAB} {__version__}, links version {LINKS_VERSION}"


def chart_caption(view: View, key: str) -> str:
    """Return the caption of one chart: the page's own for the stage, which is its first chart."""
    if key == next(iter(view.pictures)):
        return stage_caption(view)
    return f"{view.pictures[key].alt}. Settings: {settings(view)}. Lesson {view.number}, {VERSION}."


def stage_caption(view: View) -> str:
    """Return the caption of the stage, without the time, which the browser adds."""
    caption, seed = plain_markdown(view.caption), view.settings.get("seed", "")
    words = f" Seed {seed}." if seed and "seed" not in caption else ""
    stop = "" if caption.endswith((".", "!", "?")) or not caption else "."
    return f"{caption}{stop}{words} Lesson {view.number}, {VERSION}.".strip()


def settings(view: View) -> str:
    """Return every setting that changes anything in one line, by the names of the controls."""
    knobs = {key: knob for key, knob in view.lesson.knobs.items() if key in view.settings and knob.acts_at(view.values)}
    acting = {k: knob for k, knob in knobs.items() if not (isinstance(knob, Code) and view.values[k] == knob.default)}
    names = {key: plain_markdown(translate(knob.words, view.paper, "markdown")) for key, knob in acting.items()}
    return "; ".join(f"{name}: {view.settings[key]}" for key, name in names.items())


def full_caption(view: View, link: str) -> str:
    """Return the text to print below the figure in a paper: question, time, caption, settings, link."""
    return (
        f"{view.lesson.question} Shown: {view.label}. {stage_caption(view)}\nSettings: {settings(view)}.\nLink: {link}"
    )
