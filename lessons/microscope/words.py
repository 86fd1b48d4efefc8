"""Sentences about each place of each sweep: the finding, the label of the bar, the caption."""

from __future__ import annotations

import math
from collections.abc import Callable

from lessons.microscope.statements import STATEMENTS
from tvbo_core.microscope import MicroscopeResult

COPY = "As printed, in the copy we read"  # some differences may be conversion slips
ELSEWHERE = (
    "Some differences may be conversion slips of the copy we read. Also read with care, without an experiment here: "
    "Deng et al.'s width is used with both terms under the root. $V_T$ (sup norm) is at most $B_T$ (RKHS norm) times "
    "$\\sqrt\\kappa$, and a guarantee in $B_T$ is not one in $V_T$: lesson 1 draws both running sums, and every curve "
    "of lesson 5 names its budget. The certified information gain and the lower bound at finite T are in lesson 5."
)
Say = Callable[[MicroscopeResult, int], str]


def finding(found: MicroscopeResult) -> list[str]:
    """Return the sentence of every place of the sweep (HTML)."""
    return [SENTENCES[found.key](found, i) for i in range(found.frames)]


def label(found: MicroscopeResult, i: int) -> str:
    """Return the text beside the player's bar."""
    return f"{SYMBOLS[found.key]} {number(float(found.sweep[i]))}"


def caption(found: MicroscopeResult, seed: int) -> str:
    """Return the set-up of the numbers."""
    seed_text = f", seed {seed}" if "seed" in STATEMENTS[found.key].uses else ""
    return (
        f"Set-up: {found.setup}{seed_text}. Strong line: measured or exact; ochre dashes: as printed; green: as the "
        "lab reads it; blue: something to compare with."
    )


def number(value: float) -> str:
    """Return three significant digits; large whole numbers in groups of three."""
    few = f"{value:.3g}" if abs(value) >= 1e-4 else "0"
    return (f"{value:,.0f}" if abs(value) >= 1000 else few).replace("-", "−")


def at(found: MicroscopeResult, name: str, i: int) -> float:
    """Return a curve or a fact at one place."""
    return float(found.value(name)[i])


def percent(share: float) -> str:
    """Return a share in percent, with a decimal where it is below a tenth."""
    return f"{100 * share:.0f} %" if share >= 0.1 or share == 0 else f"{100 * share:.1f} %"


def _times(e: MicroscopeResult, i: int) -> str:
    names = ("ever outside, up to T", "promise δ", "outside at T itself", "ever outside, with δ/T")
    ever, promise, fixed, union = (percent(at(e, name, i)) for name in names)
    return (
        f"By T = {number(e.sweep[i])} the true value had left its interval at some time in <b>{ever}</b> of the runs "
        f"(promised: {promise}). At T itself it is outside in {fixed}; with δ/T it had left in {union}."
    )


def _small_noise(e: MicroscopeResult, i: int) -> str:
    exact, printed, noisy = at(e, "exact", i), at(e, "(21) as printed", i), at(e, "with 1/σ²", i)
    if printed < exact:
        verdict = f"(21) as printed allows {number(printed)}, which is <b>below it</b>; with 1/σ²: {number(noisy)}"
    else:
        verdict = f"(21) as printed allows {number(printed)}, which is <b>above it</b>, as an upper bound should be"
    return (
        f"At noise variance σ² = {number(e.sweep[i])}, 600 rounds carry {number(exact)} nats of information; {verdict}."
    )


def _subset(e: MicroscopeResult, i: int) -> str:
    return (
        f"The answers at {e.sweep[i]:.0f} chosen points alone leave up to <b>{number(at(e, 'subset of data', i))} "
        f"times</b> the variance that all answers leave; all answers, heard through these points, up to "
        f"{number(at(e, 'variational', i))} times."
    )


def _sign(e: MicroscopeResult, i: int) -> str:
    plus, minus = at(e, "with plus", i), at(e, "with minus", i)
    return (
        f"After {e.sweep[i]:.0f} observations some allowed function is as high as {number(plus)} here. The upper bound "
        f"(11) is <b>{number(plus)}</b> with a plus, and {number(minus)} with a minus, below that function."
    )


