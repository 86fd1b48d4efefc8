"""Sentences about bounds beside runs and about the adversary, from computed numbers only."""

from __future__ import annotations

from collections.abc import Mapping

from common.formats import in_millions, in_powers, plural
from lessons.shared import problems, worlds
from lessons.theorems.runs import model
from lessons.theorems.runs.adversary import HiddenBump
from lessons.theorems.runs.model import BoundVsRegret, RunSetting

ADVERSARY_HEADING = "The adversary behind the lower bound"
FLOOR_NOTE = (
    "Lower bound: the adversary hides one of several bumps. Averaged over the hidden place, no algorithm has less "
    "expected regret, even if it knows all bumps but not which is real (constants made explicit here). "
)
MARKOV_NOTE = (
    "This theorem is about a Markov reward and is played there. Lower bound: no algorithm, even one that observes "
    "the whole reward of the previous round, has expected regret below (1 + (T − 1)(1 − √(1 − ε))) E max f, averaged "
    "over the rewards of the model (derived here; its order is that of Bogunovic et al., Theorem 4.1). "
)


def finding(found: BoundVsRegret) -> list[str]:
    """Return measured regret beside its bounds, a sentence for every horizon (HTML)."""
    return [_at(model.facts(found, i), found.setting, *found.refused[:1]) for i in range(len(found.horizons))]


def _at(facts: Mapping[str, float | None], setting: RunSetting, refused: str = "") -> str:
    """Return the sentence of a horizon from its facts; `refused` says why no run could be."""
    mean, chance = facts["measured, mean"], facts["random play"]
    bound, most = float(facts["bound"] or 0.0), float(facts["cannot exceed"] or 0.0)
    if mean is None and refused:
        return refused
    name = setting.rule.name
    begins = (
        f"{name}'s regret is still to be measured"
        if mean is None
        else f"{name}'s measured regret is <b>{in_millions(mean)}</b>, random play's {in_millions(chance)}"
    )
    below, above = "below the trivial bound", "<b>more than anybody can lose</b>"
    if not setting.has_norm:  # its rewards have no bound: the worst choices lose so much on average
        below, above = "less than the worst choices lose", "<b>more than the worst choices lose</b>"
    beside = below if bound < most else above
    return f"{begins}. The theorem allows {in_millions(bound)}, {beside}."


def notes(found: BoundVsRegret) -> list[str]:
    """Return the drift that the bound is computed for, where the world drifts."""
    stage = found.setting.stage(found.horizons[-1])
    if not stage.budget or stage.kind in ("still", "markov"):
        return []
    spent = in_powers(problems.problem(stage).sup_variation, times="·", least=0.0)
    return [f"This world drifts by $V_T$ = {spent} (allowed: {stage.budget:g}); the bound is computed for {spent}."]


def caption(found: BoundVsRegret) -> str:
    """Return the set-up, the seeds and what is proved."""
    s, k, bound = found.setting, found.setting.seeds, found.proved.bounds[-1]
    stage = s.stage(s.horizons[-1])
    seeds = f"seeds {s.world.seed} to {s.world.seed + k - 1}" if k > 1 else f"seed {s.world.seed}"
    budget = ""
    if stage.kind not in ("still", "markov"):
        budget = f"drift budget {stage.budget:g}, "
    setup = worlds.caption(stage).rsplit(", seed", 1)[0]
    floor = FLOOR_NOTE if s.has_norm else MARKOV_NOTE
    caution = f" {s.rule.caution}" if s.rule.caution else ""
    runs = f"mean of {k} runs" if k > 1 else "one run"
    return (
        f"Measured: circles are runs, the line is their mean ({runs}), the shade is their spread. Each T has its own "
        f"world. Proved: the bound, with probability at least {bound.chance:g} ({bound.source}). "
        f"{floor.strip()}{caution} Set-up: {setup}, {budget}{seeds}, δ = 0.1, widths of "
        "the theorem."
    )


def adversary(hidden: HiddenBump) -> str:
    """Return the caption of the adversary's picture."""
    w, moves = hidden.world, len(hidden.place) - 1
    rounds = plural(min(hidden.length, w.horizon), "round")
    then = "The budget does not cover a move, so the bump stays."
    if moves:
        then = (
            f"Then the real bump may move: {plural(moves, 'time')}, every {rounds}. This draw uses "
            f"{hidden.moved:.3g} of the budget of {w.budget:g}."
        )
    return (
        f"Each bump is {hidden.peak:.3g} high and has norm at most B = {w.norm_bound:g}; half its height is left "
        f"{hidden.width:.3g} away. There is room for {len(hidden.bumps)} of them, and one is real. The bound rests on "
        f"how little {rounds} with noise σ = {w.noise_sd:g} can tell about which one. "
        f"{then} "
        f"Set-up: {worlds.caption(w)}. Class of Scarlett et al. (2017), switching of Iwazaki & Takeno, Theorem 1; "
        "amplitude and constants derived here."
    )
