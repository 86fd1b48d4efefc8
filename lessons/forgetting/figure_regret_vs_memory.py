"""Regret against memory: of one method in several worlds as time goes, and of every method at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from common.formats import amount
from figures import theme as style
from figures.end_labels import end_labels
from figures.film import Film
from figures.frames import FilmFrames
from figures.palette import METHODS
from figures.race_axes import round_ticks
from figures.sheet import Sheet, gapped
from figures.theme import Theme
from lessons.forgetting.knobs import MEMORY_STEPS
from lessons.forgetting.memories import NEVER
from lessons.forgetting.model import Legend, MemorySweep, RegretVsMemory, bound_slopes, regret_name
from lessons.shared import knobs

STRIP = 0.1  # of the highest regret: room for numbers under the axis
WORLD_DASHES = ("solid", "dash", "dot")


def worlds(sweep: MemorySweep, legend: Legend, clock: FilmFrames, theme: Theme, frame: int) -> Film:
    """Return regret so far of the method on the stage against its memory, a line a world; right of it GP-UCB."""
    sheet = Sheet(theme, frame, style.layout(theme, 560 if theme.lecture else 400))
    sheet.margins(4.6 * theme.tick, 8, 1.75 * theme.label, 2.9 * theme.label)
    kinds = [world.kind for world in sweep.setting.worlds]
    (word, name), grid = legend.front, np.asarray(MEMORY_STEPS, dtype=float)
    end = _never(grid)
    wide = end - np.log10(grid[0])
    room = (0.3 if theme.lecture else 0.24) * wide
    curves = {w: sweep.curves[word, w] for w in range(len(legend.worlds)) if (word, w) in sweep.curves}
    medians = {w: curve.median[:, clock.index] for w, curve in curves.items()}
    limits = {w: sweep.gp_ucb[w][clock.index] for w in curves if legend.has_limit and w in sweep.gp_ucb}
    tops = [float(values[..., -1].max()) for values in (*medians.values(), *limits.values())]
    tops += [float(curves[w].quartiles[1][:, -1].max()) for w in curves if w == legend.here]
    top = max(tops, default=1.0) * 1.14 or 1.0
    memories = (grid[::2] if theme.lecture else grid).tolist()
    limit = [10**end] if legend.has_limit else []
    x = {
        "type": "log",
        "range": [float(np.log10(grid[0]) - 0.04 * wide), end + room],
        "showgrid": False,
        "title": "memory m (steps)",
        **style.ticks(memories + limit, [*(f"{v:g}" for v in memories), *("∞" for _ in limit)]),
    }
    y = {
        "range": [-STRIP * top, top],
        "tickvals": round_ticks(top, 4),
        "title": "regret so far, R<sub>t</sub> (reward units)",
    }
    sheet.panel("regret", [0.0, 1.0], [0.0, 1.0], x, y)
    sheet.headline("regret", f"<b>{name}</b>: regret against memory", size=theme.label, color=theme.method(name))
    _here(sheet, legend, grid, end)
    if legend.drifts and legend.here in curves and 0 < curves[legend.here].best() < len(grid) - 1:
        _terms(sheet, medians[legend.here], grid, top, x["range"])
    for w, curve in curves.items():
        _world(sheet, curve, clock, w, f"{name}|{legend.worlds[w]}", grid, theme.method(name), w == legend.here)
        for i, m in enumerate(MEMORY_STEPS):
            sheet.shows(regret_name(kinds[w], m), "y", i)
    if limits:
        _limit(sheet, medians, limits, kinds, grid, end)
    _bottoms(sheet, medians, kinds, grid, legend.here, theme.method(name), top)
    _names(sheet, medians, limits, legend, end)
    return sheet.film()


def _never(grid: np.ndarray) -> float:
    """Return where "never forgets" stands on the axis of memories, log10."""
    return float(np.log10(grid[-1]) + 0.38)


def _world(
    sheet: Sheet,
    line: RegretVsMemory,
    clock: FilmFrames,
    w: int,
    marks: str,
    grid: np.ndarray,
    hue: str,
    here: bool,
) -> None:
    """Draw the median as a line; of the world on the stage also the quartiles of the seeds, as a pale area."""
    low, high = line.quartiles[:, :, clock.index].transpose(0, 2, 1)
    if line.seeds > 1 and here:
        sheet.area("regret", grid, high, low, style.faded(hue, 0.12))
    width = sheet.theme.line + (1.0 if here else -0.5)
    what = ("median of the seeds; pale: their quartiles" if here else "median of the seeds") if line.seeds > 1 else ""
    sheet.curve(
        "regret",
        grid,
        line.median[:, clock.index].T,
        hue,
        width,
        WORLD_DASHES[w % len(WORLD_DASHES)],
        mode="lines+markers",
        marker=style.marker(hue, 0.7 * sheet.theme.marker, opacity=1),
        meta=marks,
        hoverinfo="all",
        hovertemplate=f"m = %{{x}}: %{{y:.1f}}<extra>{what}</extra>",
    )


def _here(sheet: Sheet, legend: Legend, grid: np.ndarray, end: float) -> None:
    """Mark the reader's own memory, above the strip of numbers."""
    theme = sheet.theme
    here = float(np.log10(legend.m))
    sheet.rule("regret", theme.soft_ink, 1.5, "dot", x=10**here, y0=STRIP / (1 + STRIP))
    left = here < 0.5 * (np.log10(grid[0]) + end)
    sheet.note(
        "regret",
        f"your m = {legend.m}",
        here,
        1.0,
        "y",
        xanchor="left" if left else "right",
        xshift=5 if left else -5,
        yanchor="top",
    )


