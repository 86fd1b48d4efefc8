"""The truth of the lesson's bet, measured by the engine in the state that the bet is about."""

from __future__ import annotations

from lessons.drift import model
from lessons.record import Bet, Outcome, Values
from lessons.shared import worlds
from lessons.shared.wording import amount

SAME_SHARE = 1e-9  # relative; two sums of the same steps in another order differ by less


def truth(values: Values, bet: Bet) -> Outcome:
    """Compare V_T of a glide and of a jump between the same two rewards."""
    drifts = model.chosen(values)
    one, other = (drift.problem for drift in drifts)
    a, b = one.sup_variation, other.sup_variation
    right = "equal" if abs(a - b) <= SAME_SHARE * max(a, b) else "a" if a > b else "b"
    steps = [int((p.steps > SAME_SHARE * p.steps.max()).sum()) for p in (one, other)]
    return Outcome(
        right=(right,),
        numbers={"a": amount(a), "b": amount(b)},
        sentence=f"A changes by $V_T$ = {amount(a)} in {steps[0]} small steps, B {amount(b)} in {steps[1]} step"
        f"{'' if steps[1] == 1 else 's'}.",
        setup=f"A: {worlds.caption(drifts[0].world)}; B: {drifts[1].world.kind}, with the same first and last reward.",
    )
