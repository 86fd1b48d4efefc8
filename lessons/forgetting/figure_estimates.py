"""Estimates of each memory now: today's reward, and the estimates that six memories make of the same data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import theme as style
from figures.film import Film
from figures.frames import FilmFrames
from figures.sheet import Sheet, gapped
from figures.spacetime import even_indices
from figures.theme import Theme
from lessons.forgetting.memories import MemoryView, MemoryViews
from lessons.shared.problems import coordinates

PANEL_STEP = 1.08  # from the left edge of one panel to that of the next, in panels
MAX_CIRCLES = 40  # observations that a panel shows


def beliefs(views: MemoryViews, clock: FilmFrames, theme: Theme, frame: int) -> Film:
    """Return today's reward, and the estimate with a band of two sd of each memory: small panels side by side.

    Circles are the newest observations that still count at least half.
    """
    sheet = Sheet(theme, frame, 400 if theme.lecture else 270, hoverdistance=20)
    sheet.margins(4.2 * theme.tick, 8, 3.1 * theme.tick, 2.9 * theme.label)
    p = views.problem
    m, table = p.f.shape[1], p.arm_names is not None
    x = coordinates(p)
    width = float(x[-1] - x[0]) or 1.0
    share = (x - x[0]) / width if m > 1 else np.array([0.5])
    at = even_indices(m, 60)
    names = list(views.tuning.memories)
    low, high = float(p.f.min()), float(p.f.max())
    pad = 0.3 * max(high - low, 4 * p.noise_sd, 1e-3)
    ticks = [0.0, 0.5, 1.0]
    across = {
        "range": [-0.03, (len(names) - 1) * PANEL_STEP + 1.03],
        "showgrid": False,
        "title": "arm" if table else "action x",
        "tickvals": [i * PANEL_STEP + v for i in range(len(names)) for v in ticks],
        "ticktext": [f"{x[0] + v * width:.2g}" if v != 1.0 else "" for _ in names for v in ticks],
    }
    sheet.panel(
        "all", [0.0, 1.0], [0.0, 1.0], across, {"range": [low - pad, high + pad], "nticks": 5, "title": "reward"}
    )
    _frames(sheet, views, names, share)
    for i, name in enumerate(names):
        _band(sheet, views.recalls[name], i * PANEL_STEP + share[at], at, theme.method(name))
    everywhere = np.concatenate([np.append(i * PANEL_STEP + share[at], np.nan) for i in range(len(names))])
    now = np.tile(gapped(p.f[clock.index][:, at]), len(names))
    sheet.curve("all", everywhere, now, theme.ink, theme.truth_line - 1)
    for i, name in enumerate(names):
        x = i * PANEL_STEP + share[at]
        sheet.curve("all", x, views.recalls[name].mean[:, at], theme.method(name), theme.line)
    _circles(sheet, views, share)
    return sheet.film()


def _frames(sheet: Sheet, views: MemoryViews, names: Sequence[str], share: np.ndarray) -> None:
    """Draw each panel's name, and the place x."""
    theme = sheet.theme
    for i, name in enumerate(names):
        words = f"<b>{name}</b><br>{views.tuning.labels[name]}"
        sheet.note(
            "all",
            words,
            i * PANEL_STEP,
            1.0,
            yref="paper",
            xanchor="left",
            yanchor="bottom",
            align="left",
            color=theme.method(name),
        )
        left = i * PANEL_STEP
        sheet.rule("all", theme.soft_ink, 1.2, "dot", x=left + float(share[views.arm]))
        sheet.rule("all", theme.grid, 1, x=left - 0.03)


def _band(sheet: Sheet, view: MemoryView, x: np.ndarray, at: np.ndarray, hue: str) -> None:
    """Draw two standard deviations around one memory's estimate."""
    up, down = view.mean[:, at] + 2 * view.sd[:, at], view.mean[:, at] - 2 * view.sd[:, at]
    sheet.area("all", x, up, down, style.faded(hue, 0.18), line={"width": 1.2, "color": hue})


def _circles(sheet: Sheet, views: MemoryViews, share: np.ndarray) -> None:
    """Draw the newest observations that still count at least half, as hollow circles."""
    history, F = views.history, len(views.rows)
    x = np.full((F, MAX_CIRCLES * len(views.tuning.memories)), np.nan)
    y = np.full_like(x, np.nan)
    for i, view in enumerate(views.recalls.values()):
        half = view.weight >= 0.5
        newest = half & (np.cumsum(half[:, ::-1], axis=1)[:, ::-1] <= MAX_CIRCLES)
        frame, kept = np.nonzero(newest)
        place = i * MAX_CIRCLES + np.cumsum(newest, axis=1)[frame, kept] - 1
        x[frame, place], y[frame, place] = i * PANEL_STEP + share[history.arms[kept]], history.y[kept]
    sheet.dots("all", x, y, sheet.theme.soft_ink, 0.6 * sheet.theme.marker, symbol="circle-open", opacity=1)
