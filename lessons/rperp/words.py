"""Sentences of the R-PERP page, from computed numbers only: each step, the shuffles, eliminations and their cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from common.formats import and_list
from lessons.rperp import facts
from lessons.rperp.facts import Facts
from lessons.rperp.knobs import SWING
from lessons.rperp.model import NAMES, PairedRuns, Walkthrough
from lessons.rperp.setting import DELTA, DRIFT
from lessons.rperp.steps import Step
from lessons.shared import problems, worlds
from tvbo_core.policies.width import THEORY

WIDTHS = {"theory": "eq. 8", "drift": "derived here"}
ONE_SEEN = (
    "① ▲: this pick; ticks: the picks before it. ② Each line is a query. "
    "③ ○: an observation, with a stem from f̄ (dashed); ●: best action today, ✗ once eliminated; hatched: eliminated. "
    "The band is for the batch average f̄, not for $f_t$."
)


def labels(walk: Walkthrough) -> list[str]:
    """Return the text beside the player's bar for every frame."""
    T, found = walk.runs.problem.horizon, []
    for step, t in zip(walk.steps, walk.rounds, strict=True):
        batch = walk.runs.batches[step.batch]
        where = f"restart {batch.interval}, batch {batch.number}"
        found.append(f"t = {t} of {T} · {where}" + f", line {step.line}")
    return found


@dataclass(frozen=True)
class StepContext:
    """Names and flags that the sentence of a step has beside its facts.

    Attributes:
        order: of the run, "fixed" or "shuffled".   width: of its band.
        last: the batch is the last of its restart.   ends: the run is over with it.   best_left: today's best action
            is among those left.   lost: the batch eliminated it.   covers: the band covers at every action.
    """

    order: str
    width: str
    last: bool
    ends: bool
    best_left: bool
    lost: bool
    covers: bool

    def place(self, x: float) -> str:
        """Return an action as a sentence names it."""
        return f"x = {x:.2f}"


def finding(walk: Walkthrough, order: str) -> list[str]:
    """Return the sentence under the question for every frame (HTML).

    Args:
        order: of the run on screen, "fixed" or "shuffled".
    """
    return [
        SENTENCES[step.line](facts.of_step(walk, frame, order), _context(walk, step, order))
        for frame, step in enumerate(walk.steps)
    ]


def _context(walk: Walkthrough, step: Step, order: str) -> StepContext:
    runs = walk.runs
    b, f = runs.run(NAMES[order])[step.batch], runs.problem.f
    return StepContext(
        order=order,
        width=runs.setting.width,
        last=b.last,
        ends=b.end == runs.problem.horizon,
        best_left=bool(b.survivors[f[min(b.end, len(f) - 1)].argmax()]),
        lost=bool(b.lost),
        covers=bool(facts.covered(b).all()),
    )


def _restart(numbers: Facts, at: StepContext) -> str:
    if numbers["T"] <= numbers["H"]:
        return f"No restart: all {numbers['T']} rounds are one interval, as in plain phased elimination."
    return f"Restart {numbers['restart']} of {numbers['restarts']} forgets everything, for {numbers['length']} rounds."


def _everyone(numbers: Facts, at: StepContext) -> str:
    sizes = and_list([str(n) for name, n in numbers.items() if name.startswith("N_")])
    return f"All {numbers['candidates']} actions are candidates. The batches will have {sizes} queries."


def _size(numbers: Facts, at: StepContext) -> str:
    n, root = numbers["N"], numbers["formula"]
    single = " A single round is left over." if n == 1 and at.last else ""
    batch, under = f"Batch {numbers['batch']}: ", f"⌈√({numbers['length']} · {numbers['N before']})⌉"
    if n < root:
        return f"{batch}{under} = {root}, but fewer rounds are left: it has all {n} of them.{single}"
    return f"{batch}N = {under} = <b>{n}</b> queries.{single}"


def _pick(numbers: Facts, at: StepContext) -> str:
    return (
        f"Pick {numbers['pick']} of {numbers['N']}: the most uncertain candidate, {at.place(numbers['x picked'])} "
        f"(s = {numbers['s']:.2f}). This needs no observation."
    )


def place(runs: PairedRuns, arm: int) -> str:
    """Return an action as a figure names it."""
    return f"x = {problems.place_name(runs.problem, arm)}"


def _shuffle(numbers: Facts, at: StepContext) -> str:
    n = numbers["N"]
    if at.order == "fixed":
        return f"Fixed order: the {n} picks are evaluated as picked. An adversary can compute this order in advance."
    return f"The {n} picks are <b>shuffled</b>: the same queries, in an order that no adversary knows in advance."


def _ask(numbers: Facts, at: StepContext) -> str:
    return (
        f"Query {numbers['query']} of {numbers['N']}, at t = {numbers['t']}: {at.place(numbers['x evaluated'])} "
        f"gives {numbers['observation']:.2f}; its average reward over this batch is {numbers['average there']:.2f}."
    )


