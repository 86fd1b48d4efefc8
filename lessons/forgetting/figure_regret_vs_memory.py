"""Regret against memory: of one method in several worlds as time goes, and of every method at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from figures import theme as look
from figures.end_labels import end_labels
from figures.film import Film
from figures.frames import amount
from figures.race_axes import round_ticks
from figures.sheet import Sheet
from figures.theme import METHODS, Theme
from lessons.forgetting.memories import NEVER
from lessons.forgetting.model import Legend, MemorySweep, RegretVsMemory, bound_slopes

OWN_MEMORY = "own memory"  # name of the marks that a frame moves without the runs
STRIP = 0.1  # of the highest regret: room for numbers under the axis
WORLD_DASHES = ("solid", "dash", "dot")


def regret_vs_memory(sheet: Sheet, sweep: MemorySweep, legend: Legend, across: Sequence[float]) -> None:
    """Draw regret so far of the method on the stage against its memory, a line a world; right of it GP-UCB."""
    theme, (word, name), grid = sheet.theme, legend.front, np.asarray(legend.grid, dtype=float)
    end = _never(grid)
    wide = end - np.log10(grid[0])
    room = (0.3 if theme.lecture else 0.24) * wide
    lines = {w: sweep.curves[word, w] for w in range(len(legend.worlds)) if (word, w) in sweep.curves}
    tops = [float(b.median[:, -1].max()) for b in lines.values()]
    tops += [float(lines[w].quartiles[1][:, -1].max()) for w in lines if w == legend.chosen]
    tops += [float(sweep.gp_ucb_median[w][-1]) for w in lines if legend.has_limit and w in sweep.gp_ucb]
    top = max(tops, default=1.0) * 1.14 or 1.0
    shown = grid[::2] if theme.lecture else grid
    x = {"type": "log", "range": [float(np.log10(grid[0]) - 0.04 * wide), end + room], "showgrid": False,
         "title": "memory m (steps)", "tickvals": [*shown.tolist(), *([10**end] if legend.has_limit else [])],
         "ticktext": [*(f"{v:g}" for v in shown), *(["∞"] if legend.has_limit else [])]}  # fmt: skip
    y = {"range": [-STRIP * top, top], "tickvals": round_ticks(top, 4), 
         "title": "regret so far, R<sub>t</sub> (reward units)",
         "showticklabels": bool(lines) and not legend.covered}  # fmt: skip
    lines = {} if legend.covered else lines
    sheet.panel("regret", across, [0.0, 1.0], x, y)
    _headline(sheet, legend)
    if not lines:
        said = "covered: where is it lowest?" if legend.covered else "the first runs are being played"
        sheet.note("regret", said, 0.5, 0.5, inside=True, color=theme.soft_ink)
        sheet.still("regret", look.line([grid[0]], [None], theme.grey, 0))  # Plotly draws no axes that carry nothing
        _bet(sheet, legend, None, top)
        return
    _here(sheet, legend, grid, end)
    if legend.drifts and legend.chosen in lines and 0 < lines[legend.chosen].median[:, -1].argmin() < len(grid) - 1:
        _terms(sheet, lines[legend.chosen], grid, top, x["range"])
    for w, line in lines.items():
        _world(sheet, line, w, f"{name}|{legend.worlds[w]}", grid, theme.method(name), w == legend.chosen)
    if legend.has_limit:
        _limit(sheet, sweep, lines, grid, end)
    _bet(sheet, legend, lines.get(legend.chosen), top)
    _bottoms(sheet, lines, grid, legend.chosen, theme.method(name), top)
    _names(sheet, sweep, lines, legend, end)


def own_memory(sheet: Sheet, legend: Legend, across: Sequence[float]) -> None:
    """Draw the panel without its runs: the name of its method and the reader's own memory."""
    grid = np.asarray(legend.grid, dtype=float)
    sheet.panel("regret", across, [0.0, 1.0], {}, {})
    _headline(sheet, legend)
    if not legend.covered:
        _here(sheet, legend, grid, _never(grid))


def _never(grid: np.ndarray) -> float:
    """Return where "never forgets" stands on the axis of memories, log10."""
    return float(np.log10(grid[-1]) + 0.38)


