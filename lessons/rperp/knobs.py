"""The lesson's base world, its own knobs, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.record import Knob, Values
from lessons.shared import knobs as shared
from tvbo_core import World

RPERP_WORLD = World(kind="still", budget=16.0, horizon=200, lengthscale=0.4)  # as the page opens, but for its seed
FOLLOWER = "follower"  # the kind of world that moves against the fixed order
SWING = 2.0  # how far it goes between its two states, reward units
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
        Knob("shuffle", "Permutation", "Number of the random order; world and noise stay. 0 is that of “The race”.",
             12, 0, 99, 1),
    )
}  # fmt: skip
RPERP_SHOWN = ("V", "order", "shuffle")
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
THREE_BATCHES = {"kind": "glide", "V": 4.0, "H": 50, "seed": 0, "order": "shuffled"}
SECOND_ENDS = 49  # frame at which the second of them, of 8, 20 and 22 queries, has eliminated
FIVE = {"H": 25}
QUESTIONS = 15  # of the batch that the page opens with


T = shared.KNOBS["T"].replace(high=400)
WORLD_ACTS = shared.acts_in_worlds(more=(FOLLOWER,))
ACTS = WORLD_ACTS | {
    "V": (*WORLD_ACTS["V"], {"kind": (FOLLOWER,)}),
    "beta": ({"order": ("fixed", "shuffled")},),
}


def controls(values: Values) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the knobs beside the figure, with the exponent of a rough world, and those in the drawer."""
    shown = (*RPERP_SHOWN, *(("alpha",) if values["kind"] == "rough" else ()))
    return shown, tuple(key for key in RPERP_MORE if key not in shown)
