"""The truth of the lesson's bet, measured by the engine in the state that the bet is about."""

from __future__ import annotations

from lessons.record import Bet, Outcome, Values
from lessons.rperp import model as stepping
from lessons.shared import worlds as world


def truth(values: Values, bet: Bet) -> Outcome:
    """The error of the average over many shuffles, beside that of the fixed order."""
    show = stepping.show(stepping.chosen(values))
    batch, spread = show.batches[0], show.spreads[0]
    fixed, mixed = spread.averaged(fixed=True), spread.averaged()
    share = mixed / fixed
    return Outcome(
        right=(bet.nearest(share),),
        numbers={},
        value=share,
        said=f"{share:.2f}",
        sentence=f"Averaged over {stepping.DRAWS} shuffles the largest error is {mixed:.3f}, in the fixed order "
        f"{fixed:.3f}; a single shuffle is still wrong by {spread.worst():.2f} (median).",
        setup=f"The first batch, {len(batch.picks)} questions, H = {show.H}; follows the learner with a swing of "
        f"{show.swing:g}: {world.caption(show.setting.world).removeprefix('still, ')}.",
    )
