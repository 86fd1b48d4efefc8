"""Sentences about side queries from computed numbers only, and how far each theorem carries."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from common.formats import amount, plural
from lessons.shared import worlds
from lessons.side_queries import model, pickers
from lessons.side_queries.model import FirstSeed, RegretVsQueries
from lessons.side_queries.pickers import WITHOUT, TwoPickers
from lessons.side_queries.planner import QueryPlan, regime
from lessons.side_queries.sparse_stacks import SparseBySize
from lessons.side_queries.window import DRAWS, TwoPosteriors, WindowPicks
from tvbo_core.race_results import PairedDifference
from tvbo_core.worlds.mauduit import Stale, Synthetic

PROMISED = "What is promised, and on what"
STATUS = (
    "In the copy we read, the independence in Assumption 2, taken at a point that "
    "is observed more than once, excludes any drift ($v_{13}=v_{12}+v_{23}$). The theorems are shown as statements "
    "about an independent-noise idealisation; real drift is simulated here separately. And the KL guarantee quoted "
    "from Burt et al. concerns the sparse posterior that uses all outputs through inducing points; the algorithm has "
    "only the outputs at the selected points. Both variances are shown. If no expert can answer old questions in your "
    "application, the page “Forgetting” is about your case."
)
REGIMES = {
    "slow": "Slow (α < 1/3): no re-asks needed by Prop. 2.2, plain GP-UCB is already sublinear in the idealisation.",
    "moderate": "Moderate (1/3 ≤ α ≤ 1): W-SparQ's number of questions would be enough by Thm 3.10, under its premise; "
    "whether fewer are enough is open.",
    "fast": "Fast (α > 1): questions of the order of T^(α/(α+1)) are proved to be too few (Thm 5.3, for the order "
    "only); between that and W-SparQ's number it is open.",
}
PICKS = (
    "Grey bars: how often each place was asked before this window. Rings: what is asked again. Below, the prior "
    "correlation of the chosen set: strong off the diagonal is the same question twice. “Unexplained” is the "
    "share of the variance of all past inputs that the chosen ones leave (Nyström residual over the trace)."
)
KEPT = (
    "A possible reason: SparQ's estimate rests on the answers of the round alone, W-SparQ's also on what it has heard "
    "since its window opened."
)
PICKER_NAMES = {"exact": "k-DPP", "greedy": "greedy", "random": "random"}


def label(first: FirstSeed, row: int) -> str:
    """Return the text beside the player's bar: where W-SparQ asks again, how many of its questions belong to now."""
    asked = first.plays["W-SparQ"].extra_queries
    now = f", now {asked[row]:,} of {asked[: row + 1].sum():,}" if asked[row] else ""
    return f"t = {row + 1} of {first.horizon}{now}"


def finding(first: FirstSeed, costs: RegretVsQueries, rows: Sequence[int]) -> list[str]:
    """Return the sentence under the question for every frame (HTML)."""
    found = costs.difference("W-SparQ", "SparQ", rows)
    clear = [bool(one) and found.seeds > 1 for one in found.clear]
    return [sentence(*now) for now in zip(model.facts(first, costs, rows), clear, strict=True)]


def sentence(facts: Mapping[str, float | None], clear: bool) -> str:
    """Return the sentence of a round from its facts; `clear` says that the difference of regrets is beyond noise."""
    few, many = facts["W-SparQ: re-asks"], facts["SparQ: re-asks"]
    if not many:
        return "Nothing has been asked again yet."
    again = 'Asking again only <span class="asks">when a window opens</span> takes'
    if facts["W-SparQ: regret"] <= facts["SparQ: regret"]:
        lost = "and does not lose more"
    else:
        lost = "but loses more" if clear else "and loses more, within noise"
    if few < many:
        return f"{again} <b>{few:,}</b> questions instead of <b>{many:,}</b>, {lost}."
    return f"{again} <b>{few:,}</b> questions, no fewer than before every round."