def _band(numbers: Facts, at: StepContext) -> str:
    held, count = numbers["covered"], numbers["candidates"]
    kind = "good" if held == count else "bad"
    parts = f"The band covers the batch average at <span class='{kind}'>{held} of {count}</span> candidates."
    if at.width in WIDTHS:
        wide, spread = numbers["half-width"], numbers["rewards vary by"]
        return f"{parts} Its largest half-width is {wide:.3g}; the rewards vary by ±{spread:.2g}."
    return parts + ("" if held == count else " This β is for demonstration; the guarantee belongs to eq. 8.")


def _drop(numbers: Facts, at: StepContext) -> str:
    if at.lost:
        return f"Today's best action was <span class='bad'>eliminated</span>; {_allowed(numbers, at)}"
    return _effect(numbers, at) if numbers["left"] < numbers["candidates"] else _nothing(numbers, at)


def _effect(numbers: Facts, at: StepContext) -> str:
    """Return how many actions this restart has eliminated, and whether the best one is left."""
    end = " Today's best action is still left." if at.best_left else ""
    if numbers["left"] == 1:
        end = " The one candidate left is evaluated until the next restart."
    return (
        f"{numbers['queries so far']} queries have eliminated <b>{numbers['ruled out']} of {numbers['actions']}</b> "
        f"actions.{end}"
    )


def _allowed(numbers: Facts, at: StepContext) -> str:
    allowed = "eq. 9 allows this, because the band covers the batch average."
    why = allowed if at.covers else "the band missed the batch average."
    return f"{why} The loss is {numbers['cost']:.2f} a round until the next restart."


def _nothing(numbers: Facts, at: StepContext) -> str:
    half, spread = numbers["half-width"], numbers["rewards vary by"]
    if half > spread:
        why = " The constants of the theorem are conservative." if at.width == THEORY else ""
        return f"Nothing is eliminated: the band, ±{half:.3g}, is wider than the rewards vary, ±{spread:.2g}.{why}"
    return f"Nothing is eliminated: {numbers['candidates']} actions are left."


def _last(numbers: Facts, at: StepContext) -> str:
    end = "The run is over" if at.ends else "A restart follows"
    return (
        f"{end}. The last batch eliminates nothing (lines 15–17): its {numbers['N']} rewards are never used. "
        f"{numbers['left']} of {numbers['actions']} actions are left."
    )


SENTENCES = {2: _restart, 3: _everyone, 5: _size, 8: _pick, 11: _shuffle, 13: _ask, 19: _band, 20: _drop, 16: _last}


def width_name(width: str) -> str:
    """Return the name of a width in a sentence."""
    return WIDTHS.get(width, f"β = {width}")


def setup(runs: PairedRuns) -> str:
    """Return the set-up with its seed (Markdown)."""
    s, world = runs.setting, runs.setting.world
    name = (
        f"Adversary against the fixed order, amplitude Δ = {runs.swing:.3g}, until $V_T$ is spent; base: "
        if s.follows
        else "Set-up: "
    )
    width = width_name(s.width) + (f", δ = {DELTA:g}" if s.width in WIDTHS else "")
    step = f", longest step {runs.longest_step:.2g} known to the learner" if s.width == DRIFT else ""
    return (
        f"{name}{worlds.caption(world)}; $V_T$ = {runs.problem.sup_variation:.3g}, H = {runs.H}, {width}{step}, "
        f"λ = {runs.ridge:.2g}, shuffle {s.shuffle}. {runs.problem.note}".rstrip()
    )


def cut_swing(runs: PairedRuns) -> list[str]:
    """Return a note where the amplitude does not fit into the norm."""
    if not runs.swing or runs.swing >= SWING:
        return []
    return [
        f"An amplitude of {SWING:g} does not fit into norm B = {runs.setting.world.norm_bound:g}; the largest "
        f"possible, {runs.swing:.2f}, is shown."
    ]


def notes(runs: PairedRuns, order: str) -> list[str]:
    """Return notes about the run of one order that its figure does not show."""
    parts, s = cut_swing(runs), runs.setting
    if runs.problem.horizon <= runs.H:
        plain = "In the fixed order this is plain PE." if order != "shuffled" else ""
        parts.append(f"There is no restart: H is the whole horizon. {plain}")
    if s.width in WIDTHS and order != "shuffled":
        parts.append("Eq. 8 is proved for the shuffled order only; the fixed order uses its width here.")
    if s.width == DRIFT:
        swing = max(float(np.ptp(runs.problem.f[b.start : b.end], axis=0).max()) for b in runs.batches)
        parts.append(
            f"Derived here: the range of the rewards in one batch replaces 2B. It is at most {swing:.2g}; 2B is "
            f"{2 * s.world.norm_bound:g}."
        )
    lost = [b for b in runs.run(NAMES[order]) if b.lost]
    if lost:
        worst = max(lost, key=lambda b: b.cost)
        made = sum(not b.last for b in runs.batches)
        parts.append(
            f"In this run {len(lost)} of {made} batches eliminated the action that was best in the next round. The "
            f"worst of these costs {worst.cost:.2f} a round until t = {worst.restart}."
        )
    return [text.strip() for text in parts]
