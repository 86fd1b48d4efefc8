"""What the theorems page says, from the records only: where the ceiling is, who touches the floor, what is open."""

from __future__ import annotations

import math

import numpy as np

from lessons.shared import worlds
from lessons.shared.knobs import CARDS
from lessons.theorems.model import Asked, Sweep
from lessons.theorems.runs import Hidden, Meeting
from lessons.theorems.tables import STEMS, record, table
from tvbo_core.theory import BUDGETS, Theorem

HEIGHTS = (
    "Constants are unknown and count as 1: heights are arbitrary, only slopes are theorem. Dotted where a theorem does "
    "not speak; hatched: below the lower bound; red dashes: regret can never exceed 2BT, so a bound that grows like "
    "T is vacuous."
)
MIXED = (
    "R-, SW- and WGP-UCB are proved for a budget in the RKHS norm, the others for one in the sup norm: drawn at the "
    "same number, which favours the former. $V_T\\le\\sqrt\\kappa B_T$."
)
MODELS = {
    "frequentist": "frequentist: any reward of norm at most B",
    "Bayesian": "Bayesian: the reward is drawn from its prior",
    "idealised": "idealised: drift is replaced by independent noise on old answers",
}


def finding(sweep: Sweep) -> list[str]:
    """The sentence under the question for every frame (HTML)."""
    say = {"budget": _budget, "alpha": _alpha, "epsilon": _epsilon}[sweep.asked.measure]
    return [say(sweep, i) for i in range(sweep.frames)]


def smoothness(nu: float) -> str:
    return "ν = ∞" if math.isinf(nu) else f"ν = {nu:g}"


def _budget(sweep: Sweep, i: int) -> str:
    asked, nu = sweep.asked, sweep.asked.sweep[i]
    if asked.bet == "cover":
        return "At ν = 5/2, d = 2, R-GP-UCB's guarantee grows like T to which power? <b>Place your bet under More…</b>"
    weak, opkb, rperp, floor = (float(sweep.by_name[n].power[i]) for n in
                                ("R-, SW-, WGP-UCB", "OPKB", "R-PERP", "lower bound"))  # fmt: skip
    where = f"At {smoothness(nu)}, d = {asked.d}, V<sub>T</sub> = T<sup>{asked.v:g}</sup>"
    if floor >= 1 - 1e-9:
        fast = "nobody can follow a world that changes this fast"
        return f"{where} the lower bound itself grows like {power(floor)}: <b>{fast}</b>."
    if not sweep.by_name["R-PERP"].ok[i]:
        return f"{where} R-PERP's theorem asks for ν > 1/2: <b>it promises nothing</b>; the floor is {power(floor)}."
    if not sweep.by_name["R-PERP"].inside[i][-1]:
        why = "so little drift that its H would exceed T"
        return f"{where}: <b>Theorem 5 does not speak here</b>, {why}. The floor is {power(floor)}."
    verdict = " (promises nothing)" if weak >= 1 - 1e-9 else ""
    between = f", OPKB {power(opkb)}" if opkb - rperp > 5e-4 else ""
    return (
        f"{where}: R-, SW-, WGP-UCB {power(weak)}{verdict}{between}; "
        f"<b>R-PERP {power(rperp)} sits on the lower bound {power(floor)}</b>."
    )


def power(exponent: float) -> str:
    """T to a power, for a sentence in HTML."""
    return f"T<sup>{exponent:.3f}</sup>"


def _alpha(sweep: Sweep, i: int) -> str:
    asked, alpha = sweep.asked, sweep.asked.sweep[i]
    upper, floor, windows = (float(sweep.by_name[n].power[i]) for n in
                             ("GP-UCB, no re-asks", "floor, no re-asks", "W-SparQ"))  # fmt: skip
    where = f"At α = {'1/3' if alpha == 1 / 3 else f'{alpha:g}'}"
    many = max(1 - asked.window / alpha, 0.0) if alpha else 0.0
    again = f"W-SparQ promises {power(windows)} for about T<sup>{many:.2f}</sup> re-asks"
    if upper < 1:
        slow = "slow enough to learn without asking again"
        return f"{where} GP-UCB without re-asks promises {power(upper)}, the floor is {power(floor)}: <b>{slow}</b>."
    if floor < 1:
        return f"{where} the bound without re-asks is {power(upper)}, the floor {power(floor)}: <b>open</b>. {again}."
    return f"{where} <b>nobody learns without asking again</b> (floor {power(floor)}); {again}."


