"""Confidence bands around the same data: five panels on shared axes, and who has missed the truth since when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from figures import theme as look
from figures.film import Film, Track
from figures.theme import Theme
from tvbo_core.records import BandFilm, History

PANELS = ("CMM", "DMM", "AMM", "AY", "IGP")
GAP = 0.018  # between panels, share of the width


@dataclass(frozen=True, eq=False)
class Scene:
    """What the stage shows, as records and arrays that the core has computed.

    Attributes:
        films: name -> BandFilm with n+1 frames.   truth: (n+1, m) reward of each frame.
        history: the n observations.   misses: name -> (n+1, m) bool.
        since: name -> frame of the first miss, or None.
        moving: the reward moves, so no band's promise holds.   unit: of a reward.
    """

    films: Mapping[str, BandFilm]
    truth: np.ndarray
    history: History
    misses: Mapping[str, np.ndarray]
    since: Mapping[str, int | None]
    moving: bool
    unit: str = "reward"

    @property
    def frames(self) -> int:
        return len(self.truth)

    @property
    def names(self) -> tuple[str, ...] | None:
        return self.history.problem.arm_names

    @property
    def x(self) -> np.ndarray:
        """(m,) coordinate of each arm: its place, or its number where arms are names."""
        if self.names is not None:
            return np.arange(len(self.names), dtype=np.float32)
        return self.history.problem.x[:, 0].astype(np.float32)

    @property
    def range_y(self) -> list[float]:
        """One range for all panels and all times, from the truth and the data."""
        values = [self.truth.min(), self.truth.max()]
        if len(self.history.y):
            values += [self.history.y.min(), self.history.y.max()]
        low, high = min(values), max(values)
        room = 0.38 * max(high - low, 0.5)
        return [float(low - room), float(high + room)]

    @property
    def range_x(self) -> list[float]:
        x = self.x
        edge = 0.5 if self.names is not None else 0.0
        low, high = float(x[0]) - edge, float(x[-1]) + edge
        return [low, high] if high > low else [low - 0.5, high + 0.5]


def stage(scene: Scene, theme: Theme, drawn: int, view: str, front: str) -> Film:
    """The main figure, as tall as its place: five panels side by side (or all in one) above the coverage strip."""
    builder = _Builder(scene, theme, drawn)
    panels = [(name,) for name in PANELS] if view == "side" else [PANELS]
    frame = look.layout(theme, None, hovermode="x")
    frame["margin"] = {
        "l": 76 if not theme.lecture else 118,
        "r": 10,
        "t": int(2.75 * theme.label) + 4,
        "b": int(2.3 * theme.label) + 6,
    }
    wide = (1.0 - GAP * (len(panels) - 1)) / len(panels)
    strip, floor = (0.3, 0.47) if theme.lecture else (0.23, 0.42)  # shares of the height inside the margins
    for i, names in enumerate(panels):
        axes = {"xaxis": f"x{i + 1}" if i else "x", "yaxis": f"y{i + 1}" if i else "y"}
        left = i * (wide + GAP)
        frame[f"xaxis{i + 1 if i else ''}"] = _panel_x(
            scene, theme, [left, left + wide], axes["yaxis"], view, named=i == len(panels) // 2 or not theme.lecture
        )
        frame[f"yaxis{i + 1 if i else ''}"] = look.axis(
            theme, scene.unit.split(",")[0] if i == 0 else "", range=scene.range_y,
            domain=[floor, 1.0], anchor=axes["xaxis"],
            showticklabels=i == 0, nticks=6,
        )  # fmt: skip
        for name in reversed(names):
            builder.band(name, axes, filled=len(names) == 1 or name == front)
        builder.shared(axes)
        for k, name in enumerate(names):
            builder.headline(name, axes, (k + 0.5) / len(names), names)
    builder.strip(frame, len(panels) + 1, strip)
    return look.film(builder.traces, frame, builder.tracks)


def _panel_x(scene: Scene, theme: Theme, domain: list[float], anchor: str, view: str, named: bool) -> dict:
    if scene.names is None:
        low, high = scene.range_x
        ticks = {"tickvals": [low, 0.5 * (low + high), high], "ticktext": [f"{v:g}" for v in
                 (low, 0.5 * (low + high), high)]}  # fmt: skip
        title = "action x"
    else:
        few = len(scene.names) <= (6 if view == "side" else 25)
        vals = list(range(len(scene.names)))
        ticks = {"tickvals": vals if few else vals[::5],
                 "ticktext": [n[:5] for n in scene.names] if few else [str(v + 1) for v in vals[::5]]}  # fmt: skip
        title = "" if few else "arm number"
    axis = look.axis(
        theme,
        title if named else "",
        range=scene.range_x,
        domain=domain,
        anchor=anchor,
        showgrid=False,
        tickangle=0,
        **ticks,
    )
    axis["title"]["standoff"] = 2
    return axis


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


class _Builder:
    """Collects traces and, for those that move, their tracks."""

    def __init__(self, scene: Scene, theme: Theme, drawn: int) -> None:
        self.scene, self.theme, self.drawn = scene, theme, drawn
        self.traces: list[dict] = []
        self.tracks: list[Track] = []
        n = len(scene.history.y)
        seen = np.arange(n)[None] < np.arange(scene.frames)[:, None]
        self.heard = np.where(seen, scene.history.y[None], np.nan).astype(np.float32)
        self.truth = scene.truth.astype(np.float32)

    def add(self, trace: dict, **moving: np.ndarray | tuple) -> None:
        for attribute, values in moving.items():
            self.tracks.append(Track(len(self.traces), attribute, values))
            row = values[self.drawn]
            trace[attribute] = row if isinstance(row, np.ndarray) else list(row)
        self.traces.append(trace)

    def band(self, name: str, axes: dict, filled: bool) -> None:
        film, colour, theme = self.scene.films[name], self.theme.band(name), self.theme
        x, dash = self.scene.x, look.BAND_DASH[name]
        # An empty set has no band: nothing is drawn rather than a curve that promises something.
        gone = film.empty[:, None]
        lower, upper, mean = (np.where(gone, np.nan, a).astype(np.float32) for a in (film.lower, film.upper, film.mean))
        edge = 1.5 if filled else (3.0 if theme.lecture else 2.0)
        if self.scene.names is not None:
            self._rods(name, lower, upper, mean, axes, filled)
        else:
            tip = {"hoverinfo": "y+name", "name": name, "hoverlabel": {"bgcolor": theme.paper}}
            paint = {"fill": "tonexty", "fillcolor": look.faded(colour, 0.18)} if filled else {}
            self.add(look.line(x, None, colour, edge, dash, **axes, **tip), y=lower)
            self.add(look.line(x, None, colour, edge, dash, **axes, **tip, **paint), y=upper)
            if filled:
                self.add(look.line(x, None, colour, 3.0, **axes), y=mean)
        if filled:
            self._hatch(name, lower, upper, axes)

    def _rods(
        self, name: str, lower: np.ndarray, upper: np.ndarray, mean: np.ndarray, axes: dict, filled: bool
    ) -> None:
        """Arms that are names have no points in between: an upright bar for each, a tick for its estimate."""
        nothing = np.full_like(lower, np.nan)
        shift = 0.0 if filled else 0.08 * (PANELS.index(name) - 2)
        xs = np.repeat(self.scene.x + np.float32(shift), 3)
        ys = np.stack([lower, upper, nothing], axis=2).reshape(len(lower), -1)
        width = max(4.0, 60.0 / lower.shape[1]) if filled else 3.0
        colour = look.faded(self.theme.band(name), 0.45) if filled else self.theme.band(name)
        self.add(look.line(xs, None, colour, width, **axes), y=ys)
        if filled:
            mark = {"symbol": "line-ew-open", "size": 12, "color": self.theme.band(name), "line": {"width": 3}}
            self.add({"type": "scatter", "mode": "markers", "x": self.scene.x, "marker": mark,
                      "hoverinfo": "skip", **axes}, y=mean)  # fmt: skip

    def _hatch(self, name: str, lower: np.ndarray, upper: np.ndarray, axes: dict) -> None:
        """Red hatching between the truth and the band where the truth is outside."""
        every = 1 if self.scene.names is not None else 2
        miss = self.scene.misses[name][:, ::every]
        truth, low, up = (a[:, ::every] for a in (self.truth, lower, upper))
        near = np.where(np.isnan(up), np.nan, np.clip(truth, low, up))  # nothing where the set is empty
        miss = miss & np.isfinite(up)
        rods = np.stack([np.where(miss, truth, np.nan), np.where(miss, near, np.nan),
                         np.full_like(truth, np.nan)], axis=2)  # fmt: skip
        ys = rods.reshape(len(truth), -1).astype(np.float32)
        xs = np.repeat(self.scene.x[::every], 3)
        self.add(look.line(xs, None, self.theme.missed, 2.5, **axes), y=ys)
        self._cross(truth, near, self.scene.x[::every], axes)

    def _cross(self, truth: np.ndarray, near: np.ndarray, x: np.ndarray, axes: dict) -> None:
        """A cross where the truth is furthest outside."""
        far = np.where(np.isfinite(near), np.abs(truth - near), 0.0)
        worst, rows = far.argmax(axis=1), np.arange(len(far))
        out = far[rows, worst] > 0
        mark = {"symbol": "x", "size": self.theme.marker + 3, "color": self.theme.missed,
                "line": {"width": 1.5, "color": self.theme.paper}}  # fmt: skip
        trace = {"type": "scatter", "mode": "markers", "marker": mark, "hoverinfo": "skip", **axes}
        self.add(trace, x=x[worst][:, None], y=np.where(out, truth[rows, worst], np.nan)[:, None])

    def shared(self, axes: dict) -> None:
        """What every panel shows: the reward at the start, the reward now, and the data."""
        theme, scene = self.theme, self.scene
        if scene.moving:
            past = look.line(scene.x, self.truth[0], theme.soft_ink, 1.8, "dot", **axes)
            self.add(past if scene.names is None else self._dots(past, "circle-open", 6))
        now = look.line(scene.x, None, theme.ink, theme.truth_line, **axes)
        self.add(now if scene.names is None else self._dots(now, "diamond", 9), y=self.truth)
        marker = {"symbol": "circle-open", "size": theme.marker - 2, "color": theme.ink, "line": {"width": 1.2}}
        place = scene.x[scene.history.arms] if len(scene.history.y) else np.zeros(0, np.float32)
        self.add({"type": "scatter", "mode": "markers", "x": place, "marker": marker, "opacity": 0.55,
                  "hoverinfo": "skip", **axes}, y=self.heard)  # fmt: skip

    def _dots(self, trace: dict, symbol: str, size: int) -> dict:
        return {**trace, "mode": "markers", "marker": {"symbol": symbol, "size": size, "color": trace["line"]["color"]}}

    def headline(self, name: str, axes: dict, at: float, group: tuple[str, ...]) -> None:
        """Name and mean half-width, and below it whether the promise still stands."""
        scene, theme = self.scene, self.theme
        low, high = scene.range_x
        half = scene.films[name].half_width
        lines = []
        for t in range(scene.frames):
            width = "" if scene.films[name].empty[t] else f" ±{half[t]:.2f}"
            lines.append((f"<b>{name}</b>{width}<br>{self.status(name, t)}",))
        colour, where = theme.band(name), [low + at * (high - low)]
        text = look.words(
            where, [scene.range_y[1]], [""], colour, theme.label if len(group) == 1 else theme.tick,
            "top center", **axes,
        )  # fmt: skip
        self.add(text, text=tuple(lines))

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

    def strip(self, frame: dict, number: int, share: float) -> None:
        """One row a band over all times: solid while it covers, broken red while it misses; the cursor is now."""
        scene, theme = self.scene, self.theme
        axes = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
        last = max(scene.frames - 1, 1)
        frame[f"xaxis{number}"] = look.axis(
            theme, "observations so far, t", range=[-0.5, last * (1.13 if theme.lecture else 1.1)], domain=[0, 1],
            anchor=axes["yaxis"], showgrid=False, **_round_ticks(last),
        )  # fmt: skip
        frame[f"yaxis{number}"] = look.axis(
            theme, range=[-0.6, 4.6], domain=[0, share], anchor=axes["xaxis"], showgrid=False,
            tickvals=list(range(5)), ticktext=list(reversed(PANELS)),
        )  # fmt: skip
        t = np.arange(scene.frames, dtype=np.float32)
        spans = np.stack([t - 0.5, t + 0.5], axis=1).ravel()  # a frame fills the half step on both its sides
        thick = 14 if theme.lecture else 9
        for row, name in enumerate(reversed(PANELS)):
            bad = np.repeat(scene.misses[name].any(axis=1), 2)
            for state, colour, dash in ((~bad, theme.band(name), "solid"), (bad, theme.missed, "2px,3px")):
                self.add(look.line(*_runs(spans, state, row), colour, thick, dash, **axes))
            since = scene.since[name]
            if since is not None:
                word = f"  ✗ at {since}"
                self.add(look.words([last + 0.5], [row], [word], theme.missed, theme.tick, "middle right", **axes))
        cursor = np.repeat(t[:, None], 2, axis=1)
        self.add(look.line(None, [-0.6, 4.6], theme.ink, 2.5, **axes), x=cursor)
