"""Sentences, cards and tables of the sweep over theorems, from their records only."""

from __future__ import annotations

import math
from collections.abc import Mapping

from common.formats import and_list
from lessons.theorems.knobs import CARD_NAMES
from lessons.theorems.laws import stated
from lessons.theorems.rates import model
from lessons.theorems.rates.model import Sweep, SweepSetting
from lessons.theorems.rates.tables import BUDGETS_OF, STEMS
from tvbo_core.theory import BUDGETS, Theorem

POWERS_NOTE = (
    "Constants are unknown, and logarithms are left out. Grey: a bound that grows like T or faster is vacuous, because "
    "regret never exceeds 2BT. Filled marker: the method needs the amount of drift as an input. Open marker: it does "
    "not."
)
DOTTED_NOTE = "Dotted: the theorem does not cover this smoothness."
BUDGETS_NOTE = (
    "R-, SW- and WGP-UCB are proved for a budget in the RKHS norm, the others for one in the sup norm. Both "
    "budgets have the same value here, which favours R-, SW- and WGP-UCB. $V_T\\le\\sqrt\\kappa B_T$."
)
IDEAL_NOTE = (
    "With α, drift is independent noise on old observations (ν = ∞). With $V_T$, the reward itself moves: that is "
    "another model of drift."
)
CARD = "Theorem card: one theorem at this (T, V_T, ν)"
BADGE = {
    "V_T": "$V_T$, sup norm",
    "B_T": "$B_T$, RKHS norm",
    "epsilon": "$\\varepsilon$ per step",
    "alpha": "$\\alpha$",
    "none": "none, static reward",
}
MODELS = {
    "frequentist": "frequentist: any reward of norm at most B",
    "Bayesian": "Bayesian: the reward is drawn from its prior",
    "idealised": "idealised: independent noise on old observations replaces drift",
}


Facts = Mapping[str, float | None]


def finding(sweep: Sweep) -> list[str]:
    """Return the sentence under the question for every frame (HTML)."""
    say = {"budget": _budget, "alpha": _alpha, "epsilon": _epsilon}[sweep.setting.measure]
    return [say(model.facts(sweep, frame), sweep, frame) for frame in range(sweep.frames)]


def _budget(facts: Facts, sweep: Sweep, frame: int) -> str:
    main = sweep.by_name["R-PERP"]
    names = ("R-, SW-, WGP-UCB", "ADA-OPKB", "R-PERP", "lower bound", "restarted OPKB")
    weak, opkb, rperp, floor, restarted = map(facts.get, names)
    if not sweep.by_name["lower bound"].holds[frame]:
        return (
            "<b>The lower bound does not apply here</b>: it requires V<sub>T</sub> ≤ C T<sup>c</sup> with c < 1. No "
            "power below 1 is guaranteed."
        )
    if floor >= 1 - 1e-9:
        fast = "No algorithm has sublinear regret for every reward that drifts this fast"
        return f"<b>{fast}</b>: the lower bound itself grows like {power(floor)}."
    if not main.ok[frame]:
        return f"R-PERP's theorem requires ν > 1/2: <b>no guarantee here</b>. The lower bound is {power(floor)}."
    if not main.holds[frame]:
        why = "with so little drift its restart interval would exceed T"
        return f"<b>Theorem 5 does not apply here</b>: {why}. The lower bound is {power(floor)}."
    best = ["R-PERP"] + ["restarted OPKB"] * (restarted is not None) + ["ADA-OPKB"] * (opkb - rperp <= 5e-4)
    reach = f"<b>{'reach' if len(best) > 1 else 'reaches'} the lower bound {power(floor)}</b>"
    match = f"Up to logarithms, {and_list(best)} {reach}."
    opkb_too = "" if "ADA-OPKB" in best else f" ADA-OPKB has {power(opkb)}."
    vacuous = " The bound of R-, SW- and WGP-UCB is vacuous."
    return match + opkb_too + (vacuous if weak >= 1 - 1e-9 else f" R-, SW- and WGP-UCB have {power(weak)}.")


def power(exponent: float) -> str:
    """Return T to a power, for a sentence in HTML."""
    return f"T<sup>{exponent:.3f}</sup>"


def _alpha(facts: Facts, sweep: Sweep, frame: int) -> str:
    alpha, many = facts["α"], facts["side queries of W-SparQ"]
    upper, floor, windows = (facts[n] for n in ("GP-UCB, no side queries", "lower bound, no side queries", "W-SparQ"))
    where = f"At α = {'1/3' if alpha == 1 / 3 else f'{alpha:g}'}"
    again = f"W-SparQ guarantees {power(windows)} with about T<sup>{many:.2f}</sup>"
    if upper < 1:
        return (
            f"{where}, <b>without side queries</b>, GP-UCB guarantees regret {power(upper)}; no method can guarantee "
            f"less than {power(floor)} in this idealisation."
        )
    if floor < 1:
        return (
            f"Without side queries GP-UCB's bound is vacuous and the lower bound is {power(floor)}: <b>the optimum is "
            f"open</b>. {again}."
        )
    return f"{where} <b>the lower bound without side queries is linear</b> in this idealisation; {again}."


def _epsilon(facts: Facts, sweep: Sweep, frame: int) -> str:
    if not sweep.by_name["TV-GP-UCB"].ok[frame]:
        return "Corollary 4.1 does not apply: <b>it requires ν > 2</b>. The lower bound also requires smooth paths."
    upper = facts["TV-GP-UCB"]
    return (
        f"Halving the drift rate ε takes {100 * (1 - 0.5**upper):.0f} % off TV-GP-UCB's proved regret per step "
        f"(ε<sup>{upper:.3f}</sup>) and <b>half off the lower bound</b> (ε<sup>1</sup>)."
    )


