"""A page while its bet is open, and once it is revealed: the stage beside the answers, and nothing else.

While the bet is open the stage is the lesson's `until`: what the browser gets ends where the bet does. The reveal plays
on from there to where the answer happens, and then shows bet and truth.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import streamlit as st

from common.cache import kept
from figures.bet import PlacedBet, bars, difference
from figures.theme import Theme
from lessons.record import Bet, BetOutcome, Scene
from shell.export import recorder
from shell.hall import speaker
from shell.hall.bets import bet as bets
from shell.links import address, pending, permalink
from shell.notation import translate as symbols
from shell.page.visit import Visit
from shell.session import session
from shell.stage import films, player
from shell.stage.film_message import still

ASSETS = Path(__file__).resolve().parents[3] / "assets"
ASKED_ALT = "The answers of the bet as dashed bars, each with its number"
TOLD_ALT = "What was bet and what is measured, as bars on one scale"
FOR_HANDS = "<style>:root { --hands: 1.8rem; }</style>"  # taller by a row of the figure (assets/bet.css)
SURE = {"low": ", with little confidence", "high": ", and were sure of it"}


def draw(visit: Visit) -> None:
    """Draw the page of an open or revealed bet, to the end of the run."""
    lesson, bet, opens = visit.lesson, visit.lesson.bet, bets.state(visit.lesson) == bets.COVERED
    pending.restore()
    visit = visit.now()
    sheets = ("bet.css", "bet_hall.css") if visit.lecture else ("bet.css",)
    st.html(f"<style>{''.join((ASSETS / name).read_text(encoding='utf-8') for name in sheets)}</style>")
    with visit.body(), st.container(key="bet_panel" if opens else "bet_shown"):
        left, right = st.columns([1.25, 1], gap="large")
        with left:
            _stage(visit, opens)
        with right:
            (_ask if opens else _tell)(visit, bet)
    speaker.button(lesson, visit.lessons, None, visit.lecture, asks=opens)
    pending.discard()
    recorder.clear()  # a bet has no exports
    address.write(lesson)


def _stage(visit: Visit, opens: bool) -> None:
    """Draw the stage with its player: up to where the bet opens, and from there to where the answer happens."""
    lesson, bet, theme = visit.lesson, visit.lesson.bet, Theme(visit.dark, visit.lecture)
    values, paper = bets.values(lesson), symbols.paper()
    until = bet.opens if opens else bet.t
    scene: Scene = visit.or_stop(lambda: lesson.question_scene(values, until, theme))
    key, picture = next(iter(scene.films.items()))
    scene = replace(scene, films={key: replace(picture, own_height=False)})
    visit.stage(key, scene.films[key])
    start, end = scene.start, None
    if not opens:
        first = scene.at_time(bet.opens)
        start, end = (first if first < scene.start else 0), scene.start
    player.player(
        visit.sent(scene, values),
        frames=scene.frames,
        start=start,
        reset=visit.reset,
        question=films.question(lesson, values, dark=visit.dark, lecture=visit.lecture, paper=paper, until=until),
        plays=end,
    )
    session().t, session().timed = until, False  # the time of a bet is its own


def _ask(visit: Visit, bet: Bet) -> None:
    """Draw the answers as dashed bars, and the choice among them; in a frame of somebody's slides the choice alone."""
    framed = permalink.embedded()
    if not framed:
        _chart(visit, asked_bet(bet), ASKED_ALT)
    if bet.about and not visit.lecture and not framed:
        symbols.caption(" · ".join(f"**{bet.options[word]}** {line}" for word, line in bet.about.items()))
    (bets.draw_order if bet.ranks else bets.draw_choice)(bet)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if not visit.lecture and not framed:
            bets.draw_confidence(bet)
        st.button(
            "Show what happened",
            on_click=bets.reveal,
            args=(visit.lesson,),
            key="bet_reveal",
            type="primary",
            icon=":material/visibility:",
        )
        if not framed:
            st.button("Leave the bet", on_click=bets.leave, args=(visit.lesson,), key="bet_leave", type="tertiary")


