"""The theorems page in words and rows: cards, tables like the papers', stops and labels of the sweep."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lessons.shared.knobs import CARDS
from lessons.theorems.model import ALPHAS, SMOOTH, Asked
from tvbo_core.theory import Theorem, for_kernel

# A card's word -> stem of its record; the words and their names are ui/knobs.CARDS.
STEMS = {
    "rperp": "iwazaki-5", "floor": "iwazaki-1", "opkb3": "iwazaki-3", "ada": "hong-ada", "r": "zhou-r",
    "sw": "zhou-sw", "wgp": "deng-5", "rperpd": "iwazaki-d", "wgpd": "deng-5-unknown", "block": "block-rkhs",
    "flat": "scarlett", "kernelucb": "flynn-6.4", "rgp": "bogunovic-4.2", "tv": "bogunovic-4.3",
    "epsfloor": "bogunovic-4.1", "inject": "mauduit-2.2", "wsparq": "mauduit-3.10", "sparq": "mauduit-3.3",
    "alphafloor": "mauduit-2.6", "few": "mauduit-5.3",
}  # fmt: skip


def record(stem: str, nu: float) -> Theorem | None:
    """The record of a stem for this smoothness; None where the papers have none."""
    try:
        return for_kernel(stem, nu)
    except ValueError:
        return None


def fraction(value: object) -> str:
    """An exact fraction as the screen writes it: 14/19."""
    return str(value)


def table(asked: Asked, frame: int) -> list[dict]:
    """Every theorem of this measure at this frame, like the papers' tables: exact powers, budget, validity."""
    place, rows = asked.place(frame), []
    T, V = asked.T, asked.drift(asked.T)
    nu = float(place.get("nu", math.inf))
    budgets = {"budget": ("V_T", "B_T", "none"), "alpha": ("alpha",), "epsilon": ("epsilon",)}[asked.measure]
    for word, stem in STEMS.items():
        theorem = record(stem, nu)
        if theorem is None or theorem.budget not in budgets:
            continue
        a, b = theorem.exponent(**place)
        asks = theorem.query_exponent(**place)
        speaks = theorem.valid(T=T, V=0.0 if theorem.condition == "V_T=0" else V, **place)
        rows.append(
            {
                "theorem": CARDS[word],
                "side": "at most" if theorem.side == "upper" else "at least",
                "power of T": fraction(a),
                "as decimal": round(float(a), 3),
                "power of the drift": fraction(b),
                "power of ln T": fraction(theorem.log_power(**place)),
                "budget": theorem.budget.replace("epsilon", "ε").replace("alpha", "α"),
                "must be told": theorem.knows.replace("$", "").replace("\\varepsilon", "ε").replace("\\alpha", "α")
                or "–",
                "re-asks, power of T": "–" if asks is None else fraction(asks),
                "holds here": "yes" if speaks else "no",
                "source": theorem.source.replace("$", "").replace("\\propto", "∝"),
            }
        )
    return rows


def events(asked: Asked) -> Sequence[int]:
    """Frames worth a stop: where a bound stops promising anything, and the usual kernels."""
    if asked.measure == "alpha":
        return [ALPHAS.index(a) for a in (0.0, 1 / 3, 1.0, 2.0)]
    stops = {math.inf, 2.5, 1.5, 0.5} | ({2.0} if asked.measure == "epsilon" else {min(1.25 * asked.d, 10.0)})
    return sorted(SMOOTH.index(s) for s in stops if s in SMOOTH)


def label(asked: Asked, frame: int) -> str:
    """What the player's bar says."""
    value = asked.sweep[frame]
    if asked.measure == "alpha":
        return "α = 1/3" if value == 1 / 3 else f"α = {value:g}"
    return "ν = ∞, the squared exponential" if math.isinf(value) else f"ν = {value:g}"
