"""The stage: what one method still remembers of the past, as a strip, and below it regret against its memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from figures import theme as look
from figures.film import Film
from figures.frames import FilmFrames
from figures.race_axes import round_ticks
from figures.sheet import Sheet
from figures.theme import HANG, Theme
from lessons.forgetting.memories import MemoryViews, last_jump
from lessons.forgetting.model import Legend, MemorySweep, RegretVsMemory, regret_name
from lessons.forgetting.words import LEAST, STRIP, YOU

UP, BOWL = (0.86, 0.95), (0.0, 0.66)  # of the height
MARK = 0.6  # of the strip's height, by which the mark of a jump stands out below
BESIDE = 0.022  # of the axis, between the middle of the ball and the words beside it
GAP = 0.085  # of the bowl's height, between a dot and the middle of the words above or below it


def stage(
    views: MemoryViews,
    sweep: MemorySweep,
    legend: Legend,
    said: Mapping[str, Sequence[str]],
    clock: FilmFrames,
    theme: Theme,
    drawn: int,
) -> Film:
    """Return the strip of memory above regret against memory.

    Args:
        said: of every frame the words "strip", "short", "long" (at the two ends), "least" and "you" (`words.labels`).
    """
    sheet = Sheet(theme, drawn, look.layout(theme, None))
    sheet.margins(HANG, 1.6 * theme.tick, 0.6 * theme.tick, 1.7 * theme.tick)
    _strip(sheet, views, legend, said["strip"], clock)
    _bowl(sheet, sweep, legend, said)
    return sheet.film()


def _strip(sheet: Sheet, views: MemoryViews, legend: Legend, said: Sequence[str], clock: FilmFrames) -> None:
    """Draw how much each observation still counts: solid since the last jump, pale before it."""
    theme, T, hue = sheet.theme, legend.horizon, sheet.theme.method(legend.front[1])
    sheet.panel("strip", [0.0, 1.0], UP, {"range": [1.0, float(T)], **look.BARE}, {"range": [0.0, 1.0], **look.BARE})
    for x, text, side in ((0.0, "t = 1", "left"), (1.0, str(T), "right")):
        sheet.note("strip", text, x, 0.0, "xy", xanchor=side, yanchor="top", color=theme.soft_ink)
    sheet.rect("strip", (1.0, np.asarray(clock.times, float)), (0.0, 1.0), look.faded(theme.ink, 0.08))
    weight, at = views.recalls[legend.strip].weight[:, :T], np.arange(1, T + 1, dtype=float)
    since = np.array([last_jump(views.jumps, row) for row in clock.rows])
    fresh = np.arange(weight.shape[1]) >= since[:, None]
    for part, colour in ((~fresh, look.faded(hue, 0.35)), (fresh, hue)):
        high = np.pad(np.where(part, weight, 0.0), [(0, 0), (1, 1 + T - weight.shape[1])])
        line = look.filled(np.concatenate([at[:1], at, at[-1:]]).astype(np.float32), high, colour)
        sheet.draw("strip", line | {"line": {"width": 0, "shape": "hvh"}, "meta": STRIP})
    for row in views.jumps:
        sheet.shape("strip", "line", (row + 1,) * 2, (-MARK, 1.0), line={"color": theme.ink, "width": 2})
    if (named := next((row for row in views.jumps if 0.15 * T < row < 0.85 * T), None)) is not None:
        sheet.note("strip", " jump", named + 1, 0.0, "y", xanchor="left", yanchor="top", color=theme.soft_ink)
    sheet.words("strip", [1.0], [1.0], tuple((one,) for one in said), theme.soft_ink, "top right")


def _bowl(sheet: Sheet, sweep: MemorySweep, legend: Legend, said: Mapping[str, Sequence[str]]) -> None:
    """Draw regret so far against memory in the chosen world, the least of it, and the reader's own memory as a ball."""
    theme, line = sheet.theme, None if legend.covered else sweep.front(legend.chosen)
    places, end = np.asarray(legend.places), legend.places[-1] if legend.never is None else legend.never
    finals = [] if line is None else [float(line.median[:, -1].max()), sweep.limit(legend.chosen) or 0.0]
    top = max(finals, default=1.0) * 1.18 or 1.0
    texts = {p: f"{m:g}" for p, m in zip(legend.places[::-1], legend.grid[::-1], strict=True)}
    shown = {p: text for p, text in texts.items() if 0 < p < end and (not theme.lecture or end < 7 or p % 2)}
    x = {"range": [-0.05, end + 0.05], "showgrid": False, **look.ticks(shown, shown.values())}
    marks = [v for v in round_ticks(top, 4) if v > 0]
    y = {"range": [0.0, top], "tickvals": marks, "showline": False, "showticklabels": line is not None}
    sheet.panel("regret", [0.0, 1.0], BOWL, x, y)
    for screen, low, high in (("medium", 0.17, 0.8), ("narrow", 0.3, 0.66)):  # apart from the words at both ends
        inner = {p: text for p, text in shown.items() if low < p / end < high}
        sheet.narrow("regret", screen, **look.ticks(inner, inner.values()))
    for x, text, side in ((0.0, f"{legend.grid[0]:g} steps kept", "left"), (1.0, legend.last or texts[end], "right")):
        sheet.note("regret", text, x, 0.0, "xy", xanchor=side, yanchor="top", yshift=-0.25 * theme.tick)
    of = "regret so far" if theme.lecture else f"regret of {legend.front[1]} so far (reward units)"
    sheet.headline("regret", of, color=theme.soft_ink)
    if line is None:
        waits = "covered: where is it lowest?" if legend.covered else "the first runs are being played"
        sheet.note("regret", waits, 0.5, 0.5, inside="xy", color=theme.soft_ink)
        sheet.curve("regret", [0.0], [None], theme.grey, 0)  # Plotly draws no axes that carry nothing
    else:
        there = np.unique(places)
        _curve(sheet, sweep, legend, line, there)
        far = sweep.gp_ucb_median[legend.chosen] if _goes_on(sweep, legend, there) else line.median[-1]
        _you(sheet, legend, line, far, said, top, end)
    if legend.bet:
        at = legend.places[list(legend.grid).index(legend.bet)]
        pays = [0.25 * top] if line is None else line.median[list(legend.grid).index(legend.bet)][:, None]
        diamond = {"symbol": "diamond-open", "rim": (3, theme.grey), "opacity": 1, "cliponaxis": False}
        sheet.dots("regret", [float(at)], pays, theme.grey, 2.6 * theme.marker, **diamond)