def _tell(visit: Visit, bet: Bet) -> None:
    """Draw the bet beside the truth, and say how far they are apart."""
    guess, sure = str(st.session_state["guess"]), str(st.session_state["sure"])
    hands = bet.counted(str(st.session_state["hands"]))
    outcome = measured(visit)
    with visit.finding_slot:
        st.title(symbols.to_markdown(outcome.sentence), anchor=False)
    with st.container(key="bet_truth"):
        if hands:
            st.html(FOR_HANDS)
        _chart(visit, placed_bet(bet, outcome, guess, hands), TOLD_ALT)
        hall = verdict_of_hall(bet, outcome, hands)
        session().hall[bets.question(session().course, visit.lesson)] = hall
        symbols.markdown(f"{verdict(bet, outcome, guess, sure)}{hall}{outcome.more} {bet.why}")
        if not visit.lecture and not permalink.embedded():
            symbols.caption(outcome.setup)
    # In a course the bar goes on; this leads to the page beside the stop.
    label, kind = ("Leave the bet", "tertiary") if session().course else ("Back to the lesson", "primary")
    st.button(label, on_click=bets.leave, args=(visit.lesson,), key="bet_leave", type=kind)


def measured(visit: Visit) -> BetOutcome:
    """Return the answer, measured in the state that the bet is about."""
    lesson = visit.lesson
    values = {key: lesson.bet.values.get(key, knob.default) for key, knob in lesson.knobs.items()}
    return visit.or_stop(lambda: kept(("truth", lesson.key), lambda: lesson.truth(values, lesson.bet)))


def asked_bet(bet: Bet) -> PlacedBet:
    """Return the answers of a bet, with nothing of the truth."""
    return PlacedBet(tuple(bet.options.values()), bet.axis, bet.places)


def placed_bet(bet: Bet, outcome: BetOutcome, guess: str, hands: tuple[int, ...] = ()) -> PlacedBet:
    """Return a bet beside the truth.

    Args:
        guess: value of the bet's knob.   hands: of the hall for each answer, where they were counted.
    """
    words = list(bet.options)
    return PlacedBet(
        names=tuple(bet.options.values()),
        axis=bet.axis,
        at=bet.places,
        ranges=bet.ranges,
        sizes=tuple(outcome.sizes.get(word) for word in words) if outcome.sizes else (),
        numbers=tuple(outcome.numbers.get(word, "").split(" ±")[0] for word in words),
        right=tuple(words.index(word) for word in outcome.right),
        mine=tuple(words.index(word) for word in bet.chosen(guess)),
        value=outcome.value,
        said=outcome.said,
        hands=hands,
        roles=tuple(bet.roles.get(word, "") for word in words),
    )


def verdict(bet: Bet, outcome: BetOutcome, guess: str, sure: str) -> str:
    """Return a sentence that compares the bet with the truth, and how far they are apart; empty without a bet."""
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
    return f"You bet on “{mine}”{SURE.get(sure, '')}; it is “{true}”{_apart(outcome, chosen[0])}. "


def verdict_of_hall(bet: Bet, outcome: BetOutcome, hands: tuple[int, ...]) -> str:
    """Return how many of the hall's hands were right, in a sentence; empty where none was counted.

    In an order a hand is for the first place.
    """
    if not hands:
        return ""
    rights = outcome.right[:1] if bet.ranks else outcome.right
    right = sum(count for word, count in zip(bet.options, hands, strict=True) if word in rights)
    return f"{right} of {sum(hands)} hands had {'the first place' if bet.ranks else 'it'} right. "


def _apart(outcome: BetOutcome, chosen: str) -> str:
    """Return by how much the true answer has more or less than the one that was bet on, where both were measured."""
    sizes, right = outcome.sizes, outcome.right[0]
    return f": {difference(sizes[chosen], sizes[right])}" if chosen in sizes and right in sizes else ""


def _chart(visit: Visit, placed: PlacedBet, alt: str) -> None:
    """Draw the answers, as tall as their place."""
    figure = kept(("bet", placed, visit.dark, visit.lecture), lambda: bars(placed, Theme(visit.dark, visit.lecture)))
    shown = symbols.figure(figure.figure)
    with st.container(key="bet_chart"):
        player.chart("wager", alt, still("wager", shown))
