"""Panel 3 of R-PERP: the rewards of a batch, the answers, the band of their average, and the eliminated actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from figures import theme as style
from figures.sheet import Sheet
from lessons.rperp import figure_marks
from lessons.rperp.figure_layout import LABEL_ROOM, LOWER, LOWER_LECTURE, MAX_STEMS, PANELS_LEFT, DrawnWalkthrough
from lessons.rperp.model import Batch, Step

PAST_CURVES = 6  # rewards of the batch behind its band
MAX_MARGIN = 0.7  # of the rewards' range, that a band may add above and below before it leaves the picture


def bands(sheet: Sheet, view: DrawnWalkthrough) -> None:
    """Panel 3: rewards of the batch, answers, the band of their average, and the eliminated actions."""
    span, panel = reward_range(view), "band"
    place = {**view.action_axis(2, "action x", 0.6 * LABEL_ROOM), "showgrid": False}
    reward = {"range": span, "nticks": 5, "title": "reward", "showgrid": False}
    up = LOWER_LECTURE if sheet.theme.lecture else LOWER
    sheet.panel(panel, [PANELS_LEFT, 1.0], list(up), place, reward)
    hue = view.colour(sheet.theme)
    texts = {"PE": "fixed order", "R-PERP": "R-PERP"}[view.name]
    title = f'<b>③</b> <b><span style="color:{hue}">{texts}</span></b>: band for the average f̄'
    sheet.headline(panel, f"{title}; hatched: eliminated", narrow=title)
    BandPanel(sheet, view, panel, span).draw()


def reward_range(view: DrawnWalkthrough) -> list[float]:
    """Return one range for the rewards and, up to MAX_MARGIN above and below, the bands of the film."""
    f, every = view.problem.f, view.run
    low = min(float(f.min()), *(float(b.rewards.min()) for b in every))
    high = max(float(f.max()), *(float(b.rewards.max()) for b in every))
    room = MAX_MARGIN * max(high - low, 0.5)
    below = min(float(b.band.lower[b.alive].min()) for b in every)
    above = max(float(b.band.upper[b.alive].max()) for b in every)
    pad = 0.06 * max(high - low, 0.5)
    return [max(min(low, below), low - room) - pad, min(max(high, above), high + room) + pad]


class BandPanel:
    """Panel 3."""

    def __init__(self, sheet: Sheet, view: DrawnWalkthrough, panel: str, span: Sequence[float]) -> None:
        self.sheet, self.view, self.panel, self.span = sheet, view, panel, span
        self.colour, self.name = view.colour(sheet.theme), view.name
        self.pairs = [(s, view.run[s.batch]) for s in view.steps]

    def draw(self) -> None:
        """Draw all of it."""
        self._out()
        self._rewards()
        self._band()
        figure_marks.pushes(self.sheet, self.view, self.panel)
        self._answers()
        self._best()
        figure_marks.line_names(self.sheet, self.view, self.panel, self.span)

    def _curves(self, pick: Callable[[Step, Batch], np.ndarray | None]) -> np.ndarray:
        """Return (F, m) one curve a frame, a gap where there is none."""
        nothing = np.full(len(self.view.x), np.nan)
        rows = [pick(s, b) for s, b in self.pairs]
        return np.stack([nothing if row is None else row for row in rows])

    def _out(self) -> None:
        """Grey hatching over the eliminated actions."""
        x, half = self.view.x, self.view.half
        kinds = [(s.batch, s.is_end) for s, _ in self.pairs]
        left_over = {kind: b.survivors if kind[1] else b.alive for kind, (_, b) in zip(kinds, self.pairs, strict=True)}
        spans = {kind: _stretches(~left) for kind, left in left_over.items()}
        most = max(1, *(len(found) for found in spans.values()))
        boxes = {kind: np.full((most, 6), np.nan) for kind in spans}
        for kind, found in spans.items():
            for k, (first, last) in enumerate(found):
                left, right = x[first] - half, x[last] + half
                boxes[kind][k, :5] = left, right, right, left, left
        xs = np.stack([boxes[kind] for kind in kinds])
        low, high = self.span
        ys = np.tile(np.array([low, low, high, high, low, np.nan]), most)
        theme = self.sheet.theme
        hatch = style.hatch(theme.grey, style.faded(theme.grey, 0.1), 0.22)
        area = style.filled(xs.reshape(len(kinds), -1), ys, style.faded(theme.grey, 0.12))
        self.sheet.draw(self.panel, {**area, **hatch})

    def _rewards(self) -> None:
        """The rewards of the batch so far, the older the fainter, and the reward now while it is asked."""
        theme, f, x = self.sheet.theme, self.view.problem.f, self.view.x
        ink = theme.ink
        thin = np.unique(np.linspace(0, len(x) - 1, min(len(x), 41)).round().astype(int))
        width, half = len(thin) + 1, PAST_CURVES // 2
        past_curves = np.full((len(self.pairs), PAST_CURVES, width), np.nan)
        for i, (s, b) in enumerate(self.pairs):
            past = s.heard if s.judged else s.heard - 1
            if past > 0:
                rows = b.start + np.unique(np.linspace(0, past - 1, min(past, PAST_CURVES)).round().astype(int))
                past_curves[i, PAST_CURVES - len(rows) :, :-1] = f[np.ix_(rows, thin)]
        places = np.tile(np.append(x[thin], np.nan), half)
        for part, alpha in ((past_curves[:, :half], 0.4), (past_curves[:, half:], 0.7)):
            rewards = part.reshape(len(self.pairs), -1)
            self.sheet.curve(self.panel, places, rewards, style.faded(ink, alpha), 1.5, "dot")
        now = self._curves(lambda s, b: None if s.judged else f[b.start + max(s.heard - 1, 0)])
        self.sheet.curve(self.panel, x, now, ink, theme.truth_line)

    def _band(self) -> None:
        theme, x, low, high = self.sheet.theme, self.view.x, *self.span
        lower = self._curves(lambda s, b: np.clip(b.band.lower, low, high) if s.judged else None)
        upper = self._curves(lambda s, b: np.clip(b.band.upper, low, high) if s.judged else None)
        fill = style.faded(self.colour, 0.18)
        self.sheet.area(self.panel, x, lower, upper, fill, (self.colour, 1.5), meta=self.name)
        mean = self._curves(lambda s, b: b.band.mean if s.judged else None)
        self.sheet.curve(self.panel, x, mean, self.colour, theme.line, meta=self.name)
        truth = self._curves(lambda s, b: b.truth if s.judged else None)
        self.sheet.curve(self.panel, x, truth, theme.ink, theme.truth_line - 0.5, "dash")

    def _answers(self) -> None:
        """The answers so far as circles, the newest one filled."""
        theme, most = self.sheet.theme, self.view.largest
        at = np.full((2, len(self.pairs), most + 1), np.nan)
        for i, (s, b) in enumerate(self.pairs):
            done = b.permutation < s.heard
            at[0, i, : done.sum()], at[1, i, : done.sum()] = self.view.x[b.picks[done]], b.rewards[done]
            if s.line == 13:
                last = int(np.flatnonzero(b.permutation == s.heard - 1)[0])
                at[0, i, -1], at[1, i, -1] = self.view.x[b.picks[last]], b.rewards[last]
        small = theme.marker if most <= MAX_STEMS else theme.marker - 4
        sizes, colours = [small] * most + [theme.marker + 6], [theme.paper] * most + [theme.ink]
        self.sheet.dots(
            self.panel,
            *at,
            colours,
            sizes,
            symbol=["circle"] * most + ["triangle-up"],
            rim=(2, theme.ink),
            opacity=1,
            hoverinfo="text",
            hovertemplate="x = %{x:.2f}: observed %{y:.2f}<extra></extra>",
        )
        self.sheet.shows("x evaluated", "x", most)
        self.sheet.shows("observation", "y", most)

    def _best(self) -> None:
        """Today's best action with its drop-line, in red once it is out; and how many actions are left."""
        theme, p, low = self.sheet.theme, self.view.problem, self.span[0]
        at = np.full((2, len(self.pairs), 4), np.nan)  # the action, the foot of its drop-line, a gap, the cross
        count = []
        for i, (s, b) in enumerate(self.pairs):
            (t, best), left = self.view.best(s, b), b.survivors if s.is_end else b.alive
            at[0, i, :2], at[1, i, :2] = self.view.x[best], (p.f[t, best], low)
            if not left[best]:
                at[0, i, 3], at[1, i, 3] = self.view.x[best], p.f[t, best]
            count.append((f"{int(left.sum())} of {len(left)} left",))
        mark = style.marker(
            [theme.ink] * 3 + [theme.missed],
            [theme.marker + 2, 0, 0, theme.marker + 4],
            ["circle"] * 3 + ["x"],
            opacity=1,
        )
        self.sheet.curve(self.panel, *at, theme.ink, 1.5, "dot", mode="lines+markers", marker=mark, meta="best action")
        self.sheet.shows("x*", "x", 0)
        corner = [self.sheet.span(self.panel, "x")[1]], [self.span[1]]
        lost = tuple(
            ("<b>best action</b><br><b>eliminated</b>" if np.isfinite(cross) else "",) for cross in at[0, :, 3]
        )
        self.sheet.words(self.panel, *corner, lost, theme.missed, "bottom left")
        self.sheet.words(self.panel, *corner, count, theme.ink, "top left")
        self.sheet.shows("left", "text", 0)


def _stretches(flags: np.ndarray) -> list[tuple[int, int]]:
    """Return the first and the last index of every stretch of True."""
    turns = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return [(int(a), int(b) - 1) for a, b in zip(turns[::2], turns[1::2], strict=True)]
