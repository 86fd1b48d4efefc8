"""Sentences about bounds beside runs and about the adversary, from computed numbers only."""

from __future__ import annotations

import math

import numpy as np

from lessons.shared import worlds
from lessons.theorems.adversary import HiddenBump
from lessons.theorems.bound_vs_regret import BoundVsRegret

HEADING = "#### Bounds meet runs"
ADVERSARY_HEADING = "#### Why nobody can do better: the adversary"
FLOOR_NOTE = (
    "Lower bound: no algorithm, even one that knows this family of hidden bumps, has expected regret below this value, "
    "averaged over the hidden position (constants made explicit here). "
)
CERTIFIED_NOTE = (
    "The gain inside the bound is certified on this grid: relaxation value plus duality gap (or greedy/(1 − 1/e) if "
    "smaller)."
)


def finding(found: BoundVsRegret) -> str:
    """Return measured regret beside the bounds at the longest horizon, with the ratios (Markdown)."""
    rule, bound, T = found.setting.rule, found.proved.bounds[-1], found.horizons[-1]
    mean, most = float(found.mean[-1]), float(found.proved.trivial[-1])
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
    floor = 0.0 if found.proved.floor is None else float(found.proved.floor[-1])
    if floor > 0:
        said.append(
            f"No algorithm can lose less than **{amount(floor)}** here on average; measured is {amount(mean / floor)} "
            "times that."
        )
    return " ".join(said)


def amount(value: float) -> str:
    """Return three digits, or a power of ten."""
    if value >= 1e5:
        exponent = math.floor(math.log10(value))
        return f"{value / 10**exponent:.1f}·10{str(exponent).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def caption(found: BoundVsRegret) -> str:
    """Return the set-up, the seeds and what is proved."""
    s, k, bound = found.setting, found.setting.seeds, found.proved.bounds[-1]
    stage = s.stage(s.horizons[-1])
    seeds = f"seeds {s.world.seed} to {s.world.seed + k - 1}" if k > 1 else f"seed {s.world.seed}"
    budget = "" if stage.kind in ("still", "markov") else f"drift budget {stage.budget:g}, "
    setup = worlds.caption(stage).rsplit(", seed", 1)[0]
    floor = FLOOR_NOTE if found.proved.floor is not None else ""
    if not floor and s.arena == "adversary":
        floor = "This theorem is about a Markov reward: played there, without a floor, whose constant is open. "
    caution = f" {s.rule.caution}" if s.rule.caution else ""
    return (
        "Circles: final regret of a run, line: their mean (measured). Proved: the bound, with probability at least "
        f"{bound.chance:g} ({bound.source}). {floor}{CERTIFIED_NOTE}{caution} "
        f"Set-up: {setup}, {budget}{seeds}, δ = 0.1, widths as the theorem says."
    )


def adversary(hidden: HiddenBump) -> str:
    """Return what the adversary's picture shows."""
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
