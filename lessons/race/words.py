"""What the race page says, from computed numbers only: who leads, how far the champion falls, what is a tie."""

from __future__ import annotations

from collections.abc import Sequence

from lessons.race.model import Race, Setting
from lessons.race.summary import Lane
from lessons.shared import worlds
from lessons.shared.durations import duration
from lessons.shared.wording import PHRASES, amount
from tvbo_core import kernels, policies

SLOW = policies.ALL["opkb"]
OPKB = (
    f"OPKB solves a program over all actions in each block, so with it all methods race on {SLOW.max_arms} actions and "
    f"at most {SLOW.max_horizon} steps. The papers' own experiments leave it out."
)
SCALED = (
    "The theorems of OPKB and its kin take rewards in [−1, 1]. Here rewards are divided by a bound on |y|, noise "
    "included; “y/1” does as the authors' code, which divides by nothing: the same constants then belong to another "
    "problem."
)
REPLAYED = (
    "ADA-OPKB needs no budget; it starts over where old and new estimates disagree. As in its authors' experiments "
    "its constants are far below those of the theorem, so no guarantee covers what is drawn; here its test also reads "
    "whole blocks, not only the replayed slots."
)
RESTARTED = (
    "R-OPKB is told the world's V_T and starts over every H rounds (Iwazaki & Takeno, Theorem 3: Matérn only); its "
    "constants are those of its authors' experiments."
)
BANDS = (
    "KernelUCB is told the bound B on the norm and takes a band of lesson 2 for a reward that stands still; where the "
    "band is empty (no function of norm B fits) it asks where its mean is highest. δ = 0.1, c = 1."
)
INJECTING = (
    "UI-GP-UCB trusts an observation less as it ages, here with α = 1. Its bound, Mauduit et al., Proposition "
    "2.2, is below T only for α < 1/3, and only where the noise of old answers is independent."
)
ABOUT = ((SCALED, ("opkb", "ropkb", "ada")), (REPLAYED, ("ada", "ada1")), (RESTARTED, ("ropkb", "ropkb1")),
         (BANDS, ("kucb", "kdmm", "kamm", "kay", "kigp")), (INJECTING, ("ui",)))  # fmt: skip
ANECDOTE = "One seed is an anecdote: the rank order can flip."
SPEED = (
    "Left: final regret, one ring a seed, with a bar at the median. Right: the time of one step of the method itself, "
    "on a logarithmic axis; “+” counts old questions asked again, each one more observation than the others get."
)
WAIT = "The first runs are being played."
LOOKS = (
    "Brightness is the reward of every action at every time, the white line the best action, each dot a question. "
    "A method that trusts its old data stays where the best action used to be."
)
DUELS = "In how many seeds the method of the row ends with less regret than that of the column. Best median on top."


def listed(names: Sequence[str], most: int = 3) -> str:
    """ "A", "A and B", "A, B and C", "A, B, C and 2 others"."""
    if len(names) > most:
        return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} others"
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def nth(place: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place % 10 if place % 100 not in (11, 12, 13) else 0, "th")
    return f"{place}{ending}"


def titles(lanes: Sequence[Lane]) -> list[str]:
    """A headline a world; two of one kind are told apart by their kernel."""
    kinds = [PHRASES[lane.world.kind].removeprefix("the ") for lane in lanes]
    if len(set(kinds)) == len(kinds):
        return [k.capitalize() for k in kinds]
    said = [kernels.ALL[lane.world.kernel].said(lane.world.nu) for lane in lanes]
    return [f"{k.capitalize()}, {kernel}" for k, kernel in zip(kinds, said, strict=True)]


def call(lanes: Sequence[Lane], i: int) -> str:
    """How a sentence names a world."""
    if len(lanes) == 1:
        return "this world" if lanes[0].world.kind != "data" else "the table"
    alike = lanes[0].world.kind == lanes[1].world.kind
    return f"the {('left', 'right')[i]} world" if alike else PHRASES[lanes[i].world.kind]


def finding(race: Race, rows: Sequence[int]) -> list[str]:
    """The sentence under the question for every frame (HTML)."""
    lanes = race.lanes
    changes = [{row: (leader, passed) for row, leader, passed in lane.lead} for lane in lanes]
    said = []
    for row in rows:
        for i, change in enumerate(changes):
            if row in change and row > 0:
                leader, passed = change[row]
                said.append(
                    f"At t = {row + 1} <b>{leader} passes {passed}</b> in {call(lanes, i)}. {_short(race, row)}"
                )
                break
        else:
            said.append(_flip(race, row) if len(lanes) == 2 else _podium(race, row))
    return said