def _curve(sheet: Sheet, sweep: MemorySweep, legend: Legend, line: RegretVsMemory, there: np.ndarray) -> None:
    """Draw the medians of the seeds, and behind them GP-UCB, where no memory on the axis is endless."""
    theme, kind = sheet.theme, sweep.setting.worlds[legend.chosen].kind
    k = line.seeds
    sheet.curve(
        "regret",
        there.astype(float),
        line.median[there].T,
        theme.ink,
        theme.line,
        mode="lines+markers",
        marker=look.marker(theme.ink, 0.8 * theme.marker, opacity=1),
        cliponaxis=False,
        hoverinfo="all",
        hovertemplate=f"%{{x}}: %{{y:.1f}}<extra>{f'median of {k} seeds' if k > 1 else 'one seed'}</extra>",
    )
    for i, place in enumerate(legend.places):
        sheet.shows(regret_name(kind, legend.grid[i]), "y", place)
    if _goes_on(sweep, legend, there):
        last = np.stack([line.median[there[-1]], sweep.gp_ucb_median[legend.chosen]], axis=1)
        sheet.curve("regret", [float(there[-1]), float(legend.never)], last, theme.ink, theme.line, "dot")
        sheet.dots(
            "regret", [float(legend.never)], last[:, 1:], theme.ink, 0.8 * theme.marker, opacity=1, cliponaxis=False
        )
        sheet.shows(regret_name(kind), "y", 0)


def _goes_on(sweep: MemorySweep, legend: Legend, there: np.ndarray) -> bool:
    """Return whether the curve goes on behind these places, to what GP-UCB pays."""
    return legend.never is not None and legend.never > there[-1] and sweep.limit(legend.chosen) is not None


def _you(
    sheet: Sheet,
    legend: Legend,
    line: RegretVsMemory,
    far: np.ndarray,
    said: Mapping[str, Sequence[str]],
    top: float,
    end: int,
) -> None:
    """Draw the reader's memory as a ball on a stem, solid for what it pays too much, and the words at the curve.

    Args:
        far: (F,) regret at the right end of the curve.
    """
    theme, hue, places = sheet.theme, sheet.theme.method(legend.front[1]), np.asarray(legend.places, dtype=float)
    best, gap = line.median.argmin(axis=0), GAP * top
    least, low = line.median.min(axis=0), places[best]
    here = legend.here
    pays = np.array([np.interp(here, places, one) for one in line.median.T])
    foot = np.minimum(least, pays)
    sheet.cursor("regret", here, np.stack([0 * foot, foot], axis=1), look.faded(hue, 0.35), 1.6 * theme.line)
    sheet.cursor("regret", here, np.stack([foot, pays], axis=1), hue, 1.6 * theme.line)
    level = np.stack([low, np.full(len(low), here)], axis=1), np.stack([least, least], axis=1)
    sheet.curve("regret", *level, theme.soft_ink, 1.2, "dash")
    sheet.dots(
        "regret", low[:, None], least[:, None], theme.ink, 0.8 * theme.marker, opacity=1, cliponaxis=False, meta=LEAST
    )
    sheet.shows(f"{legend.kind}: best m", "x", 0, lambda m: legend.places[list(legend.grid).index(round(m))])
    rim = 4.5 if theme.lecture else 3.5
    sheet.dots(
        "regret",
        [here],
        pays[:, None],
        hue,
        (42 if theme.lecture else 30) + rim,
        rim=(rim, theme.paper),
        opacity=1,
        cliponaxis=False,
        meta=YOU,
    )
    text = [tuple((one,) for one in said[name]) for name in ("short", "long", "least")]
    sheet.words("regret", [0.06], line.median[0][:, None] + gap, text[0], theme.soft_ink, "middle right")
    sheet.words("regret", [float(end)], far[:, None] + gap, text[1], theme.soft_ink, "middle left")
    deep = np.where(least > 0.2 * top, least - gap, least + gap)
    sheet.words("regret", low[:, None], deep[:, None], text[2], theme.ink, "middle center")
    # Where the curve falls the side above on the right is free, where it rises the one on the left; at the lowest point
    # what lies below, beside the stem.
    left = np.where(here < low, False, (here > low) | (here > 0.6 * end))
    up = np.where(np.isclose(here, low), -2.2 * gap, 1.8 * gap)
    height = np.where(pays + up > 0.1 * top, pays + up, pays - up)
    for side, place, shift in ((left, "middle left", -BESIDE * end), (~left, "middle right", BESIDE * end)):
        mine = tuple((one if shown else "",) for one, shown in zip(said["you"], side, strict=True))
        sheet.words("regret", [here + shift], height[:, None], mine, hue, place, theme.label)
