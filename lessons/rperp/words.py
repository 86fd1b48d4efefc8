"""Sentences of the R-PERP page, from computed numbers only: each step, the shuffles, eliminations and their cost."""

from __future__ import annotations

import math

import numpy as np

from lessons.rperp.coverage import CoverageRow
from lessons.rperp.model import SHUFFLES, STILL, PairedRuns, Walkthrough, cut_to_horizon
from lessons.rperp.setting import DRIFT
from lessons.shared import problems, worlds
from tvbo_core.policies.elimination.batch import Batch
from tvbo_core.policies.elimination.schedule import batch_sizes
from tvbo_core.policies.elimination.shuffles import in_batch_drift
from tvbo_core.policies.elimination.steps import Step
from tvbo_core.policies.width import THEORY

SAME_SIDE_SHARE = 0.99  # share of the repeats on one side of zero that is called "every time"
# Word of the sentences -> the mark of the figure that it points at: the run in this order, or the best action.
MARKS = {"known order": "PE", "fixed order": "PE", "shuffled": "R-PERP", "Shuffles": "R-PERP", "shuffles": "R-PERP",
         "best action": "best action"}  # fmt: skip
RUN = {"fixed": "PE", "shuffled": "R-PERP", "both": "R-PERP"}
COVERAGE_TITLE = "##### Does the promise hold? Eq. 9 over many worlds and shuffles"
WIDTHS = {"theory": "eq. 8", "drift": "derived here"}
BOTH_SEEN = (
    "○: a reward heard, with a stem from the batch average f̄ (dashed); dotted: the rewards $f_t$ behind it. The band "
    "is for f̄, not for $f_t$. ●: best action now, ✗ once it is out; hatched: eliminated. Below, bars: $f_t$ lifted or "
    "lowered; dots: the place asked, above or below the batch's median. Right: the same batch repeated, shuffled "
    "(solid) and fixed (dashed), ▼ averages. For Algorithm 1 line by line choose Shuffled."
)
ONE_SEEN = (
    "① ▲: this pick; ticks: the picks before it. ② One line a question. ③ Solid: shuffled; dashed: fixed; ▼ averages. "
    "④ ○: a reward heard, with a stem from f̄ (dashed); ●: best action today, ✗ once it is out; hatched: eliminated. "
    "The band is for the batch average f̄, not for $f_t$."
)
EQ9 = (
    "A run keeps eq. 9 when every band that eliminates covers its batch average at all actions at once. Bars: 95% "
    "Wilson intervals. Solid: shuffled; dashed: fixed order, for which no width is proved."
)


def signed(value: float) -> str:
    """Return a value with its sign, two decimals; 0.00 has no sign."""
    text = f"{value:+.2f}".replace("-", "−")
    return "0.00" if text in ("+0.00", "−0.00") else text


def labels(walk: Walkthrough) -> list[str]:
    """Return the text beside the player's bar for every frame."""
    T, found = walk.runs.problem.horizon, []
    for step, t in zip(walk.steps, walk.rounds, strict=True):
        batch = walk.runs.batches[step.batch]
        where = f"restart {batch.interval}, batch {batch.number}"
        found.append(f"t = {t} of {T} · {where}" + (f", line {step.line}" if walk.grain == "line" else ""))
    return found


def finding(walk: Walkthrough, order: str) -> list[str]:
    """Return the sentence under the question for every frame (HTML)."""
    said = {2: _restart, 3: _everyone, 5: _size, 8: _pick, 11: _shuffle, 13: _ask, 19: _band, 20: _drop, 16: _last}
    return [said[step.line](walk, step, order) for step in walk.steps]


def _batch(walk: Walkthrough, step: Step, order: str) -> Batch:
    return walk.runs.runs[RUN[order]][step.batch]


def _restart(walk: Walkthrough, step: Step, order: str) -> str:
    b, runs = _batch(walk, step, order), walk.runs
    if runs.problem.horizon <= runs.H:
        return f"No restart: all {runs.problem.horizon} steps are one interval, as in plain phased elimination."
    many = math.ceil(runs.problem.horizon / runs.H)
    return f"Restart {b.interval} of {many}: everything is forgotten. It lasts {sum(b.sizes)} steps."


def _everyone(walk: Walkthrough, step: Step, order: str) -> str:
    b = _batch(walk, step, order)
    sizes = _list([str(n) for n in b.sizes])
    return f"All {len(b.alive)} actions are candidates. The batches will be {sizes} questions long."


