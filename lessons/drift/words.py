"""Sentences about drift from computed numbers: titles, the finding of each round, notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from common.formats import amount
from lessons.drift import model
from lessons.drift.claims import ONE_STEP
from lessons.drift.knobs import DRIFT_WORLD
from lessons.drift.model import WorldDrift
from lessons.shared.knobs import KINDS
from lessons.shared.odds import Odds, shipped
from lessons.shared.wording import COUNTS, PHRASES, counted
from tvbo_core import Problem, World, kernels

ROUGH_REWARDS = "This reward is rough: Iwazaki & Takeno's Theorem 5 needs ν > 1/2, so it makes no promise here."
SEEN_SHARE = 0.01  # of the rewards' range: a smaller step is called tiny
READING = {
    "hills": "Blue rod: the latest of the largest changes, at the action where they happen. Blue bar: the sum of all.",
    "maps": "The white line is the best action.",
}
TWINS = "Both sides show the same world; choose another one on the right."


def kernel_name(world: World) -> str:
    """Return "SE", "Matérn 3/2" and the like."""
    entry = kernels.ALL[world.kernel]
    usual = next((text for text, value in entry.choices.items() if value == world.nu), f"{world.nu:g}")
    return f"{entry.title} {usual}" if entry.takes_nu else entry.title


def titles(worlds: Sequence[World]) -> list[tuple[str, str]]:
    """Return (headline, short name) of each world; two worlds of one kind differ by kernel or by place."""
    kinds = [world.kind for world in worlds]
    alike = len(worlds) == 2 and kinds[0] == kinds[1]
    twins = alike and worlds[0] == worlds[1]
    found = []
    for world, kind, place in zip(worlds, kinds, ("Left", "Right"), strict=False):
        parameter = {"markov": f", ε = {world.epsilon:g}", "rough": f", α = {world.alpha:g}"}.get(kind, "")
        name = f"{PHRASES[kind].removeprefix('the ').capitalize()}{parameter}"
        kernel = kernel_name(world)
        short = place if twins else kernel if alike else KINDS[kind].split()[0]
        found.append((f"{name}, {kernel}" if alike else name, short))
    return found


def finding(
    drifts: Sequence[WorldDrift], names: Sequence[str], rows: Sequence[int] | None = None, hops: bool = True
) -> list[str]:
    """Return the sentence of these rounds, or of all (HTML).

    Args:
        hops: whether the figure shows hops of the best action, so that a sentence names them.
    """
    phrases, tiny = [phrase(drifts, i) for i in range(len(drifts))], _tiny(drifts)
    events = [_hops(drift, phrase) if hops else {} for drift, phrase in zip(drifts, phrases, strict=True)]
    return [
        sentence(model.facts(drifts, names, row), names, phrases, tiny, [found.get(row, "") for found in events])
        for row in (range(drifts[0].problem.horizon) if rows is None else rows)
    ]


def sentence(
    facts: Mapping[str, float | None],
    names: Sequence[str],
    phrases: Sequence[str],
    tiny: Sequence[bool],
    hops: Sequence[str],
) -> str:
    """Return the sentence of a round from its facts: hops of the best action, else how far the worlds have drifted.

    Args:
        names, phrases: of the worlds, alone and inside a sentence.   tiny: whether the steps of a world are too small
            to be seen.   hops: the hop of each world with room for its length at {}, "" without one.
    """
    clauses = [hop.format(facts[f"{name} hop"]) for hop, name in zip(hops, names, strict=True) if hop]
    if clauses:
        return f"At t = {facts['t']} {' and '.join(clauses)}."
    worlds = [
        DriftSoFar(phrase, facts[f"{name} V_t"], facts[f"{name} V_T"], facts[f"{name} steps"], small)
        for name, phrase, small in zip(names, phrases, tiny, strict=True)
    ]
    if max(world.total for world in worlds) == 0:
        return "<b>Nothing moves</b>, so nothing has to be forgotten."
    return _total(worlds) if all(world.so_far >= world.total for world in worlds) else _so_far(worlds)


@dataclass(frozen=True)
class DriftSoFar:
    """Drift of a world so far, all its numbers being facts.

    Attributes:
        phrase: the world inside a sentence.   so_far, total: V_t and V_T.   steps: so far.
        tiny: whether a step is too small to be seen.
    """

    phrase: str
    so_far: float
    total: float
    steps: int
    tiny: bool

    @property
    def way(self) -> str:
        """In how many steps it has drifted so far."""
        if self.steps == 1:
            return "in a single jump" if self.so_far >= self.total else "in a single step"
        return f"in {counted(self.steps)}\u00a0{'tiny ' * self.tiny}steps"

    @property
    def few(self) -> bool:
        """Return whether the steps are so few that their number is written as a word."""
        return self.steps < len(COUNTS)


def _total(worlds: Sequence[DriftSoFar]) -> str:
    """Return how far the worlds drift in total."""
    first, totals = worlds[0], [world.total for world in worlds]
    if len(worlds) == 1:
        return f"In total {first.phrase} {_blue('drifts', first.total)}, {first.way}."
    if amount(totals[0]) != amount(totals[1]):
        less, more = sorted(worlds, key=lambda world: world.total)
        rest = f"{less.phrase} by\u00a0{amount(less.total)}" if less.total else f"{less.phrase} does not move"
        return f"In total {more.phrase} {_blue('drifts', more.total)}, and {rest}."
    both = f"Both worlds {_blue('drift', max(totals))} in total"
    if worlds[0].way == worlds[1].way:
        return f"{both}, each {first.way}."
    return f"{both}: one {first.way}, the other {worlds[1].way}."


def _so_far(worlds: Sequence[DriftSoFar]) -> str:
    """Return how far the worlds have drifted by now, those that have moved first, and in how many steps.

    Two large numbers of steps would be too many numbers: they stand there once where they agree, else not at all.
    """
    moved, rest = [world for world in worlds if world.so_far], [world for world in worlds if not world.so_far]
    if not moved:
        return "<b>So far nothing has moved.</b>"
    ways = ["" if sum(not world.few for world in moved) > 1 else f" {world.way}" for world in moved]
    clauses = [f"{moved[0].phrase} has {_blue('drifted', moved[0].so_far)}{ways[0]}"]
    clauses += [
        f"{world.phrase} by\u00a0{amount(world.so_far)}{way}" for world, way in zip(moved[1:], ways[1:], strict=True)
    ]
    clauses += [f"{world.phrase} has not moved" for world in rest]
    same = f", each {moved[0].way}" if not any(ways) and moved[0].steps == moved[-1].steps else ""
    return f"So far {' and '.join(clauses)}{same}."


def _blue(verb: str, far: float) -> str:
    """Return the drift in the colour of its role."""
    return f'<span class="drift">{verb} by\u00a0{amount(far)}</span>'


def _tiny(drifts: Sequence[WorldDrift]) -> list[bool]:
    """Return of each world whether all its steps are less than a hundredth of the rewards' range, about a line's width.

    A single step is a jump, however small.
    """
    room = max(float(drift.problem.f.max()) for drift in drifts) - min(float(drift.problem.f.min()) for drift in drifts)
    return [bool(drift.counted[-1] > 1 and drift.steps.max() < SEEN_SHARE * room) for drift in drifts]


def phrase(drifts: Sequence[WorldDrift], i: int) -> str:
    """Return a world's name inside a sentence."""
    kinds = [drift.world.kind for drift in drifts]
    alike = len(drifts) == 2 and kinds[0] == kinds[1]
    return f"the {('left', 'right')[i]} world" if alike else PHRASES[kinds[i]]


