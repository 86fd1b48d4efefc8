"""Sentences about side queries, from computed numbers only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from common.formats import amount, minus
from lessons.shared.script import seeds, setup
from lessons.side_queries import model, pickers
from lessons.side_queries.model import WIDTH, FirstSeed, MethodRegrets
from lessons.side_queries.pickers import AT_RANDOM, TwoPickers
from tvbo_core.race_results import ABOUT_EQUAL, LESS, MORE, UNDECIDED, PairedDifference
from tvbo_core.worlds.mauduit import Stale, Synthetic

LOST = {  # verdict of the paired difference of regrets -> what is said of it
    LESS: "W-SparQ’s regret is lower.",
    MORE: "W-SparQ’s regret is higher.",
    ABOUT_EQUAL: "Their regrets are about equal.",
    UNDECIDED: "Whether their regrets differ is undecided.",
}
PICKER_NAMES = {"exact": "k-DPP", "random": "random"}  # within a sentence


def finding(first: FirstSeed, costs: MethodRegrets, rows: Sequence[int]) -> list[str]:
    """Return the sentence under the question for every frame (HTML)."""
    found = costs.difference("W-SparQ", "SparQ", rows)
    facts = zip(model.facts(first, costs, rows), found.verdict, strict=True)
    return [sentence(now, LOST[verdict]) for now, verdict in facts]


def _side_queries(n: float | None) -> str:
    return f"<b>{n:,}</b> side {'query' if n == 1 else 'queries'}"


def sentence(facts: Mapping[str, float | None], lost: str) -> str:
    """Return the sentence of a round from its facts; `lost` says what the paired difference of regrets shows."""
    few, many = facts["W-SparQ: side queries"], facts["SparQ: side queries"]
    if not many:
        return "There are no side queries yet."
    at_starts = '<span class="asks">at window starts</span>'
    mine = f"{_side_queries(few)} {at_starts}"
    return f"By t = {facts['t']} W-SparQ made {mine}, SparQ made <b>{many:,}</b>. {lost}"


def odds(costs: MethodRegrets, picked: TwoPickers | None) -> str:
    """Return in how many worlds fewer side queries, or diverse picks, cost no regret; "" for a single one."""
    if picked is None:
        return _counted(costs.regret["W-SparQ"], costs.regret["SparQ"], "the regret of W-SparQ is {} that of SparQ")
    mine, theirs = (picked.regrets.regret[picker] for picker in model.PICKERS)
    return _counted(mine, theirs, "the regret of k-DPP picks is {} that of random picks")


def _counted(mine: np.ndarray, theirs: np.ndarray, claim: str) -> str:
    """Return in how many worlds, a row each, the first regret is in the end no larger, or that it is larger in all."""
    if len(mine) < 2:
        return ""
    held = int(np.sum(mine[:, -1] <= theirs[:, -1]))
    found = claim.format("at most" if held else "above")
    return f"In **{held or len(mine)} of {len(mine)}** worlds: after {mine.shape[1]} rounds {found}."


def picks_finding(picked: TwoPickers, rows: Sequence[int]) -> list[str]:
    """Return the sentence under the question for every frame of two ways to pick (HTML)."""
    noise = _noise(picked.difference(rows))
    every = pickers.facts(picked, rows)
    times = [f"t = {facts['t']}" for facts in every[:-1]] + ["the end"]
    return [picks_sentence(*now) for now in zip(every, times, noise, strict=True)]


def picks_sentence(facts: Mapping[str, float | None], now: str, noise: str) -> str:
    """Return the sentence of a round with two ways to pick from its facts."""
    mine, theirs = (amount(facts[f"{name}: regret"]) for name in ("W-SparQ", AT_RANDOM))
    few, picks = facts["W-SparQ: side queries"], '<span class="asks">k-DPP</span> picks'
    return (
        f"By {now}, with {_side_queries(few)}, {picks} have regret <b>{mine}</b>, random picks <b>{theirs}</b>{noise}."
    )


def _noise(found: PairedDifference) -> list[str]:
    """Return for every round whether a difference is beyond noise; "" with one seed."""
    if found.seeds < 2:
        return [""] * len(found.mean)
    return [", a clear difference" if clear else ": undecided" for clear in found.clear]


def measured(found: PairedDifference, one: str, other: str, played: str, T: int) -> str:
    """Return the paired difference of two regrets with its standard error and interval, as a sentence without its end.

    Args:
        one, other: whose regrets.   played: which seeds.   T: rounds.
    """
    mean, low, high = (minus(f"{value:.3g}") for value in (found.mean, found.low, found.high))
    return (
        f"Regret of {one} minus that of {other}: {mean} on average (same worlds, {played}, T = {T}; standard error "
        f"{amount(found.error)}, 95 % interval {low} to {high})"
    )


def notes(first: FirstSeed, costs: MethodRegrets, picked: TwoPickers | None = None) -> list[str]:
    """Return the difference of two regrets with its noise: of fewer and more side queries, or of two ways to pick."""
    done = costs.done if picked is None else picked.regrets.done
    if done < 2:
        more = f"{costs.total} are being played" if costs.total > 1 else "choose more under “More…”"
        return [f"One seed cannot separate a difference from noise; {more}."]
    start, T = first.setting.world.seed, first.horizon
    played = seeds(range(start, start + done))
    if picked is None:
        found = costs.difference("W-SparQ", "SparQ")
        pair = measured(found, "W-SparQ", "SparQ", played, T)
        how = f"here the algorithm with fewer side queries has clearly {'less' if found.mean < 0 else 'more'} regret."
    else:
        found = picked.difference(T - 1)
        pair = measured(found, "W-SparQ with k-DPP picks", "W-SparQ with random picks", played, T)
        how = f"here diverse picks have clearly {'less' if found.mean < 0 else 'more'} regret."
    return [f"{pair}: {how if found.clear else 'the interval contains 0, so the difference is undecided.'}"]


def caption(first: FirstSeed, costs: MethodRegrets) -> str:
    """Return the set-up with its seeds, which parts are one run and which are medians."""
    s, world = first.setting, first.setting.world
    where = (
        f"Mauduit et al., sec. 4.1, scaled so that ‖f‖ ≤ 5: actions in [-50, 50], SE, variance 0.5, ℓ = 3, B = 5, "
        f"T = {first.horizon}; ours: σ = {world.noise_sd:g}, {world.centres} centres by seed, {world.arms} arms, "
        if isinstance(world, Synthetic)
        else setup(world) + ", "
    )
    over = f"Side queries: seed {world.seed}. Regrets: medians. " if costs.done > 1 else ""
    moves = "a reward moves by σ·n^(α/2) over n rounds, " if isinstance(world, Stale) else ""
    discount = "as in its paper" if isinstance(world, Synthetic) else "γ = 0.98"
    return (
        f"{over}Set-up: {where}{moves}{seeds(range(world.seed, world.seed + max(costs.done, 1)))}; "
        f"α = {s.alpha:g}, α̃ = {s.window_exponent:g}, c = {s.q:g}, k-DPP picks, β = {WIDTH:g}; "
        f"WGP-UCB {discount}."
    )