def _flip(race: Race, row: int) -> str:
    first, second = race.lanes
    champion = first.at_place(1, row)
    place, n = int(second.rank[champion][row]), len(first.names)
    here, there = call(race.lanes, 0), call(race.lanes, 1)
    lead = (
        f"{'By' if row else 'At'} t = {row + 1} <b>{champion}</b> leads {here} ({amount(first.median[champion][row])}"
    )
    lead += f"{_ties(first, champion, row)})"
    if place == 1:
        return f"{lead}, and {there} too ({amount(second.median[champion][row])}{_ties(second, champion, row)})."
    winner = second.at_place(1, row)
    behind = f" and is <b>{nth(place)} of {n}</b> in {there} ({amount(second.median[champion][row])})"
    if second.tied(champion, winner, row):
        behind += f", a tie with the leader there, {winner} ({amount(second.median[winner][row])})."
        return lead + behind
    extra = f", {second.asked[winner]:,} re-asks" if second.asked[winner] else ""
    ties = _ties(second, winner, row)
    return f"{lead}{behind}; there <b>{winner}</b> leads ({amount(second.median[winner][row])}{extra}{ties})."


def _short(race: Race, row: int) -> str:
    lane = race.lanes[-1]
    champion = race.lanes[0].at_place(1, row)
    where = call(race.lanes, len(race.lanes) - 1)
    return f"{champion} is {nth(int(lane.rank[champion][row]))} of {len(lane.names)} in {where}."


def _podium(race: Race, row: int) -> str:
    (lane,) = race.lanes
    order = sorted(lane.names, key=lambda n: lane.rank[n][row])
    first, *others = (f"{n} ({amount(lane.median[n][row])})" for n in order)
    if not others:
        return f"By t = {row + 1} {first} runs alone: choose a second method to race against it."
    last = f"; {others[-1]} is last of {len(order)}" if len(order) > 3 else ""
    lead = (
        f"By t = {row + 1} <b>{order[0]}</b> leads ({amount(lane.median[order[0]][row])}{_ties(lane, order[0], row)})"
    )
    return f"{lead}, then {listed(others[:2])}{last}."


def _ties(lane: Lane, name: str, row: int) -> str:
    others = int(lane.ties[name][row])
    return f", tied with {others} other{'s' if others > 1 else ''}" if others else ""


def refused(race: Race) -> list[str]:
    """Who cannot race here and why, a sentence for each reason."""
    who: dict[str, list[str]] = {}
    for name, reason in race.refused.items():
        who.setdefault(reason, []).append(name)
    return [
        f"Left out: {listed(names, len(names))}. {reason[:1].upper()}{reason[1:]}." for reason, names in who.items()
    ]


def notes(race: Race, lost: Sequence[int | None]) -> list[str]:
    """What the figure does not say by itself, one sentence each; `lost` is when PE loses the later best action."""
    lanes, setting = race.lanes, race.setting
    said = refused(race)
    if "opkb" in setting.methods:
        said.append(OPKB)
    said += [sentence for sentence, words in ABOUT if set(words) & set(setting.methods)]
    if race.seeds == 1:
        said.append(ANECDOTE)
    if setting.width == "theory":
        said.append(_theory(lanes[-1], call(lanes, len(lanes) - 1)))
    said += [_deng(race), _rperp(race)]
    for i, t in enumerate(lost):
        if t is not None:
            said.append(f"PE eliminates the action that is best in the end at t = {t} in {call(lanes, i)} (seed "
                        f"{lanes[i].world.seed}) and can never get it back.")  # fmt: skip
    return [s for s in said if s]


def _theory(lane: Lane, where: str) -> str:
    """What the proved widths cost, as shares of what Random pays."""
    said = "β = theory: these widths are meant for the worst case, so every method explores longer."
    learners = [n for n in lane.names if n != "Random"]
    if not learners or "Random" not in lane.names or lane.median["Random"][-1] <= 0:
        return said
    share = {n: f"{lane.median[n][-1] / lane.median['Random'][-1]:.0%}" for n in learners}
    best = min(learners, key=lambda n: lane.median[n][-1])
    said += f" In {where} the best learner, {best}, pays {share[best]} of what Random pays"
    return said + (f", R-PERP {share['R-PERP']}." if "R-PERP" in share and best != "R-PERP" else ".")


