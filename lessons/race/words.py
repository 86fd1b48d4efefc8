"""Sentences of the race, from computed numbers only: leader, fall of the champion, ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from common.formats import amount, and_list, ordinal, plural
from common.roles import in_role
from lessons.race import model
from lessons.race.model import Race
from lessons.race.summary import Lane
from lessons.shared import worlds
from lessons.shared.wording import PHRASES, guests, left_out
from tvbo_core import World, kernels, policies

SLOW = policies.ALL["opkb"]
OPKB = (
    f"OPKB solves a program over all actions in each block. With it all algorithms race on {SLOW.max_arms} actions and "
    f"at most {SLOW.max_horizon} steps."
)
SCALED = (
    "The theorems of OPKB and its variants need rewards in [−1, 1]. Here rewards are divided by a bound on |y|, noise "
    "included. “y/1” divides by nothing, as the authors' code does."
)
REPLAYED = (
    "ADA-OPKB needs no budget; it restarts where old and new estimates disagree. As in its authors' experiments, "
    "its constants are far below those of the theorem, so no guarantee covers these runs."
)
RESTARTED = (
    "R-OPKB knows the world's V_T and restarts every H rounds (Iwazaki & Takeno, Theorem 3: Matérn only). Its "
    "constants are those of its authors' experiments."
)
BANDS = (
    "KernelUCB knows the bound B on the norm and uses a band of “Confidence bands” for a static reward. Where the band "
    "is empty (no function of norm B fits) it queries the highest mean. δ = 0.1, c = 1."
)
INJECTING = (
    "UI-GP-UCB (uncertainty injection) discounts an observation as it ages, here with α = 1. Its bound (Mauduit et "
    "al., Proposition 2.2) is below T only for α < 1/3, and only if the noise of old observations is independent."
)
ABOUT = (
    (SCALED, ("opkb", "ropkb", "ada")),
    (REPLAYED, ("ada", "ada1")),
    (RESTARTED, ("ropkb", "ropkb1")),
    (BANDS, ("kucb", "kdmm", "kamm", "kay", "kigp")),
    (INJECTING, ("ui",)),
)
ANECDOTE = "One seed is an anecdote: another seed may give another order."
SPEED = (
    "Left: final regret, one ring a seed, with a bar at the median. Right: time of one step, on a logarithmic axis. "
    "“+” counts side queries, each one more observation than the other algorithms get."
)
WAIT = "The first runs are being played."
QUERIES = (
    "Brightness is the reward of every action at every time, the white line the best action, each dot a query. "
    "An algorithm that trusts old observations stays where the best action used to be."
)
DUELS = "In how many seeds the row ends with less regret than the column. Lowest median on top."


def titles(stages: Sequence[World]) -> list[str]:
    """Return a headline a world; two of one kind differ by their kernel."""
    kinds = [PHRASES[worlds.choice(world)].removeprefix("the ") for world in stages]
    if len(set(kinds)) == len(kinds):
        return [k.capitalize() for k in kinds]
    smooth = [kernels.ALL[world.kernel].label(world.nu) for world in stages]
    return [f"{k.capitalize()}, {kernel}" for k, kernel in zip(kinds, smooth, strict=True)]


def call(lanes: Sequence[Lane], i: int) -> str:
    """Return the name of a world within a sentence."""
    if len(lanes) == 1:
        return "this world" if lanes[0].world.kind != "data" else "the table"
    kinds = [worlds.choice(lane.world) for lane in lanes]
    return f"the {('left', 'right')[i]} world" if kinds[0] == kinds[1] else PHRASES[kinds[i]]


Facts = Mapping[str, float | None]


@dataclass(frozen=True)
class Ground:
    """A world in a sentence: its numbers are facts.

    Attributes:
        title: before the names of its facts.   call: its name inside a sentence.   names: of the methods.
    """

    title: str
    call: str
    names: tuple[str, ...]

    def at_place(self, facts: Facts, place: int) -> str:
        """Return the method at a place."""
        return next(name for name in self.names if facts[f"{self.title}, place of {name}"] == place)

    def regret(self, facts: Facts, name: str) -> str:
        """Return a method's median regret so far."""
        return amount(facts[f"{self.title}, {name}"])


