"""The lesson's base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.shared.knobs import idle
from tvbo_core import World, worlds

DRIFT_WORLD = World(kind="glide", budget=4.0, horizon=200, switches=1)

DRIFT_KEYS = ("kind", "pair", "V", "T", "nu", "ell", "eps", "alpha", "B", "switches", "scale", "data")
HAVE_A_BUDGET = {kind.name for kind in worlds.ALL.values() if kind.has_budget}  # their drift is fitted to V

BOGUNOVIC = {"kind": "markov", "pair": "matern", "eps": 0.01, "ell": 0.2, "nu": "∞", "T": 300}
DENG = {"kind": "jumps", "pair": "glide", "scale": "drawn", "switches": 2, "T": 500, "ell": 0.2, "nu": "∞"}


def kinds(kind: str, pair: str) -> set[str]:
    """Return the kinds of world on the page: a table stands alone."""
    return {kind} if kind == "data" else {kind, pair} - {"none", "matern"}


def has_budget(shown: set[str], scale: str) -> bool:
    """Return whether the drift budget can be set for worlds of these kinds."""
    return scale != "drawn" and bool(shown & HAVE_A_BUDGET)


def groups(shown: set[str], scale: str) -> tuple[tuple[str, ...], tuple[str, ...], set[str]]:
    """Return the knobs beside the figure, those in the drawer, and those of both that do nothing now.

    The second knob and the last one follow the kinds of world that are shown.
    """
    own = "eps" if "markov" in shown else "alpha" if "rough" in shown else "nu"
    beside = ("kind", "data", "V", "T") if "data" in shown else ("kind", "pair", "V", "T", own)
    off = idle(shown, scale) | (set() if has_budget(shown, scale) else {"V"})
    drawer = tuple(key for key in (*DRIFT_KEYS, "seed") if key not in beside)
    return beside, drawer, off
