"""Sentences of the race, from computed numbers only: who leads each world, or between whom that is undecided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from common.formats import amount, and_list, ordinal, plural
from common.roles import in_role
from lessons.race import model
from lessons.race.model import Race
from lessons.race.summary import Lane
from lessons.shared import worlds
from lessons.shared.wording import PHRASES, guests, kernel_title, left_out
from tvbo_core import World, policies
from tvbo_core.race_results import ABOUT_EQUAL, LESS, MORE, UNDECIDED

SLOW = policies.ALL["opkb"]
OPKB = (
    f"OPKB solves a program over all actions in each block. With it all algorithms race on {SLOW.max_arms} actions and "
    f"at most {SLOW.max_horizon} steps."
)
SCALED = (
    "The theorems of OPKB and its variants need rewards in [−1, 1]. Here rewards are divided by a bound on |y|, noise "
    "included. “y/1” divides by nothing, as the authors' code does, and cuts rewards at ±1."
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
    "al., Proposition 2.2) is sublinear only for α < 1/3, and is about independent noise on old observations."
)
TRIGGERED = (
    "ET-GP-UCB here is adapted from the abstract of Brunzema et al. (2025): it restarts when an observation falls "
    "outside a band around its estimate. The band's width is ours, and it has no bounds on the time between restarts, "
    "so their regret bound says nothing about these runs."
)
LEARNING = (
    "Learned TV-GP-UCB assumes in every round the drift ε under which its own rewards so far are most likely. "
    "Nothing is proved of its regret."
)
SAMPLING = (
    "W-TS and SW-TS (Thompson sampling) draw one reward curve from what they remember and query its peak. Nothing is "
    "proved of them under drift."
)
REMOVING = (
    "W-DBO is adapted from Bardou et al. (2024): TV-GP-UCB that removes the observations that matter least to "
    "its predictions. Actions are finite here and ε is given. Nothing is proved of its regret."
)
ABOUT = (
    (SCALED, ("opkb", "ropkb", "ada")),
    (REPLAYED, ("ada", "ada1")),
    (RESTARTED, ("ropkb", "ropkb1")),
    (BANDS, ("kucb", "kdmm", "kamm", "kay", "kigp")),
    (INJECTING, ("ui",)),
    (TRIGGERED, ("et",)),
    (LEARNING, ("ltv",)),
    (SAMPLING, ("wts", "swts")),
    (REMOVING, ("wdbo",)),
)
ANECDOTE = "One seed is an anecdote: another seed may give another order."
WAIT = "The first runs are being played."
AGAINST_RANDOM = ("R-PERP", "Random")
UNFINISHED = "The race is not over: no finding before every algorithm has all its runs."
QUERIES = (
    "Brightness is the reward of every action at every time, the white line the best action, each dot a query. "
    "An algorithm that trusts old observations may stay where the best action used to be."
)
INDICES = (
    "All are given the same observations, those of GP-UCB with width 2. Each queries where its own curve is highest: "
    "mean + width × standard deviation of what it remembers. Dotted: the reward at this time. R-PERP and PE rule "
    "actions out, Thompson sampling draws a curve at random: they maximise no such curve."
)


def titles(stages: Sequence[World]) -> list[str]:
    """Return a headline a world; two of one kind differ by their kernel."""
    kinds = [PHRASES[world.kind].removeprefix("the ") for world in stages]
    if len(set(kinds)) == len(kinds):
        return [k.capitalize() for k in kinds]
    smooth = [kernel_title(world) for world in stages]
    return [f"{k.capitalize()}, {kernel}" for k, kernel in zip(kinds, smooth, strict=True)]


def call(lanes: Sequence[Lane], i: int) -> str:
    """Return the name of a world within a sentence."""
    if len(lanes) == 1:
        return "this world"
    kinds = [lane.world.kind for lane in lanes]
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

    def near(self, facts: Facts) -> tuple[int, int]:
        """Return how many methods are about equal with the leader, and with how many that is undecided."""
        return tuple(facts[f"{self.title}, {said} the leader"] for said in ("about equal with", "undecided beside"))


def faces_random(race: Race) -> bool:
    """Return whether the sentence sets R-PERP with its theorem's width beside random play."""
    proved = race.setting.width == "theory" and race.seeds > 1
    return proved and {*AGAINST_RANDOM} <= {*race.lanes[-1].names}


