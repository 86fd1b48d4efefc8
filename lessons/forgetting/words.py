"""Sentences about regret against memory, an empty memory and settings without effect, from computed numbers only."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from common.formats import amount
from lessons.forgetting import experiment, model
from lessons.forgetting.experiment import WITH_LIMIT, ForgettingSetting
from lessons.forgetting.knobs import LEARNERS, MEMORY_STEPS, TOLD_NOTHING, WIDTH
from lessons.forgetting.memories import INJECTED, NEVER, MemoryViews, Tuning, ViewSetting, last_jump
from lessons.forgetting.model import Legend, MemorySweep
from lessons.shared.knobs import METHODS
from lessons.shared.script import seeds, setup
from lessons.shared.wording import guests, left_out
from tvbo_core import policies
from tvbo_core.race_results import ABOUT_EQUAL, LESS, MORE

MEANS = {  # what m sets, and whose memory the strip shows, by the field of a method that says how much it remembers
    "restart": ("restart every 2m rounds", "r"),
    "window": ("window of m rounds", "sw"),
    "discount": ("discount 1 − 1/m a round", "wgp"),
    "epsilon": ("change 2/m a round", "tv"),
}
ROOM = 0.36  # of the axis: words under the curve that are nearer to one another would meet on a phone
TOLD_LITTLE = (
    f"{METHODS[TOLD_NOTHING]} is told the kernel and σ, not the drift: it restarts when an observation falls outside a "
    "band around its estimate. The band's width is ours, and nothing is proved of its regret here."
)


def legend(past: ViewSetting, setting: ForgettingSetting) -> Legend:
    """Return the names and marks of this state of the page."""
    means, strip = MEANS[policies.ALL[setting.front].memory]
    places, m, limit = experiment.places(setting), past.tuning.m, setting.front in WITH_LIMIT
    whole = places[-1] < len(MEMORY_STEPS) - 1  # the longest memories on the axis are endless here
    return Legend(
        front=(setting.front, METHODS[setting.front]),
        means=means,
        m=m,
        has_limit=limit,
        strip=METHODS[strip],
        place=float(places[MEMORY_STEPS.index(m)]),
        places=places,
        never=places[-1] if whole else len(MEMORY_STEPS) if limit else None,
        last="" if not (whole or limit) else "never forgets" if limit else "never restarts",
    )


def _held(tuning: Tuning, horizon: int) -> dict[str, str]:
    """Return name of a memory -> how much it holds, at {}, and how it forgets; as short as a phone's strip is wide."""
    H = tuning.restart
    return {
        **dict.fromkeys(tuning.memories, "remembers {}, fading with age"),
        METHODS["tv"]: "remembers {} as correlation fades",
        NEVER: "remembers all {}",
        METHODS["r"]: f"remembers {{}} (restart every {H})" if horizon > H else "remembers all {}",
        METHODS["sw"]: f"remembers {{}} (window {tuning.window})",
    }


def finding(views: MemoryViews, sweep: MemorySweep, legend: Legend) -> list[str]:
    """Return the sentence under the question for every frame (HTML)."""
    restarting = legend.strip == METHODS["r"]  # the strip shows the memory that restarts
    held, hue = views.effective_size(model.WINDOW), "shuffles" if sweep.setting.front == "rperp" else "forgets"
    beside = sweep.beside(_position(legend))
    return [
        sentence(
            model.facts(sweep, row, float(held[frame])),
            legend,
            "empty" if row in views.restarts else "full" if restarting and row + 1 in views.restarts else "",
            () if beside is None else beside[:, row].tolist(),
            sweep.setting.seeds,
            hue,
            frame == len(views.rows) - 1,
        )
        for frame, row in enumerate(views.rows)
    ]


