"""The link to exactly this: short, with a version, and with everything that is visible.

A link leaves out what equals the page's default in its version. Those defaults are kept as text, one file a version
(assets/links/), so moving a default cannot move what an old link shows: raise `VERSION` and add its file. Beside the
settings a link may say the moment, the time, the theme, the symbols, and what a trimmed page hides.
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
STAYS = ("lecture",)  # a hidden switch would leave no way back


@cache
def _table(version: int) -> dict[str, dict[str, str]]:
    return json.loads((ASSETS / "links" / f"v{version}.json").read_text(encoding="utf-8"))


def frozen(number: int, version: int = VERSION) -> Mapping[str, str]:
    """The defaults of a page in a version of links: key -> text, with the time as "t"."""
    return _table(min(version, VERSION)).get(str(number), {})


def texts(lesson: Lesson) -> dict[str, str]:
    """What `frozen` holds, of a page as it is now."""
    return {"t": str(lesson.t), **{key: knob.text(knob.default) for key, knob in lesson.knobs.items()}}


def link(knobs: Mapping[str, Knob], hide: frozenset[str] | None = None, **extra: object) -> str:
    """The address of this state.

    Args:
        knobs: whose values are written.   hide: what the page behind the link hides (None: what this one hides).
        extra: more to write, over what is written anyway; `t` is left out where the page opens at it.
    """
    state = st.session_state
    first = frozen(int(state.get("_page", 0)))
    pairs: dict[str, object] = {"v": VERSION}
    for key, knob in knobs.items():
        if key in state and knob.text(state[key]) != first.get(key, knob.text(knob.default)):
            pairs[key] = shortest(knob, state[key])
    pairs |= {"moment": state["moment"]} if state.get("moment") else {}
    pairs |= {key: value for key, value in extra.items() if str(value) != first.get(key)}
    pairs |= {"lecture": "true"} if state.get("lecture") else {}
    pairs |= {"symbols": state["symbols"]} if state.get("symbols", "ours") != "ours" else {}
    pairs["theme"] = "dark" if dark() else "light"
    hidden_there = hiding() if hide is None else hide
    pairs |= {"hide": ".".join(sorted(hidden_there))} if hidden_there else {}
    return f"{address()}?{urlencode(pairs, safe='/')}"


def shortest(knob: Knob, value: object) -> str:
    """A value as the link writes it: the shorter of its text and of what the screen calls it."""
    return min(knob.text(value), knob.shown(value), key=lambda text: len(quote(text)))


def address() -> str:
    """The page's address as the audience sees it: the server's own, or the one that was typed."""
    here = st.context.url or ""
    typed = str(st.session_state.get("audience") or "").strip().rstrip("/")
    if not typed:
        return here
    return f"{typed if '://' in typed else f'http://{typed}'}{urlsplit(here).path}"


def local() -> bool:
    """Whether the address means only this machine."""
    host = urlsplit(address()).hostname
    return host in (None, "localhost", "127.0.0.1", "::1", "0.0.0.0")


# What a link may say beside a page's settings: word -> (reads a text, or raises ValueError; what is allowed).
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
    """The names that exist; raises where none does."""
    found = frozenset(part for part in raw.split(".") if part in PLACES or part in lesson.knobs)
    if not found or len(raw) > 1000:
        raise ValueError
    return found


WORDS: Mapping[str, tuple[Callable[[str, Lesson], object], str]] = {
    "v": (_version, f"1 to {VERSION}"),
    "theme": (_one_of("light", "dark"), "light, dark"),
    "symbols": (_one_of(*PAPERS), ", ".join(PAPERS)),
    "hide": (_parts, "names of controls, " + ", ".join(PLACES) + ", with dots between"),
}


def read(key: str, raw: str, lesson: Lesson) -> tuple[object, str]:
    """What a link says about a word, and what is wrong with it ("" when nothing is)."""
    reader, allowed = WORDS[key]
    try:
        value = reader(raw, lesson)
    except ValueError:
        return None, f"{key} = “{quoted(raw)}” (allowed: {allowed})"
    unknown = [part for part in raw.split(".") if part not in value] if key == "hide" else []
    return value, f"hide = “{quoted('.'.join(unknown))}” (no such control here)" if unknown else ""


def arrive(said: Mapping[str, object], *, lecture: bool) -> None:
    """Take over what a link said beside the settings. A link with a version says everything."""
    state, whole = st.session_state, "v" in said
    state["symbols"] = said.get("symbols", "ours" if whole else state.get("symbols", "ours"))
    state["_hide"] = said.get("hide", frozenset())
    # A lecture is light by default: most halls keep their lights on.
    state["_theme"] = said.get("theme", "light" if lecture else None)
    state["_theme_met"] = False
    tell_symbols()
    if whole and int(said["v"]) > VERSION:
        st.toast(f"This link was made by a newer lab (links version {said['v']}, this lab reads {VERSION}): what this "
                 "lab does not know is left out.", icon="🔗", duration="long")  # fmt: skip


def write(key: str, text: str | None) -> None:
    """Write a word into the address, or take it out (None).

    When a page was left in the middle of a run, Streamlit may still hold its control of this name to be bound to the
    address, and forbids it: then the next run writes it.
    """
    with suppress(StreamlitAPIException, KeyError):
        if text is None:
            st.query_params.pop(key, None)
        elif st.query_params.get(key) != text:
            st.query_params[key] = text


def tell_symbols() -> None:
    """Write the symbols into the address, where ours are left out."""
    chosen = st.session_state.get("symbols", "ours")
    write("symbols", None if chosen == "ours" else chosen)


def opening(lesson: Lesson, said: Mapping[str, object]) -> tuple[dict[str, object], int] | None:
    """Where a link with a version starts from: every setting and the time as that version had them."""
    if "v" not in said:
        return None
    first = frozen(lesson.number, int(said["v"]))
    return {key: _as_now(knob, first.get(key)) for key, knob in lesson.knobs.items()}, int(first.get("t", lesson.t))


def _as_now(knob: Knob, text: str | None) -> object:
    try:
        return knob.default if text is None else knob.read(text)
    except ValueError:  # a value that the page does not offer any more
        return knob.default


def hiding() -> frozenset[str]:
    """What this page hides: keys of controls and names of `PLACES`."""
    return st.session_state.get("_hide", frozenset())


def hidden(name: str) -> bool:
    """Whether the link hides this control or place."""
    trimmed = hiding()
    return bool(trimmed) and (name in trimmed or ("controls" in trimmed and name not in PLACES)) and name not in STAYS


def dark() -> bool:
    """Whether the page is dark: what the link asks for, until the reader chooses another theme."""
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


def light_up() -> None:
    """Let the browser take the theme that the link asks for; nothing is drawn where it has it already.

    The browser opens the page once more for it, so nothing is computed before; it answers when it stays.
    """
    dark()
    asked = st.session_state["_theme"]
    if asked is None or st.session_state["_theme_met"]:
        return
    answer = _switch()(key="theme_switch", data={"theme": asked}, default={"stay": False}, on_stay_change=lambda: None)
    if st.context.theme.type is not None and not answer.stay:
        st.stop()
