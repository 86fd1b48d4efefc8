"""Sentences about regret against memory, an empty memory and settings without effect, from computed numbers only."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from common.durations import duration
from common.formats import amount
from lessons.forgetting import model
from lessons.forgetting.knobs import MEMORY_STEPS, WITH_MEMORY
from lessons.forgetting.memories import INJECTED, MemoryViews, ViewSetting
from lessons.forgetting.model import WITH_LIMIT, Legend, MemorySweep, Setting, papers_memory
from lessons.shared import problems, worlds
from lessons.shared.knobs import METHODS
from lessons.shared.wording import PHRASES
from tvbo_core import policies
from tvbo_core.worlds import ALL

WORLD_NAMES = {kind.name: kind.label for kind in ALL.values()}
BELIEFS = (
    "Thick line: today's reward. Coloured: the estimate with two standard deviations around it, from the same "
    "observations, weighted by each memory (a posterior; it promises nothing about a reward that moves). Circles: the "
    "newest observations that still count at least half, at most 40. Click on a panel to choose the place x."
)


def legend(past: ViewSetting, setting: Setting, bet: int = 0, covered: bool = False) -> Legend:
    """Return the names and marks of this state of the page."""
    kinds = [w.kind for w in setting.worlds]
    p = problems.problem(past.world)
    return Legend(
        said=past.tuning.said,
        front=(setting.front, METHODS[setting.front]),
        methods={m: METHODS[m] for m in WITH_MEMORY},
        worlds=tuple(WORLD_NAMES[k] for k in kinds),
        chosen=kinds.index(past.world.kind),
        drifts=p.sup_variation > 0,
        grid=MEMORY_STEPS,
        m=past.tuning.nominal(setting.front),
        horizon=p.horizon,
        has_limit=setting.front in WITH_LIMIT,
        bet=bet,
        covered=covered,
    )


def label(row: int, horizon: int) -> str:
    """Return the text beside the player's bar."""
    return f"t = {row + 1} of {horizon}"


def finding(
    views: MemoryViews, sweep: MemorySweep, past: ViewSetting, rows: Sequence[int], legend: Legend
) -> list[str]:
    """Return the sentence under the question for every frame (HTML)."""
    if legend.covered:
        return [_question(legend, past)] * len(rows)
    kinds, kind, name = [w.kind for w in sweep.setting.worlds], past.world.kind, METHODS[sweep.setting.front]
    here, still = kinds.index(kind), "still" in kinds and kind != "still"
    held = views.recalls[model.WINDOW].count
    return [
        sentence(
            model.facts(sweep, held, frame),
            name,
            kind,
            legend.has_limit,
            still,
            row in views.restarts,
            _seeds_differ_by_more(sweep, here, frame),
        )
        for frame, row in enumerate(rows)
    ]


def sentence(
    facts: Mapping[str, float | None], name: str, kind: str, limit: bool, still: bool, restarts: bool, noisy: bool
) -> str:
    """Return the sentence of a frame from its facts.

    Args:
        name, kind: of the method, and of its world.   limit: with endless memory the method is GP-UCB.
        still: the same world standing still is drawn beside it.   restarts: the restarting memory is empty.
        noisy: seeds differ by more than memories do.
    """
    if facts["t"] == 1:
        return "At t = 1 there are no observations yet: every memory is empty, every estimate is the prior."
    if restarts:
        return (
            f"At t = {facts['t']} <b>{METHODS['r']} has just restarted</b>: its memory is empty, and it is back at "
            f"its prior. SW-GP-UCB still holds {facts[model.HELD]:.0f} observations."
        )
    if f"{kind}: best m" not in facts:
        return "The first runs are being played; the rows already show what each memory keeps."
    return _lowest(facts, name, kind, limit, still, noisy)


