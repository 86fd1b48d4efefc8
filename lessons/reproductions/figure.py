"""Paired dots: each printed number beside ours, group by group, as the repetitions come in.

All groups share one pair of axes: group p occupies [p, p + 1 - GROUP_GAP] of the horizontal axis, on the same scale.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from common.formats import minus
from figures import theme as style
from figures.film import Film
from figures.sheet import Sheet, strokes
from figures.theme import Theme
from lessons.reproductions.model import StoredExperiment

PAPER, OURS = "published values", "ours|lowest mean regret"  # what sentences call the dots
GROUP_GAP = 0.12  # the gap between groups, as a share of a group
TOLERANCES = (1, 2, 3)  # standard errors that "agree to within" may mean
ROW_OFFSET = 0.17  # The paper's dot is so far above, ours so far below the middle of a row.


def stage(experiment: StoredExperiment, theme: Theme, frame: int, tolerance: int | None) -> Film:
    """Return the film of an experiment; time is the number of repetitions.

    Args:
        tolerance: standard errors that count as agreement: a larger difference is in bold; None to write none.
    """
    return PairedDots(experiment, theme, frame, tolerance).film()


class Scale:
    """The axis inside a group, from a value to a place; logarithmic where values span more than a decade."""

    def __init__(self, experiment: StoredExperiment) -> None:
        seen = [
            experiment.values,
            experiment.mean - 2 * experiment.error,
            experiment.mean + 2 * experiment.error,
            experiment.paper,
            experiment.paper - 2 * experiment.paper_error,
            experiment.paper + 2 * experiment.paper_error,
        ]
        seen = np.concatenate([np.ravel(values) for values in seen])
        seen = seen[np.isfinite(seen)]
        plain = np.concatenate([np.ravel(experiment.values), np.ravel(experiment.paper)])
        plain = plain[np.isfinite(plain)]
        self.log = bool(plain.min() > 0 and plain.max() > 8 * plain.min())
        if self.log:
            self.least = 0.5 * float(plain.min())
            low, high = math.log10(self.least), math.log10(float(seen.max()))
        else:
            low, high = min(0.0, float(seen.min())), float(seen.max())
        pad = 0.06 * (high - low or 1.0)
        self.low, self.high = low, high + pad

    def at(self, values: np.ndarray) -> np.ndarray:
        """Return the share of the width of a group, 0 at its left edge."""
        if self.log:
            values = np.log10(np.maximum(values, self.least))
        return np.clip((values - self.low) / (self.high - self.low), 0.0, 1.0) * (1.0 - GROUP_GAP)

    def ticks(self, most: int) -> tuple[list[float], list[str]]:
        """Return ticks and their words, at most so many."""
        if self.log:
            marks = [10.0**e for e in style.decades(self.low, self.high)]
            if len(marks) < 2:
                marks = [m * 10.0**e for e in range(math.floor(self.low), math.ceil(self.high) + 1) for m in (1, 3)]
                marks = [m for m in marks if self.low <= math.log10(m) <= self.high]
        else:
            span = self.high - self.low
            step = 10.0 ** math.floor(math.log10(span))
            # The span is at most ten steps, so that five steps lie in it at most twice.
            step = next(s for s in (step / 5, step / 2, step, 2 * step, 5 * step) if span / s <= most)
            marks = [step * k for k in range(math.ceil(self.low / step), math.floor(self.high / step) + 1)]
        kept = marks[:: math.ceil(len(marks) / most)]
        return kept, [f"{m / 1000:g}k" if m >= 1000 else f"{m:g}" for m in kept]


class PairedDots:
    """The figure of an experiment: builds its sheet part by part."""

    def __init__(self, experiment: StoredExperiment, theme: Theme, frame: int, tolerance: int | None) -> None:
        self.experiment, self.theme, self.tolerance, self.scale = experiment, theme, tolerance, Scale(experiment)
        self.sheet = Sheet(theme, frame)
        self.P, self.R = len(experiment.panels), len(experiment.rows)
        # Each entry is at the left edge of its group, and in its row from the top.
        self.left = np.repeat(np.arange(self.P, dtype=float), self.R)
        self.row = np.tile(-np.arange(self.R, dtype=float), self.P)
        self.paired = experiment.printed
        self.ours = self.row - (ROW_OFFSET if self.paired else 0.0)

    def film(self) -> Film:
        self._axes()
        self._repetitions()
        if self.paired:
            self._paper()
        self._ours()
        self._numbers()
        return self.sheet.film()

    def _axes(self) -> None:
        theme, longest = self.theme, max(len(name) for name in self.experiment.rows)
        broken = theme.lecture and self.P > 2  # Names of groups then take two lines.
        top = int((3.0 if broken else 1.9 if any(self.experiment.panels) else 0.6) * theme.label)
        self.sheet.margins(0.56 * theme.tick * longest + 16, 8, top, 2.9 * theme.label)
        most = {1: 7, 2: 5}.get(self.P, 3)
        marks, texts = self.scale.ticks(most)
        at = [p + float(self.scale.at(np.array(m))) for p in range(self.P) for m in marks]
        signs = "● paper  ○ ours" if self.paired else "○ our mean ± 2 standard errors"
        if self.paired and self.tolerance is not None:
            signs = f"{signs}, with the difference in standard errors"
        x = {"range": [-0.01, self.P - GROUP_GAP + 0.01], **style.ticks(at, texts * self.P)}
        rows = style.ticks((-np.arange(self.R)).tolist(), self.experiment.rows)
        y = {"range": [-self.R + 0.35, 0.55], **rows, "showgrid": False}
        self.sheet.panel("main", [0.0, 1.0], [0.0, 1.0], x, y)
        # The name of the axis begins at the left, where a phone's first screen is.
        name = f"{self.experiment.unit}{' (logarithmic)' if self.scale.log else ''} · {signs}"
        below = {
            "size": theme.label,
            "align": "left",
            "xanchor": "left",
            "yanchor": "top",
            "yshift": -int(1.5 * theme.tick),
        }
        self.sheet.note("main", name, 0.0, 0.0, "xy", **below)
        # A phone that swipes the groups has room for one line of two.
        notes, two = self.sheet.layout["annotations"], name.replace(", with", ",<br>with")
        style.elsewhere(self.sheet.layout, "swiped", "annotations", {str(len(notes) - 1): {**notes[-1], "text": two}})
        style.elsewhere(self.sheet.layout, "swiped", "margin", {"b": int(4.2 * theme.label)})
        for p, name in enumerate(self.experiment.panels):
            name = name.replace(", ", ",<br>") if broken else name
            self.sheet.note(
                "main", f"<b>{name}</b>", p, 1.0, "y", align="left", xanchor="left", yanchor="bottom", color=theme.ink
            )
        edges = [e for p in range(1, self.P) for e in (p - GROUP_GAP / 2, p - GROUP_GAP / 2, None)]
        ends = [v for _ in range(1, self.P) for v in (-self.R + 0.35, 0.55, None)]
        self.sheet.curve("main", edges or [None], ends or [None], theme.grey, 1.0)

    def _repetitions(self) -> None:
        """Draw single repetitions as they come in."""
        n = len(self.experiment.values)
        places = self.left + self.scale.at(self.experiment.values.reshape(n, -1))
        x = np.full((n, n * self.P * self.R), np.nan)
        for r in range(n):
            x[r, : (r + 1) * self.P * self.R] = places[: r + 1].ravel()
        y = np.broadcast_to(np.tile(self.ours, n), x.shape)
        shade = style.faded(self.theme.band("DMM"), 0.45)
        self.sheet.dots("main", x, y, shade, 0.45 * self.theme.marker)

    def _paper(self) -> None:
        mean, error = self.experiment.paper.ravel(), self.experiment.paper_error.ravel()
        y, ink = self.row + ROW_OFFSET, self.theme.ink
        self._bars(mean, error, y, ink, PAPER)
        self.sheet.dots("main", self.left + self.scale.at(mean), y, ink, self.theme.marker, meta=PAPER)

    def _ours(self) -> None:
        n, colour = len(self.experiment.values), self.theme.band("DMM")
        mean, error = self.experiment.mean.reshape(n, -1), self.experiment.error.reshape(n, -1)
        y = np.broadcast_to(self.ours, mean.shape)
        self._bars(mean, error, y, colour, OURS)
        x = self.left + self.scale.at(mean)
        self.sheet.dots("main", x, y, self.theme.paper, self.theme.marker, rim=(2.5, colour), meta=OURS)
        for i, part in self._compared_entries():
            self.sheet.shows(f"{part}: ours", "x", i, partial(self._place, i))

    def _compared_entries(self) -> list[tuple[int, str]]:
        """Return number and name of the entries whose numbers are facts: the printed ones, or all."""
        paper = self.experiment.paper.ravel()
        return [(i, part) for i, part in enumerate(self.experiment.parts) if not self.paired or math.isfinite(paper[i])]

    def _place(self, i: int, value: float) -> float:
        """Return where a value of an entry stands on the horizontal axis."""
        return float(self.left[i] + self.scale.at(np.array(value)))

    def _numbers(self) -> None:
        """Write the printed number and the difference beside their dots, on the side that is free for all repetitions.

        Without a printed number our mean stands under its ring.
        """
        experiment, n = self.experiment, len(self.experiment.values)
        words = tuple(self._written(r) for r in range(n))
        if not self.paired:
            x = self.left + np.clip(self.scale.at(experiment.mean.reshape(n, -1)), 0.07, 1.0 - GROUP_GAP - 0.07)
            below = (0.11 if self.theme.lecture else 0.09) * max(1.0, self.R / 5)  # so many rows are clear of the ring
            self._write(x, self.ours - below, words, "bottom center")
            return
        bars = np.stack([experiment.paper + side * 2 * experiment.paper_error for side in (-1.0, 1.0)])
        printed = tuple("" if math.isnan(v) else _plain(v) for v in experiment.paper.ravel())
        ours = np.concatenate(
            [experiment.values, experiment.mean - 2 * experiment.error, experiment.mean + 2 * experiment.error]
        )
        pairs = [(bars, self.row + ROW_OFFSET, (printed,) * n)]
        if self.tolerance is not None:
            pairs.append((ours, self.ours, words))
        for values, y, texts in pairs:
            places = self.scale.at(values.reshape(len(values), -1))
            low, high = np.nanmin(places, axis=0), np.nanmax(places, axis=0)
            right = 1.0 - GROUP_GAP - high >= low
            x = np.tile(self.left + np.where(right, high, low), (n, 1))
            apart = tuple(
                tuple(f"\u2003{w}" if r else f"{w}\u2003" for w, r in zip(row, right, strict=True)) for row in texts
            )
            self._write(x, y, apart, ["middle right" if r else "middle left" for r in right])
            for i, part in self._compared_entries():
                self.sheet.shows(f"{part}: {'z' if texts is words else 'paper'}", "text", i)

    def _write(self, x: np.ndarray, y: np.ndarray, texts: tuple, place: str | list[str]) -> None:
        self.sheet.words("main", x, np.tile(y, (len(x), 1)), texts, self.theme.ink, place)

    def _written(self, r: int) -> tuple[str, ...]:
        """Return the difference in standard errors, or our mean where nothing is printed."""
        if not self.paired:
            return tuple("" if math.isnan(v) else _mean(v) for v in self.experiment.mean[r].ravel())
        return tuple("" if math.isnan(v) else self._difference(v) for v in self.experiment.z[r].ravel())

    def _difference(self, z: float) -> str:
        """Return a difference in standard errors, in bold beyond the tolerance.

        It has one decimal, more where rounding would move it across a tolerance.
        """
        for digits in range(1, 4):
            text = minus(f"{z:+.{digits}f}")
            if all((abs(round(z, digits)) <= k) == (abs(z) <= k) for k in TOLERANCES):
                break
        return f"<b>{text}</b>" if self.tolerance is not None and abs(z) > self.tolerance else text

    def _bars(self, mean: np.ndarray, error: np.ndarray, y: np.ndarray, colour: str, meta: str) -> None:
        """Draw whiskers of two standard errors around the means (n,) or (F, n)."""
        ends = [self.left + self.scale.at(mean + side * 2.0 * error) for side in (-1.0, 1.0)]
        self.sheet.curve("main", strokes(*ends), strokes(y, y), colour, self.theme.line, meta=meta)


def _mean(value: float) -> str:
    """Return a number as `_plain` does, with its zeros at the end: means side by side have as many digits."""
    return f"{value:#.{3 if abs(value) < 100 else 4}g}".rstrip(".")


def _plain(value: float) -> str:
    """Return a number with three digits, more where they stand before the point."""
    return f"{value:.{3 if abs(value) < 100 else 4}g}"