def sentence(
    facts: Mapping[str, float | None],
    legend: Legend,
    restart: str,
    beside: Sequence[str],
    seeds: int,
    hue: str = "forgets",
    last: bool = False,
) -> str:
    """Return the sentence of a frame from its facts; while runs are still to come it judges nothing.

    Args:
        restart: "empty" where the restarting memory is, "full" a round before, else "".
        beside: verdict of each memory, and of endless memory after them, beside the reader's; none while runs are
            still to come.
        seeds: how many are to be played.   hue: role of the method.   last: it is the last round.
    """
    now = "the end" if last else f"t = {facts['t']}"
    if facts["t"] == 1:
        return f"At {now} every memory is empty: there are no observations yet."
    word, name = legend.front
    if restart == "full":
        full = f"the memory of {name} is full" if word == "r" else f"{name} is at the end of its interval"
        return f'At {now} <span class="{hue}">{full}</span>: it restarts next.'
    if restart == "empty":
        return f'At {now} <span class="{hue}">{name} has just restarted</span>: its memory is empty.'
    if "best m" not in facts:
        return "The first runs are being played. The strip already shows what is remembered."
    pays = [facts[model.regret_name(m)] for m in MEMORY_STEPS]
    if legend.has_limit and model.regret_name() in facts:
        pays.append(facts[model.regret_name()])
    mine = pays[_position(legend)]
    if np.ptp(pays) <= 1e-9:
        return f"By {now} every memory has the same regret: {amount(pays[0])}."
    kept = f'By {now} <span class="{hue}">m = {legend.m:g}</span> has'
    if not beside:
        return f"{kept} regret {amount(mine)} in {facts['seeds']} of {seeds} worlds."
    if legend.place == legend.never and legend.has_limit:
        kept = f'By {now} <span class="keeps">never forgetting</span> has'
    if seeds == 1:
        return f"{kept} regret {amount(mine)}. One run decides nothing."
    best, told = int(np.argmin(pays)), facts.get(model.LEVEL)
    more = mine > pays[best] + 1e-9
    other, least = _name(legend, best), amount(pays[best])
    if more and beside[best] == LESS:
        return f"{kept} regret {amount(mine)}. {other} has clearly less, {least}."
    if more and told is not None and told < pays[best]:
        other = METHODS[TOLD_NOTHING]
        return f"{kept} regret {amount(mine)}. {other}, not told the drift, has {amount(told)}, less than any memory."
    near = {_place(legend, i): i for i, said in enumerate(beside) if said != MORE}
    near.pop(legend.place, None)
    if (more or near) and beside[0] == MORE == beside[len(pays) - 1]:
        own, then = ("regret", ",") if more else ("the lowest median,", ";")
        ends = f"the shortest {amount(pays[0])}, the longest {amount(pays[-1])}"
        return f'By {now} <span class="{hue}">this memory</span> has {own} {amount(mine)}{then} {ends}.'
    if more:
        # A lower median with a higher mean is not clearly below either.
        how = "about equal with" if beside[best] == ABOUT_EQUAL else "not clearly above"
        return f"{kept} regret {amount(mine)}, {how} {other[0].lower()}{other[1:]}."
    if near:
        other = _name(legend, next(iter(near.values())), begins=False) if len(near) == 1 else "other memories"
        equal = all(beside[i] == ABOUT_EQUAL for i in near.values())
        how = "about equal with" if equal else "not clearly below"
        return f"{kept} the lowest median regret, {amount(mine)}, {how} {other}."
    rest = _name(legend, len(pays) - 1) if _place(legend, len(pays) - 1) != legend.place else ""
    return f"{kept} the least regret of all memories, {amount(mine)}." + (
        f" {rest} has {amount(pays[-1])}." if rest else ""
    )


def _position(legend: Legend) -> int:
    """Return the index of the reader's memory."""
    return MEMORY_STEPS.index(legend.m)


def _place(legend: Legend, i: int) -> float:
    """Return where a memory stands, by its index; endless memory comes after the others."""
    if i < len(legend.places):
        return legend.places[i]
    return math.inf if legend.never is None else legend.never


def _name(legend: Legend, i: int, begins: bool = True) -> str:
    """Return a memory in a sentence, or at its beginning."""
    if legend.has_limit and _place(legend, i) == legend.never:
        return f'<span class="keeps">{"Never" if begins else "never"} forgetting</span>'
    return f"m = {MEMORY_STEPS[i]:g}"


