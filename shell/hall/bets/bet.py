"""The bet of a page: whether it is open, how it is opened, revealed and ended, and how an answer is chosen.

The truth is measured at the reveal (shell/hall/bets/page.py) by the lesson's `truth`; a bet does not hold it.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from common.formats import plural
from lessons.record import BET_KNOBS, CLOSED, OPEN, Bet, Lesson
from shell.hall.room import room
from shell.links.pending import prepare
from shell.session import session

COVERED, REVEALED = "covered", "revealed"  # states of an open bet
HALL = "course"  # key of the component that counts the hands of a hall (shell/hall/course/bar.py)


def state(lesson: Lesson) -> str:
    """Return `CLOSED`, `COVERED` or `REVEALED`."""
    if lesson.bet is None or st.session_state.get("guess", CLOSED) == CLOSED:
        return CLOSED
    return REVEALED if st.session_state["reveal"] else COVERED


def question(course: Mapping[str, str], lesson: Lesson) -> str:
    """Return the name of a question of a course, for which hands are counted.

    Args:
        course: words of the address that say which course and which stop this is.
    """
    return " ".join([*course.values(), lesson.key])


def button(lesson: Lesson) -> None:
    """Draw the button that opens the page's bet."""
    if lesson.bet is None:
        return
    st.button(
        "Bet first",
        on_click=_open,
        args=(lesson,),
        key="bet_open",
        icon=":material/psychology_alt:",
        help="Predict first, then see what happens (key D).",
    )


def keep(lesson: Lesson) -> None:
    """Keep the bet in the session, where no widget holds it."""
    if lesson.bet is not None:
        for key, knob in lesson.bet.knobs.items():
            st.session_state.setdefault(key, knob.default)


def values(lesson: Lesson) -> dict[str, object]:
    """Return the page's knobs as the bet has them now: while it is open, or where it is revealed."""
    return lesson.settings(lesson.bet.values if state(lesson) == REVEALED else lesson.bet.opens_with)


def reveal(lesson: Lesson) -> None:
    """Show what happened: another scene, which begins where the bet was opened."""
    picked, whole = st.session_state.get("bet_pick"), st.session_state["guess"] != OPEN
    session().course.half = len(picked) if lesson.bet.ranks and picked and not whole else 0
    hands, knob = st.session_state.get(HALL, {}).get("hands", ""), lesson.bet.knobs["hands"]
    if any(counts := room.shut(lesson)):  # those who answered on phones are counted, and no hands
        hands = ".".join(map(str, counts))
    st.session_state.update(reveal=True, hands=hands if knob.has(hands) else knob.default)
    _go(lesson, {key: st.session_state[key] for key in BET_KNOBS})


def leave(lesson: Lesson) -> None:
    """End the bet: the page goes on in the state that it was about."""
    st.session_state["reveal"] = True
    _go(lesson, {key: knob.default for key, knob in lesson.bet.knobs.items()})


def draw_choice(bet: Bet) -> None:
    """Draw the choice of one answer; its key is its number."""

    def keep() -> None:
        st.session_state["guess"] = st.session_state["bet_pick"] or OPEN

    st.session_state["bet_pick"] = next(iter(bet.options_of(st.session_state["guess"])), None)
    st.segmented_control(
        "Your bet",
        list(bet.options),
        format_func=_numbered(bet).__getitem__,
        key="bet_pick",
        on_change=keep,
        label_visibility="collapsed",
    )


def draw_order(bet: Bet) -> None:
    """Draw the choice of an order: one click an answer, the best first."""

    def keep() -> None:
        picked = st.session_state["bet_pick"] or []
        st.session_state["guess"] = ".".join(picked) if len(picked) == len(bet.options) else OPEN

    placed = list(bet.options_of(st.session_state["guess"])) or st.session_state.get("bet_pick") or []
    st.session_state["bet_pick"] = list(placed)
    left = len(bet.options) - len(placed)
    words = ", ".join(f"**{i}** {bet.options[word]}" for i, word in enumerate(placed, start=1))
    st.pills(
        "Your bet: click all four in finishing order, least regret first",
        list(bet.options),
        key="bet_pick",
        selection_mode="multi",
        format_func=_numbered(bet).__getitem__,
        on_change=keep,
        label_visibility="collapsed",
    )
    missing = f" {plural(left, 'place')} to go." if left else ""
    st.markdown(f"Your order: {words}.{missing}" if words else "Click all four in their order, least regret first.")


def draw_confidence(bet: Bet) -> None:
    """Draw the optional choice of the reader's confidence."""
    knob = bet.knobs["sure"]
    levels = [o for o in knob.options if o != knob.default]

    def keep() -> None:
        st.session_state["sure"] = st.session_state["sure_pick"] or knob.default

    st.session_state["sure_pick"] = st.session_state["sure"] if st.session_state["sure"] in levels else None
    st.segmented_control(knob.words, levels, format_func=knob.screen_text, key="sure_pick", on_change=keep)


def _numbered(bet: Bet) -> dict[str, str]:
    """Return each answer with the key that chooses it, and what it is."""
    about = {word: f": {bet.about[word]}" if word in bet.about else "" for word in bet.options}
    return {word: f"**{i} · {answer}**{about[word]}" for i, (word, answer) in enumerate(bet.options.items(), start=1)}


def _open(lesson: Lesson) -> None:
    bet = lesson.bet
    session().course.half = 0
    prepare(lesson.settings(bet.opens_with) | {"guess": OPEN}, bet.opens)
    st.session_state["bet_pick"] = None


def _go(lesson: Lesson, guess: dict[str, object]) -> None:
    """Stand where the truth is shown."""
    prepare(values(lesson) | guess, lesson.bet.t)
