"""Sentences about regret against memory, an empty memory and settings without effect, from computed numbers only."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from common.formats import amount
from lessons.forgetting import model
from lessons.forgetting.knobs import MEMORY_STEPS, WITH_MEMORY
from lessons.forgetting.memories import INJECTED, NEVER, MemoryViews, Tuning, ViewSetting, last_jump
from lessons.forgetting.model import WITH_LIMIT, ForgettingSetting, Legend, MemorySweep, papers_memory
from lessons.shared import problems, worlds
from lessons.shared.knobs import METHODS, YOURS
from lessons.shared.wording import PHRASES, guests
from tvbo_core import policies
from tvbo_core.worlds import ALL

WORLD_NAMES = {kind.name: kind.label for kind in ALL.values()} | {YOURS: "Your hill"}
STRIP, YOU, LEAST = "strip", "you", "least"  # marks of the stage that words point at
ROOM = 0.36  # of the axis: words under the bowl that are nearer to one another would meet on a phone
BELIEFS = (
    "Thick line: today's reward. Coloured: the estimate with two standard deviations around it, from the same "
    "observations, weighted by each memory (a posterior; it promises nothing about a reward that moves). Circles: the "
    "newest observations that still count at least half, at most 40. Click on a panel to choose the place x."
)


def legend(past: ViewSetting, setting: ForgettingSetting, bet: int = 0, covered: bool = False) -> Legend:
    """Return the names and marks of this state of the page."""
    p, front = problems.problem(past.world), METHODS[setting.front]
    places, m, limit = model.places(setting), past.tuning.nominal(setting.front), setting.front in WITH_LIMIT
    whole = places[-1] < len(MEMORY_STEPS) - 1  # the longest memories on the axis are endless here
    never = places[-1] if whole else len(MEMORY_STEPS) if limit else None
    here = float(np.interp(math.log(min(m, MEMORY_STEPS[-1])), np.log(MEMORY_STEPS), places))
    return Legend(
        said=past.tuning.said,
        front=(setting.front, METHODS[setting.front]),
        methods={m: METHODS[m] for m in WITH_MEMORY},
        worlds=tuple(WORLD_NAMES[worlds.choice(w)] for w in setting.worlds),
        chosen=setting.worlds.index(past.world),
        drifts=p.sup_variation > 0,
        grid=MEMORY_STEPS,
        m=m,
        horizon=p.horizon,
        has_limit=limit,
        bet=bet,
        covered=covered,
        kind=past.world.kind,
        strip=front if front in past.tuning.memories else METHODS["r"],
        held=_held(past.tuning, p.horizon),
        here=here if math.isfinite(m) or never is None else float(never),
        places=places,
        never=never,
        last="" if never is None else "never forgets" if limit else "never restarts",
    )


def _held(tuning: Tuning, horizon: int) -> dict[str, str]:
    """Return name of a memory -> how it forgets and, at {}, how much it holds; as short as a phone's strip is wide.

    A restart every H rounds leaves 0 to H - 1 observations, m = H / 2 on average, rounded
    (`tvbo_core.gp.memory.matched`).
    """
    H, fades = tuning.restart, "fades with age: counts as {} new ones"
    restarts = f"restarts every {H}: holds {{}} (mean {H / 2:.0f})" if horizon > H else "never restarts: holds {}"
    return {
        **dict.fromkeys(tuning.memories, fades),
        NEVER: "keeps all: holds {}",
        METHODS["r"]: restarts,
        METHODS["sw"]: f"keeps the last {tuning.window}: holds {{}}",
    }


def label(row: int, horizon: int) -> str:
    """Return the text beside the player's bar."""
    return f"t = {row + 1} of {horizon}"


