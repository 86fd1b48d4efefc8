"""Sentences about regret against memory, an empty memory and settings without effect, from computed numbers only."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from common.formats import amount
from lessons.forgetting import experiment, model
from lessons.forgetting.experiment import WITH_LIMIT, ForgettingSetting, papers_memory
from lessons.forgetting.knobs import MEMORY_STEPS, TOLD_NOTHING, WIDTH, WITH_MEMORY
from lessons.forgetting.memories import INJECTED, NEVER, MemoryViews, Tuning, ViewSetting, last_jump
from lessons.forgetting.model import STALENESS, Legend, MemorySweep
from lessons.shared import worlds
from lessons.shared.knobs import METHODS, YOURS
from lessons.shared.script import seeds, setup
from lessons.shared.wording import LABELS, PHRASES, guests, left_out
from tvbo_core import policies
from tvbo_core.race_results import ABOUT_EQUAL, LESS, MORE

WORLD_NAMES = LABELS | {YOURS: "Your hill"}
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
BELIEFS = (
    "Thick line: today's reward. Coloured: the estimate with two standard deviations around it, from the same "
    "observations weighted by each memory. This posterior is no guarantee for a reward that moves. Circles: the "
    "newest observations that still count at least half, at most 40."
)


def legend(past: ViewSetting, setting: ForgettingSetting) -> Legend:
    """Return the names and marks of this state of the page."""
    means, strip = MEANS[policies.ALL[setting.front].memory]
    places, m, limit = experiment.places(setting), past.tuning.m, setting.front in WITH_LIMIT
    whole = places[-1] < len(MEMORY_STEPS) - 1  # the longest memories on the axis are endless here
    return Legend(
        front=(setting.front, METHODS[setting.front]),
        means=means,
        worlds=tuple(WORLD_NAMES[worlds.choice(w)] for w in setting.worlds),
        here=setting.worlds.index(past.world),
        m=m,
        has_limit=limit,
        kind=past.world.kind,
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
    beside = sweep.beside(legend.here, _position(legend))
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
    kind, now = legend.kind, "the end" if last else f"t\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{facts['t']}"
    if facts["t"] == 1:
        return f"At {now} every memory is empty: there are no observations yet."
    if restart == "full":
        return f'At {now} <span class="forgets">the memory of {METHODS["r"]} is full</span>: it restarts next.'
    if restart == "empty":
        return f'At {now} <span class="forgets">{METHODS["r"]} has just restarted</span>: its memory is empty.'
    if f"{kind}: best m" not in facts:
        return "The first runs are being played. The strip already shows what is remembered."
    pays, never = _pays(facts, kind, legend.has_limit)
    if never is not None:
        pays = [*pays, never]
    mine = pays[_position(legend)]
    if np.ptp(pays) <= 1e-9:
        return f"By {now} every memory has the same regret: {amount(pays[0])}."
    kept = f'By {now} <span class="{hue}">{_m(legend.m)}</span> has'
    if not beside:
        return f"{kept} regret {amount(mine)} in {facts[f'{kind}: seeds']} of {seeds} worlds."
    if legend.place == legend.never and legend.has_limit:
        kept = f'By {now} <span class="keeps">never forgetting</span> has'
    if seeds == 1:
        return f"{kept} regret {amount(mine)}. One run decides nothing."
    best, told = int(np.argmin(pays)), facts.get(model.level_name(kind))
    more = mine > pays[best] + 1e-9
    other, least = _name(legend, best), amount(pays[best])
    if more and beside[best] == LESS:
        return f"{kept} regret {amount(mine)}. {other} has clearly less, {least}."
    if more and told is not None and told < pays[best]:
        name = METHODS[TOLD_NOTHING]
        return f"{kept} regret {amount(mine)}. {name}, not told the drift, has {amount(told)}, less than any memory."
    near = {_place(legend, i): i for i, said in enumerate(beside) if said != MORE}
    near.pop(legend.place, None)
    if (more or near) and beside[0] == MORE == beside[len(pays) - 1]:
        own, then = ("regret", ",") if more else ("the lowest median regret,", ";")
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
    return _m(MEMORY_STEPS[i])


def _m(m: float) -> str:
    """Return "m = 40", which no line break divides."""
    return f"m = {m:g}".replace(" ", "\N{NO-BREAK SPACE}")


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
    curve = sweep.front(legend.here)
    short = sweep.beside(legend.here, 0)  # None: nothing is judged
    long = sweep.beside(legend.here, -1)
    whole = short is not None and long is not None
    for row in views.rows if curve is not None else ():
        pays = curve.median[:, row]
        never, best = sweep.limit(legend.here, row), curve.best(row)
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


def _pays(facts: Mapping[str, float | None], kind: str, limit: bool) -> tuple[list[float], float | None]:
    """Return the regret with each memory in a world, and without end; None where the method has no such limit."""
    never = facts.get(model.regret_name(kind)) if limit else None
    return [facts[model.regret_name(kind, m)] for m in MEMORY_STEPS], never


def _phrase(past: ViewSetting) -> str:
    """Return the world in a sentence."""
    return PHRASES[worlds.choice(past.world)]


def notes(views: MemoryViews, sweep: MemorySweep) -> list[str]:
    """Return the methods that cannot play, and settings that never forget or R-PERP's strip."""
    lines = left_out(sweep.refused)
    T, q = views.problem.horizon, views.tuning
    front = sweep.setting.front
    if {"r": q.restart, "sw": q.window}.get(front, 0) >= T:
        lines.append(f"With this m {METHODS[front]} never forgets within T = {T} and is GP-UCB.")
    elif front == "rperp":
        lines.append(
            "R-PERP uses its current batch only. The strip shows the observations since a restart every H = 2m."
        )
    return lines


