"""A bet that is revealed: the strip that shows it beside the truth, and the sentence that explains the gap."""

from __future__ import annotations

import math
from dataclasses import dataclass

import streamlit as st

from figures.theme import Theme
from lessons.record import Bet, Outcome
from lessons.shared.cache import kept
from shell import page as lesson
from shell.bets import bet as bets
from shell.page import Visit

ALT = "The answers of the bet, with the measured truth as a filled circle and your bet as a dotted diamond"
SURE = {"low": ", with little confidence", "high": ", and were sure of it"}


@dataclass(frozen=True)
class Placed:
    """A revealed bet as plain values, for figures.wager."""

    names: tuple[str, ...]
    keys: tuple[str, ...]
    numbers: tuple[str, ...]
    right: int | None
    mine: int | None
    order: tuple[int, ...]
    at: tuple[float, ...]
    value: float | None
    said: str
    title: str


def placed(bet: Bet, told: Outcome, guess: str) -> Placed:
    """The answers in order, with what was measured and what was bet on."""
    chosen = bet.chosen(guess)
    words = list(told.right if bet.ranks else bet.options)
    scale = math.log10 if bet.log else float
    return Placed(
        names=tuple(bet.options[w] for w in words),
        keys=tuple(bet.options[w] for w in words) if bet.ranks else (),
        numbers=tuple(told.numbers.get(w, "") for w in words),
        right=words.index(told.right[0]) if told.right and not bet.places and not bet.ranks else None,
        mine=words.index(chosen[0]) if chosen and not bet.ranks else None,
        order=tuple(words.index(w) for w in chosen) if bet.ranks else (),
        at=tuple(scale(p) for p in bet.places),
        value=None if told.value is None else scale(told.value),
        said=told.said,
        title=bet.axis,
    )


def verdict(bet: Bet, told: Outcome, guess: str, sure: str) -> str:
    """How the bet and the truth compare, in one kind sentence; empty without a bet."""
    chosen = bet.chosen(guess)
    if not chosen:
        return ""
    if bet.ranks:
        hits = sum(a == b for a, b in zip(chosen, told.right, strict=True))
        said = "all four places" if hits == len(chosen) else f"{hits} of {len(chosen)} places"
        return f"Your order has {said} as measured. "
    mine, true = bet.options[chosen[0]], " or ".join(bet.options[w] for w in told.right)
    if chosen[0] in told.right:
        return f"You bet on “{mine}”{SURE.get(sure, '')}: so it is. "
    return f"You bet on “{mine}”{SURE.get(sure, '')}; it is “{true}”. "


def show_bet(visit: Visit) -> None:
    """The revealed bet under the row of moments, beside the truth; nothing while there is none."""
    bet, number = visit.lesson.bet, visit.lesson.number
    if bets.state(visit.lesson) != bets.REVEALED:
        return
    guess, sure = str(st.session_state["guess"]), str(st.session_state["sure"])
    values = {key: bet.values.get(key, knob.default) for key, knob in visit.lesson.knobs.items()}
    told = visit.door(lambda: kept(("truth", number), lambda: visit.lesson.truth(values, bet)))
    strip = kept(
        ("wager", number, guess, visit.dark, visit.lecture),
        lambda: strip(placed(bet, told, guess), Theme(visit.dark, visit.lecture)),
    )
    with st.container(key="bet_shown", border=True):
        left, right = st.columns([3, 2], vertical_alignment="center", gap="medium")
        with left:
            lesson.chart(strip.figure, "wager", ALT)
        with right:
            lesson.say(f"{verdict(bet, told, guess, sure)}{told.sentence} {bet.why}")
            lesson.caption(told.setup)