def finding(
    views: MemoryViews, sweep: MemorySweep, rows: Sequence[int], legend: Legend, past: ViewSetting
) -> list[str]:
    """Return the sentence under the question for every frame (HTML)."""
    if legend.covered:
        return [_question(legend, past)] * len(rows)
    restarting = legend.strip == METHODS["r"]  # the strip shows the memory that restarts
    held, hue = views.held(model.WINDOW), "shuffles" if sweep.setting.front == "rperp" else "forgets"
    return [
        sentence(
            model.facts(sweep, held, frame),
            legend.kind,
            legend.m,
            legend.has_limit,
            "empty" if row in views.restarts else "full" if restarting and row + 1 in views.restarts else "",
            _seeds_differ_by_more(sweep, legend.chosen, frame),
            sweep.setting.seeds,
            hue,
        )
        for frame, row in enumerate(rows)
    ]


def sentence(
    facts: Mapping[str, float | None],
    kind: str,
    m: float,
    limit: bool,
    restart: str,
    noisy: bool,
    seeds: int,
    hue: str = "forgets",
) -> str:
    """Return the sentence of a frame from its facts; while runs are still to come it judges nothing.

    Args:
        kind: of the world.   m: the reader's memory.   limit: with endless memory the method is GP-UCB.
        restart: "empty" where the restarting memory is, "full" a round before, else "".
        noisy: seeds differ by more than memories do.
        seeds: how many are to be played.   hue: role of the method.
    """
    if facts["t"] == 1:
        return f"At {_now(facts)} there are no observations yet: every memory is empty, every estimate is the prior."
    if restart == "full":
        return (
            f'At {_now(facts)} <span class="forgets">the memory of {METHODS["r"]} is as full as it gets</span>: in the '
            "next round it restarts, and forgets everything."
        )
    if restart == "empty":
        return (
            f'At {_now(facts)} <span class="forgets">{METHODS["r"]} has just restarted</span>: its memory is empty, '
            "and it learns the world anew."
        )
    if f"{kind}: best m" not in facts:
        return "The first runs are being played; the strip already shows what is remembered."
    pays, never = _pays(facts, kind, limit)
    end, best = pays[-1] if never is None else never, facts[f"{kind}: best m"]
    least = pays[MEMORY_STEPS.index(best)]
    if np.ptp([*pays, end]) <= 1e-9:
        return f"By {_now(facts)} you have lost {amount(pays[0])}, whatever the memory."
    mine = _at(pays, m)
    if (there := facts[f"{kind}: seeds"]) < seeds:
        so_far = f"Only {there} of {seeds} worlds have been played"
        return f"{so_far}." if mine is None else f"{so_far}: there {m:g} steps of memory pay {amount(mine)} so far."
    kept = f'<span class="{hue}">{m:g} steps of memory</span>'
    if noisy and mine is not None:
        return (
            f"By {_now(facts)} memory hardly matters: with {kept} you pay {amount(mine)}, and seeds differ by more "
            "than memories do."
        )
    ends = end <= least + 1e-9 or best == MEMORY_STEPS[0]
    low = min(least, end)
    if mine is None:
        many = "the longest memory costs" if never is None else "never forgetting costs"
        said = f"The least is {amount(least)} with {best} steps of memory; {many} {amount(end)}."
    elif mine > low + 1e-9:
        said = f"With {kept} you pay {amount(mine)} instead of\N{NO-BREAK SPACE}{amount(low)}."
    elif ends:
        said = f"With {kept} you pay {amount(mine)}, the least."
    else:
        many = "the longest memory costs" if never is None else '<span class="keeps">never forgetting</span> costs'
        said = f"With {kept} you pay {amount(mine)}, the least; {many} {amount(end)}."
    if not ends:
        return f"{said} A shorter memory is noisy, a longer one stale."
    if kind == "still" and end <= least + 1e-9:
        return f"{said} In a static world forgetting only costs."
    return (
        f"{said} Here the {'less' if best == MEMORY_STEPS[0] and pays[0] < end else 'more'} it remembers, the better."
    )


def _now(facts: Mapping[str, float | None]) -> str:
    """Return the time of a frame, which no line breaks."""
    return f"t\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{facts['t']}"


def _at(pays: Sequence[float], m: float) -> float | None:
    """Return the regret with this memory; None for one that nobody has played."""
    return pays[MEMORY_STEPS.index(int(m))] if m in MEMORY_STEPS else None


