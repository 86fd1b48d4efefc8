"""The stage of two ways to pick: both estimates with their answers, what the answers leave open, and the regret."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from figures import theme as look
from figures.film import Film
from figures.frames import FilmFrames, amount
from figures.race_axes import round_ticks, spread
from figures.sheet import Sheet
from figures.theme import METHODS, Theme
from lessons.side_queries import figure
from lessons.side_queries.figure_window import PICKER_NAMES
from lessons.side_queries.pickers import WITHOUT, TwoPickers

LEFT, RIGHT = [0.0, 0.465], [0.535, 1.0]
NAMES_ROOM = 1.3  # end of the axis of time over T, so that names stand at the ends of lines


def stage(found: TwoPickers, estimates: Mapping[str, tuple], clock: FilmFrames, theme: Theme, drawn: int) -> Film:
    """Return W-SparQ's estimate with either way to pick, what the answers leave open at each window, and the regret.

    Args:
        estimates: picker -> ((mean, sd), each (F, m), (F,) multiplier of the sd).   clock: rows of the frames.
    """
    sheet = Sheet(theme, drawn, look.layout(theme, None, hoverdistance=30))
    sheet.frame["margin"] = {
        "l": int(4.6 * theme.tick), "r": 12, "t": int(1.75 * theme.label), "b": int(2.9 * theme.label),
    }  # fmt: skip
    for picker, across in zip(found.runs, (LEFT, RIGHT), strict=True):
        first, hue = found.runs[picker], colour(theme, picker)
        estimate, width = estimates[picker]
        figure.draw_estimate(sheet, f"now {picker}", (across, [0.56, 1.0]), first, estimate, width, clock, hue)
        text = (f"<b>{PICKER_NAMES[picker]} picks</b>: <span style='color:{hue}'>◎ re-asked  ● heard in this "
                "window</span>  <b>━ true reward</b>")  # fmt: skip
        sheet.headline(f"now {picker}", text, size=theme.tick)
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
    y = {"range": [0.0, 1.05], "tickvals": [0, 0.5, 1], "ticktext": ["0", "50 %", "100 %"]}
    sheet.panel("open", LEFT, [0.0, 0.36], x, y)
    sheet.headline("open", "<b>what the answers leave open</b>, share of the prior variance", size=theme.tick)
    ends = [float(share[-1]) if len(share) else 1.0 for share in found.open.values()]
    places = spread(np.array([ends]) / 1.05, 0.16)[0] * 1.05
    for (picker, first), place in zip(found.runs.items(), places, strict=True):
        hue, share = colour(theme, picker), found.open[picker]
        line = look.line(np.append(first.starts + 1.0, T).astype(np.float32),
                         np.append(share, share[-1:] if len(share) else 1.0).astype(np.float32), hue, theme.line,
                         _dash(picker))  # fmt: skip
        line["line"]["shape"] = "hv"
        said = {"hoverinfo": None, "hovertemplate": f"{PICKER_NAMES[picker]}: %{{y:.0%}}<extra></extra>"}
        sheet.still("open", {**line, **said, "customdata": np.append(first.starts + 1, T)})
        sheet.note("open", f"{PICKER_NAMES[picker]} picks", T, float(place), xanchor="left", yanchor="middle", xshift=5,
                   color=hue)  # fmt: skip
    now = np.repeat(np.asarray(clock.times, dtype=float)[:, None], 2, axis=1)
    height = np.repeat([[0.0, 1.05]], len(now), axis=0)
    sheet.moving("open", look.line(None, None, theme.soft_ink, 1.5, "dot"), x=now, y=height)


def _dash(name: str) -> str:
    """Return the dash of a way to pick; `WITHOUT` has its own."""
    return METHODS[WITHOUT].dash if name == WITHOUT else "dash" if name == "random" else "solid"


def _regret(sheet: Sheet, found: TwoPickers, clock: FilmFrames) -> None:
    """Draw the median regret so far with either way to pick, and without any question; names at the ends."""
    theme, T = sheet.theme, clock.horizon
    middle = found.medians(range(T))
    high = 1.1 * max(float(m[-1]) for m in middle.values()) or 1.0
    x = {"range": [0, 1.5 * T], "title": "time t", "tickvals": round_ticks(T, 3), "showgrid": False}
    sheet.panel("regret", RIGHT, [0.0, 0.36], x, {"range": [0.0, high], "tickvals": round_ticks(high, 4)})
    sheet.headline("regret", "<b>regret so far, R<sub>t</sub></b>", size=theme.tick)
    names = {**{p: f"{PICKER_NAMES[p]} picks" for p in found.runs}, WITHOUT: f"{WITHOUT}, asks nothing"}
    hues = {**{p: colour(theme, p) for p in found.runs}, WITHOUT: theme.method(WITHOUT)}
    t = np.arange(1, T + 1, dtype=np.float32)
    for name in names:
        said = {"hoverinfo": None, "hovertemplate": f"{names[name]}, t = %{{x}}: %{{y:.3g}}<extra></extra>"}
        line = look.line(t, middle[name].astype(np.float32), hues[name], theme.line, _dash(name))
        sheet.still("regret", {**line, **said, "customdata": t})
    now = np.asarray(clock.times, dtype=float)[:, None]
    end = np.full_like(now, 1.5 * T)
    veil = {"type": "scatter", "mode": "lines", "fill": "toself", "fillcolor": theme.paper, "line": {"width": 0},
            "hoverinfo": "skip", "y": [0.0, 0.0, high, high]}  # fmt: skip
    sheet.moving("regret", veil, x=np.concatenate([now + 0.3, end, end, now + 0.3], axis=1))
    values = np.stack([middle[name][clock.index] for name in names], axis=1)
    places = spread(np.clip(values / high, 0.0, 1.0), 0.13 if theme.lecture else 0.11) * high
    words = look.words(None, None, [], theme.ink, theme.tick, "middle right")
    words["textfont"] = {"size": theme.tick, "color": list(hues.values())}
    text = tuple(tuple(f"{names[n]} <b>{amount(v)}</b>" for n, v in zip(names, row, strict=True)) for row in values)
    sheet.moving("regret", words, x=np.repeat(now + 0.03 * T, len(names), axis=1), y=places, text=text)
    dots = {"type": "scatter", "mode": "markers", "hoverinfo": "skip", "cliponaxis": False,
            "marker": {"size": theme.marker, "color": list(hues.values())}}  # fmt: skip
    sheet.moving("regret", dots, x=np.repeat(now, len(names), axis=1), y=np.minimum(values, high))