def _size(walk: Walkthrough, step: Step, order: str) -> str:
    b = _batch(walk, step, order)
    n, total = b.sizes[b.number - 1], sum(b.sizes)
    before = b.sizes[b.number - 2] if b.number > 1 else 1
    root = math.isqrt(total * before - 1) + 1
    single = " A single step is left over." if n == 1 and b.last else ""
    if n < root:
        return (
            f"Batch {b.number}: ⌈√({total} · {before})⌉ = {root} questions are more than are left, so it takes all "
            f"{n}.{single}"
        )
    return f"Batch {b.number}: N = ⌈√({total} · {before})⌉ = <b>{n}</b> questions.{single}"


def _pick(walk: Walkthrough, step: Step, order: str) -> str:
    b, runs = _batch(walk, step, order), walk.runs
    m = step.picked - 1
    at = problems.place_name(runs.problem, int(b.picks[m]))
    return (
        f"Pick {step.picked} of {len(b.picks)}: the candidate that is least certain, {_place(runs, at)} "
        f"(s = {b.sds[m]:.2f}). The variance falls where it is picked; no reward is needed for that."
    )


def place(runs: PairedRuns, arm: int) -> str:
    """Return an action as a figure names it: its place, or the name of a table's arm."""
    return _place(runs, problems.place_name(runs.problem, arm))


def _place(runs: PairedRuns, at: str) -> str:
    return at if runs.problem.arm_names else f"x = {at}"


def _shuffle(walk: Walkthrough, step: Step, order: str) -> str:
    n = len(_batch(walk, step, order).picks)
    if order == "fixed":
        return (
            f"Fixed order: the {n} picks are asked as they were picked. Whoever knows the algorithm knows this order."
        )
    return f"The {n} picks are <b>shuffled</b>: the same questions, but nobody can know which is asked when."


def _ask_both(walk: Walkthrough, step: Step) -> str:
    """Return what the known order asks in this round and what the reward does, and what the shuffle asks."""
    runs, k, said = walk.runs, step.heard - 1, {}
    for name in ("PE", "R-PERP"):
        b, moves = runs.runs[name][step.batch], runs.moves(name, step.batch)
        kind = "poor" if moves.good[k] < 0 else "good" if moves.good[k] > 0 else "middling"
        said[name] = f"{place(runs, int(b.asked[k]))}, where it is {kind}"
    away, t = runs.moves("PE", step.batch).away[k], runs.runs["PE"][step.batch].start + step.heard
    move = "stays" if abs(away) <= STILL else "is <b>lifted</b>" if away > 0 else "is <b>lowered</b>"
    n = len(runs.batches[step.batch].picks)
    return (
        f"Question {step.heard} of {n}, at t = {t}: the reward {move}. The known order asks {said['PE']}; the shuffled "
        f"order asks {said['R-PERP']}."
    )


def _ask(walk: Walkthrough, step: Step, order: str) -> str:
    if order == "both" and walk.runs.setting.follows:
        return _ask_both(walk, step)
    b, runs = _batch(walk, step, order), walk.runs
    m = int(np.flatnonzero(b.permutation == step.heard - 1)[0])
    at = _place(runs, problems.place_name(runs.problem, int(b.picks[m])))
    return (
        f"Question {step.heard} of {len(b.picks)}, at t = {b.start + step.heard}: {at} answers {b.rewards[m]:.2f}; "
        f"averaged over this batch its reward is {b.truth[b.picks[m]]:.2f}."
    )


def _band(walk: Walkthrough, step: Step, order: str) -> str:
    b, runs = _batch(walk, step, order), walk.runs
    held = ((b.band.lower <= b.truth) & (b.truth <= b.band.upper))[b.alive]
    half, spread = float((b.band.upper - b.band.mean)[b.alive].max()), 0.5 * float(np.ptp(runs.problem.f))
    kind = "good" if held.all() else "bad"
    said = f"The band covers the batch average at <span class='{kind}'>{held.sum()} of {len(held)}</span> candidates."
    if runs.setting.width in WIDTHS:
        return f"{said} At its widest it is ±{half:.3g}; the rewards vary by ±{spread:.2g}."
    return said + ("" if held.all() else " This β was chosen for demonstration; the promise of 1 − δ belongs to eq. 8.")


