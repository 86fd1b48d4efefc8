"""The truth of the lesson's bet, measured by the engine in the state that the bet is about."""

from __future__ import annotations

from lessons.record import Bet, Outcome, Values
from lessons.theorems import model


def truth(values: Values, bet: Bet) -> Outcome:
    """Return the power of T in the guarantee of the restarting methods."""
    setting = model.chosen(values)
    sweep = model.sweep(setting)
    frame = bet.t
    power = float(sweep.by_name["R-, SW-, WGP-UCB"].power[frame])
    floor = float(sweep.by_name["lower bound"].power[frame])
    return Outcome(
        right=(bet.nearest(power),),
        numbers={},
        value=power,
        said=f"{power:.3f}",
        sentence=f"The power is {power:.3f}; the lower bound has {floor:.3f}.",
        setup=f"Closed form, no randomness: ν = {setting.sweep[frame]:g}, d = {setting.d}, $V_T=T^{{{setting.v:g}}}$, "
        "logarithms left out.",
    )