def _root(e: MicroscopeResult, i: int) -> str:
    printed, read = at(e, "(34) as printed", i), at(e, "with the root", i)
    return (
        f"At window exponent α̃ = {e.sweep[i]:g} the bound (34) grows like T<sup>{printed:.3g}</sup> as printed, faster "
        f"than T; with the square root of Table 2 it grows like <b>T<sup>{read:.3g}</sup></b>."
    )


def _walk(e: MicroscopeResult, i: int) -> str:
    walk, free = at(e, "random walk", i), at(e, "independent noise", i)
    where = "fewer than" if walk < at(e, "promise", i) else "not fewer than"
    return (
        f"In round {number(e.sweep[i])} the band covers the true value in <b>{percent(walk)}</b> of the random walks, "
        f"{where} the promised {percent(at(e, 'promise', i))}; with independent noise in {percent(free)}."
    )


def _three(e: MicroscopeResult, i: int) -> str:
    return (
        f"At α = {e.sweep[i]:g} the change of a reward from time 1 to 3 and its change from time 2 to 3 have "
        f"correlation <b>{at(e, 'exact', i):.2f}</b>: they share the last step, so they are not independent."
    )


def _third(e: MicroscopeResult, i: int) -> str:
    return (
        f"At α = {e.sweep[i]:g} the log determinant is <b>{number(at(e, 'injected noise', i))}</b> with injected "
        f"noise, {number(at(e, 'none', i))} without, so noise only lowers it. Then regret grows like "
        f"T<sup>{at(e, 'read', i):.2f}</sup> (derived here) and not T<sup>{at(e, 'printed', i):.2f}</sup>."
    )


def _length(e: MicroscopeResult, i: int) -> str:
    return (
        f"At T = {number(e.sweep[i])} the function F is lowest at window length L = "
        f"{number(at(e, 'lowest, by search', i))}. The formula with 4 gives <b>{number(at(e, 'with 4', i))}</b>, with "
        f"8 {number(at(e, 'with 8', i))}, where F is {percent(at(e, 'ratio', i) - 1)} higher."
    )


def _today(e: MicroscopeResult, i: int) -> str:
    still, aware = at(e, "surrogate's band", i), at(e, "drift-aware band", i)
    return (
        f"In round {e.sweep[i]:.0f} the surrogate's band {_covers(still)}: the largest error is <b>{number(still)}</b> "
        f"half-widths. The drift-aware band {_covers(aware)}: {number(aware)} half-widths."
    )


def _covers(share: float) -> str:
    return "covers today's reward" if share <= 1 else "misses today's reward"


def _old(e: MicroscopeResult, i: int) -> str:
    sum_, bound, now = at(e, "sum", i), at(e, "bound", i), at(e, "first arm, today", i)
    then = at(e, "then", i)
    rises = f"<b>{number(now)}</b>, up from {number(then)} when it was last asked" if now > then else f"{number(now)}"
    return (
        f"In round {e.sweep[i]:.0f} the first arm's standard deviation is {rises}. With the discount kept, the sum in "
        f"Lemma 18 is {number(sum_)}, below its bound {number(bound)}."
    )


def _gain(e: MicroscopeResult, i: int) -> str:
    return (
        f"With a memory of 1/(1−γ) = {number(e.sweep[i])} rounds the information gain is {at(e, 'gain, exact', i):.3f} "
        f"nats. The formula with 1/(1−γ) gives <b>{at(e, 'with 1/(1−γ)', i):.3f}</b>, that with 1/(1−γ²) "
        f"{at(e, 'with 1/(1−γ²)', i):.3f}."
    )


def _two_sds(e: MicroscopeResult, i: int) -> str:
    return (
        f"With a memory of 1/(1−γ) = {number(e.sweep[i])} rounds the tighter standard deviation is on average "
        f"<b>{at(e, 'mean over x', i):.2f}</b> times the other, at the smallest {at(e, 'smallest over x', i):.2f} "
        "times, and never larger."
    )