def labels(views: MemoryViews, sweep: MemorySweep, rows: Sequence[int], legend: Legend) -> dict[str, list[str]]:
    """Return the words of the stage in every frame: over the strip, and under both ends, the lowest point and the ball.

    Where two of them would meet on a phone the ball's stand alone.
    """
    found: dict[str, list[str]] = {
        "strip": _remembered(views, rows, legend),
        "short": [],
        "long": [],
        "least": [],
        "you": [],
    }
    curve = sweep.front(legend.chosen)
    whole = curve is not None and curve.seeds == sweep.setting.seeds  # else nothing is judged
    for frame in range(len(rows)) if curve is not None and not legend.covered else ():
        pays = curve.median[:, frame]
        never, best = sweep.limit(legend.chosen, frame), curve.best(frame)
        end, mine = float(pays[-1]) if never is None else never, _at(pays, legend.m)
        calm = _seeds_differ_by_more(sweep, legend.chosen, frame)
        bowl = whole and best > 0 and end > pays[best] + 1e-9
        told = bowl and not calm
        here, low, last = legend.here, legend.places[best], legend.places[-1] if legend.never is None else legend.never
        apart = ROOM * last
        found["short"].append(f"{amount(pays[0])}: noisy" if told and here > apart else "")
        found["long"].append(f"{amount(end)}: stale" if told and last - here > apart else "")
        alone = bowl and abs(here - low) > 0.5 * last and apart < low < last - apart
        found["least"].append(f"{amount(pays[best])}: the least" if alone else "")
        over = "" if mine is None else amount(mine - min(float(pays.min()), end))
        if mine is None:
            said = f"your m = {legend.m:.4g}"
        elif not whole:
            said = f"{amount(mine)} in {curve.seeds} of {sweep.setting.seeds} worlds"
        elif max(float(pays.max()), end) <= min(float(pays.min()), end) + 1e-9:
            said = f"<b>{amount(mine)}: all equal</b>"
        elif mine <= min(float(pays.min()), end) + 1e-9:
            said = f"<b>{amount(mine)}: the least</b>"
        else:
            said = f"<b>{amount(mine)}: {over} more</b>"
        found["you"].append(said)
    return found


def _remembered(views: MemoryViews, rows: Sequence[int], legend: Legend) -> list[str]:
    """Return what the strip's memory still holds in every frame, and how much of it the last jump has made stale."""
    weight, said = views.weight(legend.strip), []
    for frame, row in enumerate(rows):
        since = last_jump(views.jumps, row)
        stale, fresh = float(weight[frame, :since].sum()), float(weight[frame, since:].sum())
        held = legend.held[legend.strip].format(f"{stale + fresh:.0f}")
        if since:
            held += f", {stale:.0f} stale" if stale >= 0.5 else ", none stale"
        said.append(held)
    return said


def _pays(facts: Mapping[str, float | None], kind: str, limit: bool) -> tuple[list[float], float | None]:
    """Return the regret with each memory in a world, and without end; None where the method has no such limit."""
    never = facts.get(model.regret_name(kind)) if limit else None
    return [facts[model.regret_name(kind, m)] for m in MEMORY_STEPS], never


def _seeds_differ_by_more(sweep: MemorySweep, w: int, frame: int) -> bool:
    """Return whether the middle half of the seeds at the lowest point is wider than memories are apart."""
    curve, never = sweep.front(w), sweep.limit(w, frame)
    if curve is None or curve.seeds < 2:
        return False
    pays, k = curve.median[:, frame], curve.best(frame)
    low, high = curve.quartiles[:, k, frame]
    end = float(pays[-1]) if never is None else never
    return bool(min(pays[0], end) - pays[k] < 0.5 * (high - low) and max(pays) - pays[k] < high - low)


def marks(sweep: MemorySweep, legend: Legend) -> dict[str, str]:
    """Return word of the sentences -> the mark of the figure that it points at."""
    strip = {legend.strip: STRIP}
    return (
        strip if legend.covered or sweep.front(legend.chosen) is None else strip | {"you pay": YOU, "the least": LEAST}
    )