def finding(race: Race, rows: Sequence[int]) -> list[str]:
    """Return the sentence under the question for every frame (HTML); none finds anything before the last run."""
    if not race.complete:
        return [UNFINISHED] * len(rows)
    lanes, heads = race.lanes, titles([lane.world for lane in race.lanes])
    grounds = [
        Ground(head, call(lanes, i), lane.names) for i, (head, lane) in enumerate(zip(heads, lanes, strict=True))
    ]
    every = [model.facts(race, heads, row) for row in rows]
    if faces_random(race):
        return [_beside_random(facts, grounds[-1]) for facts in every]
    return [
        sentence(facts, grounds, [list(lane.contenders(row)) for lane in lanes])
        for facts, row in zip(every, rows, strict=True)
    ]


def _beside_random(facts: Facts, ground: Ground) -> str:
    """Return R-PERP's regret with the proved width beside that of random play."""
    mine, other = (ground.regret(facts, name) for name in AGAINST_RANDOM)
    return f"With its theorem's width {in_role('R-PERP')} has regret {mine} in {ground.call}, Random has {other}."


def sentence(facts: Facts, grounds: Sequence[Ground], near: Sequence[Sequence[str]]) -> str:
    """Return the sentence of a round from its facts.

    Args:
        near: the methods of each world that are not clearly behind its leader.
    """
    if facts["methods"] == 1:
        first = in_role(grounds[0].at_place(facts, 1))
        return f"{first} runs alone: choose a second algorithm to race against it."
    if facts["seeds"] == 1:
        return _anecdote(facts, *grounds)
    (equal, unclear), *others = (ground.near(facts) for ground in grounds)
    if all(1 + sum(counts) == facts["methods"] for counts in ((equal, unclear), *others)):
        said = UNDECIDED if unclear or any(more for _, more in others) else ABOUT_EQUAL
        where = ", in both worlds" * (len(grounds) == 2)
        return f"So far {said}: all {facts['methods']} algorithms{where}."
    return _flip(facts, *grounds, *near) if len(grounds) == 2 else _podium(facts, *grounds, *near)


def _anecdote(facts: Facts, *grounds: Ground) -> str:
    """Return who has the least regret in a single run of each world."""
    least = [
        f"{in_role(first)} has the least regret in {ground.call}, {ground.regret(facts, first)}"
        for ground in grounds
        for first in [ground.at_place(facts, 1)]
    ]
    return f"One run decides nothing: {'; '.join(least)}."


def _flip(facts: Facts, first: Ground, second: Ground, near: Sequence[str], others: Sequence[str]) -> str:
    champion = first.at_place(facts, 1)
    place = facts[f"{second.title}, place of {champion}"]
    if near or (others and (place == 1 or champion in others)):
        return f"{first.title}: {_lead(facts, first, near)}. {second.title}: {_lead(facts, second, others)}."
    if place == 1:
        return f"{in_role(champion)} leads {first.call} and {second.call}{_side(facts, second)}."
    winner, fall = in_role(second.at_place(facts, 1)), f"{ordinal(place)} in {second.call}"
    if others:
        said = f"{winner}{_side(facts, second)} has the lowest median" if second.near(facts)[1] else ""
        lost = f"it is {ordinal(place)}; {said or _between(facts, second, others)}"
        return f"{first.title}: {in_role(champion)} leads. {second.title}: {lost}."
    return f"{in_role(champion)} leads {first.call} and is {fall}. There {winner} leads{_side(facts, second)}."


def _lead(facts: Facts, ground: Ground, near: Sequence[str]) -> str:
    """Return who leads a world, or between whom that is undecided."""
    if not near:
        return f"{in_role(ground.at_place(facts, 1))} leads{_side(facts, ground)}"
    return _between(facts, ground, near)