def _features(e: MicroscopeResult, i: int) -> str:
    error, bound = at(e, "largest error", i), at(e, "Lemma 14", i)
    said = f"Lemma 14 allows {power(bound)}" if bound < 1 else f"Lemma 14 allows {power(bound)}, more than k(x, x) = 1"
    return f"With {e.sweep[i]:.0f} nodes the features differ from the kernel by up to <b>{power(error)}</b>; {said}."


def _bounded(e: MicroscopeResult, i: int) -> str:
    return (
        f"With a memory of {number(e.sweep[i])} rounds the greedy design gains "
        f"<b>{number(at(e, 'greedy design', i))}</b> nats. "
        f"Theorem 7 allows {number(at(e, 'Theorem 7', i))}, Corollary 8 {number(at(e, 'Corollary 8', i))}, "
        f"Theorem 6 {number(at(e, 'Theorem 6', i))}."
    )


def _everywhere(e: MicroscopeResult, i: int) -> str:
    wide, used = at(e, "eq. 19, TV-GP-UCB", i), at(e, "their experiments", i)
    return (
        f"At T = {number(e.sweep[i])} the width (19) is <b>{number(wide)}</b>, the one of the paper's experiments "
        f"{number(used)}. On the right the largest error is {number(at(e, 'used up, eq. 19', i))} of its half-width, "
        f"{number(at(e, 'used up, theirs', i))} of theirs."
    )


def _cost(e: MicroscopeResult, i: int) -> str:
    share = at(e, "SparQ, Theorem 3.6", i)
    verdict = "below" if share < 1 else "above"
    return (
        f"With T = {power(e.sweep[i])} rounds the order of Theorem 3.6 is <b>{power(share)}</b> times T³, {verdict} "
        f"it; a round of W-SparQ is on average {power(at(e, 'W-SparQ, mean', i))} times T³. Constants count as 1."
    )


def power(value: float) -> str:
    """Return three significant digits, or two with a power of ten where a number is large or small."""
    if 1e-2 <= value < 1e4:
        return number(value)
    digits, exponent = f"{value:.1e}".split("e")
    return f"{'' if digits == '1.0' else digits + '·'}10<sup>{int(exponent)}</sup>".replace("-", "−")


def _block(e: MicroscopeResult, i: int) -> str:
    sharp, other = at(e, "sharper block", i), at(e, "with 1/σ²", i)
    return (
        f"A block of {e.sweep[i]:.0f} rounds carries {number(at(e, 'exact', i))} nats of information. The sharper "
        f"bound allows <b>{number(sharp)}</b>, the bound with 1/σ² and N<sup>5/2</sup> {number(other)}."
    )


def _fits(e: MicroscopeResult, i: int) -> str:
    least = at(e, "least squared radius", i)
    moved = f"Halfway the reward moved by {e.sweep[i]:g}: the least squared radius is {number(least)} σ²"
    if e.facts["empty"][i]:
        return f"{moved}, below zero. <b>No function fits</b>: B or σ is too small, or the reward has moved."
    return f"{moved}, so there are functions that fit, and the curve UCB(α) has <b>{e.facts['dips'][i]:.0f} valley</b>."


def _matched(e: MicroscopeResult, i: int) -> str:
    ay, amm = at(e, "AY at this ridge", i), at(e, "AMM", i)
    share, matched = at(e, "narrower", i), math.isclose(e.sweep[i], 1.0)
    where = "At matched regularisers" if matched else f"With AY's ridge at {number(e.sweep[i])} σ²/c"
    return (
        f"{where} the mean half-width is {number(amm)} for AMM and {number(ay)} for AY; AY's band is the narrower one "
        f"at <b>{percent(share)}</b> of the places."
    )


def _tail(e: MicroscopeResult, i: int) -> str:
    share, bound = at(e, "share", i), at(e, "bound, C = 2√2", i)
    says = f"the bound allows {percent(bound)}" if bound < 1 else "the bound says nothing here (it is over 100 %)"
    measured = percent(share) if share >= 1e-3 or share == 0 else f"{100 * share:.3f} %"
    return f"A random order errs by {e.sweep[i]:g} B‖w‖ or more in <b>{measured}</b> of the shuffles; {says}."