def caption(sweep: Sweep) -> str:
    """Return the set-up of the figure."""
    a = sweep.setting
    own = {
        "budget": f"$V_T=T^{{{a.v:g}}}$, ✚ at $T=10^{{{a.log_T:g}}}$",
        "alpha": f"window exponent α̃ = {a.window:g}",
        "epsilon": f"{'✚ at' if a.eps else 'no ✚ on logarithmic axes at'} ε = {a.eps:g}, $T=10^{{{a.log_T:g}}}$",
    }[a.measure]
    note = {"budget": f" {DOTTED_NOTE} {BUDGETS_NOTE}", "alpha": f" {IDEAL_NOTE}", "epsilon": f" {DOTTED_NOTE}"}[
        a.measure
    ]
    return f"{POWERS_NOTE}{note} Closed form, no randomness: d = {a.d}, {own}."


def notes(sweep: Sweep, i: int) -> list[str]:
    """Return why R-PERP's theorem does not hold at the reader's horizon and drift, where it does not."""
    a, place = sweep.setting, sweep.setting.place(i)
    if a.measure != "budget":
        return []
    theorem = stated("iwazaki-5", float(place["nu"]))
    V = a.drift(a.T)
    least, most = theorem.limits(T=a.T, V=V, **place)
    if not theorem.allows(place["nu"]):
        return ["Theorem 5 requires ν > 1/2: it does not apply here and is drawn dotted."]
    small = (
        [
            "R-, SW- and WGP-UCB are not proved there: the tables assume a budget of at least a constant, counted as "
            f"1; here it is {V:.3g}."
        ]
        if V < 1
        else []
    )
    if least > V:
        return [
            f"Theorem 5 needs $V_T\\ge{least:.3g}$ at $T=10^{{{a.log_T:g}}}$ (its restart length is then at most "
            f"T); here $V_T$ is {V:.3g}, so it does not apply. With H = T, eq. 101 still bounds regret. "
            "Try a larger drift growth v.",
            *small,
        ]
    if most <= V:
        floor = stated("iwazaki-1", float(place["nu"]))
        if not floor.valid(T=a.T, V=V, **place):
            return [
                "The drift budget is as large as the horizon itself, $V_T=T$; for SE kernels Theorem 1 requires "
                "$V_T\\le CT^c$ with $c<1$. A larger budget allows more rewards, so no "
                "power of T below 1 can be guaranteed (derived here)."
            ]
        return ["The drift budget is as large as the horizon itself, $V_T=T$: the lower bound is linear."]
    return small


def card(setting: SweepSetting, frame: int, word: str) -> str:
    """Return the card of a theorem in Markdown."""
    name, stem = CARD_NAMES[word], STEMS[word]
    place = setting.place(frame)
    nu = float(place.get("nu", math.inf))
    theorem = stated(stem, nu)
    if theorem is None:
        return f"**{name}**: the paper states it for Matérn kernels only. Move ν below ∞."
    if theorem.budget not in BUDGETS_OF[setting.measure]:
        return f"**{name}** is about another model of drift: {BADGE[theorem.budget]}. Choose a theorem of this measure."
    a, b = theorem.exponent(**place)
    badges = [f"Budget **{BADGE[theorem.budget]}**", MODELS[theorem.model]]
    if theorem.knows:
        badges.append(f"must know {theorem.knows}" if theorem.knows != "nothing" else "does not need the drift")
    drift = {"V_T": "V_T", "B_T": "B_T", "epsilon": "\\varepsilon"}.get(theorem.budget)
    factor = f"\\,{drift}^{{{b}}}" if drift and b else ""
    plus = " (with $V_T+1$)" if theorem.plus_one else ""
    queries = theorem.query_exponent(**place)
    exponent = "" if queries is None else f", with side queries of order $T^{{{queries}}}$"
    lines = [
        f"##### {theorem.name}: {theorem.words}",
        f"$$\n{theorem.statement}\n$$",
        f"Here: $T^{{{a}}}{factor}${plus}, with $T^{{{float(a):.3f}}}${exponent}. "
        f"{_condition(theorem, setting, place)}",
        " · ".join(badges) + f". Budget: {BUDGETS[theorem.budget]}.",
        f"*{theorem.source}.*",
    ]
    if theorem.note:
        lines.insert(4, theorem.note)
    return "\n\n".join(lines)


def _condition(theorem: Theorem, setting: SweepSetting, place: dict) -> str:
    nu = float(place.get("nu", math.inf))
    if theorem.kernels == "se" and nu < math.inf:
        return "It is proved for the squared exponential, ν = ∞: ☐ not met."
    if theorem.kernels == "matern" and nu == math.inf:
        return "It is stated for Matérn kernels, ν < ∞: ☐ not met."
    if not theorem.allows(nu):
        return f"It requires ν > {theorem.smooth_above:g}: ☐ not met."
    if not theorem.condition:
        return "No condition on the drift."
    if theorem.condition == "V_T=0":
        return "It is about a static reward: $V_T=0$."
    V = setting.drift(setting.T)
    holds = theorem.valid(T=setting.T, V=V, **place)
    mark = "☑ met" if holds else "☐ not met"
    least, most = theorem.limits(T=setting.T, V=V, **place)
    numbers = ""
    if theorem.budget in ("V_T", "B_T", "epsilon") and math.isfinite(least):
        upto = f" to {most:.3g}" if math.isfinite(most) else ""
        numbers = f" (from {least:.3g}{upto}; here {V:.3g})"
    return f"Holds for ${theorem.condition}$: {mark} at $T=10^{{{setting.log_T:g}}}${numbers}."
