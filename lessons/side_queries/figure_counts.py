"""Panels about the number of side queries: its growth with T, and the regret that it buys."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from common.formats import amount
from figures import theme as style
from figures.end_labels import end_labels
from figures.frames import FilmFrames
from figures.race_axes import round_ticks
from figures.sheet import Sheet
from figures.theme import METHODS
from lessons.side_queries.budget import QueryTotals
from lessons.side_queries.model import RE_ASKING, RegretVsQueries

SIGNS = {"GP-UCB": "●", "WGP-UCB": "▲", "SparQ": "☆", "W-SparQ": "★"}  # as text, the markers of figures/theme.py
POWERS = {1: "1", 10: "10", 100: "100", 1000: "10³", 10_000: "10⁴", 100_000: "10⁵", 1_000_000: "10⁶"}


def totals(
    sheet: Sheet,
    found: QueryTotals,
    counts: Mapping[str, np.ndarray],
    alpha: float,
    clock: FilmFrames,
    across: list[float],
    up: list[float],
) -> None:
    """Draw planned totals against T on logarithmic axes, the floor of Thm 5.3, and what is open.

    Args:
        counts: name -> (F,) asked so far in the play, at each frame.
    """
    theme, t = sheet.theme, found.t.astype(float)
    top = 2.5 * float(found.sparq[-1])
    ticks = [v for v in POWERS if 10 <= v < t[-1]]
    x = {
        "type": "log",
        "range": [float(np.log10(t[0])), float(np.log10(t[-1]))],
        **style.ticks(ticks, ["T = 10", *(POWERS[v] for v in ticks[1:])]),
        "showgrid": False,
    }
    rows = [v for v in POWERS if v <= top]
    y = {"type": "log", "range": [0.0, float(np.log10(top))], **style.ticks(rows[::2], [POWERS[v] for v in rows[::2]])}
    sheet.panel("totals", across, up, x, y)
    head = f"<b>side queries N<sub>T</sub></b>, W-SparQ ∝ T<sup>{found.slope:.2f}</sup> ln T"
    sheet.headline("totals", head, size=theme.label)
    w, floor = np.maximum(found.wsparq, 1.0), np.maximum(found.floor, 1.0)
    _regions(sheet, t, w, floor, alpha)
    plum = theme.method("W-SparQ")
    sheet.curve("totals", t, found.sparq, plum, theme.line, METHODS["SparQ"].dash)
    sheet.curve("totals", t, w, plum, theme.line)
    _names(sheet, found, w, alpha)
    for name in RE_ASKING:
        now = np.asarray(clock.times, dtype=float)
        held = np.where((counts[name] > 0) & (now >= t[0]), counts[name], np.nan)
        sheet.dots(
            "totals",
            now[:, None],
            held[:, None],
            plum,
            theme.marker + 4,
            symbol=METHODS[name].symbol,
            opacity=1,
            hovertemplate=f"{name}: %{{y}} side queries in %{{x}} rounds<extra></extra>",
        )
        sheet.shows("t", "x", 0)


def _regions(sheet: Sheet, t: np.ndarray, w: np.ndarray, floor: np.ndarray, alpha: float) -> None:
    """Hatch where sublinear regret is ruled out, shade where the question is open."""
    theme, one = sheet.theme, np.ones(len(t))
    if alpha >= 1 / 3:
        sheet.area("totals", t, w, np.minimum(floor, w) if alpha > 1 else one, style.faded(theme.grey, 0.22))
    if alpha > 1:
        sheet.area(
            "totals",
            t,
            floor,
            one,
            style.faded(theme.ink, 0.1),
            **style.hatch(theme.ink, style.faded(theme.ink, 0.08), 0.18),
        )
    if alpha >= 1 / 3:
        colour, dash = (theme.ink, "dashdot") if alpha > 1 else (theme.soft_ink, "dot")
        sheet.curve("totals", t, floor, colour, 2.0, dash)


def _names(sheet: Sheet, found: QueryTotals, w: np.ndarray, alpha: float) -> None:
    """Write the names of lines and regions at places where they are apart."""
    theme, t = sheet.theme, found.t
    plum = theme.method("W-SparQ")
    right, far = (int(np.searchsorted(t, v)) for v in (9_000, 22_000))  # beyond the stars of any play
    end = {"xanchor": "right", "xshift": -6}

    def note(text: str, i: int, value: float, **more: object) -> None:
        sheet.note("totals", text, float(np.log10(t[i])), float(np.log10(max(value, 1.0))), **more)

    note("SparQ", right, found.sparq[right], xanchor="right", yanchor="bottom", color=plum)
    below = w[far] * w[far] > found.sparq[far] * found.floor[far]  # where there is more room
    note(
        "W-SparQ", -1, 1.2 * w[right] if below else 1.2 * w[-1], yanchor="top" if below else "bottom", color=plum, **end
    )
    if alpha < 1 / 3:
        between = np.sqrt(w[far] * found.sparq[far])
        note("no side queries needed<br>(Prop. 2.2)", -1, between, color=theme.soft_ink, bgcolor=theme.paper, **end)
        return
    note("open question", -1, w[far] ** 0.3 * found.floor[far] ** 0.7, color=theme.soft_ink, **end)
    if alpha > 1:
        note("proved: too few", -1, 6.0, color=theme.ink, bgcolor=theme.paper, **end)


def regret_vs_queries(
    sheet: Sheet, found: RegretVsQueries, clock: FilmFrames, across: list[float], up: list[float]
) -> None:
    """Draw regret so far against questions so far: a mark a method (median), a ring a seed."""
    theme, names = sheet.theme, list(found.regret)
    rows = clock.index
    far = max(float(np.median(found.questions[n][:, -1])) for n in names) or 1.0
    high = max(float(np.median(found.regret[n][:, -1])) for n in names) or 1.0
    seeds = max(float(np.quantile(found.regret[n][:, -1], 0.8)) for n in names)
    high = 1.12 * max(high, min(seeds, 1.6 * high))
    ticks = round_ticks(high, 4)
    x = {
        "range": [-0.05 * far, (1.75 if theme.lecture else 1.6) * far],
        "title": "side queries",
        "tickvals": round_ticks(far, 3),
        "showgrid": False,
    }
    sheet.panel("regret", across, up, x, {"range": [-0.06 * high, high], "tickvals": ticks})
    sheet.headline("regret", "<b>regret R<sub>t</sub> against side queries</b>", size=theme.label)
    colours = [theme.method(n) for n in names]
    if len(found.regret[names[0]]) > 1:
        _seeds(sheet, found, names, rows)
    at = np.stack([np.median(found.questions[n][:, rows], axis=0) for n in names], axis=1)
    loss = np.stack([np.median(found.regret[n][:, rows], axis=0) for n in names], axis=1)
    symbols = [METHODS[n].symbol for n in names]
    rims = [2 if symbol.endswith("open") else 0 for symbol in symbols], colours
    sheet.dots(
        "regret",
        at,
        loss,
        colours,
        theme.marker + 4,
        symbol=symbols,
        rim=rims,
        opacity=1,
        cliponaxis=False,
        text=names,
        hovertemplate="%{text}: %{x:.0f} side queries, regret %{y:.3g}<extra></extra>",
    )
    for i, name in enumerate(names):
        sheet.shows(f"{name}: regret", "y", i)
    _labels(sheet, names, at, loss, far)


def _seeds(sheet: Sheet, found: RegretVsQueries, names: list[str], rows: np.ndarray) -> None:
    """Draw a ring a seed."""
    theme = sheet.theme
    k = len(found.regret[names[0]])
    x = np.concatenate([found.questions[n][:, rows] for n in names]).T.astype(float)
    y = np.concatenate([found.regret[n][:, rows] for n in names]).T
    colour = [style.faded(theme.method(n), 0.55) for n in names for _ in range(k)]
    sheet.dots("regret", x, y, colour, max(theme.marker - 4, 5), symbol="circle-open")


def _labels(sheet: Sheet, names: list[str], at: np.ndarray, loss: np.ndarray, far: float) -> None:
    """Write names with their regret right of all marks, each joined to its mark."""
    colours = [sheet.theme.method(n) for n in names]
    text = [_named(names, row) for row in loss]
    end_labels(sheet, "regret", (at + 0.03 * far, loss), 1.08 * far, text, colours, joined=True)


def _named(names: list[str], values: np.ndarray) -> tuple[str, ...]:
    """Return the texts of one frame."""
    return tuple(f"{SIGNS[name]} {name} <b>{amount(v)}</b>" for name, v in zip(names, values, strict=True))
