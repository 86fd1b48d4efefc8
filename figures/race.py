"""The race: regret against time in one or two worlds, and between them the ranks that change hands.

The lines are drawn once, whole; a curtain in the colour of the paper hides what has not happened yet. So a film
moves a few corners and labels instead of every point of every line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from figures import theme as look
from figures.film import Film
from figures.sheet import Sheet
from figures.side import Clock, amount
from figures.spacetime import ears, thin
from figures.theme import METHODS, Theme
from tvbo_core.records import Problem

ROUNDS = 10  # over which the regret of one round is averaged, to be seen
QUANTITY = {
    "total": "regret so far, R<sub>t</sub> (reward units)",
    "mean": "average regret so far, R<sub>t</sub>/t (reward units)",
    "round": "regret of a round, r<sub>t</sub> (reward units)",
}


class Lane(Protocol):
    """One world of a race (ui.racing.Lane): curves are (k, T), a row a seed."""

    problem: Problem
    total: Mapping[str, np.ndarray]
    median: Mapping[str, np.ndarray]
    spread: Mapping[str, np.ndarray]
    rank: Mapping[str, np.ndarray]
    asked: Mapping[str, int]
    seconds: Mapping[str, float]
    looks: Mapping[str, np.ndarray]
    jumps: Sequence[int]


def stage(
    lanes: Sequence[Lane], titles: Sequence[str], coloured: Sequence[str], pins: Sequence[str], clock: Clock,
    theme: Theme, drawn: int, quantity: str = "total", logs: bool = False,
) -> Film:  # fmt: skip
    """Regret curves of each world with their names at their ends, and the ranks by regret so far.

    Args:
        lanes: one or two.   titles: of the worlds.   coloured: methods in colour, the others are grey.
        pins: methods whose seeds are drawn as thin lines.   clock: rows of the frames.
        quantity: a key of `QUANTITY`.   logs: both axes logarithmic.
    """
    sheet = Sheet(theme, drawn, look.layout(theme, None, hoverdistance=30))
    sheet.frame["margin"] = {
        "l": int(4.6 * theme.tick), "r": 8, "t": int(1.75 * theme.label), "b": int(2.9 * theme.label),
    }  # fmt: skip
    shown = [{n: curves(lane.total[n], quantity) for n in lane.total} for lane in lanes]
    scale = Scale.of(shown, coloured, pins, logs)
    edge = 0.315 if theme.lecture else 0.335  # of a world; the ranks lie between
    spans = ([0.0, edge], [1.0 - edge, 1.0]) if len(lanes) == 2 else ([0.0, 0.62],)
    for i, (lane, lines, across) in enumerate(zip(lanes, shown, spans, strict=True)):
        panel = Panel(sheet, f"world {i}", clock, scale, lane, lines)
        panel.draw(titles[i], across, coloured, pins, QUANTITY[quantity] if i == 0 else "")
    _ranks(sheet, lanes, coloured, clock, [edge + 0.006, 0.994 - edge] if len(lanes) == 2 else [0.64, 1.0])
    return sheet.film()


def curves(total: np.ndarray, quantity: str) -> np.ndarray:
    """(k, T) what is drawn, from the regret so far."""
    t = np.arange(1, total.shape[1] + 1)
    if quantity == "mean":
        return total / t
    if quantity == "round":
        before = np.pad(total, ((0, 0), (ROUNDS, 0)))[:, : total.shape[1]]
        return (total - before) / np.minimum(t, ROUNDS)
    return total


class Scale:
    """The axes that all panels of a race share: linear or logarithmic, from `low` to `high`."""

    def __init__(self, low: float, high: float, logs: bool) -> None:
        self.low, self.high, self.logs = low, high, logs

    @classmethod
    def of(
        cls, shown: Sequence[Mapping[str, np.ndarray]], coloured: Sequence[str], pins: Sequence[str], logs: bool
    ) -> Scale:
        """Tall enough for the coloured lines and most seeds of the pinned ones; Random may leave at the top."""
        learners = [n for n in coloured if n != "Random"] or list(coloured)
        tops = [np.median(lines[n], axis=0).max() for lines in shown for n in learners if n in lines]
        tops += [np.quantile(lines[n].max(axis=1), 0.8) for lines in shown for n in pins if n in lines]
        high = max(max(tops, default=1.0), 1e-9) * (1.6 if logs else 1.08)
        if not logs:
            return cls(0.0, high, False)
        every = np.concatenate([np.median(line, axis=0) for lines in shown for line in lines.values()])
        low = np.quantile(every[every > 0], 0.02) if (every > 0).any() else high / 1e3
        return cls(float(min(max(low, high / 1e5), high / 10)), high, True)

    def y(self, values: np.ndarray) -> np.ndarray:
        """Values as an axis places them, those below a logarithmic axis lifted to its foot."""
        return np.maximum(values, self.low) if self.logs else values

    def height(self, values: np.ndarray) -> np.ndarray:
        """Share of the panel's height, 0 to 1 inside."""
        if self.logs:
            return np.log(np.maximum(values, self.low) / self.low) / np.log(self.high / self.low)
        return values / self.high

    def at(self, share: np.ndarray) -> np.ndarray:
        """The value at a share of the height."""
        return self.low * (self.high / self.low) ** share if self.logs else share * self.high

    def axis(self) -> dict:
        if self.logs:
            low, high = np.log10([self.low, self.high])
            ticks = [10.0**e for e in range(int(np.ceil(low)), int(np.floor(high)) + 1)]
            return {"type": "log", "range": [low, high], "tickvals": ticks, "ticktext": [f"{v:g}" for v in ticks]}
        ticks = nice(self.high)
        return {"range": [0.0, self.high], "tickvals": ticks, "ticktext": [f"{v:g}" for v in ticks]}