def _terms(sheet: Sheet, medians: np.ndarray, grid: np.ndarray, top: float, axis: Sequence[float]) -> None:
    """Draw the two terms of the bounds, noise like 1/sqrt(m) and staleness like m: slopes only, heights arbitrary.

    Args:
        axis: range of the axis of memories, log10.
    """
    theme = sheet.theme
    m, noise, stale = bound_slopes(medians, grid)
    stale = np.where(stale <= 0.88 * top, stale, np.nan)
    terms = np.concatenate([gapped(noise), stale], axis=1)
    sheet.curve("regret", np.concatenate([m, [np.nan], m]), terms, theme.grey, 1.6, "dashdot")
    # In the strip, which the line of the reader's own memory never crosses: that one is dragged while this stands
    # still. Right or left of the number of the lowest point; where neither side has room, the caption says it alone.
    wide, half = (0.6 if theme.lecture else 0.48), 0.06  # shares of the axis: these words, half of the number
    number = (np.log10(grid[medians.argmin(axis=0)]) - axis[0]) / (axis[1] - axis[0])
    share = np.select([number + half < 1 - wide, number - half > wide], [1 - wide / 2, wide / 2], np.nan)
    words = ["noise ∝ 1/√m, staleness ∝ m"]
    x = 10 ** (axis[0] + share * (axis[1] - axis[0]))[:, None]
    sheet.words("regret", x, [-0.6 * STRIP * top], words, theme.soft_ink, "middle center")


def _limit(
    sheet: Sheet,
    medians: Mapping[int, np.ndarray],
    limits: Mapping[int, np.ndarray],
    kinds: Sequence[str],
    grid: np.ndarray,
    end: float,
) -> None:
    """Draw GP-UCB in the same worlds, where memory is endless, and a dotted way to it."""
    theme, there = sheet.theme, list(limits)
    never = np.stack(list(limits.values()), axis=1)
    way = np.full((len(never), 3 * len(there)), np.nan)
    for i, w in enumerate(there):
        way[:, 3 * i], way[:, 3 * i + 1] = medians[w][-1], never[:, i]
    x = [float(grid[-1]), 10**end, None] * len(there)
    sheet.curve("regret", x, way, theme.grey, 1.5, "dot")
    sheet.dots(
        "regret",
        [10**end] * len(there),
        never,
        theme.method(NEVER),
        theme.marker,
        symbol=METHODS[NEVER].symbol,
        opacity=1,
        hovertemplate=f"{NEVER}: %{{y:.1f}}<extra></extra>",
    )
    sheet.note("regret", NEVER, end, 1.0, "y", yanchor="top", color=theme.method(NEVER))
    for i, w in enumerate(there):
        sheet.shows(regret_name(kinds[w]), "y", i)


def _bottoms(
    sheet: Sheet,
    medians: Mapping[int, np.ndarray],
    kinds: Sequence[str],
    grid: np.ndarray,
    here: int,
    hue: str,
    top: float,
) -> None:
    """Draw a ring at the lowest point of each line, and in the world on the stage its number under the axis."""
    theme, worlds = sheet.theme, list(medians)
    least = np.stack([median.min(axis=0) for median in medians.values()], axis=1)
    where = np.stack([grid[median.argmin(axis=0)] for median in medians.values()], axis=1)
    sheet.dots(
        "regret", where, least, hue, 1.9 * theme.marker, symbol="circle-open", rim=3, opacity=1, cliponaxis=False
    )
    for i, w in enumerate(worlds):
        sheet.shows(f"{kinds[w]}: best m", "x", i)
    if here in medians:
        at, low = where[:, worlds.index(here)], least[:, worlds.index(here)]
        text = tuple(("", f"<b>{amount(float(v))}</b>") for v in low)
        foot = np.stack([low, np.full(len(low), -0.02 * top)], axis=1)
        sheet.cursor(
            "regret",
            at,
            foot,
            theme.ink,
            1.2,
            mode="lines+text",
            textposition="bottom center",
            textfont={"size": theme.tick, "color": theme.ink},
            text=text,
        )