def _headline(sheet: Sheet, legend: Legend) -> None:
    """Write what the panel shows, and what the diamond among its curves is: beside it curves would cross the word."""
    theme, name = sheet.theme, legend.front[1]
    bet = legend.bet and not legend.covered
    said = "regret" if bet and theme.lecture else "regret against memory"
    said += f'<span style="color:{theme.soft_ink}"> · ◇ your bet</span>' if bet else ""
    sheet.headline("regret", f"<b>{name}</b>: {said}", size=theme.label, color=theme.method(name))


def _world(
    sheet: Sheet, line: RegretVsMemory, w: int, marks: str, grid: np.ndarray, hue: str, chosen: bool
) -> None:  # fmt: skip
    """Draw the median as a line; of the chosen world also the quartiles of the seeds, as a pale area."""
    low, high = line.quartiles.transpose(0, 2, 1)
    if line.seeds > 1 and chosen:
        area = {"type": "scatter", "mode": "lines", "fill": "toself", "line": {"width": 0}, "hoverinfo": "skip",
                "fillcolor": look.faded(hue, 0.12), "x": np.concatenate([grid, grid[::-1]])}  # fmt: skip
        sheet.moving("regret", area, y=np.concatenate([high, low[:, ::-1]], axis=1))
    width = sheet.theme.line + (1.0 if chosen else -0.5)
    mark = {"size": 0.7 * sheet.theme.marker, "color": hue, "opacity": 1}
    style = look.line(
        grid, None, hue, width, WORLD_DASHES[w % len(WORLD_DASHES)], mode="lines+markers", marker=mark, meta=marks
    )
    said = ("median of the seeds; pale: their quartiles" if chosen else "median of the seeds") if line.seeds > 1 else ""
    style |= {"hoverinfo": "all", "hovertemplate": f"m = %{{x}}: %{{y:.1f}}<extra>{said}</extra>"}
    sheet.moving("regret", style, y=line.median.T)


def _here(sheet: Sheet, legend: Legend, grid: np.ndarray, end: float) -> None:
    """Mark the reader's own memory, above the strip of numbers."""
    theme, axes = sheet.theme, sheet.on("regret")
    here = float(np.clip(np.log10(legend.m), np.log10(grid[0]), end)) if np.isfinite(legend.m) else end
    dots = {"color": theme.soft_ink, "width": 1.5, "dash": "dot"}
    stand = {"type": "line", "xref": axes["xaxis"], "yref": f"{axes['yaxis']} domain", "y0": STRIP / (1 + STRIP),
             "y1": 1, "x0": 10**here, "x1": 10**here, "line": dots, "name": OWN_MEMORY}  # fmt: skip
    sheet.frame.setdefault("shapes", []).append(stand)
    said = f"your m = {legend.m:.4g}" if np.isfinite(legend.m) else "you never forget"
    left = here < 0.5 * (np.log10(grid[0]) + end)
    sheet.note("regret", said, here, 1.0, xanchor="left" if left else "right", xshift=5 if left else -5, yanchor="top",
               yref=f"{axes['yaxis']} domain", name=OWN_MEMORY)  # fmt: skip


def _terms(sheet: Sheet, line: RegretVsMemory, grid: np.ndarray, top: float, axis: Sequence[float]) -> None:
    """Draw the two terms of the bounds, noise like 1/sqrt(m) and staleness like m: slopes only, heights arbitrary.

    Args:
        axis: range of the axis of memories, log10.
    """
    theme = sheet.theme
    m, noise, stale = bound_slopes(line, grid)
    stale = np.where(stale <= 0.88 * top, stale, np.nan)
    gap = np.full((len(noise), 1), np.nan)
    style = look.line(np.concatenate([m, [np.nan], m]).astype(np.float32), None, theme.grey, 1.6, "dashdot")
    sheet.moving("regret", style, y=np.concatenate([noise, gap, stale], axis=1))
    # In the strip, which the line of the reader's own memory never crosses: that one is dragged while this stands
    # still. Right or left of the number of the lowest point; where neither side has room, the caption says it alone.
    wide, half = (0.6 if theme.lecture else 0.48), 0.06  # shares of the axis: these words, half of the number
    number = (np.log10(grid[line.median.argmin(axis=0)]) - axis[0]) / (axis[1] - axis[0])
    share = np.select([number + half < 1 - wide, number - half > wide], [1 - wide / 2, wide / 2], np.nan)
    words = ["noise ∝ 1/√m, staleness ∝ m"]
    style = look.words(None, [-0.6 * STRIP * top], words, theme.soft_ink, theme.tick, "middle center")
    sheet.moving("regret", style, x=10 ** (axis[0] + share * (axis[1] - axis[0]))[:, None])


