"""Confidence bands around the same data: five panels on shared axes, and who has missed the truth since when."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from figures import theme as look
from figures.film import Film, Track
from figures.theme import Theme
from lessons.bands.figure_scene import GAP, PANELS, Panels, Scene

__all__ = ["GAP", "PANELS", "Scene", "stage"]


def stage(scene: Scene, theme: Theme, drawn: int, view: str, front: str) -> Film:
    """The main figure, as tall as its place: five panels side by side (or all in one) above the coverage strip."""
    panels = Panels(scene, 5 if view == "side" else 1)
    builder = _Builder(scene, panels, theme, drawn)
    frame = look.layout(theme, None, hovermode="x")
    frame["margin"] = {
        "l": 76 if not theme.lecture else 118,
        "r": 10,
        "t": int(2.75 * theme.label) + 4,
        "b": int(2.3 * theme.label) + 6,
    }
    strip, floor = (0.3, 0.47) if theme.lecture else (0.23, 0.42)  # shares of the height inside the margins
    frame["xaxis"] = panels.axis(theme)
    frame["yaxis"] = look.axis(theme, scene.unit.split(",")[0], range=scene.range_y, domain=[floor, 1.0], nticks=6,
                               showline=False)  # fmt: skip
    filled = {name: i for i, name in enumerate(PANELS)} if panels.count > 1 else {front: 0}
    builder.frames()
    for name in reversed(PANELS):
        builder.band(name, filled.get(name, 0), name in filled)
    builder.hatch(filled)
    builder.shared()
    builder.headlines()
    builder.strip(frame, strip)
    return look.film(builder.traces, frame, builder.tracks)


def _round_ticks(last: int) -> dict:
    """About five round ticks that end with the data, although the axis leaves room for flags."""
    step = next(s for s in (1, 2, 5, 10, 20, 25, 50, 100, 200) if last / s <= 6)
    return {"tickvals": list(range(0, last + 1, step))}


def _runs(spans: np.ndarray, state: np.ndarray, row: int) -> tuple[np.ndarray, np.ndarray]:
    """The stretches where `state` holds, as one line with gaps."""
    turns = np.flatnonzero(np.diff(np.concatenate([[False], state, [False]]).astype(int)))
    starts, ends = turns[::2], turns[1::2] - 1
    x = np.stack([spans[starts], spans[ends], np.full(len(starts), np.nan)], axis=1).ravel()
    y = np.where(np.isnan(x), np.nan, row)
    return x.astype(np.float32), y.astype(np.float32)


def _gapped(rows: np.ndarray) -> np.ndarray:
    """(F, n+1) the rows, each with a gap behind it, so that copies of a row do not join."""
    return np.pad(rows.astype(np.float32), ((0, 0), (0, 1)), constant_values=np.nan)


class _Builder:
    """Collects traces and, for those that move, their tracks."""

    def __init__(self, scene: Scene, panels: Panels, theme: Theme, drawn: int) -> None:
        self.scene, self.panels, self.theme, self.drawn = scene, panels, theme, drawn
        self.traces: list[dict] = []
        self.tracks: list[Track] = []
        n = len(scene.history.y)
        seen = np.arange(n)[None] < np.arange(scene.frames)[:, None]
        self.heard = _gapped(np.where(seen, scene.history.y[None], np.nan))
        self.truth = scene.truth.astype(np.float32)

    def add(self, trace: dict, tiles: int = 1, **moving: np.ndarray | tuple) -> None:
        for attribute, values in moving.items():
            track = Track(len(self.traces), attribute, values, tiles)
            self.tracks.append(track)
            trace[attribute] = track.row(self.drawn)
        self.traces.append(trace)

    def frames(self) -> None:
        """The left and lower edge of every panel, as one line."""
        low, high = self.scene.range_y
        edges = [self.panels.left(i) for i in range(self.panels.count)]
        x = np.ravel([[e, e, e + self.panels.wide, np.nan] for e in edges])
        y = np.tile([high, low, low, np.nan], len(edges))
        self.add(look.line(x, y, self.theme.soft_ink, 1.0, cliponaxis=False))

    def band(self, name: str, panel: int, filled: bool) -> None:
        film, colour, theme = self.scene.films[name], self.theme.band(name), self.theme
        # An empty set has no band: nothing is drawn rather than a curve that promises something.
        gone = film.empty[:, None]
        lower, upper, mean = (np.where(gone, np.nan, a).astype(np.float32) for a in (film.lower, film.upper, film.mean))
        if self.scene.names is not None:
            self._rods(name, panel, lower, upper, mean, filled)
            return
        x, edge = self.panels.at(panel, self.scene.x), 1.5 if filled else (3.0 if theme.lecture else 2.0)
        # A click on an edge means its place: the axis of the sheet would say where that lies among five panels.
        tip = {"hoverinfo": "y+name", "name": name, "hoverlabel": {"bgcolor": theme.paper}, "customdata": self.scene.x}
        paint = {"fill": "tonexty", "fillcolor": look.faded(colour, 0.18)} if filled else {}
        self.add(look.line(x, None, colour, edge, look.BAND_DASH[name], **tip), y=lower)
        self.add(look.line(x, None, colour, edge, look.BAND_DASH[name], **tip, **paint), y=upper)
        if filled:
            self.add(look.line(x, None, colour, 3.0), y=mean)

    def _rods(
        self, name: str, panel: int, lower: np.ndarray, upper: np.ndarray, mean: np.ndarray, filled: bool
    ) -> None:
        """Arms that are names have no points in between: an upright bar for each, a tick for its estimate."""
        nothing = np.full_like(lower, np.nan)
        shift = 0.0 if filled else 0.08 * (PANELS.index(name) - 2)
        xs = np.repeat(self.panels.at(panel, self.scene.x + shift), 3)
        ys = np.stack([lower, upper, nothing], axis=2).reshape(len(lower), -1)
        width = max(4.0, 60.0 / lower.shape[1]) if filled else 3.0
        colour = look.faded(self.theme.band(name), 0.45) if filled else self.theme.band(name)
        self.add(look.line(xs, None, colour, width, name=name), y=ys)
        if filled:
            mark = {"symbol": "line-ew-open", "size": 12, "color": self.theme.band(name), "line": {"width": 3}}
            self.add({"type": "scatter", "mode": "markers", "x": self.panels.at(panel, self.scene.x), "marker": mark,
                      "hoverinfo": "skip"}, y=mean)  # fmt: skip

    def hatch(self, filled: Mapping[str, int]) -> None:
        """Red hatching between the truth and a filled band where the truth is outside, a cross where it is furthest."""
        every = 1 if self.scene.names is not None else 2
        truth, x = self.truth[:, ::every], self.scene.x[::every]
        xs, rods, crosses = [], [], []
        for name, panel in filled.items():
            film = self.scene.films[name]
            low, up = (np.where(film.empty[:, None], np.nan, a[:, ::every]) for a in (film.lower, film.upper))
            near = np.where(np.isnan(up), np.nan, np.clip(truth, low, up))  # nothing where the set is empty
            miss = self.scene.misses[name][:, ::every] & np.isfinite(up)
            rod = np.stack([np.where(miss, truth, np.nan), np.where(miss, near, np.nan), np.full_like(truth, np.nan)],
                           axis=2)  # fmt: skip
            xs.append(np.repeat(self.panels.at(panel, x), 3))
            rods.append(rod.reshape(len(truth), -1))
            crosses.append(self._cross(truth, near, self.panels.at(panel, x)))
        ys = np.concatenate(rods, axis=1).astype(np.float32)
        self.add(look.line(np.concatenate(xs), None, self.theme.missed, 2.5), y=ys)
        mark = {"symbol": "x", "size": self.theme.marker + 3, "color": self.theme.missed,
                "line": {"width": 1.5, "color": self.theme.paper}}  # fmt: skip
        across, up = (np.stack(side, axis=1).astype(np.float32) for side in zip(*crosses, strict=True))
        self.add({"type": "scatter", "mode": "markers", "marker": mark, "hoverinfo": "skip"}, x=across, y=up)

    def _cross(self, truth: np.ndarray, near: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(F,) place and height of the truth where it is furthest outside."""
        far = np.where(np.isfinite(near), np.abs(truth - near), 0.0)
        worst, rows = far.argmax(axis=1), np.arange(len(far))
        return x[worst], np.where(far[rows, worst] > 0, truth[rows, worst], np.nan)

    def shared(self) -> None:
        """What every panel shows: the reward at the start, the reward now, and the data."""
        theme, scene, panels = self.theme, self.scene, self.panels
        x, truth = panels.all(scene.x), _gapped(self.truth)
        if scene.moving:
            past = look.line(x, np.tile(truth[0], panels.count), theme.soft_ink, 1.8, "dot")
            self.add(past if scene.names is None else self._dots(past, "circle-open", 6))
        now = look.line(x, None, theme.ink, theme.truth_line)
        self.add(now if scene.names is None else self._dots(now, "diamond", 9), panels.count, y=truth)
        marker = {"symbol": "circle-open", "size": theme.marker - 2, "color": theme.ink, "line": {"width": 1.2}}
        place = scene.x[scene.history.arms] if len(scene.history.y) else np.zeros(0, np.float32)
        self.add({"type": "scatter", "mode": "markers", "x": panels.all(place), "marker": marker, "opacity": 0.55,
                  "hoverinfo": "skip"}, panels.count, y=self.heard)  # fmt: skip

    def _dots(self, trace: dict, symbol: str, size: int) -> dict:
        return {**trace, "mode": "markers", "marker": {"symbol": symbol, "size": size, "color": trace["line"]["color"]}}

    def headlines(self) -> None:
        """Name and mean half-width of every band, and below it whether its promise still stands."""
        scene, theme, side = self.scene, self.theme, self.panels.count > 1
        x = [self.panels.left(k) + 0.5 * self.panels.wide if side else (k + 0.5) / 5 for k in range(len(PANELS))]
        colours = [theme.band(name) for name in PANELS]
        text = look.words(x, [scene.range_y[1]] * len(x), [""] * len(x), colours, theme.label if side else theme.tick,
                          "top center")  # fmt: skip
        said = zip(*(self._headlines(name) for name in PANELS), strict=True)
        self.add(text, text=tuple(said))

    def _headlines(self, name: str) -> list[str]:
        film, half = self.scene.films[name], self.scene.films[name].half_width
        widths = ["" if film.empty[t] else f" ±{half[t]:.2f}" for t in range(self.scene.frames)]
        return [f"<b>{name}</b>{width}<br>{self.status(name, t)}" for t, width in enumerate(widths)]

    def status(self, name: str, t: int) -> str:
        """ "✓ covers", "✗ MISSED since 65" or "✗ EMPTY since 53", in the colour of its meaning.

        A miss breaks the promise for good; a set that is empty now may hold a function again after more data.
        """
        since, empty = self.scene.since[name], self.scene.films[name].empty
        bad, good = self.theme.missed, self.theme.covered
        if empty[t]:
            full = np.flatnonzero(~empty[:t])
            return f'<span style="color:{bad}">✗ EMPTY since {full[-1] + 1 if len(full) else 0}</span>'
        if since is not None and since <= t:
            return f'<span style="color:{bad}">✗ MISSED since {since}</span>'
        return f'<span style="color:{good}">✓ covers</span>'

    def strip(self, frame: dict, share: float) -> None:
        """One row a band over all times: solid while it covers, broken red while it misses; the cursor is now."""
        scene, theme, axes = self.scene, self.theme, {"xaxis": "x2", "yaxis": "y2"}
        last = max(scene.frames - 1, 1)
        frame["xaxis2"] = look.axis(
            theme, "observations so far, t", range=[-0.5, last * (1.13 if theme.lecture else 1.1)], domain=[0, 1],
            anchor="y2", showgrid=False, **_round_ticks(last),
        )  # fmt: skip
        frame["yaxis2"] = look.axis(
            theme, range=[-0.6, 4.6], domain=[0, share], anchor="x2", showgrid=False,
            tickvals=list(range(5)), ticktext=list(reversed(PANELS)),
        )  # fmt: skip
        t = np.arange(scene.frames, dtype=np.float32)
        spans = np.stack([t - 0.5, t + 0.5], axis=1).ravel()  # a frame fills the half step on both its sides
        thick = 14 if theme.lecture else 9
        broken, flags = [], []
        for row, name in enumerate(reversed(PANELS)):
            bad = np.repeat(scene.misses[name].any(axis=1), 2)
            self.add(look.line(*_runs(spans, ~bad, row), theme.band(name), thick, **axes))
            broken.append(_runs(spans, bad, row))
            if scene.since[name] is not None:
                flags.append((row, f"  ✗ at {scene.since[name]}"))
        red = (np.concatenate(side) for side in zip(*broken, strict=True))
        self.add(look.line(*red, theme.missed, thick, "2px,3px", **axes))
        rows, words = [row for row, _ in flags], [word for _, word in flags]
        self.add(look.words([last + 0.5] * len(rows), rows, words, theme.missed, theme.tick, "middle right", **axes))
        cursor = np.repeat(t[:, None], 2, axis=1)
        self.add(look.line(None, [-0.6, 4.6], theme.ink, 2.5, **axes), x=cursor)
