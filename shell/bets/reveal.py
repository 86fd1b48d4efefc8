"""The reveal of a bet: a strip with the answer and the truth, and a sentence that compares them."""

from __future__ import annotations

import math

import streamlit as st

from common.cache import kept
from figures.bet import PlacedBet, strip
from figures.theme import Theme
from lessons.record import REVEALED, Bet, Outcome
from shell.bets.bet import state, style
from shell.notation import translate as symbols
from shell.visit import Visit, chart

ALT = "The answers of the bet, with the measured truth as a filled circle and your bet as a dotted diamond"
SURE = {"low": ", with little confidence", "high": ", and were sure of it"}


def placed_bet(bet: Bet, outcome: Outcome, guess: str) -> PlacedBet:
    """Return the answers in order, with their measurements and the answer that was bet on.

    Args:
        guess: value of the bet's knob.
    """
    chosen = bet.chosen(guess)
    words = list(outcome.right if bet.ranks else bet.options)
    scale = math.log10 if bet.log else float
    return PlacedBet(
        names=tuple(bet.options[w] for w in words),
        keys=tuple(bet.options[w] for w in words) if bet.ranks else (),
        numbers=tuple(outcome.numbers.get(w, "") for w in words),
        right=words.index(outcome.right[0]) if outcome.right and not bet.places and not bet.ranks else None,
        mine=words.index(chosen[0]) if chosen and not bet.ranks else None,
        order=tuple(words.index(w) for w in chosen) if bet.ranks else (),
        at=tuple(scale(p) for p in bet.places),
        value=None if outcome.value is None else scale(outcome.value),
        said=outcome.said,
        title=bet.axis,
    )


def verdict(bet: Bet, outcome: Outcome, guess: str, sure: str) -> str:
    """Return a sentence that compares the bet with the truth, empty without a bet."""
    chosen = bet.chosen(guess)
    if not chosen:
        return ""
    if bet.ranks:
        hits = sum(a == b for a, b in zip(chosen, outcome.right, strict=True))
        said = "all four places" if hits == len(chosen) else f"{hits} of {len(chosen)} places"
        return f"Your order has {said} as measured. "
    mine, true = bet.options[chosen[0]], " or ".join(bet.options[w] for w in outcome.right)
    if chosen[0] in outcome.right:
        return f"You bet on “{mine}”{SURE.get(sure, '')}: so it is. "
    return f"You bet on “{mine}”{SURE.get(sure, '')}; it is “{true}”. "


def show_bet(visit: Visit) -> None:
    """Draw the revealed bet beside the truth, under the row of moments."""
    bet, key = visit.lesson.bet, visit.lesson.key
    if state(visit.lesson) != REVEALED:
        return
    guess, sure = str(st.session_state["guess"]), str(st.session_state["sure"])
    values = {key: bet.values.get(key, knob.default) for key, knob in visit.lesson.knobs.items()}
    outcome = visit.or_stop(lambda: kept(("truth", key), lambda: visit.lesson.truth(values, bet)))
    film = kept(
        ("bet", key, guess, visit.dark, visit.lecture),
        lambda: strip(placed_bet(bet, outcome, guess), Theme(visit.dark, visit.lecture)),
    )
    with st.container(key="bet_shown", border=True):
        style("bet_shown.css", more=".st-key-finding_spot { display: none; }" if visit.lecture else "")
        left, right = st.columns(2, vertical_alignment="center", gap="medium")
        with left:
            chart(film.figure, "wager", ALT)
        with right:
            symbols.markdown(f"{verdict(bet, outcome, guess, sure)}{outcome.sentence} {bet.why}")
            symbols.caption(outcome.setup)
