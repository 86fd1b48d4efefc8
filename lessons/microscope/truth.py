"""The truth of the lesson's bet, measured by the engine in the state that the bet is about."""

from __future__ import annotations

from lessons.microscope import model
from lessons.microscope.words import percent
from lessons.record import Bet, Outcome, Values


def truth(values: Values, bet: Bet) -> Outcome:
    """Return in how many runs a width that is valid at each time is left at some time."""
    key = str(values["statement"])
    found = model.experiment(key, model.chosen(key, values))
    frame = bet.t
    ever, fixed = (float(found.value(name)[frame]) for name in ("ever outside, up to T", "outside at T itself"))
    return Outcome(
        right=(bet.nearest(ever),),
        numbers={},
        value=ever,
        said=percent(ever),
        sentence=f"The true value had left its interval at some time in {percent(ever)} of the runs; at the last "
        f"time itself it is outside in {percent(fixed)}.",
        setup=f"T = {found.sweep[frame]:,.0f}, {found.setup}, seed {values['seed']}.",
    )
