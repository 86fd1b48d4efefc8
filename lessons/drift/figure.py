"""The heat maps: each world's reward now, its history under it, and the cost of its drift beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import spacetime
from figures import theme as style
from figures.film import Film
from figures.frames import FilmFrames
from figures.sheet import Sheet, chained
from figures.theme import Theme
from lessons.drift import figure_budget
from lessons.drift.model import Side, WorldDrift

PAST_CURVES = 5  # times at which a faint curve is kept, from the first to the last
WORLDS_SHARE = 0.705  # of the width; the drift so far takes the rest
GAP_SHARE = 0.016  # of the width, between two worlds
MAX_RINGS = 12
NAME_ASIDE = 0.14  # of the axis of actions: so near the best action no name of a curve stands
BEST = "best action"  # its mark, as the sentences call it


def worlds(sides: Sequence[Side], clock: FilmFrames, theme: Theme, drawn: int) -> Film:
    """Draw one or two worlds over the same actions: curves above their histories, the drift so far beside them.

    A curve and its picture share the axis of actions, so the best action's drop-line runs down into its path.

    Args:
        sides: one or two.   clock: rows of the frames.   drawn: frame that the figure shows.
    """
    sheet = Sheet(theme, drawn, style.layout(theme, None, hoverdistance=30))
    sheet.margins(4.3 * theme.tick, 14, 1.75 * theme.label, 2.9 * theme.label)
    low = min(float(side.drift.problem.f.min()) for side in sides)
    high = max(float(side.drift.problem.f.max()) for side in sides)
    room = max(high - low, 0.5)
    reward = [low - 0.16 * room, high + 0.26 * room]
    width = (WORLDS_SHARE - GAP_SHARE * (len(sides) - 1)) / len(sides)
    for i, side in enumerate(sides):
        across = [i * (width + GAP_SHARE), i * (width + GAP_SHARE) + width]
        _curve(sheet, side, clock, across, reward, first=i == 0)
        _history(sheet, side, clock, across, (low, high), first=i == 0)
    figure_budget.panels(sheet, sides, clock, [WORLDS_SHARE + 0.048, 1.0], up=0.5)
    return sheet.film()


def _curve(
    sheet: Sheet,
    side: Side,
    clock: FilmFrames,
    across: list[float],
    reward: list[float],
    first: bool,
) -> None:
    """Draw the reward now, the curves of other times, the best action with a drop-line, and the rod of this step."""
    theme, drift, name = sheet.theme, side.drift, f"now {side.role}"
    x = drift.x.astype(np.float32)
    title = (drift.unit or "reward f<sub>t</sub>(x)") if first else ""
    up = {"range": reward, "nticks": 5, "showticklabels": first, "title": title}
    sheet.panel(name, across, [0.5, 1.0], {"range": drift.span, "showticklabels": False}, up)
    sheet.headline(name, f"<b>{side.title}</b>", color=theme.world(side.kind), size=theme.label)
    _past(sheet, drift, name)
    f = drift.problem.f.astype(np.float32)
    glides = reward_glides(drift, clock)
    sheet.curve(name, x, f[clock.index], theme.ink, theme.truth_line, glides=glides, meta=side.short)
    _rod(sheet, side, clock, name, reward[1])
    _best(sheet, side, clock, name, reward[0])
    _rings(sheet, drift, clock, name, x)


def _best(sheet: Sheet, side: Side, clock: FilmFrames, name: str, floor: float) -> None:
    """Draw the best action: a dot on the curve and a line down to the axis."""
    theme, drift, best = sheet.theme, side.drift, side.drift.problem.best[clock.index]
    at, top = drift.x[best], drift.problem.f[clock.index, best]
    mark = style.marker(theme.ink, [0, theme.marker + 3], rim=(2, theme.paper), opacity=1)
    words = {"text": ["", "x*"], "textposition": "top center", "textfont": {"size": theme.tick}}
    ends = np.stack([np.full(len(top), floor), top], axis=1)
    sheet.cursor(
        name,
        at,
        ends,
        theme.ink,
        1.5,
        "dot",
        _best_glides(drift, clock),
        mode="lines+markers+text",
        marker=mark,
        meta=BEST,
        cliponaxis=False,
        **words,
    )
    sheet.shows(f"{side.short} x*", "x", 1)


def reward_glides(drift: WorldDrift, clock: FilmFrames) -> dict[str, np.ndarray]:
    """Return between which frames the reward is on its way: in a gliding world, where it does not jump."""
    return {"y": clock.without(jump.t for jump in drift.events.jumps)} if drift.glides else {}


def _best_glides(drift: WorldDrift, clock: FilmFrames) -> dict[str, np.ndarray]:
    """Return between which frames the best action is: where its reward is, and it does not hop to another peak."""
    stays = clock.without(hop.t for hop in drift.events.hops)
    return {axis: way & stays for way in reward_glides(drift, clock).values() for axis in "xy"}


def _past(sheet: Sheet, drift: WorldDrift, name: str) -> None:
    """Draw faint curves of other times in one trace, each ended by a gap."""
    rows = spacetime.even_indices(len(drift.problem.f), PAST_CURVES)
    lines = chained(drift.x, drift.problem.f[rows])
    sheet.curve(name, *lines, sheet.theme.soft_ink, 1.5, "dot")


def _past_names(drift: WorldDrift, clock: FilmFrames) -> tuple[np.ndarray, np.ndarray, list[str], list[str]]:
    """Return x and y (F, 2) of the names of the first and the last curve, the names, and on which side they stand.

    They stand where the curves are apart, and step aside for the best action.
    """
    f, x, T = drift.problem.f, drift.x, len(drift.problem.f)
    span = x[-1] - x[0]
    edge = (x - x[0]) / max(span, 1e-12)
    inner = (edge >= 0.2) & (edge <= 0.8) if len(x) > 2 else np.ones(len(x), dtype=bool)  # curves end at the edges
    if np.abs(f[-1] - f[0]).max() < 1e-9:
        where = int((np.abs(x - x[drift.problem.best[0]]) * inner).argmax())
        low = f[0, np.abs(x - x[where]) <= 0.1 * span].min()
        there = np.tile([x[where], np.nan], (len(clock.rows), 1)), np.tile([low, np.nan], (len(clock.rows), 1))
        return *there, [f"t = 1 and t = {T}", ""], ["bottom center"] * 2
    visits = np.abs(x[:, None] - x[drift.problem.best][None, :]) < NAME_ASIDE * span
    score = (np.abs(f[-1] - f[0]) + 1e-9) * (1.01 - visits.mean(axis=1)) * inner
    usual = int(score.argmax())
    up = bool(f[0, usual] > f[-1, usual])
    # Another place, for when the best action is at the usual one: the first curve is above or below there, too.
    other = score * (np.abs(x - x[usual]) > 2 * NAME_ASIDE * span) * ((f[0] > f[-1]) == up)
    aside = int(other.argmax()) if other.any() else usual
    at = np.where(np.abs(x[drift.problem.best[clock.index]] - x[usual]) < NAME_ASIDE * span, aside, usual)
    height = {}
    for where in {usual, aside}:
        under = np.abs(x - x[where]) <= 0.1 * span  # the part of a curve that a name spans
        first, last = f[0, under], f[-1, under]
        height[where] = (first.max(), last.min()) if up else (first.min(), last.max())
    sides = ["top center", "bottom center"] if up else ["bottom center", "top center"]
    y = np.array([height[where] for where in at.tolist()])
    return np.repeat(x[at][:, None], 2, axis=1), y, ["t = 1", f"t = {T}"], sides


def _rod(sheet: Sheet, side: Side, clock: FilmFrames, name: str, top: float) -> None:
    """Draw an upright rod from the last reward to this one, where they differ most, and write its length.

    Also the names of the first and the last curve: a film costs time by the trace. Gaps stand between the parts.
    """
    theme, drift, rows = sheet.theme, side.drift, clock.index
    f, colour, steps = drift.problem.f, theme.world(side.kind), drift.steps[rows]
    place = np.concatenate([[0], drift.moved])[rows]
    ends = np.stack([f[np.maximum(rows - 1, 0), place], f[rows, place]], axis=1)
    ends[steps == 0] = np.nan  # nothing moved: no rod
    # The words start a little inside: a point that rounding puts outside the panel would hide them.
    corner = np.broadcast_to([np.nan, top - 1e-4 * max(abs(top), 1.0)], ends.shape)
    at = np.stack([drift.x[place]] * 3 + [np.full(len(rows), drift.span[1])], axis=1)
    names_x, names_y, names, sides = _past_names(drift, clock)
    gap = np.full((len(rows), 1), np.nan)
    x = np.concatenate([at, gap, names_x[:, :1], gap, names_x[:, 1:]], axis=1)
    y = np.concatenate([ends, corner, gap, names_y[:, :1], gap, names_y[:, 1:]], axis=1)
    said = tuple(("", "", "", f"largest change: {s:.2g}" if s else "", "", names[0], "", names[1]) for s in steps)
    tips = style.marker(None, [2 * theme.marker] * 2 + [0] * 6, "line-ew", (theme.line, colour), 1)
    words = {
        "textposition": ["bottom left"] * 5 + [sides[0], "bottom left", sides[1]],
        "textfont": {"size": theme.tick, "color": [colour] * 4 + [theme.soft_ink] * 4},
    }
    sheet.curve(
        name, x, y, colour, 2 * theme.line, mode="lines+markers+text", marker=tips, meta=side.short, text=said, **words
    )


def _rings(sheet: Sheet, drift: WorldDrift, clock: FilmFrames, name: str, x: np.ndarray) -> None:
    """Draw a ring on every action that shares the best reward, where there are several."""
    shown = [drift.tied.get(row, ()) for row in clock.rows]
    most = min(max((len(arms) for arms in shown), default=0), MAX_RINGS)
    if not most:
        return
    at = np.full((2, len(shown), most), np.nan, dtype=np.float32)
    for i, (row, arms) in enumerate(zip(clock.rows, shown, strict=True)):
        arms = np.asarray(arms, dtype=int)[:most]
        at[:, i, : len(arms)] = x[arms], drift.problem.f[row, arms]
    theme = sheet.theme
    sheet.dots(name, *at, theme.ink, 2 * theme.marker, symbol="circle-open", rim=3)


def _history(
    sheet: Sheet,
    side: Side,
    clock: FilmFrames,
    across: list[float],
    between: tuple[float, float],
    first: bool,
) -> None:
    """Draw reward as brightness, actions across and time downwards, with the path of the best action."""
    theme, drift, name = sheet.theme, side.drift, f"history {side.role}"
    f, x = drift.problem.f, drift.x
    T = len(f)
    span = drift.span
    place = {"range": span, "title": "action x", "nticks": 6, "showgrid": False}
    time = {"range": [T + 0.5, 0.5], "title": "time t" if first else "", "nticks": 5, "showgrid": False}
    sheet.panel(name, across, [0.0, 0.485], place, {**time, "showticklabels": first})
    spacetime.draw_values(sheet, name, f, (span[0], span[1], 0.5, T + 0.5), between)
    times = np.arange(1, T + 1, dtype=np.float32)
    path = x[drift.problem.best].astype(np.float32)
    sheet.curve(name, path, times, "#FFFFFF", theme.line, outline=("#111111", 3), meta=BEST)
    arms, rows = (a.ravel() for a in np.meshgrid(spacetime.even_indices(len(x), 9), spacetime.even_indices(T, 81)))
    said = [f"{v:.2f}" for v in f[rows, arms].tolist()]
    spacetime.hover_points(sheet, name, x[arms], rows + 1, rows + 1, said, "x = %{x:.2f}, t = %{y}: reward %{text}")
    _cursor(sheet, drift, clock, name)
    words = {"size": theme.tick, "color": "#FFFFFF", "bgcolor": "rgba(17,17,17,.78)", "borderpad": 2}
    for hop in drift.longest_hops[:1]:
        before, after = hop.before[0], hop.after[0]
        middle, room = 0.5 * (before + after), 0.22 * (span[1] - span[0])  # room for half of the words
        middle = min(max(middle, span[0] + room), span[1] - room)
        text = f"hop {abs(after - before):.2f}"
        place = {"yanchor": "top", "yshift": -5} if hop.t < 0.15 * T else {"yanchor": "bottom", "yshift": 5}
        sheet.note(name, text, middle, hop.t + 1, **place, **words)


def _cursor(sheet: Sheet, drift: WorldDrift, clock: FilmFrames, name: str) -> None:
    """Draw the line of now across a history, with the best action on it."""
    theme, (left, right) = sheet.theme, drift.span
    now = np.repeat(np.asarray(clock.times)[:, None], 3, axis=1)
    at = drift.x[drift.problem.best[clock.index]]
    sheet.curve(name, [left, right], now[:, :2], theme.paper, 5, glides={"y": clock.always})
    mark = style.marker(theme.ink, [0, theme.marker + 3, 0], rim=(2, theme.paper), opacity=1)
    x = np.stack([0 * at + left, at, 0 * at + right], axis=1)
    sheet.curve(
        name,
        x,
        now,
        theme.ink,
        2,
        glides=_best_glides(drift, clock) | {"y": clock.always},
        mode="lines+markers",
        marker=mark,
        cliponaxis=False,
    )
