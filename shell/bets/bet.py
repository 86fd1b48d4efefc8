"""Bet first, then reveal: one question a page, the reader's answer, and a cover over the page in between.

A bet never holds its truth: that is asked of the engine (lessons/truths.py) when it is revealed (shell/bets/reveal.py).
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from lessons.record import CLOSED, COVERED, OPEN, REVEALED, Bet, Lesson
from shell.knobs import write
from shell.links.pending import prepare
from shell.notation import translate as symbols

CSS = Path(__file__).resolve().parents[2] / "assets" / "bet.css"


def state(lesson: Lesson) -> str:
    """Whether the page's bet is closed, covers the page, or is revealed."""
    if lesson.bet is None or st.session_state.get("guess", CLOSED) == CLOSED:
        return CLOSED
    return REVEALED if st.session_state["reveal"] else COVERED


def button(lesson: Lesson) -> None:
    """The door to the bet, in the row of moments: it opens the page in the state that the bet is about."""
    if lesson.bet is None or state(lesson) == COVERED:
        return
    st.button("Bet first", on_click=_open, args=(lesson,), key="bet_open", icon=":material/psychology_alt:",
              help="Covers the page until you have placed your bet (key D).")  # fmt: skip
    if state(lesson) == REVEALED:
        st.button("Take the bet away", on_click=leave, args=(lesson,), key="bet_leave", type="tertiary",
                  icon=":material/close:")  # fmt: skip


def cover(lesson: Lesson) -> None:
    """The bet's state in the link; while it is open, the cover over the page and the question on it."""
    if lesson.bet is None:
        return
    _settle(lesson)
    if state(lesson) != COVERED:
        return
    st.html(CSS)
    with st.container(key="bet_panel", border=True):
        symbols.say(f"#### {lesson.bet.question}")
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            (_order if lesson.bet.ranks else _choice)(lesson.bet)
            _sure(lesson.bet)
            st.button("Reveal", on_click=_reveal, args=(lesson,), key="bet_reveal",
                      icon=":material/visibility:")  # fmt: skip
            st.button("Uncover without a bet", on_click=leave, args=(lesson,), key="bet_leave", type="tertiary")


def leave(lesson: Lesson) -> None:
    """Take the bet off the page."""
    for key, knob in lesson.bet.knobs.items():
        st.session_state[key] = knob.default
    _own(lesson)


def _settle(lesson: Lesson) -> None:
    """Write the bet into the link, and let the page's own bet follow when a link has brought one."""
    for key, knob in lesson.bet.knobs.items():
        write(knob, st.session_state.setdefault(key, knob.default))
    if state(lesson) == REVEALED:
        _own(lesson)


def _open(lesson: Lesson) -> None:
    bet = lesson.bet
    prepare({key: bet.values.get(key, knob.default) for key, knob in lesson.knobs.items()} | {"guess": OPEN}, bet.t)
    st.session_state.update(bet_pick=None, moment=None)


def _reveal(lesson: Lesson) -> None:
    st.session_state["reveal"] = True
    _own(lesson)


def _own(lesson: Lesson) -> None:
    """Bring the page's own bet to what is bet on, so that its main figure draws it."""
    if lesson.bet.own is None:
        return
    knob, chosen = lesson.knobs[lesson.bet.own], lesson.bet.chosen(st.session_state["guess"])
    shown = chosen and st.session_state["reveal"]
    st.session_state[knob.key] = knob.read(chosen[0]) if shown else knob.default


def _choice(bet: Bet) -> None:
    """One of the answers."""

    def keep() -> None:
        st.session_state["guess"] = st.session_state["bet_pick"] or OPEN

    st.session_state["bet_pick"] = next(iter(bet.chosen(st.session_state["guess"])), None)
    st.segmented_control("Your bet", list(bet.options), format_func=bet.options.__getitem__, key="bet_pick",
                         on_change=keep)  # fmt: skip


def _order(bet: Bet) -> None:
    """All of them in an order: one click each, the best first."""

    def keep() -> None:
        picked = st.session_state["bet_pick"] or []
        st.session_state["guess"] = ".".join(picked) if len(picked) == len(bet.options) else OPEN

    placed = list(bet.chosen(st.session_state["guess"])) or st.session_state.get("bet_pick") or []
    st.session_state["bet_pick"] = list(placed)
    words = ", ".join(f"**{i}** {bet.options[word]}" for i, word in enumerate(placed, start=1))
    with st.container(gap="small", width="content"):
        st.pills("Your bet: click all in finishing order, least regret first", list(bet.options), key="bet_pick",
                 selection_mode="multi", format_func=bet.options.__getitem__, on_change=keep)  # fmt: skip
        st.markdown(f"Your order: {words or 'nobody yet'}")


def _sure(bet: Bet) -> None:
    """How sure the reader is; may stay unsaid."""
    knob = bet.knobs["sure"]
    said = [o for o in knob.options if o != knob.default]

    def keep() -> None:
        st.session_state["sure"] = st.session_state["sure_pick"] or knob.default

    st.session_state["sure_pick"] = st.session_state["sure"] if st.session_state["sure"] in said else None
    st.segmented_control(knob.words, said, format_func=knob.shown, key="sure_pick", on_change=keep)
