"""Links to the state of a page: short, with a version, and with everything that is visible.

A link leaves out what is the page's default. Beside the settings it may hold the moment, the time, the theme, the
symbols, and the parts that the page hides.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import streamlit as st
from streamlit.errors import StreamlitAPIException

from answers.address import VERSION
from answers.link import LOOKS, PLACES, look_words
from lessons.record import ROOT
from shell.links import reach
from shell.links.words import last_of
from shell.server.modules import component
from shell.session import session

if TYPE_CHECKING:
    from lessons.record import Knob, Lesson

PAGES = frozenset(file.stem for file in (ROOT / "pages").glob("*.py"))
ALWAYS_SHOWN = ("lecture",)  # without this switch a reader could not leave lecture type


def link(lesson: Lesson, hide: frozenset[str] | None = None, t: int | None = None, **extra: object) -> str:
    """Return the address of the page's state.

    Args:
        hide: parts that the linked page hides (None: those of this page).
        t: time, left out where the page opens with it.   extra: further words, which override the others.
    """
    state = st.session_state
    pairs: dict[str, object] = {"v": VERSION}
    for key, knob in lesson.knobs.items():
        if knob.linked and key in state and knob.text(state[key]) != knob.text(knob.default):
            pairs[key] = shortest(knob, state[key])
    pairs |= {"moment": state["moment"]} if state.get("moment") else {}
    pairs |= {} if t in (None, lesson.t) else {"t": t}
    pairs |= extra
    pairs |= {"lecture": "true"} if state.get("lecture") else {}
    pairs |= {"symbols": session().look.symbols} if session().look.symbols != "ours" else {}
    pairs["theme"] = "dark" if dark() else "light"
    parts = session().look.hidden if hide is None else hide
    pairs |= {"hide": ".".join(sorted(parts))} if parts else {}
    return f"{address()}?{urlencode(pairs, safe='/')}"


def shortest(knob: Knob, value: object) -> str:
    """Return a value as the link writes it: the shorter of its text and its name on the screen."""
    return min(knob.text(value), knob.screen_text(value), key=lambda text: len(quote(text)))


def address() -> str:
    """Return the page's address: the one in the browser, or the hall's that was typed in."""
    here = st.context.url or ""
    with suppress(ValueError):  # nothing, or no address, was typed
        return reach.moved(here, reach.read(session().sharing.audience))
    return here


def home() -> str:
    """Return the address of the front page, which has no name in addresses; all pages lie below it."""
    here = address().rstrip("/")
    base, _, name = here.rpartition("/")
    return base if name in PAGES else here


def link_with(words: Mapping[str, str]) -> str:
    """Return the page's address with these words alone, as the audience reaches it."""
    return f"{address()}?{urlencode(words, safe=',.')}"


def is_local() -> bool:
    """Return whether the address works on this machine only."""
    return reach.is_local(address())


def link_words() -> dict[str, object]:
    """Return version, theme and symbols of the address, where it has them and they are allowed."""
    said = last_of(st.query_params)
    words = {key: LOOKS[key][0](said[key], None) for key in ("v", "theme", "symbols") if key in said}
    return {key: value for key, value in words.items() if value is not None}


def apply_words(words: Mapping[str, object], *, lecture: bool, whole: bool) -> None:
    """Set theme, symbols and hidden parts of a link in the session.

    Args:
        whole: whether the link holds all that is no default; else the session's symbols stay.
    """
    kept = session()
    kept.look.symbols = words.get("symbols", "ours" if whole else kept.look.symbols)
    kept.look.hidden = words.get("hide", frozenset())
    # Light by default in lecture type, for halls with their lights on.
    kept.look.theme = words.get("theme", "light" if lecture else None)
    kept.look.theme_met = False
    if words.get("v", VERSION) != VERSION:
        st.toast(
            f"This link was made by another release (links version {words['v']}, this lab writes {VERSION}): settings "
            "that it leaves out are as the page opens now.",
            icon=":material/link:",
            duration="long",
        )


def display_words() -> dict[str, str]:
    """Return the words of an address that say how a page looks: its type, letters, theme and hidden parts."""
    look, lecture = session().look, bool(st.session_state.get("lecture"))
    found = look_words(lecture, look.symbols, dark() if look.theme or lecture else None)
    return found | ({"hide": ".".join(sorted(look.hidden))} if look.hidden else {})


def page_link(file: str, label: str, **more: Any) -> None:
    """Draw a link to a page of the app; `more` as for Streamlit's."""
    with suppress(StreamlitAPIException):  # a page that is run on its own knows no other page
        st.page_link(file, label=label, **more)


def embedded() -> bool:
    """Return whether the page is the stage alone, in somebody's slides: Streamlit has read `embed=true`."""
    return bool(st.context.is_embedded)


def hidden(name: str) -> bool:
    """Return whether the link hides this knob or place; an embedded page hides all of them."""
    parts = session().look.hidden
    ours = name in parts or ("controls" in parts and name not in PLACES)
    return embedded() or (ours and name not in ALWAYS_SHOWN)


def dark() -> bool:
    """Return whether the page is dark: the theme of the link, until the reader chooses another one."""
    kept, seen = session(), st.context.theme.type or "light"
    theme = kept.look.theme
    if theme is None or (seen != theme and kept.look.theme_met):
        kept.look.theme = None
        return seen == "dark"
    kept.look.theme_met = seen == theme
    return theme == "dark"


def apply_theme() -> None:
    """Make the browser use the theme of the link, where it has another one.

    The browser then loads the page again, so the run stops here until the component reports that it does not.
    """
    dark()
    kept = session()
    if kept.look.theme is None or kept.look.theme_met:
        return
    answer = component("tvbo_theme", "player/theme", "<div></div>")(
        key="theme_switch", data={"theme": kept.look.theme}, default={"stay": False}, on_stay_change=lambda: None
    )
    if st.context.theme.type is not None and not answer.stay:
        st.stop()
