"""Sentences about bounds beside runs and about the adversary, from computed numbers only."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from lessons.shared import worlds
from lessons.theorems.adversary import HiddenBump
from lessons.theorems.bound_vs_regret import BoundVsRegret
from lessons.theorems.slopes import Slope

TERMS_HEADING = "#### What the bound is made of"
ADVERSARY_HEADING = "#### Why no method can do better: the adversary"
FLOOR_NOTE = (
    "Lower bound: no algorithm, even one that knows this family of hidden bumps, has expected regret below this value, "
    "averaged over the hidden position (constants made explicit here). "
)
SLOPES_NOTE = (
    "On the right only the slopes are theorem: all rates start at one point, without logarithms. Filled marker: the "
    "method must be told how much drift there is; open: it need not be."
)
CERTIFIED_NOTE = (
    "The gain inside the bound is certified on this grid: relaxation value plus duality gap (or greedy/(1 − 1/e) if "
    "smaller)."
)


def finding(found: BoundVsRegret, rates: Sequence[Slope]) -> list[str]:
    """Return measured regret beside its bounds, a sentence for every horizon (HTML)."""
    return [_at(found, i, _verdict(found, rates)) for i in range(len(found.horizons))]


def _at(found: BoundVsRegret, i: int, verdict: str) -> str:
    name, T, mean = found.setting.rule.name, found.horizons[i], float(found.mean[i])
    if not np.isfinite(mean):
        return found.refused[0] if found.refused else f"{name}: the runs are being played; the bound is there already."
    bound, most = found.proved.bounds[i].total, float(found.proved.trivial[i])
    floor = 0.0 if found.proved.floor is None else float(found.proved.floor[i])
    nobody = ""
    if floor > 0:
        worst = amount(float(found.proved.worst[i]))
        nobody = f", the worst choices lose {worst}, and no method can promise less than <b>{amount(floor)}</b>"
    said = f"{name} loses <b>{amount(mean)}</b> in {T:,} rounds{nobody}. Proved: at most <b>{amount(bound)}</b>, "
    if bound < most:
        return f"{said}less than the {amount(most)} that can be lost at all: the bound says something{verdict}."
    return f"{said}but {amount(most)} is the most that can be lost: <b>the bound is vacuous</b>{verdict}."


def _verdict(found: BoundVsRegret, rates: Sequence[Slope]) -> str:
    """Return what is left to improve, where rate and lower bound are about the same worlds."""
    floor = next(rate for rate in rates if rate.method == "floor")
    own = [rate for rate in rates if rate.name == found.setting.rule.name]
    if own and own[0].speaks and floor.speaks and abs(own[0].power - floor.power) < 1e-9 and own[0].power < 1:
        return "; its rate is as good as possible, its constants are not"
    return ""


def notes(found: BoundVsRegret, rates: Sequence[Slope]) -> list[str]:
    """Return which rates are outside their conditions."""
    silent = [rate.name for rate in rates if not rate.speaks]
    if not silent:
        return []
    return [f"Dotted on the right, because the conditions are not met at T = {found.horizons[-1]:,} with this drift: "
            f"{', '.join(silent)}."]  # fmt: skip


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
        floor = "This theorem is about a Markov reward and is played there; the constant of its lower bound is open. "
    caution = f" {s.rule.caution}" if s.rule.caution else ""
    worst = "The worst choices are those in the world of the first seed. " if s.adversarial else ""
    runs = f"mean of {k} runs" if k > 1 else "one run"
    return (
        f"Measured: circles are runs, the line is their mean ({runs}), the shade their spread; each T has a world of "
        f"its own. Proved: the bound, with probability at least {bound.chance:g} ({bound.source}). "
        f"{floor}{worst}{SLOPES_NOTE} {CERTIFIED_NOTE}{caution} Set-up: {setup}, {budget}{seeds}, δ = 0.1, widths as "
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