def _epsilon(sweep: Sweep, i: int) -> str:
    asked, nu = sweep.asked, sweep.asked.sweep[i]
    restart, walk = (sweep.by_name[n] for n in ("R-GP-UCB", "TV-GP-UCB"))
    where = f"At {smoothness(nu)}, d = {asked.d}"
    if not walk.ok[i]:
        return f"{where} Corollary 4.1 does not speak: <b>it asks for ν > 2</b>. The floor asks for smooth paths too."
    return (
        f"{where} the regret per step is promised to fall like ε<sup>{walk.power[i]:.3f}</sup> for TV-GP-UCB and "
        f"ε<sup>{restart.power[i]:.3f}</sup> for R-GP-UCB; <b>the lower bound ε<sup>1</sup> leaves a wide gap</b>."
    )


def caption(sweep: Sweep) -> str:
    """Set-up of the figure."""
    a = sweep.asked
    own = {"budget": f"$V_T=T^{{{a.v:g}}}$, ✚ at $T=10^{{{a.log_T:g}}}$", "alpha": f"window exponent α̃ = {a.window:g}",
           "epsilon": f"{'✚ at' if a.eps else 'no ✚ on logarithmic axes at'} ε = {a.eps:g}, "
                      f"$T=10^{{{a.log_T:g}}}$"}[a.measure]  # fmt: skip
    logs = "powers of ln T included" if a.logs else "logarithms hidden"
    norms = f" {MIXED}" if a.measure == "budget" else ""
    return f"{HEIGHTS}{norms} Closed form, no randomness: d = {a.d}, {own}, {logs}."


def notes(sweep: Sweep, i: int) -> list[str]:
    """What the reader's own setting means for the main theorem."""
    a, place = sweep.asked, sweep.asked.place(i)
    if a.measure != "budget":
        return []
    return [*_bet(a), *_place(a, place)]


def _bet(asked: Asked) -> list[str]:
    """The bet beside the exact power."""
    if asked.bet in ("off", "cover"):
        return []
    exact = record("zhou-r", 2.5).exponent(nu=2.5, d=2).T
    verdict = f"{'right, ' if float(asked.bet) == exact else ''}it promises nothing"
    return [f"Your bet: {asked.bet}. Exactly {exact}, from (12ν + 13d)/(16ν + 8d) at ν = 5/2, d = 2: {verdict}."]


def _place(a: Asked, place: dict) -> list[str]:
    """Whether R-PERP's theorem speaks at the reader's horizon and drift."""
    theorem = record("iwazaki-5", float(place["nu"]))
    V = a.drift(a.T)
    least, most = theorem.limits(T=a.T, V=V, **place)
    if least > most:
        return ["Theorem 5 asks for ν > 1/2. Dotted: nothing is promised."]
    if least > V:
        return [f"Theorem 5 needs $V_T\\ge{least:.3g}$ at $T=10^{{{a.log_T:g}}}$ (its restart length is then at most "
                f"T); you are at {V:.3g}. Dotted: nothing is promised by it. Try a larger drift growth v."]  # fmt: skip
    if most <= V:
        return [
            "The drift budget is as large as the horizon itself, $V_T=T$: the lower bound is linear, nobody can follow."
        ]
    return []


def card(asked: Asked, frame: int, word: str) -> tuple[Theorem | None, str]:
    """The record behind a word of the menu and its card in Markdown."""
    name, stem = CARDS[word], STEMS[word]
    place = asked.place(frame)
    nu = float(place.get("nu", math.inf))
    theorem = record(stem, nu)
    if theorem is None:
        return None, f"**{name}**: the paper states it for Matérn kernels only. Move ν below ∞."
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
        f"Here: $T^{{{a}}}{factor}${plus}, with $T^{{{float(a):.3f}}}${_asks(asks)}. {_speaks(theorem, asked, place)}",
        " · ".join(badges) + f". Budget: {BUDGETS[theorem.budget]}.",
        f"*{theorem.source}.*",
    ]
    if theorem.note:
        lines.insert(4, theorem.note)
    return theorem, "\n\n".join(lines)


BADGE = {"V_T": "$V_T$, sup norm", "B_T": "$B_T$, RKHS norm", "epsilon": "$\\varepsilon$ per step",
         "alpha": "$\\alpha$", "none": "none, still world"}  # fmt: skip


def _asks(asks: object) -> str:
    return "" if asks is None else f", with re-asks of order $T^{{{asks}}}$"


def _speaks(theorem: Theorem, asked: Asked, place: dict) -> str:
    if theorem.smooth_above and float(place.get("nu", math.inf)) <= theorem.smooth_above:
        return f"It asks for ν > {theorem.smooth_above:g}: ☐ not met."
    if not theorem.condition:
        return "No condition on the drift."
    if theorem.condition == "V_T=0":
        return "It speaks of a world that stands still: $V_T=0$."
    V = asked.drift(asked.T)
    holds = theorem.valid(T=asked.T, V=V, **place)
    mark = "☑ met" if holds else "☐ not met"
    least, _ = theorem.limits(T=asked.T, V=V, **place)
    numbers = ""
    if theorem.budget in ("V_T", "B_T", "epsilon") and math.isfinite(least) and least > 0:
        numbers = f" (from {least:.3g}; you are at {V:.3g})"
    return f"Holds for ${theorem.condition}$: {mark} at $T=10^{{{asked.log_T:g}}}${numbers}."


