"""Tables like the papers', and the stops and labels of the sweep."""

from __future__ import annotations

import math
from collections.abc import Sequence

from common.markup import GREEK, plain_markdown
from lessons.theorems.knobs import THEOREM_NAMES, THEOREM_STEMS
from lessons.theorems.laws import stated
from lessons.theorems.rates.model import ALPHAS, NUS, SweepSetting, T

# Measure of drift -> the budgets of the records that are about it: guarantees in one are none in another.
BUDGETS_OF = {"budget": ("V_T", "B_T", "none"), "alpha": ("alpha",)}


def table(setting: SweepSetting, frame: int) -> list[dict]:
    """Return every theorem of this measure at this frame, as in the papers: exact powers, budget, validity."""
    place, rows = setting.place(frame), []
    V = setting.drift
    nu = float(place.get("nu", math.inf))
    for word, stem in THEOREM_STEMS.items():
        theorem = stated(stem, nu)
        if theorem is None or theorem.budget not in BUDGETS_OF[setting.measure]:
            continue
        a, b = theorem.exponent(**place)
        queries = theorem.query_exponent(**place)
        holds = theorem.valid(T=T, V=0.0 if theorem.condition == "V_T=0" else V, **place)
        rows.append(
            {
                "theorem": THEOREM_NAMES[word],
                "side": f"{theorem.side} bound",
                "power of T": str(a),
                "as decimal": round(float(a), 3),
                "power of the drift": str(b),
                "power of ln T": str(theorem.log_power(**place)),
                "rate here (constants = 1)": float(f"{theorem.curve(T=T, V=V, **place):.6g}") if V > 0 else None,
                "budget": GREEK.get(theorem.budget, theorem.budget),
                "must know": plain_markdown(theorem.knows) or "–",
                "side queries, power of T": "–" if queries is None else str(queries),
                "holds here": "yes" if holds else "no",
                "source": plain_markdown(theorem.source),
            }
        )
    return rows


def events(setting: SweepSetting) -> Sequence[int]:
    """Return the frames where a bound becomes vacuous, and those of the usual kernels."""
    if setting.measure == "alpha":
        return [ALPHAS.index(a) for a in (0.0, 1 / 3, 1.0, 2.0)]
    stops = {math.inf, 2.5, 1.5, 0.5, min(1.25 * setting.d, 10.0)}
    return sorted(NUS.index(s) for s in stops if s in NUS)


def label(setting: SweepSetting, frame: int) -> str:
    """Return the text beside the player's bar."""
    value = setting.sweep[frame]
    if setting.measure == "alpha":
        return "α = 1/3" if value == 1 / 3 else f"α = {value:g}"
    return "ν = ∞, the squared exponential" if math.isinf(value) else f"ν = {value:g}"
