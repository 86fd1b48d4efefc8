"""The first view: hills side by side, each over a bar that every step fills by its largest change."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.formats import amount
from figures import theme as style
from figures.film import Film
from figures.frames import FilmFrames
from figures.race_axes import round_ticks
from figures.sheet import STAGE_PIXELS, Sheet, chained, strokes
from figures.theme import Theme
from lessons.drift.figure import reward_glides
from lessons.drift.model import Side, WorldDrift

LOW = 1.9  # on a phone that lies on its side: times the shares of what has the height of its words
GAP_SHARE = 0.07  # of the width, between two worlds
PAST_CURVES = 4  # faint curves between the first reward and the last, as time passes them
MOST_SLIVERS = 200  # of a rod: more are joined, step by step
DRIFT = "drift|drifts|drifted|steps|tiny steps|jump"  # what sentences call the changes
CLEFT = 0.4  # of a sliver's length, at most a pixel and a half: the cleft before the next one


def hills(sides: Sequence[Side], clock: FilmFrames, theme: Theme, frame: int, budget: bool = True) -> Film:
    """Draw one or two worlds: the reward before and now, a rod of the last changes, and a bar of all so far.

    A sliver of the rod is the largest change of one round, at the action where it happened; the bar lays those of all
    rounds end to end, in the same units.

    Args:
        sides: one or two.   clock: rows of the frames.   frame: frame that the figure shows.
        budget: whether rod and bar are there.
    """
    sheet = Sheet(theme, frame, hoverdistance=30)
    top, bottom = 1.7 * theme.label, (1.7 if budget else 1.5) * theme.tick
    sheet.margins(style.HANG, 1.2 * theme.tick, top, bottom)
    tall = STAGE_PIXELS[theme.lecture] - top - bottom
    bar = 1.7 * theme.tick / tall if budget else 0.0
    foot = bar + (1.4 * theme.tick + 1.6 * theme.label) / tall if budget else 0.0
    low = min(float(side.drift.problem.f.min()) for side in sides)
    high = max(float(side.drift.problem.f.max()) for side in sides)
    room = max(high - low, 0.5)
    reward = [low - 0.06 * room, high + 0.06 * room]
    pixel = (reward[1] - reward[0]) / (tall * (1 - foot))
    most = max(float(side.drift.spent[-1]) for side in sides)
    width = (1.0 - GAP_SHARE * (len(sides) - 1)) / len(sides)
    for i, side in enumerate(sides):
        across, first = [i * (width + GAP_SHARE), i * (width + GAP_SHARE) + width], i == 0
        _hill(sheet, side, clock, (across, [foot, 1.0]), reward, first)
        if budget:
            _rod(sheet, side, clock, pixel)
            _bar(sheet, side, clock, (across, [0.0, bar]), most)
            sheet.low(f"now {side.role}", [LOW * foot, 1.0])
            sheet.low(f"budget {side.role}", [0.0, LOW * bar])
    _key(sheet, f"now {sides[-1].role}", budget)
    return sheet.film()


def _hill(
    sheet: Sheet,
    side: Side,
    clock: FilmFrames,
    place: tuple[list[float], list[float]],
    reward: list[float],
    first: bool,
) -> None:
    """Draw the first reward pale, those that have passed, and the reward now: all of few, else some and faint."""
    theme, drift, name = sheet.theme, side.drift, f"now {side.role}"
    x, f = drift.x.astype(np.float32), drift.problem.f.astype(np.float32)
    along = {"range": drift.span, "showgrid": False, "showticklabels": False, "ticks": ""}
    sheet.panel(name, *place, along, {"range": reward, "nticks": 5, "showticklabels": first, "showline": False})
    sheet.headline(name, f"<b>{side.title}</b>", size=theme.label)
    if first:
        sheet.headline(
            name, "reward f<sub>t</sub>(x)", xanchor="right", color=theme.soft_ink, narrow="f<sub>t</sub>(x)"
        )
        below = {"xanchor": "right", "yanchor": "top", "yshift": -3, "color": theme.soft_ink}
        sheet.note(
            name, "action x, {:g} to {:g}".format(*drift.span), 1, 0, inside="xy", **below
        )  # below the last hill stands the key
    if drift.counted[-1] <= PAST_CURVES:  # where a reward begins that is neither the first nor the last
        rows, pale = np.flatnonzero(drift.steps)[:-1], (theme.grey, theme.line)
    else:
        rows = np.unique(np.linspace(0, len(f) - 1, PAST_CURVES + 2).round().astype(int))[1:-1]
        pale = (style.faded(theme.grey, 0.6), 1.2)
    if len(rows):
        passed = np.where((rows <= clock.index[:, None])[..., None], f[rows], np.nan)
        sheet.curve(name, *chained(x, passed), *pale)
    sheet.curve(name, x, f[0], theme.grey, theme.line)
    sheet.curve(
        name, x, f[clock.index], theme.ink, theme.truth_line, glides=reward_glides(drift, clock), meta=side.said
    )


def _rod(sheet: Sheet, side: Side, clock: FilmFrames, pixel: float) -> None:
    """Draw the rod of each frame, a sliver a step, with a ring at both ends where they have room.

    Args:
        pixel: of the smallest screen, in units of the reward.
    """
    theme, drift, name = sheet.theme, side.drift, f"now {side.role}"
    f, longest = drift.problem.f, int((np.arange(len(drift.rods)) - drift.rods[:, 1]).max(initial=0))
    joined = -(-longest // MOST_SLIVERS) or 1
    arms, begins = drift.rods[clock.index].T
    rows = np.minimum(begins[:, None] + joined * np.arange(-(-longest // joined) + 1), clock.index[:, None])
    levels = f[rows, arms[:, None]]
    steps = np.diff(levels, axis=1)
    cleft = np.sign(steps) * np.minimum(CLEFT * np.abs(steps), 1.5 * pixel)
    gone = steps == 0
    begin, end = (np.where(gone, np.nan, ends) for ends in (levels[:, :-1] + cleft, levels[:, 1:]))
    colour, at = theme.role("drift"), drift.x[arms][:, None]
    y = strokes(begin, end)
    alone = len(set(drift.rods[drift.counted > 0, 0].tolist())) < 2  # then x stands still, which makes the film smaller
    x = np.full(y.shape[1], drift.x[drift.rods[-1, 0]]) if alone else np.broadcast_to(at, y.shape)
    sheet.curve(name, x, y, colour, theme.marker, meta=f"{DRIFT}|{side.said}")
    tips = levels[:, [0, -1]]
    # Rings that touch would hide a short rod.
    tips = np.where(np.abs(np.diff(tips, axis=1)) > 2 * theme.marker * pixel, tips, np.nan)
    sheet.dots(name, np.repeat(at, 2, axis=1), tips, theme.paper, theme.marker, rim=(2, colour), cliponaxis=False)


def _bar(sheet: Sheet, side: Side, clock: FilmFrames, place: tuple[list[float], list[float]], most: float) -> None:
    """Draw all changes of a world end to end, with a cleft between two; what is to come is covered.

    Args:
        most: the larger V_T of the worlds, where the axis ends.
    """
    theme, drift, name = sheet.theme, side.drift, f"budget {side.role}"
    colour, spent, total = theme.role("drift"), drift.spent, float(drift.spent[-1])
    end = most or 1.0
    axis_end = 1.003 * end  # so that the cover hides the rim of the bar
    inner = [v for v in round_ticks(end, 4) if v < 0.88 * end]
    marks = (
        style.ticks([*inner, most], [f"{v:g}" for v in inner] + [amount(most).removesuffix(".0")])
        if most
        else style.ticks([0.0])
    )
    sheet.panel(
        name, *place, {"range": [0.0, axis_end], "showgrid": False, **marks}, {"range": [0.0, 1.0], **style.BARE}
    )
    sheet.rect(name, (0.0, total), (0.06, 0.94), colour, meta=f"{DRIFT}|{side.said}")
    sheet.shows(f"{side.short} V_T", "x", 1)
    edges = np.unique(spent)[1:-1]
    # On 170 pixels, the bar of one of two worlds on a phone: clefts take no more of the bar than their share.
    thick = min(1.5, CLEFT * 170 / max(drift.counted[-1], 1))
    sheet.curve(name, strokes(edges, edges), np.tile([0.06, 0.94, np.nan], len(edges)), theme.paper, thick)
    sheet.rect(name, (spent[clock.index], axis_end), (0.02, 1.0), theme.paper)
    sheet.shows(f"{side.short} V_t", "x", 0)
    texts = [[f"<b>{step_count(drift, row)}</b>"] for row in clock.rows]
    sheet.words(name, [0.0], [1.0], texts, colour, "top right", theme.label)
    sheet.shows(f"{side.short} steps", "text", 0)
    sheet.headline(name, "sum of largest changes V<sub>t</sub>", xanchor="right", color=colour, narrow=" ")
    notes = sheet.layout["annotations"]
    style.elsewhere(sheet.layout, "low", "annotations", {str(len(notes) - 1): {**notes[-1], "text": " "}})


def step_count(drift: WorldDrift, row: int) -> str:
    """Return how many steps there were, and their size where all have the same, else the largest."""
    steps, count = drift.steps[1 : row + 1], int(drift.counted[row])
    if not count:
        return "0 steps"
    least, largest = (amount(float(size)) for size in (steps[steps > 0].min(), steps.max()))
    sizes = f" of {largest}" if least == largest else f", at most {largest}"
    return f"{count:,} step{'' if count == 1 else 's'}{sizes}"


def _key(sheet: Sheet, panel: str, budget: bool) -> None:
    """Name the grey and the black curve, and the rod where it is, below the last hill, where no curve runs."""
    theme = sheet.theme
    rod = f", <span style='color:{theme.role('drift')}'>largest change</span>" * budget
    text = f"<span style='color:{theme.grey}'>first reward</span>, <b>reward now</b>{rod}"
    short = f"<span style='color:{theme.grey}'>first</span>, <b>now</b>"
    sheet.note(panel, text, 0, 0, inside="xy", xanchor="left", yanchor="top", yshift=-3, narrow=short)