def odds(costs: RegretVsQueries, picked: TwoPickers | None) -> str:
    """Return in how many worlds fewer questions, or spread picks, cost no more in the end; "" for a single one."""
    if picked is None:
        return _counted(costs.regret["W-SparQ"], costs.regret["SparQ"], "W-SparQ loses no more than SparQ")
    own, other = picked.runs
    said = f"{PICKER_NAMES[own]} picks lose no more than {PICKER_NAMES[other]} ones"
    return _counted(picked.regret[own], picked.regret[other], said)


def _counted(mine: np.ndarray, theirs: np.ndarray, said: str) -> str:
    """Return in how many worlds, a row each, the first regret is in the end no larger."""
    if len(mine) < 2:
        return ""
    return f"In **{int(np.sum(mine[:, -1] <= theirs[:, -1]))} of {len(mine)}** worlds {said}."


def picks_finding(picked: TwoPickers, rows: Sequence[int]) -> list[str]:
    """Return the sentence under the question for every frame of two ways to pick (HTML)."""
    own, other = picked.runs
    noise = _noise(picked.difference(rows))
    return [picks_sentence(*now, own, other) for now in zip(pickers.facts(picked, rows), noise, strict=True)]


def picks_sentence(facts: Mapping[str, float | None], noise: str, own: str, other: str) -> str:
    """Return the sentence of a round with two ways to pick from its facts."""
    mine, theirs = (amount(facts[f"{name}: regret"]) for name in ("W-SparQ", pickers.name_of(other)))
    return (
        f'With <b>{facts["W-SparQ: re-asks"]:,}</b> questions <span class="asks">{PICKER_NAMES[own]} picks</span> lose '
        f"<b>{mine}</b>, {PICKER_NAMES[other]} ones <b>{theirs}</b>{noise}."
    )


def _noise(found: PairedDifference) -> list[str]:
    """Say in every round whether chance alone explains a difference; empty where one seed cannot tell."""
    if found.seeds < 2:
        return [""] * len(found.mean)
    return [", a difference beyond noise" if clear else ", a difference within noise" for clear in found.clear]


def measured(found: PairedDifference, one: str, other: str, seeds: str, T: int) -> str:
    """Return the paired difference of two regrets with its standard error and interval, as a sentence without its end.

    Args:
        one, other: whose regrets.   seeds: which.   T: rounds.
    """
    more = "more" if found.mean > 0 else "less"
    low, high = (f"{value:.3g}".replace("-", "−") for value in (found.low, found.high))
    return (
        f"{one} loses {amount(abs(found.mean))} {more} than {other} on average (same worlds, {seeds}, T = {T}; "
        f"standard error {amount(found.error)}, 95 % interval of the difference {low} to {high})"
    )


def chance(first: FirstSeed, costs: RegretVsQueries, picked: TwoPickers | None) -> list[str]:
    """Return what the seeds can tell: whether fewer questions are worse, whether asking pays, how picks compare."""
    start, T = first.setting.world.seed, first.horizon
    if picked is not None and len(picked.regret[WITHOUT]) > 1:
        (own, other), found = picked.runs, picked.difference(T - 1)
        seeds = f"{found.seeds} seeds from {start}"
        how = (
            ("spread picks pay here." if (found.mean < 0) == (other == "random") else "spread picks do not pay here.")
            if found.clear
            else "0 lies inside: the difference may be noise."
        )
        pair = measured(found, f"W-SparQ with {PICKER_NAMES[own]} picks", f"with {PICKER_NAMES[other]} ones", seeds, T)
        return [f"{pair}: {how}"]
    if costs.done < 2:
        more = f"{costs.total} are being played" if costs.total > 1 else "choose more under “More…”"
        return [f"One seed cannot tell a difference from chance; {more}."]
    found, seeds = costs.difference("W-SparQ", "SparQ"), f"{costs.done} seeds from {start}"
    pair = measured(found, "W-SparQ", "SparQ", seeds, T)
    if not found.clear:
        said = [f"{pair}: 0 lies inside, so the difference may be noise."]
    elif found.mean < 0:
        said = [f"{pair}: fewer questions are not worse here, beyond noise.", KEPT]
    else:
        said = [f"{pair}: here fewer questions cost regret, beyond noise."]
    best = min(("GP-UCB", "WGP-UCB"), key=lambda n: float(costs.regret[n][:, -1].mean()))
    found = costs.difference("W-SparQ", best)
    pair = measured(found, "W-SparQ", f"{best}, which asks nothing,", seeds, T)
    if not found.clear:
        said.append(f"{pair}: whether re-asking pays here cannot be told from these seeds.")
    else:
        said.append(f"{pair}: re-asking {'pays' if found.mean < 0 else 'does not pay'} here.")
    return said


