"""Sentences about drift from computed numbers: titles, the finding of each round, notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from common.formats import amount
from lessons.drift import model
from lessons.drift.model import WorldDrift
from lessons.shared.knobs import KINDS, TABLES
from lessons.shared.wording import PHRASES
from tvbo_core import World, kernels
from tvbo_core.worlds import budget_note

SAME_SHARE = 0.01  # totals closer than this share of the larger one are called the same
ROUGH_REWARDS = "Rough rewards: Iwazaki & Takeno's Theorem 5 needs ν > 1/2, so it promises nothing here."
ALONE = "this world"  # inside a sentence
TWINS = "Both sides show the same world; choose another one on the right."


def kernel_name(world: World) -> str:
    """Return "SE", "Matérn 3/2" and the like."""
    return kernels.ALL[world.kernel].short(world.nu)


def titles(worlds: Sequence[World]) -> list[tuple[str, str]]:
    """Return (headline, short name) of each world; two worlds of one kind are told apart by kernel or by place."""
    alike = len(worlds) == 2 and worlds[0].kind == worlds[1].kind
    twins = alike and worlds[0] == worlds[1]
    found = []
    for world, place in zip(worlds, ("Left", "Right"), strict=False):
        if world.kind == "data":
            found.append((TABLES[world.dataset], "Table"))
            continue
        own = {"markov": f"Markov ε = {world.epsilon:g}", "rough": f"Rough α = {world.alpha:g}"}
        name = own.get(world.kind) or KINDS[world.kind]
        kernel = kernel_name(world)
        short = place if twins else kernel if alike else name.split()[0]
        found.append((f"{name}, {kernel}" if alike else name, short))
    return found


@dataclass(frozen=True)
class Happening:
    """Events of a world in a round; their numbers are facts.

    Attributes:
        jumps: an outsized step.   hops: the best action hops.   slight: by little of the best reward.
        turns: names of the best arm before and after a hop, in a table.   ties: several actions are best.
    """

    jumps: bool
    hops: bool
    slight: bool
    turns: tuple[str, str] | None
    ties: bool


def finding(drifts: Sequence[WorldDrift], names: Sequence[str], rows: Sequence[int] | None = None) -> list[str]:
    """Return the sentence under the question for these rounds, or for all (HTML): total drift, then events."""
    phrases, ends = [_phrase(drifts, i) for i in range(len(drifts))], _same_ends(drifts)
    happened = [_happenings(drift) for drift in drifts]
    return [
        sentence(model.facts(drifts, names, row), names, phrases, ends, [events.get(row) for events in happened])
        for row in (range(drifts[0].problem.horizon) if rows is None else rows)
    ]


def sentence(
    facts: Mapping[str, float | None],
    names: Sequence[str],
    phrases: Sequence[str],
    ends: bool,
    events: Sequence[Happening | None],
) -> str:
    """Return the sentence of a round from its facts.

    Args:
        names, phrases: of the worlds, alone and inside a sentence.   ends: first and last rewards are the same.
        events: of each world, None without any.
    """
    # A sentence stays on one line, so that the figure under it never moves while a film plays.
    brief = sum(event is not None for event in events) > 1
    said = [
        _happening(facts, name, name if brief else ALONE if len(names) == 1 else phrase, event, brief)
        for name, phrase, event in zip(names, phrases, events, strict=True)
        if event is not None
    ]
    now = f"At t = {facts['t']} {'; '.join(said)}." if said else _running(facts, names)
    return f"{_total(facts, names, phrases, ends)} {now}".strip()


def _phrase(drifts: Sequence[WorldDrift], i: int) -> str:
    """Return a world's name inside a sentence."""
    alike = len(drifts) == 2 and drifts[0].world.kind == drifts[1].world.kind
    return f"the {('left', 'right')[i]} world" if alike else PHRASES[drifts[i].world.kind]


def _same_ends(drifts: Sequence[WorldDrift]) -> bool:
    """Return whether two worlds begin with the same rewards, and end with the same."""
    first, last = drifts[0].problem.f, drifts[-1].problem.f
    return bool(np.allclose(first[0], last[0], atol=1e-9) and np.allclose(first[-1], last[-1], atol=1e-9))


def marks(drifts: Sequence[WorldDrift], names: Sequence[str]) -> dict[str, str]:
    """Return word of the sentences -> the mark of the figure that it points at."""
    found = {"best action": "best action", "x*": "best action"}
    for i, name in enumerate(names):
        found |= {ALONE if len(names) == 1 else _phrase(drifts, i): name, name: name}
    return found


def _total(facts: Mapping[str, float | None], names: Sequence[str], phrases: Sequence[str], ends: bool) -> str:
    """Return the first part of every sentence: the total drift."""
    totals = [facts[f"{name} V_T"] for name in names]
    if max(totals) == 0:
        return "<b>The world is still.</b> Nothing has to be forgotten."
    if len(totals) == 1:
        return f"{phrases[0].capitalize()} changes by <b>V<sub>T</sub> = {amount(totals[0])}</b> in total."
    if abs(totals[0] - totals[1]) <= SAME_SHARE * max(totals):
        same = "Same start, same end, same drift" if ends else "Same drift"
        return f"<b>{same}, V<sub>T</sub> = {amount(max(totals))}.</b>"
    left, right = (f"<b>{n} {amount(v)}</b>" for n, v in zip(names, totals, strict=True))
    return f"Total change V<sub>T</sub>: {left}, {right}."