def _phrase(past: ViewSetting) -> str:
    """Return the world in a sentence."""
    return PHRASES[worlds.choice(past.world)]


def _question(legend: Legend, past: ViewSetting) -> str:
    """Return the question that stands there while the curves are covered."""
    bet = f" Your bet: m = {legend.bet}." if legend.bet else " Place your bet under More…, then uncover the curves."
    return f"At which memory m does <b>{legend.front[1]}</b> lose least in {_phrase(past)}?{bet}"


def _bet_result(sweep: MemorySweep, past: ViewSetting, legend: Legend) -> str:
    """Return the bet beside the lowest point; empty without a bet."""
    here = legend.chosen
    if not legend.bet or legend.covered or sweep.front(here) is None:
        return ""
    pays = sweep.front(here).median[:, -1]
    k, mine = sweep.front(here).best(), MEMORY_STEPS.index(legend.bet)
    if k == mine:
        return f"Your bet m = {legend.bet} is the lowest point in {_phrase(past)}: {amount(pays[k])}."
    if mine in sweep.front(here).as_low():
        return (
            f"Your bet m = {legend.bet} ({amount(pays[mine])}) may be the lowest in {_phrase(past)}: that "
            f"m = {MEMORY_STEPS[k]} has {amount(pays[k])} here may be chance."
        )
    return (
        f"You bet on m = {legend.bet}: {amount(pays[mine])} in {_phrase(past)}. The lowest is m = "
        f"{MEMORY_STEPS[k]} with {amount(pays[k])}."
    )


def notes(sweep: MemorySweep, past: ViewSetting, legend: Legend) -> list[str]:
    """Return methods that cannot play, and the first of: a bet, a setting not played or without effect, R-PERP."""
    T, q, mine = legend.horizon, past.tuning, legend.m
    said = [_bet_result(sweep, past, legend)]
    bite = [n for n, long in ((METHODS["r"], q.restart >= T), (METHODS["sw"], q.window >= T)) if long]
    if mine not in MEMORY_STEPS:
        near = min(MEMORY_STEPS, key=lambda m: abs(math.log(m / min(mine, 1e9))))
        said.append(
            f"Runs are drawn for m = {', '.join(map(str, MEMORY_STEPS))}; nearest to your setting is m = {near}."
        )
    if bite:
        verb = "never forget" if len(bite) > 1 else "never forgets"
        said.append(
            f"{' and '.join(bite)} {verb} within T = {T}: exactly GP-UCB. With a discount or a believed change "
            "old observations still fade."
        )
    if sweep.setting.front == "rperp":
        said.append("R-PERP uses its current batch only; the strip shows what was heard since a restart every H = 2m.")
    out = [f"Left out: {name}. {reason.rstrip('.')}." for name, reason in sweep.refused.items()]
    return [*out, *[one for one in said if one][:1]]


def _tv(sweep: MemorySweep, past: ViewSetting) -> str:
    """Return that TV-GP-UCB does best with a longer nominal memory than the others, where it does."""
    here = sweep.setting.worlds.index(past.world)
    best = {m: MEMORY_STEPS[sweep.curves[m, here].best()] for m in WITH_LIMIT if (m, here) in sweep.curves}
    others = [best[m] for m in ("r", "sw", "wgp") if m in best]
    if "tv" not in best or not others or best["tv"] <= max(others):
        return ""
    return (
        f"Setting ε = 2/m matches the memories only roughly: in {_phrase(past)} TV-GP-UCB does best at m = "
        f"{best['tv']}, the others at {min(others)} to {max(others)}."
    )


