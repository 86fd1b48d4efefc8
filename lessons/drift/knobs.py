"""The lesson's base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.shared.knobs import acts_in_worlds
from tvbo_core import World

DRIFT_WORLD = World(kind="glide", budget=1.5, horizon=200, switches=1)

DRIFT_KEYS = ("kind", "pair", "V", "T", "nu", "ell", "eps", "alpha", "B", "switches", "scale", "data")
ACTS = acts_in_worlds(pair=True, scale=True)

BOGUNOVIC = {"kind": "markov", "pair": "matern", "eps": 0.01, "ell": 0.2, "nu": "∞", "T": 300, "seed": 47}
DENG = {"kind": "jumps", "pair": "glide", "scale": "drawn", "switches": 2, "T": 500, "ell": 0.2, "nu": "∞"}


def kinds(kind: str, pair: str) -> set[str]:
    """Return the kinds of world on the page: a table stands alone."""
    return {kind} if kind == "data" else {kind, pair} - {"none", "matern"}


def groups(shown: set[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the knobs beside the figure and those in the drawer, for worlds of these kinds.

    The second knob and the last one follow the kinds of world that are shown.
    """
    own = "eps" if "markov" in shown else "alpha" if "rough" in shown else "nu"
    beside = ("kind", "data", "V", "T") if "data" in shown else ("kind", "pair", "V", "T", own)
    return beside, tuple(key for key in (*DRIFT_KEYS, "seed") if key not in beside)