def _hops(drift: WorldDrift, phrase: str) -> dict[int, str]:
    """Return row -> the hop of the best action there, with room for its length at {}."""
    return {hop.t: f"{phrase}’s best action <b>hops by\u00a0{{:.2f}}</b>" for hop in drift.events.hops}


def notes(drifts: Sequence[WorldDrift], names: Sequence[str]) -> list[str]:
    """Return remarks on these settings, one sentence each; none when there is nothing to add."""
    found = []
    for drift, name in zip(drifts, names, strict=True):
        note = budget_note(drift.world, drift.problem)
        if note:
            found.append(f"{name}: {note}" if len(drifts) == 2 else note)
    if len(drifts) == 2 and drifts[0].world == drifts[1].world:
        found.append(TWINS)
    if any(s.world.kernel == "matern" and s.world.nu <= 0.5 for s in drifts):
        found.append(ROUGH_REWARDS)
    return found


def odds(drifts: Sequence[WorldDrift]) -> str:
    """Return in how many worlds one jump is as large as the whole glide; "" where nobody has counted."""
    opens = replace(DRIFT_WORLD, seed=drifts[0].world.seed, nu=drifts[0].world.nu)
    if [drift.world for drift in drifts] != [opens, replace(opens, kind="jumps")]:
        return ""
    # Jumps between two rewards are of one size: the largest step's share tells how many there are.
    largest = shipped()["claims"]["drift/budget"]["numbers"]
    jumps = [round(1 / part) for part in largest if not ONE_STEP.holds(part)]
    many = " or ".join(map(str, sorted(set(jumps))))
    others = f"; in the other {len(jumps)} it takes {many} jumps" if jumps else ""
    return Odds("drift/budget", ONE_STEP).line(others)