def _bet(sheet: Sheet, legend: Legend, line: RegretVsMemory | None, top: float) -> None:
    """Draw the reader's bet: a grey diamond on the curve of the chosen world; while it is covered, with its name."""
    if not legend.bet:
        return
    theme = sheet.theme
    mark = {"symbol": "diamond-open", "size": 1.8 * theme.marker, "color": theme.grey, "opacity": 1}
    mark["line"] = {"width": 3, "color": theme.grey}
    pin = {"type": "scatter", "mode": "markers", "x": [float(legend.bet)], "marker": mark, "hoverinfo": "skip",
           "cliponaxis": False}  # fmt: skip
    if line is None or legend.bet not in list(legend.grid):
        font = {"size": theme.tick, "color": theme.soft_ink}
        named = {"mode": "markers+text", "text": ["your bet"], "textposition": "top center", "textfont": font}
        sheet.still("regret", {**pin, **named, "y": [0.25 * top]})
    else:
        sheet.moving("regret", pin, y=line.median[list(legend.grid).index(legend.bet)][:, None])


def _limit(sheet: Sheet, sweep: MemorySweep, lines: Mapping[int, RegretVsMemory], grid: np.ndarray, end: float) -> None:
    """Draw GP-UCB in the same worlds, where memory is endless, and a dotted way to it."""
    theme, there = sheet.theme, [w for w in lines if w in sweep.gp_ucb]
    if not there:
        return
    never = np.stack([sweep.gp_ucb_median[w] for w in there], axis=1)
    way = np.full((len(never), 3 * len(there)), np.nan)
    for i, w in enumerate(there):
        way[:, 3 * i], way[:, 3 * i + 1] = lines[w].median[-1], never[:, i]
    x = [float(grid[-1]), 10**end, None] * len(there)
    sheet.moving("regret", look.line(x, None, theme.grey, 1.5, "dot"), y=way)
    mark = {"symbol": METHODS[NEVER].symbol, "size": theme.marker, "color": theme.method(NEVER), "opacity": 1}
    dots = {"type": "scatter", "mode": "markers", "x": [10**end] * len(there), "marker": mark}
    sheet.moving("regret", {**dots, "hovertemplate": f"{NEVER}: %{{y:.1f}}<extra></extra>"}, y=never)
    sheet.note("regret", NEVER, end, 1.0, yanchor="top", color=theme.method(NEVER),
               yref=f"{sheet.on('regret')['yaxis']} domain")  # fmt: skip


def _bottoms(
    sheet: Sheet, lines: Mapping[int, RegretVsMemory], grid: np.ndarray, chosen: int, hue: str, top: float
) -> None:
    """Draw a ring at the lowest point of each line, and in the chosen world its number under the axis."""
    theme, worlds = sheet.theme, list(lines)
    least = np.stack([lines[w].median.min(axis=0) for w in worlds], axis=1)
    where = np.stack([grid[lines[w].median.argmin(axis=0)] for w in worlds], axis=1)
    ring = {"symbol": "circle-open", "size": 1.9 * theme.marker, "color": hue, "opacity": 1, "line": {"width": 3}}
    dots = {"type": "scatter", "mode": "markers", "marker": ring, "hoverinfo": "skip", "cliponaxis": False}
    sheet.moving("regret", dots, x=where, y=least)
    if chosen in lines:
        at, low = where[:, worlds.index(chosen)], least[:, worlds.index(chosen)]
        drop = look.line(None, None, theme.ink, 1.2, mode="lines+text", textposition="bottom center",
                         textfont={"size": theme.tick, "color": theme.ink})  # fmt: skip
        text = tuple(("", f"<b>{amount(float(v))}</b>") for v in low)
        foot = np.stack([low, np.full(len(low), -0.02 * top)], axis=1)
        sheet.moving("regret", drop, x=np.stack([at, at], axis=1), y=foot, text=text)


