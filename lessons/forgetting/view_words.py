"""Sentences of the views of drift and of worlds, from computed numbers only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from common.formats import amount
from lessons.forgetting.best_memory import PAPER_H, BestMemory
from lessons.forgetting.knobs import MEMORY_STEPS, WIDTH
from lessons.forgetting.pays import Comparison
from lessons.shared.knobs import METHODS
from lessons.shared.script import seeds, setup
from tvbo_core import World

Facts = Mapping[str, float | None]
PLAYED = "Some runs are still being played."
SAME = 1e-9  # reward units, below which medians are one number
DRIFT_ALT = "Regret against memory for several drift budgets with their lowest points joined, and two terms of a bound"
PAYS_ALT = "Worlds in rows by how far their peak moves, with the difference of regret between forgetting and keeping"


def lowest(found: BestMemory, facts: Facts) -> str:
    """Return the words at the lowest point of the reader's budget, "" while it has no run."""
    m = facts.get(f"{found.names[found.yours]}: best m")
    return "" if m is None else f"m = {m:g}"


def drift(found: BestMemory, facts: Facts, last: bool) -> str:
    """Return the sentence under the question of the view of drift (HTML)."""
    if not found.whole:
        return PLAYED
    if facts["t"] == 1:
        return "At t = 1 every memory is empty: there are no observations yet."
    now = "the end" if last else f"t = {facts['t']}"
    begins = f"By {now} the lowest median is at {_lowest_at(found, found.yours, facts)}"
    if not found.several:
        return f"{begins}. The drift of this world is its own."
    budget = found.names[found.yours].replace("V_T", "<i>V<sub>T</sub></i>")
    drifts = "the least drift" if found.other == 0 else "the most drift"
    return f"{begins} for {budget}, at {_lowest_at(found, found.other, facts)} for {drifts}."


def _lowest_at(found: BestMemory, w: int, facts: Facts) -> str:
    """Return which memories have the lowest median with a budget (HTML)."""
    curve, row = found.curves[w], int(facts["t"] or 1) - 1
    assert curve is not None
    longer = curve.median[curve.best(row) :, row]  # before a restart memories that are longer have the same regret
    if len(longer) == len(MEMORY_STEPS) and float(np.ptp(longer)) <= SAME:
        return "every m"
    sign = "≥" if len(longer) > 1 and float(np.ptp(longer)) <= SAME else "="
    said = f"m {sign} {facts[f'{found.names[w]}: best m']:g}"
    return f'<span class="forgets">{said}</span>' if w == found.yours else said


def example(found: BestMemory, facts: Facts) -> str:
    """Return the worked example: the theorem's interval beside the least sum and the memory that was measured."""
    mine, H = found.names[found.yours], facts[PAPER_H]
    assert H is not None
    least = MEMORY_STEPS[int(found.terms.argmin())]
    horizon = found.sweep.setting.worlds[found.yours].horizon
    paper = "never restarts" if horizon <= H else f"says m = {H / 2:g}"
    said = f"The two terms, without constants, have their lowest sum at m = {least}. Theorem 5, for R-PERP, {paper}."
    if not found.whole:
        return said
    paid, best = facts[f"{mine}: least regret"], facts[f"{mine}: best m"]
    assert paid is not None and best is not None
    name = METHODS[found.sweep.setting.front]
    return f"Measured by t = {facts['t']}: {name} has its lowest median, {amount(paid)}, at m = {best:g}. {said}"


def caption(world: World, numbers: range) -> str:
    """Return the set-up with its seeds."""
    return f"Regret: medians. Set-up: {setup(world)}; {seeds(numbers)}, β = {WIDTH:g}."


def pays(worlds: Sequence[Comparison], facts: Facts, last: bool) -> str:
    """Return the sentence under the question of the view of worlds (HTML)."""
    if any(one.difference is None for one in worlds):
        return PLAYED
    now = "the end" if last else f"t = {facts['t']}"
    forgets, keeps = facts["forgetting has less"], facts["keeping has less"]
    return (
        f'By {now} <span class="forgets">forgetting</span> has clearly less regret in {forgets} of {facts["worlds"]} '
        f'worlds, <span class="keeps">keeping</span> in {keeps}, neither in the rest.'
    )


def pays_caption(front: str, m: int, worlds: Sequence[World], numbers: range) -> str:
    """Return the set-up with its seeds."""
    same = f"T = {worlds[0].horizon}, σ = {worlds[0].noise_sd:g}, ℓ = {worlds[0].lengthscale:g}"
    return (
        f"Regret of {METHODS[front]} with m = {m} minus that of GP-UCB in the same worlds: mean with its 95 % "
        f"interval. “Peak moves”: mean distance between the best actions of two rounds that are m apart. "
        f"Set-up: {same}; {seeds(numbers)}, β = {WIDTH:g}. These are the worlds of this page, not all worlds."
    )
