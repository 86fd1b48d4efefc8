"""The address bar: read at the start of a run, written whole at its end.

One action of the reader is one entry of the browser's history. A step back or forward, and a link, are read
(shell/links/parse.py); every other run writes. `st.query_params.from_dict` adds an entry at each call, so it is called
only where the settings differ from those that the entry has. Whatever else changes the address is written by a
component in the browser, without an entry: a link that is put right, and the time of a pause. A pause is no entry
because playing and stepping would fill the history; a step back takes back a setting and finds the time as it was left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

import streamlit as st

from answers import link
from shell.links import permalink
from shell.server.modules import component
from shell.session import session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lessons.record import Lesson

BACK = "back"  # word that numbers a step in the history (assets/address/steps.js), or a link that is one (`as_step`)
LINK = "c"  # before the number of such a link, which is none of the history's


def as_step() -> dict[str, str]:
    """Return the word with which a link is read like a step in the history, also where it leads to its own page."""
    return {BACK: f"{LINK}{session().history.reads}"}


def stepped() -> bool:
    """Return whether the reader went back or forward in the browser, and the page has not read where to."""
    number = st.query_params.get(BACK)
    return number is not None and number != session().history.back


def read(file: str) -> None:
    """Note that the address is read: what the page opens with is the state of this entry, however it is written.

    Args:
        file: of the page.
    """
    kept, number = session(), st.query_params.get(BACK)
    # Streamlit makes an entry for a link to another page, none for one to the page itself.
    kept.history.entry = {} if kept.history.file == file and number is not None and number.startswith(LINK) else None
    kept.history.back, kept.history.file = number or kept.history.back, file
    kept.history.reads += 1  # a link that is drawn from now on is another step than the one that was read


def words(lesson: Lesson) -> dict[str, str]:
    """Return the page's settings as the address has them, without the time and without defaults."""
    state = st.session_state
    found = link.settings(lesson, lesson.settings(state), state.get("moment"))
    return found | permalink.display_words() | session().course.words


def with_time(lesson: Lesson, settings: Mapping[str, str]) -> dict[str, str]:
    """Return these words with the time; it is left out while nobody has moved it from where they open."""
    _, t = link.opening(lesson, st.session_state.get("moment"), st.session_state)
    if session().t == t and not session().timed:
        return dict(settings)
    return {**settings, "t": str(session().t)}


def along(lesson: Lesson) -> dict[str, str]:
    """Keep the World, and what else links to other pages take along, as the page has it now, and return it.

    What the page has no knob for stays as the page before had it.
    """
    kept = {key: text for key, text in session().world.items() if key not in lesson.knobs}
    session().world = kept | link.along(lesson, lesson.settings(st.session_state))
    return session().world


def write(lesson: Lesson | None) -> None:
    """Write the page's state into the address, at the end of a run.

    Args:
        lesson: that is open; None on the page of the glossary.
    """
    settings = words(lesson) if lesson else permalink.display_words() | session().course.words
    whole = with_time(lesson, settings) if lesson else settings
    kept = session()
    # In a frame there is no entry: a step back belongs to the page around it.
    if kept.history.entry is not None and kept.history.entry != settings and not permalink.embedded():
        st.query_params.from_dict(whole)
    kept.history.entry = settings
    # After the new entry: what stands there already is not written again.
    data = {"words": urlencode(whole), "back": kept.history.back or "0"}
    component("tvbo_address", "address/address", "<span></span>")(key="address", data=data)
