"""The lesson's own knobs, and the groups in which the page shows its knobs."""

from __future__ import annotations

from lessons.record import Knob, Values
from lessons.reproductions.names import AUTHORS, OUTCOMES, SHOWN

OWN = {
    k.key: k
    for k in (
        Knob("shown", "Table or figure", "A stored run of one table or figure of a paper, or all of them at a glance.",
             "flynn-table-1", options=tuple(SHOWN), widget="select", names=SHOWN),
        Knob("view", "View", "Differences: our numbers less the printed ones, on one axis of standard errors. "
             "Table: each number beside the printed one.", "gaps", options=("gaps", "board"), widget="segmented",
             names={"gaps": "Differences", "board": "Table"}),
        Knob("paper", "Paper", "Whose tables and figures are listed.", "all", options=("all", *AUTHORS),
             widget="select", names={"all": "All five", **AUTHORS}),
        Knob("sort", "Tables or figures", "Which of the two are listed.", "both", options=("both", "table", "figure"),
             widget="select", names={"both": "Both", "table": "Tables", "figure": "Figures"}),
        Knob("outcome", "Outcome", "Lists the tables and figures with an entry of this outcome. “Differs”: an entry "
             "more than 3 standard errors away or a statement that does not come out; “figure only” is a figure "
             "without printed numbers.", "any",
             options=("any", *OUTCOMES), widget="select", names={"any": "Any", **OUTCOMES}),
        Knob("within", "Within", "How many standard errors of the difference still count as agreement.", "2",
             options=("1", "2", "3"), widget="segmented"),
        Knob("cell", "Entry", "The entry that is looked at closely, counted group by group from 0; a click in the "
             "figure chooses it.", 0, 0, 99, 1, widget="number"),
    )
}  # fmt: skip
OVERVIEW = "every"  # all tables and figures at a glance
GAPS, BOARD = "gaps", "board"  # the two views of a table with printed numbers
BOARD_KEYS, FILTERS = ("shown", "view", "within"), ("paper", "sort", "outcome")
PRINTED = ("flynn-table-1", "flynn-table-1-rbf")  # have printed numbers, which ours can be within standard errors of
ON_BOARD = {"shown": PRINTED, "view": (BOARD,)}
ACTS = {key: ({"shown": (OVERVIEW,)},) for key in FILTERS} | {
    "within": ({"shown": (OVERVIEW, *PRINTED)},),
    "view": ({"shown": PRINTED},),
    "cell": ({"shown": tuple(name for name in SHOWN if name not in (OVERVIEW, *PRINTED))}, ON_BOARD),
}
LAST = 999  # repetition, however many there are
BET_PANEL = "Matérn 3/2, ℓ = 0.2"  # the row of Flynn & Reeb's Table 1 that the bet is about


def by_gaps(values: Values) -> bool:
    """Return whether these values show the differences from the printed numbers, and not a table."""
    return values["shown"] in PRINTED and values["view"] == GAPS
