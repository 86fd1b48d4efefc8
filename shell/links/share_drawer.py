"""The drawer of the link: the address, what the page behind it hides, and its QR code for a hall."""

from __future__ import annotations

import re
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

import segno
import streamlit as st

from lessons.record import BET_KNOBS
from shell.links import permalink

if TYPE_CHECKING:
    from lessons.record import Lesson

FORMULA = re.compile(r"[,:]?\s*\$[^$]*\$")
ELSEWHERE = (
    "This address works on this machine only. For a hall type the server's address, and let it listen there: streamlit "
    "run app.py --server.address 0.0.0.0"
)
KEYS = (
    "Key Q shows the code large, Q or Esc closes it. The link holds every setting that is not the page's own, the "
    f"moment, the time, the theme and the symbols (links version {permalink.VERSION})."
)
QUIET = 4  # modules of white around a code, as the standard asks


def fill(lesson: Lesson) -> None:
    """Draw what the open drawer holds."""
    trim = _trim(lesson)
    link = permalink.link(lesson.knobs, hide=trim, t=st.session_state["_t"])
    st.code(link, language=None, wrap_lines=True)
    left, right = st.columns([1, 3], gap="medium", vertical_alignment="center")
    with left, st.container(key="qr"):
        st.image(code(link), alt="QR code of the link", width="stretch")
    with right:
        st.session_state["audience_shown"] = st.session_state.get("audience", "")
        st.text_input("Address the audience sees", key="audience_shown", placeholder="http://10.0.0.7:8501",
                      help="Scheme, name and port of this server as other machines reach it. Kept for this session.",
                      max_chars=200, on_change=_told)  # fmt: skip
        if permalink.local():
            st.caption(f":material/info: {ELSEWHERE}")
        st.caption(KEYS)


def _trim(lesson: Lesson) -> frozenset[str]:
    """What the page behind the link hides."""
    ours = {key: plain(knob.words) for key, knob in lesson.knobs.items() if key not in BET_KNOBS}
    names = {**permalink.PLACES, **ours}
    now = st.session_state.setdefault("trim", sorted(permalink.hiding() & set(names)))
    st.session_state["trim_shown"] = [name for name in now if name in names]
    chosen = st.multiselect("Hide on the page behind the link", list(names), format_func=names.__getitem__,
                            key="trim_shown", placeholder="nothing", help="They keep the values of this link. Lecture "
                            "mode stays on key L.", on_change=_keep)  # fmt: skip
    return frozenset(chosen)


def _keep() -> None:
    st.session_state["trim"] = st.session_state["trim_shown"]


def _told() -> None:
    st.session_state["audience"] = st.session_state["audience_shown"]


def plain(words: str) -> str:
    """A label without its formula."""
    return FORMULA.sub("", words).strip() or words


@lru_cache(maxsize=64)
def code(link: str) -> str:
    """A QR code as SVG, black on white in both themes, that fills its place."""
    drawn = segno.make(link, micro=False, error="m")
    svg = BytesIO()
    drawn.save(svg, kind="svg", scale=8, border=QUIET, dark="#000", light="#fff", xmldecl=False, nl=False)
    return svg.getvalue().decode()