def nice(high: float, about: int = 5) -> list[float]:
    """Round ticks from 0 up to `high`."""
    rough = high / about
    unit = 10.0 ** np.floor(np.log10(rough))
    step = next(unit * m for m in (1, 2, 2.5, 5, 10) if unit * m >= rough)
    return [round(float(v), 10) for v in np.arange(0.0, high * (1 + 1e-9), step)]


class Panel:
    """The regret curves of one world."""

    def __init__(
        self, sheet: Sheet, name: str, clock: Clock, scale: Scale, lane: Lane, lines: Mapping[str, np.ndarray]
    ) -> None:
        self.sheet, self.name, self.clock, self.scale, self.lane = sheet, name, clock, scale, lane
        self.lines = lines
        self.middle = {n: np.median(rows, axis=0) for n, rows in lines.items()}
        self.T = lane.problem.horizon

    def draw(
        self, title: str, across: list[float], coloured: Sequence[str], pins: Sequence[str], quantity: str
    ) -> None:
        theme, T = self.sheet.theme, self.T
        room = 0.4 if theme.lecture else 0.34  # share of the width for the names at the ends
        right = T ** (1 / (1 - room)) if self.scale.logs else T / (1 - room)
        ticks = [v for v in (1, 10, 100, 1000) if v <= T] if self.scale.logs else nice(T, 3)
        x = {"title": "time t", "tickvals": ticks, "showgrid": False, "range": [0, right]}
        if self.scale.logs:
            x |= {"type": "log", "range": [0.0, float(np.log10(right))]}
        y = {**self.scale.axis(), "title": quantity, "showticklabels": bool(quantity), "showgrid": False}
        self.sheet.panel(self.name, across, [0.0, 1.0], x, y)
        self.sheet.headline(self.name, f"<b>{title}</b>", size=theme.label)
        self._seeds([p for p in pins if p in coloured])
        self._greys([n for n in self.lines if n not in coloured])
        for name in (n for n in self.lines if n in coloured):
            style = look.line(self._t, self.scale.y(self.middle[name]), theme.method(name), theme.line,
                              METHODS[name].dash)  # fmt: skip
            self.sheet.still(self.name, style)
        self._curtain(right)
        self._rules(ticks_y=y["tickvals"])
        self._ends([n for n in self.lines if n in coloured])
        self._ears()

    @property
    def _t(self) -> np.ndarray:
        return np.arange(1, self.T + 1, dtype=np.float32)

    def _many(self, rows: Sequence[np.ndarray], colour: str, width: float, dash: str = "solid") -> None:
        """Several lines in one trace, with gaps between."""
        if len(rows):
            y = np.pad(self.scale.y(np.asarray(rows)), ((0, 0), (0, 1)), constant_values=np.nan)
            x = np.tile(np.append(self._t, np.nan), len(rows)).astype(np.float32)
            self.sheet.still(self.name, look.line(x, y.ravel().astype(np.float32), colour, width, dash))

    def _seeds(self, pins: Sequence[str]) -> None:
        for name in pins:
            if name in self.lines and len(self.lines[name]) > 1:
                self._many(self.lines[name], look.faded(self.sheet.theme.method(name), 0.38), 1.2)

    def _greys(self, names: Sequence[str]) -> None:
        self._many([self.middle[n] for n in names], look.faded(self.sheet.theme.grey, 0.6), 1.6)

    def _curtain(self, right: float) -> None:
        """A sheet of paper over all that has not happened yet."""
        low, high = (self.scale.low, self.scale.high * 1.001)
        now = np.asarray(self.clock.times, dtype=float) + (0.0 if self.scale.logs else 0.3)
        ends = np.full(len(now), right * 1.01)
        paper = {"type": "scatter", "mode": "lines", "fill": "toself", "fillcolor": self.sheet.theme.paper,
                 "line": {"width": 0}, "hoverinfo": "skip", "y": [low, low, high, high]}  # fmt: skip
        self.sheet.moving(self.name, paper, x=np.stack([now, ends, ends, now], axis=1))

    def _rules(self, ticks_y: Sequence[float]) -> None:
        """The grid, and a hairline with a flag at each jump: over the curtain, so that they are always seen."""
        theme, axes = self.sheet.theme, self.sheet.on(self.name)
        flat = {"type": "line", "xref": f"{axes['xaxis']} domain", "yref": axes["yaxis"], "x0": 0, "x1": 1,
                "layer": "below"}  # fmt: skip
        line = {"color": theme.grid, "width": 1}
        shapes = [{**flat, "y0": v, "y1": v, "line": line, "layer": "above"} for v in ticks_y]
        for row in self.lane.jumps:
            stand = {"type": "line", "xref": axes["xaxis"], "yref": f"{axes['yaxis']} domain", "y0": 0, "y1": 1}
            shapes.append({**stand, "x0": row + 1, "x1": row + 1,
                           "line": {"color": theme.soft_ink, "width": 1.2, "dash": "dot"}})  # fmt: skip
            if len(self.lane.jumps) <= 6:
                at = float(np.log10(row + 1)) if self.scale.logs else row + 1
                self.sheet.note(self.name, "J", at, 1.0, xanchor="right", yanchor="top", xshift=-2,
                                color=theme.soft_ink, yref=f"{axes['yaxis']} domain")  # fmt: skip
        self.sheet.frame.setdefault("shapes", []).extend(shapes)

    def _ends(self, names: Sequence[str]) -> None:
        """A marker and the name where each coloured line stands now; names keep their distance."""
        theme, rows = self.sheet.theme, self.clock.index
        if not names:
            return
        values = np.stack([self.middle[n][rows] for n in names], axis=1)
        colours = [theme.method(n) for n in names]
        inside = np.clip(self.scale.height(values), 0.0, 1.0)
        now = np.repeat(np.asarray(self.clock.times, dtype=float)[:, None], len(names), axis=1)
        mark = {"color": colours, "symbol": [METHODS[n].symbol for n in names], "size": theme.marker, "opacity": 1,
                "line": {"width": [2 if METHODS[n].symbol.endswith("open") else 0 for n in names],
                         "color": colours}}  # fmt: skip
        dots = {"type": "scatter", "mode": "markers", "marker": mark, "hoverinfo": "skip", "cliponaxis": False}
        self.sheet.moving(self.name, dots, x=now, y=self.scale.at(inside))
        gap = 0.072 if theme.lecture else 0.055
        apart = spread(inside, gap)
        words = look.words(None, None, [], theme.ink, theme.tick, "middle right")
        words["textfont"] = {"size": theme.tick, "color": colours}
        asked = [f" +{self.lane.asked[n]:,}" if self.lane.asked.get(n) else "" for n in names]
        text = tuple(
            tuple(f"{n}{a}{' ↑' if v > 1 else ''}" for n, a, v in zip(names, asked, row, strict=True))
            for row in self.scale.height(values)
        )
        self.sheet.moving(self.name, words, x=self._beside(now), y=self.scale.at(apart), text=text)

    def _beside(self, now: np.ndarray) -> np.ndarray:
        """Where a name begins that stands right of a marker at these times."""
        return now * 1.06 if self.scale.logs else now + (0.045 if self.sheet.theme.lecture else 0.03) * self.T

    def _ears(self) -> None:
        """Unseen points along every line that say its name and value, and where a click goes to that time."""
        at = thin(self.T, 24)
        names = list(self.lines)
        k = len(next(iter(self.lines.values()))) if names else 0
        values = np.concatenate([self.middle[n][at] for n in names])
        said = [f"{n}, t = {t + 1}: {amount(self.middle[n][t])}" for n in names for t in at]
        x = np.tile(at + 1, len(names))
        seeds = f"median of {k} seeds" if k > 1 else "one seed"
        ears(self.sheet, self.name, x, self.scale.y(values), x, said, f"%{{text}} ({seeds})")


