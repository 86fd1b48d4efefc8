"""Sentences about the bands, from computed numbers only: short, exact and kind."""

from __future__ import annotations

from collections.abc import Sequence

from lessons.bands.coverage import Coverage
from lessons.bands.model import BandSetting, BandsOverTime, UCBCurve
from lessons.shared import worlds
from lessons.shared.wording import COUNTS
from tvbo_core.bands import ALL

COUNT = COUNTS[len(ALL)]  # bands on the page
COVERAGE_TITLE = "##### Do they keep their promise while nothing moves?"
COVERAGE_STOPPED = "The coverage in repeated worlds has not been measured."
NO_COVERAGE = (
    "Repeated still worlds need a kernel world with a norm bound: choose any kind but real data to see coverage."
)
PLACE = (
    f"Left: the {COUNT} intervals at this place beside the truth (upright line). Right: each half-width in parts. AMM, "
    "DMM and CMM take the hypotenuse √(B² + noise²), drawn by the shares of the squares; AY and IGP walk both legs, "
    "B + noise. That is the whole difference between AMM and AY at the same regulariser."
)
CERTIFY_HELP = (
    "Solves the conic program of Flynn & Reeb (eq. 10) at this place and at both ends of the actions, for both "
    "sides, and prints the difference to the one-dimensional dual that drew CMM."
)


def listed(names: Sequence[str]) -> str:
    """Return "CMM", "CMM and DMM" or "CMM, DMM and AMM"."""
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def finding(run: BandsOverTime) -> list[str]:
    """Return the live sentence of every frame (HTML)."""
    return [_sentence(run, t) for t in range(run.frames)]


def _sentence(run: BandsOverTime, t: int) -> str:
    ratio, count = run.setting.ratio, len(run.films)
    if t == 0:
        first = {n: float(f.half_width[0]) for n, f in run.films.items()}
        wider = sum(half > first["CMM"] for half in first.values())
        others = f"the other {COUNTS[wider]}" if wider == count - 1 else f"{COUNTS[wider]} of the others"
        return (
            f"No data yet: the exact band CMM is ±B√k = ±{run.norm_bound:.3g}; "
            f"{others} start wider, because their formulas pay for noise that has not come."
        )
    empty = [n for n, film in run.films.items() if film.empty[t]]
    if empty:
        since = min(run.first_empty[n] for n in empty)
        why = (
            "Your data are telling you that the reward moved."
            if run.moving and ratio >= 1
            else "B or σ is assumed too small for these data."
        )
        return (
            f"No function with ‖f‖ ≤ {run.norm_bound:.3g} fits these data: the confidence set behind "
            f"{listed(empty)} is <span class='bad'>EMPTY</span> (first at t = {since}). {why}"
        )
    void = ""
    if ratio < 1 and run.true_norm is not None and run.true_norm > run.norm_bound:
        void = f" Guarantee void: the true norm {run.true_norm:.3g} exceeds your assumed {run.norm_bound:.3g}."
    gone = sorted((n for n in run.films if _since(run, n, t) is not None), key=lambda n: _since(run, n, t))
    kept = [n for n in run.films if n not in gone]
    width = {n: float(f.half_width[t]) for n, f in run.films.items()}
    if not gone:
        order = sorted(width, key=width.get)
        return (
            f"At t = {t} <span class='good'>all {COUNTS[count]} bands cover</span> the whole curve; mean half-widths "
            f"run from ±{width[order[0]]:.2f} ({order[0]}) to ±{width[order[-1]]:.2f} ({order[-1]}).{void}"
        )
    since = listed([f"{n} (t = {_since(run, n, t)})" for n in gone])
    tight = set(sorted(width, key=width.get)[: len(gone)]) == set(gone)
    if len(gone) == count:
        head = f"all {COUNTS[count]} bands have failed"
    elif tight:
        head = "the tightest band has already failed" if len(gone) == 1 else (
            f"the {COUNTS[len(gone)]} tightest bands have already failed")  # fmt: skip
    else:
        head = f"{COUNTS[len(gone)]} of {COUNTS[count]} bands {'has' if len(gone) == 1 else 'have'} failed"
    still = f" {listed(kept)} still cover{'s' if len(kept) == 1 else ''} the whole curve." if kept else ""
    return f"At t = {t} <span class='bad'>{head}</span>: {since}.{still}{void}"


def _since(run: BandsOverTime, name: str, t: int) -> int | None:
    """Return the first miss of a band, None where it comes after frame t."""
    since = run.first_miss[name]
    return since if since is not None and since <= t else None


def caption(run: BandsOverTime) -> str:
    """Return the kind of the bands, their promise with its assumption, and the set-up with its seed (markdown)."""
    delta = run.setting.delta
    if_still = "if the reward does not move"
    promise = f":red[~~{if_still}~~] (it moves: no promise holds)" if run.moving else if_still
    units = f"Rewards: {run.unit}. " if run.unit != "reward" else ""
    return (
        f"Bands: frequentist sets for the whole curve and all t at once, each promised {100 * (1 - delta):g}% "
        f"{promise}. Thick line: truth now; dotted: truth at t = 1; circles: data. "
        f"Set-up: {worlds.caption(run.setting.world)}; assumed B = {run.norm_bound:.3g}, c = {run.c:.3g}, "
        f"δ = {delta:g}; $V_T$ = {run.problem.sup_variation:.2f}{_rkhs(run)}. {units}{run.problem.note}"
    )


def _rkhs(run: BandsOverTime) -> str:
    moved = run.problem.rkhs_variation
    return "" if moved is None else f", in RKHS norm {moved:.2f}"


def coverage(result: Coverage, setting: BandSetting) -> str:
    """Return the coverage in words, with counts first."""
    first = next(iter(result.counts.values()))
    return (
        f"Measured: {first.worlds} still worlds with this kernel, noise and B; whole curve, all {result.steps + 1} "
        f"times; bars are 95% Wilson intervals. Proved: at least {100 * (1 - setting.delta):g}% when B and σ are "
        f"right. Seed {setting.world.seed}."
    )


def widths(run: BandsOverTime, t: int) -> str:
    """Return the ratios of the mean half-widths at one time (markdown)."""
    width = {n: float(f.half_width[t]) for n, f in run.films.items() if not f.empty[t]}
    if "CMM" not in width or "DMM" not in width:
        return f"At t = {t} the exact confidence set is empty: CMM has no width."
    said = f"At t = {t} DMM's five regularisers come within {100 * (width['DMM'] / width['CMM'] - 1):.0f}% of CMM"
    said += f"; AY is {width['AY'] / width['AMM']:.2f} times AMM."
    if width["IGP"] < width["AMM"]:
        said += (
            " IGP is narrower than AMM here: Theorem 6.3 compares matched regularisers (More… → Match); at other "
            "settings either band can be narrower."
        )
    return said


def curve(result: UCBCurve) -> str:
    """Return the dual curve in words."""
    if result.empty:
        return "R̃² is negative for some λ: no function fits, and this curve promises nothing."
    grid = [v for v, r in zip(result.grid_value, result.grid_radius_sq, strict=True) if r >= 0]
    gap = f" DMM's best of five lies {min(grid) - result.best_value:.3f} above it." if grid else ""
    return (
        "Every point of the curve is a valid upper bound; CMM takes the lowest. The authors observed that it looks "
        "quasi-convex; it is (sublevel sets are projections of convex sets; derived here), so golden-section search "
        f"is safe.{gap}"
    )
