"""The letters of a theorem: found by moving each and comparing everything that the record states."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tvbo_core.theory import THEOREMS, Theorem

PLACE: Mapping[str, Any] = {"T": 1e4, "nu": 2.5, "d": 1, "alpha": 0.5, "window_exponent": 0.25}
OTHERS = {"nu": (math.inf, 2.5, 1.5, 0.5), "d": (3,), "alpha": (0.2, 1.5), "window_exponent": (0.2, 0.34)}
DRIFT = {"V_T": "V", "B_T": "V", "epsilon": "eps"}  # budget of a record -> the letter that holds it
STATIC = "V_T=0"  # condition of a theorem about a static world


def records(stem: str) -> list[Theorem]:
    """Return the records of a stem: one, or one a kernel."""
    return [theorem for theorem in THEOREMS.values() if theorem.stem == stem]


def letters(stem: str) -> frozenset[str]:
    """Return the letters among V, eps, nu, d, alpha and window_exponent on which rate or conditions depend."""
    own = records(stem)
    found = {DRIFT[theorem.budget] for theorem in own if theorem.budget in DRIFT}
    found |= {"V"} if any(theorem.condition == STATIC for theorem in own) else set()
    found |= {"nu"} if any(theorem.kernels != "any" for theorem in own) else set()
    for theorem in own:
        usual = _values(theorem, PLACE)
        moved = (
            name for name, some in OTHERS.items() if any(_values(theorem, {**PLACE, name: v}) != usual for v in some)
        )
        found |= set(moved)
    return frozenset(found)


def _values(theorem: Theorem, place: Mapping[str, Any]) -> tuple:
    """Return everything that a record says at a place."""
    fixed = {key: value for key, value in place.items() if key != "T"}
    return (
        theorem.exponent(**fixed),
        theorem.log_power(**fixed),
        theorem.query_exponent(**fixed),
        theorem.limits(**place),
        theorem.drift_decides_from(**place),
        theorem.curve(T=place["T"], V=0.5, **fixed),
    )
