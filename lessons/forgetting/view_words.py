"""Sentences of the views of drift and of worlds, from computed numbers only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from common.formats import amount
from lessons.forgetting.best_memory import PAPER_H, BestMemory
from lessons.forgetting.knobs import MEMORY_STEPS, WIDTH
from lessons.forgetting.pays import Comparison
from lessons.shared.knobs import METHODS
from lessons.shared.script import seeds, setup
from tvbo_core import World

Facts = Mapping[str, float | None]
PLAYED = "The first runs are being played."
DRIFT_ALT = "Regret against memory for several drift budgets with their lowest points joined, and two terms of a bound"
PAYS_ALT = "Worlds in rows by how far their peak moves, with the difference of regret between forgetting and keeping"


def lowest(found: BestMemory, facts: Facts) -> str:
    """Return the words at the lowest point of the reader's budget, "" while it has no run."""
    m = facts.get(f"{found.names[found.yours]}: best m")
    return "" if m is None else f"m = {m:g}"


def drift(found: BestMemory, facts: Facts, last: bool) -> str:
    """Return the sentence under the question of the view of drift (HTML)."""
    mine, other = (found.names[w] for w in (found.yours, found.other))
    if not found.whole:
        return PLAYED
    if facts["t"] == 1:
        return "At t = 1 every memory is empty: there are no observations yet."
    now = "the end" if last else f"t = {facts['t']}"
    here, there = (f"m = {facts[f'{one}: best m']:g}" for one in (mine, other))
    drifts = "the least drift" if found.other == 0 else "the most drift"
    if not found.several:
        return (
            f'By {now} the lowest median is at <span class="forgets">{here}</span>. The drift of this world is its own.'
        )
    budget = mine.replace("V_T", "<i>V<sub>T</sub></i>")
    return f'By {now} the best memory at {budget} is <span class="forgets">{here}</span>, at {drifts} {there}.'


def example(found: BestMemory, facts: Facts) -> str:
    """Return the worked example: the theorem's interval beside the least sum and the memory that was measured."""
    mine, H = found.names[found.yours], facts[PAPER_H]
    assert H is not None
    least = MEMORY_STEPS[int(found.terms.argmin())]
    said = (
        f"The two terms, without constants, have their lowest sum at m = {least}. Theorem 5, for R-PERP, says m = "
        f"{H / 2:g}."
    )
    if not found.whole:
        return said
    paid, best = facts[f"{mine}: least regret"], facts[f"{mine}: best m"]
    assert paid is not None and best is not None
    name = METHODS[found.sweep.setting.front]
    return f"Measured: {name} has its lowest median, {amount(paid)}, at m = {best:g}. {said}"


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
        f'By {now} <span class="forgets">forgetting</span> has less regret in {forgets} of {facts["worlds"]} worlds, '
        f'<span class="keeps">keeping</span> in {keeps}; in the others neither is clear.'
    )


def pays_caption(front: str, m: int, worlds: Sequence[World], numbers: range) -> str:
    """Return the set-up with its seeds."""
    same = f"T = {worlds[0].horizon}, σ = {worlds[0].noise_sd:g}, ℓ = {worlds[0].lengthscale:g}"
    return (
        f"Regret of {METHODS[front]} with m = {m} minus that of GP-UCB in the same worlds: mean with its 95 % "
        f"interval. “Peak moves”: mean distance between the best actions of two rounds that are m apart. "
        f"Set-up: {same}; {seeds(numbers)}, β = {WIDTH:g}. These are the worlds of this page, not all worlds."
    )
