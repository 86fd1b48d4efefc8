"""Sentences about drift from computed numbers: titles, the finding of each round, notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from common.formats import amount
from lessons.drift import knobs, model
from lessons.drift.claims import ONE_STEP
from lessons.drift.knobs import DRIFT_WORLD
from lessons.drift.model import WorldDrift
from lessons.record import Values
from lessons.shared.knobs import KINDS, TABLES, YOURS
from lessons.shared.odds import line, shipped
from lessons.shared.wording import COUNTS, PHRASES
from lessons.shared.worlds import caption as setup
from lessons.shared.worlds import choice
from tvbo_core import World, kernels
from tvbo_core.worlds import budget_note

SAME_SHARE = 0.01  # totals closer than this share of the larger one are called the same
ROUGH_REWARDS = "Rough rewards: Iwazaki & Takeno's Theorem 5 needs ν > 1/2, so it promises nothing here."
SEEN_SHARE = 0.01  # of the rewards' range: a smaller step is not seen
TIMES = {1: "once", 2: "twice"}
SHOWN = {
    "hills": "A bar is the sum over the rounds of the largest change at any action.",
    "maps": "Dotted curves: other times. In the pictures a bright place has a high reward, and the white line is the "
    "best action.",
}
TWINS = "Both sides show the same world; choose another one on the right."
TITLES = {**KINDS, YOURS: "Your hill"}


def kernel_name(world: World) -> str:
    """Return "SE", "Matérn 3/2" and the like."""
    return kernels.ALL[world.kernel].short(world.nu)


def titles(worlds: Sequence[World]) -> list[tuple[str, str]]:
    """Return (headline, short name) of each world; two worlds of one kind are told apart by kernel or by place."""
    chosen = [choice(world) for world in worlds]
    alike = len(worlds) == 2 and chosen[0] == chosen[1]
    twins = alike and worlds[0] == worlds[1]
    found = []
    for world, kind, place in zip(worlds, chosen, ("Left", "Right"), strict=False):
        if world.kind == "data":
            found.append((TABLES[world.dataset], "Table"))
            continue
        own = {"markov": f"Markov ε = {world.epsilon:g}", "rough": f"Rough α = {world.alpha:g}"}
        name = own.get(kind) or TITLES[kind]
        kernel = kernel_name(world)
        short = place if twins else kernel if alike else name if kind == YOURS else name.split()[0]
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


def moves(drift: WorldDrift, title: str) -> str:
    """Return how a world moves, as the title of its hill: in words where it has few, else the title that it has."""
    steps, kind = int(drift.counted[-1]), drift.world.kind
    if not steps:
        return "it stands still"
    many = COUNTS[steps] if steps < len(COUNTS) else str(steps)
    own = {"glide": "it glides", "jumps": f"it jumps {TIMES.get(steps, f'{many} times')}"}
    return f"{own[kind]}{title.removeprefix(KINDS[kind])}" if kind in own else title


def finding(
    drifts: Sequence[WorldDrift], names: Sequence[str], rows: Sequence[int] | None = None, events: bool = True
) -> list[str]:
    """Return the sentence of these rounds, or of all (HTML).

    Args:
        events: whether the figure shows hops, ties and outsized steps, so that it is said where they happen.
    """
    phrases, unseen = [_phrase(drifts, i) for i in range(len(drifts))], _too_small(drifts)
    happened = [_happenings(drift) if events else {} for drift in drifts]
    return [
        sentence(model.facts(drifts, names, row), names, phrases, unseen, [events.get(row) for events in happened])
        for row in (range(drifts[0].problem.horizon) if rows is None else rows)
    ]


def sentence(
    facts: Mapping[str, float | None],
    names: Sequence[str],
    phrases: Sequence[str],
    unseen: Sequence[bool],
    events: Sequence[Happening | None],
) -> str:
    """Return the sentence of a round from its facts: what happens in it, else how far the worlds have drifted.

    Args:
        names, phrases: of the worlds, alone and inside a sentence.   unseen: whether the steps of a world are too
            small to be seen.   events: of each world, None without any.
    """
    happened = [(*now, event) for *now, event in zip(names, phrases, events, strict=True) if event is not None]
    if happened:
        said = [_happening(facts, *now, brief=len(happened) > 1) for now in happened]
        return f"At t\u00a0=\u00a0{facts['t']} {' and '.join(said)}."
    worlds = [
        DriftSoFar(phrase, facts[f"{name} V_t"], facts[f"{name} V_T"], facts[f"{name} steps"], small)
        for name, phrase, small in zip(names, phrases, unseen, strict=True)
    ]
    if max(world.total for world in worlds) == 0:
        return "<b>Nothing moves</b>, so nothing has to be forgotten."
    return _all(worlds) if all(world.so_far >= world.total for world in worlds) else _so_far(worlds)


@dataclass(frozen=True)
class DriftSoFar:
    """Drift of a world so far, all its numbers being facts.

    Attributes:
        who: the world inside a sentence.   so_far, total: V_t and V_T.   steps: so far.
        small: whether a step is too small to be seen.
    """

    who: str
    so_far: float
    total: float
    steps: int
    small: bool

    @property
    def way(self) -> str:
        """In how many steps it has drifted so far."""
        if self.steps == 1:
            return "in a single jump" if self.so_far >= self.total else "in a single step"
        return f"in {COUNTS[self.steps] if self.few else f'{self.steps:,}'}\u00a0steps"

    @property
    def few(self) -> bool:
        """Return whether the steps are so few that their number is written as a word."""
        return self.steps < len(COUNTS)


def _all(worlds: Sequence[DriftSoFar]) -> str:
    """Return how far the worlds drift in all."""
    first, totals = worlds[0], [world.total for world in worlds]
    unseen = " too small to see"
    if len(worlds) == 1:
        return f"In all {first.who} {_blue('drifts', first.total)}, {first.way}{unseen * first.small}."
    if abs(totals[0] - totals[1]) > SAME_SHARE * max(totals):
        less, more = sorted(worlds, key=lambda world: world.total)
        rest = f"{less.who} by\u00a0{amount(less.total)}" if less.total else f"{less.who} does not move"
        return f"In all {more.who} {_blue('drifts', more.total)}, {rest}."
    both = f"Both worlds {_blue('drift', max(totals))} in all"
    ways = [world.way + unseen * (world.small and world.steps > 1) for world in worlds]
    if ways[0] == ways[1]:
        return f"{both}, each {ways[0]}."
    return f"{both}: one {ways[0]}, the other {ways[1]}."


def _so_far(worlds: Sequence[DriftSoFar]) -> str:
    """Return how far the worlds have drifted by now, those that have moved first, and in how many steps.

    Two large numbers of steps would be too many numbers: they are said once where they agree, else not at all.
    """
    moved, rest = [world for world in worlds if world.so_far], [world for world in worlds if not world.so_far]
    if not moved:
        return "<b>So far nothing has moved.</b>"
    ways = ["" if sum(not world.few for world in moved) > 1 else f" {world.way}" for world in moved]
    said = [f"{moved[0].who} has {_blue('drifted', moved[0].so_far)}{ways[0]}"]
    said += [f"{world.who} by\u00a0{amount(world.so_far)}{way}" for world, way in zip(moved[1:], ways[1:], strict=True)]
    said += [f"{world.who} has not moved" for world in rest]
    said += [f"each {moved[0].way}"] * (not any(ways) and moved[0].steps == moved[-1].steps)
    return f"So far {', '.join(said)}."


def _blue(verb: str, far: float) -> str:
    """Return the drift in the colour of its role."""
    return f'<span class="drift">{verb} by\u00a0{amount(far)}</span>'


def _too_small(drifts: Sequence[WorldDrift]) -> list[bool]:
    """Return of each world whether all its steps are less than a hundredth of the rewards' range, about a line's width.

    A single step is a jump, however small.
    """
    room = max(float(drift.problem.f.max()) for drift in drifts) - min(float(drift.problem.f.min()) for drift in drifts)
    return [bool(drift.counted[-1] > 1 and drift.steps.max() < SEEN_SHARE * room) for drift in drifts]


def _phrase(drifts: Sequence[WorldDrift], i: int) -> str:
    """Return a world's name inside a sentence."""
    chosen = [choice(drift.world) for drift in drifts]
    alike = len(drifts) == 2 and chosen[0] == chosen[1]
    return f"the {('left', 'right')[i]} world" if alike else PHRASES[chosen[i]]


