"""The question of a bet, the reader's answer, and the cover over the page until the bet is revealed.

The truth is measured at the reveal (shell/bets/reveal.py) by the lesson's `truth`; a bet does not hold it.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from figures.theme import Theme
from lessons.record import CLOSED, COVERED, OPEN, REVEALED, Bet, Lesson
from shell.links import permalink
from shell.links.pending import prepare, settle
from shell.notation import translate as symbols
from shell.session import session

SIDES = ("left", "top", "width", "height")
ASSETS = Path(__file__).resolve().parents[2] / "assets"


def state(lesson: Lesson) -> str:
    """Return `CLOSED`, `COVERED` or `REVEALED`."""
    if lesson.bet is None or st.session_state.get("guess", CLOSED) == CLOSED:
        return CLOSED
    return REVEALED if st.session_state["reveal"] else COVERED


def button(lesson: Lesson) -> None:
    """Draw the button that opens the page in the bet's state, and after the reveal the one that ends the bet."""
    if lesson.bet is None or state(lesson) == COVERED:
        return
    st.button(
        "Bet first",
        on_click=_open,
        args=(lesson,),
        key="bet_open",
        icon=":material/psychology_alt:",
        help="Covers the answer until you have placed your bet (key D).",
    )
    if state(lesson) == REVEALED:
        st.button(
            "Close the bet", on_click=leave, args=(lesson,), key="bet_leave", type="tertiary", icon=":material/close:"
        )


def cover(lesson: Lesson) -> None:
    """Draw the cover over the page with the question on it, before the reveal."""
    if lesson.bet is None:
        return
    _sync(lesson)
    if state(lesson) != COVERED:
        return
    session().t = min(session().t, lesson.bet.opens)
    style("bet.css", more=_curtains(lesson.bet))
    with st.container(key="bet_panel", border=True):
        symbols.markdown(f"#### {lesson.bet.question}")
        if lesson.bet.about:
            symbols.caption(" · ".join(f"**{lesson.bet.options[w]}** {line}" for w, line in lesson.bet.about.items()))
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            (_draw_order if lesson.bet.ranks else _draw_choice)(lesson.bet)
            _draw_confidence(lesson.bet)
            st.button("Reveal", on_click=_reveal, args=(lesson,), key="bet_reveal", icon=":material/visibility:")
            st.button("Show it without a bet", on_click=leave, args=(lesson,), key="bet_leave", type="tertiary")


def style(*names: str, more: str = "") -> None:
    """Draw style sheets of `assets`, and more rules."""
    st.html(f"<style>{''.join((ASSETS / name).read_text(encoding='utf-8') for name in names)}{more}</style>")


def _curtains(bet: Bet) -> str:
    """Return the style of what hides a part of the stage: at most two boxes, each a pseudo-element of its chart."""
    paper, stage = Theme(permalink.dark()).paper, ":is(.st-key-stage_desk, .st-key-stage_hall)"
    whole = (0.0, 0.0, 1.0, 1.0) in bet.hides
    rules = [] if whole else [f"{stage} * {{ visibility: visible !important; }}"]
    for which, box in zip(("before", "after"), bet.hides, strict=False):
        place = "; ".join(f"{side}: {100 * share:g}%" for side, share in zip(SIDES, box, strict=True))
        rules.append(f"{stage} > *::{which} {{ content: '?'; {place}; background-color: {paper}; }}")
    return "".join(rules)


def leave(lesson: Lesson) -> None:
    """End the bet: set its knobs back."""
    for key, knob in lesson.bet.knobs.items():
        st.session_state[key] = knob.default
    _set_own_knob(lesson)


def _sync(lesson: Lesson) -> None:
    """Keep the bet, and set the page's own knob to a revealed bet that a link holds."""
    for key, knob in lesson.bet.knobs.items():
        st.session_state.setdefault(key, knob.default)
    if state(lesson) == REVEALED:
        _set_own_knob(lesson)


def _open(lesson: Lesson) -> None:
    bet = lesson.bet
    values = {key: bet.opens_with.get(key, knob.default) for key, knob in lesson.knobs.items()}
    prepare(values | {"guess": OPEN}, bet.opens)
    st.session_state.update(bet_pick=None, moment=None)


def _reveal(lesson: Lesson) -> None:
    bet = lesson.bet
    st.session_state["reveal"] = True
    if bet.before is not None or bet.values_before:
        prepare({key: bet.values.get(key, lesson.knobs[key].default) for key in bet.values_before}, bet.t)
    _set_own_knob(lesson)


def _set_own_knob(lesson: Lesson) -> None:
    """Set the page's own knob to the answer that was bet on, so that the main figure draws it."""
    if lesson.bet.own is None:
        return
    knob, chosen = lesson.knobs[lesson.bet.own], lesson.bet.chosen(st.session_state["guess"])
    shown = chosen and st.session_state["reveal"]
    st.session_state[knob.key] = knob.read(chosen[0]) if shown else knob.default
    settle(knob.key)


def _draw_choice(bet: Bet) -> None:
    """Draw the choice of one answer."""

    def keep() -> None:
        st.session_state["guess"] = st.session_state["bet_pick"] or OPEN

    st.session_state["bet_pick"] = next(iter(bet.chosen(st.session_state["guess"])), None)
    st.segmented_control(
        "Your bet", list(bet.options), format_func=bet.options.__getitem__, key="bet_pick", on_change=keep
    )


def _draw_order(bet: Bet) -> None:
    """Draw the choice of an order: one click an answer, the best first."""

    def keep() -> None:
        picked = st.session_state["bet_pick"] or []
        st.session_state["guess"] = ".".join(picked) if len(picked) == len(bet.options) else OPEN

    placed = list(bet.chosen(st.session_state["guess"])) or st.session_state.get("bet_pick") or []
    st.session_state["bet_pick"] = list(placed)
    words = ", ".join(f"**{i}** {bet.options[word]}" for i, word in enumerate(placed, start=1))
    with st.container(gap="small", width="content"):
        st.pills(
            "Your bet: click all four in finishing order, least regret first",
            list(bet.options),
            key="bet_pick",
            selection_mode="multi",
            format_func=bet.options.__getitem__,
            on_change=keep,
        )
        st.markdown(f"Your order: {words or 'none placed yet'}")


def _draw_confidence(bet: Bet) -> None:
    """Draw the optional choice of the reader's confidence."""
    knob = bet.knobs["sure"]
    levels = [o for o in knob.options if o != knob.default]

    def keep() -> None:
        st.session_state["sure"] = st.session_state["sure_pick"] or knob.default

    st.session_state["sure_pick"] = st.session_state["sure"] if st.session_state["sure"] in levels else None
    st.segmented_control(knob.words, levels, format_func=knob.shown, key="sure_pick", on_change=keep)
