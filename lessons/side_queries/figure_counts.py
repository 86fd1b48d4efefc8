"""The number of side queries: its growth with T."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from figures import theme as style
from figures.frames import FilmFrames
from figures.palette import METHODS
from figures.sheet import Sheet
from lessons.side_queries.model import RE_ASKING
from lessons.side_queries.schedules import QueryTotals

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
