"""Confidence bands around the same data: panels on shared axes, and the times at which each misses the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from figures import theme as style
from figures.film import ChartPlace, Film, Track
from figures.sheet import gapped, strokes
from figures.theme import Theme
from lessons.bands.figure_lens import Lens
from lessons.bands.figure_panels import Panels
from lessons.bands.model import BandsOverTime

BAND_SHADE = 0.22  # opacity of a filled band
LOW_PANELS, LOW_STRIP = [0.56, 1.0], [0.0, 0.36]  # shares of the height on a low screen
WORDS, WORDS_LECTURE = 0.19, 0.24  # of the width, right of the lanes
WORDS_ELSEWHERE = {"medium": 0.3, "narrow": 0.41}  # on a small tablet and on a phone
ROW_EDGE = 0.6  # rows of the strip from the outermost row to the edge


def panels_of(run: BandsOverTime, view: str) -> Panels:
    """Return the panels of a view: "side" has one a band, "overlay" one for all."""
    return Panels(run, len(run.films) if view == "side" else 1)


def stage(
    run: BandsOverTime, theme: Theme, drawn: int, view: str, front: str, arm: int | None = None, narrow: bool = False
) -> Film:
    """Draw the main figure, as tall as its place: the bands side by side (or in one panel) above their lanes of time.

    Side by side the bands are grey, and red is what lies between a band and a truth outside it, with a magnifier where
    that is furthest; in one panel they have their colours.

    Args:
        drawn: frame that the figure shows.   view: "side" or "overlay".   front: band that is filled in the overlay.
        arm: that is looked at closely below, marked in every panel; None for none.
        narrow: beside something else on the page, where long words would meet.
    """
    names = tuple(run.films)
    panels = replace(panels_of(run, view), narrow=narrow)
    builder = _Builder(run, panels, theme, drawn)
    heads = 1.9 * theme.label if panels.count > 1 else 3.2 * theme.tick
    margin = style.margins(style.HANG, 10, heads, 1.7 * theme.tick)
    frame = style.layout(theme, None, hovermode="x", margin=margin)
    strip, floor = (0.38, 0.48) if theme.lecture else (0.24, 0.36)  # shares of the height inside the margins
    frame["xaxis"] = panels.axis(theme)
    frame["yaxis"] = style.axis(theme, range=panels.range_y, domain=[floor, 1.0], nticks=6, showline=False)
    filled = {name: i for i, name in enumerate(names)} if panels.count > 1 else {front: 0}
    builder.frames()
    for name in reversed(names):
        builder.band(name, filled.get(name, 0), name in filled)
    builder.missed(filled)
    builder.shared()
    if panels.magnifies:
        builder.lens()
    builder.headlines()
    if arm is not None:
        builder.looked_at(arm)
    builder.strip(frame, strip)
    for axis, share in (("yaxis", LOW_PANELS), ("yaxis2", LOW_STRIP)):
        if not theme.lecture:  # whose lanes have their height anyway
            style.elsewhere(frame, "low", axis, {"domain": share})
    style.elsewhere(frame, "narrow", "xaxis", panels.axis_narrow(theme))
    if panels.count > 1:
        builder.one_by_one(frame)
    return replace(style.film(builder.traces, frame, builder.tracks), shows=builder.shows)


def _runs(spans: np.ndarray, state: np.ndarray, row: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the stretches where `state` holds, as one line with gaps."""
    turns = np.flatnonzero(np.diff(np.concatenate([[False], state, [False]]).astype(int)))
    starts, ends = turns[::2], turns[1::2] - 1
    x = strokes(spans[starts], spans[ends])
    y = np.where(np.isnan(x), np.nan, row)
    return x.astype(np.float32), y.astype(np.float32)