def _papers_setting(views: MemoryViews, sweep: MemorySweep) -> str:
    """Return the memory that the method's own paper would set here."""
    method = sweep.setting.front
    own = papers_memory(method, views.problem.known)
    told = "matched to this world's drift" if policies.ALL[method].memory == "epsilon" else "told this world's drift"
    stands = f"m = {own:,.0f}" if own >= 10 else f"m = {own:.1f}"
    stands = stands if math.isfinite(own) else "no forgetting at all"
    return (
        f"Tuned as in its paper, {told}, {METHODS[method]} would stand at {stands} (seed {sweep.setting.numbers[0]})."
    )


def _seeds(sweep: MemorySweep, past: ViewSetting) -> tuple[int, str]:
    """Return how many seeds of the curve on the stage there are, and which."""
    curve = sweep.front(sweep.setting.worlds.index(past.world))
    k = 0 if curve is None else curve.seeds
    first = sweep.setting.numbers[0]
    return k, f"seeds {first} to {first + k - 1}" if k > 1 else f"seed {first}"


def caption(views: MemoryViews, sweep: MemorySweep, past: ViewSetting) -> str:
    """Return the set-up with its seeds."""
    k, seeds = _seeds(sweep, past)
    width = "β = 2√(ln t)" if sweep.setting.width == "log" else f"β = {sweep.setting.width}"
    where = worlds.caption(past.world).rsplit(", seed", 1)[0]
    regret = f"Regret: median of {k} seeds" if k > 1 else "Regret: one seed, which proves nothing"
    spent = f"$V_T$ = {amount(views.problem.sup_variation)}"
    strip = f"strip and marks of jumps: seed {sweep.setting.numbers[0]}"
    own = guests(METHODS[method] for method in sweep.setting.levels)
    return f"{regret}; {strip}. Set-up: {where}, {spent}; {seeds}, {width}.{own}"


def weights(views: MemoryViews, past: ViewSetting) -> str:
    """Return what the rows of the memories show."""
    design = {"random": "asked at random", "ucb": "asked by GP-UCB", "clustered": "asked in two clusters"}[past.design]
    said = (
        f"The same {views.problem.horizon} observations for all ({design}, seed {past.world.seed}). Pale: how much "
        "each counts, from 0 to 1; dark: its pull on the estimate at x, cut at the row's height. J: jumps."
    )
    if past.tuning.alpha < 1:
        return said
    return (
        f"{said} Injected uncertainty, α = {past.tuning.alpha:g}: an observation 10 steps old counts "
        f"1/{1 + 10**past.tuning.alpha:.0f} of a new one; all {views.problem.horizon - 1} together count as much as "
        f"{views.held(INJECTED)[-1]:.1f} new ones."
    )


def kinds(views: MemoryViews, sweep: MemorySweep, past: ViewSetting) -> str:
    """Return what the curves of all worlds show, and where the method's own paper would stand."""
    k, seeds = _seeds(sweep, past)
    world = WORLD_NAMES[worlds.choice(past.world)]
    line = f"Line: median of {k} seeds, shaded: the middle half ({world}). " if k > 1 else ""
    slopes = "Dash-dotted: the two terms of the bounds; only their slopes are theorem, their heights are arbitrary. "
    slopes = slopes if views.problem.sup_variation > 0 else ""
    said = f"{line}Rings: lowest points. ∞: GP-UCB. {slopes}{_tv(sweep, past)} {_papers_setting(views, sweep)}"
    return " ".join(f"{said} {seeds[0].upper()}{seeds[1:]}.".split())


def every(sweep: MemorySweep, legend: Legend) -> str:
    """Return the lowest points of all methods, world by world."""
    parts = []
    for w, title in enumerate(legend.worlds):
        least = {m: sweep.curves[m, w] for m in sweep.methods}
        order = sorted(least, key=lambda m: least[m].median[:, -1].min())
        m = order[0]
        at = f"at m = {MEMORY_STEPS[least[m].best()]}"
        parts.append(f"{title}: {METHODS[m]} {amount(least[m].median[:, -1].min())} {at}")
    k = min(b.seeds for b in sweep.curves.values())
    return (
        f"Lowest points (median of {k} seeds): {'; '.join(parts)}. Measured with one width for all; no theorem says "
        "which is lowest. Levels: methods without a memory to set."
    )
