"""The stage: average regret of two methods and the best single arm, and below it their choices."""

from __future__ import annotations

import numpy as np

from common.formats import amount
from figures import theme as style
from figures.end_labels import end_labels
from figures.film import Film
from figures.frames import FilmFrames
from figures.palette import METHODS
from figures.race_axes import averages, round_ticks
from figures.sheet import Sheet, strokes
from figures.spacetime import even_indices, hover_points
from figures.theme import Theme
from lessons.real_data.figure import short, time_ticks
from lessons.real_data.model import FIXED, Lanes, Trial, loss_of

LINES, STRIP = [0.4, 1.0], [0.0, 0.31]  # shares of the height
BEYOND = 0.03  # share of the rounds by which the axis of time goes on, for the thin lines to the names
BIG = {False: 26, True: 40}  # pixels of the numbers at the ends, at the desk and in a hall
LONGEST_UNIT = 60  # letters of the unit that a screen has room for
LETTER = 0.53  # mean width of a letter over its size
LONGEST_ARM = {False: 12, True: 10}  # letters
SETTLED = 0.04  # share of the rounds after which an average of so many is no accident of the first ones
NARROW_UNIT = 40  # letters of the unit that a phone has room for
LANE = 0.26  # height of a lane over that of an arm's row
PLACES = {2: (-0.19, 0.19), 3: (-0.29, 0.0, 0.29)}  # of two or three lanes in a row, from its middle


def stage(trial: Trial, lanes: Lanes, period: str, clock: FilmFrames, theme: Theme, frame: int) -> Film:
    """Return the film: regret of the methods of `lanes` and of the best single arm, and below it their choices.

    Args:
        period: what a row of the table is, such as "day".   clock: rows of the race that the film shows.
    """
    sheet, most = Sheet(theme, frame, hoverdistance=20), LONGEST_ARM[theme.lecture]
    lines = {n: np.median(averages(trial.total[n]), axis=0) for n in lanes.names}
    lines[f"always {short(trial.problem.arm_names[trial.fixed[0]], most)}"] = averages(trial.fixed[1].cumsum())
    texts = [[amount(line[row]) for line in lines.values()] for row in clock.rows]
    key = [f"best of the {period}", *(f"choice of {n}" for n in reversed(lanes.names))]
    arms = [f"{short(name, most)} " for name in lanes.rows]
    left = LETTER * theme.tick * max(map(len, arms)) + 0.25 * theme.tick
    number = LETTER * BIG[theme.lecture] * (max(len(text) for row in texts for text in row) + 0.6)
    names = number + LETTER * theme.tick * max(map(len, lines)), LETTER * theme.tick * max(map(len, key))
    sheet.margins(max(style.HANG, left), max(names), 1.7 * theme.tick, 1.9 * theme.tick)
    _lines(sheet, trial, lanes, lines, clock)
    _headline(sheet, f"average regret a {period} so far", trial.table.unit)
    _names(sheet, lanes, lines, texts, clock)
    _strip(sheet, trial, lanes, arms, clock)
    _key(sheet, lanes, key)
    return sheet.film()


def _headline(sheet: Sheet, title: str, unit: str) -> None:
    """Write above the lines what they are and in which unit; on a phone the unit has a line of its own."""
    colour = sheet.theme.soft_ink
    if not unit:
        sheet.headline("lines", title, color=colour)
        return
    two = f"{title},<br>{short(unit, NARROW_UNIT)}"
    sheet.headline("lines", f"{title}, {short(unit, LONGEST_UNIT)}", narrow=two, color=colour)
    style.elsewhere(sheet.layout, "narrow", "margin", {"t": 3 * sheet.theme.tick})


def _lines(sheet: Sheet, trial: Trial, lanes: Lanes, lines: dict[str, np.ndarray], clock: FilmFrames) -> None:
    """Draw the lines up to now, with a dot at each end."""
    theme, T = sheet.theme, clock.horizon
    settled = int(SETTLED * T)
    top = 1.08 * (max(float(line[settled:].max()) for line in lines.values()) or 1.0)
    ticks = round_ticks(top, 4)
    level = {"range": [0.0, top], **style.ticks(ticks), "showgrid": False, "showline": False, "ticks": ""}
    sheet.panel("lines", [0.0, 1.0], LINES, {"range": [0.5, (1 + BEYOND) * T], **style.BARE}, level)
    t = np.arange(1, T + 1, dtype=np.float32)
    colours = _colours(theme, lanes)
    alike = len(set(colours)) < len(colours)  # two methods of one role
    dashes = [*(METHODS[n].dash if alike else "solid" for n in lanes.names), "solid"]
    wide = [1.2 * theme.line] * len(lanes.names) + [0.8 * theme.line]
    for (name, line), colour, dash, width in reversed(list(zip(lines.items(), colours, dashes, wide, strict=True))):
        sheet.curve("lines", t, line, colour, width, dash, meta=name)
    now = np.asarray(clock.times, dtype=float)
    sheet.rect("lines", (now + 0.3, (1 + BEYOND) * T), (-0.01 * top, 1.01 * top), theme.paper)
    for value in ticks:
        line = {"color": theme.grid if value else theme.soft_ink, "width": 1}
        sheet.shape("lines", "line", (0.5, T + 0.5), (value, value), line=line, layer="above")
    ends = np.stack([line[clock.index] for line in lines.values()], axis=1)
    at = np.repeat(now[:, None], len(lines), axis=1)
    sheet.dots("lines", at, np.minimum(ends, top), colours, 0.7 * theme.marker, opacity=1, cliponaxis=False)
    sheet.shows("t", "x", 0)
    for i, name in enumerate([*lanes.names, FIXED]):
        sheet.shows(loss_of(name), "y", i, lambda value: min(value, top))
    rows = even_indices(T, 40)
    text = [f"{n}, {trial.problem.times[r]}: {amount(line[r])}" for n, line in lines.items() for r in rows]
    y, again = np.concatenate([line[rows] for line in lines.values()]), np.tile(rows + 1, len(lines))
    hover_points(sheet, "lines", again, y, again, text, "%{text}")


