"""The settings of the sweep's script."""

from __future__ import annotations

import math
from collections.abc import Mapping

from lessons.shared import script as code
from lessons.theorems.laws import POWER_LAWS, stated
from lessons.theorems.rates import model
from lessons.theorems.rates.tables import label


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return a script for the power of T of every method at this place of the sweep."""
    setting = model.setting_from(value)
    frame = min(max(t, 0), len(setting.sweep) - 1)
    at, measure = setting.sweep[frame], setting.measure
    nu = math.inf if measure == "alpha" else at
    laws = {name: code.literal(stem) for name, stem, _ in POWER_LAWS[measure] if stated(stem, nu)}
    own = {
        "budget": [f"v = {setting.v!r}", "V = T**v  # drift budget"],
        "alpha": [f"alpha, V, window = {at!r}, 1.0, {setting.window!r}  # window exponent of W-SparQ"],
    }[measure]
    return code.script(
        __file__,
        f"Theorems, at {label(setting, frame)}, d = {setting.d}",
        ["Closed form, no randomness. Constants count as 1; logarithms are hidden. Power of T in the regret."],
        settings=[
            f"nu, d, T = {code.literal(nu)}, {setting.d}, {model.T!r}",
            *own,
            code.mapping("statements", laws),
        ],
        measure=measure,
    )
