"""The stage: two maps of one landscape, one a learner, and the regret of both beside them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.formats import minus, number
from figures import theme as style
from figures.film import Film
from figures.sheet import Sheet, strokes
from figures.theme import Theme
from lessons.plane.model import SIDE, WIDTH, Plane, PlaneLearner

LEGEND = "★ peak and its path   ○ next query   • queries"
LINES = 7  # contour lines
FADED = 0.12  # opacity of a query without weight
NAMED = 0.25  # a next query that is nearer to the peak has no name
EDGE, RISE = 0.12, 0.02  # half of a name, and from the middle of a mark to its name
HOP = 0.15  # a peak that moves farther in a round has hopped: its path has a gap there
BLACK, WHITE = "#111111", "#FFFFFF"  # on the maps, whose colours are those of both themes
PEAK, MISSED = "peak|true peak", "misses|misses the reward"
CALLED = {"keeps all": "keeping everything", "forgets": "forgetting"}
ABOVE, BELOW = [0.58, 1.0], [0.0, 0.24]  # shares of the height, where the figure is narrow
TOP = {"xanchor": "left", "yanchor": "bottom", "yshift": 1}  # of words above a panel
BESIDE = 0.02  # of the horizon, from an end of a curve to its number
# Where the axis of time ends, in horizons: the last numbers stand beyond the last round.
ROOM, NARROW_ROOM = {False: 1.35, True: 1.45}, {"medium": 1.1, "narrow": 1.17}


def stage(film: Plane, view: str, theme: Theme, frame: int) -> Film:
    """Draw all rounds, a frame each; `frame` is the one that the figure shows.

    Args:
        view: "estimate", or "band": half its width, and where it misses.
    """
    sheet, at = Sheet(theme, frame), np.arange(film.problem.horizon)
    sheet.margins(3.8 * theme.tick, 1.2 * theme.tick, 1.9 * theme.label + 1.5 * theme.tick, 2.5 * theme.label)
    f = film.problem.f
    between = (min(0.0, float(f.min())), float(f.max())) if view == "estimate" else (0.0, WIDTH)
    for i, one in enumerate(film.learners):
        _map(sheet, film, one, view, between, at, i)
    _regret(sheet, film, at)
    above = {**TOP, "yshift": 1.6 * theme.label}
    sheet.note(film.learners[0].name, LEGEND, 0, 1, "xy", **above, color=theme.soft_ink)
    return sheet.film()


def _map(
    sheet: Sheet, film: Plane, one: PlaneLearner, view: str, between: tuple[float, float], at: np.ndarray, i: int
) -> None:
    """Draw a learner's estimate, the peak with its path so far, and its queries."""
    theme, x, name = sheet.theme, film.problem.x, one.name
    ticks = np.linspace(0.0, 1.0, SIDE)
    axis = {"range": [0.0, 1.0], "showgrid": False, **style.ticks([0, 0.5, 1])}
    up = {**axis, "showticklabels": i == 0, "title": "x<sub>2</sub>" if i == 0 else ""}
    sheet.panel(name, [0.36 * i, 0.34 + 0.36 * i], [0.0, 1.0], {**axis, "title": "x<sub>1</sub>"}, up)
    _below(sheet, name, [0.52 * i, 0.48 + 0.52 * i], ABOVE)
    sheet.narrow(name, **style.ticks([0, 0.5, 1] if i == 0 else [0.5, 1]))
    title = ("keeps everything", "forgets")[i]
    sheet.note(name, f"<b>{title}</b>", 0, 1, "xy", **TOP, color=theme.role(one.role), size=theme.label)
    if i:
        of = "estimate" if view == "estimate" else "half-width"
        scale = minus("dark {:.1f}, bright {:.1f}".format(*between))
        sheet.note(name, f"{of}: {scale}", 1, 1, "xy", **{**TOP, "xanchor": "right"}, color=theme.soft_ink, narrow=" ")
        notes = sheet.layout["annotations"]
        style.elsewhere(sheet.layout, "medium", "annotations", {str(len(notes) - 1): {**notes[-1], "text": scale}})
    z = one.mean if view == "estimate" else one.half
    grids = z[at].reshape(-1, SIDE, SIDE).transpose(0, 2, 1)
    sheet.heat(name, ticks, ticks, grids, between, LINES, style.faded(WHITE, 0.55))
    if view == "band":
        _missed(sheet, one, x, at)
    peaks = x[film.problem.best]
    far = np.r_[False, np.linalg.norm(np.diff(peaks, axis=0), axis=1) > HOP]
    past = np.arange(len(peaks))[None] <= at[:, None]
    path = peaks[:, 0], np.where(past & ~far, peaks[:, 1], np.nan)
    sheet.curve(name, *path, BLACK, 2, outline=(WHITE, 2), meta=PEAK)
    age = at[:, None] - np.arange(len(peaks))
    opacity = np.where(age > 0, FADED + (1.0 - FADED) * one.keeps ** np.maximum(age - 1, 0), 0.0)
    queries = x[one.history.arms]
    form = {"rim": (1.2, BLACK), "opacity": opacity, "meta": f"queries|{CALLED[name]}"}
    sheet.dots(name, queries[:, 0], queries[:, 1], WHITE, 0.6 * theme.marker, **form)
    said = f"next query|{CALLED[name]}"
    for colour, wide in ((WHITE, 5), (BLACK, 2)):
        ring = {"symbol": "circle-open", "rim": wide, "opacity": 1, "cliponaxis": False, "meta": said}
        sheet.dots(name, queries[at, :1], queries[at, 1:], colour, 1.7 * theme.marker, **ring)
    star = {"symbol": "star", "rim": (1.5, WHITE), "opacity": 1, "cliponaxis": False, "meta": PEAK}
    sheet.dots(name, peaks[at, :1], peaks[at, 1:], BLACK, 1.7 * theme.marker, **star)
    sheet.shows("peak x1", "x", 0)
    sheet.shows("peak x2", "y", 0)
    if i == 0:
        apart = np.linalg.norm(queries[at] - peaks[at], axis=1) > NAMED
        _name(sheet, name, peaks[at], ["peak"] * len(at))
        _name(sheet, name, queries[at], ["next query" if one else "" for one in apart])


