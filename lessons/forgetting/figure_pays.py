"""The view of worlds: how much less regret forgetting has than keeping everything, a row a world."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import theme as style
from figures.film import Film
from figures.frames import FilmFrames
from figures.sheet import Sheet, strokes
from figures.theme import Theme
from lessons.forgetting.pays import Comparison
from tvbo_core.race_results import LESS, MORE

NAMES, MOVES, ROWS = (0.0, 0.36), (0.36, 0.46), (0.5, 1.0)  # of the width
CALLED = {LESS: "forgetting", MORE: "keeping", "": "neither"}  # what the sentence calls each colour
LEAST_SPAN = 5.0  # reward units, to which the axis of differences reaches at least


def stage(worlds: Sequence[Comparison], forgets: str, clock: FilmFrames, theme: Theme, frame: int) -> Film:
    """Return a row a world, from the peak that moves least: how far it moves, and the paired difference of regret.

    Args:
        forgets: name of the method that forgets.
    """
    sheet = Sheet(theme, frame)
    sheet.margins(style.HANG, theme.tick, 1.75 * theme.label, 3.0 * theme.label)
    there = [(row, one) for row, one in enumerate(worlds) if one.difference is not None]
    parts = "low", "mean", "high"
    low, mean, high = (
        np.array([np.asarray(getattr(one.difference, part))[clock.index] for _, one in there]).T for part in parts
    )
    rows = {"range": [len(worlds) - 0.4, -0.6], **style.BARE}
    # The axis is that of the horizon: a frame that follows a slider has one row, and keeps the axis of its film.
    last = np.abs([np.asarray(getattr(one.difference, part))[-1] for _, one in there for part in parts])
    span = max(LEAST_SPAN, 1.05 * float(last[np.isfinite(last)].max(initial=0.0)))
    for name, across in (("names", NAMES), ("moves", MOVES)):
        sheet.panel(name, across, (0.0, 1.0), {"range": [0.0, 1.0], **style.BARE}, rows)
    x = {"range": [-span, span], "nticks": 5, "title": f"regret of {forgets} minus that of GP-UCB"}
    sheet.panel("rows", ROWS, (0.0, 1.0), x, rows)
    sheet.narrow("rows", title={"text": "difference in regret"})
    every = [float(row) for row in range(len(worlds))]
    texts = [one.name for one in worlds]
    sheet.words("names", [0.0] * len(worlds), every, texts, theme.ink, "middle right")
    moves = [f"{one.moves:.2f}" for one in worlds]
    sheet.words("moves", [1.0] * len(worlds), every, moves, theme.soft_ink, "middle left")
    sheet.headline("names", "<b>World</b>")
    sheet.headline("moves", "peak moves", x=MOVES[1], xanchor="right", color=theme.soft_ink)
    sheet.headline("rows", "← forgetting has less", color=theme.role("forgets"), narrow="← forgets")
    sheet.headline("rows", "keeping has less →", xanchor="right", color=theme.role("keeps"), narrow="keeps →")
    sheet.rule("rows", theme.soft_ink, 1.5, x=0.0)
    if not there:
        sheet.note("rows", "the first runs are being played", 0.5, 0.5, inside="xy", color=theme.soft_ink)
        sheet.curve("rows", [0.0], [None], theme.grey, 0)  # Plotly draws no axes that carry nothing
        return sheet.film()
    _differences(sheet, there, (low, mean, high), clock)
    return sheet.film()


def _differences(
    sheet: Sheet, there: Sequence[tuple[int, Comparison]], ends: tuple[np.ndarray, ...], clock: FilmFrames
) -> None:
    """Draw each paired difference with its interval, in the colour of the one that has less."""
    theme, (low, mean, high) = sheet.theme, ends
    at = np.array([float(row) for row, _ in there])
    said = np.array([np.asarray(one.difference.verdict)[clock.index] for _, one in there]).T
    for verdict, colour in ((LESS, theme.role("forgets")), (MORE, theme.role("keeps")), ("", theme.grey)):
        here = ~np.isin(said, (LESS, MORE)) if verdict == "" else said == verdict
        left, right = (np.where(here & np.isfinite(end), end, np.nan) for end in (low, high))
        sheet.curve("rows", strokes(left, right), strokes(at, at), colour, 1.6 * theme.line)
        place = np.where(here, mean, np.nan)
        sheet.dots("rows", place, at, colour, 1.2 * theme.marker, opacity=1, meta=CALLED[verdict])
    place = np.array(mean)  # one trace of all, where a chart says where it shows a number
    sheet.dots("rows", place, at, theme.ink, 0.3 * theme.marker, opacity=1)
    for i, (_, one) in enumerate(there):
        sheet.shows(f"{one.name}: difference", "x", i)
