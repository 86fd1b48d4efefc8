"""What the forgetting page says, from computed numbers only: the bowl, an empty memory, what never bites."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lessons.forgetting.memories import INJECTED, NEVER, Look, Views
from lessons.forgetting.model import FORGETFUL, GRID, LIMIT, Bowls, Setting, papers_memory
from lessons.shared import problems, worlds
from lessons.shared.durations import duration
from lessons.shared.knobs import METHODS
from lessons.shared.wording import PHRASES, amount

SHORT = {"glide": "gliding", "jumps": "jumping", "still": "still", "markov": "Markov", "cyclic": "cyclic",
         "rough": "rough", "adversary": "adversary", "data": "table"}  # fmt: skip
BELIEFS = (
    "Thick line: today's reward. Coloured: the estimate and two standard deviations around it, from the same "
    "observations, weighted by each memory (a posterior, no promise about a reward that moves). Circles: the newest "
    "observations that still count at least half (at most 40). Click on a panel to choose the place x."
)


@dataclass(frozen=True)
class Called:
    """What things are called on the figures (figures.memory.Called)."""

    said: Mapping[str, str]
    front: tuple[str, str]
    methods: Mapping[str, str]
    worlds: tuple[str, ...]
    chosen: int
    drifts: bool
    grid: tuple[int, ...]
    m: float
    horizon: int
    endless: bool
    bet: int
    covered: bool


def called(look: Look, setting: Setting, bet: int = 0, covered: bool = False) -> Called:
    """The names and marks of this state of the page."""
    kinds = [w.kind for w in setting.worlds]
    p = problems.problem(look.world)
    return Called(
        said=look.tuning.said,
        front=(setting.front, METHODS[setting.front]),
        methods={m: METHODS[m] for m in FORGETFUL},
        worlds=tuple(SHORT[k] for k in kinds),
        chosen=kinds.index(look.world.kind),
        drifts=p.sup_variation > 0,
        grid=GRID,
        m=look.tuning.nominal(setting.front),
        horizon=p.horizon,
        endless=setting.front in LIMIT,
        bet=bet,
        covered=covered,
    )


def label(row: int, horizon: int) -> str:
    return f"t = {row + 1} of {horizon}"


def finding(views: Views, bowls: Bowls, look: Look, rows: Sequence[int], names: Called) -> list[str]:
    """The sentence under the question for every frame (HTML)."""
    if names.covered:
        return [_question(names, look)] * len(rows)
    restarts = set(views.restarts)
    said = []
    for frame, row in enumerate(rows):
        if row == 0:
            said.append("At t = 1 there are no observations yet: every memory is empty, every estimate is the prior.")
        elif row in restarts:
            said.append(f"At t = {row + 1} <b>{METHODS['r']} has just restarted</b>: its memory is empty, and it is "
                        f"back at its prior. SW-GP-UCB still holds {views.recalls[METHODS['sw']].count[frame]:.0f} "
                        "observations.")  # fmt: skip
        else:
            said.append(_bowl(bowls, look, frame, row))
    return said


def _bowl(bowls: Bowls, look: Look, frame: int, row: int) -> str:
    """Where the bowl of the chosen world is lowest at this time, and what the still world says."""
    kinds = [w.kind for w in bowls.setting.worlds]
    here, name = kinds.index(look.world.kind), METHODS[bowls.setting.front]
    bowl, where = bowls.front(here), PHRASES[look.world.kind]
    if bowl is None:
        return "The first runs are on their way; the rows already show what each memory keeps."
    pays, never = bowl.median[:, frame], bowls.endless(here, frame)
    end = float(pays[-1]) if never is None else never
    k = bowl.best(frame)
    if np.ptp([*pays, end]) <= 1e-9:
        return f"By t = {row + 1} {name} has lost {amount(pays[0])} in {where}, whatever its memory."
    few = f"{amount(pays[0])} at m = {GRID[0]}"
    low, high = bowl.quartiles[:, k, frame]
    if bowl.seeds > 1 and min(pays[0], end) - pays[k] < 0.5 * (high - low) and max(pays) - pays[k] < high - low:
        return f"By t = {row + 1} memory hardly matters to <b>{name}</b> in {where}: from {amount(pays[k])} to " \
               f"{amount(max(*pays, end))}, less than between seeds."  # fmt: skip
    many = f"{amount(end)} at m = {GRID[-1]}" if never is None else f"{amount(end)} if it never forgets"
    if end <= pays[k] + 1e-9 or k == 0:
        if look.world.kind == "still":
            return f"By t = {row + 1} there is no bowl for <b>{name}</b> in {where}: {few}, {many}. Where nothing " \
                   "moves, forgetting only costs."  # fmt: skip
        side = "less" if k == 0 and pays[0] < end else "more"
        return f"By t = {row + 1} there is no bowl for <b>{name}</b> in {where}: the {side} it remembers the better " \
               f"({few}, {many})."  # fmt: skip
    least = f"<b>{amount(pays[k])} at m = {GRID[k]}</b>"
    said = f"By t = {row + 1} <b>{name}</b> pays {few} (noise), {many} (history), only {least} in {where}"
    still = kinds.index("still") if "still" in kinds else here
    if still == here or bowls.front(still) is None:
        return said + "."
    m = _longest_best(bowls, still, frame)
    return said + f"; in the still world {f'm = {m} is best' if m in GRID[:-1] else 'more is better'}."


def _question(names: Called, look: Look) -> str:
    """What is asked while the bowl is covered."""
    bet = f" Your bet: m = {names.bet}." if names.bet else " Place your bet under More…, then uncover."
    return f"At which memory m does <b>{names.front[1]}</b> lose least in {PHRASES[look.world.kind]}?{bet}"


def _betting(bowls: Bowls, look: Look, names: Called) -> str:
    """How the bet compares with the lowest point."""
    here = names.chosen
    if not names.bet or names.covered or bowls.front(here) is None:
        return ""
    pays = bowls.front(here).median[:, -1]
    k, mine = bowls.front(here).best(), GRID.index(names.bet)
    if k == mine:
        return f"Your bet m = {names.bet} is the lowest point in {PHRASES[look.world.kind]}: {amount(pays[k])}."
    return (
        f"You bet on m = {names.bet}: {amount(pays[mine])} in {PHRASES[look.world.kind]}. The lowest is m = {GRID[k]} "
        f"with {amount(pays[k])}."
    )


def _longest_best(bowls: Bowls, w: int, frame: int) -> float:
    """The longest memory that no other one beats in a world, infinite for never forgetting."""
    never = bowls.endless(w, frame)
    pays = [*bowls.front(w).median[:, frame], *([] if never is None else [never])]
    return max(m for m, regret in zip((*GRID, math.inf), pays, strict=False) if regret <= min(pays) + 1e-9)


def notes(views: Views, bowls: Bowls, look: Look, names: Called) -> list[str]:
    """What the figure does not say by itself, one sentence each."""
    T, q, setting = views.problem.horizon, look.tuning, bowls.setting
    said = [s for s in (_betting(bowls, look, names),) if s]
    if setting.front == "rperp":
        said.append("R-PERP uses the current batch only and has no row on the left; m sets its restart H = 2m.")
    bite = [n for n, long in ((METHODS["r"], q.restart >= T), (METHODS["sw"], q.window >= T)) if long]
    if bite:
        verb = "never forget" if len(bite) > 1 else "never forgets"
        said.append(f"{' and '.join(bite)} {verb} within T = {T}: exactly GP-UCB. A discount and a believed change "
                    "still fade.")  # fmt: skip
    if setting.front in ("r", "sw", "wgp", "tv", "rperp") and q.nominal(setting.front) not in GRID:
        near = min(GRID, key=lambda m: abs(math.log(m / min(q.nominal(setting.front), 1e9))))
        said.append(f"Runs exist for m = {', '.join(map(str, GRID))}; nearest to your setting is m = {near}.")
    said += [s for s in (_tv(bowls, look), _paper(views, bowls)) if s and not names.covered]
    if q.alpha >= 1:
        said.append(f"Injected uncertainty, α = {q.alpha:g}: an observation 10 steps old counts "
                    f"1/{1 + 10**q.alpha:.0f}; all {T - 1} past ones together count as "
                    f"{views.recalls[INJECTED].count[-1]:.1f}.")  # fmt: skip
    return said


def _tv(bowls: Bowls, look: Look) -> str:
    """Whether TV-GP-UCB wants a longer nominal memory than the others, where that is known."""
    here = [w.kind for w in bowls.setting.worlds].index(look.world.kind)
    best = {m: GRID[bowls.bowls[m, here].best()] for m in LIMIT if (m, here) in bowls.bowls}
    others = [best[m] for m in ("r", "sw", "wgp") if m in best]
    if "tv" not in best or not others or best["tv"] <= max(others):
        return ""
    return (
        f"ε = 2/m is a nominal match only: in {PHRASES[look.world.kind]} TV-GP-UCB does best at m = {best['tv']}, the "
        f"others at {min(others)} to {max(others)}."
    )


def _paper(views: Views, bowls: Bowls) -> str:
    """What the method's own paper would set here."""
    method = bowls.setting.front
    own = papers_memory(method, views.problem.known)
    told = "matched to this world's drift" if method == "tv" else "told this world's drift"
    stands = f"m = {own:,.0f}" if own >= 10 else f"m = {own:.1f}"
    stands = stands if math.isfinite(own) else "no forgetting at all"
    return f"Tuned as in its paper, {told}, {METHODS[method]} would stand at {stands} (seed {views_seed(bowls)})."


