"""The stage: three intervals for the next observation side by side, and below them the share of observations inside."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.formats import percent, two_decimals
from figures import theme as style
from figures.end_labels import end_labels
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.online.model import FOLLOWS, FORGETS, KEEPS, LAST, Interval, Online

ROLES = {KEEPS: "keeps", FORGETS: "forgets", FOLLOWS: "shuffles"}
SHARE = "share inside"
# What sentences call the marks.
REWARD, INSIDE, MISSED, OBSERVATIONS = "reward", "inside|observations", "outside|observations", "observations"
CALLED = {"keeps all": "keeping all", "forgets": "forgetting", "adapts to its misses": "adapts to its misses"}
WIDE, STEP = 0.32, 0.34  # of the width: a panel, and from one to the next
UP, DOWN = [0.46, 1.0], [0.0, 0.27]  # of the height: the intervals, and the shares below them
ROOM = {"desk": 1.25, "hall": 1.3, "narrow": 1.8}  # where the axis of rounds ends, in horizons: widths stand there
PAD = 0.45  # of the span of the observations, above and below them
TOP = {"xanchor": "left", "yanchor": "bottom", "yshift": 1}


def stage(film: Online, frames: Sequence[int], theme: Theme, frame: int) -> Film:
    """Draw the intervals after so many observations in each frame; `frame` is the one that the figure shows."""
    sheet, after = Sheet(theme, frame), np.array(frames)
    sheet.margins(3.8 * theme.tick, 8, 1.9 * theme.label, 2.6 * theme.label)
    for i, one in enumerate(film.intervals):
        _interval(sheet, film, one, after, i)
    _shares(sheet, film, after)
    return sheet.film()


def _interval(sheet: Sheet, film: Online, one: Interval, after: np.ndarray, i: int) -> None:
    """Draw an interval as it was said before the newest observation, and whether that fell inside."""
    theme, name, x, y = sheet.theme, one.name, film.history.problem.x[:, 0], film.history.y
    hue, row, at = theme.role(ROLES[name]), np.maximum(after - 1, 0), film.history.arms
    low, high = float(y.min()), float(y.max())
    up = {"range": [low - PAD * (high - low), high + PAD * (high - low)], "nticks": 5, "showticklabels": i == 0}
    marks = {0.0: "0", 0.5: "action x"} if i == 0 else {0.5: "action x", 1.0: "1"} if i == 2 else {0.5: "action x"}
    across = {"range": [0.0, 1.0], "showgrid": False, **style.ticks(marks, marks.values())}
    sheet.panel(name, [STEP * i, STEP * i + WIDE], UP, across, {**up, "title": "reward" if i == 0 else ""})
    short = f"<b>{name.split()[0]}</b>"
    sheet.note(name, f"<b>{name}</b>", 0, 1, "xy", **TOP, color=hue, size=theme.label, narrow=short)
    mean, half = one.mean[row], one.half[row]
    around = np.concatenate([mean + half, (mean - half)[:, ::-1]], axis=1)
    called = f"{CALLED[name]}|every band"
    sheet.draw(name, {**style.filled(np.r_[x, x[::-1]], around, style.faded(hue, 0.2)), "meta": called})
    sheet.curve(name, x, mean + half, hue, 1.2, meta=called)
    sheet.curve(name, x, mean - half, hue, 1.2, meta=called)
    sheet.curve(name, x, film.history.problem.f[row], theme.ink, 0.7 * theme.truth_line, meta=REWARD)
    past = np.arange(len(y)) < row[:, None]
    sheet.dots(name, x[at], np.where(past, y, np.nan), theme.grey, 0.5 * theme.marker, opacity=0.35, meta=OBSERVATIONS)
    heard, missed = np.where(after > 0, y[row], np.nan), one.widths.missed[row]
    for meta, colour, symbol, shown in (
        (INSIDE, theme.ink, "circle", ~missed),
        (MISSED, theme.missed, "x", missed),
    ):
        form = {"symbol": symbol, "opacity": 1, "cliponaxis": False, "meta": meta}
        new = np.where(shown, heard, np.nan)[:, None]
        sheet.dots(name, x[at[row]][:, None], new, colour, 1.5 * theme.marker, **form)


def _shares(sheet: Sheet, film: Online, after: np.ndarray) -> None:
    """Draw the shares of the observations inside so far, with the widths at their ends."""
    theme, t = sheet.theme, np.arange(film.rounds + 1)
    hall = "hall" if theme.lecture else "desk"
    ticks = style.ticks([0, LAST // 2, LAST])
    x = {"range": [0.0, ROOM[hall] * LAST], "title": "observations", **ticks}
    up = {"range": [0.0, 1.05], **style.ticks([0, 0.5, 0.9], ["0", "50 %", "90 %"])}
    sheet.panel(SHARE, [0.0, 1.0], DOWN, x, up)
    sheet.narrow(SHARE, range=[0.0, ROOM["narrow"] * LAST])
    sheet.note(SHARE, "share of the observations inside (●, not ✕) so far", 0, 1, "xy", **TOP, color=theme.soft_ink)
    sheet.curve(SHARE, np.array([0.0, LAST]), np.array([0.9, 0.9]), theme.soft_ink, 1.5, "4px,4px")
    glides = {"x": np.ones(len(after) - 1, dtype=bool)}
    sheet.cursor(SHARE, after.astype(float), [0.0, 1.05], theme.soft_ink, 1, glides=glides)
    sheet.shows("observations", "x", 0)
    ends, text = [], []
    for one in film.intervals:
        share = one.widths.share_inside
        seen = np.where((t <= after[:, None]) & (t > 0), share, np.nan)
        sheet.curve(SHARE, t, seen, theme.role(ROLES[one.name]), theme.line, meta=CALLED[one.name])
        ends.append(np.where(after > 0, share[after], np.nan))
        half = one.half_so_far[np.maximum(after - 1, 0)]
        text.append(
            [
                f"{percent(s)}, mean ±{two_decimals(h)}" if n else ""
                for n, s, h in zip(after, share[after], half, strict=True)
            ]
        )
    places = np.repeat(after[:, None].astype(float), 3, axis=1), np.stack(ends, axis=1)
    colours = [theme.role(ROLES[one.name]) for one in film.intervals]
    beside = after[:, None] + 0.03 * LAST
    end_labels(sheet, SHARE, places, beside, [list(row) for row in zip(*text, strict=True)], colours, tall=1.2)
    sheet.traces[-1]["textfont"] |= style.halo(theme)
