"""What page 1 says about drift, from computed numbers only: titles, the finding of each round, notes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lessons.drift.model import DriftShow
from lessons.shared.knobs import TABLES
from lessons.shared.wording import PHRASES, amount
from tvbo_core.worlds import Hop, budget_note

SAME = 0.01  # totals closer than this share of the larger one are called the same bill
NAMES = {"still": "Still", "glide": "Glide", "jumps": "Jumps", "cyclic": "Cyclic", "adversary": "Adversary"}
ROUGH_REWARDS = "Rough rewards: Iwazaki & Takeno's Theorem 5 needs ν > 1/2, so it promises nothing here."
TWINS = "Both sides show the same world; choose another one on the right."


def kernel_name(show: DriftShow) -> str:
    fractions = {0.5: "1/2", 1.5: "3/2", 2.5: "5/2"}
    world = show.world
    return "SE" if world.kernel == "se" else f"Matérn {fractions.get(world.nu, f'{world.nu:g}')}"


def titles(shows: Sequence[DriftShow]) -> list[tuple[str, str]]:
    """(headline, short name) of each world; two worlds of one kind are told apart by kernel or by place."""
    alike = len(shows) == 2 and shows[0].world.kind == shows[1].world.kind
    twins = alike and shows[0].world == shows[1].world
    found = []
    for show, place in zip(shows, ("Left", "Right"), strict=False):
        world = show.world
        if world.kind == "data":
            found.append((TABLES[world.dataset], "Table"))
            continue
        own = {"markov": f"Markov ε = {world.epsilon:g}", "rough": f"Rough α = {world.alpha:g}"}
        name = own.get(world.kind) or NAMES[world.kind]
        kernel = kernel_name(show)
        short = place if twins else kernel if alike else name.split()[0]
        found.append((f"{name}, {kernel}" if alike else name, short))
    return found


def finding(shows: Sequence[DriftShow], names: Sequence[str], rows: Sequence[int] | None = None) -> list[str]:
    """The sentence under the question for these rounds, or for all (HTML): the bill, then what happens there."""
    lead = _lead(shows, names)
    spent = [np.concatenate([[0.0], np.cumsum(s.problem.steps)]) for s in shows]
    long = [_happening(show, _call(shows, i)) for i, show in enumerate(shows)]
    brief = [_happening(show, name, brief=True) for show, name in zip(shows, names, strict=True)]
    said = []
    for row in range(len(spent[0])) if rows is None else rows:
        # A sentence stays on one line, so that the figure under it never moves while a film plays.
        several = sum(row in h for h in long) > 1
        now = "; ".join(h[row] for h in (brief if several else long) if row in h)
        now = f"At t = {row + 1} {now}." if now else _running(shows, spent, names, row)
        said.append(f"{lead} {now}".strip())
    return said


def _call(shows: Sequence[DriftShow], i: int) -> str:
    """How a sentence names a world."""
    if len(shows) == 1:
        return "this world"
    alike = shows[0].world.kind == shows[1].world.kind
    return f"the {('left', 'right')[i]} world" if alike else PHRASES[shows[i].world.kind]


def _lead(shows: Sequence[DriftShow], names: Sequence[str]) -> str:
    totals = [s.problem.sup_variation for s in shows]
    if max(totals) == 0:
        return "<b>The world is still.</b> Every method here becomes its stationary version."
    if len(shows) == 1:
        who = PHRASES[shows[0].world.kind].capitalize()
        return f"{who} changes by <b>V<sub>T</sub> = {amount(totals[0])}</b> in total."
    if abs(totals[0] - totals[1]) <= SAME * max(totals):
        f, g = (s.problem.f for s in shows)
        ends = np.allclose(f[0], g[0], atol=1e-9) and np.allclose(f[-1], g[-1], atol=1e-9)
        same = "Same start, same end, same bill" if ends else "Same bill"
        return f"<b>{same}, V<sub>T</sub> = {amount(max(totals))}.</b>"
    left, right = (f"<b>{n} {amount(v)}</b>" for n, v in zip(names, totals, strict=True))
    return f"Total change V<sub>T</sub>: {left}, {right}."


def _happening(show: DriftShow, who: str, brief: bool = False) -> dict[int, str]:
    """row -> what happens there: hops of the best action, outsized steps, ties."""
    said = {}
    hops = {h.t: h for h in show.events.hops}
    jumps = {j.t: j for j in show.events.jumps}
    for row in sorted({*hops, *jumps, *show.tied}):
        parts = []
        if row in jumps:
            bill = "its whole bill" if jumps[row].share > 0.995 else amount(jumps[row].size)
            parts.append(f"{who} spends {bill} in one step")
        if row in hops:
            parts.append(_hop(show, hops[row], who, alone=not parts and not brief))
        if row in show.tied and not parts:
            many = len(show.tied[row])
            count = "two" if many == 2 else str(many)
            parts.append(f"{count} actions are equally good in {who} (ringed): x* is not unique")
        said[row] = " and ".join(parts)
    return said


def _hop(show: DriftShow, hop: Hop, who: str, alone: bool) -> str:
    """A hop of the best action; alone in its sentence it is told in full, else as the second half of one."""
    p = show.problem
    if p.arm_names is not None:
        before, after = (p.arm_names[round(place[0])] for place in (hop.before, hop.after))
        return f"the best arm changes from <b>{before}</b> to <b>{after}</b>" if alone else f"turns to {after}"
    far = f"<b>hops by {hop.distance:.2f}</b>"
    if not alone:
        return f"its best action {far}"
    only = "only " if abs(hop.gain) < 0.05 * float(np.ptp(p.f)) else ""
    return f"{who}’s best action {far}, the best reward moves {only}{abs(hop.gain):.2f}"


def _running(shows: Sequence[DriftShow], spent: Sequence[np.ndarray], names: Sequence[str], row: int) -> str:
    if max(s[-1] for s in spent) == 0:
        return ""
    if len(shows) == 1:
        return f"By t = {row + 1} it has spent {amount(spent[0][row])}."
    each = ", ".join(f"{n} {amount(s[row])}" for n, s in zip(names, spent, strict=True))
    return f"Spent by t = {row + 1}: {each}."


def no_budget(kinds: set[str], drawn: bool) -> str:
    """Why the drift budget cannot be set."""
    if kinds <= {"still"}:
        return "A still world spends nothing: there is no budget to set."
    if "data" in kinds:
        return "Real rewards spend what they spend: there is no budget to set."
    return "As drawn: nothing is fitted to a budget." if drawn else "Markov worlds spend what they spend."


def notes(shows: Sequence[DriftShow], names: Sequence[str]) -> list[str]:
    """What a reader should know about these settings, one sentence each; nothing when all is as asked."""
    found = []
    for show, name in zip(shows, names, strict=True):
        said = budget_note(show.world, show.problem) if show.world.kind not in ("markov", "data") else ""
        if said:
            found.append(f"{name}: {said}" if len(shows) == 2 else said)
    if len(shows) == 2 and shows[0].world == shows[1].world:
        found.append(TWINS)
    if any(s.world.kind != "data" and s.world.kernel == "matern" and s.world.nu <= 0.5 for s in shows):
        found.append(ROUGH_REWARDS)
    return found


def caption(shows: Sequence[DriftShow], names: Sequence[str]) -> str:
    """The other budget, the set-up and the source, for the line under the player (markdown)."""
    known = [(n, s.problem.rkhs_variation) for n, s in zip(names, shows, strict=True)]
    told = ", ".join(f"{n} {amount(v)}" for n, v in known if v is not None)
    if len(shows) == 1 and told:
        told = amount(known[0][1])
    rkhs = f"Length of the same path in the RKHS norm: $B_T$ = {told} (Deng et al.). " if told else ""
    unknown = [n for n, v in known if v is None]
    if unknown:
        rkhs += f"{' and '.join(dict.fromkeys(unknown))}: no RKHS length, these paths leave the space. "
    world = shows[0].world
    if world.kind == "data":
        return rkhs + shows[0].problem.note
    sizes = [s.world.norm_bound for s in shows if s.world.kind != "markov"]  # whose paths have no norm
    size = " and ".join(dict.fromkeys(f"B = {b:g}" if np.isfinite(b) else "as drawn" for b in sizes))
    size = f"{size}, " if size else ""
    kernels = " and ".join(dict.fromkeys(kernel_name(s) for s in shows))
    return (
        f"{rkhs}Set-up: {kernels}, ℓ = {world.lengthscale:g}, {size}T = {world.horizon}, "
        f"{world.arms} actions, seed {world.seed}. Dotted curves: other times. Pictures: bright is high "
        "reward, the white line is the best action."
    )


def label(show: DriftShow, row: int) -> str:
    """What the player shows beside its bar."""
    p = show.problem
    when = f", {p.times[row]}" if p.times is not None else ""
    return f"t = {row + 1} of {p.horizon}{when}"
