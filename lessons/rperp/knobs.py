"""The lesson's base world, its own knobs, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.record import NUMBER, Knob
from lessons.shared import knobs as shared
from tvbo_core import World

RPERP_WORLD = World(kind="still", budget=4.0, horizon=200)
FOLLOWER = "follower"  # the kind of world that moves against the fixed order
OWN = {
    k.key: k
    for k in (
        Knob("H", "Restart every $H$ steps", "Everything is forgotten every H steps. “Theorem 5” takes H from the "
             "drift of this world (Iwazaki & Takeno).", 25, names={"0": "Theorem 5"},
             options=(0, 16, 20, 25, 32, 40, 50, 64, 80, 100, 125, 160, 200, 400), widget="stops"),
        Knob("order", "Order of a batch", "Shuffled: R-PERP. Fixed: the same restarts, but each batch is asked in the "
             "order in which it was picked, so that it is known in advance; with H = T that is plain PE. Both: side by "
             "side.", "both",
             options=("fixed", "shuffled", "both"), widget="segmented",
             names={"fixed": "Fixed", "shuffled": "Shuffled", "both": "Both"}),
        Knob("grain", "One step is", "A line of the pseudo-code (of one restart), a batch, or a restart (of the whole "
             "run). Shift + → goes to the end of the next larger one.", "line", options=("line", "batch", "restart"),
             widget="segmented", names={"line": "Line", "batch": "Batch", "restart": "Restart"}),
        Knob("swing", "Swing of the follower $\\Delta$", "How far the reward that follows the learner goes up and "
             "down, in reward units.", 1.0, 0.25, 2.0, 0.25),
        Knob("interval", "Restart shown", "The one that is shown line by line; beyond the last one, the last.", 1, 1,
             25, 1, widget="number"),
        Knob("shuffle", "Which shuffle", "The same world and noise, asked in another order; 0 is that of the race.",
             0, 0, 99, 1, widget="number"),
        Knob("lam", "Ridge $\\lambda$, in $\\sigma^2$", "How strongly to smooth, as a multiple of the noise variance.",
             1.0, options=(0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0), widget="stops"),
        Knob("arms", "Number of actions $|\\mathcal X|$", "They lie on a grid over [0, 1].", 100,
             options=(20, 50, 100, 200),
             widget="stops"),
    )
}  # fmt: skip
RPERP_SHOWN = ("kind", "H", "order", "beta", "grain")
RPERP_MORE = ("V", "swing", "interval", "shuffle", "lam", "delta", "arms", "T", "sigma", "B", "nu", "ell", "eps",
              "alpha", "data", "seed")  # fmt: skip
THREE_BATCHES = {"kind": "glide", "V": 4.0, "H": 50, "seed": 0, "grain": "batch", "order": "shuffled"}
FOLLOWS = {"H": 400, "T": 400, "seed": 3, "order": "shuffled"}
FURTHER = {"swing": 2.0, "shuffle": 3}


def idle(kind: str, width: str) -> set[str]:
    """Return the knobs that play no part in this kind of world with this width: a number needs no delta."""
    off = shared.idle({kind}) - ({"V"} if kind == FOLLOWER else set())
    off |= ({"sigma", "arms"} if kind == "data" else set()) | (set() if kind == FOLLOWER else {"swing"})
    return off | ({"delta"} if NUMBER.fullmatch(width) else set())
