"""The truth of the lesson's bet, measured by the engine in the state that the bet is about."""

from __future__ import annotations

from lessons.record import Bet, Outcome, Values
from lessons.rperp import model
from lessons.shared import worlds


def truth(values: Values, bet: Bet) -> Outcome:
    """Return the error of the average over many shuffles, beside that of the fixed order."""
    runs = model.paired_runs(model.chosen(values))
    batch, spread = runs.batches[0], runs.spreads[0]
    fixed, mixed = spread.averaged(fixed=True), spread.averaged()
    share = mixed / fixed
    return Outcome(
        right=(bet.nearest(share),),
        numbers={},
        value=share,
        said=f"{share:.2f}",
        sentence=f"Averaged over {model.SHUFFLES} shuffles the largest error is {mixed:.3f}, in the fixed order "
        f"{fixed:.3f}; a single shuffle is still wrong by {spread.worst():.2f} (median).",
        setup=f"The first batch, {len(batch.picks)} questions, H = {runs.H}; follows the learner with a swing of "
        f"{runs.swing:g}: {worlds.caption(runs.setting.world).removeprefix('still, ')}.",
    )
