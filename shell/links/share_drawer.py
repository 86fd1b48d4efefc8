"""The drawer of the link: the address, the parts that the linked page hides, and a QR code."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import segno
import streamlit as st

from lessons.record import BET_KNOBS, OPEN
from shell.hall import embed
from shell.links import permalink, reach
from shell.notation import translate
from shell.session import session

if TYPE_CHECKING:
    from lessons.record import Lesson

FORMULA = re.compile(r"[,:]?\s*\$[^$]*\$")
ONLY_HERE = "Only this computer reaches this address"
TOO_LONG = (
    "This link is too long for a QR code: send it as it stands, or shorten its titles and sentences. A course from a "
    "file has a short link (docs/in-the-hall.md)."
)
TO_OPEN = "For a hall start the lab with `streamlit run app.py --server.address 0.0.0.0` (docs/serving.md)."
KEYS = (
    "Key Q shows the code large, Q or Esc closes it. The link stores every setting that you changed, the moment, the "
    f"time, the theme and the symbols (links version {permalink.VERSION})."
)
EMBED = "· headline, figure, sentence and player alone, in a frame of your slides or course page"
KNOWN = "The server lets this page show the lab."
NO_FRAME = "A deck opened from a file has no address: serve it (`python -m http.server`) and give that address."
QUIET_MODULES = 4  # of white around a QR code (ISO/IEC 18004)


def draw(lesson: Lesson) -> None:
    """Draw the contents of the open drawer."""
    _draw_link(permalink.link(lesson, hide=_hidden_parts(lesson), t=session().t), KEYS)
    if lesson.scene:
        st.markdown(f"**Embed** :small[{EMBED}]")
        st.code(embed.line(lesson, session().t), language=None, wrap_lines=True)
        _draw_frame_setting()


def draw_question() -> None:
    """Draw the link to the question of the page's bet, which has nobody's answer in it, as a closed drawer."""
    with st.expander("Link to this question", on_change="rerun", key="drawer_link") as drawer:
        if drawer.open:
            _draw_link(permalink.link_with({"guess": OPEN, **translate.link_words()}))


def _draw_link(link: str, about: str = "") -> None:
    """Draw a link, its QR code, and beside it the hall's address and what is said about the link."""
    st.code(link, language=None, wrap_lines=True)
    left, right = st.columns([1, 3], gap="medium", vertical_alignment="center")
    with left:
        draw_code(link, "QR code of the link")
    with right:
        draw_hall()
        if about:
            st.caption(about)


def draw_code(link: str, alt: str, key: str = "qr") -> None:
    """Draw the QR code of a link, or a warning where no other computer reaches it or it is too long for a code.

    Args:
        key: of its container, where a page may have two.
    """
    if permalink.is_local():
        with st.container(key="only_here" if key == "qr" else f"{key}_only_here"):
            st.markdown(f":material/info: **{ONLY_HERE}.**")
        return
    try:
        drawn = code(link)
    except segno.DataOverflowError:
        st.markdown(f":material/info: {TOO_LONG}")
        return
    with st.container(key=key):
        st.image(drawn, alt=alt, width="stretch")


def draw_hall(key: str = "audience_shown") -> None:
    """Draw the field for the address under which a hall reaches the lab, and a note where it is wrong.

    Args:
        key: of the field, where a page may have two.
    """
    kept = session()
    st.session_state[key] = kept.sharing.audience
    st.text_input(
        "Address the audience sees",
        key=key,
        placeholder="https://lab.example.org",
        help="Scheme, name and port of this server as other computers reach it. Kept for this session. "
        "A name must stand in ALLOWED_HOSTS (docs/serving.md).",
        max_chars=200,
        on_change=_keep_address,
        args=(key,),
    )
    if kept.sharing.audience:
        try:
            reach.read(kept.sharing.audience)
        except ValueError as problem:
            st.caption(f":material/error: {problem}")
    if permalink.is_local():
        if there := reach.in_network(st.context.url or ""):
            st.caption(f":material/lan: In its network this computer is {there}: try that with a phone.")
            st.button("Use this address", key=f"{key}_there", on_click=_use, args=[there])
        else:
            st.caption(f":material/info: {TO_OPEN}")


def _draw_frame_setting() -> None:
    """Draw the field for the page around the frame, and the one setting with which the server lets it show the lab."""
    typed = st.text_input(
        "Address of your slides or course page",
        key="framed_by",
        placeholder="https://slides.example.org",
        help="The server shows the lab only in pages that its setting FRAME_ANCESTORS names (docs/embedding.md).",
        max_chars=200,
    ).strip()
    if not typed:
        return
    try:
        found = urlsplit(reach.read(typed))
    except ValueError as problem:
        st.caption(f":material/error: {NO_FRAME if typed.startswith('file:') else problem}")
        return
    origin, allowed = f"{found.scheme}://{found.netloc}", os.environ.get("FRAME_ANCESTORS", "'self'")
    if origin in allowed.split():
        st.caption(f":material/check: {KNOWN}")
    else:
        st.caption("Start the server with this setting:")
        st.code(f'FRAME_ANCESTORS="{allowed} {origin}" streamlit run app.py', language="bash", wrap_lines=True)


def _hidden_parts(lesson: Lesson) -> frozenset[str]:
    """Draw the choice of parts that the linked page hides, and return them."""
    ours = {key: without_formula(knob.words) for key, knob in lesson.knobs.items() if key not in BET_KNOBS}
    names = {**permalink.PLACES, **ours}
    kept = session()
    if kept.sharing.trim is None:
        kept.sharing.trim = sorted(kept.look.hidden & set(names))
    st.session_state["trim_shown"] = [name for name in kept.sharing.trim if name in names]
    parts = st.multiselect(
        "Hide from those who open the link",
        list(names),
        format_func=names.__getitem__,
        key="trim_shown",
        placeholder="nothing",
        help="A hidden control keeps its value. Key L still switches lecture type.",
        on_change=_keep_parts,
    )
    return frozenset(parts)


def _keep_parts() -> None:
    session().sharing.trim = st.session_state["trim_shown"]


def _keep_address(key: str) -> None:
    typed = str(st.session_state[key]).strip()
    with suppress(ValueError):  # what is no address stays as it was typed, under a sentence
        typed = reach.read(typed, st.context.url or "")
    _use(typed)


def _use(address: str) -> None:
    session().sharing.audience = address


def without_formula(words: str) -> str:
    """Return a label without its formula, or as it is where nothing would be left."""
    return FORMULA.sub("", words).strip() or words


@lru_cache(maxsize=64)
def code(link: str) -> str:
    """Return a QR code as SVG, black on white in both themes."""
    qr = segno.make(link, micro=False, error="m")
    svg = BytesIO()
    qr.save(svg, kind="svg", scale=8, border=QUIET_MODULES, dark="#000", light="#fff", xmldecl=False, nl=False)
    return svg.getvalue().decode()