def labels(views: MemoryViews, sweep: MemorySweep, legend: Legend) -> dict[str, list[str]]:
    """Return the words of the stage in every frame: over the strip, and under both ends, the lowest point and the ball.

    Where two of them would meet on a phone the ball's stand alone.
    """
    found: dict[str, list[str]] = {
        "strip": _remembered(views, legend),
        "short": [],
        "long": [],
        "least": [],
        "you": [],
    }
    curve = sweep.front()
    short = sweep.beside(0)  # None: nothing is judged
    long = sweep.beside(-1)
    whole = short is not None and long is not None
    for row in views.rows if curve is not None else ():
        pays = curve.median[:, row]
        never, best = sweep.limit(row), curve.best(row)
        end, mine = float(pays[-1]) if never is None else never, pays[MEMORY_STEPS.index(legend.m)]
        inside = whole and best > 0 and end > pays[best] + 1e-9  # the least lies between the ends
        here, low, last = legend.place, legend.places[best], legend.places[-1] if legend.never is None else legend.never
        apart = ROOM * last
        noisy, stale = (inside and ends is not None and ends[best, row] == LESS for ends in (short, long))
        found["short"].append(f"{amount(pays[0])}: noisy" if noisy and here > apart else "")
        found["long"].append(f"{amount(end)}: stale" if stale and last - here > apart else "")
        alone = inside and abs(here - low) > 0.5 * last and apart < low < last - apart
        found["least"].append(f"{amount(pays[best])}: the lowest" if alone else "")
        lowest = min(float(pays.min()), end)
        if not whole:
            words = f"{amount(mine)} in {curve.seeds} of {sweep.setting.seeds} worlds"
        elif max(float(pays.max()), end) <= lowest + 1e-9:
            words = f"<b>{amount(mine)}: all equal</b>"
        elif mine <= lowest + 1e-9:
            words = f"<b>{amount(mine)}: the lowest</b>"
        else:
            words = f"<b>{amount(mine)}: {amount(mine - lowest)} more</b>"
        found["you"].append(words)
    return found


def _remembered(views: MemoryViews, legend: Legend) -> list[str]:
    """Return what the strip's memory still holds in every frame, and how much of it is older than the last jump."""
    weight, found = views.weight(legend.strip), []
    text = _held(views.tuning, views.problem.horizon)[legend.strip]
    for frame, row in enumerate(views.rows):
        since = last_jump(views.jumps, row)
        stale, fresh = float(weight[frame, :since].sum()), float(weight[frame, since:].sum())
        held = text.format(f"{stale + fresh:.0f}")
        if since:
            held += f", {stale:.0f} from before the jump" if stale >= 0.5 else ", all since the jump"
        found.append(held)
    return found


def _learners(sweep: MemorySweep) -> list[str]:
    """Return what two methods without a memory to set have lost by the end, once all their seeds are through."""
    curves = [sweep.curves.get((method, 0)) for method in LEARNERS]
    ends = [float(curve.median[0, -1]) for curve in curves if curve is not None and curve.seeds == sweep.setting.seeds]
    if len(ends) < len(LEARNERS):
        return []
    (learning, removing), (learned, removed) = (METHODS[one] for one in LEARNERS), map(amount, ends)
    return [
        f"Two more have no memory to set. By the end {learning} has regret {learned}; {removing}, which is given the "
        f"drift and removes the observations that matter least, has {removed}. Nothing is proved of their regret."
    ]


def notes(views: MemoryViews, sweep: MemorySweep) -> list[str]:
    """Return the methods that cannot play, and settings that never forget or R-PERP's strip."""
    lines = left_out(sweep.refused) + _learners(sweep)
    T, q = views.problem.horizon, views.tuning
    front = sweep.setting.front
    if {"r": q.restart, "sw": q.window}.get(front, 0) >= T:
        lines.append(f"With this m {METHODS[front]} never forgets within T = {T} and is GP-UCB.")
    elif front == "rperp":
        lines.append(
            "R-PERP uses its current batch only. The strip shows the observations since a restart every H = 2m."
        )
    return lines


def caption(views: MemoryViews, sweep: MemorySweep, past: ViewSetting) -> str:
    """Return the set-up with its seeds."""
    curve = sweep.front()
    k = 1 if curve is None else curve.seeds
    regret = f"Regret: median of {k} seeds" if k > 1 else "Regret: one seed only"
    spent = f"$V_T$ = {amount(views.problem.sup_variation)}"
    strip = f"strip and marks of jumps: seed {sweep.setting.numbers[0]}"
    own = guests([METHODS[sweep.setting.front]])
    world, numbers = setup(past.world), seeds(sweep.setting.numbers[:k])
    return f"{regret}; {strip}. Set-up: {world}, {spent}; {numbers}, β = {WIDTH:g}. {TOLD_LITTLE}{own}"


def weights(views: MemoryViews, past: ViewSetting) -> str:
    """Return what the rows of the memories show."""
    found = (
        f"The same observations for all (random queries, seed {past.world.seed}). Grey: weight of an observation, from "
        "0 to 1. Bars: its effect (influence) on the estimate at x."
    )
    if past.tuning.alpha < 1:
        return found
    return (
        f"{found} UI-GP-UCB (uncertainty injection), α = {past.tuning.alpha:g}: an observation 10 steps old counts "
        f"1/{1 + 10**past.tuning.alpha:.0f} of a new one; all {views.problem.horizon - 1} together count as much as "
        f"{views.effective_size(INJECTED)[-1]:.1f} new ones."
    )
