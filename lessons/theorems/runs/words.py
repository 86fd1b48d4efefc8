"""Sentences about bounds beside runs and about the adversary, from computed numbers only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from common.formats import in_millions, in_powers
from lessons.shared import problems, worlds
from lessons.theorems.runs import model
from lessons.theorems.runs.adversary import HiddenBump
from lessons.theorems.runs.model import BoundVsRegret
from lessons.theorems.runs.slopes import Slope

TERMS_HEADING = "What the bound is made of"
ADVERSARY_HEADING = "Why no method can do better: the adversary"
FLOOR_NOTE = (
    "Lower bound: no algorithm, even one that knows this family of hidden bumps, has expected regret below this value, "
    "averaged over the hidden position (constants made explicit here). "
)
MARKOV_NOTE = (
    "This theorem is about a Markov reward and is played there. Lower bound: no algorithm, even one that is shown the "
    "whole reward of the round before, has expected regret below (1 + (T − 1)(1 − √(1 − ε))) E max f, averaged over "
    "the rewards of the model (derived here; its order is that of Bogunovic et al., Theorem 4.1). "
)
CERTIFIED_NOTE = (
    "The gain inside the bound is certified on this grid: relaxation value plus duality gap (or greedy/(1 − 1/e) if "
    "smaller)."
)


amount = partial(in_powers, times="·", least=0.0)  # regret and its bounds in a sentence


def finding(found: BoundVsRegret) -> list[str]:
    """Return measured regret beside its bounds, a sentence for every horizon (HTML)."""
    name, refused = found.setting.rule.name, found.refused
    return [_at(model.facts(found, i), name, refused[0] if refused else "") for i in range(len(found.horizons))]


def _at(facts: Mapping[str, float | None], name: str, refused: str) -> str:
    """Return the sentence of a horizon from its facts; `refused` says why no run could be."""
    mean, bound, most = facts["measured, mean"], float(facts["bound"] or 0.0), float(facts["cannot exceed"] or 0.0)
    if mean is None and refused:
        return refused
    floor = facts.get("lower bound (mean)") or 0.0
    begins = (
        f"What {name} loses is still to be measured" if mean is None else f"{name} loses <b>{in_millions(mean)}</b>"
    )
    if floor > 0:
        here = f"random play {in_millions(facts['random play'])}, the worst play {in_millions(facts['worst choices'])}"
        over = "<b>less than can be lost</b>" if bound < most else "<b>more than can be lost</b>"
        return f"{begins}, {here}; its proof allows {over}."
    proof = f"Its proof allows <b>{in_millions(bound)}</b>: "
    than = "less than" if bound < most else "more than"
    return f"{begins}. {proof}{than} the {in_millions(most)} that can be lost."


def _verdict(found: BoundVsRegret, rates: Sequence[Slope]) -> str:
    """Return what is left to improve, where rate and lower bound are about the same worlds."""
    floor = next(rate for rate in rates if rate.method == "floor")
    own = [rate for rate in rates if rate.name == found.setting.rule.name]
    if own and own[0].speaks and floor.speaks and abs(own[0].power - floor.power) < 1e-9 and own[0].power < 1:
        return "; nobody knows if its constants are."
    return ""


def notes(found: BoundVsRegret, rates: Sequence[Slope]) -> list[str]:
    """Return what is left to improve, and what the worst choices lose."""
    verdict = _verdict(found, rates)
    said = [f"Its rate is as good as possible up to logarithms{verdict}"] if verdict else []
    if found.setting.has_norm:
        worst, chance = found.proved.worst[-1], found.proved.chance[-1]
        said.append(
            f"In these very worlds the worst choices lose {amount(worst)} and random play {amount(chance)}, means over "
            "the seeds: 2BT is about every reward of norm B."
        )
    return said


def caption(found: BoundVsRegret) -> str:
    """Return the set-up, the seeds and what is proved."""
    s, k, bound = found.setting, found.setting.seeds, found.proved.bounds[-1]
    stage = s.stage(s.horizons[-1])
    seeds = f"seeds {s.world.seed} to {s.world.seed + k - 1}" if k > 1 else f"seed {s.world.seed}"
    budget = ""
    if stage.kind not in ("still", "markov"):
        spent = problems.problem(stage).sup_variation
        budget = (
            f"drift budget {stage.budget:g} (this world spends $V_T$ = {amount(spent)}, and the bound is of that), "
        )
    setup = worlds.caption(stage).rsplit(", seed", 1)[0]
    floor = "" if found.proved.floor is None else FLOOR_NOTE if s.adversarial else MARKOV_NOTE
    caution = f" {s.rule.caution}" if s.rule.caution else ""
    runs = f"mean of {k} runs" if k > 1 else "one run"
    return (
        f"Measured: circles are runs, the line is their mean ({runs}), the shade their spread; each T has a world of "
        f"its own. Proved: the bound, with probability at least {bound.chance:g} ({bound.source}). "
        f"{floor}{CERTIFIED_NOTE}{caution} Set-up: {setup}, {budget}{seeds}, δ = 0.1, widths as "
        "the theorem says."
    )


def adversary(hidden: HiddenBump) -> str:
    """Return what the adversary's picture shows."""
    w, moves = hidden.world, len(hidden.place) - 1
    then = "The budget does not cover a move, so it hides once."
    if moves:
        then = (
            f"Then it may move: {moves} times, every {hidden.length} rounds; this draw uses {hidden.moved:.3g} of "
            f"the budget of {w.budget:g}."
        )
    return (
        f"Each bump is {hidden.peak:.3g} high and has norm at most B = {w.norm_bound:g}; half its height is left "
        f"{hidden.width:.3g} away. There is room for {len(hidden.bumps)} of them, and with noise σ = {w.noise_sd:g} "
        f"no method can tell reliably in {min(hidden.length, w.horizon)} rounds which one is real. {then} "
        f"Set-up: {worlds.caption(w)}. Class of Scarlett et al. (2017), switching of Iwazaki & Takeno, Theorem 1; "
        "amplitude and constants derived here."
    )
