"""The figure of the sweep as Python."""

from __future__ import annotations

import math
from collections.abc import Mapping

from lessons.shared import script as code
from lessons.theorems.laws import JOINING_LAWS, POWER_LAWS, stated
from lessons.theorems.rates import model
from lessons.theorems.rates.model import SweepSetting
from lessons.theorems.rates.tables import label


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return the power of T (or of epsilon) of every method at this place of the sweep."""
    setting = model.chosen(value)
    frame = min(max(t, 0), len(setting.sweep) - 1)
    at = setting.sweep[frame]
    nu = math.inf if setting.measure == "alpha" else at
    laws = [
        (name, stem)
        for name, stem, _ in POWER_LAWS[setting.measure]
        if stated(stem, nu) and not (setting.bet == "cover" and name == "R-, SW-, WGP-UCB")
    ]
    place = "alpha=alpha, d=d, window_exponent=window" if setting.measure == "alpha" else "nu=nu, d=d"
    here = f"alpha = {at!r}" if setting.measure == "alpha" else f"nu = {code.literal(at)}"
    told = {
        "budget": 'print(f"ν = {nu}\\nd = {d}\\nv = {v}")',
        "alpha": 'print(f"α = {alpha}\\nd = {d}")',
        "epsilon": 'print(f"ν = {nu}\\nd = {d}")',
    }[setting.measure]
    many = "max(1 - window / alpha, 0.0)" if at else "0.0"
    own = {
        "budget": [f"v = {setting.v!r}\nV = T**v  # drift budget"],
        "alpha": [f"V, window = 1.0, {setting.window!r}  # window exponent of W-SparQ"],
        "epsilon": [f"V = {setting.eps!r}  # change per step"],
    }[setting.measure]
    return code.join(
        code.title("Theorems", f"at {label(setting, frame)}, d = {setting.d}"),
        code.comment(
            "Closed form, no randomness. Constants count as 1; logarithms are hidden. "
            + {
                "budget": "Power of T in the regret",
                "alpha": "Power of T in the regret",
                "epsilon": "Power of epsilon in the regret per step",
            }[setting.measure]
            + "."
        ),
        "from tvbo_core.theory import for_kernel\n",
        f"{here}\nd, T = {setting.d}, {setting.T!r}",
        *own,
        told,
        code.mapping("statements", {name: code.literal(stem) for name, stem in laws}),
        "for name, stem in statements.items():",
        f"    theorem = for_kernel(stem, {'nu' if setting.measure != 'alpha' else code.literal(math.inf)})",
        f"    a, b = theorem.exponent({place})  # exact: T^a drift^b",
        *_power(setting, place),
        f"    holds = theorem.valid(T=T, V=V, {place})",
        '    print(f"{name} = {float(power):.4f}\\n{name} holds = {int(holds)}")',
        '    print(f"  exactly T^{a} drift^{b}: {theorem.source}")',
        f'print("re-asks of W-SparQ =", {many})  # power of T' if setting.measure == "alpha" else "",
    )


def _power(setting: SweepSetting, place: str) -> list[str]:
    """Return the lines that make the drawn power from those of T and of the drift."""
    if setting.measure != "budget":
        return [f"    power = {'b' if setting.measure == 'epsilon' else 'a'}"]
    return [
        "    power = a + v * b  # with V = T^v",
        f"    if stem in {code.literal(JOINING_LAWS)}:  # at least the still world's power",
        f'        power = max(power, for_kernel("scarlett", nu).exponent({place}).T)',
    ]