def _tv(sweep: MemorySweep, past: ViewSetting) -> str:
    """Return that TV-GP-UCB does best with a longer nominal memory than the others, where it does."""
    here = sweep.setting.worlds.index(past.world)
    best = {m: MEMORY_STEPS[sweep.curves[m, here].best()] for m in WITH_LIMIT if (m, here) in sweep.curves}
    others = [best[m] for m in ("r", "sw", "wgp") if m in best]
    if "tv" not in best or not others or best["tv"] <= max(others):
        return ""
    return (
        f"In {_phrase(past)} TV-GP-UCB has its lowest median at m = {best['tv']}, the others at {min(others)} to "
        f"{max(others)}: its m is no number of observations."
    )


def _papers_setting(views: MemoryViews, sweep: MemorySweep) -> str:
    """Return the memory that the method's own paper would set here."""
    method = sweep.setting.front
    own = papers_memory(method, views.problem.known)
    stands = f"m = {own:,.0f}" if own >= 10 else f"m = {own:.1f}"
    stands = stands if math.isfinite(own) else "no forgetting"
    return f"For {METHODS[method]} its paper would set {stands} here (seed {sweep.setting.numbers[0]})."


def caption(views: MemoryViews, sweep: MemorySweep, past: ViewSetting) -> str:
    """Return the set-up with its seeds."""
    curve = sweep.front(sweep.setting.worlds.index(past.world))
    k = 1 if curve is None else curve.seeds
    regret = f"Regret: median of {k} seeds" if k > 1 else "Regret: one seed only"
    spent = f"$V_T$ = {amount(views.problem.sup_variation)}"
    strip = f"strip and marks of jumps: seed {sweep.setting.numbers[0]}"
    own = guests(METHODS[method] for method in sweep.setting.levels)
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


def every(views: MemoryViews, sweep: MemorySweep, legend: Legend, past: ViewSetting) -> str:
    """Return the lowest points of all methods, world by world, and where the own paper of one would stand."""
    parts = []
    for w, title in enumerate(legend.worlds):
        least = {m: sweep.curves[m, w] for m in sweep.methods}
        order = sorted(least, key=lambda m: least[m].median[:, -1].min())
        m = order[0]
        best, steps = MEMORY_STEPS[least[m].best()], sweep.setting.worlds[w].horizon
        at = "never forgetting" if experiment.never_forgets(m, best, steps) else f"at m = {best}"
        parts.append(f"{title}: {METHODS[m]} {amount(least[m].median[:, -1].min())} {at}")
    k = min(curve.seeds for (method, _), curve in sweep.curves.items() if method in WITH_MEMORY)
    slopes = (
        f"Dash-dotted, of {legend.front[1]}: two terms of its bound, noise ∝ 1/√m and staleness ∝ "
        f"{'m' if STALENESS.get(legend.front[0]) == 1 else 'm√m'}, logarithms left out. Their heights are arbitrary."
    )
    found = (
        f"Lowest points (median of {k} seeds): {'; '.join(parts)}. Measured with one width for all; no theorem says "
        "which is lowest. Flat lines: methods without a memory to set; nothing is proved of the regret of "
        "Learned TV-GP-UCB and W-DBO. Dotted: your m."
    )
    more = (
        slopes * (views.problem.sup_variation > 0 and legend.front[0] in STALENESS),
        _tv(sweep, past),
        _papers_setting(views, sweep),
    )
    return " ".join((found, *filter(None, more)))
