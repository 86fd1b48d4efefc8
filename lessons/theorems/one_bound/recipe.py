"""The figure of one bound as Python."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.shared import script as code
from lessons.theorems.one_bound import model


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return the value of the theorem at this horizon."""
    setting = model.chosen(value)
    T, theorem = setting.horizons[min(max(t, 0), len(setting.horizons) - 1)], setting.theorem
    head = code.title("Theorems", f"one bound at T = {T}")
    if theorem is None or not theorem.allows(setting.nu):
        return code.join(head, code.comment("the theorem is not stated for this smoothness"), f'print("T =", {T})')
    nu = "math.inf" if setting.world.kernel == "se" else repr(setting.nu)
    if setting.case is None:
        return code.join(
            head,
            code.comment(f"{theorem.source}; constants and logarithms count as 1"),
            ("import math\n\n" if nu == "math.inf" else "") + "import tvbo_core as tv\n",
            f'theorem = tv.THEOREMS["{theorem.key}"]',
            f"place = dict(nu={nu}, d={setting.d}, alpha={setting.alpha!r}, window_exponent={setting.window!r})",
            f'print("T =", {T})',
            'print(f"power of T = {float(theorem.exponent(**place).T):.6g}")',
            f"rate = theorem.curve(T={float(T)!r}, V={setting.drift!r}, **place)",
            'print("rate =", f"{rate:.6g}" if rate > 0 else None)',
        )
    w = setting.world
    kernel = (
        f"tv.SquaredExponential({w.lengthscale!r})" if w.kernel == "se" else f"tv.Matern({w.nu!r}, {w.lengthscale!r})"
    )
    markov = "markov" in setting.case.kinds
    most = "2 * T * markov_floor(known.kernel, known.x, 1, 1.0)" if markov else "2 * known.norm_bound * T"
    return code.join(
        head,
        code.comment(f"100 actions on [0, 1], noise {w.noise_sd:g}, delta = {setting.delta:g}"),
        "import numpy as np\nimport tvbo_core as tv",
        "from tvbo_core.records import LearnerInfo",
        "from tvbo_core.theory.against import CASES" + ("" if markov else "\n"),
        "from tvbo_core.theory.finite import markov_floor\n" if markov else "",
        f"x, kernel, T = np.linspace(0, 1, 100)[:, None], {kernel}, {T}",
        f"known = LearnerInfo(x, T, {w.noise_sd!r}, kernel, {w.norm_bound!r}, {setting.V!r}, None)",
        f'bound = CASES["{setting.case.key}"].at(known, {setting.drift!r}, {setting.delta!r})',
        'print("T =", T)',
        'print(f"bound = {bound.total:.6g}")  # bound.source: where it is proved',
        f'print(f"the most = {{{most}:.6g}}")',
    )
