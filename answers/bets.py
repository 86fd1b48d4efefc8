"""Figures and sentences of a bet: its answers while it is open, and bet and truth beside each other."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from answers.film import still
from answers.letters import in_letters
from answers.state import State
from common.cache import kept
from figures.bet import PlacedBet, bars, difference
from lessons.record import CLOSED, Bet, BetOutcome

ASKED_ALT = "The numbers of the bet's answers as dashed bars"
TOLD_ALT = "What was bet and what is measured, as bars on one scale"
WAGER = "wager"  # key of the chart with the bars of a bet
SURE = {"low": ", with little confidence", "high": ", and were sure of it"}


def asked(state: State) -> dict[str, Any]:
    """Return the question of a lesson's bet, and nothing of the truth.

    Returns:
        "question"; "options": word in a link -> answer; "about": word -> what this answer is; "ranks": whether an
        answer is an order of all options; "opens", "told": times at which it opens and is told; "alts": of its bars,
        while it is open and once it is told; "bars": whether it has any while it is open; "axis": of the bars, in
        words.
    """
    bet = bet_of(state)
    return {
        "question": state.text(bet.question),
        "options": {word: state.text(text) for word, text in bet.options.items()},
        "about": {word: state.text(text) for word, text in bet.about.items()},
        "ranks": bet.ranks,
        "opens": bet.opens,
        "told": bet.t,
        "alts": [ASKED_ALT, TOLD_ALT],
        "bars": bool(bet.places),
        "axis": bet.axis,
    }


def bet_of(state: State) -> Bet:
    """Return the bet of a state's lesson, which has one."""
    assert state.lesson.bet is not None
    return state.lesson.bet


def measured(state: State) -> BetOutcome:
    """Return the answer of a lesson's bet, measured in the state that the bet is about."""
    lesson, bet = state.lesson, bet_of(state)
    assert bet.truth is not None
    truth = bet.truth
    return kept(("truth", lesson.key), lambda: truth(lesson.settings(bet.values), bet))


def truth(state: State) -> dict[str, Any]:
    """Return what is shown once a bet is revealed.

    Returns:
        "right": words of the true answer, or answers; "sentence": the headline; "truth": all that was measured, and
        why; "rest": the same without the headline; "setup"; "verdicts": guess -> a sentence that compares it;
        "verdict": the same of the state's own, with its confidence; "hall": how many of the hall's votes were right.
    """
    bet, told, mine = bet_of(state), measured(state), {key: str(state.values[key]) for key in ("guess", "sure")}
    return {
        "right": list(told.right),
        "sentence": state.text(told.sentence),
        "truth": state.text(f"{told.whole} {bet.why}"),
        "rest": state.text(f"{told.more} {bet.why}"),
        "setup": state.text(told.setup),
        "verdicts": {guess: state.text(verdict(bet, told, guess, "")) for guess in guesses(bet)},
        "verdict": state.text(verdict(bet, told, mine["guess"], mine["sure"])),
        "hall": verdict_of_hall(bet, told, bet.counted(str(state.values["hands"]))),
    }


def guesses(bet: Bet) -> list[str]:
    """Return every answer to a bet, as a link writes it."""
    return [".".join(order) for order in permutations(bet.options)] if bet.ranks else list(bet.options)


def placed(state: State, guess: str) -> PlacedBet:
    """Return an answer beside the truth; "" is none."""
    bet = bet_of(state)
    return placed_bet(bet, measured(state), guess or CLOSED, bet.counted(str(state.values["hands"])))


def bars_of(state: State, placed: PlacedBet) -> bytes:
    """Return the bars of a bet as a still film."""
    figure = kept(("bet", placed, state.theme), lambda: bars(placed, state.theme).figure)
    return still(WAGER, in_letters(figure, state.paper))


def open_bet(bet: Bet) -> PlacedBet:
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
        mine=tuple(words.index(word) for word in bet.options_of(guess)),
        value=outcome.value,
        amount=outcome.amount,
        votes=hands,
        roles=tuple(bet.roles.get(word, "") for word in words),
    )


def verdict(bet: Bet, outcome: BetOutcome, guess: str, sure: str) -> str:
    """Return a sentence that compares the bet with the truth, and how far they are apart; empty without a bet."""
    picks = bet.options_of(guess)
    if not picks:
        return ""
    if bet.ranks:
        hits = sum(a == b for a, b in zip(picks, outcome.right, strict=True))
        share = "all four places" if hits == len(picks) else f"{hits} of {len(picks)} places"
        return f"Your order has {share} as measured. "
    mine, true = bet.options[picks[0]], " or ".join(bet.options[w] for w in outcome.right)
    if picks[0] in outcome.right:
        return f"You bet on “{mine}”{SURE.get(sure, '')}: correct. "
    return f"You bet on “{mine}”{SURE.get(sure, '')}; it is “{true}”{_apart(outcome, picks[0])}. "


def half_order(bet: Bet, places: int) -> str:
    """Return why an order that was not finished is not compared; empty for none."""
    if not places:
        return ""
    return f"Your order had {places} of {len(bet.options)} places, so it is not compared: click all before the reveal. "


def verdict_of_hall(bet: Bet, outcome: BetOutcome, hands: tuple[int, ...]) -> str:
    """Return how many of the hall's hands were right, in a sentence; empty where none was counted.

    In an order a hand is for the first place.
    """
    if not hands:
        return ""
    rights = outcome.right[:1] if bet.ranks else outcome.right
    right = sum(count for word, count in zip(bet.options, hands, strict=True) if word in rights)
    return f"{right} of {sum(hands)} votes had {'the first place' if bet.ranks else 'it'} right. "


def _apart(outcome: BetOutcome, guess: str) -> str:
    """Return by how much the true answer has more or less than the one that was bet on, where both were measured."""
    sizes, right = outcome.sizes, outcome.right[0]
    return f": {difference(sizes[guess], sizes[right])}" if guess in sizes and right in sizes else ""
