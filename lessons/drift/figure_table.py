"""A table of rewards as it drifts: one row an arm, its reward now, its history, and the drift so far."""

from __future__ import annotations

import numpy as np

from common.formats import amount
from figures import spacetime
from figures import theme as style
from figures.film import Film
from figures.frames import FilmFrames
from figures.sheet import Sheet, strokes
from figures.theme import Theme
from lessons.drift.model import Side

MAX_LETTERS = 24  # of a name that fits beside a row
ROWS_PIXELS = {False: 330, True: 590}  # that the rows share at the desk, and in a hall


def table(side: Side, clock: FilmFrames, theme: Theme, frame: int) -> Film:
    """Draw arms as rows: stems with the reward now, brightness over time with the best arm's path, the drift so far.

    Args:
        side: a world with arm names.   clock: rows of the frames.   frame: frame that the figure shows.
    """
    names = [n if len(n) <= MAX_LETTERS else n[: MAX_LETTERS - 1] + "…" for n in side.drift.problem.arm_names]
    size = min(theme.tick, max(9, int(0.8 * ROWS_PIXELS[theme.lecture] / len(names))))
    sheet = Sheet(theme, frame, hoverdistance=30)
    left = 20 + int(0.56 * size * max(map(len, names)))
    sheet.margins(left, 14, 1.75 * theme.label, 2.9 * theme.label)
    rows = {"range": [len(names) - 0.5, -0.5], "tickvals": list(range(len(names))), "showgrid": False}
    _now(sheet, side, clock, [0.0, 0.25], {**rows, "ticktext": names, "tickfont": {"size": size}})
    _history(sheet, side, clock, [0.27, 0.70], {**rows, "showticklabels": False})
    _spent(sheet, side, clock, [0.72 + 4.2 * theme.tick / 1000, 1.0])
    return sheet.film()


def _now(sheet: Sheet, side: Side, clock: FilmFrames, across: list[float], rows: dict) -> None:
    """Draw one stem an arm from 0 to its reward now; the best one filled, the one that moved most with a rod."""
    theme, drift, row = sheet.theme, side.drift, clock.index
    f = drift.problem.f
    low, high = min(float(f.min()), 0.0), max(float(f.max()), 0.0)
    room = max(high - low, 0.5)
    reward = {"range": [low - 0.06 * room, high + 0.06 * room], "nticks": 4, "title": drift.unit}
    sheet.panel("now", across, [0.0, 1.0], reward, rows)
    sheet.headline("now", f"<b>{side.title}</b>", color=theme.world(side.kind), size=theme.label)
    arms = np.arange(f.shape[1], dtype=np.float32)
    mark = style.marker(theme.paper, [0, theme.marker, 0] * len(arms), rim=(2, theme.ink))
    sheet.curve("now", strokes(0.0, f[row]), np.repeat(arms, 3), theme.soft_ink, 1.5, mode="lines+markers", marker=mark)
    place, before = np.concatenate([[0], drift.moved])[row], np.maximum(row - 1, 0)
    ends = np.stack([f[before, place], f[row, place]], axis=1)
    ends[drift.steps[row] == 0] = np.nan
    sheet.curve("now", ends, np.stack([place, place], axis=1), theme.world(side.kind), 3 * theme.line)
    best = drift.problem.best[row]
    sheet.dots("now", f[row, best][:, None], best[:, None], theme.ink, theme.marker + 4, rim=(2, theme.paper))
    sheet.shows(f"{side.short} x*", "y", 0)


def _history(sheet: Sheet, side: Side, clock: FilmFrames, across: list[float], rows: dict) -> None:
    """Draw reward as brightness over time, one row an arm, with the path of the best arm."""
    theme, p = sheet.theme, side.drift.problem
    T, m = p.f.shape
    ticks = (np.array([1, 3, 5]) * (T - 1)) // 6
    labels = [str(p.times[i])[:7] if p.times else str(i + 1) for i in ticks]
    time = {"range": [0.5, T + 0.5], **style.ticks((ticks + 1).tolist(), labels), "title": "time t"}
    sheet.panel("history", across, [0.0, 1.0], {**time, "showgrid": False}, rows)
    sheet.headline("history", "reward over time (bright = high), path of the best arm")
    box = (0.5, T + 0.5, -0.5, m - 0.5)
    spacetime.draw_values(sheet, "history", p.f.T, box, (float(p.f.min()), float(p.f.max())))
    times = np.arange(1, T + 1, dtype=np.float32)
    path = p.best.astype(np.float32)
    sheet.curve("history", times, path, "#FFFFFF", theme.line, outline=("#111111", 3), shape="hv")
    at, arms = (a.ravel() for a in np.meshgrid(spacetime.even_indices(T, 81), np.arange(m)))
    when = p.times or [str(i + 1) for i in range(T)]
    texts = [f"{p.arm_names[a]}, {when[i]}: {p.f[i, a]:.1f}" for i, a in zip(at, arms, strict=True)]
    spacetime.hover_points(sheet, "history", at + 1, arms, at + 1, texts, "%{text}")
    sheet.cursor(
        "history",
        np.asarray(clock.times),
        [-0.5, m - 0.5],
        theme.ink,
        2,
        glides={"x": clock.always},
        outline=(theme.paper, 3),
    )


def _spent(sheet: Sheet, side: Side, clock: FilmFrames, across: list[float]) -> None:
    """Draw the drift so far over time, with the step that ends now as a rod on top."""
    theme, spent, T = sheet.theme, side.drift.spent, clock.horizon
    colour, total = theme.role("drift"), float(spent[-1])
    time = {"range": [0.5 - 0.01 * T, T + 0.5 + 0.01 * T], "nticks": 4, "showgrid": False, "title": "time t"}
    sheet.panel("spent", across, [0.0, 1.0], time, {"range": [-0.04 * total, 1.12 * total], "nticks": 5})
    unit = side.drift.unit
    sheet.headline("spent", f"drift so far, V<sub>t</sub>{f' ({unit})' if unit else ''}", narrow="V<sub>t</sub>")
    sheet.curve("spent", np.arange(1, T + 1, dtype=np.float32), spent.astype(np.float32), colour, theme.line + 0.5)
    sheet.shows(f"{side.short} V_T", "y", T - 1)
    place = {"xanchor": "right", "yanchor": "bottom", "xshift": -6, "color": colour, "size": theme.label}
    sheet.note("spent", f"V<sub>T</sub> = {amount(total)}", T, total, bgcolor=theme.paper, **place)
    now, times = spent[clock.index], np.asarray(clock.times)
    ends = np.stack([now - side.drift.steps[clock.index], now], axis=1)
    sheet.cursor("spent", times, ends, colour, 2 * theme.line)
    sheet.cursor("spent", times, list(sheet.span("spent", "y")), theme.ink, 1.5, glides={"x": clock.always})
    sheet.shows("t", "x", 0)
    sheet.dots("spent", times[:, None], now[:, None], colour, theme.marker, rim=(1.5, theme.paper))
    sheet.shows(f"{side.short} V_t", "y", 0)
