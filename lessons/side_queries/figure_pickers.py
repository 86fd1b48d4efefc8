"""The stage of two ways to pick: both estimates with their answers, what the answers leave open, and the regret."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from common.formats import amount
from figures import theme as style
from figures.end_labels import end_labels
from figures.film import Film
from figures.frames import FilmFrames
from figures.palette import METHODS
from figures.race_axes import round_ticks
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.side_queries import figure
from lessons.side_queries.pickers import AT_RANDOM, WITHOUT, TwoPickers

PICKER_NAMES = {"exact": "k-DPP", "random": "Random"}
LEFT, RIGHT = [0.0, 0.465], [0.535, 1.0]
LOW = [0.72, 1.0]  # share of the height of the estimates where the figure is low
MEDIUM_ROOM = 2.0  # end of the axis of time of the regret over T on a tablet
NAMES_ROOM = 1.3  # end of the axis of time over T, so that names stand at the ends of lines


def stage(found: TwoPickers, estimates: Mapping[str, tuple], clock: FilmFrames, theme: Theme, frame: int) -> Film:
    """Return W-SparQ's estimate with either way to pick, what the answers leave open at each window, and the regret.

    Args:
        estimates: picker -> ((mean, sd), each (F, m), (F,) multiplier of the sd).   clock: rows of the frames.
    """
    sheet = Sheet(theme, frame, hoverdistance=30)
    sheet.margins(4.6 * theme.tick, 12, 1.75 * theme.label, 2.9 * theme.label)
    for picker, across in zip(found.runs, (LEFT, RIGHT), strict=True):
        first, hue = found.runs[picker], colour(theme, picker)
        estimate, width = estimates[picker]
        figure.draw_estimate(sheet, f"now {picker}", (across, [0.62, 1.0]), first, estimate, width, clock, hue)
        sheet.low(f"now {picker}", LOW)
        # The two headlines share the legend: a hall's letters leave no room for it twice.
        points = f"<span style='color:{hue}'>◎ side queries  ● this window</span>"
        legend = "━ true reward" if picker == "random" else points
        sheet.headline(f"now {picker}", f"<b>{PICKER_NAMES[picker]} picks</b>  {legend}", size=theme.tick)
    _left_open(sheet, found, clock)
    _regret(sheet, found, clock)
    return sheet.film()


def colour(theme: Theme, picker: str) -> str:
    """Return the colour of a way to pick; chance is grey."""
    return theme.soft_ink if picker == "random" else theme.method("W-SparQ")


def _left_open(sheet: Sheet, found: TwoPickers, clock: FilmFrames) -> None:
    """Draw the share of the prior variance that the answers of each window leave open, with a cursor."""
    theme, T = sheet.theme, clock.horizon
    stops = [v for v in round_ticks(T, 4) if 0 < v <= T]
    x = {"range": [0.5, NAMES_ROOM * T], "title": "time t", "tickvals": stops, "showgrid": False}
    y = {"range": [0.0, 1.05], **style.ticks([0, 0.5, 1], ["0", "50 %", "100 %"])}
    sheet.panel("open", LEFT, [0.0, 0.36], x, y)
    sheet.headline("open", "<b>unexplained variance</b>", size=theme.tick)
    ends = [float(share[-1]) if len(share) else 1.0 for share in found.open.values()]
    for picker, first in found.runs.items():
        hue, share = colour(theme, picker), found.open[picker]
        at, level = np.append(first.starts + 1, T), np.append(share, share[-1:] if len(share) else 1.0)
        texts = [f"{PICKER_NAMES[picker]}: {100 * v:.0f}\u00a0%" for v in level]
        sheet.curve(
            "open",
            at.astype(np.float32),
            level,
            hue,
            theme.line,
            _dash(picker),
            shape="hv",
            hoverinfo="text",
            hovertext=texts,
            customdata=at,
            meta=f"{PICKER_NAMES[picker]}|{PICKER_NAMES[picker]} picks",
        )
    names, hues = [f"{PICKER_NAMES[p]} picks" for p in found.runs], [colour(theme, p) for p in found.runs]
    end_labels(sheet, "open", (np.full((1, len(ends)), T), np.array([ends])), 1.03 * T, [names], hues)
    now = np.asarray(clock.times, dtype=float)
    sheet.cursor("open", now, np.tile([0.0, 1.05], (len(now), 1)), theme.soft_ink, 1.5, "dot")


def _dash(name: str) -> str:
    """Return the dash of a way to pick; `WITHOUT` has its own."""
    return METHODS[WITHOUT].dash if name == WITHOUT else "dash" if name == "random" else "solid"


def _regret(sheet: Sheet, found: TwoPickers, clock: FilmFrames) -> None:
    """Draw the median regret so far with either way to pick, and without any question; names at the ends."""
    theme, T = sheet.theme, clock.horizon
    middle = found.regrets.medians(range(T))
    high = 1.1 * max(float(m[-1]) for m in middle.values()) or 1.0
    x = {"range": [0, 1.5 * T], "title": "time t", "tickvals": round_ticks(T, 3), "showgrid": False}
    sheet.panel("regret", RIGHT, [0.0, 0.36], x, {"range": [0.0, high], "tickvals": round_ticks(high, 4)})
    sheet.narrow("regret", "medium", range=[0, MEDIUM_ROOM * T])
    sheet.headline("regret", "<b>regret so far, R<sub>t</sub></b>", size=theme.tick)
    names = {**{p: f"{PICKER_NAMES[p]} picks" for p in found.runs}, WITHOUT: WITHOUT}
    hues = {**{p: colour(theme, p) for p in found.runs}, WITHOUT: theme.method(WITHOUT)}
    t = np.arange(1, T + 1, dtype=np.float32)
    for name in names:
        texts = f"{names[name]}, t = %{{x}}: %{{y:.3g}}<extra></extra>"
        sheet.curve(
            "regret",
            t,
            middle[name],
            hues[name],
            theme.line,
            _dash(name),
            hoverinfo=None,
            hovertemplate=texts,
            customdata=t,
            meta=f"{PICKER_NAMES.get(name, name)}|{names[name]}",
        )
    now = np.asarray(clock.times, dtype=float)
    sheet.rect("regret", (now + 0.3, MEDIUM_ROOM * T), (0.0, high), theme.paper)
    values = np.stack([middle[name][clock.index] for name in names], axis=1)
    text = [[f"{names[n]} <b>{amount(v)}</b>" for n, v in zip(names, row, strict=True)] for row in values]
    at = np.repeat(now[:, None], len(names), axis=1)
    end_labels(sheet, "regret", (at, values), at + 0.03 * T, text, list(hues.values()))
    sheet.dots("regret", at, np.minimum(values, high), list(hues.values()), theme.marker, cliponaxis=False)
    sheet.shows("t", "x", 0)
    for i, name in enumerate(("W-SparQ", AT_RANDOM, WITHOUT)):
        sheet.shows(f"{name}: regret", "y", i)
