"""Sentences about the sweep over theorems, from their records only."""

from __future__ import annotations

import math
from collections.abc import Mapping

from common.formats import and_list, power_of_ten
from lessons.theorems.laws import stated
from lessons.theorems.rates import model
from lessons.theorems.rates.model import Sweep

POWERS_NOTE = (
    "Constants are unknown, and logarithms are left out. Grey: a bound that grows like T or faster is vacuous, because "
    "regret never exceeds 2BT. Filled marker: the method needs the amount of drift as an input. Open marker: it does "
    "not. “One bound” has the statement and the conditions of each theorem."
)
DOTTED_NOTE = "Dotted: the theorem does not cover this smoothness."
BUDGETS_NOTE = (
    "The bounds of R-, SW- and WGP-UCB take a budget in the RKHS norm, the others one in the sup norm. Both have the "
    "same value here, which favours R-, SW- and WGP-UCB, as $V_T\\le\\sqrt\\kappa B_T$."
)
IDEAL_NOTE = (
    "With α, drift is independent noise on old observations (ν = ∞). With $V_T$, the reward itself moves: that is "
    "another model of drift."
)
Facts = Mapping[str, float | None]


def finding(sweep: Sweep) -> list[str]:
    """Return the sentence under the question for every frame (HTML)."""
    say = _budget if sweep.setting.measure == "budget" else _alpha
    return [say(model.facts(sweep, frame), sweep, frame) for frame in range(sweep.frames)]


def _budget(facts: Facts, sweep: Sweep, frame: int) -> str:
    names = ("R-, SW-, WGP-UCB", "ADA-OPKB", "R-PERP", "lower bound", "restarted OPKB")
    weak, opkb, rperp, floor, restarted = map(facts.get, names)
    if sweep.setting.v >= 1 and not facts["lower bound holds"]:  # for the squared exponential v is to be below 1
        return (
            "<b>The lower bound does not apply here</b>: it requires V<sub>T</sub> ≤ C T<sup>c</sup> with c < 1. No "
            "power below 1 is guaranteed."
        )
    if floor >= 1 - 1e-9:
        fast = "No algorithm has sublinear regret for every reward that drifts this fast"
        return f"<b>{fast}</b>: the lower bound itself grows like {power(floor)}."
    if not sweep.by_name["R-PERP"].ok[frame]:
        return f"R-PERP's theorem requires ν > 1/2: <b>no guarantee here</b>. The lower bound is {power(floor)}."
    if not facts["R-PERP holds"]:
        why = "with so little drift its restart interval would exceed T"
        at = f"T = {power_of_ten(model.LOG_T)}"
        return f"<b>Theorem 5 does not apply at {at}</b>: {why}. The lower bound is {power(floor)}."
    best = ["R-PERP"] + ["restarted OPKB"] * (restarted is not None) + ["ADA-OPKB"] * (opkb - rperp <= 5e-4)
    reach = f"<b>{'reach' if len(best) > 1 else 'reaches'} the lower bound {power(floor)}</b>"
    others = "vacuous" if weak >= 1 - 1e-9 else power(weak)
    return f"Up to logarithms, {and_list(best)} {reach}; R-, SW-, WGP-UCB: {others}."


def power(exponent: float) -> str:
    """Return T to a power, for a sentence in HTML."""
    return f"T<sup>{exponent:.3f}</sup>"


def _alpha(facts: Facts, sweep: Sweep, frame: int) -> str:
    alpha, many = facts["α"], facts["side queries of W-SparQ"]
    upper, floor, windows = (
        facts[n] for n in ("UI-GP-UCB, no side queries", "lower bound, no side queries", "W-SparQ")
    )
    where = f"At α = {'1/3' if alpha == 1 / 3 else f'{alpha:g}'}"
    again = f"W-SparQ guarantees regret {power(windows)} with about T<sup>{many:.2f}</sup> side queries"
    if upper < 1:
        return (
            f"{where}, <b>without side queries</b>, UI-GP-UCB guarantees regret {power(upper)}; no method can "
            f"guarantee less than {power(floor)} in this model."
        )
    if floor < 1:
        return f"<b>Without side queries</b> UI-GP-UCB's bound is vacuous; the lower bound is {power(floor)}. {again}."
    return f"{where} <b>the lower bound without side queries is linear</b> in this model; {again}."


def caption(sweep: Sweep) -> str:
    """Return the set-up of the figure."""
    a = sweep.setting
    if a.measure == "alpha":
        note, own = IDEAL_NOTE, f"window exponent α̃ = {a.window:g}"
    else:
        note, own = f"{DOTTED_NOTE} {BUDGETS_NOTE}", f"$V_T=T^{{{a.v:g}}}$, ✚ at $T=10^{{{model.LOG_T:g}}}$"
    return f"{POWERS_NOTE} {note} Closed form, no randomness: d = {a.d}, {own}."


def notes(sweep: Sweep, i: int) -> list[str]:
    """Return the power of ADA-OPKB, and from which drift on R-PERP's theorem holds where there is too little."""
    a, place = sweep.setting, sweep.setting.place(i)
    theorem, V = stated("iwazaki-5", float(place.get("nu", math.inf))), a.drift
    if a.measure != "budget" or not theorem.allows(place["nu"]):
        return []
    least, _ = theorem.limits(T=model.T, V=V, **place)
    found = []
    if (ada := model.facts(sweep, i).get("ADA-OPKB")) is not None:
        found.append(f"ADA-OPKB, which is not told $V_T$, has $T^{{{ada:.3f}}}${', vacuous' * (ada >= 1)}.")
    if least > V:
        found.append(
            f"Theorem 5 needs $V_T\\ge{least:.3g}$ at $T=10^{{{model.LOG_T:g}}}$ (its restart length is then at most "
            f"T); here $V_T$ is {V:.3g}, so it does not apply. With H = T, eq. 101 still bounds regret. "
            "Try a larger drift growth v."
        )
    if V < 1:
        found.append(
            "R-, SW- and WGP-UCB are not proved there: the tables assume a budget of at least a constant, counted as "
            f"1; here it is {V:.3g}."
        )
    return found
