"""The lesson's base world, its own knobs, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.record import Knob, Values
from lessons.shared import knobs as shared
from tvbo_core import World

RPERP_WORLD = World(kind="still", budget=4.0, horizon=200)
FOLLOWER = "follower"  # the kind of world that moves against the fixed order
OWN = {
    k.key: k
    for k in (
        Knob("H", "Restart interval $H$", "The learner forgets everything every H rounds. “Theorem 5” takes H from the "
             "drift of this world (Iwazaki & Takeno).", 200, names={"0": "Theorem 5"},
             options=(0, 16, 20, 25, 32, 40, 50, 64, 80, 100, 125, 160, 200, 400), widget="stops"),
        Knob("order", "Order of a batch", "Both: one batch in the order of its picks, which is known in advance, "
             "and in one shuffle. Shuffled: Algorithm 1 (R-PERP) step by step. Fixed: the same restarts in the known "
             "order; with H = T this is plain phased elimination (PE).", "both",
             options=("fixed", "shuffled", "both"), widget="segmented",
             names={"fixed": "Fixed", "shuffled": "Shuffled", "both": "Both"}),
        Knob("grain", "Step size", "A line of the pseudo-code (of one restart), a batch, or a restart (of the whole "
             "run). Shift + → goes to the end of the next larger one.", "line", options=("line", "batch", "restart"),
             widget="segmented", names={"line": "Line", "batch": "Batch", "restart": "Restart"}),
        Knob("swing", "Adversary's amplitude $\\Delta$", "How far the adversary moves the reward up and "
             "down, in reward units.", 2.0, 0.25, 2.0, 0.25),
        Knob("interval", "Restart shown", "The restart whose first batch, or lines, are shown.", 1, 1, 25, 1,
             widget="number"),
        Knob("shuffle", "Permutation", "Number of the random order; world and noise stay. 0 is that of “The race”.",
             12, 0, 99, 1),
        Knob("lam", "Ridge $\\lambda$, in $\\sigma^2$", "Regularisation of the estimate, as a multiple of the noise "
             "variance.",
             5.0, options=(0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0), widget="stops"),
        Knob("arms", "Number of actions $|\\mathcal X|$", "They lie on a grid over [0, 1].", 100,
             options=(20, 50, 100, 200),
             widget="stops"),
    )
}  # fmt: skip
RPERP_SHOWN = ("swing", "V", "order", "shuffle")
RPERP_MORE = (
    "kind",
    "H",
    "beta",
    "interval",
    "lam",
    "delta",
    "arms",
    "T",
    "sigma",
    "B",
    "nu",
    "ell",
    "eps",
    "alpha",
    "data",
    "seed",
)
FIRST_BATCH = {"order": "shuffled"}
THREE_BATCHES = {"kind": "glide", "V": 4.0, "H": 50, "seed": 0, "grain": "batch", "order": "shuffled"}
FIVE = {"H": 25}
QUESTIONS = 15  # of the batch that the page opens with


T = shared.KNOBS["T"].replace(high=400)
WORLD_ACTS, ONE_ORDER = shared.acts_in_worlds(more=(FOLLOWER,), hill=True), ("fixed", "shuffled")
DRAWN = ({"kind": (FOLLOWER, *shared.NOISY[0]["kind"])},)  # all but a table
ACTS = WORLD_ACTS | {
    "V": (*WORLD_ACTS["V"], {"kind": (FOLLOWER,)}),
    "swing": ({"kind": (FOLLOWER,)},),
    "sigma": DRAWN,
    "arms": DRAWN,  # a table has its own
    "grain": ({"order": ONE_ORDER},),
    "delta": ({"order": ONE_ORDER, "beta": ("theory", "drift")},),  # of proved widths
    # Where one restart is shown, of several.
    "interval": tuple(
        {"H": (h,), "T": tuple(t for t in T.stops if t > h), **one}
        for h in OWN["H"].options
        for one in ({"order": ("both",)}, {"grain": ("line",)})
    ),
}


def controls(values: Values) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the knobs beside the figure and those in the drawer: both orders at once have one grain."""
    return (*RPERP_SHOWN, *(("grain",) if values["order"] in ONE_ORDER else ())), RPERP_MORE