def _drop(walk: Walkthrough, step: Step, order: str) -> str:
    b, runs = _batch(walk, step, order), walk.runs
    counts = " → ".join(str(n) for n in runs.survivors(RUN[order], step.batch))
    fewer = b.survivors.sum() < b.alive.sum()
    said = ("" if runs.setting.follows else _effect(runs, b, counts)) if fewer else _nothing(runs, b)
    if b.survivors.sum() == 1:
        said += " One candidate is left, and will be asked until the next restart."
    if b.lost:
        said += f" Today's best action was <span class='bad'>eliminated</span>; {_allowed(b)}"
    if not runs.setting.follows and fewer:
        return said
    only = order == "both" and runs.runs["PE"][step.batch].lost and not b.lost
    errors = shuffle_errors(runs, step.batch, only)
    return f"{errors} {said}".strip() if runs.setting.follows else f"{said} {errors}"


def _effect(runs: PairedRuns, b: Batch, counts: str) -> str:
    """Return how many actions the questions of this restart have ruled out, and whether the best one is still in."""
    asked, out = sum(b.sizes[: b.number]), int((~b.survivors).sum())
    today = int(runs.problem.f[min(b.end, runs.problem.horizon - 1)].argmax())
    best = f" The best one now, {place(runs, today)}, is among those left." if b.survivors[today] else ""
    return f"{asked} questions have ruled out <b>{out} of {len(b.alive)}</b> actions ({counts}).{best}"


def _allowed(b: Batch) -> str:
    covers = bool(((b.band.lower <= b.truth) & (b.truth <= b.band.upper)).all())
    why = "this is allowed, for the band covers the batch average." if covers else "the band missed the batch average."
    return f"{why} It costs {b.cost:.2f} a step until the next restart."


def _nothing(runs: PairedRuns, b: Batch) -> str:
    half, spread = float((b.band.upper - b.band.mean)[b.alive].max()), 0.5 * float(np.ptp(runs.problem.f))
    if half > spread:
        why = " The constants of the theorem are conservative." if runs.setting.width == THEORY else ""
        return f"Nothing is eliminated: the band, ±{half:.3g}, is wider than the rewards vary, ±{spread:.2g}.{why}"
    return f"Nothing is eliminated: {int(b.alive.sum())} actions are left."


def shuffle_errors(runs: PairedRuns, batch: int, loses: bool = False) -> str:
    """Return the errors of one batch's estimate over 400 orders, where the fixed order is most wrong.

    Args:
        loses: of the two runs on screen only the fixed one has eliminated today's best action.
    """
    spread = runs.spreads[batch]
    j = spread.place
    fixed, shuffled = spread.fixed[:, j], spread.shuffled[:, j]
    at = _place(runs, problems.place_name(runs.problem, int(spread.arms[j])))
    side = max((fixed > 0).mean(), (fixed < 0).mean())
    always = ""
    if side >= SAME_SIDE_SHARE:
        always = f", <span class='bad'>{round(side * SHUFFLES)} of {SHUFFLES} times the same way</span>"
    if loses:
        return (
            f"At {at} the known order errs by {signed(fixed.mean())}{always}, and <b>loses the best action</b>; "
            f"shuffles <span class='good'>average to {signed(shuffled.mean())}</span>."
        )
    return (
        f"At {at} the fixed order errs by {signed(fixed.mean())}{always}; shuffles err both ways (SD "
        f"{shuffled.std():.2f}), <span class='good'>on average by {signed(shuffled.mean())}</span>."
    )


def _last(walk: Walkthrough, step: Step, order: str) -> str:
    b, runs = _batch(walk, step, order), walk.runs
    end = "The run is over" if b.end == runs.problem.horizon else "A restart follows"
    return (
        f"{end}. The last batch eliminates nothing (lines 15–17), and its {len(b.picks)} rewards are never used. "
        f"{int(b.survivors.sum())} of {len(b.alive)} actions are left."
    )