def caption(drifts: Sequence[WorldDrift], names: Sequence[str], view: str = "maps") -> str:
    """Return the set-up and the drift in the RKHS norm, for the line under the player (markdown)."""
    world, rkhs = drifts[0].world, _rkhs(drifts, names)
    sizes = [s.world.norm_bound for s in drifts if s.world.kind != "markov"]  # whose paths have no norm
    size = " and ".join(dict.fromkeys(f"B = {b:g}" if np.isfinite(b) else "as drawn" for b in sizes))
    size = f"{size}, " if size else ""
    kernels = " and ".join(dict.fromkeys(kernel_name(s.world) for s in drifts))
    return (
        f"Set-up: {kernels}, ℓ = {world.lengthscale:g}, {size}T = {world.horizon}, {world.arms} actions, seed "
        f"{world.seed}. {READING[view]} {rkhs}"
    ).rstrip()


def _rkhs(drifts: Sequence[WorldDrift], names: Sequence[str]) -> str:
    """Return the drift in the RKHS norm, and where it has no value."""
    budgets = [(name, drift.problem.rkhs_variation) for name, drift in zip(names, drifts, strict=True)]
    known = ", ".join(f"{name} {amount(budget)}" for name, budget in budgets if budget is not None)
    unknown = " and ".join(dict.fromkeys(name for name, budget in budgets if budget is None))
    found = f"Drift in the RKHS norm (Deng et al.'s $B_T$) after all rounds: {known}. " if known else ""
    return found + (f"{unknown}: $B_T$ has no value, as these paths leave the kernel's space. " if unknown else "")


def label(drift: WorldDrift, row: int) -> str:
    """Return the text beside the player's bar."""
    return f"t = {row + 1} of {drift.problem.horizon}"


def budget_note(world: World, problem: Problem) -> str:
    """Return one sentence where a world with a budget cannot move by it, else the empty string."""
    moved = problem.sup_variation
    if world.budget is None or world.kind in ("still", "markov"):
        return ""
    if world.kind == "adversary":
        used = f"it uses {moved:.3g} of {world.budget:.3g}" if moved else "the budget does not cover one move"
        return f"The adversary moves its bump as often as the drift budget surely covers: here {used}."
    if moved >= world.budget * (1 - 1e-9):
        return ""
    return (
        f"You asked for a drift budget of {world.budget:.3g}, but with these settings this kind can change "
        f"by at most {moved:.3g} in {problem.horizon} rounds: that is shown."
    )
