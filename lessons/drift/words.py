"""Sentences about drift from computed numbers: titles, the finding of each round, notes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lessons.drift.model import WorldDrift
from lessons.shared.knobs import KINDS, TABLES
from lessons.shared.wording import PHRASES, amount
from tvbo_core import kernels
from tvbo_core.worlds import Hop, budget_note

SAME_SHARE = 0.01  # totals closer than this share of the larger one are called the same
ROUGH_REWARDS = "Rough rewards: Iwazaki & Takeno's Theorem 5 needs ν > 1/2, so it promises nothing here."
TWINS = "Both sides show the same world; choose another one on the right."


def kernel_name(drift: WorldDrift) -> str:
    """Return "SE", "Matérn 3/2" and the like."""
    return kernels.ALL[drift.world.kernel].short(drift.world.nu)


def titles(drifts: Sequence[WorldDrift]) -> list[tuple[str, str]]:
    """Return (headline, short name) of each world; two worlds of one kind are told apart by kernel or by place."""
    alike = len(drifts) == 2 and drifts[0].world.kind == drifts[1].world.kind
    twins = alike and drifts[0].world == drifts[1].world
    found = []
    for drift, place in zip(drifts, ("Left", "Right"), strict=False):
        world = drift.world
        if world.kind == "data":
            found.append((TABLES[world.dataset], "Table"))
            continue
        own = {"markov": f"Markov ε = {world.epsilon:g}", "rough": f"Rough α = {world.alpha:g}"}
        name = own.get(world.kind) or KINDS[world.kind]
        kernel = kernel_name(drift)
        short = place if twins else kernel if alike else name.split()[0]
        found.append((f"{name}, {kernel}" if alike else name, short))
    return found


def finding(drifts: Sequence[WorldDrift], names: Sequence[str], rows: Sequence[int] | None = None) -> list[str]:
    """Return the sentence under the question for these rounds, or for all (HTML): total drift, then events."""
    lead = _total(drifts, names)
    long = [_happenings(drift, _phrase(drifts, i)) for i, drift in enumerate(drifts)]
    brief = [_happenings(drift, name, brief=True) for drift, name in zip(drifts, names, strict=True)]
    said = []
    for row in range(drifts[0].problem.horizon) if rows is None else rows:
        # A sentence stays on one line, so that the figure under it never moves while a film plays.
        several = sum(row in h for h in long) > 1
        now = "; ".join(h[row] for h in (brief if several else long) if row in h)
        now = f"At t = {row + 1} {now}." if now else _running(drifts, names, row)
        said.append(f"{lead} {now}".strip())
    return said


def _phrase(drifts: Sequence[WorldDrift], i: int) -> str:
    """Return a world's name inside a sentence."""
    if len(drifts) == 1:
        return "this world"
    alike = drifts[0].world.kind == drifts[1].world.kind
    return f"the {('left', 'right')[i]} world" if alike else PHRASES[drifts[i].world.kind]


def marks(drifts: Sequence[WorldDrift], names: Sequence[str]) -> dict[str, str]:
    """Return word of the sentences -> the mark of the figure that it points at."""
    found = {"best action": "best action", "x*": "best action"}
    for i, name in enumerate(names):
        found |= {_phrase(drifts, i): name, name: name}
    return found


def _total(drifts: Sequence[WorldDrift], names: Sequence[str]) -> str:
    """Return the first part of every sentence: the total drift."""
    totals = [s.problem.sup_variation for s in drifts]
    if max(totals) == 0:
        return "<b>The world is still.</b> What was heard once stays true: nothing has to be forgotten."
    if len(drifts) == 1:
        who = PHRASES[drifts[0].world.kind].capitalize()
        return f"{who} changes by <b>V<sub>T</sub> = {amount(totals[0])}</b> in total."
    if abs(totals[0] - totals[1]) <= SAME_SHARE * max(totals):
        f, g = (s.problem.f for s in drifts)
        ends = np.allclose(f[0], g[0], atol=1e-9) and np.allclose(f[-1], g[-1], atol=1e-9)
        same = "Same start, same end, same drift" if ends else "Same drift"
        return f"<b>{same}, V<sub>T</sub> = {amount(max(totals))}.</b>"
    left, right = (f"<b>{n} {amount(v)}</b>" for n, v in zip(names, totals, strict=True))
    return f"Total change V<sub>T</sub>: {left}, {right}."


def _happenings(drift: WorldDrift, who: str, brief: bool = False) -> dict[int, str]:
    """Return row -> hop of the best action, outsized step or tie there, in words."""
    said = {}
    hops = {h.t: h for h in drift.events.hops}
    jumps = {j.t: j for j in drift.events.jumps}
    for row in sorted({*hops, *jumps, *drift.tied}):
        parts = []
        if row in jumps:
            far = "by all of its drift" if jumps[row].share > 0.995 else f"by {amount(jumps[row].size)}"
            parts.append(f"{who} changes {far} in one step")
        if row in hops:
            parts.append(_hop(drift, hops[row], who, alone=not parts and not brief))
        if row in drift.tied and not parts:
            many = len(drift.tied[row])
            count = "two" if many == 2 else str(many)
            parts.append(f"{count} actions are equally good in {who} (ringed): x* is not unique")
        said[row] = " and ".join(parts)
    return said


def _hop(drift: WorldDrift, hop: Hop, who: str, alone: bool) -> str:
    """Return a hop of the best action in words: alone in its sentence in full, else as the second half of one."""
    p = drift.problem
    if p.arm_names is not None:
        before, after = (p.arm_names[round(place[0])] for place in (hop.before, hop.after))
        return f"the best arm changes from <b>{before}</b> to <b>{after}</b>" if alone else f"turns to {after}"
    far = f"<b>hops by {hop.distance:.2f}</b>"
    if not alone:
        return f"its best action {far}"
    only = "only " if abs(hop.gain) < 0.05 * float(np.ptp(p.f)) else ""
    return f"{who}’s best action {far}, the best reward {only}by {abs(hop.gain):.2f}"


def _running(drifts: Sequence[WorldDrift], names: Sequence[str], row: int) -> str:
    """Return the drift so far, for rounds without an event."""
    if max(drift.spent[-1] for drift in drifts) == 0:
        return ""
    if len(drifts) == 1:
        return f"By t = {row + 1} it has changed by {amount(drifts[0].spent[row])}."
    each = ", ".join(f"{n} {amount(drift.spent[row])}" for n, drift in zip(names, drifts, strict=True))
    return f"Change by t = {row + 1}: {each}."


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
    kernels = " and ".join(dict.fromkeys(kernel_name(s) for s in drifts))
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