def notes(first: FirstSeed, costs: RegretVsQueries, picked: TwoPickers | None = None) -> list[str]:
    """Return sentences about the regime, and about measurements where the theory is silent."""
    setting, found = first.setting, [*chance(first, costs, picked), REGIMES[regime(first.setting.alpha)]]
    h = first.plays["W-SparQ"]
    early = [s for s in first.starts if s < math.ceil(setting.q * math.log1p(s))]
    planned = [min(int(s), math.ceil(setting.q * math.log1p(s) ** first.problem.x.shape[1])) for s in first.starts]
    fewer = [int(s) for s, p in zip(first.starts, planned, strict=True) if h.extra_queries[s] < p]
    if early:
        found.append(
            f"At t = {early[-1] + 1} there are fewer past questions than are to be asked again: all are taken."
        )
    if fewer:
        found.append(
            f"In {plural(len(fewer), 'window')} fewer different places had been asked than were to be asked again."
        )
    if len(first.starts) > 1 and len(first.starts) == len(range(1, first.horizon, 2)):
        found.append("Every window is 2 rounds long: at this α and α̃ windows begin to grow only after T.")
    return found


def caption(first: FirstSeed, costs: RegretVsQueries) -> str:
    """Return the set-up with its seeds, which parts are one run and which are medians."""
    s, world = first.setting, first.setting.world
    where = (
        f"Mauduit et al., sec. 4.1, corrected normalisation: actions in [-50, 50], SE, variance 0.5, ℓ = 3, B = 5, "
        f"T = {first.horizon}; ours: σ = {world.noise_sd:g}, {world.centres} centres by seed, {world.arms} arms, "
        if isinstance(world, Synthetic)
        else worlds.caption(world).rsplit(", seed", 1)[0].rsplit(", noise seed", 1)[0] + ", "
    )
    seeds = f"{costs.done} seeds from {world.seed}" if costs.done > 1 else f"seed {world.seed}"
    over = f"Questions: seed {world.seed}. Regrets: medians. " if costs.done > 1 else ""
    moves = "a reward moves by σ·n^(α/2) over n rounds, " if isinstance(world, Stale) else ""
    width = {"log": "2√(ln t)", "theory": "theory"}.get(s.width, s.width)
    discount = "as in its paper" if isinstance(world, Synthetic) else "γ = 0.98"
    return (
        f"{over}Set-up: {where}{moves}{seeds}; "
        f"α = {s.alpha:g}, α̃ = {s.window_exponent:g}, c = {s.q:g}, {PICKER_NAMES[s.picker]} picks, β = {width}; "
        f"WGP-UCB {discount}."
    )


def picks(found: WindowPicks) -> str:
    """Return what the three ways leave unexplained at this window."""
    ways = {w.picker: w for w in found.ways}
    dpp, random = ways["exact"], ways["random"]
    said = f"Window {found.window}, after round {found.row}: {plural(found.size, 'old question')} of {found.row}. "
    said += f"On average over {DRAWS} draws the k-DPP leaves {share(dpp.mean)} unexplained, "
    said += f"random picks {share(random.mean)}. "
    if found.size < found.planned:
        said += f"There are fewer past questions than planned ({found.planned}): {found.size} are taken. "
    return said + PICKS


def share(value: float) -> str:
    """Return a share in percent."""
    percent = 100 * value
    return "less than 0.001 %" if percent < 1e-3 else f"{percent:.2g} %"