def _between(facts: Facts, ground: Ground, near: Sequence[str]) -> str:
    """Return who leads a world, and who is not clearly behind."""
    rival = near[0] if len(near) == 1 else plural(sum(ground.near(facts)), "other")
    how = "perhaps with" if ground.near(facts)[1] else "about equal with"
    return f"{in_role(ground.at_place(facts, 1))} leads{_side(facts, ground)}, {how} {rival}"


def _side(facts: Facts, ground: Ground) -> str:
    """Return the side queries of a world's leader, which the others do not have."""
    many = facts[f"{ground.title}, side queries of the leader"]
    return f" (+{plural(many, 'side query', 'side queries')})" if many else ""


def _podium(facts: Facts, ground: Ground, near: Sequence[str]) -> str:
    if near:
        return f"In {ground.call} {_between(facts, ground, near)}."
    first, last = ground.at_place(facts, 1), ground.at_place(facts, facts["methods"])
    regret = ground.regret(facts, first)
    rest = f"{last} has the highest median of {facts['methods']}"
    return f"{in_role(first)} leads with regret {regret}{_side(facts, ground)}; {rest}."


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
                f"In {call(lanes, i)} (seed {lanes[i].world.seed}) PE (phased elimination) eliminates at t = {t}, for "
                "good, the action that is best in the last round."
            )
    return [note for note in found if note]


def _theory(lane: Lane, where: str) -> str:
    """Return which algorithms the proved widths leave beside Random, by the paired difference of regret."""
    note = "β = theory: these widths are made for the worst case."
    learners = [n for n in lane.names if n != "Random"]
    if not learners or "Random" not in lane.names or len(lane.total["Random"]) == 1:
        return note
    said = {n: lane.verdict(n, "Random") for n in learners}
    less = [n for n in learners if said[n] == LESS]
    ends = "ends" if len(less) == 1 else "end"
    note += (
        f" In {where} {len(less)} of {plural(len(learners), 'algorithm')} {ends} with clearly less regret than Random"
    )
    rperp = {
        LESS: "; R-PERP is among them",
        MORE: "; R-PERP with clearly more",
        ABOUT_EQUAL: "; R-PERP with about equal regret",
        UNDECIDED: "; for R-PERP it is undecided",
    }.get(said.get("R-PERP"), "")
    return f"{note}{rperp}."


def _deng(race: Race) -> str:
    """Return Deng et al.'s claim about worlds like theirs, beside what was measured (without side queries)."""
    lane = race.lanes[-1]
    world = lane.world  # theirs jumps twice, between rewards as drawn
    if (world.kind, world.switches, world.budget) != ("jumps", 2, None) or "WGP-UCB" not in lane.names:
        return ""
    order = sorted((n for n in lane.names if not lane.side_queries[n]), key=lambda n: lane.rank[n][-1])
    place = order.index("WGP-UCB") + 1
    result = f"WGP-UCB ends {ordinal(place)} of {len(order)} with {amount(lane.median['WGP-UCB'][-1])}"
    rival = order[0] if place > 1 else order[1] if len(order) > 1 else None
    if rival:
        said = {LESS: "clearly less", MORE: "clearly more"}.get(found := lane.verdict(rival, "WGP-UCB"), found)
        result += f" ({rival} {amount(lane.median[rival][-1])}, {said})"
    among = ", among the algorithms without side queries," if len(order) < len(lane.names) else ""
    found = "In all their experiments Deng et al. find WGP-UCB ahead of R-GP-UCB and SW-GP-UCB"
    note = f"{found}. Here{among} {result}. Deng et al. do not state noise and δ."
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
    near = "Its regret rate is proved near-optimal for Theorem 5's H and eq. 8's width only."
    if lane.world.kernel == "matern" and lane.world.nu <= 0.5:
        near = "Its regret rate is proved near-optimal for ν above 1/2 only."
    elif not memory and width == "theory":
        near = "With these its regret rate is proved near-optimal."
    where = call(race.lanes, len(race.lanes) - 1)
    return f"R-PERP ends {ordinal(place)} of {len(lane.names)} in {where}, with {beta} and {H}. {near}"


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
