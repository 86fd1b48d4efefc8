"""The lesson's base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.record import Knob, Values
from lessons.shared.knobs import acts_in_worlds
from tvbo_core import World

DRIFT_WORLD = World(kind="glide", budget=1.5, horizon=200, switches=1)

VIEW = Knob(
    "view",
    "View",
    "Two hills: the reward now, over a bar that adds up the largest change of every step. Heat maps: the rewards of "
    "all rounds, with the path of the best action.",
    "hills",
    options=("hills", "maps"),
    widget="segmented",
    names={"hills": "Two hills", "maps": "Heat maps"},
)
DRIFT_KEYS = ("kind", "pair", "V", "T", "nu", "ell", "eps", "alpha", "B", "switches", "scale", "view")
ACTS = acts_in_worlds(pair=True, scale=True)

BOGUNOVIC = {"kind": "markov", "pair": "matern", "eps": 0.01, "ell": 0.2, "nu": "∞", "T": 300, "seed": 47}
DENG = {"kind": "jumps", "pair": "glide", "scale": "drawn", "switches": 2, "T": 500, "ell": 0.2, "nu": "∞"}


def groups(values: Values) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the knobs beside the figure and those in the drawer; the fourth of a Markov or rough world is its own."""
    shown = {values["kind"], values["pair"]}
    own = "eps" if "markov" in shown else "alpha" if "rough" in shown else "T"
    beside = ("kind", "pair", "V", own, "view")
    return beside, tuple(key for key in (*DRIFT_KEYS, "seed") if key not in beside)
