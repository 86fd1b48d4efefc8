"""The truth of the lesson's bet, measured by the engine in the state that the bet is about."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from lessons.race import model as racing
from lessons.record import Bet, Outcome, Values
from lessons.shared import worlds as world
from lessons.shared.knobs import METHODS
from lessons.shared.stored_runs import played
from lessons.shared.wording import amount


def truth(values: Values, bet: Bet) -> Outcome:
    """The four in the order of their median regret in the jumping world."""
    full = racing.chosen(values)
    setting = replace(full, worlds=full.worlds[-1:], methods=tuple(bet.options))
    table = racing.gather(setting, played(racing.jobs(setting)))
    lane = table.lanes[0]
    ends = {word: float(lane.median[METHODS[word]][-1]) for word in setting.methods}
    order = tuple(sorted(ends, key=ends.get))
    ties = [f"{METHODS[a]} and {METHODS[b]}" for a, b in pairwise(order)
            if lane.tied(METHODS[a], METHODS[b], -1)]  # fmt: skip
    tied = f" Closer than the spread of the seeds: {', '.join(ties)}." if ties else ""
    return Outcome(
        right=order,
        numbers={word: amount(end) for word, end in ends.items()},
        sentence="Median regret: " + ", ".join(f"{METHODS[w]} {amount(ends[w])}" for w in order) + f".{tied}",
        setup=f"{world.caption(lane.world)} to {setting.numbers[-1]}, memory m = {setting.memory}, "
        f"width β = {setting.width}.",
    )