def views_seed(bowls: Bowls) -> int:
    return bowls.setting.worlds[0].seed


def caption(views: Views, bowls: Bowls, look: Look) -> str:
    """Set-up, seeds, and what the marks are."""
    setting = bowls.setting
    k = min((b.seeds for (m, _), b in bowls.bowls.items() if m == setting.front), default=0)
    first = views_seed(bowls)
    seeds = f"seeds {first} to {first + k - 1}" if k > 1 else f"seed {first}"
    lines = (
        f"Line: median of {k} seeds, shaded: the middle half ({SHORT[look.world.kind]}). "
        if k > 1
        else "One seed is an anecdote. "
    )
    width = "β = 2√(ln t)" if setting.width == "log" else f"β = {setting.width}"
    design = {"random": "asked at random", "ucb": "asked by GP-UCB", "clustered": "asked in two clusters"}[look.design]
    ghost = "Dash-dotted: the two terms of the bounds, slopes only, heights arbitrary. "
    ghost = ghost if problems.problem(look.world).sup_variation > 0 else ""
    kinds = ", ".join(SHORT[w.kind] for w in setting.worlds)
    where = worlds.caption(look.world).rsplit(", seed", 1)[0]
    spent = f"$V_T$ = {amount(views.problem.sup_variation)}"
    return (
        f"Left: the same {views.problem.horizon} observations for all ({design}, seed {first}); bars are cut at the "
        f"row's height. Right: {kinds}. {lines}Rings: lowest points. ∞: GP-UCB. {ghost}Set-up: {where}, {spent}; "
        f"{seeds}, {width}."
    )


