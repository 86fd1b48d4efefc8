"""The truth of the lesson's bet, measured by the engine in the state that the bet is about."""

from __future__ import annotations

from dataclasses import replace

from lessons.forgetting import model
from lessons.forgetting.knobs import MEMORY_STEPS
from lessons.record import Bet, Outcome, Values
from lessons.shared import worlds as world
from lessons.shared.knobs import METHODS
from lessons.shared.stored_runs import played
from lessons.shared.wording import amount


def truth(values: Values, bet: Bet) -> Outcome:
    """Return the memory with the lowest final regret in the jumping world."""
    past, full = model.chosen(values)
    setting = replace(full, worlds=tuple(w for w in full.worlds if w.kind == past.world.kind))
    runs = played(model.jobs(setting, (setting.front,)), model.FILE)
    found = model.gather(setting, runs, (past.world.horizon - 1,)).front(0)
    pays = {str(m): float(p) for m, p in zip(MEMORY_STEPS, found.median[:, -1], strict=True)}
    m = MEMORY_STEPS[found.best()]
    ends = str(MEMORY_STEPS[0]), str(MEMORY_STEPS[-1])
    return Outcome(
        right=(str(m),),
        numbers={word: amount(p) for word, p in pays.items()},
        value=float(m),
        said=f"{amount(pays[str(m)])}",
        sentence=f"{METHODS[setting.front]} loses least with m = {m}: {amount(pays[str(m)])}, against "
        f"{amount(pays[ends[0]])} at m = {ends[0]} and {amount(pays[ends[1]])} at m = {ends[1]}.",
        setup=f"Median of {found.seeds} seeds: {world.caption(past.world)} to {setting.numbers[-1]}, "
        f"width β = {setting.width}.",
    )
