"""The stage of a lesson alone, in a frame of somebody's slides, and its messages (docs/embedding.md).

Streamlit reads `embed=true` of the address, and hides its own header; what of ours is not drawn then says
`permalink.hidden`, and the body of a page ends below its player (`LessonPage.caption`).
"""

from __future__ import annotations

from functools import partial
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from shell.links import permalink
from shell.links.pending import set_moment
from shell.server.modules import component
from shell.server.scripts import asset

if TYPE_CHECKING:
    from lessons.record import Lesson

KEY = "embed"  # of the component
FRAME = (900, 506)  # width and height in pixels of the line to copy
SLIDE = '<iframe src="{link}" title="{title}" width="{width}" height="{height}" style="border: 0"></iframe>'


def draw(lesson: Lesson, *, asks: bool) -> None:
    """Draw the style of an embedded page, and the component that exchanges messages with the page around it.

    Args:
        asks: a bet is open or revealed, which no message may leave, and which has a layout of its own.
    """
    for sheet in ("embed.css", "embed_bet.css") if asks else ("embed.css",):  # after that of lecture type
        st.html(f"<style>{asset(sheet)}</style>")
    moments = [] if asks else [moment.key for moment in lesson.moments]
    component("tvbo_embed", "player/embed", "<span></span>", isolated=False)(
        key=KEY, data={"lesson": lesson.key, "moments": moments}, on_moment_change=partial(_go, lesson, moments)
    )


def _go(lesson: Lesson, moments: list[str]) -> None:
    """Go to the moment that the page around the frame asked for."""
    key = st.session_state[KEY].get("moment")
    if key in moments:
        st.session_state["moment"] = key
        set_moment(lesson)


def line(lesson: Lesson, t: int) -> str:
    """Return the line of HTML that shows the page's stage, exactly as it stands, in a frame.

    Args:
        t: time of the page.
    """
    # The second word is Streamlit's own: with it the page has its theme from its first pixel.
    theme = "dark_theme" if permalink.dark() else "light_theme"
    link = permalink.link(lesson, hide=frozenset(), t=t, embed="true", embed_options=theme)
    width, height = FRAME
    return SLIDE.format(link=escape(link), title=escape(lesson.question), width=width, height=height)
