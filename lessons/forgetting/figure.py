"""The stage: what one method still remembers of the past, as a strip, and below it regret against its memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from common.formats import amount
from figures import theme as style
from figures.film import Film
from figures.frames import FilmFrames
from figures.palette import METHODS as PALETTE
from figures.race_axes import round_ticks
from figures.sheet import Sheet
from figures.theme import HANG, Theme
from lessons.forgetting.knobs import MEMORY_STEPS, TOLD_NOTHING
from lessons.forgetting.memories import MemoryViews, last_jump
from lessons.forgetting.model import LEVEL, Legend, MemorySweep, RegretVsMemory, regret_name
from lessons.shared.knobs import METHODS

# Of the height. The words of the curve stand in a row of their own below it, each under what it is about: there nothing
# of the film ever meets them, and the numbers of the axis stand below the row, clear of a ball at zero.
UP, CURVE, ROW = (0.86, 0.95), (0.15, 0.69), (0.0, 0.15)
MARK = 0.6  # of the strip's height, by which the mark of a jump stands out below
EDGE = 0.05  # of the step from a memory to the next, beside the first and the last
BALL, RIM = {False: 30, True: 42}, {False: 3.5, True: 4.5}  # pixels, of the ball and of the paper around it
DOT = 0.8  # of a marker, of the dots of the curve
ASIDE = 12  # pixels, between the axis of regret and its numbers, which a ball at the first memory does not cover
LEAST = "least|lowest|lowest median|lowest median regret"  # what sentences call the lowest point
LIFT = 0.02  # of the highest regret, from a level to its name
EARLY = 0.05  # of the highest regret; where all memories have paid less, nothing leads from one to another


def stage(
    views: MemoryViews,
    sweep: MemorySweep,
    legend: Legend,
    texts: Mapping[str, Sequence[str]],
    clock: FilmFrames,
    theme: Theme,
    frame: int,
) -> Film:
    """Return the strip of memory above regret against memory.

    Args:
        texts: of every frame the words "strip", "short", "long" (at the two ends), "least" and "you" (`words.labels`).
    """
    sheet = Sheet(theme, frame)
    sheet.margins(HANG, 1.6 * theme.tick, 0.6 * theme.tick, 1.7 * theme.tick)
    _strip(sheet, views, legend, texts["strip"], clock)
    _regret(sheet, sweep, legend, texts, clock)
    return sheet.film()


def _strip(sheet: Sheet, views: MemoryViews, legend: Legend, texts: Sequence[str], clock: FilmFrames) -> None:
    """Draw how much each observation still counts: solid since the last jump, pale before it."""
    theme, T, hue = sheet.theme, views.problem.horizon, sheet.theme.method(legend.front[1])
    sheet.panel("strip", [0.0, 1.0], UP, {"range": [1.0, float(T)], **style.BARE}, {"range": [0.0, 1.0], **style.BARE})
    for x, text, side in ((0.0, "t = 1", "left"), (1.0, str(T), "right")):
        sheet.note("strip", text, x, 0.0, "xy", xanchor=side, yanchor="top", color=theme.soft_ink)
    sheet.rect("strip", (1.0, np.asarray(clock.times, float)), (0.0, 1.0), style.faded(theme.ink, 0.08))
    weight, at = views.weight(legend.strip), np.arange(1, T + 1, dtype=float)
    since = np.array([last_jump(views.jumps, row) for row in clock.rows])
    fresh = np.arange(T) >= since[:, None]
    for part, colour in ((~fresh, style.faded(hue, 0.35)), (fresh, hue)):
        high = np.pad(np.where(part, weight, 0.0), [(0, 0), (1, 1)])
        line = style.filled(np.concatenate([at[:1], at, at[-1:]]).astype(np.float32), high, colour)
        sheet.draw("strip", line | {"line": {"width": 0, "shape": "hvh"}, "meta": f"memory|{legend.strip}"})
    for row in views.jumps:
        sheet.shape("strip", "line", (row + 1,) * 2, (-MARK, 1.0), line={"color": theme.ink, "width": 2})
    named = [row for row in views.jumps if 0.15 * T < row < 0.85 * T]
    for row in named if len(named) <= 2 else named[:1]:
        sheet.note("strip", " jump", row + 1, 0.0, "y", xanchor="left", yanchor="top", color=theme.soft_ink)
    sheet.words("strip", [1.0], [1.0], tuple((one,) for one in texts), hue, "top right")


def _regret(
    sheet: Sheet, sweep: MemorySweep, legend: Legend, words: Mapping[str, Sequence[str]], clock: FilmFrames
) -> None:
    """Draw regret so far against memory in the world on the stage, its least, and the reader's memory as a ball."""
    theme, line = sheet.theme, sweep.front()
    end = legend.places[-1] if legend.never is None else legend.never
    finals = [] if line is None else [float(line.median[:, -1].max()), sweep.limit() or 0.0]
    top = max(finals, default=1.0) * 1.12 or 1.0
    texts = {p: f"{m:g}" for p, m in zip(legend.places[::-1], MEMORY_STEPS[::-1], strict=True)}
    ticks = {p: text for p, text in texts.items() if 0 < p < end and (not theme.lecture or end < 7 or p % 2)}
    x = {"range": [-EDGE, end + EDGE], "showgrid": False}
    marks = [v for v in round_ticks(top, 4) if v > 0]
    y = {
        "ticks": "outside",
        "tickcolor": style.faded(theme.ink, 0.0),
        "ticklen": ASIDE,
        "range": [0.0, top],
        "tickvals": marks,
        "showline": False,
        "showticklabels": line is not None,
    }
    sheet.panel("regret", [0.0, 1.0], CURVE, x | style.ticks([]), y)
    below = {**x, **style.ticks(ticks, ticks.values()), "showline": False}
    sheet.panel("words", [0.0, 1.0], ROW, below, {"range": [0.0, 1.0], **style.BARE})
    for screen, low, high in (("medium", 0.17, 0.8), ("narrow", 0.3, 0.66)):  # apart from the words at both ends
        inner = {p: text for p, text in ticks.items() if low < p / end < high}
        sheet.narrow("words", screen, **style.ticks(inner, inner.values()))
    for x, text, side in ((0.0, f"m = {MEMORY_STEPS[0]:g}", "left"), (1.0, legend.last or texts[end], "right")):
        sheet.note("words", text, x, 0.0, "xy", xanchor=side, yanchor="top")
    whose = f"regret of {legend.front[1]} so far"
    axes = f"{whose}{'' if theme.lecture else ' (reward units)'}, by memory m ({legend.means})"
    sheet.headline("regret", axes, color=theme.soft_ink, narrow=whose)
    if line is None:
        sheet.note("regret", "the first runs are being played", 0.5, 0.5, inside="xy", color=theme.soft_ink)
        sheet.curve("regret", [0.0], [None], theme.grey, 0)  # Plotly draws no axes that carry nothing
    else:
        medians = line.median[:, clock.index]
        _curve(sheet, sweep, legend, line, clock)
        _level(sheet, sweep, clock, (end, top))
        _you(sheet, legend, medians, top)
        _words(sheet, legend, medians, words, end)


