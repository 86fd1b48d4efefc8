"""Sentences about the bands, from computed numbers only: short, exact and kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lessons.bands import model
from lessons.bands.coverage import Coverage
from lessons.bands.dual_curve import UCBCurve
from lessons.bands.mixture import EXAMPLE, LENGTHSCALE, NOISE_SHARE, ROUNDS, RUNS, MixtureView
from lessons.bands.model import BandsOverTime
from lessons.bands.setting import BandSetting
from lessons.shared import worlds
from lessons.shared.wording import counted, guests
from tvbo_core.bands import ALL

COUNT = counted(len(ALL))  # bands on the page
NAMES = (
    "CMM, DMM, AMM: convex, dual and analytic martingale mixtures (Flynn & Reeb). AY: Abbasi-Yadkori. IGP: Improved "
    "GP-UCB (Chowdhury & Gopalan)."
)
COVERAGE_TITLE = "Coverage in static worlds"
PLACE = (
    f"Left: the {COUNT} intervals at this place beside the reward (upright line). Right: the norm part B and the "
    "noise part of each half-width. AMM combines them as √(B² + noise²), DMM and CMM as √(B² + noise² + misfit); the "
    "lengths show the shares of the squares. AY and IGP add them, B + noise."
)


def finding(run: BandsOverTime) -> list[str]:
    """Return the live sentence of every frame (HTML)."""
    return [finding_at(run, t) for t in range(run.frames)]


def finding_at(run: BandsOverTime, t: int) -> str:
    """Return the live sentence of a frame (HTML)."""
    facts, now = model.facts(run, t), {name: verdicts[t] for name, verdicts in run.verdicts.items()}
    if t and run.only is not None:  # since when a band fails is not known
        return sentence_now(facts, now)
    return sentence(facts, now, assumed_less=run.setting.ratio < 1)


def sentence(facts: Mapping[str, float | None], now: Mapping[str, str], assumed_less: bool) -> str:
    """Return the sentence of a time from its facts.

    Args:
        now: name -> "covers", "misses" or "empty".   assumed_less: than the norm bound of the world.
    """
    t, norm_bound, count, every = facts["t"], facts["B"], len(now), f"all {counted(len(now))} bands"
    if t == 0:
        first = {n: facts[f"{n} mean half-width"] for n in now}
        wider = sum(half > first["CMM"] for half in first.values())
        others = f"the other {counted(wider)} are" if wider == count - 1 else f"{counted(wider)} of the others are"
        allowed = f"CMM has ±{first['CMM']:.3g}, all that the bound on the norm allows"
        return f"Without data every band is wide: {allowed}; {others} wider."
    if "empty" in now.values():
        return _empty(facts, now)
    true_norm = facts["true norm"]
    void = assumed_less and true_norm is not None and true_norm > norm_bound
    promise = f"nothing is guaranteed: the true norm, {true_norm or 0:.3g}, exceeds the assumed {norm_bound:.3g}."
    width = {n: facts[f"{n} mean half-width"] for n in now}
    by_width = sorted(width, key=width.get)
    firsts = {n: facts[f"{n} first miss"] for n in now}
    at = {n for n, first in firsts.items() if first is not None and first <= t}
    missing = [n for n in by_width if n in at and now[n] == "misses"]
    again = [n for n in by_width if n in at and now[n] != "misses"]
    covered = f"{counted(count - len(at))} {'has' if count - len(at) == 1 else 'have'} not"
    if not at:
        held = f"Up to {when(t)} <span class='good'>{every} cover the reward</span>"
        wide = f"±{width[by_width[0]]:.2f} to ±{width[by_width[-1]]:.2f}"
        return f"{held}, yet {promise}" if void else f"{held} at every time, with half-widths from {wide}."
    if not missing:
        if void:
            few = f"<span class='bad'>{counted(len(again))} of {counted(count)} bands missed the reward earlier</span>"
            return f"At {when(t)} {few}; {promise}"
        few = f"<span class='bad'>{counted(len(again))} missed it earlier</span>"
        return f"At {when(t)} {every} cover the reward, but {few}" + f"; {covered}" * (len(at) < count) + "."
    head = f"At {when(t)} {_which(missing, by_width)}"
    if void:
        return f"{head}, and {promise}"
    other = "another" if len(again) == 1 else f"{counted(len(again))} others"
    tail = [f"{other} missed it earlier"] * bool(again) + [covered] * (len(at) < count)
    return f"{head}; {', '.join(tail)}." if tail else f"{head}."


def when(t: float) -> str:
    """Return "t = 56", which no line break divides."""
    return f"t\u00a0=\u00a0{t}"


def _empty(facts: Mapping[str, float | None], now: Mapping[str, str]) -> str:
    """Return what an empty confidence set means."""
    few = sum(verdict == "empty" for verdict in now.values())
    return (
        f"At {when(facts['t'])} {counted(few)} of {counted(len(now))} confidence sets {'is' if few == 1 else 'are'} "
        "empty: <span class='bad'>no function fits</span>. B or σ too small, a moving reward, or chance."
    )


def sentence_now(facts: Mapping[str, float | None], now: Mapping[str, str]) -> str:
    """Return the sentence of a time, as `sentence` does, from the facts that are known at that time alone."""
    if "empty" in now.values():
        return _empty(facts, now)
    width = {n: facts[f"{n} mean half-width"] for n in now}
    by_width = sorted(width, key=width.get)
    out = [n for n in by_width if now[n] == "misses"]
    if out:
        return f"At {when(facts['t'])} {_which(out, by_width)}" + "; the others cover it." * (len(out) < len(now))
    return (
        f"At {when(facts['t'])} <span class='good'>all {counted(len(now))} bands cover the reward</span>, with "
        f"half-widths from ±{width[by_width[0]]:.2f} to ±{width[by_width[-1]]:.2f}."
    )


def _which(missing: Sequence[str], by_width: Sequence[str]) -> str:
    """Return "the two tightest bands miss the reward", "all five bands miss the reward" or "two of five bands ..."."""
    few, count = len(missing), len(by_width)
    truth = f"<span class='bad'>{'misses' if few == 1 else 'miss'}\N{NO-BREAK SPACE}the\N{NO-BREAK SPACE}reward</span>"
    if few == count:
        return f"all {counted(count)} bands {truth}"
    if set(missing) == set(by_width[:few]):
        return f"the tightest band {truth}" if few == 1 else f"the {counted(few)} tightest bands {truth}"
    return f"{counted(few)} of {counted(count)} bands {truth}"


def left_out(run: BandsOverTime) -> list[str]:
    """Return which guests are left out, and why."""
    return [f"Left out: {name}. It raises {reason}." for name, reason in run.refused.items()]


def caption(run: BandsOverTime) -> str:
    """Return the names of the bands, their guarantee with its assumption, and the set-up with its seed (markdown)."""
    delta, drift = run.setting.delta, run.problem.sup_variation
    moves = " Here it moves: :red[no promise]." if drift else ""
    return (
        f"{NAMES} If the reward does not move, its norm is at most B and the noise Gaussian with sd at most σ, a band "
        f"covers the whole curve at all t with probability at least {100 * (1 - delta):g}%.{moves} Set-up: "
        f"{worlds.caption(run.setting.world)}; assumed B = {run.norm_bound:.3g}, c = {run.cmm.c:.3g}, δ = {delta:g}; "
        f"$V_T$ = {drift:.2f}{_rkhs(run)}.{guests(run.films)}"
    )


def _rkhs(run: BandsOverTime) -> str:
    moved = run.problem.rkhs_variation
    return "" if moved is None else f", in RKHS norm {moved:.2f}"


def coverage(result: Coverage, setting: BandSetting) -> str:
    """Return the coverage in words, with counts first."""
    first = next(iter(result.counts.values()))
    return (
        f"Measured: {first.worlds} static worlds with this kernel, noise and B; whole curve, all {result.steps + 1} "
        f"times; bars are 95\u00a0% intervals. Proved: at least {100 * (1 - setting.delta):g}\u00a0% when B and σ are "
        f"right. Seed {setting.world.seed}."
    )


def widths(run: BandsOverTime, t: int) -> str:
    """Return the ratios of the mean half-widths at one time (markdown)."""
    width = {n: float(f.half_width[t]) for n, f in run.films.items() if not f.empty[t]}
    if "CMM" not in width or "DMM" not in width:
        return f"At t = {t} the exact confidence set is empty, so CMM has no width."
    found = f"At t = {t} AY is {width['AY'] / width['CMM']:.2f} times as wide as CMM and "
    found += f"{width['AY'] / width['AMM']:.2f} times as wide as AMM. DMM's five regularisers come within "
    found += f"{100 * (width['DMM'] / width['CMM'] - 1):.0f}% of CMM."
    if width["IGP"] < width["AMM"]:
        found += (
            " IGP is narrower than AMM here: Theorem 6.3 compares matched regularisers; at other settings either band "
            "can be narrower."
        )
    return found


def curve(result: UCBCurve) -> str:
    """Return the dual curve in words."""
    if result.empty:
        return (
            "R̃² is negative for some λ: no function of norm at most B fits the data, so this curve guarantees nothing."
        )
    grid = [v for v, r in zip(result.grid_value, result.grid_radius_sq, strict=True) if r >= 0]
    gap = f" The best of DMM's five regularisers lies {min(grid) - result.best_value:.3f} above it." if grid else ""
    bounds = "Every point of the curve bounds the confidence set here; CMM takes the lowest."
    return f"{bounds} There is no second valley.{gap}"


ORIGIN_TITLE = "Why the bands hold: one martingale"
ORIGIN_ALTS = {
    "paths": "Logarithm of the mixture martingale over time in many runs, and the threshold that few ever cross",
    "radius": "Squared errors of the truth so far, beside the bound on them",
    "plane": "Confidence sets in the plane of the rewards of two actions, with the upper bounds of three bands",
}
ORIGIN_SETUP = (
    f"Set-up of these three: two actions queried in turn, {ROUNDS} observations, Matérn 3/2, ℓ = {LENGTHSCALE:g}, a "
    f"static reward of norm 0.8 B, Gaussian noise σ = B/{NOISE_SHARE:g}, {RUNS} runs; B, δ, c and the seed are the "
    "lesson's. AY and IGP bound norm and noise separately, which is wider than AMM at matched "
    "regularisers."
)


def origin(view: MixtureView) -> dict[str, str]:
    """Return the captions of the three pictures, by name."""
    crossed, runs = int(view.crossed.sum()), len(view.paths)
    over = f"; the share of {runs} runs may lie above it by chance" if crossed > view.delta * runs else ""
    where = {(True, True): "both", (True, False): "the first alone", (False, True): "the second alone"}
    edges = ", ".join(f"{name} {value:.3f}".replace("-", "−") for name, value in view.edges.items())
    return {
        "paths": (
            "**1.** Could a random curve g from the prior predict the observations better than the truth? "
            r"$M_t=\mathbb E_g\exp\frac1{2\sigma^2}\sum_s[(f^*(x_s)-y_s)^2-(g(x_s)-y_s)^2]$ is fair "
            "on average (a martingale) and starts at 1, so it exceeds 1/δ at some time with probability at most δ "
            f"(Ville; Flynn & Reeb, Theorem 4.1). Measured: {crossed} of {runs} runs, {100 * crossed / runs:.1f} %; "
            f"promised at most {100 * view.delta:g} %{over}. At δ = {EXAMPLE:g} (dotted): "
            f"{100 * view.above(EXAMPLE).mean():.1f} %. Thick: one run."
        ),
        "radius": (
            r"**2.** For that run, $M_t\le1/\delta$ says the same as $\sum_s(f^*(x_s)-y_s)^2\le R_t^2$ (Lemma 4.2), "
            r"and $R_t^2$ is known: it needs the observations alone. All curves with so small an error are a "
            "confidence set, at all times at once."
        ),
        "plane": (
            "**3.** With two actions that set is an ellipse (solid) and “norm at most B” another (dashed); the truth "
            f"(star) is in {where.get(view.held, 'neither')}. Bounding a weighted sum, error + α·norm², gives an "
            "ellipse around their overlap: AMM takes one α fixed beforehand, DMM the best of five, CMM the best of "
            "all. "
            f"Upright lines: upper bounds, {edges}.\n\n{ORIGIN_SETUP}"
        ),
    }
