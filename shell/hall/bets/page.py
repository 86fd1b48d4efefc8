"""A page while its bet is open, and once it is revealed: the stage beside the answers, and nothing else.

While the bet is open the stage is the lesson's `until`: what the browser gets ends where the bet does. The reveal plays
on from there to where the answer happens, and then shows bet and truth.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from answers.address import question
from answers.bets import (
    ASKED_ALT,
    TOLD_ALT,
    WAGER,
    bars_of,
    half_order,
    measured,
    open_bet,
    placed_bet,
    verdict,
    verdict_of_hall,
)
from answers.state import BET, TRUTH
from figures.bet import PlacedBet
from lessons.record import Bet, Scene
from shell.hall import speaker
from shell.hall.bets import bet as bets
from shell.links import address, pending, permalink, share_drawer
from shell.notation import translate as symbols
from shell.page.page import LessonPage
from shell.server.scripts import asset
from shell.session import session
from shell.stage import player

FOR_HANDS = "<style>:root { --hands: 1.8rem; }</style>"  # taller by a row of the figure (assets/bet.css)


def draw(page: LessonPage) -> None:
    """Draw the page of an open or revealed bet, to the end of the run."""
    lesson, bet, opens = page.lesson, page.lesson.bet, bets.state(page.lesson) == bets.COVERED
    pending.restore()
    page = page.refreshed()
    sheets = ("bet.css", "bet_hall.css") if page.lecture else ("bet.css",)
    st.html(f"<style>{''.join(map(asset, sheets))}</style>")
    with page.body(), st.container(key="bet_panel" if opens else "bet_shown"):
        left, right = st.columns([1.5, 1], gap="large")
        with left:
            _stage(page, opens)
        with right:
            if opens and not permalink.embedded():
                symbols.caption(lesson.title)
            (_ask if opens else _tell)(page, bet)
    if not permalink.hidden("drawers"):
        share_drawer.draw_question(lesson)
    speaker.button(lesson, page.lessons, None, page.lecture, asks=opens)
    pending.discard()
    address.write(lesson)


def _stage(page: LessonPage, opens: bool) -> None:
    """Draw the stage with its player: up to where the bet opens, and from there to where the answer happens."""
    lesson, bet = page.lesson, page.lesson.bet
    values = bets.values(lesson)
    until = bet.opens if opens else bet.t
    state = replace(page.state(values), view=BET if opens else TRUTH, charts=())
    scene: Scene = page.or_stop(lambda: state.scene)
    key, picture = next(iter(scene.films.items()))
    page.stage(key, picture)
    start, end = state.frame, None
    if not opens:
        first = scene.at_time(bet.opens)
        start, end = (first if first < state.frame else 0), state.frame
    player.player(
        page.sent(state),
        frames=scene.frames,
        start=start,
        reset=page.reset,
        question=question(state),
        plays=end,
    )
    session().t, session().timed = until, False  # the time of a bet is its own


def _ask(page: LessonPage, bet: Bet) -> None:
    """Draw the choice among the answers, above it those that are numbers as bars; in a frame of slides no bars."""
    framed = permalink.embedded()
    if bet.places and not framed:
        _chart(page, open_bet(bet), ASKED_ALT)
    (bets.draw_order if bet.ranks else bets.draw_choice)(bet)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if not page.lecture and not framed:
            bets.draw_confidence(bet)
        st.button(
            "Show what happened",
            on_click=bets.reveal,
            args=(page.lesson,),
            key="bet_reveal",
            type="primary",
            icon=":material/visibility:",
        )
        if not framed:
            st.button("Leave the bet", on_click=bets.leave, args=(page.lesson,), key="bet_leave", type="tertiary")


def _tell(page: LessonPage, bet: Bet) -> None:
    """Draw the bet beside the truth, and say how far they are apart."""
    guess, sure = str(st.session_state["guess"]), str(st.session_state["sure"])
    hands = bet.counted(str(st.session_state["hands"]))
    outcome = page.or_stop(lambda: measured(page.state(page.values)))
    with page.finding_slot:
        st.title(symbols.to_markdown(outcome.sentence), anchor=False)
    with st.container(key="bet_truth"):
        if hands:
            st.html(FOR_HANDS)
        _chart(page, placed_bet(bet, outcome, guess, hands), TOLD_ALT)
        hall = verdict_of_hall(bet, outcome, hands)
        session().course.hall[bets.question(session().course.words, page.lesson)] = hall
        said = half_order(bet, session().course.half) or verdict(bet, outcome, guess, sure)
        symbols.markdown(f"{said}{hall}{outcome.more} {bet.why}")
        if not page.lecture and not permalink.embedded():
            symbols.caption(outcome.setup)
    # In a course the bar goes on; this leads to the page beside the stop.
    label, kind = ("Leave the bet", "tertiary") if session().course.words else ("Back to the lesson", "primary")
    st.button(label, on_click=bets.leave, args=(page.lesson,), key="bet_leave", type=kind)


def _chart(page: LessonPage, placed: PlacedBet, alt: str) -> None:
    """Draw the answers, as tall as their place."""
    with st.container(key="bet_chart"):
        player.chart(WAGER, alt, bars_of(page.state(page.values), placed))