def bounds(asked: Asked, frame: int) -> str:
    """The papers' tables at this place, as Markdown: exact powers, budget, what must be told, validity."""
    head = "| | regret | power of T | budget | must be told | holds at ✚ |\n|---|---|---|---|---|---|\n"
    symbols = {"ε": "\\varepsilon", "α": "\\alpha"}
    rows = []
    for row in table(asked, frame):
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
        cells = (row["theorem"], f"${order}${asks}", f"{row['as decimal']:.3f}", shown, told, row["holds here"])
        rows.append("| " + " | ".join(cells) + " |")
    return head + "\n".join(rows)


TABLE = (
    "Exact powers, recomputed for this ν and d. The papers' tables list R-, SW- and WGP-UCB with $V_T$; the theorems "
    "are in $B_T$. ✚ is your place on the map."
)


def meeting(found: Meeting) -> str:
    """What the runs say about the bound, with the ratios."""
    rule, bound, T = found.setting.rule, found.bounds[-1], found.horizons[-1]
    mean, most = float(found.mean[-1]), float(found.most[-1])
    if not np.isfinite(mean):
        return found.refused[0] if found.refused else f"{rule.name}: the runs are on their way; the bound is there."
    said = [
        f"At T = {T} {rule.name} loses **{amount(mean)}** on average; its bound promises at most "
        f"{amount(bound.total)}, **{amount(bound.total / mean)} times as much**."
    ]
    if bound.total < most:
        said.append(f"It is below the {amount(most)} that cannot be exceeded, so it says something.")
    else:
        alone = dict(bound.terms)[bound.largest] > most and len(bound.terms) > 1
        why = f": its term “{bound.largest}” alone is more" if alone else ""
        said.append(f"Regret cannot exceed {amount(most)}, so the bound is vacuous here{why}.")
    floor = 0.0 if found.floor is None else float(found.floor[-1])
    if floor > 0:
        said.append(
            f"No algorithm can lose less than **{amount(floor)}** here on average; measured is {amount(mean / floor)} "
            "times that."
        )
    return " ".join(said)


def amount(value: float) -> str:
    """Three digits, or a power of ten."""
    if value >= 1e5:
        exponent = math.floor(math.log10(value))
        return f"{value / 10**exponent:.1f}·10{str(exponent).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


FLOOR = (
    "Lower bound: no algorithm, even one that knows this family of hidden bumps, has expected regret below this value, "
    "averaged over the hidden position (constants made explicit here). "
)
CERTIFIED = (
    "The gain inside the bound is certified on this grid: relaxation value plus duality gap (or greedy/(1 − 1/e) if "
    "smaller)."
)


def runs_caption(found: Meeting) -> str:
    """Set-up, seeds and what is proved."""
    s, k = found.setting, found.setting.seeds
    stage = s.stage(s.horizons[-1])
    seeds = f"seeds {s.world.seed} to {s.world.seed + k - 1}" if k > 1 else f"seed {s.world.seed}"
    budget = "" if stage.kind in ("still", "markov") else f"drift budget {stage.budget:g}, "
    setup = worlds.caption(stage).rsplit(", seed", 1)[0]
    floor = FLOOR if found.floor is not None else ""
    if not floor and s.arena == "adversary":
        floor = "This theorem is about a Markov reward: played there, without a floor, whose constant is open. "
    caution = f" {s.rule.caution}" if s.rule.caution else ""
    return (
        "Circles: final regret of a run, line: their mean (measured). Proved: the bound, with probability at least "
        f"{found.bounds[-1].chance:g} ({found.bounds[-1].source}). {floor}{CERTIFIED}{caution} Set-up: {setup}, "
        f"{budget}{seeds}, δ = 0.1, widths as the theorem says."
    )


def adversary(hidden: Hidden) -> str:
    """What the adversary's picture shows."""
    w, moves = hidden.world, len(hidden.place) - 1
    then = "It cannot pay for a move and hides once."
    if moves:
        then = (
            f"Then it may move: {moves} times, every {hidden.length} rounds; this draw spends {hidden.moved:.3g} of "
            f"the budget {w.budget:g}."
        )
    return (
        f"Each bump is {hidden.peak:.3g} high and has norm at most B = {w.norm_bound:g}; half its height is left "
        f"{hidden.width:.3g} away. There is room for {len(hidden.bumps)} of them, and with noise σ = {w.noise_sd:g} "
        f"nobody can tell well in {min(hidden.length, w.horizon)} rounds where the real one is. {then} "
        f"Set-up: {worlds.caption(w)}. Class of Scarlett et al. (2017), switching of Iwazaki & Takeno, Theorem 1; "
        "amplitude and constants derived here."
    )
