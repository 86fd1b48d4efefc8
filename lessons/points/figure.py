"""The stage: a hidden curve, the observations, the estimate with its band, and the place where the band is highest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.formats import percent, two_decimals
from figures import theme as style
from figures.end_labels import end_labels
from figures.film import Film
from figures.sheet import Sheet, strokes
from figures.theme import Theme
from lessons.points.model import Points

CURVE, NAMES = "curve", "names"  # panels: the stage, and the names of its lines at their ends
SHARES = {False: 0.86, True: 0.82}  # of the width, for the curve: at the desk, and in lecture type
NARROW = {"medium": {False: 0.72, True: 0.64}, "narrow": {False: 0.66, True: 0.5}}  # on a tablet and on a phone
TALL = 1.6  # lines of text between two names: a phone on its side is so much lower
HEAD = {False: 0.2, True: 0.3}  # of the axis of rewards, for words above the highest point of the band
BAND, ESTIMATE, REWARD, OBSERVATIONS, NEXT = "band", "estimate", "reward", "observation|observations", "highest point"
MISSED = "misses|outside"
HIDDEN = "reward (hidden<br>from the learner)"
LEVEL, HIGHEST, WAS = (
    "the band is equally high everywhere:<br>the first query",
    "the band is highest here:<br>the next query",
    "the band was highest here:<br>the learner's query",
)
SEEN, LIFT = 0.05, 0.02  # of the axis of rewards: shorter lines have no name; from the band to the mark above it
ASIDE, ROOM = 0.015, 0.24  # of the axis of actions: from a mark to the words beside it; half of two long lines


def stage(film: Points, unseen: bool, frames: Sequence[int], theme: Theme, frame: int) -> Film:
    """Draw the band after so many observations in each frame; `frame` is the one that the figure shows.

    Args:
        unseen: hide the reward, and where the band is highest until the reader has queried.
    """
    rows, sheet = np.array(frames), Sheet(theme, frame)
    sheet.margins(style.HANG, 8, 1.2 * theme.tick, 2.9 * theme.label)
    _panels(sheet, film)
    _band(sheet, film, rows, unseen)
    if not unseen:
        _regret(sheet, film, rows)
    _observations(sheet, film, rows, unseen)
    _highest(sheet, film, rows, unseen)
    return sheet.film()


def _panels(sheet: Sheet, film: Points) -> None:
    """Lay out the curve, and right of it the room for names."""
    theme, share = sheet.theme, SHARES[sheet.theme.lecture]
    upper, lower, heard = film.mean + film.half, film.mean - film.half, film.history.y
    low, high = min(lower.min(), film.f.min(), heard.min()), max(upper.max(), film.f.max(), heard.max())
    up = {"range": [float(low), float(high + HEAD[theme.lecture] * (high - low))], "nticks": 6}
    across = {"range": [0.0, 1.0], "showgrid": False, "title": "action x", **style.ticks([0, 0.5, 1])}
    sheet.panel(CURVE, [0.0, share], [0.0, 1.0], across, {**up, "title": "reward"})
    sheet.panel(NAMES, [share, 1.0], [0.0, 1.0], {"range": [0.0, 1.0], **style.BARE}, {**up, **style.BARE})
    for screen, part in NARROW.items():
        sheet.narrow(CURVE, screen, domain=[0.0, part[theme.lecture]])
        sheet.narrow(NAMES, screen, domain=[part[theme.lecture], 1.0])


def _band(sheet: Sheet, film: Points, rows: np.ndarray, unseen: bool) -> None:
    """Draw the band with the estimate in it, the reward, and what of it lies outside; and their names."""
    theme, x, f, hue = sheet.theme, film.x, film.f, sheet.theme.role("keeps")
    mean, half, always = film.mean[rows], film.half[rows], {"y": np.ones(len(rows) - 1, dtype=bool)}
    around, up = np.r_[x, x[::-1]], np.concatenate([mean + half, (mean - half)[:, ::-1]], axis=1)
    sheet.draw(CURVE, {**style.filled(around, up, style.faded(hue, 0.18)), "meta": BAND}, always)
    sheet.curve(CURVE, x, mean + half, hue, 1.2, glides=always, meta=BAND)
    if not unseen:
        near = np.where(film.outside[rows], np.clip(f, mean - half, mean + half), f)
        back = np.broadcast_to(f[::-1], near.shape)
        red = style.filled(around, np.concatenate([near, back], axis=1), theme.missed)
        sheet.draw(CURVE, {**red, "meta": MISSED}, always)
        sheet.curve(CURVE, x, f, theme.ink, 0.8 * theme.truth_line, meta=REWARD)
    dash = f"2px,{1.8 * theme.line}px"
    sheet.curve(CURVE, x, mean, hue, theme.line, dash, glides=always, meta=ESTIMATE)
    ends = [mean[:, -1], (mean + half)[:, -1], *([] if unseen else [np.broadcast_to(f[-1], len(rows))])]
    names, colours = ["estimate", "band", HIDDEN][: len(ends)], [hue, hue, theme.ink][: len(ends)]
    places = np.zeros((len(rows), len(ends))), np.stack(ends, axis=1)
    end_labels(sheet, NAMES, places, 0.06, [names] * len(rows), colours, tall=TALL)


def _regret(sheet: Sheet, film: Points, rows: np.ndarray) -> None:
    """Draw the regret of the round: from the reward of its query up to the highest reward; and how much is outside."""
    theme, x, f, before = sheet.theme, film.x, film.f, np.maximum(rows - 1, 0)
    arms, top = film.history.arms[before], float(f.max())
    low, high = sheet.span(CURVE, "y")
    gone = (rows == 0) | (top - f[arms] < SEEN * (high - low))
    at, foot = np.where(rows, x[arms], np.nan), np.where(gone, np.nan, f[arms])
    ends = np.stack([foot, np.where(gone, np.nan, top)], axis=1)
    sheet.cursor(CURVE, at, ends, theme.soft_ink, theme.line, meta="regret")
    sheet.shows("last queried at x", "x", 0)
    level = np.stack([at, np.full(len(at), x[f.argmax()])], axis=1)
    sheet.curve(CURVE, level, np.where(gone, np.nan, top)[:, None] * [1, 1], theme.soft_ink, 1.5, "4px,4px")
    text = [f"regret of<br>this round: {two_decimals(gap)}" for gap in film.history.regret[before]]
    _write(sheet, at, foot + 0.5 * (top - foot), text, theme.ink, "middle")
    share = film.outside[rows].mean(axis=1)
    gap = np.where(film.outside[rows], np.abs(f - film.mean[rows]) - film.half[rows], 0.0)
    worst = gap.argmax(axis=1)
    out = np.where(share > 0, f[worst], np.nan)
    _write(sheet, x[worst], out, [f"outside: {percent(one)}" for one in share], theme.missed, "middle")


def _write(
    sheet: Sheet, at: np.ndarray, up: np.ndarray, text: Sequence[str], ink: str, height: str, room: float = 0.5
) -> None:
    """Write words at places, one a frame, none where `up` is NaN; nearer than `room` to an end they go away from it."""
    side = np.stack([at <= room, (at > room) & (at <= 1 - room), at > 1 - room], axis=1)
    rows = [[f"<b>{word}</b>" if here else "" for here in row] for word, row in zip(text, side, strict=True)]
    rows = [row if seen else [""] * 3 for row, seen in zip(rows, ~np.isnan(up), strict=True)]
    places = [f"{height} {one}" for one in ("right", "center", "left")]
    sheet.words(CURVE, at[:, None] + ASIDE * np.array([1, 0, -1]), np.repeat(up[:, None], 3, axis=1), rows, ink, places)
    sheet.traces[-1]["textfont"] |= style.halo(sheet.theme)


def _observations(sheet: Sheet, film: Points, rows: np.ndarray, unseen: bool) -> None:
    """Draw the observations so far, those of the reader as diamonds, each with its noise where the reward is shown."""
    theme, x, history = sheet.theme, film.x, film.history
    heard = np.where(np.arange(film.frames) < rows[:, None], history.y, np.nan)
    at = x[history.arms]
    if not unseen:
        ends = strokes(np.broadcast_to(film.f[history.arms], heard.shape), heard)
        sheet.curve(CURVE, strokes(at, at), ends, theme.soft_ink, 2, "3px,2px")
    symbols = ["diamond" if mine else "circle" for mine in film.asked]
    form = {"symbol": symbols, "rim": (1.5, theme.paper), "opacity": 1, "cliponaxis": False, "meta": OBSERVATIONS}
    sheet.dots(CURVE, at, heard, theme.ink, 1.2 * theme.marker, **form)


def _highest(sheet: Sheet, film: Points, rows: np.ndarray, unseen: bool) -> None:
    """Mark where the band is highest; while the reader is asked, where it was highest before the reader's query."""
    theme, hue, of = sheet.theme, sheet.theme.role("keeps"), np.maximum(rows - unseen, 0)
    (low, high), arms = sheet.span(CURVE, "y"), film.choice[of]
    shown = (rows > 0) & film.asked[of] if unseen else np.ones(len(rows), dtype=bool)
    at = np.where((rows > 0) | (not unseen), film.x[arms], np.nan)
    up = np.where(shown, (film.mean + film.half)[of, arms], np.nan) + LIFT * (high - low)
    form = {"symbol": "triangle-down", "opacity": 1, "cliponaxis": False, "meta": NEXT}
    sheet.dots(CURVE, at[:, None], up[:, None], hue, 1.5 * theme.marker, **form)
    sheet.shows("it was highest at x" if unseen else "highest at x", "x", 0)
    words = [WAS if unseen else HIGHEST if row else LEVEL for row in rows]
    _write(sheet, at, up + LIFT * (high - low), words, hue, "top", ROOM)
