"""Links to the state of a page: short, with a version, and with everything that is visible.

A link leaves out the defaults of its version. These are kept as text, one file a version (assets/links/), so that a
changed default does not change what an old link shows: raise `VERSION` and add its file. Beside the settings a link
may hold the moment, the time, the theme, the symbols, and the parts that the page hides.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode, urlsplit

import streamlit as st
from streamlit.errors import StreamlitAPIException

from lessons.shared.escape import quoted
from shell.links import VERSION
from shell.notation.table import PAPERS

if TYPE_CHECKING:
    from lessons.record import Knob, Lesson

ASSETS = Path(__file__).resolve().parents[2] / "assets"
PLACES = {"controls": "All controls", "moments": "Lecture moments", "more": "More…", "bet": "Bet first",
          "menu": "Lessons menu", "drawers": "Drawers under the figure"}  # fmt: skip
ALWAYS_SHOWN = ("lecture",)  # without this switch a reader could not leave lecture type


@cache
def _table(version: int) -> dict[str, dict[str, str]]:
    return json.loads((ASSETS / "links" / f"v{version}.json").read_text(encoding="utf-8"))


def stored_defaults(number: int, version: int = VERSION) -> Mapping[str, str]:
    """Return the defaults of a page in a version of links: key -> text, with the time as "t"."""
    return _table(min(version, VERSION)).get(str(number), {})


def current_defaults(lesson: Lesson) -> dict[str, str]:
    """Return the defaults of a page as it is now, in the form of `stored_defaults`."""
    return {"t": str(lesson.t), **{key: knob.text(knob.default) for key, knob in lesson.knobs.items()}}


def link(knobs: Mapping[str, Knob], hide: frozenset[str] | None = None, **extra: object) -> str:
    """Return the address of the page's state.

    Args:
        knobs: whose values are written.   hide: parts that the linked page hides (None: those of this page).
        extra: further words, which override the others; a default is left out.
    """
    state = st.session_state
    first = stored_defaults(int(state.get("_page", 0)))
    pairs: dict[str, object] = {"v": VERSION}
    for key, knob in knobs.items():
        if knob.linked and key in state and knob.text(state[key]) != first.get(key, knob.text(knob.default)):
            pairs[key] = shortest(knob, state[key])
    pairs |= {"moment": state["moment"]} if state.get("moment") else {}
    pairs |= {key: value for key, value in extra.items() if str(value) != first.get(key)}
    pairs |= {"lecture": "true"} if state.get("lecture") else {}
    pairs |= {"symbols": state["symbols"]} if state.get("symbols", "ours") != "ours" else {}
    pairs["theme"] = "dark" if dark() else "light"
    parts = hidden_parts() if hide is None else hide
    pairs |= {"hide": ".".join(sorted(parts))} if parts else {}
    return f"{address()}?{urlencode(pairs, safe='/')}"


def shortest(knob: Knob, value: object) -> str:
    """Return a value as the link writes it: the shorter of its text and its name on the screen."""
    return min(knob.text(value), knob.shown(value), key=lambda text: len(quote(text)))


def address() -> str:
    """Return the page's address: the server's own, or the audience's that was typed in."""
    here = st.context.url or ""
    typed = str(st.session_state.get("audience") or "").strip().rstrip("/")
    if not typed:
        return here
    return f"{typed if '://' in typed else f'http://{typed}'}{urlsplit(here).path}"


def is_local() -> bool:
    """Return whether the address works on this machine only."""
    host = urlsplit(address()).hostname
    return host in (None, "localhost", "127.0.0.1", "::1", "0.0.0.0")


# Readers of the words below: they return a value or raise ValueError.
def _version(raw: str, _: Lesson) -> int:
    if not (raw.isascii() and raw.isdigit() and 1 <= len(raw) <= 3 and int(raw) > 0):
        raise ValueError
    return int(raw)


def _one_of(*allowed: str) -> Callable[[str, Lesson], str]:
    def read(raw: str, _: Lesson) -> str:
        if raw not in allowed:
            raise ValueError
        return raw

    return read


def _parts(raw: str, lesson: Lesson) -> frozenset[str]:
    """Return the names that exist; raise ValueError where none does."""
    found = frozenset(part for part in raw.split(".") if part in PLACES or part in lesson.knobs)
    if not found or len(raw) > 1000:
        raise ValueError
    return found


# Words of a link beside the page's settings: word -> reader, and its allowed values in words.
WORDS: Mapping[str, tuple[Callable[[str, Lesson], object], str]] = {
    "v": (_version, f"1 to {VERSION}"),
    "theme": (_one_of("light", "dark"), "light, dark"),
    "symbols": (_one_of(*PAPERS), ", ".join(PAPERS)),
    "hide": (_parts, "names of controls, " + ", ".join(PLACES) + ", with dots between"),
}