def finding(race: Race, rows: Sequence[int]) -> list[str]:
    """Return the sentence under the question for every frame (HTML)."""
    lanes, heads = race.lanes, titles([lane.world for lane in race.lanes])
    grounds = [
        Ground(head, call(lanes, i), lane.names) for i, (head, lane) in enumerate(zip(heads, lanes, strict=True))
    ]
    changes = [{row: (leader, passed) for row, leader, passed in lane.lead if row > 0} for lane in lanes]
    found = []
    for row in rows:
        facts = model.facts(race, heads, row)
        change = next(((ground, *at[row]) for ground, at in zip(grounds, changes, strict=True) if row in at), None)
        tie = lanes[-1].tied(lanes[0].at_place(1, row), lanes[-1].at_place(1, row), row)
        found.append(sentence(facts, grounds, change, tie))
    return found


def sentence(facts: Facts, grounds: Sequence[Ground], change: tuple[Ground, str, str] | None, tie: bool) -> str:
    """Return the sentence of a round from its facts.

    Args:
        change: the world in which the lead changes, who leads it now, and who did.   tie: the leader of the first
            world is tied with that of the last one there.
    """
    if change:
        where, leader, passed = change
        t = f"t\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{facts['t']}"
        return f"At {t} <b>{leader} passes {passed}</b> in {where.call}. {_place(facts, grounds)}"
    if all(1 < facts["methods"] == facts[f"{ground.title}, tied with the leader"] + 1 for ground in grounds):
        return f"So far all {facts['methods']} algorithms are tied{', in both worlds' * (len(grounds) == 2)}."
    return _flip(facts, *grounds, tie) if len(grounds) == 2 else _podium(facts, *grounds)


def _flip(facts: Facts, first: Ground, second: Ground, tie: bool) -> str:
    champion = first.at_place(facts, 1)
    place, here, there = facts[f"{second.title}, place of {champion}"], first.call, second.call
    if place == 1:
        return f"{in_role(champion)} leads in {here} and in {there}{_ties(facts, second)}."
    winner = in_role(second.at_place(facts, 1))
    fall = f"{in_role(champion)} is 1st in {here} and {ordinal(place)} in {there}"
    if tie:
        return f"{fall}, tied with {winner}."
    if facts[f"{second.title}, tied with the leader"] == 1:
        return f"{fall}. There {winner} and {in_role(second.at_place(facts, 2))} share the lead."
    return f"{fall}. There {winner} leads{_ties(facts, second)}."


def _place(facts: Facts, grounds: Sequence[Ground]) -> str:
    champion, last = grounds[0].at_place(facts, 1), grounds[-1]
    place = facts[f"{last.title}, place of {champion}"]
    return f"{champion} is {ordinal(place)} of {facts['methods']} in {last.call}."


def _podium(facts: Facts, ground: Ground) -> str:
    first, last = ground.at_place(facts, 1), ground.at_place(facts, facts["methods"])
    if first == last:
        return f"{in_role(first)} runs alone: choose a second algorithm to race against it."
    lead = f"{in_role(first)} leads with regret {ground.regret(facts, first)}"
    return f"{lead}{_ties(facts, ground)}; {last} is last of {facts['methods']}."


def _ties(facts: Facts, ground: Ground) -> str:
    """Return with how many others the leader is tied."""
    others = facts[f"{ground.title}, tied with the leader"]
    return f", tied with {plural(others, 'other')}" if others else ""


def notes(race: Race, lost: Sequence[int | None]) -> list[str]:
    """Return what the figure does not show, one sentence each; `lost` is when PE loses the later best action."""
    lanes, setting = race.lanes, race.setting
    found = left_out(race.refused)
    if "opkb" in setting.methods:
        found.append(OPKB)
    found += [sentence for sentence, words in ABOUT if set(words) & set(setting.methods)]
    if race.seeds == 1:
        found.append(ANECDOTE)
    if setting.width == "theory":
        found.append(_theory(lanes[-1], call(lanes, len(lanes) - 1)))
    found += [_deng(race), _rperp(race)]
    for i, t in enumerate(lost):
        if t is not None:
            found.append(
                f"PE (phased elimination) eliminates the action that is best in the end at t = {t} in {call(lanes, i)} "
                f"(seed {lanes[i].world.seed}), for good."
            )
    return [note for note in found if note]


