"""The truth of the lesson's bet, measured by the engine in the state that the bet is about."""

from __future__ import annotations

from lessons.record import Bet, Outcome, Values
from lessons.shared.cache import kept
from lessons.theorems import model as theorems


def truth(values: Values, bet: Bet) -> Outcome:
    """The power of T in the guarantee of the restarting methods."""
    asked = theorems.asked(values)
    sweep = kept(("sweep", repr(asked)), lambda: theorems.sweep(asked))
    frame = bet.t
    power = float(sweep.by_name["R-, SW-, WGP-UCB"].power[frame])
    floor = float(sweep.by_name["lower bound"].power[frame])
    return Outcome(
        right=(bet.nearest(power),),
        numbers={},
        value=power,
        said=f"{power:.3f}",
        sentence=f"The power is {power:.3f}; the lower bound has {floor:.3f}.",
        setup=f"Closed form, no randomness: ν = {asked.sweep[frame]:g}, d = {asked.d}, $V_T=T^{{{asked.v:g}}}$, "
        "logarithms left out.",
    )
