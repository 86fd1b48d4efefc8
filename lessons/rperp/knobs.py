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
        Knob("grain", "Step size", "A line of the pseudo-code (of the first restart), a batch, or a restart (of the "
             "whole run). Shift + → goes to the end of the next larger one.", "line",
             options=("line", "batch", "restart"), widget="segmented",
             names={"line": "Line", "batch": "Batch", "restart": "Restart"}),
        Knob("swing", "Adversary's amplitude $\\Delta$", "How far the adversary moves the reward up and "
             "down, in reward units.", 2.0, 0.25, 2.0, 0.25),
        Knob("shuffle", "Permutation", "Number of the random order; world and noise stay. 0 is that of “The race”.",
             12, 0, 99, 1),
    )
}  # fmt: skip
RPERP_SHOWN = ("swing", "V", "order", "shuffle")
RPERP_MORE = (
    "kind",
    "H",
    "beta",
    "T",
    "sigma",
    "B",
    "nu",
    "ell",
    "alpha",
    "seed",
)
FIRST_BATCH = {"order": "shuffled"}
THREE_BATCHES = {"kind": "glide", "V": 4.0, "H": 50, "seed": 0, "grain": "batch", "order": "shuffled"}
FIVE = {"H": 25}
QUESTIONS = 15  # of the batch that the page opens with


T = shared.KNOBS["T"].replace(high=400)
WORLD_ACTS, ONE_ORDER = shared.acts_in_worlds(more=(FOLLOWER,)), ("fixed", "shuffled")
ACTS = WORLD_ACTS | {
    "V": (*WORLD_ACTS["V"], {"kind": (FOLLOWER,)}),
    "swing": ({"kind": (FOLLOWER,)},),
    "grain": ({"order": ONE_ORDER},),
}


def controls(values: Values) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the knobs beside the figure and those in the drawer.

    Both orders at once have one grain, and a rough world has an exponent in place of an adversary's amplitude.
    """
    shown = [*RPERP_SHOWN, *(["grain"] if values["order"] in ONE_ORDER else [])]
    if values["kind"] == "rough":
        shown[shown.index("swing")] = "alpha"
    return tuple(shown), tuple(key for key in RPERP_MORE if key not in shown)
