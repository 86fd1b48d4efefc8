"""The lesson's figure as Python."""

from __future__ import annotations

import math
from collections.abc import Mapping

from lessons.shared import script as code
from lessons.theorems import model as ladder
from lessons.theorems.tables import label


def recipe(value: Mapping[str, object], t: int) -> str:
    """Lesson 5: the power of T (or of epsilon) of every rung, and whether its theorem speaks here."""
    asked = ladder.asked(value)
    frame = min(max(t, 0), len(asked.sweep) - 1)
    at = asked.sweep[frame]
    rungs = [(name, stem) for name, stem, _ in ladder.RUNGS[asked.measure]
             if not (asked.bet == "cover" and name == "R-, SW-, WGP-UCB")]  # fmt: skip
    place = "alpha=alpha, d=d, window_exponent=window" if asked.measure == "alpha" else "nu=nu, d=d"
    here = f"alpha = {at!r}" if asked.measure == "alpha" else f"nu = {code.literal(at)}"
    own = {
        "budget": [f"V = T**{asked.v!r}  # drift budget"],
        "alpha": [f"V, window = 1.0, {asked.window!r}  # window exponent of W-SparQ"],
        "epsilon": [f"V = {asked.eps!r}  # change per step"],
    }[asked.measure]
    return code.join(
        code.title(5, "Theorems", f"at {label(asked, frame)}, d = {asked.d}"),
        code.comment("Closed form, no randomness. Constants count as 1; logarithms are hidden. "
                     + {"budget": "Power of T in the regret", "alpha": "Power of T in the regret",
                        "epsilon": "Power of epsilon in the regret per step"}[asked.measure] + "."),
        "from tvbo_core.theory import for_kernel\n",
        f"{here}\nd, T = {asked.d}, {asked.T!r}",
        *own,
        code.mapping("statements", {name: code.literal(stem) for name, stem in rungs}),
        "for name, stem in statements.items():",
        f"    theorem = for_kernel(stem, {'nu' if asked.measure != 'alpha' else code.literal(math.inf)})",
        f"    a, b = theorem.exponent({place})  # exact: T^a drift^b",
        *_power(asked, place),
        f"    speaks = theorem.valid(T=T, V=V, {place})",
        '    print(f"{name}: power = {float(power):.4f}, T^{a} drift^{b}, speaks here = {speaks}")',
        '    print(f"  {theorem.source}")',
    )  # fmt: skip


def _power(asked: ladder.Asked, place: str) -> list[str]:
    """How the drawn power comes from those of T and of the drift."""
    if asked.measure != "budget":
        return [f"    power = {'b' if asked.measure == 'epsilon' else 'a'}"]
    return [
        f"    power = a + {asked.v!r} * b  # with V = T^{asked.v:g}",
        f"    if stem in {code.literal(ladder.JOINS)}:  # at least the still world's power",
        f'        power = max(power, for_kernel("scarlett", nu).exponent({place}).T)',
    ]
