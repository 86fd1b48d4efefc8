"""The lesson's base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

OWN = {"budget": "growth", "alpha": "atil", "epsilon": "eps"}  # the knob that says how fast, by the measure of drift


RUNS = ("wager", "V", "T", "nu", "ell", "sigma", "B", "seeds", "seed")


KEYS = ("measure", "d", *OWN.values(), "log_T", "lnT", *RUNS, "card", "case", "arena")


def visible(measure: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The knobs beside the figure, and those under More."""
    rest = tuple(key for m, key in OWN.items() if m != measure)
    return ("measure", "d", OWN[measure], "log_T", "lnT"), (*RUNS, *rest)
