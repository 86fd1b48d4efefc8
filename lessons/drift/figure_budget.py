"""The drift budget of a world: drift so far above, the largest change of each step below."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.formats import amount
from figures import theme as style
from figures.frames import FilmFrames
from figures.sheet import Sheet
from lessons.drift.model import Side

DASH = {"first": "solid", "second": "dash"}
DOTS = {"spent": "V_t", "steps": "largest change"}  # panel -> fact that its dots show
MIN_PIXELS = 360  # height of the panels on the smallest screen
SAME_SHARE = 0.01  # totals closer than this share of the larger one are called equal


def panels(sheet: Sheet, sides: Sequence[Side], clock: FilmFrames, across: Sequence[float], up: float) -> None:
    """Lay out and draw both panels in the columns `across`; the upper one starts at the height `up`."""
    theme, T = sheet.theme, clock.horizon
    most, longest = max(s.drift.spent[-1] for s in sides), max(s.drift.steps.max() for s in sides)
    time = {"range": [0.5 - 0.01 * T, T + 0.5 + 0.01 * T], "nticks": 4, "showgrid": False}
    head = 1.9 * theme.label / MIN_PIXELS
    sheet.panel("spent", across, [up, 1.0], {**time, "showticklabels": False}, {"nticks": 4})
    # Above the lines stands the name of one, and above that the total of both.
    above = (len(sides) + 0.3) * sheet.line_share("spent") * theme.label / theme.tick
    sheet.frame[f"yaxis{sheet.axes['spent']}"]["range"] = [-0.04 * (most or 1), (most or 1) / (1 - above)]
    sheet.panel("steps", across, [0.0, up - head - 0.01], {**time, "title": "time t"}, {"nticks": 3})
    written = (len(sides) + 0.8) * sheet.line_share("steps")  # the largest steps stand above every line
    sheet.frame[f"yaxis{sheet.axes['steps']}"]["range"] = [0, (longest or 1) / (1 - written)]
    sheet.headline("spent", "drift so far, V<sub>t</sub>")
    sheet.headline("steps", "each step: max<sub>x</sub>|f<sub>t</sub> − f<sub>t−1</sub>|")
    times = np.arange(1, T + 1, dtype=np.float32)
    for side in sides:
        _lines(sheet, side, times)
    _rods(sheet, sides, clock)
    _cursor(sheet, "spent", sides, clock, [s.drift.spent for s in sides])
    _cursor(sheet, "steps", sides, clock, [s.drift.steps for s in sides])
    _labels(sheet, sides, most)
    _largest(sheet, sides)


def _largest(sheet: Sheet, sides: Sequence[Side]) -> None:
    """Write the largest step of each world into the corner of the lower panel, where the cursor passes behind it."""
    said = []
    for side in sides:
        name = f"{side.short}: " if len(sides) > 1 else ""
        words = f"{name}at most {amount(float(side.drift.steps.max()))}"
        said.append(f'<span style="color:{sheet.theme.world(side.kind)}">{words}</span>')
    corner = {
        "xanchor": "left",
        "yanchor": "top",
        "xshift": 6,
        "yshift": -2,
        "align": "left",
        "bgcolor": sheet.theme.paper,
    }
    sheet.note("steps", "<br>".join(said), 0, 1, inside="xy", **corner)


def _lines(sheet: Sheet, side: Side, times: np.ndarray) -> None:
    """Draw both lines of a world."""
    theme = sheet.theme
    colour = theme.world(side.kind)
    # Stairs where a step is wide enough to be seen: drift is spent in a round, not between two.
    sheet.curve(
        "spent",
        times,
        side.drift.spent.astype(np.float32),
        colour,
        theme.line + 0.5,
        DASH[side.role],
        shape="hv" if len(times) <= 100 else "linear",
        meta=side.short,
        hoverinfo="all",
        customdata=times,
        hovertemplate="t = %{x}: %{y:.2f}<extra></extra>",
    )
    sheet.shows(f"{side.short} V_T", "y", len(times) - 1)
    sheet.curve(
        "steps",
        times,
        side.drift.steps.astype(np.float32),
        colour,
        1.5,
        shape="hvh",
        meta=side.short,
        fill="tozeroy",
        fillcolor=style.faded(colour, 0.25),
    )


def _rods(sheet: Sheet, sides: Sequence[Side], clock: FilmFrames) -> None:
    """Draw the step that ends now, as a rod that is being added to the drift so far."""
    for side in sides:
        step, spent = side.drift.steps[clock.index], side.drift.spent[clock.index]
        ends = np.stack([spent - step, spent], axis=1)
        colour = sheet.theme.world(side.kind)
        sheet.cursor("spent", np.asarray(clock.times), ends, colour, 2 * sheet.theme.line, meta=side.short)


def _cursor(sheet: Sheet, panel: str, sides: Sequence[Side], clock: FilmFrames, values: Sequence[np.ndarray]) -> None:
    """Draw the line of now across a panel, and after a gap in the same trace a dot on each world's line.

    Between two rounds the dots keep their height: drift is spent in a round.
    """
    theme, count = sheet.theme, len(sides)
    low, high = sheet.span(panel, "y")
    now = np.repeat(np.asarray(clock.times)[:, None], 3 + count, axis=1)
    y = np.stack([np.broadcast_to(v, len(now)) for v in (low, high, np.nan)], axis=1)
    dots = np.stack([v[clock.index] for v in values], axis=1)
    colours = [theme.ink] * 3 + [theme.world(s.kind) for s in sides]
    mark = style.marker(colours, [0, 0, 0] + [theme.marker] * count, rim=(1.5, theme.paper), opacity=1)
    sheet.curve(
        panel,
        now,
        np.concatenate([y, dots], axis=1),
        theme.ink,
        1.5,
        glides={"x": clock.always},
        mode="lines+markers",
        marker=mark,
    )
    sheet.shows("t", "x", 0)
    for i, side in enumerate(sides, start=3):
        sheet.shows(f"{side.short} {DOTS[panel]}", "y", i)


def _labels(sheet: Sheet, sides: Sequence[Side], most: float) -> None:
    """Write each line's name at its end, or where two lines that end together are furthest apart.

    The cursor passes behind the names.
    """
    theme, spent = sheet.theme, [side.drift.spent for side in sides]
    T, ends = len(spent[0]), [float(line[-1]) for line in spent]
    bold = [f"<b>{s.short}</b>" for s in sides]
    end = {"xanchor": "right", "xshift": -6, "size": theme.label, "bgcolor": theme.paper}
    if len(sides) == 1:
        words = f"V<sub>T</sub> = {amount(ends[0])}"
        sheet.note("spent", words, T, ends[0], yanchor="bottom", color=theme.world(sides[0].kind), **end)
        return
    if abs(ends[0] - ends[1]) > SAME_SHARE * max(ends):
        low = int(ends[1] < ends[0])
        for i, side in enumerate(sides):
            # Below its line, where the label begins: the line only rises, so it stays above the label.
            under = float(spent[i][int(0.7 * (T - 1))])
            below = i == low and under > 0.2 * most
            sheet.note(
                "spent",
                f"{bold[i]} {amount(ends[i])}",
                T,
                under if below else ends[i],
                color=theme.world(side.kind),
                yanchor="top" if below else "bottom",
                **end,
            )
        return
    together = f"both end at {amount(max(ends))}" if most else "no drift"
    sheet.note("spent", together, 1, 1, inside="xy", yanchor="top", yshift=5, **end)
    apart = np.abs(spent[0] - spent[1])
    floor = np.minimum(*spent) > 0.2 * most  # room for a label under the lower line
    at = int(T - 1 - (apart * floor)[::-1].argmax())
    if apart[at] < 0.08 * (most or 1):  # one line over the other: one label for both
        place = {"xanchor": "left", "yanchor": "bottom", "xshift": 6, "yshift": 3, "bgcolor": theme.paper}
        sheet.note("spent", " = ".join(bold), 1, 0.6 * most, size=theme.label, **place)
        return
    upper = int(spent[1][at] > spent[0][at])
    for i, side in enumerate(sides):
        left = {"xanchor": "right", "yanchor": "bottom", "xshift": -6, "yshift": -4}
        right = {"xanchor": "left", "yanchor": "top", "xshift": 6, "yshift": 2}
        words = {"color": theme.world(side.kind), "size": theme.label, "bgcolor": theme.paper}
        words |= left if i == upper else right
        sheet.note("spent", bold[i], at + 1, float(spent[i][at]), **words)