def spread(wanted: np.ndarray, gap: float) -> np.ndarray:
    """(F, n) places near the wanted ones (0 to 1), at least `gap` apart and inside by half of it, in order.

    Isotonic regression of place minus rank times gap (pool adjacent violators), which moves names as little as
    can be in total squares.
    """
    frames, n = wanted.shape
    gap = min(gap, 1.0 / n)
    placed = np.empty_like(wanted, dtype=float)
    for row in range(frames):
        order = np.argsort(wanted[row], kind="stable")
        blocks: list[list[float]] = []  # mean, size
        for y in wanted[row, order] - gap * np.arange(n):
            blocks.append([y, 1.0])
            while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
                mean, size = blocks.pop()
                blocks[-1] = [(blocks[-1][0] * blocks[-1][1] + mean * size) / (blocks[-1][1] + size),
                              blocks[-1][1] + size]  # fmt: skip
        level = np.concatenate([np.full(int(size), mean) for mean, size in blocks])
        placed[row, order] = np.clip(level, 0.5 * gap, 1.0 - gap * (n - 0.5)) + gap * np.arange(n)
    return placed


def _ranks(
    sheet: Sheet, lanes: Sequence[Lane], coloured: Sequence[str], clock: Clock, across: list[float]
) -> None:
    """Who is where by regret so far, world beside world: a line up or down is a change of rank."""
    theme, rows, names = sheet.theme, clock.index, list(lanes[0].median)
    P, two = len(names), len(lanes) == 2
    left, right = (0.39, 0.61) if two else (0.0, 0.02)
    y = {"range": [P + 0.7, 0.3], "showgrid": False, "showticklabels": False, "ticks": "", "showline": False}
    x = {"range": [0.0, 1.0], "showgrid": False, "showticklabels": False, "ticks": "", "showline": False}
    sheet.panel("ranks", across, [0.0, 1.0], x, y)
    sheet.headline("ranks", "rank by R<sub>t</sub>, best on top", xanchor="center", x=sum(across) / 2)
    places = [np.stack([lane.rank[n][rows] for n in names], axis=1).astype(float) for lane in lanes]
    colours = [theme.method(n) if n in coloured else theme.grey for n in names]
    for i, lane in enumerate(lanes):
        _tied(sheet, lane, rows, (right + 0.02, 1.0) if i == len(lanes) - 1 else (0.0, left - 0.02))
    if two:
        _slopes(sheet, names, coloured, places, (left, right))
    for i, lane in enumerate(lanes):
        last = i == len(lanes) - 1
        text = tuple(
            tuple(_entry(n, float(lane.median[n][row]), after=not last) for n in names) for row in rows
        )
        words = look.words([right + 0.04 if last else left - 0.04] * P, None, [], theme.ink, theme.tick,
                           "middle right" if last else "middle left")  # fmt: skip
        words["textfont"] = {"size": theme.tick, "color": colours}
        sheet.moving("ranks", words, y=places[i], text=text)