def _list(e: MicroscopeResult, i: int) -> str:
    both = "(1, 1)" if at(e, "sum", i) > 0 else "(−1, −1)"
    return (
        f"Shuffle {e.sweep[i]:.0f} gives the rewards <b>{both}</b>; {percent(at(e, 'share', i))} of the shuffles so "
        "far gave (1, 1). Entries of one fixed list would always have the same sum."
    )


def _restart(e: MicroscopeResult, i: int) -> str:
    return (
        f"At T = {number(e.sweep[i])}, with V<sub>T</sub> at the printed threshold, the restart length is "
        f"<b>{at(e, 'printed, SE', i):.2f} T</b> (SE) and {at(e, 'printed, Matérn 5/2', i):.2f} T (Matérn 5/2); at the "
        f"threshold read here {at(e, 'read, both', i):.2f} T for both."
    )


def _mean(e: MicroscopeResult, i: int) -> str:
    return (
        f"Averaged over {e.sweep[i]:.0f} shuffles, the estimate differs by at most "
        f"<b>{number(at(e, 'measured', i))}</b> from the posterior mean that is fed with the batch's average rewards."
    )


SENTENCES: dict[str, Say] = {
    "deng-times": _times, "bogunovic-21": _small_noise, "mauduit-subset": _subset, "flynn-11": _sign,
    "mauduit-34": _root, "mauduit-walk": _walk, "mauduit-three": _three, "mauduit-third": _third,
    "mauduit-length": _length, "deng-today": _today, "deng-old": _old, "deng-gain": _gain, "deng-sd": _two_sds,
    "bogunovic-block": _block, "flynn-12": _fits, "flynn-63": _matched, "iwazaki-C": _tail, "iwazaki-list": _list,
    "iwazaki-H": _restart, "iwazaki-mean": _mean, "deng-14": _features, "deng-7": _bounded,
    "bogunovic-16": _everywhere, "mauduit-36": _cost,
}  # fmt: skip
SYMBOLS = {
    "deng-times": "T =", "bogunovic-21": "σ² =", "mauduit-subset": "points:", "flynn-11": "observations:",
    "mauduit-34": "α̃ =", "mauduit-walk": "t =", "mauduit-three": "α =", "mauduit-third": "α =", "mauduit-length": "T =",
    "deng-today": "t =", "deng-old": "t =", "deng-gain": "1/(1−γ) =", "deng-sd": "1/(1−γ) =", "bogunovic-block": "N =",
    "flynn-12": "moved by", "flynn-63": "ridge, in σ²/c:", "iwazaki-C": "distance:", "iwazaki-list": "shuffle",
    "iwazaki-H": "T =", "iwazaki-mean": "shuffles:", "deng-14": "nodes:", "deng-7": "1/(1−γ) =", "bogunovic-16": "T =",
    "mauduit-36": "T =",
}  # fmt: skip


def card(key: str) -> tuple[str, str, str]:
    """Return (printed, read, where and why) of one statement, in Markdown."""
    s = STATEMENTS[key]
    return s.printed, s.read, f"**{s.where}.** {s.reason}"


def listing() -> str:
    """Return every statement as one Markdown table."""
    rows = [f"| {s.where} | {s.printed} | {s.read} | {s.reason} |" for s in STATEMENTS.values()]
    return "\n".join(["| where | as printed | as the lab reads it | why |", "|---|---|---|---|", *rows])


def table(found: MicroscopeResult) -> list[dict]:
    """Return the numbers over the sweep."""
    name = SYMBOLS[found.key].rstrip(" =:")
    rows = []
    for i in range(found.frames):
        row: dict[str, object] = {name: float(found.sweep[i])}
        for line in found.over:
            row[line.name] = float(line.y[i]) if math.isfinite(line.y[i]) else "–"
        row |= {k: float(v[i]) for k, v in found.facts.items() if math.isfinite(v[i])}
        rows.append({k: str(v) if any_text(found, k) else v for k, v in row.items()})
    return rows


def any_text(found: MicroscopeResult, name: str) -> bool:
    """Return whether a column has a gap, which is written as a dash: then all of it is text."""
    return any(line.name == name and not all(map(math.isfinite, line.y)) for line in found.over)
