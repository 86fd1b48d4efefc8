"""Confidence bands around the same data: panels on shared axes, and the times at which each misses the truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from figures import theme as style
from figures.film import Film
from figures.sheet import Sheet, gapped, strokes
from figures.theme import Theme
from lessons.bands.figure_lens import Lens
from lessons.bands.figure_panels import Panels
from lessons.bands.model import BandsOverTime

BAND_SHADE = 0.22  # opacity of a filled band
LOW_PANELS, LOW_STRIP = [0.56, 1.0], [0.0, 0.36]  # shares of the height on a low screen
WORDS, WORDS_LECTURE = 0.19, 0.24  # of the width, right of the lanes
WORDS_ELSEWHERE = {"medium": 0.3, "narrow": 0.41}  # on a small tablet and on a phone
MISSED = "miss|misses|missed|miss the reward|misses the reward"  # what sentences call it
ROW_EDGE = 0.6  # rows of the strip from the outermost row to the edge


def stage(run: BandsOverTime, theme: Theme, frame: int, arm: int | None = None, narrow: bool = False) -> Film:
    """Draw the main figure, as tall as its place: the bands side by side above their lanes of time.

    The bands are grey, and red is what lies between a band and a truth outside it, with a magnifier where that is
    furthest.

    Args:
        frame: frame that the figure shows.
        arm: that is looked at closely below, marked in every panel; None for none.
        narrow: beside something else on the page, where long words would meet.
    """
    panels = Panels(run, narrow)
    strip, floor = (0.38, 0.48) if theme.lecture else (0.24, 0.36)  # shares of the height inside the margins
    sheet = Sheet(theme, frame, hovermode="x")
    left = max(style.HANG, 0.65 * theme.tick * max(map(len, run.films)) + 12)  # names of guests may be longer
    sheet.margins(left, 10, 1.9 * theme.label, 1.7 * theme.tick)
    up = {"range": panels.range_y, "nticks": 6, "showline": False}
    sheet.panel("bands", [0, 1], [floor, 1.0], panels.axis(theme), up)
    sheet.layout["xaxis"]["title"] |= {"standoff": 2, "font": {"size": theme.tick}}
    _edges(sheet, panels)
    for i, name in enumerate(run.films):
        _band(sheet, panels, name, i)
    _misses(sheet, panels)
    _data_and_reward(sheet, panels)
    _lenses(sheet, panels)
    _headlines(sheet, panels)
    if arm is not None:
        at = [float(panels.at(i, run.x[arm])) for i in range(panels.count)]
        low, size = [panels.range_y[0]] * len(at), 0.9 * theme.marker
        mark = style.dots(at, low, theme.soft_ink, size, "triangle-up", cliponaxis=False)
        sheet.draw("bands", {**mark, "opacity": 1})
    _lanes(sheet, run, strip)
    if not theme.lecture:  # whose lanes have their height anyway
        sheet.low("bands", LOW_PANELS)
        sheet.low("lanes", LOW_STRIP)
    sheet.narrow("bands", **panels.axis_narrow(theme))
    _one_by_one(sheet, panels)
    return sheet.film()


def _edges(sheet: Sheet, panels: Panels) -> None:
    """Draw the left and lower edge of every panel, as one line."""
    low, high = panels.range_y
    edges = [panels.left(i) for i in range(panels.count)]
    x = np.ravel([[e, e, e + panels.wide, np.nan] for e in edges])
    y = np.tile([high, low, low, np.nan], len(edges))
    sheet.curve("bands", x, y, sheet.theme.soft_ink, 1.0, cliponaxis=False)


def _band(sheet: Sheet, panels: Panels, name: str, panel: int) -> None:
    """Draw one band: both edges, and its estimate."""
    run, theme = panels.run, sheet.theme
    film, colour = run.films[name], theme.grey
    # An empty set has no band: nothing is drawn rather than a curve that promises something.
    gone = film.empty[:, None]
    lower, upper, mean = (np.where(gone, np.nan, a) for a in (film.lower, film.upper, film.mean))
    x = panels.at(panel, run.x)
    # A click on an edge means its place: the axis of the sheet would say where that lies among the panels.
    tip: dict[str, Any] = {
        "hoverinfo": "y+name",
        "name": name,
        "meta": name,
        "hoverlabel": {"bgcolor": theme.paper},
        "customdata": run.x,
    }
    sheet.curve("bands", x, lower, colour, 1.2, **tip)
    shade = style.faded(colour, BAND_SHADE)
    sheet.curve("bands", x, upper, colour, 1.2, **tip, fill="tonexty", fillcolor=shade)
    sheet.curve("bands", x, mean, colour, 0.5 * theme.line, "dot", meta=name)


def _misses(sheet: Sheet, panels: Panels) -> None:
    """Fill in red from a band to the truth where that is outside.

    Where the truth is inside, or the set is empty, both sides are the truth, and the area has no height.
    """
    run, truth, xs, ys = panels.run, panels.run.truth.astype(np.float32), [], []
    for panel, name in enumerate(run.films):
        near, x = _near(run, name), panels.at(panel, run.x)
        xs.append(np.append(np.concatenate([x, x[::-1]]), np.nan))
        ys.append(gapped(np.concatenate([truth, near[:, ::-1]], axis=1)))
    x, y, red = np.concatenate(xs), np.concatenate(ys, axis=1), sheet.theme.missed
    sheet.draw("bands", style.filled(x, y, red) | {"meta": MISSED})


def _near(run: BandsOverTime, name: str) -> np.ndarray:
    """Return (F, m) the point of a band that is nearest to the truth where it misses; else the truth."""
    film, truth = run.films[name], run.truth.astype(np.float32)
    miss = run.misses[name] & ~film.empty[:, None]
    return np.where(miss, np.clip(truth, film.lower, film.upper), truth).astype(np.float32)


def _data_and_reward(sheet: Sheet, panels: Panels) -> None:
    """Draw in every panel the data and the reward now."""
    theme, run = sheet.theme, panels.run
    y = run.history.y
    place = run.x[run.history.arms] if len(y) else np.zeros(0, np.float32)
    seen = np.arange(len(y))[None] < np.arange(run.frames)[:, None]
    x, rows = panels.everywhere(place, np.where(seen, y[None], np.nan))
    sheet.draw("bands", {**style.dots(x, rows, theme.grey, 0.65 * theme.marker), "opacity": 0.5})
    x, rows = panels.everywhere(run.x, run.truth)
    sheet.curve("bands", x, rows, theme.ink, 0.8 * theme.truth_line, meta="reward")


def _lenses(sheet: Sheet, panels: Panels) -> None:
    """Magnify in every panel the place where the truth is furthest outside its band, while it is."""
    theme, run = sheet.theme, panels.run
    glasses = [Lens.over(panels, i, run, _near(run, name), theme.lecture) for i, name in enumerate(run.films)]
    for side, colour in (("ground", theme.paper), ("band", _mixed(theme)), ("missed", theme.missed)):
        x, y = _joined(glasses, side)
        sheet.draw("bands", style.filled(x[0], y, colour))
    x, y = _joined(glasses, "truth")
    sheet.curve("bands", x[0], y, theme.ink, 0.8 * theme.truth_line)
    sheet.curve("bands", *_joined(glasses, "rim"), theme.ink, 2.5 if theme.lecture else 1.6)


def _headlines(sheet: Sheet, panels: Panels) -> None:
    """Write name and mean half-width of every band above its panel."""
    theme, names = sheet.theme, tuple(panels.run.films)
    x = [panels.left(k) for k in range(len(names))]
    rows = list(zip(*(_headline(panels, name) for name in names), strict=True))
    size = int(panels.type_share * theme.label)
    sheet.words("bands", x, [panels.range_y[1]] * len(names), rows, theme.ink, "top right", size)
    for i, name in enumerate(names):
        sheet.shows(f"{name} mean half-width", "text", i)


def _headline(panels: Panels, name: str) -> list[str]:
    frames, film = panels.run.frames, panels.run.films[name]
    if panels.narrow:
        return [f"<b>{name}</b>"] * frames
    widths = ["" if film.empty[t] else f" ±{film.half_width[t]:.2f}" for t in range(frames)]
    return [f"<b>{name}</b>{width}" for width in widths]


def status(run: BandsOverTime, name: str, t: int, lecture: bool) -> str:
    """Return the verdict of one time.

    "covers so far"; "misses since 65"; "empty since 53"; "covers, first miss 30": a promise for all times stays
    broken. In a hall, where a bet leaves half of the width, a lane that shows the rest says "first miss 30".
    """
    verdicts = run.verdicts[name][: t + 1]
    now, first = verdicts[t], next((s for s, one in enumerate(verdicts) if one != "covers"), None)
    if not run.known(name).all():
        return f"{now} now"
    if lecture and now != "empty" and first is not None:
        return f"first miss {first}"
    if now == "covers":
        return "covers so far" if first is None else f"covers, first miss {first}"
    since = max((s + 1 for s, one in enumerate(verdicts) if one != now), default=0)
    return f"misses, first at {first}" if now == "misses" and since != first else f"{now} since {since}"


def _lanes(sheet: Sheet, run: BandsOverTime, share: float) -> None:
    """Draw a lane a band: grey while it covers, red while it misses; what is to come is veiled."""
    theme, rows = sheet.theme, tuple(run.films)[::-1]
    count, last = len(rows), max(run.frames - 1, 1)
    edges, end = [-ROW_EDGE, count - 1 + ROW_EDGE], last + 0.5
    plain = {"showgrid": False, "showline": False}
    time = {"tickvals": [0, last], "ticktext": ["t = 0", f"t = {last}"], **plain}
    apart = {"ticks": "outside", "ticklen": 6, "tickcolor": "rgba(0,0,0,0)"}
    range_x = [-0.5, end / (1 - (WORDS_LECTURE if theme.lecture else WORDS))]
    names = {"range": edges, **style.ticks(range(count), rows), **apart, **plain}
    sheet.panel("lanes", [0, 1], [0, share], {"range": range_x, **time}, names)
    for screen, share_there in WORDS_ELSEWHERE.items():
        sheet.narrow("lanes", screen, range=[-0.5, end / (1 - share_there)])
    t = np.arange(run.frames, dtype=np.float32)
    spans = np.stack([t - 0.5, t + 0.5], axis=1).ravel()  # a frame fills the half step on both its sides
    thick = 15 if theme.lecture else 10
    for row, name in enumerate(rows):
        bad, known = (np.repeat(flags, 2) for flags in (run.misses[name].any(axis=1), run.known(name)))
        good = _stretches(spans, ~bad & known, row)
        sheet.curve("lanes", *good, style.faded(theme.grey, 0.55), thick, meta=name)
        x, y = _stretches(spans, bad & known, row)
        sheet.curve("lanes", x, y, theme.missed, thick, meta=f"{name}|{MISSED}")
        if len(x) and known.all():
            sheet.shows(f"{name} first miss", "x", 0, _start)
    ends = np.tile(np.array([0.0, 1.004 * last + 0.5, np.nan], np.float32), (run.frames, count))
    ends[:, 0::3] = t[:, None] + 0.5
    glides = {"x": np.ones(run.frames - 1, dtype=bool)}
    sheet.curve("lanes", ends, np.repeat(np.arange(count), 3), _pale(theme), thick + 1, glides=glides)
    verdicts = [[status(run, name, at, theme.lecture) for name in rows] for at in range(run.frames)]
    sheet.words("lanes", [end + 0.01 * last] * count, list(range(count)), verdicts, theme.soft_ink, "middle right")
    # Time alone glides: bands and verdicts belong to an observation, and the reward is drawn with its misses.
    sheet.cursor("lanes", t, edges, theme.ink, 2.5, glides=glides)
    sheet.shows("t", "x", 0)


def _one_by_one(sheet: Sheet, panels: Panels) -> None:
    """Show one panel on a phone above all lanes, first the tightest of those that miss now."""
    run, names = panels.run, tuple(panels.run.films)
    misses = {name: bool(run.misses[name][sheet.frame_index].any()) for name in names}
    first = min(names, key=lambda name: (not misses[name], run.films[name].half_width[sheet.frame_index]))
    style.make_swipeable(sheet.layout, names, [panels.alone(i) for i in range(panels.count)], names.index(first))


def _stretches(spans: np.ndarray, state: np.ndarray, row: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the stretches where `state` holds, as one line with gaps."""
    turns = np.flatnonzero(np.diff(np.concatenate([[False], state, [False]]).astype(int)))
    x = strokes(spans[turns[::2]], spans[turns[1::2] - 1])
    return x.astype(np.float32), np.where(np.isnan(x), np.nan, row).astype(np.float32)


def _start(frame: float) -> float:
    """Return where a frame's part of a lane begins."""
    return frame - 0.5


def _joined(glasses: Sequence[Lens], part: str) -> tuple[np.ndarray, np.ndarray]:
    """Return (F, n) x and y of one part of all lenses, with a gap after each."""
    pairs = [getattr(glass, part) for glass in glasses]
    return tuple(np.concatenate([gapped(pair[k]) for pair in pairs], axis=1).astype(np.float32) for k in (0, 1))


def _pale(theme: Theme) -> str:
    """Return the colour of a lane whose time is to come: it hides what lies below."""
    return "#23262E" if theme.dark else "#EDEEF1"


def _mixed(theme: Theme) -> str:
    """Return the colour of a filled band on paper, without transparency."""
    return "#2A2D33" if theme.dark else "#DADBDD"
