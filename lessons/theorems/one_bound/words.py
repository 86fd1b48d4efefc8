"""Sentences about one bound: its value, its conditions, and from which horizon on it is non-vacuous."""

from __future__ import annotations

import math
from collections.abc import Mapping

from common.formats import in_millions, in_powers, number
from lessons.theorems.one_bound import model
from lessons.theorems.one_bound.model import Condition, OneBound, OneSetting

SYMBOLS = {"V_T": "V<sub>T</sub>", "B_T": "B<sub>T</sub>", "epsilon": "ε", "alpha": "α"}
# Conditions on exponents, as the screen writes them.
EXPONENTS = {
    "\\tilde\\alpha<1/3": "α̃ below 1/3",
    "\\alpha>1": "α above 1",
    "\\tfrac13\\le\\alpha\\le1": "α from 1/3 to 1",
}
MODELS = {
    "frequentist": "any reward of norm at most B",
    "frequentist, lower": "some reward of norm at most B",
    "Bayesian": "a reward drawn from its prior",
    "idealised": "independent noise on old observations in place of drift",
}
OTHER_MODEL = (
    "α and $V_T$ are two models of drift. With α, old observations get independent noise; with $V_T$, the "
    "reward moves. "
    "A guarantee in one is not a guarantee in the other."
)
DRIFTS = {
    "V_T": "Its drift is $V_T$, in the sup norm.",
    "B_T": "Its drift is $B_T:={V}$, in the RKHS norm. $V_T$ does not bound it.",
    "epsilon": "It has no $V_T$: its drift is a share ε a round.",
    "alpha": f"It has no $V_T$: its drift is α. {OTHER_MODEL}",
    "none": "It has no $V_T$: its reward is static.",
}
RATE = (
    "The paper leaves the constants open. Here the constants and the logarithms count as 1, so only the growth is a "
    "theorem."
)


def smoothness(nu: float) -> str:
    """Return a smoothness as the knob writes it."""
    return "∞" if math.isinf(nu) else {0.5: "1/2", 1.5: "3/2", 2.5: "5/2"}.get(nu, f"{nu:g}")


def horizon(T: float) -> str:
    """Return a horizon for a sentence: 1,600, or 2·10¹² in one digit."""
    return in_millions(T) if T < 1e6 else in_powers(float(f"{T:.1g}"), times="·").replace(".0·", "·")


def finding(found: OneBound) -> list[str]:
    """Return the theorem's sentence at every horizon (HTML)."""
    reach = _reach(found)
    return [_at(model.facts(found, i), found, i, reach) for i in range(len(found.T))]


def _reach(found: OneBound) -> str:
    """Return from which horizon on a bound with its constants is below the trivial one."""
    if found.crossing is None:
        return f"The theorem is vacuous up to T = {horizon(found.T[-1])}"
    if found.crossing <= found.T[0]:
        return f"The theorem is non-vacuous from T = {horizon(found.T[0])} on, or earlier"
    return f"The theorem is non-vacuous from T ≈ {horizon(found.crossing)} on"


def _at(facts: Mapping[str, float | None], found: OneBound, i: int, reach: str) -> str:
    setting = found.setting
    theorem = setting.theorem
    unmet = [condition(setting, one) for one in found.conditions[i] if not one.met]
    if theorem is None or not theorem.allows(setting.nu):
        nu = smoothness(setting.nu)
        return f"<b>The theorem does not apply</b>: it needs {unmet[0]}. Here ν is {nu}."
    static = any(one.kind == "static" and not one.met for one in found.conditions[i])
    if static:
        only = f"{theorem.name} is proved for a static world, V<sub>T</sub> = 0"
        there = f" In a static world its bound is {in_millions(facts['bound'])}." if "bound" in facts else ""
        return f"{only}: <b>at V<sub>T</sub> = {setting.V:g} it does not apply</b>.{there}"
    if "bound" in facts:
        value, most = in_millions(facts["bound"]), in_millions(facts["the most"])
        worst = (
            f"nobody can lose more than {most} (2BT)"
            if normed(setting)
            else f"the worst choices lose {most} on average"
        )
        allows = f"{theorem.name}'s theorem{_put(setting)} allows regret <b>{value}</b>"
        return f"{allows}; {worst}. {reach}."
    if facts["rate"] is None:
        return f"<b>This rate does not apply</b> at {SYMBOLS[theorem.budget]} = 0: nothing drifts."
    power, side = number(float(facts["power of T"] or 0.0)), "lower" if found.is_floor else "upper"
    if unmet:
        grows = f"Its rate would grow like T<sup>{power}</sup>."
        return f"<b>The theorem does not apply</b>: it needs {unmet[0]}. {grows}"
    rate = f"The {side} bound{_put(setting)} has the rate <b>{in_millions(facts['rate'])}</b> (constants count as 1)"
    if float(facts["power of T"] or 0.0) >= 1 - 1e-9:
        end = f"{_nobody(setting)} has sublinear regret" if found.is_floor else "it is vacuous"
        return f"{rate}. It grows like T<sup>{power}</sup>, <b>like the trivial bound: {end}</b>."
    return f"{rate}. It grows like T<sup>{power}</sup>."


