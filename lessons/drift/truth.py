"""The truth of the lesson's bet, measured by the engine in the state that the bet is about."""

from __future__ import annotations

from lessons.drift import model as drift_model
from lessons.drift.knobs import DRIFT_WORLD
from lessons.record import Bet, Outcome, Values
from lessons.shared import worlds as world
from lessons.shared.wording import amount

SAME = 1e-9  # relative; two sums of the same steps in another order differ by less


def truth(values: Values, bet: Bet) -> Outcome:
    """V_T of a glide and of a jump between the same two rewards."""
    worlds = world.pair(values, DRIFT_WORLD)
    one, other = (drift_model.drift_show(w).problem for w in worlds)
    a, b = one.sup_variation, other.sup_variation
    right = "equal" if abs(a - b) <= SAME * max(a, b) else "a" if a > b else "b"
    steps = [int((p.steps > SAME * p.steps.max()).sum()) for p in (one, other)]
    return Outcome(
        right=(right,),
        numbers={"a": amount(a), "b": amount(b)},
        sentence=f"A spends $V_T$ = {amount(a)} in {steps[0]} small steps, B {amount(b)} in {steps[1]} step"
        f"{'' if steps[1] == 1 else 's'}.",
        setup=f"A: {world.caption(worlds[0])}; B: {worlds[1].kind}, with the same first and last reward.",
    )