def _theory(lane: Lane, where: str) -> str:
    """Return the cost of the proved widths, as shares of Random's regret."""
    note = "β = theory: these widths hold in the worst case, so every algorithm explores longer."
    learners = [n for n in lane.names if n != "Random"]
    if not learners or "Random" not in lane.names or lane.median["Random"][-1] <= 0:
        return note
    share = {n: f"{lane.median[n][-1] / lane.median['Random'][-1]:.0%}" for n in learners}
    best = min(learners, key=lambda n: lane.median[n][-1])
    note += f" In {where} the best learner, {best}, has {share[best]} of Random's regret"
    return note + (f", R-PERP {share['R-PERP']}." if "R-PERP" in share and best != "R-PERP" else ".")


def _deng(race: Race) -> str:
    """Return Deng et al.'s claim about worlds like theirs, beside what was measured (without side queries)."""
    lane = race.lanes[-1]
    world = lane.world  # theirs jumps twice, between rewards as drawn
    if (world.kind, world.switches, world.budget) != ("jumps", 2, None) or "WGP-UCB" not in lane.names:
        return ""
    order = sorted((n for n in lane.names if not lane.side_queries[n]), key=lambda n: lane.rank[n][-1])
    place = order.index("WGP-UCB") + 1
    result = f"it is {ordinal(place)} of {len(order)} with {amount(lane.median['WGP-UCB'][-1])}"
    rival = order[0] if place > 1 else order[1] if len(order) > 1 else None
    if rival:
        tie = ", a tie" if lane.tied(rival, "WGP-UCB", -1) else ""
        result += f" ({rival} {amount(lane.median[rival][-1])}{tie})"
    among = ", among the algorithms without side queries," if len(order) < len(lane.names) else ""
    note = f"Deng et al. find WGP-UCB best in worlds like this. Here{among} {result}; they do not state noise and δ."
    if race.setting.width == "2":
        note += " “Reproductions” repeats their Figure 1a with the proved widths."
    return note


def _rperp(race: Race) -> str:
    """Return what is proved for R-PERP's setting, where it ends in the lower half."""
    lane = race.lanes[-1]
    if "R-PERP" not in lane.names or len(lane.names) < 3:
        return ""
    place = int(lane.rank["R-PERP"][-1])
    if 2 * place <= len(lane.names) or lane.world.kind == "still":
        return ""
    memory, width = race.setting.memory, race.setting.width
    H = f"H = {2 * memory}" if memory else "Theorem 5's H"
    beta = {"theory": "eq. 8's width", "log": "β = 2√(ln t)"}.get(width, f"β = {width}")
    near = "Near-optimal regret is proved for Theorem 5's H with eq. 8's width."
    if not memory and width == "theory":
        near = "For these, near-optimal regret is proved."
    return f"R-PERP is {ordinal(place)} of {len(lane.names)} here with {beta} and {H}. {near}"


def lines(race: Race, pins: Sequence[str]) -> str:
    """Return what the lines of the curves are."""
    k, lane = race.seeds, race.lanes[-1]
    extra = [name for name in lane.names if lane.side_queries[name]]
    seeds = f"Thick: median of {k} seeds. Thin: single seeds of {and_list(list(pins), 3)}. " if k > 1 else ""
    plus = f" “+” after {and_list(extra, 3)}: side queries." if extra else ""
    return f"{seeds}J: jump.{plus}"


def caption(race: Race) -> str:
    """Return the set-up with its seeds."""
    setting, k = race.setting, race.seeds
    first = race.lanes[0].world.seed
    seeds = f"seeds {first} to {first + k - 1}" if k > 1 else f"seed {first}"
    memory = f"memory m = {setting.memory}" if setting.memory else "memory as in each paper"
    width = {"log": "β = 2√(ln t)", "theory": "β = theory"}.get(setting.width, f"β = {setting.width}")
    medians = f"Medians of {k} seeds. " if k > 1 else ""
    where = " · ".join(worlds.caption(lane.world).rsplit(", seed", 1)[0] for lane in race.lanes)
    return f"{medians}Set-up: {where}; {seeds}, {memory}, {width}.{guests(race.table.names)}"