def _happenings(drift: WorldDrift) -> dict[int, Happening]:
    """Return row -> hop of the best action, outsized step or tie there."""
    p, hops, jumps = drift.problem, {h.t: h for h in drift.events.hops}, {j.t for j in drift.events.jumps}
    little, found = 0.05 * float(np.ptp(p.f)), {}
    for row in {*hops, *jumps, *drift.tied}:
        hop, turns = hops.get(row), None
        if hop and p.arm_names is not None:
            turns = (p.arm_names[round(hop.before[0])], p.arm_names[round(hop.after[0])])
        slight = hop is not None and abs(hop.gain) < little
        found[row] = Happening(row in jumps, hop is not None, slight, turns, row in drift.tied)
    return found


def _happening(facts: Mapping[str, float | None], name: str, who: str, event: Happening, brief: bool) -> str:
    """Return the events of a world in words."""
    parts = []
    if event.jumps:
        size = facts[f"{name} largest change"]
        whole = size > 0.995 * facts[f"{name} V_T"]
        parts.append(f"{who} makes its whole move at once" if whole else f"{who} moves {amount(size)} in one step")
    if event.hops:
        parts.append(_hop(facts, name, who, event, alone=not parts and not brief))
    if event.ties and not parts:
        many = facts[f"{name} equally good actions"]
        count = "two" if many == 2 else str(many)
        parts.append(f"{count} actions are equally good in {who} (ringed): x* is not unique")
    return " and ".join(parts)


def _hop(facts: Mapping[str, float | None], name: str, who: str, event: Happening, alone: bool) -> str:
    """Return a hop of the best action in words: alone in its sentence in full, else as the second half of one."""
    if event.turns is not None:
        before, after = event.turns
        return f"the best arm changes from <b>{before}</b> to <b>{after}</b>" if alone else f"turns to {after}"
    far = f"<b>hops by {facts[f'{name} hop']:.2f}</b>"
    if not alone:
        return f"its best action {far}"
    only = "only " if event.slight else ""
    return f"{who}’s best action {far}, the best reward {only}by {facts[f'{name} best reward moves by']:.2f}"


def _running(facts: Mapping[str, float | None], names: Sequence[str]) -> str:
    """Return the drift so far, for rounds without an event."""
    if max(facts[f"{name} V_T"] for name in names) == 0:
        return ""
    spent = [amount(facts[f"{name} V_t"]) for name in names]
    if len(names) == 1:
        return f"By t = {facts['t']} it has changed by {spent[0]}."
    each = ", ".join(f"{name} {so_far}" for name, so_far in zip(names, spent, strict=True))
    return f"Change by t = {facts['t']}: {each}."


def no_budget(kinds: set[str], drawn: bool) -> str:
    """Return why the drift budget cannot be set."""
    if kinds <= {"still"}:
        return "A still world does not drift: there is no budget to set."
    if "data" in kinds:
        return "Real rewards drift as they do: there is no budget to set."
    if drawn:
        return "As drawn: the functions keep the drift that they have, so there is no budget to set."
    return "In a Markov world the change per step ε decides the drift: there is no budget to set."


def notes(drifts: Sequence[WorldDrift], names: Sequence[str]) -> list[str]:
    """Return remarks on these settings, one sentence each; none when all is as asked."""
    found = []
    for drift, name in zip(drifts, names, strict=True):
        said = budget_note(drift.world, drift.problem) if drift.world.kind not in ("markov", "data") else ""
        if said:
            found.append(f"{name}: {said}" if len(drifts) == 2 else said)
    if len(drifts) == 2 and drifts[0].world == drifts[1].world:
        found.append(TWINS)
    if any(s.world.kind != "data" and s.world.kernel == "matern" and s.world.nu <= 0.5 for s in drifts):
        found.append(ROUGH_REWARDS)
    return found


def caption(drifts: Sequence[WorldDrift], names: Sequence[str]) -> str:
    """Return the RKHS budget, the set-up and the source, for the line under the player (markdown)."""
    known = [(n, s.problem.rkhs_variation) for n, s in zip(names, drifts, strict=True)]
    told = ", ".join(f"{n} {amount(v)}" for n, v in known if v is not None)
    if len(drifts) == 1 and told:
        told = amount(known[0][1])
    rkhs = f"The same path, measured in the RKHS norm: $B_T$ = {told} (Deng et al.). " if told else ""
    unknown = [n for n, v in known if v is None]
    if unknown:
        rkhs += (
            f"{' and '.join(dict.fromkeys(unknown))}: $B_T$ has no value, for these paths leave the kernel's space. "
        )
    world = drifts[0].world
    if world.kind == "data":
        return rkhs + drifts[0].problem.note
    sizes = [s.world.norm_bound for s in drifts if s.world.kind != "markov"]  # whose paths have no norm
    size = " and ".join(dict.fromkeys(f"B = {b:g}" if np.isfinite(b) else "as drawn" for b in sizes))
    size = f"{size}, " if size else ""
    kernels = " and ".join(dict.fromkeys(kernel_name(s.world) for s in drifts))
    return (
        f"{rkhs}Set-up: {kernels}, ℓ = {world.lengthscale:g}, {size}T = {world.horizon}, {world.arms} actions, seed "
        f"{world.seed}. Dotted curves: other times. In the pictures a bright place has a high reward, and the white "
        "line is the best action."
    )


def label(drift: WorldDrift, row: int) -> str:
    """Return the text beside the player's bar."""
    p = drift.problem
    when = f", {p.times[row]}" if p.times is not None else ""
    return f"t = {row + 1} of {p.horizon}{when}"