def _names(sheet: Sheet, lanes: Lanes, lines: dict[str, np.ndarray], texts: list[list[str]], clock: FilmFrames) -> None:
    """Write the number and the name of each line right of its end, apart."""
    theme, big = sheet.theme, BIG[sheet.theme.lecture]
    form = f'<b><span style="font-size:{big}px">{{}}</span></b> {{}}'
    text = [[form.format(*pair) for pair in zip(row, lines, strict=True)] for row in texts]
    high = sheet.span("lines", "y")[1]
    ends = np.minimum(np.stack([line[clock.index] for line in lines.values()], axis=1), high)
    now = np.repeat(np.asarray(clock.times, dtype=float)[:, None], len(lines), axis=1)
    beside = now + 0.8 * BEYOND * clock.horizon
    end_labels(sheet, "lines", (now, ends), beside, text, _colours(theme, lanes), tall=1.05 * big / theme.tick)


def _colours(theme: Theme, lanes: Lanes) -> list[str]:
    """Return the colours of the lines: of the methods, and of the best single arm."""
    return [*(theme.method(n) for n in lanes.names), theme.grey]


def _strip(sheet: Sheet, trial: Trial, lanes: Lanes, arms: list[str], clock: FilmFrames) -> None:
    """Draw a row an arm: in its lanes the rounds in which it is best, and those in which a method chooses it."""
    theme, T, m, times = sheet.theme, clock.horizon, len(arms), trial.problem.times
    stops = time_ticks(times, 3)
    dates = [f"t = {row + 1:,}" if trial.setting.base.mixed else short(times[row], 10, "") for row in stops]
    along = {"range": [0.5, (1 + BEYOND) * T], **style.BARE, "showticklabels": True}
    along |= style.ticks([row + 1 for row in stops], dates)
    up = {"range": [m - 0.5, -0.5], **style.BARE, "showticklabels": True, **style.ticks(range(m), arms)}
    sheet.panel("strip", [0.0, 1.0], STRIP, along, up)
    if trial.setting.seeds > 1:
        chosen = f"choices: the most frequent of {trial.setting.seeds} runs"
        sheet.headline("strip", chosen, color=theme.soft_ink)
    middle = slice(len(stops) // 2, len(stops) // 2 + 1)  # a phone has room for one date
    sheet.narrow("strip", **style.ticks(along["tickvals"][middle], dates[middle]))
    colours = [theme.ink, *(theme.method(n) for n in reversed(lanes.names))]
    if len(set(colours)) < len(colours):  # two methods of one role
        colours[2] = style.faded(colours[2], 0.5)
    whose = ["best arm", *reversed(lanes.names)]
    for place, held, colour, name in zip(PLACES[len(lanes.chosen)], lanes.chosen, colours, whose, strict=True):
        first = np.flatnonzero(np.diff(held, prepend=-1))
        left, right = first + 0.5, np.append(first[1:], T) + 0.5
        low, high = (held[first] + place + side * LANE / 2 for side in (-1, 1))
        x, y = strokes(left, right, right, left), strokes(low, low, high, high)
        sheet.draw("strip", style.filled(x.astype(np.float32), y.astype(np.float32), colour) | {"meta": name})
    now = np.asarray(clock.times, dtype=float) + 0.5
    sheet.rect("strip", (now, (1 + BEYOND) * T), (-0.5, m - 0.5), theme.paper)
    for row in range(m):
        ground = {"fillcolor": style.faded(theme.soft_ink, 0.07), "line": {"width": 0}, "layer": "above"}
        sheet.shape("strip", "rect", (0.5, T + 0.5), (row - 0.46, row + 0.46), **ground)
    at, who = even_indices(T, 60), ["best", *reversed(lanes.names)]
    held_then = zip(*(held[at] for held in lanes.chosen), strict=True)
    every = [", ".join(f"{n} {lanes.rows[row]}" for n, row in zip(who, one, strict=True)) for one in held_then]
    text = [f"{times[row]}: {one}" for row, one in zip(at, every, strict=True) for _ in arms]
    x = np.repeat(at + 1, m)
    hover_points(sheet, "strip", x, np.tile(np.arange(m), len(at)), x, text, "%{text}")


def _key(sheet: Sheet, lanes: Lanes, key: list[str]) -> None:
    """Write right of the strip, from above, whose lane is whose."""
    theme = sheet.theme
    colours = [theme.ink, *(theme.method(n) for n in reversed(lanes.names))]
    where = {"xanchor": "left", "yanchor": "middle"}
    for i, (text, colour) in enumerate(zip(key, colours, strict=True)):
        sheet.note("strip", f"<b>{text}</b>", 1.0, 1 - (i + 0.5) / len(key), "xy", color=colour, **where)