def trust(first: FirstSeed, sizes: SparseBySize, window: int, gains: tuple[float, float]) -> str:
    """Return how far the sparse estimate may be trusted at this window."""
    sds = first.trust[window - 1]
    subset, through = math.sqrt(sds.subset_ratio.max()), math.sqrt(sds.variational_ratio.max())
    verdict = (
        "Here the quoted guarantee is close to its premise for the variational posterior"
        if sds.residual / first.ridge < 1
        else "Here the premise of the quoted guarantee, a small residual, does not hold yet"
    )
    plain, injected = gains
    return (
        f"Window {window}: residual trace over σ² {amount(sds.residual / first.ridge)}; the subset-of-data sd that the "
        f"algorithm uses is up to **{subset:.3g} times** the full posterior's (all past inputs heard anew), the "
        f"variational one {through:.3g} times. {verdict}. Curves: largest variance ratio over the actions. Threshold "
        f"1/3: log det(I + Σ⁻¹K) of this run's inputs is {plain:.1f} with one noise and {injected:.1f} with injected "
        f"noise; granting the paper's confidence lemma, a sharper use of it gives $\\sqrt{{T^{{1+\\alpha}}}}$ up to "
        "logarithms (derived here); in this idealisation the threshold comes from the proof technique."
    )


def beliefs(found: TwoPosteriors, row: int, width: float) -> str:
    """Return the readings and the largest error of both posteriors."""
    errors = [float(np.abs(mean - found.truth).max()) for mean, _ in (found.printed, found.variational)]
    return (
        f"At t = {row + 1}, β = {width:.2g}: the estimate as printed rests on {plural(len(found.arms), 'reading')}, "
        f"its largest error is {errors[0]:.2g}; the variational one hears all {found.everything:,} readings with "
        f"injected noise, through the same places, largest error {errors[1]:.2g}."
    )


def plan(found: QueryPlan, q: float) -> str:
    """Return which schedule fits a budget, and what the theory says of it."""
    head = f"T = {found.T:,}, α = {found.alpha:g}, d = {found.dimension}, {found.budget:,} questions: "
    fit = found.chosen(q)
    if fit is not None:
        head += (
            f"the shortest windows with c ≥ {q:g} have **α̃ = {fit.window_exponent:g}**: {fit.windows:,} windows, the "
            f"last of {plural(fit.longest, 'round')} with {plural(fit.last, 'question')}, up to c = {fit.q_const:g} "
            f"({fit.total:,} questions). Claimed regret: order $T^{{{fit.regret_exponent:.3g}}}$ up to logarithms (Thm "
            "3.10)."
        )
    elif found.fits:
        most = max(found.fits, key=lambda f: f.q_const)
        head += (
            f"the budget is too small for c = {q:g} at any window exponent below 1/3. The most is c = {most.q_const:g} "
            f"at α̃ = {most.window_exponent:g} ({most.total:,} questions); the theorem leaves the constant open, so "
            "nothing is promised for it."
        )
    else:
        head += "at no window exponent below 1/3 is there even one question a window: choose a larger budget."
    return f"{head} {_regime_words(found)}"


def _regime_words(found: QueryPlan) -> str:
    """Return what is claimed or proved in the regime of a plan."""
    if found.regime == "slow":
        return (
            f"Slow drift: by Prop. 2.2 plain GP-UCB has order $T^{{{found.bandit_exponent:.3g}}}$ without any question."
        )
    if found.regime == "fast":
        below = found.budget < found.floor
        order = "below" if below else "above"
        return (
            f"Fast drift: the proved minimum is of order $T^{{{found.alpha / (found.alpha + 1):.3g}}}$ (with constant "
            f"1: {found.floor:,.0f}; you are {order} that, but only the slope is a theorem; by "
            "Prop. 5.1 no fixed number of questions is enough for ever longer horizons). By its proof, in the "
            f"quietest {found.quiet:,.0f} rounds all your questions are worth at most {amount(found.worth)} fresh "
            "answers."
        )
    return "Moderate drift: enough by Thm 3.10 under its premise; whether fewer are enough is an open question."