def _deng(race: Race) -> str:
    """Deng et al.'s claim about worlds like theirs, beside what was measured (methods without re-asks)."""
    lane = race.lanes[-1]
    if lane.world.kind != "jumps" or lane.world.budget is not None or "WGP-UCB" not in lane.names:
        return ""
    order = sorted((n for n in lane.names if not lane.asked[n]), key=lambda n: lane.rank[n][-1])
    place = order.index("WGP-UCB") + 1
    said = f"it is {nth(place)} of {len(order)} with {amount(lane.median['WGP-UCB'][-1])}"
    rival = order[0] if place > 1 else order[1] if len(order) > 1 else None
    if rival:
        tie = ", a tie" if lane.tied(rival, "WGP-UCB", -1) else ""
        said += f" ({rival} {amount(lane.median[rival][-1])}{tie})"
    among = ", among the methods without re-asks," if len(order) < len(lane.names) else ""
    claim = "Deng et al. find WGP-UCB best in worlds like this."
    note = f"{claim} Measured here{among} {said}; their noise, ridge and δ are not stated."
    if race.setting.width == "2":
        note += " Every method has width β = 2 here; page 9 repeats their Figure 1a with the widths that are proved."
    return note


def _rperp(race: Race) -> str:
    lane = race.lanes[-1]
    if "R-PERP" not in lane.names or len(lane.names) < 3:
        return ""
    place = int(lane.rank["R-PERP"][-1])
    if 2 * place <= len(lane.names) or lane.world.kind == "still":
        return ""
    return (
        f"R-PERP is provably near-optimal and still {nth(place)} of {len(lane.names)} here; in its authors' own "
        "Figure 2 it beats only Random."
    )


def caption(race: Race, pins: Sequence[str]) -> str:
    """Set-up, seeds, and what the lines are."""
    setting, k = race.setting, race.seeds
    first = race.lanes[0].world.seed
    seeds = f"seeds {first} to {first + k - 1}" if k > 1 else f"seed {first}"
    memory = f"memory m = {setting.memory}" if setting.memory else "memory as in each paper"
    width = {"log": "β = 2√(ln t)", "theory": "β = theory"}.get(setting.width, f"β = {setting.width}")
    lines = f"Thick: median of {k} seeds. Thin: single seeds of {listed(list(pins))}. " if k > 1 else ""
    asked = [n for n in race.lanes[-1].names if race.lanes[-1].asked[n]]
    plus = f"“+” after {listed(asked)}: old questions asked again. " if asked else ""
    ties = "Shaded: tied with the leader (medians closer than its interquartile range). " if k > 1 else ""
    where = " · ".join(worlds.caption(lane.world).rsplit(", seed", 1)[0] for lane in race.lanes)
    return f"{lines}J: jump. {plus}{ties}Set-up: {where}; {seeds}, {memory}, {width}."


def label(row: int, horizon: int) -> str:
    return f"t = {row + 1} of {horizon}"


def progress(setting: Setting, done: int, total: int, left: float) -> str:
    """The named progress of a race."""
    parts = [(setting.seeds, "seed"), (len(setting.methods), "method"), (len(setting.worlds), "world")]
    what = " × ".join(f"{n} {word}{'s' if n > 1 else ''}" for n, word in parts)
    return f"Running {what}: {done}/{total} done, {duration(left)}"


def pause(setting: Setting, whole: int, stopped: bool) -> str:
    """Return why nothing is running although runs are missing."""
    if not stopped:
        shown = f"{whole} of {setting.seeds} seeds" if whole else "the first runs"
        return f"This race takes a while: {shown} {'are' if whole else 'will be'} shown."
    if whole:
        return f"Cancelled: the {whole} of {setting.seeds} seeds that finished are shown."
    return f"Cancelled before the first of {setting.seeds} seeds had finished: the runs that did are shown."


def start(runs: int, cost: float, stopped: bool) -> str:
    """The button that starts a long race, with the time it takes."""
    return f"Run {'the rest' if stopped else 'it'}: {runs} runs, {duration(cost)}"
