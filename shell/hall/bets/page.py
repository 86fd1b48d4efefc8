"""A page while its bet is open, and once it is revealed: the stage beside the answers, and nothing else.

While the bet is open the stage is the lesson's `until`: what the browser gets ends where the bet does. The reveal plays
on from there to where the answer happens, and then shows bet and truth.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from answers.address import question
from answers.ask import CHART, STAGE, TRUTH, ask
from answers.bets import ASKED_ALT, TOLD_ALT, WAGER, half_order
from answers.state import BET
from answers.state import TRUTH as TOLD
from lessons.record import Bet
from shell.hall import speaker
from shell.hall.bets import bet as bets
from shell.hall.room import room
from shell.links import address, pending, permalink, share_drawer
from shell.notation import translate as symbols
from shell.page import sheet
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
        share_drawer.draw_question()
    speaker.button(lesson, page.lessons, None, page.lecture, asks=opens)
    pending.discard()
    address.write(lesson)


def _stage(page: LessonPage, opens: bool) -> None:
    """Draw the stage with its player: up to where the bet opens, and from there to where the answer happens."""
    lesson, bet = page.lesson, page.lesson.bet
    values = bets.values(lesson)
    until = bet.opens if opens else bet.t
    state = replace(page.state(values), view=BET if opens else TOLD)
    found = page.ask(state, STAGE)
    page.stage(next(iter(state.scene.films)), found["alt"])
    start, end = found["start"], None
    if not opens:
        first, end = state.scene.at_time(bet.opens), start
        start = first if first < end else 0
    player.player(
        page.sent(state),
        frames=found["frames"],
        start=start,
        reset=page.reset,
        question=question(state),
        plays=end,
    )
    session().t, session().timed = until, False  # the time of a bet is its own


def _ask(page: LessonPage, bet: Bet) -> None:
    """Draw the choice among the answers, above it those that are numbers as bars; in a frame of slides no bars."""
    framed = permalink.embedded()
    room.ask(page.lesson)
    if bet.places and not framed:
        _chart(page, BET, ASKED_ALT)
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
    room.wall(page.lesson, asks=True)


def _tell(page: LessonPage, bet: Bet) -> None:
    """Draw the bet beside the truth, and say how far they are apart."""
    found = page.ask(page.state(page.values), TRUTH)
    with page.finding_slot:
        st.title(symbols.to_markdown(found["sentence"]), anchor=False)
    with st.container(key="bet_truth"):
        if bet.counted(str(page.values["hands"])):
            st.html(FOR_HANDS)
        _chart(page, TOLD, TOLD_ALT)
        session().course.hall[bets.question(session().course.words, page.lesson)] = found["hall"]
        said = half_order(bet, session().course.half) or found["verdict"]
        symbols.markdown(f"{said}{found['hall']}{room.tell(page.lesson, found)}{found['rest']}")
        if not page.lecture and not permalink.embedded():
            symbols.caption(found["setup"])
    # In a course the bar goes on; this leads to the page beside the stop.
    label, kind = ("Leave the bet", "tertiary") if session().course.words else ("Back to the lesson", "primary")
    with st.container(horizontal=True, gap="small"):
        st.button(label, on_click=bets.leave, args=(page.lesson,), key="bet_leave", type=kind)
        if not page.lecture and not permalink.embedded():
            sheet.after_bet(page.lesson, str(page.values["guess"]), found["right"])
    room.wall(page.lesson, seen=False)


def _chart(page: LessonPage, view: str, alt: str) -> None:
    """Draw the answers, as tall as their place."""
    with st.container(key="bet_chart"):
        player.chart(WAGER, alt, ask(replace(page.state(page.values), view=view), CHART, WAGER))