def marks(drifts: Sequence[WorldDrift], names: Sequence[str], view: str = "maps") -> dict[str, str]:
    """Return word of the sentences -> the mark of the figure that it points at."""
    best = {"best action": "best action"} if view == "maps" else {}
    return best | {_phrase(drifts, i): name for i, name in enumerate(names)}


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
    """Return the events of a world in words; of two worlds the one that says most of each."""
    size = facts[f"{name} largest change"]
    whole = event.jumps and size > 0.995 * facts[f"{name} V_T"]
    if event.turns is not None:
        return f"the best arm changes from <b>{event.turns[0]}</b> to <b>{event.turns[1]}</b>"
    far = f"<b>hops by\u00a0{facts[f'{name} hop']:.2f}</b>"
    if event.hops and (brief or not event.jumps):
        only = "only " if event.slight else ""
        gain = f", the best reward {only}by\u00a0{facts[f'{name} best reward moves by']:.2f}"
        return f"{who}’s best action {far}{'' if brief else gain}"
    if event.jumps:
        step = "makes its whole move at once" if whole else f"moves {amount(size)} in one step"
        return f"{who} {step}{f' and its best action {far}' if event.hops else ''}"
    many = facts[f"{name} equally good actions"]
    return f"{'two' if many == 2 else many} actions of {who} are equally good{'' if brief else ' (ringed)'}"