def _names(
    sheet: Sheet, medians: Mapping[int, np.ndarray], limits: Mapping[int, np.ndarray], legend: Legend, end: float
) -> None:
    """Write the name of each world behind its line, kept apart."""
    theme, worlds = sheet.theme, list(medians)
    ends = np.stack([limits.get(w, medians[w][-1]) for w in worlds], axis=1)
    text = [f"<b>{legend.worlds[w]}</b>" if w == legend.here else legend.worlds[w] for w in worlds]
    colours = [theme.method(legend.front[1])] * len(worlds)
    at = np.array([[end if w in limits else np.log10(MEMORY_STEPS[-1]) for w in worlds]])
    foot = STRIP / (1 + STRIP)  # of the height: what stands under the axis keeps its place
    end_labels(sheet, "regret", (10**at, ends), 10 ** (end + 0.09), [text] * len(ends), colours, least=foot)


def every(sweep: MemorySweep, legend: Legend, theme: Theme) -> Film:
    """Return the final regret of every method against its memory, a panel a world, on one axis of regret."""
    sheet = Sheet(theme, 0, style.layout(theme, 470 if theme.lecture else 330))
    sheet.margins(4.6 * theme.tick, 8, 1.75 * theme.label, 2.9 * theme.label)
    grid, worlds = np.asarray(MEMORY_STEPS, dtype=float), legend.worlds
    finals = {w: {m: sweep.curves[m, w].median[:, -1] for m in sweep.methods} for w in range(len(worlds))}
    levels = {key: float(curve.median[0, -1]) for key, curve in sweep.curves.items() if key[0] in sweep.setting.levels}
    tops = [float(f.max()) for lines in finals.values() for f in lines.values()]
    top = max([*tops, *levels.values()]) * 1.06 or 1.0
    width = (1.0 - 0.03 * (len(worlds) - 1)) / len(worlds)
    wide = np.log10(grid[-1] / grid[0])
    room = (0.75 if theme.lecture else 0.52) * wide * (1.0 if len(worlds) > 1 else 0.35)
    for w, title in enumerate(worlds):
        left = w * (width + 0.03)
        memories = grid[::3] if len(worlds) > 1 else grid
        x = {
            "type": "log",
            "range": [float(np.log10(grid[0]) - 0.04 * wide), float(np.log10(grid[-1]) + room)],
            "title": "memory m (steps)",
            **style.ticks(memories.tolist()),
            "showgrid": False,
        }
        y = {
            "range": [0.0, top],
            "tickvals": round_ticks(top, 4),
            "showticklabels": w == 0,
            "title": "regret R<sub>T</sub>" if w == 0 else "",
        }
        sheet.panel(title, [left, left + width], [0.0, 1.0], x, y)
        sheet.headline(title, f"<b>{title.capitalize()}{' world' if title != 'table' else ''}</b>", size=theme.label)
        sheet.rule(title, theme.soft_ink, 1.5, "dot", x=legend.m)
        lines = {knobs.METHODS[m]: final for m, final in finals[w].items()}
        never = {NEVER: float(sweep.gp_ucb[w][-1])} if w in sweep.gp_ucb else {}
        own = {knobs.METHODS[m]: level for (m, at), level in levels.items() if at == w}
        _lines(sheet, title, lines, never | own, grid)
    return sheet.film()


def _lines(
    sheet: Sheet,
    panel: str,
    finals: Mapping[str, np.ndarray],
    levels: Mapping[str, float],
    grid: np.ndarray,
) -> None:
    """Draw one world: a line a method with its name behind it; those without a memory to set are levels."""
    theme = sheet.theme
    lines = {**finals, **{name: np.full(len(grid), level) for name, level in levels.items()}}
    for name, values in lines.items():
        mark = style.marker(theme.method(name), 0.8 * theme.marker, METHODS[name].symbol)
        more = {} if name in levels else {"mode": "lines+markers", "marker": mark}
        sheet.curve(
            panel,
            grid,
            values,
            theme.method(name),
            theme.line,
            METHODS[name].dash,
            hoverinfo="all",
            hovertemplate=f"{name}, m = %{{x}}: %{{y:.1f}}<extra></extra>",
            **more,
        )
    ends = np.full((1, len(lines)), float(grid[-1])), np.array([[v[-1] for v in lines.values()]])
    beside = float(grid[-1]) * (1.4 if theme.lecture else 1.18)
    end_labels(sheet, panel, ends, beside, [list(lines)], [theme.method(n) for n in lines])
