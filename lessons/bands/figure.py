"""Confidence bands around the same data: panels on shared axes, and the times at which each misses the truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from figures import theme as look
from figures.film import Film, Place, Track
from figures.sheet import gapped, strokes
from figures.theme import Theme
from lessons.bands.figure_panels import Panels
from lessons.bands.model import BandsOverTime

ROW_EDGE = 0.6  # rows of the strip from the outermost row to the edge


def panels_of(run: BandsOverTime, view: str) -> Panels:
    """Return the panels of a view: "side" has one a band, "overlay" one for all."""
    return Panels(run, len(run.films) if view == "side" else 1)


def stage(
    run: BandsOverTime, theme: Theme, drawn: int, view: str, front: str, arm: int | None = None, narrow: bool = False
) -> Film:
    """Draw the main figure, as tall as its place: the bands side by side (or in one panel) above the coverage strip.

    Args:
        drawn: frame that the figure shows.   view: "side" or "overlay".   front: band that is filled in the overlay.
        arm: that is looked at closely below, marked in every panel; None for none.
        narrow: beside something else on the page, where long words would meet.
    """
    names = tuple(run.films)
    panels = replace(panels_of(run, view), narrow=narrow)
    builder = _Builder(run, panels, theme, drawn)
    margin = look.margins(118 if theme.lecture else 76, 10, 2.75 * theme.label + 4, 2.3 * theme.label + 6)
    frame = look.layout(theme, None, hovermode="x", margin=margin)
    strip, floor = (0.3, 0.47) if theme.lecture else (0.23, 0.42)  # shares of the height inside the margins
    frame["xaxis"] = panels.axis(theme)
    frame["yaxis"] = look.axis(
        theme, run.unit.split(",")[0], range=panels.range_y, domain=[floor, 1.0], nticks=6, showline=False
    )
    filled = {name: i for i, name in enumerate(names)} if panels.count > 1 else {front: 0}
    builder.frames()
    for name in reversed(names):
        builder.band(name, filled.get(name, 0), name in filled)
    builder.hatch(filled)
    builder.shared()
    builder.headlines()
    if arm is not None:
        builder.looked_at(arm)
    builder.strip(frame, strip)
    return replace(look.film(builder.traces, frame, builder.tracks), shows=builder.shows)


def _round_ticks(last: int) -> dict:
    """Return about five round ticks that end with the data, although the axis leaves room for flags."""
    step = next(s for s in (1, 2, 5, 10, 20, 25, 50, 100, 200) if last / s <= 6)
    return {"tickvals": list(range(0, last + 1, step))}


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
        self.shows: dict[str, Place] = {}
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
        self.add(look.line(x, y, self.theme.soft_ink, 1.0, cliponaxis=False))

    def band(self, name: str, panel: int, filled: bool) -> None:
        """Draw one band: both edges, and where it is filled its estimate."""
        film, colour, theme = self.run.films[name], self.theme.band(name), self.theme
        # An empty set has no band: nothing is drawn rather than a curve that promises something.
        gone = film.empty[:, None]
        lower, upper, mean = (np.where(gone, np.nan, a).astype(np.float32) for a in (film.lower, film.upper, film.mean))
        if self.run.arm_names is not None:
            self._rods(name, panel, lower, upper, mean, filled)
            return
        x, edge = self.panels.at(panel, self.run.x), 1.5 if filled else (3.0 if theme.lecture else 2.0)
        # A click on an edge means its place: the axis of the sheet would say where that lies among the panels.
        tip = {
            "hoverinfo": "y+name",
            "name": name,
            "meta": name,
            "hoverlabel": {"bgcolor": theme.paper},
            "customdata": self.run.x,
        }
        paint = {"fill": "tonexty", "fillcolor": look.faded(colour, 0.18)} if filled else {}
        self.add(look.line(x, None, colour, edge, look.BAND_DASH[name], **tip), y=lower)
        self.add(look.line(x, None, colour, edge, look.BAND_DASH[name], **tip, **paint), y=upper)
        if filled:
            self.add(look.line(x, None, colour, 3.0, meta=name), y=mean)

    def _rods(
        self, name: str, panel: int, lower: np.ndarray, upper: np.ndarray, mean: np.ndarray, filled: bool
    ) -> None:
        """Draw an upright bar for each arm, and a tick for its estimate: arms with names have no points in between."""
        shift = 0.0 if filled else 0.08 * (self.names.index(name) - (len(self.names) - 1) / 2)
        xs = np.repeat(self.panels.at(panel, self.run.x + shift), 3)
        width = max(4.0, 60.0 / lower.shape[1]) if filled else 3.0
        colour = look.faded(self.theme.band(name), 0.45) if filled else self.theme.band(name)
        self.add(look.line(xs, None, colour, width, name=name, meta=name), y=strokes(lower, upper))
        if filled:
            x = self.panels.at(panel, self.run.x)
            self.add(look.dots(x, None, self.theme.band(name), 12, "line-ew-open", 3, meta=name), y=mean)

    def hatch(self, filled: Mapping[str, int]) -> None:
        """Hatch in red from a filled band to the truth where that is outside, with a cross where it is furthest."""
        every = 1 if self.run.arm_names is not None else 2
        truth, x = self.truth[:, ::every], self.run.x[::every]
        xs, rods, crosses = [], [], []
        for name, panel in filled.items():
            film = self.run.films[name]
            low, up = (np.where(film.empty[:, None], np.nan, a[:, ::every]) for a in (film.lower, film.upper))
            near = np.where(np.isnan(up), np.nan, np.clip(truth, low, up))  # nothing where the set is empty
            miss = self.run.misses[name][:, ::every] & np.isfinite(up)
            xs.append(np.repeat(self.panels.at(panel, x), 3))
            rods.append(strokes(np.where(miss, truth, np.nan), np.where(miss, near, np.nan)))
            crosses.append(self._cross(truth, near, self.panels.at(panel, x)))
        ys = np.concatenate(rods, axis=1).astype(np.float32)
        self.add(look.line(np.concatenate(xs), None, self.theme.missed, 2.5), y=ys)
        across, up = (np.stack(side, axis=1).astype(np.float32) for side in zip(*crosses, strict=True))
        size, rim = self.theme.marker + 3, (1.5, self.theme.paper)
        self.add(look.dots(None, None, self.theme.missed, size, "x", rim), x=across, y=up)

    def _cross(self, truth: np.ndarray, near: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (F,) place and height of the truth where it is furthest outside."""
        far = np.where(np.isfinite(near), np.abs(truth - near), 0.0)
        worst, rows = far.argmax(axis=1), np.arange(len(far))
        return x[worst], np.where(far[rows, worst] > 0, truth[rows, worst], np.nan)

    def shared(self) -> None:
        """Draw in every panel the reward at the start, the reward now, and the data."""
        theme, run, panels = self.theme, self.run, self.panels
        x, truth = panels.all(run.x), gapped(self.truth)
        if run.moving:
            past = look.line(x, np.tile(truth[0], panels.count), theme.soft_ink, 1.8, "dot")
            self.add(past if run.arm_names is None else self._dots(past, "circle-open", 6))
        now = look.line(x, None, theme.ink, theme.truth_line)
        self.add(now if run.arm_names is None else self._dots(now, "diamond", 9), panels.count, y=truth)
        place = run.x[run.history.arms] if len(run.history.y) else np.zeros(0, np.float32)
        heard = look.dots(panels.all(place), None, theme.ink, theme.marker - 2, "circle-open", 1.2)
        self.add({**heard, "opacity": 0.55}, panels.count, y=self.heard)

    def _dots(self, trace: dict, symbol: str, size: int) -> dict:
        return {**trace, "mode": "markers", "marker": look.marker(trace["line"]["color"], size, symbol)}

    def headlines(self) -> None:
        """Write name and mean half-width of every band, and below it whether its promise still stands."""
        theme, count, side = self.theme, len(self.names), self.panels.count > 1
        x = [self.panels.left(k) + 0.5 * self.panels.wide if side else (k + 0.5) / count for k in range(count)]
        colours = [theme.band(name) for name in self.names]
        top, size = [self.panels.range_y[1]] * count, theme.label if side else theme.tick
        text = look.words(x, top, [""] * count, colours, int(self.panels.type_share * size), "top center")
        said = zip(*(self._headlines(name) for name in self.names), strict=True)
        self.add(text, text=tuple(said))
        self.shows |= {
            f"{name} mean half-width": Place(len(self.traces) - 1, "text", i) for i, name in enumerate(self.names)
        }

    def looked_at(self, arm: int) -> None:
        """Mark in every panel the place that is looked at closely below: a thin line on a triangle."""
        theme, (low, high) = self.theme, self.panels.range_y
        at = [float(self.panels.at(i, self.run.x[arm])) for i in range(self.panels.count)]
        self.add(look.line(strokes(at, at), strokes([low] * len(at), high), theme.soft_ink, 1.0, "dot"))
        mark = look.dots(at, [low] * len(at), theme.ink, theme.marker + 4, "triangle-up", cliponaxis=False)
        self.add({**mark, "opacity": 1})

    def _headlines(self, name: str) -> list[str]:
        film, half = self.run.films[name], self.run.films[name].half_width
        widths = ["" if film.empty[t] else f" ±{half[t]:.2f}" for t in range(self.run.frames)]
        if self.panels.narrow:
            return [f"<b>{name}</b><br>{self._sign(name, t)}" for t in range(self.run.frames)]
        return [f"<b>{name}</b>{width}<br>{self.status(name, t)}" for t, width in enumerate(widths)]

    def _sign(self, name: str, t: int) -> str:
        """Return a tick, or when the promise was broken."""
        first = self.run.verdicts[name][t].first
        said = "✓" if first is None else f"✗ at {first}"
        return f'<span style="color:{self.theme.covered if first is None else self.theme.missed}">{said}</span>'

    def status(self, name: str, t: int) -> str:
        """Return the verdict of one time, red where the promise is broken.

        "✓ covers"; "✗ misses since 65"; "✗ EMPTY since 53"; "covers, ✗ at 30" of a band that missed once: a promise
        for all times stays broken.
        """
        at = self.run.verdicts[name][t]
        if not self.run.known(name).all():
            words = {"empty": "✗ EMPTY now", "misses": "✗ misses now"}.get(at.now, "✓ covers now")
            return f'<span style="color:{self.theme.covered if "✓" in words else self.theme.missed}">{words}</span>'
        if at.now == "empty":
            words = f"✗ EMPTY since {at.since}"
        elif at.now == "misses":
            words = f"✗ misses since {at.since}" if at.since == at.first else f"✗ misses, as at {at.first}"
        elif at.first is not None:
            return f'covers, <span style="color:{self.theme.missed}">✗ at {at.first}</span>'
        else:
            return f'<span style="color:{self.theme.covered}">✓ covers</span>'
        return f'<span style="color:{self.theme.missed}">{words}</span>'

    def strip(self, frame: dict, share: float) -> None:
        """Draw one row a band over all times: solid while it covers, broken red while it misses; the cursor is now."""
        run, theme, axes = self.run, self.theme, {"xaxis": "x2", "yaxis": "y2"}
        last, edges = max(run.frames - 1, 1), [-ROW_EDGE, len(self.names) - 1 + ROW_EDGE]
        frame["xaxis2"] = look.axis(
            theme,
            "observations so far, t",
            range=[-0.5, last * (1.17 if theme.lecture else 1.13)],
            domain=[0, 1],
            anchor="y2",
            showgrid=False,
            **_round_ticks(last),
        )
        rows = look.ticks(range(len(self.names)), reversed(self.names))
        frame["yaxis2"] = look.axis(theme, range=edges, domain=[0, share], anchor="x2", showgrid=False, **rows)
        t = np.arange(run.frames, dtype=np.float32)
        spans = np.stack([t - 0.5, t + 0.5], axis=1).ravel()  # a frame fills the half step on both its sides
        thick = 14 if theme.lecture else 9
        broken, marked, flagged = [], [], {}
        for row, name in enumerate(reversed(self.names)):
            bad, known = (np.repeat(flags, 2) for flags in (run.misses[name].any(axis=1), run.known(name)))
            self.add(look.line(*_runs(spans, ~bad & known, row), theme.band(name), thick, meta=name, **axes))
            broken.append(_runs(spans, bad & known, row))
            first, empty = run.first_miss[name], run.first_empty[name]
            if first is not None and known.all():
                marked.append((row, f"  ✗ at {first}" + (f", ∅ at {empty}" if empty is not None else "")))
                flagged[name] = "first miss" if empty is None else "first empty"
        red = (np.concatenate(side) for side in zip(*broken, strict=True))
        self.add(look.line(*red, theme.missed, thick, "2px,3px", **axes))
        rows, words = [row for row, _ in marked], [word for _, word in marked]
        self.add(look.words([last + 0.5] * len(rows), rows, words, theme.missed, theme.tick, "middle right", **axes))
        for i, (name, when) in enumerate(flagged.items()):
            self.shows |= {f"{name} {fact}": Place(len(self.traces) - 1, "text", i) for fact in ("first miss", when)}
        cursor = np.repeat(t[:, None], 2, axis=1)
        # Time alone glides: bands and verdicts belong to an observation, and the reward is drawn with its misses.
        self.add(look.line(None, edges, theme.ink, 2.5, **axes), glides=np.ones(run.frames - 1, dtype=bool), x=cursor)
        self.shows["t"] = Place(len(self.traces) - 1, "x", 0)
