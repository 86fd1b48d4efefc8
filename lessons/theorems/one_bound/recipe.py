"""The settings of the script of one bound."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.shared import script as code
from lessons.theorems.one_bound import model


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return the value of the theorem at this horizon."""
    setting = model.setting_from(value)
    T, theorem, w = model.HORIZONS[min(max(t, 0), len(model.HORIZONS) - 1)], setting.theorem, setting.world
    title, smooth = f"Theorems, one bound at T = {T}", w.kernel == "se"
    if theorem is None or not theorem.allows(setting.nu):
        return f'# {title}\n# the theorem is not stated for this smoothness\nprint("T =", {T})\n'
    if setting.case is None:
        return code.script(
            __file__,
            title,
            [f"{theorem.source}; constants and logarithms count as 1"],
            settings=[
                f'theorem = tv.THEOREMS["{theorem.key}"]',
                f'place = {{"nu": {code.literal(setting.nu)}, "d": {setting.d}, "alpha": {setting.alpha!r}, '
                f'"window_exponent": {setting.window!r}}}',
                f"T, V = {T}, {setting.drift!r}",
            ],
        )
    kernel = f"SquaredExponential({w.lengthscale!r})" if smooth else f"Matern({w.nu!r}, {w.lengthscale!r})"
    return code.script(
        __file__,
        title,
        [f"100 actions on [0, 1], noise {w.noise_sd:g}, delta = {model.DELTA:g}"],
        settings=[
            f"kernel, T = tv.{kernel}, {T}",
            f"noise_sd, norm_bound, V, drift, delta = {w.noise_sd!r}, {w.norm_bound!r}, {setting.V!r}, "
            f"{setting.drift!r}, {model.DELTA!r}",
            f'case = CASES["{setting.case.key}"]',
        ],
        file="script_constants.py",
        markov="markov" in setting.case.kinds,
    )
