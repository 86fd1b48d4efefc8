"""Sentences of the R-PERP page, from computed numbers only: each step, the shuffles, eliminations and their cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from common.formats import and_list, percent, plural
from lessons.rperp import facts
from lessons.rperp.facts import Facts
from lessons.rperp.knobs import SWING
from lessons.rperp.model import NAMES, PairedRuns, Walkthrough
from lessons.rperp.order_adversary import MAX_MOVEMENT_SHARE
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
        last: the batch is the last of its restart.   ends: the run is over with it.   final: no restart follows.
        best_left: today's best action is among those left.   lost: the batch eliminated it.   covers: the band covers
            at every action.
    """

    order: str
    width: str
    last: bool
    ends: bool
    final: bool
    best_left: bool
    lost: bool
    covers: bool

    @property
    def until(self) -> str:
        """Return how long the eliminations last."""
        return "the end" if self.final else "the next restart"

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
        final=b.restart >= runs.problem.horizon,
        best_left=bool(b.survivors[f[min(b.end, len(f) - 1)].argmax()]),
        lost=bool(b.lost),
        covers=bool(facts.covered(b).all()),
    )


def _restart(numbers: Facts, at: StepContext) -> str:
    if numbers["T"] <= numbers["H"]:
        return f"No restart: all {numbers['T']} rounds are one interval, as in plain phased elimination."
    rounds = plural(numbers["length"], "round")
    return f"Restart {numbers['restart']} of {numbers['restarts']} forgets everything, for {rounds}."


def _everyone(numbers: Facts, at: StepContext) -> str:
    sizes = and_list([str(n) for name, n in numbers.items() if name.startswith("N_")])
    return f"All {numbers['candidates']} actions are candidates. The batches have the sizes {sizes}."


def _size(numbers: Facts, at: StepContext) -> str:
    n, root = numbers["N"], numbers["formula"]
    batch, under = f"Batch {numbers['batch']}: ", f"⌈√({numbers['length']} · {numbers['N before']})⌉"
    if n < root:
        left = f"{plural(n, 'round')} {'is' if n == 1 else 'are'} left{'' if at.final else ' before the restart'}"
        return f"{batch}{under} = {root}, but only {left}."
    return f"{batch}N = {under} = <b>{n}</b> {'query' if n == 1 else 'queries'}."


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
    if n == 1:
        return "A single pick has only one order."
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
        return f"{parts} At its widest it is ±{wide:.3g}; the rewards vary by ±{spread:.2g} over the run."
    return parts + ("" if held == count else " This β is for demonstration; the guarantee belongs to eq. 8.")


def _drop(numbers: Facts, at: StepContext) -> str:
    if at.lost:
        return f"Today's best action was <span class='bad'>eliminated</span>; {_allowed(numbers, at)}"
    return _effect(numbers, at) if numbers["left"] < numbers["candidates"] else _nothing(numbers, at)


def _effect(numbers: Facts, at: StepContext) -> str:
    """Return how many actions this restart has eliminated, and whether the best one is left."""
    end = " Today's best action is still left." if at.best_left else ""
    if numbers["left"] == 1:
        end = f" The one candidate left is evaluated until {at.until}."
    return (
        f"{numbers['queries so far']} queries have eliminated <b>{numbers['ruled out']} of {numbers['actions']}</b> "
        f"actions.{end}"
    )


def _allowed(numbers: Facts, at: StepContext) -> str:
    covers = "the band covers: another has the higher batch average."
    why = covers if at.covers else "the band misses some batch averages."
    return f"{why} The best left averages {numbers['cost']:.2f} less until {at.until}."


def _nothing(numbers: Facts, at: StepContext) -> str:
    half, spread = numbers["half-width"], numbers["rewards vary by"]
    if half > spread:
        why = " The constants of the theorem are conservative." if at.width == THEORY else ""
        vary = f"over the run the rewards vary by ±{spread:.2g}"
        return f"Nothing is eliminated: the band is up to ±{half:.3g}; {vary}.{why}"
    count = numbers["candidates"]
    return f"Nothing is eliminated: {plural(count, 'action')} {'is' if count == 1 else 'are'} left."


def _last(numbers: Facts, at: StepContext) -> str:
    end = "The run is over" if at.ends else "A restart follows"
    observations = f"{plural(numbers['N'], 'observation')} {'is' if numbers['N'] == 1 else 'are'} never"
    return (
        f"{end}. The last batch eliminates nothing (lines 15–17): its {observations} used. "
        f"{numbers['left']} of {numbers['actions']} actions are left."
    )


SENTENCES = {2: _restart, 3: _everyone, 5: _size, 8: _pick, 11: _shuffle, 13: _ask, 19: _band, 20: _drop, 16: _last}


def width_name(width: str) -> str:
    """Return the name of a width in a sentence."""
    return WIDTHS.get(width, f"β = {width}")


def setup(runs: PairedRuns, first_batch: bool = False) -> str:
    """Return the set-up with its seed (Markdown); of a first batch alone without the width, which changes none."""
    s, world = runs.setting, runs.setting.world
    name = (
        f"Adversary against the fixed order, amplitude Δ at most {runs.swing:.3g}, as far as $V_T$ allows; base: "
        if s.follows
        else "Set-up: "
    )
    width = width_name(s.width) + (f", δ = {DELTA:g}" if s.width in WIDTHS else "")
    step = f", longest step {runs.longest_step:.2g} known to the learner" if s.width == DRIFT else ""
    learner = "" if first_batch else f"{width}{step}, "
    return (
        f"{name}{worlds.caption(world)}; $V_T$ = {runs.problem.sup_variation:.3g}, H = {runs.H}, {learner}"
        f"λ = {runs.ridge:.2g}, shuffle {s.shuffle}. {runs.problem.note}".rstrip()
    )


def cut_swing(runs: PairedRuns) -> list[str]:
    """Return a note where the amplitude does not fit into the norm."""
    if not runs.swing or runs.swing >= SWING:
        return []
    return [
        f"An amplitude of {SWING:g} leaves the base less than {percent(1 - MAX_MOVEMENT_SHARE)} of norm B = "
        f"{runs.setting.world.norm_bound:g}; {runs.swing:.2f} is used."
    ]


def notes(runs: PairedRuns, order: str) -> list[str]:
    """Return notes about the run of one order that its figure does not show."""
    parts, s = cut_swing(runs), runs.setting
    if runs.problem.horizon <= runs.H:
        plain = "In the fixed order this is plain PE." if order != "shuffled" else ""
        parts.append(f"There is no restart: H is the whole horizon. {plain}")
    if s.width in WIDTHS and order != "shuffled":
        parts.append("This width is proved for the shuffled order only.")
    if s.width == DRIFT:
        swing = max(float(np.ptp(runs.problem.f[b.start : b.end], axis=0).max()) for b in runs.batches)
        parts.append(
            f"Derived here: a bound on the change within one batch replaces 2B = {2 * s.world.norm_bound:g}. It "
            f"follows from the longest step; the change itself is at most {swing:.2g}."
        )
    lost = [b for b in runs.run(NAMES[order]) if b.lost]
    if lost:
        worst = max(lost, key=lambda b: b.cost)
        made = sum(not b.last for b in runs.batches)
        parts.append(
            f"In this run {len(lost)} of the {made} batches that may eliminate lost the action that was best in the "
            f"next round. After the worst of these the best candidate left is {worst.cost:.2f} below the best action, "
            f"on average until t = {worst.restart}."
        )
    return [text.strip() for text in parts]
