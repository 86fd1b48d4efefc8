"""The lesson's own knobs, and the groups in which the page shows its knobs."""

from __future__ import annotations

from lessons.record import Knob, Values
from lessons.reproductions.names import SHOWN

OWN = {
    k.key: k
    for k in (
        Knob("shown", "Table or figure", "A stored run of one table or figure of a paper, or an overview of all.",
             "flynn-table-1", options=tuple(SHOWN), widget="select", names=SHOWN),
        Knob("view", "View", "Differences: our numbers less the printed ones, on one axis of standard errors. "
             "Table: each number beside the printed one.", "gaps", options=("gaps", "board"), widget="segmented",
             names={"gaps": "Differences", "board": "Table"}),
        Knob("within", "Tolerance (standard errors)",
             "How many standard errors of the difference still count as agreement.", "2",
             options=("1", "2", "3"), widget="segmented"),
        Knob("cell", "Entry", "The entry of the closer look, counted group by group from 0; a click in the "
             "figure chooses it.", 0, 0, 99, 1, widget="number"),
    )
}  # fmt: skip
OVERVIEW = "every"  # all tables and figures
GAPS, BOARD = "gaps", "board"  # the two views of a table with printed numbers
BOARD_KEYS = ("shown", "view", "within")
PRINTED = ("flynn-table-1", "flynn-table-1-rbf")  # have printed numbers, which ours can be within standard errors of
ON_BOARD = {"shown": PRINTED, "view": (BOARD,)}
ACTS = {
    "within": ({"shown": (OVERVIEW, *PRINTED)},),
    "view": ({"shown": PRINTED},),
    "cell": ({"shown": tuple(name for name in SHOWN if name not in (OVERVIEW, *PRINTED))}, ON_BOARD),
}
LAST = 999  # repetition, however many there are
BET_PANEL = "Matérn 3/2, ℓ = 0.2"  # the row of Flynn & Reeb's Table 1 that the bet is about


def by_gaps(values: Values) -> bool:
    """Return whether these values show the differences from the printed numbers, and not a table."""
    return values["shown"] in PRINTED and values["view"] == GAPS


def controls(values: Values) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the knobs beside the figure, and none under "More…"."""
    return ("shown", *(("view",) if values["shown"] in PRINTED else ()), "within"), ()
