"""The heat maps: the rewards of all rounds of each world, with the path of the best action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from common.formats import amount
from figures import spacetime
from figures import theme as style
from figures.film import Film
from figures.frames import FilmFrames
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.drift.model import Side, WorldDrift

GAP_SHARE = 0.03  # of the width, between two worlds
BEST = "best action"  # what sentences call it


def worlds(sides: Sequence[Side], clock: FilmFrames, theme: Theme, frame: int) -> Film:
    """Draw the rewards of one or two worlds as brightness, actions across and time downwards, on one scale.

    Args:
        sides: one or two.   clock: rows of the frames.   frame: frame that the figure shows.
    """
    sheet = Sheet(theme, frame, hoverdistance=30)
    sheet.margins(4.3 * theme.tick, 14, 1.75 * theme.label, 2.9 * theme.label)
    low = min(float(side.drift.problem.f.min()) for side in sides)
    high = max(float(side.drift.problem.f.max()) for side in sides)
    width = (1.0 - GAP_SHARE * (len(sides) - 1)) / len(sides)
    for i, side in enumerate(sides):
        left = i * (width + GAP_SHARE)
        _history(sheet, side, clock, [left, left + width], (low, high), first=i == 0)
    return sheet.film()


def reward_glides(drift: WorldDrift, clock: FilmFrames) -> dict[str, np.ndarray]:
    """Return between which frames the reward is on its way: in a gliding world, where it does not jump."""
    return {"y": clock.without(jump.t for jump in drift.events.jumps)} if drift.glides else {}


def _history(
    sheet: Sheet,
    side: Side,
    clock: FilmFrames,
    across: list[float],
    between: tuple[float, float],
    first: bool,
) -> None:
    """Draw one world: its rewards, the path of the best action with its longest hop, and the line of now."""
    theme, drift, name = sheet.theme, side.drift, f"history {side.role}"
    f, x, span = drift.problem.f, drift.x, drift.span
    T = len(f)
    place = {"range": span, "title": "action x", "nticks": 6, "showgrid": False}
    time = {"range": [T + 0.5, 0.5], "title": "time t" if first else "", "nticks": 5, "showgrid": False}
    sheet.panel(name, across, [0.0, 1.0], place, {**time, "showticklabels": first})
    sheet.headline(name, f"<b>{side.title}</b>", color=theme.world(side.kind), size=theme.label)
    if first:
        scale = f"reward: dark {amount(between[0])}, bright {amount(between[1])}"
        sheet.headline(name, scale, xanchor="right", color=theme.soft_ink, narrow=" ")
    spacetime.draw_values(sheet, name, f, (span[0], span[1], 0.5, T + 0.5), between)
    path = x[drift.problem.best].astype(np.float32)
    times = np.arange(1, T + 1, dtype=np.float32)
    sheet.curve(name, path, times, "#FFFFFF", theme.line, outline=("#111111", 3), meta=BEST)
    arms, rows = (a.ravel() for a in np.meshgrid(spacetime.even_indices(len(x), 9), spacetime.even_indices(T, 81)))
    texts = [f"{v:.2f}" for v in f[rows, arms].tolist()]
    spacetime.hover_points(sheet, name, x[arms], rows + 1, rows + 1, texts, "x = %{x:.2f}, t = %{y}: reward %{text}")
    _cursor(sheet, side, clock, name)
    words: dict[str, Any] = {"size": theme.tick, "color": "#FFFFFF", "bgcolor": "rgba(17,17,17,.78)", "borderpad": 2}
    for hop in drift.longest_hops[:1]:
        before, after = hop.before[0], hop.after[0]
        room = 0.22 * (span[1] - span[0])  # for half of the words
        middle = min(max(0.5 * (before + after), span[0] + room), span[1] - room)
        above = {"yanchor": "top", "yshift": -5} if hop.t < 0.15 * T else {"yanchor": "bottom", "yshift": 5}
        sheet.note(name, f"hop {abs(after - before):.2f}", middle, hop.t + 1, **above, **words)


def _cursor(sheet: Sheet, side: Side, clock: FilmFrames, name: str) -> None:
    """Draw the line of now across a history, with the best action on it."""
    theme, drift = sheet.theme, side.drift
    left, right = drift.span
    now = np.repeat(np.asarray(clock.times)[:, None], 3, axis=1)
    at = drift.x[drift.problem.best[clock.index]]
    stays = clock.without(hop.t for hop in drift.events.hops)
    glides = {"y": clock.always}
    if "y" in (reward := reward_glides(drift, clock)):
        glides["x"] = reward["y"] & stays
    sheet.curve(name, [left, right], now[:, :2], theme.paper, 5, glides={"y": clock.always}, meta=side.said)
    mark = style.marker(theme.ink, [0, theme.marker + 3, 0], rim=(2, theme.paper), opacity=1)
    x = np.stack([0 * at + left, at, 0 * at + right], axis=1)
    sheet.curve(
        name, x, now, theme.ink, 2, glides=glides, mode="lines+markers", marker=mark, meta=BEST, cliponaxis=False
    )
    sheet.shows("t", "y", 1)
    sheet.shows(f"{side.short} x*", "x", 1)