def _lowest(facts: Mapping[str, float | None], name: str, kind: str, limit: bool, still: bool, noisy: bool) -> str:
    """Return where regret is lowest in the chosen world at this time, and in the still one."""
    pays, never = _pays(facts, kind, limit)
    end = pays[-1] if never is None else never
    best, where, when = facts[f"{kind}: best m"], PHRASES[kind], f"By t = {facts['t']}"
    least = pays[MEMORY_STEPS.index(best)]
    if np.ptp([*pays, end]) <= 1e-9:
        return f"{when} {name} has lost {amount(pays[0])} in {where}, whatever its memory."
    if noisy:
        return (
            f"{when} memory hardly matters to <b>{name}</b> in {where}: it pays {amount(least)} to "
            f"{amount(max(*pays, end))}, and seeds differ by more."
        )
    few = f"{amount(pays[0])} at m = {MEMORY_STEPS[0]}"
    many = f"{amount(end)} at m = {MEMORY_STEPS[-1]}" if never is None else f"{amount(end)} if it never forgets"
    if end <= least + 1e-9 or best == MEMORY_STEPS[0]:
        if kind == "still" and end <= least + 1e-9:
            return f"{when} there is no bowl for <b>{name}</b> in {where}: {few}, {many}. Here forgetting only costs."
        side = "less" if best == MEMORY_STEPS[0] and pays[0] < end else "more"
        return (
            f"{when} there is no bowl for <b>{name}</b> in {where}: the {side} it remembers, the better "
            f"({few}, {many})."
        )
    said = (
        f"{when} <b>{name}</b> pays {few} (noise), {many} (history), only <b>{amount(least)} at m = {best}</b> in "
        f"{where}"
    )
    if not still or "still: best m" not in facts:
        return said + "."
    m = _longest_best(facts, "still", limit)
    return said + f"; in the still world {f'm = {m} is best' if m in MEMORY_STEPS[:-1] else 'more is better'}."


def _pays(facts: Mapping[str, float | None], kind: str, limit: bool) -> tuple[list[float], float | None]:
    """Return the regret with each memory in a world, and without end; None where the method has no such limit."""
    never = facts.get(model.regret_name(kind)) if limit else None
    return [facts[model.regret_name(kind, m)] for m in MEMORY_STEPS], never


def _longest_best(facts: Mapping[str, float | None], kind: str, limit: bool) -> float:
    """Return the longest memory that no other one beats in a world, infinite for never forgetting."""
    pays, never = _pays(facts, kind, limit)
    pays = [*pays, *([] if never is None else [never])]
    return max(m for m, regret in zip((*MEMORY_STEPS, math.inf), pays, strict=False) if regret <= min(pays) + 1e-9)


def _seeds_differ_by_more(sweep: MemorySweep, w: int, frame: int) -> bool:
    """Return whether the middle half of the seeds at the lowest point is wider than memories are apart."""
    curve, never = sweep.front(w), sweep.limit(w, frame)
    if curve is None or curve.seeds < 2:
        return False
    pays, k = curve.median[:, frame], curve.best(frame)
    low, high = curve.quartiles[:, k, frame]
    end = float(pays[-1]) if never is None else never
    return bool(min(pays[0], end) - pays[k] < 0.5 * (high - low) and max(pays) - pays[k] < high - low)


def marks(views: MemoryViews, sweep: MemorySweep, legend: Legend) -> dict[str, str]:
    """Return word of the sentences -> the mark of the figure that it points at: a memory's row, a world's curve."""
    if legend.covered:  # no curve is shown
        return {name: name for name in views.recalls}
    kinds = [w.kind for w in sweep.setting.worlds]
    return {name: name for name in views.recalls} | {
        PHRASES[kind]: name for kind, name in zip(kinds, legend.worlds, strict=True)
    }


def _question(legend: Legend, past: ViewSetting) -> str:
    """Return the question that stands there while the curves are covered."""
    bet = f" Your bet: m = {legend.bet}." if legend.bet else " Place your bet under More…, then uncover the curves."
    return f"At which memory m does <b>{legend.front[1]}</b> lose least in {PHRASES[past.world.kind]}?{bet}"


def _bet_result(sweep: MemorySweep, past: ViewSetting, legend: Legend) -> str:
    """Return the bet beside the lowest point; empty without a bet."""
    here = legend.chosen
    if not legend.bet or legend.covered or sweep.front(here) is None:
        return ""
    pays = sweep.front(here).median[:, -1]
    k, mine = sweep.front(here).best(), MEMORY_STEPS.index(legend.bet)
    if k == mine:
        return f"Your bet m = {legend.bet} is the lowest point in {PHRASES[past.world.kind]}: {amount(pays[k])}."
    if mine in sweep.front(here).as_low():
        return (
            f"Your bet m = {legend.bet} ({amount(pays[mine])}) may be the lowest in {PHRASES[past.world.kind]}: that "
            f"m = {MEMORY_STEPS[k]} has {amount(pays[k])} here may be chance."
        )
    return (
        f"You bet on m = {legend.bet}: {amount(pays[mine])} in {PHRASES[past.world.kind]}. The lowest is m = "
        f"{MEMORY_STEPS[k]} with {amount(pays[k])}."
    )


