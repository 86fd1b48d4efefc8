"""Regret against memory: of every method at the end, a panel a world."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from figures import theme as style
from figures.end_labels import end_labels
from figures.film import Film
from figures.palette import METHODS
from figures.race_axes import round_ticks
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.forgetting.knobs import MEMORY_STEPS
from lessons.forgetting.memories import NEVER
from lessons.forgetting.model import STALENESS, Legend, MemorySweep, bound_slopes
from lessons.shared import knobs


def every(sweep: MemorySweep, legend: Legend, drifts: bool, theme: Theme) -> Film:
    """Return the final regret of every method against its memory, a panel a world, on one axis of regret.

    Args:
        drifts: whether the world of the stage moves.
    """
    sheet = Sheet(theme, 0, 470 if theme.lecture else 330)
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
        front = finals[w].get(legend.front[0])
        power = STALENESS.get(legend.front[0])
        if drifts and power and w == legend.here and front is not None and 0 < front.argmin() < len(grid) - 1:
            _terms(sheet, title, front, grid, power, top)
        never = {NEVER: float(sweep.gp_ucb[w][-1])} if w in sweep.gp_ucb else {}
        own = {knobs.METHODS[m]: level for (m, at), level in levels.items() if at == w}
        _lines(sheet, title, lines, never | own, grid, legend.front[1])
    return sheet.film()


def _terms(sheet: Sheet, panel: str, pays: np.ndarray, grid: np.ndarray, power: float, top: float) -> None:
    """Draw two terms of the bound, noise like 1/sqrt(m) and staleness like m^power: slopes only, heights arbitrary."""
    m, noise, stale = bound_slopes(pays, grid, power)
    for term in (noise, stale):
        sheet.curve(panel, m, np.where(term <= top, term, np.nan), sheet.theme.grey, 1.6, "dashdot")


def _lines(
    sheet: Sheet,
    panel: str,
    finals: Mapping[str, np.ndarray],
    levels: Mapping[str, float],
    grid: np.ndarray,
    front: str,
) -> None:
    """Draw one world: a line a method with its name behind it; those without a memory to set are levels.

    Args:
        front: method of the stage, whose line is thick.
    """
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
            theme.line + 1.5 * (name == front),
            METHODS[name].dash,
            hoverinfo="all",
            hovertemplate=f"{name}, m = %{{x}}: %{{y:.1f}}<extra></extra>",
            **more,
        )
    ends = np.full((1, len(lines)), float(grid[-1])), np.array([[v[-1] for v in lines.values()]])
    beside = float(grid[-1]) * (1.4 if theme.lecture else 1.18)
    end_labels(sheet, panel, ends, beside, [list(lines)], [theme.method(n) for n in lines])
