"""The view of drift: regret against memory for several drift budgets, beside the two terms of Theorem 5."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import theme as style
from figures.end_labels import end_labels
from figures.film import Film
from figures.frames import FilmFrames
from figures.race_axes import round_ticks
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.forgetting.best_memory import BestMemory
from lessons.forgetting.knobs import MEMORY_STEPS

BOWLS, TERMS = (0.0, 0.47), (0.63, 0.89)  # of the width; names stand to the right of each
LEAST, PAPER = "best memory|lowest median", "Theorem 5"  # what sentences call them
EDGE = 0.15  # of the step from a memory to the next, beside the first; names begin as far behind the last
ABOVE = 3.0  # times the least sum, at which the axis of the terms ends: a term that rises further leaves it


def stage(found: BestMemory, name: str, texts: Sequence[str], clock: FilmFrames, theme: Theme, frame: int) -> Film:
    """Return the curves of all budgets with their lowest points joined, and the two terms with their sum.

    Args:
        name: of the method.   texts: words at the lowest point of the reader's budget, one a frame.
    """
    sheet = Sheet(theme, frame)
    sheet.margins(style.HANG, 0.5 * theme.tick, 1.75 * theme.label, 3.0 * theme.label)
    there = np.unique(found.places)
    axis = {
        "range": [-EDGE, float(there[-1]) + 1.5 * EDGE],  # a name begins within it
        "title": "memory m",
        "showgrid": False,
        **style.ticks(there.tolist(), [f"{MEMORY_STEPS[place]:g}" for place in there]),
    }
    _bowls(sheet, found, name, texts, clock, axis, there)
    _terms(sheet, found, axis, there)
    return sheet.film()


def _bowls(
    sheet: Sheet,
    found: BestMemory,
    name: str,
    texts: Sequence[str],
    clock: FilmFrames,
    axis: dict,
    there: np.ndarray,
) -> None:
    """Draw regret so far against memory, a curve a budget, the reader's in the colour of its method."""
    theme, hue = sheet.theme, sheet.theme.method(name)
    there_now = {w: curve.median[there][:, clock.index].T for w, curve in enumerate(found.curves) if curve is not None}
    # The axis is that of the horizon: a frame that follows a slider has one row, and keeps the axis of its film.
    last = [float(curve.median[there, -1].max()) for curve in found.curves if curve is not None]
    top = max(last, default=1.0) * 1.1 or 1.0
    y = {"range": [0.0, top], "tickvals": round_ticks(top, 4)}
    sheet.panel("bowls", BOWLS, (0.0, 1.0), axis, y)
    sheet.narrow("bowls", domain=[0.0, 0.36])
    sheet.headline("bowls", f"<b>Measured</b>: regret of {name} so far", narrow="<b>Measured</b> regret")
    if not there_now:
        sheet.note("bowls", "the first runs are being played", 0.5, 0.5, inside="xy", color=theme.soft_ink)
        sheet.curve("bowls", [0.0], [None], theme.grey, 0)  # Plotly draws no axes that carry nothing
        return
    for w, some in there_now.items():
        yours = w == found.yours
        colour = hue if yours else style.faded(theme.ink, 0.35)
        sheet.curve("bowls", there.astype(float), some, colour, theme.line + 1.5 * yours)
    least = {w: (there[some.argmin(axis=1)].astype(float), some.min(axis=1)) for w, some in there_now.items()}
    low, pays = (np.stack([one[i] for one in least.values()], axis=1) for i in (0, 1))
    sheet.curve("bowls", low, pays, theme.ink, 1.2, "dash")
    sheet.dots("bowls", low, pays, theme.ink, theme.marker, opacity=1, cliponaxis=False, meta=LEAST)
    for i, w in enumerate(least):
        sheet.shows(f"{found.names[w]}: least regret", "y", i)
    ends = (
        np.full((len(clock.rows), len(there_now)), float(there[-1])),
        np.stack([some[:, -1] for some in there_now.values()], axis=1),
    )
    names = [found.names[w].replace("V_T", "V<sub>T</sub>") for w in there_now]
    colours = [hue if w == found.yours else theme.soft_ink for w in there_now]
    end_labels(sheet, "bowls", ends, float(there[-1]) + EDGE, [names] * len(clock.rows), colours)
    if found.yours in least:
        x, y_low = least[found.yours]
        words = tuple((text,) for text in texts)
        sheet.words("bowls", x[:, None], y_low[:, None], words, hue, "bottom center")


def _terms(sheet: Sheet, found: BestMemory, axis: dict, there: np.ndarray) -> None:
    """Draw both terms and their sum at the reader's budget, and where the theorem's own interval stands."""
    theme, total = sheet.theme, found.terms[there]
    top = min(float(total.max()), ABOVE * float(total.min())) * 1.05 or 1.0
    sheet.panel("terms", TERMS, (0.0, 1.0), axis, {"range": [0.0, top], "tickvals": round_ticks(top, 4)})
    few = there[::2]
    ticks = style.ticks(few.tolist(), [f"{MEMORY_STEPS[place]:g}" for place in few])
    sheet.narrow("terms", domain=[0.6, 0.8], tickangle=0, **ticks)
    sheet.headline(
        "terms", "<b>Proved</b> for R-PERP: two terms, constants left out", narrow="<b>Proved</b>: two terms"
    )
    lines = (
        ("sum", total, theme.ink, theme.line + 1.5, "solid"),
        ("V<sub>T</sub>H", found.stale[there], theme.role("drift"), theme.line, "solid"),
        ("T√(Γ<sub>H</sub>/H)", found.noise[there], theme.grey, theme.line, "dash"),
    )
    for _, values, colour, wide, dash in lines:
        sheet.curve("terms", there.astype(float), values, colour, wide, dash)
    low = int(total.argmin())
    sheet.dots("terms", [float(there[low])], [float(total[low])], theme.ink, theme.marker, opacity=1)
    m = np.asarray(MEMORY_STEPS, dtype=float)[there]
    at = float(np.interp(np.log(max(found.H / 2, m[0])), np.log(m), there.astype(float)))
    sheet.cursor("terms", at, [0.0, top], theme.soft_ink, 1.5, "dot", meta=PAPER)
    left = at > 0.4 * there[-1]  # where no curve is
    sheet.note(
        "terms",
        f"Theorem 5:<br>H = {found.H}",
        at,
        0.98,
        inside="y",
        xanchor="right" if left else "left",
        xshift=-4 if left else 4,
        yanchor="top",
        align="right" if left else "left",
        color=theme.soft_ink,
        bgcolor=theme.paper,
    )
    ends = np.full((1, 3), float(there[-1])), np.array([[min(float(v[-1]), top) for _, v, *_ in lines]])
    end_labels(sheet, "terms", ends, float(there[-1]) + EDGE, [[n for n, *_ in lines]], [c for _, _, c, *_ in lines])
