"""The settings of the runs' script."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.shared import script as code
from lessons.theorems.runs import model


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return a script for the runs beside their bounds at this horizon."""
    setting = model.setting_from(value)
    T = setting.horizons[min(max(t, 0), len(setting.horizons) - 1)]
    first, seeds = setting.stage(T), range(setting.world.seed, setting.world.seed + setting.seeds)
    return code.script(
        __file__,
        f"Theorems, {setting.rule.name} at T = {T}",
        [f"{code.setup(first)}; {code.seeds(seeds)}; delta = 0.1"],
        settings=[
            code.world(first, "first", also=("budget",)),
            f'case = CASES["{setting.case}"]  # a theorem with explicit constants, and its algorithm',
            f"seeds = {seeds}",
        ],
        has_norm=setting.has_norm,
    )