def _curve(sheet: Sheet, sweep: MemorySweep, legend: Legend, line: RegretVsMemory, clock: FilmFrames) -> None:
    """Draw the medians of the seeds, and behind them GP-UCB, where no memory on the axis is endless."""
    theme, k, there = sheet.theme, line.seeds, np.unique(legend.places)
    medians = line.median[there][:, clock.index]
    sheet.curve(
        "regret",
        there.astype(float),
        medians.T,
        theme.ink,
        theme.line,
        mode="lines+markers",
        marker=style.marker(theme.ink, DOT * theme.marker, opacity=1),
        cliponaxis=False,
        hoverinfo="all",
        hovertemplate=f"%{{x}}: %{{y:.1f}}<extra>{f'median of {k} seeds' if k > 1 else 'one seed'}</extra>",
    )
    for i, place in enumerate(legend.places):
        sheet.shows(regret_name(MEMORY_STEPS[i]), "y", place)
    never = sweep.level("gp")
    if legend.has_limit and never is not None and legend.never is not None and legend.never > there[-1]:
        last = np.stack([medians[-1], never[clock.index]], axis=1)
        sheet.curve("regret", [float(there[-1]), float(legend.never)], last, theme.ink, theme.line, "dot")
        sheet.dots(
            "regret", [float(legend.never)], last[:, 1:], theme.ink, DOT * theme.marker, opacity=1, cliponaxis=False
        )
        sheet.shows(regret_name(), "y", 0)