def no_budget(values: Values) -> str:
    """Return why the drift budget cannot be set."""
    kinds = knobs.kinds(values["kind"], values["pair"])
    if YOURS in kinds and kinds <= {YOURS, "still"}:
        return "Your hill drifts as it was made in lesson 0: there is no budget to set."
    if kinds <= {"still"}:
        return "A still world does not drift: there is no budget to set."
    if "data" in kinds:
        return "Real rewards drift as they do: there is no budget to set."
    if values["scale"] == "drawn":
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


def odds(drifts: Sequence[WorldDrift]) -> str:
    """Return in how many fresh worlds one jump is as large as all steps; "" where nobody has counted."""
    opens = replace(DRIFT_WORLD, seed=drifts[0].world.seed, nu=drifts[0].world.nu)
    if [drift.world for drift in drifts] != [opens, replace(opens, kind="jumps")]:
        return ""
    # Jumps between two rewards are of one size: the largest step's share tells how many there are.
    largest = shipped()["claims"]["drift/opening"]["numbers"]
    jumps = sorted({round(1 / part) for part in largest if not ONE_STEP.holds(part)})
    others = f"; in the others {' or '.join(map(str, jumps))} jumps share it" if jumps else ""
    return line("drift/opening", "fresh worlds", others)


def caption(drifts: Sequence[WorldDrift], names: Sequence[str], view: str = "maps") -> str:
    """Return the set-up and the source, for the line under the player (markdown); of heat maps the RKHS budget, too."""
    rkhs = _rkhs(drifts, names) if view == "maps" else ""
    world = drifts[0].world
    if world.kind == "data":
        return rkhs + drifts[0].problem.note
    if any(choice(s.world) == YOURS for s in drifts):
        return f"{rkhs}Set-up: {'; '.join(dict.fromkeys(setup(s.world) for s in drifts))}. {SHOWN[view]}"
    sizes = [s.world.norm_bound for s in drifts if s.world.kind != "markov"]  # whose paths have no norm
    size = " and ".join(dict.fromkeys(f"B = {b:g}" if np.isfinite(b) else "as drawn" for b in sizes))
    size = f"{size}, " if size else ""
    kernels = " and ".join(dict.fromkeys(kernel_name(s.world) for s in drifts))
    return (
        f"{rkhs}Set-up: {kernels}, ℓ = {world.lengthscale:g}, {size}T = {world.horizon}, {world.arms} actions, seed "
        f"{world.seed}. {SHOWN[view]}"
    )


def _rkhs(drifts: Sequence[WorldDrift], names: Sequence[str]) -> str:
    """Return the drift in the RKHS norm, where it is known, and where it has no value."""
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
    return rkhs


def label(drift: WorldDrift, row: int) -> str:
    """Return the text beside the player's bar."""
    p = drift.problem
    when = f", {p.times[row]}" if p.times is not None else ""
    return f"t = {row + 1} of {p.horizon}{when}"
