"""Thumbnails on the front page: a component that animates an SVG under the pointer."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from common.cache import keyed
from lessons.record import Lesson, Sketch
from shell.modules import loader

ASSETS = Path(__file__).resolve().parents[1] / "assets" / "thumb"
_kept = keyed(16)


def sketch(lesson: Lesson) -> Sketch:
    """Return the thumbnail of a lesson, empty where it has none or a package or file that it needs is missing."""

    def make() -> Sketch:
        try:
            return lesson.thumbnail(lesson.defaults) if lesson.thumbnail else Sketch((), (), 0)
        except (ValueError, OSError, KeyError):
            return Sketch((), (), 0)

    return _kept(lesson.key, make)


@st.cache_resource(max_entries=1)
def _component() -> object:
    css = (ASSETS / "thumb.css").read_text(encoding="utf-8")
    return st.components.v2.component(
        "tvbo_thumb", html='<div class="spot"></div>', css=css, js=loader("thumb/thumb.js", "default")
    )


def show(picture: str, key: str) -> None:
    """Draw a thumbnail (SVG text); it is animated while the pointer is on its card."""
    _component()(key=key, data=picture)
