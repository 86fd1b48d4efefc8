"""Sentences, cards and tables of the sweep over theorems, from their records only."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from common.formats import in_millions
from lessons.theorems.knobs import CARD_NAMES
from lessons.theorems.laws import stated
from lessons.theorems.rates import model
from lessons.theorems.rates.model import Sweep, SweepSetting
from lessons.theorems.rates.tables import BUDGETS_OF, STEMS, table
from tvbo_core.theory import BUDGETS, Theorem

POWERS_NOTE = (
    "Powers alone: constants are unknown, logarithms left out. Dotted: the theorem does not allow this smoothness. "
    "Grey: regret can never exceed 2BT, so a bound that grows like T is vacuous. Filled marker: the method must be "
    "told how much drift there is; open: it need not be."
)
BUDGETS_NOTE = (
    "R-, SW- and WGP-UCB are proved for a budget in the RKHS norm, the others for one in the sup norm; both are drawn "
    "at the same number, which favours the former. $V_T\\le\\sqrt\\kappa B_T$."
)
IDEAL_NOTE = (
    "α is another model of drift than $V_T$: independent noise on old answers (ν = ∞), not a reward that moves. A "
    "reward that is drawn anew in every round has answers that do not get worse with age, and still costs every method "
    "a fixed amount a round."
)
CARD, EVERY = "What a theorem says at your place", "Every bound at your place"
TABLE_NOTE = "The papers' tables list R-, SW- and WGP-UCB with $V_T$; the theorems are in $B_T$."
BADGE = {
    "V_T": "$V_T$, sup norm",
    "B_T": "$B_T$, RKHS norm",
    "epsilon": "$\\varepsilon$ per step",
    "alpha": "$\\alpha$",
    "none": "none, still world",
}
MODELS = {
    "frequentist": "frequentist: any reward of norm at most B",
    "Bayesian": "Bayesian: the reward is drawn from its prior",
    "idealised": "idealised: drift is replaced by independent noise on old answers",
}


Facts = Mapping[str, float | None]


@dataclass(frozen=True)
class Reach:
    """Flags of a frame: the theorems that apply there, and whether a bet hides them.

    Attributes:
        covered: a bet hides what it asks for.   floor: the lower bound applies.   main: R-PERP's theorem does.
        smooth: the promise of R-PERP (of a Markov reward: TV-GP-UCB) is stated for this smoothness.
    """

    covered: bool = False
    floor: bool = True
    main: bool = True
    smooth: bool = True


def finding(sweep: Sweep) -> list[str]:
    """Return the sentence under the question for every frame (HTML)."""
    say = {"budget": _budget, "alpha": _alpha, "epsilon": _epsilon}[sweep.setting.measure]
    return [say(model.facts(sweep, frame), _reach(sweep, frame)) for frame in range(sweep.frames)]


def _reach(sweep: Sweep, frame: int) -> Reach:
    laws, i = sweep.by_name, sweep.rows[frame]
    if sweep.setting.measure == "epsilon":
        return Reach(smooth=bool(laws["TV-GP-UCB"].ok[i]))
    if sweep.setting.measure == "alpha":
        return Reach()
    floor, main = laws["lower bound"], laws["R-PERP"]
    return Reach(sweep.setting.bet == "cover", bool(floor.holds[frame]), bool(main.holds[frame]), bool(main.ok[i]))


def _budget(facts: Facts, reach: Reach) -> str:
    if reach.covered:
        return "At ν = 5/2, d = 2, R-GP-UCB's guarantee grows like T to which power? <b>Place your bet under More…</b>"
    names = ("R-, SW-, WGP-UCB", "ADA-OPKB", "R-PERP", "lower bound", "restarted OPKB")
    weak, opkb, rperp, floor, restarted = map(facts.get, names)
    if not reach.floor:
        asks = "it asks for V<sub>T</sub> ≤ C T<sup>c</sup> with c < 1"
        return f"<b>The lower bound does not apply here</b>: {asks}; no power below 1 is promised."
    if floor >= 1 - 1e-9:
        fast = "No method has sublinear regret in every world that changes this fast"
        return f"<b>{fast}</b>: the lower bound itself grows like {power(floor)}."
    if not reach.smooth:
        return f"R-PERP's theorem asks for ν > 1/2: <b>it promises nothing</b>; the lower bound is {power(floor)}."
    if not reach.main:
        why = "with so little drift its H would exceed T"
        return f"<b>Theorem 5 does not apply here</b>: {why}. The lower bound is {power(floor)}."
    both = "R-PERP sits" if restarted is None else "R-PERP and restarted OPKB sit"
    verdict = ", which promises nothing" if weak >= 1 - 1e-9 else ""
    others = f"R-, SW-, WGP-UCB {power(weak)}{verdict}"
    if opkb - rperp > 5e-4:
        return f"<b>{both} on the lower bound {power(floor)}</b>; ADA-OPKB, told nothing, has {power(opkb)}, {others}."
    return f"<b>{both} on the lower bound {power(floor)}</b>, and so does ADA-OPKB, told nothing; {others}."


def power(exponent: float) -> str:
    """Return T to a power, for a sentence in HTML."""
    return f"T<sup>{exponent:.3f}</sup>"


def _alpha(facts: Facts, reach: Reach) -> str:
    alpha, many = facts["α"], facts["re-asks of W-SparQ"]
    upper, floor, windows = (facts[n] for n in ("GP-UCB, no re-asks", "floor, no re-asks", "W-SparQ"))
    where = f"At α = {'1/3' if alpha == 1 / 3 else f'{alpha:g}'}"
    again = f"W-SparQ promises {power(windows)} for about T<sup>{many:.2f}</sup> re-asks"
    if upper < 1:
        slow = "in this idealisation it learns without re-asking"
        return (
            f"{where} GP-UCB without re-asks promises {power(upper)}, the lower bound is {power(floor)}: <b>{slow}</b>."
        )
    if floor < 1:
        return (
            f"Without re-asks GP-UCB promises nothing, the lower bound is {power(floor)}: <b>what is possible is "
            f"open</b>. {again}."
        )
    return f"{where} <b>without re-asks the lower bound is linear</b> in this idealisation; {again}."


def _epsilon(facts: Facts, reach: Reach) -> str:
    if not reach.smooth:
        return "Corollary 4.1 does not apply: <b>it asks for ν > 2</b>, and the lower bound asks for smooth paths too."
    return (
        f"The promised regret per step falls like ε<sup>{facts['TV-GP-UCB']:.3f}</sup> for TV-GP-UCB and "
        f"ε<sup>{facts['R-GP-UCB']:.3f}</sup> for R-GP-UCB; <b>the lower bound ε<sup>1</sup> leaves a wide gap</b>."
    )


def caption(sweep: Sweep) -> str:
    """Return the set-up of the figure."""
    a = sweep.setting
    own = {
        "budget": f"$V_T=T^{{{a.v:g}}}$, ✚ at $T=10^{{{a.log_T:g}}}$",
        "alpha": f"window exponent α̃ = {a.window:g}",
        "epsilon": f"{'✚ at' if a.eps else 'no ✚ on logarithmic axes at'} ε = {a.eps:g}, $T=10^{{{a.log_T:g}}}$",
    }[a.measure]
    norms = f" {BUDGETS_NOTE}" if a.measure == "budget" else ""
    ideal = f" {IDEAL_NOTE}" if a.measure == "alpha" else ""
    return f"{POWERS_NOTE}{norms}{ideal} Closed form, no randomness: d = {a.d}, {own}."


def notes(sweep: Sweep, i: int) -> list[str]:
    """Return the bet's answer, and whether the main theorem holds at the reader's own setting."""
    a, place = sweep.setting, sweep.setting.place(i)
    if a.measure != "budget":
        return []
    return [*_bet(a), *_place(a, place)]


def _bet(setting: SweepSetting) -> list[str]:
    """Return the bet beside the exact power."""
    if setting.bet in ("off", "cover"):
        return []
    exact = stated("zhou-r", 2.5).exponent(nu=2.5, d=2).T
    verdict = f"{'right, ' if float(setting.bet) == exact else ''}it promises nothing"
    return [f"Your bet: {setting.bet}. The power is {exact}, from (12ν + 13d)/(16ν + 8d) at ν = 5/2, d = 2: {verdict}."]


def _place(a: SweepSetting, place: dict) -> list[str]:
    """Return why R-PERP's theorem does not hold at the reader's horizon and drift, where it does not."""
    theorem = stated("iwazaki-5", float(place["nu"]))
    V = a.drift(a.T)
    least, most = theorem.limits(T=a.T, V=V, **place)
    if not theorem.allows(place["nu"]):
        return ["Theorem 5 asks for ν > 1/2: here it promises nothing and is drawn dotted."]
    small = (
        [
            "R-, SW- and WGP-UCB are not proved there: the tables assume a budget of at least a constant, counted as "
            f"1; you are at {V:.3g}."
        ]
        if V < 1
        else []
    )
    if least > V:
        return [
            f"Theorem 5 needs $V_T\\ge{least:.3g}$ at $T=10^{{{a.log_T:g}}}$ (its restart length is then at most "
            f"T); you are at {V:.3g}, where it is not stated: with H = T eq. 101 still bounds regret. "
            "Try a larger drift growth v.",
            *small,
        ]
    if most <= V:
        floor = stated("iwazaki-1", float(place["nu"]))
        if not floor.valid(T=a.T, V=V, **place):
            return [
                "The drift budget is as large as the horizon itself, $V_T=T$; for SE kernels Theorem 1 asks for "
                "$V_T\\le CT^c$ with $c<1$. A larger budget allows more worlds: no power of T "
                "below its limit, 1, can be promised (derived here)."
            ]
        return ["The drift budget is as large as the horizon itself, $V_T=T$: the lower bound is linear."]
    return small


def card(setting: SweepSetting, frame: int, word: str) -> tuple[Theorem | None, str]:
    """Return the record behind a word of the menu and its card in Markdown."""
    name, stem = CARD_NAMES[word], STEMS[word]
    place = setting.place(frame)
    nu = float(place.get("nu", math.inf))
    theorem = stated(stem, nu)
    if theorem is None:
        return None, f"**{name}**: the paper states it for Matérn kernels only. Move ν below ∞."
    if theorem.budget not in BUDGETS_OF[setting.measure]:
        other = f"**{name}** is about another model of drift: {BADGE[theorem.budget]}. Choose a theorem of the table."
        return None, other
    a, b = theorem.exponent(**place)
    badges = [f"Budget **{BADGE[theorem.budget]}**", MODELS[theorem.model]]
    if theorem.knows:
        badges.append(f"must be told {theorem.knows}" if theorem.knows != "nothing" else "needs to be told nothing")
    drift = {"V_T": "V_T", "B_T": "B_T", "epsilon": "\\varepsilon"}.get(theorem.budget)
    factor = f"\\,{drift}^{{{b}}}" if drift and b else ""
    plus = " (with $V_T+1$)" if theorem.plus_one else ""
    asks = theorem.query_exponent(**place)
    lines = [
        f"##### {theorem.name}: {theorem.words}",
        f"$$\n{theorem.statement}\n$$",
        f"Here: $T^{{{a}}}{factor}${plus}, with $T^{{{float(a):.3f}}}${_asks(asks)}. "
        f"{_condition(theorem, setting, place)}",
        " · ".join(badges) + f". Budget: {BUDGETS[theorem.budget]}.",
        f"*{theorem.source}.*",
    ]
    if theorem.note:
        lines.insert(4, theorem.note)
    return theorem, "\n\n".join(lines)


def _asks(asks: object) -> str:
    return "" if asks is None else f", with re-asks of order $T^{{{asks}}}$"


def _condition(theorem: Theorem, setting: SweepSetting, place: dict) -> str:
    nu = float(place.get("nu", math.inf))
    if theorem.kernels == "se" and nu < math.inf:
        return "It is proved for the squared exponential, ν = ∞: ☐ not met."
    if theorem.kernels == "matern" and nu == math.inf:
        return "It is stated for Matérn kernels, ν < ∞: ☐ not met."
    if not theorem.allows(nu):
        return f"It asks for ν > {theorem.smooth_above:g}: ☐ not met."
    if not theorem.condition:
        return "No condition on the drift."
    if theorem.condition == "V_T=0":
        return "It speaks of a world that stands still: $V_T=0$."
    V = setting.drift(setting.T)
    holds = theorem.valid(T=setting.T, V=V, **place)
    mark = "☑ met" if holds else "☐ not met"
    least, most = theorem.limits(T=setting.T, V=V, **place)
    numbers = ""
    if theorem.budget in ("V_T", "B_T", "epsilon") and math.isfinite(least):
        upto = f" to {most:.3g}" if math.isfinite(most) else ""
        numbers = f" (from {least:.3g}{upto}; you are at {V:.3g})"
    return f"Holds for ${theorem.condition}$: {mark} at $T=10^{{{setting.log_T:g}}}${numbers}."


def bounds(setting: SweepSetting, frame: int) -> str:
    """Return the papers' tables at this place as Markdown: exact powers, budget, what must be told, validity."""
    where = "at ✚" if has_place(setting) else "here"
    head = f"| | regret | power of T | rate {where} | budget | must be told | holds {where} |\n{7 * '|---'}|\n"
    symbols = {"ε": "\\varepsilon", "α": "\\alpha"}
    rows = []
    for row in table(setting, frame):
        budget = row["budget"]
        symbol = symbols.get(budget, budget)
        drift = f"\\,{symbol}^{{{row['power of the drift']}}}"
        if row["power of the drift"] == "1":
            drift = f"\\,({symbol}+1)" if "unknown" in row["theorem"] else f"\\,{symbol}"
        power_of_T = "T" if row["power of T"] == "1" else f"T^{{{row['power of T']}}}"
        rate = f"{power_of_T}{drift if row['power of the drift'] != '0' else ''}"
        order = f"\\tilde O({rate})" if row["side"] == "at most" else f"\\Omega({rate})"
        asks = "" if row["re-asks, power of T"] == "–" else f", re-asks $T^{{{row['re-asks, power of T']}}}$"
        shown = "–" if budget == "none" else f"${symbols.get(budget, budget)}$"
        told = row["must be told"].removeprefix("the ").removeprefix("budget ").replace("V_T", "$V_T$")
        told = told.replace("B_T", "$B_T$").removeprefix("rate ").removeprefix("exponent ")
        cells = (
            row["theorem"],
            f"${order}${asks}",
            f"{row['as decimal']:.3f}",
            _rate(row),
            shown,
            told,
            row["holds here"],
        )
        rows.append("| " + " | ".join(cells) + " |")
    return head + "\n".join(rows)


def _rate(row: Mapping) -> str:
    value = row["rate here (constants = 1)"]
    return "–" if value is None or row["holds here"] == "no" else in_millions(value)


def has_place(setting: SweepSetting) -> bool:
    """Return whether the reader's own horizon and drift have a place on the map, the cross."""
    return setting.measure != "alpha" and setting.drift(setting.T) > 0


def table_note(setting: SweepSetting) -> str:
    """Return what the table of bounds rests on."""
    norms = [TABLE_NOTE] if setting.measure == "budget" else []
    cross = ["✚ is your place on the map."] if has_place(setting) else []
    exact = f"Exact powers, computed for this {'α' if setting.measure == 'alpha' else 'ν'} and d."
    return " ".join([exact, *norms, *cross])