def _level(sheet: Sheet, sweep: MemorySweep, clock: FilmFrames, corner: tuple[int, float]) -> None:
    """Draw the regret of the method that is told nothing, which has no memory to set, as a level.

    Args:
        corner: the last memory, and the highest regret of the panel.
    """
    level, (end, top) = sweep.level(), corner
    if level is None:
        return
    theme, name = sheet.theme, METHODS[TOLD_NOTHING]
    hue, now = theme.method(name), level[clock.index]
    sheet.curve(
        "regret", [0.0, float(end)], np.stack([now, now], axis=1), hue, theme.line, PALETTE[name].dash, meta=name
    )
    sheet.shows(LEVEL, "y", 0)
    text = tuple((f"{name}: {amount(float(one))}",) for one in now)
    sheet.words("regret", [float(end)], now[:, None] + LIFT * top, text, hue, "top left")


def _you(sheet: Sheet, legend: Legend, medians: np.ndarray, top: float) -> None:
    """Draw the reader's memory as a ball on a stem, solid for what it pays too much, and the lowest point."""
    theme, hue, places = sheet.theme, sheet.theme.method(legend.front[1]), np.asarray(legend.places, dtype=float)
    best, here = medians.argmin(axis=0), legend.place
    least, low = medians.min(axis=0), places[best]
    pays = np.array([np.interp(here, places, one) for one in medians.T])
    foot = np.minimum(least, pays)
    sheet.cursor("regret", here, np.stack([0 * foot, foot], axis=1), style.faded(hue, 0.35), 1.6 * theme.line)
    sheet.cursor("regret", here, np.stack([foot, pays], axis=1), hue, 1.6 * theme.line)
    apart = (medians.max(axis=0) > EARLY * top) & (low != here)  # else it would lie along the curve
    level = np.stack([low, np.full(len(low), here)], axis=1), np.where(apart, least, np.nan)[:, None].repeat(2, axis=1)
    sheet.curve("regret", *level, theme.soft_ink, 1.2, "dash")
    sheet.dots(
        "regret", low[:, None], least[:, None], theme.ink, DOT * theme.marker, opacity=1, cliponaxis=False, meta=LEAST
    )
    sheet.shows("best m", "x", 0, lambda m: legend.places[list(MEMORY_STEPS).index(round(m))])
    rim = RIM[theme.lecture]
    sheet.dots(
        "regret",
        [here],
        pays[:, None],
        hue,
        BALL[theme.lecture] + rim,
        rim=(rim, theme.paper),
        opacity=1,
        cliponaxis=False,
        meta=f"m = {legend.m:g}",
    )


def _words(sheet: Sheet, legend: Legend, medians: np.ndarray, texts: Mapping[str, Sequence[str]], end: int) -> None:
    """Write what is paid under the ball, under the lowest point and under both ends, in one row below the curve."""
    theme, here = sheet.theme, legend.place
    low = np.asarray(legend.places, dtype=float)[medians.argmin(axis=0)]
    mine = "middle right" if here == 0 else "middle left" if here == end else "middle center"
    for name, x, colour, side in (
        ("short", [0.0], theme.soft_ink, "middle right"),
        ("long", [float(end)], theme.soft_ink, "middle left"),
        ("least", low[:, None], theme.ink, "middle center"),
        ("you", [here], theme.method(legend.front[1]), mine),
    ):
        sheet.words("words", x, [0.3], tuple((one,) for one in texts[name]), colour, side)
