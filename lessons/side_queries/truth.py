"""The truth of the lesson's bet, measured by the engine in the state that the bet is about."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lessons.record import Bet, Outcome, Values
from lessons.side_queries import model
from tvbo_core.policies.side_queries.policy import planned_queries


def truth(values: Values, bet: Bet) -> Outcome:
    """Return the ratio of W-SparQ's planned questions when old answers go stale twice as fast."""
    setting = model.chosen(values)
    T, d = setting.world.horizon, 1
    planned = []
    for alpha in (setting.alpha / 2, setting.alpha):
        rule = replace(setting.policies["W-SparQ"], alpha=alpha)
        planned.append(int(np.sum(planned_queries(rule.starts(T), setting.q, d))))
    before, after = planned
    share = after / before
    return Outcome(
        right=(bet.nearest(share),),
        numbers={},
        value=share,
        said=f"× {share:.1f}",
        sentence=f"W-SparQ's plan goes from {before} re-asks at α = {setting.alpha / 2:g} to {after} at α = "
        f"{setting.alpha:g}: {share:.1f} times as many.",
        setup=f"By its schedule, no randomness: T = {T}, window exponent α̃ = {setting.window_exponent:g}, "
        f"c = {setting.q:g}, d = {d}.",
    )