def _nobody(setting: OneSetting) -> str:
    """Return which algorithms a lower bound is about: with α, those without side queries or with few."""
    theorem = setting.theorem
    if theorem is None or theorem.budget != "alpha":
        return "no algorithm"
    few = theorem.query_exponent(**setting.place) is not None
    return f"no algorithm {'with so few' if few else 'without'} side queries"


def _put(setting: OneSetting) -> str:
    """Return which number stands for $B_T$, which no $V_T$ bounds: the reader's own."""
    theorem = setting.theorem
    return f" at B<sub>T</sub> := {setting.V:g}" if theorem is not None and theorem.budget == "B_T" else ""


def normed(setting: OneSetting) -> bool:
    """Return whether the reward has a norm bound B, so that no algorithm can lose more than 2BT."""
    return setting.case is None or "markov" not in setting.case.kinds


def condition(setting: OneSetting, one: Condition) -> str:
    """Return a condition with its number, as what the theorem needs."""
    theorem = setting.theorem
    if theorem is None or (one.kind == "kernel" and theorem.kernels == "matern"):
        return "a Matérn kernel, ν below ∞"
    if one.kind == "kernel":
        return "a squared exponential kernel, ν = ∞"
    if one.kind == "static":
        return "V<sub>T</sub> = 0, a static world"
    if one.kind == "smooth":
        return f"ν above {smoothness(one.end)}"
    if one.kind == "exponent":
        return EXPONENTS[theorem.condition]
    end = in_millions(one.end) if one.end < 1e9 else in_powers(one.end, times="·")
    return f"{SYMBOLS[theorem.budget]} {'≥' if one.kind == 'least' else '≤'} {end}"


def conditions(found: OneBound, i: int) -> list[tuple[str, bool]]:
    """Return each condition at a horizon in words, and whether it is met; the last is that the bound is non-vacuous."""
    rows = [(condition(found.setting, one), one.met) for one in found.conditions[i]]
    if found.has_constants:
        most = "2BT" if normed(found.setting) else "the worst choices"
        rows.append((f"bound below {most}", bool(found.value[i] < found.most[i])))
    return rows


def notes(found: OneBound, i: int) -> list[str]:
    """Return notes on the measure of drift, the constants and the restart interval."""
    setting, theorem = found.setting, found.setting.theorem
    if theorem is None:
        return []
    sentences = [DRIFTS[theorem.budget].format(V=f"{setting.V:g}")]
    if not found.has_constants and theorem.allows(setting.nu):
        sentences.append(RATE)
        if any(one.theorem == setting.stem for one in model.CASES.values()):
            sentences.append(
                "The lab has this bound with explicit constants for d = 1 (WGP-UCB: and ν = ∞), on 100 actions."
            )
    if (
        setting.case is not None
        and setting.case.key == "rperp"
        and any(one.kind == "least" and not one.met for one in found.conditions[i])
    ):
        sentences.append("Below that drift the prescribed restart exceeds T. With H = T, eq. 101 still bounds regret.")
    return sentences


def caption(found: OneBound) -> str:
    """Return source, set-up and what each line is."""
    setting, theorem = found.setting, found.setting.theorem
    if theorem is None:
        return "No theorem is stated for this kernel: choose another ν."
    powers = theorem.leading(T=float(found.T[-1]), V=setting.drift, **setting.place)
    proved = MODELS.get(f"{theorem.model}, {theorem.side}", MODELS[theorem.model])
    drift = {"V_T": "V_T", "B_T": "B_T", "epsilon": "\\varepsilon"}.get(theorem.budget, "") if powers.drift else ""
    factor = drift and f"\\,{drift}^{{{powers.drift}}}"
    plus = " (with $V_T+1$)" if theorem.plus_one else ""
    queries = theorem.query_exponent(**setting.place)
    asked = "" if queries is None else f", with side queries of order $T^{{{queries}}}$"
    needs = {"": "", "nothing": " It does not need the drift."}.get(theorem.knows, f" It must know {theorem.knows}.")
    parts = [
        f"{theorem.name}, {theorem.source}: ${theorem.statement}$. {theorem.words} Here: $T^{{{powers.T}}}{factor}$"
        f"{plus}{asked}. Proved for {proved}.{needs}"
    ]
    if found.has_constants and setting.case is not None:
        bound = model.bound_at(setting, setting.case, int(found.T[0]))
        parts.append(
            f"Proved with probability at least {bound.chance:g}: {bound.source}; 100 actions on [0, 1], noise "
            f"σ = {setting.world.noise_sd:g}, ℓ = {setting.world.lengthscale:g}."
        )
    else:
        parts.append("The grey line grows like T, as the trivial bound 2BT does.")
    if found.floor_counts:
        parts.append(
            f"The lower bound is an average over {'where the bump hides' if normed(setting) else 'the rewards'}, with "
            "constants made explicit here"
            + (
                f". It is computed up to T = {horizon(model.LONGEST_FLOOR)}."
                if setting.case and normed(setting)
                else "."
            )
        )
    if theorem.note:
        parts.append(theorem.note)
    return " ".join(parts)