def _list(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def width_name(width: str) -> str:
    """Return the name of a width in a sentence."""
    return WIDTHS.get(width, f"β = {width}")


def caption(runs: PairedRuns, order: str) -> str:
    """Return what the figure shows and the set-up with its seed (Markdown)."""
    s, world = runs.setting, runs.setting.world
    name = (
        f"Follows the fixed order with swing Δ = {runs.swing:.3g} until $V_T$ is spent; base: "
        if s.follows
        else "Set-up: "
    )
    width = width_name(s.width) + (f", δ = {s.delta:g}" if s.width in WIDTHS else "")
    step = f", told that no step is longer than {runs.longest_step:.2g}" if s.width == DRIFT else ""
    seen = BOTH_SEEN if order == "both" else ONE_SEEN
    return (
        f"{seen} {name}{worlds.caption(world)}; $V_T$ = {runs.problem.sup_variation:.3g}, H = {runs.H}, {width}{step}, "
        f"λ = {runs.ridge:.2g}, shuffle {s.shuffle}. {runs.problem.note}".rstrip()
    )


def notes(runs: PairedRuns, order: str) -> list[str]:
    """Return what the figure does not say by itself."""
    said, s = [], runs.setting
    if runs.swing and runs.swing < s.swing:
        said.append(f"A swing of {s.swing:g} does not fit into norm B = {s.world.norm_bound:g}; the largest, "
                    f"{runs.swing:.2f}, is shown.")  # fmt: skip
    if runs.problem.horizon <= runs.H:
        plain = "In the fixed order this is plain PE." if order != "shuffled" else ""
        said.append(f"There is no restart: H is the whole horizon. {plain}")
    if order == "both" and s.follows:
        out, mixed = runs.lost_best(0)
        said.append(f"In {SHUFFLES} repeats of the first batch the known order loses the best action {out} times, "
                    f"a shuffled one {mixed} times.")  # fmt: skip
    if s.width in WIDTHS and order != "shuffled":
        said.append("Eq. 8 is proved for the shuffled order; the fixed order borrows its width here.")
    if s.width == DRIFT:
        swing = max(in_batch_drift(runs.problem, b) for b in runs.batches)
        said.append(f"Derived here: 2B is replaced by what a batch can move. The rewards of one batch lie at most "
                    f"{swing:.2g} apart; 2B is {2 * s.world.norm_bound:g}.")  # fmt: skip
    lost = [b for b in runs.runs[RUN[order]] if b.lost]
    if lost:
        worst = max(lost, key=lambda b: b.cost)
        made = sum(not b.last for b in runs.batches)
        said.append(f"In this run {len(lost)} of {made} eliminations removed the action that was best the moment "
                    f"after; the costliest costs {worst.cost:.2f} a step until t = {worst.restart}.")  # fmt: skip
    return [text.strip() for text in said]


def restarts(runs: PairedRuns) -> str:
    """Return H by hand and by Theorem 5, with the condition (Markdown)."""
    T, V = runs.problem.horizon, runs.problem.sup_variation
    rows = ["| | H | restarts | batches |", "|---|---|---|---|", _row("on screen", runs.H, T)]
    if runs.theorem_length is None:
        return "\n".join(rows) + "\n\nTheorem 5 speaks of SE and Matérn kernels; this table's kernel has no smoothness."
    world = runs.setting.world
    if world.kernel == "matern" and world.nu <= 0.5:
        return "\n".join(rows) + "\n\nTheorem 5 needs ν > 1/2; at ν = 1/2 it promises nothing."
    rows.append(_row(f"Theorem 5, $V_T={V:.3g}$", runs.theorem_rounds, T))
    rows.append(_row("Theorem 5, $V_T$ unknown (as if 1)", cut_to_horizon(runs.blind_length, T), T))
    formula = r"T^{-1/2}\ln^{(d+2)/2}T"
    if world.kernel == "matern":
        formula = r"T^{-\nu/(2\nu+d)}\ln^{(4\nu+d)/(4\nu+2d)}T"
    return "\n".join(rows) + (
        f"\n\nThe prescribed restart length is at most T exactly when $V_T\\ge {formula}$ = {runs.least_drift:.3g} "
        f"(derived here); below that the lab uses H = T. The rate is the same up to logarithms. Here $V_T={V:.3g}$."
    )


def _row(name: str, H: int, T: int) -> str:
    sizes = batch_sizes(min(H, T))
    return f"| {name} | {H} | {math.ceil(T / H)} | {', '.join(map(str, sizes))} |"


def coverage_titles(rows: list[CoverageRow]) -> list[str]:
    """Return the title of each row: its width and its order."""
    return [f"{width_name(r.width)}, {'shuffled' if r.shuffled else 'fixed'}" for r in rows]


def coverage(runs: PairedRuns, rows: list[CoverageRow]) -> str:
    """Return the coverage panel in words, counts first."""
    score, first = rows[0].score, runs.setting.world.seed
    titles = coverage_titles(rows)
    inside = "; ".join(f"{title} {100 * r.score.inside:.3g}%" for title, r in zip(titles, rows, strict=True))
    kept = f"{score.kept} of {score.runs}"
    where = "noise" if runs.setting.world.kind == "data" else "worlds, noises and shuffles"
    return (
        f"Measured: {score.runs} {where} (seeds {first} to {first + score.runs - 1}), {score.bands} bands a row. "
        f"Single (band, action) pairs covered: {inside}. With {width_name(rows[0].width)} the best action of every "
        f"batch average survived in {kept} runs. Proved for the shuffled order with eq. 8: at least "
        f"{100 * score.promised:g}% of runs. {EQ9}"
    )