def _tied(sheet: Sheet, lane: Lane, rows: np.ndarray, between: tuple[float, float]) -> None:
    """A shade behind all who are tied with the leader, where there are any: they are the top of the list."""
    names = list(lane.median)
    medians = np.stack([lane.median[n][rows] for n in names], axis=1)
    best = medians.argmin(axis=1)
    spread = np.stack([lane.spread[n][rows] for n in names], axis=1)[np.arange(len(rows)), best]
    many = (medians < (medians.min(axis=1) + spread)[:, None]).sum(axis=1)
    foot = np.where(many > 1, many + 0.46, np.nan)
    top = np.where(many > 1, 0.54, np.nan)
    shade = {"type": "scatter", "mode": "lines", "fill": "toself", "line": {"width": 0}, "hoverinfo": "skip",
             "fillcolor": look.faded(sheet.theme.ink, 0.08), "x": [*between, *between[::-1]]}  # fmt: skip
    sheet.moving("ranks", shade, y=np.stack([top, top, foot, foot], axis=1))


def _entry(name: str, value: float, after: bool) -> str:
    number = f"<b>{amount(value)}</b>"
    return f"{name} {number}" if after else f"{number} {name}"


def _slopes(
    sheet: Sheet, names: Sequence[str], coloured: Sequence[str], places: Sequence[np.ndarray],
    between: tuple[float, float],
) -> None:  # fmt: skip
    """One line a method from its rank on the left to its rank on the right, the grey ones in one trace."""
    theme = sheet.theme
    grey = [i for i, n in enumerate(names) if n not in coloured]
    if grey:
        gap = np.full((len(places[0]), len(grey)), np.nan)
        y = np.stack([places[0][:, grey], places[1][:, grey], gap], axis=2).reshape(len(gap), -1)
        x = [*between, None] * len(grey)
        sheet.moving("ranks", look.line(x, None, look.faded(theme.grey, 0.6), 1.6), y=y)
    for i, name in enumerate(names):
        if name in coloured:
            ends = np.stack([places[0][:, i], places[1][:, i]], axis=1)
            mark = {"symbol": METHODS[name].symbol, "size": theme.marker, "color": theme.method(name), "opacity": 1}
            style = look.line(list(between), None, theme.method(name), theme.line, METHODS[name].dash,
                              mode="lines+markers", marker=mark, cliponaxis=False)  # fmt: skip
            sheet.moving("ranks", style, y=ends)