def _names(sheet: Sheet, sweep: MemorySweep, lines: Mapping[int, RegretVsMemory], legend: Legend, end: float) -> None:
    """Write the name of each world behind its line, kept apart."""
    theme, worlds = sheet.theme, list(lines)
    limits = sweep.gp_ucb_median if legend.has_limit else {}
    ends = np.stack([limits[w] if w in limits else lines[w].median[-1] for w in worlds], axis=1)
    text = [f"<b>{legend.worlds[w]}</b>" if w == legend.chosen else legend.worlds[w] for w in worlds]
    colours = [theme.method(legend.front[1])] * len(worlds)
    at = np.array([[end if w in limits else np.log10(legend.grid[-1]) for w in worlds]])
    foot = STRIP / (1 + STRIP)  # of the height: what stands under the axis keeps its place
    end_labels(sheet, "regret", (10**at, ends), 10 ** (end + 0.09), [text] * len(ends), colours, least=foot)


def every(sweep: MemorySweep, legend: Legend, theme: Theme) -> Film:
    """Return the final regret of every method against its memory, a panel a world, on one axis of regret."""
    frame = look.layout(theme, 470 if theme.lecture else 330)
    frame["margin"] = {
        "l": int(4.6 * theme.tick), "r": 8, "t": int(1.75 * theme.label), "b": int(2.9 * theme.label),
    }  # fmt: skip
    sheet = Sheet(theme, 0, frame)
    grid, worlds = np.asarray(legend.grid, dtype=float), legend.worlds
    finals = {w: {m: sweep.curves[m, w].median[:, -1] for m in sweep.methods} for w in range(len(worlds))}
    top = max(float(f.max()) for lines in finals.values() for f in lines.values()) * 1.06 or 1.0
    width = (1.0 - 0.03 * (len(worlds) - 1)) / len(worlds)
    wide = np.log10(grid[-1] / grid[0])
    room = (0.75 if theme.lecture else 0.52) * wide * (1.0 if len(worlds) > 1 else 0.35)
    for w, title in enumerate(worlds):
        left = w * (width + 0.03)
        shown = grid[::3] if len(worlds) > 1 else grid
        x = {"type": "log", "range": [float(np.log10(grid[0]) - 0.04 * wide), float(np.log10(grid[-1]) + room)],
             "title": "memory m (steps)", "tickvals": shown.tolist(), "ticktext": [f"{v:g}" for v in shown],
             "showgrid": False}  # fmt: skip
        y = {"range": [0.0, top], "tickvals": round_ticks(top, 4), "showticklabels": w == 0,
             "title": "regret R<sub>T</sub>" if w == 0 else ""}  # fmt: skip
        sheet.panel(title, [left, left + width], [0.0, 1.0], x, y)
        sheet.headline(title, f"<b>{title.capitalize()}{' world' if title != 'table' else ''}</b>", size=theme.label)
        if np.isfinite(legend.m):
            axes, dot = sheet.on(title), {"color": theme.soft_ink, "width": 1.5, "dash": "dot"}
            stand = {"type": "line", "xref": axes["xaxis"], "yref": f"{axes['yaxis']} domain", "y0": 0, "y1": 1}
            sheet.frame.setdefault("shapes", []).append({**stand, "x0": legend.m, "x1": legend.m, "line": dot})
        lines = {legend.methods[m]: final for m, final in finals[w].items()}
        _lines(sheet, title, lines, sweep.gp_ucb_median.get(w), grid, top)
    return sheet.film()


def _lines(
    sheet: Sheet, panel: str, finals: Mapping[str, np.ndarray], never: np.ndarray | None, grid: np.ndarray, top: float
) -> None:  # fmt: skip
    """Draw one world: a line a method with its name behind it, and GP-UCB, which has no memory to set, as a level."""
    theme = sheet.theme
    lines = dict(finals)
    if never is not None:
        lines[NEVER] = np.full(len(grid), float(never[-1]))
    for name, values in lines.items():
        mark = {"symbol": METHODS[name].symbol, "size": 0.8 * theme.marker, "color": theme.method(name)}
        more = {} if name == NEVER else {"mode": "lines+markers", "marker": mark}
        style = look.line(grid, values, theme.method(name), theme.line, METHODS[name].dash, **more)
        said = f"{name}, m = %{{x}}: %{{y:.1f}}<extra></extra>"
        sheet.still(panel, style | {"hoverinfo": "all", "hovertemplate": said})
    ends = np.full((1, len(lines)), float(grid[-1])), np.array([[v[-1] for v in lines.values()]])
    beside = float(grid[-1]) * (1.4 if theme.lecture else 1.18)
    end_labels(sheet, panel, ends, beside, [list(lines)], [theme.method(n) for n in lines])
