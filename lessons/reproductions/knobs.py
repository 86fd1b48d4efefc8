"""The lesson's own knobs, and the groups in which the page shows its knobs."""

from __future__ import annotations

from lessons.record import Knob, Values
from lessons.reproductions.names import SHOWN

OWN = {
    k.key: k
    for k in (
        Knob("shown", "Table or figure", "A stored run of one table or figure of a paper, or an overview of all.",
             "flynn-table-1", options=tuple(SHOWN), widget="select", names=SHOWN),
        Knob("within", "Tolerance (standard errors)",
             "How many standard errors of the difference still count as agreement.", "2",
             options=("1", "2", "3"), widget="segmented"),
    )
}  # fmt: skip
OVERVIEW = "every"  # the choice that shows all tables and figures
PRINTED = ("flynn-table-1", "flynn-table-1-rbf")  # the experiments whose numbers the paper prints
ACTS = {"within": ({"shown": (OVERVIEW, *PRINTED)},)}
LAST = 999  # a time that stands for the last repetition, however many there are
BET_PANEL = "Matérn 3/2, ℓ = 0.2"  # the row of Flynn & Reeb's Table 1 that the bet is about


def controls(values: Values) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the knobs beside the figure, and none under "More…"."""
    return ("shown", "within"), ()
