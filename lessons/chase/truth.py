"""The truth of the lesson's bet."""

from __future__ import annotations

from lessons.chase import model, words
from lessons.chase.model import ROUNDS
from lessons.record import Bet, Outcome, Values
from lessons.shared.wording import amount

CLOSE = 1.25  # totals whose ratio is smaller are about the same


def truth(values: Values, bet: Bet) -> Outcome:
    """Return who has paid less after the last round."""
    film = model.chase(model.setting(values))
    forgets, keeps = (float(one.paid[-1]) for one in film.learners)
    less, more = sorted((forgets, keeps))
    right = "same" if more < CLOSE * less else "forget" if forgets < keeps else "keep"
    early = [amount(float(one.paid[bet.opens // len(model.STEPS)])) for one in film.learners]
    return Outcome(
        right=(right,),
        numbers={"forget": amount(forgets), "keep": amount(keeps)},
        sentence=f"Paid after {ROUNDS} rounds: {words.called(film.learners[0])} {amount(forgets)}, "
        f"{words.called(film.learners[1])} {amount(keeps)} (at the bet: {early[0]} and {early[1]}).",
        setup=words.caption(film),
    )