def notes(views: MemoryViews, sweep: MemorySweep, past: ViewSetting, legend: Legend) -> list[str]:
    """Return sentences about what the figure does not show: a bet, settings without effect, the papers' tuning."""
    T, q, setting = views.problem.horizon, past.tuning, sweep.setting
    said = [s for s in (_bet_result(sweep, past, legend),) if s]
    if setting.front == "rperp":
        said.append("R-PERP uses its current batch only, so it has no row on the left; m sets its restart H = 2m.")
    bite = [n for n, long in ((METHODS["r"], q.restart >= T), (METHODS["sw"], q.window >= T)) if long]
    if bite:
        verb = "never forget" if len(bite) > 1 else "never forgets"
        said.append(
            f"{' and '.join(bite)} {verb} within T = {T}: exactly GP-UCB. With a discount or a believed change "
            "old observations still fade."
        )
    if q.nominal(setting.front) not in MEMORY_STEPS:
        near = min(MEMORY_STEPS, key=lambda m: abs(math.log(m / min(q.nominal(setting.front), 1e9))))
        said.append(
            f"Runs are drawn for m = {', '.join(map(str, MEMORY_STEPS))}; nearest to your setting is m = {near}."
        )
    said += [s for s in (_tv(sweep, past), _papers_setting(views, sweep)) if s and not legend.covered]
    if q.alpha >= 1:
        said.append(
            f"Injected uncertainty, α = {q.alpha:g}: an observation 10 steps old counts "
            f"1/{1 + 10**q.alpha:.0f} of a new one; all {T - 1} together count as much as "
            f"{views.recalls[INJECTED].count[-1]:.1f} new ones."
        )
    return said


def _tv(sweep: MemorySweep, past: ViewSetting) -> str:
    """Return that TV-GP-UCB does best with a longer nominal memory than the others, where it does."""
    here = [w.kind for w in sweep.setting.worlds].index(past.world.kind)
    best = {m: MEMORY_STEPS[sweep.curves[m, here].best()] for m in WITH_LIMIT if (m, here) in sweep.curves}
    others = [best[m] for m in ("r", "sw", "wgp") if m in best]
    if "tv" not in best or not others or best["tv"] <= max(others):
        return ""
    return (
        f"Setting ε = 2/m matches the memories only roughly: in {PHRASES[past.world.kind]} TV-GP-UCB does best at m = "
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


def caption(views: MemoryViews, sweep: MemorySweep, past: ViewSetting) -> str:
    """Return the set-up with its seeds, and the meaning of the marks."""
    setting = sweep.setting
    k = min((b.seeds for (m, _), b in sweep.curves.items() if m == setting.front), default=0)
    first = setting.numbers[0]
    seeds = f"seeds {first} to {first + k - 1}" if k > 1 else f"seed {first}"
    lines = (
        f"Line: median of {k} seeds, shaded: the middle half ({WORLD_NAMES[past.world.kind]}). "
        if k > 1
        else "One seed proves nothing. "
    )
    width = "β = 2√(ln t)" if setting.width == "log" else f"β = {setting.width}"
    design = {"random": "asked at random", "ucb": "asked by GP-UCB", "clustered": "asked in two clusters"}[past.design]
    slopes = "Dash-dotted: the two terms of the bounds; only their slopes are theorem, their heights are arbitrary. "
    slopes = slopes if problems.problem(past.world).sup_variation > 0 else ""
    kinds = ", ".join(WORLD_NAMES[w.kind] for w in setting.worlds)
    where = worlds.caption(past.world).rsplit(", seed", 1)[0]
    spent = f"$V_T$ = {amount(views.problem.sup_variation)}"
    return (
        f"Left: the same {views.problem.horizon} observations for all ({design}, seed {first}). Pale: how much each "
        f"counts, from 0 to 1; dark: its pull on the estimate at x, cut at the row's height. Right: {kinds}. "
        f"{lines}Rings: lowest points. ∞: GP-UCB. {slopes}Set-up: {where}, {spent}; {seeds}, {width}."
    )


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
        "which is lowest. GP-UCB has no memory to set."
    )


def progress(setting: Setting, done: int, total: int, left: float) -> str:
    """Return the progress of the runs, with what is run."""
    kinds, memories = len(setting.worlds), len(MEMORY_STEPS)
    return (
        f"Running {setting.seeds} seed{'s' if setting.seeds > 1 else ''} × {len(WITH_MEMORY)} methods × {memories} "
        f"memories × {kinds} world{'s' if kinds > 1 else ''}: {done}/{total} done, {duration(left)}"
    )


def pause(sweep: MemorySweep, stopped: bool) -> str:
    """Return why nothing is running although runs are missing."""
    if stopped:
        return f"Cancelled: {sweep.done} of {sweep.total} runs finished; the bowls show the seeds that are complete."
    return f"These bowls take a while: {sweep.done} of {sweep.total} runs are done."


def start(runs: int, cost: float, stopped: bool) -> str:
    """Return the words of the button that starts the runs, with the time they take."""
    return f"Run {'the rest' if stopped else 'them'}: {runs} runs, {duration(cost)}"