def _name(sheet: Sheet, panel: str, places: np.ndarray, texts: Sequence[str]) -> None:
    """Write a name above a mark on a map, one a frame."""
    x, y = np.clip(places[:, :1], EDGE, 1 - EDGE), np.minimum(places[:, 1:] + RISE, 1 - RISE)
    sheet.words(panel, x, y, [[text] for text in texts], WHITE, "top center")
    sheet.traces[-1]["textfont"] |= style.halo(Theme(dark=True))


def _below(sheet: Sheet, panel: str, across: list[float], up: list[float]) -> None:
    """Place a panel where the figure is narrow: the maps above, the regret below."""
    for screen in ("medium", "narrow"):
        for axis, domain in (("x", across), ("y", up)):
            style.elsewhere(sheet.layout, screen, f"{axis}axis{sheet.axes[panel]}", {"domain": domain})


def _missed(sheet: Sheet, one: PlaneLearner, x: np.ndarray, at: np.ndarray) -> None:
    """Hatch the arms at which the reward leaves the band: a stroke through each."""
    half = 0.5 / (SIDE - 1)
    up = np.where(one.outside[at][..., None], strokes(x[:, 1] - half, x[:, 1] + half).reshape(1, -1, 3), np.nan)
    red = Theme(dark=True).missed
    ends = strokes(x[:, 0] - half, x[:, 0] + half), up.reshape(len(at), -1)
    sheet.curve(one.name, *ends, red, 2, outline=(BLACK, 1.5), meta=f"{MISSED}|{CALLED[one.name]}")


def _regret(sheet: Sheet, film: Plane, at: np.ndarray) -> None:
    """Draw the regret so far of both learners, with their names at its ends."""
    theme, T = sheet.theme, film.setting.world.horizon
    t, top = np.arange(1, film.problem.horizon + 1), 1.25 * max(float(one.regret[-1]) for one in film.learners)
    x = {"range": [1, ROOM[theme.lecture] * T], "title": "time t", **style.ticks([1, T // 2, T])}
    sheet.panel("regret", [0.765, 1.0], [0.0, 1.0], x, {"range": [0.0, top], "nticks": 5})
    _below(sheet, "regret", [0.0, 1.0], BELOW)
    for screen, room in NARROW_ROOM.items():
        sheet.narrow("regret", screen, range=[1, room * T])
        style.elsewhere(sheet.layout, screen, f"yaxis{sheet.axes['regret']}", {"nticks": 3})
    sheet.note("regret", "regret so far (reward units)", 0, 1, "xy", **TOP, color=theme.soft_ink)
    sheet.cursor("regret", at + 1.0, [0.0, top], theme.soft_ink, 1, glides={"x": np.ones(len(at) - 1, dtype=bool)})
    for one in film.learners:
        so_far = np.where(t <= at[:, None] + 1, one.regret, np.nan)
        sheet.curve("regret", t, so_far, theme.role(one.role), theme.line, meta=f"regret|{CALLED[one.name]}")
    ends = np.stack([one.regret[at] for one in film.learners], axis=1)
    upper = ends == ends.max(axis=1, keepdims=True)
    upper[:, 1] &= ~upper[:, 0]
    # Half a line above its end, or below: two numbers are a line apart however low the panel is.
    text = [
        [f"{number(v)}<br> " if up else f" <br>{number(v)}" for v, up in zip(*row, strict=True)]
        for row in zip(ends.tolist(), upper, strict=True)
    ]
    colours = [theme.role(one.role) for one in film.learners]
    beside = np.repeat(at[:, None] + 1.0 + BESIDE * T, 2, axis=1)
    sheet.words("regret", beside, ends, text, colours, "middle right")
    for i, one in enumerate(film.learners):
        sheet.shows(f"{one.name}: regret", "text", i)