def every(bowls: Bowls, names: Called) -> str:
    """The five bottoms, in words."""
    parts = []
    for w, title in enumerate(names.worlds):
        least = {m: bowls.bowls[m, w] for m in bowls.methods}
        order = sorted(least, key=lambda m: least[m].median[:, -1].min())
        m = order[0]
        parts.append(f"{title}: {METHODS[m]} {amount(least[m].median[:, -1].min())} at m = {GRID[least[m].best()]}")
    k = min(b.seeds for b in bowls.bowls.values())
    return (
        f"Lowest points (median of {k} seeds): {'; '.join(parts)}. Measured with one width for all; no theorem says "
        "who is lowest. GP-UCB has no memory to set."
    )


def table(bowls: Bowls, names: Called) -> list[dict]:
    """The bowls at the horizon, a row a world, method and memory."""
    rows = []
    for (m, w), bowl in bowls.bowls.items():
        for k, memory in enumerate(GRID):
            low, high = bowl.quartiles[:, k, -1]
            rows.append({"world": names.worlds[w], "method": METHODS[m], "m": str(memory), "seeds": bowl.seeds,
                         "median regret": float(bowl.median[k, -1]), "lower quartile": float(low),
                         "upper quartile": float(high)})  # fmt: skip
    for w, total in bowls.never.items():
        low, mid, high = np.quantile(total[:, -1], (0.25, 0.5, 0.75))
        rows.append({"world": names.worlds[w], "method": NEVER, "m": "∞", "seeds": len(total), "median regret": mid,
                     "lower quartile": low, "upper quartile": high})  # fmt: skip
    return rows


def weights(views: Views, look: Look, frame: int) -> list[dict]:
    """Weight and influence of every past observation at this time, newest first."""
    row = int(next(iter(views.recalls.values())).rows[frame])
    h, p = views.history, views.problem
    rows = []
    for s in range(row - 1, -1, -1):
        one = {"t heard": s + 1, "age": row - s, "x": problems.place_name(p, h.arms[s]), "reward": float(h.y[s])}
        for name, view in views.recalls.items():
            one |= {f"{name} weight": float(view.weight[frame, s]), f"{name} pull": float(view.influence[frame, s])}
        rows.append(one)
    return rows or [{"t heard": "no observations yet"}]


def progress(setting: Setting, done: int, total: int, left: float) -> str:
    """The named progress of the runs."""
    kinds = len(setting.worlds)
    return (
        f"Running {setting.seeds} seed{'s' if setting.seeds > 1 else ''} × {len(FORGETFUL)} methods × {len(GRID)} "
        f"memories × {kinds} world{'s' if kinds > 1 else ''}: {done}/{total} done, {duration(left)}"
    )


def pause(bowls: Bowls, stopped: bool) -> str:
    """Return why nothing is running although runs are missing."""
    if stopped:
        return f"Cancelled: {bowls.done} of {bowls.total} runs finished; the bowls show whole seeds of what there is."
    return f"These bowls take a while: {bowls.done} of {bowls.total} runs are there."


def start(runs: int, cost: float, stopped: bool) -> str:
    """The button that starts the runs, with the time they take."""
    return f"Run {'the rest' if stopped else 'them'}: {runs} runs, {duration(cost)}"