def read(key: str, raw: str, lesson: Lesson) -> tuple[object, str]:
    """Return the value of a word, None where it is not allowed, and a text about what was dropped, "" for nothing."""
    reader, allowed = WORDS[key]
    try:
        value = reader(raw, lesson)
    except ValueError:
        return None, f"{key} = “{quoted(raw)}” (allowed: {allowed})"
    unknown = [part for part in raw.split(".") if part not in value] if key == "hide" else []
    return value, f"hide = “{quoted('.'.join(unknown))}” (no such control here)" if unknown else ""


def said() -> dict[str, object]:
    """Return version, theme and symbols of the address, where it has them and they are allowed."""
    found = {}
    for key in ("v", "theme", "symbols"):
        if raw := st.query_params.get(key):
            with suppress(ValueError):
                found[key] = WORDS[key][0](raw, None)
    return found


def apply_words(said: Mapping[str, object], *, lecture: bool) -> None:
    """Set theme, symbols and hidden parts of a link in the session.

    A link with a version holds all that is no default; without one the session's symbols stay.
    """
    state, whole = st.session_state, "v" in said
    state["symbols"] = said.get("symbols", "ours" if whole else state.get("symbols", "ours"))
    state["_hide"] = said.get("hide", frozenset())
    # Light by default in lecture type, for halls with their lights on.
    state["_theme"] = said.get("theme", "light" if lecture else None)
    state["_theme_met"] = False
    write_symbols()
    if whole and int(said["v"]) > VERSION:
        st.toast(f"This link was made by a newer lab (links version {said['v']}, this lab reads {VERSION}): what this "
                 "lab does not know is left out.", icon=":material/link:", duration="long")  # fmt: skip


def write(key: str, text: str | None) -> None:
    """Write a word into the address, or remove it (None).

    After a page was left in the middle of a run, Streamlit may still count its widget of this name as bound, and
    refuses: then the next run writes it.
    """
    with suppress(StreamlitAPIException, KeyError):
        if text is None:
            st.query_params.pop(key, None)
        elif st.query_params.get(key) != text:
            st.query_params[key] = text


def write_symbols() -> None:
    """Write the choice of symbols into the address; the lab's own are left out."""
    chosen = st.session_state.get("symbols", "ours")
    write("symbols", None if chosen == "ours" else chosen)


def opening(lesson: Lesson, said: Mapping[str, object]) -> tuple[dict[str, object], int] | None:
    """Return every setting and the time as defaults of the link's version, None for a link without a version."""
    if "v" not in said:
        return None
    first = stored_defaults(lesson.number, int(said["v"]))
    return {key: _as_now(knob, first.get(key)) for key, knob in lesson.knobs.items()}, int(first.get("t", lesson.t))


def _as_now(knob: Knob, text: str | None) -> object:
    """Return the value of a stored default, or the knob's own default."""
    try:
        return knob.default if text is None else knob.read(text)
    except ValueError:  # the page no longer offers this value
        return knob.default


def hidden_parts() -> frozenset[str]:
    """Return the parts that this page hides: keys of knobs and names of `PLACES`."""
    return st.session_state.get("_hide", frozenset())


def hidden(name: str) -> bool:
    """Return whether the link hides this knob or place."""
    parts = hidden_parts()
    return name not in ALWAYS_SHOWN and (name in parts or ("controls" in parts and name not in PLACES))


def dark() -> bool:
    """Return whether the page is dark: the theme of the link, until the reader chooses another one."""
    seen, asked = st.context.theme.type or "light", st.session_state.get("_theme")
    if asked is None or (seen != asked and st.session_state.get("_theme_met")):
        st.session_state["_theme"] = None
        return seen == "dark"
    st.session_state["_theme_met"] = seen == asked
    return asked == "dark"


@st.cache_resource
def _switch() -> Callable:
    return st.components.v2.component("tvbo_theme", html="<div></div>",
                                      js=(ASSETS / "player" / "theme.js").read_text(encoding="utf-8"))  # fmt: skip


def apply_theme() -> None:
    """Make the browser use the theme of the link, where it has another one.

    The browser then loads the page again, so the run stops here until the component reports that it does not.
    """
    dark()
    asked = st.session_state["_theme"]
    if asked is None or st.session_state["_theme_met"]:
        return
    answer = _switch()(key="theme_switch", data={"theme": asked}, default={"stay": False}, on_stay_change=lambda: None)
    if st.context.theme.type is not None and not answer.stay:
        st.stop()