class _Builder:
    """Collects traces and, for those that move, their tracks."""

    def __init__(self, run: BandsOverTime, panels: Panels, theme: Theme, drawn: int) -> None:
        self.run, self.panels, self.theme, self.drawn = run, panels, theme, drawn
        self.names = tuple(run.films)
        self.traces: list[dict] = []
        self.tracks: list[Track] = []
        self.shows: dict[str, ChartPlace] = {}
        n = len(run.history.y)
        seen = np.arange(n)[None] < np.arange(run.frames)[:, None]
        self.heard = gapped(np.where(seen, run.history.y[None], np.nan)).astype(np.float32)
        self.truth = run.truth.astype(np.float32)

    def add(self, trace: dict, tiles: int = 1, glides: np.ndarray | None = None, **moving: np.ndarray | tuple) -> None:
        """Add a trace; what is given for every frame moves, and where it `glides` also between two frames."""
        for attribute, values in moving.items():
            track = Track(len(self.traces), attribute, values, tiles, glides)
            self.tracks.append(track)
            trace[attribute] = track.row(self.drawn)
        self.traces.append(trace)

    def frames(self) -> None:
        """Draw the left and lower edge of every panel, as one line."""
        low, high = self.panels.range_y
        edges = [self.panels.left(i) for i in range(self.panels.count)]
        x = np.ravel([[e, e, e + self.panels.wide, np.nan] for e in edges])
        y = np.tile([high, low, low, np.nan], len(edges))
        self.add(style.line(x, y, self.theme.soft_ink, 1.0, cliponaxis=False))

    def band(self, name: str, panel: int, filled: bool) -> None:
        """Draw one band: both edges, and where it is filled its estimate."""
        film, colour, theme = self.run.films[name], self.colour(name), self.theme
        # An empty set has no band: nothing is drawn rather than a curve that promises something.
        gone = film.empty[:, None]
        lower, upper, mean = (np.where(gone, np.nan, a).astype(np.float32) for a in (film.lower, film.upper, film.mean))
        if self.run.arm_names is not None:
            self._rods(name, panel, lower, upper, mean, filled)
            return
        x, edge = self.panels.at(panel, self.run.x), 1.2 if filled else (3.0 if theme.lecture else 2.0)
        dash = "solid" if filled else style.BAND_DASH[name]
        # A click on an edge means its place: the axis of the sheet would say where that lies among the panels.
        tip = {
            "hoverinfo": "y+name",
            "name": name,
            "meta": name,
            "hoverlabel": {"bgcolor": theme.paper},
            "customdata": self.run.x,
        }
        paint = {"fill": "tonexty", "fillcolor": style.faded(colour, BAND_SHADE)} if filled else {}
        self.add(style.line(x, None, colour, edge, dash, **tip), y=lower)
        self.add(style.line(x, None, colour, edge, dash, **tip, **paint), y=upper)
        if filled:
            self.add(style.line(x, None, colour, 0.5 * theme.line, "dot", meta=name), y=mean)

    def colour(self, name: str) -> str:
        """Return the colour of a band: grey where it has a panel of its own."""
        return self.theme.grey if self.panels.count > 1 else self.theme.band(name)

    def _rods(
        self, name: str, panel: int, lower: np.ndarray, upper: np.ndarray, mean: np.ndarray, filled: bool
    ) -> None:
        """Draw an upright bar for each arm, and a tick for its estimate: arms with names have no points in between."""
        shift = 0.0 if filled else 0.08 * (self.names.index(name) - (len(self.names) - 1) / 2)
        xs = np.repeat(self.panels.at(panel, self.run.x + shift), 3)
        width = max(4.0, 60.0 / lower.shape[1]) if filled else 3.0
        colour = style.faded(self.colour(name), 0.45) if filled else self.colour(name)
        self.add(style.line(xs, None, colour, width, name=name, meta=name), y=strokes(lower, upper))
        if filled:
            x = self.panels.at(panel, self.run.x)
            self.add(style.dots(x, None, self.colour(name), 12, "line-ew-open", 3, meta=name), y=mean)

    def missed(self, filled: Mapping[str, int]) -> None:
        """Fill in red from a filled band to the truth where that is outside: an area, or a rod for an arm with a name.

        Where the truth is inside, or the set is empty, both sides are the truth, and the area has no height.
        """
        named, xs, ys = self.run.arm_names is not None, [], []
        for name, panel in filled.items():
            near, x = self.near(name), self.panels.at(panel, self.run.x)
            if named:
                miss = near != self.truth
                xs.append(np.repeat(x, 3))
                ys.append(strokes(np.where(miss, self.truth, np.nan), np.where(miss, near, np.nan)))
            else:
                xs.append(np.append(np.concatenate([x, x[::-1]]), np.nan))
                ys.append(gapped(np.concatenate([self.truth, near[:, ::-1]], axis=1)))
        x, y, red = np.concatenate(xs), np.concatenate(ys, axis=1).astype(np.float32), self.theme.missed
        self.add(style.line(x, None, red, 2.5) if named else style.filled(x, None, red), y=y)

    def near(self, name: str) -> np.ndarray:
        """Return (F, m) the point of a band that is nearest to the truth where it misses; else the truth."""
        film = self.run.films[name]
        miss = self.run.misses[name] & ~film.empty[:, None]
        return np.where(miss, np.clip(self.truth, film.lower, film.upper), self.truth).astype(np.float32)

    def lens(self) -> None:
        """Magnify in every panel the place where the truth is furthest outside its band, while it is."""
        theme, panels = self.theme, self.panels
        glasses = [Lens.over(panels, i, self.run, self.near(name), theme.lecture) for i, name in enumerate(self.names)]
        for side, colour in (("ground", theme.paper), ("band", _mixed(theme)), ("missed", theme.missed)):
            x, y = _joined(glasses, side)
            self.add(style.filled(x[0], None, colour), y=y)
        x, y = _joined(glasses, "truth")
        self.add(style.line(x[0], None, theme.ink, 0.8 * theme.truth_line), y=y)
        x, y = _joined(glasses, "rim")
        self.add(style.line(None, None, theme.ink, 2.5 if theme.lecture else 1.6), x=x, y=y)

    def shared(self) -> None:
        """Draw in every panel the data and the reward now."""
        theme, run, panels = self.theme, self.run, self.panels
        place = run.x[run.history.arms] if len(run.history.y) else np.zeros(0, np.float32)
        heard = style.dots(panels.all(place), None, theme.grey, 0.65 * theme.marker)
        self.add({**heard, "opacity": 0.5}, panels.count, y=self.heard)
        now = style.line(panels.all(run.x), None, theme.ink, 0.8 * theme.truth_line)
        now = now if run.arm_names is None else self._dots(now, "diamond", 9)
        self.add(now, panels.count, y=gapped(self.truth))

    def _dots(self, trace: dict, symbol: str, size: int) -> dict:
        return {**trace, "mode": "markers", "marker": style.marker(trace["line"]["color"], size, symbol)}

    def headlines(self) -> None:
        """Write name and mean half-width of every band above its panel, or in a row above the one panel."""
        theme, count, side = self.theme, len(self.names), self.panels.count > 1
        x = [self.panels.left(k) if side else k / count for k in range(count)]
        colours = [theme.ink if side else theme.band(name) for name in self.names]
        top, size = [self.panels.range_y[1]] * count, theme.label if side else theme.tick
        place, size = "top right", int(self.panels.type_share * size)
        said = zip(*(self._headlines(name) for name in self.names), strict=True)
        self.add(style.words(x, top, [""] * count, colours, size, place, cliponaxis=False), text=tuple(said))
        self.shows |= {
            f"{name} mean half-width": ChartPlace(len(self.traces) - 1, "text", i) for i, name in enumerate(self.names)
        }

    def looked_at(self, arm: int) -> None:
        """Mark in every panel the place that is looked at closely below, with a triangle."""
        at = [float(self.panels.at(i, self.run.x[arm])) for i in range(self.panels.count)]
        low, size = self.panels.range_y[0], 0.9 * self.theme.marker
        mark = style.dots(at, [low] * len(at), self.theme.soft_ink, size, "triangle-up", cliponaxis=False)
        self.add({**mark, "opacity": 1})

    def _headlines(self, name: str) -> list[str]:
        film, half = self.run.films[name], self.run.films[name].half_width
        widths = ["" if film.empty[t] else f" ±{half[t]:.2f}" for t in range(self.run.frames)]
        if self.panels.narrow:
            return [f"<b>{name}</b>"] * self.run.frames
        apart = "" if self.panels.count > 1 else "<br>"  # in one row over the one panel of a phone
        return [f"<b>{name}</b>{width and apart + width}" for width in widths]

    def status(self, name: str, t: int) -> str:
        """Return the verdict of one time.

        "covers so far"; "misses since 65"; "empty since 53"; "covers, missed at 30": a promise for all times stays
        broken. In a hall, where a bet leaves half of the width, a lane that shows the rest says "first miss 30".
        """
        at = self.run.verdicts[name][t]
        if not self.run.known(name).all():
            return f"{at.now} now"
        if self.theme.lecture and at.now != "empty" and at.first is not None:
            return f"first miss {at.first}"
        if at.now == "covers":
            return "covers so far" if at.first is None else f"covers, missed at {at.first}"
        if at.now == "misses" and at.since != at.first:
            return f"misses, first at {at.first}"
        return f"{at.now} since {at.since}"

    def strip(self, frame: dict, share: float) -> None:
        """Draw a lane a band: grey while it covers, red while it misses; what is to come is veiled."""
        run, theme, axes = self.run, self.theme, {"xaxis": "x2", "yaxis": "y2"}
        last, edges = max(run.frames - 1, 1), [-ROW_EDGE, len(self.names) - 1 + ROW_EDGE]
        words = WORDS_LECTURE if theme.lecture else WORDS
        ticks = {"tickvals": [0, last], "ticktext": ["0", str(last)], "showline": False}
        frame["xaxis2"] = style.axis(
            theme, range=[-0.5, (last + 0.5) / (1 - words)], domain=[0, 1], anchor="y2", **ticks
        )
        frame["xaxis2"]["showgrid"] = False
        for screen, share_there in WORDS_ELSEWHERE.items():
            style.elsewhere(frame, screen, "xaxis2", {"range": [-0.5, (last + 0.5) / (1 - share_there)]})
        apart = {"ticks": "outside", "ticklen": 6, "tickcolor": "rgba(0,0,0,0)"}
        rows = style.ticks(range(len(self.names)), reversed(self.names)) | apart
        frame["yaxis2"] = style.axis(
            theme, range=edges, domain=[0, share], anchor="x2", showgrid=False, showline=False, **rows
        )
        t = np.arange(run.frames, dtype=np.float32)
        spans = np.stack([t - 0.5, t + 0.5], axis=1).ravel()  # a frame fills the half step on both its sides
        thick = 15 if theme.lecture else 10
        for row, name in enumerate(reversed(self.names)):
            bad, known = (np.repeat(flags, 2) for flags in (run.misses[name].any(axis=1), run.known(name)))
            self.add(
                style.line(*_runs(spans, ~bad & known, row), style.faded(theme.grey, 0.55), thick, meta=name, **axes)
            )
            x, y = _runs(spans, bad & known, row)
            self.add(style.line(x, y, theme.missed, thick, meta=name, **axes))
            if len(x) and known.all():
                self.shows[f"{name} first miss"] = ChartPlace(len(self.traces) - 1, "x", 0, _start)
        count = len(self.names)
        ends = np.tile(np.array([0.0, 1.004 * last + 0.5, np.nan], np.float32), (run.frames, count))
        ends[:, 0::3] = t[:, None] + 0.5
        veil = np.repeat(np.arange(count), 3)
        glides = np.ones(run.frames - 1, dtype=bool)
        self.add(style.line(None, veil, _pale(theme), thick + 1, **axes), glides=glides, x=ends)
        said = zip(*([self.status(name, at) for at in range(run.frames)] for name in reversed(self.names)), strict=True)
        at = [last + 0.5 + 0.01 * last] * count
        place = {"cliponaxis": False, **axes}
        self.add(
            style.words(at, list(range(count)), [""] * count, theme.soft_ink, theme.tick, "middle right", **place),
            text=tuple(said),
        )
        cursor = np.repeat(t[:, None], 2, axis=1)
        # Time alone glides: bands and verdicts belong to an observation, and the reward is drawn with its misses.
        self.add(style.line(None, edges, theme.ink, 2.5, **axes), glides=glides, x=cursor)
        self.shows["t"] = ChartPlace(len(self.traces) - 1, "x", 0)

    def one_by_one(self, frame: dict) -> None:
        """Show one panel on a phone above all lanes, first the tightest of those that miss now."""
        run = self.run
        misses = {name: bool(run.misses[name][self.drawn].any()) for name in self.names}
        first = min(self.names, key=lambda name: (not misses[name], run.films[name].half_width[self.drawn]))
        ranges = [self.panels.alone(i) for i in range(self.panels.count)]
        style.swiped(frame, self.names, ranges, self.names.index(first))


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
