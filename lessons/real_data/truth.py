"""The truth of the lesson's bet, measured by the engine in the state that the bet is about."""

from __future__ import annotations

from lessons.real_data import model, worker_jobs
from lessons.record import Bet, Outcome, Values


def truth(values: Values, bet: Bet) -> Outcome:
    """Count how often the best arm of the table changes in its second part."""
    setting = model.chosen(values)
    split, _, second = worker_jobs.parts(setting.core, None)
    held, count = int(second.best[0]), 0
    for row in second.f:
        if row[held] < row.max():
            held, count = int(row.argmax()), count + 1
    right = ("few", "some", "many")[(count >= 5) + (count > 20)]
    return Outcome(
        right=(right,),
        numbers={right: f"{count} times"},
        sentence=f"The best of {second.f.shape[1]} arms changes {count} times in {second.horizon} rounds.",
        setup=f"Table {setting.table}, the {second.horizon} rows after the first {split.train_rows}; no randomness.",
    )
